// Barriers: the arrivals and waits that an instruction becomes (memory-model section 6).

#include "program/builder.h"
#include "program/barrier/barriers.h"
#include "program/dependency/dependencies.h"
#include "program/thread/others.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include <assert.h>

enum { WARP_SIZE = 32 };

// --- Who shares a barrier ----------------------------------------------------------------------

static bool share(const struct builder *builder, enum barrier_level level, int a, int b) {
    const struct thread *threads = builder->test->threads;
    if (level == BARRIER_OF_CLUSTER)
        return a == b || test_same_cluster(&threads[a].place, &threads[b].place);
    if (builder->cta_leader[a] != builder->cta_leader[b])
        return false;
    return level == BARRIER_OF_CTA ||
           builder->cta_number[a] / WARP_SIZE == builder->cta_number[b] / WARP_SIZE;
}

unsigned barrier_lane(const struct builder *builder, int thread) {
    assert(thread >= 0 && (size_t)thread < builder->test->thread_count);
    return builder->cta_number[thread] % WARP_SIZE;
}

bool barrier_has_thread(const struct builder *builder, unsigned group, int thread) {
    assert(thread >= 0 && (size_t)thread < builder->test->thread_count);
    const struct barrier_group *g = &builder->barrier_groups[group];
    return share(builder, g->level, g->leader, thread);
}

bool barrier_always_meets(const struct builder *builder, const struct phase_pair *pair) {
    const struct event *events = builder->program->events;
    const struct event *arrival = &events[pair->arrival], *wait = &events[pair->wait];
    const struct event_barrier *theirs = arrival->barrier,
                               *own = events[wait->barrier->arrival].barrier;
    if (arrival->thread == wait->thread || theirs->together > 0)
        return true;
    return theirs->rank != NULL && own->rank != NULL && theirs->id == own->id &&
           expr_is_true(builder->reaches[arrival->id]) &&
           expr_is_true(expr_eq(builder->pool, theirs->rank, own->rank));
}

// The group of this level that a thread belongs to.
static unsigned find_group(struct builder *builder, enum barrier_level level, int thread) {
    assert(thread >= 0 && (size_t)thread < builder->test->thread_count);
    struct program *program = builder->program;
    if (builder->barrier_groups == NULL) // a thread belongs to one group of each level
        builder->barrier_groups =
            ARENA_ARRAY(builder->arena, struct barrier_group, 3 * builder->test->thread_count);
    for (unsigned i = 0; i < program->barriers.group_count; i++)
        if (builder->barrier_groups[i].level == level && barrier_has_thread(builder, i, thread))
            return i;
    builder->barrier_groups[program->barriers.group_count] = (struct barrier_group){level, thread};
    return program->barriers.group_count++;
}

// --- Operands ----------------------------------------------------------------------------------

// What a barrier instruction says: where its operands are, NULL for those that it lacks.
struct barrier_form {
    enum barrier_level level;
    const struct operand *instance, *id, *count, *destination, *predicate;
    bool arrives, waits;
};

// bar.{sync,arrive} a{, b}    bar.red d, a{, b}, p    bar.warp.sync mask    barrier.cluster.*
static struct barrier_form form_of(const struct instruction *instruction) {
    const struct operand *operands = instruction->operands;
    unsigned count = instruction->operand_count;
    struct barrier_form form = {.arrives = true, .waits = true};
    switch (instruction->barrier) {
    case BARRIER_RED:
        form.destination = &operands[0];
        form.id = &operands[1];
        form.count = count == 4 ? &operands[2] : NULL;
        form.predicate = &operands[count - 1];
        break;
    case BARRIER_WARP_SYNC:
        form.level = BARRIER_OF_WARP;
        form.id = &operands[0];
        break;
    case BARRIER_CLUSTER_ARRIVE:
    case BARRIER_CLUSTER_WAIT:
        form.level = BARRIER_OF_CLUSTER;
        form.arrives = instruction->barrier == BARRIER_CLUSTER_ARRIVE;
        form.waits = !form.arrives;
        break;
    default:
        form.waits = instruction->barrier != BARRIER_ARRIVE;
        form.id = &operands[0];
        form.count = count > 1 ? &operands[1] : NULL;
    }
    return form;
}

// bar.cta.{sync,arrive} instance{, id{, count}}
static struct barrier_form dat3m_form_of(const struct instruction *instruction) {
    const struct operand *operands = instruction->operands;
    unsigned count = instruction->operand_count;
    return (struct barrier_form){.instance = &operands[0],
                                 .id = count > 1 ? &operands[1] : NULL,
                                 .count = count > 2 ? &operands[2] : NULL,
                                 .arrives = true,
                                 .waits = instruction->barrier != BARRIER_ARRIVE};
}

static const struct expr *operand_bits(struct thread_builder *thread,
                                       const struct operand *operand) {
    return operand == NULL ? NULL : thread_operand(thread, operand, 32, false).bits;
}

static bool error(struct thread_builder *thread, const struct operand *operand,
                  const char *message) {
    diag_error(thread->builder->diagnostics, operand->span, "%s", message);
    return false;
}

static bool check_mask(struct thread_builder *thread, const struct operand *operand,
                       const struct expr *mask) {
    struct builder *builder = thread->builder;
    unsigned lane = barrier_lane(builder, thread->index);
    if (!expr_is_const(mask))
        return error(thread, operand, "the mask of a bar.warp.sync must not depend on memory");
    if (mask->value.low >> lane & 1)
        return true;
    diag_error(builder->diagnostics, operand->span,
               "the mask 0x%llx leaves out the thread that executes it, which is lane %u",
               (unsigned long long)mask->value.low, lane);
    diag_hint(builder->diagnostics, "the threads of a CTA are numbered in the order of the test");
    return false;
}

// The limits of PTX ISA 9.7.13.1. Its rule that counts are multiples of 32 is about programs whose
// threads come in warps; each thread of a test represents only itself, and any count is allowed.
static bool check_values(struct thread_builder *thread, const struct barrier_form *form,
                         const struct expr *id, const struct expr *count) {
    bool is_ptx = form->instance == NULL;
    if (form->level == BARRIER_OF_WARP)
        return check_mask(thread, form->id, id);
    if (is_ptx && id != NULL && expr_is_const(id) && id->value.low >= CTA_BARRIERS) {
        diag_error(thread->builder->diagnostics, form->id->span,
                   "there is no barrier %llu: barriers are numbered 0 to 15",
                   (unsigned long long)id->value.low);
        return false;
    }
    if (count != NULL && expr_is_const(count) && count->value.low == 0)
        return error(thread, form->count, "the thread count of a barrier must not be 0");
    if (!is_ptx && (form->instance->kind != OPERAND_IMMEDIATE ||
                    form->instance->immediate.low > INT32_MAX || form->instance->immediate.high))
        return error(thread, form->instance,
                     "the instance of a barrier must be a constant from 0 to 2147483647");
    return true;
}

// The same where they are known only when the program runs. In a launch, a count is also of whole
// warps, or of all threads of the block.
static void add_broken(struct thread_builder *thread, const struct instruction *instruction,
                       const struct barrier_form *form, const struct expr *id,
                       const struct expr *count) {
    struct builder *builder = thread->builder;
    struct expr_pool *pool = builder->pool;
    if (form->level != BARRIER_OF_CTA || form->instance != NULL)
        return;
    const struct expr *barriers = expr_const_u64(pool, 32, CTA_BARRIERS);
    const struct expr *zero = expr_const_u64(pool, 32, 0);
    const struct expr *broken = expr_not(pool, expr_binary(pool, EXPR_ULT, id, barriers));
    if (count != NULL)
        broken = expr_or(pool, broken, expr_eq(pool, count, zero));
    if (count != NULL && thread->thread->launch != NULL) {
        unsigned all = others_block_size(builder->test, thread->index);
        const struct expr *rest =
            expr_binary(pool, EXPR_AND, count, expr_const_u64(pool, 32, WARP_SIZE - 1));
        const struct expr *fits = expr_or(pool, expr_eq(pool, rest, zero),
                                          expr_eq(pool, count, expr_const_u64(pool, 32, all)));
        broken = expr_or(pool, broken, expr_not(pool, fits));
    }
    thread_add_precondition(thread, instruction, broken);
}

// --- Events ------------------------------------------------------------------------------------

static struct event *add_barrier_event(struct thread_builder *thread,
                                       const struct instruction *instruction,
                                       const struct event_barrier *shared) {
    struct event *event = thread_add_event(thread, EVENT_BARRIER, instruction);
    if (event == NULL)
        return NULL;
    if (event->scope == SCOPE_NONE)
        event->scope = SCOPE_CTA;
    event->barrier = arena_copy(thread->builder->arena, shared, 1, sizeof *shared);
    return event;
}

// After a wait, everything executes only if it passes.
static void block(struct thread_builder *thread, const struct event *wait) {
    assert(event_is_wait(wait));
    struct builder *builder = thread->builder;
    struct expr_pool *pool = builder->pool;
    const struct expr *skipped = expr_not(pool, builder->reaches[wait->id]);
    const struct expr *passes = expr_leaf(pool, EXPR_PASSES, 1, wait->id);
    thread->unblocked = expr_and(pool, thread->unblocked, expr_or(pool, skipped, passes));
}

static void add_arrival(struct thread_builder *thread, const struct instruction *instruction,
                        const struct event_barrier *shared, const struct value *predicate) {
    struct builder *builder = thread->builder;
    struct event *event = add_barrier_event(thread, instruction, shared);
    thread->position++;
    if (event == NULL)
        return;
    event->barrier->is_arrival = true;
    if (predicate != NULL) {
        event->barrier->predicate = predicate->bits;
        event->barrier->predicate_undef = predicate->undef;
        event->barrier->given = predicate->dependencies;
    }
    if (instruction->barrier == BARRIER_CLUSTER_ARRIVE)
        thread->cluster_arrival =
            expr_ite(builder->pool, thread->guard, expr_const_u64(builder->pool, 32, event->id),
                     thread->cluster_arrival);
}

// Adds a wait for the phase of an arrival; it executes where `condition` holds besides.
static struct event *add_wait(struct thread_builder *thread, const struct instruction *instruction,
                              const struct event_barrier *shared, int arrival,
                              const struct expr *condition) {
    assert(condition->width == 1);
    struct event *event = add_barrier_event(thread, instruction, shared);
    if (event == NULL)
        return NULL;
    event->barrier->is_wait = true;
    event->barrier->arrival = arrival;
    event_restrict(thread->builder, event, condition);
    return event;
}

// The result of a bar.red is a leaf: what other threads contribute is known only at the end.
static void add_result(struct thread_builder *thread, const struct instruction *instruction,
                       struct event *wait, const struct operand *destination) {
    assert(event_is_wait(wait));
    struct builder *builder = thread->builder;
    unsigned width = instruction->bool_op == BOOL_NONE ? 32 : 1; // .popc counts
    struct value value = {.bits = expr_leaf(builder->pool, EXPR_REDUCED, width, wait->id),
                          .undef = builder->never,
                          .dependencies = dependencies_of_read(builder, wait->id)};
    if (builder->tracks_undef)
        value.undef = expr_leaf(builder->pool, EXPR_REDUCED_UNDEF, 1, wait->id);
    wait->barrier->result = value.bits;
    wait->barrier->result_undef = value.undef;
    if (width > 1 && others_give(builder, wait))
        value = program_value_unknown(builder, width);
    thread_write(thread, destination, value, false);
}

struct event *barrier_exchange(struct thread_builder *thread, const struct instruction *instruction,
                               const struct expr *mask, int instance, const struct value *given,
                               struct left_lanes *others) {
    struct builder *builder = thread->builder;
    struct event_barrier shared = {.arrival = -1,
                                   .group = find_group(builder, BARRIER_OF_WARP, thread->index),
                                   .instance = instance,
                                   .id = mask,
                                   .exchanges = true,
                                   .others = others};
    int arrival = (int)builder->program->event_count;
    add_arrival(thread, instruction, &shared, given);
    struct event *wait = add_wait(thread, instruction, &shared, arrival, builder->always);
    thread->position++;
    if (wait != NULL)
        block(thread, wait);
    return wait;
}

// barrier.cluster.wait waits for the phase of the thread's latest barrier.cluster.arrive. Branches
// may lead here from several: then there is one wait for each.
static void add_cluster_waits(struct thread_builder *thread, const struct instruction *instruction,
                              const struct event_barrier *shared) {
    struct builder *builder = thread->builder;
    struct program *program = builder->program;
    const struct expr *latest = thread->cluster_arrival;
    const struct expr *unblocked = thread->unblocked;
    size_t count = program->event_count;
    for (size_t i = program->init_count; i <= count; i++) {
        bool none = i == count; // what is left: no arrival at all
        if (!none &&
            (program->events[i].thread != thread->index || !event_is_arrival(&program->events[i])))
            continue;
        uint64_t wanted = none ? UINT32_MAX : i;
        const struct expr *here =
            expr_eq(builder->pool, latest, expr_const_u64(builder->pool, 32, wanted));
        if (expr_is_false(expr_and(builder->pool, thread->active, here)))
            continue;
        const struct expr *before = thread->unblocked;
        thread->unblocked = unblocked;
        struct event *wait = add_wait(thread, instruction, shared, none ? -1 : (int)wanted, here);
        thread->unblocked = before;
        if (wait != NULL)
            block(thread, wait);
    }
    thread->position++;
}

// --- Instructions ------------------------------------------------------------------------------

static void add_events(struct thread_builder *thread, const struct instruction *instruction,
                       const struct barrier_form *form, const struct event_barrier *shared) {
    struct value predicate = {0};
    if (form->predicate != NULL)
        predicate = thread_operand(thread, form->predicate, 1, false);
    if (form->level == BARRIER_OF_CLUSTER && form->waits) {
        add_cluster_waits(thread, instruction, shared);
        return;
    }
    int arrival = (int)thread->builder->program->event_count;
    add_arrival(thread, instruction, shared, form->predicate == NULL ? NULL : &predicate);
    if (!form->waits)
        return;
    struct event *wait = add_wait(thread, instruction, shared, arrival, thread->builder->always);
    thread->position++;
    if (wait == NULL)
        return;
    if (form->destination != NULL)
        add_result(thread, instruction, wait, form->destination);
    block(thread, wait);
}

// Where threads are left out, a number that is not known says nothing of those that are modelled.
static bool check_known_count(struct thread_builder *thread, const struct barrier_form *form,
                              const struct expr *count) {
    if (expr_is_const(count) || thread->builder->plan->only_thread > 0)
        return true;
    error(thread, form->count,
          "the thread count of a barrier must not depend on memory where the launch leaves threads "
          "out");
    diag_hint(thread->builder->diagnostics, "without 'threads', all threads are modelled");
    return false;
}

// Whether a count is that of all threads of a block of a launch, whose warps are counted whole.
static bool is_of_all(const struct thread_builder *thread, const struct expr *count) {
    if (count == NULL || !expr_is_const(count) || thread->thread->launch == NULL)
        return false;
    unsigned all = others_block_size(thread->builder->test, thread->index);
    return count->value.low == all ||
           count->value.low == (all + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
}

static bool check_place(struct thread_builder *thread, const struct instruction *instruction) {
    if (!thread->thread->place.host)
        return true;
    diag_error(thread->builder->diagnostics, instruction->opcode_span,
               "a thread of the host is in no CTA and has no barriers");
    return false;
}

void barrier_instruction(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    bool is_dat3m = builder->test->dialect == DIALECT_DAT3M;
    struct barrier_form form = is_dat3m ? dat3m_form_of(instruction) : form_of(instruction);
    const struct expr *id = operand_bits(thread, form.id);
    const struct expr *count = operand_bits(thread, form.count);
    if (others_left_out(builder->test, thread->index) && form.count != NULL &&
        !check_known_count(thread, &form, count))
        return;
    if (is_of_all(thread, count))
        count = NULL;
    if (!check_place(thread, instruction) || !check_values(thread, &form, id, count))
        return;
    add_broken(thread, instruction, &form, id, count);
    struct event_barrier shared = {
        .arrival = -1,
        .group = find_group(builder, form.level, thread->index),
        .instance = is_dat3m ? (int)form.instance->immediate.low : 0,
        .id = id == NULL ? expr_const_u64(builder->pool, 32, 0) : id,
        .count = count, // without one, phases_build finds it
        .quorum = is_dat3m && count != NULL,
    };
    add_events(thread, instruction, &form, &shared);
}

// --- Warps -------------------------------------------------------------------------------------

// The number of a thread of a launch in its CTA.
static unsigned number_in_cta(const struct thread *thread) {
    const unsigned *tid = thread->tid, *block = thread->launch->block;
    return tid[0] + block[0] * (tid[1] + block[1] * tid[2]);
}

bool event_comes_apart(const struct test *test, const struct event *a, const struct event *b) {
    if (!event_is_arrival(a) || !event_is_arrival(b) || a->barrier->exchanges ||
        b->barrier->exchanges || a->thread == b->thread ||
        !(a->instruction->is_aligned || b->instruction->is_aligned) ||
        a->instruction->span.begin == b->instruction->span.begin)
        return false;
    const struct thread *x = &test->threads[a->thread], *y = &test->threads[b->thread];
    return x->launch != NULL && x->launch == y->launch && test_same_cta(&x->place, &y->place) &&
           number_in_cta(x) / WARP_SIZE == number_in_cta(y) / WARP_SIZE;
}
