// What is in the 128 bytes of a tensormap while a launch runs. They are opaque (PTX ISA 5.5.8):
// this form of them is the run's own, and no thread sees it.
#ifndef PTXLITMUS_LAUNCH_MAP_FIELDS_H
#define PTXLITMUS_LAUNCH_MAP_FIELDS_H

#include "launch/shadow.h"

// A tensormap as a copy finds it.
struct found_map {
    uint64_t address; // generic, of the tensor
    struct tensor tensor;
    bool is_swizzled;
};

// Returns where a field is that an instruction replaces, and of how many bytes it is. `ordinal`:
// which dimension, of a field that has several.
unsigned map_field_at(enum map_field field, unsigned ordinal, unsigned *size);

// Writes what a declared map says of its tensor, which is at an address.
void map_fields_write(struct shadow *shadow, unsigned object, uint64_t offset,
                      const struct tensor *tensor, uint64_t address);

// Reads a map. Returns NULL, or why it is not known what it says, or not a map of the GPU's, a
// sentence without a full stop.
const char *map_fields_read(struct shadow *shadow, unsigned object, uint64_t offset,
                            struct found_map *map);

#endif
