// The line that tells how far a run is.
#include "cli/jobs/progress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

static void check(size_t done, size_t total, double seconds, size_t width, const char *expected) {
    const char *names[] = {"SB.litmus", "caf\xc3\xa9.litmus"};
    char *line = progress_line(done, total, seconds, names, 2, width);
    assert_string_equal(line, expected);
    free(line);
}

static void test_line(void **state) {
    (void)state;
    check(0, 7, 2.9, 100, "[>                   ] 0/7  0:02  SB.litmus caf\xc3\xa9.litmus");
    check(5, 10, 61, 100, "[==========>         ] 5/10  1:01  SB.litmus caf\xc3\xa9.litmus");
    check(10, 10, 3600, 100, "[====================] 10/10  60:00  SB.litmus caf\xc3\xa9.litmus");
}

// It is cut where the terminal ends, and not inside a character.
static void test_width(void **state) {
    (void)state;
    check(1, 2, 5, 29, "[==========>         ] 1/2  0");
    check(1, 2, 5, 47, "[==========>         ] 1/2  0:05  SB.litmus caf");
    check(1, 2, 5, 48, "[==========>         ] 1/2  0:05  SB.litmus caf\xc3\xa9");
    check(1, 2, 5, 49, "[==========>         ] 1/2  0:05  SB.litmus caf\xc3\xa9.");
}

// A run that has only begun does not draw, and one that is off never does.
static void test_quiet(void **state) {
    (void)state;
    struct progress progress;
    progress_start(&progress, true);
    progress_draw(&progress, 1, 2, NULL, 0);
    assert_false(progress.is_drawn);
    progress_start(&progress, false);
    progress.begun -= 10;
    progress_draw(&progress, 1, 2, NULL, 0);
    assert_false(progress.is_drawn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_quiet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
