// Descriptors of products of tensor cores.
#include "litmus/product.h"

enum { COLUMNS_AT = 16 }; // of a shape

static unsigned field(uint64_t descriptor, unsigned first, unsigned bits) {
    return (unsigned)(descriptor >> first) & ((1U << bits) - 1);
}

// Whether the elements of A and B have 4 bits.
static bool is_of_nibbles(const struct instruction *instruction) {
    return instruction->tensor.kind == MATRIX_KIND_MXF4 ||
           instruction->tensor.kind == MATRIX_KIND_MXF4NVF4;
}

struct product_description product_described(const struct instruction *instruction,
                                             uint64_t descriptor) {
    enum { ROWS_UNIT = 16, SCALED_ROWS_UNIT = 128, COLUMNS_UNIT = 8 };
    return (struct product_description){
        .rows = instruction->tensor.scaled ? SCALED_ROWS_UNIT * field(descriptor, 27, 2)
                                           : ROWS_UNIT * field(descriptor, 24, 5),
        .columns = COLUMNS_UNIT * field(descriptor, 17, 6),
        .transposes = {field(descriptor, 15, 1) != 0, field(descriptor, 16, 1) != 0},
        .is_signed = {field(descriptor, 7, 3) != 0, field(descriptor, 10, 3) != 0},
        .saturates = field(descriptor, 3, 1) != 0,
        .is_longer = is_of_nibbles(instruction) && field(descriptor, 31, 1) != 0};
}

// .sp and .ws are of other shapes: of what K is, and of where D is (PTX
// ISA 9.7.16.2.1, 9.7.16.10.5).
uint32_t product_shape(const struct instruction *instruction, uint64_t descriptor) {
    const struct product_description said = product_described(instruction, descriptor);
    enum { SPARSE_AT = 12, KEEPS_B_AT, SCALED_AT, LONGER_AT };
    return said.rows | (uint32_t)instruction->matrix.sparse << SPARSE_AT |
           (uint32_t)instruction->tensor.keeps_b << KEEPS_B_AT |
           (uint32_t)instruction->tensor.scaled << SCALED_AT |
           (uint32_t)said.is_longer << LONGER_AT | said.columns << COLUMNS_AT;
}

unsigned product_columns(uint32_t shape) {
    return shape >> COLUMNS_AT;
}
