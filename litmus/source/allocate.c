// Allocations that succeed or end the process.
#include "litmus/source/allocate.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local out_of_memory_handler on_failure;

out_of_memory_handler out_of_memory_calls(out_of_memory_handler handler) {
    out_of_memory_handler before = on_failure;
    on_failure = handler;
    return before;
}

_Noreturn void out_of_memory(void) {
    if (on_failure)
        on_failure();
    abort();
}

void out_of_memory_if(int error) {
    if (error == ENOMEM)
        out_of_memory();
}

void *allocate(size_t count, size_t size) {
    void *items = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (!items)
        out_of_memory();
    return items;
}

void *try_allocate(size_t size) {
    return malloc(size);
}

void *reallocate(void *items, size_t count, size_t size) {
    if (size > 0 && count > SIZE_MAX / size)
        out_of_memory();
    size_t bytes = count * size;
    void *larger = realloc(items, bytes > 0 ? bytes : 1);
    if (!larger)
        out_of_memory();
    return larger;
}

// A text that a stream is written to. (Streams of open_memstream do not tell when they have lost
// something.)
struct text {
    char **text; // NULL: it was abandoned
    size_t *size, capacity;
    struct text *before, *after; // of the open ones of a thread
};

static _Thread_local struct text *open_texts;

static ssize_t text_write(void *cookie, const char *bytes, size_t size) {
    struct text *text = cookie;
    if (!text->text)
        return (ssize_t)size;
    size_t needed = *text->size + size + 1;
    if (needed > text->capacity) {
        text->capacity = needed > 2 * text->capacity ? needed : 2 * text->capacity;
        *text->text = reallocate(*text->text, text->capacity, 1);
    }
    memcpy(*text->text + *text->size, bytes, size);
    *text->size += size;
    (*text->text)[*text->size] = '\0';
    return (ssize_t)size;
}

// An abandoned one is in no list any more.
static int text_end(void *cookie) {
    struct text *text = cookie;
    if (text->text && text->before)
        text->before->after = text->after;
    else if (text->text)
        open_texts = text->after;
    if (text->text && text->after)
        text->after->before = text->before;
    free(text);
    return 0;
}

FILE *text_open(char **text, size_t *size) {
    struct text *cookie = allocate(1, sizeof *cookie);
    *cookie = (struct text){.text = text, .size = size, .capacity = 1};
    *text = allocate(1, 1);
    *size = 0;
    FILE *out =
        fopencookie(cookie, "w", (cookie_io_functions_t){.write = text_write, .close = text_end});
    if (!out)
        out_of_memory();
    cookie->after = open_texts;
    if (open_texts)
        open_texts->before = cookie;
    open_texts = cookie;
    return out;
}

void texts_abandon(void) {
    for (struct text *text = open_texts; text; text = text->after)
        text->text = NULL;
    open_texts = NULL;
}

void text_close(FILE *out) {
    if (fclose(out) != 0)
        out_of_memory();
}
