// An arena: everything that one test needs is allocated here and released at once.
#ifndef PTXLITMUS_ARENA_H
#define PTXLITMUS_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct arena;

// Returns a new, empty arena; the caller releases it with arena_free. Running out of memory calls
// the handler of allocate.h, so that no function here returns NULL.
struct arena *arena_new(void);

// Releases the arena and all that was allocated from it. NULL is allowed.
void arena_free(struct arena *arena);

// Returns `size` zeroed bytes, aligned for any type, owned by the arena. Never NULL.
void *arena_alloc(struct arena *arena, size_t size);

// As arena_alloc, for `count` elements of `size` bytes; a product that overflows ends the process.
void *arena_alloc_array(struct arena *arena, size_t count, size_t size);

// Returns a copy of the array of `count` elements of `size` bytes, owned by the arena.
void *arena_copy(struct arena *arena, const void *data, size_t count, size_t size);

// Returns the array with room for one more element after its `count` elements of `size` bytes:
// itself, or a larger copy. The capacity follows from the count (4, 8, 16, ...), so an array that
// grows with this function, one element at a time from NULL and 0, must only grow with it.
void *arena_grow(struct arena *arena, void *items, size_t count, size_t size);

// Returns a NUL-terminated copy of the first `length` bytes of `text`, owned by the arena.
char *arena_strndup(struct arena *arena, const char *text, size_t length);

// Returns what printf would print, as a string owned by the arena.
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// As arena_format, with the arguments in a list.
char *arena_vformat(struct arena *arena, const char *format, va_list args);

// A text in the making: what is printed on `out`.
struct arena_text {
    FILE *out;
    char *bytes; // so far
    size_t size;
};

// Begins a text, and returns its `out`. It has to stay where it is until arena_text_end.
FILE *arena_text_begin(struct arena_text *text);

// Ends a text: returns what was printed, owned by the arena. Its size stays in the text.
char *arena_text_end(struct arena *arena, struct arena_text *text);

// Returns texts in one, "a, b or c" where `last`, which is before the last of them, is " or ". The
// arena owns it.
const char *arena_list(struct arena *arena, const char *const *texts, size_t count,
                       const char *last);

// Returns how many bytes were handed out so far, for --stats.
size_t arena_used(const struct arena *arena);

// Appends a value to an array that grows with arena_grow; `items` and `count` are lvalues.
#define ARENA_APPEND(arena, items, count, ...)                                                     \
    ((items) = arena_grow((arena), (items), (count), sizeof *(items)),                             \
     (items)[(count)++] = (__VA_ARGS__))

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc_array((arena), (count), sizeof(type)))

#endif
