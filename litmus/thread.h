// Threads, and the functions that they call.
#ifndef PTXLITMUS_LITMUS_THREAD_H
#define PTXLITMUS_LITMUS_THREAD_H

#include "litmus/instruction.h"
#include "litmus/launch.h"

struct label {
    const char *name;
    struct span span;
    size_t target; // index of the instruction that follows it; instruction_count at the end
};

struct name_table;
struct token;

struct thread {
    unsigned number; // the n of P<n>
    struct span span;
    struct place place;
    const struct launch *launch; // that it is of; NULL: its place says what its registers are
    unsigned cta[3], tid[3];     // in the launch
    struct test_register *registers;
    size_t register_count;
    struct instruction *instructions;
    size_t instruction_count;
    struct label *labels;
    size_t label_count;
    struct name_table *register_names; // of the readers, which look registers up by name
    const struct token *tokens;        // of its body in PTX; litmus/source/lexer.h
    size_t token_count;
};

// Returns where a jump of the thread goes: the index of an instruction, or instruction_count for
// the end.
size_t instruction_target(const struct thread *thread, const struct instruction *instruction);

// Whether some jump of the thread goes back.
bool thread_loops(const struct thread *thread);

// A register that a function uses, and whether it declares it.
struct function_register {
    const char *name;
    unsigned width;
    bool is_declared;
};

// A device function, as tokens; calls are read as its body.
struct function {
    const char *name;
    struct span span;
    const struct function *prototype; // that precedes it, or NULL
    const struct token *head;         // what precedes its body
    size_t head_count;
    const struct token *returns, *parameters,
        *body; // what is in the parentheses or braces, or NULL
    size_t return_count, parameter_count, body_count;
    bool is_called;                      // by a thread, or by a function that is
    bool is_taken;                       // its address is, in a module
    unsigned entered;                    // of the readers: calls of it around the statement at hand
    struct function_register *registers; // of one that is, each name once
    size_t register_count;
};

#endif
