// Memory: the objects of a test, the places that its accesses touch, cells, and the values of what
// nothing or little writes.
#ifndef PTXLITMUS_PROGRAM_MEMORY_MEMORY_H
#define PTXLITMUS_PROGRAM_MEMORY_MEMORY_H

#include "program/builder.h"
#include "program/thread/values.h"
#include "program/expr/value_set.h"

struct thread_builder;

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

// --- memory/places.c ---------------------------------------------------------------------------

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

// --- memory/pointers.c -------------------------------------------------------------------------

// Returns, by event, the values that its address may have; the builder's arena owns them. Constant
// addresses must have their candidates already; the candidates of the others are meaningless
// afterwards.
struct value_set *pointers_find(struct builder *builder);

// Returns, by event, the values that a write may store, once all candidates are found; the
// builder's arena owns them. If program_options say that values may come out of thin air, a value
// that depends on a read may be any.
struct value_set *stored_values_find(struct builder *builder);

// Returns, by place in a list, the values that an expression may have, once all candidates are
// found, as above; the builder's arena owns them.
struct value_set *values_find(struct builder *builder, const struct expr *const *wanted,
                              size_t count);

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

// --- memory/tearing.c, memory/mixing.c ---------------------------------------------------------

// An access, and a place that it may touch.
struct cell_access {
    const struct event *event;
    const struct candidate *at;
};

// Whether a read, or the final state, may take bytes from several writes, the initial one included,
// where these accesses touch common bytes: it may unless every write among them is morally strong
// to all of them in every execution.
bool tearing_may_mix(const struct builder *builder, const struct cell_access *touches,
                     size_t count);

// The same for the accesses that may touch `size` bytes of an object, as far as candidates are
// found already.
bool tearing_may_mix_at(const struct builder *builder, unsigned object, uint64_t offset,
                        unsigned size);

// Finds where cells have to be cut so that every mix of bytes that is possible can be seen. Sets
// cuts[i] to a mask of the bytes of cell i that begin a piece, except the first. Needs cells cut at
// the bounds of accesses, and candidates. Returns whether there is any cut.
bool tearing_find_cuts(struct builder *builder, unsigned *cuts);

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

// --- memory/parts.c ----------------------------------------------------------------------------

// An operation on many bytes (an asynchronous copy, a product of matrices, st.bulk) does not say
// how its accesses are divided. It is divided so that each of its parts is as large as the smallest
// access, or declared element, of the objects that it touches (docs/memory-model section 16): then
// it races with an access of its own size, and not with one of another size. What an operation
// touches is known only when the program has been built: it is built with parts as small as any
// access of the test, and again where they may be larger.

// Returns how many bytes the parts of the operation that an instruction of a thread starts have: 1,
// 2, 4 or 8.
unsigned part_size_of(const struct thread_builder *thread, const struct instruction *instruction);

// Finds the sizes of all parts by what the accesses of a program that was built by `plan` touch,
// if that has not been done, and sets plan->part_sizes. Returns whether some are larger than
// before: then the program may be built again.
bool part_sizes_find(struct build_plan *plan, struct arena *arena, const struct builder *built);

// Sets plan->part_sizes to what they are without that.
void part_sizes_keep(struct build_plan *plan, struct arena *arena);

// --- memory/known.c ----------------------------------------------------------------------------

// Leaves accesses to memory out that a thread alone has, where the value of each read is known. The
// last step: what the builder has of each event does not fit the program any more.
void known_memory_drop(struct builder *builder);

#endif
