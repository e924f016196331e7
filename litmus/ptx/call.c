// Calls: the body of the function is read in the place of the call, in a block of its own.
//
// Parameters and returned values in registers are registers of that block, which 'mov' fills and
// reads. Those in .param memory are other names of the caller's .param variables; where the caller
// gives a register or a constant, a variable is made for it. 'ret' branches past the block.
#include "litmus/ptx/apart.h"
#include "litmus/ptx/calls.h"
#include "litmus/ptx/operands.h"
#include "litmus/ptx/registers.h"
#include "litmus/ptx/parameters.h"

#include "litmus/names/table.h"
#include "litmus/ptx/target.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

enum { CALLS_MAX = 32, INLINED_MAX = 20000 };

// --- Instructions that a call makes ------------------------------------------------------------

static void add(struct body *body, const struct call *call, enum opcode opcode,
                enum scalar_type type, struct operand first, struct operand second) {
    assert((unsigned)opcode < OPCODE_COUNT);
    assert((unsigned)type <= TYPE_F64);
    struct instruction instruction = instruction_new(opcode, type, call->span);
    if (opcode != OP_MOV) {
        instruction.order = ORDER_WEAK;
        instruction.space = SPACE_PARAM;
    }
    apart_add(body, &instruction, first, second);
}

static void add_branch(struct body *body, const struct call *call, int label, int guard,
                       bool negated) {
    struct instruction like = instruction_new(OP_BRA, TYPE_NONE, call->span);
    apart_add_branch(body, &like, label, guard, negated);
}

static void add_trap(struct body *body, const struct call *call) {
    struct instruction trap = instruction_new(OP_TRAP, TYPE_NONE, call->span);
    ptx_add_instruction(body, &trap);
}

// --- Arguments ---------------------------------------------------------------------------------

// The caller's .param variable that an argument names, or -1.
static int named_variable(struct body *body, const struct raw_operand *raw) {
    if (raw->kind != RAW_WORD || raw->negated || ptx_is_register(body, raw->word))
        return -1;
    return ptx_find_variable(body, token_text(body->arena, raw->word));
}

// What the caller gives has the parameter's size, alignment and kind of type (PTX ISA 9.7.12.5).
static bool check_argument(struct body *body, const struct raw_operand *raw, int index,
                           const struct parameter *parameter) {
    const struct variable *variable = &body->reader->test->variables[index];
    uint64_t size = scalar_type_bits(variable->type) / 8 * variable->element_count;
    uint64_t wanted = scalar_type_bits(parameter->type) / 8 * parameter->count;
    const char *name = token_text(body->arena, parameter->name);
    if (variable->space != SPACE_PARAM || variable->body == 0)
        return diag_error(
            body->diagnostics, raw->span,
            variable->is_parameter
                ? "'%s' was a parameter whose address was taken: it is not passed again"
                : "'%s' is not a .param variable of this body",
            variable->name);
    if (parameter->is_register)
        return true;
    unsigned alignment = ptx_alignment_of(parameter);
    if (size != wanted)
        diag_error(body->diagnostics, raw->span, "'%s' has %llu bytes, and parameter '%s' has %llu",
                   variable->name, (unsigned long long)size, name, (unsigned long long)wanted);
    else if (variable->alignment != alignment)
        diag_error(body->diagnostics, raw->span,
                   "'%s' is aligned to %u bytes, and parameter '%s' to %u", variable->name,
                   variable->alignment, name, alignment);
    else if (!ptx_types_agree(variable->type, parameter->type))
        diag_error(body->diagnostics, raw->span, "'%s' is .%s, and parameter '%s' is .%s",
                   variable->name, scalar_type_name(variable->type), name,
                   scalar_type_name(parameter->type));
    else
        return true;
    return false;
}

// The variable for a .param parameter that has none.
static int make_variable(struct body *body, const struct parameter *parameter) {
    struct reader *reader = body->reader;
    const char *name = arena_format(body->arena, "%s@%zu", token_text(body->arena, parameter->name),
                                    reader->test->variable_count);
    struct variable variable = {.name = name,
                                .span = parameter->name->span,
                                .space = SPACE_PARAM,
                                .type = parameter->type,
                                .element_count = (size_t)parameter->count,
                                .is_array = parameter->count > 1,
                                .alignment = ptx_alignment_of(parameter),
                                .alias_of = -1,
                                .body = (unsigned)(body->thread - reader->test->threads) + 1};
    int index = reader_add_variable(reader, &variable);
    reader->test->variables[index].name = token_text(body->arena, parameter->name);
    reader->test->variables[index].is_inner = true;
    return index;
}

static bool error_counts(struct body *body, const struct call *call, bool results, size_t wanted,
                         size_t given) {
    return diag_error(body->diagnostics, call->span, "'%s' %s %zu %s%s, got %zu",
                      call->function->name, results ? "returns" : "takes", wanted,
                      results ? "result" : "argument", wanted == 1 ? "" : "s", given);
}

// An argument or a result in the words of the caller.
struct binding {
    struct operand operand; // a register or a constant, or the variable as memory
    int variable;           // the .param variable, or -1
};

static bool pass_argument(struct body *body, const struct call *call,
                          const struct parameter *parameter, const struct raw_operand *raw,
                          struct binding *binding) {
    binding->variable = named_variable(body, raw);
    if (binding->variable >= 0) {
        binding->operand = operand_memory(binding->variable, raw->span);
        return check_argument(body, raw, binding->variable, parameter);
    }
    if (!ptx_resolve_passed(body, call, raw, parameter->type, SOURCE, &binding->operand))
        return false;
    if (parameter->is_register)
        return true;
    binding->variable = make_variable(body, parameter);
    add(body, call, OP_ST, parameter->type, operand_memory(binding->variable, raw->span),
        binding->operand);
    return true;
}

static bool pass_arguments(struct body *body, const struct call *call,
                           const struct parameters *parameters, struct binding *bindings) {
    bool fine = true;
    for (size_t i = 0; i < parameters->count; i++)
        fine =
            pass_argument(body, call, &parameters->items[i], &call->arguments[i], &bindings[i]) &&
            fine;
    return fine;
}

// Where the caller wants the results.
static bool find_targets(struct body *body, const struct call *call,
                         const struct parameters *returns, struct binding *bindings) {
    bool fine = true;
    for (size_t i = 0; i < returns->count; i++) {
        const struct raw_operand *raw = &call->results[i];
        bindings[i].variable = named_variable(body, raw);
        fine = (bindings[i].variable >= 0
                    ? check_argument(body, raw, bindings[i].variable, &returns->items[i])
                    : ptx_resolve_passed(body, call, raw, returns->items[i].type, DESTINATION,
                                         &bindings[i].operand)) &&
               fine;
    }
    return fine;
}

// --- In the function's block -------------------------------------------------------------------

static bool declare(struct body *body, const struct parameter *parameter, int *reg) {
    *reg = ptx_declare_register(body, token_text(body->arena, parameter->name),
                                parameter->name->span, parameter->type, body->depth);
    return *reg >= 0;
}

static bool enter_arguments(struct body *body, const struct call *call,
                            const struct parameters *parameters, const struct binding *bindings) {
    for (size_t i = 0; i < parameters->count; i++) {
        const struct parameter *parameter = &parameters->items[i];
        int reg, variable = bindings[i].variable;
        if (!parameter->is_register) {
            ptx_bind_variable(body, token_text(body->arena, parameter->name), variable, ROLE_INPUT);
            continue;
        }
        if (!declare(body, parameter, &reg))
            return false;
        add(body, call, variable >= 0 ? OP_LD : OP_MOV, parameter->type,
            operand_register(reg, call->span), bindings[i].operand);
    }
    return true;
}

// What a returned value becomes in the body: a register or a variable; the other is -1.
struct call_result {
    int reg, variable;
};

static bool enter_results(struct body *body, const struct parameters *returns,
                          const struct binding *bindings, struct call_result *results) {
    for (size_t i = 0; i < returns->count; i++) {
        const struct parameter *parameter = &returns->items[i];
        results[i] = (struct call_result){-1, -1};
        if (parameter->is_register) {
            if (!declare(body, parameter, &results[i].reg))
                return false;
            continue;
        }
        int variable = bindings[i].variable;
        results[i].variable = variable >= 0 ? variable : make_variable(body, parameter);
        ptx_bind_variable(body, token_text(body->arena, parameter->name), results[i].variable,
                          ROLE_RETURN);
    }
    return true;
}

static void leave_result(struct body *body, const struct call *call, enum scalar_type type,
                         const struct binding *target, const struct call_result *result) {
    assert((unsigned)type <= TYPE_F64);
    struct operand reg = operand_register(result->reg, call->span);
    if (result->reg < 0 && target->variable < 0)
        add(body, call, OP_LD, type, target->operand, operand_memory(result->variable, call->span));
    else if (result->reg >= 0 && target->variable >= 0)
        add(body, call, OP_ST, type, operand_memory(target->variable, call->span), reg);
    else if (result->reg >= 0)
        add(body, call, OP_MOV, type, target->operand, reg);
}

// --- The call ----------------------------------------------------------------------------------

// "(" operands ")": the operands up to the closing mark; `*count` is 0 without a list.
static bool parse_list(struct body *body, struct raw_operand **operands, size_t *count,
                       bool *is_there) {
    *count = 0;
    *is_there = token_is_punct(body->at, '(');
    if (!*is_there)
        return true;
    const struct token *opener = body->at++, *own_end = body->end, *close = body->at;
    while (close < own_end && !token_is_punct(close, ')'))
        close++;
    if (close >= own_end)
        return diag_error(body->diagnostics, opener->span, "this '(' is never closed");
    body->end = close;
    bool fine = ptx_parse_operands(body, operands, count);
    body->end = own_end;
    body->at = close + 1;
    return fine;
}

static bool expect_comma(struct body *body) {
    if (token_is_punct(body->at, ',')) {
        body->at++;
        return true;
    }
    return diag_error(body->diagnostics, body->at->span, "expected ',', not '%s'",
                      token_text(body->arena, body->at));
}

bool ptx_is_failing(const char *function) {
    return strcmp(function, "__assertfail") == 0;
}

bool ptx_is_printing(const char *function) {
    return strcmp(function, "vprintf") == 0;
}

// Whether a function without a body does not return.
static bool ends_thread(const struct function *function) {
    for (size_t i = 0; i < function->head_count; i++)
        if (token_is(&function->head[i], ".noreturn"))
            return true;
    return ptx_is_failing(function->name);
}

// The register that has the address of what is called.
static bool find_address(struct body *body, struct call *call) {
    static const struct register_need need = {.type = TYPE_U64};
    call->address = ptx_use_register(body, body->at, &need);
    body->at++;
    return call->address >= 0;
}

static bool find_function(struct body *body, struct call *call) {
    const struct token *name = body->at;
    if (name->kind != TOKEN_WORD)
        return diag_error(body->diagnostics, name->span,
                          "expected the name of a function, not '%s'",
                          token_text(body->arena, name));
    const char *text = token_text(body->arena, name);
    call->function = reader_function(body->reader, text);
    struct register_name found = ptx_find_register(body, text);
    if (!call->function && body->reader->opens && (found.reg >= 0 || found.range))
        return find_address(body, call);
    body->at++;
    if (!call->function)
        return diag_error(body->diagnostics, name->span,
                          text[0] == '%' ? "calls through a register are not read: '%s'"
                                         : "there is no function '%s'",
                          text);
    if (!call->function->body && !ends_thread(call->function) && !ptx_is_printing(text) &&
        !body->reader->opens)
        return diag_error(body->diagnostics, name->span, "function '%s' has no body", text);
    const struct function *prototype = call->function->prototype;
    struct span first = prototype ? prototype->span : call->function->span;
    if (first.source == name->span.source && first.begin > name->span.begin) {
        diag_error(body->diagnostics, name->span, "function '%s' is declared after this call",
                   text);
        diag_hint(body->diagnostics, "put a prototype, its head and a ';', before the call");
        return false;
    }
    return true;
}

// The label of a .calltargets or .callprototype, which ends a call through an address.
static bool parse_list_name(struct body *body, struct call *call) {
    if (!expect_comma(body))
        return false;
    if (body->at >= body->end || body->at->kind != TOKEN_WORD)
        return diag_error(body->diagnostics, body->at->span,
                          "expected the label of a '.calltargets' or '.callprototype'");
    call->list_name = token_text(body->arena, body->at++);
    return true;
}

// call = "call" ".uni"? (list ",")? (name ("," list)? | register ("," list)? "," label)
static bool parse_call(struct body *body, struct call *call) {
    body->at++;
    if (token_is(body->at, ".uni"))
        body->at++;
    bool has_list;
    if (!parse_list(body, &call->results, &call->result_count, &has_list) ||
        (has_list && !expect_comma(body)) || !find_function(body, call))
        return false;
    bool has_arguments = call->function || token_is_punct(body->at + 1, '(');
    if (body->at < body->end && has_arguments &&
        (!expect_comma(body) ||
         !parse_list(body, &call->arguments, &call->argument_count, &has_list)))
        return false;
    if (!call->function && !parse_list_name(body, call))
        return false;
    if (body->at < body->end)
        return diag_error(body->diagnostics, body->at->span, "expected ';', not '%s'",
                          token_text(body->arena, body->at));
    return true;
}

static bool check_limits(struct body *body, const struct call *call) {
    if (body->calls < CALLS_MAX && body->thread->instruction_count < INLINED_MAX)
        return true;
    diag_error(body->diagnostics, call->span,
               body->calls < CALLS_MAX ? "the calls of this thread make more than %d instructions"
                                       : "calls are nested more than %d deep",
               body->calls < CALLS_MAX ? INLINED_MAX : CALLS_MAX);
    if (body->calls == CALLS_MAX)
        diag_hint(body->diagnostics, "functions that call themselves are not read");
    return false;
}

// Reads the body of the function, in its block, between its parameters and its results.
static bool inline_body(struct body *body, const struct call *call, const struct parameters *lists,
                        struct binding *const *bindings) {
    struct call_result *results = ARENA_ARRAY(body->arena, struct call_result, lists[1].count + 1);
    if (!enter_results(body, &lists[1], bindings[1], results) ||
        !enter_arguments(body, call, &lists[0], bindings[0]))
        return false;
    int outer_return = body->return_label;
    body->return_label = ptx_new_label(body, call->span);
    ptx_parse_statements(body, call->function->body, call->function->body_count);
    ptx_place_label(body, body->return_label);
    body->return_label = outer_return;
    for (size_t i = 0; i < lists[1].count; i++)
        leave_result(body, call, lists[1].items[i].type, &bindings[1][i], &results[i]);
    return true;
}

static const struct parameter *list_item(const struct parameters *lists, size_t index) {
    return index < lists[0].count ? &lists[0].items[index]
                                  : &lists[1].items[index - lists[0].count];
}

// Only registers can be several results (PTX ISA 7.1).
static bool check_returns(struct body *body, const struct parameters *returns) {
    for (size_t i = 0; returns->count > 1 && i < returns->count; i++) {
        if (returns->items[i].is_register)
            continue;
        return diag_error(body->diagnostics, returns->items[i].name->span,
                          "a function that returns several values returns them in .reg");
    }
    return true;
}

// The names of parameters and results are of one block.
static bool check_names(struct body *body, const struct parameters *lists) {
    size_t count = lists[0].count + lists[1].count;
    for (size_t i = 1; i < count; i++) {
        const struct token *name = list_item(lists, i)->name;
        for (size_t j = 0; j < i; j++) {
            if (strcmp(token_text(body->arena, name),
                       token_text(body->arena, list_item(lists, j)->name)) != 0)
                continue;
            return diag_error(body->diagnostics, name->span, "two parameters are named '%s'",
                              token_text(body->arena, name));
        }
    }
    return true;
}

static bool check_prototype(struct body *body, const struct function *function,
                            const struct parameters *lists) {
    const struct function *prototype = function->prototype;
    struct parameters *other = ARENA_ARRAY(body->arena, struct parameters, 2);
    if (!prototype)
        return true;
    if (!ptx_parse_parameters(body, prototype->parameters, prototype->parameter_count, &other[0]) ||
        !ptx_parse_parameters(body, prototype->returns, prototype->return_count, &other[1]))
        return false;
    if (ptx_same_parameters(&lists[0], &other[0]) && ptx_same_parameters(&lists[1], &other[1]))
        return true;
    diag_error(body->diagnostics, prototype->span,
               "this prototype has other parameters or results than function '%s'", function->name);
    diag_hint(body->diagnostics, "the function is on line %u", span_line(function->span));
    return false;
}

// The parameters, then the results.
static bool read_signature(struct body *body, const struct call *call, struct parameters *lists) {
    const struct function *function = call->function;
    if (!ptx_parse_parameters(body, function->parameters, function->parameter_count, &lists[0]) ||
        !ptx_parse_parameters(body, function->returns, function->return_count, &lists[1]))
        return false;
    if (!check_prototype(body, function, lists) || !check_returns(body, &lists[1]) ||
        !check_names(body, lists))
        return false;
    if (lists[0].count != call->argument_count)
        return error_counts(body, call, false, lists[0].count, call->argument_count);
    if (lists[1].count != call->result_count)
        return error_counts(body, call, true, lists[1].count, call->result_count);
    return true;
}

static bool enter_body(struct body *body, const struct call *call) {
    struct parameters *lists = ARENA_ARRAY(body->arena, struct parameters, 2);
    if (!read_signature(body, call, lists))
        return false;
    struct binding *bindings[2] = {ARENA_ARRAY(body->arena, struct binding, lists[0].count + 1),
                                   ARENA_ARRAY(body->arena, struct binding, lists[1].count + 1)};
    if (!find_targets(body, call, &lists[1], bindings[1]) ||
        !pass_arguments(body, call, &lists[0], bindings[0]))
        return false;
    unsigned outer_depth = body->call_depth;
    struct function *outer = body->function;
    body->function = call->function;
    body->function->is_called = true;
    ptx_enter_block(body, call->span, true);
    body->call_depth = body->depth;
    body->calls++;
    call->function->entered++;
    bool fine = inline_body(body, call, lists, bindings);
    call->function->entered--;
    body->calls--;
    assert(body->depth == body->call_depth);
    ptx_leave_block(body);
    body->call_depth = outer_depth;
    body->function = outer;
    return fine;
}

// libcu++ calls a function that is nowhere defined where the target lacks an instruction, so that
// the linker refuses it. Its name says since which target there is one:
// "..._before_SM_90a_SM_100a__". False after an error.
static bool check_target(const struct body *body, const struct call *call) {
    const char *begin = strstr(call->function->name, PTX_LACKED_BEFORE);
    if (begin == NULL)
        return true;
    begin += strlen(PTX_LACKED_BEFORE);
    diag_error(body->diagnostics, call->span,
               "this call takes the place of an instruction that the target of the module lacks");
    diag_hint(body->diagnostics, "compile it for sm_%.*s, as with 'nvcc -arch=sm_%.*s'",
              (int)strcspn(begin, "_"), begin, (int)strcspn(begin, "_"), begin);
    return false;
}

// A function without a body: one that does not return traps, and all others return anything. What
// they do besides is nothing where they print, and else taken to be nothing.
static bool skip_function(struct body *body, const struct call *call) {
    struct parameters *lists = ARENA_ARRAY(body->arena, struct parameters, 2);
    if (ends_thread(call->function)) {
        add_trap(body, call);
        return true;
    }
    if (!check_target(body, call) || !read_signature(body, call, lists))
        return false;
    if (!ptx_is_printing(call->function->name))
        reader_assume(body->reader,
                      arena_format(body->arena,
                                   "function '%s', which has no body, returns, and accesses no "
                                   "memory of the test",
                                   call->function->name));
    struct binding *targets = ARENA_ARRAY(body->arena, struct binding, lists[1].count + 1);
    struct operand anything = operand_new(OPERAND_SPECIAL, call->span);
    anything.special = SPECIAL_OPEN;
    if (!find_targets(body, call, &lists[1], targets))
        return false;
    for (size_t i = 0; i < lists[1].count; i++)
        if (targets[i].variable >= 0)
            add(body, call, OP_ST, lists[1].items[i].type,
                operand_memory(targets[i].variable, call->span), anything);
        else
            add(body, call, OP_MOV, lists[1].items[i].type, targets[i].operand, anything);
    return true;
}

static bool enter_function(struct body *body, const struct call *call) {
    return call->function->body ? enter_body(body, call) : skip_function(body, call);
}

// --- Calls through an address ------------------------------------------------------------------

// A predicate that says whether the address is that of a function.
static int compare_address(struct body *body, const struct call *call,
                           const struct function *function) {
    const char *name = arena_format(body->arena, "call@%zu", body->thread->register_count);
    uint64_t number = reader_function_address(body->reader, function);
    return apart_add_compare(body, instruction_new(OP_SETP, TYPE_B64, call->span), COMPARE_EQ, name,
                             operand_register(call->address, call->span),
                             operand_number(number, call->span));
}

// A call of each function that it may be of, where the address is that function's.
static bool enter_indirect(struct body *body, const struct call *call) {
    struct callees found = {0};
    if (!ptx_find_callees(body, call, &found))
        return false;
    int after = ptx_new_label(body, call->span);
    bool fine = true;
    for (size_t i = 0; fine && i < found.count; i++) {
        struct call one = *call;
        int next = ptx_new_label(body, call->span);
        int reg = compare_address(body, call, found.items[i]);
        one.function = found.items[i];
        add_branch(body, call, next, reg, true);
        fine = enter_function(body, &one);
        add_branch(body, call, after, -1, false);
        ptx_place_label(body, next);
    }
    // An address of none of them is undefined, as a trap is in which the launch ends.
    add_trap(body, call);
    ptx_place_label(body, after);
    return fine;
}

bool ptx_at_call(const struct body *body) {
    const struct token *token = body->at;
    if (token_is_punct(token, '@')) {
        token += token_is_punct(token + 1, '!') ? 2 : 1;
        token += token->kind == TOKEN_WORD;
    }
    return token->kind == TOKEN_WORD && token_is(token, "call");
}

bool ptx_parse_call(struct body *body, int guard, bool guard_negated) {
    struct call call = {.span = body->at->span};
    const struct token *end = body->end;
    if (!parse_call(body, &call) || !check_limits(body, &call))
        return false;
    call.span = span_join(call.span, body->at[-1].span);
    int after = guard >= 0 ? ptx_new_label(body, call.span) : -1;
    if (guard >= 0)
        add_branch(body, &call, after, guard, !guard_negated);
    bool fine = call.function ? enter_function(body, &call) : enter_indirect(body, &call);
    if (guard >= 0)
        ptx_place_label(body, after);
    body->at = body->end = end;
    return fine;
}

bool ptx_return_from_call(struct body *body, struct instruction *instruction) {
    if (body->calls == 0)
        return false;
    instruction->opcode = OP_BRA;
    instruction->operands[0] = operand_new(OPERAND_LABEL, instruction->opcode_span);
    instruction->operands[0].label = body->return_label;
    instruction->operand_count = 1;
    return true;
}
