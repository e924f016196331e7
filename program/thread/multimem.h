// Multimem addresses, for asynchronous copies to one (thread/multimem.c).
#ifndef PTXLITMUS_PROGRAM_THREAD_MULTIMEM_H
#define PTXLITMUS_PROGRAM_THREAD_MULTIMEM_H

#include "program/thread/access.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

// A multimem address.
struct multimem {
    int first;       // the variable that it is, at the first of the variables to which it points
    int64_t offset;  // in it
    unsigned copies; // to how many it points
};

// Finds the address to which an instruction writes; `shape` has it as a value. Returns false, after
// an error, where it is none or depends on memory.
bool multimem_find(struct thread_builder *thread, const struct instruction *instruction,
                   const struct access_shape *shape, struct multimem *found);

// Returns the address as that of one of the variables, the first of which is 0.
struct value multimem_address(struct thread_builder *thread, const struct multimem *multimem,
                              unsigned copy);

#endif
