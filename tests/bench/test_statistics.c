// Medians and exponents of values for which they are known.
#include "tests/bench/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

static void takes_the_middle(void **state) {
    (void)state;
    double one[] = {7}, odd[] = {5, 1, 100}, even[] = {4, 1, 100, 2};
    assert_float_equal(statistics_median(one, 1), 7, 0);
    assert_float_equal(statistics_median(odd, 3), 5, 0);
    assert_float_equal(statistics_median(even, 4), 3, 0);
}

static void finds_the_power(void **state) {
    (void)state;
    double x[] = {2, 3, 10, 40}, y[4], exponent = 0;
    for (int i = 0; i < 4; i++)
        y[i] = 0.3 * pow(x[i], 2.5);
    assert_true(statistics_exponent(x, y, 4, &exponent));
    assert_float_equal(exponent, 2.5, 1e-6);
}

// (1, 1), (e, e), (e^2, e^5): the line through (0, 0), (1, 1), (2, 5) by least squares rises
// by 2.5.
static void fits_what_is_no_power(void **state) {
    (void)state;
    double x[] = {1, exp(1), exp(2)}, y[] = {1, exp(1), exp(5)}, exponent = 0;
    assert_true(statistics_exponent(x, y, 3, &exponent));
    assert_float_equal(exponent, 2.5, 1e-6);
}

static void leaves_out_what_has_no_logarithm(void **state) {
    (void)state;
    double x[] = {1, 2, 4, 8, 0}, y[] = {-3, 2, 4, 8, 5}, exponent = 0;
    assert_true(statistics_exponent(x, y, 5, &exponent));
    assert_float_equal(exponent, 1, 1e-6);
    assert_false(statistics_exponent(x, y, 3, &exponent));
}

static void needs_two_places(void **state) {
    (void)state;
    double x[] = {3, 3, 3, 3}, y[] = {1, 2, 3, 4}, exponent = 0;
    assert_false(statistics_exponent(x, y, 4, &exponent));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_middle),      cmocka_unit_test(finds_the_power),
        cmocka_unit_test(fits_what_is_no_power), cmocka_unit_test(leaves_out_what_has_no_logarithm),
        cmocka_unit_test(needs_two_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
