// The functions that threads call, written with their own statements: prototypes first, since one
// may call another that follows it.
#include "litmus/ptx/emit/internal.h"

#include "litmus/source/diagnostics.h"
#include "litmus/source/lexer.h"

#include <assert.h>

// --- What PTX cannot say -----------------------------------------------------------------------

static bool is_inside(const struct function *function, struct span span) {
    assert(span.begin <= span.end);
    if (!function->body_count)
        return false;
    const struct span first = function->body[0].span;
    const struct span last = function->body[function->body_count - 1].span;
    return span.source == first.source && span.begin >= first.begin && span.end <= last.end;
}

static bool is_of_function(const struct test *test, const struct instruction *instruction) {
    for (size_t i = 0; i < test->function_count; i++)
        if (is_inside(&test->functions[i], instruction->opcode_span))
            return true;
    return false;
}

// A variable that is declared in each kernel, or whose address each kernel gets.
static void check_operand(const struct test *test, const struct operand *operand,
                          struct diagnostics *diagnostics) {
    for (size_t i = 0; i < operand->element_count; i++)
        check_operand(test, &operand->elements[i], diagnostics);
    if (operand->variable < 0)
        return;
    const struct variable *variable = &test->variables[operand->variable];
    bool in_kernel = variable->space == SPACE_LOCAL || variable->space == SPACE_PARAM;
    if (variable->is_inner || (variable->alias_of < 0 && !in_kernel))
        return;
    diag_error(diagnostics, operand->span,
               "in a module, '%s' belongs to the kernels, and functions cannot name it",
               variable->name);
    diag_hint(diagnostics, "pass its address to the function");
}

static void check_instruction(const struct test *test, const struct instruction *instruction,
                              struct diagnostics *diagnostics) {
    for (unsigned i = 0; i < instruction->operand_count; i++)
        check_operand(test, &instruction->operands[i], diagnostics);
    if ((opcode_effects(instruction->opcode) & EFFECT_ENDS) == 0)
        return;
    diag_error(diagnostics, instruction->opcode_span,
               "an exit in a function would keep the kernel from storing what the test asks about");
}

void emit_check_functions(const struct test *test, struct diagnostics *diagnostics) {
    for (size_t i = 0; test->function_count && i < test->thread_count; i++) {
        const struct thread *thread = &test->threads[i];
        for (size_t j = 0; j < thread->instruction_count; j++)
            if (is_of_function(test, &thread->instructions[j]))
                check_instruction(test, &thread->instructions[j], diagnostics);
    }
}

// --- Writing -----------------------------------------------------------------------------------

// Registers that the function does not declare have the width of their first use.
static void declare_registers(struct emitter *e, const struct function *function) {
    for (size_t i = 0; i < function->register_count; i++) {
        const struct function_register *reg = &function->registers[i];
        if (!reg->is_declared && reg->name[0] != '.')
            emit_declare_register(e, reg->name, reg->width);
    }
}

void emit_functions(struct emitter *e) {
    const struct test *test = e->test;
    for (size_t i = 0; i < test->function_count; i++) {
        if (!test->functions[i].is_called)
            continue;
        emit_function_head(e, &test->functions[i]);
        fputs(";\n", e->out);
    }
    for (size_t i = 0; i < test->function_count; i++) {
        const struct function *function = &test->functions[i];
        if (!function->is_called)
            continue;
        fputc('\n', e->out);
        emit_function_head(e, function);
        fputs("\n{\n", e->out);
        declare_registers(e, function);
        emit_function_statements(e, function);
        fputs("}\n", e->out);
    }
}
