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
    return operand_register(reg, like->opcode_span);
}

struct operand apart_number(const struct instruction *like, uint64_t number) {
    return operand_number(number, like->opcode_span);
}

struct instruction apart_start(const struct instruction *like, enum opcode opcode,
                               enum scalar_type type) {
    struct instruction instruction = instruction_new(opcode, type, like->span);
    instruction.opcode_span = like->opcode_span;
    return instruction;
}

void apart_add(struct body *body, struct instruction *instruction, struct operand first,
               struct operand second) {
    instruction_add(instruction, first);
    instruction_add(instruction, second);
    ptx_add_instruction(body, instruction);
}

void apart_add_branch(struct body *body, const struct instruction *like, int label, int guard,
                      bool negated) {
    struct instruction branch = apart_start(like, OP_BRA, TYPE_NONE);
    struct operand target = operand_new(OPERAND_LABEL, like->opcode_span);
    target.label = label;
    branch.guard = guard;
    branch.guard_negated = negated;
    instruction_add(&branch, target);
    ptx_add_instruction(body, &branch);
}

int apart_add_compare(struct body *body, struct instruction compare, enum compare_op op,
                      const char *name, struct operand a, struct operand b) {
    int reg = apart_register(body, &compare, name, TYPE_PRED);
    compare.compute.compare = op;
    instruction_add(&compare, apart_operand(&compare, reg));
    apart_add(body, &compare, a, b);
    return reg;
}

void apart_add_lane(struct body *body, const struct instruction *like, int lane) {
    struct instruction move = apart_start(like, OP_MOV, TYPE_U32);
    struct operand special = operand_new(OPERAND_SPECIAL, like->opcode_span);
    special.special = SPECIAL_LANEID;
    apart_add(body, &move, apart_operand(like, lane), special);
}

int apart_skip(struct body *body, const struct instruction *like) {
    if (like->guard < 0)
        return -1;
    int after = ptx_new_label(body, like->opcode_span);
    apart_add_branch(body, like, after, like->guard, !like->guard_negated);
    return after;
}
