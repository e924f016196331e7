// Barriers and races in the shipped models (memory-model sections 6 and 7), on executions
// written by hand.
#include "support.h"

static const char *const names[] = {"ptx-9.1", "ptx-7.5", "ptx-6.0"};
enum { MODELS = sizeof names / sizeof *names };

#define RF(a, b) sketch_edge(&s, BASE_REL_RF, (a), (b))

static struct sketch start(void) {
    struct sketch sketch;
    sketch_init(&sketch, arena_new());
    return sketch;
}

// The axiom that forbids the sketch in every model, or the flags that it raises.
static void check_forbidden(struct sketch *s, const char *wanted) {
    sketch_finish(s);
    for (int m = 0; m < MODELS; m++)
        assert_string_equal(failing(s, load_good(s->arena, names[m]), AXIOM_REQUIRED), wanted);
    arena_free(s->arena);
}

static void check_flags(struct sketch *s, const char *in_91, const char *in_75, const char *in_60) {
    const char *const wanted[MODELS] = {in_91, in_75, in_60};
    sketch_finish(s);
    for (int m = 0; m < MODELS; m++)
        assert_string_equal(raised(s, load_good(s->arena, names[m])), wanted[m]);
    arena_free(s->arena);
}

static void check_same_flags(struct sketch *s, const char *wanted) {
    check_flags(s, wanted, wanted, wanted);
}

// --- Barriers ----------------------------------------------------------------------------------

// Thread 0 writes x and arrives; thread 1 arrives, waits and reads x, old. `from` is whose arrival
// the wait belongs to.
static struct sketch meet(bool of_one_phase, bool arrival_first) {
    struct sketch s = start();
    unsigned x0 = sketch_event(&s, -1, "IW W", "x"), arrival = 0;
    if (arrival_first)
        arrival = sketch_event(&s, 0, "B", NULL);
    sketch_event(&s, 0, "W WEAK", "x");
    if (!arrival_first)
        arrival = sketch_event(&s, 0, "B", NULL);
    unsigned own = sketch_event(&s, 1, "B", NULL), wait = sketch_event(&s, 1, "B", NULL);
    RF(x0, sketch_event(&s, 1, "R WEAK", "x"));
    sketch_edge(&s, BASE_REL_BARRIER, own, wait);
    if (of_one_phase)
        sketch_edge(&s, BASE_REL_BARRIER, arrival, wait);
    return s;
}

static void test_barrier(void **state) {
    (void)state;
    struct sketch s = meet(true, false);
    check_forbidden(&s, "Causality");
    s = meet(false, false); // another phase
    check_forbidden(&s, "");
    s = meet(true, true); // the write comes after the arrival
    check_forbidden(&s, "");
}

// Causality goes on through a barrier, and from one barrier to the next.
static void test_two_barriers(void **state) {
    (void)state;
    for (int second = 0; second < 2; second++) {
        struct sketch s = start();
        unsigned x0 = sketch_event(&s, -1, "IW W", "x");
        sketch_event(&s, 0, "W WEAK", "x");
        unsigned a = sketch_event(&s, 0, "B", NULL);
        unsigned b = sketch_event(&s, 1, "B", NULL), c = sketch_event(&s, 1, "B", NULL);
        unsigned d = sketch_event(&s, 2, "B", NULL);
        RF(x0, sketch_event(&s, 2, "R WEAK", "x"));
        sketch_edge(&s, BASE_REL_BARRIER, a, b);
        if (second)
            sketch_edge(&s, BASE_REL_BARRIER, c, d);
        check_forbidden(&s, second ? "Causality" : "");
    }
}

// A barrier orders generic accesses alone: across proxies it takes fences too.
static void test_barrier_and_proxies(void **state) {
    (void)state;
    for (int fence = 0; fence < 2; fence++) {
        struct sketch s = start();
        unsigned x0 = sketch_event(&s, -1, "IW W", "x");
        sketch_event(&s, 0, "W WEAK SURFACE", "x");
        if (fence)
            sketch_event(&s, 0, "PF SURFACE", NULL);
        unsigned arrival = sketch_event(&s, 0, "B", NULL), wait = sketch_event(&s, 1, "B", NULL);
        RF(x0, sketch_event(&s, 1, "R WEAK", "x"));
        sketch_edge(&s, BASE_REL_BARRIER, arrival, wait);
        sketch_finish(&s);
        for (int m = 0; m < 2; m++)
            assert_string_equal(failing(&s, load_good(s.arena, names[m]), AXIOM_REQUIRED),
                                fence ? "Causality" : "");
        arena_free(s.arena);
    }
}

// --- Races -------------------------------------------------------------------------------------

// Two unordered accesses of two threads.
static struct sketch pair(const char *first, const char *first_place, const char *second,
                          const char *second_place) {
    struct sketch s = start();
    sketch_event(&s, -1, "IW W", "x");
    sketch_event(&s, 0, first, first_place);
    sketch_event(&s, 1, second, second_place);
    return s;
}

static void test_data_race(void **state) {
    (void)state;
    static const struct {
        const char *first, *second;
        bool races;
    } cases[] = {
        {"W WEAK", "W WEAK", true},
        {"W WEAK", "R WEAK", true},
        {"R WEAK", "W WEAK", true},
        {"R WEAK", "R WEAK", false},
        {"W RELAXED GPU", "R RELAXED GPU", false},
        {"W RELAXED GPU", "R WEAK", true}, // one side is not enough
        {"W RELAXED GPU", "W RELAXED CTA", true},
        {"W VOLATILE SYS", "R RELAXED GPU", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sketch s = pair(cases[i].first, "x", cases[i].second, "x");
        check_same_flags(&s, cases[i].races ? "data-race" : "");
    }
    struct sketch s = pair("W WEAK", "x", "W WEAK", "z");
    check_same_flags(&s, "");
    s = pair("W WEAK", "x.lo", "W WEAK", "x.hi"); // no common byte
    check_same_flags(&s, "");
}

static void test_no_race_in_a_thread(void **state) {
    (void)state;
    struct sketch s = start();
    sketch_event(&s, -1, "IW W", "x");
    sketch_event(&s, 0, "W WEAK", "x");
    sketch_event(&s, 0, "R WEAK", "x.lo");
    check_same_flags(&s, "");
}

static void test_mixed_size_race(void **state) {
    (void)state;
    struct sketch s = pair("W WEAK", "x", "R WEAK", "x.lo");
    check_same_flags(&s, "mixed-size-race");
    s = pair("W RELAXED SYS", "x", "R RELAXED SYS", "x.lo"); // no moral strength without extent
    check_same_flags(&s, "mixed-size-race");
    s = pair("R WEAK", "x", "W WEAK", "x.hi");
    check_same_flags(&s, "mixed-size-race");
    s = pair("R WEAK", "x", "R WEAK", "x.hi");
    check_same_flags(&s, "");
    s = pair("W WEAK", "x", "W WEAK", "x.lo");
    sketch_event(&s, 2, "W WEAK", "x");
    check_same_flags(&s, "data-race mixed-size-race");
}

// Causality in either direction ends a race; a barrier's as well.
static void test_ordered(void **state) {
    (void)state;
    static const char *const places[] = {"x", "x.lo"};
    for (int i = 0; i < 4; i++) {
        struct sketch s = start();
        bool barrier = i >= 2;
        sketch_event(&s, -1, "IW W", "x");
        sketch_event(&s, -1, "IW W", "y");
        sketch_event(&s, 1, "W WEAK", "x"); // thread 1 is before thread 0
        unsigned from = sketch_event(&s, 1, barrier ? "B" : "W RELEASE GPU", barrier ? NULL : "y");
        unsigned to = sketch_event(&s, 0, barrier ? "B" : "R ACQUIRE GPU", barrier ? NULL : "y");
        sketch_event(&s, 0, "W WEAK", places[i % 2]);
        sketch_edge(&s, barrier ? BASE_REL_BARRIER : BASE_REL_RF, from, to);
        check_same_flags(&s, "");
    }
}

// Strong accesses by two addresses, or through two proxies, race; 6.0 knows neither.
static void test_aliases_and_proxies(void **state) {
    (void)state;
    struct sketch s = pair("W RELAXED SYS", "x", "R RELAXED SYS", "x@y");
    check_flags(&s, "data-race", "data-race", "");
    s = pair("W RELAXED SYS", "x", "R RELAXED SYS SURFACE", "x");
    check_flags(&s, "data-race", "data-race", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_two_barriers),
        cmocka_unit_test(test_barrier_and_proxies),
        cmocka_unit_test(test_data_race),
        cmocka_unit_test(test_no_race_in_a_thread),
        cmocka_unit_test(test_mixed_size_race),
        cmocka_unit_test(test_ordered),
        cmocka_unit_test(test_aliases_and_proxies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
