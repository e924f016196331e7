// uthash's tables and arrays, with the handling of failed allocations of allocate.h. Include this
// instead of their own headers, which exit(-1) when there is no memory.
#ifndef PTXLITMUS_CONTAINERS_H
#define PTXLITMUS_CONTAINERS_H

#include "litmus/source/allocate.h"

#define uthash_fatal(message) out_of_memory()
#define utarray_oom() out_of_memory()

#include <utarray.h>
#include <uthash.h>

#endif
