// The little that is read of CUDA C++ itself: how a kernel calls its parameters.
#ifndef PTXLITMUS_CLI_INPUT_CUDA_H
#define PTXLITMUS_CLI_INPUT_CUDA_H

#include <stddef.h>

struct arena;

// Returns the names of the `count` parameters of the kernel `name` (without namespaces) as a .cu
// file has them, in their order; owned by the arena. NULL where its text does not show so many, one
// of them has no name, or two have the same one: macros are not expanded.
const char *const *cuda_parameter_names(struct arena *arena, const char *text, const char *name,
                                        size_t count);

#endif
