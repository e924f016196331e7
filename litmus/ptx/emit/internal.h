// Inside litmus/ptx: what the two halves of the writer of modules share.
#ifndef PTXLITMUS_LITMUS_PTX_EMIT_INTERNAL_H
#define PTXLITMUS_LITMUS_PTX_EMIT_INTERNAL_H

#include "litmus/test.h"

#include <stdio.h>

struct arena;
struct diagnostics;
struct token;

struct emitter {
    struct arena *arena;
    FILE *out; // a text in memory
    const struct test *test;
    struct diagnostics *diagnostics;
};

// The label at the end of each kernel, to which its exits go.
#define EMIT_END "$ptxlitmus_end"

// A thread's body in two parts, since initial values stand between them: the registers that it
// declares, blocks aside, and all the rest. A function's body has no such values.
enum emit_part { EMIT_REGISTERS, EMIT_STATEMENTS, EMIT_ALL };

// emit/body.c: a part of the thread's statements, a line each; those of a function; and what stands
// before the function's body, in one line.
void emit_statements(struct emitter *emitter, const struct thread *thread, enum emit_part part);
void emit_function_statements(struct emitter *emitter, const struct function *function);
void emit_function_head(struct emitter *emitter, const struct function *function);

// emit/functions.c: the functions that threads call; what makes it impossible to write them, as
// errors.
void emit_functions(struct emitter *emitter);
void emit_check_functions(const struct test *test, struct diagnostics *diagnostics);

// emit/lookup.c: the instruction of a function whose opcode stands there, in one of the places
// where it is called, or NULL.
const struct instruction *emit_function_instruction(const struct test *test,
                                                    const struct token *opcode);

// The variable of that name that the test declares outside of blocks and functions, or NULL.
const struct variable *emit_variable(const struct test *test, const char *name);

#endif
