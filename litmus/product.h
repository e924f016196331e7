// What the instruction descriptor of a tcgen05.mma says (PTX ISA 9.7.16.4.2).
#ifndef PTXLITMUS_LITMUS_PRODUCT_H
#define PTXLITMUS_LITMUS_PRODUCT_H

#include "litmus/instruction.h"

#include <stdint.h>

struct product_description {
    unsigned rows, columns; // of D, M and N; 0: it says none
    bool transposes[2];     // of A and of B: elements along M or N are next to each other
    bool is_signed[2];      // of A and of B, where they are integers
    bool saturates;         // where D is of integers
    bool is_longer;         // K is 96, and not 64, of elements of 4 bits
};

// Returns what a descriptor says of an instruction's product.
struct product_description product_described(const struct instruction *instruction,
                                             uint64_t descriptor);

// Returns a number that two products have in common where they are of one shape: M, N, K, and the
// variants of the instruction. M and N are not 0.
uint32_t product_shape(const struct instruction *instruction, uint64_t descriptor);

// Returns the columns of D of such a number.
unsigned product_columns(uint32_t shape);

#endif
