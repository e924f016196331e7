// Products of matrices by tensor cores: their shapes, and operands that no other instruction has
// (PTX ISA 9.7.15.5).
#include "litmus/ptx/body.h"
#include "litmus/ptx/matrix.h"
#include "litmus/ptx/operands.h"
#include "litmus/ptx/registers.h"

#include "litmus/columns.h"

#include <assert.h>
#include <string.h>

enum { FRAGMENT_REGISTERS = 4 }; // of A, in a thread

static void set_product(const struct statement *statement) {
    struct instruction *instruction = statement->instruction;
    if (instruction->opcode != OP_TENSOR_MMA)
        return;
    instruction->matrix.sparse = strstr(statement->name, ".sp") != NULL;
    instruction->tensor.keeps_b = strstr(statement->name, ".ws") != NULL;
    instruction->tensor.scaled = ptx_has(&statement->match, CLASS_SCALED);
    instruction->tensor.shifts_a = ptx_has(&statement->match, CLASS_SHIFTED);
    int usual = instruction->tensor.keeps_b ? COLLECTOR_OPS + COLLECTOR_DISCARD : COLLECTOR_DISCARD;
    unsigned value = (unsigned)ptx_value(&statement->match, CLASS_COLLECTOR, 0, usual);
    instruction->tensor.buffer = value / COLLECTOR_OPS;
    instruction->tensor.collector = (enum collector_op)(value % COLLECTOR_OPS);
}

// Of how many columns a tcgen05.ld or .st is: "two 16-bit elements from adjacent columns" are in
// one register of packed ones (PTX ISA 9.7.16.8.3).
static void set_columns(struct instruction *instruction, const struct match *match) {
    const struct filled *lanes = ptx_filled(match, CLASS_LANES, 0);
    int repeat = ptx_value(match, CLASS_REPEAT, 0, 0), parts = ptx_value(match, CLASS_PACK, 0, 1);
    if (lanes == NULL || repeat == 0)
        return;
    instruction->matrix.columns = (unsigned)(lanes->qualifier->value % 16 * repeat * parts);
    instruction->tensor.lanes = strcmp(lanes->qualifier->spelling, ".32x32b") == 0 ? 32 : 16;
    instruction->tensor.is_open = ptx_has(match, CLASS_PACK) || instruction->tensor.lanes != 32;
}

// How many matrices of 8 by 8 elements of 16 bits a warp exchanges; their rows have 16 bytes.
static void set_exchange(struct instruction *instruction, const struct match *match) {
    bool transposed = ptx_has(match, CLASS_TRANSPOSED);
    bool loads = instruction->opcode == OP_LDMATRIX, stores = instruction->opcode == OP_STMATRIX;
    if (!loads && !stores && instruction->opcode != OP_MOVMATRIX)
        return;
    instruction->matrix.columns = (unsigned)ptx_value(match, CLASS_REPEAT, 0, 1);
    instruction->type = loads || stores ? TYPE_B128 : TYPE_B32;
    instruction->warp = loads    ? transposed ? WARP_LDMATRIX_TRANS : WARP_LDMATRIX
                        : stores ? transposed ? WARP_STMATRIX_TRANS : WARP_STMATRIX
                                 : WARP_MOVMATRIX;
}

void ptx_set_matrices(const struct statement *statement) {
    struct instruction *instruction = statement->instruction;
    const struct match *match = &statement->match;
    instruction->matrix.columns = (unsigned)ptx_value(match, CLASS_SHAPE, 0, 0);
    for (unsigned i = 0; i < 2; i++)
        instruction->matrix.element[i] =
            (enum matrix_element)ptx_value(match, CLASS_ELEMENT, i, ELEMENT_NONE);
    instruction->tensor.kind =
        (enum matrix_kind)ptx_value(match, CLASS_MATRIX_KIND, 0, MATRIX_KIND_NONE);
    set_product(statement);
    if (ptx_has(match, CLASS_COPY_SHAPE)) {
        enum { LANE_UNIT = 1024, COLUMN_BITS = 32 };
        unsigned value = (unsigned)ptx_value(match, CLASS_COPY_SHAPE, 0, 0);
        instruction->tensor.lanes = value / LANE_UNIT;
        instruction->tensor.is_4x256b = instruction->tensor.lanes == 4;
        instruction->matrix.columns = value % LANE_UNIT / COLUMN_BITS;
    }
    if (ptx_has(match, CLASS_TO_FORMAT))
        instruction->tensor.is_open = true;
    instruction->tensor.reads_of_a = ptx_has(match, CLASS_READ_OF_A);
    set_columns(instruction, match);
    set_exchange(instruction, match);
    if (ptx_has(match, CLASS_SATFINITE))
        instruction->compute.saturate = true;
    if (instruction->opcode == OP_WGMMA) {
        instruction->matrix.sparse = strcmp(statement->name, "wgmma.mma_async.sp") == 0;
        instruction->atomic = ATOMIC_NONE; // .and.popc is not an atomic operation
    }
}

// --- Registers of matrices -----------------------------------------------------------------------

// A register of this type.
static bool resolve_register(struct statement *statement, const struct raw_operand *raw,
                             enum scalar_type type, bool is_written, struct operand *operand) {
    assert((unsigned)type <= TYPE_F64);
    struct body *body = statement->body;
    struct register_need need = {.type = type, .is_written = is_written};
    *operand = operand_new(OPERAND_REGISTER, raw->span);
    if (!ptx_names_register(body, raw) || (raw->negated && type != TYPE_PRED))
        return diag_error(body->diagnostics, raw->span, "this operand of '%s' must be a register",
                          statement->name);
    operand->negated = raw->negated;
    operand->reg = raw->name ? ptx_use_register_named(body, raw->name, raw->word, &need)
                             : ptx_use_register(body, raw->word, &need);
    return operand->reg >= 0;
}

// "A vector expression containing" so many registers.
static bool resolve_registers(struct statement *statement, const struct raw_operand *raw,
                              enum scalar_type type, unsigned count, bool is_written,
                              struct operand *operand) {
    assert((unsigned)type <= TYPE_F64);
    struct body *body = statement->body;
    if (raw->kind != RAW_VECTOR || raw->element_count != count)
        return diag_error(body->diagnostics, raw->span,
                          "'%s' has %s in %u registers here, in braces", statement->name,
                          is_written ? "D" : "A", count);
    *operand = ptx_vector_operand(body, raw);
    for (unsigned i = 0; i < count; i++)
        if (!resolve_register(statement, &raw->elements[i], type, is_written,
                              &operand->elements[i]))
            return false;
    return true;
}

// N/2 registers, or N/4 that hold two numbers each.
static bool resolve_accumulator(struct statement *statement, const struct raw_operand *raw,
                                struct operand *operand) {
    const struct instruction *instruction = statement->instruction;
    bool packed = instruction->type == TYPE_F16;
    return resolve_registers(statement, raw, packed ? TYPE_F16X2 : instruction->type,
                             instruction->matrix.columns / (packed ? 4 : 2), true, operand);
}

static bool is_bits(const struct test_register *reg) {
    return reg->type == TYPE_NONE || reg->type == TYPE_B32;
}

// A in registers: .f16x2 or .b32 ones for .f16, .b32 ones for other floating-point numbers, and any
// of 32 bits for integers.
static bool resolve_fragment(struct statement *statement, const struct raw_operand *raw,
                             struct operand *operand) {
    enum matrix_element element = statement->instruction->matrix.element[0];
    bool integers = element == ELEMENT_S8 || element == ELEMENT_U8 || element == ELEMENT_B1;
    enum scalar_type type = element == ELEMENT_F16 ? TYPE_F16X2 : TYPE_B32;
    if (!resolve_registers(statement, raw, type, FRAGMENT_REGISTERS, false, operand))
        return false;
    for (unsigned i = 0; type == TYPE_B32 && !integers && i < FRAGMENT_REGISTERS; i++) {
        const struct test_register *reg =
            &statement->body->thread->registers[operand->elements[i].reg];
        if (is_bits(reg))
            continue;
        return diag_error(statement->body->diagnostics, operand->elements[i].span,
                          "such elements of A are in .b32 registers, and '%s' is %s", reg->name,
                          ptx_register_type(statement->body, reg));
    }
    return true;
}

// --- Matrices in memory --------------------------------------------------------------------------

static bool resolve_descriptor(struct statement *statement, const struct raw_operand *raw,
                               struct operand *operand) {
    struct body *body = statement->body;
    if (ptx_names_register(body, raw) && !raw->negated)
        return resolve_register(statement, raw, TYPE_U64, false, operand);
    const char *text = raw->word ? token_text(body->arena, raw->word) : NULL;
    diag_error(body->diagnostics, raw->span,
               "a matrix in memory is described by a register of 64 bits");
    if (text && ptx_find_variable(body, text) >= 0)
        diag_hint(body->diagnostics,
                  "'mov.u64 %%rd0, %s;' and 'shr.u64 %%rd0, %%rd0, 4;' make one of '%s'", text,
                  text);
    return false;
}

// --- Tensor memory -------------------------------------------------------------------------------

// [t] or [%r0], and how many columns after that.
static bool resolve_tensor(struct statement *statement, const struct raw_operand *raw,
                           struct operand *operand) {
    static const struct register_need need = {.type = TYPE_U32, .is_address = true};
    struct body *body = statement->body;
    if ((raw->kind != RAW_MEMORY && raw->kind != RAW_ELEMENT) || !raw->word || raw->unified)
        return diag_error(body->diagnostics, raw->span,
                          "this operand of '%s' is an address of tensor memory, in brackets",
                          statement->name);
    operand->kind = OPERAND_MEMORY;
    operand->offset = (int64_t)raw->constant.value;
    if (ptx_is_register(body, raw->word)) {
        operand->reg = ptx_use_register(body, raw->word, &need);
        return operand->reg >= 0;
    }
    const char *name = token_text(body->arena, raw->word);
    operand->variable = ptx_find_variable(body, name);
    if (operand->variable < 0)
        return diag_error(body->diagnostics, raw->span, "there is no tensor memory '%s'", name);
    const struct variable *variable = &body->reader->test->variables[operand->variable];
    if (variable->space == SPACE_TENSOR)
        return true;
    diag_error(body->diagnostics, raw->span,
               "'%s' is a %s variable, and '%s' accesses tensor memory", name,
               state_space_or_global_name(variable->space), statement->name);
    diag_hint(body->diagnostics, "'.tmem .b32 t[1];' declares tensor memory");
    return false;
}

// As many registers of 32 bits as the shape has, repeated.
static bool resolve_columns(struct statement *statement, const struct raw_operand *raw,
                            bool is_written, struct operand *operand) {
    const struct filled *repeat = ptx_filled(&statement->match, CLASS_REPEAT, 0);
    unsigned each = (unsigned)ptx_value(&statement->match, CLASS_LANES, 0, 16) / 16;
    unsigned count = (unsigned)repeat->qualifier->value * each;
    if (raw->kind == RAW_VECTOR && raw->element_count == count)
        return resolve_registers(statement, raw, TYPE_B32, count, is_written, operand);
    return diag_error(statement->body->diagnostics, raw->span,
                      "'%s%s' takes %u register%s here, in braces", statement->name,
                      repeat->qualifier->spelling, count, count == 1 ? "" : "s");
}

// --- Constants -----------------------------------------------------------------------------------

static bool resolve_choice(struct statement *statement, const struct raw_operand *raw,
                           uint64_t first, uint64_t second, const char *message,
                           struct operand *operand) {
    if (raw->kind == RAW_CONSTANT) {
        operand->kind = OPERAND_IMMEDIATE;
        operand->immediate = ptx_constant_bits(&raw->constant);
        if (operand->immediate.low == first || operand->immediate.low == second)
            return true;
    }
    return diag_error(statement->body->diagnostics, raw->span, "%s", message);
}

static bool resolve_scale(struct statement *statement, const struct raw_operand *raw,
                          struct operand *operand) {
    if (raw->kind == RAW_CONSTANT)
        return resolve_choice(statement, raw, 0, 1, "whether D is added is a predicate, 0 or 1",
                              operand);
    return resolve_register(statement, raw, TYPE_PRED, false, operand);
}

// "An integer constant" of which the table of 9.7.15.6.3 has the values.
static bool resolve_selector(struct statement *statement, const struct raw_operand *raw,
                             struct operand *operand) {
    bool bytes = matrix_element_bits(statement->instruction->matrix.element[0]) == 8;
    return resolve_choice(statement, raw, 0, bytes ? 0 : 1,
                          bytes ? "the selector of a sparse matrix of 8-bit elements is 0"
                                : "the selector of a sparse matrix is 0 or 1",
                          operand);
}

// What follows the description of a product: "the size of the vector is" 4, and with .cta_group::2
// 8; "the valid range of values for argument scale-input-d is [0, 15]" (PTX ISA 9.7.16.10.9.1).
static bool resolve_tail(struct statement *statement, const struct raw_operand *raw,
                         struct operand *operand) {
    enum { ELEMENTS = 4, MOST = 15 };
    unsigned count = statement->instruction->of_pair ? 2 * ELEMENTS : ELEMENTS;
    if (raw->kind == RAW_VECTOR && raw->element_count == count)
        return resolve_registers(statement, raw, TYPE_B32, count, false, operand);
    if (raw->kind == RAW_VECTOR)
        return diag_error(statement->body->diagnostics, raw->span,
                          "the lanes that are left out are in %u registers of 32 bits", count);
    if (raw->kind != RAW_CONSTANT)
        return resolve_register(statement, raw, TYPE_PRED, false, operand);
    operand->kind = OPERAND_IMMEDIATE;
    operand->immediate = ptx_constant_bits(&raw->constant);
    if (operand->immediate.low <= MOST)
        return true;
    return diag_error(statement->body->diagnostics, raw->span,
                      "whether D is added is a predicate, 0 or 1, and its factor is at most %d",
                      (int)MOST);
}

// Whether the operands after the description of a product are those of a line of its syntax.
static bool check_tail(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    struct product_places places = product_places(instruction);
    unsigned last = places.factor ? places.factor : places.zeros ? places.zeros : places.added;
    const struct operand *added = &instruction->operands[places.added];
    bool right = added->kind == OPERAND_IMMEDIATE ? added->immediate.low <= 1
                                                  : added->kind == OPERAND_REGISTER;
    bool factor = places.factor == 0 || instruction->tensor.kind == MATRIX_KIND_F16 ||
                  instruction->tensor.kind == MATRIX_KIND_TF32;
    factor = factor &&
             (places.factor == 0 || instruction->operands[places.factor].kind == OPERAND_IMMEDIATE);
    if (right && factor && last + 1 == instruction->operand_count)
        return true;
    return diag_error(
        statement->body->diagnostics, instruction->opcode_span,
        "after its description a product has the lanes of D that are left out, in braces, or "
        "not; whether D is added; and with .kind::f16 and .kind::tf32 a factor of D, or not");
}

bool ptx_resolve_matrix(struct statement *statement, const struct raw_operand *raw, uint32_t role,
                        struct operand *operand) {
    switch (role & ROLE_MASK) {
    case ACCUMULATOR: return resolve_accumulator(statement, raw, operand);
    case MATRIX: return resolve_descriptor(statement, raw, operand);
    case TENSOR: return resolve_tensor(statement, raw, operand);
    case TENSOR_RESULT: return resolve_columns(statement, raw, true, operand);
    case TENSOR_SOURCE: return resolve_columns(statement, raw, false, operand);
    case TENSOR_A:
        return raw->kind == RAW_MEMORY ? resolve_tensor(statement, raw, operand)
                                       : resolve_descriptor(statement, raw, operand);
    case FRAGMENT:
        return raw->kind == RAW_VECTOR ? resolve_fragment(statement, raw, operand)
                                       : resolve_descriptor(statement, raw, operand);
    case METADATA: return resolve_register(statement, raw, TYPE_U32, false, operand);
    case SELECTOR: return resolve_selector(statement, raw, operand);
    case SCALE: return resolve_scale(statement, raw, operand);
    case TAIL: return resolve_tail(statement, raw, operand);
    case SIGN:
        return resolve_choice(statement, raw, 1, UINT64_MAX,
                              "a factor of a matrix is 1, or -1, which negates it", operand);
    default:
        return resolve_choice(statement, raw, 0, 1, "whether a matrix is transposed is 0 or 1",
                              operand);
    }
}

// The type of D comes before those of A and B, and what is done with bits before the count of them.
static bool check_types(const struct statement *statement) {
    const struct filled *type = ptx_filled(&statement->match, CLASS_TYPE, 0);
    const struct filled *first = ptx_filled(&statement->match, CLASS_ELEMENT, 0);
    const struct filled *op = ptx_filled(&statement->match, CLASS_ATOMIC, 0);
    const struct filled *popc = ptx_filled(&statement->match, CLASS_POPC, 0);
    if (op != NULL && popc != NULL && op->token->span.begin > popc->token->span.begin)
        return diag_error(statement->body->diagnostics, popc->token->span,
                          "'.and' comes before '.popc'");
    if (first->token->span.begin > type->token->span.begin)
        return true;
    return diag_error(statement->body->diagnostics, first->token->span,
                      "the type of D, '%s', comes before those of A and B",
                      type->qualifier->spelling);
}

// ".dst_fmt.src_fmt": what a copy writes comes before what it reads.
static bool check_formats(const struct statement *statement) {
    const struct filled *to = ptx_filled(&statement->match, CLASS_TO_FORMAT, 0);
    const struct filled *from = ptx_filled(&statement->match, CLASS_FROM_FORMAT, 0);
    if (to == NULL || from == NULL || to->token->span.begin < from->token->span.begin)
        return true;
    return diag_error(statement->body->diagnostics, from->token->span,
                      "the format that is written, '%s', comes before the one that is read",
                      to->qualifier->spelling);
}

static bool check_pending(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    if (instruction->opcode != OP_WGMMA_WAIT || (instruction->operands[0].immediate.low >> 63) == 0)
        return true;
    return diag_error(statement->body->diagnostics, instruction->operands[0].span,
                      "a number of groups is not negative");
}

static bool check_columns(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    bool counts =
        instruction->opcode == OP_TENSOR_ALLOC || instruction->opcode == OP_TENSOR_DEALLOC;
    const struct operand *count = &instruction->operands[1];
    if (!counts || count->kind != OPERAND_IMMEDIATE || columns_fit(count->immediate.low))
        return check_pending(statement);
    return diag_error(
        statement->body->diagnostics, count->span,
        "columns of tensor memory are allocated and deallocated in powers of 2, from 32 to 512");
}

// Only matrices in memory are transposed: where A is in registers, the number for it is left out.
bool ptx_check_matrices(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    if (instruction->opcode == OP_TENSOR_MMA)
        return check_tail(statement);
    if (instruction->opcode == OP_TENSOR_CP)
        return check_formats(statement);
    if (instruction->opcode != OP_WGMMA)
        return check_columns(statement);
    if (!check_types(statement))
        return false;
    bool registers = instruction->operands[1].kind == OPERAND_VECTOR;
    bool halves = instruction->matrix.element[0] == ELEMENT_F16 ||
                  instruction->matrix.element[0] == ELEMENT_BF16;
    unsigned count = instruction_scale(instruction) + (registers ? 4 : 5);
    if (!halves || instruction->operand_count == count)
        return true;
    return diag_error(
        statement->body->diagnostics, instruction->opcode_span,
        registers ? "where A is in registers, only B can be transposed: '%s' takes %u operands"
                  : "'%s' takes %u operands, of which the last two say whether A and B are "
                    "transposed",
        statement->name, count);
}
