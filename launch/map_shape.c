// The tensor of a tensormap that a test does not give: its tiles are where copies are, and the
// steps between their coordinates are the extents of a tile, if these make as many bytes as a copy
// moves.
#include "launch/maps.h"

enum { BOX_MAX = 256, ROW_ALIGNMENT = 16, TENSOR_BYTES_MAX = 1 << 26 };

// What the copies by a map have in common.
struct shape_search {
    struct launch_map *map;
    uint32_t steps[TENSOR_RANK_MAX]; // between coordinates; 0: there is but one
    uint64_t ends[TENSOR_RANK_MAX];  // the largest coordinate, and 1
    bool stores;
};

static uint32_t common_divisor(uint32_t a, uint32_t b) {
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static struct shape_search search_of(struct launch_map *map, const struct map_copy *copies,
                                     size_t count, size_t index) {
    struct shape_search search = {.map = map};
    const struct map_copy *first = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct map_copy *copy = &copies[i];
        if (copy->map != index)
            continue;
        first = first == NULL ? copy : first;
        search.stores |= !copy->loads;
        for (unsigned d = 0; d < map->rank; d++) {
            int64_t step = (int64_t)copy->at[d] - first->at[d];
            search.steps[d] = common_divisor((uint32_t)(step < 0 ? -step : step), search.steps[d]);
            if (copy->at[d] >= 0 && (uint64_t)copy->at[d] + 1 > search.ends[d])
                search.ends[d] = (uint64_t)copy->at[d] + 1;
        }
    }
    return search;
}

// The largest extent of a box in which a number of elements can be cut.
static uint64_t largest_part(uint64_t elements) {
    uint64_t part = elements < BOX_MAX ? elements : BOX_MAX;
    while (elements % part != 0)
        part--;
    return part;
}

// Makes a box of elements of a size: in each dimension as large as the step, where there is one and
// `by_steps` is set, and in the others what is left.
static bool make_box(const struct shape_search *search, unsigned element, bool by_steps) {
    struct tensor *tensor = &search->map->tensor;
    uint64_t left = search->map->bytes / element;
    *tensor = (struct tensor){.rank = search->map->rank, .element_size = element};
    for (unsigned d = 0; d < tensor->rank; d++) {
        uint32_t step = by_steps ? search->steps[d] : 0;
        if (step > BOX_MAX || (step > 0 && left % step != 0))
            return false;
        tensor->box[d] = step;
        left /= step > 0 ? step : 1;
    }
    for (unsigned d = 0; d < tensor->rank; d++)
        if (tensor->box[d] == 0) {
            tensor->box[d] = (unsigned)largest_part(left);
            left /= tensor->box[d];
        }
    return left == 1 && tensor->box[0] * element % ROW_ALIGNMENT == 0;
}

// Makes the tensor as large as tiles reach, dense.
static bool make_extents(const struct shape_search *search) {
    struct tensor *tensor = &search->map->tensor;
    unsigned alignment = ROW_ALIGNMENT / tensor->element_size;
    uint64_t bytes = tensor->element_size;
    for (unsigned d = 0; d < tensor->rank; d++) {
        uint64_t end = search->ends[d] + tensor->box[d] - 1;
        end = end < tensor->box[d] ? tensor->box[d] : end;
        end = d == 0 ? (end + alignment - 1) / alignment * alignment : end;
        if (end > TENSOR_BYTES_MAX / bytes)
            return false;
        tensor->extents[d] = (unsigned)end;
        tensor->strides[d] = bytes;
        bytes *= end;
    }
    return true;
}

void map_shape(struct launch_map *map, const struct map_copy *copies, size_t count, size_t index) {
    static const unsigned sizes[] = {4, 2, 1, 8};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    const struct shape_search search = search_of(map, copies, count, index);
    map->is_found = false;
    for (unsigned i = 0; i < 2 * SIZES && map->bytes > 0 && !map->is_found; i++) {
        bool by_steps = i < SIZES;
        if (by_steps || !search.stores)
            map->is_found = make_box(&search, sizes[i % SIZES], by_steps) && make_extents(&search);
    }
}
