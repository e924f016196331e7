// Inside repair/: corrections in the making (places.h).
#ifndef PTXLITMUS_REPAIR_CORRECTING_H
#define PTXLITMUS_REPAIR_CORRECTING_H

#include "repair/places.h"
#include "repair/registers.h"

// Returns a place of a correction of an instruction, with the form that changes nothing.
struct change_place correction_place(const struct place_search *search, size_t thread,
                                     size_t instruction, enum change_correction correction);

// Returns statements that compute values before a place: none so far.
struct register_copies correction_copies(const struct place_search *search,
                                         const struct change_place *place);

// Returns edits that put the statements before the place, with room for one more; the arena owns
// them.
struct change_insert *correction_edits(const struct place_search *search,
                                       const struct change_place *place,
                                       const struct register_copies *copies);

// Returns an instruction's first operand that is memory, or NULL.
const struct operand *correction_first_memory(const struct instruction *instruction);

// Returns the operand that names memory, of which the next one is a count or a parity; NULL without
// one, or where no operand follows.
const struct operand *correction_memory(const struct instruction *instruction);

// Whether a thread arrives at an mbarrier by an instruction, itself or when its copies are
// complete.
bool correction_arrives(const struct instruction *instruction);

// Whether an instruction says how many bytes an mbarrier is to expect.
bool correction_expects(struct arena *arena, const struct instruction *instruction);

// Adds the waits for phases (corrections_waits.c).
void corrections_add_waits(struct place_search *search);

// Adds the barriers in loops (corrections_waits.c).
void corrections_add_barriers(struct place_search *search);

#endif
