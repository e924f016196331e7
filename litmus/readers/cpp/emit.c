// The instructions that statements in C++ become: values, registers, labels.
#include "litmus/readers/cpp/cpp.h"

#include "litmus/source/arena.h"

#include <assert.h>

void cpp_add_value(struct instruction *instruction, const struct cpp_value *value) {
    assert(value->type != TYPE_PRED || instruction->opcode == OP_SELP);
    instruction_add(instruction, value->operand);
}

void cpp_emit(struct cpp *cpp, const struct instruction *instruction) {
    struct thread *thread = cpp->thread;
    ARENA_APPEND(cpp->reader->arena, thread->instructions, thread->instruction_count, *instruction);
}

// --- Values -------------------------------------------------------------------------------------

// A name that is none in C++, so that no name of the test is the same.
int cpp_temporary(struct cpp *cpp, enum scalar_type type, struct span span) {
    assert(span.begin <= span.end);
    const char *name = arena_format(cpp->reader->arena, "%%%s%u", type == TYPE_PRED ? "p$" : "t$",
                                    cpp->temporaries++);
    int reg = reader_named_register(cpp->reader, cpp->thread, name, span, scalar_type_bits(type));
    cpp->thread->registers[reg].type = type;
    return reg;
}

struct cpp_value cpp_in_register(int reg, enum scalar_type type, struct span span) {
    assert(span.begin <= span.end);
    return (struct cpp_value){.operand = operand_register(reg, span), .type = type, .span = span};
}

struct cpp_value cpp_constant(uint64_t value, struct span span) {
    assert(span.begin <= span.end);
    return (struct cpp_value){.operand = operand_number(value, span), .span = span};
}

struct cpp_value cpp_compute(struct cpp *cpp, struct instruction instruction, enum scalar_type type,
                             const struct cpp_value *left, const struct cpp_value *right) {
    int reg = cpp_temporary(cpp, type, instruction.span);
    instruction_add(&instruction, operand_register(reg, instruction.span));
    cpp_add_value(&instruction, left);
    if (right)
        cpp_add_value(&instruction, right);
    cpp_emit(cpp, &instruction);
    return cpp_in_register(reg, type, instruction.span);
}

struct cpp_value cpp_number(struct cpp *cpp, struct cpp_value value) {
    if (value.type != TYPE_PRED)
        return value;
    int reg = cpp_temporary(cpp, TYPE_S32, value.span);
    struct instruction select = instruction_new(OP_SELP, TYPE_S32, value.span);
    struct cpp_value one = cpp_constant(1, value.span), zero = cpp_constant(0, value.span);
    instruction_add(&select, operand_register(reg, value.span));
    cpp_add_value(&select, &one);
    cpp_add_value(&select, &zero);
    cpp_add_value(&select, &value);
    cpp_emit(cpp, &select);
    return cpp_in_register(reg, TYPE_S32, value.span);
}

struct cpp_value cpp_truth(struct cpp *cpp, struct cpp_value value) {
    if (value.type == TYPE_PRED)
        return value;
    enum scalar_type type = value.type == TYPE_NONE ? TYPE_S32 : value.type;
    if (value.type == TYPE_NONE) { // while (1): no instruction compares two constants
        int reg = cpp_temporary(cpp, type, value.span);
        cpp_assign(cpp, reg, value);
        value = cpp_in_register(reg, type, value.span);
    }
    struct instruction compare = instruction_new(OP_SETP, type, value.span);
    struct cpp_value zero = cpp_constant(0, value.span);
    compare.compute.compare = COMPARE_NE;
    return cpp_compute(cpp, compare, TYPE_PRED, &value, &zero);
}

bool cpp_check_width(struct cpp *cpp, enum scalar_type type, const struct cpp_value *value) {
    if (value->type == TYPE_NONE) {
        unsigned bits = scalar_type_bits(type);
        bool negative = value->operand.immediate.high != 0;
        if (frame_constant_fits(value->operand.immediate, negative, bits))
            return true;
        return diag_error(cpp->reader->diagnostics, value->span, "this number does not fit %u bits",
                          bits);
    }
    if (scalar_type_bits(type) == scalar_type_bits(value->type))
        return true;
    diag_error(cpp->reader->diagnostics, value->span,
               "a value of %u bits is used as one of %u bits", scalar_type_bits(value->type),
               scalar_type_bits(type));
    diag_hint(cpp->reader->diagnostics, "conversions are not read: give both the same type");
    return false;
}

// Where the last instruction has computed the value into a temporary, it computes it into the
// register.
static bool retarget(struct cpp *cpp, int reg, const struct cpp_value *value) {
    struct thread *thread = cpp->thread;
    if (thread->instruction_count == 0 || value->operand.kind != OPERAND_REGISTER ||
        thread->registers[value->operand.reg].name[0] != '%')
        return false;
    struct instruction *last = &thread->instructions[thread->instruction_count - 1];
    bool computes = instruction_defines(last) && last->operands[0].kind == OPERAND_REGISTER &&
                    last->operands[0].reg == value->operand.reg;
    for (size_t i = 0; i < thread->label_count && computes; i++)
        computes = thread->labels[i].target != thread->instruction_count;
    if (computes)
        last->operands[0].reg = reg;
    return computes;
}

bool cpp_assign(struct cpp *cpp, int reg, struct cpp_value value) {
    enum scalar_type type = cpp->thread->registers[reg].type;
    value = cpp_number(cpp, value);
    if (!cpp_check_width(cpp, type, &value))
        return false;
    if (retarget(cpp, reg, &value))
        return true;
    struct instruction move = instruction_new(OP_MOV, type, value.span);
    instruction_add(&move, operand_register(reg, value.span));
    cpp_add_value(&move, &value);
    cpp_emit(cpp, &move);
    return true;
}

// --- Labels -------------------------------------------------------------------------------------

int cpp_label(struct cpp *cpp, struct span span) {
    assert(span.begin <= span.end);
    struct thread *thread = cpp->thread;
    const char *name = arena_format(cpp->reader->arena, "L%zu", thread->label_count);
    ARENA_APPEND(cpp->reader->arena, thread->labels, thread->label_count,
                 (struct label){.name = name, .span = span});
    return (int)thread->label_count - 1;
}

void cpp_place(struct cpp *cpp, int label) {
    cpp->thread->labels[label].target = cpp->thread->instruction_count;
}

void cpp_jump(struct cpp *cpp, int label, const struct cpp_value *value, bool when,
              struct span span) {
    struct instruction jump = instruction_new(OP_BRA, TYPE_NONE, span);
    struct operand target = operand_new(OPERAND_LABEL, span);
    target.label = label;
    instruction_add(&jump, target);
    if (value) {
        jump.guard = value->operand.reg;
        jump.guard_negated = !when;
    }
    cpp_emit(cpp, &jump);
}
