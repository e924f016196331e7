// Numbers of up to 128 bits in decimal and hexadecimal.
#include "cli/values.h"

#include <stdint.h>

__extension__ typedef unsigned __int128 u128;

enum { JSON_BITS = 53 };

struct number {
    bool negative;
    u128 magnitude;
};

static u128 join(struct bits128 bits) {
    return (u128)bits.high << 64 | bits.low;
}

static u128 mask(unsigned width) {
    return width >= 128 ? ~(u128)0 : ((u128)1 << width) - 1;
}

static struct number number_of(u128 pattern, unsigned width, bool is_signed) {
    pattern &= mask(width);
    bool negative = is_signed && width > 0 && (pattern >> (width - 1) & 1);
    return (struct number){negative, negative ? (~pattern + 1) & mask(width) : pattern};
}

// Puts `prefix` and the digits of `value` at the end of a buffer, then moves them to its start.
static const char *digits(char text[VALUE_TEXT_SIZE], const char *prefix, u128 value,
                          unsigned base) {
    char reversed[VALUE_TEXT_SIZE];
    size_t count = 0, out = 0;
    do {
        reversed[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    while (*prefix) {
        text[out++] = *prefix++;
    }
    while (count > 0) {
        text[out++] = reversed[--count];
    }
    text[out] = '\0';
    return text;
}

static const char *number_text(char text[VALUE_TEXT_SIZE], struct number number) {
    return digits(text, number.negative ? "-" : "", number.magnitude, 10);
}

// OCaml's Int64.of_string reads decimals from -2^63 to 2^63-1, and hexadecimals up to 2^64-1.
static bool is_int64(struct number number) {
    return number.magnitude <= (u128)INT64_MAX + (number.negative ? 1 : 0);
}

const char *value_text(char text[VALUE_TEXT_SIZE], struct bits128 bits, unsigned width,
                       bool is_signed, enum value_style style) {
    u128 pattern = join(bits) & mask(width);
    struct number number = number_of(pattern, width, is_signed);
    if (style == VALUE_HEX || (style == VALUE_HERD && !is_int64(number))) {
        return digits(text, "0x", pattern, 16);
    }
    return number_text(text, number);
}

bool value_fits_json(struct bits128 bits, unsigned width, bool is_signed, long long *value) {
    struct number number = number_of(join(bits), width, is_signed);
    if (number.magnitude >> JSON_BITS != 0) {
        return false;
    }
    long long magnitude = (long long)number.magnitude;
    *value = number.negative ? -magnitude : magnitude;
    return true;
}

const char *constant_text(char text[VALUE_TEXT_SIZE], struct bits128 constant, bool negative,
                          unsigned width, bool is_signed, enum value_style style) {
    u128 written = join(constant);
    // A negative constant is a pattern of the width when all bits from its sign bit on are ones.
    bool fits = negative ? width > 0 && (written | mask(width - 1)) == ~(u128)0
                         : (written & ~mask(width)) == 0;
    if (fits) {
        return value_text(text, constant, width, is_signed, style);
    }
    struct number number = number_of(written, 128, negative);
    if (style == VALUE_DECIMAL || is_int64(number)) {
        return number_text(text, number);
    }
    return digits(text, "0x", written, 16);
}

json_t *value_json(struct bits128 bits, bool undef, unsigned width, bool is_signed) {
    long long small;
    if (undef) {
        return json_null();
    }
    if (value_fits_json(bits, width, is_signed, &small)) {
        return json_integer(small);
    }
    char text[VALUE_TEXT_SIZE];
    value_text(text, bits, width, is_signed, VALUE_HEX);
    return json_string(text + 2); // the digits, without 0x
}
