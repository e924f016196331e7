// The fields of tensormaps. Those of zeros are what a map has whose bytes are all zeros, as
// compilers make it before they replace the fields one by one.
#include "launch/tensormap.h"

enum { WORD = 4, ADDRESS = 8, INNER_BYTES = 16, BOX_MAX = 256, STRIDE_BITS = 40 };

// Where fields are.
enum field_place {
    AT_ADDRESS = 0,
    AT_RANK = 8,
    AT_TYPE = 12,
    AT_INTERLEAVE = 16,
    AT_SWIZZLE = 20,
    AT_ATOMICITY = 24,
    AT_FILL = 28,
    AT_BOX = 32,
    AT_EXTENTS = 52,
    AT_STEPS = 72,
    AT_STRIDES = 96, // of all dimensions but the first
};

unsigned map_field_at(enum map_field field, unsigned ordinal, unsigned *size) {
    *size = WORD;
    switch (field) {
    case MAP_ADDRESS: *size = ADDRESS; return AT_ADDRESS;
    case MAP_RANK: return AT_RANK;
    case MAP_BOX_DIM: return AT_BOX + WORD * ordinal;
    case MAP_GLOBAL_DIM: return AT_EXTENTS + WORD * ordinal;
    case MAP_GLOBAL_STRIDE: *size = ADDRESS; return AT_STRIDES + ADDRESS * ordinal;
    case MAP_ELEMENT_STRIDE: return AT_STEPS + WORD * ordinal;
    case MAP_ELEMENT_TYPE: return AT_TYPE;
    case MAP_INTERLEAVE: return AT_INTERLEAVE;
    case MAP_SWIZZLE: return AT_SWIZZLE;
    case MAP_ATOMICITY: return AT_ATOMICITY;
    case MAP_FILL: return AT_FILL;
    }
    return AT_FILL;
}

// The bytes of an element, by the number of its type (PTX ISA 9.7.9.28, table 33); 0: of those that
// are smaller than a byte.
static unsigned size_of_type(uint64_t type) {
    static const unsigned sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4};
    return type < sizeof sizes / sizeof *sizes ? sizes[type] : 0;
}

static uint64_t type_of_size(unsigned size) {
    return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 4;
}

static void put(struct shadow *shadow, unsigned object, uint64_t offset, unsigned size,
                uint64_t number) {
    shadow_write(shadow, object, offset, size, (struct step_value){{.low = number}, KNOWN});
}

void map_fields_write(struct shadow *shadow, unsigned object, uint64_t offset,
                      const struct tensor *tensor, uint64_t address) {
    for (unsigned at = 0; at < TENSOR_MAP_BYTES; at += ADDRESS)
        put(shadow, object, offset + at, ADDRESS, 0);
    put(shadow, object, offset + AT_ADDRESS, ADDRESS, address);
    put(shadow, object, offset + AT_RANK, WORD, tensor->rank - 1);
    put(shadow, object, offset + AT_TYPE, WORD, type_of_size(tensor->element_size));
    for (unsigned i = 0; i < tensor->rank; i++) {
        put(shadow, object, offset + AT_BOX + WORD * i, WORD, tensor->box[i]);
        put(shadow, object, offset + AT_EXTENTS + WORD * i, WORD, tensor->extents[i]);
        put(shadow, object, offset + AT_STEPS + WORD * i, WORD, 1);
        if (i > 0)
            put(shadow, object, offset + AT_STRIDES + ADDRESS * (i - 1), ADDRESS,
                tensor->strides[i]);
    }
}

// A map that is being read.
struct map_reader {
    struct shadow *shadow;
    unsigned object;
    uint64_t offset;
    enum knowledge knowledge; // of the least known field so far
};

static uint64_t get(struct map_reader *reader, unsigned at, unsigned size) {
    struct step_value word = shadow_read(reader->shadow, reader->object, reader->offset + at, size);
    if (word.knowledge > reader->knowledge)
        reader->knowledge = word.knowledge;
    return word.knowledge == KNOWN ? word.bits.low : 0;
}

// What is wrong with a map that is known; NULL: nothing.
static const char *check(const struct found_map *map, bool has_steps) {
    const struct tensor *tensor = &map->tensor;
    if (has_steps || tensor->element_size == 0)
        return "tensors of which elements are left out, that are interleaved, or have elements of "
               "less than a byte, are not run";
    if (map->address % INNER_BYTES != 0)
        return "a tensor is not aligned to 16 bytes";
    if ((uint64_t)tensor->box[0] * tensor->element_size % INNER_BYTES != 0)
        return "the first dimension of a box is not a multiple of 16 bytes";
    for (unsigned i = 0; i < tensor->rank; i++) {
        if (tensor->box[i] == 0 || tensor->box[i] > BOX_MAX || tensor->extents[i] == 0)
            return "a box does not have 1 to 256 elements in each dimension, or a tensor has none";
        if (i > 0 && (tensor->strides[i] % INNER_BYTES != 0 || tensor->strides[i] >> STRIDE_BITS))
            return "the stride of a tensor is not a multiple of 16 bytes, or 2^40 or more";
    }
    return NULL;
}

const char *map_fields_read(struct shadow *shadow, unsigned object, uint64_t offset,
                            struct found_map *map) {
    struct map_reader reader = {shadow, object, offset, KNOWN};
    struct tensor *tensor = &map->tensor;
    *map = (struct found_map){.address = get(&reader, AT_ADDRESS, ADDRESS)};
    uint64_t last = get(&reader, AT_RANK, WORD);
    if (last >= TENSOR_RANK_MAX)
        return "a tensormap has more than 5 dimensions";
    tensor->rank = (unsigned)last + 1;
    tensor->element_size = size_of_type(get(&reader, AT_TYPE, WORD));
    map->is_swizzled = get(&reader, AT_SWIZZLE, WORD) != 0;
    bool has_steps = get(&reader, AT_INTERLEAVE, WORD) != 0;
    for (unsigned i = 0; i < tensor->rank; i++) {
        tensor->box[i] = (unsigned)get(&reader, AT_BOX + WORD * i, WORD);
        tensor->extents[i] = (unsigned)get(&reader, AT_EXTENTS + WORD * i, WORD);
        has_steps |= get(&reader, AT_STEPS + WORD * i, WORD) != 1;
        tensor->strides[i] =
            i == 0 ? tensor->element_size : get(&reader, AT_STRIDES + ADDRESS * (i - 1), ADDRESS);
    }
    return reader.knowledge != KNOWN ? "it is not known what a tensormap says"
                                     : check(map, has_steps);
}
