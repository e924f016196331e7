// Conditions: comparisons and their connectives.
#include "litmus/readers/frame.h"
#include "litmus/readers/tail.h"

#include "litmus/source/arena.h"

#include <assert.h>

static struct condition *new_condition(struct frame *frame, enum condition_kind kind,
                                       struct span first) {
    assert(first.begin <= first.end);
    struct condition *condition = ARENA_NEW(frame->arena, struct condition);
    condition->kind = kind;
    condition->span = span_join(first, frame_after_previous(frame));
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
static void check_fits(struct frame *frame, const struct term *constant, const struct term *other) {
    unsigned bits = frame_term_bits(frame->test, other);
    if (constant->kind != TERM_CONSTANT || bits == 0 ||
        frame_constant_fits(constant->constant, constant->negative, bits))
        return;
    diag_error(frame->diagnostics, constant->span, "'%s' does not fit the %u bits of '%s'",
               frame_span_text(frame, constant->span), bits, frame_span_text(frame, other->span));
}

// The bits of a floating-point number, in the type of what it is compared with.
static void resolve_number(struct frame *frame, const struct float_number *number,
                           struct term *term, const struct term *other, enum compare_op compare) {
    unsigned bits = frame_term_bits(frame->test, other);
    if (!number->token)
        return;
    if (other->kind == TERM_CONSTANT || other->kind == TERM_ADDRESS) {
        diag_error(frame->diagnostics, term->span,
                   "a floating-point number is compared with a register or a variable");
    } else if (compare != COMPARE_EQ && compare != COMPARE_NE) {
        diag_error(frame->diagnostics, term->span,
                   "floating-point numbers are their bits here, which are equal or not");
        diag_hint(frame->diagnostics, "compare with '==' or '!=', or in the program, with 'setp'");
    } else if (bits != 0) { // else the name is an error
        frame_float_bits(frame, number, frame_term_type(frame->test, other), bits, &term->constant);
    }
}

// A term, or a floating-point number, which needs to know what it is compared with.
static bool parse_side(struct frame *frame, const struct term *left, struct term *term,
                       struct float_number *number) {
    *number = (struct float_number){0};
    if (frame->test->dialect != DIALECT_PTX || !frame_parse_number(frame, number))
        return frame_parse_term(frame, left, term);
    *term = (struct term){
        .kind = TERM_CONSTANT, .span = number->span, .thread = -1, .reg = -1, .variable = -1};
    return true;
}

// comparison = side ("=" | "==" | "!=" | "<" | "<=" | ">" | ">=") side | "true" | "false"
// side = term | float
static struct condition *parse_comparison(struct frame *frame) {
    const struct token *first = frame_current(frame);
    struct term lhs, rhs;
    struct float_number left_number, right_number;
    bool is_true = token_is(first, "true"), is_false = token_is(first, "false");
    if ((is_true || is_false) && compare_of(frame_peek(frame, 1)) == COMPARE_NONE) {
        frame_next(frame);
        return new_condition(frame, is_true ? CONDITION_TRUE : CONDITION_FALSE, first->span);
    }
    if (!parse_side(frame, NULL, &lhs, &left_number))
        return NULL;
    enum compare_op compare = compare_of(frame_current(frame));
    if (compare == COMPARE_NONE) {
        bool is_arrow = token_is_punct(frame_current(frame), PUNCT_IMPLIES);
        frame_error_expected(frame, "a comparison");
        diag_hint(frame->diagnostics, "%s",
                  is_arrow ? "'>=' is 'at least'; '=>' joins two comparisons"
                           : "one of = == != < <= > >=");
        return NULL;
    }
    frame_next(frame);
    if (!parse_side(frame, &lhs, &rhs, &right_number))
        return NULL;
    resolve_number(frame, &left_number, &lhs, &rhs, compare);
    if (!left_number.token || !right_number.token)
        resolve_number(frame, &right_number, &rhs, &lhs, compare);
    check_fits(frame, &lhs, &rhs);
    check_fits(frame, &rhs, &lhs);
    struct condition *condition = new_condition(frame, CONDITION_COMPARE, first->span);
    condition->compare = compare;
    condition->lhs = lhs;
    condition->rhs = rhs;
    return condition;
}

// --- Connectives -------------------------------------------------------------------------------

static struct condition *parse_implication(struct frame *frame);

void frame_error_in_condition(struct frame *frame, const char *what) {
    const struct token *token = frame_current(frame);
    frame_error_expected(frame, what);
    if (token_is_punct(token, '&'))
        diag_hint(frame->diagnostics, "'and' is written '/\\', '&&' or 'and'");
    else if (token_is_punct(token, '|'))
        diag_hint(frame->diagnostics, "'or' is written '\\/', '||' or 'or'");
}

static struct condition *parse_parentheses(struct frame *frame) {
    const struct token *opener = frame_next(frame);
    struct condition *condition = parse_implication(frame);
    if (!condition || frame_accept_punct(frame, ')'))
        return condition;
    const struct token *token = frame_current(frame);
    if (token->kind == TOKEN_END || token_is_punct(token, ';') ||
        (token->line_start && frame_at_tail(frame)))
        diag_error(frame->diagnostics, opener->span, "this '(' is never closed");
    else
        frame_error_in_condition(frame, frame->test->dialect == DIALECT_NVLITMUS
                                            ? "'&&', '||' or ')'"
                                            : "'/\\', '\\/' or ')'");
    return NULL;
}

// A variable may be called 'Not'.
static bool at_not(const struct frame *frame) {
    const struct token *token = frame_current(frame);
    return token_is_punct(token, '~') || token_is_punct(token, '!') ||
           (token_is_any_case(token, "not") && compare_of(frame_peek(frame, 1)) == COMPARE_NONE);
}

static struct condition *parse_not(struct frame *frame);

// What follows a negation. In nvlitmus's grammar `not a == 1 && b == 1` may be read in two
// ways.
static struct condition *parse_negated(struct frame *frame, const struct token *negation) {
    bool clear = frame->test->dialect != DIALECT_NVLITMUS || !token_is_any_case(negation, "not") ||
                 token_is_punct(frame_current(frame), '(');
    struct condition *inner = parse_not(frame);
    const struct token *next = frame_current(frame);
    if (!inner || clear ||
        !(token_is_punct(next, PUNCT_AND_AND) || token_is_punct(next, PUNCT_OR_OR)))
        return inner;
    diag_error(frame->diagnostics, negation->span, "it is not clear how far this 'not' reaches");
    diag_hint(frame->diagnostics, "write parentheses around what it negates");
    return NULL;
}

// not = ("~" | "!" | "not") not | "(" implication ")" | comparison
// ("not", "and" and "or" in any case)
static struct condition *parse_not(struct frame *frame) {
    const struct token *first = frame_current(frame);
    bool is_not = at_not(frame), is_open = token_is_punct(first, '(');
    if (!is_not && !is_open)
        return parse_comparison(frame);
    if (frame->depth == CONDITION_DEPTH_MAX) {
        diag_error(frame->diagnostics, first->span, "the condition is nested more than %d deep",
                   CONDITION_DEPTH_MAX);
        return NULL;
    }
    frame->depth++;
    struct condition *inner;
    if (is_open) {
        inner = parse_parentheses(frame);
    } else {
        frame_next(frame);
        inner = parse_negated(frame, first);
    }
    frame->depth--;
    if (!inner || is_open)
        return inner;
    struct condition *condition = new_condition(frame, CONDITION_NOT, first->span);
    condition->left = inner;
    return condition;
}

struct condition *frame_join_conditions(struct frame *frame, enum condition_kind kind,
                                        struct condition **operands, size_t count) {
    if (count == 1)
        return operands[0];
    struct condition *condition = ARENA_NEW(frame->arena, struct condition);
    condition->kind = kind;
    condition->left = frame_join_conditions(frame, kind, operands, count / 2);
    condition->right = frame_join_conditions(frame, kind, operands + count / 2, count - count / 2);
    condition->span = span_join(condition->left->span, condition->right->span);
    return condition;
}

static bool accept_connective(struct frame *frame, enum condition_kind kind) {
    const struct token *token = frame_current(frame);
    bool is_and = token_is_punct(token, PUNCT_WEDGE) || token_is_punct(token, PUNCT_AND_AND) ||
                  token_is_any_case(token, "and");
    bool is_or = token_is_punct(token, PUNCT_VEE) || token_is_punct(token, PUNCT_OR_OR) ||
                 token_is_any_case(token, "or");
    bool found = kind == CONDITION_AND ? is_and : is_or;
    if (found)
        frame_next(frame);
    return found;
}

static struct condition *parse_chain(struct frame *frame, enum condition_kind kind,
                                     struct condition *(*parse_operand)(struct frame *)) {
    struct condition **operands = NULL;
    size_t count = 0;
    do {
        struct condition *operand = parse_operand(frame);
        if (!operand)
            return NULL;
        ARENA_APPEND(frame->arena, operands, count, operand);
    } while (accept_connective(frame, kind));
    return frame_join_conditions(frame, kind, operands, count);
}

// and = not (("/\" | "&&" | "and") not)*
static struct condition *parse_and(struct frame *frame) {
    return parse_chain(frame, CONDITION_AND, parse_not);
}

// or = and (("\/" | "||" | "or") and)*
static struct condition *parse_or(struct frame *frame) {
    return parse_chain(frame, CONDITION_OR, parse_and);
}

// implication = or ("=>" or)*
// `a => b => c` is a => (b => c), as in herd, and that is ~a \/ ~b \/ c: one chain.
static struct condition *parse_implication(struct frame *frame) {
    struct condition **operands = NULL;
    size_t count = 0;
    for (;;) {
        struct condition *operand = parse_or(frame);
        if (!operand)
            return NULL;
        ARENA_APPEND(frame->arena, operands, count, operand);
        if (!frame_accept_punct(frame, PUNCT_IMPLIES))
            break;
        struct condition *negation = ARENA_NEW(frame->arena, struct condition);
        negation->kind = CONDITION_NOT;
        negation->span = operand->span;
        negation->left = operand;
        operands[count - 1] = negation;
    }
    return frame_join_conditions(frame, CONDITION_OR, operands, count);
}

struct condition *frame_parse_condition(struct frame *frame) {
    frame->depth = 0;
    return parse_implication(frame);
}
