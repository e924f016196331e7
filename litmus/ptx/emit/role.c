// Writes the body of a thread for an asm statement of CUDA: the same statements as in a module, but
// variables are registers, loops end after a number of rounds, and barriers count the threads of
// all instances that are in the CTA.
#include "litmus/ptx/emit/internal.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <stdlib.h>

const char *ptx_emit_role(struct arena *arena, const struct test *test, size_t index,
                          const struct emit_role *role) {
    const struct thread *thread = &test->threads[index];
    char *text = NULL;
    size_t size = 0;
    struct emitter e = {.arena = arena, .out = text_open(&text, &size), .test = test, .role = role};
    for (size_t i = 0; i < thread->register_count; i++)
        emit_declare_register(&e, thread, i);
    emit_statements(&e, thread, EMIT_REGISTERS);
    for (size_t i = 0; i < thread->register_count; i++)
        emit_initialise_register(&e, &thread->registers[i]);
    emit_statements(&e, thread, EMIT_STATEMENTS);
    fputs(EMIT_END ":\n", e.out);
    text_close(e.out);
    const char *body = arena_strndup(arena, text, size);
    free(text);
    return body;
}
