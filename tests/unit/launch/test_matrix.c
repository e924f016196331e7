// Layouts of matrices that descriptors describe: which bytes, and in which order.
#include "launch/matrix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BITS_16 = 16 };

// A descriptor of a matrix at an address, with these bytes between its parts.
static uint64_t describe(uint64_t start, uint64_t leading, uint64_t stride, uint64_t swizzling) {
    return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | swizzling << 62;
}

static struct matrix_layout layout_of(uint64_t descriptor, bool is_transposed, unsigned rows) {
    const struct matrix_extent extent = {.rows = rows,
                                         .depth = is_transposed ? 16 : 32,
                                         .is_transposed = is_transposed,
                                         .element_bits = BITS_16};
    struct matrix_layout layout;
    assert_true(matrix_described(descriptor, &extent, &layout));
    return layout;
}

// Without swizzling eight rows of 16 bytes are next to each other; the other half of K follows
// after the leading byte offset, the next eight rows after the stride byte offset.
static void test_plain(void **state) {
    (void)state;
    struct matrix_layout layout = layout_of(describe(0x400, 1024, 128, 0), false, 64);
    assert_int_equal(layout.lines, 64);
    assert_int_equal(layout.chunks, 2);
    assert_int_equal(matrix_chunk(&layout, 0, 0), 0x400);
    assert_int_equal(matrix_chunk(&layout, 7, 0), 0x400 + 7 * 16);
    assert_int_equal(matrix_chunk(&layout, 8, 0), 0x400 + 128);
    assert_int_equal(matrix_chunk(&layout, 0, 1), 0x400 + 1024);
}

// Of elements along M or N that are next to each other, the two offsets have each other's part.
static void test_plain_transposed(void **state) {
    (void)state;
    struct matrix_layout layout = layout_of(describe(0, 1024, 128, 0), true, 64);
    assert_int_equal(layout.lines, 16); // of K
    assert_int_equal(layout.chunks, 8); // 64 elements of 2 bytes
    assert_int_equal(matrix_chunk(&layout, 1, 0), 16);
    assert_int_equal(matrix_chunk(&layout, 8, 0), 1024);
    assert_int_equal(matrix_chunk(&layout, 0, 1), 128);
}

// The swizzling of 128 bytes exchanges chunk c of row r with chunk c ^ (r % 8), as a tensor copy in
// that mode writes them.
static void test_swizzled(void **state) {
    (void)state;
    struct matrix_layout layout = layout_of(describe(0x800, 16, 1024, 1), false, 16);
    for (unsigned row = 0; row < 16; row++)
        for (unsigned chunk = 0; chunk < 2; chunk++)
            assert_int_equal(matrix_chunk(&layout, row, chunk),
                             0x800 + row / 8 * 1024 + row % 8 * 128 + (chunk ^ row % 8) * 16);
}

// A step along K inside of a swizzled row: the address is moved, and the pattern stays.
static void test_step(void **state) {
    (void)state;
    struct matrix_layout layout = layout_of(describe(0x840, 16, 1024, 1), false, 8);
    for (unsigned row = 0; row < 8; row++)
        for (unsigned chunk = 0; chunk < 2; chunk++)
            assert_int_equal(matrix_chunk(&layout, row, chunk),
                             0x800 + row * 128 + ((chunk + 4) ^ row) * 16);
}

// Those of 64 and 32 bytes permute as many chunks, by the number of two and of four rows.
static void test_narrow(void **state) {
    (void)state;
    struct matrix_layout of_64 = layout_of(describe(0, 16, 512, 2), false, 8);
    struct matrix_layout of_32 = layout_of(describe(0, 16, 256, 3), false, 8);
    for (unsigned row = 0; row < 8; row++)
        for (unsigned chunk = 0; chunk < 2; chunk++) {
            assert_int_equal(matrix_chunk(&of_64, row, chunk), row * 64 + (chunk ^ row / 2) * 16);
            assert_int_equal(matrix_chunk(&of_32, row, chunk), row * 32 + (chunk ^ row / 4) * 16);
        }
}

static void test_base_offset(void **state) {
    (void)state;
    const struct matrix_extent extent = {.rows = 8, .depth = 32, .element_bits = BITS_16};
    struct matrix_layout layout;
    assert_false(matrix_described(UINT64_C(1) << 49, &extent, &layout));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),    cmocka_unit_test(test_plain_transposed),
        cmocka_unit_test(test_swizzled), cmocka_unit_test(test_step),
        cmocka_unit_test(test_narrow),   cmocka_unit_test(test_base_offset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
