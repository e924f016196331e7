// The places that an access may touch: ranges of virtual addresses, state spaces and alignment.
#ifndef PTXLITMUS_LITMUS_PROGRAM_MEMORY_PLACES_H
#define PTXLITMUS_LITMUS_PROGRAM_MEMORY_PLACES_H

#include "litmus/program/builder.h"
#include "litmus/program/expr/value_set.h"

// The last range that begins at or before an address, the nearest one, and the one that holds
// `size` bytes from it on; NULL when there is none.
const struct virtual_range *places_range_before(const struct program *program, uint64_t address);
const struct virtual_range *places_nearest(const struct program *program, uint64_t address);
const struct virtual_range *places_range_of(const struct program *program, uint64_t address,
                                            uint64_t size);

// Whether an access's thread and state space let it touch an object (memory-model.md D13).
bool places_can_reach(const struct builder *builder, const struct event *event,
                      const struct object *object);

// Whether an access stores to a .const variable or to a parameter of the kernel, which nothing may
// (memory-model.md section 7; PTX ISA 5.1.6.1).
bool places_is_read_only_store(const struct builder *builder, const struct event *event,
                               const struct object *object);

// The alignment of an access is that of its whole vector (PTX ISA 9.7.9.8). Every range begins at a
// multiple of all of them, so that offsets decide.
uint64_t places_alignment(const struct builder *builder, const struct event *event);
bool places_is_aligned(const struct builder *builder, const struct event *event, uint64_t offset);

// Sets the candidates of an access, without conditions and cells, to the places that the addresses
// name and the access may touch; `arena` owns them. Returns whether all addresses are such places.
// More than PROGRAM_MAX_CANDIDATES of them count as that many and one.
bool places_find(struct builder *builder, struct arena *arena, struct event *event,
                 struct value_set addresses);

// Whether an event has an address: accesses do, and proxy fences that name bytes.
bool places_has_address(const struct event *event);

#endif
