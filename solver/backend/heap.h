// How much the C library has allocated.
#ifndef PTXLITMUS_SOLVER_BACKEND_HEAP_H
#define PTXLITMUS_SOLVER_BACKEND_HEAP_H

#include <stddef.h>

// Returns the bytes that are allocated now, as far as the C library tells.
size_t heap_bytes(void);

#endif
