// The names of a test that is being read: its variables, its functions, the registers of its
// threads. The parsers of bodies look names up here and add what bodies declare.
#ifndef PTXLITMUS_LITMUS_NAMES_NAMES_H
#define PTXLITMUS_LITMUS_NAMES_NAMES_H

#include "litmus/source/diagnostics.h"
#include "litmus/source/lexer.h"
#include "litmus/test.h"

struct arena;
struct name_table; // litmus/names/table.h

// A test that is being read. Variables are known before bodies are parsed, registers are added as
// they occur, conditions come last.
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
    // What is not modelled and only computes, of some kinds, has unknown results
    // (litmus/ptx/open.c), and so have functions without a body.
    bool opens;
};

// Returns the index of a variable, or -1 without a message.
int reader_variable(const struct reader *reader, const char *name);

// Adds a variable (copied; its name is borrowed), whose name must be new, and returns its index.
int reader_add_variable(struct reader *reader, const struct variable *variable);

// Returns the index of the variable that a token names, or -1 after an error that says what the
// name may have meant. There is no error when the declarations had errors already.
int reader_require_variable(struct reader *reader, const struct token *name);

// Reads a variable's declaration in the body of a thread: `tokens` begin with its first qualifier
// and end with the token that ends it. Bodies that declare a name in the same way share the
// variable, as threads of one kernel do; with a suffix, which makes the names new, they do not.
// Returns false after an error.
bool reader_declare_in_body(struct reader *reader, const struct thread *thread,
                            const struct token *tokens, size_t count, const char *suffix);

// Returns the function of this name, owned by the test, or NULL.
struct function *reader_function(const struct reader *reader, const char *name);

// Returns the address of a function of the test, as a number: in no state space, and one for each.
uint64_t reader_function_address(const struct reader *reader, const struct function *function);

// Adds a sentence (borrowed) to what the test takes for granted, unless it is there.
void reader_assume(struct reader *reader, const char *sentence);

// Returns the name of the variable nearest to `name`, for a hint to the last message, or NULL when
// none is near.
const char *reader_nearest_variable(const struct reader *reader, const char *name);

// Returns the index of a thread's register, or -1. `%r0` and `r0` are one register.
int reader_find_register(const struct thread *thread, const char *name);

// Returns the index of a thread's register, adding it with a width in bits (and no type) when it is
// new. Registers are added in no other way; declarations set type and width afterwards.
int reader_register(struct reader *reader, struct thread *thread, const struct token *token,
                    unsigned width);

// As reader_register, for a register that no token spells. `name` is borrowed for the life of the
// arena.
int reader_named_register(struct reader *reader, struct thread *thread, const char *name,
                          struct span span, unsigned width);

#endif
