// The places that an access may touch: ranges of virtual addresses, state spaces and alignment.
#ifndef PTXLITMUS_PROGRAM_MEMORY_PLACES_H
#define PTXLITMUS_PROGRAM_MEMORY_PLACES_H

#include "program/builder.h"
#include "program/expr/value_set.h"

// Returns the last range that begins at or before an address, or NULL. Ranges belong to the memory.
const struct virtual_range *places_range_before(const struct program_memory *memory,
                                                uint64_t address);

// Returns the range nearest to an address, for messages.
const struct virtual_range *places_nearest(const struct program *program, uint64_t address);

// Whether an access's thread and state space let it touch an object (instances of state spaces).
bool places_can_reach(const struct builder *builder, const struct event *event,
                      const struct object *object);

// Whether an access stores to a .const variable or to a parameter of the kernel, which is not
// allowed (memory-model section 7; PTX ISA 5.1.6.1).
bool places_is_read_only_store(const struct builder *builder, const struct event *event,
                               const struct object *object);

// Returns the alignment in bytes that an access needs, which is that of its whole vector (PTX ISA
// 9.7.9.8).
uint64_t places_alignment(const struct builder *builder, const struct event *event);

// Whether an access to a multimem address is to one, and another access is not (PTX ISA 8.2.3).
bool places_is_of_kind(const struct builder *builder, const struct event *event,
                       const struct virtual_range *range);

// Whether an access is aligned at an offset in its range. Every range begins at a multiple of all
// alignments.
bool places_is_aligned(const struct builder *builder, const struct event *event, uint64_t offset);

// Sets the candidates of an access, without conditions and cells, to those of the addresses that
// the access may touch; `arena` owns them. Returns whether it may touch all of them. More than
// PROGRAM_MAX_CANDIDATES are counted as PROGRAM_MAX_CANDIDATES + 1.
bool places_find(struct builder *builder, struct arena *arena, struct event *event,
                 struct value_set addresses);

// Whether an event has an address: accesses do, and proxy fences that name bytes.
bool places_has_address(const struct event *event);

#endif
