// ldmatrix, stmatrix and movmatrix as instructions that a program knows: an access of 16 bytes by
// each lane that has the address of a row, and an exchange of registers in the warp (PTX
// ISA 9.7.14.5.15 to 9.7.14.5.17). What lies between them is in registers without a name.
#include "litmus/ptx/body.h"
#include "litmus/ptx/matrix.h"

#include "litmus/source/arena.h"

enum { ROWS = 8 }; // of a matrix

static int hidden(struct body *body, const struct instruction *like, const char *name,
                  enum scalar_type type) {
    int reg = reader_named_register(body->reader, body->thread, name, like->opcode_span,
                                    type == TYPE_PRED ? 1 : scalar_type_bits(type));
    body->thread->registers[reg].type = type;
    return reg;
}

static struct operand register_operand(const struct instruction *like, int reg) {
    return (struct operand){
        .kind = OPERAND_REGISTER, .span = like->opcode_span, .reg = reg, .variable = -1};
}

static struct operand number_operand(const struct instruction *like, uint64_t number) {
    return (struct operand){.kind = OPERAND_IMMEDIATE,
                            .span = like->opcode_span,
                            .reg = -1,
                            .variable = -1,
                            .immediate = {.low = number}};
}

// An instruction of the same statement.
static struct instruction start(const struct instruction *like, enum opcode opcode,
                                enum scalar_type type) {
    return (struct instruction){.span = like->span,
                                .opcode_span = like->opcode_span,
                                .opcode = opcode,
                                .guard = -1,
                                .vector = 1,
                                .type = type};
}

static void add(struct body *body, struct instruction *instruction, struct operand first,
                struct operand second) {
    instruction->operands[0] = first;
    instruction->operands[1] = second;
    instruction->operand_count = 2;
    ptx_add_instruction(body, instruction);
}

// A predicate that says whether the lane has the address of a row: the first lanes have, 8 for each
// matrix.
static int add_has_row(struct body *body, const struct instruction *like) {
    int lane = hidden(body, like, ".lane", TYPE_U32),
        has = hidden(body, like, ".has_row", TYPE_PRED);
    struct instruction move = start(like, OP_MOV, TYPE_U32);
    struct operand special = {.kind = OPERAND_SPECIAL,
                              .span = like->opcode_span,
                              .reg = -1,
                              .variable = -1,
                              .special = SPECIAL_LANEID};
    add(body, &move, register_operand(like, lane), special);
    struct instruction compare = start(like, OP_SETP, TYPE_U32);
    compare.compute.compare = COMPARE_LT;
    compare.operands[0] = register_operand(like, has);
    compare.operands[1] = register_operand(like, lane);
    compare.operands[2] = number_operand(like, ROWS * like->matrix.columns);
    compare.operand_count = 3;
    ptx_add_instruction(body, &compare);
    return has;
}

// "If the generic address doesn't fall in .shared state space, then the behavior is undefined": it
// is made one of that space, which it is beyond then.
static struct operand shared_address(struct body *body, const struct instruction *like,
                                     struct operand address) {
    if (like->space != SPACE_GENERIC || address.reg < 0)
        return address;
    int reg = hidden(body, like, ".row_address", TYPE_U64);
    struct instruction convert = start(like, OP_CVTA_TO, TYPE_U64);
    convert.space = SPACE_SHARED;
    add(body, &convert, register_operand(like, reg), register_operand(like, address.reg));
    address.reg = reg;
    return address;
}

// The access to a row, by the lanes that have one; `row` is the register of 128 bits.
static void add_access(struct body *body, const struct instruction *like, int row) {
    bool loads = like->opcode == OP_LDMATRIX;
    struct operand address = shared_address(body, like, like->operands[loads ? 1 : 0]);
    struct instruction access = start(like, loads ? OP_LD : OP_ST, TYPE_B128);
    access.order = ORDER_WEAK;
    access.space = SPACE_SHARED;
    access.guard = add_has_row(body, like);
    add(body, &access, loads ? register_operand(like, row) : address,
        loads ? address : register_operand(like, row));
}

// The lanes of a warp give each other what they have: all of them take part.
static void add_exchange(struct body *body, const struct instruction *like, struct operand result,
                         struct operand given) {
    struct instruction exchange = start(like, OP_WARP, TYPE_B32);
    exchange.warp = like->warp;
    exchange.matrix.columns = like->matrix.columns;
    exchange.operands[0] = result;
    exchange.operands[1] = given;
    exchange.operands[2] = number_operand(like, UINT32_MAX);
    exchange.operand_count = 3;
    ptx_add_instruction(body, &exchange);
}

// Branches past what is added next where the guard does not hold; all lanes of a warp go the same
// way.
static int skip_by_guard(struct body *body, const struct instruction *like) {
    if (like->guard < 0)
        return -1;
    int after = ptx_new_label(body, like->opcode_span);
    struct instruction branch = start(like, OP_BRA, TYPE_NONE);
    branch.guard = like->guard;
    branch.guard_negated = !like->guard_negated;
    branch.operands[0] = (struct operand){.kind = OPERAND_LABEL,
                                          .span = like->opcode_span,
                                          .reg = -1,
                                          .variable = -1,
                                          .label = after};
    branch.operand_count = 1;
    ptx_add_instruction(body, &branch);
    return after;
}

void ptx_take_matrix_apart(struct body *body, struct instruction *instruction) {
    struct instruction like = *instruction;
    like.span = span_join(like.span, body->end[-1].span);
    int after = skip_by_guard(body, &like), row = hidden(body, &like, ".row", TYPE_B128);
    if (like.opcode == OP_LDMATRIX) {
        // Lanes without a row give nothing that another one takes.
        struct instruction clear = start(&like, OP_MOV, TYPE_B128);
        add(body, &clear, register_operand(&like, row), number_operand(&like, 0));
        add_access(body, &like, row);
        add_exchange(body, &like, like.operands[0], register_operand(&like, row));
    } else if (like.opcode == OP_STMATRIX) {
        add_exchange(body, &like, register_operand(&like, row), like.operands[1]);
        add_access(body, &like, row);
    } else {
        add_exchange(body, &like, like.operands[0], like.operands[1]);
    }
    if (after >= 0)
        ptx_place_label(body, after);
    instruction->opcode = OP_HINT; // what remains of it
    instruction->guard = -1;
    instruction->operand_count = 0;
}
