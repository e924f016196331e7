// The limits of one test, enforced from outside of the code that works on it. A stage that looks at
// the clock (as the solver does) ends on its own and keeps what it has found; for every other
// stage, a timer and the system's bound on memory end the process, which is a worker's. So no stage
// can forget a limit. What the program reads before tests run, such as models and lists of files,
// has the same limits, which end the program itself. A build without processes has only the limits
// that the solver keeps by looking at the clock (serial_limits.c).
#ifndef PTXLITMUS_CLI_JOBS_LIMITS_H
#define PTXLITMUS_CLI_JOBS_LIMITS_H

#include <stddef.h>

// What ended a test before its time.
enum limit { LIMIT_NONE, LIMIT_TIME, LIMIT_MEMORY, LIMIT_INTERRUPT, LIMIT_COUNT };

// Begins what the program reads before tests run, or gives that other limits: since the first call
// it may take `seconds` of processor time, wait for input so long, and take `memory_mb` MiB (0: no
// limit). A limit prints a message and ends the program with `status`.
void limits_begin_reading(double seconds, size_t memory_mb, int status);

// Ends that: tests begin. Later calls do nothing.
void limits_end_reading(void);

// Returns the seconds of processor time that the program took for it, which are a part of each
// test's.
double limits_reading_seconds(void);

// Ends the program, with its message, where an allocation has failed while it reads under a limit
// on memory.
void limits_no_memory(void);

// Begins a test, or the reading of a file, which may last `seconds` and take `memory_mb` MiB (0: no
// limit). Ends the one before.
void limits_begin(double seconds, size_t memory_mb);

// Ends the test: its limits no longer apply.
void limits_end(void);

// --- For worker processes alone: builds without them lack these ---------------------------------

// Prepares a new worker, before anything else: the memory that it has in use now does not count
// against tests, and a failed allocation ends it.
void limits_enter(void);

// Makes the test end soon. Safe in a signal handler.
void limits_interrupt(void);

// Returns which limit ended a worker that has exited with this status; LIMIT_NONE for other
// statuses.
enum limit limits_of_status(int exit_status);

#endif
