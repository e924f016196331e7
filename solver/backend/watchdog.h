// Stops a solver from outside: after a deadline or an interrupt, whichever comes first.
//
// Z3 may only be interrupted while a check runs (an interrupt that finds it idle can turn the next
// answer into a wrong "satisfiable"), so the watchdog knows when one does, and everything that is
// computed after it fired counts as unknown.
#ifndef PTXLITMUS_SOLVER_BACKEND_WATCHDOG_H
#define PTXLITMUS_SOLVER_BACKEND_WATCHDOG_H

#include <stdbool.h>

struct watchdog;

enum watchdog_state { WATCHDOG_QUIET, WATCHDOG_TIMEOUT, WATCHDOG_INTERRUPTED };

// Starts the watching thread, in which all signals are blocked; it calls stop(context) while a
// guarded region runs too long. With `stop` NULL there is no thread: what runs in guarded regions
// has to look at watchdog_poll itself. The caller frees it with watchdog_free.
struct watchdog *watchdog_new(void (*stop)(void *context), void *context);

// Ends the watching thread and frees the watchdog.
void watchdog_free(struct watchdog *watchdog);

// Starts a run that may last `seconds` (0: for ever), on a clock that only goes forward. An
// interrupt since the last run ends it at once.
void watchdog_start(struct watchdog *watchdog, double seconds);

// No run from now on lasts beyond a time of watchdog_now_ms's clock, whatever its seconds; 0: as
// long as those say. Between runs.
void watchdog_end_at(struct watchdog *watchdog, double end_ms);

// Ends the run and forgets its interrupt.
void watchdog_finish(struct watchdog *watchdog);

// Ends the run early, or the next one when none is in progress. Safe in a signal handler and on any
// thread.
void watchdog_interrupt(struct watchdog *watchdog);

// Whether the run must end now, and why. Cheap.
enum watchdog_state watchdog_poll(struct watchdog *watchdog);

// Enters a region in which `stop` may be called from the watching thread. Returns false, without
// entering, when the run must end.
bool watchdog_enter(struct watchdog *watchdog);

// Leaves the region. Returns false when the run must end: what the region computed must not be
// used.
bool watchdog_leave(struct watchdog *watchdog);

// Returns the time in milliseconds of a clock that only goes forward, from an arbitrary beginning.
double watchdog_now_ms(void);

#endif
