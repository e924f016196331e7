// Constant expressions: parsing and evaluation in one pass, as C does it with 64 bits (PTX
// ISA 4.5.4 to 4.5.6).
#include "litmus/ptx/constant.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

enum { DEPTH_MAX = 100 };

struct evaluator {
    struct arena *arena;
    struct diagnostics *diagnostics;
    const struct token *at;
    unsigned depth;
};

static bool parse_conditional(struct evaluator *evaluator, struct ptx_constant *result);

bool ptx_starts_constant(const struct token *token) {
    return token->kind == TOKEN_INTEGER || token_is(token, "WARP_SZ") ||
           token_is_punct(token, '-') || token_is_punct(token, '+') || token_is_punct(token, '~') ||
           token_is_punct(token, '!') || token_is_punct(token, '(');
}

bool ptx_constant_is_negative(const struct ptx_constant *constant) {
    return !constant->is_unsigned && (int64_t)constant->value < 0;
}

bool ptx_constant_fits(const struct ptx_constant *constant, unsigned bits) {
    if (bits >= 64)
        return true;
    if (bits == 1)
        return constant->value <= 1;
    if (ptx_constant_is_negative(constant))
        return (int64_t)constant->value >= -(INT64_C(1) << (bits - 1));
    return constant->value >> bits == 0;
}

struct bits128 ptx_constant_bits(const struct ptx_constant *constant) {
    bool negative = ptx_constant_is_negative(constant);
    return (struct bits128){.low = constant->value, .high = negative ? UINT64_MAX : 0};
}

static bool error_expected_constant(struct evaluator *evaluator) {
    const struct token *token = evaluator->at;
    if (token->kind == TOKEN_END || token_is_punct(token, ';'))
        diag_error(evaluator->diagnostics, token->span, "a constant is missing here");
    else
        diag_error(evaluator->diagnostics, token->span, "expected a constant, not '%s'",
                   token_text(evaluator->arena, token));
    return false;
}

static bool parse_literal(struct evaluator *evaluator, struct ptx_constant *result) {
    const struct token *token = evaluator->at;
    if (token_is(token, "WARP_SZ")) { // PTX ISA 4.4.3
        *result = (struct ptx_constant){.value = 32, .span = token->span};
        evaluator->at++;
        return true;
    }
    if (token->kind != TOKEN_INTEGER)
        return error_expected_constant(evaluator);
    if (token->overflow || token->value.high != 0) {
        diag_error(evaluator->diagnostics, token->span, "'%s' does not fit 64 bits",
                   token_text(evaluator->arena, token));
        diag_hint(evaluator->diagnostics, "PTX's integer constants have 64 bits");
        return false;
    }
    char last = token->span.source->text[token->span.end - 1];
    *result = (struct ptx_constant){.value = token->value.low,
                                    .is_unsigned = last == 'U' || token->value.low > INT64_MAX,
                                    .span = token->span};
    evaluator->at++;
    return true;
}

// "(" conditional ")", or a cast "(" (".s64" | ".u64") ")" unary
static bool parse_parenthesis(struct evaluator *evaluator, struct ptx_constant *result);

// unary = ("+" | "-" | "~" | "!") unary | "(" ... | literal | "WARP_SZ"
static bool parse_unary(struct evaluator *evaluator, struct ptx_constant *result) {
    const struct token *mark = evaluator->at;
    if (token_is_punct(mark, '('))
        return parse_parenthesis(evaluator, result);
    if (!ptx_starts_constant(mark) || mark->kind != TOKEN_PUNCT)
        return parse_literal(evaluator, result);
    if (++evaluator->depth > DEPTH_MAX)
        return diag_error(evaluator->diagnostics, mark->span, "this constant is nested too deeply");
    evaluator->at++;
    if (!parse_unary(evaluator, result))
        return false;
    evaluator->depth--;
    result->span = span_join(mark->span, result->span);
    if (mark->punct == '-') {
        bool too_small = result->is_unsigned && evaluator->at[-1].kind == TOKEN_INTEGER &&
                         mark + 1 == &evaluator->at[-1] && result->value > UINT64_C(1) << 63;
        if (too_small)
            return diag_error(evaluator->diagnostics, result->span, "'-%s' does not fit 64 bits",
                              token_text(evaluator->arena, &evaluator->at[-1]));
        result->value = -result->value;
    } else if (mark->punct == '~') {
        result->value = ~result->value;
    } else if (mark->punct == '!') {
        result->value = result->value == 0;
        result->is_unsigned = false;
    }
    return true;
}

static bool parse_parenthesis(struct evaluator *evaluator, struct ptx_constant *result) {
    const struct token *opener = evaluator->at++;
    if (++evaluator->depth > DEPTH_MAX)
        return diag_error(evaluator->diagnostics, opener->span,
                          "this constant is nested too deeply");
    bool to_unsigned = token_is(evaluator->at, ".u64");
    bool cast = to_unsigned || token_is(evaluator->at, ".s64");
    if (cast)
        evaluator->at++;
    else if (!parse_conditional(evaluator, result))
        return false;
    if (!token_is_punct(evaluator->at, ')'))
        return diag_error(evaluator->diagnostics, opener->span, "this '(' is never closed");
    struct span closer = (evaluator->at++)->span;
    if (cast && !parse_unary(evaluator, result))
        return false;
    if (cast)
        result->is_unsigned = to_unsigned;
    result->span = span_join(opener->span, cast ? result->span : closer);
    evaluator->depth--;
    return true;
}

// --- Binary operators --------------------------------------------------------------------------

// Operators of two characters that the lexer gives as two marks get codes of their own.
enum { SHIFT_LEFT = 1000, SHIFT_RIGHT };

// The operator at the current token and its precedence, 0 for none; `length` in tokens.
static int binary_operator(const struct token *at, unsigned *precedence, unsigned *length) {
    static const struct {
        int punct;
        unsigned precedence;
    } operators[] = {{PUNCT_OR_OR, 1}, {PUNCT_AND_AND, 2}, {'|', 3}, {'^', 4}, {'&', 5},
                     {PUNCT_EQ, 6},    {PUNCT_NE, 6},      {'<', 7}, {'>', 7}, {PUNCT_LE, 7},
                     {PUNCT_GE, 7},    {SHIFT_LEFT, 8},    {'+', 9}, {'-', 9}, {SHIFT_RIGHT, 8},
                     {'*', 10},        {'/', 10},          {'%', 10}};
    *precedence = 0;
    *length = 1;
    bool is_remainder = token_is(at, "%"); // to the lexer a word, as registers start with it
    if (at->kind != TOKEN_PUNCT && !is_remainder)
        return 0;
    int punct = is_remainder ? '%' : at->punct;
    bool doubled = (punct == '<' || punct == '>') && token_is_punct(at + 1, punct) &&
                   at->span.end == at[1].span.begin;
    if (doubled) {
        punct = punct == '<' ? SHIFT_LEFT : SHIFT_RIGHT;
        *length = 2;
    }
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
        if (operators[i].punct == punct)
            *precedence = operators[i].precedence;
    return punct;
}

static bool divide(struct evaluator *evaluator, int punct, const struct ptx_constant *left,
                   const struct ptx_constant *right, bool is_unsigned, uint64_t *value) {
    if (right->value == 0)
        return diag_error(evaluator->diagnostics, right->span, "division by zero");
    if (is_unsigned) {
        *value = punct == '/' ? left->value / right->value : left->value % right->value;
        return true;
    }
    int64_t a = (int64_t)left->value, b = (int64_t)right->value;
    if (b == -1) // also INT64_MIN / -1, which C leaves undefined
        *value = punct == '/' ? -left->value : 0;
    else
        *value = (uint64_t)(punct == '/' ? a / b : a % b);
    return true;
}

static uint64_t shift(int punct, const struct ptx_constant *left, uint64_t amount) {
    bool sign = ptx_constant_is_negative(left);
    if (amount > 63)
        return punct == SHIFT_RIGHT && sign ? UINT64_MAX : 0;
    if (punct == SHIFT_LEFT)
        return left->value << amount;
    uint64_t filled = sign && amount ? ~(UINT64_MAX >> amount) : 0;
    return left->value >> amount | filled;
}

static bool less(const struct ptx_constant *a, const struct ptx_constant *b, bool is_unsigned) {
    return is_unsigned ? a->value < b->value : (int64_t)a->value < (int64_t)b->value;
}

static bool apply(struct evaluator *evaluator, int punct, struct ptx_constant *left,
                  const struct ptx_constant *right) {
    bool is_unsigned = left->is_unsigned || right->is_unsigned;
    uint64_t a = left->value, b = right->value, value = 0;
    switch (punct) {
    case '*': value = a * b; break;
    case '+': value = a + b; break;
    case '-': value = a - b; break;
    case '&': value = a & b; break;
    case '|': value = a | b; break;
    case '^': value = a ^ b; break;
    case '/':
    case '%':
        if (!divide(evaluator, punct, left, right, is_unsigned, &value))
            return false;
        break;
    case SHIFT_LEFT:
    case SHIFT_RIGHT:
        value = shift(punct, left, b);
        is_unsigned = left->is_unsigned;
        break;
    case '<': value = less(left, right, is_unsigned); break;
    case '>': value = less(right, left, is_unsigned); break;
    case PUNCT_LE: value = !less(right, left, is_unsigned); break;
    case PUNCT_GE: value = !less(left, right, is_unsigned); break;
    case PUNCT_EQ: value = a == b; break;
    case PUNCT_NE: value = a != b; break;
    case PUNCT_AND_AND: value = a && b; break;
    case PUNCT_OR_OR: value = a || b; break;
    default: bug("operator %d in a constant", punct);
    }
    bool logical = punct == '<' || punct == '>' ||
                   (punct >= PUNCT_EQ && punct < SHIFT_LEFT); // gives a signed 0 or 1
    *left = (struct ptx_constant){.value = value,
                                  .is_unsigned = is_unsigned && !logical,
                                  .span = span_join(left->span, right->span)};
    return true;
}

// binary = unary (operator unary)*, by precedence climbing
static bool parse_binary(struct evaluator *evaluator, unsigned least, struct ptx_constant *result) {
    if (!parse_unary(evaluator, result))
        return false;
    for (;;) {
        unsigned precedence, length;
        int punct = binary_operator(evaluator->at, &precedence, &length);
        if (precedence == 0 || precedence < least)
            return true;
        evaluator->at += length;
        struct ptx_constant right;
        if (!parse_binary(evaluator, precedence + 1, &right) ||
            !apply(evaluator, punct, result, &right))
            return false;
    }
}

// conditional = binary ("?" conditional ":" conditional)?
static bool parse_conditional(struct evaluator *evaluator, struct ptx_constant *result) {
    if (!parse_binary(evaluator, 1, result))
        return false;
    if (!token_is_punct(evaluator->at, '?'))
        return true;
    if (++evaluator->depth > DEPTH_MAX)
        return error_expected_constant(evaluator);
    evaluator->at++;
    struct ptx_constant yes, no;
    if (!parse_conditional(evaluator, &yes))
        return false;
    if (!token_is_punct(evaluator->at, ':'))
        return diag_error(evaluator->diagnostics, evaluator->at->span,
                          "the ':' of this '?' is missing");
    evaluator->at++;
    if (!parse_conditional(evaluator, &no))
        return false;
    struct span span = span_join(result->span, no.span);
    *result = result->value ? yes : no;
    result->span = span;
    evaluator->depth--;
    return true;
}

bool ptx_parse_constant(struct arena *arena, struct diagnostics *diagnostics,
                        const struct token **at, struct ptx_constant *constant) {
    struct evaluator evaluator = {.arena = arena, .diagnostics = diagnostics, .at = *at};
    if (!parse_conditional(&evaluator, constant))
        return false;
    *at = evaluator.at;
    return true;
}
