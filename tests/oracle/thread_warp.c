// Exchange between lanes of a warp, in the interpreter of one thread.
#include "tests/oracle/thread_internal.h"
#include "tests/oracle/warp.h"

// --- Lanes
// -----------------------------------------------------------------------------------------

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

// --- Results
// ---------------------------------------------------------------------------------------

static bool is_shfl(const struct instruction *at) {
    return at->warp >= WARP_SHFL_UP && at->warp <= WARP_SHFL_IDX;
}

bool warp_combines(const struct instruction *at) {
    return !is_shfl(at);
}

unsigned warp_width(const struct instruction *at) {
    switch (at->warp) {
    case WARP_VOTE_ALL:
    case WARP_VOTE_ANY:
    case WARP_VOTE_UNI:
    case WARP_MATCH_ALL: return 1;
    default: return 32;
    }
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

struct value warp_result(const struct step *wait, unsigned own, const struct warp_part *parts,
                         unsigned count) {
    const struct instruction *at = wait->at;
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

// --- Instructions
// ----------------------------------------------------------------------------------

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
    uint64_t kind = (uint64_t)at->warp + 32 * ((uint64_t)at->atomic + 32 * (uint64_t)at->type);
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
    bool votes = at->warp >= WARP_VOTE_ALL && at->warp <= WARP_VOTE_BALLOT;
    unsigned width = votes ? 1 : scalar_type_bits(at->type);
    struct content given = {value_known(0, 32), 0}; // to an election
    if (at->warp != WARP_ELECT)
        given = machine_source(machine, &at->operands[1], width);
    if (!value_is_known(given.value) && !is_shfl(at)) {
        machine_stop(machine, PATH_UNKNOWN);
        return;
    }
    if (find_lane(machine, at, own, &lane, &in_range))
        meet_lanes(machine, at, mask, lane, given, in_range);
}
