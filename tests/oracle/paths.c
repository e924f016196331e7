// The values that a read may return are those that some path of some thread writes there, or that
// were there before the test. They are found by rounds: in the first, there are no writes; each
// round runs all threads with what was written in the one before.
//
// What an allowed execution writes is found in as many rounds as it has writes. A write's value,
// address and execution follow from the reads that it depends on (for a set of reads that it does
// not depend on can be given any values, by the definition of a dependency), and these from the
// writes that they read from; as rf and the dependencies have no cycle (axiom 4), such a chain has
// each write once. So the rounds end when no new value is written, or after as many rounds as an
// execution can have writes: values that go on growing come out of thin air.
//
// For the same reason a value that takes a write to come about is not read before it: with each
// value goes which writes it takes at least, and a path in which a write takes itself is dropped.
//
// Where no dependencies count (DEPENDENCIES_NONE) values may come out of thin air. So a read may
// return each constant of the test from the first round on. That is enough as long as each write
// has one value and one address, whatever is read; `varies` says that one has not.
#include "tests/oracle/paths_internal.h"

#include "tests/oracle/warp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *paths_allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(4);
    }
    return memory;
}

void *paths_resized(void *memory, size_t count, size_t size) {
    memory = reallocarray(memory, count, size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(4);
    }
    return memory;
}

// --- Memory in pieces ----------------------------------------------------------------------------

unsigned paths_unit_end(const struct paths *paths, int object, unsigned offset, unsigned end) {
    unsigned next = offset + 1;
    if (paths->tearing == TEARING_BYTES)
        return next;
    while (next < end && !paths->cuts[object][next])
        next++;
    return next;
}

// Operations on mbarriers find the object whole, and so do those on tensormaps, which are opaque.
static bool is_of_object(const struct paths *paths, const struct step *step) {
    if (step->mbarrier != MBARRIER_NONE)
        return true;
    const struct object *object = &paths->memory->objects[step->spot.object];
    return paths->memory->test->variables[object->variable].tensor != NULL;
}

unsigned paths_unit_end_of(const struct paths *paths, const struct step *step, unsigned offset,
                           unsigned end) {
    return is_of_object(paths, step) ? end : paths_unit_end(paths, step->spot.object, offset, end);
}

static void cut(struct paths *paths, const struct step *step) {
    bool *cuts = paths->cuts[step->spot.object];
    unsigned ends[] = {step->spot.offset, step->spot.offset + step->size};
    for (size_t i = 0; i < 2; i++) {
        paths->grew = paths->grew || !cuts[ends[i]];
        cuts[ends[i]] = true;
    }
}

// --- Chunks --------------------------------------------------------------------------------------

static bool is_chunk(const struct chunk *chunk, int thread, const struct step *step) {
    return chunk->thread == thread && chunk->spot.object == step->spot.object &&
           chunk->spot.offset == step->spot.offset && chunk->spot.range == step->spot.range &&
           chunk->size == step->size && value_equal(chunk->value, step->value) &&
           chunk->order == step->order && chunk->scope == step->scope &&
           chunk->proxy == step->proxy && chunk->detached == (step->operation > 0);
}

size_t paths_find_chunk(const struct paths *paths, int thread, const struct step *step) {
    for (size_t i = 0; i < paths->chunk_count; i++)
        if (is_chunk(&paths->chunks[i], thread, step))
            return i;
    return paths->chunk_count;
}

// Adds a way unless one is there that takes no more; drops those that take more. Returns whether
// it was added. Where there are too many, nothing is known: the value takes nothing.
static bool add_way(struct ways *ways, uint64_t set) {
    unsigned kept = 0;
    for (unsigned i = 0; i < ways->count; i++)
        if (!(ways->sets[i] & ~set))
            return false;
    if (ways->count == WAYS_MAX)
        set = 0;
    for (unsigned i = 0; i < ways->count; i++)
        if (set & ~ways->sets[i])
            ways->sets[kept++] = ways->sets[i];
    ways->sets[kept++] = set;
    ways->count = kept;
    return true;
}

// The way that takes nothing. (Sets that are not counted are left alone here and below: to clear
// and copy them took a fifth of the oracle's time.)
static void takes_nothing(struct ways *ways) {
    ways->sets[0] = 0;
    ways->count = 1;
}

// Makes of the ways to come by a value those to come by it and another.
static void join_ways(struct ways *ways, const struct ways *other) {
    struct ways both;
    both.count = 0;
    if (other->count == 1 && other->sets[0] == 0)
        return; // which takes nothing
    for (unsigned i = 0; i < ways->count; i++)
        for (unsigned k = 0; k < other->count; k++)
            add_way(&both, ways->sets[i] | other->sets[k]);
    memcpy(ways->sets, both.sets, both.count * sizeof both.sets[0]);
    ways->count = both.count;
}

// Whether a write has the value and the place that it had in the path that was seen first.
static bool is_as_before(const struct writer *writer, const struct step *step) {
    return writer->spot.object == step->spot.object && writer->spot.offset == step->spot.offset &&
           value_equal(writer->value, step->value);
}

// The set of a write alone; empty when there are too many to tell them apart.
static uint64_t writer_set(struct paths *paths, int thread, const struct step *step) {
    unsigned i = 0;
    for (; i < paths->writer_count; i++) {
        const struct writer *writer = &paths->writers[i];
        if (writer->thread != thread || writer->instruction != step->instruction ||
            writer->turn != step->turn || writer->element != step->element)
            continue;
        paths->varies = paths->varies || !is_as_before(writer, step);
        return bit(i);
    }
    if (i == sizeof paths->writers / sizeof paths->writers[0]) {
        paths->varies = true; // not known
        return 0;
    }
    struct writer writer = {thread,        step->instruction, step->turn,
                            step->element, step->spot,        step->value};
    paths->writers[paths->writer_count++] = writer;
    return bit(i);
}

static void add_chunk(struct paths *paths, int thread, const struct step *step,
                      const struct ways *ways) {
    size_t at = paths_find_chunk(paths, thread, step);
    if (at == paths->chunk_count) {
        if (paths->chunk_count == paths->chunk_capacity) {
            paths->chunk_capacity = paths->chunk_capacity ? 2 * paths->chunk_capacity : 32;
            paths->chunks =
                paths_resized(paths->chunks, paths->chunk_capacity, sizeof *paths->chunks);
        }
        struct chunk chunk = {thread,      step->spot,          step->size,
                              step->value, step->order,         step->scope,
                              step->proxy, step->operation > 0, {{0}, 0}};
        paths->chunks[paths->chunk_count++] = chunk;
        paths->grew = true;
    }
    for (unsigned i = 0; i < ways->count; i++)
        if (add_way(&paths->chunks[at].ways, ways->sets[i]))
            paths->grew = true;
}

struct value paths_chunk_part(const struct chunk *chunk, unsigned offset, unsigned end) {
    return value_slice(chunk->value, 8 * (offset - chunk->spot.offset), 8 * (end - offset));
}

bool paths_covers(const struct chunk *chunk, int object, unsigned offset, unsigned end) {
    return chunk->spot.object == object && chunk->spot.offset <= offset &&
           chunk->spot.offset + chunk->size >= end;
}

static bool overlaps(const struct chunk *chunk, const struct step *step) {
    return chunk->spot.object == step->spot.object &&
           chunk->spot.offset < step->spot.offset + step->size &&
           step->spot.offset < chunk->spot.offset + chunk->size;
}

struct value paths_initial_part(const struct paths *paths, int object, unsigned offset,
                                unsigned end) {
    struct value value = {0, 0};
    for (unsigned i = offset; i < end; i++)
        value = value_join(value, 8 * (i - offset), memory_initial_byte(paths->memory, object, i));
    return value;
}

// --- What a read may return ----------------------------------------------------------------------

struct values {
    struct value *items;
    size_t count, capacity;
};

static void add_value(struct values *values, struct value value) {
    for (size_t i = 0; i < values->count; i++)
        if (value_equal(values->items[i], value))
            return;
    if (values->count == values->capacity) {
        values->capacity = values->capacity ? 2 * values->capacity : 8;
        values->items = paths_resized(values->items, values->capacity, sizeof *values->items);
    }
    values->items[values->count++] = value;
}

static bool in_scope(const struct paths *paths, int a, enum scope scope, int b) {
    const struct place *x = &paths->memory->test->threads[a].place;
    const struct place *y = &paths->memory->test->threads[b].place;
    if (scope == SCOPE_CTA)
        return test_same_cta(x, y);
    if (scope == SCOPE_CLUSTER)
        return test_same_cluster(x, y);
    return scope == SCOPE_SYS || (scope == SCOPE_GPU && test_same_gpu(x, y));
}

// Whether two accesses of one extent are morally strong.
static bool are_strong(const struct paths *paths, const struct chunk *a, const struct chunk *b) {
    if (a->proxy != b->proxy || a->spot.range != b->spot.range)
        return false;
    if (a->thread == b->thread && !a->detached && !b->detached)
        return true;
    if (paths->tearing == TEARING_BYTES && (a->size > 8 || b->size > 8))
        return false; // no scalars
    return a->order != ORDER_WEAK && b->order != ORDER_WEAK &&
           in_scope(paths, a->thread, a->scope, b->thread) &&
           in_scope(paths, b->thread, b->scope, a->thread);
}

// Whether all that is written where the read looks has its extent and is morally strong to it and
// to each other. Then all such writes are in coherence order, and single-copy atomicity (axiom 3)
// lets the read take all its bytes from one of them, or from the initial write.
static bool is_whole(const struct paths *paths, int thread, const struct step *step) {
    struct chunk read = {thread,      step->spot,  step->size,          step->value, step->order,
                         step->scope, step->proxy, step->operation > 0, {{0}, 0}};
    if (is_of_object(paths, step))
        return true;
    for (size_t i = 0; i < paths->chunk_count; i++) {
        const struct chunk *a = &paths->chunks[i];
        if (!overlaps(a, step))
            continue;
        if (a->spot.offset != step->spot.offset || a->size != step->size ||
            !are_strong(paths, a, &read))
            return false;
        for (size_t j = 0; j < i; j++)
            if (overlaps(&paths->chunks[j], step) && !are_strong(paths, a, &paths->chunks[j]))
                return false;
    }
    return true;
}

// All that may be in a part of memory.
static void part_values(const struct paths *paths, int object, unsigned offset, unsigned end,
                        struct values *values) {
    add_value(values, paths_initial_part(paths, object, offset, end));
    for (size_t i = 0; i < paths->guess_count; i++)
        add_value(values, value_slice(paths->guesses[i], 0, 8 * (end - offset)));
    for (size_t i = 0; i < paths->chunk_count; i++)
        if (paths_covers(&paths->chunks[i], object, offset, end))
            add_value(values, paths_chunk_part(&paths->chunks[i], offset, end));
}

// Values of the bytes before `offset`, with each value of the units after them.
static void combine_units(const struct paths *paths, const struct step *step, unsigned offset,
                          struct value before, struct values *values) {
    unsigned end = step->spot.offset + step->size;
    if (offset == end || values->count > paths->limit) {
        add_value(values, before);
        return;
    }
    unsigned next = paths_unit_end_of(paths, step, offset, end);
    struct values parts = {NULL, 0, 0};
    part_values(paths, step->spot.object, offset, next, &parts);
    for (size_t i = 0; i < parts.count; i++)
        combine_units(paths, step, next,
                      value_join(before, 8 * (offset - step->spot.offset), parts.items[i]), values);
    free(parts.items);
}

static void read_values(const struct paths *paths, int thread, const struct step *step,
                        struct values *values) {
    struct value nothing = {0, 0};
    unsigned begin = step->spot.offset, end = begin + step->size;
    if (is_whole(paths, thread, step))
        part_values(paths, step->spot.object, begin, end, values);
    else
        combine_units(paths, step, begin, nothing, values);
}

// The ways to come by a value in a part of memory.
static void part_ways(const struct paths *paths, int object, unsigned offset, unsigned end,
                      struct value value, struct ways *ways) {
    ways->count = 0;
    if (value_equal(paths_initial_part(paths, object, offset, end), value))
        add_way(ways, 0);
    for (size_t i = 0; i < paths->chunk_count; i++) {
        const struct chunk *chunk = &paths->chunks[i];
        if (!paths_covers(chunk, object, offset, end) ||
            !value_equal(paths_chunk_part(chunk, offset, end), value))
            continue;
        for (unsigned k = 0; k < chunk->ways.count; k++)
            add_way(ways, chunk->ways.sets[k]);
    }
}

// The ways to come by what a read returns.
static void read_ways(const struct paths *paths, int thread, const struct step *step,
                      struct ways *ways) {
    unsigned begin = step->spot.offset, end = begin + step->size, next;
    if (is_whole(paths, thread, step)) {
        part_ways(paths, step->spot.object, begin, end, step->value, ways);
        return;
    }
    takes_nothing(ways);
    for (unsigned offset = begin; offset < end; offset = next) {
        struct ways part;
        next = paths_unit_end_of(paths, step, offset, end);
        part_ways(paths, step->spot.object, offset, next,
                  value_slice(step->value, 8 * (offset - begin), 8 * (next - offset)), &part);
        join_ways(ways, &part);
    }
}

// What bar.red may return: a number of threads of the CTA, or a truth.
static void reduced_values(const struct paths *paths, int thread, const struct step *step,
                           struct values *values) {
    const struct test *test = paths->memory->test;
    unsigned most = 0;
    for (size_t i = 0; i < test->thread_count; i++)
        most += test_same_cta(&test->threads[i].place, &test->threads[thread].place);
    bool counts = step->at->bool_op == BOOL_NONE;
    for (unsigned i = 0; i <= (counts ? most : 1); i++)
        add_value(values, value_known(i, counts ? 32 : 1));
    if (paths->open_predicates)
        add_value(values, value_unknown(counts ? 32 : 1));
}

// --- Lanes of a warp ---------------------------------------------------------------------------

// How many arrivals at the barrier of a step come before it, its own not counted.
static unsigned arrivals_so_far(const struct path *path, unsigned before, uint64_t id) {
    unsigned count = 0;
    for (unsigned i = 0; i < before; i++)
        count += path->steps[i].exchanges && path->steps[i].arrives && path->steps[i].id == id;
    return count;
}

static void note_gift(struct paths *paths, int thread, const struct path *path, unsigned index) {
    const struct step *step = &path->steps[index];
    struct gift gift = {thread, step->id, arrivals_so_far(path, index, step->id), step->value};
    for (size_t i = 0; i < paths->gift_count; i++) {
        const struct gift *known = &paths->gifts[i];
        if (known->thread != thread || known->id != gift.id || known->number != gift.number)
            continue;
        if (value_equal(known->value, gift.value))
            return;
        paths->varies = true;
    }
    paths->gifts = paths_resized(paths->gifts, paths->gift_count + 1, sizeof *paths->gifts);
    paths->gifts[paths->gift_count++] = gift;
    paths->grew = true;
}

// Whether a thread may end without its `number`-th arrival at an exchange like this one.
static bool may_be_absent(const struct thread *thread, const struct instruction *at,
                          unsigned number) {
    unsigned count = 0;
    for (size_t i = 0; i < thread->instruction_count; i++) {
        const struct instruction *other = &thread->instructions[i];
        if (other->opcode == OP_EXIT || other->opcode == OP_BRA)
            return true;
        count += other->opcode == OP_WARP && other->guard < 0 && other->warp == at->warp &&
                 other->type == at->type && other->atomic == at->atomic;
    }
    return count < number;
}

// The thread of a lane of a thread's warp, or NULL.
static const struct thread *thread_of_lane(const struct test *test, int thread, unsigned lane) {
    for (size_t i = 0; i < test->thread_count; i++)
        if (test_same_cta(&test->threads[i].place, &test->threads[thread].place) &&
            warp_lane(test, (int)i) == lane)
            return &test->threads[i];
    return NULL;
}

// What a wait may return with one more lane's part, from the `lane`-th of its warp on; those that
// are not there have exited.
static void exchanged_values(const struct paths *paths, int thread, const struct path *path,
                             struct warp_part *parts, unsigned count, unsigned lane,
                             struct values *values) {
    const struct test *test = paths->memory->test;
    const struct step *wait = &path->steps[path->count - 1];
    unsigned own = warp_lane(test, thread), number = arrivals_so_far(path, path->count, wait->id);
    if (lane == LANES) {
        add_value(values, warp_result(wait, own, parts, count));
        return;
    }
    const struct thread *other = thread_of_lane(test, thread, lane);
    bool is_member = other && (wait->id >> lane & 1);
    if (!is_member || lane == own || may_be_absent(other, wait->at, number))
        exchanged_values(paths, thread, path, parts, count, lane + 1, values);
    for (size_t i = 0; is_member && lane != own && i < paths->gift_count; i++) {
        const struct gift *gift = &paths->gifts[i];
        if (gift->id != wait->id || gift->number + 1 != number ||
            warp_lane(test, gift->thread) != lane ||
            !test_same_cta(&test->threads[gift->thread].place, &test->threads[thread].place))
            continue;
        parts[count] = (struct warp_part){lane, gift->value};
        exchanged_values(paths, thread, path, parts, count + 1, lane + 1, values);
    }
}

// What an election may return: any lane of the mask.
static void elected_values(const struct step *wait, struct values *values) {
    for (unsigned lane = 0; lane < LANES; lane++)
        if (wait->id >> lane & 1)
            add_value(values, value_known(lane, 32));
}

static unsigned count_of(const struct test *test, enum opcode opcode) {
    unsigned count = 0;
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            count += test->threads[t].instructions[i].opcode == opcode;
    return count;
}

// What a try_cancel may answer: that it has failed, or one of as many CTAs as the test may cancel.
// "A cluster that has not started running yet" has none of the CTAs that run: these are the next
// numbers. Where no answer is taken apart, it makes no difference which they are.
static void cancelled_values(const struct test *test, const struct step *issue, int thread,
                             struct values *values) {
    if (test->threads[thread].launch != NULL) {
        add_value(values, answer_failed());
        for (size_t t = 0; t < test->thread_count; t++)
            if (paths_may_cancel(test, thread, (int)t))
                add_value(values, answer_success(paths_first_cta(test, (int)t)));
        return;
    }
    uint32_t cta = 0, count = count_of(test, OP_CANCEL_TRY);
    for (size_t t = 0; t < test->thread_count; t++)
        if (!test->threads[t].place.host && test->threads[t].place.cta >= cta)
            cta = test->threads[t].place.cta + 1;
    add_value(values, answer_failed());
    if (count_of(test, OP_CANCEL_QUERY) == 0) {
        uint32_t own = (uint32_t)thread << 16 | issue->instruction << 8 | issue->turn;
        add_value(values, answer_success(cta + own));
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        add_value(values, answer_success(cta + i));
}

// --- Paths of a thread ---------------------------------------------------------------------------

struct answers {
    struct value *items;
    size_t count, capacity;
    size_t next;
};

struct enumeration {
    struct paths *paths;
    int thread;
    struct answers answers;
    struct path path;
    struct path_list *list; // where paths are kept, or NULL
    size_t count;
    unsigned most_writes;
};

static bool answer(void *context, const struct path *path, enum question question,
                   struct value *value) {
    struct answers *answers = context;
    (void)path;
    (void)question;
    if (answers->next == answers->count)
        return false;
    *value = answers->items[answers->next++];
    return true;
}

static void push_answer(struct answers *answers, struct value value) {
    if (answers->count == answers->capacity) {
        answers->capacity = answers->capacity ? 2 * answers->capacity : 16;
        answers->items = paths_resized(answers->items, answers->capacity, sizeof *answers->items);
    }
    answers->items[answers->count++] = value;
}

// Takes note of who accesses what. What was found of dependencies is forgotten where memory is no
// longer a thread's own.
static void note_owners(struct enumeration *e) {
    struct paths *paths = e->paths;
    for (unsigned i = 0; i < e->path.count; i++) {
        const struct step *step = &e->path.steps[i];
        if (step->action != ACTION_READ && step->action != ACTION_WRITE)
            continue;
        int *owner = &paths->owners[step->spot.object];
        bool plain = step->proxy == PROXY_GENERIC && step->operation == 0 &&
                     step->spot.range == paths->memory->objects[step->spot.object].variable;
        if (*owner == -2 && plain) {
            *owner = e->thread;
        } else if (*owner != -1 && (*owner != e->thread || !plain)) {
            *owner = -1;
            paths->grew = true;
            for (size_t t = 0; t < paths->memory->test->thread_count; t++)
                influence_free(&paths->influence[t]);
        }
    }
}

static void find_dependencies(struct enumeration *e, uint64_t *depends) {
    if (e->paths->dependencies == DEPENDENCIES_SEMANTIC) {
        influence_of_path(&e->paths->influence[e->thread], &e->path, depends);
        return;
    }
    bool none = e->paths->dependencies == DEPENDENCIES_NONE;
    for (unsigned i = 0; i < e->path.count; i++)
        depends[i] = none ? 0 : e->path.steps[i].sources;
}

// Takes note of a write. Returns false when it takes itself to come about.
static bool note_write(struct enumeration *e, const struct step *step, uint64_t depends,
                       struct ways *read) {
    uint64_t own = writer_set(e->paths, e->thread, step);
    struct ways all, possible;
    takes_nothing(&all);
    possible.count = 0;
    for (uint64_t rest = depends; rest; rest &= rest - 1) {
        unsigned source = (unsigned)__builtin_ctzll(rest);
        if (e->path.steps[source].action != ACTION_READ)
            continue;
        if (read[source].count == 0)
            read_ways(e->paths, e->thread, &e->path.steps[source], &read[source]);
        join_ways(&all, &read[source]);
    }
    for (unsigned i = 0; i < all.count; i++)
        if (!(all.sets[i] & own))
            add_way(&possible, all.sets[i] | own);
    if (possible.count > 0)
        add_chunk(e->paths, e->thread, step, &possible);
    return possible.count > 0;
}

// Takes note of what a path does, whether it goes on or not. Returns false when it comes out of
// thin air.
static bool note_steps(struct enumeration *e) {
    unsigned writes = 0;
    struct ways read[STEPS_MAX];
    uint64_t depends[STEPS_MAX];
    note_owners(e);
    find_dependencies(e, depends);
    for (unsigned i = 0; i < e->path.count; i++) {
        const struct step *step = &e->path.steps[i];
        read[i].count = 0;
        if (step->exchanges && step->arrives) {
            note_gift(e->paths, e->thread, &e->path, i);
            writes++; // it passes values on as a write does
        }
        if (step->action == ACTION_BARRIER && step->predicate == NOT_KNOWN &&
            !e->paths->open_predicates)
            e->paths->open_predicates = e->paths->grew = true;
        if (step->action != ACTION_READ && step->action != ACTION_WRITE)
            continue;
        cut(e->paths, step);
        parts_note(&e->paths->parts, e->thread, step);
        if (step->action == ACTION_READ)
            continue;
        writes++;
        if (!note_write(e, step, depends[i], read) && !e->paths->guide)
            return false; // (where reads are given, what comes after the write is noted, too)
    }
    if (writes > e->most_writes)
        e->most_writes = writes;
    return true;
}

static void keep_path(struct enumeration *e) {
    struct candidate_path *kept = paths_allocate(1, sizeof *kept);
    size_t registers = e->paths->memory->test->threads[e->thread].register_count;
    kept->path.end = e->path.end;
    kept->path.exits = e->path.exits;
    kept->path.broken = e->path.broken;
    kept->path.control = e->path.control;
    kept->path.count = e->path.count;
    kept->path.steps = paths_allocate(e->path.count, sizeof *kept->path.steps);
    memcpy(kept->path.steps, e->path.steps, e->path.count * sizeof *kept->path.steps);
    kept->depends = paths_allocate(e->path.count, sizeof *kept->depends);
    find_dependencies(e, kept->depends);
    kept->path.registers = paths_allocate(registers, sizeof *kept->path.registers);
    memcpy(kept->path.registers, e->path.registers, registers * sizeof *kept->path.registers);
    e->list->paths = paths_resized(e->list->paths, e->list->count + 1, sizeof *e->list->paths);
    e->list->paths[e->list->count++] = kept;
}

// The empty path of a thread whose CTA may be cancelled; nothing is known of its registers.
static void keep_cancelled(struct enumeration *e) {
    const struct test *test = e->paths->memory->test;
    const struct thread *thread = &test->threads[e->thread];
    bool may_be = false;
    for (size_t t = 0; t < test->thread_count; t++)
        may_be = may_be || paths_may_cancel(test, (int)t, e->thread);
    if (!may_be)
        return;
    e->path.end = PATH_DONE;
    e->path.exits = false;
    e->path.broken = 0;
    e->path.control = 0;
    e->path.count = 0;
    for (size_t r = 0; r < thread->register_count; r++)
        e->path.registers[r] = value_unknown(thread->registers[r].width);
    keep_path(e);
    e->list->paths[e->list->count - 1]->cancelled = true;
}

static void enumerate(struct enumeration *e);

static void enumerate_answers(struct enumeration *e, struct values *values) {
    for (size_t i = 0; i < values->count; i++) {
        push_answer(&e->answers, values->items[i]);
        enumerate(e);
        e->answers.count--;
    }
    free(values->items);
}

static void enumerate(struct enumeration *e) {
    struct supplier supplier = {answer, &e->answers};
    struct values values = {NULL, 0, 0};
    struct value given;
    const struct path_guide *guide = e->paths->guide;
    e->answers.next = 0;
    if (e->count > e->paths->limit)
        return;
    thread_run(e->paths->memory, e->thread, &e->paths->options, &supplier, &e->path);
    if (!note_steps(e) && !guide)
        return;
    if (e->path.end != PATH_WANTS) {
        e->count++;
        if (e->list)
            keep_path(e);
        return;
    }
    struct step step = e->path.steps[e->path.count - 1];
    int owner = e->path.question == ASK_READ ? e->paths->owners[step.spot.object] : -1;
    if (guide &&
        guide->answer(guide->context, (size_t)e->thread, &e->path, e->path.question, &given)) {
        add_value(&values, given);
    } else if (owner == e->thread && e->paths->reads_own_last) {
        add_value(&values, influence_own_value(e->paths->memory, &e->path, &step));
    } else if (e->path.question == ASK_READ) {
        read_values(e->paths, e->thread, &step, &values);
    } else if (e->path.question == ASK_REDUCED && step.exchanges && step.at->warp == WARP_ELECT) {
        elected_values(&step, &values);
    } else if (e->path.question == ASK_REDUCED && step.exchanges) {
        struct warp_part parts[LANES] = {
            {warp_lane(e->paths->memory->test, e->thread), e->path.steps[step.arrival].value}};
        exchanged_values(e->paths, e->thread, &e->path, parts, 1, 0, &values);
    } else if (e->path.question == ASK_REDUCED) {
        reduced_values(e->paths, e->thread, &step, &values);
    } else if (e->path.question == ASK_ANSWER) {
        cancelled_values(e->paths->memory->test, &step, e->thread, &values);
    } else {
        add_value(&values, value_known(1, 1));
        add_value(&values, value_known(0, 1));
    }
    enumerate_answers(e, &values);
}

// Runs a thread every way; returns the greatest number of writes of a path.
static unsigned enumerate_thread(struct paths *paths, int thread, struct path_list *list) {
    struct enumeration e = {.paths = paths, .thread = thread, .list = list};
    size_t registers = paths->memory->test->threads[thread].register_count;
    e.path.registers = paths_allocate(registers, sizeof *e.path.registers);
    e.path.steps = paths_allocate(STEPS_MAX, sizeof *e.path.steps);
    enumerate(&e);
    if (list)
        keep_cancelled(&e);
    paths->too_many = paths->too_many || e.count > paths->limit;
    free(e.path.registers);
    free(e.path.steps);
    free(e.answers.items);
    return e.most_writes;
}

// --- The whole -----------------------------------------------------------------------------------

static void prepare_influence(struct paths *paths) {
    size_t threads = paths->memory->test->thread_count;
    paths->owners = paths_allocate(paths->memory->count, sizeof *paths->owners);
    for (size_t i = 0; i < paths->memory->count; i++)
        paths->owners[i] = -2;
    paths->influence = paths_allocate(threads, sizeof *paths->influence);
    for (size_t t = 0; t < threads; t++)
        paths->influence[t] = (struct influence){.memory = paths->memory,
                                                 .thread = (int)t,
                                                 .options = paths->options,
                                                 .owners = paths->owners};
}

// Runs all threads until none writes what it did not write before.
static void note_all(struct paths *paths) {
    unsigned writes = 0, round = 0;
    do {
        paths->grew = false;
        writes = 0;
        for (size_t t = 0; t < paths->memory->test->thread_count; t++)
            writes += enumerate_thread(paths, (int)t, NULL);
    } while (paths->grew && round++ <= writes && !paths->too_many);
}

static void prepare(struct paths *paths) {
    size_t threads = paths->memory->test->thread_count;
    paths->threads = paths_allocate(threads, sizeof *paths->threads);
    paths->cuts = paths_allocate(paths->memory->count, sizeof *paths->cuts);
    for (size_t i = 0; i < paths->memory->count; i++)
        paths->cuts[i] = paths_allocate(paths->memory->objects[i].size + 1, sizeof **paths->cuts);
    prepare_influence(paths);
    if (paths->dependencies == DEPENDENCIES_NONE)
        paths_guess_constants(paths);
}

// Finds how large the accesses of operations are, by all paths of all threads.
static void find_parts(const struct paths *wanted, struct parts *parts) {
    struct paths all = *wanted;
    all.guide = NULL;
    parts_init(&all.parts, all.memory);
    prepare(&all);
    note_all(&all);
    *parts = all.parts;
    all.parts = (struct parts){0};
    if (!parts_settle(parts) || all.too_many) {
        parts_free(parts);
        *parts = (struct parts){0};
    }
    paths_free(&all);
}

void paths_find(struct paths *paths) {
    size_t threads = paths->memory->test->thread_count;
    if (parts_are_needed(paths->memory->test))
        find_parts(paths, &paths->parts);
    paths->options.part_sizes = paths->parts.sizes;
    prepare(paths);
    note_all(paths);
    if (paths->too_many)
        return;
    paths->guess_count = 0; // what is written of these is known now
    for (size_t t = 0; t < threads; t++)
        enumerate_thread(paths, (int)t, &paths->threads[t]);
    for (size_t t = 0; t < threads && !paths->too_many; t++)
        for (size_t i = 0; i < paths->threads[t].count; i++)
            needs_find(paths, (int)t, paths->threads[t].paths[i]);
    if (!paths->too_many && !paths->guide)
        needs_drop_unprovided(paths);
}

void paths_free(struct paths *paths) {
    for (size_t t = 0; paths->threads && t < paths->memory->test->thread_count; t++) {
        for (size_t i = 0; i < paths->threads[t].count; i++)
            needs_free_path(paths->threads[t].paths[i]);
        free(paths->threads[t].paths);
        free(paths->threads[t].provides);
    }
    for (size_t t = 0; paths->influence && t < paths->memory->test->thread_count; t++)
        influence_free(&paths->influence[t]);
    free(paths->influence);
    free(paths->owners);
    for (size_t i = 0; paths->cuts && i < paths->memory->count; i++)
        free(paths->cuts[i]);
    free(paths->cuts);
    free(paths->threads);
    free(paths->chunks);
    free(paths->gifts);
    free(paths->guesses);
    parts_free(&paths->parts);
}
