// ldmatrix, stmatrix and movmatrix as instructions that a program knows: an access of 16 bytes by
// each lane that has the address of a row, and an exchange of registers in the warp (PTX
// ISA 9.7.14.5.15 to 9.7.14.5.17). What lies between them is in registers without a name.
#include "litmus/ptx/apart.h"
#include "litmus/ptx/matrix.h"

enum { ROWS = 8 }; // of a matrix

// A predicate that says whether the lane has the address of a row: the first lanes have, 8 for each
// matrix.
static int add_has_row(struct body *body, const struct instruction *like) {
    int lane = apart_register(body, like, ".lane", TYPE_U32);
    apart_add_lane(body, like, lane);
    return apart_add_compare(body, apart_start(like, OP_SETP, TYPE_U32), COMPARE_LT, ".has_row",
                             apart_operand(like, lane),
                             apart_number(like, ROWS * like->matrix.columns));
}

// "If the generic address doesn't fall in .shared state space, then the behavior is undefined": it
// is made one of that space, which it is beyond then.
static struct operand shared_address(struct body *body, const struct instruction *like,
                                     struct operand address) {
    if (like->space != SPACE_GENERIC || address.reg < 0)
        return address;
    int reg = apart_register(body, like, ".row_address", TYPE_U64);
    struct instruction convert = apart_start(like, OP_CVTA_TO, TYPE_U64);
    convert.space = SPACE_SHARED;
    apart_add(body, &convert, apart_operand(like, reg), apart_operand(like, address.reg));
    address.reg = reg;
    return address;
}

// The access to a row, by the lanes that have one; `row` is the register of 128 bits.
static void add_access(struct body *body, const struct instruction *like, int row) {
    bool loads = like->opcode == OP_LDMATRIX;
    struct operand address = shared_address(body, like, like->operands[loads ? 1 : 0]);
    struct instruction access = apart_start(like, loads ? OP_LD : OP_ST, TYPE_B128);
    access.order = ORDER_WEAK;
    access.space = SPACE_SHARED;
    access.guard = add_has_row(body, like);
    apart_add(body, &access, loads ? apart_operand(like, row) : address,
              loads ? address : apart_operand(like, row));
}

// The lanes of a warp give each other what they have: all of them take part.
static void add_exchange(struct body *body, const struct instruction *like, struct operand result,
                         struct operand given) {
    struct instruction exchange = apart_start(like, OP_WARP, TYPE_B32);
    exchange.warp = like->warp;
    exchange.matrix.columns = like->matrix.columns;
    instruction_add(&exchange, result);
    apart_add(body, &exchange, given, apart_number(like, UINT32_MAX));
}

void ptx_take_matrix_apart(struct body *body, struct instruction *instruction) {
    struct instruction like = *instruction;
    like.span = span_join(like.span, body->end[-1].span);
    int after = apart_skip(body, &like), row = apart_register(body, &like, ".row", TYPE_B128);
    if (like.opcode == OP_LDMATRIX) {
        // Lanes without a row give nothing that another one takes.
        struct instruction clear = apart_start(&like, OP_MOV, TYPE_B128);
        apart_add(body, &clear, apart_operand(&like, row), apart_number(&like, 0));
        add_access(body, &like, row);
        add_exchange(body, &like, like.operands[0], apart_operand(&like, row));
    } else if (like.opcode == OP_STMATRIX) {
        add_exchange(body, &like, apart_operand(&like, row), like.operands[1]);
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
