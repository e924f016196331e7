// An instruction that is taken apart: others, of the same statement, take its place, and what lies
// between them is in registers without a name.
#include "litmus/ptx/apart.h"

int apart_register(struct body *body, const struct instruction *like, const char *name,
                   enum scalar_type type) {
    int reg = reader_named_register(body->reader, body->thread, name, like->opcode_span,
                                    type == TYPE_PRED ? 1 : scalar_type_bits(type));
    body->thread->registers[reg].type = type;
    return reg;
}

struct operand apart_operand(const struct instruction *like, int reg) {
    return (struct operand){
        .kind = OPERAND_REGISTER, .span = like->opcode_span, .reg = reg, .variable = -1};
}

struct operand apart_number(const struct instruction *like, uint64_t number) {
    return (struct operand){.kind = OPERAND_IMMEDIATE,
                            .span = like->opcode_span,
                            .reg = -1,
                            .variable = -1,
                            .immediate = {.low = number}};
}

struct instruction apart_start(const struct instruction *like, enum opcode opcode,
                               enum scalar_type type) {
    return (struct instruction){.span = like->span,
                                .opcode_span = like->opcode_span,
                                .opcode = opcode,
                                .guard = -1,
                                .vector = 1,
                                .type = type};
}

void apart_add(struct body *body, struct instruction *instruction, struct operand first,
               struct operand second) {
    instruction->operands[0] = first;
    instruction->operands[1] = second;
    instruction->operand_count = 2;
    ptx_add_instruction(body, instruction);
}

void apart_add_lane(struct body *body, const struct instruction *like, int lane) {
    struct instruction move = apart_start(like, OP_MOV, TYPE_U32);
    struct operand special = {.kind = OPERAND_SPECIAL,
                              .span = like->opcode_span,
                              .reg = -1,
                              .variable = -1,
                              .special = SPECIAL_LANEID};
    apart_add(body, &move, apart_operand(like, lane), special);
}

int apart_skip(struct body *body, const struct instruction *like) {
    if (like->guard < 0)
        return -1;
    int after = ptx_new_label(body, like->opcode_span);
    struct instruction branch = apart_start(like, OP_BRA, TYPE_NONE);
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
