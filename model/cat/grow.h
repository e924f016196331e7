// Arrays in an arena that grow by doubling.
#ifndef PTXLITMUS_CAT_GROW_H
#define PTXLITMUS_CAT_GROW_H

#include "litmus/source/arena.h"

#include <string.h>

// Returns `items`, or a larger copy of its `count` elements of `size` bytes in the arena, with room
// for one more element, and updates `*capacity`. Never NULL.
static inline void *cat_grow(struct arena *arena, void *items, size_t count, size_t *capacity,
                             size_t size) {
    if (count < *capacity)
        return items;
    *capacity = *capacity ? *capacity * 2 : 4;
    void *larger = arena_alloc_array(arena, *capacity, size);
    if (count > 0)
        memcpy(larger, items, count * size);
    return larger;
}

// Appends to an array that is described by the three lvalues.
#define CAT_APPEND(arena, items, count, capacity, ...)                                             \
    ((items) = cat_grow((arena), (items), (count), &(capacity), sizeof *(items)),                  \
     (items)[(count)++] = __VA_ARGS__)

#endif
