// Exchange between lanes of a warp, in the interpreter of one thread.
#include "tests/oracle/thread_internal.h"
#include "tests/oracle/warp.h"

// --- Lanes --------------------------------------------------------------------------------------

unsigned warp_lane(const struct test *test, int thread) {
    unsigned number = 0;
    for (int i = 0; i < thread; i++)
        number += test_same_cta(&test->threads[i].place, &test->threads[thread].place);
    return number % LANES;
}

uint32_t warp_lanes(const struct test *test, int thread) {
    unsigned number = 0, first = 0;
    uint32_t lanes = 0;
    for (int i = 0; i < thread; i++)
        first += test_same_cta(&test->threads[i].place, &test->threads[thread].place);
    first -= first % LANES;
    for (size_t i = 0; i < test->thread_count; i++) {
        if (!test_same_cta(&test->threads[i].place, &test->threads[thread].place))
            continue;
        if (number >= first && number < first + LANES)
            lanes |= UINT32_C(1) << (number - first);
        number++;
    }
    return lanes;
}

// --- Results ------------------------------------------------------------------------------------

static bool is_shfl(const struct instruction *at) {
    return at->warp >= WARP_SHFL_UP && at->warp <= WARP_SHFL_IDX;
}

static bool loads_matrices(const struct instruction *at) {
    return at->warp == WARP_LDMATRIX || at->warp == WARP_LDMATRIX_TRANS;
}

static bool stores_matrices(const struct instruction *at) {
    return at->warp == WARP_STMATRIX || at->warp == WARP_STMATRIX_TRANS;
}

static bool has_matrices(const struct instruction *at) {
    return loads_matrices(at) || stores_matrices(at) || at->warp == WARP_MOVMATRIX;
}

unsigned warp_width(const struct instruction *at) {
    if (has_matrices(at))
        return stores_matrices(at) ? 128 : 32 * at->matrix.columns;
    switch (at->warp) {
    case WARP_VOTE_ALL:
    case WARP_VOTE_ANY:
    case WARP_VOTE_UNI:
    case WARP_MATCH_ALL: return 1;
    default: return 32;
    }
}

unsigned warp_given_width(const struct instruction *at) {
    bool votes = at->warp >= WARP_VOTE_ALL && at->warp <= WARP_VOTE_BALLOT;
    if (has_matrices(at))
        return loads_matrices(at) ? 128 : 32 * at->matrix.columns;
    return votes ? 1 : scalar_type_bits(at->type);
}

static uint32_t combine_two(const struct instruction *at, uint32_t a, uint32_t b) {
    bool is_signed = scalar_type_is_signed(at->type);
    bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;
    switch (at->atomic) {
    case ATOMIC_ADD: return a + b;
    case ATOMIC_MIN: return less ? a : b;
    case ATOMIC_MAX: return less ? b : a;
    case ATOMIC_AND: return a & b;
    case ATOMIC_OR: return a | b;
    default: return a ^ b;
    }
}

// --- Matrices -----------------------------------------------------------------------------------

// "Each matrix element holds 16-bit data", and a matrix has 8 rows and 8 columns (PTX ISA
// 9.7.14.5.15).
enum { SIDE = 8, ELEMENT = 16 };
struct matrices {
    struct value element[4][SIDE][SIDE]; // by matrix, row and column
};

// Of what a lane gives: the row of one matrix, or of each one the two elements that it holds.
static void put_part(struct matrices *all, const struct instruction *at, unsigned lane,
                     struct value given) {
    for (unsigned c = 0; loads_matrices(at) && c < SIDE; c++)
        all->element[lane / SIDE][lane % SIDE][c] = value_slice(given, ELEMENT * c, ELEMENT);
    for (unsigned m = 0; !loads_matrices(at) && m < at->matrix.columns; m++)
        for (unsigned half = 0; half < 2; half++)
            all->element[m][lane / 4][2 * (lane % 4) + half] =
                value_slice(given, 32 * m + ELEMENT * half, ELEMENT);
}

static struct value matrix_result(const struct instruction *at, unsigned own,
                                  const struct warp_part *parts, unsigned count) {
    bool transposes = at->warp == WARP_LDMATRIX_TRANS || at->warp == WARP_STMATRIX_TRANS ||
                      at->warp == WARP_MOVMATRIX;
    struct matrices all;
    struct value result = value_known(0, 128);
    for (unsigned m = 0; m < 4; m++)
        for (unsigned r = 0; r < SIDE; r++)
            for (unsigned c = 0; c < SIDE; c++)
                all.element[m][r][c] = value_unknown(ELEMENT);
    for (unsigned i = 0; i < count; i++)
        put_part(&all, at, parts[i].lane, parts[i].value);
    if (stores_matrices(at) && own / SIDE >= at->matrix.columns)
        return value_unknown(128);
    for (unsigned i = 0; i < warp_width(at) / ELEMENT; i++) {
        unsigned m = stores_matrices(at) ? own / SIDE : i / 2;
        unsigned r = stores_matrices(at) ? own % SIDE : own / 4;
        unsigned c = stores_matrices(at) ? i : 2 * (own % 4) + i % 2;
        result = value_join(result, ELEMENT * i,
                            transposes ? all.element[m][c][r] : all.element[m][r][c]);
    }
    return result;
}

bool warp_takes(const struct step *wait, unsigned own, unsigned lane) {
    struct warp_part part = {lane, value_known(0, 128)};
    if (!has_matrices(wait->at))
        return !is_shfl(wait->at) || lane == wait->lane;
    return !value_equal(matrix_result(wait->at, own, &part, 1),
                        matrix_result(wait->at, own, &part, 0));
}

struct value warp_result(const struct step *wait, unsigned own, const struct warp_part *parts,
                         unsigned count) {
    const struct instruction *at = wait->at;
    if (has_matrices(at))
        return matrix_result(at, own, parts, count);
    bool all = true, any = false, same = true, is_first = true;
    uint32_t votes = 0, matches = 0, reduced = 0;
    u128 mine = 0;
    for (unsigned i = 0; i < count; i++)
        mine = parts[i].lane == own ? parts[i].value.bits : mine;
    for (unsigned i = 0; i < count; i++) {
        u128 given = parts[i].value.bits;
        if (is_shfl(at) && parts[i].lane == wait->lane)
            return parts[i].value;
        all = all && given;
        any = any || given;
        same = same && given == mine;
        votes |= given ? UINT32_C(1) << parts[i].lane : 0;
        matches |= given == mine ? UINT32_C(1) << parts[i].lane : 0;
        reduced = is_first ? (uint32_t)given : combine_two(at, reduced, (uint32_t)given);
        is_first = false;
    }
    switch (at->warp) {
    case WARP_VOTE_ALL: return value_known(all, 1);
    case WARP_VOTE_ANY: return value_known(any, 1);
    case WARP_VOTE_UNI:
    case WARP_MATCH_ALL: return value_known(same, 1);
    case WARP_VOTE_BALLOT: return value_known(votes, 32);
    case WARP_MATCH_ANY: return value_known(matches, 32);
    case WARP_REDUX: return value_known(reduced, 32);
    default: return value_unknown(32); // shfl from a lane that is not there
    }
}

// --- Instructions -------------------------------------------------------------------------------

// "lane[4:0] = [Thread]; bval = b[4:0]; cval = c[4:0]; segmask = c[12:8]; maxLane = (lane &
// segmask) | (cval & ~segmask); minLane = (lane & segmask)". Returns the lane that is copied from.
static unsigned source_lane(enum warp_op mode, unsigned lane, unsigned b, unsigned c,
                            bool *in_range) {
    unsigned bval = b & 31, cval = c & 31, segmask = c >> 8 & 31;
    int max_lane = (int)((lane & segmask) | (cval & ~segmask & 31)), from;
    switch (mode) {
    case WARP_SHFL_UP: from = (int)lane - (int)bval; break;
    case WARP_SHFL_DOWN: from = (int)(lane + bval); break;
    case WARP_SHFL_BFLY: from = (int)(lane ^ bval); break;
    default: from = (int)((lane & segmask) | (bval & ~segmask & 31)); break;
    }
    *in_range = mode == WARP_SHFL_UP ? from >= max_lane : from <= max_lane;
    return *in_range ? (unsigned)from : lane;
}

static struct step *add_lane_step(struct machine *machine, const struct instruction *at,
                                  uint64_t mask, bool arrives) {
    int index = machine_step(machine, at, ACTION_BARRIER);
    if (index < 0)
        return NULL;
    struct step *step = &machine->path->steps[index];
    // "the same qualifiers and the same membermask"
    uint64_t kind =
        (uint64_t)at->warp +
        32 * ((uint64_t)at->atomic + 32 * ((uint64_t)at->type + 32 * (uint64_t)at->matrix.columns));
    step->exchanges = true;
    step->barrier = BARRIER_WARP_SYNC;
    step->id = kind << 32 | mask;
    step->arrives = arrives;
    step->waits = !arrives;
    step->element = !arrives;
    return step;
}

// The destination of an instruction, and the predicate beside it.
static void set_results(struct machine *machine, const struct instruction *at,
                        struct content result, struct content beside) {
    const struct operand *to = &at->operands[0];
    if (to->kind != OPERAND_VECTOR) {
        machine_set(machine, to, result, TRUE_NOW);
        return;
    }
    for (unsigned i = 0; has_matrices(at) && i < to->element_count; i++) {
        struct content part = {value_slice(result.value, 32 * i, 32), result.sources};
        machine_set(machine, &to->elements[i], part, TRUE_NOW);
    }
    if (has_matrices(at))
        return;
    machine_set(machine, &to->elements[0], result, TRUE_NOW);
    machine_set(machine, &to->elements[1], beside, TRUE_NOW);
}

// Which lane a wait copies from. Returns false, with the path stopped, when it is not known.
static bool find_lane(struct machine *machine, const struct instruction *at, unsigned own,
                      unsigned *lane, struct content *in_range) {
    uint64_t b = 0, c = 0;
    bool is_in_range = true;
    *lane = own;
    *in_range = (struct content){value_known(1, 1), 0};
    if (!is_shfl(at))
        return true;
    if (!machine_number(machine, &at->operands[2], &b) ||
        !machine_number(machine, &at->operands[3], &c))
        return false;
    *lane = source_lane(at->warp, own, (unsigned)b, (unsigned)c, &is_in_range);
    *in_range = (struct content){value_known(is_in_range, 1),
                                 machine_source(machine, &at->operands[2], 32).sources |
                                     machine_source(machine, &at->operands[3], 32).sources};
    return true;
}

// Meets the other lanes, to which it gives a value.
static void meet_lanes(struct machine *machine, const struct instruction *at, uint64_t mask,
                       unsigned lane, struct content given, struct content in_range) {
    struct value passes, result;
    struct step *arrival = add_lane_step(machine, at, mask, true);
    if (!arrival)
        return;
    arrival->value = given.value;
    arrival->sources |= given.sources;
    int before = (int)machine->path->count - 1;
    struct step *wait = add_lane_step(machine, at, mask, false);
    if (!wait)
        return;
    wait->arrival = before;
    wait->lane = lane;
    wait->sources |= in_range.sources;
    if (!machine_ask(machine, ASK_PASS, &passes))
        return;
    wait->passes = passes.bits != 0;
    if (!wait->passes) {
        machine_stop(machine, PATH_BLOCKED);
        return;
    }
    if (!machine_ask(machine, ASK_REDUCED, &result))
        return;
    wait->value = result;
    uint64_t source = bit((unsigned)before + 1);
    struct content content = {result, source}, beside = in_range;
    if (at->warp == WARP_ELECT)
        beside.value =
            value_known(result.bits == warp_lane(machine->memory->test, machine->thread), 1);
    if (at->warp == WARP_MATCH_ALL) {
        beside = content;
        content.value = value_known(result.bits ? mask : 0, 32);
    }
    set_results(machine, at, content, beside);
}

// What a lane gives: an operand, or several registers, the first one lowest.
static struct content given_by(struct machine *machine, const struct instruction *at) {
    const struct operand *from = &at->operands[1];
    struct content all = {value_known(0, 128), 0};
    if (from->kind != OPERAND_VECTOR)
        return machine_source(machine, from, warp_given_width(at));
    for (unsigned i = 0; i < from->element_count; i++) {
        struct content part = machine_source(machine, &from->elements[i], 32);
        all.value = value_join(all.value, 32 * i, part.value);
        all.sources |= part.sources;
    }
    return all;
}

void thread_warp(struct machine *machine, const struct instruction *at) {
    const struct test *test = machine->memory->test;
    unsigned own = warp_lane(test, machine->thread), lane;
    uint64_t mask;
    struct content in_range;
    if (at->warp == WARP_ACTIVEMASK) {
        machine_stop(machine, PATH_UNKNOWN); // any lanes
        return;
    }
    if (!machine_number(machine, &at->operands[at->operand_count - 1], &mask))
        return;
    // "The behavior is undefined if the executing thread is not in the membermask."
    if (!(mask >> own & 1)) {
        bool decides =
            at->warp == WARP_VOTE_ALL || at->warp == WARP_VOTE_ANY || at->warp == WARP_VOTE_UNI;
        struct content any = {value_unknown(decides ? 1 : 32), 0}, beside = {value_unknown(1), 0};
        machine->path->broken |= BROKEN_MASK;
        set_results(machine, at, any, beside);
        return;
    }
    mask &= warp_lanes(test, machine->thread);
    struct content given = {value_known(0, 32), 0}; // to an election
    if (at->warp != WARP_ELECT)
        given = given_by(machine, at);
    bool moves = is_shfl(at) || has_matrices(at);
    if (!value_is_known(given.value) && !moves) {
        machine_stop(machine, PATH_UNKNOWN);
        return;
    }
    if (find_lane(machine, at, own, &lane, &in_range))
        meet_lanes(machine, at, mask, lane, given, in_range);
}
