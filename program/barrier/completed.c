// Phases that complete in every execution: they are of just all arrivals that may be in them, and
// each of these takes place once the phases before it have completed. What passes such a barrier is
// known to pass, so that the solver has nothing to find out about it.
//
// By induction over the phases: in an execution that ends, or in which no more phases can complete,
// each arrival of the phase has executed, and is the next one of its thread. So the phase is
// complete.

#include "program/barrier/barriers.h"
#include "program/builder.h"
#include "program/expr/expr.h"
#include "program/substitute.h"

struct completion {
    struct builder *builder;
    unsigned *arrivals; // events
    size_t arrival_count;
    unsigned *group_ends; // by arrival, as an index: where the run of arrivals of its phase ends
    bool *holds;          // by expression: it is 1 in every execution, as far as is known
};

// --- Phases of all that may be in them -----------------------------------------------------------

// Whether an arrival is of a phase that is of all threads which share the barrier, once each.
static bool is_whole(const struct event *event) {
    const struct event_barrier *barrier = event->barrier;
    return barrier->of_all && !barrier->quorum && !barrier->may_be_short && !barrier->exchanges &&
           barrier->left_out == 0 && barrier->may_join == 0 && barrier->rank &&
           expr_is_const(barrier->rank) && expr_is_const(barrier->id) &&
           expr_is_const(barrier->count);
}

static bool is_of_phase(const struct event *a, const struct event *b) {
    const struct event_barrier *x = a->barrier, *y = b->barrier;
    return x->group == y->group && x->instance == y->instance &&
           bits_equal(x->id->value, y->id->value) && bits_equal(x->rank->value, y->rank->value) &&
           bits_equal(x->count->value, y->count->value);
}

// Collects the arrivals of such phases, those of one phase after one another.
static void collect(struct completion *completion) {
    const struct program *program = completion->builder->program;
    struct arena *arena = completion->builder->arena;
    bool *taken = ARENA_ARRAY(arena, bool, program->event_count);
    completion->arrivals = ARENA_ARRAY(arena, unsigned, program->event_count);
    completion->group_ends = ARENA_ARRAY(arena, unsigned, program->event_count);
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *first = &program->events[i];
        if (taken[i] || !event_is_arrival(first) || !is_whole(first))
            continue;
        size_t begin = completion->arrival_count;
        for (size_t k = i; k < program->event_count; k++) {
            const struct event *other = &program->events[k];
            if (event_is_arrival(other) && is_whole(other) && is_of_phase(first, other)) {
                taken[k] = true;
                completion->arrivals[completion->arrival_count++] = (unsigned)k;
            }
        }
        for (size_t k = begin; k < completion->arrival_count; k++)
            completion->group_ends[k] = (unsigned)completion->arrival_count;
    }
}

// Whether the run has as many arrivals as its count says, one per thread, and no other arrival may
// be of its phase.
static bool is_closed(const struct completion *completion, size_t begin) {
    const struct program *program = completion->builder->program;
    size_t size = completion->group_ends[begin] - begin;
    const struct event *first = &program->events[completion->arrivals[begin]];
    if (!bits_equal(first->barrier->count->value, (struct bits128){size, 0}))
        return false;
    for (size_t k = begin + 1; k < begin + size; k++) // those of a thread follow one another
        if (program->events[completion->arrivals[k]].thread ==
            program->events[completion->arrivals[k - 1]].thread)
            return false;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *other = &program->events[i];
        if (event_is_arrival(other) && other->barrier->group == first->barrier->group &&
            other->barrier->instance == first->barrier->instance && !is_whole(other) &&
            !expr_is_false(other->executes))
            return false;
    }
    return true;
}

// --- What is known to take place -----------------------------------------------------------------

// Whether an expression of one bit is 1 in every execution. That it is not known is asked again,
// since more phases may have completed.
static bool holds(struct completion *completion, const struct expr *expr) {
    if (completion->holds[expr->id] || expr_is_true(expr))
        return true;
    bool known = false;
    if (expr->op == EXPR_PASSES)
        known = completion->builder->program->events[expr->index].barrier->completes;
    else if (expr->op == EXPR_AND && expr->width == 1)
        known = holds(completion, expr->args[0]) && holds(completion, expr->args[1]);
    else if (expr->op == EXPR_OR && expr->width == 1)
        known = holds(completion, expr->args[0]) || holds(completion, expr->args[1]);
    completion->holds[expr->id] = known;
    return known;
}

// Marks the arrivals of a phase and their waits, where all of them take place. Whether it did.
static bool complete(struct completion *completion, size_t begin) {
    struct program *program = completion->builder->program;
    size_t end = completion->group_ends[begin];
    for (size_t k = begin; k < end; k++)
        if (!holds(completion, program->events[completion->arrivals[k]].executes))
            return false;
    for (size_t k = begin; k < end; k++)
        program->events[completion->arrivals[k]].barrier->completes = true;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        struct event *wait = &program->events[i];
        if (event_is_wait(wait) && wait->barrier->arrival >= 0)
            wait->barrier->completes = program->events[wait->barrier->arrival].barrier->completes;
    }
    return true;
}

// Goes over the phases until no further one is known to complete. Whether any is.
static bool complete_all(struct completion *completion) {
    const struct program *program = completion->builder->program;
    bool *closed = ARENA_ARRAY(completion->builder->arena, bool, completion->arrival_count + 1);
    for (size_t k = 0; k < completion->arrival_count; k = completion->group_ends[k])
        closed[k] = is_closed(completion, k);
    bool any = false, more = true;
    while (more) {
        more = false;
        for (size_t k = 0; k < completion->arrival_count; k = completion->group_ends[k]) {
            const struct event *first = &program->events[completion->arrivals[k]];
            if (closed[k] && !first->barrier->completes && complete(completion, k))
                more = any = true;
        }
    }
    return any;
}

// --- All -----------------------------------------------------------------------------------------

static const struct expr *passes(void *context, const struct expr *leaf) {
    const struct builder *builder = context;
    bool known =
        leaf->op == EXPR_PASSES && builder->program->events[leaf->index].barrier->completes;
    return known ? builder->always : leaf;
}

void completed_find(struct builder *builder, struct value **final_registers) {
    struct program *program = builder->program;
    struct completion completion = {
        .builder = builder,
        .holds = ARENA_ARRAY(builder->arena, bool, expr_pool_count(program->pool))};
    if ((builder->plan->options->left_out & STEP_COMPLETED) != 0)
        return;
    collect(&completion);
    if (!complete_all(&completion))
        return;
    const struct expr_replacing leaves = {passes, builder};
    struct expr_replacements *replacements =
        expr_replacements_new(builder->arena, builder->pool, &leaves);
    if (builder->known.written_reaches == builder->reaches) {
        builder->reaches = arena_copy(builder->arena, builder->reaches, program->event_count,
                                      sizeof *builder->reaches);
    }
    substitute_everywhere(builder, replacements, final_registers);
    substitute_in_rest(builder, replacements);
}
