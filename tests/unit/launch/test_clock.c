// Vector clocks: what is before, after publishing, hearing, barriers and handing over.
#include "launch/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ACTORS = 4 };

static void start(struct moment *moments, size_t parts) {
    struct clock *nothing = clock_new(ACTORS, parts);
    for (uint32_t i = 0; i < ACTORS; i++)
        moments[i] = (struct moment){.heard = clock_keep(nothing), .actor = i, .time = 1};
    clock_drop(nothing);
}

static void end(struct moment *moments) {
    for (size_t i = 0; i < ACTORS; i++)
        clock_drop(moments[i].heard);
}

static void test_publish(void **state) {
    (void)state;
    struct moment moments[ACTORS];
    start(moments, 1);
    struct clock *first = moment_publish(&moments[0]);
    assert_false(moment_heard(&moments[1], 0, 1));
    moment_hear(&moments[1], first);
    assert_true(moment_heard(&moments[1], 0, 1));
    assert_false(moment_heard(&moments[1], 0, 2)); // what it does after that
    assert_true(moment_covers(&moments[1], first));
    assert_false(moment_covers(&moments[2], first));
    assert_true(moment_heard(&moments[0], 0, moments[0].time)); // its own
    clock_drop(first);
    end(moments);
}

// What one has heard of goes on to who hears it.
static void test_chain(void **state) {
    (void)state;
    struct moment moments[ACTORS];
    start(moments, 1);
    struct clock *first = moment_publish(&moments[0]);
    moment_hear(&moments[1], first);
    struct clock *second = moment_publish(&moments[1]);
    moment_hear(&moments[2], second);
    assert_true(moment_heard(&moments[2], 0, 1));
    assert_true(moment_heard(&moments[2], 1, 1));
    assert_false(moment_heard(&moments[0], 1, 1));
    clock_drop(first);
    clock_drop(second);
    end(moments);
}

static void test_meet(void **state) {
    (void)state;
    struct moment moments[ACTORS];
    struct moment *three[] = {&moments[0], &moments[1], &moments[2]};
    start(moments, 1);
    moments_meet(three, 3);
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t b = 0; b < 3; b++)
            assert_true(moment_heard(&moments[a], b, 1));
    assert_ptr_equal(moments[0].heard, moments[2].heard); // they share what all know
    assert_false(moment_heard(&moments[3], 0, 1));
    assert_false(moment_heard(&moments[0], 1, 2));
    end(moments);
}

static void test_hand_over(void **state) {
    (void)state;
    struct moment moments[ACTORS];
    start(moments, CLOCK_PARTS);
    assert_false(moment_handed(&moments[0], CLOCK_SHARED, 0, 1));
    moment_hand_over(&moments[0], CLOCK_SHARED);
    assert_true(moment_handed(&moments[0], CLOCK_SHARED, 0, 1));
    assert_false(moment_handed(&moments[0], CLOCK_GLOBAL, 0, 1));
    assert_false(moment_handed(&moments[0], CLOCK_SHARED, 0, 2)); // what comes after the fence
    struct clock *clock = moment_publish(&moments[0]);
    moment_hear(&moments[1], clock);
    assert_true(moment_handed(&moments[1], CLOCK_SHARED, 0, 1));
    assert_false(moment_handed(&moments[1], CLOCK_SHARED, 0, 2));
    assert_true(moment_heard(&moments[1], 0, 2));
    clock_drop(clock);
    end(moments);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_publish),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_meet),
        cmocka_unit_test(test_hand_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
