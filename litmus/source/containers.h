// uthash's tables and arrays, which end as every allocation does when there is no memory. Included
// instead of their own headers, whose way is to exit(-1).
#ifndef PTXLITMUS_CONTAINERS_H
#define PTXLITMUS_CONTAINERS_H

#include "litmus/source/allocate.h"

#define uthash_fatal(message) out_of_memory()
#define utarray_oom() out_of_memory()

#include <utarray.h>
#include <uthash.h>

#endif
