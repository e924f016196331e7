// Types and names of cat expressions. Functions are expanded where they are called; relations and
// sets never mix without an operator that says how.
#include "model/cat/check.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

// Bounds that keep a text of functions that call functions from growing without end.
enum { DEPTH_MAX = 1000, EXPANDED_MAX = 50000 };

static const struct cat_value error_value = {.kind = VALUE_ERROR};

// --- Messages ----------------------------------------------------------------------------------

// An error; inside a function, its hint names the call.
__attribute__((format(printf, 3, 4))) static struct cat_value
fail(struct checker *checker, struct span span, const char *format, ...) {
    va_list args;
    va_start(args, format);
    diag_error(checker->diagnostics, span, "%s", arena_vformat(checker->arena, format, args));
    va_end(args);
    if (checker->frame && checker->frame->call) {
        struct span call = checker->frame->call->span;
        struct position position = source_position(call.source, call.begin);
        diag_hint(checker->diagnostics, "in the call of '%s' at line %u, column %u",
                  checker->frame->function->name.text, position.line, position.column);
    }
    return error_value;
}

// A hint for the last error, where the call is not the hint already.
__attribute__((format(printf, 2, 3))) static void hint(struct checker *checker, const char *format,
                                                       ...) {
    if (checker->frame && checker->frame->call)
        return;
    va_list args;
    va_start(args, format);
    diag_hint(checker->diagnostics, "%s", arena_vformat(checker->arena, format, args));
    va_end(args);
}

// The expression in quotes when it is short.
static const char *quoted(struct checker *checker, struct span span) {
    const char *text = span.source->text + span.begin;
    size_t length = span.end - span.begin;
    if (length > 40 || memchr(text, '\n', length))
        return "this";
    return arena_format(checker->arena, "'%.*s'", (int)length, text);
}

static const char *kind_name(enum value_kind kind) {
    return kind == VALUE_SET ? "set" : "relation";
}

static const char *op_mark(enum node_op op) {
    static const char *const marks[NODE_RECURSION + 1] = {
        [NODE_UNION] = "'|'",      [NODE_INTERSECTION] = "'&'", [NODE_DIFFERENCE] = "'\\'",
        [NODE_COMPLEMENT] = "'~'", [NODE_SEQUENCE] = "';'",     [NODE_PRODUCT] = "'*'",
        [NODE_INVERSE] = "'^-1'",  [NODE_PLUS] = "'+'",         [NODE_STAR] = "postfix '*'",
        [NODE_OPTION] = "'?'",     [NODE_IDENTITY] = "'[...]'", [NODE_DOMAIN] = "'domain'",
        [NODE_RANGE] = "'range'"};
    if (!marks[op])
        bug("operator %d has no mark", (int)op);
    return marks[op];
}

// --- Values ------------------------------------------------------------------------------------

static struct cat_value make(struct checker *checker, enum node_op op, enum value_kind kind,
                             unsigned left, unsigned right, struct span span) {
    assert(span.begin <= span.end);
    unsigned node = graph_node(&checker->graph, op, kind == VALUE_SET, left, right, span);
    return (struct cat_value){.kind = kind, .node = node};
}

static struct cat_value fail_function(struct checker *checker, const struct cat_expr *expr) {
    return fail(checker, expr->span, "%s is a function: it needs arguments in parentheses",
                quoted(checker, expr->span));
}

// `value` (of the text at `span`) as a set or relation, as `kind` says.
static bool convert(struct checker *checker, struct span span, struct cat_value value,
                    enum value_kind kind, const char *user, unsigned *node) {
    assert(span.begin <= span.end);
    if (value.kind == VALUE_ERROR)
        return false;
    if (value.kind == VALUE_EMPTY || value.kind == VALUE_ANY)
        value = make(checker, NODE_EMPTY, kind, 0, 0, span);
    if (value.kind != kind) {
        fail(checker, span, "%s takes a %s, but %s is a %s", user, kind_name(kind),
             quoted(checker, span), kind_name(value.kind));
        if (kind == VALUE_SET)
            hint(checker, "domain(...) and range(...) are the sets of a relation's ends");
        else
            hint(checker, "[...] makes a set the identity relation on it, _ * _ all pairs");
        return false;
    }
    *node = value.node;
    return true;
}

// check_expr, with functions refused.
static struct cat_value check_operand(struct checker *checker, const struct cat_expr *expr) {
    struct cat_value value = check_expr(checker, expr);
    if (value.kind == VALUE_FUNCTION || value.kind == VALUE_PRIMITIVE)
        return fail_function(checker, expr);
    return value;
}

bool check_wanted(struct checker *checker, const struct cat_expr *expr, enum value_kind kind,
                  const char *user, unsigned *node) {
    struct cat_value value = check_operand(checker, expr);
    if (kind == VALUE_ANY)
        kind = value.kind == VALUE_SET ? VALUE_SET : VALUE_RELATION;
    return convert(checker, expr->span, value, kind, user, node);
}

// A recursive definition must grow with its value, or there is no least fixed point. Refuses what
// depends on an open one as the operand of '~' or on the right side of '\'.
static bool is_growing(struct checker *checker, struct cat_value value, const struct cat_expr *expr,
                       const char *where) {
    bool known = value.kind == VALUE_SET || value.kind == VALUE_RELATION;
    if (!known || !graph_is_open(&checker->graph, value.node))
        return true;
    fail(checker, expr->span, "%s is still being defined: it cannot be used %s",
         quoted(checker, expr->span), where);
    hint(checker, "a recursive definition must grow with its value");
    return false;
}

// --- Operators ---------------------------------------------------------------------------------

static struct cat_value check_unary(struct checker *checker, enum node_op op,
                                    const struct cat_expr *operand, struct span span) {
    assert(span.begin <= span.end);
    bool of_set = op == NODE_IDENTITY;
    bool to_set = op == NODE_DOMAIN || op == NODE_RANGE;
    unsigned node = 0;
    if (!check_wanted(checker, operand, of_set ? VALUE_SET : VALUE_RELATION, op_mark(op), &node))
        return error_value;
    return make(checker, op, to_set ? VALUE_SET : VALUE_RELATION, node, 0, span);
}

static struct cat_value check_complement(struct checker *checker, const struct cat_expr *expr) {
    struct cat_value value = check_operand(checker, expr->operands[0]);
    if (value.kind == VALUE_ERROR || !is_growing(checker, value, expr->operands[0], "under '~'"))
        return error_value;
    if (value.kind == VALUE_ANY)
        return value;
    if (value.kind == VALUE_EMPTY)
        value = make(checker, NODE_EMPTY, VALUE_RELATION, 0, 0, expr->span);
    return make(checker, NODE_COMPLEMENT, value.kind, value.node, 0, expr->span);
}

// Operands from the left, each of which must be of `kind`: r ; s ; t, or A * B.
static struct cat_value check_chain(struct checker *checker, const struct cat_expr *expr,
                                    enum value_kind kind) {
    struct cat_value result = check_operand(checker, expr->operands[0]);
    struct span span = expr->operands[0]->span;
    for (size_t i = 1; i < expr->count; i++) {
        unsigned left = 0, right = 0;
        bool left_ok = convert(checker, span, result, kind, op_mark(expr->op), &left);
        bool right_ok = check_wanted(checker, expr->operands[i], kind, op_mark(expr->op), &right);
        span = span_join(span, expr->operands[i]->span);
        result = left_ok && right_ok ? make(checker, expr->op, VALUE_RELATION, left, right, span)
                                     : error_value;
    }
    return result;
}

static const char *joiner(struct checker *checker, const struct cat_expr *expr) {
    if (expr->kind == CAT_EXPR_CONDITIONAL)
        return "'if' chooses between";
    return arena_format(checker->arena, "%s joins", op_mark(expr->op));
}

// The common kind of the operands of '|', '&', '\' or 'if': ANY and EMPTY go with everything.
static enum value_kind common_kind(struct checker *checker, const struct cat_expr *expr,
                                   const struct cat_value *values) {
    enum value_kind kind = VALUE_EMPTY;
    size_t first = 0;
    for (size_t i = 0; i < expr->count; i++) {
        enum value_kind other = values[i].kind;
        if (other == VALUE_ERROR)
            return VALUE_ERROR;
        if (other == VALUE_EMPTY || (other == VALUE_ANY && kind != VALUE_EMPTY) || other == kind)
            continue;
        if (kind == VALUE_EMPTY || kind == VALUE_ANY) {
            kind = other;
            first = i;
            continue;
        }
        fail(checker, expr->operands[i]->span,
             "%s two sets or two relations, but %s is a %s and %s is a %s", joiner(checker, expr),
             quoted(checker, expr->operands[first]->span), kind_name(kind),
             quoted(checker, expr->operands[i]->span), kind_name(other));
        hint(checker, "[...] makes a set the identity relation on it");
        return VALUE_ERROR;
    }
    return kind;
}

static struct cat_value check_joined(struct checker *checker, const struct cat_expr *expr) {
    struct cat_value *values = ARENA_ARRAY(checker->arena, struct cat_value, expr->count);
    for (size_t i = 0; i < expr->count; i++) {
        values[i] = check_operand(checker, expr->operands[i]);
        if (expr->op == NODE_DIFFERENCE && i > 0 &&
            !is_growing(checker, values[i], expr->operands[i], "on the right side of '\\'"))
            values[i] = error_value;
    }
    enum value_kind kind = common_kind(checker, expr, values);
    if (kind != VALUE_SET && kind != VALUE_RELATION)
        return (struct cat_value){.kind = kind};
    unsigned result = 0, operand = 0;
    struct span span = expr->operands[0]->span;
    convert(checker, span, values[0], kind, op_mark(expr->op), &result);
    for (size_t i = 1; i < expr->count; i++) {
        convert(checker, expr->operands[i]->span, values[i], kind, op_mark(expr->op), &operand);
        span = span_join(span, expr->operands[i]->span);
        result = graph_node(&checker->graph, expr->op, kind == VALUE_SET, result, operand, span);
    }
    return (struct cat_value){.kind = kind, .node = result};
}

static struct cat_value check_operator(struct checker *checker, const struct cat_expr *expr) {
    switch (expr->op) {
    case NODE_EMPTY: return (struct cat_value){.kind = VALUE_EMPTY};
    case NODE_UNIVERSE: return make(checker, NODE_UNIVERSE, VALUE_SET, 0, 0, expr->span);
    case NODE_UNION:
    case NODE_INTERSECTION:
    case NODE_DIFFERENCE: return check_joined(checker, expr);
    case NODE_COMPLEMENT: return check_complement(checker, expr);
    case NODE_SEQUENCE: return check_chain(checker, expr, VALUE_RELATION);
    case NODE_PRODUCT: return check_chain(checker, expr, VALUE_SET);
    case NODE_INVERSE:
    case NODE_PLUS:
    case NODE_STAR:
    case NODE_OPTION:
    case NODE_IDENTITY: return check_unary(checker, expr->op, expr->operands[0], expr->span);
    default: bug("the parser made an expression of operator %d", (int)expr->op);
    }
}

// --- Names -------------------------------------------------------------------------------------

static void hint_nearest(struct checker *checker, struct cat_name name) {
    const struct cat_scope *scope = &checker->scope;
    size_t length = strlen(name.text);
    if (checker->diagnostics->count == DIAGNOSTICS_KEPT)
        return; // it would not be seen
    const char **candidates = ARENA_ARRAY(checker->arena, const char *, scope->count);
    for (size_t i = 0; i < scope->count; i++)
        candidates[i] = scope->definitions[i].name;
    const char *nearest = diag_nearest(name.text, length, candidates, scope->count);
    if (length > 2 && strcmp(name.text + length - 2, "-1") == 0) // '-' and digits are in names
        hint(checker, "the inverse of r is written r^-1");
    else if (nearest)
        hint(checker, "did you mean '%s'?", nearest);
}

static struct cat_value check_name(struct checker *checker, struct cat_name name) {
    const struct check_frame *frame = checker->frame;
    for (size_t i = 0; frame && i < frame->function->parameter_count; i++)
        if (strcmp(frame->function->parameters[i].text, name.text) == 0)
            return frame->arguments[i];
    size_t visible = frame ? frame->visible : checker->scope.count;
    const struct cat_value *value = scope_find(&checker->scope, name.text, visible);
    if (value)
        return *value;
    fail(checker, name.span, "unknown name %s", quoted(checker, name.span));
    hint_nearest(checker, name);
    return error_value;
}

// --- Variants ----------------------------------------------------------------------------------

bool variants_have(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool is_chosen(struct checker *checker, const char *variant) {
    struct variants *variants = &checker->variants;
    if (!variants_have(variants->tested, variants->tested_count, variant))
        ARENA_APPEND(checker->arena, variants->tested, variants->tested_count, variant);
    return variants_have(variants->chosen, variants->chosen_count, variant);
}

// Both branches are checked, so that a text has no errors that only a variant shows, and they must
// be of one kind.
static struct cat_value check_conditional(struct checker *checker, const struct cat_expr *expr) {
    struct cat_value values[2];
    bool chosen = is_chosen(checker, expr->name.text);
    for (size_t i = 0; i < 2; i++)
        values[i] = check_operand(checker, expr->operands[i]);
    enum value_kind kind = common_kind(checker, expr, values);
    struct cat_value value = values[chosen ? 0 : 1];
    if (kind == VALUE_ERROR)
        return error_value;
    // A branch without a kind of its own is of the other's.
    if (value.kind != kind && (kind == VALUE_SET || kind == VALUE_RELATION))
        return make(checker, NODE_EMPTY, kind, 0, 0, expr->span);
    return value;
}

// --- Calls -------------------------------------------------------------------------------------

static bool has_arguments(struct checker *checker, const struct cat_expr *call, size_t wanted) {
    if (call->count == wanted)
        return true;
    fail(checker, call->span, "'%s' takes %zu argument%s, not %zu", call->name.text, wanted,
         wanted == 1 ? "" : "s", call->count);
    return false;
}

// The body of the function, with the values of the arguments for its parameters. While another
// function is checked at its definition, only the arguments are.
static struct cat_value expand(struct checker *checker, const struct cat_expr *call,
                               struct cat_value function) {
    struct cat_value *arguments = ARENA_ARRAY(checker->arena, struct cat_value, call->count);
    if (!has_arguments(checker, call, function.function->parameter_count))
        return error_value;
    for (size_t i = 0; i < call->count; i++) {
        arguments[i] = check_operand(checker, call->operands[i]);
        if (arguments[i].kind == VALUE_ERROR)
            return error_value;
    }
    if (checker->frame && !checker->frame->call)
        return (struct cat_value){.kind = VALUE_ANY}; // its own check is done, its kind depends
    struct check_frame frame = {.function = function.function,
                                .arguments = arguments,
                                .visible = function.visible,
                                .call = call,
                                .caller = checker->frame};
    checker->frame = &frame;
    struct cat_value result = check_operand(checker, function.function->body);
    checker->frame = frame.caller;
    return result;
}

static struct cat_value check_call(struct checker *checker, const struct cat_expr *call) {
    struct cat_value function = check_name(checker, call->name);
    switch (function.kind) {
    case VALUE_ERROR: return function;
    case VALUE_FUNCTION: return expand(checker, call, function);
    case VALUE_PRIMITIVE:
        if (!has_arguments(checker, call, 1))
            return error_value;
        return check_unary(checker, function.primitive, call->operands[0], call->span);
    default:
        fail(checker, call->name.span, "'%s' is not a function", call->name.text);
        hint(checker, "is an operator missing before the '('?");
        return error_value;
    }
}

// --- Doors -------------------------------------------------------------------------------------

static struct cat_value check_within_bounds(struct checker *checker, const struct cat_expr *expr) {
    if (checker->frame && checker->frame->call && ++checker->expanded >= EXPANDED_MAX) {
        if (checker->expanded > EXPANDED_MAX)
            return error_value; // said once
        return fail(checker, expr->span, "the functions of this text expand to too much");
    }
    if (checker->depth > DEPTH_MAX)
        return fail(checker, expr->span, "the functions of this text call each other too deeply");
    switch (expr->kind) {
    case CAT_EXPR_NAME: return check_name(checker, expr->name);
    case CAT_EXPR_CALL: return check_call(checker, expr);
    case CAT_EXPR_CONDITIONAL: return check_conditional(checker, expr);
    default: return check_operator(checker, expr);
    }
}

struct cat_value check_expr(struct checker *checker, const struct cat_expr *expr) {
    checker->depth++;
    struct cat_value value = check_within_bounds(checker, expr);
    checker->depth--;
    return value;
}

struct cat_value check_function(struct checker *checker, const struct cat_binding *binding) {
    struct cat_value *arguments =
        ARENA_ARRAY(checker->arena, struct cat_value, binding->parameter_count);
    for (size_t i = 0; i < binding->parameter_count; i++)
        arguments[i].kind = VALUE_ANY;
    struct check_frame frame = {
        .function = binding, .arguments = arguments, .visible = checker->scope.count};
    checker->frame = &frame;
    struct cat_value body = check_operand(checker, binding->body);
    checker->frame = NULL;
    if (body.kind == VALUE_ERROR)
        return body;
    return (struct cat_value){
        .kind = VALUE_FUNCTION, .function = binding, .visible = checker->scope.count};
}
