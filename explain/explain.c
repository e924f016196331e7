// The explanation as a whole: an example where there is one, else the axioms that it takes.
#include "explain/explain.h"

#include "explain/core.h"
#include "explain/why_not.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <string.h>

enum { POSSIBLE_MAX = 8 };

// Where the run has no limit: a search without axioms can take very long, and is a help only.
enum { SEARCH_SECONDS = 60 };

// A search for what explains an outcome.
struct outcome_search {
    struct arena *arena;
    struct solver *solver;
    const struct explain_target *target;
    struct diagnostics *diagnostics;
    struct explanation *explanation;
    struct search *search;         // in the program of the explanation
    const enum search_wish *taken; // the axiom that is assumed, and no other one
};

// The options with a limit of time.
static struct solver_options with_limit(const struct solver_options *options) {
    struct solver_options limited = *options;
    if (limited.timeout_seconds == 0)
        limited.timeout_seconds = SEARCH_SECONDS;
    return limited;
}

// --- The outcome -------------------------------------------------------------------------------

static const struct expr *value_is(const struct program *program,
                                   const struct wanted_value *wanted) {
    const struct observed *observed = &program->observed[wanted->observed];
    struct expr_pool *pool = program->pool;
    const struct expr *known = expr_unary(pool, EXPR_NOT, observed->undef);
    const struct expr *equal = expr_binary(pool, EXPR_EQ, observed->value,
                                           expr_const(pool, observed->width, wanted->value));
    return expr_binary(pool, EXPR_AND, known, equal);
}

const struct expr *explain_target_expr(const struct program *program,
                                       const struct explain_target *target) {
    const struct expr *expr = expr_bool(program->pool, true);
    for (size_t i = 0; i < target->value_count; i++)
        expr = expr_binary(program->pool, EXPR_AND, expr, value_is(program, &target->values[i]));
    if (target->values == NULL)
        expr = program->condition;
    return target->negated ? expr_unary(program->pool, EXPR_NOT, expr) : expr;
}

// --- Values that no write gives ----------------------------------------------------------------

static bool same_term(const struct term *a, const struct term *b) {
    if (a->kind != b->kind)
        return false;
    if (a->kind == TERM_REGISTER)
        return a->thread == b->thread && a->reg == b->reg;
    return a->kind == TERM_LOCATION && a->variable == b->variable && a->element == b->element &&
           a->has_instance == b->has_instance &&
           (!a->has_instance || a->instance_cta == b->instance_cta);
}

struct wanted_list {
    const struct program *program;
    struct wanted_value *items;
    size_t count;
};

static void want(struct arena *arena, struct wanted_list *list, const struct term *term,
                 const struct term *constant) {
    const struct program *program = list->program;
    for (size_t i = 0; i < program->observed_count; i++) {
        if (!same_term(program->observed[i].term, term))
            continue;
        unsigned width = program->observed[i].width;
        struct bits128 value = constant->constant;
        uint128 mask = bits_mask(width);
        ARENA_APPEND(arena, list->items, list->count,
                     (struct wanted_value){i, bits_from_wide(bits_to_wide(value) & mask)});
        return;
    }
}

// The values that a condition asks for together: "x == 1" and the like, joined by /\.
static void want_of_condition(struct arena *arena, struct wanted_list *list,
                              const struct condition *condition) {
    if (condition->kind == CONDITION_AND) {
        want_of_condition(arena, list, condition->left);
        want_of_condition(arena, list, condition->right);
    } else if (condition->kind == CONDITION_COMPARE && condition->compare == COMPARE_EQ) {
        if (condition->rhs.kind == TERM_CONSTANT)
            want(arena, list, &condition->lhs, &condition->rhs);
        else if (condition->lhs.kind == TERM_CONSTANT)
            want(arena, list, &condition->rhs, &condition->lhs);
    }
}

// Adds a value that a column can have, whatever the axioms say; not TRUTH_YES when there is no
// further one, or none that could be found.
static enum truth add_possible(const struct outcome_search *outcome,
                               struct missing_value *missing) {
    const struct program *program = outcome->explanation->program;
    const struct expr *other = expr_bool(program->pool, true);
    const struct found_execution *found = NULL;
    for (size_t i = 0; i < missing->possible_count; i++) {
        struct wanted_value known = {missing->observed, missing->possible[i]};
        other = expr_binary(program->pool, EXPR_AND, other,
                            expr_unary(program->pool, EXPR_NOT, value_is(program, &known)));
    }
    const struct search_question question = {.wishes = outcome->taken, .condition = other};
    enum truth further = search_ask(outcome->search, &question, &found);
    if (further != TRUTH_YES)
        return further;
    struct bits128 value = found->observed[missing->observed];
    missing->possible =
        arena_grow(outcome->arena, missing->possible, missing->possible_count, sizeof value);
    size_t place = missing->possible_count++;
    while (place > 0 && bits_to_wide(missing->possible[place - 1]) > bits_to_wide(value)) {
        missing->possible[place] = missing->possible[place - 1];
        place--;
    }
    missing->possible[place] = value;
    return TRUTH_YES;
}

// Adds what a column can be. Of several that are possible one by one, all are added.
static void add_missing(const struct outcome_search *outcome, struct missing_value missing) {
    struct explanation *explanation = outcome->explanation;
    enum truth further = TRUTH_YES;
    while (missing.possible_count < POSSIBLE_MAX && further == TRUTH_YES)
        further = add_possible(outcome, &missing);
    missing.cut = further != TRUTH_NO;
    ARENA_APPEND(outcome->arena, explanation->missing, explanation->missing_count, missing);
}

static void find_missing(struct outcome_search *outcome) {
    const struct explanation *explanation = outcome->explanation;
    const struct explain_target *target = outcome->target;
    const struct program *program = explanation->program;
    enum search_wish *taken =
        ARENA_ARRAY(outcome->arena, enum search_wish, explanation->model->axiom_count + 1);
    for (size_t i = 0; i < explanation->model->axiom_count; i++)
        if (&explanation->model->axioms[i] == explanation->assumed)
            taken[i] = WISH_HOLDS;
    outcome->taken = taken;
    struct wanted_list list = {.program = program};
    if (target->values == NULL && !target->negated)
        want_of_condition(outcome->arena, &list, program->test->condition);
    const struct wanted_value *wanted = target->values != NULL ? target->values : list.items;
    for (size_t i = 0; i < target->value_count + list.count; i++) {
        const struct search_question question = {.wishes = taken,
                                                 .condition = value_is(program, &wanted[i])};
        if (search_ask(outcome->search, &question, NULL) == TRUTH_NO)
            add_missing(outcome, (struct missing_value){.observed = wanted[i].observed,
                                                        .has_wanted = true,
                                                        .wanted = wanted[i].value});
    }
    bool together = explanation->missing_count == 0;
    for (size_t i = 0; together && i < program->observed_count; i++)
        add_missing(outcome, (struct missing_value){.observed = i});
}

// --- The whole ---------------------------------------------------------------------------------

// Begins to search in the program of the explanation. False after errors.
static bool begin(struct outcome_search *outcome, const struct solver_options *options) {
    struct explanation *explanation = outcome->explanation;
    explanation->names = event_names_new(outcome->arena, explanation->program);
    outcome->search =
        search_new(outcome->solver, outcome->arena, explanation->program, explanation->model,
                   options, outcome->diagnostics, &explanation->reason);
    return outcome->search != NULL;
}

static void note_reason(const struct outcome_search *outcome) {
    const char *text = NULL;
    outcome->explanation->reason = search_reason(outcome->search, &text);
    outcome->explanation->reason_text =
        text == NULL ? NULL : arena_format(outcome->arena, "%s", text);
}

static void find_example(struct outcome_search *outcome, const struct solver_options *options) {
    struct explanation *explanation = outcome->explanation;
    if (!begin(outcome, options))
        return;
    const struct search_question question = {
        .condition = explain_target_expr(explanation->program, outcome->target)};
    explanation->reachable = search_ask(outcome->search, &question, &explanation->example);
    if (explanation->reachable == TRUTH_UNKNOWN)
        note_reason(outcome);
    search_free(outcome->search);
    if (explanation->example != NULL && !explanation->model->is_of_cpp) // its words are about PTX
        explanation->nearest =
            why_not_nearest(outcome->arena, explanation->model, explanation->example,
                            &explanation->names, &explanation->lacking);
}

// The same program for executions in which a value may depend on itself; the program itself where
// it is built for them, or cannot be.
static const struct program *with_thin_air(struct arena *arena, const struct program *program) {
    struct program_options options = program->options;
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    if (!options.no_thin_air)
        return program;
    options.no_thin_air = false;
    const struct program *built = program_build(arena, program->test, &options, &ignored);
    return built != NULL ? built : program;
}

// Whether some value is the result of floating-point arithmetic. Where it may depend on itself, the
// solver takes minutes.
static bool computes_floats(const struct test *test) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            const struct instruction *instruction = &test->threads[t].instructions[i];
            unsigned effects = opcode_effects(instruction->opcode);
            bool plain = (effects & (EFFECT_READS | EFFECT_WRITES)) != 0 &&
                         (effects & EFFECT_READS) != (effects & EFFECT_WRITES);
            if (scalar_type_is_float(instruction->type) && !plain)
                return true;
        }
    return false;
}

// The axiom by which no value depends on itself; NULL when no single one says so.
static const struct model_axiom *thin_air_axiom(const struct model *model) {
    for (size_t i = 0; i < model->axiom_count; i++) {
        struct model alone = *model;
        alone.axioms = &model->axioms[i];
        alone.axiom_count = 1;
        if (model_forbids_thin_air(&alone))
            return &model->axioms[i];
    }
    return NULL;
}

// Looks for the core in a program; false when a limit was reached.
static bool try_core(struct outcome_search *outcome, const struct solver_options *options) {
    struct explanation *explanation = outcome->explanation;
    if (!begin(outcome, options))
        return false;
    enum truth found =
        core_find(outcome->arena, outcome->search,
                  explain_target_expr(explanation->program, outcome->target), explanation);
    if (found == TRUTH_NO)
        bug("an outcome is forbidden and allowed");
    if (found == TRUTH_YES && explanation->breach_count == 0)
        find_missing(outcome);
    note_reason(outcome);
    search_free(outcome->search);
    return found != TRUTH_UNKNOWN;
}

static void find_core(struct outcome_search *outcome, const struct solver_options *options) {
    enum { FLOAT_SECONDS = 5 };
    struct explanation *explanation = outcome->explanation;
    const struct program *program = explanation->program;
    bool floats = computes_floats(program->test) && program->options.no_thin_air;
    struct solver_options limited = *options;
    if (floats && limited.timeout_seconds > FLOAT_SECONDS)
        limited.timeout_seconds = FLOAT_SECONDS;
    explanation->program = with_thin_air(outcome->arena, program);
    if (try_core(outcome, &limited) || !floats || explanation->reason != REASON_TIMEOUT)
        return;
    explanation->program = program;
    explanation->assumed = thin_air_axiom(explanation->model);
    explanation->breaches = NULL;
    explanation->breach_count = explanation->missing_count = 0;
    explanation->reason = REASON_NONE;
    explanation->reason_text = NULL;
    try_core(outcome, options);
}

// What explain.h says of a result.
static void assert_explanation(const struct explanation *explanation) {
    assert(explanation->names.count == explanation->program->event_count);
    assert((explanation->example != NULL) == (explanation->reachable == TRUTH_YES));
    assert(explanation->reachable == TRUTH_NO || explanation->breach_count == 0);
    assert(explanation->missing_count == 0 || explanation->breach_count == 0);
    for (size_t i = 0; i < explanation->breach_count; i++) {
        assert(explanation->breaches[i].axiom->use == AXIOM_REQUIRED);
        assert(explanation->breaches[i].execution->program == explanation->program);
    }
    for (size_t i = 0; i < explanation->missing_count; i++)
        assert(explanation->missing[i].observed < explanation->program->observed_count);
}

struct explanation *explain_outcome(struct arena *arena, struct solver *solver,
                                    const struct program *program, const struct model *model,
                                    const struct explain_target *target,
                                    const struct solver_options *options,
                                    struct diagnostics *diagnostics) {
    struct explanation *explanation = ARENA_NEW(arena, struct explanation);
    struct outcome_search outcome = {.arena = arena,
                                     .solver = solver,
                                     .target = target,
                                     .diagnostics = diagnostics,
                                     .explanation = explanation};
    const struct solver_options limited = with_limit(options);
    explanation->program = model_forbids_thin_air(model) ? program : with_thin_air(arena, program);
    explanation->model = model;
    find_example(&outcome, &limited);
    if (explanation->reachable == TRUTH_NO)
        find_core(&outcome, &limited);
    if (diag_has_errors(diagnostics))
        return NULL;
    assert_explanation(explanation);
    return explanation;
}

const struct found_execution *explain_hang(struct arena *arena, struct solver *solver,
                                           const struct program *program, const struct model *model,
                                           const struct solver_options *options,
                                           struct diagnostics *diagnostics) {
    const struct solver_options limited = with_limit(options);
    const struct found_execution *found = NULL;
    struct search *search = search_new(solver, arena, program, model, &limited, diagnostics, NULL);
    struct search_question question = {.hangs = true};
    if (search != NULL)
        search_ask(search, &question, &found);
    search_free(search);
    return found;
}

// --- Races -------------------------------------------------------------------------------------

static bool may_touch_same(const struct event *a, const struct event *b) {
    for (size_t i = 0; i < a->candidate_count; i++)
        for (size_t k = 0; k < b->candidate_count; k++)
            if (a->candidates[i].object == b->candidates[k].object &&
                a->candidates[i].offset == b->candidates[k].offset)
                return true;
    return false;
}

// One bit: some read that comes before `b` returns what a write after `a` stores, so that it may
// take its value from there.
static const struct expr *hears(const struct program *program, unsigned a, unsigned b) {
    struct expr_pool *pool = program->pool;
    const struct expr *heard = expr_bool(pool, false);
    for (unsigned w = a; w < program->event_count; w++) {
        const struct event *write = &program->events[w];
        if (write->kind != EVENT_WRITE || !write->access || !program_po(program, a, w))
            continue;
        for (unsigned r = 0; r < b; r++) {
            const struct event *read = &program->events[r];
            if (read->kind != EVENT_READ || !read->access || !program_po(program, r, b) ||
                read->size != write->size || !may_touch_same(read, write))
                continue;
            const struct expr *both = expr_binary(pool, EXPR_AND, write->executes, read->executes);
            const struct expr *same =
                expr_binary(pool, EXPR_EQ, read->access->value, write->access->value);
            heard = expr_binary(pool, EXPR_OR, heard, expr_binary(pool, EXPR_AND, both, same));
        }
    }
    return heard;
}

// Asks a question; `*is_open` is set where it has no answer.
static const struct found_execution *ask(struct search *search,
                                         const struct search_question *question, bool *is_open) {
    const struct found_execution *found = NULL;
    enum truth answer = search_ask(search, question, &found);
    *is_open |= answer == TRUTH_UNKNOWN;
    return answer == TRUTH_YES ? found : NULL;
}

// An execution in which two events race; the model may give a flag of that name in several parts.
// `condition` is one bit that must be 1, or NULL. `*is_open` is set where it is not known whether
// there is one.
static const struct found_execution *find_race(struct search *search, const struct model *model,
                                               const char *flag, const struct race *race,
                                               const struct expr *condition, bool *is_open) {
    const struct found_execution *found = NULL;
    for (size_t i = 0; i < model->axiom_count && found == NULL; i++) {
        const struct model_axiom *axiom = &model->axioms[i];
        bool named = axiom->use == AXIOM_FLAG && axiom->kind == AXIOM_EMPTY &&
                     !model->nodes[axiom->node].is_set && strcmp(axiom->name, flag) == 0;
        struct search_question question = {
            .condition = condition, .flag = axiom, .pair = {race->events[0], race->events[1]}};
        if (named)
            found = ask(search, &question, is_open);
        question.hangs = true;
        if (named && axiom->at_once && found == NULL)
            found = ask(search, &question, is_open);
        if (found != NULL &&
            !relation_has(&found->nodes[axiom->node].relation, race->events[0], race->events[1]))
            bug("two events do not race in the execution that was found");
    }
    return found;
}

const struct found_execution **
explain_races(struct arena *arena, struct solver *solver, const struct program *program,
              const struct model *model, const struct outcomes *outcomes, size_t most,
              const struct solver_options *options, struct diagnostics *diagnostics) {
    const struct found_execution **found =
        ARENA_ARRAY(arena, const struct found_execution *, outcomes->race_count + 1);
    const struct solver_options limited = with_limit(options);
    struct search *search = search_new(solver, arena, program, model, &limited, diagnostics, NULL);
    bool is_open = false; // what is not found is left out
    for (size_t i = 0; search != NULL && i < outcomes->race_count && i < most; i++) {
        const struct flag *flag = &outcomes->flags[outcomes->races[i].flag];
        if (flag->kind == FLAG_MODEL)
            found[i] = find_race(search, model, flag->name, &outcomes->races[i], NULL, &is_open);
    }
    search_free(search);
    return found;
}

enum truth explain_heard_race(struct arena *arena, struct solver *solver,
                              const struct program *program, const struct model *model,
                              const char *flag, const struct race *race,
                              const struct solver_options *options, struct diagnostics *diagnostics,
                              const struct found_execution **found) {
    const unsigned *events = race->events;
    const struct expr *heard =
        expr_binary(program->pool, EXPR_OR, hears(program, events[0], events[1]),
                    hears(program, events[1], events[0]));
    *found = NULL;
    if (expr_is_false(heard))
        return TRUTH_NO;
    struct search *search = search_new(solver, arena, program, model, options, diagnostics, NULL);
    if (search == NULL)
        return TRUTH_UNKNOWN;
    bool is_open = false;
    *found = find_race(search, model, flag, race, heard, &is_open);
    search_free(search);
    return *found != NULL ? TRUTH_YES : is_open ? TRUTH_UNKNOWN : TRUTH_NO;
}
