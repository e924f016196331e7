// Threads that stand for others, where a launch has too many to search.
#ifndef PTXLITMUS_CLI_COMMANDS_CHOOSING_H
#define PTXLITMUS_CLI_COMMANDS_CHOOSING_H

#include <stdbool.h>

struct arena;
struct diagnostics;
struct launch_result;
struct run;
struct test;
struct test_list;

// Puts tests with a few threads of each block in the place of those with `threads auto`, for
// commands that do not run all threads first. False after an error in `diagnostics`.
bool choosing_threads(const struct run *run, struct arena *arena, struct test_list *tests,
                      struct diagnostics *diagnostics);

// Returns what `check` is to search, where one run of all threads has not decided a test: one with
// a few threads of each block, if its launch says `threads auto`, or has too many threads to
// search; else the test itself. NULL after an error in `diagnostics`.
const struct test *choosing_searched(const struct run *run, struct arena *arena,
                                     const struct test *test, const struct launch_result *launched,
                                     struct diagnostics *diagnostics);

#endif
