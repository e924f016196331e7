// Cancelled launches (PTX ISA 9.7.13.17, 9.7.13.18): clusterlaunchcontrol.try_cancel, whose answers
// are opaque, and query_cancel, which takes them apart.

#include "litmus/program/thread/async.h"
#include "litmus/program/thread/multicast.h"

#include <assert.h>

// An answer has 128 bits: the lowest one says whether a launch was cancelled, and the numbers of
// the first CTA are above the lowest 32. What is in memory are these, combined with bits that are
// not known: what an answer says tells nothing of the bits in memory.
enum { ANSWER_BYTES = 16, ANSWER_BITS = 8 * ANSWER_BYTES, ID_BITS = 32, DIMENSIONS = 3 };

static const struct expr *read_answer(struct builder *builder, const struct expr *answer,
                                      unsigned low, unsigned width) {
    if (builder->answer_key == NULL)
        builder->answer_key = program_value_unknown(builder, ANSWER_BITS).bits;
    return expr_binary(builder->pool, EXPR_XOR, expr_extract(builder->pool, answer, low, width),
                       expr_extract(builder->pool, builder->answer_key, low, width));
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
    for (const struct cancellation *other = builder->answers; other != NULL; other = other->next) {
        if (!same_grid(other->place, place))
            continue;
        const struct expr *same =
            expr_eq(pool, expr_extract(pool, answer, ID_BITS, DIMENSIONS * ID_BITS),
                    expr_extract(pool, other->bits, ID_BITS, DIMENSIONS * ID_BITS));
        taken = expr_or(pool, taken, expr_and(pool, other->is_success, same));
    }
    return taken;
}

// The threads of a column run, so their CTA is none "that has not started running yet". What a
// launch starts may be cancelled. Where two CTAs have one number, they are in different clusters,
// and it is open which number the machine gives them.
static bool is_known_to_run(const struct test *test, const struct thread *thread) {
    for (size_t i = 0; i < test->thread_count && thread->launch == NULL; i++) {
        const struct place *other = &test->threads[i].place;
        if (!other->host && same_grid(other, &thread->place) && other->cta == thread->place.cta &&
            !test_same_cta(other, &thread->place))
            return false;
    }
    return thread->launch == NULL;
}

// Whether a coordinate of the CTA that an answer names is not one of the grid: that of a launch has
// a size, and the CTAs of a test in columns are in one dimension.
static const struct expr *is_outside(const struct copy *copy, const struct expr *answer) {
    struct builder *builder = copy->thread->builder;
    struct expr_pool *pool = builder->pool;
    const struct launch *launch = copy->thread->thread->launch;
    const struct expr *outside = builder->never;
    for (unsigned i = launch != NULL ? 0 : 1; i < DIMENSIONS; i++) {
        const struct expr *extent =
            expr_const_u64(pool, ID_BITS, launch != NULL ? launch->grid[i] : 1);
        const struct expr *at = read_answer(builder, answer, ID_BITS * (i + 1), ID_BITS);
        outside = expr_or(pool, outside, expr_binary(pool, EXPR_ULE, extent, at));
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

// --- Asking --------------------------------------------------------------------------------------

static const struct expr *join(struct builder *builder, const struct copy *copy,
                               const struct value *parts) {
    const struct expr *whole = parts[0].bits;
    for (unsigned i = 1; i < ANSWER_BYTES / copy->part; i++)
        whole = expr_binary(builder->pool, EXPR_CONCAT, parts[i].bits, whole);
    return whole;
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
                                    .next = builder->answers};
    const struct expr *barred = expr_or(pool, is_taken(builder, answer->place, answer->bits),
                                        is_running(builder, answer->place, answer->bits));
    barred = expr_or(pool, barred, is_outside(copy, answer->bits));
    answer->is_success =
        expr_and(pool, read_answer(builder, answer->bits, 0, 1), expr_not(pool, barred));
    const struct expr *lowest = expr_binary(pool, EXPR_XOR, answer->is_success,
                                            expr_extract(pool, builder->answer_key, 0, 1));
    parts[0].bits = expr_binary(pool, EXPR_CONCAT,
                                expr_extract(pool, parts[0].bits, 1, 8 * copy->part - 1), lowest);
    builder->answers = answer;
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
    const struct cancellation *answer = make_answer(&copy, parts);
    copy.issue = async_add_event(thread, instruction, EVENT_ISSUE, ASYNC_ISSUE, NULL);
    for (unsigned rank = 0; rank < MULTICAST_CTAS && instruction->to_all; rank++) {
        copy.target = rank + 1;
        if (multicast_has_rank(thread, rank))
            give_answer(&copy, parts, answer);
    }
    if (!instruction->to_all)
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
    return program_value_choose(builder, says, part, unknown);
}

// clusterlaunchcontrol.query_cancel: all who take the same answer apart find the same in it.
void compute_cancel_query(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *target = &instruction->operands[0];
    struct value answer = thread_operand(thread, &instruction->operands[1], ANSWER_BITS, false);
    for (unsigned i = 0; target->kind == OPERAND_VECTOR && i < target->element_count; i++)
        thread_write(thread, &target->elements[i],
                     i < DIMENSIONS ? part_of_answer(thread, answer, ID_BITS * (i + 1), ID_BITS)
                                    : program_value_unknown(thread->builder, ID_BITS),
                     false);
    if (target->kind == OPERAND_VECTOR)
        return;
    bool asks = thread->thread->registers[target->reg].width == 1;
    compute_write(
        thread, instruction,
        asks ? part_of_answer(thread, answer, 0, 1)
             : part_of_answer(thread, answer, ID_BITS * (instruction->dimension + 1), ID_BITS));
}
