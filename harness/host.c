// Writes threads of the host: registers are variables of 64 bits, branches are goto.
#include "harness/role.h"

#include "litmus/ptx/emit/emit.h"
#include "litmus/source/bug.h"

#include <inttypes.h>

// --- What there is of PTX ----------------------------------------------------------------------

static bool is_value(const struct operand *operand) {
    return (operand->kind == OPERAND_REGISTER && !operand->negated) ||
           operand->kind == OPERAND_IMMEDIATE;
}

static bool is_place(const struct operand *operand) {
    return operand->kind == OPERAND_MEMORY && operand->variable >= 0;
}

static const char *update_name(enum atomic_op op) {
    switch (op) {
    case ATOMIC_ADD: return "added";
    case ATOMIC_AND: return "conjunct";
    case ATOMIC_OR: return "disjunct";
    case ATOMIC_XOR: return "exclusive";
    case ATOMIC_EXCH: return "exchanged";
    case ATOMIC_CAS: return "compared";
    default: return NULL;
    }
}

static const char *operator_of(const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_ADD: return "+";
    case OP_SUB: return "-";
    case OP_AND: return "&";
    case OP_OR: return "|";
    case OP_XOR: return "^";
    default: return NULL;
    }
}

static const char *comparison_of(const struct instruction *instruction) {
    switch (instruction->compute.compare) {
    case COMPARE_EQ: return "==";
    case COMPARE_NE: return "!=";
    default: return NULL;
    }
}

static bool is_number(enum scalar_type type) {
    unsigned bits = scalar_type_bits(type);
    return !scalar_type_is_float(type) && bits >= 8 && bits <= 64;
}

static bool runs_access(const struct instruction *instruction) {
    const struct operand *operands = instruction->operands;
    bool is_plain = !instruction->is_mmio && instruction->vector <= 1 &&
                    is_number(instruction->type) && instruction->proxy == PROXY_GENERIC;
    switch (instruction->opcode) {
    case OP_LD: return is_plain && operands[0].kind == OPERAND_REGISTER && is_place(&operands[1]);
    case OP_ST: return is_plain && is_place(&operands[0]) && is_value(&operands[1]);
    case OP_ATOM:
        return is_plain && update_name(instruction->atomic) &&
               operands[0].kind == OPERAND_REGISTER && is_place(&operands[1]) &&
               is_value(&operands[2]) && (instruction->operand_count < 4 || is_value(&operands[3]));
    case OP_RED:
        return is_plain && update_name(instruction->atomic) && is_place(&operands[0]) &&
               is_value(&operands[1]);
    default: return false;
    }
}

static bool runs_on_host(const struct instruction *instruction) {
    const struct operand *operands = instruction->operands;
    bool two = instruction->operand_count > 2 && is_value(&operands[1]) && is_value(&operands[2]);
    switch (instruction->opcode) {
    case OP_FENCE: return !instruction->fence.is_init;
    case OP_BRA:
    case OP_EXIT: return true;
    case OP_MOV: return is_value(&operands[1]) && operands[0].kind == OPERAND_REGISTER;
    case OP_SETP:
        return comparison_of(instruction) && instruction->bool_op == BOOL_NONE && two &&
               operands[0].kind == OPERAND_REGISTER && is_number(instruction->type);
    default:
        return operator_of(instruction)
                   ? two && operands[0].kind == OPERAND_REGISTER &&
                         !instruction->compute.saturate &&
                         (is_number(instruction->type) || instruction->type == TYPE_PRED)
                   : runs_access(instruction);
    }
}

bool harness_host_runs(const struct thread *thread) {
    for (size_t i = 0; i < thread->instruction_count; i++)
        if (!runs_on_host(&thread->instructions[i]))
            return false;
    for (size_t i = 0; i < thread->register_count; i++)
        if (thread->registers[i].width > 64 ||
            (thread->registers[i].has_initial && thread->registers[i].initial_variable >= 0))
            return false;
    return true;
}

// --- Statements --------------------------------------------------------------------------------

struct host_writer {
    FILE *out;
    const struct harness_plan *plan;
    const struct thread *thread;
    bool is_control;
};

// The order of C++, by its enumeration.
static const char *order_of(const struct host_writer *w, const struct instruction *instruction) {
    if (w->is_control && instruction->order != ORDER_WEAK)
        return "relaxed";
    switch (instruction->order) {
    case ORDER_ACQUIRE: return "acquire";
    case ORDER_RELEASE: return "release";
    case ORDER_ACQ_REL: return "acq_rel";
    case ORDER_SC: return "seq_cst";
    default: return "relaxed";
    }
}

static void put_value(struct host_writer *w, const struct operand *operand) {
    if (operand->kind == OPERAND_REGISTER)
        fprintf(w->out, "r%d", operand->reg);
    else
        fprintf(w->out, "0x%" PRIx64 "u", operand->immediate.low);
}

static void put_place(struct host_writer *w, const struct operand *operand) {
    fprintf(w->out, "litmus::global(l, i, %u) + %" PRId64,
            w->plan->variables[operand->variable].number, operand->offset);
}

// What a load or an atomic returns, in the width of its register.
static void put_result(struct host_writer *w, const struct instruction *instruction) {
    int reg = instruction->operands[0].reg;
    fprintf(w->out, "r%d = litmus::cut(", reg);
}

static void end_result(struct host_writer *w, const struct instruction *instruction) {
    unsigned width = w->thread->registers[instruction->operands[0].reg].width;
    fprintf(w->out, ", %u);", width);
}

static void put_update(struct host_writer *w, const struct instruction *instruction,
                       unsigned first) {
    fprintf(w->out, "litmus::%s<%u>(", update_name(instruction->atomic),
            scalar_type_bits(instruction->type));
    put_place(w, &instruction->operands[first]);
    for (unsigned i = first + 1; i < instruction->operand_count; i++) {
        fputs(", ", w->out);
        put_value(w, &instruction->operands[i]);
    }
    fprintf(w->out, ", std::memory_order_%s)", order_of(w, instruction));
}

static void put_access(struct host_writer *w, const struct instruction *instruction) {
    unsigned bits = scalar_type_bits(instruction->type);
    switch (instruction->opcode) {
    case OP_LD:
        put_result(w, instruction);
        fprintf(w->out, "litmus::loaded<%u, %s>(", bits,
                scalar_type_is_signed(instruction->type) ? "true" : "false");
        put_place(w, &instruction->operands[1]);
        fprintf(w->out, ", std::memory_order_%s)", order_of(w, instruction));
        end_result(w, instruction);
        return;
    case OP_ST:
        fprintf(w->out, "litmus::store<%u>(", bits);
        put_place(w, &instruction->operands[0]);
        fputs(", ", w->out);
        put_value(w, &instruction->operands[1]);
        fprintf(w->out, ", std::memory_order_%s);", order_of(w, instruction));
        return;
    case OP_ATOM:
        put_result(w, instruction);
        put_update(w, instruction, 1);
        end_result(w, instruction);
        return;
    case OP_RED:
        put_update(w, instruction, 0);
        fputc(';', w->out);
        return;
    default: bug("an instruction of the host that is not run");
    }
}

static void put_binary(struct host_writer *w, const struct instruction *instruction,
                       const char *operation, unsigned bits) {
    put_result(w, instruction);
    fprintf(w->out, "litmus::cut(");
    put_value(w, &instruction->operands[1]);
    fprintf(w->out, ", %u) %s litmus::cut(", bits, operation);
    put_value(w, &instruction->operands[2]);
    fprintf(w->out, ", %u)", bits);
    end_result(w, instruction);
}

// Jumps back are counted: after too many of them the thread goes on.
static void put_jump(struct host_writer *w, const struct instruction *instruction) {
    size_t target = instruction_target(w->thread, instruction);
    bool goes_back = target <= (size_t)(instruction - w->thread->instructions);
    if (goes_back)
        fprintf(w->out, "{ if (rounds++ < l.limit) { goto at%zu; } has_run_out = 1; }", target);
    else
        fprintf(w->out, "goto at%zu;", target);
}

static void put_statement(struct host_writer *w, const struct instruction *instruction) {
    unsigned bits = scalar_type_bits(instruction->type);
    switch (instruction->opcode) {
    case OP_FENCE:
        fprintf(w->out, "std::atomic_thread_fence(std::memory_order_%s);",
                order_of(w, instruction));
        return;
    case OP_EXIT: fprintf(w->out, "goto at%zu;", w->thread->instruction_count); return;
    case OP_BRA: put_jump(w, instruction); return;
    case OP_MOV:
        put_result(w, instruction);
        put_value(w, &instruction->operands[1]);
        end_result(w, instruction);
        return;
    case OP_SETP: put_binary(w, instruction, comparison_of(instruction), bits); return;
    default:
        if (operator_of(instruction))
            put_binary(w, instruction, operator_of(instruction), bits);
        else
            put_access(w, instruction);
    }
}

// --- The function ------------------------------------------------------------------------------

static bool is_target(const struct thread *thread, size_t index) {
    for (size_t i = 0; i < thread->instruction_count; i++) {
        const struct instruction *instruction = &thread->instructions[i];
        bool jumps =
            instruction->opcode == OP_BRA && instruction_target(thread, instruction) == index;
        if (jumps || (instruction->opcode == OP_EXIT && index == thread->instruction_count))
            return true;
    }
    return false;
}

static void declare(struct host_writer *w) {
    if (thread_loops(w->thread))
        fputs("    uint32_t rounds = 0, has_run_out = 0;\n", w->out);
    for (size_t i = 0; i < w->thread->register_count; i++) {
        const struct test_register *reg = &w->thread->registers[i];
        fprintf(w->out, "    uint64_t r%zu = 0x%" PRIx64 "u; // %s\n", i,
                reg->has_initial ? reg->initial.low : 0, reg->name);
    }
}

static void put_end(struct host_writer *w, size_t thread) {
    for (size_t i = 0; i < w->plan->column_count; i++)
        if (w->plan->columns[i].thread == (int)thread)
            fprintf(w->out, "    litmus::keep(l, i, %zu, r%d);\n", i, w->plan->columns[i].reg);
    if (thread_loops(w->thread))
        fputs("    litmus::note_end(l, i, has_run_out);\n", w->out);
    for (size_t i = 0; i < w->thread->register_count; i++)
        fprintf(w->out, "    litmus::ignore(r%zu);\n", i);
}

void harness_write_host(FILE *out, const struct harness_item *item, size_t index, size_t thread,
                        bool is_control) {
    struct host_writer w = {.out = out,
                            .plan = &item->plan,
                            .thread = &item->plan.test->threads[thread],
                            .is_control = is_control};
    fprintf(out, "static void %s%zu_P%u(const litmus::launch &l, uint32_t i) {\n",
            is_control ? "control" : "test", index, w.thread->number);
    declare(&w);
    for (size_t i = 0; i < w.thread->instruction_count; i++) {
        const struct instruction *instruction = &w.thread->instructions[i];
        if (is_target(w.thread, i))
            fprintf(out, "at%zu:\n", i);
        if (!ptx_role_has(instruction, is_control))
            continue;
        fputs("    ", out);
        if (instruction->guard >= 0)
            fprintf(out, "if (%sr%d) ", instruction->guard_negated ? "!" : "", instruction->guard);
        put_statement(&w, instruction);
        fputc('\n', out);
    }
    if (is_target(w.thread, w.thread->instruction_count))
        fprintf(out, "at%zu:\n", w.thread->instruction_count);
    put_end(&w, thread);
    fputs("}\n\n", out);
}
