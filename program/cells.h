// The memory of a program: objects, the addresses that lead to them, and the cells of which they
// consist.
#ifndef PTXLITMUS_PROGRAM_CELLS_H
#define PTXLITMUS_PROGRAM_CELLS_H

#include "litmus/vocabulary.h"
#include "program/expr/expr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tensor;

// A variable in memory: one per program, CTA or thread as its state space says.
struct object {
    const char *name;  // as the test spells it; instances of .shared share it
    unsigned variable; // index into test->variables of the physical variable
    enum state_space space;
    int instance;  // .shared: index of a thread of its CTA; .local: of its thread; else -1
    uint64_t size; // bytes
};

// A virtual address range of an object. Every object has one for itself (of the generic proxy);
// each variable declared `aliases` adds another. Different virtual addresses are not morally strong
// to each other, but share the object's memory (aliases are not morally strong; communication by
// location).
struct virtual_range {
    unsigned object;
    unsigned variable; // index into test->variables of the name
    uint64_t address;  // base, generic; ranges ascend and do not overlap
};

// A piece of an object of which a read takes all bytes from one write. Cells of one object ascend
// and do not overlap, and cover what some access or the condition names.
struct cell {
    unsigned object;
    uint64_t offset;
    unsigned size; // bytes, 1 to 16
};

// One place that an access may touch.
struct candidate {
    unsigned range;  // index into virtual_ranges
    unsigned object; // of that range
    uint64_t offset;
    unsigned first_cell, cell_count;
    const struct expr *condition; // one bit: the address is this one; constant 1 when static
};

// The memory of a program.
struct program_memory {
    struct object *objects;
    size_t object_count;
    struct virtual_range *virtual_ranges;
    size_t virtual_range_count;
    struct cell *cells; // sorted by object, then offset
    size_t cell_count;
    bool tears; // some are smaller than the accesses to them, or accesses are wide
    const struct expr **initial_values; // by cell: use program_initial_value
    const struct expr **initial_undefs;
    // What tensormaps may say of their tensors: a map whose number, above the address of its
    // tensor, is not 0 says what is at that number and -1.
    const struct tensor **map_tensors;
};

// Returns the generic address at which the window of a state space begins; that of .global is 0.
// The address of a variable, as an instruction with a state space takes it, is relative to it.
uint64_t program_window(enum state_space space);

// Returns the range that contains `size` bytes from an address on, or NULL (memory/places.c).
const struct virtual_range *places_range_of(const struct program_memory *memory, uint64_t address,
                                            uint64_t size);

// Where the eight bytes of a tensormap have the address of the tensor, and above it a number.
enum { PROGRAM_MAP_ADDRESS_BITS = 56 };
#define PROGRAM_WINDOW_SIZE (UINT64_C(1) << 42)

// Addresses of tensor memory count columns, each of which is a cell of 32 bits in the lane at hand.
enum { TENSOR_CELL_BYTES = 4 };

#endif
