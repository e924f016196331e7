// Writes a test as a PTX module: head, variables, and a kernel for each thread. The body of a
// thread in an asm statement of CUDA has the same statements, but variables are registers, loops
// end after a number of rounds, and barriers count the threads of all instances that are in the
// CTA.
#include "litmus/ptx/emit/emit.h"

#include "litmus/ptx/emit/internal.h"
#include "litmus/columns.h"
#include "litmus/names/names.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- What PTX cannot say -----------------------------------------------------------------------

static bool check_instruction(const struct instruction *instruction,
                              struct diagnostics *diagnostics) {
    if (!opcode_is_proxy_fence(instruction->opcode) || proxy_has(instruction->proxy, PROXY_OF_PTX))
        return true;
    diag_error(diagnostics, instruction->opcode_span,
               "PTX has no such fence, so the test cannot be written as a module");
    diag_hint(diagnostics, "it belongs to the extension of ISCA 2022");
    return false;
}

// Memory is accessed through the fabric proxy by fabric operations.
static void check_fabric(const struct test *test, struct diagnostics *diagnostics) {
    for (size_t i = 0; i < test->variable_count; i++)
        if (test->variables[i].alias_of >= 0 && test->variables[i].alias_proxy == PROXY_FABRIC)
            diag_error(diagnostics, test->variables[i].span,
                       "no plain access goes through the fabric proxy, so '%s' cannot be written "
                       "in a module",
                       test->variables[i].name);
}

// The names of an alias and of a variable of a block are told apart by their places, which
// those who write statements do not look at.
static void check_variable(const struct test *test, const struct variable *variable,
                           struct diagnostics *diagnostics) {
    const struct variable *other = emit_variable(test, variable->name);
    if (variable->space == SPACE_TENSOR && !columns_are_allocated(test)) {
        diag_error(
            diagnostics, variable->span,
            "tensor memory is not declared in PTX, so the test cannot be written as a module");
        diag_hint(diagnostics, "a kernel gets it from 'tcgen05.alloc'");
    }
    if (variable->is_inner && other && other->alias_of >= 0)
        diag_error(diagnostics, variable->span,
                   "in a test with an alias of that name, '%s' cannot be written in a module",
                   variable->name);
}

// What a test allocates has a name in the test alone.
static void check_columns(const struct test *test, const struct instruction *instruction,
                          struct diagnostics *diagnostics) {
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const struct operand *operand = &instruction->operands[i];
        if (operand->variable < 0 || test->variables[operand->variable].space != SPACE_TENSOR ||
            !columns_are_allocated(test))
            continue;
        diag_error(diagnostics, operand->span,
                   "tensor memory is not declared in PTX, so '%s' cannot be named in a module",
                   test->variables[operand->variable].name);
        diag_hint(diagnostics, "read the address that 'tcgen05.alloc' writes");
    }
}

static bool check_test(const struct test *test, struct diagnostics *diagnostics) {
    size_t errors = diagnostics->error_count;
    if (test->dialect != DIALECT_PTX)
        return diag_error(diagnostics, (struct span){test->source, 0, 0},
                          "only tests in PTX can be written as modules");
    if (test->thread_count > 0 && test->threads[0].launch)
        return diag_error(diagnostics, (struct span){test->source, 0, 0},
                          "this test is a module already");
    for (size_t i = 0; i < test->variable_count; i++)
        check_variable(test, &test->variables[i], diagnostics);
    check_fabric(test, diagnostics);
    emit_check_functions(test, diagnostics);
    for (size_t i = 0; i < test->thread_count; i++)
        for (size_t j = 0; j < test->threads[i].instruction_count; j++) {
            check_instruction(&test->threads[i].instructions[j], diagnostics);
            check_columns(test, &test->threads[i].instructions[j], diagnostics);
        }
    return diagnostics->error_count == errors;
}

// --- Variables ---------------------------------------------------------------------------------

static void emit_bits(FILE *out, struct bits128 bits) {
    if (bits.high)
        fprintf(out, "0x%" PRIx64 "%016" PRIx64, bits.high, bits.low);
    else
        fprintf(out, "0x%" PRIx64, bits.low);
}

static void emit_element(struct emitter *e, const struct initial_element *element) {
    if (element->variable < 0) {
        emit_bits(e->out, element->value);
        return;
    }
    const struct variable *variable = &e->test->variables[element->variable];
    bool is_generic = element->is_generic || variable->space == SPACE_GLOBAL;
    fprintf(e->out, is_generic ? "generic(%s)+%" PRIu64 : "%s+%" PRIu64, variable->name,
            element->value.low);
}

// PTX initialises variables of these spaces alone.
static bool has_initialiser(const struct variable *variable) {
    return variable->has_initial && variable->tensor == NULL && // the host encodes it
           (variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST);
}

static void emit_elements(struct emitter *e, const struct variable *variable) {
    for (size_t i = 0; i < variable->element_count; i++) {
        fputs(i == 0 ? "{" : ", ", e->out);
        emit_element(e, &variable->initial[i]);
    }
    fputc('}', e->out);
}

// A declaration without its ';'. Elements are bits, whatever they mean, except addresses, which
// PTX wants in numbers.
static void emit_declaration(struct emitter *e, const struct variable *variable) {
    bool has_address = false;
    for (size_t i = 0; has_initialiser(variable) && i < variable->element_count; i++)
        has_address |= variable->initial[i].variable >= 0;
    fprintf(e->out, "%s ", state_space_or_global_name(variable->space));
    if (variable->is_unified)
        fprintf(e->out, ".attribute(.unified(%" PRIu64 ", %" PRIu64 ")) ", variable->unified[0],
                variable->unified[1]);
    fprintf(e->out, ".align %u .%c%u %s[%zu]", variable->alignment, has_address ? 'u' : 'b',
            scalar_type_bits(variable->type), variable->name, variable->element_count);
    if (!has_initialiser(variable))
        return;
    fputs(" = ", e->out);
    emit_elements(e, variable);
}

// Before the declaration of a .shared variable, whose initial value PTX cannot give it:
// what has to be stored before the test begins, for people and in words of PTX.
static void explain_initial(struct emitter *e, const struct variable *variable) {
    if (!variable->has_initial || (variable->space != SPACE_SHARED && variable->tensor == NULL))
        return;
    if (variable->tensor != NULL) {
        fprintf(e->out, "// before the test begins, this has to be the tensormap of %s\n",
                e->test->variables[variable->initial[0].variable].name);
        diag_warning(
            e->diagnostics, variable->span,
            "PTX has no initial values for tensormaps: the module has that of '%s' in a comment",
            variable->name);
        return;
    }
    fprintf(e->out,
            "// before the test begins, each CTA has to have stored: %s = ", variable->name);
    emit_elements(e, variable);
    fputc('\n', e->out);
    diag_warning(e->diagnostics, variable->span,
                 "PTX has no initial values in .shared: the module has that of '%s' in a comment",
                 variable->name);
}

static void emit_variables(struct emitter *e) {
    for (size_t i = 0; i < e->test->variable_count; i++) {
        const struct variable *variable = &e->test->variables[i];
        bool in_kernel = variable->space == SPACE_LOCAL || variable->space == SPACE_PARAM;
        if (in_kernel || variable->alias_of >= 0 || variable->space == SPACE_TENSOR)
            continue;
        explain_initial(e, variable);
        fputs(variable->space == SPACE_SHARED ? "" : ".visible ", e->out);
        emit_declaration(e, variable);
        fputs(";\n", e->out);
    }
}

// --- Results -----------------------------------------------------------------------------------

// Whether the condition names the register.
static bool names_register(const struct condition *condition, int thread, int reg) {
    if (!condition)
        return false;
    const struct term *terms[] = {&condition->lhs, &condition->rhs};
    for (size_t i = 0; condition->kind == CONDITION_COMPARE && i < 2; i++)
        if (terms[i]->kind == TERM_REGISTER && terms[i]->thread == thread && terms[i]->reg == reg)
            return true;
    return names_register(condition->left, thread, reg) ||
           names_register(condition->right, thread, reg);
}

static bool is_observed(const struct test *test, int thread, int reg) {
    assert(thread >= 0 && (size_t)thread < test->thread_count);
    for (size_t i = 0; i < test->location_count; i++)
        if (test->locations[i].kind == TERM_REGISTER && test->locations[i].thread == thread &&
            test->locations[i].reg == reg)
            return true;
    return names_register(test->condition, thread, reg) ||
           names_register(test->filter, thread, reg);
}

// Registers of a predicate or a byte are stored as more than they are.
static unsigned stored_bits(const struct test_register *reg) {
    return reg->width < 16 ? 16 : reg->width;
}

// A name for something that the test does not have: another one where the test has it.
static const char *free_name(struct emitter *e, const char *prefix, const char *name) {
    const struct test *test = e->test;
    bool taken = false;
    for (size_t i = 0; i < test->variable_count; i++)
        taken |= strcmp(test->variables[i].name, name) == 0;
    for (size_t i = 0; i < test->function_count; i++)
        taken |= strcmp(test->functions[i].name, name) == 0;
    return taken ? free_name(e, prefix, arena_format(e->arena, "%s_%s", prefix, name)) : name;
}

// "P0_r0", with '_' for what no name has.
static const char *result_name(struct emitter *e, const struct thread *thread,
                               const struct test_register *reg) {
    char *name = arena_format(e->arena, "P%u_%s", thread->number, test_register_key(reg->name));
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '$')
            *at = '_';
    return free_name(e, "result", name);
}

typedef void (*result_action)(struct emitter *e, const struct thread *thread,
                              const struct test_register *reg);

static void each_result(struct emitter *e, size_t thread, result_action action) {
    for (size_t i = 0; i < e->test->threads[thread].register_count; i++)
        if (is_observed(e->test, (int)thread, (int)i))
            action(e, &e->test->threads[thread], &e->test->threads[thread].registers[i]);
}

static void declare_result(struct emitter *e, const struct thread *thread,
                           const struct test_register *reg) {
    unsigned bits = stored_bits(reg);
    fprintf(e->out, ".visible .global .align %u .b%u %s;\n", bits / 8, bits,
            result_name(e, thread, reg));
}

static void store_result(struct emitter *e, const struct thread *thread,
                         const struct test_register *reg) {
    const char *name = result_name(e, thread, reg), *key = test_register_key(reg->name);
    if (reg->width > 1) {
        fprintf(e->out, "    st.global.b%u [%s], %%%s;\n", stored_bits(reg), name, key);
        return;
    }
    fprintf(e->out, "    .reg .b16 %%stored_%s;\n    selp.b16 %%stored_%s, 1, 0, %%%s;\n", key, key,
            key);
    fprintf(e->out, "    st.global.b16 [%s], %%stored_%s;\n", name, key);
}

// --- Kernels -----------------------------------------------------------------------------------

static void emit_parameter(struct emitter *e, const struct variable *variable) {
    emit_declaration(e, variable);
    if (!variable->has_initial)
        return;
    fputs(" /* ", e->out);
    emit_elements(e, variable);
    fputs(" */", e->out);
}

// A multimem address is one pointer, to however many variables it points.
static bool is_written_with_other(const struct variable *variable) {
    return variable->is_multimem && variable->copies == 0;
}

static void emit_alias(struct emitter *e, size_t index) {
    const struct variable *variables = e->test->variables, *alias = &variables[index];
    fprintf(e->out, ".param .u64 address_of_%s /* %s address of %s", alias->name,
            alias->is_multimem ? "a multimem" : "another", variables[alias->alias_of].name);
    for (unsigned i = 1; i < alias->copies; i++)
        fprintf(e->out, ", %s", variables[variables[index + i].alias_of].name);
    fputs(" */", e->out);
}

// The parameters of the test, and a pointer for each alias.
static void emit_parameters(struct emitter *e) {
    const char *separator = "";
    for (size_t i = 0; i < e->test->variable_count; i++) {
        const struct variable *variable = &e->test->variables[i];
        bool is_alias = variable->alias_of >= 0;
        if (is_written_with_other(variable))
            continue;
        if (!is_alias && (variable->space != SPACE_PARAM || variable->body != 0))
            continue;
        fprintf(e->out, "%s\n    ", separator);
        if (is_alias)
            emit_alias(e, i);
        else
            emit_parameter(e, variable);
        separator = ",";
    }
}

static void emit_locals(struct emitter *e) {
    for (size_t i = 0; i < e->test->variable_count; i++) {
        const struct variable *variable = &e->test->variables[i];
        if (is_written_with_other(variable))
            continue;
        if (variable->alias_of >= 0) {
            fprintf(e->out,
                    "    .reg .b64 %%alias_%s;\n    ld.param.b64 %%alias_%s, [address_of_%s];\n",
                    variable->name, variable->name, variable->name);
        } else if (variable->space == SPACE_LOCAL && variable->body == 0) {
            fputs("    ", e->out);
            emit_declaration(e, variable);
            fputs(";\n", e->out);
        }
    }
}

// Stores an address in an element of 64 bits; `target` says where it goes.
static void store_address(struct emitter *e, const struct initial_element *element,
                          const char *target) {
    const struct variable *variable = &e->test->variables[element->variable];
    fprintf(e->out, "    {\n    .reg .u64 %%address;\n    mov.u64 %%address, %s+%" PRIu64 ";\n",
            variable->name, element->value.low);
    if (variable->space == SPACE_GLOBAL || element->is_generic)
        fprintf(e->out, "    cvta%s.u64 %%address, %%address;\n",
                state_space_or_global_name(variable->space));
    fprintf(e->out, "    st.local.u64 [%s], %%address;\n    }\n", target);
}

// The initial values of a .local variable: each thread stores its own.
static void initialise_local(struct emitter *e, const struct variable *variable) {
    unsigned bits = scalar_type_bits(variable->type), bytes = bits / 8;
    for (size_t i = 0; variable->has_initial && i < variable->element_count; i++) {
        const struct initial_element *element = &variable->initial[i];
        const char *target = arena_format(e->arena, "%s+%zu", variable->name, i * bytes);
        if (element->variable >= 0) {
            store_address(e, element, target);
            continue;
        }
        fprintf(e->out, "    st.local.b%u [%s], 0x%" PRIx64 ";\n", bits < 64 ? bits : 64, target,
                element->value.low);
        if (bits == 128)
            fprintf(e->out, "    st.local.b64 [%s+8], 0x%" PRIx64 ";\n", target,
                    element->value.high);
    }
}

static void initialise_locals(struct emitter *e) {
    for (size_t i = 0; i < e->test->variable_count; i++)
        if (e->test->variables[i].space == SPACE_LOCAL && e->test->variables[i].body == 0)
            initialise_local(e, &e->test->variables[i]);
}

// Registers that the test does not declare have the width of their first use. Those of functions
// are theirs.
static void declare_registers(struct emitter *e, const struct thread *thread) {
    for (size_t i = 0; i < thread->register_count; i++) {
        const struct test_register *reg = &thread->registers[i];
        if (reg->name[0] != '.' && reg->type == TYPE_NONE &&
            reader_find_register(thread, reg->name) == (int)i)
            emit_declare_register(e, test_register_key(reg->name), reg->width);
    }
}

static void initialise_register(struct emitter *e, const struct test_register *reg) {
    const char *key = test_register_key(reg->name);
    if (!reg->has_initial)
        return;
    if (reg->initial_variable >= 0) {
        const struct variable *variable = &e->test->variables[reg->initial_variable];
        const char *prefix = e->role ? "%at_" : variable->alias_of >= 0 ? "%alias_" : "";
        fprintf(e->out, "    mov.u64 %%%s, %s%s;\n", key, prefix, variable->name);
        if (!e->role && variable->alias_of < 0 && variable->space == SPACE_GLOBAL)
            fprintf(e->out, "    cvta.global.u64 %%%s, %%%s;\n", key, key);
    } else if (reg->width == 1) {
        fprintf(e->out, "    setp.ne.u32 %%%s, %u, 0;\n", key, (unsigned)reg->initial.low);
    } else {
        fprintf(e->out, "    mov.b%u %%%s, ", stored_bits(reg), key);
        emit_bits(e->out, reg->initial);
        fputs(";\n", e->out);
    }
}

// Registers, initial values and statements of a thread, up to the label to which its exits go.
static void emit_thread(struct emitter *e, const struct thread *thread) {
    declare_registers(e, thread);
    emit_statements(e, thread, EMIT_REGISTERS);
    for (size_t i = 0; i < thread->register_count; i++)
        initialise_register(e, &thread->registers[i]);
    if (!e->role)
        initialise_locals(e);
    emit_statements(e, thread, EMIT_STATEMENTS);
    fputs(EMIT_END ":\n", e->out);
}

static void emit_kernel(struct emitter *e, size_t index) {
    const struct thread *thread = &e->test->threads[index];
    if (thread->place.host) {
        fprintf(e->out, "\n// P%u is a thread of the host.\n", thread->number);
        return;
    }
    each_result(e, index, declare_result);
    const char *name = arena_format(e->arena, "P%u", thread->number);
    fprintf(e->out, "\n.visible .entry %s(", free_name(e, "kernel", name));
    emit_parameters(e);
    fputs(")\n{\n", e->out);
    emit_locals(e);
    emit_thread(e, thread);
    each_result(e, index, store_result);
    fputs("    ret;\n}\n", e->out);
}

// The text that was written, which the arena owns.
static const char *end_text(struct emitter *e, char **text, const size_t *size) {
    text_close(e->out);
    const char *copy = arena_strndup(e->arena, *text, *size);
    free(*text);
    return copy;
}

const char *ptx_emit(struct arena *arena, const struct test *test, const struct emit_head *head,
                     struct diagnostics *diagnostics) {
    if (!check_test(test, diagnostics))
        return NULL;
    char *text = NULL;
    size_t size = 0;
    struct emitter e = {
        .arena = arena, .out = text_open(&text, &size), .test = test, .diagnostics = diagnostics};
    fprintf(e.out, ".version %u.%u\n.target %s\n.address_size 64\n\n", head->version / 10,
            head->version % 10, head->target);
    if (test->is_cooperative)
        fputs("// For a cooperative launch: all CTAs run at once.\n", e.out);
    for (size_t i = 0; i < test->grid_order_count; i++)
        fprintf(e.out, "// Grid %u %s grid %u%s.\n", test->grid_orders[i].grid,
                test->grid_orders[i].is_programmatic ? "is launched after" : "starts when",
                test->grid_orders[i].after,
                test->grid_orders[i].is_programmatic ? ", programmatically" : " is complete");
    emit_variables(&e);
    emit_functions(&e);
    for (size_t i = 0; i < test->thread_count; i++)
        emit_kernel(&e, i);
    return end_text(&e, &text, &size);
}

const char *ptx_emit_role(struct arena *arena, const struct test *test, size_t thread,
                          const struct emit_role *role) {
    char *text = NULL;
    size_t size = 0;
    struct emitter e = {.arena = arena, .out = text_open(&text, &size), .test = test, .role = role};
    emit_thread(&e, &test->threads[thread]);
    return end_text(&e, &text, &size);
}
