// The shipped models on executions written by hand: which axioms forbid which of them.
#include "support.h"

#define NONE ""

// The axioms of the model that forbid the sketch.
static const char *forbidding(struct sketch *sketch, const char *model) {
    return failing(sketch, load_good(sketch->arena, model), AXIOM_REQUIRED);
}

// Why the model does not describe the sketch.
static const char *undefined_by(struct sketch *sketch, const char *model) {
    return failing(sketch, load_good(sketch->arena, model), AXIOM_DEFINED);
}

#define RF(a, b) sketch_edge(&s, BASE_REL_RF, (a), (b))
#define CO(a, b) sketch_edge(&s, BASE_REL_CO, (a), (b))

static struct sketch start(void) {
    struct sketch sketch;
    sketch_init(&sketch, arena_new());
    return sketch;
}

static void finish_all(struct sketch *s, const char *wanted_91, const char *wanted_75,
                       const char *wanted_60) {
    sketch_finish(s);
    assert_string_equal(forbidding(s, "ptx-9.1"), wanted_91);
    assert_string_equal(forbidding(s, "ptx-7.5"), wanted_75);
    assert_string_equal(forbidding(s, "ptx-6.0"), wanted_60);
    arena_free(s->arena);
}

// As finish_all, where 7.5 differs from 9.1 only in having no axiom SC-per-Location.
static void finish_with(struct sketch *s, const char *wanted_91, const char *wanted_60) {
    const char *wanted_75 = "";
    for (const char *at = wanted_91; *at; at += strspn(at, " ")) {
        int length = (int)strcspn(at, " ");
        if (strncmp(at, "SC-per-Location", (size_t)length) != 0)
            wanted_75 =
                arena_format(s->arena, "%s%s%.*s", wanted_75, wanted_75[0] ? " " : "", length, at);
        at += length;
    }
    finish_all(s, wanted_91, wanted_75, wanted_60);
}

// --- MP ----------------------------------------------------------------------------------------

// Message passing: the flag is read, the data is old. Threads 0 and 1.
static struct sketch mp(const char *flag_write, const char *flag_read) {
    struct sketch s = start();
    unsigned x0 = sketch_event(&s, -1, "IW W", "x"), y0 = sketch_event(&s, -1, "IW W", "y");
    unsigned data = sketch_event(&s, 0, "W WEAK", "x");
    unsigned flag = sketch_event(&s, 0, flag_write, "y");
    unsigned seen = sketch_event(&s, 1, flag_read, "y");
    unsigned old = sketch_event(&s, 1, "R WEAK", "x");
    RF(flag, seen);
    RF(x0, old);
    (void)y0;
    (void)data;
    return s;
}

static void test_mp_scopes(void **state) {
    (void)state;
    struct sketch s = mp("W RELEASE GPU", "R ACQUIRE GPU");
    finish_with(&s, "Causality", "Causality");
    s = mp("W RELEASE SYS", "R ACQUIRE GPU");
    finish_with(&s, "Causality", "Causality");
    s = mp("W RELEASE CTA", "R ACQUIRE CTA"); // two CTAs
    finish_with(&s, NONE, NONE);
    s = mp("W RELEASE CTA", "R ACQUIRE GPU"); // one side's scope is not enough
    finish_with(&s, NONE, NONE);
    s = mp("W RELEASE CTA", "R ACQUIRE CTA");
    sketch_place(&s, 1, 0, 0, 0); // one CTA
    finish_with(&s, "Causality", "Causality");
    s = mp("W RELEASE GPU", "R ACQUIRE GPU");
    sketch_place(&s, 1, 1, 1, 1); // two GPUs
    finish_with(&s, NONE, NONE);
    s = mp("W RELEASE SYS", "R ACQUIRE SYS");
    sketch_place(&s, 1, 1, 1, 1);
    finish_with(&s, "Causality", "Causality");
}

static void test_mp_orders(void **state) {
    (void)state;
    struct sketch s = mp("W RELAXED SYS", "R ACQUIRE SYS");
    finish_with(&s, NONE, NONE);
    s = mp("W RELEASE SYS", "R RELAXED SYS");
    finish_with(&s, NONE, NONE);
    s = mp("W VOLATILE SYS", "R VOLATILE SYS");
    finish_with(&s, NONE, NONE);
    s = mp("W ACQ_REL SYS", "R ACQ_REL SYS"); // as parts of atomic operations
    finish_with(&s, "Causality", "Causality");
    s = mp("W WEAK", "R ACQUIRE SYS");
    finish_with(&s, NONE, NONE);
}

// Cluster scope: as gpu scope inside one cluster, without effect across two.
static void test_mp_cluster(void **state) {
    (void)state;
    struct sketch s = mp("W RELEASE CLUSTER", "R ACQUIRE CLUSTER");
    sketch_finish(&s);
    assert_string_equal(forbidding(&s, "ptx-9.1"), "Causality");
    assert_string_equal(undefined_by(&s, "ptx-6.0"), "Cluster-scope");
    assert_string_equal(undefined_by(&s, "ptx-7.5"), "Cluster-scope");
    arena_free(s.arena);
    s = mp("W RELEASE CLUSTER", "R ACQUIRE CLUSTER");
    sketch_place(&s, 1, 1, 1, 0);
    sketch_finish(&s);
    assert_string_equal(forbidding(&s, "ptx-9.1"), NONE);
    arena_free(s.arena);
}

// MP with a fence between the accesses of each thread.
static struct sketch mp_fences(const char *first, const char *second) {
    struct sketch s = start();
    unsigned x0 = sketch_event(&s, -1, "IW W", "x");
    sketch_event(&s, -1, "IW W", "y");
    sketch_event(&s, 0, "W WEAK", "x");
    sketch_event(&s, 0, first, NULL);
    unsigned flag = sketch_event(&s, 0, "W RELAXED SYS", "y");
    unsigned seen = sketch_event(&s, 1, "R RELAXED SYS", "y");
    sketch_event(&s, 1, second, NULL);
    unsigned old = sketch_event(&s, 1, "R WEAK", "x");
    RF(flag, seen);
    RF(x0, old);
    return s;
}

static void test_mp_fences(void **state) {
    (void)state;
    struct sketch s = mp_fences("F ACQ_REL SYS", "F ACQ_REL SYS");
    finish_with(&s, "Causality", "Causality");
    s = mp_fences("F SC SYS", "F SC SYS"); // whatever the order of the two in sc
    finish_with(&s, "Causality", "Causality");
    s = mp_fences("F SC SYS", "F ACQ_REL SYS");
    finish_with(&s, "Causality", "Causality");
    s = mp_fences("F ACQ_REL CTA", "F ACQ_REL CTA");
    finish_with(&s, NONE, NONE);
}

// memory-model section 8: one-directional fences are new in 9.1.
static void test_one_directional_fences(void **state) {
    (void)state;
    struct sketch s = mp_fences("F RELEASE SYS", "F ACQUIRE SYS");
    sketch_finish(&s);
    assert_string_equal(forbidding(&s, "ptx-9.1"), "Causality");
    assert_string_equal(undefined_by(&s, "ptx-6.0"), "One-directional-fence");
    assert_string_equal(undefined_by(&s, "ptx-7.5"), "One-directional-fence");
    arena_free(s.arena);
    static const char *const wrong[][2] = {{"F ACQUIRE SYS", "F RELEASE SYS"},
                                           {"F ACQUIRE SYS", "F ACQUIRE SYS"},
                                           {"F RELEASE SYS", "F RELEASE SYS"}};
    for (int i = 0; i < 3; i++) {
        s = mp_fences(wrong[i][0], wrong[i][1]);
        sketch_finish(&s);
        assert_string_equal(forbidding(&s, "ptx-9.1"), NONE);
        arena_free(s.arena);
    }
    s = mp_fences("F ACQ_REL SYS", "F SC SYS"); // not undefined in 6.0
    sketch_finish(&s);
    assert_string_equal(undefined_by(&s, "ptx-6.0"), NONE);
    assert_string_equal(undefined_by(&s, "ptx-7.5"), NONE);
    arena_free(s.arena);
}

// A release write is part of the pattern up to a later strong write to its location (PTX 8.8), and
// the acquire pattern may start at an earlier strong read.
static void test_long_patterns(void **state) {
    (void)state;
    static const char *const places[] = {"y", "z"};
    for (int i = 0; i < 2; i++) {
        struct sketch s = start();
        unsigned x0 = sketch_event(&s, -1, "IW W", "x"), y0 = sketch_event(&s, -1, "IW W", "y");
        unsigned z0 = sketch_event(&s, -1, "IW W", "z");
        sketch_event(&s, 0, "W WEAK", "x");
        unsigned release = sketch_event(&s, 0, "W RELEASE GPU", places[i]);
        unsigned flag = sketch_event(&s, 0, "W RELAXED GPU", "y");
        unsigned seen = sketch_event(&s, 1, "R RELAXED GPU", "y");
        unsigned again = sketch_event(&s, 1, "R ACQUIRE GPU", "y");
        unsigned old = sketch_event(&s, 1, "R WEAK", "x");
        if (i == 0)
            CO(release, flag);
        RF(flag, seen);
        RF(flag, again);
        RF(x0, old);
        (void)y0;
        (void)z0;
        finish_with(&s, i == 0 ? "Causality" : NONE, i == 0 ? "Causality" : NONE);
    }
}

// The same where the other side is a fence, which has no location that could tell.
static void test_patterns_and_fences(void **state) {
    (void)state;
    static const char *const places[] = {"y", "z"};
    for (int i = 0; i < 4; i++) {
        struct sketch s = start();
        bool release = i < 2;
        unsigned x0 = sketch_event(&s, -1, "IW W", "x");
        unsigned z0 = sketch_event(&s, -1, "IW W", "z");
        sketch_event(&s, 0, "W WEAK", "x");
        unsigned early = sketch_event(&s, 0, release ? "W RELEASE GPU" : "F ACQ_REL GPU",
                                      release ? places[i % 2] : NULL);
        unsigned flag = sketch_event(&s, 0, "W RELAXED GPU", "y");
        unsigned seen = sketch_event(&s, 1, "R RELAXED GPU", "y");
        unsigned late = sketch_event(&s, 1, release ? "F ACQ_REL GPU" : "R ACQUIRE GPU",
                                     release ? NULL : places[i % 2]);
        RF(x0, sketch_event(&s, 1, "R WEAK", "x"));
        RF(flag, seen);
        if (release && i % 2 == 0)
            CO(early, flag);
        if (!release)
            RF(i % 2 == 0 ? flag : z0, late);
        finish_with(&s, i % 2 == 0 ? "Causality" : NONE, i % 2 == 0 ? "Causality" : NONE);
    }
}

// memory-model section 8: whether the read of a red may start an acquire pattern (PTX 8.11.1).
static void test_red(void **state) {
    (void)state;
    static const char *const reads[] = {"R RELAXED SYS RED", "R RELAXED SYS"};
    static const char *const writes[] = {"W RELAXED SYS RED", "W RELAXED SYS"};
    for (int i = 0; i < 2; i++) {
        struct sketch s = start();
        unsigned x0 = sketch_event(&s, -1, "IW W", "x");
        sketch_event(&s, -1, "IW W", "y");
        sketch_event(&s, 0, "W WEAK", "x");
        unsigned flag = sketch_event(&s, 0, "W RELEASE SYS", "y");
        unsigned seen = sketch_event(&s, 1, reads[i], "y");
        unsigned more = sketch_event(&s, 1, writes[i], "y");
        sketch_event(&s, 1, "F ACQ_REL GPU", NULL);
        unsigned old = sketch_event(&s, 1, "R WEAK", "x");
        sketch_edge(&s, BASE_REL_RMW, seen, more);
        RF(flag, seen);
        RF(x0, old);
        CO(flag, more);
        finish_all(&s, i == 0 ? NONE : "Causality", "Causality", "Causality");
    }
}

// A chain of atomic operations carries a release; a plain write ends it.
static void test_observation(void **state) {
    (void)state;
    for (int atomic = 0; atomic < 2; atomic++) {
        struct sketch s = start();
        unsigned x0 = sketch_event(&s, -1, "IW W", "x");
        sketch_event(&s, -1, "IW W", "y");
        sketch_event(&s, 0, "W WEAK", "x");
        unsigned flag = sketch_event(&s, 0, "W RELEASE GPU", "y");
        unsigned read[2], write[2];
        for (int i = 0; i < 2; i++) {
            read[i] = sketch_event(&s, 1 + i, "R RELAXED GPU", "y");
            write[i] = sketch_event(&s, 1 + i, "W RELAXED GPU", "y");
            if (atomic || i == 0)
                sketch_edge(&s, BASE_REL_RMW, read[i], write[i]);
            RF(i == 0 ? flag : write[0], read[i]);
        }
        unsigned seen = sketch_event(&s, 3, "R ACQUIRE GPU", "y");
        unsigned old = sketch_event(&s, 3, "R WEAK", "x");
        RF(write[1], seen);
        RF(x0, old);
        CO(flag, write[0]);
        CO(write[0], write[1]);
        finish_with(&s, atomic ? "Causality" : NONE, atomic ? "Causality" : NONE);
    }
}

// --- SB and fence.sc ---------------------------------------------------------------------------

static struct sketch sb(const char *fence, bool first_is_sc_first) {
    struct sketch s = start();
    unsigned x0 = sketch_event(&s, -1, "IW W", "x"), y0 = sketch_event(&s, -1, "IW W", "y");
    sketch_event(&s, 0, "W RELAXED SYS", "x");
    unsigned first = sketch_event(&s, 0, fence, NULL);
    unsigned a = sketch_event(&s, 0, "R RELAXED SYS", "y");
    sketch_event(&s, 1, "W RELAXED SYS", "y");
    unsigned second = sketch_event(&s, 1, fence, NULL);
    unsigned b = sketch_event(&s, 1, "R RELAXED SYS", "x");
    RF(y0, a);
    RF(x0, b);
    if (strstr(fence, "SC"))
        sketch_edge(&s, BASE_REL_SC_ORDER, first_is_sc_first ? first : second,
                    first_is_sc_first ? second : first);
    return s;
}

static void test_sb(void **state) {
    (void)state;
    struct sketch s;
    for (int i = 0; i < 2; i++) {
        s = sb("F SC SYS", i);
        finish_with(&s, "Causality", "Causality");
        s = sb("F SC CTA", i); // two CTAs: not morally strong
        finish_with(&s, NONE, NONE);
    }
    s = sb("F ACQ_REL SYS", true);
    finish_with(&s, NONE, NONE);
}

// sc against synchronisation: the fences of MP, ordered by sc the other way.
static void test_fence_sc(void **state) {
    (void)state;
    for (int against = 0; against < 2; against++) {
        struct sketch s = start();
        sketch_event(&s, -1, "IW W", "y");
        unsigned first = sketch_event(&s, 0, "F SC GPU", NULL);
        unsigned flag = sketch_event(&s, 0, "W RELAXED GPU", "y");
        unsigned seen = sketch_event(&s, 1, "R RELAXED GPU", "y");
        unsigned second = sketch_event(&s, 1, "F SC GPU", NULL);
        RF(flag, seen);
        sketch_edge(&s, BASE_REL_SC_ORDER, against ? second : first, against ? first : second);
        const char *wanted = against ? "Coherence Fence-SC Causality" : NONE;
        finish_with(&s, wanted, wanted);
    }
    // Two fences of one thread, and no memory event that could tell.
    struct sketch s = start();
    unsigned first = sketch_event(&s, 0, "F SC GPU", NULL);
    unsigned second = sketch_event(&s, 0, "F SC GPU", NULL);
    sketch_edge(&s, BASE_REL_SC_ORDER, second, first);
    finish_with(&s, "Fence-SC", "Fence-SC");
}

// --- One location ------------------------------------------------------------------------------

static void test_coherence_order(void **state) {
    (void)state;
    for (int related = 0; related < 2; related++) {
        struct sketch s = start();
        sketch_event(&s, -1, "IW W", "x");
        unsigned a = sketch_event(&s, 0, "W RELAXED GPU", "x");
        unsigned b = sketch_event(&s, 1, "W RELAXED GPU", "x");
        if (related)
            CO(b, a);
        finish_with(&s, related ? NONE : "Coherence-ms", related ? NONE : "Coherence-ms");
    }
    // Writes that race need no order at all.
    struct sketch s = start();
    sketch_event(&s, -1, "IW W", "x");
    sketch_event(&s, 0, "W WEAK", "x");
    sketch_event(&s, 1, "W RELAXED GPU", "x");
    finish_with(&s, NONE, NONE);
}

static void test_corr(void **state) {
    (void)state;
    static const char *const reads[] = {"R RELAXED GPU", "R RELAXED CTA", "R WEAK"};
    for (int i = 0; i < 3; i++) {
        struct sketch s = start();
        unsigned x0 = sketch_event(&s, -1, "IW W", "x");
        unsigned w = sketch_event(&s, 0, "W RELAXED GPU", "x");
        unsigned newer = sketch_event(&s, 1, reads[i], "x");
        unsigned older = sketch_event(&s, 1, reads[i], "x");
        RF(w, newer);
        RF(x0, older);
        const char *strong = "SC-per-Location Causality"; // obs, then po to the location
        finish_with(&s, i == 0 ? strong : NONE, i == 0 ? strong : NONE);
    }
}

// memory-model section 8: SC per location is not an axiom of 7.5. It follows from the others
// except for writes that are not morally strong to each other, which co need not relate: here two
// readers see two such writes in opposite orders, each after a third write that co puts before the
// other.
static void test_sc_per_location(void **state) {
    (void)state;
    struct sketch s = start();
    unsigned first[2], second[2], older[2];
    sketch_event(&s, -1, "IW W", "x");
    unsigned writes[2] = {sketch_event(&s, 0, "W RELAXED GPU", "x"),
                          sketch_event(&s, 1, "W RELAXED SYS", "x")};
    sketch_place(&s, 1, 1, 1, 1); // out of the scope of thread 0
    for (int i = 0; i < 2; i++) {
        first[i] = sketch_event(&s, 2 + i, "R RELAXED SYS", "x");
        second[i] = sketch_event(&s, 2 + i, "R RELAXED SYS", "x");
        older[i] = sketch_event(&s, 4 + i, "W WEAK", "x");
        RF(writes[i], first[i]);
        RF(older[i], second[i]);
        CO(older[i], writes[1 - i]);
    }
    finish_with(&s, "SC-per-Location", "SC-per-Location");
}

// memory-model section 8: po is in base causality since 7.5. It shows where moral strength does
// not help: a thread that overwrites all of x and then reads an old half of it.
static void test_po_in_base_causality(void **state) {
    (void)state;
    struct sketch s = start();
    unsigned x0 = sketch_event(&s, -1, "IW W", "x");
    sketch_event(&s, 0, "W WEAK", "x");
    unsigned half = sketch_event(&s, 0, "R WEAK", "x.lo");
    RF(x0, half);
    finish_with(&s, "Causality", NONE);
}

static void test_writes_of_one_thread(void **state) {
    (void)state;
    struct sketch s = start();
    sketch_event(&s, -1, "IW W", "x");
    unsigned a = sketch_event(&s, 0, "W WEAK", "x"), b = sketch_event(&s, 0, "W WEAK", "x");
    CO(b, a);
    finish_with(&s, "Coherence SC-per-Location", "SC-per-Location");
}

static void test_atomicity(void **state) {
    (void)state;
    static const char *const scopes[][2] = {{"R RELAXED GPU", "W RELAXED GPU"},
                                            {"R RELAXED CTA", "W RELAXED CTA"}};
    for (int i = 0; i < 2; i++) {
        struct sketch s = start();
        unsigned x0 = sketch_event(&s, -1, "IW W", "x");
        unsigned writes[2];
        for (int t = 0; t < 2; t++) { // both read the initial value
            unsigned read = sketch_event(&s, t, scopes[i][0], "x");
            writes[t] = sketch_event(&s, t, scopes[i][1], "x");
            sketch_edge(&s, BASE_REL_RMW, read, writes[t]);
            RF(x0, read);
        }
        CO(writes[0], writes[1]);
        finish_with(&s, i == 0 ? "Atomicity" : NONE, i == 0 ? "Atomicity" : NONE);
    }
}

// A read that takes one half from a write and the other from the write before it.
static void test_single_copy_atomicity(void **state) {
    (void)state;
    for (int strong = 0; strong < 2; strong++) {
        struct sketch s = start();
        unsigned x0 = sketch_event(&s, -1, "IW W", "x");
        unsigned w = sketch_event(&s, 0, "W RELAXED GPU", "x");
        unsigned torn = sketch_event(&s, 1, strong ? "R RELAXED GPU" : "R WEAK", "x");
        RF(w, torn);
        RF(x0, torn);
        const char *wanted = strong ? "Single-copy-atomicity SC-per-Location" : NONE;
        finish_with(&s, wanted, wanted);
    }
}

// --- Others ------------------------------------------------------------------------------------

static void test_thin_air(void **state) {
    (void)state;
    static const enum base_relation kinds[] = {BASE_REL_ADDR, BASE_REL_DATA, BASE_REL_CTRL};
    for (int dependent = 0; dependent < 4; dependent++) {
        struct sketch s = start();
        sketch_event(&s, -1, "IW W", "x");
        sketch_event(&s, -1, "IW W", "y");
        unsigned a = sketch_event(&s, 0, "R WEAK", "x"), b = sketch_event(&s, 0, "W WEAK", "y");
        unsigned c = sketch_event(&s, 1, "R WEAK", "y"), d = sketch_event(&s, 1, "W WEAK", "x");
        RF(d, a);
        RF(b, c);
        sketch_edge(&s, BASE_REL_DATA, a, b);
        if (dependent)
            sketch_edge(&s, kinds[dependent - 1], c, d);
        finish_with(&s, dependent ? "No-Thin-Air" : NONE, dependent ? "No-Thin-Air" : NONE);
    }
}

// Two names of one location are never morally strong to each other, and take an alias fence;
// in 6.0 an address is its location.
static void test_alias(void **state) {
    (void)state;
    struct sketch s = start();
    unsigned x0 = sketch_event(&s, -1, "IW W", "x");
    sketch_event(&s, 0, "W WEAK", "x");
    unsigned r = sketch_event(&s, 0, "R WEAK", "x@y");
    RF(x0, r);
    sketch_finish(&s);
    assert_string_equal(forbidding(&s, "ptx-9.1"), NONE);
    assert_string_equal(forbidding(&s, "ptx-7.5"), NONE);
    assert_string_equal(forbidding(&s, "ptx-6.0"), "SC-per-Location");
    arena_free(s.arena);
}

// A write that synchronisation puts after another is after it in coherence.
static void test_coherence_by_causality(void **state) {
    (void)state;
    struct sketch s = start();
    sketch_event(&s, -1, "IW W", "x");
    sketch_event(&s, -1, "IW W", "y");
    unsigned a = sketch_event(&s, 0, "W WEAK", "x");
    unsigned flag = sketch_event(&s, 0, "W RELEASE GPU", "y");
    unsigned seen = sketch_event(&s, 1, "R ACQUIRE GPU", "y");
    unsigned b = sketch_event(&s, 1, "W WEAK", "x");
    RF(flag, seen);
    CO(b, a);
    finish_with(&s, "Coherence", "Coherence");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mp_scopes),
        cmocka_unit_test(test_mp_orders),
        cmocka_unit_test(test_mp_cluster),
        cmocka_unit_test(test_mp_fences),
        cmocka_unit_test(test_one_directional_fences),
        cmocka_unit_test(test_long_patterns),
        cmocka_unit_test(test_patterns_and_fences),
        cmocka_unit_test(test_red),
        cmocka_unit_test(test_observation),
        cmocka_unit_test(test_sb),
        cmocka_unit_test(test_fence_sc),
        cmocka_unit_test(test_coherence_order),
        cmocka_unit_test(test_corr),
        cmocka_unit_test(test_sc_per_location),
        cmocka_unit_test(test_po_in_base_causality),
        cmocka_unit_test(test_writes_of_one_thread),
        cmocka_unit_test(test_atomicity),
        cmocka_unit_test(test_single_copy_atomicity),
        cmocka_unit_test(test_thin_air),
        cmocka_unit_test(test_alias),
        cmocka_unit_test(test_coherence_by_causality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
