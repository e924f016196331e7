// Two runs that differ in the value of one read show that an event depends on it. What no such pair
// shows is taken for independent: the values are those of the path, those that the thread has among
// its constants and their neighbours, single bits, and random ones.
#include "tests/oracle/influence_internal.h"

#include "tests/oracle/mbarrier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct known_influence {
    struct key event, read;
    bool depends;
    size_t next; // one more than the index of another one of its bucket, or 0
};

enum { BUCKETS = 1024 };

struct key influence_key(const struct step *step) {
    struct key key = {.action = step->action,
                      .instruction = step->instruction,
                      .turn = step->turn,
                      .element = step->element};
    return key;
}

bool influence_same_key(struct key a, struct key b) {
    return a.action == b.action && a.instruction == b.instruction && a.turn == b.turn &&
           a.element == b.element && a.counts == b.counts &&
           (!a.counts || (a.arrivals.kind == b.arrivals.kind && a.arrivals.id == b.arrivals.id));
}

enum barrier_kind influence_barrier_kind(const struct step *step) {
    if (step->barrier == BARRIER_WARP_SYNC)
        return BARRIER_WARP_SYNC;
    bool cluster = step->barrier == BARRIER_CLUSTER_ARRIVE || step->barrier == BARRIER_CLUSTER_WAIT;
    return cluster ? BARRIER_CLUSTER_ARRIVE : BARRIER_SYNC;
}

unsigned influence_count_arrivals(const struct path *path, struct arrivals arrivals) {
    unsigned count = 0;
    for (unsigned i = 0; i < path->count; i++)
        count += path->steps[i].arrives && path->steps[i].id == arrivals.id &&
                 influence_barrier_kind(&path->steps[i]) == arrivals.kind;
    return count;
}

const struct step *influence_find(const struct path *path, struct key key) {
    for (unsigned i = 0; i < path->count; i++)
        if (influence_same_key(influence_key(&path->steps[i]), key))
            return &path->steps[i];
    return NULL;
}

static unsigned width_of(const struct step *step, enum question question) {
    if (question == ASK_READ)
        return 8 * step->size;
    if (step->exchanges)
        return warp_width(step->at);
    return step->at->bool_op == BOOL_NONE ? 32 : 1;
}

unsigned influence_width(const struct step *step) {
    return width_of(step, step->action == ACTION_READ ? ASK_READ : ASK_REDUCED);
}

// --- Values --------------------------------------------------------------------------------------

static void add_to_pool(struct assignment *assignment, u128 value) {
    for (unsigned i = 0; i < assignment->pool_count; i++)
        if (assignment->pool[i] == value)
            return;
    if (assignment->pool_count < POOL_MAX)
        assignment->pool[assignment->pool_count++] = value;
}

void influence_fill_pool(struct assignment *assignment) {
    const struct influence *influence = assignment->influence;
    const struct thread *code = &influence->memory->test->threads[influence->thread];
    static const u128 usual[] = {0, 1, ~(u128)0, 2};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        add_to_pool(assignment, usual[i]);
    for (unsigned i = 0; i < assignment->path->count; i++) {
        const struct step *step = &assignment->path->steps[i];
        struct mbarrier_state state = mbarrier_unpack((uint64_t)step->value.bits);
        add_to_pool(assignment, step->value.bits);
        state.phase++; // what waits look at
        if (step->mbarrier != MBARRIER_NONE)
            add_to_pool(assignment, mbarrier_pack(state));
    }
    for (size_t i = 0; i < code->instruction_count; i++)
        for (unsigned k = 0; k < code->instructions[i].operand_count; k++) {
            const struct operand *operand = &code->instructions[i].operands[k];
            u128 constant = (u128)operand->immediate.high << 64 | operand->immediate.low;
            if (operand->kind != OPERAND_IMMEDIATE)
                continue;
            add_to_pool(assignment, constant);
            add_to_pool(assignment, constant + 1);
            add_to_pool(assignment, constant - 1);
        }
}

uint64_t influence_mix(uint64_t a, uint64_t b) {
    uint64_t x = (a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2))) *
                 UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

u128 influence_choose(const struct assignment *assignment, uint64_t seed) {
    uint64_t random = influence_mix(seed, 1);
    if (random % 4 == 0)
        return (u128)influence_mix(seed, 2) << 64 | influence_mix(seed, 3);
    return assignment->pool[random / 4 % assignment->pool_count];
}

// "Dependencies pass through memory that only the thread has": .local and .param. That no other
// thread happens to access a variable does not count, "the value of a read may be anything of its
// width".
static bool is_own(const struct influence *influence, const struct step *step) {
    if (step->action != ACTION_READ || step->spot.object < 0 ||
        influence->owners[step->spot.object] != influence->thread)
        return false;
    const struct memory *memory = influence->memory;
    const struct variable *variable =
        &memory->test->variables[memory->objects[step->spot.object].variable];
    return variable->is_parameter || variable->space == SPACE_LOCAL ||
           variable->space == SPACE_PARAM;
}

// Barriers let threads pass or not, whatever was read. A read of an instruction that is repeated
// again returns what it returned in question, so that waiting loops go on.
bool influence_answer(void *context, const struct path *path, enum question question,
                      struct value *value) {
    const struct assignment *assignment = context;
    const struct step *step = &path->steps[path->count - 1];
    struct key key = influence_key(step);
    unsigned width = question == ASK_PASS || question == ASK_PART ? 1 : width_of(step, question);
    const struct step *before = influence_find(assignment->path, key);
    if (question == ASK_PASS) {
        bool passes =
            assignment->all_pass || assignment->number == 0 ||
            (assignment->number > 1 && influence_mix(assignment->number, key.instruction) % 2 == 0);
        *value = value_known(passes, 1);
    } else if (question == ASK_PART) {
        *value = value_known(influence_mix(assignment->number, key.element) % 2, 1);
    } else if (question == ASK_ANSWER) {
        *value = before ? before->value : answer_failed();
    } else if (question == ASK_READ && is_own(assignment->influence, step)) {
        *value = influence_own_value(assignment->influence->memory, path, step);
    } else if (influence_same_key(key, assignment->read)) {
        *value = assignment->value;
    } else if (assignment->number % 2 == 1) {
        uint64_t seed =
            influence_mix(assignment->number,
                          influence_mix(key.instruction, influence_mix(key.turn, key.element)));
        *value = value_known(influence_choose(assignment, seed), width);
    } else if (before && assignment->number == 0) {
        *value = before->value;
    } else if (key.instruction == assignment->read.instruction &&
               key.element == assignment->read.element && key.action == assignment->read.action) {
        *value = assignment->value;
    } else {
        uint64_t seed =
            influence_mix(assignment->number, influence_mix(key.instruction, key.element));
        *value = value_known(influence_choose(assignment, seed), width);
    }
    return true;
}

struct value influence_own_value(const struct memory *memory, const struct path *path,
                                 const struct step *read) {
    struct value value = {0, 0};
    for (unsigned i = 0; i < read->size; i++) {
        unsigned offset = read->spot.offset + i;
        struct value byte = memory_initial_byte(memory, read->spot.object, offset);
        for (unsigned k = 0; k < path->count; k++) {
            const struct step *step = &path->steps[k];
            if (step->action == ACTION_WRITE && step->spot.object == read->spot.object &&
                step->spot.offset <= offset && offset < step->spot.offset + step->size)
                byte = value_slice(step->value, 8 * (offset - step->spot.offset), 8);
        }
        value = value_join(value, 8 * i, byte);
    }
    return value;
}

// --- Runs ----------------------------------------------------------------------------------------

static void run(struct assignment *assignment, struct value value, struct path *path) {
    const struct influence *influence = assignment->influence;
    struct supplier supplier = {influence_answer, assignment};
    struct thread_options options = influence->options;
    options.lenient = true;
    assignment->value = value;
    thread_run(influence->memory, influence->thread, &options, &supplier, path);
}

static bool same_place(const struct step *a, const struct step *b) {
    return a->has_spot == b->has_spot &&
           (!a->has_spot || (a->spot.object == b->spot.object && a->spot.offset == b->spot.offset &&
                             a->spot.range == b->spot.range));
}

// Whether an event is another one in two runs.
bool influence_differs(const struct path *x, const struct path *y, struct key event) {
    if (event.counts)
        return (x->end == PATH_DONE) != (y->end == PATH_DONE) ||
               influence_count_arrivals(x, event.arrivals) !=
                   influence_count_arrivals(y, event.arrivals);
    const struct step *a = influence_find(x, event), *b = influence_find(y, event);
    if (!a || !b)
        return a != b;
    if (!same_place(a, b) || a->id != b->id || a->count != b->count)
        return true;
    if (event.action == ACTION_BARRIER)
        return a->predicate != b->predicate || a->lane != b->lane ||
               (a->exchanges && a->arrives && !value_equal(a->value, b->value));
    return event.action == ACTION_WRITE && !value_equal(a->value, b->value);
}

struct runs {
    struct path first, second;
};

void influence_allocate(struct path *path, size_t registers) {
    path->steps = calloc(STEPS_MAX, sizeof *path->steps);
    path->registers = calloc(registers + 1, sizeof *path->registers);
    if (!path->steps || !path->registers) {
        fputs("out of memory\n", stderr);
        exit(4);
    }
}

void influence_free_path(struct path *path) {
    free(path->steps);
    free(path->registers);
}

// Whether some value of the read makes a difference to the event under an assignment.
static bool differs_under(struct assignment *assignment, struct runs *runs, struct key event,
                          unsigned width, struct value value) {
    run(assignment, value, &runs->first);
    unsigned pool = assignment->number == 0 ? assignment->pool_count : FLIPS;
    for (unsigned i = 0; i < pool + width; i++) {
        uint64_t seed = influence_mix(assignment->number + 1000, i);
        u128 other = assignment->number == 0 ? assignment->pool[i % assignment->pool_count]
                                             : influence_choose(assignment, seed);
        if (i >= pool)
            other = value.bits ^ (u128)1 << (i - pool);
        if (assignment->number > 1 && i >= pool && influence_mix(seed, i) % 4 != 0)
            continue;
        run(assignment, value_known(other, width), &runs->second);
        if (influence_differs(&runs->first, &runs->second, event))
            return true;
    }
    return false;
}

static bool find_difference(struct influence *influence, const struct path *path, struct key event,
                            const struct step *read) {
    struct assignment assignment = {.influence = influence,
                                    .path = path,
                                    .read = influence_key(read),
                                    .all_pass = event.counts};
    struct runs runs;
    size_t registers = influence->memory->test->threads[influence->thread].register_count;
    unsigned width = influence_width(read);
    bool found = false;
    influence_allocate(&runs.first, registers);
    influence_allocate(&runs.second, registers);
    influence_fill_pool(&assignment);
    for (unsigned i = 0; i < ASSIGNMENTS && !found; i++) {
        assignment.number = i;
        struct value value =
            i == 0 ? read->value
                   : value_known(influence_choose(&assignment, influence_mix(i, 7)), width);
        found = differs_under(&assignment, &runs, event, width, value);
    }
    influence_free_path(&runs.first);
    influence_free_path(&runs.second);
    return found;
}

static size_t bucket_of(struct key event, struct key read) {
    uint64_t where = influence_mix(event.instruction, influence_mix(event.turn, event.element));
    return influence_mix(where,
                         influence_mix(read.instruction, influence_mix(read.turn, read.element))) %
           BUCKETS;
}

// Keeps what was found, first in its bucket.
static void keep(struct influence *influence, struct known_influence known, size_t bucket) {
    influence->known =
        reallocarray(influence->known, influence->known_count + 1, sizeof *influence->known);
    if (!influence->known) {
        fputs("out of memory\n", stderr);
        exit(4);
    }
    known.next = influence->buckets[bucket];
    influence->known[influence->known_count++] = known;
    influence->buckets[bucket] = influence->known_count;
}

static bool depends_on(struct influence *influence, const struct path *path, struct key e,
                       const struct step *read) {
    struct key r = influence_key(read);
    size_t bucket = bucket_of(e, r);
    if (!influence->buckets && !(influence->buckets = calloc(BUCKETS, sizeof(size_t)))) {
        fputs("out of memory\n", stderr);
        exit(4);
    }
    for (size_t i = influence->buckets[bucket]; i != 0; i = influence->known[i - 1].next)
        if (influence_same_key(influence->known[i - 1].event, e) &&
            influence_same_key(influence->known[i - 1].read, r))
            return influence->known[i - 1].depends;
    struct known_influence known = {e, r, find_difference(influence, path, e, read), 0};
    keep(influence, known, bucket);
    return known.depends;
}

// --- Paths ---------------------------------------------------------------------------------------

// The steps of `written` and, where these go through memory that the thread alone has, those
// before: a difference needs one of these.
static uint64_t with_own_memory(const struct influence *influence, const struct path *path,
                                const uint64_t *sources, uint64_t written) {
    uint64_t all = written;
    for (uint64_t rest = written; rest; rest &= rest - 1) {
        unsigned source = (unsigned)__builtin_ctzll(rest);
        const struct step *read = &path->steps[source];
        if (!is_own(influence, read))
            continue;
        all |= sources[source];
        for (unsigned w = 0; w < source; w++)
            if (path->steps[w].action == ACTION_WRITE &&
                path->steps[w].spot.object == read->spot.object)
                all |= sources[w];
    }
    return all;
}

static bool gives_value(const struct step *step) {
    return step->action == ACTION_READ || (step->action == ACTION_BARRIER && step->waits &&
                                           (step->barrier == BARRIER_RED || step->exchanges));
}

// Those of some steps whose values make a difference to an event.
static uint64_t that_matter(struct influence *influence, const struct path *path, struct key event,
                            uint64_t sources) {
    uint64_t matter = 0;
    for (uint64_t rest = sources; rest; rest &= rest - 1) {
        const struct step *read = &path->steps[__builtin_ctzll(rest)];
        if (gives_value(read) && !is_own(influence, read) &&
            depends_on(influence, path, event, read))
            matter |= rest & -rest;
    }
    return matter;
}

void influence_of_path(struct influence *influence, const struct path *path, uint64_t *depends) {
    uint64_t sources[STEPS_MAX];
    for (unsigned i = 0; i < path->count; i++) {
        sources[i] = with_own_memory(influence, path, sources, path->steps[i].sources);
        depends[i] = that_matter(influence, path, influence_key(&path->steps[i]), sources[i]);
    }
}

uint64_t influence_on_arrival(struct influence *influence, const struct path *path,
                              struct arrivals arrivals) {
    uint64_t sources[STEPS_MAX];
    for (unsigned i = 0; i < path->count; i++)
        sources[i] = with_own_memory(influence, path, sources, path->steps[i].sources);
    struct key event = {.action = ACTION_BARRIER, .counts = true, .arrivals = arrivals};
    return that_matter(influence, path, event,
                       with_own_memory(influence, path, sources, path->control));
}

void influence_free(struct influence *influence) {
    free(influence->known);
    free(influence->buckets);
    influence->known = NULL;
    influence->buckets = NULL;
    influence->known_count = 0;
}
