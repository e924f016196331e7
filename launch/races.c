// Races that a run meets. Kernels of unrolled loops have thousands of places.
#include "launch/races.h"

#include "litmus/source/arena.h"
#include "litmus/source/containers.h"

#include <string.h>

// Two places, the one first that comes first in memory.
struct race_key {
    const struct instruction *instructions[2];
    uint32_t writes[2], is_of_mixed_sizes;
    uint32_t padding; // hashed, too
};

struct race_table {
    struct race_key key;
    size_t index; // of the race
    UT_hash_handle hh;
};

static bool is_detached(const struct shadow_access *touch) {
    return touch->actor != (uint32_t)touch->thread;
}

static struct race_key key_of(const struct shadow_access *a, const struct shadow_access *b) {
    bool is_apart = a->offset != b->offset || a->size != b->size;
    bool swaps = a->instruction > b->instruction ||
                 (a->instruction == b->instruction && a->writes && !b->writes);
    const struct shadow_access *first = swaps ? b : a, *second = swaps ? a : b;
    return (struct race_key){.instructions = {first->instruction, second->instruction},
                             .writes = {first->writes, second->writes},
                             .is_of_mixed_sizes = is_apart && !is_detached(a) && !is_detached(b)};
}

static struct launch_access access_of(const struct shadow_access *touch) {
    return (struct launch_access){.thread = touch->thread,
                                  .instruction = touch->instruction,
                                  .writes = touch->writes,
                                  .is_atomic = touch->is_atomic,
                                  .is_detached = is_detached(touch),
                                  .size = touch->size,
                                  .offset = touch->offset};
}

// Whether both store the same value.
static bool store_alike(const struct shadow_access *a, const struct shadow_access *b) {
    return a->writes && b->writes && a->stores_known && b->stores_known && a->offset == b->offset &&
           a->size == b->size && bits_equal(a->stored, b->stored);
}

static void add(struct arena *arena, struct race_table **table, struct launch_result *result,
                const struct race_key *key) {
    struct race_table *entry = ARENA_NEW(arena, struct race_table);
    entry->key = *key;
    entry->index = result->race_count;
    HASH_ADD(hh, *table, key, sizeof entry->key, entry);
    result->races = arena_grow(arena, result->races, result->race_count, sizeof *result->races);
    result->race_count++;
}

void races_note(struct arena *arena, struct race_table **table, struct launch_result *result,
                const struct shadow_access *earlier, const struct shadow_access *later,
                unsigned variable) {
    struct race_key key = key_of(earlier, later);
    struct race_table *entry;
    HASH_FIND(hh, *table, &key, sizeof key, entry);
    if (entry != NULL) {
        struct launch_race *race = &result->races[entry->index];
        race->pairs++;
        race->stores_alike &= store_alike(earlier, later);
        return;
    }
    add(arena, table, result, &key);
    result->races[result->race_count - 1] =
        (struct launch_race){.accesses = {access_of(earlier), access_of(later)},
                             .variable = variable,
                             .is_of_mixed_sizes = key.is_of_mixed_sizes != 0,
                             .stores_alike = store_alike(earlier, later),
                             .pairs = 1};
}

void races_forget(struct race_table **table) {
    HASH_CLEAR(hh, *table);
}
