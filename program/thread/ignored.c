// Bulk copies with .ignore_oob (PTX ISA 9.7.9.25.4.1 of 9.2): up to 15 bytes at the beginning and
// at the end of the source "may be out-of-bounds of a global memory allocation, and the value of
// the corresponding bytes in destination shared memory [...] is indeterminate". They are read as
// far as they are there, and what is written is not known.

#include "program/thread/async.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

enum { IGNORED_MAX = 15 };

static bool read_count(const struct copy *copy, const struct operand *operand, uint64_t *count) {
    if (!thread_constant(copy->thread, operand, 32,
                         "how many bytes a copy ignores must not depend on memory", count))
        return false;
    if (*count > IGNORED_MAX)
        diag_error(copy->thread->builder->diagnostics, operand->span,
                   "at most 15 bytes at each end of a copy are ignored");
    return *count <= IGNORED_MAX;
}

bool ignored_find(struct copy *copy) {
    const struct operand *operands = copy->instruction->operands;
    if (!copy->instruction->copy.ignores)
        return true;
    return read_count(copy, &operands[IGNORED_LEFT], &copy->left) &&
           read_count(copy, &operands[IGNORED_LEFT + 1], &copy->right);
}

bool ignored_has(const struct copy *copy, unsigned part) {
    uint64_t offset = (uint64_t)part * copy->part;
    return offset < copy->left || offset + copy->right >= copy->size;
}

bool ignored_is_there(const struct copy *copy, struct value address, unsigned part) {
    const struct program_memory *memory = &copy->thread->builder->program->memory;
    if (!expr_is_const(address.bits))
        return true; // and so it has to be, as without .ignore_oob
    uint64_t begin = address.bits->value.low;
    const struct virtual_range *range = NULL;
    if (copy->left + copy->right < copy->size)
        range = places_range_of(memory, begin + copy->left, 1);
    return range != NULL &&
           range == places_range_of(memory, begin + (uint64_t)part * copy->part, copy->part);
}
