// The arena: blocks from malloc, cut into pieces, released together.
#include "litmus/source/arena.h"

#include "litmus/source/allocate.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

enum { BLOCK_SIZE = 64 * 1024, ALIGNMENT = 16 };

struct arena_block {
    struct arena_block *next;
    size_t size; // bytes of data
    size_t used;
    _Alignas(ALIGNMENT) unsigned char data[];
};

struct arena {
    struct arena_block *blocks; // the newest first
    size_t used;
};

struct arena *arena_new(void) {
    return allocate(1, sizeof(struct arena));
}

void arena_free(struct arena *arena) {
    if (!arena)
        return;
    struct arena_block *block = arena->blocks;
    while (block) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
    free(arena);
}

static struct arena_block *block_new(size_t size) {
    if (size > SIZE_MAX - sizeof(struct arena_block))
        out_of_memory();
    struct arena_block *block = allocate(1, sizeof(struct arena_block) + size);
    block->size = size;
    return block;
}

// Whether a piece gets a block for itself. Under AddressSanitizer every piece does, so that a step
// past its end is seen.
static bool is_alone(size_t size) {
#ifdef __SANITIZE_ADDRESS__
    (void)size;
    return true;
#else
    return size >= BLOCK_SIZE / 4;
#endif
}

void *arena_alloc(struct arena *arena, size_t size) {
    if (size > SIZE_MAX - ALIGNMENT)
        out_of_memory();
    arena->used += size;
    size_t aligned = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct arena_block *block = arena->blocks;
    if (block && aligned <= block->size - block->used) {
        void *piece = block->data + block->used;
        block->used += aligned;
        return piece;
    }
    bool large = is_alone(size);
    struct arena_block *fresh = block_new(large ? size : BLOCK_SIZE);
    fresh->used = large ? size : aligned;
    if (large && block) { // the open block stays first: it still has room
        fresh->next = block->next;
        block->next = fresh;
    } else {
        fresh->next = block;
        arena->blocks = fresh;
    }
    return fresh->data;
}

void *arena_alloc_array(struct arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size)
        out_of_memory();
    return arena_alloc(arena, count * size);
}

void *arena_copy(struct arena *arena, const void *data, size_t count, size_t size) {
    void *copy = arena_alloc_array(arena, count, size);
    if (count > 0 && size > 0)
        memcpy(copy, data, count * size);
    return copy;
}

void *arena_grow(struct arena *arena, void *items, size_t count, size_t size) {
    bool full = count == 0 || (count >= 4 && (count & (count - 1)) == 0);
    if (!full)
        return items;
    void *larger = arena_alloc_array(arena, count == 0 ? 4 : count * 2, size);
    if (count > 0)
        memcpy(larger, items, count * size);
    return larger;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length) {
    char *copy = arena_alloc(arena, length + 1);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *arena_vformat(struct arena *arena, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length < 0)
        out_of_memory();
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_format(struct arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = arena_vformat(arena, format, args);
    va_end(args);
    return text;
}

FILE *arena_text_begin(struct arena_text *text) {
    return text->out = text_open(&text->bytes, &text->size);
}

char *arena_text_end(struct arena *arena, struct arena_text *text) {
    text_close(text->out);
    char *copy = arena_strndup(arena, text->bytes, text->size);
    free(text->bytes);
    return copy;
}

const char *arena_list(struct arena *arena, const char *const *texts, size_t count,
                       const char *last) {
    const char *list = "";
    for (size_t i = 0; i < count; i++)
        list = arena_format(arena, "%s%s%s", list,
                            i == 0          ? ""
                            : i + 1 < count ? ", "
                                            : last,
                            texts[i]);
    return list;
}

size_t arena_used(const struct arena *arena) {
    return arena->used;
}
