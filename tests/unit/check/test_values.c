// Numbers of every width and sign.
#include "check/text/values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect(struct bits128 bits, unsigned width, bool is_signed, const char *decimal,
                   const char *hex, const char *herd) {
    char text[VALUE_TEXT_SIZE];
    assert_string_equal(value_text(text, bits, width, is_signed, VALUE_DECIMAL), decimal);
    assert_string_equal(value_text(text, bits, width, is_signed, VALUE_HEX), hex);
    assert_string_equal(value_text(text, bits, width, is_signed, VALUE_HERD), herd);
}

static void test_values(void **state) {
    (void)state;
    struct bits128 ones = {UINT64_MAX, UINT64_MAX}, low = {UINT64_MAX, 0}, top = {0, 1ull << 63};
    expect((struct bits128){0, 0}, 32, false, "0", "0x0", "0");
    expect((struct bits128){1, 0}, 1, false, "1", "0x1", "1");
    expect((struct bits128){1, 0}, 1, true, "-1", "0x1", "-1");
    expect((struct bits128){0x80, 0}, 8, true, "-128", "0x80", "-128");
    expect((struct bits128){0x7f, 0}, 8, true, "127", "0x7f", "127");
    expect((struct bits128){0xffffffff, 0}, 32, false, "4294967295", "0xffffffff", "4294967295");
    expect((struct bits128){0xffffffff, 0}, 32, true, "-1", "0xffffffff", "-1");
    expect(low, 64, true, "-1", "0xffffffffffffffff", "-1");
    expect(low, 64, false, "18446744073709551615", "0xffffffffffffffff", "0xffffffffffffffff");
    expect((struct bits128){1ull << 63, 0}, 64, true, "-9223372036854775808", "0x8000000000000000",
           "-9223372036854775808");
    expect((struct bits128){1ull << 63, 0}, 64, false, "9223372036854775808", "0x8000000000000000",
           "0x8000000000000000");
    expect(ones, 128, true, "-1", "0xffffffffffffffffffffffffffffffff", "-1");
    expect(ones, 128, false, "340282366920938463463374607431768211455",
           "0xffffffffffffffffffffffffffffffff", "0xffffffffffffffffffffffffffffffff");
    expect(top, 128, true, "-170141183460469231731687303715884105728",
           "0x80000000000000000000000000000000", "0x80000000000000000000000000000000");
}

static void test_json(void **state) {
    (void)state;
    long long value = 0;
    assert_true(value_fits_json((struct bits128){(1ull << 53) - 1, 0}, 64, false, &value));
    assert_true(value == (1ll << 53) - 1);
    assert_false(value_fits_json((struct bits128){1ull << 53, 0}, 64, false, &value));
    assert_true(value_fits_json((struct bits128){UINT64_MAX, 0}, 64, true, &value));
    assert_true(value == -1);
    assert_false(value_fits_json((struct bits128){UINT64_MAX, 0}, 64, false, &value));
    assert_false(value_fits_json((struct bits128){0, 1}, 128, false, &value));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_json)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
