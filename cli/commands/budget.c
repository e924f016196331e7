// The time of a test: of all that is asked of it together.
#include "cli/commands/run_internal.h"
#include "cli/jobs/limits.h"
#include "cli/jobs/signals.h"
#include "solver/backend/watchdog.h"

#define LEAST_SECONDS 1e-3

static double now(void) {
    return watchdog_now_ms() / 1e3;
}

// The time that a test has; 0: no limit.
static double seconds_of(const struct run *run) {
    return run->options->check.solver.timeout_seconds * (run->part > 0 ? run->part : 1);
}

// What the program had to read before tests ran is a part of each of them.
void run_begin_limits(struct run *run) {
    double taken = limits_reading_seconds(), seconds = seconds_of(run), left = seconds - taken;
    run->begun = now() - taken;
    if (seconds == 0)
        left = 0;
    else if (left < LEAST_SECONDS)
        left = LEAST_SECONDS; // for 0 means no limit
    limits_begin(left, run->options->check.solver.memory_mb);
    if (run->solver)
        solver_end_at(run->solver, left > 0 ? (now() + left) * 1e3 : 0);
}

bool run_is_late(const struct run *run) {
    double seconds = seconds_of(run);
    return seconds > 0 && now() >= run->begun + seconds;
}

static double build_end_ms; // by watchdog_now_ms

void run_begin_build(double seconds) {
    build_end_ms = watchdog_now_ms() + 1e3 * seconds;
}

bool run_build_is_late(void) {
    return signals_interrupted() || watchdog_now_ms() > build_end_ms;
}

struct solver_options run_share(const struct run *run, size_t systems) {
    struct solver_options options = run->options->check.solver;
    if (options.timeout_seconds > 0 && systems > 1) {
        double left = (run->begun + seconds_of(run) - now()) / (double)systems;
        options.timeout_seconds = left > LEAST_SECONDS ? left : LEAST_SECONDS;
    }
    return options;
}
