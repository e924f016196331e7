// Checkers: options, what they name, and one call after the other.
#include "api/answer.h"
#include "api/breakdown.h"
#include "api/result.h"

#include "litmus/source/allocate.h"
#include "solver/backend/watchdog.h"
#include "solver/solver.h"

#include <stdlib.h>

struct ptxlitmus {
    struct arena *arena; // of the values of options
    struct check_options options;
    struct loaded *loaded[QUESTION_COUNT]; // what the options name; NULL: not loaded yet
    struct arena *manifest_arena;          // NULL: there is no manifest
    const struct source *manifest;
    atomic_bool is_interrupted;      // until the end of a call
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

static void forget_loaded(struct ptxlitmus *checker) {
    for (size_t i = 0; i < QUESTION_COUNT; i++) {
        loaded_release(checker->loaded[i]);
        checker->loaded[i] = NULL;
    }
}

void ptxlitmus_close(struct ptxlitmus *checker) {
    if (checker) {
        solver_free(atomic_load(&checker->solver));
        forget_loaded(checker);
        arena_free(checker->arena);
        arena_free(checker->manifest_arena);
        arena_free(checker->error_arena);
        free(checker);
    }
}

void ptxlitmus_interrupt(struct ptxlitmus *checker) {
    struct solver *solver = checker ? atomic_load(&checker->solver) : NULL;
    if (!checker)
        return;
    atomic_store(&checker->is_interrupted, true);
    if (solver)
        solver_interrupt(solver);
}

const char *ptxlitmus_error(const struct ptxlitmus *checker) {
    return checker ? checker->error : "there is no checker";
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

// Runs work(context), which may set the checker's error. Returns whether there is none.
static bool run(struct ptxlitmus *checker, void (*work)(void *context), void *context) {
    struct breakdown breakdown;
    forget_error(checker);
    if (!protect(&breakdown, work, context))
        set_breakdown(checker, &breakdown);
    return checker->error == NULL;
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
    forget_loaded(checker);
}

bool ptxlitmus_set(struct ptxlitmus *checker, const char *option, const char *value) {
    struct option_work work = {checker, option ? option : "", value};
    return checker && run(checker, set_option, &work);
}

// --- Manifests ---------------------------------------------------------------------------------

struct manifest_work {
    struct ptxlitmus *checker;
    const char *name, *text;
    size_t size;
};

static void set_manifest(void *context) {
    const struct manifest_work *work = context;
    struct ptxlitmus *checker = work->checker;
    if (work->size > SOURCE_SIZE_MAX) {
        checker->error = "the manifest is larger than 64 MiB";
        return;
    }
    struct arena *arena = arena_new();
    arena_free(checker->manifest_arena);
    checker->manifest_arena = arena;
    checker->manifest = NULL;
    if (work->text)
        checker->manifest = source_from_text(arena, work->name, work->text, work->size);
}

bool ptxlitmus_set_manifest(struct ptxlitmus *checker, const char *name, const char *text,
                            size_t size) {
    struct manifest_work work = {checker, name ? name : "manifest", text, text ? size : 0};
    return checker && run(checker, set_manifest, &work);
}

// --- Calls -------------------------------------------------------------------------------------

struct call_work {
    struct ptxlitmus *checker;
    struct asking asking;
    struct loaded *loading; // until it is the checker's
};

// The options of a question, as the program's command for it has them.
static struct check_options options_of(const struct ptxlitmus *checker,
                                       enum asked_question question) {
    struct check_options options = checker->options;
    options.asks_clean = question == ASK_FAULTS;
    if (question == ASK_FAULTS) {
        options.solver.races = true;
        options.solver.progress = PROGRESS_FAIR;
    }
    if (question == ASK_EXPLANATION) {
        options.program.left_out = STEP_PRIVATE; // what is shown has every access
        options.solver.races = true;
        options.solver.verdict_only = false;
    }
    if (question == ASK_REPAIR) { // which lists what it needs
        options.solver.races = options.solver.verdict_only = false;
        options.solver.max_states = 0;
        options.solver.progress = PROGRESS_OFF;
    }
    return options;
}

// Loads what the options name. False after errors.
static bool load(struct call_work *call) {
    struct ptxlitmus *checker = call->checker;
    enum asked_question question = call->asking.result->question;
    struct loaded **at = &checker->loaded[question];
    if (!*at) {
        struct loaded *loaded = allocate(1, sizeof *loaded);
        call->loading = loaded;
        atomic_init(&loaded->users, 1);
        loaded->options = options_of(checker, question);
        loaded->arena = arena_new();
        if (!systems_load(loaded->arena, &loaded->options, &loaded->systems,
                          &call->asking.diagnostics))
            return false;
        *at = loaded;
        call->loading = NULL;
    }
    atomic_fetch_add(&(*at)->users, 1);
    call->asking.result->loaded = *at;
    return true;
}

static struct solver *solver_of(struct ptxlitmus *checker) {
    if (!atomic_load(&checker->solver))
        atomic_store(&checker->solver, sparing_solver());
    return atomic_load(&checker->solver);
}

static void work_call(void *context) {
    struct call_work *call = context;
    struct asking *asking = &call->asking;
    struct ptxlitmus_result *result = allocate(1, sizeof *result);
    enum asked_question question = asking->question;
    asking->result = result;
    result->question = question;
    result->status = PTXLITMUS_BAD_INPUT;
    result->arena = arena_new();
    diagnostics_init(&asking->diagnostics, result->arena);
    asking->manifest = call->checker->manifest;
    asking->is_interrupted = &call->checker->is_interrupted;
    asking->solver = solver_of(call->checker);
    if (load(call))
        answer(asking);
    result_add_diagnostics(result, &asking->diagnostics);
    if (result->status == PTXLITMUS_BAD_INPUT && !diag_has_errors(&asking->diagnostics))
        bug("%s: no result and no error", asking->name);
}

// What is left of a call that met a bug: its message.
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

static struct ptxlitmus_result *call(struct ptxlitmus *checker, const struct asking *asking) {
    struct breakdown breakdown;
    struct call_work work = {.checker = checker, .asking = *asking};
    if (!checker)
        return NULL;
    if (!work.asking.name)
        work.asking.name = "text";
    if (!work.asking.text)
        work.asking.size = 0;
    work.asking.begun = watchdog_now_ms() / 1e3;
    forget_error(checker);
    bool is_done = protect(&breakdown, work_call, &work);
    atomic_store(&checker->is_interrupted, false);
    loaded_release(work.loading);
    if (is_done)
        return work.asking.result;
    ptxlitmus_free(work.asking.result);
    lose_solver(checker);
    set_breakdown(checker, &breakdown);
    return breakdown.kind == BREAKDOWN_BUG ? fault_result(work.asking.name, breakdown.text) : NULL;
}

struct ptxlitmus_result *ptxlitmus_check(struct ptxlitmus *checker, const char *name,
                                         const char *text, size_t size, size_t index) {
    return call(checker, &(struct asking){ASK_OUTCOMES, name, text, size, .index = index});
}

struct ptxlitmus_result *ptxlitmus_check_faults(struct ptxlitmus *checker, const char *name,
                                                const char *text, size_t size, size_t index) {
    return call(checker, &(struct asking){ASK_FAULTS, name, text, size, .index = index});
}

struct ptxlitmus_result *ptxlitmus_explain(struct ptxlitmus *checker, const char *name,
                                           const char *text, size_t size, size_t index,
                                           const char *state) {
    return call(checker, &(struct asking){ASK_EXPLANATION, name, text, size, .index = index,
                                          .state = state});
}

struct ptxlitmus_result *ptxlitmus_repair(struct ptxlitmus *checker, const char *name,
                                          const char *text, size_t size, size_t index) {
    return call(checker, &(struct asking){ASK_REPAIR, name, text, size, .index = index});
}

struct ptxlitmus_result *ptxlitmus_inspect(struct ptxlitmus *checker, const char *name,
                                           const char *text, size_t size) {
    return call(checker, &(struct asking){ASK_MODULE, name, text, size, .index = 0});
}
