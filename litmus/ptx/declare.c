// Directives inside a body: declarations of registers and variables, and what compilers leave for
// debuggers.
#include "litmus/ptx/body.h"
#include "litmus/ptx/calls.h"
#include "litmus/ptx/registers.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

enum { RANGES_MAX = 100 }; // a lookup goes through all of them

// --- .reg --------------------------------------------------------------------------------------

static bool error_here(struct body *body, const char *what) {
    const struct token *token = body->at;
    if (token >= body->end)
        diag_error(body->diagnostics, token->span, "%s is missing here", what);
    else
        diag_error(body->diagnostics, token->span, "expected %s, not '%s'", what,
                   token_text(body->arena, token));
    return false;
}

// range = name "<" integer ">"
static bool declare_range(struct body *body, const struct token *name, enum scalar_type type) {
    assert((unsigned)type <= TYPE_F64);
    body->at++;
    const struct token *count = body->at;
    if (count->kind != TOKEN_INTEGER)
        return error_here(body, "the number of registers");
    if (count->overflow || count->value.high || count->value.low == 0 ||
        count->value.low > UINT32_MAX)
        return diag_error(body->diagnostics, count->span, "'%s' is not a number of registers",
                          token_text(body->arena, count));
    body->at++;
    if (!token_is_punct(body->at, '>'))
        return error_here(body, "'>'");
    body->at++;
    for (size_t i = 0; i < body->range_count; i++) {
        const struct register_range *other = &body->ranges[i];
        if (other->depth != body->depth ||
            strcmp(test_register_key(other->prefix),
                   test_register_key(token_text(body->arena, name))) != 0)
            continue;
        diag_error(body->diagnostics, name->span, "registers '%s' are declared twice",
                   token_text(body->arena, name));
        diag_hint(body->diagnostics, "the first declaration is on line %u", span_line(other->span));
        return false;
    }
    if (body->range_count == RANGES_MAX)
        return diag_error(body->diagnostics, name->span,
                          "a body declares at most %d ranges of registers", RANGES_MAX);
    ARENA_APPEND(body->arena, body->ranges, body->range_count,
                 (struct register_range){.prefix = token_text(body->arena, name),
                                         .count = count->value.low,
                                         .type = type,
                                         .depth = body->depth,
                                         .span = span_join(name->span, body->at[-1].span)});
    return true;
}

// What the current block knows under this name already: a place, or a span without a source.
static struct span earlier_place(struct body *body, const char *name, bool *declared) {
    for (size_t i = 0; i < body->local_count; i++)
        if (body->locals[i].depth == body->depth &&
            strcmp(body->locals[i].key, test_register_key(name)) == 0)
            return body->thread->registers[body->locals[i].reg].span;
    const struct register_range *range = ptx_register_range(body, name);
    if (range && range->depth == body->depth)
        return range->span;
    int known = body->depth == 0 ? reader_find_register(body->thread, name) : -1;
    if (known < 0)
        return (struct span){0};
    *declared = ptx_register_facts(body, known)->declared;
    return body->thread->registers[known].span;
}

static bool declare_named(struct body *body, const char *name, const struct token *token,
                          enum scalar_type type) {
    assert((unsigned)type <= TYPE_F64);
    bool declared = true;
    struct span earlier = earlier_place(body, name, &declared);
    if (!earlier.source)
        return ptx_declare_register(body, name, token->span, type, body->depth) >= 0;
    diag_error(body->diagnostics, token->span,
               declared ? "register '%s' is declared twice"
                        : "register '%s' is declared after its first use",
               name);
    struct position place = source_position(earlier.source, earlier.begin);
    diag_hint(body->diagnostics, "the first %s is on line %u, column %u",
              declared ? "declaration" : "use", place.line, place.column);
    return false;
}

// One register, or the elements of a vector register.
static bool declare_register(struct body *body, const struct token *token, enum scalar_type type,
                             unsigned vector) {
    assert((unsigned)type <= TYPE_F64);
    const char *name = token_text(body->arena, token);
    if (ptx_is_special(name))
        return diag_error(body->diagnostics, token->span, "'%s' is a special register", name);
    if (vector == 1)
        return declare_named(body, name, token, type);
    for (unsigned i = 0; i < vector; i++)
        if (!declare_named(body, ptx_vector_element(body, name, i), token, type))
            return false;
    return true;
}

// PTX ISA 5.4.2: vectors have 2 or 4 elements, and 128 bits at most.
static bool check_vector(struct body *body, struct span span, enum scalar_type type,
                         unsigned vector) {
    assert(span.begin <= span.end);
    assert((unsigned)type <= TYPE_F64);
    unsigned bits = scalar_type_bits(type) * vector;
    if (vector == 1 || (vector <= 4 && bits <= 128 && type != TYPE_PRED))
        return true;
    if (type == TYPE_PRED)
        diag_error(body->diagnostics, span, "predicates do not come in vectors");
    else
        diag_error(body->diagnostics, span,
                   "a vector register has 2 or 4 elements and 128 bits at "
                   "most");
    return false;
}

// reg = ".reg" (".v2" | ".v4")? type register ("," register)* ";"
// register = name | name "<" integer ">"
static bool parse_reg(struct body *body) {
    body->at++;
    const struct token *first = body->at;
    const struct qualifier *vector = NULL;
    if (first->kind == TOKEN_QUALIFIER)
        vector = ptx_qualifier(CLASS_VECTOR, token_text(body->arena, first));
    body->at += vector != NULL;
    const struct token *token = body->at;
    const char *spelling = token->kind == TOKEN_QUALIFIER ? token_text(body->arena, token) : "";
    const struct qualifier *type = ptx_qualifier(CLASS_TYPE, spelling);
    unsigned size = vector ? (unsigned)vector->value : 1;
    if (!type)
        return error_here(body, "the type of the registers");
    if (type->value == TYPE_BF16 || type->value == TYPE_BF16X2) { // PTX ISA 5.2.3
        diag_error(body->diagnostics, token->span, "no register is declared '%s'", spelling);
        diag_hint(body->diagnostics, "declare it '.b%u'",
                  scalar_type_bits((enum scalar_type)type->value));
        return false;
    }
    if (type->value == TYPE_B128) // PTX ISA 5.2.1
        reader_need(body->reader,
                    (struct need){.span = token->span, .words = "'.b128'", .ptx = 83, .sm = 70});
    body->at++;
    if (!check_vector(body, span_join(first->span, token->span), (enum scalar_type)type->value,
                      size))
        return false;
    for (;; body->at++) {
        const struct token *name = body->at;
        if (name->kind != TOKEN_WORD)
            return error_here(body, "the name of a register");
        body->at++;
        bool is_range = token_is_punct(body->at, '<');
        if (is_range && vector)
            return diag_error(body->diagnostics, name->span,
                              "ranges of vector registers are not read");
        bool fine = is_range ? declare_range(body, name, (enum scalar_type)type->value)
                             : declare_register(body, name, (enum scalar_type)type->value, size);
        if (!fine)
            return false;
        if (!token_is_punct(body->at, ','))
            break;
    }
    return body->at >= body->end || error_here(body, "';' or ','");
}

// --- All directives ----------------------------------------------------------------------------

bool ptx_is_line_directive(const struct token *token) {
    return token_is(token, ".loc") || token_is(token, ".loc_intermediate") ||
           token_is(token, ".file");
}

bool ptx_is_directive(const struct token *token) {
    return token_is(token, ".reg") || token_is(token, ".pragma") || ptx_is_line_directive(token);
}

// A variable of a block inside the body, or of a function, is known there alone.
static bool declare_variables(struct body *body) {
    const struct token *first = body->at;
    struct test *test = body->reader->test;
    size_t known = test->variable_count;
    bool own = token_is(first, ".local") || token_is(first, ".param");
    const char *suffix = NULL;
    body->at = body->end;
    if (body->calls > 0 && !own) {
        diag_error(body->diagnostics, first->span,
                   "functions can only declare .reg, .local and .param variables");
        diag_hint(body->diagnostics, "declare it before the threads");
        return false;
    }
    if (own && body->depth > 0)
        suffix = arena_format(body->arena, "@%zu", known);
    bool fine = reader_declare_in_body(body->reader, body->thread, first,
                                       (size_t)(body->end - first) + 1, suffix);
    for (size_t i = known; suffix && i < test->variable_count; i++) {
        struct variable *variable = &test->variables[i];
        variable->name = arena_strndup(body->arena, variable->name, strcspn(variable->name, "@"));
        variable->is_inner = true;
        ptx_bind_variable(body, variable->name, (int)i, ROLE_VARIABLE);
    }
    return fine;
}

bool ptx_parse_directive(struct body *body) {
    static const char *const spaces[] = {".global", ".shared", ".const", ".local", ".param"};
    const struct token *token = body->at;
    if (token_is(token, ".reg"))
        return parse_reg(body);
    if (token_is(token, ".pragma")) {
        body->at = body->end;
        return true;
    }
    if (token_is(token, ".branchtargets"))
        return ptx_parse_call_list(body);
    if (body->reader->opens &&
        (token_is(token, ".calltargets") || token_is(token, ".callprototype")))
        return ptx_parse_call_list(body);
    if (token_among(token, spaces, sizeof(spaces) / sizeof(spaces[0])) >= 0)
        return declare_variables(body);
    return diag_error(body->diagnostics, token->span, "the directive '%s' is not read",
                      token_text(body->arena, token));
}
