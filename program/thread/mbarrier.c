// mbarriers (PTX ISA 9.7.13.15): each operation reads the state of the object and, unless it only
// waits, writes the next one, at once. So the order of the operations on an object is the coherence
// order of these writes, and what the counts and the phase are follows from what was read.

#include "program/mbarrier_state.h"
#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/thread/compute.h"
#include "program/thread/others.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include "program/thread/access.h"
#include "program/thread/async.h"

#include <assert.h>

// The parts of a state.
struct mbarrier_fields {
    const struct expr *pending, *expected, *tx, *phase, *layout, *live, *others;
};

static const struct expr *number(struct expr_pool *pool, unsigned bits, uint64_t value) {
    return expr_const_u64(pool, bits, value);
}

static struct mbarrier_fields take_apart(struct expr_pool *pool, const struct expr *bits) {
    assert(bits->width == 64);
    return (struct mbarrier_fields){
        expr_extract(pool, bits, 0, MBARRIER_COUNT_BITS),
        expr_extract(pool, bits, MBARRIER_EXPECTED_AT, MBARRIER_COUNT_BITS),
        expr_extract(pool, bits, MBARRIER_TX_AT, MBARRIER_TX_BITS),
        expr_extract(pool, bits, MBARRIER_PHASE_AT, MBARRIER_PHASE_BITS),
        expr_extract(pool, bits, MBARRIER_LAYOUT_AT, 1),
        expr_extract(pool, bits, MBARRIER_LIVE_AT, 1),
        expr_extract(pool, bits, MBARRIER_OTHERS_AT, 1),
    };
}

static const struct expr *put_together(struct expr_pool *pool, struct mbarrier_fields state) {
    const struct expr *bits = state.pending;
    bits = expr_binary(pool, EXPR_CONCAT, state.expected, bits);
    bits = expr_binary(pool, EXPR_CONCAT, state.tx, bits);
    bits = expr_binary(pool, EXPR_CONCAT, state.phase, bits);
    bits = expr_binary(pool, EXPR_CONCAT, state.layout, bits);
    bits = expr_binary(pool, EXPR_CONCAT, state.live, bits);
    return expr_binary(pool, EXPR_CONCAT, state.others, bits);
}

// --- What a thread sees of a state -------------------------------------------------------------

// A state that an arrival returns: what is asked of it later, and which arrival that was, so that
// states of different objects are told apart. Arrivals are counted from 1 on; what is not a state
// has another number, nearly always 0.
enum {
    TOKEN_NUMBER_BITS = 16,
    TOKEN_PHASE_AT = MBARRIER_COUNT_BITS,
    TOKEN_LAYOUT_AT = TOKEN_PHASE_AT + MBARRIER_PHASE_BITS,
    TOKEN_NO_COMPLETE_AT = TOKEN_LAYOUT_AT + 1,
    TOKEN_NUMBER_AT = TOKEN_NO_COMPLETE_AT + 1,
    TOKEN_REST_BITS = 64 - TOKEN_NUMBER_AT - TOKEN_NUMBER_BITS,
};

struct mbarrier_token {
    const struct expr *pending, *phase, *layout, *no_complete, *number;
};

static struct mbarrier_token read_token(struct expr_pool *pool, const struct expr *bits) {
    assert(bits->width == 64);
    return (struct mbarrier_token){
        expr_extract(pool, bits, 0, MBARRIER_COUNT_BITS),
        expr_extract(pool, bits, TOKEN_PHASE_AT, MBARRIER_PHASE_BITS),
        expr_extract(pool, bits, TOKEN_LAYOUT_AT, 1),
        expr_extract(pool, bits, TOKEN_NO_COMPLETE_AT, 1),
        expr_extract(pool, bits, TOKEN_NUMBER_AT, TOKEN_NUMBER_BITS),
    };
}

// The state that an arrival has found, `state`, as it returns it.
static const struct expr *make_token(struct expr_pool *pool, const struct expr *state,
                                     bool no_complete, unsigned arrival) {
    struct mbarrier_fields found = take_apart(pool, state);
    const struct expr *bits = found.pending;
    bits = expr_binary(pool, EXPR_CONCAT, found.phase, bits);
    bits = expr_binary(pool, EXPR_CONCAT, found.layout, bits);
    bits = expr_binary(pool, EXPR_CONCAT, expr_bool(pool, no_complete), bits);
    bits = expr_binary(pool, EXPR_CONCAT, number(pool, TOKEN_NUMBER_BITS, arrival), bits);
    return expr_binary(pool, EXPR_CONCAT, number(pool, TOKEN_REST_BITS, 0), bits);
}

// --- What an operation asks for ----------------------------------------------------------------

// What an operation does to the counts; all constants are of the width of the field.
struct mbarrier_change {
    const struct expr *arrives, *drops, *tx; // tx: 32 bits, added with its sign
    bool may_complete;                       // not .noComplete
    bool raises;                             // one more arrival is pending
    struct value operand;                    // that these come from; without bits where they are
                                             // constants
};

static bool check_place(struct thread_builder *thread, const struct instruction *instruction) {
    if (thread->thread->place.host)
        diag_error(thread->builder->diagnostics, instruction->span,
                   "a thread of the host is in no CTA and has no mbarriers");
    return !thread->thread->place.host;
}

// An operand of 32 bits; `missing` where there is no such operand. Where the launch leaves threads
// out, which arrivals may be in a phase is found from numbers that are constants: others are
// reported.
static bool count_operand(struct thread_builder *thread, const struct instruction *instruction,
                          unsigned place, uint64_t missing, struct value *count) {
    *count = program_value_const(thread->builder, 32, (struct bits128){.low = missing});
    if (place >= instruction->operand_count)
        return true;
    const struct operand *operand = &instruction->operands[place];
    *count = thread_operand(thread, operand, 32, false);
    if (expr_is_const(count->bits) || !others_left_out(thread->builder->test, thread->index))
        return true;
    diag_error(thread->builder->diagnostics, operand->span,
               "a count of an mbarrier must not depend on memory where the launch leaves threads "
               "out");
    diag_hint(thread->builder->diagnostics, "without 'threads', all threads are modelled");
    return false;
}

// A count of arrivals in the bits of a field: those that PTX allows and that are read. One that is
// not known and may be larger is outside of what is modelled.
static bool take_count(struct thread_builder *thread, const struct instruction *instruction,
                       struct value count, const struct expr **field) {
    struct builder *builder = thread->builder;
    struct program *program = builder->program;
    const struct expr *most = number(builder->pool, 32, MBARRIER_COUNT_MAX),
                      *beyond = expr_binary(builder->pool, EXPR_ULT, most, count.bits);
    *field = expr_resize(builder->pool, count.bits, MBARRIER_COUNT_BITS, false);
    if (!expr_is_true(beyond)) {
        program->limits.out_of_bounds =
            expr_or(builder->pool, program->limits.out_of_bounds,
                    expr_and(builder->pool, beyond,
                             expr_and(builder->pool, thread->active, thread->unblocked)));
        return true;
    }
    diag_error(builder->diagnostics, instruction->span,
               "the counts of an mbarrier are at most %d here, not %llu", (int)MBARRIER_COUNT_MAX,
               (unsigned long long)count.bits->value.low);
    diag_hint(builder->diagnostics, "PTX has counts up to 1048575; so many are not modelled");
    return false;
}

// --- Threads that the launch leaves out --------------------------------------------------------

// How many arrivals of these there may be in a phase.
static const struct expr *count_joining(struct expr_pool *pool, const struct left_mbarrier *left,
                                        const struct expr *phase) {
    const struct expr *count = number(pool, MBARRIER_COUNT_BITS, 0);
    for (unsigned i = LEFT_PHASES; i-- > 0;)
        if (left->joins[i] > 0)
            count = expr_ite(pool, expr_eq(pool, phase, number(pool, MBARRIER_PHASE_BITS, i)),
                             number(pool, MBARRIER_COUNT_BITS, left->joins[i]), count);
    return count;
}

// Whether these could complete the phase: `pending` is of the threads of the test alone.
static const struct expr *is_completable(struct expr_pool *pool, const struct left_mbarrier *left,
                                         struct mbarrier_fields state) {
    const struct expr *joining = count_joining(pool, left, state.phase);
    return expr_and(pool, expr_binary(pool, EXPR_ULE, state.pending, joining),
                    expr_eq(pool, state.tx, number(pool, MBARRIER_TX_BITS, 0)));
}

// The state that an operation finds: after the phase that these have completed, which one that only
// reads may come before.
static struct mbarrier_fields find_completed(struct builder *builder, struct mbarrier_fields state,
                                             bool reads) {
    struct expr_pool *pool = builder->pool;
    const struct expr *done = state.others;
    const struct expr *one = number(pool, MBARRIER_PHASE_BITS, 1);
    if (reads)
        done = expr_and(pool, done, program_value_unknown(builder, 1).bits);
    state.pending = expr_ite(pool, done, state.expected, state.pending);
    state.phase = expr_ite(pool, done, expr_binary(pool, EXPR_ADD, state.phase, one), state.phase);
    state.others = builder->never;
    return state;
}

// The state that an arrival or the like leaves, which these may complete next. Where more threads
// of the test arrive than these leave room for, that is one arrival too many.
static struct mbarrier_fields
leave_to_others(struct builder *builder, const struct left_mbarrier *left,
                struct mbarrier_fields old, const struct expr *arrives, struct mbarrier_fields next,
                const struct expr **undefined) {
    struct expr_pool *pool = builder->pool;
    const struct expr *rest = expr_binary(pool, EXPR_SUB, old.pending, arrives);
    const struct expr *joining = count_joining(pool, left, old.phase);
    if (!expr_is_const(arrives) || arrives->value.low != 0)
        *undefined = expr_or(pool, *undefined, expr_binary(pool, EXPR_ULT, rest, joining));
    next.others =
        expr_and(pool, program_value_unknown(builder, 1).bits, is_completable(pool, left, next));
    return next;
}

// --- Events ------------------------------------------------------------------------------------

static struct event_mbarrier *mark(struct builder *builder, struct event *event,
                                   enum mbarrier_kind kind) {
    event->mbarrier = ARENA_NEW(builder->arena, struct event_mbarrier);
    event->mbarrier->kind = kind;
    event->mbarrier->undefined = builder->never;
    return event->mbarrier;
}

// Reports an operation on an mbarrier that threads use which the launch leaves out.
static void check_others(struct thread_builder *thread, const struct access_shape *shape) {
    struct builder *builder = thread->builder;
    const char *reason = left_mbarriers_refuse(builder, shape->address.bits);
    if (reason != NULL && !builder->others.refused)
        diag_error(builder->diagnostics, shape->instruction->span, "%s", reason);
    builder->others.refused |= reason != NULL;
}

// The state that an operation finds: NULL after an error.
static struct event *add_read(struct thread_builder *thread, const struct access_shape *shape,
                              enum mbarrier_kind kind, struct value *old) {
    struct program *program = thread->builder->program;
    size_t index = program->event_count;
    check_others(thread, shape);
    *old = access_add_read(thread, shape, (struct access){0, 1});
    thread->position++;
    if (index == program->event_count)
        return NULL;
    struct builder *builder = thread->builder;
    struct event *read = &program->events[index];
    const struct left_mbarrier *left = left_mbarriers_joined(builder, read->address);
    struct event_mbarrier *mbarrier = mark(builder, read, kind);
    struct mbarrier_fields found = take_apart(builder->pool, old->bits);
    if (left != NULL) {
        bool reads = kind == MBARRIER_KIND_WAIT || kind == MBARRIER_KIND_LOOK;
        found = find_completed(builder, found, reads);
        old->bits = put_together(builder->pool, found);
        mbarrier->completable = is_completable(builder->pool, left, found);
    }
    mbarrier->phase = found.phase;
    return read;
}

// A wider sum than the field's, to see whether it fits.
static const struct expr *tx_sum(struct expr_pool *pool, const struct expr *tx,
                                 const struct expr *added) {
    enum { SUM_BITS = 40 };
    return expr_binary(pool, EXPR_ADD, expr_resize(pool, tx, SUM_BITS, true),
                       expr_resize(pool, added, SUM_BITS, true));
}

// PTX gives the tx-count the range -(2^20 - 1) to 2^20 - 1.
static const struct expr *tx_is_out_of_range(struct expr_pool *pool, const struct expr *sum) {
    const uint64_t most = (UINT64_C(1) << (MBARRIER_TX_BITS - 1)) - 1;
    const struct expr *high = number(pool, sum->width, most);
    const struct expr *low = number(pool, sum->width, (UINT64_C(1) << sum->width) - most);
    return expr_or(pool, expr_binary(pool, EXPR_SLT, high, sum),
                   expr_binary(pool, EXPR_SLT, sum, low));
}

// How many arrivals may be pending.
static const struct expr *most_pending(struct expr_pool *pool, struct mbarrier_fields state) {
    return expr_ite(pool, state.layout, number(pool, MBARRIER_COUNT_BITS, MBARRIER_V1_COUNT_MAX),
                    number(pool, MBARRIER_COUNT_BITS, MBARRIER_COUNT_MAX));
}

// The state after an operation; `*undefined` says where PTX leaves it undefined.
static struct mbarrier_fields state_after(struct builder *builder, struct mbarrier_fields old,
                                          const struct mbarrier_change *change,
                                          const struct expr **undefined) {
    struct expr_pool *pool = builder->pool;
    const struct expr *zero = number(pool, MBARRIER_COUNT_BITS, 0), *never = builder->never;
    const struct expr *sum = tx_sum(pool, old.tx, change->tx);
    struct mbarrier_fields next = old;
    next.tx = expr_resize(pool, sum, MBARRIER_TX_BITS, false);
    next.pending = expr_binary(pool, EXPR_SUB, old.pending, change->arrives);
    next.expected = expr_binary(pool, EXPR_SUB, old.expected, change->drops);
    if (change->raises)
        next.pending =
            expr_binary(pool, EXPR_ADD, next.pending, number(pool, MBARRIER_COUNT_BITS, 1));
    const struct expr *completes =
        expr_and(pool, expr_eq(pool, next.pending, zero),
                 expr_eq(pool, next.tx, number(pool, MBARRIER_TX_BITS, 0)));
    const struct expr *drops = expr_is_const(change->drops) && change->drops->value.low == 0
                                   ? never
                                   : expr_binary(pool, EXPR_ULE, old.expected, change->drops);
    *undefined = expr_or(pool, expr_binary(pool, EXPR_ULT, old.pending, change->arrives),
                         expr_or(pool, drops, tx_is_out_of_range(pool, sum)));
    if (change->raises)
        *undefined = expr_or(pool, *undefined, expr_eq(pool, old.pending, most_pending(pool, old)));
    if (!change->may_complete)
        *undefined = expr_or(pool, *undefined, completes);
    next.pending = expr_ite(pool, completes, next.expected, next.pending);
    next.phase = expr_ite(
        pool, completes,
        expr_binary(pool, EXPR_ADD, old.phase, number(pool, MBARRIER_PHASE_BITS, 1)), old.phase);
    return next;
}

static void link_events(struct program *program, unsigned read, unsigned write) {
    program->events[read].access->rmw = (int)write;
    program->events[write].access->rmw = (int)read;
}

static bool is_zero(const struct expr *number) {
    return expr_is_const(number) && number->value.low == 0;
}

static void note_change(struct event_mbarrier *mbarrier, const struct mbarrier_change *change) {
    mbarrier->arrivals = expr_is_const(change->arrives) ? (unsigned)change->arrives->value.low : 0;
    mbarrier->changes = !is_zero(change->drops) || change->raises;
    mbarrier->plain =
        mbarrier->arrivals > 0 && is_zero(change->tx) && !mbarrier->changes && change->may_complete;
}

// An operation that changes counts. Returns what it has found.
static struct value change_state(struct thread_builder *thread, const struct access_shape *shape,
                                 enum mbarrier_kind kind, const struct mbarrier_change *change) {
    struct builder *builder = thread->builder;
    struct value old, next;
    const struct event *read = add_read(thread, shape, kind, &old);
    if (read == NULL)
        return old;
    unsigned read_id = read->id;
    const struct expr *phase = read->mbarrier->phase, *undefined;
    const struct left_mbarrier *left = left_mbarriers_joined(builder, read->address);
    struct mbarrier_fields found = take_apart(builder->pool, old.bits);
    struct mbarrier_fields after = state_after(builder, found, change, &undefined);
    if (left != NULL)
        after = leave_to_others(builder, left, found, change->arrives, after, &undefined);
    next = change->operand.bits == NULL ? old
                                        : program_value_of(builder, old.bits, old, change->operand);
    next.bits = put_together(builder->pool, after);
    struct event *write = access_add_write(thread, shape, (struct access){0, 1}, next);
    thread->position++;
    if (write == NULL)
        return old;
    struct event_mbarrier *mbarrier = mark(builder, write, kind);
    mbarrier->phase = phase;
    mbarrier->undefined = undefined;
    note_change(mbarrier, change);
    link_events(builder->program, read_id, write->id);
    return old;
}

// The same at one offset in the memory of each CTA that a mask names: in no order, as elements of a
// vector are.
static void change_in_ctas(struct thread_builder *thread, const struct access_shape *shape,
                           enum mbarrier_kind kind, const struct mbarrier_change *change,
                           unsigned mask) {
    struct program *program = thread->builder->program;
    size_t first = program->event_count;
    unsigned position = thread->position;
    uint64_t ranks;
    if (!multicast_find_ranks(thread, shape->instruction, mask, &ranks))
        return;
    for (unsigned rank = 0; ranks >> rank != 0; rank++) {
        struct access_shape there = *shape;
        if ((ranks >> rank & 1) == 0)
            continue;
        there.address = window_in_rank(thread, shape->instruction, shape->address, rank);
        change_state(thread, &there, kind, change);
    }
    for (size_t i = first; i < program->event_count; i++)
        program->events[i].position = position;
    thread->position = position + 1;
}

// --- Instructions ------------------------------------------------------------------------------

// A write of its own: nothing of what was there before counts. `value` says what the state depends
// on.
static void set_state(struct thread_builder *thread, const struct instruction *instruction,
                      enum mbarrier_kind kind, struct mbarrier_fields state, struct value value,
                      const struct expr *undefined) {
    struct builder *builder = thread->builder;
    struct access_shape shape = access_shape_of(thread, instruction);
    value.bits = put_together(builder->pool, state);
    check_others(thread, &shape);
    struct event *write = access_add_write(thread, &shape, (struct access){0, 1}, value);
    thread->position++;
    if (write == NULL)
        return;
    struct event_mbarrier *mbarrier = mark(builder, write, kind);
    mbarrier->phase = state.phase;
    mbarrier->undefined = undefined;
}

static struct mbarrier_fields state_of_count(struct expr_pool *pool, const struct expr *pending,
                                             bool is_v1, bool live) {
    return (struct mbarrier_fields){pending,
                                    pending,
                                    number(pool, MBARRIER_TX_BITS, 0),
                                    number(pool, MBARRIER_PHASE_BITS, 0),
                                    expr_bool(pool, is_v1),
                                    expr_bool(pool, live),
                                    expr_bool(pool, false)};
}

void mbarrier_init(struct thread_builder *thread, const struct instruction *instruction) {
    struct expr_pool *pool = thread->builder->pool;
    struct value count;
    const struct expr *pending;
    if (!check_place(thread, instruction) || !count_operand(thread, instruction, 1, 1, &count) ||
        !take_count(thread, instruction, count, &pending))
        return;
    bool is_v1 = instruction->is_layout_v1;
    const struct expr *undefined = expr_eq(pool, count.bits, number(pool, 32, 0));
    if (is_v1)
        undefined = expr_or(
            pool, undefined,
            expr_binary(pool, EXPR_ULT, number(pool, 32, MBARRIER_V1_COUNT_MAX), count.bits));
    set_state(thread, instruction, MBARRIER_KIND_INIT, state_of_count(pool, pending, is_v1, true),
              count, undefined);
}

void mbarrier_inval(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    const struct expr *none = number(builder->pool, MBARRIER_COUNT_BITS, 0);
    if (check_place(thread, instruction))
        set_state(thread, instruction, MBARRIER_KIND_INVAL,
                  state_of_count(builder->pool, none, false, false),
                  program_value_const(builder, 64, (struct bits128){0}), builder->never);
}

static const struct expr *negated(struct expr_pool *pool, const struct expr *tx) {
    return expr_binary(pool, EXPR_SUB, number(pool, tx->width, 0), tx);
}

// mbarrier.expect_tx and mbarrier.complete_tx: no arrival.
void mbarrier_tx(struct thread_builder *thread, const struct instruction *instruction) {
    struct expr_pool *pool = thread->builder->pool;
    struct value count;
    if (!check_place(thread, instruction) || !count_operand(thread, instruction, 1, 0, &count))
        return;
    const struct expr *none = number(pool, MBARRIER_COUNT_BITS, 0);
    const struct expr *tx = expr_resize(pool, count.bits, 33, false);
    bool expects = instruction->opcode == OP_MBARRIER_EXPECT_TX;
    struct mbarrier_change change = {none, none,  expects ? tx : negated(pool, tx),
                                     true, false, count};
    struct access_shape shape = access_shape_of(thread, instruction);
    if (instruction_is_multicast(instruction))
        change_in_ctas(thread, &shape, MBARRIER_KIND_TX, &change, 2);
    else
        change_state(thread, &shape, MBARRIER_KIND_TX, &change);
}

static bool is_drop(enum opcode opcode) {
    return opcode == OP_MBARRIER_DROP || opcode == OP_MBARRIER_DROP_EXPECT_TX ||
           opcode == OP_MBARRIER_DROP_NO_COMPLETE;
}

static bool expects_tx(enum opcode opcode) {
    return opcode == OP_MBARRIER_ARRIVE_EXPECT_TX || opcode == OP_MBARRIER_DROP_EXPECT_TX;
}

static bool may_complete(enum opcode opcode) {
    return opcode != OP_MBARRIER_ARRIVE_NO_COMPLETE && opcode != OP_MBARRIER_DROP_NO_COMPLETE;
}

// The shape of the object at an operand [m].
struct access_shape mbarrier_shape(struct thread_builder *thread,
                                   const struct instruction *instruction,
                                   const struct operand *object, enum state_space space) {
    return (struct access_shape){.instruction = instruction,
                                 .address = access_address(thread, object, space),
                                 .bits = 64,
                                 .is_signed = false};
}

void mbarrier_raise(struct thread_builder *thread, const struct instruction *instruction,
                    const struct operand *object) {
    struct expr_pool *pool = thread->builder->pool;
    const struct expr *none = number(pool, MBARRIER_COUNT_BITS, 0);
    struct mbarrier_change change = {none, none, number(pool, 33, 0), true, true, {0}};
    struct access_shape shape = mbarrier_shape(thread, instruction, object, instruction->space);
    change_state(thread, &shape, MBARRIER_KIND_RAISE, &change);
}

void mbarrier_complete(struct thread_builder *thread, const struct access_shape *shape,
                       unsigned arrivals, uint64_t bytes) {
    struct expr_pool *pool = thread->builder->pool;
    const struct expr *none = number(pool, MBARRIER_COUNT_BITS, 0);
    struct mbarrier_change change = {number(pool, MBARRIER_COUNT_BITS, arrivals),
                                     none,
                                     negated(pool, number(pool, 33, bytes)),
                                     true,
                                     false,
                                     {0}};
    change_state(thread, shape, MBARRIER_KIND_COMPLETE, &change);
}

// All forms of mbarrier.arrive and mbarrier.arrive_drop.
void mbarrier_arrive(struct thread_builder *thread, const struct instruction *instruction) {
    struct expr_pool *pool = thread->builder->pool;
    enum opcode opcode = instruction->opcode;
    bool expects = expects_tx(opcode);
    struct value operand,
        one = program_value_const(thread->builder, 32, (struct bits128){.low = 1});
    if (!check_place(thread, instruction) || !count_operand(thread, instruction, 2, 1, &operand))
        return;
    const struct expr *arrives, *none = number(pool, MBARRIER_COUNT_BITS, 0);
    if (!take_count(thread, instruction, expects ? one : operand, &arrives))
        return;
    const struct expr *tx =
        expects ? expr_resize(pool, operand.bits, 33, false) : number(pool, 33, 0);
    struct mbarrier_change change = {
        arrives, is_drop(opcode) ? arrives : none, tx, may_complete(opcode), false, operand};
    struct access_shape shape = access_shape_of(thread, instruction);
    if (instruction_is_multicast(instruction)) {
        change_in_ctas(thread, &shape, MBARRIER_KIND_ARRIVE, &change, 3);
        return;
    }
    size_t first = thread->builder->program->event_count;
    struct value state = change_state(thread, &shape, MBARRIER_KIND_ARRIVE, &change);
    struct program *program = thread->builder->program;
    if (program->event_count != first + 2)
        return;
    struct event_mbarrier *arrival = program->events[first + 1].mbarrier;
    arrival->undefined = expr_or(pool, arrival->undefined, expr_eq(pool, arrives, none));
    arrival->number = ++thread->builder->state_count;
    state.bits = make_token(pool, state.bits, !change.may_complete, arrival->number);
    thread_write(thread, &instruction->operands[0], state, false);
}

// The phase that a wait asks for is the one that is going on, or the one before, which is complete.
static const struct expr *is_complete(struct expr_pool *pool, const struct instruction *instruction,
                                      const struct expr *phase, const struct expr *asked,
                                      const struct expr **undefined) {
    if (opcode_has(instruction->opcode, TRAIT_PARITY)) {
        assert(asked->width == 32);
        *undefined = expr_binary(pool, EXPR_ULT, number(pool, 32, 1), asked);
        return expr_not(
            pool, expr_eq(pool, expr_extract(pool, phase, 0, 1), expr_extract(pool, asked, 0, 1)));
    }
    const struct expr *wanted = read_token(pool, asked).phase;
    const struct expr *one = number(pool, MBARRIER_PHASE_BITS, 1);
    *undefined = expr_binary(pool, EXPR_ULT, one, expr_binary(pool, EXPR_SUB, phase, wanted));
    return expr_not(pool, expr_eq(pool, phase, wanted));
}

// The payload report of the phase: no operation that is modelled reports anything, so that it is
// zero. "When waitComplete is False", it is not specified (PTX ISA 9.7.15.16.19 of 9.4).
static void write_report(struct thread_builder *thread, const struct instruction *instruction,
                         struct value complete) {
    struct builder *builder = thread->builder;
    const struct operand *results = &instruction->operands[0];
    for (size_t i = 1; i < results->element_count; i++) {
        unsigned width = i == 1 ? 1 : 8;
        struct value report = complete;
        report.bits = expr_const_u64(builder->pool, width, 0);
        report = program_value_choose(builder, complete.bits, report,
                                      program_value_unknown(builder, width));
        thread_write(thread, &results->elements[i], report, false);
    }
}

// mbarrier.test_wait and mbarrier.try_wait: when a thread that is suspended goes on is left open by
// PTX, so that the two are the same. Primary and conditional phases are complete together where
// nothing is reported.
void mbarrier_wait(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    bool parity = opcode_has(instruction->opcode, TRAIT_PARITY);
    if (!check_place(thread, instruction))
        return;
    struct access_shape shape = access_shape_of(thread, instruction);
    struct value asked = thread_operand(thread, &instruction->operands[2], parity ? 32 : 64, false);
    struct value now;
    struct event *read = add_read(thread, &shape, MBARRIER_KIND_WAIT, &now);
    if (read == NULL)
        return;
    struct event_mbarrier *mbarrier = read->mbarrier;
    mbarrier->asked = asked.bits;
    mbarrier->passed =
        is_complete(builder->pool, instruction, mbarrier->phase, asked.bits, &mbarrier->undefined);
    struct value result = program_value_of(builder, mbarrier->passed, now, asked);
    const struct operand *results = &instruction->operands[0];
    if (results->kind == OPERAND_VECTOR)
        write_report(thread, instruction, result);
    thread_write(thread, operand_element(results, 0), result, false);
}

void mbarrier_check_layout(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    struct value now;
    if (!check_place(thread, instruction))
        return;
    struct access_shape shape = access_shape_of(thread, instruction);
    if (add_read(thread, &shape, MBARRIER_KIND_LOOK, &now) == NULL)
        return;
    const struct expr *is_v1 = take_apart(builder->pool, now.bits).layout;
    const struct expr *matches = instruction->is_layout_v1 ? is_v1 : expr_not(builder->pool, is_v1);
    thread_write(thread, &instruction->operands[0], program_value_of(builder, matches, now, now),
                 false);
}

static bool makes_layout_v1(const struct instruction *instruction) {
    return instruction->opcode == OP_MBARRIER_INIT && instruction->is_layout_v1;
}

// The pending count that the operation has found whose state this is: there is no form for
// .layout::v1, of whose states nothing is known. The state "must be the result of a prior"
// operation with .noComplete (PTX ISA 9.7.13.15.17).
void mbarrier_pending_count(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    struct value state = thread_operand(thread, &instruction->operands[1], 64, false);
    struct mbarrier_token token = read_token(builder->pool, state.bits);
    const struct expr *bits = expr_resize(builder->pool, token.pending, 32, false);
    thread_add_precondition(thread, instruction, expr_not(builder->pool, token.no_complete));
    struct value count = program_value_of(builder, bits, state, state);
    if (left_mbarriers_join_any(builder)) { // the state counts threads of the test alone
        count = program_value_unknown(builder, 32);
        count.dependencies = state.dependencies;
    }
    if (test_has_instruction(builder->test, makes_layout_v1))
        count =
            program_value_choose(builder, token.layout, program_value_unknown(builder, 32), count);
    thread_write(thread, &instruction->operands[0], count, false);
}

// --- Phases ------------------------------------------------------------------------------------

// Whether an operation is an arrival, or several, and not of transactions alone.
static bool arrives(const struct event *event) {
    enum opcode opcode = event->instruction->opcode;
    return event->kind == EVENT_WRITE &&
           (event_is_mbarrier(event, MBARRIER_KIND_ARRIVE) ||
            (event_is_mbarrier(event, MBARRIER_KIND_COMPLETE) &&
             opcode_has(opcode, TRAIT_SIGNALS) && !opcode_has(opcode, TRAIT_STARTS)));
}

bool mbarrier_has_state(struct expr_pool *pool, const struct event *wait,
                        const struct event *arrival) {
    const struct expr *given = read_token(pool, wait->mbarrier->asked).number;
    return expr_is_const(given) && given->value.low != 0 &&
           given->value.low == arrival->mbarrier->number;
}

// The arrivals whose state a wait may be given.
static void find_states(struct builder *builder, struct event *wait) {
    struct program *program = builder->program;
    if (opcode_has(wait->instruction->opcode, TRAIT_PARITY))
        return;
    const struct expr *given = read_token(builder->pool, wait->mbarrier->asked).number;
    for (size_t a = program->init_count; a < program->event_count; a++) {
        const struct event *event = &program->events[a];
        if (event->mbarrier != NULL && event->mbarrier->number != 0)
            dependencies_add(
                builder, &wait->mbarrier->states, event->id,
                expr_eq(builder->pool, given,
                        number(builder->pool, TOKEN_NUMBER_BITS, event->mbarrier->number)));
    }
}

// Whether a phase is complete only with a write: that of an arrival, of a completion, or of an
// operation that counts transactions.
static bool signals(const struct event *event) {
    return event->kind == EVENT_WRITE && (event_is_mbarrier(event, MBARRIER_KIND_ARRIVE) ||
                                          event_is_mbarrier(event, MBARRIER_KIND_COMPLETE) ||
                                          event_is_mbarrier(event, MBARRIER_KIND_TX));
}

// What a wait finds complete, and the arrivals that are in the phase after that.
static void relate_wait(struct builder *builder, struct event *wait) {
    struct program *program = builder->program;
    struct expr_pool *pool = builder->pool;
    struct event_mbarrier *found = wait->mbarrier;
    for (size_t a = program->init_count; a < program->event_count; a++) {
        struct event *event = &program->events[a];
        if (!signals(event))
            continue;
        const struct expr *phase = event->mbarrier->phase;
        const struct expr *next =
            expr_binary(pool, EXPR_ADD, phase, number(pool, MBARRIER_PHASE_BITS, 1));
        dependencies_add(builder, &found->phases, event->id,
                         expr_and(pool, found->passed, expr_eq(pool, next, found->phase)));
        if (arrives(event) && !left_mbarriers_wait(builder, event->address))
            dependencies_add(builder, &event->mbarrier->waited, wait->id,
                             expr_and(pool, found->passed, expr_eq(pool, phase, found->phase)));
    }
}

void mbarriers_find_phases(struct builder *builder) {
    struct program *program = builder->program;
    const struct expr *first = number(builder->pool, MBARRIER_PHASE_BITS, 0);
    for (size_t i = program->init_count; i < program->event_count; i++) {
        struct event *event = &program->events[i];
        if (event_is_mbarrier(event, MBARRIER_KIND_WAIT)) {
            relate_wait(builder, event);
            find_states(builder, event);
        } else if (arrives(event) && left_mbarriers_wait(builder, event->address))
            event->mbarrier->others_wait = true;
        else if (arrives(event))
            dependencies_add(
                builder, &event->mbarrier->waited, event->id,
                expr_not(builder->pool, expr_eq(builder->pool, event->mbarrier->phase, first)));
    }
}
