// The limits of one test, held from outside of whatever is at work on it. A stage that looks at the
// clock (the solver does) ends by itself and keeps what it has found; for every other one, a timer
// and the system's bound on memory end the process, which is a worker's. So no stage can forget a
// limit.
#ifndef PTXLITMUS_CLI_JOBS_LIMITS_H
#define PTXLITMUS_CLI_JOBS_LIMITS_H

#include <stddef.h>

// What ended a test before its time.
enum limit { LIMIT_NONE, LIMIT_TIME, LIMIT_MEMORY, LIMIT_INTERRUPT, LIMIT_COUNT };

// In a new worker, before anything else: what it has in use now does not count against tests, and
// memory that the system does not give ends it.
void limits_enter(void);

// A test, or the reading of a file, begins: it may last `seconds` and take `memory_mb` MB (0: no
// limit). Ends the one before.
void limits_begin(double seconds, size_t memory_mb);

// It has ended in time.
void limits_end(void);

// It is to end soon. Safe in a signal handler.
void limits_interrupt(void);

// Which limit ended a worker that has exited with this status.
enum limit limits_of_status(int exit_status);

#endif
