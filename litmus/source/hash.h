// A hash of bytes: FNV-1a of 64 bits, the same on every machine and in every version.
#ifndef PTXLITMUS_LITMUS_SOURCE_HASH_H
#define PTXLITMUS_LITMUS_SOURCE_HASH_H

#include <stddef.h>
#include <stdint.h>

// The hash of no bytes at all.
#define HASH_START UINT64_C(0xcbf29ce484222325)

// The hash of what `hash` is of, followed by `size` more bytes.
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
