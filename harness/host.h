// Inside harness: threads of the host as functions of C++.
#ifndef PTXLITMUS_HARNESS_HOST_H
#define PTXLITMUS_HARNESS_HOST_H

#include "harness/cuda.h"

// Whether the function of C++ that stands for a thread of the host can have each of its
// instructions.
bool harness_host_runs(const struct thread *thread);

// Writes a thread of the host, in the `index`-th test of a file, as a function test<index>_P<n>, or
// control<index>_P<n> with relaxed accesses and without fences. Accesses and fences are those of
// C++ that have the same order; C++ has no scopes, so that each reaches all threads.
void harness_write_host(struct arena *arena, FILE *out, const struct harness_item *item,
                        size_t index, size_t thread, bool is_control);

#endif
