// Tests of litmus/readers: conditions, filter, locations, expect.
#include "tests/unit/litmus/reading.h"

#include <inttypes.h>
#include <stdio.h>

#define PROLOGUE                                                                                   \
    "PTX T\n"                                                                                      \
    "x=0; y=0; .global .u8 b; .global .u64 p; .global .u32 a[4]; .shared .u32 s; .local .u32 l; "  \
    ".global .f32 f; .global .f64 d;\n"                                                            \
    "P0@cta 0 { ld.weak.u32 %r0, [x]; ld.weak.u64 %rd1, [p]; }\n"                                  \
    "P1@cta 1 { ld.weak.u32 r0, [x]; ld.weak.u32 r1, [x]; }\n"

static const char *show_term(struct reading *reading, const struct term *term) {
    struct arena *arena = reading->arena;
    const struct test *test = reading->test;
    const char *name = term->variable >= 0 ? test->variables[term->variable].name : "";
    switch (term->kind) {
    case TERM_CONSTANT:
        return arena_format(arena, "%s%" PRIu64, term->negative ? "-" : "",
                            term->negative ? -term->constant.low : term->constant.low);
    case TERM_REGISTER:
        return arena_format(arena, "%u:%s", test->threads[term->thread].number,
                            test->threads[term->thread].registers[term->reg].name);
    case TERM_LOCATION:
        return term->has_instance ? arena_format(arena, "[cta%u:%s]", term->instance_cta, name)
                                  : arena_format(arena, "[%s+%zu]", name, term->element);
    case TERM_ADDRESS: return arena_format(arena, "&%s", name);
    }
    return "?";
}

// The tree with all its parentheses, in one spelling.
static const char *show(struct reading *reading, const struct condition *condition) {
    static const char *const compares[] = {
        [COMPARE_EQ] = "==", [COMPARE_NE] = "!=", [COMPARE_LT] = "<",
        [COMPARE_LE] = "<=", [COMPARE_GT] = ">",  [COMPARE_GE] = ">="};
    struct arena *arena = reading->arena;
    switch (condition->kind) {
    case CONDITION_TRUE: return "true";
    case CONDITION_FALSE: return "false";
    case CONDITION_NOT: return arena_format(arena, "!%s", show(reading, condition->left));
    case CONDITION_AND:
    case CONDITION_OR:
        return arena_format(arena, "(%s %s %s)", show(reading, condition->left),
                            condition->kind == CONDITION_AND ? "&" : "|",
                            show(reading, condition->right));
    case CONDITION_COMPARE:
        return arena_format(arena, "%s%s%s", show_term(reading, &condition->lhs),
                            compares[condition->compare], show_term(reading, &condition->rhs));
    }
    return "?";
}

static struct reading read_tail(const char *tail) {
    struct arena *arena = arena_new();
    struct reading reading = read_clean(arena_format(arena, "%s%s", PROLOGUE, tail));
    arena_free(arena);
    return reading;
}

static void check_condition(const char *text, const char *expected) {
    struct arena *arena = arena_new();
    struct reading reading = read_tail(arena_format(arena, "exists %s", text));
    assert_string_equal(show(&reading, reading.test->condition), expected);
    assert_int_equal(reading.test->quantifier, QUANTIFIER_EXISTS);
    close_reading(&reading);
    arena_free(arena);
}

static void check_tail_messages(const char *tail, const char *expected) {
    struct arena *arena = arena_new();
    check_messages(arena_format(arena, "%s%s", PROLOGUE, tail), expected);
    arena_free(arena);
}

static void test_terms(void **state) {
    (void)state;
    check_condition("P0:%r0 = 1", "0:%r0==1");
    check_condition("P0:r0 == -1", "0:%r0==-1");
    check_condition("(1: r1 != 0x1F)", "1:r1!=31");
    check_condition("P1:%r1 < 017", "1:r1<15");
    check_condition("P1.r1 = P0.%r0", "1:r1==0:%r0");
    check_condition("x <= +3", "[x+0]<=3");
    check_condition("[x] > 3", "[x+0]>3");
    check_condition("a[2] >= 3", "[a+2]>=3");
    check_condition("[a[2]] = 3", "[a+2]==3");
    check_condition("cta1:s = 3", "[cta1:s]==3");
    check_condition("0==0", "0==0");
    check_condition("1 = x", "1==[x+0]");
    check_condition("4 < P0:r0", "4<0:%r0");
    check_condition("P0:r0 = P1:r0", "0:%r0==1:r0");
    check_condition("true", "true");
    check_condition("~false", "!false");
    check_condition("x = 4294967295", "[x+0]==4294967295");
    check_condition("b = -128", "[b+0]==-128");
}

// To the right of a register or a location a bare name is an address, as in herd.
// Floating-point numbers mean their bits, of the width of what they are compared with.
static void test_numbers(void **state) {
    (void)state;
    check_condition("f = 1.5", "[f+0]==1069547520");
    check_condition("f != -0.0", "[f+0]!=2147483648");
    check_condition("f == 0f3F800000", "[f+0]==1065353216");
    check_condition("1.5 = P0:%r0", "1069547520==0:%r0");
    check_condition("P0:%rd1 == 1.5", "0:%rd1==4609434218613702656");
    check_condition("d = -0d3FF0000000000000", "[d+0]==13830554455654793216");
    check_condition("d = 1e3", "[d+0]==4652007308841189376");
    check_condition("f = 16777217.0", "[f+0]==1266679808");
}

static void test_addresses(void **state) {
    (void)state;
    check_condition("P0:%rd1 = x", "0:%rd1==&x");
    check_condition("P0:%rd1 = &a", "0:%rd1==&a");
    check_condition("p != y", "[p+0]!=&y");
    check_condition("P0:%r0 = [x]", "0:%r0==[x+0]");
    check_condition("P0:%r0 = a[1]", "0:%r0==[a+1]");
}

static void test_connectives(void **state) {
    (void)state;
    check_condition("x=0 /\\ y=0 \\/ b=0", "(([x+0]==0 & [y+0]==0) | [b+0]==0)");
    check_condition("x=0 || y=0 && b=0", "([x+0]==0 | ([y+0]==0 & [b+0]==0))");
    check_condition("x=0 or y=0 and b=0", "([x+0]==0 | ([y+0]==0 & [b+0]==0))");
    check_condition("(x=0 or y=0) and b=0", "(([x+0]==0 | [y+0]==0) & [b+0]==0)");
    check_condition("not x=0 /\\ ~(y=0 \\/ !b=0)", "(![x+0]==0 & !([y+0]==0 | ![b+0]==0))");
    check_condition("!!~not true", "!!!!true");
    check_condition("x=0 AND y=0 OR Not b=0", "(([x+0]==0 & [y+0]==0) | ![b+0]==0)");
    // an implication reaches furthest, and the later one is inside the earlier one
    check_condition("x=0 /\\ y=0 => b=0 \\/ b=1",
                    "(!([x+0]==0 & [y+0]==0) | ([b+0]==0 | [b+0]==1))");
    check_condition("x=0 => y=0 => b=0", "(![x+0]==0 | (![y+0]==0 | [b+0]==0))");
    check_condition("(x=0 => y=0) => b=0", "(!(![x+0]==0 | [y+0]==0) | [b+0]==0)");
    check_condition("not x=0 => false", "(!![x+0]==0 | false)");
    // long chains make flat trees
    check_condition("x=0 /\\ x=1 /\\ x=2 /\\ x=3",
                    "(([x+0]==0 & [x+0]==1) & ([x+0]==2 & [x+0]==3))");
}

static void test_quantifiers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum quantifier quantifier;
    } cases[] = {{"exists (x=1)", QUANTIFIER_EXISTS},       {"exists\n(x=1);", QUANTIFIER_EXISTS},
                 {"~exists x=1", QUANTIFIER_NOT_EXISTS},    {"~ exists x=1", QUANTIFIER_NOT_EXISTS},
                 {"not exists x=1", QUANTIFIER_NOT_EXISTS}, {"forall x=1", QUANTIFIER_FORALL},
                 {"NOT exists x=1", QUANTIFIER_NOT_EXISTS}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading reading = read_tail(cases[i].text);
        assert_int_equal(reading.test->quantifier, cases[i].quantifier);
        assert_string_equal(show(&reading, reading.test->condition), "[x+0]==1");
        assert_null(reading.test->filter);
        assert_int_equal(reading.test->expected_count, 0);
        close_reading(&reading);
    }
}

static void test_tail(void **state) {
    (void)state;
    struct reading reading = read_tail("locations [x; 1:r1; a; cta0:s;]\n"
                                       "filter x=1 /\\ y=2\n"
                                       "locations [P0:%r0; a[3]; [y]];\n"
                                       "forall x=1;\n"
                                       "expect always;");
    static const char *const expected[] = {"[x+0]", "1:r1",     "[a+0]", "[a+1]", "[a+2]",
                                           "[a+3]", "[cta0:s]", "0:%r0", "[a+3]", "[y+0]"};
    assert_int_equal(reading.test->location_count, 10);
    for (size_t i = 0; i < 10; i++)
        assert_string_equal(show_term(&reading, &reading.test->locations[i]), expected[i]);
    assert_string_equal(show(&reading, reading.test->filter), "([x+0]==1 & [y+0]==2)");
    assert_int_equal(reading.test->expected_count, 1);
    assert_int_equal(reading.test->expected[0].what, EXPECT_ALWAYS);
    close_reading(&reading);
}

// An expectation and its words.
static void check_words(const struct reading *reading, size_t index, enum expectation what) {
    const struct test_expected *expected = &reading->test->expected[index];
    const char *words = expectation_text(what);
    assert_true(index < reading->test->expected_count);
    assert_int_equal(expected->what, what);
    assert_int_equal(expected->span.end - expected->span.begin, strlen(words));
    assert_memory_equal(reading->source->text + expected->span.begin, words, strlen(words));
}

static void test_expect(void **state) {
    (void)state;
    struct reading reading = read_tail("exists x=1 expect forbidden");
    assert_int_equal(reading.test->expected_count, 1);
    check_words(&reading, 0, EXPECT_FORBIDDEN);
    close_reading(&reading);
    reading = read_tail("expect no race, hang;\nexists x=1;\nexpect reachable\nexpect always;");
    assert_int_equal(reading.test->expected_count, 4);
    check_words(&reading, 0, EXPECT_NO_RACE);
    check_words(&reading, 1, EXPECT_HANG);
    check_words(&reading, 2, EXPECT_REACHABLE);
    check_words(&reading, 3, EXPECT_ALWAYS);
    close_reading(&reading);
    for (int i = 0; i < EXPECTATION_COUNT; i++) {
        char text[64];
        snprintf(text, sizeof text, "exists x=1\nexpect %s", expectation_text((enum expectation)i));
        reading = read_tail(text);
        assert_int_equal(reading.test->expected_count, 1);
        check_words(&reading, 0, (enum expectation)i);
        close_reading(&reading);
    }
}

// Each two of them: the same twice and contradictions are refused, at the words of the second.
static void test_expect_pairs(void **state) {
    (void)state;
    for (int a = 0; a < EXPECTATION_COUNT; a++) {
        for (int b = 0; b < EXPECTATION_COUNT; b++) {
            bool verdicts = a <= EXPECT_ALWAYS && b <= EXPECT_ALWAYS;
            bool races = (a == EXPECT_RACE || a == EXPECT_NO_RACE) &&
                         (b == EXPECT_RACE || b == EXPECT_NO_RACE);
            bool hangs = (a == EXPECT_HANG || a == EXPECT_NO_HANG) &&
                         (b == EXPECT_HANG || b == EXPECT_NO_HANG);
            bool traps = (a == EXPECT_TRAP || a == EXPECT_NO_TRAP) &&
                         (b == EXPECT_TRAP || b == EXPECT_NO_TRAP);
            bool ends = a >= EXPECT_TERMINATES && b >= EXPECT_TERMINATES;
            bool empty =
                (a == EXPECT_UNREACHABLE && (b <= EXPECT_ALWAYS || b == EXPECT_REACHABLE)) ||
                (b == EXPECT_UNREACHABLE && (a <= EXPECT_ALWAYS || a == EXPECT_REACHABLE));
            struct arena *arena = arena_new();
            struct reading reading = read_text(arena_format(
                arena, "%sexists x=1\nexpect %s, %s;", PROLOGUE,
                expectation_text((enum expectation)a), expectation_text((enum expectation)b)));
            arena_free(arena);
            bool refused = diag_has_errors(&reading.diagnostics);
            assert_int_equal(refused,
                             a == b || verdicts || races || hangs || traps || ends || empty);
            close_reading(&reading);
        }
    }
}

static void test_spans(void **state) {
    (void)state;
    struct reading reading = read_tail("exists (x = 1 /\\ ~ P0:%r0 == -2)");
    const char *text = reading.source->text;
    const struct condition *both = reading.test->condition, *inner = both->right->left;
    assert_memory_equal(text + both->span.begin, "x = 1 /\\ ~ P0:%r0 == -2", 23);
    assert_memory_equal(text + both->right->span.begin, "~ P0:%r0 == -2", 14);
    assert_memory_equal(text + inner->rhs.span.begin, "-2", 2);
    assert_int_equal(inner->rhs.span.end - inner->rhs.span.begin, 2);
    assert_int_equal(inner->lhs.span.end - inner->lhs.span.begin, 6);
    close_reading(&reading);
}

static void test_name_errors(void **state) {
    (void)state;
    check_tail_messages("exists P0:%r1 = 1 /\\ P2:r0 = 1",
                        "t.litmus:5:11: error: P0 has no register '%r1'\n"
                        "exists P0:%r1 = 1 /\\ P2:r0 = 1\n"
                        "          ^^^\n"
                        "hint: P0 uses %r0 and %rd1\n"
                        "t.litmus:5:22: error: there is no thread 'P2'\n"
                        "exists P0:%r1 = 1 /\\ P2:r0 = 1\n"
                        "                     ^^\n"
                        "hint: the threads are P0 and P1\n");
    check_tail_messages("exists r1 = 1 /\\ zz = 1",
                        "t.litmus:5:8: error: register 'r1' needs the name of its thread\n"
                        "exists r1 = 1 /\\ zz = 1\n"
                        "       ^^\n"
                        "hint: write 'P1:r1'\n"
                        "t.litmus:5:18: error: there is no variable 'zz'\n"
                        "exists r1 = 1 /\\ zz = 1\n"
                        "                 ^^\n"
                        "hint: declare it before the threads: .global .u32 zz;\n");
    check_tail_messages("exists a[4] = 1 /\\ a = 1 /\\ x[1] = 1",
                        "t.litmus:5:10: error: 'a' has no element 4\n"
                        "exists a[4] = 1 /\\ a = 1 /\\ x[1] = 1\n"
                        "         ^\n"
                        "hint: its elements are a[0] to a[3]\n"
                        "t.litmus:5:20: error: 'a' is an array\n"
                        "exists a[4] = 1 /\\ a = 1 /\\ x[1] = 1\n"
                        "                   ^\n"
                        "hint: name one of its elements, a[0] to a[3]\n"
                        "t.litmus:5:31: error: 'x' has no element 1\n"
                        "exists a[4] = 1 /\\ a = 1 /\\ x[1] = 1\n"
                        "                              ^\n"
                        "hint: it has only one\n");
    check_tail_messages(
        "exists s = 1 /\\ l = 1 /\\ cta2:s = 1 /\\ cta0:x = 1",
        "t.litmus:5:8: error: each CTA has its own 's'\n"
        "exists s = 1 /\\ l = 1 /\\ cta2:s = 1 /\\ cta0:x = 1\n"
        "       ^\n"
        "hint: say which: 'cta0:s'\n"
        "t.litmus:5:17: error: each thread has its own 'l'\n"
        "exists s = 1 /\\ l = 1 /\\ cta2:s = 1 /\\ cta0:x = 1\n"
        "                ^\n"
        "hint: load it into a register at the end of the thread\n"
        "t.litmus:5:26: error: no thread is in CTA 2\n"
        "exists s = 1 /\\ l = 1 /\\ cta2:s = 1 /\\ cta0:x = 1\n"
        "                         ^^^^\n"
        "t.litmus:5:40: error: 'x' is not a .shared variable: all CTAs have the same one\n"
        "exists s = 1 /\\ l = 1 /\\ cta2:s = 1 /\\ cta0:x = 1\n"
        "                                       ^^^^\n"
        "hint: write 'x'\n");
    check_tail_messages("exists b = 256 /\\ -129 = b /\\ x = -2147483649",
                        "t.litmus:5:12: error: '256' does not fit the 8 bits of 'b'\n"
                        "exists b = 256 /\\ -129 = b /\\ x = -2147483649\n"
                        "           ^^^\n"
                        "t.litmus:5:19: error: '-129' does not fit the 8 bits of 'b'\n"
                        "exists b = 256 /\\ -129 = b /\\ x = -2147483649\n"
                        "                  ^^^^\n"
                        "t.litmus:5:35: error: '-2147483649' does not fit the 32 bits of 'x'\n"
                        "exists b = 256 /\\ -129 = b /\\ x = -2147483649\n"
                        "                                  ^^^^^^^^^^^\n");
}

static void test_syntax_errors(void **state) {
    (void)state;
    check_tail_messages("exists (x = 1 & y = 1)",
                        "t.litmus:5:15: error: expected '/\\', '\\/' or ')', not '&'\n"
                        "exists (x = 1 & y = 1)\n"
                        "              ^\n"
                        "hint: 'and' is written '/\\', '&&' or 'and'\n");
    check_tail_messages("exists (x = 1 /\\ (y = 1)\nexpect always;",
                        "t.litmus:5:8: error: this '(' is never closed\n"
                        "exists (x = 1 /\\ (y = 1)\n"
                        "       ^\n");
    check_tail_messages("exists x = 1)", "t.litmus:5:13: error: this ')' has no '(' before it\n"
                                         "exists x = 1)\n"
                                         "            ^\n");
    check_tail_messages("exists x",
                        "t.litmus:5:9: error: expected a comparison, not the end of the "
                        "file\n"
                        "exists x\n"
                        "        ^\n"
                        "hint: one of = == != < <= > >=\n");
    check_tail_messages("exists x = {1}",
                        "t.litmus:5:12: error: expected a register, a variable or "
                        "a number, not '{'\n"
                        "exists x = {1}\n"
                        "           ^\n");
    check_tail_messages("exist (x = 1)", "t.litmus:5:1: error: 'exist' starts neither an "
                                         "instruction nor a condition\n"
                                         "exist (x = 1)\n"
                                         "^^^^^\n"
                                         "hint: did you mean 'exists'?\n");
    check_tail_messages("~forall x = 1", "t.litmus:5:2: error: expected 'exists' after a negation, "
                                         "not 'forall'\n"
                                         "~forall x = 1\n"
                                         " ^^^^^^\n");
    check_tail_messages("exists 1.5 = x",
                        "t.litmus:5:8: error: '1.5' is not a value of type .u32\n"
                        "exists 1.5 = x\n"
                        "       ^^^\n"
                        "hint: 1.5 is for .f32 and .f64, 0f3F800000 for .f32 and .b32, "
                        "0d3FF0000000000000 for .f64 and .b64; of other types, write the bits as "
                        "an integer\n");
}

static void test_tail_errors(void **state) {
    (void)state;
    check_tail_messages("", "t.litmus:4:55: error: the test has no condition\n"
                            "P1@cta 1 { ld.weak.u32 r0, [x]; ld.weak.u32 r1, [x]; }\n"
                            "                                                      ^\n"
                            "hint: write one after the threads: exists (...), ~exists (...) or "
                            "forall (...)\n");
    check_tail_messages("exists x=1\nforall y=1", "t.litmus:6:1: error: the test has two "
                                                  "conditions\n"
                                                  "forall y=1\n"
                                                  "^^^^^^\n"
                                                  "hint: the first one is on line 5\n");
    check_tail_messages("filter x=1\nfilter y=1\nexists x=1",
                        "t.litmus:6:1: error: the test has two filters\n"
                        "filter y=1\n"
                        "^^^^^^\n"
                        "hint: the first one is on line 5\n");
    check_tail_messages("locations [x, y]\nexists x=1",
                        "t.litmus:5:13: error: expected ';' or ']', "
                        "not ','\n"
                        "locations [x, y]\n"
                        "            ^\n");
    check_tail_messages("locations [x; y\nexists x=1", "t.litmus:5:11: error: this '[' is never "
                                                       "closed\n"
                                                       "locations [x; y\n"
                                                       "          ^\n");
    check_tail_messages(
        "exists x=1\nexpect alowed;",
        "t.litmus:6:8: error: expected 'allowed', 'forbidden', 'always', 'race', "
        "'no race', 'hang', 'no hang', 'trap', 'no trap', 'reachable', 'unreachable', "
        "'terminates' or "
        "'may-hang', not 'alowed'\n"
        "expect alowed;\n"
        "       ^^^^^^\n"
        "hint: did you mean 'allowed'?\n");
}

static void test_depth(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    char *open = arena_alloc(arena, 301);
    memset(open, '(', 300);
    const char *deep = arena_format(arena, "%sexists %sx=1", PROLOGUE, open);
    struct reading reading = read_text(deep);
    assert_int_equal(reading.diagnostics.count, 1);
    assert_string_equal(reading.diagnostics.items[0].message,
                        "the condition is nested more than 200 deep");
    close_reading(&reading);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms),         cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_addresses),     cmocka_unit_test(test_connectives),
        cmocka_unit_test(test_quantifiers),   cmocka_unit_test(test_tail),
        cmocka_unit_test(test_expect),        cmocka_unit_test(test_expect_pairs),
        cmocka_unit_test(test_spans),         cmocka_unit_test(test_name_errors),
        cmocka_unit_test(test_syntax_errors), cmocka_unit_test(test_tail_errors),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
