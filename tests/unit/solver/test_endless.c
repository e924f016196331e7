// Whether tests end: each execution that never does is checked again in plain C (check/endless.c),
// under each promise of progress, for the tests of the library that are about barriers, locks and
// progress.
#include "support.h"

#include <glob.h>
#include <stdlib.h>

static const char *const promises[] = {"cuda",
                                       "fair",
                                       "hsa",
                                       "hsa_obe",
                                       "obe",
                                       "lobe",
                                       "unfair",
                                       "cluster=obe,thread=unfair",
                                       "warp=fair,thread=unfair",
                                       "cta=hsa,thread=lobe",
                                       "cluster=lobe,cta=hsa_obe"};

enum { PROMISES = sizeof promises / sizeof promises[0], TEXT_MAX = 1 << 16 };

static const char *text_of_file(struct arena *arena, const char *path) {
    static char text[TEXT_MAX];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    return arena_format(arena, "%s", text);
}

// How a test ends under a promise.
static enum truth always_ends(struct solver *solver, const char *path, const char *promise) {
    struct arena *arena = arena_new();
    struct solver_options options = {.verdict_only = true, .check_executions = true};
    options.progress = progress_parse(promise, &options.schedule);
    assert_int_not_equal(options.progress, PROGRESS_OFF);
    const struct outcomes *outcomes =
        outcomes_of(solver, arena, text_of_file(arena, path), "ptx-9.1", &options);
    enum truth always = outcomes->termination.always;
    assert_true((outcomes->termination.fates != NULL) == (always == TRUTH_NO));
    arena_free(arena);
    return always;
}

// All tests that the pattern finds, or a share of them, of which some have executions that never
// end.
static void check_folder(const char *pattern, size_t least) {
    glob_t found;
    size_t endless = 0;
    struct solver *solver = solver_new();
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    size_t count = share_of((unsigned)found.gl_pathc);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < PROMISES; k++)
            endless += always_ends(solver, found.gl_pathv[i * found.gl_pathc / count],
                                   promises[k]) == TRUTH_NO;
    if (endless < (count == found.gl_pathc ? least : 1))
        fail_msg("%s: %zu executions that never end, not %zu", pattern, endless, least);
    solver_free(solver);
    globfree(&found);
}

static void test_progress(void **state) {
    (void)state;
    check_folder("litmus/library/progress/*.litmus", 80);
}

static void test_hangs(void **state) {
    (void)state;
    check_folder("litmus/library/barriers/*hang*.litmus", 50);
}

static void test_spins(void **state) {
    (void)state;
    check_folder("litmus/library/*/*Spin*.litmus", 20);
    check_folder("litmus/library/*/*pin-lock*.litmus", 1);
}

static void test_locks(void **state) {
    (void)state;
    check_folder("tests/model/locks/*lock*.litmus", 25);
    check_folder("tests/model/locks/*arrier*.litmus", 15);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_progress),
                                       cmocka_unit_test(test_hangs), cmocka_unit_test(test_spins),
                                       cmocka_unit_test(test_locks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
