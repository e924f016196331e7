// What operands that are constants have to be, beyond their types: counts, parities, sizes.
#include "litmus/ptx/body.h"

#include <string.h>

// What is wrong with an instruction, and the operand that is; no message where nothing is.
struct constant_fault {
    const char *message;
    unsigned operand;
};

static const struct constant_fault none = {NULL, 0};

static bool is_constant(const struct instruction *instruction, unsigned operand) {
    return operand < instruction->operand_count &&
           instruction->operands[operand].kind == OPERAND_IMMEDIATE;
}

static uint32_t constant_at(const struct instruction *instruction, unsigned operand) {
    return (uint32_t)instruction->operands[operand].immediate.low;
}

// The primary part of a range is not larger than the whole (PTX ISA 9.7.9.16).
static struct constant_fault fault_of_range(const struct instruction *instruction) {
    return is_constant(instruction, 2) && is_constant(instruction, 3) &&
                   constant_at(instruction, 2) > constant_at(instruction, 3)
               ? (struct constant_fault){"the primary part of a range cannot be larger than the "
                                         "range",
                                         2}
               : none;
}

// --- Mbarriers -----------------------------------------------------------------------------------

enum { MBARRIER_COUNT_MAX = (1 << 20) - 1 }; // PTX ISA 9.7.13.15

// What ptxas refuses is a mistake here, too; counts of arrivals that are too large are seen when
// the program is built.
static struct constant_fault fault_of_mbarrier(const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_MBARRIER_INIT:
        return is_constant(instruction, 1) &&
                       constant_at(instruction, 1) - 1 >= (uint32_t)MBARRIER_COUNT_MAX
                   ? (struct constant_fault){"the count of an mbarrier is from 1 to 1048575", 1}
                   : none;
    case OP_MBARRIER_WAIT_PARITY:
        return is_constant(instruction, 2) && constant_at(instruction, 2) > 1
                   ? (struct constant_fault){"the parity of a phase is 0 or 1", 2}
                   : none;
    case OP_MBARRIER_ARRIVE:
    case OP_MBARRIER_ARRIVE_NO_COMPLETE:
    case OP_MBARRIER_DROP:
    case OP_MBARRIER_DROP_NO_COMPLETE:
        return is_constant(instruction, 2) && constant_at(instruction, 2) - 1 >= (uint32_t)INT32_MAX
                   ? (struct constant_fault){"a count of arrivals is at least 1", 2}
                   : none;
    default: return none;
    }
}

// --- Copies --------------------------------------------------------------------------------------

// The ordinals and values of fields of tensormaps: "the only valid values for ord are [0..4]", and
// table 33 (PTX ISA 9.7.9.28).
static struct constant_fault fault_of_field(const struct instruction *instruction) {
    static const unsigned greatest[] = {[MAP_ELEMENT_TYPE] = 15,
                                        [MAP_INTERLEAVE] = 2,
                                        [MAP_SWIZZLE] = 4,
                                        [MAP_ATOMICITY] = 3,
                                        [MAP_FILL] = 1};
    bool ordered = instruction->operand_count > 2;
    bool named = !ordered && instruction->map_field >= MAP_ELEMENT_TYPE;
    uint32_t number = constant_at(instruction, 1);
    if (ordered && number >= TENSOR_RANK_MAX)
        return (struct constant_fault){"a tensor has at most 5 dimensions, from 0 to 4", 1};
    return named && number > greatest[instruction->map_field]
               ? (struct constant_fault){"this field of a tensormap has no such value", 1}
               : none;
}

// The sizes of bulk prefetches and of what gets a priority (PTX ISA 9.7.9.25.4.3, 9.7.10.18
// of 9.4).
static struct constant_fault fault_of_hint(const struct instruction *instruction) {
    if (!is_constant(instruction, 1) || constant_at(instruction, 1) % 16 == 0)
        return none;
    return (struct constant_fault){instruction->of_global
                                       ? "the size of what gets a priority is a multiple of 16"
                                       : "the size of a bulk prefetch is a multiple of 16",
                                   1};
}

// PTX ISA 9.7.9.25.4.1.
static struct constant_fault fault_of_bulk(const struct instruction *instruction) {
    for (unsigned i = IGNORED_LEFT; instruction->copy.ignores && i < IGNORED_LEFT + 2; i++)
        if (is_constant(instruction, i) && constant_at(instruction, i) > 15)
            return (struct constant_fault){"at most 15 bytes at each end of a copy are ignored", i};
    return is_constant(instruction, 2) && constant_at(instruction, 2) % 16 != 0
               ? (struct constant_fault){"the size of a bulk copy is a multiple of 16", 2}
               : none;
}

// PTX ISA 9.7.9.25.3.1.
static struct constant_fault fault_of_copy(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    const struct filled *cache = ptx_filled(&statement->match, CLASS_CACHE, 0);
    uint32_t size = constant_at(instruction, 2);
    if (cache && strcmp(cache->qualifier->spelling, ".cg") == 0 && size != 16)
        return (struct constant_fault){"'.cg' copies 16 bytes", 2};
    if (size != 4 && size != 8 && size != 16)
        return (struct constant_fault){"'cp.async' copies 4, 8 or 16 bytes", 2};
    return is_constant(instruction, 3) && constant_at(instruction, 3) > size
               ? (struct constant_fault){"no more bytes can be read than are written", 3}
               : none;
}

// --- All -----------------------------------------------------------------------------------------

static struct constant_fault find_fault(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    switch (instruction->opcode) {
    case OP_CREATEPOLICY: return fault_of_range(instruction);
    case OP_TENSORMAP_REPLACE: return fault_of_field(instruction);
    case OP_HINT: return fault_of_hint(instruction);
    case OP_CP_BULK:
    case OP_CP_REDUCE: return fault_of_bulk(instruction);
    case OP_CP_ASYNC: return fault_of_copy(statement);
    default: return fault_of_mbarrier(instruction);
    }
}

bool ptx_check_constants(const struct statement *statement) {
    const struct constant_fault fault = find_fault(statement);
    if (fault.message)
        diag_error(statement->body->diagnostics,
                   statement->instruction->operands[fault.operand].span, "%s", fault.message);
    return fault.message == NULL;
}
