// One process that does a piece of work for this one, which goes on meanwhile: it reads what the
// process prints when there is some, and may end it at any time. A build without processes starts
// none (serial_child.c).
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

#endif
