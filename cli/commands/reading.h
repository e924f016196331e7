// What an input is, for each command that reads tests: a test, a module with its manifest, or a
// kernel whose launch is derived.
#ifndef PTXLITMUS_CLI_COMMANDS_READING_H
#define PTXLITMUS_CLI_COMMANDS_READING_H

#include <stdbool.h>

struct arena;
struct diagnostics;
struct input;
struct run;
struct test_list;

// Reads the tests of an input; the arena owns them. Of a kernel that no manifest launches, that is
// the launch that is derived, `run->derived`, in words its description. Returns false after errors
// in `diagnostics`, or, for a test that is to be lowered, after noting the status alone.
bool reading_tests(struct run *run, struct arena *arena, const struct input *input,
                   struct diagnostics *diagnostics, struct test_list *tests);

#endif
