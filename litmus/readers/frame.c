// What all parts of the frame's parser use: tokens, numbers, names and their messages.
#include "litmus/readers/frame.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <string.h>

const struct token *frame_peek(const struct frame *frame, size_t ahead) {
    size_t left = frame->count - 1 - frame->at;
    return &frame->tokens[frame->at + (ahead < left ? ahead : left)];
}

const struct token *frame_next(struct frame *frame) {
    const struct token *token = frame_current(frame);
    if (token->kind != TOKEN_END)
        frame->at++;
    return token;
}

bool frame_accept_punct(struct frame *frame, int punct) {
    bool found = token_is_punct(frame_current(frame), punct);
    if (found)
        frame_next(frame);
    return found;
}

struct span frame_after_previous(const struct frame *frame) {
    struct span span = frame_current(frame)->span;
    if (frame->at > 0)
        span.begin = frame->tokens[frame->at - 1].span.end;
    else // after the header, which is not a token
        while (span.begin > 0 && isspace((unsigned char)span.source->text[span.begin - 1]))
            span.begin--;
    span.end = span.begin;
    return span;
}

const char *frame_span_text(struct frame *frame, struct span span) {
    assert(span.begin <= span.end);
    enum { SHOWN_MAX = 40 };
    const char *text = span.source->text + span.begin;
    size_t length = span.end - span.begin;
    if (length <= SHOWN_MAX)
        return arena_strndup(frame->arena, text, length);
    return arena_format(frame->arena, "%.*s...", SHOWN_MAX, text);
}

const char *frame_describe_token(struct frame *frame, const struct token *token) {
    if (token->kind == TOKEN_END) // of a line of a manifest, or of the text
        return token->span.end < token->span.source->size ? "the end of the line"
                                                          : "the end of the file";
    if (token->kind == TOKEN_STRING)
        return "a string";
    return arena_format(frame->arena, "'%s'", frame_span_text(frame, token->span));
}

bool frame_error_expected(struct frame *frame, const char *what) {
    const struct token *token = frame_current(frame);
    struct span span = token->kind == TOKEN_END ? frame_after_previous(frame) : token->span;
    return diag_error(frame->diagnostics, span, "expected %s, not %s", what,
                      frame_describe_token(frame, token));
}

bool frame_expect(struct frame *frame, int punct, const char *what) {
    return frame_accept_punct(frame, punct) || frame_error_expected(frame, what);
}

const struct token *frame_expect_word(struct frame *frame, const char *what) {
    if (frame_current(frame)->kind == TOKEN_WORD)
        return frame_next(frame);
    frame_error_expected(frame, what);
    return NULL;
}

int frame_require_variable(struct frame *frame, const char *what) {
    const struct token *name = frame_expect_word(frame, what);
    return name ? reader_require_variable(&frame->reader, name) : -1;
}

bool frame_word_number(const struct token *token, const char *prefix, unsigned *number) {
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

// P1.r0 is a word and a qualifier, P1.%r0 a word, a '.' and a word, all without white space.
static bool at_dotted_register(const struct frame *frame) {
    const struct token *thread = frame_current(frame), *dot = frame_peek(frame, 1);
    unsigned number;
    if (!frame_word_number(thread, "P", &number) || dot->space_before)
        return false;
    const struct token *name = frame_peek(frame, 2);
    return dot->kind == TOKEN_QUALIFIER ||
           (token_is_punct(dot, '.') && name->kind == TOKEN_WORD && !name->space_before);
}

bool frame_at_register(const struct frame *frame) {
    const struct token *token = frame_current(frame);
    unsigned number;
    if (at_dotted_register(frame))
        return true;
    return token_is_punct(frame_peek(frame, 1), ':') &&
           (token->kind == TOKEN_INTEGER || frame_word_number(token, "P", &number));
}

// register = ("P" n | n) ":" name | "P" n "." name
bool frame_parse_register(struct frame *frame, unsigned *thread, struct span *span,
                          struct token *name) {
    const struct token *first = frame_current(frame);
    *span = first->span;
    if (first->kind == TOKEN_INTEGER) {
        if (!frame_parse_unsigned(frame, "the number of a thread", thread))
            return false;
    } else {
        frame_word_number(first, "P", thread);
        frame_next(frame);
    }
    if (frame_current(frame)->kind == TOKEN_QUALIFIER) { // ".r0"
        *name = *frame_next(frame);
        name->kind = TOKEN_WORD;
        name->span.begin++;
        return true;
    }
    frame_next(frame); // the ':' or '.'
    const struct token *word = frame_expect_word(frame, "the name of a register");
    if (word)
        *name = *word;
    return word != NULL;
}

static bool is_place_word(const struct token *token) {
    return token_is(token, "cta") || token_is(token, "cluster") || token_is(token, "gpu") ||
           token_is(token, "host");
}

// P<n> before what can follow it in a header, or any name before a placement
bool frame_at_thread_header(const struct frame *frame) {
    const struct token *name = frame_current(frame), *next = frame_peek(frame, 1);
    unsigned number;
    if (frame_word_number(name, "P", &number))
        return token_is_punct(next, '@') || token_is_punct(next, '|') ||
               token_is_punct(next, '{') || token_is_punct(next, ';') ||
               token_is_punct(next, PUNCT_OR_OR);
    return name->kind == TOKEN_WORD && token_is_punct(next, '@') &&
           is_place_word(frame_peek(frame, 2));
}

bool frame_at_tail(const struct frame *frame) {
    const struct token *token = frame_current(frame), *next = frame_peek(frame, 1);
    if (token_is_punct(token, '~') || token_is_any_case(token, "not"))
        return token_is(next, "exists") || token_is(next, "forall");
    if (token_is_punct(next, '=') || token_is_punct(next, '@') || token_is_punct(next, ';'))
        return false; // a variable of that name
    return token_is(token, "exists") || token_is(token, "forall") || token_is(token, "filter") ||
           token_is(token, "locations") || token_is(token, "expect");
}

// The words, those before a condition first.
static const char *const tail_words[] = {[TAIL_EXISTS] = "exists",
                                         [TAIL_FORALL] = "forall",
                                         [TAIL_FILTER] = "filter",
                                         [TAIL_LOCATIONS] = "locations"};

const char *frame_tail_word_text(enum tail_word word) {
    return tail_words[word];
}

enum tail_word frame_nearest_tail_word(const struct frame *frame) {
    const struct token *token = frame_current(frame), *next = frame_peek(frame, 1);
    bool condition = token_is_punct(next, '(') || token_is_punct(frame_peek(frame, 2), ':');
    bool list = token_is_punct(next, '[');
    if (token->kind != TOKEN_WORD || !token->line_start || frame_at_tail(frame) ||
        !(condition || list))
        return TAIL_NONE;
    enum tail_word first = condition ? TAIL_EXISTS : TAIL_LOCATIONS, word = first;
    const char *nearest =
        token_nearest(token, tail_words + first, condition ? TAIL_LOCATIONS - TAIL_EXISTS : 1);
    if (nearest == NULL)
        return TAIL_NONE;
    while (tail_words[word] != nearest)
        word++;
    return word;
}

bool frame_may_be_at_tail(const struct frame *frame) {
    return frame_at_tail(frame) || frame_nearest_tail_word(frame) != TAIL_NONE;
}

static struct bits128 negate(struct bits128 value) {
    struct bits128 result = {.low = ~value.low + 1, .high = ~value.high};
    result.high += result.low == 0;
    return result;
}

bool frame_parse_constant(struct frame *frame, const char *what, struct constant *constant) {
    const struct token *first = frame_current(frame);
    bool minus = token_is_punct(first, '-');
    bool sign = minus || token_is_punct(first, '+');
    const struct token *digits = frame_peek(frame, sign ? 1 : 0);
    if (digits->kind != TOKEN_INTEGER) {
        if (sign)
            frame_next(frame);
        return frame_error_expected(frame, what);
    }
    frame_next(frame);
    if (sign)
        frame_next(frame);
    constant->span = span_join(first->span, digits->span);
    const uint64_t top = UINT64_C(1) << 63;
    bool too_negative = minus && (digits->value.high > top ||
                                  (digits->value.high == top && digits->value.low != 0));
    if (digits->overflow || too_negative)
        return diag_error(frame->diagnostics, constant->span, "'%s' does not fit 128 bits",
                          frame_span_text(frame, constant->span));
    constant->negative = minus && (digits->value.low || digits->value.high);
    constant->value = constant->negative ? negate(digits->value) : digits->value;
    return true;
}

bool frame_parse_unsigned(struct frame *frame, const char *what, unsigned *number) {
    struct constant constant;
    if (!frame_parse_constant(frame, what, &constant))
        return false;
    if (constant.negative || constant.value.high || constant.value.low >= UINT_MAX)
        return diag_error(frame->diagnostics, constant.span, "'%s' cannot be %s",
                          frame_span_text(frame, constant.span), what);
    *number = (unsigned)constant.value.low;
    return true;
}

bool frame_constant_fits(struct bits128 value, bool negative, unsigned bits) {
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

struct bits128 frame_truncate_bits(struct bits128 value, unsigned bits) {
    if (bits < 64)
        return (struct bits128){.low = value.low & ((UINT64_C(1) << bits) - 1)};
    if (bits < 128)
        value.high &= (UINT64_C(1) << (bits - 64)) - 1;
    return value;
}

int frame_resolve_thread(struct frame *frame, unsigned number, struct span span) {
    assert(span.begin <= span.end);
    const struct test *test = frame->test;
    for (size_t i = 0; i < test->thread_count; i++)
        if (test->threads[i].number == number)
            return (int)i;
    if (frame->threads_failed)
        return -1;
    diag_error(frame->diagnostics, span, "there is no thread '%s'", frame_span_text(frame, span));
    enum { LISTED_MAX = 8 };
    size_t count = test->thread_count;
    const char *list = "";
    for (size_t i = 0; i < count && count <= LISTED_MAX; i++)
        list =
            arena_format(frame->arena, "%s%sP%u", list,
                         i == 0 ? "" : (i + 1 == count ? " and " : ", "), test->threads[i].number);
    if (count > LISTED_MAX)
        diag_hint(frame->diagnostics, "there are %zu, from P%u to P%u", count,
                  test->threads[0].number, test->threads[count - 1].number);
    else if (count > 0)
        diag_hint(frame->diagnostics, "%s %s",
                  count == 1 ? "the only thread is" : "the threads are", list);
    return -1;
}
