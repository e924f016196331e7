// The little that is read of CUDA C++ itself: what of it is code, and how a kernel calls its
// parameters.
#ifndef PTXLITMUS_CLI_INPUT_CUDA_H
#define PTXLITMUS_CLI_INPUT_CUDA_H

#include <stddef.h>

struct arena;

// Returns a text of CUDA C++ with blanks for comments and quoted texts; lines and columns stay as
// they are. Owned by the arena.
char *cuda_without_comments(struct arena *arena, const char *text);

// Returns the names of the `count` parameters of the kernel `name` (without namespaces) as a .cu
// file has them, in their order; owned by the arena. NULL where its text does not show so many, one
// of them has no name, or two have the same one: macros are not expanded.
const char *const *cuda_parameter_names(struct arena *arena, const char *text, const char *name,
                                        size_t count);

#endif
