// What operands that are constants have to be, beyond their types: counts, parities, sizes.
#include "litmus/ptx/body.h"

#include <string.h>

static bool is_constant(const struct instruction *instruction, unsigned operand) {
    return operand < instruction->operand_count &&
           instruction->operands[operand].kind == OPERAND_IMMEDIATE;
}

static uint32_t constant_at(const struct instruction *instruction, unsigned operand) {
    return (uint32_t)instruction->operands[operand].immediate.low;
}

static bool error_constant(const struct statement *statement, unsigned operand,
                           const char *message) {
    return diag_error(statement->body->diagnostics, statement->instruction->operands[operand].span,
                      "%s", message);
}

// The primary part of a range is not larger than the whole (PTX ISA 9.7.9.16).
static bool check_range(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    return !is_constant(instruction, 2) || !is_constant(instruction, 3) ||
           constant_at(instruction, 2) <= constant_at(instruction, 3) ||
           error_constant(statement, 2,
                          "the primary part of a range cannot be larger than the range");
}

// --- Mbarriers -----------------------------------------------------------------------------------

enum { MBARRIER_COUNT_MAX = (1 << 20) - 1 }; // PTX ISA 9.7.13.15

// What ptxas refuses is a mistake here, too; counts of arrivals that are too large are seen when
// the program is built.
static bool check_mbarrier(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    switch (instruction->opcode) {
    case OP_MBARRIER_INIT:
        return !is_constant(instruction, 1) ||
               constant_at(instruction, 1) - 1 < (uint32_t)MBARRIER_COUNT_MAX ||
               error_constant(statement, 1, "the count of an mbarrier is from 1 to 1048575");
    case OP_MBARRIER_WAIT_PARITY:
        return !is_constant(instruction, 2) || constant_at(instruction, 2) <= 1 ||
               error_constant(statement, 2, "the parity of a phase is 0 or 1");
    case OP_MBARRIER_ARRIVE:
    case OP_MBARRIER_ARRIVE_NO_COMPLETE:
    case OP_MBARRIER_DROP:
    case OP_MBARRIER_DROP_NO_COMPLETE:
        return !is_constant(instruction, 2) ||
               constant_at(instruction, 2) - 1 < (uint32_t)INT32_MAX ||
               error_constant(statement, 2, "a count of arrivals is at least 1");
    default: return true;
    }
}

// --- Copies --------------------------------------------------------------------------------------

// The ordinals and values of fields of tensormaps: "the only valid values for ord are [0..4]", and
// table 33 (PTX ISA 9.7.9.28).
static bool check_field(const struct statement *statement) {
    static const unsigned greatest[] = {[MAP_ELEMENT_TYPE] = 15,
                                        [MAP_INTERLEAVE] = 2,
                                        [MAP_SWIZZLE] = 4,
                                        [MAP_ATOMICITY] = 3,
                                        [MAP_FILL] = 1};
    const struct instruction *instruction = statement->instruction;
    uint32_t number = constant_at(instruction, 1);
    if (instruction->operand_count > 2)
        return number < TENSOR_RANK_MAX ||
               error_constant(statement, 1, "a tensor has at most 5 dimensions, from 0 to 4");
    return instruction->map_field < MAP_ELEMENT_TYPE ||
           number <= greatest[instruction->map_field] ||
           error_constant(statement, 1, "this field of a tensormap has no such value");
}

// The sizes of bulk prefetches and of what gets a priority (PTX ISA 9.7.9.25.4.3, 9.7.10.18
// of 9.4).
static bool check_hint(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    return !is_constant(instruction, 1) || constant_at(instruction, 1) % 16 == 0 ||
           error_constant(statement, 1,
                          instruction->of_global
                              ? "the size of what gets a priority is a multiple of 16"
                              : "the size of a bulk prefetch is a multiple of 16");
}

// PTX ISA 9.7.9.25.4.1.
static bool check_bulk(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    for (unsigned i = IGNORED_LEFT; instruction->copy.ignores && i < IGNORED_LEFT + 2; i++)
        if (is_constant(instruction, i) && constant_at(instruction, i) > 15)
            return error_constant(statement, i,
                                  "at most 15 bytes at each end of a copy are ignored");
    return !is_constant(instruction, 2) || constant_at(instruction, 2) % 16 == 0 ||
           error_constant(statement, 2, "the size of a bulk copy is a multiple of 16");
}

// PTX ISA 9.7.9.25.3.1.
static bool check_copy(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    const struct filled *cache = ptx_filled(&statement->match, CLASS_CACHE, 0);
    uint32_t size = constant_at(instruction, 2);
    if (cache && strcmp(cache->qualifier->spelling, ".cg") == 0 && size != 16)
        return error_constant(statement, 2, "'.cg' copies 16 bytes");
    if (size != 4 && size != 8 && size != 16)
        return error_constant(statement, 2, "'cp.async' copies 4, 8 or 16 bytes");
    return !is_constant(instruction, 3) || constant_at(instruction, 3) <= size ||
           error_constant(statement, 3, "no more bytes can be read than are written");
}

// --- All -----------------------------------------------------------------------------------------

bool ptx_check_constants(const struct statement *statement) {
    switch (statement->instruction->opcode) {
    case OP_CREATEPOLICY: return check_range(statement);
    case OP_TENSORMAP_REPLACE: return check_field(statement);
    case OP_HINT: return check_hint(statement);
    case OP_CP_BULK:
    case OP_CP_REDUCE: return check_bulk(statement);
    case OP_CP_ASYNC: return check_copy(statement);
    default: return check_mbarrier(statement);
    }
}
