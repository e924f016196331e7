// Memory: bytes with what is known of each, and pieces with the accesses to them.
//
// Of a piece, an access is forgotten when a later one takes its place: what is not ordered after
// the forgotten one is then not ordered after the later one either, and races with that, too.
#include "launch/shadow.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct shadow_touches {
    struct shadow_access *items;
    unsigned count, capacity;
};

// Reads are told apart from accesses that write, since they do not meet each other.
struct shadow_piece {
    struct shadow_touches writes, reads;
};

// Of an object. A piece is as large as the smallest access so far.
struct memory {
    unsigned char *bytes;
    unsigned char *knowledge; // by byte
    struct shadow_piece *pieces;
    unsigned grain; // bytes of a piece; 0: there are no pieces yet
};

struct shadow {
    const struct stepper *stepper;
    const struct test *test;
    const struct program_memory *objects;
    struct memory *memories; // by object
    struct shadow_listener listener;
    bool is_shared;
    uint32_t accesses; // that were made
    bool has_tensors;  // some were made by tensor cores
};

struct shadow *shadow_new(struct arena *arena, const struct stepper *stepper,
                          const struct test *test, const struct shadow_listener *listener) {
    struct shadow *shadow = ARENA_NEW(arena, struct shadow);
    const struct program_memory *objects = stepper_memory(stepper);
    *shadow =
        (struct shadow){.stepper = stepper,
                        .test = test,
                        .objects = objects,
                        .memories = ARENA_ARRAY(arena, struct memory, objects->object_count + 1),
                        .listener = *listener};
    return shadow;
}

static size_t piece_count(const struct shadow *shadow, unsigned object, unsigned grain) {
    return (size_t)((shadow->objects->objects[object].size + grain - 1) / grain);
}

static void free_pieces(struct shadow_piece *pieces, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(pieces[i].writes.items);
        free(pieces[i].reads.items);
    }
    free(pieces);
}

void shadow_free(struct shadow *shadow) {
    for (unsigned i = 0; i < shadow->objects->object_count; i++) {
        struct memory *memory = &shadow->memories[i];
        if (memory->grain > 0)
            free_pieces(memory->pieces, piece_count(shadow, i, memory->grain));
        free(memory->bytes);
        free(memory->knowledge);
    }
}

// --- Places ------------------------------------------------------------------------------------

bool shadow_find(const struct shadow *shadow, uint64_t address, unsigned size, unsigned *object,
                 uint64_t *offset) {
    const struct virtual_range *range = places_range_of(shadow->objects, address, size);
    if (range == NULL)
        return false;
    *object = range->object;
    *offset = address - range->address;
    return true;
}

// --- Contents ----------------------------------------------------------------------------------

// Whether all of an object begins as zeros, as new memory does: a page of it that nothing writes
// then costs nothing.
static bool begins_as_zeros(const struct shadow *shadow, unsigned object) {
    unsigned variable = shadow->objects->objects[object].variable;
    return !shadow->test->variables[variable].has_initial &&
           stepper_initial(shadow->stepper, object, 0, 1).knowledge == KNOWN;
}

static struct memory *contents_of(struct shadow *shadow, unsigned object) {
    struct memory *memory = &shadow->memories[object];
    size_t size = (size_t)shadow->objects->objects[object].size;
    if (memory->bytes != NULL)
        return memory;
    memory->bytes = allocate(size + 1, 1);
    memory->knowledge = allocate(size + 1, 1);
    for (size_t i = begins_as_zeros(shadow, object) ? size : 0; i < size; i += 16) {
        unsigned count = size - i < 16 ? (unsigned)(size - i) : 16;
        struct step_value word = stepper_initial(shadow->stepper, object, i, count);
        memcpy(&memory->bytes[i], &word.bits, count);
        memset(&memory->knowledge[i], (int)word.knowledge, count);
    }
    return memory;
}

struct step_value shadow_read(struct shadow *shadow, unsigned object, uint64_t offset,
                              unsigned size) {
    struct memory *memory = contents_of(shadow, object);
    struct step_value word = {{0, 0}, KNOWN};
    assert(size <= sizeof word.bits);
    bool are_alike = true;
    for (unsigned i = 0; i < size; i++) {
        are_alike &= memory->knowledge[offset + i] == memory->knowledge[offset];
        if (memory->knowledge[offset + i] > word.knowledge)
            word.knowledge = memory->knowledge[offset + i];
    }
    if (word.knowledge <= CANCEL_ANSWER && are_alike)
        memcpy(&word.bits, &memory->bytes[offset], size);
    return word;
}

void shadow_write(struct shadow *shadow, unsigned object, uint64_t offset, unsigned size,
                  struct step_value word) {
    struct memory *memory = contents_of(shadow, object);
    assert(size <= sizeof word.bits);
    memcpy(&memory->bytes[offset], &word.bits, size);
    memset(&memory->knowledge[offset], (int)word.knowledge, size);
}

void shadow_copy(struct shadow *shadow, unsigned from, uint64_t source, unsigned to,
                 uint64_t destination, unsigned size) {
    const struct memory *a = contents_of(shadow, from);
    struct memory *b = contents_of(shadow, to);
    memmove(&b->bytes[destination], &a->bytes[source], size);
    memmove(&b->knowledge[destination], &a->knowledge[source], size);
}

// --- Accesses ----------------------------------------------------------------------------------

static void add(struct shadow_touches *touches, const struct shadow_access *touch) {
    if (touches->count == touches->capacity) {
        touches->capacity = touches->capacity == 0 ? 1 : 2 * touches->capacity;
        touches->items = reallocate(touches->items, touches->capacity, sizeof *touches->items);
    }
    touches->items[touches->count++] = *touch;
}

// Adds those of some accesses that are to bytes from `first` to `end`.
static void add_within(struct shadow_touches *touches, const struct shadow_touches *from,
                       size_t first, size_t end) {
    for (unsigned k = 0; k < from->count; k++)
        if (from->items[k].offset < end && first < from->items[k].offset + from->items[k].size)
            add(touches, &from->items[k]);
}

// Cuts an object into smaller pieces, each with the accesses of the one that it was in.
static void cut(struct shadow *shadow, unsigned object, unsigned grain) {
    struct memory *memory = &shadow->memories[object];
    size_t count = piece_count(shadow, object, grain);
    struct shadow_piece *pieces = allocate(count, sizeof *pieces);
    for (size_t i = 0; memory->grain > 0 && i < count; i++) {
        const struct shadow_piece *from = &memory->pieces[i * grain / memory->grain];
        add_within(&pieces[i].writes, &from->writes, i * grain, (i + 1) * grain);
        add_within(&pieces[i].reads, &from->reads, i * grain, (i + 1) * grain);
    }
    if (memory->grain > 0)
        free_pieces(memory->pieces, piece_count(shadow, object, memory->grain));
    memory->pieces = pieces;
    memory->grain = grain;
}

// The largest power of two up to 16 that divides both.
static unsigned grain_of(uint64_t offset, unsigned size) {
    unsigned grain = 16;
    while (offset % grain != 0 || size % grain != 0)
        grain /= 2;
    return grain;
}

static bool is_scope_mutual(const struct shadow *shadow, const struct shadow_access *a,
                            const struct shadow_access *b) {
    const struct place *x = &shadow->test->threads[a->thread].place;
    const struct place *y = &shadow->test->threads[b->thread].place;
    return test_scope_contains(a->scope, x, y) && test_scope_contains(b->scope, y, x);
}

// ptx-9.1.cat, `ms`: both strong, with scopes that include each other, of one proxy and extent, and
// scalars.
bool shadow_are_strong(const struct shadow *shadow, const struct shadow_access *a,
                       const struct shadow_access *b) {
    enum { SCALAR_BYTES = 8 };
    return a->scope != SCOPE_NONE && b->scope != SCOPE_NONE && a->offset == b->offset &&
           a->size == b->size && a->size <= SCALAR_BYTES && a->proxy == b->proxy &&
           is_scope_mutual(shadow, a, b);
}

// Where an access takes place: asynchronous work does so in the CTA whose memory it is about.
static const struct place *place_of(const struct shadow *shadow, const struct shadow_access *a) {
    return a->elsewhere != NULL ? a->elsewhere : &shadow->test->threads[a->thread].place;
}

static bool are_of_one_cta(const struct shadow *shadow, const struct shadow_access *a,
                           const struct shadow_access *b) {
    return test_same_cta(place_of(shadow, a), place_of(shadow, b));
}

// Whether whatever races with an access that has taken its place includes all that would race with
// this one: the later one is ordered after it, conflicts with all that it conflicts with, and is
// morally strong to nothing that it is not morally strong to. What comes after an asynchronous
// operation need not come after what is before it; it does come after those before it of one actor.
static bool is_replaced(const struct shadow *shadow, const struct shadow_access *old,
                        const struct shadow_access *by) {
    bool is_detached = by->actor != (uint32_t)by->thread;
    if (is_detached && (by->actor != old->actor || !are_of_one_cta(shadow, by, old)))
        return false;
    // Of strong accesses it matters which others they meet, one by one.
    if (old->scope != SCOPE_NONE && by->scope != SCOPE_NONE && old->instruction != by->instruction)
        return false;
    bool conflicts = by->writes || !old->writes;
    bool is_weaker = old->thread == by->thread && old->scope >= by->scope &&
                     old->offset == by->offset && old->size == by->size;
    return conflicts && old->proxy == by->proxy && old->stays == by->stays &&
           (by->scope == SCOPE_NONE || is_weaker);
}

// Whether two atomic operations of integers leave the same in memory, whichever comes first.
static bool commute(const struct shadow_access *a, const struct shadow_access *b) {
    enum atomic_op op = a->instruction->atomic;
    if (!a->is_atomic || !b->is_atomic || b->instruction->atomic != op)
        return false;
    return op == ATOMIC_ADD || op == ATOMIC_AND || op == ATOMIC_OR || op == ATOMIC_XOR ||
           op == ATOMIC_MIN || op == ATOMIC_MAX;
}

// Whether an access comes before another one, as far as base causality order says, for which
// `moment` says what is before. (ptx-9.1.cat: `ppcb`)
//
// What is done in the async proxy is handed over to the generic one by a fence of its own, but what
// tensor cores of the fifth generation do. What is done in the generic one, or in the async proxy
// of another CTA, has to be handed over.
static bool is_ordered(const struct shadow *shadow, const struct shadow_access *old,
                       const struct shadow_access *touch, unsigned object,
                       const struct moment *moment) {
    bool enters = touch->proxy == PROXY_ASYNC &&
                  (old->proxy == PROXY_GENERIC ||
                   (old->proxy == PROXY_ASYNC && !are_of_one_cta(shadow, old, touch)));
    bool leaves = old->stays && touch->proxy == PROXY_GENERIC;
    if (!enters && !leaves)
        return old->actor == moment->actor || moment_heard(moment, old->actor, old->time);
    enum state_space space = shadow->objects->objects[object].space;
    return moment_handed(moment, state_space_is_shared(space) ? CLOCK_SHARED : CLOCK_GLOBAL,
                         old->actor, old->time);
}

// Whether what is known of proxies does not say how the accesses are ordered: those of textures and
// constants.
static bool is_apart(const struct shadow_access *a, const struct shadow_access *b) {
    return (a->proxy != PROXY_GENERIC && a->proxy != PROXY_ASYNC && a->proxy != b->proxy) ||
           (b->proxy != PROXY_GENERIC && b->proxy != PROXY_ASYNC && a->proxy != b->proxy);
}

// Whether a piece is the first that both accesses are to: what meets in several is told of once.
static bool is_first_of(const struct memory *memory, size_t index, const struct shadow_access *a,
                        const struct shadow_access *b) {
    return index == (a->offset > b->offset ? a->offset : b->offset) / memory->grain;
}

// An access that is made to a piece.
struct placed {
    struct shadow *shadow;
    size_t index; // of the piece
    unsigned object;
    const struct shadow_access *touch;
    const struct moment *moment; // at which it is made
};

// Whether tensor cores have read a piece after some access to it, and before the one that is made.
static bool is_read_since(const struct placed *at, uint32_t serial, size_t index) {
    const struct shadow_touches *reads = &at->shadow->memories[at->object].pieces[index].reads;
    for (unsigned i = 0; i < reads->count; i++)
        if (reads->items[i].stays && reads->items[i].serial > serial &&
            is_ordered(at->shadow, &reads->items[i], at->touch, at->object, at->moment))
            return true;
    return false;
}

// Whether an access is before the one that is made since tensor cores have read the piece between
// them. (ptx-9.1.cat: `over-tensors`) That a write is before what reads later is so, or has raced
// with it; of what tensor cores have read it is so where a thread has written in between.
static bool is_read_between(const struct placed *at, const struct shadow_access *old,
                            size_t index) {
    const struct shadow_touches *writes = &at->shadow->memories[at->object].pieces[index].writes;
    if (!at->shadow->has_tensors)
        return false;
    if (old->writes)
        return is_read_since(at, old->serial, index);
    for (unsigned i = 0; old->stays && i < writes->count; i++) {
        const struct shadow_access *write = &writes->items[i];
        if (write->serial > old->serial && write->actor == (uint32_t)write->thread &&
            (is_ordered(at->shadow, write, at->touch, at->object, at->moment) ||
             is_read_since(at, write->serial, index)))
            return true;
    }
    return false;
}

// Tells of an earlier access that is not ordered before the one that is made.
static struct openness tell(const struct placed *at, const struct shadow_access *old, bool apart) {
    const struct shadow *shadow = at->shadow;
    bool strong = shadow_are_strong(shadow, old, at->touch);
    enum conflict conflict = apart ? CONFLICT_PROXY : strong ? CONFLICT_STRONG : CONFLICT_RACE;
    bool is_first = is_first_of(&shadow->memories[at->object], at->index, old, at->touch);
    if (is_first || is_read_between(at, old, at->index - 1))
        shadow->listener.meet(shadow->listener.context, conflict, old, at->touch, at->object);
    return (struct openness){.value = strong && old->writes,
                             .contents = strong && old->writes && at->touch->writes &&
                                         !commute(old, at->touch)};
}

// Meets earlier accesses, all of which conflict with the one that is made where they are of another
// actor, and forgets those whose place it takes.
static struct openness meet(const struct placed *at, struct shadow_touches *touches) {
    struct openness open = {false, false};
    unsigned kept = 0;
    for (unsigned i = 0; i < touches->count; i++) {
        const struct shadow_access *old = &touches->items[i];
        bool is_before = is_ordered(at->shadow, old, at->touch, at->object, at->moment) ||
                         is_read_between(at, old, at->index);
        bool apart = is_apart(old, at->touch);
        at->shadow->is_shared |= old->actor != at->touch->actor;
        if (!is_before || apart) {
            struct openness part = tell(at, old, apart);
            open.value |= part.value;
            open.contents |= part.contents;
        }
        if (!(is_before && is_replaced(at->shadow, old, at->touch)))
            touches->items[kept++] = *old;
    }
    touches->count = kept;
    return open;
}

// What comes after a later reading of one thread's tensor cores comes after the earlier ones, too.
static bool takes_place_of(const struct placed *at, const struct shadow_access *old) {
    bool are_of_tensors = old->stays && at->touch->stays && old->actor == at->touch->actor;
    return are_of_tensors || (is_ordered(at->shadow, old, at->touch, at->object, at->moment) &&
                              is_replaced(at->shadow, old, at->touch));
}

// Adds a read. Reads whose place it takes are looked for now and then, so that a read costs no more
// where many others are known; the last one often is one.
static void add_read(const struct placed *at, struct shadow_touches *reads,
                     const struct shadow_access *touch) {
    unsigned kept = 0;
    if (reads->count > 0 && takes_place_of(at, &reads->items[reads->count - 1]))
        reads->count--;
    for (unsigned i = 0; reads->count == reads->capacity && i < reads->count; i++)
        if (!takes_place_of(at, &reads->items[i]))
            reads->items[kept++] = reads->items[i];
    if (reads->count == reads->capacity)
        reads->count = kept;
    add(reads, touch);
}

bool shadow_is_shared(const struct shadow *shadow) {
    return shadow->is_shared;
}

bool shadow_is_stored(const struct shadow *shadow, unsigned object, uint64_t offset) {
    const struct memory *memory = &shadow->memories[object];
    const struct shadow_access *last = NULL;
    if (memory->grain == 0)
        return false;
    const struct shadow_touches *writes = &memory->pieces[offset / memory->grain].writes;
    for (unsigned i = 0; i < writes->count; i++)
        if (last == NULL || writes->items[i].serial > last->serial)
            last = &writes->items[i];
    return last != NULL && last->proxy == PROXY_GENERIC &&
           opcode_family(last->instruction->opcode) != FAMILY_MBARRIER;
}

static bool is_watched(const struct object *object) {
    return object->space != SPACE_LOCAL && object->space != SPACE_PARAM;
}

struct openness shadow_touch(struct shadow *shadow, unsigned object,
                             const struct shadow_access *touch, const struct moment *moment) {
    struct memory *memory = &shadow->memories[object];
    struct openness open = {false, false};
    if (!is_watched(&shadow->objects->objects[object]))
        return open;
    unsigned grain = grain_of(touch->offset, touch->size);
    if (memory->grain == 0 || grain < memory->grain)
        cut(shadow, object, grain);
    size_t first = touch->offset / memory->grain;
    size_t end = (touch->offset + (size_t)touch->size) / memory->grain;
    struct placed at = {.shadow = shadow, .object = object, .touch = touch, .moment = moment};
    for (at.index = first; at.index < end; at.index++) {
        struct shadow_piece *piece = &memory->pieces[at.index];
        struct openness reads = {false, false}, writes;
        if (touch->writes)
            reads = meet(&at, &piece->reads); // first, since writes may be between
        writes = meet(&at, &piece->writes);
        open.value |= writes.value | reads.value;
        open.contents |= writes.contents | reads.contents;
    }
    struct shadow_access noted = *touch;
    noted.serial = ++shadow->accesses;
    shadow->has_tensors |= touch->stays;
    noted.is_known = touch->is_known && !open.value;
    for (at.index = first; at.index < end; at.index++) {
        struct shadow_piece *piece = &memory->pieces[at.index];
        if (touch->writes)
            add(&piece->writes, &noted);
        else
            add_read(&at, &piece->reads, &noted);
    }
    return open;
}
