// What threads of the host do to memory that they share with the GPU: atomic accesses of C++, which
// have the orders of PTX and no scopes.
#ifndef PTXLITMUS_HOST_H
#define PTXLITMUS_HOST_H

#include <atomic>
#include <cstdint>

namespace litmus {

// A register of which nothing is shown.
inline void ignore(uint64_t) {
}

inline uint64_t cut(uint64_t value, unsigned bits) {
    return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

template <unsigned bits> struct word;
template <> struct word<8> { using type = uint8_t; };
template <> struct word<16> { using type = uint16_t; };
template <> struct word<32> { using type = uint32_t; };
template <> struct word<64> { using type = uint64_t; };

// An atomic object of C++ in the place of a variable.
template <unsigned bits> std::atomic<typename word<bits>::type> &object(unsigned char *at) {
    static_assert(sizeof(std::atomic<typename word<bits>::type>) == bits / 8, "no lock in it");
    return *reinterpret_cast<std::atomic<typename word<bits>::type> *>(at);
}

template <unsigned bits, bool is_signed>
uint64_t loaded(unsigned char *at, std::memory_order order) {
    const uint64_t value = object<bits>(at).load(order);
    const bool is_negative = is_signed && (value >> (bits - 1) & 1);
    return is_negative && bits < 64 ? value | ~((uint64_t{1} << (bits - 1)) * 2 - 1) : value;
}

template <unsigned bits> using word_of = typename word<bits>::type;

template <unsigned bits> void store(unsigned char *at, uint64_t value, std::memory_order order) {
    object<bits>(at).store(static_cast<word_of<bits>>(value), order);
}

template <unsigned bits>
uint64_t added(unsigned char *at, uint64_t value, std::memory_order order) {
    return object<bits>(at).fetch_add(static_cast<word_of<bits>>(value), order);
}

template <unsigned bits>
uint64_t conjunct(unsigned char *at, uint64_t value, std::memory_order order) {
    return object<bits>(at).fetch_and(static_cast<word_of<bits>>(value), order);
}

template <unsigned bits>
uint64_t disjunct(unsigned char *at, uint64_t value, std::memory_order order) {
    return object<bits>(at).fetch_or(static_cast<word_of<bits>>(value), order);
}

template <unsigned bits>
uint64_t exclusive(unsigned char *at, uint64_t value, std::memory_order order) {
    return object<bits>(at).fetch_xor(static_cast<word_of<bits>>(value), order);
}

template <unsigned bits>
uint64_t exchanged(unsigned char *at, uint64_t value, std::memory_order order) {
    return object<bits>(at).exchange(static_cast<word_of<bits>>(value), order);
}

template <unsigned bits>
uint64_t compared(unsigned char *at, uint64_t expected, uint64_t value, std::memory_order order) {
    word_of<bits> old = static_cast<word_of<bits>>(expected);
    const std::memory_order failed = order == std::memory_order_acq_rel ? std::memory_order_acquire
                                     : order == std::memory_order_release
                                         ? std::memory_order_relaxed
                                         : order;
    object<bits>(at).compare_exchange_strong(old, static_cast<word_of<bits>>(value), order, failed);
    return old;
}

} // namespace litmus

#endif
