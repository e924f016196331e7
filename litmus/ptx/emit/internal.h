// Inside litmus/ptx: what the two halves of the writer of modules share.
#ifndef PTXLITMUS_LITMUS_PTX_EMIT_INTERNAL_H
#define PTXLITMUS_LITMUS_PTX_EMIT_INTERNAL_H

#include "litmus/ptx/emit/emit.h"
#include "litmus/test.h"

#include <stdio.h>

struct arena;
struct diagnostics;

struct emitter {
    struct arena *arena;
    FILE *out; // a text in memory
    const struct test *test;
    struct diagnostics *diagnostics;
    const struct emit_role *role; // of a body in an asm statement; NULL in a module
};

// The label at the end of each kernel, to which its exits go.
#define EMIT_END "$ptxlitmus_end"

// A thread's body in two parts, since initial values go between them: the registers that it
// declares outside of blocks, and all the rest. A function's body has no such values.
enum emit_part { EMIT_REGISTERS, EMIT_STATEMENTS, EMIT_ALL };

// Declares a register that the test does not declare, by its name without a '%' (emit/body.c).
void emit_declare_register(struct emitter *emitter, const char *name, unsigned width);

// Writes what precedes a jump of a role that goes back: its rounds are counted, and after too many
// the thread goes on after the jump. Returns whether it was one; the guard of the jump is written
// then (emit/instances.c).
bool emit_role_counts(const struct emitter *emitter, const struct thread *thread,
                      const struct instruction *jump);

// Returns how many threads a barrier of a role counts, where it does not say (emit/instances.c).
size_t emit_role_barrier_count(const struct emitter *emitter, const struct thread *thread);

// Writes a part of a thread's statements, one per line (emit/body.c).
void emit_statements(struct emitter *emitter, const struct thread *thread, enum emit_part part);

// Writes a function's statements, one per line (emit/body.c).
void emit_function_statements(struct emitter *emitter, const struct function *function);

// Writes what precedes a function's body, in one line (emit/body.c).
void emit_function_head(struct emitter *emitter, const struct function *function);

// Writes the functions that threads call (emit/functions.c).
void emit_functions(struct emitter *emitter);

// Reports as errors what makes it impossible to write the functions (emit/functions.c).
void emit_check_functions(const struct test *test, struct diagnostics *diagnostics);

// Returns the variable of that name that the test declares outside of blocks and functions, or
// NULL; the test owns it (emit/body.c).
const struct variable *emit_variable(const struct test *test, const char *name);

#endif
