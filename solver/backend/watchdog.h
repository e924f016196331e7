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

// Starts the watching thread; it calls stop(context) while a guarded region runs too long. The
// caller frees it with watchdog_free.
struct watchdog *watchdog_new(void (*stop)(void *context), void *context);
void watchdog_free(struct watchdog *watchdog);

// Starts a run that may last `seconds` (0: for ever). An interrupt since the last run ends it at
// once.
void watchdog_start(struct watchdog *watchdog, double seconds);
// Ends the run and forgets its interrupt.
void watchdog_finish(struct watchdog *watchdog);

// Ends the run early. Safe in a signal handler.
void watchdog_interrupt(struct watchdog *watchdog);

// Whether the run must end now, and why. Cheap.
enum watchdog_state watchdog_poll(struct watchdog *watchdog);

// Enters a region in which `stop` may be called from the watching thread. Returns false, without
// entering, when the run must end.
bool watchdog_enter(struct watchdog *watchdog);
// Leaves it. Returns false when the run must end: what the region computed is not to be trusted.
bool watchdog_leave(struct watchdog *watchdog);

// Milliseconds of a clock that only goes forward.
double watchdog_now_ms(void);

#endif
