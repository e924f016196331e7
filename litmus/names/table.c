// A table is an array of slots that is never more than half full; a name is in the first free
// slot from the one that its hash gives. We do not use uthash here, because it frees its
// allocations one by one, and everything of a test is in its arena.
#include "litmus/names/table.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/hash.h"

#include <stdint.h>
#include <string.h>

struct name_slot {
    const char *name; // NULL: free
    int number;
};

struct name_table {
    struct arena *arena;
    struct name_slot *slots;
    size_t count, capacity; // capacity is a power of two
};

struct name_table *name_table_new(struct arena *arena) {
    struct name_table *table = ARENA_NEW(arena, struct name_table);
    table->arena = arena;
    table->capacity = 16;
    table->slots = ARENA_ARRAY(arena, struct name_slot, table->capacity);
    return table;
}

static size_t hash(const char *name) {
    uint64_t sum = hash_bytes(HASH_START, name, strlen(name));
    return (size_t)(sum ^ sum >> 32);
}

// The slot of a name: its own, or the free one where it belongs.
static struct name_slot *find_slot(const struct name_table *table, const char *name) {
    size_t at = hash(name) & (table->capacity - 1);
    while (table->slots[at].name && strcmp(table->slots[at].name, name) != 0)
        at = (at + 1) & (table->capacity - 1);
    return &table->slots[at];
}

int name_table_find(const struct name_table *table, const char *name) {
    const struct name_slot *slot = find_slot(table, name);
    return slot->name ? slot->number : -1;
}

static void enlarge(struct name_table *table) {
    const struct name_slot *old = table->slots;
    size_t old_capacity = table->capacity;
    table->capacity *= 2;
    table->slots = ARENA_ARRAY(table->arena, struct name_slot, table->capacity);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].name)
            *find_slot(table, old[i].name) = old[i];
}

void name_table_add(struct name_table *table, const char *name, int number) {
    if (2 * (table->count + 1) > table->capacity)
        enlarge(table);
    struct name_slot *slot = find_slot(table, name);
    if (slot->name)
        bug("the name '%s' is in its table already", name);
    *slot = (struct name_slot){name, number};
    table->count++;
}
