// Atomic operations, fences and barriers: x.load(order, scope),
// cuda::atomic_ref<...>(x).load(order),
// __scoped_atomic_load_n(&x, order, scope), cuda::atomic_thread_fence(order, scope),
// __threadfence(),
// __syncthreads().
#include "litmus/readers/cpp/cpp.h"

#include <string.h>

enum cpp_kind { KIND_LOAD, KIND_STORE, KIND_RMW, KIND_CAS };

struct cpp_operation {
    const char *name; // ".load"; the built-in functions are called "load_n"
    enum cpp_kind kind;
    enum atomic_op atomic;
    bool negates; // fetch_sub adds the negative
};

static const struct cpp_operation operations[] = {
    {"load", KIND_LOAD, ATOMIC_NONE, false},
    {"store", KIND_STORE, ATOMIC_NONE, false},
    {"exchange", KIND_RMW, ATOMIC_EXCH, false},
    {"fetch_add", KIND_RMW, ATOMIC_ADD, false},
    {"fetch_sub", KIND_RMW, ATOMIC_ADD, true},
    {"fetch_and", KIND_RMW, ATOMIC_AND, false},
    {"fetch_or", KIND_RMW, ATOMIC_OR, false},
    {"fetch_xor", KIND_RMW, ATOMIC_XOR, false},
    {"fetch_min", KIND_RMW, ATOMIC_MIN, false},
    {"fetch_max", KIND_RMW, ATOMIC_MAX, false},
    {"compare_exchange_strong", KIND_CAS, ATOMIC_CAS, false},
    {"compare_exchange", KIND_CAS, ATOMIC_CAS, false}, // the built-in function
};

enum { OPERATIONS = sizeof operations / sizeof operations[0] };

// A call: what it is of, and its arguments.
struct cpp_call {
    const struct cpp_operation *operation;
    int variable;
    bool has_scope; // of the type of its object: it has no argument
    bool is_builtin;
    enum scope scope;
    enum access_order order;
    struct span span, order_span;
    struct cpp_value
        values[2]; // what is stored or added; of cas, what is expected and what is stored
};

static struct diagnostics *diagnostics(const struct cpp *cpp) {
    return cpp->reader->diagnostics;
}

// --- What is called -----------------------------------------------------------------------------

static const char *const builtin_prefixes[] = {"__scoped_atomic_", "__nv_atomic_"};

// The part of a built-in function's name after its prefix, or NULL.
static const char *builtin_part(const char *name) {
    for (size_t i = 0; i < sizeof builtin_prefixes / sizeof builtin_prefixes[0]; i++)
        if (strncmp(name, builtin_prefixes[i], strlen(builtin_prefixes[i])) == 0)
            return name + strlen(builtin_prefixes[i]);
    return NULL;
}

static const struct {
    const char *name;
    enum scope scope;
} threadfences[] = {{"__threadfence_block", SCOPE_CTA},
                    {"__threadfence", SCOPE_GPU},
                    {"__threadfence_system", SCOPE_SYS}};

static enum scope threadfence_scope(const char *name) {
    for (size_t i = 0; i < sizeof threadfences / sizeof threadfences[0]; i++)
        if (strcmp(name, threadfences[i].name) == 0)
            return threadfences[i].scope;
    return SCOPE_NONE;
}

// Whether an atomic_ref without a name begins, `atomic_ref<int>(x)`, of whose type `ahead` is the
// '<': a name declares one.
static bool at_temporary(struct cpp *cpp, size_t ahead) {
    if (!token_is_punct(cpp_peek(cpp, ahead), '<'))
        return false;
    while (cpp_peek(cpp, ahead)->kind != TOKEN_END && !token_is_punct(cpp_peek(cpp, ahead), '>') &&
           !token_is_punct(cpp_peek(cpp, ahead), ';'))
        ahead++;
    return cpp_peek(cpp, ahead + 1)->kind != TOKEN_WORD;
}

bool cpp_at_call(struct cpp *cpp) {
    const char *name;
    size_t tokens = cpp_qualified(cpp, 0, &name);
    if (tokens == 0)
        return false;
    const struct token *next = cpp_peek(cpp, tokens);
    if (tokens == 1 && next->kind == TOKEN_QUALIFIER)
        return true;
    if (strcmp(name, "atomic_ref") == 0)
        return at_temporary(cpp, tokens);
    return token_is_punct(next, '(') &&
           (builtin_part(name) || threadfence_scope(name) != SCOPE_NONE ||
            strcmp(name, "atomic_thread_fence") == 0 || strcmp(name, "__syncthreads") == 0);
}

// --- Arguments ----------------------------------------------------------------------------------

// Whether another argument follows.
static bool more(struct cpp *cpp) {
    return cpp_accept(cpp, ',');
}

static bool parse_order(struct cpp *cpp, enum access_order *order, struct span *span) {
    const struct token *first = cpp_peek(cpp, 0);
    bool failed = false;
    if (cpp_accept_order(cpp, order, &failed)) {
        *span = cpp_span_from(cpp, first);
        return true;
    }
    return !failed && cpp_error_word(cpp, "an order such as 'cuda::memory_order_acquire'");
}

// The order with which a failing compare_exchange reads, of one without an order for that.
static enum access_order read_half(enum access_order order) {
    return order == ORDER_ACQ_REL ? ORDER_ACQUIRE : order == ORDER_RELEASE ? ORDER_RELAXED : order;
}

// The order for a failure, which is only read where it is the one that the other order implies.
static bool parse_failure_order(struct cpp *cpp, const struct cpp_call *call) {
    enum access_order failure;
    struct span span;
    if (!parse_order(cpp, &failure, &span))
        return false;
    if (failure == read_half(call->order))
        return true;
    return diag_error(diagnostics(cpp), span,
                      "a failure's order of its own is not modelled: after '%s' it is '%s'",
                      cpp_order_word(call->order), cpp_order_word(read_half(call->order)));
}

// orders = ("," order ("," order)?)? ("," scope)?; built-in functions have all of them
static bool parse_orders(struct cpp *cpp, struct cpp_call *call) {
    bool failed = false, has_order = more(cpp);
    enum access_order ignored;
    size_t at = cpp->at;
    if (!has_order)
        return !call->is_builtin || cpp_error_expected(cpp, "',' and an order");
    if (!parse_order(cpp, &call->order, &call->order_span))
        return false;
    at = cpp->at;
    if (!more(cpp))
        return !call->is_builtin || cpp_error_expected(cpp, "',' and a scope");
    if (call->operation->kind == KIND_CAS) {
        size_t second = cpp->at;
        bool is_order = cpp_accept_order(cpp, &ignored, &failed);
        cpp->at = second;
        if (failed)
            return false;
        if (is_order) {
            if (!parse_failure_order(cpp, call))
                return false;
            at = cpp->at;
            if (!more(cpp))
                return !call->is_builtin || cpp_error_expected(cpp, "',' and a scope");
        }
    }
    if (call->has_scope) {
        cpp->at = at;
        return cpp_error_expected(cpp, "')': the scope is that of the object's type");
    }
    return cpp_parse_scope(cpp, &call->scope);
}

// What compare_exchange expects: a register, which gets what was there.
static bool parse_expected(struct cpp *cpp, struct cpp_call *call) {
    if (call->is_builtin && !cpp_expect(cpp, '&', "'&' and the variable with the expected value"))
        return false;
    const struct token *token = cpp_peek(cpp, 0);
    int reg = token->kind == TOKEN_WORD
                  ? reader_find_register(cpp->thread, token_text(cpp->reader->arena, token))
                  : -1;
    if (reg < 0) {
        cpp_error_expected(cpp, "a variable of this thread with the expected value");
        diag_hint(diagnostics(cpp), "it gets the value that was there: 'int expected = 0;'");
        return false;
    }
    cpp_next(cpp);
    call->values[0] = cpp_in_register(reg, cpp->thread->registers[reg].type, token->span);
    return true;
}

// The argument of __scoped_atomic_compare_exchange_n that says whether it may fail for no reason.
static bool parse_weak(struct cpp *cpp) {
    const struct token *token = cpp_peek(cpp, 1);
    if (!more(cpp))
        return cpp_error_expected(cpp, "',' and 'false': whether it is weak");
    if (token_is(token, "false") || token_is(token, "0")) {
        cpp_next(cpp);
        return true;
    }
    return cpp_error_expected(cpp, "'false' (a weak operation, which may fail for no reason, is "
                                   "not modelled)");
}

static bool parse_value(struct cpp *cpp, struct cpp_call *call, unsigned index) {
    enum scalar_type type = cpp->reader->test->variables[call->variable].type;
    if (!cpp_parse_expression(cpp, &call->values[index]))
        return false;
    call->values[index] = cpp_number(cpp, call->values[index]);
    return cpp_check_width(cpp, type, &call->values[index]);
}

// arguments = value? value? orders ")"
static bool parse_arguments(struct cpp *cpp, struct cpp_call *call) {
    enum cpp_kind kind = call->operation->kind;
    if (kind == KIND_CAS &&
        (!parse_expected(cpp, call) || !cpp_expect(cpp, ',', "',' and the new value")))
        return false;
    if (kind != KIND_LOAD && !parse_value(cpp, call, kind == KIND_CAS))
        return false;
    return kind != KIND_CAS || !call->is_builtin || parse_weak(cpp);
}

// --- Instructions -------------------------------------------------------------------------------

// An order that the operation cannot have (C++ [atomics.types.operations]).
static bool check_order(struct cpp *cpp, const struct cpp_call *call) {
    bool load = call->operation->kind == KIND_LOAD, store = call->operation->kind == KIND_STORE;
    bool wrong = (load && (call->order == ORDER_RELEASE || call->order == ORDER_ACQ_REL)) ||
                 (store && (call->order == ORDER_ACQUIRE || call->order == ORDER_ACQ_REL));
    if (!wrong)
        return true;
    diag_error(diagnostics(cpp), call->order_span, "a %s cannot have the order '%s'",
               load ? "load" : "store", cpp_order_word(call->order));
    diag_hint(diagnostics(cpp),
              load ? "relaxed, acquire or seq_cst" : "relaxed, release or seq_cst");
    return false;
}

static struct instruction access_instruction(struct cpp *cpp, enum opcode opcode,
                                             const struct cpp_call *call) {
    const struct variable *variable = &cpp->reader->test->variables[call->variable];
    struct instruction instruction = instruction_new(opcode, variable->type, call->span);
    instruction.order = call->order;
    instruction.scope = call->order == ORDER_WEAK ? SCOPE_NONE : call->scope;
    instruction.space = variable->space;
    return instruction;
}

static struct cpp_value emit_load(struct cpp *cpp, const struct cpp_call *call) {
    struct instruction load = access_instruction(cpp, OP_LD, call);
    int reg = cpp_temporary(cpp, load.type, call->span);
    instruction_add(&load, operand_register(reg, call->span));
    instruction_add(&load, operand_memory(call->variable, call->span));
    cpp_emit(cpp, &load);
    return cpp_in_register(reg, load.type, call->span);
}

static void emit_store(struct cpp *cpp, const struct cpp_call *call) {
    struct instruction store = access_instruction(cpp, OP_ST, call);
    instruction_add(&store, operand_memory(call->variable, call->span));
    cpp_add_value(&store, &call->values[0]);
    cpp_emit(cpp, &store);
}

// A compare_exchange is true where it finds what it expects, and leaves what it finds in its place.
static struct cpp_value compare_expected(struct cpp *cpp, const struct cpp_call *call, int old,
                                         enum scalar_type type) {
    struct cpp_value found = cpp_in_register(old, type, call->span);
    struct instruction compare = instruction_new(OP_SETP, type, call->span);
    compare.compute.compare = COMPARE_EQ;
    struct cpp_value truth = cpp_compute(cpp, compare, TYPE_PRED, &found, &call->values[0]);
    struct instruction move = instruction_new(OP_MOV, type, call->span);
    instruction_add(&move, operand_register(call->values[0].operand.reg, call->span));
    cpp_add_value(&move, &found);
    cpp_emit(cpp, &move);
    return truth;
}

static struct cpp_value emit_atomic(struct cpp *cpp, const struct cpp_call *call) {
    enum scalar_type type = cpp->reader->test->variables[call->variable].type;
    struct cpp_value value = call->values[0];
    if (call->operation->negates)
        value = cpp_compute(cpp, instruction_new(OP_NEG, type, value.span), type, &value, NULL);
    struct instruction atomic = access_instruction(cpp, OP_ATOM, call);
    int reg = cpp_temporary(cpp, type, call->span);
    atomic.atomic = call->operation->atomic;
    instruction_add(&atomic, operand_register(reg, call->span));
    instruction_add(&atomic, operand_memory(call->variable, call->span));
    cpp_add_value(&atomic, &value);
    if (call->operation->kind == KIND_CAS)
        cpp_add_value(&atomic, &call->values[1]);
    cpp_emit(cpp, &atomic);
    return call->operation->kind == KIND_CAS ? compare_expected(cpp, call, reg, type)
                                             : cpp_in_register(reg, type, call->span);
}

static void emit_call(struct cpp *cpp, const struct cpp_call *call, struct cpp_value *value,
                      bool *has_value) {
    *has_value = call->operation->kind != KIND_STORE;
    switch (call->operation->kind) {
    case KIND_LOAD: *value = emit_load(cpp, call); break;
    case KIND_STORE: emit_store(cpp, call); break;
    case KIND_RMW:
    case KIND_CAS: *value = emit_atomic(cpp, call); break;
    }
}

// --- Plain accesses -----------------------------------------------------------------------------

static struct cpp_call plain_call(struct cpp *cpp, int variable, struct span span) {
    const struct variable *named = &cpp->reader->test->variables[variable];
    return (struct cpp_call){.variable = variable,
                             .order = named->is_atomic ? ORDER_SC : ORDER_WEAK,
                             .scope = named->atomic_scope,
                             .span = span};
}

struct cpp_value cpp_load(struct cpp *cpp, int variable, struct span span) {
    struct cpp_call call = plain_call(cpp, variable, span);
    return emit_load(cpp, &call);
}

bool cpp_store(struct cpp *cpp, int variable, const struct cpp_value *value, struct span span) {
    struct cpp_call call = plain_call(cpp, variable, span);
    call.values[0] = cpp_number(cpp, *value);
    if (!cpp_check_width(cpp, cpp->reader->test->variables[variable].type, &call.values[0]))
        return false;
    emit_store(cpp, &call);
    return true;
}

// --- Calls --------------------------------------------------------------------------------------

static const struct cpp_operation *find_operation(const char *name, size_t length) {
    for (size_t i = 0; i < OPERATIONS; i++)
        if (strlen(operations[i].name) == length && strncmp(operations[i].name, name, length) == 0)
            return &operations[i];
    return NULL;
}

static bool fail_operation(struct cpp *cpp, struct span span, const char *name) {
    const char *names[OPERATIONS];
    for (size_t i = 0; i < OPERATIONS; i++)
        names[i] = operations[i].name;
    if (strstr(name, "compare_exchange_weak")) {
        diag_error(diagnostics(cpp), span,
                   "compare_exchange_weak may fail for no reason, which is not modelled");
        diag_hint(diagnostics(cpp), "use compare_exchange_strong");
        return false;
    }
    diag_error(diagnostics(cpp), span, "there is no atomic operation '%.40s'", name);
    if (!diag_suggest(diagnostics(cpp), diag_nearest(name, strlen(name), names, OPERATIONS)))
        diag_hint(diagnostics(cpp),
                  "load, store, exchange, compare_exchange_strong, fetch_add, sub, "
                  "and, or, xor, min and max");
    return false;
}

// Reads a name and finds the variable that it means, an atomic_ref or a variable itself.
static bool parse_object(struct cpp *cpp, struct cpp_call *call) {
    if (cpp_peek(cpp, 0)->kind != TOKEN_WORD)
        return cpp_error_expected(cpp, "a variable");
    const struct token *token = cpp_next(cpp);
    const char *name = token_text(cpp->reader->arena, token);
    for (size_t i = 0; i < cpp->reference_count; i++) {
        if (strcmp(cpp->references[i].name, name) == 0) {
            call->variable = cpp->references[i].variable;
            call->scope = cpp->references[i].scope;
            call->has_scope = true;
            return true;
        }
    }
    call->variable = reader_require_variable(cpp->reader, token);
    if (call->variable < 0)
        return false;
    const struct variable *variable = &cpp->reader->test->variables[call->variable];
    call->has_scope = variable->is_atomic;
    call->scope = variable->is_atomic ? variable->atomic_scope : SCOPE_SYS;
    return true;
}

// temporary = "atomic_ref" "<" type "," scope ">" ("(" name ")" | "{" name "}")
static bool parse_temporary(struct cpp *cpp, struct cpp_call *call) {
    struct cpp_type type;
    bool failed = false;
    if (!cpp_accept_type(cpp, &type, &failed))
        return false;
    bool brace = cpp_accept(cpp, '{');
    if (!brace && !cpp_expect(cpp, '(', "'(' and a variable"))
        return false;
    if (!parse_object(cpp, call))
        return false;
    call->scope = type.scope;
    call->has_scope = true;
    return cpp_expect(cpp, brace ? '}' : ')', brace ? "'}'" : "')'");
}

// method = object "." operation "(" arguments ")"
static bool parse_method(struct cpp *cpp, struct cpp_call *call) {
    const char *name;
    cpp_qualified(cpp, 0, &name);
    bool temporary = strcmp(name, "atomic_ref") == 0;
    if (temporary ? !parse_temporary(cpp, call) : !parse_object(cpp, call))
        return false;
    if (cpp_peek(cpp, 0)->kind != TOKEN_QUALIFIER)
        return cpp_error_expected(cpp, "'.' and an atomic operation");
    const struct token *method = cpp_next(cpp);
    const char *text = token_text(cpp->reader->arena, method) + 1;
    call->operation = find_operation(text, strlen(text));
    if (!call->operation || strcmp(text, "compare_exchange") == 0)
        return fail_operation(cpp, method->span, text);
    return cpp_expect(cpp, '(', "'('");
}

// builtin = prefix operation "_n"? "(" "&" name ("," arguments)? ")"
static bool parse_builtin(struct cpp *cpp, struct cpp_call *call) {
    const struct token *function = cpp_next(cpp);
    const char *part = builtin_part(token_text(cpp->reader->arena, function));
    size_t length = strlen(part);
    bool fetches = strncmp(part, "fetch_", 6) == 0;
    if (!fetches && length > 2 && strcmp(part + length - 2, "_n") == 0)
        length -= 2;
    else if (!fetches)
        length = 0;
    call->is_builtin = true;
    call->operation = length > 0 ? find_operation(part, length) : NULL;
    if (!call->operation) {
        diag_error(diagnostics(cpp), function->span, "there is no built-in function '%s'",
                   cpp_text(cpp, function));
        diag_hint(diagnostics(cpp), "they end in load_n, store_n, exchange_n, compare_exchange_n, "
                                    "fetch_add and its like, or thread_fence");
        return false;
    }
    cpp_next(cpp); // the '('
    if (!cpp_expect(cpp, '&', "'&' and a variable") || !parse_object(cpp, call))
        return false;
    call->has_scope = false;
    return call->operation->kind == KIND_LOAD || cpp_expect(cpp, ',', "',' and a value");
}

// An order without a value before it: load(order, scope).
static bool parse_load_orders(struct cpp *cpp, struct cpp_call *call) {
    if (token_is_punct(cpp_peek(cpp, 0), ')'))
        return true;
    if (!parse_order(cpp, &call->order, &call->order_span))
        return false;
    if (!token_is_punct(cpp_peek(cpp, 0), ','))
        return true;
    if (call->has_scope)
        return cpp_error_expected(cpp, "')': the scope is that of the object's type");
    more(cpp);
    return cpp_parse_scope(cpp, &call->scope);
}

static bool parse_access(struct cpp *cpp, bool builtin, struct cpp_value *value, bool *has_value) {
    const struct token *first = cpp_peek(cpp, 0);
    struct cpp_call call = {.order = ORDER_SC, .span = first->span, .order_span = first->span};
    if (builtin ? !parse_builtin(cpp, &call) : !parse_method(cpp, &call))
        return false;
    bool plain_load = call.operation->kind == KIND_LOAD && !builtin;
    if (plain_load ? !parse_load_orders(cpp, &call)
                   : !parse_arguments(cpp, &call) || !parse_orders(cpp, &call))
        return false;
    if (!cpp_expect(cpp, ')', "')'"))
        return false;
    call.span = cpp_span_from(cpp, first);
    if (!check_order(cpp, &call))
        return false;
    emit_call(cpp, &call, value, has_value);
    return true;
}

static void emit_fence(struct cpp *cpp, enum access_order order, enum scope scope,
                       struct span span) {
    struct instruction fence = instruction_new(OP_FENCE, TYPE_NONE, span);
    fence.order = order;
    fence.scope = scope;
    if (order != ORDER_RELAXED) // "has no effects" (C++ [atomics.fences])
        cpp_emit(cpp, &fence);
}

// fence = name "(" order ("," scope)? ")"
static bool parse_fence(struct cpp *cpp, size_t tokens) {
    const struct token *first = cpp_peek(cpp, 0);
    enum access_order order;
    enum scope scope = SCOPE_SYS;
    struct span span;
    cpp->at += tokens + 1;
    if (!parse_order(cpp, &order, &span) || (more(cpp) && !cpp_parse_scope(cpp, &scope)) ||
        !cpp_expect(cpp, ')', "')'"))
        return false;
    emit_fence(cpp, order, scope, cpp_span_from(cpp, first));
    return true;
}

// A function without arguments: __threadfence(), __syncthreads().
static bool parse_intrinsic(struct cpp *cpp, const char *name) {
    const struct token *first = cpp_next(cpp);
    cpp_next(cpp); // the '('
    if (!cpp_expect(cpp, ')', "')'"))
        return false;
    struct span span = cpp_span_from(cpp, first);
    if (threadfence_scope(name) != SCOPE_NONE) {
        emit_fence(cpp, ORDER_SC, threadfence_scope(name), span);
        return true;
    }
    struct instruction barrier = instruction_new(OP_BAR, TYPE_NONE, span);
    barrier.barrier = BARRIER_SYNC;
    instruction_add(&barrier, operand_number(0, span));
    cpp_emit(cpp, &barrier);
    return true;
}

bool cpp_parse_call(struct cpp *cpp, struct cpp_value *value, bool *has_value) {
    const char *name;
    size_t tokens = cpp_qualified(cpp, 0, &name);
    const char *part = builtin_part(name);
    *has_value = false;
    if (strcmp(name, "atomic_thread_fence") == 0 || (part && strcmp(part, "thread_fence") == 0))
        return parse_fence(cpp, tokens);
    if (threadfence_scope(name) != SCOPE_NONE || strcmp(name, "__syncthreads") == 0)
        return parse_intrinsic(cpp, name);
    return parse_access(cpp, part != NULL, value, has_value);
}
