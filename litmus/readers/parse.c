// What all parts of the frame's parser use: tokens, numbers, names and their messages.
#include "litmus/readers/parse.h"

#include "litmus/source/arena.h"

#include <limits.h>
#include <string.h>

const struct token *peek_token(const struct parser *parser, size_t ahead) {
    size_t left = parser->count - 1 - parser->at;
    return &parser->tokens[parser->at + (ahead < left ? ahead : left)];
}

const struct token *next_token(struct parser *parser) {
    const struct token *token = current_token(parser);
    if (token->kind != TOKEN_END)
        parser->at++;
    return token;
}

bool accept_punct(struct parser *parser, int punct) {
    bool found = token_is_punct(current_token(parser), punct);
    if (found)
        next_token(parser);
    return found;
}

struct span behind_previous(const struct parser *parser) {
    if (parser->at == 0)
        return current_token(parser)->span;
    struct span span = parser->tokens[parser->at - 1].span;
    span.begin = span.end;
    return span;
}

const char *span_text(struct parser *parser, struct span span) {
    enum { SHOWN_MAX = 40 };
    const char *text = span.source->text + span.begin;
    size_t length = span.end - span.begin;
    if (length <= SHOWN_MAX)
        return arena_strndup(parser->arena, text, length);
    return arena_format(parser->arena, "%.*s...", SHOWN_MAX, text);
}

const char *describe_token(struct parser *parser, const struct token *token) {
    if (token->kind == TOKEN_END)
        return "the end of the file";
    if (token->kind == TOKEN_STRING)
        return "a string";
    return arena_format(parser->arena, "'%s'", span_text(parser, token->span));
}

void error_expected(struct parser *parser, const char *what) {
    const struct token *token = current_token(parser);
    struct span span = token->kind == TOKEN_END ? behind_previous(parser) : token->span;
    diag_error(parser->diagnostics, span, "expected %s, not %s", what,
               describe_token(parser, token));
}

bool word_number(const struct token *token, const char *prefix, unsigned *number) {
    const char *text = token->span.source->text + token->span.begin;
    size_t length = token->span.end - token->span.begin, start = strlen(prefix);
    if (token->kind != TOKEN_WORD || length <= start || memcmp(text, prefix, start) != 0)
        return false;
    uint64_t sum = 0;
    for (size_t i = start; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        sum = sum * 10 + (unsigned)(text[i] - '0');
        if (sum > UINT_MAX)
            sum = UINT_MAX;
    }
    *number = (unsigned)sum;
    return true;
}

static bool is_place_word(const struct token *token) {
    return token_is(token, "cta") || token_is(token, "cluster") || token_is(token, "gpu") ||
           token_is(token, "host");
}

// P<n> before what can follow it in a header, or any name before a placement
bool at_thread_header(const struct parser *parser) {
    const struct token *name = current_token(parser), *next = peek_token(parser, 1);
    unsigned number;
    if (word_number(name, "P", &number))
        return token_is_punct(next, '@') || token_is_punct(next, '|') ||
               token_is_punct(next, '{') || token_is_punct(next, ';') ||
               token_is_punct(next, PUNCT_OR_OR);
    return name->kind == TOKEN_WORD && token_is_punct(next, '@') &&
           is_place_word(peek_token(parser, 2));
}

bool at_tail(const struct parser *parser) {
    const struct token *token = current_token(parser), *next = peek_token(parser, 1);
    if (token_is_punct(token, '~') || token_is(token, "not"))
        return token_is(next, "exists") || token_is(next, "forall");
    if (token_is_punct(next, '=') || token_is_punct(next, '@') || token_is_punct(next, ';'))
        return false; // a variable of that name
    return token_is(token, "exists") || token_is(token, "forall") || token_is(token, "filter") ||
           token_is(token, "locations") || token_is(token, "expect");
}

const char *nearest_tail_word(const struct parser *parser) {
    static const char *const words[] = {"exists", "forall", "filter", "locations"};
    const struct token *token = current_token(parser), *next = peek_token(parser, 1);
    bool condition = token_is_punct(next, '(') || token_is_punct(peek_token(parser, 2), ':');
    bool list = token_is_punct(next, '[');
    if (token->kind != TOKEN_WORD || !token->line_start || at_tail(parser) || !(condition || list))
        return NULL;
    return diag_nearest(token->span.source->text + token->span.begin,
                        token->span.end - token->span.begin, condition ? words : words + 3,
                        condition ? 3 : 1);
}

static struct bits128 negate(struct bits128 value) {
    struct bits128 result = {.low = ~value.low + 1, .high = ~value.high};
    result.high += result.low == 0;
    return result;
}

bool parse_constant(struct parser *parser, const char *what, struct constant *constant) {
    const struct token *first = current_token(parser);
    bool minus = token_is_punct(first, '-');
    bool sign = minus || token_is_punct(first, '+');
    const struct token *digits = peek_token(parser, sign ? 1 : 0);
    if (digits->kind != TOKEN_INTEGER) {
        if (sign)
            next_token(parser);
        error_expected(parser, what);
        return false;
    }
    next_token(parser);
    if (sign)
        next_token(parser);
    constant->span = span_join(first->span, digits->span);
    const uint64_t top = UINT64_C(1) << 63;
    bool too_negative = minus && (digits->value.high > top ||
                                  (digits->value.high == top && digits->value.low != 0));
    if (digits->overflow || too_negative) {
        diag_error(parser->diagnostics, constant->span, "'%s' does not fit 128 bits",
                   span_text(parser, constant->span));
        return false;
    }
    constant->negative = minus && (digits->value.low || digits->value.high);
    constant->value = constant->negative ? negate(digits->value) : digits->value;
    return true;
}

bool parse_unsigned(struct parser *parser, const char *what, unsigned *number) {
    struct constant constant;
    if (!parse_constant(parser, what, &constant))
        return false;
    if (constant.negative || constant.value.high || constant.value.low >= UINT_MAX) {
        diag_error(parser->diagnostics, constant.span, "'%s' is no %s",
                   span_text(parser, constant.span), what);
        return false;
    }
    *number = (unsigned)constant.value.low;
    return true;
}

bool constant_fits(struct bits128 value, bool negative, unsigned bits) {
    if (bits >= 128)
        return true;
    if (negative) { // all bits from the sign's on are set
        value = (struct bits128){.low = ~value.low, .high = ~value.high};
        bits--;
    }
    if (bits >= 64)
        return value.high >> (bits - 64) == 0;
    return value.high == 0 && value.low >> bits == 0;
}

struct bits128 truncate_bits(struct bits128 value, unsigned bits) {
    if (bits < 64)
        return (struct bits128){.low = value.low & ((UINT64_C(1) << bits) - 1)};
    if (bits < 128)
        value.high &= (UINT64_C(1) << (bits - 64)) - 1;
    return value;
}

int resolve_thread(struct parser *parser, unsigned number, struct span span) {
    const struct test *test = parser->test;
    for (size_t i = 0; i < test->thread_count; i++)
        if (test->threads[i].number == number)
            return (int)i;
    if (parser->threads_failed)
        return -1;
    diag_error(parser->diagnostics, span, "there is no thread '%s'", span_text(parser, span));
    if (test->thread_count == 1)
        diag_hint(parser->diagnostics, "the only thread is P%u", test->threads[0].number);
    else if (test->thread_count > 1)
        diag_hint(parser->diagnostics, "the threads are P%u to P%u", test->threads[0].number,
                  test->threads[test->thread_count - 1].number);
    return -1;
}
