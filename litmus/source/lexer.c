// The lexer: comments skipped, everything else cut into tokens with their spans.
#include "litmus/source/lexer.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct lexer {
    struct arena *arena;
    const struct source *source;
    struct diagnostics *diagnostics;
    uint32_t at;
    uint32_t end;
    bool space_before, line_start; // for the next token
    bool open_comment;
    struct token *tokens;
    size_t count, capacity;
};

// The byte `ahead` of the current one, or NUL past the end.
static char peek(const struct lexer *lexer, uint32_t ahead) {
    return lexer->end - lexer->at > ahead ? lexer->source->text[lexer->at + ahead] : '\0';
}

static struct span span_from(const struct lexer *lexer, uint32_t begin) {
    return (struct span){.source = lexer->source, .begin = begin, .end = lexer->at};
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

static bool is_word(char c) {
    return (is_word_start(c) && c != '%') || is_digit(c);
}

static struct token *add_token(struct lexer *lexer, enum token_kind kind, uint32_t begin) {
    if (lexer->count == lexer->capacity) {
        lexer->capacity = lexer->capacity ? lexer->capacity * 2 : 256;
        struct token *larger = ARENA_ARRAY(lexer->arena, struct token, lexer->capacity);
        if (lexer->count)
            memcpy(larger, lexer->tokens, lexer->count * sizeof(*larger));
        lexer->tokens = larger;
    }
    struct token *token = &lexer->tokens[lexer->count++];
    *token = (struct token){.kind = kind,
                            .span = span_from(lexer, begin),
                            .space_before = lexer->space_before,
                            .line_start = lexer->line_start};
    lexer->space_before = lexer->line_start = false;
    return token;
}

// Skips a comment that `closer` ends; the opener has two bytes.
static void skip_block_comment(struct lexer *lexer, const char *closer) {
    uint32_t begin = lexer->at;
    lexer->at += 2;
    struct span opener = span_from(lexer, begin);
    while (lexer->at < lexer->end) {
        if (peek(lexer, 0) == closer[0] && peek(lexer, 1) == closer[1]) {
            lexer->at += 2;
            return;
        }
        if (peek(lexer, 0) == '\n')
            lexer->line_start = true;
        lexer->at++;
    }
    lexer->open_comment = true;
    diag_error(lexer->diagnostics, opener, "this comment is never closed");
    diag_hint(lexer->diagnostics, "'%s' ends it", closer);
}

static void skip_space(struct lexer *lexer) {
    for (; lexer->at < lexer->end; lexer->space_before = true) {
        char c = peek(lexer, 0), next = peek(lexer, 1);
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lexer->at++;
        } else if (c == '\n') {
            lexer->line_start = true;
            lexer->at++;
        } else if (c == '/' && next == '/') {
            while (lexer->at < lexer->end && peek(lexer, 0) != '\n')
                lexer->at++;
        } else if (c == '/' && next == '*') {
            skip_block_comment(lexer, "*/");
        } else if (c == '(' && next == '*') {
            skip_block_comment(lexer, "*)");
        } else {
            return;
        }
    }
}

static int digit_value(char c) {
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

// Reads digits of `base` into the value; returns false when they do not fit 128 bits.
static bool read_digits(struct lexer *lexer, unsigned base, struct bits128 *value) {
    uint128 sum = 0;
    bool fits = true;
    for (int digit; (digit = digit_value(peek(lexer, 0))) < (int)base; lexer->at++) {
        if (sum > (~(uint128)0 - (unsigned)digit) / base)
            fits = false;
        sum = sum * base + (unsigned)digit;
    }
    *value = bits_from_wide(sum);
    return fits;
}

static bool at_float_bits(const struct lexer *lexer, char mark, uint32_t digits) {
    if (peek(lexer, 0) != '0' || (peek(lexer, 1) | 0x20) != mark)
        return false;
    for (uint32_t i = 0; i < digits; i++)
        if (digit_value(peek(lexer, 2 + i)) > 15)
            return false;
    return !is_word(peek(lexer, 2 + digits));
}

// Skips ".5" and "e-3" of a decimal floating-point number; returns whether there was any.
static bool skip_fraction(struct lexer *lexer) {
    uint32_t begin = lexer->at;
    if (peek(lexer, 0) == '.' && is_digit(peek(lexer, 1))) {
        lexer->at++;
        while (is_digit(peek(lexer, 0)))
            lexer->at++;
    }
    bool has_sign = peek(lexer, 1) == '-' || peek(lexer, 1) == '+';
    if ((peek(lexer, 0) | 0x20) == 'e' && is_digit(peek(lexer, has_sign ? 2 : 1))) {
        lexer->at += has_sign ? 2 : 1;
        while (is_digit(peek(lexer, 0)))
            lexer->at++;
    }
    return lexer->at > begin;
}

// number = 0f hex*8 | 0d hex*16 | 0x hex+ U? | 0b bin+ U? | 0 oct* U? | dec+ U? | dec+ fraction
static void lex_number(struct lexer *lexer) {
    uint32_t begin = lexer->at;
    struct bits128 value = {0};
    enum token_kind kind = TOKEN_INTEGER;
    bool fits = true;
    char mark = peek(lexer, 0) == '0' ? (char)(peek(lexer, 1) | 0x20) : '\0';
    if (at_float_bits(lexer, 'f', 8) || at_float_bits(lexer, 'd', 16)) {
        kind = TOKEN_FLOAT;
        lexer->at += 2;
        read_digits(lexer, 16, &value);
    } else if ((mark == 'x' && digit_value(peek(lexer, 2)) < 16) ||
               (mark == 'b' && digit_value(peek(lexer, 2)) < 2)) {
        lexer->at += 2;
        fits = read_digits(lexer, mark == 'x' ? 16 : 2, &value);
    } else {
        unsigned base = peek(lexer, 0) == '0' ? 8 : 10;
        fits = read_digits(lexer, base, &value);
        if (skip_fraction(lexer)) {
            kind = TOKEN_FLOAT;
            value = (struct bits128){0};
        }
    }
    if (kind == TOKEN_INTEGER && peek(lexer, 0) == 'U')
        lexer->at++;
    bool malformed = is_word(peek(lexer, 0));
    while (is_word(peek(lexer, 0)))
        lexer->at++;
    struct token *token = add_token(lexer, kind, begin);
    token->value = value;
    token->overflow = kind == TOKEN_INTEGER && !fits;
    if (malformed) {
        diag_error(lexer->diagnostics, token->span, "'%.*s' is not a number",
                   (int)(lexer->at - begin > 60 ? 60 : lexer->at - begin),
                   lexer->source->text + begin);
        diag_hint(lexer->diagnostics, "numbers are decimal, 0x hexadecimal, 0b binary or, with a "
                                      "leading 0, octal; names do not start with a digit");
    }
}

// qualifier = "." word ("::" word)*, where a word may start with a digit: .L2::64B, .1d
static void lex_qualifier(struct lexer *lexer) {
    uint32_t begin = lexer->at++;
    while (is_word(peek(lexer, 0)))
        lexer->at++;
    while (peek(lexer, 0) == ':' && peek(lexer, 1) == ':' && is_word(peek(lexer, 2))) {
        lexer->at += 2;
        while (is_word(peek(lexer, 0)))
            lexer->at++;
    }
    add_token(lexer, TOKEN_QUALIFIER, begin);
}

// A string may extend over several lines. One that is not closed is taken to end with its line, so
// that the rest of the file is still read.
static void lex_string(struct lexer *lexer) {
    uint32_t begin = lexer->at++;
    struct span opener = span_from(lexer, begin);
    const char *rest = lexer->source->text + lexer->at;
    size_t left = lexer->end - lexer->at;
    const char *quote = memchr(rest, '"', left);
    const char *newline = quote ? NULL : memchr(rest, '\n', left);
    if (quote)
        lexer->at += (uint32_t)(quote - rest) + 1;
    else
        lexer->at = newline ? lexer->at + (uint32_t)(newline - rest) : lexer->end;
    add_token(lexer, TOKEN_STRING, begin);
    if (!quote) {
        diag_error(lexer->diagnostics, opener, "this string is never closed");
        diag_hint(lexer->diagnostics, "'\"' ends it");
    }
}

static bool lex_long_punct(struct lexer *lexer) {
    static const struct {
        char text[3];
        int punct;
    } marks[] = {{"==", PUNCT_EQ},     {"!=", PUNCT_NE},      {"<=", PUNCT_LE},
                 {">=", PUNCT_GE},     {"&&", PUNCT_AND_AND}, {"||", PUNCT_OR_OR},
                 {"/\\", PUNCT_WEDGE}, {"\\/", PUNCT_VEE},    {"::", PUNCT_COLONS},
                 {"=>", PUNCT_IMPLIES}};
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (peek(lexer, 0) == marks[i].text[0] && peek(lexer, 1) == marks[i].text[1]) {
            uint32_t begin = lexer->at;
            lexer->at += 2;
            add_token(lexer, TOKEN_PUNCT, begin)->punct = marks[i].punct;
            return true;
        }
    }
    return false;
}

static bool starts_token(const struct lexer *lexer) {
    char c = peek(lexer, 0);
    return is_word_start(c) || is_digit(c) ||
           (c != '\0' && strchr("\".;,:[]{}()@+-*/!~<>=|&^?# \t\r\n\f\v", c));
}

// One error for a whole run of bytes that start no token.
static void lex_bad(struct lexer *lexer) {
    uint32_t begin = lexer->at;
    do
        lexer->at++;
    while (lexer->at < lexer->end && !starts_token(lexer));
    struct span span = span_from(lexer, begin);
    unsigned char c = (unsigned char)lexer->source->text[begin];
    if (c < 0x20 || c == 0x7F)
        diag_error(lexer->diagnostics, span, "unexpected control character 0x%02x", c);
    else
        diag_error(lexer->diagnostics, span, "unexpected character");
    if (c == '\\')
        diag_hint(lexer->diagnostics, "'/\\' is 'and', '\\/' is 'or'");
    else if (c >= 0x80)
        diag_hint(lexer->diagnostics, "outside strings and comments only ASCII is read");
    lexer->space_before = true;
}

static void lex_token(struct lexer *lexer) {
    char c = peek(lexer, 0), next = peek(lexer, 1);
    uint32_t begin = lexer->at;
    if (is_digit(c)) {
        lex_number(lexer);
    } else if (c == '.' && is_word(next)) {
        lex_qualifier(lexer);
    } else if (c == '"') {
        lex_string(lexer);
    } else if (is_word_start(c)) {
        do
            lexer->at++;
        while (is_word(peek(lexer, 0)));
        add_token(lexer, TOKEN_WORD, begin);
    } else if (lex_long_punct(lexer)) {
        return;
    } else if (starts_token(lexer)) {
        lexer->at++;
        add_token(lexer, TOKEN_PUNCT, begin)->punct = c;
    } else {
        lex_bad(lexer);
    }
}

struct token *lexer_tokens(struct arena *arena, const struct source *source, uint32_t begin,
                           uint32_t end, struct diagnostics *diagnostics, size_t *count) {
    assert(begin <= end);
    struct lexer lexer = {.arena = arena,
                          .source = source,
                          .diagnostics = diagnostics,
                          .at = begin,
                          .end = end,
                          .line_start = true};
    for (skip_space(&lexer); lexer.at < lexer.end; skip_space(&lexer))
        lex_token(&lexer);
    add_token(&lexer, TOKEN_END, lexer.at)->overflow = lexer.open_comment;
    *count = lexer.count;
    return lexer.tokens;
}

bool token_is(const struct token *token, const char *text) {
    size_t length = token->span.end - token->span.begin;
    return token->kind != TOKEN_END && token->kind != TOKEN_STRING && strlen(text) == length &&
           memcmp(token->span.source->text + token->span.begin, text, length) == 0;
}

bool token_is_any_case(const struct token *token, const char *text) {
    size_t length = token->span.end - token->span.begin;
    return token->kind == TOKEN_WORD && strlen(text) == length &&
           strncasecmp(token->span.source->text + token->span.begin, text, length) == 0;
}

bool token_is_punct(const struct token *token, int punct) {
    return token->kind == TOKEN_PUNCT && token->punct == punct;
}

uint64_t decimal_bits(const char *text, unsigned bits) {
    uint64_t result = 0;
    uint32_t half;
    double number = strtod(text, NULL);
    float single = (float)number;
    if (bits == 64) {
        memcpy(&result, &number, sizeof result);
        return result;
    }
    memcpy(&half, &single, sizeof half);
    return half;
}

int token_among(const struct token *token, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (token_is(token, words[i]))
            return (int)i;
    return -1;
}

const char *token_nearest(const struct token *token, const char *const *candidates, size_t count) {
    return diag_nearest(token->span.source->text + token->span.begin,
                        token->span.end - token->span.begin, candidates, count);
}

const char *token_text(struct arena *arena, const struct token *token) {
    return span_text(arena, token->span);
}

const struct token *token_of_next_line(const struct token *token) {
    do
        token++;
    while (token->kind != TOKEN_END && !token->line_start);
    return token;
}

const char *token_unquoted(struct arena *arena, const struct token *token) {
    const char *text = token_text(arena, token);
    size_t length = strlen(text);
    if (token->kind != TOKEN_STRING)
        return text;
    return arena_strndup(arena, text + 1, length > 1 ? length - 2 : 0);
}

const char *tokens_text(struct arena *arena, const struct token *first, const struct token *end,
                        bool is_spaced) {
    size_t size = 1;
    for (const struct token *at = first; at < end; at++)
        size += 1 + at->span.end - at->span.begin;
    char *text = arena_alloc(arena, size), *to = text;
    for (const struct token *at = first; at < end; at++) {
        size_t length = at->span.end - at->span.begin;
        if (is_spaced && at > first && at->space_before)
            *to++ = ' ';
        memcpy(to, at->span.source->text + at->span.begin, length);
        to += length;
    }
    return text;
}
