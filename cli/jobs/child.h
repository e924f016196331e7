// Processes that end when this one does: one that does a piece of work for this one, which goes on
// meanwhile, reads what the process prints when there is some, and may end it at any time; and
// another program. A build without processes starts none of the first kind (serial_child.c).
#ifndef PTXLITMUS_CLI_JOBS_CHILD_H
#define PTXLITMUS_CLI_JOBS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct child {
    pid_t pid;
    int out; // what the process prints can be read here
};

// Starts a process that calls `work`, with nothing to read on its standard input, and ends. Its
// standard output is `child->out`; what it says on stderr is lost. It ends when this process does.
// Returns false, with errno, when the system has no process or file left.
bool child_start(struct child *child, void (*work)(void *context), void *context);

// Ends the process, with those that it has started, and closes `out`.
void child_end(struct child *child);

// Runs another program, words[0], which is looked for in PATH, with these words up to a NULL, and
// waits for it. If it is `quiet`, its stdout and stderr are lost. However this process ends
// meanwhile, by a limit, an interrupt or a signal, the program ends with all that it has started.
// Returns an error number when it cannot be started; else 0, and in `*succeeded` whether it has
// ended with status 0.
int child_run(char *const *words, bool quiet, bool *succeeded);

#endif
