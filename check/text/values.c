// Numbers of up to 128 bits in decimal and hexadecimal.
#include "check/text/values.h"

#include <stdint.h>

enum { JSON_BITS = 53 };

struct shown_number {
    bool negative;
    uint128 magnitude;
};

static struct shown_number number_of(uint128 pattern, unsigned width, bool is_signed) {
    pattern &= bits_mask(width);
    bool negative = is_signed && width > 0 && (pattern >> (width - 1) & 1);
    return (struct shown_number){negative, negative ? (~pattern + 1) & bits_mask(width) : pattern};
}

// Puts `prefix` and the digits of `value` at the end of a buffer, then moves them to its start.
static const char *digits(char text[VALUE_TEXT_SIZE], const char *prefix, uint128 value,
                          unsigned base) {
    char reversed[VALUE_TEXT_SIZE];
    size_t count = 0, out = 0;
    do {
        reversed[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    while (*prefix)
        text[out++] = *prefix++;
    while (count > 0)
        text[out++] = reversed[--count];
    text[out] = '\0';
    return text;
}

static const char *number_text(char text[VALUE_TEXT_SIZE], struct shown_number number) {
    return digits(text, number.negative ? "-" : "", number.magnitude, 10);
}

// OCaml's Int64.of_string reads decimals from -2^63 to 2^63-1, and hexadecimals up to 2^64-1.
static bool is_int64(struct shown_number number) {
    return number.magnitude <= (uint128)INT64_MAX + (number.negative ? 1 : 0);
}

const char *value_text(char text[VALUE_TEXT_SIZE], struct bits128 bits, unsigned width,
                       bool is_signed, enum value_style style) {
    uint128 pattern = bits_to_wide(bits) & bits_mask(width);
    struct shown_number number = number_of(pattern, width, is_signed);
    if (style == VALUE_HEX || (style == VALUE_HERD && !is_int64(number)))
        return digits(text, "0x", pattern, 16);
    return number_text(text, number);
}

bool value_fits_json(struct bits128 bits, unsigned width, bool is_signed, long long *value) {
    struct shown_number number = number_of(bits_to_wide(bits), width, is_signed);
    if (number.magnitude >> JSON_BITS != 0)
        return false;
    long long magnitude = (long long)number.magnitude;
    *value = number.negative ? -magnitude : magnitude;
    return true;
}

const char *constant_text(char text[VALUE_TEXT_SIZE], struct bits128 constant, bool negative,
                          unsigned width, bool is_signed, enum value_style style) {
    uint128 written = bits_to_wide(constant);
    // A negative constant is a pattern of the width when all bits from its sign bit on are ones.
    bool fits = negative ? width > 0 && (written | bits_mask(width - 1)) == ~(uint128)0
                         : (written & ~bits_mask(width)) == 0;
    if (fits)
        return value_text(text, constant, width, is_signed, style);
    struct shown_number number = number_of(written, 128, negative);
    if (style == VALUE_DECIMAL || is_int64(number))
        return number_text(text, number);
    return digits(text, "0x", written, 16);
}

json_t *value_json(struct bits128 bits, bool undef, unsigned width, bool is_signed) {
    long long small;
    if (undef)
        return json_null();
    if (value_fits_json(bits, width, is_signed, &small))
        return json_integer(small);
    char text[VALUE_TEXT_SIZE];
    value_text(text, bits, width, is_signed, VALUE_HEX);
    return json_string(text + 2); // the digits, without 0x
}
