// The names of a test in the making: its variables, its functions, the registers of its threads.
// The parsers of bodies look names up here and add what bodies declare.
#ifndef PTXLITMUS_LITMUS_NAMES_NAMES_H
#define PTXLITMUS_LITMUS_NAMES_NAMES_H

#include "litmus/source/diagnostics.h"
#include "litmus/source/lexer.h"
#include "litmus/test.h"

struct arena;
struct name_table; // litmus/names/table.h

// A test in the making. Variables are known before bodies are parsed, registers grow as they are
// met, conditions come last.
struct reader {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct test *test;
    struct name_table *variable_names; // NULL: the variables are searched one by one
    bool variables_failed;   // a declaration had errors, so an unknown name is not worth one
    const char *declaration; // how the dialect declares a variable: ".global .u32"
    // What reader_declare_in_body calls: the reader of declarations is a room above.
    bool (*declare)(void *context, const struct thread *thread, const struct token *tokens,
                    size_t count, const char *suffix);
    void *declare_context; // borrowed
};

// The index of a variable, or -1 (no message).
int reader_variable(const struct reader *reader, const char *name);

// Adds a variable whose name is new and returns its index.
int reader_add_variable(struct reader *reader, const struct variable *variable);

// The index of the variable that a token names, or -1 after an error that says what the name may
// have meant. The error is left out when reading the declarations gave errors already.
int reader_require_variable(struct reader *reader, const struct token *name);

// Reads a variable's declaration in the body of a thread: `tokens` begin with its first qualifier
// and end with the token that ends it. Bodies that declare a name alike share the variable, as
// threads of one kernel do; with a suffix, which makes the names new, they do not. Returns false
// after an error.
bool reader_declare_in_body(struct reader *reader, const struct thread *thread,
                            const struct token *tokens, size_t count, const char *suffix);

// The function of this name, or NULL.
struct function *reader_function(const struct reader *reader, const char *name);

// The name of the variable nearest to `name`, for a hint to the last message, or NULL.
const char *reader_nearest_variable(const struct reader *reader, const char *name);

// The index of a thread's register, or -1. `%r0` and `r0` are one register.
int reader_find_register(const struct thread *thread, const char *name);

// The index of a thread's register, added with this width (and no type) when it is new. Registers
// are added in no other way; whoever declares one sets type and width afterwards.
int reader_register(struct reader *reader, struct thread *thread, const struct token *token,
                    unsigned width);

// As reader_register, for a register `name` (borrowed for the life of the arena) that no token
// spells.
int reader_named_register(struct reader *reader, struct thread *thread, const char *name,
                          struct span span, unsigned width);

#endif
