// Writes a test as a PTX module: head, variables, and a kernel for each thread.
#include "litmus/ptx/emit.h"

#include "litmus/ptx/emit_internal.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- What PTX cannot say -----------------------------------------------------------------------

static bool check_instruction(const struct instruction *instruction,
                              struct diagnostics *diagnostics) {
    bool extension = instruction->proxy == PROXY_SURFACE || instruction->proxy == PROXY_TEXTURE ||
                     instruction->proxy == PROXY_CONSTANT;
    if (instruction->opcode != OP_FENCE_PROXY || !extension)
        return true;
    diag_error(diagnostics, instruction->opcode_span,
               "PTX has no such fence, so that the test cannot be written as a module");
    diag_hint(diagnostics, "it belongs to the extension of ISCA 2022");
    return false;
}

static bool check_variable(const struct variable *variable, struct diagnostics *diagnostics) {
    bool possible = variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST;
    if (variable->is_inner) {
        diag_error(diagnostics, variable->span,
                   "tests with variables of inner blocks are not written as modules");
        return false;
    }
    if (!variable->has_initial || possible)
        return true;
    diag_error(diagnostics, variable->span,
               "in PTX only .global and .const variables have initial values");
    return false;
}

// Calls are read as the functions' bodies, and variables of inner blocks have names of their own.
static void check_thread(const struct thread *thread, struct diagnostics *diagnostics) {
    for (size_t i = 0; i < thread->label_count; i++) {
        if (thread->labels[i].name[0] != '$' || strncmp(thread->labels[i].name, "$call", 5) != 0)
            continue;
        diag_error(diagnostics, thread->labels[i].span,
                   "tests with calls are not written as modules");
        return;
    }
}

static bool check_test(const struct test *test, struct diagnostics *diagnostics) {
    size_t errors = diagnostics->error_count;
    if (test->dialect != DIALECT_PTX) {
        diag_error(diagnostics, (struct span){test->source, 0, 0},
                   "only tests in PTX can be written as modules");
        return false;
    }
    for (size_t i = 0; i < test->variable_count; i++)
        check_variable(&test->variables[i], diagnostics);
    for (size_t i = 0; i < test->thread_count; i++)
        check_thread(&test->threads[i], diagnostics);
    for (size_t i = 0; i < test->thread_count; i++)
        for (size_t j = 0; j < test->threads[i].instruction_count; j++)
            check_instruction(&test->threads[i].instructions[j], diagnostics);
    return diagnostics->error_count == errors;
}

// --- Variables ---------------------------------------------------------------------------------

static const char *space_name(enum state_space space) {
    switch (space) {
    case SPACE_CONST: return "const";
    case SPACE_SHARED: return "shared";
    case SPACE_LOCAL: return "local";
    case SPACE_PARAM: return "param";
    default: return "global";
    }
}

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

// A declaration without its ';'. Elements are bits, whatever they mean, but for addresses, which
// PTX wants in numbers.
static void emit_declaration(struct emitter *e, const struct variable *variable) {
    bool has_address = false;
    for (size_t i = 0; variable->has_initial && i < variable->element_count; i++)
        has_address |= variable->initial[i].variable >= 0;
    fprintf(e->out, ".%s ", space_name(variable->space));
    if (variable->is_unified)
        fprintf(e->out, ".attribute(.unified(%" PRIu64 ", %" PRIu64 ")) ", variable->unified[0],
                variable->unified[1]);
    fprintf(e->out, ".align %u .%c%u %s[%zu]", variable->alignment, has_address ? 'u' : 'b',
            scalar_type_bits(variable->type), variable->name, variable->element_count);
    if (!variable->has_initial)
        return;
    fputs(" = {", e->out);
    for (size_t i = 0; i < variable->element_count; i++) {
        fputs(i == 0 ? "" : ", ", e->out);
        emit_element(e, &variable->initial[i]);
    }
    fputc('}', e->out);
}

static void emit_variables(struct emitter *e) {
    for (size_t i = 0; i < e->test->variable_count; i++) {
        const struct variable *variable = &e->test->variables[i];
        bool in_kernel = variable->space == SPACE_LOCAL || variable->space == SPACE_PARAM;
        if (in_kernel || variable->alias_of >= 0)
            continue;
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

// "P0_r0", with '_' for what no name has, and before a name that a variable has.
static const char *result_name(struct emitter *e, const struct thread *thread,
                               const struct test_register *reg) {
    char *name = arena_format(e->arena, "P%u_%s", thread->number, test_register_key(reg->name));
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '$')
            *at = '_';
    for (size_t i = 0; i < e->test->variable_count; i++)
        if (strcmp(e->test->variables[i].name, name) == 0)
            return arena_format(e->arena, "result_%s", name);
    return name;
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

// The parameters of the test, and a pointer for each alias.
static void emit_parameters(struct emitter *e) {
    const char *separator = "";
    for (size_t i = 0; i < e->test->variable_count; i++) {
        const struct variable *variable = &e->test->variables[i];
        bool is_alias = variable->alias_of >= 0;
        if (!is_alias && (variable->space != SPACE_PARAM || variable->body != 0))
            continue;
        fprintf(e->out, "%s\n    ", separator);
        if (is_alias)
            fprintf(e->out, ".param .u64 address_of_%s /* another address of %s */", variable->name,
                    e->test->variables[variable->alias_of].name);
        else
            emit_declaration(e, variable);
        separator = ",";
    }
}

static void emit_locals(struct emitter *e) {
    for (size_t i = 0; i < e->test->variable_count; i++) {
        const struct variable *variable = &e->test->variables[i];
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

// Registers that the test does not declare have the width of their first use.
static void declare_register(struct emitter *e, const struct test_register *reg) {
    if (reg->type != TYPE_NONE)
        return;
    const char *key = test_register_key(reg->name);
    if (reg->width == 1)
        fprintf(e->out, "    .reg .pred %%%s;\n", key);
    else
        fprintf(e->out, "    .reg .b%u %%%s;\n", reg->width < 16 ? 16 : reg->width, key);
}

static void initialise_register(struct emitter *e, const struct test_register *reg) {
    const char *key = test_register_key(reg->name);
    if (!reg->has_initial)
        return;
    if (reg->initial_variable >= 0) {
        const struct variable *variable = &e->test->variables[reg->initial_variable];
        const char *prefix = variable->alias_of >= 0 ? "%alias_" : "";
        fprintf(e->out, "    mov.u64 %%%s, %s%s;\n", key, prefix, variable->name);
        if (variable->alias_of < 0 && variable->space == SPACE_GLOBAL)
            fprintf(e->out, "    cvta.global.u64 %%%s, %%%s;\n", key, key);
    } else if (reg->width == 1) {
        fprintf(e->out, "    setp.ne.u32 %%%s, %u, 0;\n", key, (unsigned)reg->initial.low);
    } else {
        fprintf(e->out, "    mov.b%u %%%s, ", stored_bits(reg), key);
        emit_bits(e->out, reg->initial);
        fputs(";\n", e->out);
    }
}

static void emit_kernel(struct emitter *e, size_t index) {
    const struct thread *thread = &e->test->threads[index];
    if (thread->place.host) {
        fprintf(e->out, "\n// P%u is a thread of the host.\n", thread->number);
        return;
    }
    each_result(e, index, declare_result);
    fprintf(e->out, "\n.visible .entry P%u(", thread->number);
    emit_parameters(e);
    fputs(")\n{\n", e->out);
    emit_locals(e);
    for (size_t i = 0; i < thread->register_count; i++)
        declare_register(e, &thread->registers[i]);
    emit_statements(e, thread, EMIT_REGISTERS);
    for (size_t i = 0; i < thread->register_count; i++)
        initialise_register(e, &thread->registers[i]);
    emit_statements(e, thread, EMIT_STATEMENTS);
    fputs(EMIT_END ":\n", e->out);
    each_result(e, index, store_result);
    fputs("    ret;\n}\n", e->out);
}

const char *ptx_emit(struct arena *arena, const struct test *test, const struct emit_head *head,
                     struct diagnostics *diagnostics) {
    if (!check_test(test, diagnostics))
        return NULL;
    char *text = NULL;
    size_t size = 0;
    struct emitter e = {.arena = arena, .out = open_memstream(&text, &size), .test = test};
    if (!e.out)
        bug("no memory for a module");
    fprintf(e.out, ".version %u.%u\n.target %s\n.address_size 64\n\n", head->version / 10,
            head->version % 10, head->target);
    emit_variables(&e);
    for (size_t i = 0; i < test->thread_count; i++)
        emit_kernel(&e, i);
    fclose(e.out);
    const char *module = arena_strndup(arena, text, size);
    free(text);
    return module;
}
