// Tests of litmus/source/lexer: kinds, values, spans, comments, errors.
#include "tests/unit/litmus/reading.h"

#include <stdio.h>

struct lexed {
    struct reading reading;
    struct token *tokens;
    size_t count;
};

static struct lexed lex(const char *text) {
    struct lexed lexed = {.reading = open_text(text, strlen(text))};
    lexed.tokens =
        lexer_tokens(lexed.reading.arena, lexed.reading.source, 0, lexed.reading.source->size,
                     &lexed.reading.diagnostics, &lexed.count);
    return lexed;
}

// "w:ld q:.weak i:1 p:, ..." : kinds and texts of all tokens
static const char *outline(struct lexed *lexed) {
    static const char kinds[] = {
        [TOKEN_END] = 'e',   [TOKEN_WORD] = 'w',   [TOKEN_QUALIFIER] = 'q', [TOKEN_INTEGER] = 'i',
        [TOKEN_FLOAT] = 'f', [TOKEN_STRING] = 's', [TOKEN_PUNCT] = 'p'};
    const char *all = "";
    for (size_t i = 0; i < lexed->count; i++)
        all = arena_format(lexed->reading.arena, "%s%s%c:%s", all, i ? " " : "",
                           kinds[lexed->tokens[i].kind],
                           token_text(lexed->reading.arena, &lexed->tokens[i]));
    return all;
}

static void check_outline(const char *text, const char *expected) {
    struct lexed lexed = lex(text);
    assert_string_equal(outline(&lexed), expected);
    assert_string_equal(messages(&lexed.reading), "");
    assert_int_equal(lexed.tokens[lexed.count - 1].kind, TOKEN_END);
    close_reading(&lexed.reading);
}

static void test_kinds(void **state) {
    (void)state;
    check_outline("", "e:");
    check_outline("st.weak.shared::cta.u32 [x+4], %r1;",
                  "w:st q:.weak q:.shared::cta q:.u32 p:[ w:x p:+ i:4 p:] p:, w:%r1 p:; e:");
    check_outline("@!%p bra $L1;", "p:@ p:! w:%p w:bra w:$L1 p:; e:");
    check_outline(".L2::64B .v2.f32 .1d", "q:.L2::64B q:.v2 q:.f32 q:.1d e:");
    check_outline("P1:r0 3: r1", "w:P1 p:: w:r0 i:3 p:: w:r1 e:");
    check_outline("_ x_1$ %tid.x", "w:_ w:x_1$ w:%tid q:.x e:");
    check_outline("\"a b\" \"c\nd\"", "s:\"a b\" s:\"c\nd\" e:");
}

static void test_marks(void **state) {
    (void)state;
    static const int expected[] = {PUNCT_EQ,  '=',          PUNCT_NE,      PUNCT_LE,    '<',
                                   PUNCT_GE,  '>',          PUNCT_AND_AND, PUNCT_OR_OR, PUNCT_WEDGE,
                                   PUNCT_VEE, PUNCT_COLONS, '|',           '&',         '~',
                                   '!',       '-'};
    struct lexed lexed = lex("== = != <= < >= > && || /\\ \\/ :: | & ~ ! -");
    assert_int_equal(lexed.count, sizeof(expected) / sizeof(expected[0]) + 1);
    for (size_t i = 0; i + 1 < lexed.count; i++)
        assert_true(token_is_punct(&lexed.tokens[i], expected[i]));
    close_reading(&lexed.reading);
}

static void test_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum token_kind kind;
        uint64_t high, low;
        bool overflow;
    } cases[] = {
        {"0", TOKEN_INTEGER, 0, 0, false},
        {"42", TOKEN_INTEGER, 0, 42, false},
        {"42U", TOKEN_INTEGER, 0, 42, false},
        {"017", TOKEN_INTEGER, 0, 15, false},
        {"0x1fU", TOKEN_INTEGER, 0, 31, false},
        {"0b101", TOKEN_INTEGER, 0, 5, false},
        {"18446744073709551616", TOKEN_INTEGER, 1, 0, false},
        {"0xffffffffffffffffffffffffffffffff", TOKEN_INTEGER, UINT64_MAX, UINT64_MAX, false},
        {"340282366920938463463374607431768211455", TOKEN_INTEGER, UINT64_MAX, UINT64_MAX, false},
        {"340282366920938463463374607431768211456", TOKEN_INTEGER, 0, 0, true},
        {"0f3F800000", TOKEN_FLOAT, 0, 0x3F800000, false},
        {"0d3FF0000000000000", TOKEN_FLOAT, 0, UINT64_C(0x3FF0000000000000), false},
        {"1.5e-3", TOKEN_FLOAT, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct lexed lexed = lex(cases[i].text);
        assert_int_equal(lexed.count, 2);
        assert_int_equal(lexed.tokens[0].kind, cases[i].kind);
        assert_int_equal(lexed.tokens[0].overflow, cases[i].overflow);
        if (!cases[i].overflow) {
            assert_int_equal(lexed.tokens[0].value.low, cases[i].low);
            assert_int_equal(lexed.tokens[0].value.high, cases[i].high);
        }
        assert_string_equal(messages(&lexed.reading), "");
        close_reading(&lexed.reading);
    }
}

static void test_space_and_lines(void **state) {
    (void)state;
    struct lexed lexed = lex("a.b c/**/d // e\n (* \n *) f");
    static const bool space[] = {false, false, true, true, true};
    static const bool line[] = {true, false, false, false, true};
    assert_string_equal(outline(&lexed), "w:a q:.b w:c w:d w:f e:");
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(lexed.tokens[i].space_before, space[i]);
        assert_int_equal(lexed.tokens[i].line_start, line[i]);
    }
    close_reading(&lexed.reading);
}

static void test_spans(void **state) {
    (void)state;
    struct lexed lexed = lex("ld\n  .weak");
    assert_int_equal(lexed.tokens[1].span.begin, 5);
    assert_int_equal(lexed.tokens[1].span.end, 10);
    struct position position = source_position(lexed.reading.source, 5);
    assert_int_equal(position.line, 2);
    assert_int_equal(position.column, 3);
    close_reading(&lexed.reading);
}

static void test_token_is(void **state) {
    (void)state;
    struct lexed lexed = lex("ld .ld \"ld\" ;");
    assert_true(token_is(&lexed.tokens[0], "ld"));
    assert_false(token_is(&lexed.tokens[0], "l"));
    assert_false(token_is(&lexed.tokens[0], "ldu"));
    assert_true(token_is(&lexed.tokens[1], ".ld"));
    assert_false(token_is(&lexed.tokens[1], "ld"));
    assert_false(token_is(&lexed.tokens[2], "\"ld\""));
    assert_true(token_is(&lexed.tokens[3], ";"));
    assert_false(token_is(&lexed.tokens[4], ""));
    close_reading(&lexed.reading);
}

static void check_lexer_messages(const char *text, const char *expected) {
    struct lexed lexed = lex(text);
    assert_string_equal(messages(&lexed.reading), expected);
    close_reading(&lexed.reading);
}

static void test_errors(void **state) {
    (void)state;
    check_lexer_messages("a /* b", "t.litmus:1:3: error: this comment is never closed\n"
                                   "a /* b\n"
                                   "  ^^\n"
                                   "hint: '*/' ends it\n");
    check_lexer_messages("(* /* */", "t.litmus:1:1: error: this comment is never closed\n"
                                     "(* /* */\n"
                                     "^^\n"
                                     "hint: '*)' ends it\n");
    check_lexer_messages("x \"y\nz", "t.litmus:1:3: error: this string is never closed\n"
                                     "x \"y\n"
                                     "  ^\n"
                                     "hint: '\"' ends it\n");
    check_lexer_messages("12ab", "t.litmus:1:1: error: '12ab' is not a number\n"
                                 "12ab\n"
                                 "^^^^\n"
                                 "hint: numbers are decimal, 0x hexadecimal, 0b binary or, with a "
                                 "leading 0, octal; names do not start with a digit\n");
    check_lexer_messages("a \xC3\xA9\xC3\xA9 b", "t.litmus:1:3: error: unexpected character\n"
                                                 "a \xC3\xA9\xC3\xA9 b\n"
                                                 "  ^^\n"
                                                 "hint: outside strings and comments only ASCII "
                                                 "is read\n");
    check_lexer_messages("a \\ b", "t.litmus:1:3: error: unexpected character\n"
                                   "a \\ b\n"
                                   "  ^\n"
                                   "hint: '/\\' is 'and', '\\/' is 'or'\n");
    check_lexer_messages("\x1b[m", "t.litmus:1:1: error: unexpected control character 0x1b\n"
                                   "?[m\n"
                                   "^\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),   cmocka_unit_test(test_marks),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_space_and_lines),
        cmocka_unit_test(test_spans),   cmocka_unit_test(test_token_is),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
