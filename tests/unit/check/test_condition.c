// How conditions are spelled, for herd and for people.
#include "check/text/condition.h"
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

static const char *spelled(struct fixture *f, struct condition *condition,
                           enum condition_style style) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    f->test.condition = condition;
    condition_print(out, &f->program, style);
    fclose(out);
    const char *copy = arena_strndup(f->arena, text, size);
    free(text);
    return copy;
}

static void expect(struct fixture *f, struct condition *condition, const char *herd,
                   const char *ptx) {
    assert_string_equal(spelled(f, condition, CONDITION_HERD), herd);
    assert_string_equal(spelled(f, condition, CONDITION_PTX), ptx);
}

static void test_compare(void **state) {
    (void)state;
    struct fixture *f = fixture_new(COLUMN_COUNT);
    struct term r0 = f->terms[COLUMN_R0], x = f->terms[COLUMN_X], a1 = f->terms[COLUMN_A1];
    struct term one = fixture_constant(1);
    expect(f, fixture_compare(f, r0, COMPARE_EQ, one), "1:r0=1", "P1:%r0 == 1");
    expect(f, fixture_compare(f, x, COMPARE_NE, one), "not ([x]=1)", "x != 1");
    expect(f, fixture_compare(f, r0, COMPARE_LT, one), "1:r0<1", "P1:%r0 < 1");
    expect(f, fixture_compare(f, r0, COMPARE_GE, one), "1:r0>=1", "P1:%r0 >= 1");
    expect(f, fixture_compare(f, a1, COMPARE_EQ, r0), "a[1]=1:r0", "a[1] == P1:%r0");
    // herd has the register or location on the left
    expect(f, fixture_compare(f, one, COMPARE_EQ, x), "[x]=1", "1 == x");
    expect(f, fixture_compare(f, one, COMPARE_LE, r0), "1:r0>=1", "1 <= P1:%r0");
    // an element on the right would be an address to herd
    expect(f, fixture_compare(f, r0, COMPARE_EQ, a1), "1:r0=[a[1]]", "P1:%r0 == a[1]");
    struct term address = {.kind = TERM_ADDRESS, .variable = 0};
    expect(f, fixture_compare(f, r0, COMPARE_EQ, address), "1:r0=x", "P1:%r0 == &x");
    fixture_free(f);
}

// Constants look like the values that they are compared with.
static void test_constants(void **state) {
    (void)state;
    struct fixture *f = fixture_new(COLUMN_COUNT);
    struct term r0 = f->terms[COLUMN_R0], r1 = f->terms[COLUMN_R1], x = f->terms[COLUMN_X];
    struct term minus = fixture_constant(-1), big = fixture_constant(0xffffffffLL);
    expect(f, fixture_compare(f, r0, COMPARE_EQ, minus), "1:r0=4294967295", "P1:%r0 == 4294967295");
    expect(f, fixture_compare(f, r1, COMPARE_EQ, minus), "1:r1=-1", "P1:%r1 == -1");
    expect(f, fixture_compare(f, r1, COMPARE_EQ, big), "1:r1=-1", "P1:%r1 == -1");
    expect(f, fixture_compare(f, x, COMPARE_EQ, minus), "[x]=0xffffffffffffffff",
           "x == 18446744073709551615");
    // no value of 32 bits: as written
    struct term wide = fixture_constant(1LL << 40), low = fixture_constant(-(1LL << 40));
    expect(f, fixture_compare(f, r0, COMPARE_EQ, wide), "1:r0=1099511627776",
           "P1:%r0 == 1099511627776");
    expect(f, fixture_compare(f, r0, COMPARE_EQ, low), "1:r0=-1099511627776",
           "P1:%r0 == -1099511627776");
    // herd's integers end at 64 bits: the suffix keeps its reader from trying
    struct term huge = {.kind = TERM_CONSTANT, .constant = {5, 1}};
    expect(f, fixture_compare(f, x, COMPARE_EQ, huge), "[x]=0x10000000000000005U",
           "x == 18446744073709551621");
    fixture_free(f);
}

static void test_connectives(void **state) {
    (void)state;
    struct fixture *f = fixture_new(COLUMN_COUNT);
    struct condition *a = fixture_compare(f, f->terms[COLUMN_R0], COMPARE_EQ, fixture_constant(0));
    struct condition *b = fixture_compare(f, f->terms[COLUMN_X], COMPARE_EQ, fixture_constant(1));
    struct condition *either = fixture_join(f, CONDITION_OR, a, b);
    struct condition *both = fixture_join(f, CONDITION_AND, a, b);
    expect(f, fixture_join(f, CONDITION_AND, both, a), "1:r0=0 /\\ [x]=1 /\\ 1:r0=0",
           "P1:%r0 == 0 /\\ x == 1 /\\ P1:%r0 == 0");
    expect(f, fixture_join(f, CONDITION_AND, a, either), "1:r0=0 /\\ (1:r0=0 \\/ [x]=1)",
           "P1:%r0 == 0 /\\ (P1:%r0 == 0 \\/ x == 1)");
    expect(f, fixture_join(f, CONDITION_OR, both, either), "1:r0=0 /\\ [x]=1 \\/ 1:r0=0 \\/ [x]=1",
           "P1:%r0 == 0 /\\ x == 1 \\/ P1:%r0 == 0 \\/ x == 1");
    expect(f, fixture_join(f, CONDITION_NOT, either, NULL), "not (1:r0=0 \\/ [x]=1)",
           "~(P1:%r0 == 0 \\/ x == 1)");
    struct condition *yes = fixture_join(f, CONDITION_TRUE, NULL, NULL);
    expect(f, yes, "true", "true");
    expect(f, fixture_join(f, CONDITION_FALSE, NULL, NULL), "false", "false");
    fixture_free(f);
}

// A chain of a hundred thousand terms, leaning either way, does not exhaust the stack.
static void test_long_chain(void **state) {
    (void)state;
    struct fixture *f = fixture_new(COLUMN_COUNT);
    struct condition *a = fixture_compare(f, f->terms[COLUMN_R0], COMPARE_EQ, fixture_constant(0));
    struct condition *left = a, *right = a;
    for (int i = 0; i < 100000; i++) {
        left = fixture_join(f, CONDITION_AND, left, a);
        right = fixture_join(f, CONDITION_AND, a, right);
    }
    assert_string_equal(spelled(f, left, CONDITION_HERD), spelled(f, right, CONDITION_HERD));
    fixture_free(f);
}

// What no state shows (the terms of a filter) still has a name.
static void test_unobserved(void **state) {
    (void)state;
    struct fixture *f = fixture_new(0);
    struct term one = fixture_constant(1);
    expect(f, fixture_compare(f, f->terms[COLUMN_R0], COMPARE_EQ, one), "1:r0=1", "P1:%r0 == 1");
    expect(f, fixture_compare(f, f->terms[COLUMN_X], COMPARE_EQ, one), "[x]=1", "x == 1");
    expect(f, fixture_compare(f, f->terms[COLUMN_A1], COMPARE_EQ, one), "a[1]=1", "a[1] == 1");
    fixture_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare),     cmocka_unit_test(test_constants),
        cmocka_unit_test(test_connectives), cmocka_unit_test(test_long_chain),
        cmocka_unit_test(test_unobserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
