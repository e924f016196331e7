// Executions one at a time: a problem in which no axiom is asserted, but each has a literal that
// says that it holds, and one that says that it does not.

#include "solver/search.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/answer/run.h"
#include "solver/backend/watchdog.h"
#include "solver/check/execution.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Choices are checks of the solver: in a large program, what comes after so many is left to it.
enum { CHOICES_MAX = 600 };

struct search {
    struct solver_run run;
    struct watchdog *watchdog;
    const struct model *model; // as it was given
    literal *guards[2];        // by axiom: that it holds, that it is broken; 0: not encoded yet
    literal *assumptions;      // malloc'd: a stack
    size_t count, capacity;
    size_t choices; // checks that were spent on them for this question
};

// The model with no axiom that is asserted.
static const struct model *without_requirements(struct arena *arena, const struct model *model) {
    struct model *copy = arena_copy(arena, model, 1, sizeof *model);
    copy->axioms = arena_copy(arena, model->axioms, model->axiom_count, sizeof *model->axioms);
    for (size_t i = 0; i < copy->axiom_count; i++)
        if (copy->axioms[i].use == AXIOM_REQUIRED)
            copy->axioms[i].use = AXIOM_FLAG;
    return copy;
}

static void encode(struct search *search) {
    struct solver_run *run = &search->run;
    run_encode_common(run);
    for (size_t i = 0; i < run->program->observed_count; i++) // what decode_observed reads
        encode_expr(run->encoder, run->program->observed[i].value);
    for (unsigned side = 0; side < 2; side++)
        search->guards[side] = ARENA_ARRAY(run->arena, literal, search->model->axiom_count + 1);
}

struct search *search_new(struct solver *solver, struct arena *arena, const struct program *program,
                          const struct model *model, const struct solver_options *options,
                          struct diagnostics *diagnostics) {
    struct search *search = ARENA_NEW(arena, struct search);
    struct solver_run *run = &search->run;
    search->model = model;
    *run = (struct solver_run){.arena = arena,
                               .backend = run_backend(solver),
                               .program = program,
                               .model = without_requirements(arena, model),
                               .options = options,
                               .diagnostics = diagnostics};
    run->outcomes = outcomes_unknown(arena, program, run->model, options, REASON_NONE);
    run->dumped = true; // the file is of the run's own question
    search->watchdog = backend_watchdog(run->backend);
    watchdog_start(search->watchdog, options->timeout_seconds);
    backend_begin(run->backend, options->memory_mb, false);
    if (run_has_room(run, program)) {
        struct facts *facts = facts_new(arena, program);
        struct bounds *bounds = bounds_new(arena, facts, run->model, search->watchdog, diagnostics);
        if (bounds != NULL)
            run->encoder = encoder_new(arena, run->backend, program, bounds, diagnostics);
    }
    if (run->encoder == NULL || encoder_failed(run->encoder)) {
        search_free(search);
        return NULL;
    }
    encode(search);
    return search;
}

void search_free(struct search *search) {
    if (search == NULL)
        return;
    encoder_free(search->run.encoder);
    run_end_problem(&search->run);
    watchdog_finish(search->watchdog);
    free(search->assumptions);
    search->assumptions = NULL;
}

enum unknown_reason search_reason(const struct search *search, const char **text) {
    *text = search->run.outcomes->reason_text;
    return search->run.outcomes->reason;
}

// --- The question ------------------------------------------------------------------------------

static void push(struct search *search, literal l) {
    if (search->count == search->capacity) {
        search->capacity = 2 * search->capacity + 64;
        search->assumptions =
            reallocate(search->assumptions, search->capacity, sizeof *search->assumptions);
    }
    search->assumptions[search->count++] = l;
}

static literal guard(struct search *search, size_t axiom, bool holds) {
    assert(axiom < search->model->axiom_count);
    literal *known = &search->guards[holds ? 0 : 1][axiom];
    if (*known == 0)
        *known = encode_axiom(search->run.encoder, &search->run.model->axioms[axiom], holds);
    return *known;
}

static void push_axioms(struct search *search, const enum search_wish *wishes) {
    for (size_t i = 0; i < search->model->axiom_count; i++) {
        bool required = search->model->axioms[i].use == AXIOM_REQUIRED;
        enum search_wish wish = wishes != NULL ? wishes[i] : required ? WISH_HOLDS : WISH_NONE;
        if (wish != WISH_NONE)
            push(search, guard(search, i, wish == WISH_HOLDS));
    }
}

static void push_question(struct search *search, const struct search_question *question) {
    struct solver_run *run = &search->run;
    search->count = 0;
    search->choices = 0;
    push_axioms(search, question->wishes);
    push(search, run->bounded);
    push(search, run->inside);
    if (question->condition != NULL) {
        push(search, encode_condition(run->encoder, question->condition));
        push(search, run->filter);
    }
    if (question->flag != NULL)
        push(search,
             encode_axiom_pair(run->encoder, question->flag, question->pair[0], question->pair[1]));
    if (question->hangs) {
        run->hang = run->hang == 0 ? encode_hang(run->encoder) : run->hang;
        push(search, run->hang);
    } else {
        push(search, run->complete);
    }
}

static enum truth ask(struct search *search) {
    return run_ask(&search->run, search->assumptions, search->count, NULL, false);
}

// --- The same execution every time -------------------------------------------------------------

// Takes the first of some literals that can hold; leaves all open when none can, or when enough was
// asked. False when the solver could not go on.
static bool choose(struct search *search, const literal *literals, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (literals[i] == LITERAL_FALSE || ++search->choices > CHOICES_MAX)
            continue;
        push(search, literals[i]);
        enum truth found = ask(search);
        if (found == TRUTH_YES)
            return true;
        search->count--;
        if (found == TRUTH_UNKNOWN)
            return false;
    }
    return true;
}

static bool choose_source(struct search *search, unsigned read, unsigned cell) {
    struct solver_run *run = &search->run;
    size_t n = run->program->event_count;
    literal *literals = allocate(n + 1, sizeof *literals);
    for (unsigned source = 0; source < n; source++)
        literals[source] = encode_source(run->encoder, read, cell, source);
    bool good = choose(search, literals, n);
    free(literals);
    return good;
}

static bool choose_sources(struct search *search) {
    const struct program *program = search->run.program;
    for (unsigned e = 0; e < program->event_count; e++) {
        if (program->events[e].kind != EVENT_READ)
            continue;
        for (unsigned cell = 0; cell < program->cell_count; cell++)
            if (!choose_source(search, e, cell))
                return false;
    }
    return true;
}

// Leaves two writes unordered where that is possible, for then no order that is shown is there
// without need.
static bool choose_co(struct search *search, unsigned a, unsigned b) {
    struct encoder *encoder = search->run.encoder;
    literal forth = encode_base_pair(encoder, BASE_REL_CO, a, b);
    literal back = encode_base_pair(encoder, BASE_REL_CO, b, a);
    if (forth == LITERAL_FALSE && back == LITERAL_FALSE)
        return true;
    size_t before = search->count;
    push(search, -forth);
    push(search, -back);
    enum truth neither = ++search->choices > CHOICES_MAX ? TRUTH_NO : ask(search);
    if (neither == TRUTH_NO)
        search->count = before;
    return neither == TRUTH_NO ? choose(search, (literal[]){forth, back}, 2) : neither == TRUTH_YES;
}

static bool choose_orders(struct search *search) {
    const struct program *program = search->run.program;
    for (unsigned a = 0; a < program->event_count; a++)
        for (unsigned b = a + 1; b < program->event_count; b++) {
            const struct event *x = &program->events[a], *y = &program->events[b];
            bool writes = x->kind == EVENT_WRITE && y->kind == EVENT_WRITE;
            bool fences = x->kind == EVENT_FENCE && y->kind == EVENT_FENCE &&
                          x->order == ORDER_SC && y->order == ORDER_SC;
            if (writes && !choose_co(search, a, b))
                return false;
            literal first = LITERAL_FALSE;
            if (fences)
                first = encode_base_pair(search->run.encoder, BASE_REL_SC_ORDER, a, b);
            if (fences && !choose(search, &first, 1))
                return false;
        }
    return true;
}

// --- Executions --------------------------------------------------------------------------------

static void decode_values(struct solver_run *run, struct execution *execution,
                          struct found_execution *found) {
    for (unsigned e = 0; e < found->n; e++) {
        const struct event *event = &run->program->events[e];
        if (event->kind != EVENT_WRITE || !execution->executes[e])
            continue;
        found->values[e] = execution_value(execution, run->encoder, event->access->value);
        found->undef[e] = execution_value(execution, run->encoder, event->access->undef).low != 0;
    }
}

static void decode_observed(struct solver_run *run, struct execution *execution,
                            struct found_execution *found) {
    size_t count = run->program->observed_count;
    found->observed = ARENA_ARRAY(run->arena, struct bits128, count + 1);
    for (size_t i = 0; i < count && backend_literal_value(run->backend, run->complete); i++)
        found->observed[i] =
            execution_value(execution, run->encoder, run->program->observed[i].value);
}

// NULL when the model could not be read completely.
static struct found_execution *decode(struct search *search) {
    struct solver_run *run = &search->run;
    struct execution *execution = execution_decode(run->arena, run->encoder, run->program);
    if (execution == NULL)
        return NULL;
    struct found_execution *found = ARENA_NEW(run->arena, struct found_execution);
    *found = (struct found_execution){.program = run->program,
                                      .n = execution->n,
                                      .executes = execution->executes,
                                      .places = execution->places,
                                      .values = execution->values,
                                      .undef = execution->undef,
                                      .sources = execution->sources,
                                      .passes = execution->passes,
                                      .phases = execution->phases};
    decode_values(run, execution, found);
    decode_observed(run, execution, found);
    found->facts = execution_facts(run->arena, execution, run->encoder);
    found->nodes = model_evaluate(run->arena, search->model, found->facts);
    return encode_is_readable(run->encoder) ? found : NULL;
}

// What is shown is true: every axiom is evaluated again, in all builds.
static void check_wishes(const struct search *search, const struct search_question *question,
                         const struct found_execution *found) {
    for (size_t i = 0; i < search->model->axiom_count; i++) {
        const struct model_axiom *axiom = &search->model->axioms[i];
        bool required = axiom->use == AXIOM_REQUIRED;
        enum search_wish wish = question->wishes != NULL ? question->wishes[i]
                                : required               ? WISH_HOLDS
                                                         : WISH_NONE;
        if (wish != WISH_NONE && model_axiom_holds(axiom, found->nodes) != (wish == WISH_HOLDS))
            bug("the execution that was found is wrong about '%s'", axiom->name);
    }
}

enum truth search_ask(struct search *search, const struct search_question *question,
                      const struct found_execution **found) {
    push_question(search, question);
    enum truth answer = ask(search);
    if (answer != TRUTH_YES || found == NULL)
        return answer;
    // The last check may have had no model: the choices are asked for once more.
    if (!choose_sources(search) || !choose_orders(search) || ask(search) != TRUTH_YES)
        return TRUTH_UNKNOWN;
    *found = decode(search);
    if (*found == NULL)
        return TRUTH_UNKNOWN;
    check_wishes(search, question, *found);
    return TRUTH_YES;
}
