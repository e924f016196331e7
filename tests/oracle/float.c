// A sum is found as an integer times a power of two, which one rounding turns into bits.
#include "tests/oracle/float.h"

#include "tests/oracle/wide.h"

// n times 2^power; where something was cut off below, the last bit of n is set.
struct scaled {
    s128 n;
    int power;
};

static int greatest_exponent(const struct float_layout *layout) {
    return (1 << layout->exponent) - 1;
}

static uint64_t assemble(const struct float_layout *layout, bool negative, int exponent,
                         uint64_t fraction) {
    uint64_t sign = (uint64_t)negative << (layout->exponent + layout->fraction);
    return sign | (uint64_t)exponent << layout->fraction | fraction;
}

static bool is_negative(const struct float_layout *layout, uint64_t bits) {
    return bits >> (layout->exponent + layout->fraction) & 1;
}

static int exponent_of(const struct float_layout *layout, uint64_t bits) {
    return (int)(bits >> layout->fraction) & greatest_exponent(layout);
}

static uint64_t fraction_of(const struct float_layout *layout, uint64_t bits) {
    return bits & ((UINT64_C(1) << layout->fraction) - 1);
}

// Powers count from the least number's, which is 1 times 2^0.
static struct scaled unpack(const struct float_layout *layout, uint64_t bits) {
    int exponent = exponent_of(layout, bits);
    s128 n = (s128)fraction_of(layout, bits);
    if (exponent == 0 && layout->flush)
        n = 0;
    if (exponent > 0)
        n += (s128)1 << layout->fraction;
    struct scaled value = {is_negative(layout, bits) ? -n : n, exponent > 0 ? exponent - 1 : 0};
    return value;
}

static u128 size_of(s128 n) {
    return n < 0 ? -(u128)n : (u128)n;
}

// n / 2^count, with the last bit set where there is a remainder.
static s128 cut(s128 n, int count) {
    u128 size = size_of(n), kept = count > 127 ? 0 : size >> count;
    if (count > 127 ? size != 0 : kept << count != size)
        kept |= 1;
    return n < 0 ? -(s128)kept : (s128)kept;
}

// A number above the least power is at least 2^fraction: 64 more bits keep what decides its
// rounding.
static struct scaled add(struct scaled a, struct scaled b) {
    if (a.power < b.power) {
        struct scaled other = a;
        a = b;
        b = other;
    }
    int distance = a.power - b.power, room = distance < 64 ? distance : 64;
    struct scaled sum = {a.n * ((s128)1 << room), a.power - room};
    sum.n += cut(b.n, distance - room);
    return sum;
}

// Halves are rounded to even.
static u128 divide_rounded(u128 size, int count) {
    if (count <= 0)
        return size << -count;
    u128 quotient = size >> count, rest = size - (quotient << count), half = (u128)1 << (count - 1);
    return quotient + (rest > half || (rest == half && quotient % 2 == 1));
}

static int length_of(u128 size) {
    int length = 0;
    for (; size != 0; size >>= 1)
        length++;
    return length;
}

static uint64_t pack(const struct float_layout *layout, bool negative, struct scaled value) {
    int digits = (int)layout->fraction + 1;
    int excess = length_of(size_of(value.n)) - digits;
    int power = value.power + excess > 0 ? value.power + excess : 0;
    u128 size = divide_rounded(size_of(value.n), power - value.power);
    if (length_of(size) > digits) { // rounded up to the next power of two
        size /= 2;
        power++;
    }
    bool normal = length_of(size) == digits;
    if (normal && power + 1 >= greatest_exponent(layout))
        return assemble(layout, negative, greatest_exponent(layout), 0);
    if (!normal && layout->flush)
        size = 0;
    return assemble(layout, negative, normal ? power + 1 : 0, fraction_of(layout, (uint64_t)size));
}

static bool is_finite(const struct float_layout *layout, uint64_t bits) {
    return exponent_of(layout, bits) < greatest_exponent(layout);
}

// a is infinite or no number.
static uint64_t add_to_infinite(const struct float_layout *layout, uint64_t a, uint64_t b) {
    bool opposite = !is_finite(layout, b) && is_negative(layout, a) != is_negative(layout, b);
    bool nan = fraction_of(layout, a) != 0 ||
               (!is_finite(layout, b) && fraction_of(layout, b) != 0) || opposite;
    return nan ? assemble(layout, false, greatest_exponent(layout), 1) : a;
}

uint64_t float_sum(const struct float_layout *layout, uint64_t a, uint64_t b) {
    if (!is_finite(layout, a))
        return add_to_infinite(layout, a, b);
    if (!is_finite(layout, b))
        return add_to_infinite(layout, b, a);
    struct scaled sum = add(unpack(layout, a), unpack(layout, b));
    bool both_negative = is_negative(layout, a) && is_negative(layout, b);
    return pack(layout, sum.n < 0 || (sum.n == 0 && both_negative), sum);
}
