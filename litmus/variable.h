// Variables in memory, their first values, and the tensors that tensormaps describe.
#ifndef PTXLITMUS_LITMUS_VARIABLE_H
#define PTXLITMUS_LITMUS_VARIABLE_H

#include "litmus/source/bits.h"
#include "litmus/source/source.h"
#include "litmus/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diagnostics;
struct instruction;

struct initial_element {
    int variable;    // the address of this variable plus `value`, or -1
    bool is_generic; // generic(name): its generic address
    struct bits128 value;
};

enum {
    TENSOR_RANK_MAX = 5,
    IM2COL_RANK_MAX = TENSOR_RANK_MAX - 2,
    TENSOR_MAP_BYTES = 128,
    FOUR_ROWS_COORDINATES = 5
};

// What a tensormap says of its tensor besides where it is in memory (PTX ISA 5.5), the innermost
// dimension first. As it is declared it is dense.
struct tensor {
    unsigned rank;
    unsigned extents[TENSOR_RANK_MAX]; // in elements
    uint64_t strides[TENSOR_RANK_MAX]; // in bytes
    unsigned box[TENSOR_RANK_MAX];     // of what is copied at once: in tiled mode
    unsigned element_size;             // bytes
    bool im2col;                       // in im2col mode (5.5.4): channels, W, maybe H, D, images
    int lower[IM2COL_RANK_MAX];        // the bounding box in W, H and D begins so far from the
    int upper[IM2COL_RANK_MAX];        // first element, and ends so far from the last one
    unsigned channels, pixels;         // per pixel and per column
};

// A tensormap in a struct, at an offset in bytes; `base` is the variable of its tensor.
struct tensor_part {
    uint64_t offset;
    const struct tensor *tensor;
    int base;
    const struct tensor_part *next;
};

struct variable {
    const char *name;
    struct span span;
    enum state_space space;
    enum scalar_type type; // of an element
    size_t element_count;  // 1 for a scalar
    bool is_array;
    unsigned alignment; // bytes; the element's size when the test does not say
    bool has_initial;
    bool is_unknown; // nothing is known of what it holds at first, where it has no such value, even
                     // in a space that holds zeros then
    struct initial_element *initial; // element_count of them when has_initial
    int alias_of;           // index of the variable that this one is another address of, or -1
    bool is_same_address;   // it is another name of the same address: a dynamic array of a module
    enum proxy alias_proxy; // the proxy of accesses through it (GENERIC for a plain alias)
    bool is_multimem; // a multimem address, or the place of one of the others to which it points:
    unsigned copies;  // to how many variables it points, as the variables after it do; else 0
    bool is_opaque;   // .tex, .texref and the like: no memory instruction accesses it
    unsigned bank;    // of .const[bank]; 0 without one
    bool is_pointer;  // .ptr: a parameter that points to `target_space` (GENERIC: to any),
    enum state_space target_space;
    unsigned target_alignment; // to memory that is so aligned, in bytes; 0: not said
    bool is_inner;             // of a block inside a body, or of a call: others may have its name
    bool is_parameter;         // of a function: it is in .local memory, and .param reaches it, too
    bool is_unified;           // .attribute(.unified(a, b))
    uint64_t unified[2];       // a, b
    bool is_mbarrier;          // `mbarrier m = n`: its initial value is the count n
    const struct tensor *tensor; // `tensormap t = base, extents`: its first element is the address
                                 // of the tensor, and the others are 0; else NULL
    const struct tensor_part *parts; // of a parameter of the kernel that has tensormaps, or NULL
    bool is_atomic;                  // a cuda::atomic of C++,
    enum scope atomic_scope;         // accesses to which have this scope
    unsigned body; // 1 + the index of the last thread whose body declares it; 0: before the threads
};

// Whether a tensor copy of so many dimensions can be by a map: of its tensor, in its mode, and with
// a box of one row where it takes four. Reports at `span` why not.
bool tensor_fits_copy(struct diagnostics *diagnostics, struct span span, const struct variable *map,
                      const struct instruction *instruction, unsigned dimensions);

#endif
