// Reads matrices of shared memory, chunk by chunk. Chunks that are next to each other are one
// access.
#include "launch/matrix_read.h"
#include "launch/cluster.h"
#include "launch/mbarrier.h"

static void read_bytes(struct matrix_reader *reader, unsigned object, uint64_t offset,
                       uint32_t size) {
    struct machine *machine = reader->machine;
    bool is_elsewhere = reader->block != reader->lane->block;
    const struct shadow_access touch = {
        .instruction = reader->instruction,
        .thread = reader->lane->index,
        .actor = reader->actor,
        .time = reader->time,
        .offset = (uint32_t)offset,
        .size = size,
        .stays = reader->stays,
        .elsewhere = is_elsewhere ? &reader->block->lanes[0]->thread->place : NULL,
        .proxy = PROXY_ASYNC};
    shadow_touch(machine->shadow, object, &touch, &reader->moment);
    block_visit(machine, reader->block, reader->actor,
                &(struct shared_visit){reader->time, reader->lane, reader->instruction});
    for (uint32_t i = 0; i < size; i += MATRIX_CHUNK_BYTES) {
        uint32_t part = size - i < MATRIX_CHUNK_BYTES ? size - i : MATRIX_CHUNK_BYTES;
        struct step_value word = shadow_read(machine->shadow, object, offset + i, part);
        if (word.knowledge > reader->knowledge)
            reader->knowledge = word.knowledge;
    }
}

// Reads some chunks that are next to each other, all in one variable.
static bool read_chunks(struct matrix_reader *reader, uint64_t address, uint32_t size) {
    struct machine *machine = reader->machine;
    unsigned object;
    uint64_t offset;
    if (!shadow_find(machine->shadow, reader->base + address, size, &object, &offset))
        return run_give_up(machine, reader->instruction,
                           "a matrix is not all in one variable of shared memory");
    unsigned variable = stepper_memory(machine->stepper)->objects[object].variable;
    if (machine->test->variables[variable].alignment % MATRIX_CHUNK_BYTES != 0)
        return run_give_up(machine, reader->instruction,
                           "a matrix begins at a multiple of 16 bytes, and its variable need not");
    if (mbarrier_is_at(machine, object, offset, size))
        return run_give_up(machine, reader->instruction, "a product reads an mbarrier");
    read_bytes(reader, object, offset, size);
    return !machine->is_over;
}

// Reads as much of a chunk as there is. Of a matrix of a test that no launch makes the first
// element alone has to be there (memory-model section 18).
static bool read_some(struct matrix_reader *reader, uint64_t address, bool is_first) {
    unsigned object, size = MATRIX_CHUNK_BYTES;
    uint64_t offset;
    while (size > 0 &&
           !shadow_find(reader->machine->shadow, reader->base + address, size, &object, &offset))
        size /= 2;
    return (size == 0 && !is_first) || read_chunks(reader, address, size > 0 ? size : 1);
}

bool matrix_read(struct matrix_reader *reader, const struct matrix_layout *layout) {
    bool is_launch = reader->lane->thread->launch != NULL;
    uint64_t first = 0, end = 0; // of chunks that are next to each other
    for (unsigned line = 0; line < layout->lines; line++)
        for (unsigned chunk = 0; chunk < layout->chunks; chunk++) {
            uint64_t address = matrix_chunk(layout, line, chunk);
            if (!is_launch) {
                if (!read_some(reader, address, line == 0 && chunk == 0))
                    return false;
            } else if (address == end) {
                end += MATRIX_CHUNK_BYTES;
            } else if (address + MATRIX_CHUNK_BYTES == first) {
                first = address;
            } else {
                if (end > first && !read_chunks(reader, first, (uint32_t)(end - first)))
                    return false;
                first = address;
                end = address + MATRIX_CHUNK_BYTES;
            }
        }
    return !is_launch || read_chunks(reader, first, (uint32_t)(end - first));
}

bool matrix_read_first(struct matrix_reader *reader, const struct matrix_layout *layout,
                       unsigned bytes) {
    return read_chunks(reader, layout->start, bytes);
}
