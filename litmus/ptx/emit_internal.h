// Inside litmus/ptx: what the two halves of the writer of modules share.
#ifndef PTXLITMUS_PTX_EMIT_INTERNAL_H
#define PTXLITMUS_PTX_EMIT_INTERNAL_H

#include "litmus/test.h"

#include <stdio.h>

struct arena;

struct emitter {
    struct arena *arena;
    FILE *out; // a text in memory
    const struct test *test;
};

// The label at the end of each kernel, to which its exits go.
#define EMIT_END "$ptxlitmus_end"

// A body in two parts, since initial values stand between them: the registers that it declares,
// blocks aside, and all the rest.
enum emit_part { EMIT_REGISTERS, EMIT_STATEMENTS };

// emit_body.c: a part of the thread's statements, a line each.
void emit_statements(struct emitter *emitter, const struct thread *thread, enum emit_part part);

#endif
