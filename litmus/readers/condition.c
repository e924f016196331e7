// Conditions: comparisons and their connectives.
#include "litmus/readers/parse.h"

#include "litmus/source/arena.h"

static struct condition *new_condition(struct parser *parser, enum condition_kind kind,
                                       struct span first) {
    struct condition *condition = ARENA_NEW(parser->arena, struct condition);
    condition->kind = kind;
    condition->span = span_join(first, behind_previous(parser));
    return condition;
}

// --- Comparisons -------------------------------------------------------------------------------

static enum compare_op compare_of(const struct token *token) {
    switch (token->kind == TOKEN_PUNCT ? token->punct : 0) {
    case '=':
    case PUNCT_EQ: return COMPARE_EQ;
    case PUNCT_NE: return COMPARE_NE;
    case '<': return COMPARE_LT;
    case PUNCT_LE: return COMPARE_LE;
    case '>': return COMPARE_GT;
    case PUNCT_GE: return COMPARE_GE;
    default: return COMPARE_NONE;
    }
}

// A constant that the other side can never have is a slip, not a condition.
static void check_fits(struct parser *parser, const struct term *constant,
                       const struct term *other) {
    unsigned bits = term_bits(parser->test, other);
    if (constant->kind != TERM_CONSTANT || bits == 0 ||
        constant_fits(constant->constant, constant->negative, bits))
        return;
    diag_error(parser->diagnostics, constant->span, "'%s' does not fit the %u bits of '%s'",
               span_text(parser, constant->span), bits, span_text(parser, other->span));
}

// comparison = term ("=" | "==" | "!=" | "<" | "<=" | ">" | ">=") term | "true" | "false"
static struct condition *parse_comparison(struct parser *parser) {
    const struct token *first = current_token(parser);
    struct term lhs, rhs;
    bool is_true = token_is(first, "true"), is_false = token_is(first, "false");
    if ((is_true || is_false) && compare_of(peek_token(parser, 1)) == COMPARE_NONE) {
        next_token(parser);
        return new_condition(parser, is_true ? CONDITION_TRUE : CONDITION_FALSE, first->span);
    }
    if (!parse_term(parser, NULL, &lhs))
        return NULL;
    enum compare_op compare = compare_of(current_token(parser));
    if (compare == COMPARE_NONE) {
        error_expected(parser, "a comparison");
        diag_hint(parser->diagnostics, "one of = == != < <= > >=");
        return NULL;
    }
    next_token(parser);
    if (!parse_term(parser, &lhs, &rhs))
        return NULL;
    check_fits(parser, &lhs, &rhs);
    check_fits(parser, &rhs, &lhs);
    struct condition *condition = new_condition(parser, CONDITION_COMPARE, first->span);
    condition->compare = compare;
    condition->lhs = lhs;
    condition->rhs = rhs;
    return condition;
}

// --- Connectives -------------------------------------------------------------------------------

static struct condition *parse_or(struct parser *parser);

static struct condition *parse_parentheses(struct parser *parser) {
    const struct token *opener = next_token(parser);
    struct condition *condition = parse_or(parser);
    if (!condition || accept_punct(parser, ')'))
        return condition;
    const struct token *token = current_token(parser);
    if (token->kind == TOKEN_END || token_is_punct(token, ';') ||
        (token->line_start && at_tail(parser)))
        diag_error(parser->diagnostics, opener->span, "this '(' is never closed");
    else
        error_expected(parser, "'/\\', '\\/' or ')'");
    return NULL;
}

static bool at_not(const struct token *token) {
    return token_is_punct(token, '~') || token_is_punct(token, '!') || token_is(token, "not");
}

// not = ("~" | "!" | "not") not | "(" or ")" | comparison
static struct condition *parse_not(struct parser *parser) {
    const struct token *first = current_token(parser);
    bool is_not = at_not(first), is_open = token_is_punct(first, '(');
    if (!is_not && !is_open)
        return parse_comparison(parser);
    if (parser->depth == CONDITION_DEPTH_MAX) {
        diag_error(parser->diagnostics, first->span, "the condition is nested more than %d deep",
                   CONDITION_DEPTH_MAX);
        return NULL;
    }
    parser->depth++;
    struct condition *inner;
    if (is_open) {
        inner = parse_parentheses(parser);
    } else {
        next_token(parser);
        inner = parse_not(parser);
    }
    parser->depth--;
    if (!inner || is_open)
        return inner;
    struct condition *condition = new_condition(parser, CONDITION_NOT, first->span);
    condition->left = inner;
    return condition;
}

// Joins operands into a balanced tree: a chain of thousands must not make a tree that is as deep.
static struct condition *join(struct parser *parser, enum condition_kind kind,
                              struct condition **operands, size_t count) {
    if (count == 1)
        return operands[0];
    struct condition *condition = ARENA_NEW(parser->arena, struct condition);
    condition->kind = kind;
    condition->left = join(parser, kind, operands, count / 2);
    condition->right = join(parser, kind, operands + count / 2, count - count / 2);
    condition->span = span_join(condition->left->span, condition->right->span);
    return condition;
}

static bool accept_connective(struct parser *parser, enum condition_kind kind) {
    const struct token *token = current_token(parser);
    bool is_and = token_is_punct(token, PUNCT_WEDGE) || token_is_punct(token, PUNCT_AND_AND) ||
                  token_is(token, "and");
    bool is_or = token_is_punct(token, PUNCT_VEE) || token_is_punct(token, PUNCT_OR_OR) ||
                 token_is(token, "or");
    bool found = kind == CONDITION_AND ? is_and : is_or;
    if (found)
        next_token(parser);
    return found;
}

static struct condition *parse_chain(struct parser *parser, enum condition_kind kind,
                                     struct condition *(*parse_operand)(struct parser *)) {
    struct condition **operands = NULL;
    size_t count = 0;
    do {
        struct condition *operand = parse_operand(parser);
        if (!operand)
            return NULL;
        operands = arena_grow(parser->arena, operands, count, sizeof(*operands));
        operands[count++] = operand;
    } while (accept_connective(parser, kind));
    return join(parser, kind, operands, count);
}

// and = not (("/\" | "&&" | "and") not)*
static struct condition *parse_and(struct parser *parser) {
    return parse_chain(parser, CONDITION_AND, parse_not);
}

// or = and (("\/" | "||" | "or") and)*
static struct condition *parse_or(struct parser *parser) {
    return parse_chain(parser, CONDITION_OR, parse_and);
}

struct condition *parse_condition(struct parser *parser) {
    parser->depth = 0;
    return parse_or(parser);
}
