// Memory from the system, for what no arena holds. Callers need not check for NULL: when there is
// no memory, a handler takes over.
#ifndef PTXLITMUS_ALLOCATE_H
#define PTXLITMUS_ALLOCATE_H

#include <stddef.h>
#include <stdio.h>

// Returns `count` zeroed elements of `size` bytes, which the caller frees. Never NULL.
void *allocate(size_t count, size_t size);

// Returns the elements (NULL: none yet) in a block of `count` elements of `size` bytes, as realloc
// does: what is added is not zeroed. The caller frees it. Never NULL.
void *reallocate(void *items, size_t count, size_t size);

// Returns the elements in a block with room for `needed` of them: where `*capacity`, which is
// updated, is less, in one for twice as many, as reallocate does.
static inline void *reallocate_for(void *items, size_t *capacity, size_t needed, size_t size) {
    if (needed <= *capacity)
        return items;
    *capacity = 2 * needed + 16;
    return reallocate(items, *capacity, size);
}

// Returns `size` bytes that are not zeroed, which the caller frees, or NULL when there is no
// memory: for what a program can do without.
void *try_allocate(size_t size);

// Opens a stream into memory, which the caller ends with text_close. `text` and `size` must stay
// where they are until then. Never NULL.
FILE *text_open(char **text, size_t *size);

// Closes such a stream. Now `*text`, which the caller frees, is what was written, followed by a
// NUL, and `*size` its size in bytes without that.
void text_close(FILE *out);

// Has the streams of this thread that are still open ignore all that is written to them: for work
// that was left by a jump, whose variables are gone. The C library keeps such streams until the
// process ends, and then writes out what they hold.
void texts_abandon(void);

// Calls the handler because the system has no memory left. Every allocation that fails ends here,
// those of libraries as well.
_Noreturn void out_of_memory(void);

// As out_of_memory when `error`, an errno, is ENOMEM: a call of the C library has failed for lack
// of memory, so the file that it was about is not to blame. Else returns.
void out_of_memory_if(int error);

// What is called when there is no memory. It must not allocate and must not return: it ends the
// process, or jumps out of the work.
typedef void (*out_of_memory_handler)(void);

// Sets the handler of this thread and returns the one before. With NULL, as at first, the process
// aborts.
out_of_memory_handler out_of_memory_calls(out_of_memory_handler handler);

#endif
