// A run over its inputs in worker processes: one, unless more are asked for. A crash, a limit or a
// failed allocation then ends a worker, and not the program.
#ifndef PTXLITMUS_CLI_COMMANDS_PARALLEL_H
#define PTXLITMUS_CLI_COMMANDS_PARALLEL_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

#include "cli/jobs/limits.h"

#include <stddef.h>

struct arena;
struct input_list;
struct run;

// Runs the inputs; the output is that of run_input for one after the other, in their order. Returns
// how many of them were run: fewer than all after an interrupt, or when the output cannot be
// written.
size_t parallel_run(struct run *run, const struct input_list *inputs);

// The message about an input that did not end.
struct loss {
    enum exit_status status;
    const char *word; // before the message: "undecided" or "error"
    const char *message;
};

// Returns what is said of an input whose worker a limit has ended before it left something to
// print, or which has ended for the reason `why`. The texts live as long as the arena and `why`.
struct loss parallel_loss(struct arena *arena, const struct run *run, enum limit limit,
                          const char *why);

// Has one worker do all that a command does, whose name messages have. Returns the status of the
// run, in which an interrupt is EXIT_UNDECIDED.
enum exit_status parallel_run_alone(const struct options *options, const char *command,
                                    void (*instead)(struct run *run));

#endif
