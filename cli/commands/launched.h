// Answers `check` by running a test once, where that may say what all executions do.
#ifndef PTXLITMUS_CLI_COMMANDS_LAUNCHED_H
#define PTXLITMUS_CLI_COMMANDS_LAUNCHED_H

#include "launch/launch.h"

struct arena;
struct report;
struct run;

#define LAUNCHED_SECONDS 20.0

// Runs a test as the options say, for so many seconds at most, and half of what the user gives;
// NULL where they ask for a search alone, or the run may not answer them. The arena owns the
// result.
const struct launch_result *launched_try(const struct run *run, struct arena *arena,
                                         const struct test *test, double most_seconds);

// Finds the tensormaps that parameters of a test lack, in so many seconds at most; `known` has the
// bytes of those that are known. The arena owns what is found.
struct launch_maps launched_find_maps(const struct run *run, struct arena *arena,
                                      const struct test *test, double seconds,
                                      const struct launch_maps *known);

// Whether what a run of a test has shown is the answer, and nothing is searched.
bool launched_decides(const struct run *run, const struct test *test,
                      const struct launch_result *launched);

// Whether a fault that a run of a test has met is the answer, though a search may find reasons and
// a fix: of so many threads that do so much a search seldom ends.
bool launched_is_too_large(const struct test *test);

// Returns how many accesses, fences and barriers the threads of a test have in their texts.
size_t launched_count_effects(const struct test *test);

// Returns a run that has met a fault, which is the answer where a search of a test gives none; else
// NULL. Where the user wants both, the search has to agree, but one of some threads need not.
const struct launch_result *launched_met(const struct run *run, const struct test *test,
                                         const struct launch_result *launched);

// Returns the report of the test that was run; the arena owns what it has.
struct report launched_report(struct run *run, struct arena *arena, const char *path,
                              const struct launch_result *launched);

// Reports where a run and a search of all executions give different answers: of all threads, or of
// those that `threads` names, which have no fault that all of them do not have.
void launched_compare(struct run *run, struct arena *arena, const struct report *searched,
                      const struct launch_result *launched);

#endif
