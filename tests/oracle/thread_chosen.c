// Bulk copies of some bytes (PTX ISA 9.7.9.25.4.1): .cp_mask, and .ignore_oob of 9.2.
#include "tests/oracle/thread_internal.h"

bool chosen_find(struct machine *machine, const struct instruction *at, uint64_t size,
                 struct chosen *chosen) {
    *chosen = (struct chosen){.mask = 0xffff, .size = size};
    if (at->copy.masked)
        return machine_number(machine, &at->operands[at->operand_count - 1], &chosen->mask);
    return !at->copy.ignores || (machine_number(machine, &at->operands[4], &chosen->left) &&
                                 machine_number(machine, &at->operands[5], &chosen->right));
}

// "The i-th bit in the 16-bit wide byteMask operand specifies whether the i-th byte of each 16-byte
// wide chunk of source data is copied to the destination."
static bool mask_divides(uint64_t mask, unsigned part) {
    for (unsigned i = 0; i + 1 < 16; i++)
        if (i / part == (i + 1) / part && (mask >> i & 1) != (mask >> (i + 1) & 1))
            return true;
    return false;
}

bool chosen_divides(const struct chosen *chosen, unsigned part) {
    return mask_divides(chosen->mask, part) || chosen->left % part || chosen->right % part;
}

bool chosen_ignores(const struct chosen *chosen, uint64_t offset) {
    return offset < chosen->left || (chosen->right > 0 && offset >= chosen->size - chosen->right);
}

// Where the source begins, as an address.
static bool find_begin(struct machine *machine, const struct instruction *at, uint64_t *begin) {
    const struct operand *source = &at->operands[1];
    *begin = (uint64_t)source->offset;
    if (source->variable >= 0)
        *begin += memory_address(machine->memory, machine->thread, source->variable);
    if (source->reg >= 0)
        *begin += (uint64_t)machine->registers[source->reg].value.bits;
    return source->reg < 0 || value_is_known(machine->registers[source->reg].value);
}

// "Up to 15 bytes at the beginning or ending of [srcMem .. srcMem+size) may be out-of-bounds of a
// global memory allocation": the variable is that of the first byte which is not ignored.
bool chosen_is_there(struct machine *machine, const struct instruction *at,
                     const struct chosen *chosen, uint64_t offset, unsigned size) {
    const struct memory *memory = machine->memory;
    uint64_t begin;
    if (chosen->left + chosen->right >= chosen->size || !find_begin(machine, at, &begin))
        return false;
    for (size_t v = 0; v < memory->test->variable_count; v++) {
        const struct variable *variable = &memory->test->variables[v];
        uint64_t from = memory_address(memory, machine->thread, (int)v);
        uint64_t bytes = scalar_type_bits(variable->type) / 8 * variable->element_count;
        uint64_t taken = begin + chosen->left;
        if (taken >= from && taken < from + bytes)
            return begin + offset >= from && begin + offset + size <= from + bytes;
    }
    return false;
}

unsigned chosen_missing(struct machine *machine, const struct instruction *at,
                        const struct chosen *chosen, unsigned part) {
    unsigned missing = 0;
    for (uint64_t offset = 0; offset < chosen->left; offset += part)
        missing += !chosen_is_there(machine, at, chosen, offset, part);
    return missing;
}
