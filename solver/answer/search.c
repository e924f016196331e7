// Executions one at a time: a problem in which no axiom is asserted, but each has a literal that
// says that it holds, and one that says that it does not.

#include "solver/search.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/answer/choices.h"
#include "solver/answer/found.h"
#include "solver/answer/run.h"
#include "solver/backend/watchdog.h"

#include <assert.h>
#include <stdlib.h>

struct search {
    struct solver_run run;
    const struct model *model; // as it was given
    literal *guards[2];        // by axiom: that it holds, that it is broken; 0: not encoded yet
    struct choices choices;    // what the question assumes
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
                          struct diagnostics *diagnostics, enum unknown_reason *reason) {
    struct search *search = ARENA_NEW(arena, struct search);
    struct solver_run *run = &search->run;
    search->model = model;
    *run =
        run_start(solver, arena, program, without_requirements(arena, model), options, diagnostics);
    run->dumped = true; // the file is of the run's own question
    backend_begin(run->backend, options->memory_mb, false);
    if (run_has_room(run, program)) {
        struct facts *facts = facts_new(arena, program);
        struct bounds *bounds =
            bounds_new(arena, facts, run->model, backend_watchdog(run->backend), diagnostics);
        if (bounds != NULL)
            run->encoder =
                encoder_new(arena, run->backend, program, bounds, options->chain_min, diagnostics);
    }
    if (run->encoder == NULL || encoder_failed(run->encoder)) {
        run_stopped_early(run);
        if (reason != NULL)
            *reason = run->outcomes->reason;
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
    watchdog_finish(backend_watchdog(search->run.backend));
    free(search->choices.asked.at);
}

enum unknown_reason search_reason(const struct search *search, const char **text) {
    *text = search->run.outcomes->reason_text;
    return search->run.outcomes->reason;
}

// --- The question ------------------------------------------------------------------------------

static void push(struct search *search, literal l) {
    literals_add(&search->choices.asked, l);
}

static literal guard(struct search *search, size_t axiom, bool holds) {
    assert(axiom < search->model->axiom_count);
    literal *known = &search->guards[holds ? 0 : 1][axiom];
    if (*known == 0)
        *known = encode_axiom(search->run.encoder, &search->run.model->axioms[axiom], holds);
    return *known;
}

static enum search_wish wish_of(const struct search *search, const enum search_wish *wishes,
                                size_t axiom) {
    assert(axiom < search->model->axiom_count);
    bool required = search->model->axioms[axiom].use == AXIOM_REQUIRED;
    return wishes != NULL ? wishes[axiom] : required ? WISH_HOLDS : WISH_NONE;
}

static void push_axioms(struct search *search, const enum search_wish *wishes) {
    for (size_t i = 0; i < search->model->axiom_count; i++) {
        enum search_wish wish = wish_of(search, wishes, i);
        if (wish != WISH_NONE)
            push(search, guard(search, i, wish == WISH_HOLDS));
    }
}

static enum truth ask_again(void *context, const literal *literals, size_t count) {
    struct search *search = context;
    return run_ask(&search->run, literals, count, NULL, false);
}

static void push_question(struct search *search, const struct search_question *question) {
    struct solver_run *run = &search->run;
    search->choices = (struct choices){.encoder = run->encoder,
                                       .program = run->program,
                                       .ask = ask_again,
                                       .context = search,
                                       .asked = search->choices.asked};
    search->choices.asked.count = 0;
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

// --- Executions --------------------------------------------------------------------------------

// NULL when the model could not be read completely.
static struct found_execution *decode(struct search *search) {
    struct solver_run *run = &search->run;
    bool ends = backend_literal_value(run->backend, run->complete);
    return found_decode(run->arena, run->encoder, run->program, search->model, ends);
}

// What is shown is true: every axiom is evaluated again, in all builds.
static void check_wishes(const struct search *search, const struct search_question *question,
                         const struct found_execution *found) {
    for (size_t i = 0; i < search->model->axiom_count; i++) {
        const struct model_axiom *axiom = &search->model->axioms[i];
        enum search_wish wish = wish_of(search, question->wishes, i);
        if (wish != WISH_NONE && model_axiom_holds(axiom, found->nodes) != (wish == WISH_HOLDS))
            bug("the execution that was found is wrong about '%s'", axiom->name);
    }
}

// Leaves out executions of a program that a flag leaves undefined, where there are others: what an
// operation on an mbarrier does that is none, say, is explained by nothing. False when the solver
// could not go on.
static bool choose_defined(struct search *search) {
    struct choices *choices = &search->choices;
    literal *none = ARENA_ARRAY(search->run.arena, literal, search->model->axiom_count + 1);
    size_t count = 0, before = choices->asked.count;
    for (size_t i = 0; i < search->model->axiom_count; i++)
        if (search->model->axioms[i].undefined)
            none[count++] = guard(search, i, false);
    for (size_t i = 0; i < count; i++)
        push(search, none[i]);
    enum truth defined = choices_ask(choices);
    if (defined != TRUTH_NO)
        return defined == TRUTH_YES;
    choices->asked.count = before;
    for (size_t i = 0; i < count; i++)
        if (none[i] != LITERAL_TRUE && !choices_take(choices, &none[i], 1))
            return false;
    return true;
}

enum truth search_ask(struct search *search, const struct search_question *question,
                      const struct found_execution **found) {
    push_question(search, question);
    if (found != NULL)
        *found = NULL;
    enum truth answer = choices_ask(&search->choices);
    if (answer != TRUTH_YES || found == NULL)
        return answer;
    // The last check may have had no model: the choices are asked for once more.
    if (choose_defined(search) && choices_make(&search->choices) &&
        choices_ask(&search->choices) == TRUTH_YES)
        *found = decode(search);
    if (*found == NULL) {
        run_note_undecided(&search->run); // reading the execution may be what failed
        return TRUTH_UNKNOWN;
    }
    check_wishes(search, question, *found);
    return TRUTH_YES;
}
