// How many threads a block of a derived launch has, and what its integers are.
#ifndef PTXLITMUS_CLI_COMMANDS_LAUNCH_SIZE_H
#define PTXLITMUS_CLI_COMMANDS_LAUNCH_SIZE_H

#include "cli/options/options.h"

struct arena;
struct run;

// Returns how many threads a block has where the launch of a kernel that `check` is given is
// derived: as many as the kernel allows, or 64, if such a launch can be decided in a few seconds;
// else the most of some smaller sizes that can, with the reason why not more, owned by the arena.
// Where none can, it is the least of them that has two threads, which has the best chances.
// Integers are 3, or what shows a fault where 3 does not: 0, 1, 2, and what the kernel compares
// with. Nothing is chosen where a manifest, an option or the kernel itself says how large a block
// is.
struct derived_launch launch_size_choose(struct run *run, struct arena *arena, const char *path);

// Returns the same for a command that shows executions: the smallest block that shows a fault in a
// few seconds, or of two threads, where neither an option nor the kernel says how large it is.
// Integers and sizes are as there.
struct derived_launch launch_size_small(const struct run *run, struct arena *arena,
                                        const char *path);

// Returns the same where all outcomes are looked for: blocks of two threads.
struct derived_launch launch_size_least(void);

#endif
