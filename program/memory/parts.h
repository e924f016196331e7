// How large the accesses are of an operation on many bytes: an asynchronous copy, a product of
// matrices, st.bulk.
//
// Such an operation does not say how its accesses are divided. It is divided so that each of its
// parts is as large as the smallest access, or declared element, of the objects that it touches
// (docs/memory-model section 16): then it races with an access of its own size, and not with one
// of another size. What an operation touches is known only when the program has been built: it is
// built with parts as small as any access of the test, and again where they may be larger.

#ifndef PTXLITMUS_PROGRAM_MEMORY_PARTS_H
#define PTXLITMUS_PROGRAM_MEMORY_PARTS_H

#include "program/builder.h"
#include "program/thread/threads.h"

// Returns how many bytes the parts of the operation that an instruction of a thread starts have: 1,
// 2, 4 or 8.
unsigned part_size_of(const struct thread_builder *thread, const struct instruction *instruction);

// Finds the sizes of all parts by what the accesses of a program that was built by `plan` touch,
// if that has not been done, and sets plan->part_sizes. Returns whether some are larger than
// before: then the program may be built again.
bool part_sizes_find(struct build_plan *plan, struct arena *arena, const struct builder *built);

// Sets plan->part_sizes to what they are without that.
void part_sizes_keep(struct build_plan *plan, struct arena *arena);

#endif
