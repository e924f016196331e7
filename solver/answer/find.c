// An execution that answers one question, and what becomes of it in a stronger program: the model
// is evaluated on it in plain C.

#include "solver/answer/find.h"

#include "litmus/source/arena.h"
#include "solver/check/execution.h"

#include <assert.h>
#include <string.h>

// The execution that was found. `order` has the fence.sc, the first first.
struct held_execution {
    struct solver_run *run;
    struct execution *execution;
    const struct find_question *question;
    unsigned *order;
    size_t order_count;
};

static bool is_sc_fence(const struct program *program, const bool *executes, unsigned e) {
    assert(e < program->event_count);
    const struct event *event = &program->events[e];
    return executes[e] && event->kind == EVENT_FENCE && event->order == ORDER_SC;
}

// The fence.sc of the execution as a list, from their order as a relation.
static void list_order(struct arena *arena, struct held_execution *found) {
    const struct execution *execution = found->execution;
    found->order = ARENA_ARRAY(arena, unsigned, execution->n + 1);
    for (unsigned e = 0; e < execution->n; e++) {
        if (!is_sc_fence(execution->program, execution->executes, e))
            continue;
        size_t at = 0;
        while (at < found->order_count && relation_has(&execution->sc, found->order[at], e))
            at++;
        memmove(found->order + at + 1, found->order + at,
                (found->order_count - at) * sizeof *found->order);
        found->order[at] = e;
        found->order_count++;
    }
}

// --- The changed program -----------------------------------------------------------------------

// The values of the model's nodes in an execution with this order of fence.sc.
static struct node_value *evaluate(struct arena *arena, const struct held_execution *found,
                                   struct execution *execution, const unsigned *order,
                                   size_t count) {
    execution->sc = relation_new(arena, execution->n);
    for (size_t b = 0; b < count; b++)
        for (size_t a = 0; a < b; a++)
            relation_add(&execution->sc, order[a], order[b]);
    return model_evaluate(arena, found->run->model, execution_facts(arena, execution));
}

// Whether the axioms hold, and the flag if one is asked for.
static bool holds(const struct held_execution *found, struct execution *execution,
                  const unsigned *order, size_t count) {
    const struct model *model = found->run->model;
    struct arena *arena = arena_new();
    const struct node_value *values = evaluate(arena, found, execution, order, count);
    bool good = found->question->flag == NULL || model_axiom_holds(found->question->flag, values);
    for (size_t i = 0; good && i < model->axiom_count; i++)
        good =
            model->axioms[i].use != AXIOM_REQUIRED || model_axiom_holds(&model->axioms[i], values);
    arena_free(arena);
    return good;
}

// A search for an order of fence.sc in which those that are new have a place.
struct order_search {
    struct held_execution *found;
    struct execution *execution;
    unsigned *order, *new_fences;
    size_t count, new_count;
    unsigned tries; // that are left
};

// Puts the new fences from the `next`-th on into the order; false when no order will do.
static bool place_from(struct order_search *search, size_t next) {
    if (next == search->new_count) {
        if (search->tries == 0)
            return false;
        search->tries--;
        return holds(search->found, search->execution, search->order, search->count);
    }
    search->count++;
    for (size_t at = search->count; at-- > 0 && search->tries > 0;) {
        memmove(search->order + at + 1, search->order + at,
                (search->count - 1 - at) * sizeof *search->order);
        search->order[at] = search->new_fences[next];
        if (place_from(search, next + 1))
            return true;
        memmove(search->order + at, search->order + at + 1,
                (search->count - 1 - at) * sizeof *search->order);
    }
    search->count--;
    return false;
}

// The execution as one of the changed program: what executes may be more.
static struct execution change_execution(struct arena *arena, const struct held_execution *found,
                                         const struct program *changed) {
    const struct program *program = found->execution->program;
    struct execution execution = *found->execution;
    execution.executes = arena_copy(arena, execution.executes, execution.n, sizeof(bool));
    for (unsigned e = 0; e < execution.n; e++)
        if (changed->events[e].executes != program->events[e].executes)
            execution.executes[e] =
                execution_value(found->execution, changed->events[e].executes).low == 1;
    execution.program = changed;
    return execution;
}

// The fence.sc of the changed program that have a place in the order, and those that have none yet.
static struct order_search search_orders(struct arena *arena, struct held_execution *found,
                                         struct execution *execution,
                                         const struct program *changed) {
    enum { TRIES = 24 };
    struct order_search search = {.found = found, .execution = execution, .tries = TRIES};
    search.order = ARENA_ARRAY(arena, unsigned, execution->n + 1);
    search.new_fences = ARENA_ARRAY(arena, unsigned, execution->n + 1);
    for (size_t i = 0; i < found->order_count; i++)
        if (is_sc_fence(changed, execution->executes, found->order[i]))
            search.order[search.count++] = found->order[i];
    for (unsigned e = 0; e < execution->n; e++) {
        bool known = false;
        for (size_t i = 0; i < search.count; i++)
            known = known || search.order[i] == e;
        if (!known && is_sc_fence(changed, execution->executes, e))
            search.new_fences[search.new_count++] = e;
    }
    return search;
}

bool found_is_allowed(struct held_execution *found, const struct program *changed) {
    struct arena *arena = arena_new();
    struct execution execution = change_execution(arena, found, changed);
    struct order_search search = search_orders(arena, found, &execution, changed);
    bool allowed = place_from(&search, 0);
    if (allowed) {
        memcpy(found->order, search.order, search.count * sizeof *search.order);
        found->order_count = search.count;
    }
    arena_free(arena);
    return allowed;
}

// The value of the node with this name, or NULL.
static const struct relation *named(const struct model *model, const struct node_value *values,
                                    const char *name) {
    for (size_t i = 0; i < model->node_count; i++)
        if (model->nodes[i].name != NULL && !model->nodes[i].is_set &&
            strcmp(model->nodes[i].name, name) == 0)
            return &values[i].relation;
    return NULL;
}

struct found_break found_compare(struct held_execution *found, const struct program *changed,
                                 const char *relation, struct arena *arena) {
    const struct model *model = found->run->model;
    struct arena *scratch = arena_new();
    struct execution after = change_execution(scratch, found, changed), before = *found->execution;
    struct order_search search = search_orders(scratch, found, &after, changed);
    struct found_break result = {NULL, NULL, 0};
    struct node_value *old = evaluate(scratch, found, &before, found->order, found->order_count);
    memcpy(search.order + search.count, search.new_fences, search.new_count * sizeof *search.order);
    struct node_value *new =
        evaluate(scratch, found, &after, search.order, search.count + search.new_count);
    for (size_t i = 0; i < model->axiom_count && result.axiom == NULL; i++)
        if (model->axioms[i].use == AXIOM_REQUIRED && !model_axiom_holds(&model->axioms[i], new))
            result.axiom = &model->axioms[i];
    const struct relation *was = named(model, old, relation), *is = named(model, new, relation);
    for (unsigned a = 0; is != NULL && a < after.n; a++)
        for (unsigned b = 0; b < after.n; b++)
            if (relation_has(is, a, b) && !relation_has(was, a, b)) {
                result.pairs =
                    arena_grow(arena, result.pairs, result.pair_count, sizeof *result.pairs);
                result.pairs[result.pair_count][0] = a;
                result.pairs[result.pair_count++][1] = b;
            }
    arena_free(scratch);
    return result;
}

// --- The question ------------------------------------------------------------------------------

static enum truth ask(struct solver_run *run, const struct find_question *question) {
    const struct model_axiom *flag = question->flag;
    if (flag != NULL) {
        literal holds = encode_axiom(run->encoder, flag, true);
        return run_ask(run, LITERALS(holds, run->bounded, run->complete, run->inside), flag, true);
    }
    literal wanted = question->violates ? -run->condition : run->condition;
    return run_ask(run, LITERALS(run->filter, run->bounded, run->complete, wanted), NULL, false);
}

enum truth run_find(struct solver_run *run, const struct find_question *question,
                    found_visitor visit, void *context) {
    enum truth answer = ask(run, question);
    if (answer != TRUTH_YES || visit == NULL)
        return answer;
    struct arena *arena = arena_new();
    struct held_execution found = {.run = run, .question = question};
    found.execution = execution_decode(arena, run->encoder, run->program);
    if (found.execution == NULL) {
        arena_free(arena);
        return TRUTH_UNKNOWN;
    }
    list_order(arena, &found);
    visit(context, &found);
    arena_free(arena);
    return answer;
}
