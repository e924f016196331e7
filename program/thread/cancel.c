// Cancelled launches (PTX ISA 9.7.13.17, 9.7.13.18): clusterlaunchcontrol.try_cancel, whose answers
// are opaque, and query_cancel, which takes them apart.

#include "program/thread/async.h"
#include "program/builder.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include <assert.h>

// An answer has 128 bits: the lowest one says whether a launch was cancelled, and the numbers of
// the first CTA are above the lowest 32. What is in memory are these, combined with bits that are
// not known: what an answer says tells nothing of the bits in memory.
enum { ANSWER_BYTES = 16, ANSWER_BITS = 8 * ANSWER_BYTES, ID_BITS = 32, DIMENSIONS = 3 };

static const struct expr *answer_key(struct builder *builder) {
    if (builder->cancels.key == NULL)
        builder->cancels.key = program_value_unknown(builder, ANSWER_BITS).bits;
    return builder->cancels.key;
}

static const struct expr *read_answer(struct builder *builder, const struct expr *answer,
                                      unsigned low, unsigned width) {
    return expr_binary(builder->pool, EXPR_XOR, expr_extract(builder->pool, answer, low, width),
                       expr_extract(builder->pool, answer_key(builder), low, width));
}

// --- Which CTAs ----------------------------------------------------------------------------------

static bool same_grid(const struct place *a, const struct place *b) {
    return test_same_gpu(a, b) && a->grid == b->grid;
}

// "No other successful response from other try_cancel operations from the same grid will contain
// that id."
static const struct expr *is_taken(struct builder *builder, const struct place *place,
                                   const struct expr *answer) {
    struct expr_pool *pool = builder->pool;
    const struct expr *taken = builder->never;
    for (const struct cancellation *other = builder->cancels.answers; other != NULL;
         other = other->next) {
        if (!same_grid(other->place, place))
            continue;
        const struct expr *same =
            expr_eq(pool, expr_extract(pool, answer, ID_BITS, DIMENSIONS * ID_BITS),
                    expr_extract(pool, other->bits, ID_BITS, DIMENSIONS * ID_BITS));
        taken = expr_or(pool, taken, expr_and(pool, other->is_success, same));
    }
    return taken;
}

// The threads of a column run, so their CTA is none "that has not started running yet". Where two
// CTAs have one number, they are in different clusters, and it is open which number the machine
// gives them.
static bool is_known_to_run(const struct test *test, const struct thread *thread) {
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct place *other = &test->threads[i].place;
        if (!other->host && same_grid(other, &thread->place) && other->cta == thread->place.cta &&
            !test_same_cta(other, &thread->place))
            return false;
    }
    return true;
}

// Whether a coordinate of the CTA that an answer names is not one of the grid: the CTAs of a test
// in columns are in one dimension.
static const struct expr *is_outside(struct builder *builder, const struct expr *answer) {
    struct expr_pool *pool = builder->pool;
    const struct expr *outside = builder->never;
    for (unsigned i = 1; i < DIMENSIONS; i++) {
        const struct expr *at = read_answer(builder, answer, ID_BITS * (i + 1), ID_BITS);
        outside = expr_or(pool, outside,
                          expr_binary(pool, EXPR_ULE, expr_const_u64(pool, ID_BITS, 1), at));
    }
    return outside;
}

// Whether the CTA that an answer names is one of the test.
static const struct expr *is_running(struct builder *builder, const struct place *place,
                                     const struct expr *answer) {
    struct expr_pool *pool = builder->pool;
    const struct expr *running = builder->never;
    const struct expr *id = read_answer(builder, answer, ID_BITS, DIMENSIONS * ID_BITS);
    for (size_t i = 0; i < builder->test->thread_count; i++) {
        const struct thread *thread = &builder->test->threads[i];
        if (thread->place.host || !same_grid(&thread->place, place) ||
            !is_known_to_run(builder->test, thread))
            continue;
        const struct expr *own = expr_const_u64(pool, DIMENSIONS * ID_BITS, thread->place.cta);
        running = expr_or(pool, running, expr_eq(pool, id, own));
    }
    return running;
}

// --- Which CTAs of a launch ----------------------------------------------------------------------

enum { REQUEST_BITS = 16 };

// Whether some thread of the grid of a thread asks.
static bool is_asked_for(const struct test *test, const struct thread *thread) {
    for (size_t i = 0; i < test->thread_count; i++)
        if (!test->threads[i].place.host && same_grid(&test->threads[i].place, &thread->place) &&
            test_thread_cancels(&test->threads[i]))
            return true;
    return false;
}

static bool in_one_cluster(const struct thread *a, const struct thread *b) {
    return same_grid(&a->place, &b->place) && test_same_cluster(&a->place, &b->place);
}

void cancel_find_threads(struct builder *builder) {
    const struct test *test = builder->test;
    builder->cancels.by = ARENA_ARRAY(builder->arena, const struct expr *, test->thread_count);
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct thread *thread = &test->threads[i];
        if (thread->launch == NULL || thread->place.host || !is_asked_for(test, thread))
            continue;
        for (size_t k = 0; k < i && builder->cancels.by[i] == NULL; k++)
            if (in_one_cluster(&test->threads[k], thread))
                builder->cancels.by[i] = builder->cancels.by[k];
        if (builder->cancels.by[i] == NULL)
            builder->cancels.by[i] = program_value_unknown(builder, REQUEST_BITS).bits;
        builder->program->cancelled_by = builder->cancels.by;
    }
}

static bool is_first_of_cluster(const struct builder *builder, int thread) {
    for (int i = 0; i < thread; i++)
        if (builder->cancels.by[i] == builder->cancels.by[thread])
            return false;
    return builder->cancels.by[thread] != NULL;
}

static const struct expr *is_cancelled_by(struct builder *builder, int thread, unsigned number) {
    return expr_eq(builder->pool, builder->cancels.by[thread],
                   expr_const_u64(builder->pool, REQUEST_BITS, number));
}

const struct expr *cancel_of_thread(struct builder *builder, int thread) {
    return builder->cancels.by[thread] == NULL
               ? builder->never
               : expr_not(builder->pool, is_cancelled_by(builder, thread, 0));
}

// The first CTA of the cluster of a thread, as an answer names it.
static const struct expr *first_cta(struct builder *builder, int thread) {
    const struct test *test = builder->test;
    uint64_t first[DIMENSIONS];
    for (unsigned i = 0; i < DIMENSIONS; i++) {
        first[i] = test->threads[thread].cta[i];
        for (size_t k = 0; k < test->thread_count; k++)
            if (builder->cancels.by[k] == builder->cancels.by[thread] &&
                test->threads[k].cta[i] < first[i])
                first[i] = test->threads[k].cta[i];
    }
    return expr_const(builder->pool, DIMENSIONS * ID_BITS,
                      (struct bits128){.low = first[1] << ID_BITS | first[0], .high = first[2]});
}

// "No other successful response [...] will contain that id", and one response contains one.
static const struct expr *are_apart(struct builder *builder, int a, int b) {
    struct expr_pool *pool = builder->pool;
    const struct expr *same = expr_eq(pool, builder->cancels.by[a], builder->cancels.by[b]);
    return expr_or(pool, expr_not(pool, same), is_cancelled_by(builder, a, 0));
}

void cancel_set_given(struct builder *builder) {
    struct expr_pool *pool = builder->pool;
    struct program *program = builder->program;
    const struct thread *threads = builder->test->threads;
    for (int i = 0; i < (int)builder->test->thread_count; i++) {
        if (!is_first_of_cluster(builder, i))
            continue;
        const struct expr *right = is_cancelled_by(builder, i, 0);
        for (const struct cancellation *one = builder->cancels.answers; one != NULL;
             one = one->next)
            if (same_grid(one->place, &threads[i].place))
                right =
                    expr_or(pool, right,
                            expr_and(pool, is_cancelled_by(builder, i, one->number), one->asked));
        program->given = expr_and(pool, program->given, right);
        for (int k = 0; k < i; k++)
            if (is_first_of_cluster(builder, k))
                program->given = expr_and(pool, program->given, are_apart(builder, k, i));
    }
}

// --- Asking --------------------------------------------------------------------------------------

static const struct expr *join(struct builder *builder, const struct copy *copy,
                               const struct value *parts) {
    const struct expr *whole = parts[0].bits;
    for (unsigned i = 1; i < ANSWER_BYTES / copy->part; i++)
        whole = expr_binary(builder->pool, EXPR_CONCAT, parts[i].bits, whole);
    return whole;
}

// An answer to a thread of a launch: it names the CTA that is cancelled by this request, and says
// that it has failed where there is none.
static struct cancellation *choose_answer(const struct copy *copy, struct value *parts) {
    const struct thread_builder *thread = copy->thread;
    struct builder *builder = thread->builder;
    struct expr_pool *pool = builder->pool;
    struct cancellation *answer = ARENA_NEW(builder->arena, struct cancellation);
    const struct expr *asked = expr_and(pool, thread->active, thread->unblocked);
    *answer = (struct cancellation){
        .place = &thread->thread->place,
        .number = builder->cancels.answers ? builder->cancels.answers->number + 1 : 1,
        .asked = expr_and(pool, asked, thread->left_spins),
        .is_success = builder->never,
        .next = builder->cancels.answers};
    const struct expr *id = program_value_unknown(builder, DIMENSIONS * ID_BITS).bits;
    for (int i = 0; i < (int)builder->test->thread_count; i++) {
        if (!is_first_of_cluster(builder, i) ||
            !same_grid(answer->place, &builder->test->threads[i].place))
            continue;
        const struct expr *named = is_cancelled_by(builder, i, answer->number);
        answer->is_success = expr_or(pool, answer->is_success, named);
        id = expr_ite(pool, named, first_cta(builder, i), id);
    }
    const struct expr *rest = program_value_unknown(builder, ID_BITS - 1).bits;
    const struct expr *whole = expr_binary(
        pool, EXPR_CONCAT, id, expr_binary(pool, EXPR_CONCAT, rest, answer->is_success));
    answer->bits = expr_binary(pool, EXPR_XOR, whole, answer_key(builder));
    for (unsigned i = 0; i < ANSWER_BYTES / copy->part; i++) {
        parts[i] = program_value_unknown(builder, 8 * copy->part);
        parts[i].bits = expr_extract(pool, answer->bits, 8 * copy->part * i, 8 * copy->part);
    }
    builder->cancels.answers = answer;
    return answer;
}

// Makes an answer: any bits, but the lowest one says so where they name no CTA that can have been
// cancelled.
static struct cancellation *make_answer(const struct copy *copy, struct value *parts) {
    struct builder *builder = copy->thread->builder;
    struct expr_pool *pool = builder->pool;
    struct cancellation *answer = ARENA_NEW(builder->arena, struct cancellation);
    for (unsigned i = 0; i < ANSWER_BYTES / copy->part; i++)
        parts[i] = program_value_unknown(builder, 8 * copy->part);
    *answer = (struct cancellation){.place = &copy->thread->thread->place,
                                    .bits = join(builder, copy, parts),
                                    .next = builder->cancels.answers};
    const struct expr *barred = expr_or(pool, is_taken(builder, answer->place, answer->bits),
                                        is_running(builder, answer->place, answer->bits));
    barred = expr_or(pool, barred, is_outside(builder, answer->bits));
    answer->is_success =
        expr_and(pool, read_answer(builder, answer->bits, 0, 1), expr_not(pool, barred));
    const struct expr *lowest = expr_binary(pool, EXPR_XOR, answer->is_success,
                                            expr_extract(pool, builder->cancels.key, 0, 1));
    parts[0].bits = expr_binary(pool, EXPR_CONCAT,
                                expr_extract(pool, parts[0].bits, 1, 8 * copy->part - 1), lowest);
    builder->cancels.answers = answer;
    return answer;
}

// The answer in one CTA.
static void give_answer(struct copy *copy, const struct value *parts,
                        const struct cancellation *answer) {
    struct builder *builder = copy->thread->builder;
    enum state_space space = async_destination_of(copy->instruction);
    size_t first = builder->program->event_count;
    async_add_writes(copy, parts);
    if (first < builder->program->event_count)
        builder->program->events[first].async->failed = expr_not(builder->pool, answer->is_success);
    async_add_fence(copy, ASYNC_FENCE);
    first = async_add_completion(copy, &copy->instruction->operands[1], space, 0, copy->size,
                                 SCOPE_CLUSTER);
    async_complete_at(copy, first, copy->issue);
}

// clusterlaunchcontrol.try_cancel: a write of 16 bytes in the async proxy and the completion of as
// many on an mbarrier; with .multicast::cluster::all in each CTA of the cluster, which all get the
// same answer (PTX ISA 9.7.13.17).
void async_cancel(struct thread_builder *thread, const struct instruction *instruction) {
    struct value parts[ANSWER_BYTES];
    struct copy copy = {.thread = thread,
                        .instruction = instruction,
                        .size = ANSWER_BYTES,
                        .aligned = ANSWER_BYTES};
    if (!async_check_thread(thread, instruction) ||
        !async_check_alignment(&copy, &instruction->operands[0]))
        return;
    copy.part = async_part_of(&copy);
    const struct cancellation *answer = thread->builder->cancels.by[thread->index] != NULL
                                            ? choose_answer(&copy, parts)
                                            : make_answer(&copy, parts);
    copy.issue = async_add_event(thread, instruction, EVENT_ISSUE, ASYNC_ISSUE, NULL);
    if (copy.issue < thread->builder->program->event_count)
        thread->builder->program->events[copy.issue].async->request = answer->number;
    for (unsigned rank = 0; rank < MULTICAST_CTAS && instruction->copy.to_all; rank++) {
        copy.target = rank + 1;
        if (multicast_has_rank(thread, rank))
            give_answer(&copy, parts, answer);
    }
    if (!instruction->copy.to_all)
        give_answer(&copy, parts, answer);
    thread->position++;
}

// --- Taking answers apart ------------------------------------------------------------------------

// Nothing is known of what is not an answer, nor of the CTA of one that failed.
static struct value part_of_answer(struct thread_builder *thread, struct value answer, unsigned low,
                                   unsigned width) {
    struct builder *builder = thread->builder;
    struct value part = answer, unknown = program_value_unknown(builder, width);
    const struct expr *success = read_answer(builder, answer.bits, 0, 1);
    part.bits = read_answer(builder, answer.bits, low, width);
    const struct expr *says =
        low == 0 ? answer.undef : expr_and(builder->pool, answer.undef, success);
    if (builder->cancels.by[thread->index] != NULL) // which CTAs there are is known
        part.undef = builder->never;
    return program_value_choose(builder, says, part, unknown);
}

// "If the request fails the behavior of clusterlaunchcontrol.query_cancel.get_first_ctaid is
// undefined" (PTX ISA 9.7.13.18).
static void check_success(struct thread_builder *thread, const struct instruction *instruction,
                          struct value answer) {
    struct builder *builder = thread->builder;
    const struct expr *success = read_answer(builder, answer.bits, 0, 1);
    thread_add_precondition(thread, instruction, expr_not(builder->pool, success));
}

// clusterlaunchcontrol.query_cancel: all who take the same answer apart find the same in it.
void compute_cancel_query(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *target = &instruction->operands[0];
    struct value answer = thread_operand(thread, &instruction->operands[1], ANSWER_BITS, false);
    bool asks = target->kind != OPERAND_VECTOR && thread->thread->registers[target->reg].width == 1;
    if (!asks)
        check_success(thread, instruction, answer);
    for (unsigned i = 0; target->kind == OPERAND_VECTOR && i < target->element_count; i++)
        thread_write(thread, &target->elements[i],
                     i < DIMENSIONS ? part_of_answer(thread, answer, ID_BITS * (i + 1), ID_BITS)
                                    : program_value_unknown(thread->builder, ID_BITS),
                     false);
    if (target->kind == OPERAND_VECTOR)
        return;
    compute_write(thread, instruction,
                  asks ? part_of_answer(thread, answer, 0, 1)
                       : part_of_answer(thread, answer,
                                        ID_BITS * (instruction->compute.dimension + 1), ID_BITS));
}
