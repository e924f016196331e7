// What is printed and noted of a test when a limit ends the process: the worker leaves it for that
// case, and the program takes it in place of what the worker could no longer print.
#ifndef PTXLITMUS_CLI_COMMANDS_LEAVING_H
#define PTXLITMUS_CLI_COMMANDS_LEAVING_H

#include <stdbool.h>

struct arena;
struct program;
struct report;
struct run;
struct test;

// Leaves that a test is undecided, or the fault that a run of it has met. Of the program only the
// test and the arena have to be known. Where leaving_keeps_fault says so, what was left remains.
// (An interrupted file of which no test was run is one that was not run.)
void leaving_unknown(struct run *run, const struct program *program, const char *path);

// Leaves the results of a test as they are known so far.
void leaving_report(const struct run *run, const struct report *report);

// Leaves that a launch is undecided which is tried before one is chosen (launch_size.h).
void leaving_trial_unknown(const struct run *run, struct arena *arena, const struct test *test,
                           const char *path);

// Leaves what such a trial has found, unless several systems are compared.
void leaving_trial(const struct run *run, const struct report *report);

// Whether a fault is left that was found while a launch was derived, and nothing better is known
// yet: it has to be kept.
bool leaving_keeps_fault(const struct run *run);

#endif
