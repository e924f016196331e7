// Bit patterns as numbers that people and tools read.
#ifndef PTXLITMUS_CHECK_TEXT_VALUES_H
#define PTXLITMUS_CHECK_TEXT_VALUES_H

#include "litmus/source/bits.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { VALUE_TEXT_SIZE = 48 }; // a sign, 39 digits of 128 bits, a NUL, and room

enum value_style {
    VALUE_DECIMAL,
    VALUE_HEX,  // 0x..., the bit pattern: never negative
    VALUE_HERD, // decimal within 64 signed bits, hexadecimal beyond, as OCaml's integers are read
};

// Writes the value of a pattern of `width` bits, signed or not, into `text`; returns `text`.
const char *value_text(char text[VALUE_TEXT_SIZE], struct bits128 bits, unsigned width,
                       bool is_signed, enum value_style style);

// Whether the value, as value_text reads it, fits in 53 bits and a sign; if so, stores it.
bool value_fits_json(struct bits128 bits, unsigned width, bool is_signed, long long *value);

// Returns a JSON number, a string of hexadecimal digits for a value that needs more than 53 bits,
// or null for an unknown one; a new reference that the caller owns.
json_t *value_json(struct bits128 bits, bool undef, unsigned width, bool is_signed);

// Writes a constant of a condition (sign-extended to 128 bits when written negative) into `text` as
// a value of `width` bits and sign would be shown, if it is such a value; else as it was written.
// Returns `text`.
const char *constant_text(char text[VALUE_TEXT_SIZE], struct bits128 constant, bool negative,
                          unsigned width, bool is_signed, enum value_style style);

#endif
