// Memory from the system, for what no arena holds. Nobody looks whether there was any: when there
// is none, a handler takes over.
#ifndef PTXLITMUS_ALLOCATE_H
#define PTXLITMUS_ALLOCATE_H

#include <stddef.h>
#include <stdio.h>

// Returns `count` zeroed elements of `size` bytes, which the caller frees. Never NULL.
void *allocate(size_t count, size_t size);

// Returns the elements (NULL: none yet) in a block of `count` elements of `size` bytes, as realloc
// does: what is added is not zeroed. The caller frees it. Never NULL.
void *reallocate(void *items, size_t count, size_t size);

// Opens a stream into memory. text_close puts what was written, with a NUL behind it, in `*text`,
// which the caller frees, and its size in `*size`.
FILE *text_open(char **text, size_t *size);
void text_close(FILE *out);

// The system has no memory left: calls the handler. Every allocation that fails ends here, those
// of libraries as well.
_Noreturn void out_of_memory(void);

// As out_of_memory when this errno says so: a call of the library of C has failed for want of
// memory, which is no fault of the file that it was about.
void out_of_memory_if(int error);

// Sets what is called on this thread then (NULL: nothing), and returns what was called before. The
// handler allocates nothing and does not return: it ends the process, or jumps out of the work.
// Without one the process aborts.
typedef void (*out_of_memory_handler)(void);
out_of_memory_handler out_of_memory_calls(out_of_memory_handler handler);

#endif
