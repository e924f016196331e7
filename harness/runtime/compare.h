// How conditions compare values: each is as wide as it is declared, and has a sign where it is
// declared so. The narrower one is extended; a constant has the width of what it is compared with.
#ifndef PTXLITMUS_COMPARE_H
#define PTXLITMUS_COMPARE_H

namespace litmus {

enum comparison { equal, differs, less, at_most, greater, at_least };

struct compared {
    unsigned long long bits;
    unsigned width; // 0 for a constant
    bool is_signed; // of a constant: it was written with a minus sign
};

inline compared value(unsigned long long bits, unsigned width, bool is_signed) {
    return {bits, width, is_signed};
}

inline compared constant(unsigned long long bits, bool is_negative) {
    return {bits, 0, is_negative};
}

inline unsigned long long low_bits(unsigned long long bits, unsigned width) {
    return width >= 64 ? bits : bits & ((1ull << width) - 1);
}

inline __int128 number_of(unsigned long long bits, unsigned width, bool is_signed) {
    const unsigned long long low = low_bits(bits, width);
    const bool is_negative = is_signed && (low >> (width - 1) & 1);
    return static_cast<__int128>(low) - (is_negative ? static_cast<__int128>(1) << width : 0);
}

inline bool compare_numbers(comparison op, __int128 a, __int128 b) {
    switch (op) {
    case equal: return a == b;
    case differs: return a != b;
    case less: return a < b;
    case at_most: return a <= b;
    case greater: return a > b;
    case at_least: return a >= b;
    }
    return false;
}

inline bool compares(comparison op, compared a, compared b) {
    const unsigned width = a.width > b.width ? a.width : b.width;
    const unsigned full = width == 0 ? 64 : width;
    const bool is_signed = a.is_signed || b.is_signed;
    const unsigned long long x = static_cast<unsigned long long>(
        number_of(a.bits, a.width == 0 ? full : a.width, a.is_signed));
    const unsigned long long y = static_cast<unsigned long long>(
        number_of(b.bits, b.width == 0 ? full : b.width, b.is_signed));
    if (op == equal || op == differs)
        return compare_numbers(op, low_bits(x, full), low_bits(y, full));
    // A constant that is too large for the sign stays positive.
    const bool x_signed = is_signed && (a.width > 0 || a.is_signed);
    const bool y_signed = is_signed && (b.width > 0 || b.is_signed);
    return compare_numbers(op, number_of(x, full, x_signed), number_of(y, full, y_signed));
}

} // namespace litmus

#endif
