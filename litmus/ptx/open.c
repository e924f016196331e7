// Instructions that only compute and are not modelled: most of floating-point arithmetic, video
// instructions, and products of matrices in registers. In a module's kernel their results may be
// anything, which includes what they are; as written they depend on all operands.
#include "litmus/ptx/body.h"
#include "litmus/ptx/open.h"
#include "litmus/ptx/operands.h"
#include "litmus/ptx/registers.h"

#include "litmus/source/arena.h"

#include <string.h>

// The beginnings of their names.
static const char *const names[] = {
    "clmad", "copysign", "cos",       "cvt.pack",  "ex2",    "fma",     "fns",      "lg2",
    "mma",   "rcp",      "rsqrt",     "sin",       "sqrt",   "tanh",    "vabsdiff", "vadd",
    "vadd2", "vadd4",    "vabsdiff2", "vabsdiff4", "vavrg2", "vavrg4",  "vmad",     "vmax",
    "vmax2", "vmax4",    "vmin",      "vmin2",     "vmin4",  "vset",    "vset2",    "vset4",
    "vshl",  "vshr",     "vsub",      "vsub2",     "vsub4",  "wmma.mma"};

static bool is_prefix(const char *name, const char *text) {
    size_t length = strlen(name);
    return strncmp(name, text, length) == 0 && (text[length] == '\0' || text[length] == '.');
}

bool ptx_is_open(const char *opcode) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_prefix(names[i], opcode))
            return true;
    return false;
}

bool ptx_is_warp_matrix(const char *opcode) {
    return is_prefix("mma", opcode) || is_prefix("wmma", opcode);
}

bool ptx_is_open_form(const struct opcode_text *text) {
    static const char *const floats[] = {".f16", ".f16x2", ".bf16", ".bf16x2",
                                         ".f32", ".f32x2", ".f64"};
    size_t count;
    const struct form *form = ptx_forms_named(text->name, &count);
    bool computes =
        form && (opcode_effects(form->opcode) & ~(unsigned)EFFECT_FLOATS) == EFFECT_DEFINES;
    for (size_t i = 0; computes && i < text->count; i++)
        for (size_t k = 0; k < sizeof floats / sizeof floats[0]; k++)
            if (strcmp(text->written[i].spelling, floats[k]) == 0)
                return true;
    return false;
}

bool ptx_is_open_conversion(const struct opcode_text *text) {
    static const char *const others[] = {".rn",  ".rz",   ".rp",    ".relu",  ".f16",
                                         ".f32", ".bf16", ".f16x2", ".bf16x2"};
    bool is_beyond = false;
    if (strcmp(text->name, "cvt") != 0)
        return false;
    for (size_t i = 0; i < text->count; i++) {
        const char *spelling = text->written[i].spelling;
        bool is_other = false;
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
            is_other |= strcmp(spelling, others[k]) == 0;
        bool belongs = ptx_beyond(text->name, spelling) != NULL;
        if (!belongs && !is_other)
            return false;
        is_beyond |= belongs;
    }
    return is_beyond;
}

// The type that a register is declared with.
static enum scalar_type declared_type(const struct body *body, const char *name) {
    struct register_name found = ptx_find_register(body, name);
    if (found.reg >= 0)
        return body->thread->registers[found.reg].type;
    return found.range ? found.range->type : TYPE_NONE;
}

// A register with its declared type. Returns false where the operand is none that is declared.
static bool take_register(struct body *body, const struct raw_operand *raw, bool is_written,
                          struct operand *operand, enum scalar_type *type) {
    const char *name = raw->kind != RAW_WORD ? "" : token_text(body->arena, raw->word);
    struct register_need need = {.type = declared_type(body, name), .is_written = is_written};
    if (raw->kind != RAW_WORD || raw->name || need.type == TYPE_NONE)
        return false;
    *type = need.type;
    *operand = operand_register(ptx_use_register(body, raw->word, &need), raw->span);
    return true;
}

bool ptx_take_declared(struct body *body, const struct raw_operand *raw, bool is_written,
                       struct operand *operand) {
    enum scalar_type type;
    return take_register(body, raw, is_written, operand, &type) && operand->reg >= 0;
}

// Adds a result that may be anything; '_' takes none. `sources`: what it depends on.
static bool open_register(struct body *body, struct instruction instruction,
                          const struct raw_operand *raw, const struct operand *sources,
                          struct open_results *results) {
    if (raw->kind == RAW_SINK)
        return true;
    if (!take_register(body, raw, true, &instruction.operands[0], &instruction.type))
        return diag_error(body->diagnostics, raw->span,
                          "this destination is not a declared register");
    instruction.opcode = OP_OPEN;
    instruction.span = instruction.opcode_span;
    instruction.operands[1] = *sources;
    instruction.operand_count = 2;
    if (instruction.operands[0].reg < 0)
        return false;
    ARENA_APPEND(body->arena, results->items, results->count, instruction);
    return true;
}

// Adds the registers of an operand to those that a result depends on.
static void add_sources(struct body *body, const struct raw_operand *raw, struct operand *sources) {
    struct operand operand;
    enum scalar_type type;
    for (size_t i = 0; (raw->kind == RAW_VECTOR || raw->kind == RAW_PAIR) && i < raw->element_count;
         i++)
        add_sources(body, &raw->elements[i], sources);
    if (!take_register(body, raw, false, &operand, &type) || operand.reg < 0)
        return;
    ARENA_APPEND(body->arena, sources->elements, sources->element_count, operand);
}

bool ptx_parse_open(struct body *body, const struct instruction *instruction,
                    struct open_results *results) {
    *results = (struct open_results){0};
    struct raw_operand *operands;
    size_t count;
    if (!ptx_parse_operands(body, &operands, &count))
        return false;
    struct instruction concrete = *instruction;
    if (count > 0 && ptx_parse_concrete(body, &concrete, operands, count)) {
        ARENA_APPEND(body->arena, results->items, results->count, concrete);
        return true;
    }
    if (count == 0 && instruction->opcode == OP_WARP_MATRIX)
        return true; // its result reaches nothing, and was left out
    if (count == 0)
        return diag_error(body->diagnostics, instruction->span,
                          "this instruction lacks its destination");
    struct operand sources = operand_new(OPERAND_VECTOR, instruction->opcode_span);
    for (size_t i = 1; i < count; i++)
        add_sources(body, &operands[i], &sources);
    bool is_list = operands[0].kind == RAW_PAIR || operands[0].kind == RAW_VECTOR;
    bool fine = is_list || open_register(body, *instruction, &operands[0], &sources, results);
    for (size_t i = 0; is_list && i < operands[0].element_count; i++)
        fine =
            open_register(body, *instruction, &operands[0].elements[i], &sources, results) && fine;
    return fine;
}
