// The C library's account of its heap: glibc's, or that of a library whose numbers are ints.
#include "solver/backend/heap.h"

#include <malloc.h>

size_t heap_bytes(void) {
#ifdef __GLIBC__
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
#else
    struct mallinfo heap = mallinfo();
    return (size_t)(unsigned)heap.uordblks + (size_t)(unsigned)heap.hblkhd;
#endif
}
