// Checkers: options, what they name, and one check after the other.
#include "api/breakdown.h"
#include "api/result.h"

#include "litmus/source/allocate.h"
#include "solver/backend/watchdog.h"
#include "solver/solver.h"

#include <stdlib.h>

struct ptxlitmus {
    struct arena *arena; // of the values of options
    struct check_options options;
    struct loaded *loaded;           // what the options name; NULL: not loaded yet
    _Atomic(struct solver *) solver; // NULL after one was lost
    struct arena *error_arena;       // NULL: no error
    const char *error;
};

const char *ptxlitmus_version(void) {
    return PTXLITMUS_VERSION;
}

// --- Checkers ----------------------------------------------------------------------------------

// A solver that is left in the middle of its work is not used again.
static void lose_solver(struct ptxlitmus *checker) {
    struct solver *solver = atomic_exchange(&checker->solver, NULL);
    if (solver)
        solver_abandon(solver);
}

// The process has other uses for its memory.
static struct solver *sparing_solver(void) {
    struct solver *solver = solver_new();
    solver_spare_process(solver);
    return solver;
}

static void open_checker(void *context) {
    struct ptxlitmus **made = context, *checker = allocate(1, sizeof *checker);
    *made = checker;
    checker->arena = arena_new();
    checker->options = check_options_default();
    atomic_store(&checker->solver, sparing_solver());
}

struct ptxlitmus *ptxlitmus_open(void) {
    struct ptxlitmus *checker = NULL;
    struct breakdown breakdown;
    if (!protect(&breakdown, open_checker, &checker)) {
        ptxlitmus_close(checker);
        checker = NULL;
    }
    return checker;
}

void ptxlitmus_close(struct ptxlitmus *checker) {
    if (checker) {
        solver_free(atomic_load(&checker->solver));
        loaded_release(checker->loaded);
        arena_free(checker->arena);
        arena_free(checker->error_arena);
        free(checker);
    }
}

void ptxlitmus_interrupt(struct ptxlitmus *checker) {
    struct solver *solver = atomic_load(&checker->solver);
    if (solver)
        solver_interrupt(solver);
}

const char *ptxlitmus_error(const struct ptxlitmus *checker) {
    return checker->error;
}

static void forget_error(struct ptxlitmus *checker) {
    arena_free(checker->error_arena);
    checker->error_arena = NULL;
    checker->error = NULL;
}

// The error is a text of its own, or that of a breakdown: this needs no memory.
static void set_breakdown(struct ptxlitmus *checker, const struct breakdown *breakdown) {
    checker->error = breakdown->kind == BREAKDOWN_MEMORY ? "out of memory" : "internal error";
}

// --- Options -----------------------------------------------------------------------------------

// What set_option is called with.
struct option_work {
    struct ptxlitmus *checker;
    const char *option, *value;
};

static const char *try_option(struct option_work *work, struct check_options *options) {
    struct arena *arena = work->checker->arena;
    const char *value = work->value ? arena_format(arena, "%s", work->value) : NULL;
    const char *error = check_option_set(arena, options, work->option, value);
    if (!error && (options->model_count > 1 || options->target_count > 1))
        error = "a check is under one model, on one target";
    return error;
}

static void set_option(void *context) {
    struct option_work *work = context;
    struct ptxlitmus *checker = work->checker;
    struct check_options options = checker->options;
    checker->error_arena = arena_new();
    const char *error = try_option(work, &options);
    if (error) {
        checker->error = arena_format(checker->error_arena, "%s", error);
        return;
    }
    checker->options = options;
    loaded_release(checker->loaded);
    checker->loaded = NULL;
}

bool ptxlitmus_set(struct ptxlitmus *checker, const char *option, const char *value) {
    struct breakdown breakdown;
    struct option_work work = {checker, option, value};
    forget_error(checker);
    if (!protect(&breakdown, set_option, &work))
        set_breakdown(checker, &breakdown);
    return checker->error == NULL;
}

// --- Checks ------------------------------------------------------------------------------------

struct check_work {
    struct ptxlitmus *checker;
    const char *name, *text;
    size_t size, index;
    double begun;
    struct loaded *loading; // until it is the checker's
    struct ptxlitmus_result *result;
    struct diagnostics diagnostics;
};

// Loads what the options name. False after errors.
static bool load(struct check_work *check) {
    struct ptxlitmus *checker = check->checker;
    if (!checker->loaded) {
        struct loaded *loaded = allocate(1, sizeof *loaded);
        check->loading = loaded;
        atomic_init(&loaded->users, 1);
        loaded->options = checker->options;
        loaded->arena = arena_new();
        if (!systems_load(loaded->arena, &loaded->options, &loaded->systems, &check->diagnostics))
            return false;
        checker->loaded = loaded;
        check->loading = NULL;
    }
    atomic_fetch_add(&checker->loaded->users, 1);
    check->result->loaded = checker->loaded;
    return true;
}

// The test that is asked for, or NULL after errors.
static const struct test *read_one(struct check_work *check) {
    enum { SIZE_MOST = 64 << 20 }; // as of a file
    struct arena *arena = check->result->arena;
    if (check->size > SIZE_MOST) {
        diag_error_path(&check->diagnostics, check->name, "the text is larger than 64 MiB");
        return NULL;
    }
    const struct source *source = source_from_text(arena, check->name, check->text, check->size);
    struct test_list tests;
    if (!test_read_all(arena, source, check->result->loaded->options.syntax, &check->diagnostics,
                       &tests))
        return NULL;
    check->result->tests = tests.count;
    if (check->index >= tests.count) {
        diag_error_path(&check->diagnostics, check->name, "there is no test %zu: the text has %zu",
                        check->index, tests.count);
        return NULL;
    }
    return tests.items[check->index];
}

// The program of a test that fits the version and the target, or NULL after errors.
static const struct program *build(struct check_work *check, const struct test *test) {
    struct arena *arena = check->result->arena;
    const struct loaded *loaded = check->result->loaded;
    struct system_list systems = systems_of(&loaded->systems, test);
    struct program_options options = loaded->options.program;
    if (!systems_check_test(arena, &systems, &loaded->options, test, &check->diagnostics) ||
        !systems_take_test(&systems, &systems.items[0], test, &check->diagnostics))
        return NULL;
    options.no_thin_air = systems_forbid_thin_air(&systems, &loaded->options);
    return program_build(arena, test, &options, &check->diagnostics);
}

static struct solver *solver_of(struct ptxlitmus *checker) {
    if (!atomic_load(&checker->solver))
        atomic_store(&checker->solver, sparing_solver());
    return atomic_load(&checker->solver);
}

static void run_check(struct check_work *check) {
    struct ptxlitmus_result *result = check->result;
    const struct test *test = load(check) ? read_one(check) : NULL;
    const struct program *program = test ? build(check, test) : NULL;
    if (!program)
        return;
    const struct loaded *loaded = result->loaded;
    const struct system *system = systems_of(&loaded->systems, test).items;
    const struct outcomes *outcomes =
        readings_decide(&system->readings, &loaded->options.solver, check->begun,
                        solver_of(check->checker), result->arena, program, &check->diagnostics);
    if (!outcomes)
        return;
    result->report = (struct report){.path = arena_format(result->arena, "%s", check->name),
                                     .model = system->readings.model->name,
                                     .target = system->target,
                                     .options = &loaded->options,
                                     .program = program,
                                     .outcomes = outcomes,
                                     .seconds = watchdog_now_ms() / 1e3 - check->begun};
    result_complete(result);
}

static void work_check(void *context) {
    struct check_work *check = context;
    check->result = allocate(1, sizeof *check->result);
    check->result->status = PTXLITMUS_BAD_INPUT;
    check->result->arena = arena_new();
    diagnostics_init(&check->diagnostics, check->result->arena);
    run_check(check);
    result_add_diagnostics(check->result, &check->diagnostics);
    if (check->result->status == PTXLITMUS_BAD_INPUT && !diag_has_errors(&check->diagnostics))
        bug("%s: no result and no error", check->name);
}

// What is left of a check that met a bug: its message.
struct fault_work {
    const char *name, *text;
    struct ptxlitmus_result *result;
};

static void work_fault(void *context) {
    struct fault_work *fault = context;
    fault->result = allocate(1, sizeof *fault->result);
    fault->result->status = PTXLITMUS_FAULT;
    fault->result->arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, fault->result->arena);
    diag_error_path(&diagnostics, fault->name, "internal error: %s", fault->text);
    result_add_diagnostics(fault->result, &diagnostics);
}

static struct ptxlitmus_result *fault_result(const char *name, const char *text) {
    struct fault_work fault = {.name = name, .text = text};
    struct breakdown breakdown;
    if (!protect(&breakdown, work_fault, &fault)) {
        ptxlitmus_free(fault.result);
        fault.result = NULL;
    }
    return fault.result;
}

struct ptxlitmus_result *ptxlitmus_check(struct ptxlitmus *checker, const char *name,
                                         const char *text, size_t size, size_t index) {
    struct breakdown breakdown;
    struct check_work check = {.checker = checker,
                               .name = name,
                               .text = text,
                               .size = size,
                               .index = index,
                               .begun = watchdog_now_ms() / 1e3};
    forget_error(checker);
    bool is_done = protect(&breakdown, work_check, &check);
    loaded_release(check.loading);
    if (is_done)
        return check.result;
    ptxlitmus_free(check.result);
    lose_solver(checker);
    set_breakdown(checker, &breakdown);
    return breakdown.kind == BREAKDOWN_BUG ? fault_result(name, breakdown.text) : NULL;
}
