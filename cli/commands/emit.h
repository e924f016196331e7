// --emit-ptx: a test as a PTX module in a file.
#ifndef PTXLITMUS_CLI_COMMANDS_EMIT_H
#define PTXLITMUS_CLI_COMMANDS_EMIT_H

#include "check/systems.h"

struct arena;
struct diagnostics;
struct options;

// Writes the test to the file that the options name, replacing what is there. Returns false after
// errors in `diagnostics`.
bool emit_write(struct arena *arena, const struct system_list *list, const struct options *options,
                const struct test *test, struct diagnostics *diagnostics);

#endif
