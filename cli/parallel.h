// A run over its inputs in processes of their own.
#ifndef PTXLITMUS_PARALLEL_H
#define PTXLITMUS_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

struct input_list;
struct options;
struct run;

// Whether the run needs worker processes: several tests at once are asked for, or somebody is at
// the terminal to see how far the run is.
bool parallel_is_needed(const struct options *options, const struct input_list *inputs);

// Runs the inputs as if one after the other: what is printed is what run_input prints, in their
// order. Returns how many of them were run.
size_t parallel_run(struct run *run, const struct input_list *inputs);

#endif
