// Allocations that succeed or end the process.
#include "litmus/source/allocate.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static void (*on_failure)(void); // set once, before anything is allocated

void out_of_memory_calls(void (*handler)(void)) {
    on_failure = handler;
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

void *reallocate(void *items, size_t count, size_t size) {
    if (size > 0 && count > SIZE_MAX / size)
        out_of_memory();
    size_t bytes = count * size;
    void *larger = realloc(items, bytes > 0 ? bytes : 1);
    if (!larger)
        out_of_memory();
    return larger;
}

FILE *text_open(char **text, size_t *size) {
    FILE *out = open_memstream(text, size);
    if (!out)
        out_of_memory();
    return out;
}

// A stream into memory fails for want of memory alone.
void text_close(FILE *out) {
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        out_of_memory();
}
