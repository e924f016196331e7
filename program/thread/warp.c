// What lanes of a warp do with each other's values: shfl, vote, match, redux, elect, activemask
// (PTX ISA 9.7.9.6, 9.7.13.9 to 9.7.13.14). None of them orders memory.
//
// A warp is 32 threads of a CTA by their numbers. Those that are .sync wait until all lanes of the
// mask that have not exited are there: an arrival and a wait, whose phase decides whose values are
// combined. Where a launch leaves out lanes of the mask, these are taken to come, and left_lanes.c
// says what they give.

#include "program/barrier/barriers.h"
#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/left_out.h"
#include "program/thread/access.h"
#include "program/thread/others.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"
#include "program/thread/warp.h"

#include <assert.h>

enum { WARP_SIZE = 32 };

// The lanes of a thread's warp, as bits.
struct lanes {
    unsigned own;                // its number
    uint32_t existing, modelled; // those that the CTA has; of these, threads of the test
};

static uint32_t first_lanes(unsigned count) {
    return count >= WARP_SIZE ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

static bool is_one(uint32_t lanes) {
    return lanes != 0 && (lanes & (lanes - 1)) == 0;
}

static struct lanes lanes_of(const struct thread_builder *thread) {
    const struct builder *builder = thread->builder;
    unsigned number = builder->cta_number[thread->index], threads = 0;
    unsigned first = number - number % WARP_SIZE;
    struct lanes lanes = {.own = number - first};
    for (size_t t = 0; t < builder->test->thread_count; t++) {
        if (builder->cta_leader[t] != builder->cta_leader[thread->index])
            continue;
        threads++;
        if (builder->cta_number[t] - first < WARP_SIZE)
            lanes.modelled |= UINT32_C(1) << (builder->cta_number[t] - first);
    }
    if (thread->thread->launch != NULL)
        threads = launch_block_size(thread->thread->launch);
    lanes.existing = first_lanes(threads - first);
    return lanes;
}

static bool defines(const struct instruction *instruction, int reg) {
    const struct operand *operand = &instruction->operands[0];
    if (!instruction_defines(instruction))
        return false;
    for (unsigned i = 0; i < operand_length(operand); i++)
        if (operand_element(operand, i)->kind == OPERAND_REGISTER &&
            operand_element(operand, i)->reg == reg)
            return true;
    return false;
}

// The mask that an operand is, as the text shows: a constant, or a register that is only ever given
// one. All lanes where that is not known.
static uint32_t mask_in_text(const struct thread *thread, const struct operand *mask) {
    const struct operand *found = mask->kind == OPERAND_IMMEDIATE ? mask : NULL;
    for (size_t i = 0; mask->kind == OPERAND_REGISTER && i < thread->instruction_count; i++) {
        const struct instruction *instruction = &thread->instructions[i];
        if (!defines(instruction, mask->reg))
            continue;
        const struct operand *source = &instruction->operands[1];
        if (instruction->opcode != OP_MOV || instruction->operand_count != 2 ||
            source->kind != OPERAND_IMMEDIATE ||
            (found != NULL && found->immediate.low != source->immediate.low))
            return UINT32_MAX;
        found = source;
    }
    return found == NULL ? UINT32_MAX : (uint32_t)found->immediate.low;
}

bool warp_meets(const struct thread *thread, const struct instruction *instruction) {
    const struct launch *launch = thread->launch;
    if (instruction->opcode != OP_WARP || instruction->warp == WARP_ACTIVEMASK)
        return false;
    if (launch == NULL)
        return true;
    const struct operand *mask = &instruction->operands[instruction->operand_count - 1];
    unsigned number = launch_number(launch, thread->tid);
    unsigned first = number - number % WARP_SIZE;
    uint32_t lanes = first_lanes(launch_block_size(launch) - first),
             modelled = launch->modelled == NULL ? lanes : 0;
    for (size_t i = 0; launch->modelled != NULL && i < launch->modelled_count; i++)
        if (launch->modelled[i] >= first && launch->modelled[i] - first < WARP_SIZE)
            modelled |= UINT32_C(1) << (launch->modelled[i] - first);
    return !is_one(lanes & modelled & mask_in_text(thread, mask));
}

// --- Operands and results ----------------------------------------------------------------------

static const struct expr *number(const struct builder *builder, uint64_t value) {
    return expr_const_u64(builder->pool, 32, value);
}

// Writes a result, and the predicate beside it, where the instruction has one; NULL: it is not
// known.
static void write_pair(struct thread_builder *thread, const struct instruction *instruction,
                       const struct value *result, const struct value *predicate) {
    const struct operand *operand = &instruction->operands[0];
    struct value value = result ? *result : program_value_unknown(thread->builder, 32);
    thread_write(thread, operand_element(operand, 0), value, false);
    if (operand->kind != OPERAND_VECTOR)
        return;
    value = predicate ? *predicate : program_value_unknown(thread->builder, 1);
    thread_write(thread, &operand->elements[1], value, false);
}

static bool is_vote(const struct instruction *instruction) {
    return instruction->warp >= WARP_VOTE_ALL && instruction->warp <= WARP_VOTE_BALLOT;
}

static bool is_shfl(const struct instruction *instruction) {
    return instruction->warp >= WARP_SHFL_UP && instruction->warp <= WARP_SHFL_IDX;
}

// How many bits the leaf has that other lanes decide.
static unsigned leaf_width(const struct instruction *instruction) {
    if (lanes_is_matrix(instruction))
        return lanes_width(instruction);
    bool bit = is_vote(instruction) ? instruction->warp != WARP_VOTE_BALLOT
                                    : instruction->warp == WARP_MATCH_ALL;
    return bit ? 1 : 32;
}

// --- shfl --------------------------------------------------------------------------------------

// The lane that a shfl copies from, and whether that is in range (PTX ISA 9.7.9.6).
struct source_lane {
    struct value lane, in_range;
};

static const struct expr *lane_in_mode(const struct builder *builder, enum warp_op mode,
                                       const struct expr *own, const struct expr *b,
                                       const struct expr *least, const struct expr *segment) {
    struct expr_pool *pool = builder->pool;
    switch (mode) {
    case WARP_SHFL_UP: return expr_binary(pool, EXPR_SUB, own, b);
    case WARP_SHFL_DOWN: return expr_binary(pool, EXPR_ADD, own, b);
    case WARP_SHFL_BFLY: return expr_binary(pool, EXPR_XOR, own, b);
    default:
        return expr_binary(pool, EXPR_OR, least,
                           expr_binary(pool, EXPR_AND, b, expr_unary(pool, EXPR_NOT, segment)));
    }
}

static struct source_lane find_source(struct thread_builder *thread,
                                      const struct instruction *instruction, unsigned lane) {
    struct builder *builder = thread->builder;
    struct expr_pool *pool = builder->pool;
    struct value b = thread_operand(thread, &instruction->operands[2], 32, false);
    struct value c = thread_operand(thread, &instruction->operands[3], 32, false);
    const struct expr *own = number(builder, lane), *five = number(builder, 31);
    const struct expr *segment =
        expr_binary(pool, EXPR_AND, expr_binary(pool, EXPR_LSHR, c.bits, number(builder, 8)), five);
    const struct expr *clamp = expr_binary(pool, EXPR_AND, c.bits, five);
    const struct expr *least = expr_binary(pool, EXPR_AND, own, segment);
    const struct expr *most =
        expr_binary(pool, EXPR_OR, least,
                    expr_binary(pool, EXPR_AND, clamp, expr_unary(pool, EXPR_NOT, segment)));
    const struct expr *from = lane_in_mode(
        builder, instruction->warp, own, expr_binary(pool, EXPR_AND, b.bits, five), least, segment);
    const struct expr *in_range = instruction->warp == WARP_SHFL_UP
                                      ? expr_binary(pool, EXPR_SLE, most, from)
                                      : expr_binary(pool, EXPR_SLE, from, most);
    return (struct source_lane){
        program_value_of(builder, expr_ite(pool, in_range, from, own), b, c),
        program_value_of(builder, in_range, b, c)};
}

// --- Lanes that are there ----------------------------------------------------------------------

// A bit at the place of a lane.
static const struct expr *bit_at(const struct builder *builder, const struct expr *bit,
                                 unsigned lane) {
    return expr_binary(builder->pool, EXPR_SHL, expr_resize(builder->pool, bit, 32, false),
                       number(builder, lane));
}

static const struct expr *redux_start(const struct builder *builder,
                                      const struct instruction *instruction) {
    bool is_signed = scalar_type_is_signed(instruction->type);
    switch (instruction->atomic) {
    case ATOMIC_MIN: return number(builder, is_signed ? INT32_MAX : UINT32_MAX);
    case ATOMIC_MAX: return number(builder, is_signed ? UINT32_C(1) << 31 : 0);
    case ATOMIC_AND: return number(builder, UINT32_MAX);
    default: return number(builder, 0);
    }
}

static const struct expr *leaf_start(struct builder *builder, const struct event *wait) {
    const struct instruction *instruction = wait->instruction;
    if (is_shfl(instruction) || lanes_is_matrix(instruction)) // from a lane that is not there
        return program_value_unknown(builder, leaf_width(instruction)).bits;
    if (instruction->warp == WARP_REDUX)
        return redux_start(builder, instruction);
    bool all = instruction->warp == WARP_VOTE_ALL || instruction->warp == WARP_VOTE_UNI ||
               instruction->warp == WARP_MATCH_ALL;
    return expr_const_u64(builder->pool, leaf_width(instruction), all);
}

// What has been combined so far, and the value that a lane gives where `there` holds. `own`: the
// value of the thread itself.
static const struct expr *combine(struct builder *builder, const struct event *wait,
                                  const struct expr *so_far, const struct expr *there,
                                  const struct expr *given, unsigned lane, const struct expr *own) {
    struct expr_pool *pool = builder->pool;
    const struct instruction *instruction = wait->instruction;
    switch (instruction->warp) {
    case WARP_VOTE_ALL: return expr_and(pool, so_far, expr_or(pool, expr_not(pool, there), given));
    case WARP_VOTE_ANY: return expr_or(pool, so_far, expr_and(pool, there, given));
    case WARP_VOTE_BALLOT:
        return expr_binary(pool, EXPR_OR, so_far,
                           bit_at(builder, expr_and(pool, there, given), lane));
    case WARP_MATCH_ANY:
        return expr_binary(pool, EXPR_OR, so_far,
                           bit_at(builder, expr_and(pool, there, expr_eq(pool, given, own)), lane));
    case WARP_VOTE_UNI: // all are as the thread itself
    case WARP_MATCH_ALL:
        return expr_and(pool, so_far,
                        expr_or(pool, expr_not(pool, there), expr_eq(pool, given, own)));
    case WARP_REDUX:
        return expr_ite(pool, there,
                        atomic_result(pool, instruction->atomic,
                                      scalar_type_is_signed(instruction->type), so_far, given,
                                      NULL),
                        so_far);
    default: return expr_ite(pool, there, given, so_far); // shfl
    }
}

// One more lane's part in what a wait returns, where `there` says that it meets the others. What a
// shfl takes from a lane that is not there is not known.
static void add_part(struct builder *builder, const struct event *wait, const struct event *arrival,
                     const struct expr *there) {
    assert(there->width == 1);
    struct expr_pool *pool = builder->pool;
    struct event_barrier *of = wait->barrier;
    const struct expr *own = builder->program->events[of->arrival].barrier->predicate;
    const struct expr *given = arrival->barrier->predicate;
    const struct expr *undef = arrival->barrier->predicate_undef;
    unsigned lane = barrier_lane(builder, arrival->thread);
    if (lanes_is_matrix(wait->instruction)) {
        unsigned to = barrier_lane(builder, wait->thread);
        if (!lanes_gives(wait->instruction, lane, to))
            return;
        of->reduced = lanes_combine(pool, wait->instruction, of->reduced, there, given, lane, to);
        of->reduced_undef =
            expr_or(pool, of->reduced_undef, expr_ite(pool, there, undef, builder->always));
        return;
    }
    if (of->lane != NULL)
        there = expr_and(pool, there, expr_eq(pool, of->lane, number(builder, lane)));
    of->reduced = combine(builder, wait, of->reduced, there, given, lane, own);
    of->reduced_undef = of->lane != NULL
                            ? expr_ite(pool, there, undef, of->reduced_undef)
                            : expr_or(pool, of->reduced_undef, expr_and(pool, there, undef));
}

static void start_parts(struct builder *builder, const struct event *wait) {
    struct event_barrier *of = wait->barrier;
    of->reduced = leaf_start(builder, wait);
    of->reduced_undef = of->lane != NULL ? builder->always : builder->never;
}

void warp_reduce(struct builder *builder, const struct event *wait, size_t first) {
    const struct program *program = builder->program;
    start_parts(builder, wait);
    size_t count = program->barriers.phase_pair_count - first;
    unsigned *arrivals = ARENA_ARRAY(builder->arena, unsigned, count + 1);
    const struct expr **conditions = ARENA_ARRAY(builder->arena, const struct expr *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct phase_pair *pair = &program->barriers.phase_pairs[first + i];
        bool always = wait->barrier->lane != NULL && barrier_always_meets(builder, pair);
        arrivals[i] = pair->arrival;
        conditions[i] = always
                            ? builder->always
                            : expr_leaf(builder->pool, EXPR_PHASE_PAIR, 1, (unsigned)(first + i));
        add_part(builder, wait, &program->events[pair->arrival], conditions[i]);
    }
    left_lanes_reduce(builder, wait, arrivals, conditions, count);
}

void warp_reduce_all(struct builder *builder, const struct event *wait, const unsigned *arrivals,
                     size_t count) {
    start_parts(builder, wait);
    for (size_t i = 0; i < count; i++)
        add_part(builder, wait, &builder->program->events[arrivals[i]], builder->always);
    left_lanes_reduce(builder, wait, arrivals, &builder->always, 1); // the first is always there
}

// Tells operations apart that do not meet: one for each kind, type and operation.
static int instance_of(const struct instruction *instruction) {
    int matrices = lanes_is_matrix(instruction) ? (int)instruction->matrix.columns : 0;
    return (int)instruction->warp +
           32 * ((int)instruction->atomic + 32 * ((int)instruction->type + 32 * matrices));
}

// Meets the other lanes, and returns what they give.
static struct value exchange(struct thread_builder *thread, const struct instruction *instruction,
                             const struct expr *mask, struct value given, const struct value *lane,
                             struct left_lanes *others) {
    struct builder *builder = thread->builder;
    unsigned width = leaf_width(instruction);
    struct event *wait =
        barrier_exchange(thread, instruction, mask, instance_of(instruction), &given, others);
    if (wait == NULL)
        return program_value_const(builder, width, (struct bits128){0});
    struct value value = {.bits = expr_leaf(builder->pool, EXPR_REDUCED, width, wait->id),
                          .undef = builder->never,
                          .dependencies = dependencies_of_read(builder, wait->id)};
    if (builder->tracks_undef)
        value.undef = expr_leaf(builder->pool, EXPR_REDUCED_UNDEF, 1, wait->id);
    wait->barrier->result = value.bits;
    wait->barrier->result_undef = value.undef;
    if (lane == NULL)
        return value;
    wait->barrier->lane = lane->bits;
    value.dependencies = dependencies_union(builder, value.dependencies, lane->dependencies);
    return value;
}

// --- Lanes that are not ------------------------------------------------------------------------

// What a thread knows of a result to which lanes give values that are not known.
static struct value guess(struct thread_builder *thread, const struct instruction *instruction,
                          uint32_t others, unsigned own, struct value given) {
    struct builder *builder = thread->builder;
    struct expr_pool *pool = builder->pool;
    struct value any = program_value_unknown(builder, leaf_width(instruction));
    const struct expr *theirs;
    if (lanes_is_matrix(instruction)) // its own part; which registers have others', matrix() sees
        return (struct value){.bits = lanes_combine(pool, instruction, any.bits, builder->always,
                                                    given.bits, own, own),
                              .undef = given.undef,
                              .dependencies = given.dependencies};
    switch (instruction->warp) {
    case WARP_VOTE_ANY:
    case WARP_VOTE_ALL: {
        bool is_any = instruction->warp == WARP_VOTE_ANY;
        const struct expr *bits =
            is_any ? expr_or(pool, given.bits, any.bits) : expr_and(pool, given.bits, any.bits);
        struct value value = program_value_of(builder, bits, given, any);
        value.undef = expr_or(pool, given.undef, is_any ? expr_not(pool, given.bits) : given.bits);
        return value;
    }
    case WARP_VOTE_BALLOT:
    case WARP_MATCH_ANY:
        theirs = expr_binary(pool, EXPR_AND, any.bits, number(builder, others));
        return program_value_of(
            builder,
            expr_binary(pool, EXPR_OR, theirs,
                        bit_at(builder,
                               instruction->warp == WARP_MATCH_ANY ? builder->always : given.bits,
                               own)),
            given, any);
    default: return any;
    }
}

// Lanes that are left out are taken to come to an exchange, and some of them may change what it
// gives.
static void meet_others(struct thread_builder *thread, uint32_t giving) {
    struct builder *builder = thread->builder;
    builder->others.meets_lanes = true;
    builder->others.hears_lanes |= giving != 0;
    if (giving != 0)
        left_out_rely(builder, expr_and(builder->pool, thread->active, thread->unblocked));
}

// What lanes of a mask give that the launch leaves out, to an exchange of those that it names.
// NULL: nothing that could change a result. What a shfl gets from one of them is not known.
static struct left_lanes *others_of(struct thread_builder *thread,
                                    const struct instruction *instruction, uint32_t others) {
    struct builder *builder = thread->builder;
    if (others == 0)
        return NULL;
    uint32_t giving = left_lanes_giving(builder, thread->index, others, instance_of(instruction));
    meet_others(thread, giving);
    return giving == 0 ? NULL : left_lanes_new(builder->arena, giving);
}

// What the lanes of the mask give: all of them are there, or there is one alone, or some are not
// known.
static struct value combined(struct thread_builder *thread, const struct instruction *instruction,
                             const struct lanes *lanes, const struct expr *mask, struct value given,
                             const struct value *lane) {
    struct builder *builder = thread->builder;
    uint32_t own = UINT32_C(1) << lanes->own,
             some = expr_is_const(mask) ? (uint32_t)mask->value.low & lanes->existing
                                        : lanes->existing;
    bool known = expr_is_const(mask) && (some & own) != 0, is_run = builder->plan->only_thread > 0,
         is_matrix = lanes_is_matrix(instruction);
    uint32_t others = some & ~lanes->modelled, giving = some & ~own;
    if (is_run)
        left_lanes_note(builder, instruction, instance_of(instruction), &given);
    if (known && (others == 0 || !(is_run || is_matrix)) && warp_meets(thread->thread, instruction))
        return exchange(thread, instruction, mask, given, lane,
                        others_of(thread, instruction, others));
    if (known && !is_run && !is_matrix && others != 0)
        giving = left_lanes_giving(builder, thread->index, others, instance_of(instruction));
    if (others != 0)
        meet_others(thread, giving);
    if (known && others != 0 && lane != NULL)
        return program_value_choose(builder,
                                    expr_eq(builder->pool, lane->bits, number(builder, lanes->own)),
                                    given, program_value_unknown(builder, 32));
    if (!known || giving != 0 || is_matrix)
        return guess(thread, instruction, giving, lanes->own, given);
    switch (instruction->warp) {
    case WARP_VOTE_UNI:
    case WARP_MATCH_ALL: return program_value_const(builder, 1, (struct bits128){1, 0});
    case WARP_MATCH_ANY: return program_value_const(builder, 32, (struct bits128){own, 0});
    case WARP_VOTE_BALLOT: given.bits = bit_at(builder, given.bits, lanes->own); return given;
    default: return given;
    }
}

// --- elect and activemask ----------------------------------------------------------------------

// "elect causes the executing thread to wait until all threads in the membermask execute the elect
// instruction", and "the election of a leader thread happens deterministically, i.e. the same
// leader thread is elected for the same membermask every time" (PTX ISA 9.7.13.14). Which one that
// is is not known.
static const struct election *find_election(struct builder *builder, int thread, uint32_t mask,
                                            const struct lanes *lanes) {
    int leader = builder->cta_leader[thread];
    unsigned warp = builder->cta_number[thread] / WARP_SIZE;
    struct election *election = builder->elections;
    for (; election != NULL; election = election->next)
        if (election->leader == leader && election->warp == warp && election->mask == mask)
            return election;
    election = ARENA_NEW(builder->arena, struct election);
    *election = (struct election){leader, warp, mask, {0}, NULL, builder->elections};
    builder->elections = election;
    const struct expr *open = builder->always; // none so far
    uint32_t left = mask & lanes->existing;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        uint32_t bit = UINT32_C(1) << lane;
        if ((mask & lanes->modelled & bit) == 0)
            continue;
        left &= ~bit;
        const struct expr *chosen =
            left == 0 ? builder->always : program_value_unknown(builder, 1).bits;
        election->elected[lane] = expr_and(builder->pool, open, chosen);
        open = expr_and(builder->pool, open, expr_not(builder->pool, chosen));
    }
    election->other = program_value_unknown(builder, 32).bits;
    return election;
}

static void elect(struct thread_builder *thread, const struct instruction *instruction,
                  const struct lanes *lanes) {
    struct builder *builder = thread->builder;
    struct value mask = thread_operand(thread, &instruction->operands[1], 32, false);
    if (!expr_is_const(mask.bits) || (mask.bits->value.low >> lanes->own & 1) == 0) {
        write_pair(thread, instruction, NULL, NULL);
        return;
    }
    uint32_t left_out = (uint32_t)mask.bits->value.low & lanes->existing & ~lanes->modelled;
    bool known = left_out == 0 || builder->plan->only_thread == 0;
    if (left_out != 0)
        meet_others(thread, 0);
    if (known && warp_meets(thread->thread, instruction))
        exchange(thread, instruction, mask.bits,
                 program_value_const(builder, 32, (struct bits128){0}), NULL, NULL);
    const struct election *election =
        find_election(builder, thread->index, (uint32_t)mask.bits->value.low, lanes);
    struct value leader = {.bits = election->other, .undef = builder->always},
                 elected = {.bits = election->elected[lanes->own], .undef = builder->never};
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        const struct expr *is_leader = election->elected[lane];
        if (is_leader == NULL)
            continue;
        leader.bits = expr_ite(builder->pool, is_leader, number(builder, lane), leader.bits);
        leader.undef = expr_and(builder->pool, leader.undef, expr_not(builder->pool, is_leader));
    }
    write_pair(thread, instruction, &leader, &elected);
}

// Any lanes may be active besides the thread itself.
static void activemask(struct thread_builder *thread, const struct instruction *instruction,
                       const struct lanes *lanes) {
    struct builder *builder = thread->builder;
    uint32_t own = UINT32_C(1) << lanes->own;
    struct value value = program_value_unknown(builder, 32);
    value.bits =
        expr_binary(builder->pool, EXPR_AND, value.bits, number(builder, lanes->existing & ~own));
    value.bits = expr_binary(builder->pool, EXPR_OR, value.bits, number(builder, own));
    if (lanes->existing == own)
        value.undef = builder->never;
    write_pair(thread, instruction, &value, NULL);
}

// --- All of them -------------------------------------------------------------------------------

// What a lane gives that does not take part is not known.
static void shfl(struct thread_builder *thread, const struct instruction *instruction,
                 const struct lanes *lanes, const struct expr *mask) {
    struct builder *builder = thread->builder;
    struct expr_pool *pool = builder->pool;
    struct value given = thread_operand(thread, &instruction->operands[1], 32, false);
    struct source_lane from = find_source(thread, instruction, lanes->own);
    struct value result = combined(thread, instruction, lanes, mask, given, &from.lane);
    uint32_t some = expr_is_const(mask) ? (uint32_t)mask->value.low & lanes->existing : 0;
    const struct expr *there = builder->never;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        if (some >> lane & 1)
            there = expr_or(pool, there, expr_eq(pool, from.lane.bits, number(builder, lane)));
    struct value open = program_value_unknown(builder, 32);
    result = program_value_choose(builder, there, result, open);
    write_pair(thread, instruction, &result, &from.in_range);
}

// match.all gives the lanes that take part, if they agree.
static void match_all(struct thread_builder *thread, const struct instruction *instruction,
                      const struct lanes *lanes, const struct expr *mask, struct value agree) {
    struct expr_pool *pool = thread->builder->pool;
    const struct expr *some =
        expr_binary(pool, EXPR_AND, mask, number(thread->builder, lanes->existing));
    struct value result = agree;
    result.bits = expr_ite(pool, agree.bits, some, number(thread->builder, 0));
    write_pair(thread, instruction, &result, &agree);
}

// "The behavior is undefined if the executing thread is not in the membermask" (PTX ISA 9.7.9.6,
// 9.7.13.9 to 9.7.13.14).
static void check_mask(struct thread_builder *thread, const struct instruction *instruction,
                       unsigned own) {
    const struct operand *mask = &instruction->operands[instruction->operand_count - 1];
    const struct expr *bits = thread_operand(thread, mask, 32, false).bits;
    struct expr_pool *pool = thread->builder->pool;
    thread_add_precondition(thread, instruction, expr_not(pool, expr_extract(pool, bits, own, 1)));
}

// --- Matrices ----------------------------------------------------------------------------------

// What a lane gives: a row of 128 bits, or its registers, the first one lowest.
static struct value given_to_matrix(struct thread_builder *thread,
                                    const struct instruction *instruction) {
    const struct operand *operand = &instruction->operands[1];
    if (operand->kind != OPERAND_VECTOR && instruction->warp <= WARP_LDMATRIX_TRANS)
        return thread_operand(thread, operand, 128, false);
    struct value all = thread_operand(thread, operand_element(operand, 0), 32, false);
    for (unsigned i = 1; i < operand_length(operand); i++) {
        struct value next = thread_operand(thread, operand_element(operand, i), 32, false);
        all = program_value_of(thread->builder,
                               expr_binary(thread->builder->pool, EXPR_CONCAT, next.bits, all.bits),
                               all, next);
    }
    return all;
}

// The lanes whose parts of a matrix are known to a lane: all that are there, or its own alone where
// some of them are left out.
static uint32_t known_lanes(const struct thread_builder *thread,
                            const struct instruction *instruction, const struct lanes *lanes) {
    bool meets =
        (lanes->existing & ~lanes->modelled) == 0 && warp_meets(thread->thread, instruction);
    return meets ? lanes->existing : UINT32_C(1) << lanes->own;
}

// "The behavior is undefined if [...] any thread in the warp has exited": what would come from a
// lane that is not there is not known.
static void matrix(struct thread_builder *thread, const struct instruction *instruction,
                   const struct lanes *lanes, const struct expr *mask) {
    struct builder *builder = thread->builder;
    const struct operand *target = &instruction->operands[0];
    uint32_t known = known_lanes(thread, instruction, lanes);
    struct value got =
        combined(thread, instruction, lanes, mask, given_to_matrix(thread, instruction), NULL);
    unsigned count = operand_length(target), width = lanes_width(instruction) / count;
    for (unsigned i = 0; i < count; i++) {
        struct value part = got;
        part.bits = expr_extract(builder->pool, got.bits, i * width, width);
        uint32_t from = 0;
        for (unsigned k = 0; k < width / 32; k++)
            from |= lanes_of_register(instruction, lanes->own, i + k);
        if ((from & ~known) != 0)
            part.undef = builder->always;
        thread_write(thread, operand_element(target, i), part, false);
    }
}

void warp_instruction(struct thread_builder *thread, const struct instruction *instruction) {
    struct lanes lanes = lanes_of(thread);
    if (thread->thread->place.host) {
        diag_error(thread->builder->diagnostics, instruction->opcode_span,
                   "a thread of the host is in no warp");
        return;
    }
    if (instruction->warp != WARP_ACTIVEMASK)
        check_mask(thread, instruction, lanes.own);
    if (instruction->warp == WARP_ELECT) {
        elect(thread, instruction, &lanes);
        return;
    }
    if (instruction->warp == WARP_ACTIVEMASK) {
        activemask(thread, instruction, &lanes);
        return;
    }
    unsigned last = instruction->operand_count - 1;
    const struct expr *mask = thread_operand(thread, &instruction->operands[last], 32, false).bits;
    if (is_shfl(instruction)) {
        shfl(thread, instruction, &lanes, mask);
        return;
    }
    if (lanes_is_matrix(instruction)) {
        matrix(thread, instruction, &lanes, mask);
        return;
    }
    unsigned width = is_vote(instruction) ? 1 : scalar_type_bits(instruction->type);
    struct value given = thread_operand(thread, &instruction->operands[1], width, false);
    struct value result = combined(thread, instruction, &lanes, mask, given, NULL);
    if (instruction->warp == WARP_MATCH_ALL)
        match_all(thread, instruction, &lanes, mask, result);
    else
        write_pair(thread, instruction, &result, NULL);
}
