// Whether some execution passes the bound of a loop, in programs with spin loops (memory-model.md
// D47).
//
// Every spin loop is assumed to end in executions with outcomes, and the encoder relies on that
// everywhere. Here it must not be assumed: a thread may spin for what another one writes only
// beyond the bound, and then no execution within the bound ends. So the question is put to another
// program, in which threads may stay in their spin loops, as a problem of its own.

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/answer/run.h"

static enum truth check_passes(struct solver_run *run, struct encoder *encoder) {
    literal passes = encode_condition(encoder, run->program->spinning->bound_reached);
    encode_finish(encoder);
    if (encoder_failed(encoder))
        return TRUTH_UNKNOWN;                          // the run's own problem says why
    switch (backend_check(run->backend, &passes, 1)) { // unknown too when the encoder was stopped
    case ANSWER_SAT: return TRUTH_YES;
    case ANSWER_UNSAT: return TRUTH_NO;
    case ANSWER_UNKNOWN: break;
    }
    run_note_undecided(run);
    return TRUTH_UNKNOWN;
}

enum truth run_ask_past_bound(struct solver_run *run) {
    const struct program *program = run->program->spinning;
    struct watchdog *watchdog = backend_watchdog(run->backend);
    struct diagnostics unused; // the run's own problem has the same errors
    diagnostics_init(&unused, run->arena);
    struct facts *facts = facts_new(run->arena, program);
    struct bounds *bounds = bounds_new(run->arena, facts, run->model, watchdog, &unused);
    if (bounds == NULL)
        return TRUTH_UNKNOWN; // and so will be what follows
    backend_begin(run->backend, run->options->memory_mb, false);
    backend_share_memory(run->backend, arena_used(run->arena));
    struct encoder *encoder = encoder_new(run->arena, run->backend, program, bounds, &unused);
    enum truth passes = check_passes(run, encoder);
    encoder_free(encoder);
    run_end_problem(run);
    return passes;
}
