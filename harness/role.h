// Inside harness: the threads of tests as functions, of CUDA or of the host.
#ifndef PTXLITMUS_HARNESS_ROLE_H
#define PTXLITMUS_HARNESS_ROLE_H

#include "harness/cuda.h"

// Writes a thread of the `index`-th test of a file as a function, test<index>_P<n> or, of the
// control, control<index>_P<n>. Its asm statement has the thread's instructions after a comment
// with the names of test and thread.
void harness_write_role(struct arena *arena, FILE *out, const struct harness_item *item,
                        size_t index, size_t thread, bool is_control);

// Whether the function of C++ that stands for a thread of the host can have each of its
// instructions.
bool harness_host_runs(const struct thread *thread);

// Writes a thread of the host, in the `index`-th test of a file, as a function test<index>_P<n>, or
// control<index>_P<n> with relaxed accesses and without fences. Accesses and fences are those of
// C++ that have the same order; C++ has no scopes, so that each reaches all threads.
void harness_write_host(FILE *out, const struct harness_item *item, size_t index, size_t thread,
                        bool is_control);

// Writes a text as a string literal of C++ (harness/cuda.c).
void harness_write_string(FILE *out, const char *text);

#endif
