// Fuzz target: any bytes as a test file, all the way to outcomes. What the solver finds is checked
// again on each execution; a verdict has to be the one that the list of states shows, and the one
// that is found without a list. Tests that can be written as PTX modules are.
#include "program/program.h"
#include "litmus/ptx/emit/emit.h"
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "solver/solver.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

// Small tests only: the time goes into many of them.
enum { THREADS_FEW = 4, EVENTS_FEW = 24, MEMORY_MB = 1024 };

#define require(condition) ((condition) ? (void)0 : bug("not so: %s", #condition))

static struct solver *solver; // shared by all inputs, as by all tests of a run

static void stop_solver(void) {
    solver_free(solver);
}

static void check_states(const struct outcomes *outcomes) {
    bool satisfied = false, violated = false;
    for (size_t i = 0; i < outcomes->state_count; i++) {
        satisfied = satisfied || outcomes->states[i].satisfies;
        violated = violated || outcomes->states[i].violates;
    }
    switch (outcomes->verdict) {
    case VERDICT_UNKNOWN: break;
    case VERDICT_FORBIDDEN: require(!satisfied); break;
    case VERDICT_ALLOWED: require(satisfied || !outcomes->complete); break;
    case VERDICT_ALWAYS: require(!violated && (satisfied || !outcomes->complete)); break;
    }
}

static const struct outcomes *solve(struct arena *arena, const struct program *program,
                                    const struct model *model, bool verdict_only) {
    const struct solver_options options = {.timeout_seconds = 2,
                                           .memory_mb = MEMORY_MB,
                                           .max_states = 100,
                                           .verdict_only = verdict_only,
                                           .check_executions = true,
                                           .races = !verdict_only};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct outcomes *outcomes =
        solver_run(solver, arena, program, model, &options, &diagnostics);
    require((outcomes == NULL) == diag_has_errors(&diagnostics));
    return outcomes;
}

static void check_program(struct arena *arena, const struct program *program) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct model *model = model_load(arena, "ptx-9.1", &diagnostics);
    const struct outcomes *listed = solve(arena, program, model, false);
    const struct outcomes *decided = solve(arena, program, model, true);
    require((listed == NULL) == (decided == NULL));
    if (listed == NULL)
        return;
    check_states(listed);
    require(listed->verdict == VERDICT_UNKNOWN || decided->verdict == VERDICT_UNKNOWN ||
            listed->verdict == decided->verdict);
}

static void check_test(struct arena *arena, const struct test *test) {
    const struct program_options options = {.unroll = 2};
    const struct emit_head head = {.version = 87, .target = "sm_90"};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const char *module = ptx_emit(arena, test, &head, &diagnostics);
    require((module == NULL) == diag_has_errors(&diagnostics));
    diagnostics_init(&diagnostics, arena);
    const struct program *program = program_build(arena, test, &options, &diagnostics);
    if (program != NULL && program->event_count <= EVENTS_FEW)
        check_program(arena, program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    if (solver == NULL) {
        solver = solver_new();
        atexit(stop_solver);
    }
    const struct source *source = source_from_text(arena, "fuzz.litmus", (const char *)data, size);
    const struct test *test = test_read(arena, source, SYNTAX_GUESS, &diagnostics);
    if (test != NULL && test->thread_count <= THREADS_FEW)
        check_test(arena, test);
    arena_free(arena);
    return 0;
}
