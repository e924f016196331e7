// Memory: the objects of a test, the places that its accesses touch, cells, and the values of what
// nothing or little writes.
#ifndef PTXLITMUS_PROGRAM_MEMORY_MEMORY_H
#define PTXLITMUS_PROGRAM_MEMORY_MEMORY_H

#include "program/builder.h"
#include "program/thread/values.h"

// --- memory/objects.c --------------------------------------------------------------------------

// Makes the objects that the test names and their virtual ranges.
void memory_build(struct builder *builder);

// Returns the index of the variable whose memory an alias denotes; of one that is not an alias, its
// own.
int memory_physical(const struct test *test, int variable);

// Returns the index of the variable whose virtual address an alias has: its own unless it is an
// alias through another proxy than the generic one.
int memory_virtual(const struct test *test, int variable);

// Returns the index of the range that a variable's name means to a thread (instances of state
// spaces).
unsigned memory_range(const struct builder *builder, int thread, int variable);

// Returns what is added to the address that a descriptor of a matrix has (PTX ISA 9.7.15.5.1.2.2),
// for the place in the .shared memory of the thread's CTA.
uint64_t memory_described_base(const struct builder *builder, int thread);

// Returns the range of the one instance that a LOCATION or ADDRESS of a condition names; NULL for a
// term that memory_check_term reports.
const struct virtual_range *memory_term_range(const struct builder *builder,
                                              const struct term *term);

// Reports a term that names several instances or none, or an element that does not exist.
void memory_check_term(struct builder *builder, const struct term *term);

// Whether the initial value of a variable is unknown.
bool memory_is_unknown(const struct variable *variable);

// Returns the size of a variable's elements in bytes.
unsigned memory_element_size(const struct variable *variable);

// --- memory/resolve.c, memory/cells.c ---------------------------------------------------------

// Finds the candidates of every access, without cells yet, and sets program->limits.out_of_bounds.
void resolve_addresses(struct builder *builder);

// Cuts the objects into cells, fills the candidates' cells and the initial values.
void cells_build(struct builder *builder);

// Returns the first cell of an object that begins at or after `offset` (bytes).
unsigned cells_find(const struct program *program, unsigned object, uint64_t offset);

// Returns the cell of an object that contains the byte at `offset`; there must be one.
unsigned cells_find_with(const struct program *program, unsigned object, uint64_t offset);

// Returns how many cells of an object, from the cell `first` on, begin before `end` (bytes).
unsigned cells_count(const struct program *program, unsigned first, unsigned object, uint64_t end);

// Whether two accesses may touch common cells.
bool cells_may_overlap(const struct event *a, const struct event *b);

// Returns the initial value of a variable of at most 64 bits, which need not be an object.
uint64_t cells_initial_number(const struct builder *builder, int variable);

// Finds the initial value of `size` bytes of an object, at most 16. Returns false when it is
// unknown.
bool cells_initial_bits(const struct builder *builder, unsigned object, uint64_t offset,
                        unsigned size, struct bits128 *bits);

// --- memory/unwritten.c ------------------------------------------------------------------------

// Returns, by event: of a read of bytes that nothing writes, and whose initial value is known, that
// value, a constant; else NULL. After all threads; the builder's arena owns it.
const struct expr **unwritten_find(struct builder *builder);

// Returns what puts these values, as builder->known.unwritten has them, in the place of the reads;
// the builder's arena owns it.
struct expr_replacements *unwritten_replacements(struct builder *builder);

// Returns, by event: of a read of bytes to which only a few constants are written, its value as a
// choice among those and the initial value; else NULL. `known` has what is known already of what
// is written, and where. As above.
const struct expr **unwritten_find_few(struct builder *builder, struct expr_replacements *known);

// --- memory/known.c ----------------------------------------------------------------------------

// Leaves accesses to memory out that a thread alone has, where the value of each read is known. The
// last step: what the builder has of each event does not fit the program any more.
void known_memory_drop(struct builder *builder);

#endif
