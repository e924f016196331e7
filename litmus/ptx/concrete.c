// Floating-point instructions of a module that are computed where their operands are constants (PTX
// ISA 9.7.3, 9.7.4, 9.7.9.21). Of other forms, such as approximations, results stay open (open.c).
#include "litmus/ptx/body.h"
#include "litmus/ptx/open.h"
#include "litmus/ptx/operands.h"
#include "litmus/ptx/ptx.h"
#include "litmus/ptx/registers.h"

#include <string.h>

static const struct {
    const char *name;
    enum float_op op;
    unsigned operands;
    bool needs_rounding; // the others are approximations
} operations[] = {
    {"add", FLOAT_ADD, 2, false}, {"sub", FLOAT_SUB, 2, false},  {"mul", FLOAT_MUL, 2, false},
    {"fma", FLOAT_FMA, 3, true},  {"mad", FLOAT_FMA, 3, true},   {"div", FLOAT_DIV, 2, true},
    {"rcp", FLOAT_RCP, 1, true},  {"sqrt", FLOAT_SQRT, 1, true}, {"min", FLOAT_MIN, 2, false},
    {"max", FLOAT_MAX, 2, false}, {"neg", FLOAT_NEG, 1, false},  {"abs", FLOAT_ABS, 1, false},
    {"cvt", FLOAT_CVT, 1, false},
};

static const struct {
    const char *name;
    unsigned rounding;
} roundings[] = {
    {"rn", ROUND_NEAREST},
    {"rz", ROUND_ZERO},
    {"rm", ROUND_DOWN},
    {"rp", ROUND_UP},
    {"rni", ROUND_NEAREST | ROUND_INTEGER},
    {"rzi", ROUND_ZERO | ROUND_INTEGER},
    {"rmi", ROUND_DOWN | ROUND_INTEGER},
    {"rpi", ROUND_UP | ROUND_INTEGER},
};

// What an opcode says, as far as it is known here.
struct concrete {
    unsigned operands, types;
    bool needs_rounding;
    struct instruction *instruction;
};

static bool is_word(const char *word, size_t length, const char *text) {
    return strlen(text) == length && memcmp(word, text, length) == 0;
}

static bool find_operation(struct concrete *concrete, const char *word, size_t length) {
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (is_word(word, length, operations[i].name)) {
            concrete->instruction->compute.float_op = operations[i].op;
            concrete->operands = operations[i].operands;
            concrete->needs_rounding = operations[i].needs_rounding;
            return true;
        }
    return false;
}

static bool find_type(struct concrete *concrete, const char *word, size_t length) {
    for (enum scalar_type type = TYPE_U8; type <= TYPE_F64; type++) {
        if (!is_word(word, length, scalar_type_name(type)))
            continue;
        if (type == TYPE_F16X2 || type == TYPE_BF16X2 || concrete->types == 2)
            return false;
        if (concrete->types++ == 0)
            concrete->instruction->type = type;
        concrete->instruction->source_type = type;
        return true;
    }
    return false;
}

// One of the qualifiers, without its dot.
static bool find_qualifier(struct concrete *concrete, const char *word, size_t length) {
    struct instruction *instruction = concrete->instruction;
    for (size_t i = 0; i < sizeof roundings / sizeof roundings[0]; i++)
        if (is_word(word, length, roundings[i].name)) {
            instruction->compute.rounding = roundings[i].rounding;
            return true;
        }
    if (is_word(word, length, "ftz"))
        return instruction->compute.flushes = true;
    if (is_word(word, length, "sat"))
        return instruction->compute.saturate = true;
    return find_type(concrete, word, length);
}

// Of a conversion, the rounding that its types need (PTX ISA 9.7.9.21): to an integer, or to a
// number of fewer bits.
static bool fits_conversion(const struct instruction *instruction) {
    bool to_float = scalar_type_is_float(instruction->type),
         from_float = scalar_type_is_float(instruction->source_type),
         to_integer = (instruction->compute.rounding & ROUND_INTEGER) != 0;
    if (!to_float)
        return from_float && to_integer;
    if (!from_float)
        return instruction->compute.rounding != ROUND_NONE && !to_integer;
    if (instruction->type == instruction->source_type)
        return instruction->compute.rounding == ROUND_NONE || to_integer;
    unsigned bits = scalar_type_bits(instruction->type),
             source_bits = scalar_type_bits(instruction->source_type);
    if (bits > source_bits) // exact
        return instruction->compute.rounding == ROUND_NONE;
    return bits < source_bits && instruction->compute.rounding != ROUND_NONE && !to_integer;
}

static bool fits(const struct concrete *concrete) {
    const struct instruction *instruction = concrete->instruction;
    if (instruction->compute.float_op == FLOAT_CVT)
        return concrete->types == 2 && fits_conversion(instruction);
    bool known_rounding =
        !(instruction->compute.rounding & ROUND_INTEGER) &&
        (!concrete->needs_rounding || instruction->compute.rounding != ROUND_NONE);
    return concrete->types == 1 && scalar_type_is_float(instruction->type) && known_rounding;
}

static bool parse_text(struct concrete *concrete, const char *text) {
    for (bool is_name = true;; is_name = false) {
        size_t length = strcspn(text, ".");
        if (is_name ? !find_operation(concrete, text, length)
                    : !find_qualifier(concrete, text, length))
            return false;
        if (text[length] == '\0')
            return fits(concrete);
        text += length + 1;
    }
}

bool ptx_is_concrete(const char *opcode) {
    struct instruction instruction = {0};
    struct concrete concrete = {.instruction = &instruction};
    return parse_text(&concrete, opcode);
}

static bool take_operand(struct body *body, const struct raw_operand *raw, enum scalar_type type,
                         bool is_written, struct operand *operand) {
    *operand = operand_new(OPERAND_REGISTER, raw->span);
    if (raw->kind == RAW_FLOAT && (type == TYPE_F32 || type == TYPE_F64)) {
        operand->kind = OPERAND_IMMEDIATE;
        operand->immediate = ptx_float_bits(body, raw, type);
        return !is_written;
    }
    if (raw->kind != RAW_WORD || raw->negated || !ptx_is_register(body, raw->word))
        return false;
    bool small = scalar_type_bits(type) == 16 && scalar_type_is_float(type);
    struct register_need need = {.type = small ? TYPE_B16 : type,
                                 .wider = !scalar_type_is_float(type),
                                 .is_written = is_written};
    operand->reg = ptx_use_register(body, raw->word, &need);
    return operand->reg >= 0;
}

bool ptx_parse_concrete(struct body *body, struct instruction *instruction,
                        const struct raw_operand *operands, size_t count) {
    struct concrete concrete = {.instruction = instruction};
    const char *text = span_text(body->arena, instruction->opcode_span);
    if (strpbrk(text, " \t\r\n/") || !parse_text(&concrete, text) || count != concrete.operands + 1)
        return false;
    instruction->opcode = OP_FLOAT;
    instruction->span = instruction->opcode_span;
    instruction->operand_count = (unsigned)count;
    for (size_t i = 0; i < count; i++)
        if (!take_operand(body, &operands[i], i > 0 ? instruction->source_type : instruction->type,
                          i == 0, &instruction->operands[i]))
            return false;
    return true;
}
