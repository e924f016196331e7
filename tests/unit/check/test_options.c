// Options of a check by their names.
#include "check/options.h"
#include "litmus/source/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_good(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct check_options options = check_options_default();
    assert_int_equal(options.program.unroll, 2);
    assert_null(check_option_set(arena, &options, "model", "ptx-8.0,mine.cat"));
    assert_null(check_option_set(arena, &options, "include", "a"));
    assert_null(check_option_set(arena, &options, "include", "b"));
    assert_null(check_option_set(arena, &options, "ptx-version", "8.0"));
    assert_null(check_option_set(arena, &options, "multimem", "variable"));
    assert_null(check_option_set(arena, &options, "timeout", "0.5"));
    assert_null(check_option_set(arena, &options, "progress", "fair"));
    assert_null(check_option_set(arena, &options, "hex", NULL));
    assert_int_equal(options.model_count, 2);
    assert_string_equal(options.models[1], "mine.cat");
    assert_int_equal(options.include_count, 2);
    assert_int_equal(options.ptx_version, 80);
    assert_int_equal(options.readings.multimem, READING_OTHER);
    assert_true(options.program.multimem_variables);
    assert_true(options.solver.timeout_seconds == 0.5);
    assert_int_equal(options.solver.progress, PROGRESS_FAIR);
    assert_true(options.hex);
    arena_free(arena);
}

static void test_bad(void **state) {
    (void)state;
    static const struct {
        const char *name, *value, *error;
    } cases[] = {
        {"format", "json", "'format' is not an option of a check"},
        {"results", "100", "'results' is not an option of a check"},
        {"hex", "yes", "'--hex' takes no argument"},
        {"deps", NULL, "'--deps' needs semantic|syntactic|none"},
        {"deps", "all", "'--deps' takes semantic|syntactic|none, not 'all'"},
        {"unroll", "0", "'--unroll' takes a whole number from 1 to 1000, not '0'"},
        {"states", "1x", "'--states' takes a whole number of 0 or more, not '1x'"},
        {"target", "sm_90,sm_90", "'--target' names 'sm_90' twice"},
        {"model", "a,,b", "'--model' takes names separated by commas, and 'a,,b' leaves one out"},
        {"timeout", "1e3",
         "'--timeout' takes a number of seconds (0 for no limit), such as 10 or 0.5, not '1e3'"},
    };
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct check_options options = check_options_default();
        const char *error = check_option_set(arena, &options, cases[i].name, cases[i].value);
        assert_non_null(error);
        assert_string_equal(error, cases[i].error);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
