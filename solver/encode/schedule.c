// Executions that never end, under a promise of forward progress: which threads the schedule may
// leave out (memory-model section 12).
//
// A schedule chooses, level by level, among the groups of threads of a level (clusters, CTAs,
// warps, threads): a rule says which of them must be served again and again. What is left out,
// while others go round for ever, goes no further. Where nothing goes round for ever, something
// that can run does.

#include "litmus/schedule.h"
#include "solver/encode/barriers.h"
#include "solver/encode/gates.h"

struct scheduler {
    struct encoder *encoder;
    const struct schedule *schedule;
    size_t count; // of threads
    literal *ends, *starts, *starved, *stays;
};

static const struct place *place_of(const struct scheduler *s, size_t thread) {
    return &s->encoder->program->test->threads[thread].place;
}

// The number of a thread in its CTA.
static unsigned number_in_cta(const struct scheduler *s, size_t thread) {
    unsigned number = 0;
    for (size_t i = 0; i < thread; i++)
        number += test_same_cta(place_of(s, i), place_of(s, thread));
    return number;
}

static bool share(const struct scheduler *s, enum schedule_level level, size_t a, size_t b) {
    enum { WARP_SIZE = 32 };
    const struct place *x = place_of(s, a), *y = place_of(s, b);
    switch (level) {
    case LEVEL_THREAD: return a == b;
    case LEVEL_WARP:
        return test_same_cta(x, y) &&
               number_in_cta(s, a) / WARP_SIZE == number_in_cta(s, b) / WARP_SIZE;
    case LEVEL_CTA: return test_same_cta(x, y);
    case LEVEL_CLUSTER: return test_same_cluster(x, y);
    case LEVEL_GRID: return true;
    case LEVEL_COUNT: break;
    }
    return true;
}

// The next level above with a rule of its own: groups of a level are chosen from in one of these.
static enum schedule_level above(const struct schedule *schedule, enum schedule_level level) {
    for (int i = (int)level + 1; i < (int)LEVEL_GRID; i++)
        if (schedule->rules[i] != RULE_NONE)
            return (enum schedule_level)i;
    return LEVEL_GRID;
}

// Groups are in the order of their numbers; threads, and what has none, in that of the test.
static bool is_below(const struct scheduler *s, enum schedule_level level, size_t a, size_t b) {
    const struct place *x = place_of(s, a), *y = place_of(s, b);
    if (level < LEVEL_CTA || x->host || y->host)
        return a < b;
    if (x->gpu != y->gpu)
        return x->gpu < y->gpu;
    if (x->grid != y->grid)
        return x->grid < y->grid;
    if (x->has_cluster && y->has_cluster && x->cluster != y->cluster)
        return x->cluster < y->cluster;
    return x->cta != y->cta ? x->cta < y->cta : a < b;
}

// --- Rules -------------------------------------------------------------------------------------

enum neighbours { NEIGHBOURS_SAME, NEIGHBOURS_LOWER, NEIGHBOURS_HIGHER };

// Whether another thread is in the same group, or in a lower or higher one that is chosen from with
// it.
static bool is_on(const struct scheduler *s, enum schedule_level level, enum neighbours side,
                  size_t thread, size_t other) {
    bool same = share(s, level, thread, other);
    if (same || side == NEIGHBOURS_SAME)
        return same && side == NEIGHBOURS_SAME;
    if (!share(s, above(s->schedule, level), thread, other))
        return false;
    return side == NEIGHBOURS_LOWER ? is_below(s, level, other, thread)
                                    : is_below(s, level, thread, other);
}

// Whether some thread of a side is as its literal says, negated or not.
static literal some(const struct scheduler *s, enum schedule_level level, enum neighbours side,
                    size_t thread, const literal *literals, bool negated) {
    struct disjunction d = {0};
    for (size_t i = 0; i < s->count; i++)
        if (is_on(s, level, side, thread, i))
            disjunction_add(&d, negated ? -literals[i] : literals[i]);
    return disjunction_close(s->encoder, &d, EXACT, "some", (unsigned)thread, (unsigned)side);
}

// Whether the rule of a level lets the schedule leave out the group of a thread.
static literal may_leave_out(const struct scheduler *s, enum schedule_level level, size_t thread) {
    struct encoder *encoder = s->encoder;
    literal begun = some(s, level, NEIGHBOURS_SAME, thread, s->starts, false);
    literal lower = some(s, level, NEIGHBOURS_LOWER, thread, s->ends, true);
    switch (s->schedule->rules[level]) {
    case RULE_NONE:
    case RULE_FAIR: return LITERAL_FALSE;
    case RULE_UNFAIR: return LITERAL_TRUE;
    case RULE_HSA: return lower;
    case RULE_OBE: return -begun;
    case RULE_HSA_OBE: return gate_and(encoder, lower, -begun, EXACT);
    case RULE_LOBE:
        return gate_and(encoder, -begun,
                        -some(s, level, NEIGHBOURS_HIGHER, thread, s->starts, false), EXACT);
    }
    return LITERAL_FALSE;
}

// A thread that goes no further is in a group that is left out, while another one that is chosen
// from with it goes on for ever.
static void require_reason(const struct scheduler *s, literal guard, size_t thread) {
    struct encoder *encoder = s->encoder;
    bool is_host = place_of(s, thread)->host && s->schedule->serves_hosts;
    literal idle = gate_or(encoder, -s->starts[thread], s->starved[thread], EXACT);
    struct disjunction d = {0};
    for (int i = 0; i < (int)LEVEL_GRID && !is_host; i++) {
        enum schedule_level level = (enum schedule_level)i;
        literal busy = some(s, above(s->schedule, level), NEIGHBOURS_SAME, thread, s->stays, false);
        disjunction_add2(&d, may_leave_out(s, level, thread), busy);
    }
    clause3(encoder, -guard, -idle,
            disjunction_close(encoder, &d, UNDER, "reason", (unsigned)thread, 0));
}

// --- All ---------------------------------------------------------------------------------------

static void find_threads(struct scheduler *s) {
    struct encoder *encoder = s->encoder;
    const struct endings *endings = encoder->program->endings;
    s->count = encoder->program->test->thread_count;
    s->ends = ARENA_ARRAY(encoder->arena, literal, s->count);
    s->starts = ARENA_ARRAY(encoder->arena, literal, s->count);
    s->starved = ARENA_ARRAY(encoder->arena, literal, s->count);
    s->stays = ARENA_ARRAY(encoder->arena, literal, s->count);
    for (size_t t = 0; t < s->count; t++) {
        struct disjunction d = {0};
        for (size_t i = 0; i < endings->stay_count; i++)
            if ((size_t)endings->stays[i].thread == t)
                disjunction_add(&d, encode_condition(encoder, endings->stays[i].condition));
        s->stays[t] = disjunction_close(encoder, &d, EXACT, "stays", (unsigned)t, 0);
        s->ends[t] = encode_condition(encoder, endings->ends[t]);
        s->starts[t] = encode_condition(encoder, endings->starts[t]);
        s->starved[t] = encode_condition(encoder, endings->starved[t]);
    }
}

literal encode_endless(struct encoder *encoder, const struct schedule *schedule) {
    struct scheduler s = {.encoder = encoder, .schedule = schedule};
    struct disjunction d = {0};
    find_threads(&s);
    for (size_t t = 0; t < s.count; t++)
        disjunction_add(&d, s.stays[t]);
    disjunction_add(&d, encode_blocked(encoder));
    literal some = disjunction_close(encoder, &d, UNDER, "unended", 0, 0);
    if (some == LITERAL_FALSE)
        return LITERAL_FALSE;
    literal endless = backend_variable(encoder->backend, "endless", 0, 0);
    clause2(encoder, -endless, some);
    encode_stuck(encoder, endless);
    for (size_t t = 0; t < s.count; t++)
        require_reason(&s, endless, t);
    return endless;
}
