// Threads that stand for others: where not all threads of a launch can be searched, two for each
// way through the kernel that threads take.
#ifndef PTXLITMUS_LAUNCH_ROLES_H
#define PTXLITMUS_LAUNCH_ROLES_H

#include "litmus/test.h"
#include "program/options.h"

struct arena;
struct diagnostics;

// Returns a test with a few threads of each block, in which a launch leaves the others out as
// `threads` does, and of which it is assumed that the others do as these do; a copy of the
// test where each block has no more threads than these. With `all`, this is done for all launches
// of kernels, else for those with `threads auto`. NULL after an error in `diagnostics`: the test
// asks for registers of single threads. The arena owns the result, and the test has to live as
// long.
struct test *roles_choose(struct arena *arena, const struct test *test,
                          const struct program_options *options, bool all,
                          struct diagnostics *diagnostics);

// Whether some launch of a test is one with `threads auto`.
bool roles_are_asked(const struct test *test);

#endif
