// A run over its inputs in processes of their own: one, if no more are asked for. What a crash, a
// limit or a failed allocation ends is a process that can be spared.
#ifndef PTXLITMUS_CLI_COMMANDS_PARALLEL_H
#define PTXLITMUS_CLI_COMMANDS_PARALLEL_H

#include <stddef.h>

struct input_list;
struct run;

// Runs the inputs as if one after the other: what is printed is what run_input prints, in their
// order. Returns how many of them were run.
size_t parallel_run(struct run *run, const struct input_list *inputs);

#endif
