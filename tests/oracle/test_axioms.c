// The axioms on executions built by hand: each verdict follows from memory-model on paper.
#include "tests/oracle/build_execution.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { X, Y, Z }; // cells, and their initial writes

static const char *judge_as(const char *version, const struct execution *x, struct rel sc,
                            struct rel order) {
    return first_violated(x, version_find(version), sc, build_co(x, order));
}

static const char *judge(const struct execution *x, struct rel sc, struct rel order) {
    return judge_as("9.1", x, sc, order);
}

static void assert_allowed(const struct execution *x) {
    assert_null(judge(x, rel_empty(x->n), rel_empty(x->n)));
}

static void assert_violates(const struct execution *x, const char *axiom) {
    const char *violated = judge(x, rel_empty(x->n), rel_empty(x->n));
    assert_non_null(violated);
    assert_string_equal(violated, axiom);
}

// MP whose reader sees the flag and stale data.
static struct execution stale_mp(enum access_order store, enum access_order load, enum scope scope,
                                 enum scope together) {
    struct execution x = build(2, together);
    build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, X);
    unsigned flag = build_write(&x, 0, store, scope, Y);
    build_read(&x, 1, load, scope, Y, flag);
    build_read(&x, 1, ORDER_WEAK, SCOPE_NONE, X, X);
    return x;
}

static void test_mp_release_acquire(void **state) {
    (void)state;
    struct execution x = stale_mp(ORDER_RELEASE, ORDER_ACQUIRE, SCOPE_GPU, SCOPE_GPU);
    assert_violates(&x, "Causality");
    x = stale_mp(ORDER_RELAXED, ORDER_ACQUIRE, SCOPE_GPU, SCOPE_GPU);
    assert_allowed(&x);
    x = stale_mp(ORDER_RELEASE, ORDER_RELAXED, SCOPE_GPU, SCOPE_GPU);
    assert_allowed(&x);
    x = stale_mp(ORDER_WEAK, ORDER_WEAK, SCOPE_NONE, SCOPE_CTA);
    assert_allowed(&x);
}

static void test_mp_scopes(void **state) {
    (void)state;
    struct execution x = stale_mp(ORDER_RELEASE, ORDER_ACQUIRE, SCOPE_CTA, SCOPE_CLUSTER);
    assert_allowed(&x);
    x = stale_mp(ORDER_RELEASE, ORDER_ACQUIRE, SCOPE_CLUSTER, SCOPE_CLUSTER);
    assert_violates(&x, "Causality");
    x = stale_mp(ORDER_RELEASE, ORDER_ACQUIRE, SCOPE_GPU, SCOPE_SYS);
    assert_allowed(&x);
    x = stale_mp(ORDER_RELEASE, ORDER_ACQUIRE, SCOPE_SYS, SCOPE_SYS);
    assert_violates(&x, "Causality");
    // One wide scope is not enough: inclusion is mutual.
    x = stale_mp(ORDER_RELEASE, ORDER_ACQUIRE, SCOPE_CTA, SCOPE_GPU);
    x.event[3].scope = SCOPE_SYS;
    assert_allowed(&x);
}

static struct execution fenced_mp(enum access_order writer, enum access_order reader) {
    struct execution x = build(2, SCOPE_GPU);
    build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, X);
    build_fence(&x, 0, writer, SCOPE_GPU);
    unsigned flag = build_write(&x, 0, ORDER_RELAXED, SCOPE_GPU, Y);
    build_read(&x, 1, ORDER_RELAXED, SCOPE_GPU, Y, flag);
    build_fence(&x, 1, reader, SCOPE_GPU);
    build_read(&x, 1, ORDER_WEAK, SCOPE_NONE, X, X);
    return x;
}

static void test_mp_fences(void **state) {
    (void)state;
    static const enum access_order release[] = {ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SC};
    static const enum access_order acquire[] = {ORDER_ACQUIRE, ORDER_ACQ_REL, ORDER_SC};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            struct execution x = fenced_mp(release[i], acquire[k]);
            assert_violates(&x, "Causality");
        }
    struct execution x = fenced_mp(ORDER_ACQUIRE, ORDER_ACQUIRE);
    assert_allowed(&x);
    x = fenced_mp(ORDER_RELEASE, ORDER_RELEASE);
    assert_allowed(&x);
}

// A release write heads a pattern that ends in a later strong write; not in a weak one.
static void test_release_pattern(void **state) {
    (void)state;
    for (int weak = 0; weak < 2; weak++) {
        struct execution x = build(2, SCOPE_GPU);
        build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, X);
        unsigned first = build_write(&x, 0, ORDER_RELEASE, SCOPE_GPU, Y);
        unsigned flag = build_write(&x, 0, weak ? ORDER_WEAK : ORDER_RELAXED, SCOPE_GPU, Y);
        build_read(&x, 1, ORDER_ACQUIRE, SCOPE_GPU, Y, flag);
        build_read(&x, 1, ORDER_WEAK, SCOPE_NONE, X, X);
        struct rel co = build_order(&x, (int[]){(int)first, (int)flag, -1});
        const char *violated = judge(&x, rel_empty(x.n), co);
        if (weak)
            assert_null(violated);
        else
            assert_string_equal(violated, "Causality");
    }
}

// A relaxed read of the flag, then an acquire read of it that reads the same write.
static void test_acquire_pattern(void **state) {
    (void)state;
    struct execution x = build(2, SCOPE_GPU);
    build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, X);
    unsigned flag = build_write(&x, 0, ORDER_RELEASE, SCOPE_GPU, Y);
    build_read(&x, 1, ORDER_RELAXED, SCOPE_GPU, Y, flag);
    unsigned acquire = build_read(&x, 1, ORDER_ACQUIRE, SCOPE_GPU, Y, flag);
    build_read(&x, 1, ORDER_WEAK, SCOPE_NONE, X, X);
    assert_violates(&x, "Causality");
    // Of another location, the acquire read makes no pattern with the relaxed one.
    x.event[acquire].cells = bit(X);
    x.event[acquire].range = X;
    x.source[acquire][0] = X;
    assert_allowed(&x);
}

// Message passing over restricted fences, which orders what they are both about.
static void test_restricted_fences(void **state) {
    (void)state;
    struct execution x = build(2, SCOPE_CLUSTER);
    build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, X);
    unsigned release = build_fence(&x, 0, ORDER_RELEASE, SCOPE_CLUSTER);
    unsigned flag = build_write(&x, 0, ORDER_RELAXED, SCOPE_CLUSTER, Y);
    unsigned seen = build_read(&x, 1, ORDER_RELAXED, SCOPE_CLUSTER, Y, flag);
    unsigned acquire = build_fence(&x, 1, ORDER_ACQUIRE, SCOPE_CLUSTER);
    build_read(&x, 1, ORDER_WEAK, SCOPE_NONE, X, X);
    x.event[release].restricted = x.event[acquire].restricted = true;
    x.event[release].about = x.event[acquire].about = bit(X);
    x.event[flag].shared = x.event[seen].shared = true;
    assert_violates(&x, "Causality");
    x.event[flag].shared = false;
    assert_allowed(&x);
    x.event[flag].shared = true;
    x.event[seen].shared = false;
    assert_allowed(&x);
    x.event[seen].shared = true;
    x.event[release].about = bit(Y);
    assert_allowed(&x);
    x.event[release].about = bit(X);
    x.event[acquire].about = bit(Y);
    assert_allowed(&x);
}

// The observation goes through an atom that is neither acquire nor release.
static void test_observation_through_atom(void **state) {
    (void)state;
    struct execution x = build(2, SCOPE_GPU);
    build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, X);
    unsigned flag = build_write(&x, 0, ORDER_RELEASE, SCOPE_GPU, Y);
    unsigned atom = build_atom(&x, 1, ORDER_RELAXED, SCOPE_GPU, Y, flag);
    build_read(&x, 2, ORDER_ACQUIRE, SCOPE_GPU, Y, atom + 1);
    build_read(&x, 2, ORDER_WEAK, SCOPE_NONE, X, X);
    struct rel co = build_order(&x, (int[]){(int)flag, (int)atom + 1, -1});
    assert_string_equal(judge(&x, rel_empty(x.n), co), "Causality");
    // An atom of too small a scope does not pass an observation on.
    x.event[atom].scope = x.event[atom + 1].scope = SCOPE_CTA;
    assert_null(judge(&x, rel_empty(x.n), co));
}

// PTX ISA 8.11.1: a red reads the flag, a fence.acquire follows.
static void test_red_starts_no_acquire_pattern(void **state) {
    (void)state;
    struct execution x = build(2, SCOPE_GPU);
    build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, X);
    unsigned flag = build_write(&x, 0, ORDER_RELEASE, SCOPE_GPU, Y);
    unsigned red = build_atom(&x, 1, ORDER_RELAXED, SCOPE_GPU, Y, flag);
    build_fence(&x, 1, ORDER_ACQ_REL, SCOPE_GPU);
    build_read(&x, 1, ORDER_WEAK, SCOPE_NONE, X, X);
    struct rel co = build_order(&x, (int[]){(int)flag, (int)red + 1, -1});
    assert_string_equal(judge(&x, rel_empty(x.n), co), "Causality"); // an atom
    x.event[red].red = x.event[red + 1].red = true;
    assert_null(judge(&x, rel_empty(x.n), co));
    assert_string_equal(judge_as("6.0", &x, rel_empty(x.n), co), "Causality");
}

// --- fence.sc ------------------------------------------------------------------------------------

static struct execution store_buffering(enum access_order order, enum scope scope) {
    struct execution x = build(2, SCOPE_GPU);
    build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, X); // 2
    build_fence(&x, 0, order, scope);              // 3
    build_read(&x, 0, ORDER_WEAK, SCOPE_NONE, Y, Y);
    build_write(&x, 1, ORDER_WEAK, SCOPE_NONE, Y);
    build_fence(&x, 1, order, scope); // 6
    build_read(&x, 1, ORDER_WEAK, SCOPE_NONE, X, X);
    return x;
}

static void test_store_buffering(void **state) {
    (void)state;
    struct execution x = store_buffering(ORDER_SC, SCOPE_GPU);
    struct rel one = build_order(&x, (int[]){3, 6, -1});
    struct rel other = build_order(&x, (int[]){6, 3, -1});
    assert_string_equal(judge(&x, one, rel_empty(x.n)), "Causality");
    assert_string_equal(judge(&x, other, rel_empty(x.n)), "Causality");
    assert_string_equal(judge_as("6.0", &x, one, rel_empty(x.n)), "Causality");
    // Fences that do not reach each other are in sc, but not morally strong.
    x = store_buffering(ORDER_SC, SCOPE_CTA);
    assert_null(judge(&x, one, rel_empty(x.n)));
    x = store_buffering(ORDER_ACQ_REL, SCOPE_GPU);
    assert_allowed(&x);
}

static void test_fence_sc_follows_program_order(void **state) {
    (void)state;
    struct execution x = build(1, SCOPE_GPU);
    build_fence(&x, 0, ORDER_SC, SCOPE_CTA);
    build_fence(&x, 0, ORDER_SC, SCOPE_CTA);
    struct rel against = build_order(&x, (int[]){2, 1, -1});
    struct rel along = build_order(&x, (int[]){1, 2, -1});
    for (int i = 0; i < 2; i++) {
        const char *version = i ? "6.0" : "9.1";
        assert_string_equal(judge_as(version, &x, against, rel_empty(x.n)), "Fence-SC");
        assert_null(judge_as(version, &x, along, rel_empty(x.n)));
    }
}

// A release-acquire synchronisation between two fences decides their order.
static void test_fence_sc_follows_synchronisation(void **state) {
    (void)state;
    struct execution x = build(1, SCOPE_GPU);
    unsigned first = build_fence(&x, 0, ORDER_SC, SCOPE_GPU);
    unsigned flag = build_write(&x, 0, ORDER_RELAXED, SCOPE_GPU, X);
    build_read(&x, 1, ORDER_RELAXED, SCOPE_GPU, X, flag);
    unsigned second = build_fence(&x, 1, ORDER_SC, SCOPE_GPU);
    struct rel against = build_order(&x, (int[]){(int)second, (int)first, -1});
    assert_non_null(judge(&x, against, rel_empty(x.n)));
    struct derived d = derive(&x, version_find("9.1"));
    assert_true(rel_has(&d.sync, first, second));
    struct causality c = causality(&x, &d, version_find("9.1"), against);
    assert_false(fence_sc_holds(&d, c.base, against));
    struct rel along = build_order(&x, (int[]){(int)first, (int)second, -1});
    assert_null(judge(&x, along, rel_empty(x.n)));
}

// --- Coherence -----------------------------------------------------------------------------------

static struct execution corr(enum access_order order, enum scope scope) {
    struct execution x = build(1, SCOPE_GPU);
    unsigned write = build_write(&x, 0, order, scope, X);
    build_read(&x, 1, order, scope, X, write);
    build_read(&x, 1, order, scope, X, X);
    return x;
}

static void test_corr(void **state) {
    (void)state;
    struct execution x = corr(ORDER_RELAXED, SCOPE_SYS);
    assert_violates(&x, "SC-per-Location");
    x = corr(ORDER_VOLATILE, SCOPE_SYS);
    assert_violates(&x, "SC-per-Location");
    x = corr(ORDER_WEAK, SCOPE_NONE);
    assert_allowed(&x);
    x = corr(ORDER_RELAXED, SCOPE_CTA);
    assert_allowed(&x);
}

static void test_morally_strong_writes_are_ordered(void **state) {
    (void)state;
    struct execution x = build(1, SCOPE_GPU);
    unsigned a = build_write(&x, 0, ORDER_RELAXED, SCOPE_GPU, X);
    unsigned b = build_write(&x, 1, ORDER_RELAXED, SCOPE_GPU, X);
    assert_violates(&x, "Coherence");
    assert_null(judge(&x, rel_empty(x.n), build_order(&x, (int[]){(int)a, (int)b, -1})));
    assert_null(judge(&x, rel_empty(x.n), build_order(&x, (int[]){(int)b, (int)a, -1})));
    x.event[a].order = ORDER_WEAK;
    assert_allowed(&x); // co is partial
}

static void test_co_is_a_strict_order_with_the_initial_write_first(void **state) {
    (void)state;
    struct execution x = build(1, SCOPE_GPU);
    unsigned a = build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, X);
    unsigned b = build_write(&x, 1, ORDER_WEAK, SCOPE_NONE, X);
    const struct version *version = version_find("9.1");
    struct rel none = rel_empty(x.n);
    assert_string_equal(first_violated(&x, version, none, none), "Coherence"); // IW not first
    struct rel cycle = build_co(&x, none);
    rel_add(&cycle, a, b);
    rel_add(&cycle, b, a);
    assert_string_equal(first_violated(&x, version, none, cycle), "Coherence");
}

// Writes that causality orders must not stay unordered, nor be ordered against it.
static void test_coherence_follows_causality(void **state) {
    (void)state;
    struct execution x = build(2, SCOPE_GPU);
    unsigned a = build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, X);
    unsigned flag = build_write(&x, 0, ORDER_RELEASE, SCOPE_GPU, Y);
    build_read(&x, 1, ORDER_ACQUIRE, SCOPE_GPU, Y, flag);
    unsigned b = build_write(&x, 1, ORDER_WEAK, SCOPE_NONE, X);
    assert_violates(&x, "Coherence");
    struct rel along = build_order(&x, (int[]){(int)a, (int)b, -1});
    struct rel against = build_order(&x, (int[]){(int)b, (int)a, -1});
    assert_null(judge(&x, rel_empty(x.n), along));
    assert_string_equal(judge(&x, rel_empty(x.n), against), "Coherence");
}

// The weak store of P0 and the release of P1 race, so they are not ordered in co; P2, ordered after
// both, may still read the second although P1 read the first after writing it. A total co would
// forbid this: the value that P1 read says that the first came later.
static void test_partial_coherence(void **state) {
    (void)state;
    struct execution x = build(3, SCOPE_GPU);
    unsigned one = build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, X);
    unsigned f1 = build_write(&x, 0, ORDER_RELEASE, SCOPE_SYS, Y);
    unsigned two = build_write(&x, 1, ORDER_RELEASE, SCOPE_GPU, X);
    build_read(&x, 1, ORDER_WEAK, SCOPE_NONE, X, one);
    unsigned f2 = build_write(&x, 1, ORDER_RELEASE, SCOPE_SYS, Z);
    build_read(&x, 2, ORDER_ACQUIRE, SCOPE_SYS, Y, f1);
    build_read(&x, 2, ORDER_ACQUIRE, SCOPE_SYS, Z, f2);
    build_read(&x, 2, ORDER_WEAK, SCOPE_NONE, X, two);
    assert_allowed(&x);
    struct rel one_two = build_order(&x, (int[]){(int)one, (int)two, -1});
    struct rel two_one = build_order(&x, (int[]){(int)two, (int)one, -1});
    assert_non_null(judge(&x, rel_empty(x.n), one_two));
    assert_non_null(judge(&x, rel_empty(x.n), two_one));
}

// --- Atomicity -----------------------------------------------------------------------------------

static void test_two_increments(void **state) {
    (void)state;
    struct execution x = build(1, SCOPE_GPU);
    unsigned a = build_atom(&x, 0, ORDER_RELAXED, SCOPE_SYS, X, X);
    unsigned b = build_atom(&x, 1, ORDER_RELAXED, SCOPE_SYS, X, X);
    struct rel co = build_order(&x, (int[]){(int)a + 1, (int)b + 1, -1});
    assert_string_equal(judge(&x, rel_empty(x.n), co), "Atomicity");
    x.event[a].scope = x.event[a + 1].scope = SCOPE_CTA; // PTX ISA 8.10.3, the second example
    assert_null(judge(&x, rel_empty(x.n), co));
    assert_allowed(&x);
}

// A cas that fails: its write does not execute, and so is in no rmw, co or rf.
static void test_failed_cas_is_a_read(void **state) {
    (void)state;
    struct execution x = build(1, SCOPE_GPU);
    unsigned a = build_atom(&x, 0, ORDER_RELAXED, SCOPE_SYS, X, X);
    build_atom(&x, 1, ORDER_RELAXED, SCOPE_SYS, X, X);
    x.executed &= ~bit(a + 1);
    assert_allowed(&x);
}

// A read that tears a morally strong write.
static void test_single_copy_atomicity(void **state) {
    (void)state;
    struct execution x = build(2, SCOPE_GPU);
    x.n = 1; // one initial write of two cells
    x.executed = bit(0);
    x.event[0].cells = 3;
    unsigned w = build_write(&x, 0, ORDER_RELAXED, SCOPE_GPU, 0);
    unsigned r = build_read(&x, 1, ORDER_RELAXED, SCOPE_GPU, 0, w);
    x.event[w].cells = x.event[r].cells = 3;
    x.source[r][1] = 0;
    assert_violates(&x, "Atomicity");
    x.source[r][1] = (uint8_t)w;
    assert_allowed(&x);
    x.source[r][1] = 0;
    x.event[w].order = ORDER_WEAK;
    assert_allowed(&x);
}

// --- No thin air ---------------------------------------------------------------------------------

static void test_no_thin_air(void **state) {
    (void)state;
    struct execution x = build(2, SCOPE_GPU);
    unsigned r0 = build_read(&x, 0, ORDER_WEAK, SCOPE_NONE, X, 5);
    unsigned w0 = build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, Y);
    unsigned r1 = build_read(&x, 1, ORDER_WEAK, SCOPE_NONE, Y, w0);
    unsigned w1 = build_write(&x, 1, ORDER_WEAK, SCOPE_NONE, X);
    assert_int_equal(w1, 5);
    assert_allowed(&x);
    rel_add(&x.dependency, r0, w0);
    assert_allowed(&x);
    rel_add(&x.dependency, r1, w1);
    assert_violates(&x, "No-Thin-Air");
}

// --- Proxies -------------------------------------------------------------------------------------

// MP whose data is read stale and through the tensormap proxy, with a fence of that proxy after the
// store and one before the read.
static struct execution stale_tensormap(void) {
    struct execution x = build(2, SCOPE_GPU);
    build_write(&x, 0, ORDER_WEAK, SCOPE_NONE, X);
    unsigned release = build_fence(&x, 0, ORDER_RELEASE, SCOPE_GPU);
    unsigned flag = build_write(&x, 0, ORDER_RELEASE, SCOPE_GPU, Y);
    build_read(&x, 1, ORDER_ACQUIRE, SCOPE_GPU, Y, flag);
    unsigned acquire = build_fence(&x, 1, ORDER_ACQUIRE, SCOPE_GPU);
    unsigned use = build_read(&x, 1, ORDER_WEAK, SCOPE_NONE, X, X);
    x.event[release].action = x.event[acquire].action = ACTION_PROXY_FENCE;
    x.event[release].about = x.event[acquire].about = bit(X) | bit(Y);
    x.event[release].proxy = x.event[acquire].proxy = x.event[use].proxy = PROXY_TENSORMAP;
    return x;
}

enum { RELEASE_FENCE = 3, ACQUIRE_FENCE = 6 };

static void assert_generous(const struct execution *x, const char *axiom) {
    struct rel none = rel_empty(x->n);
    struct version generous = *version_find("9.1");
    generous.proxy_fences_anywhere = true;
    const char *violated = first_violated(x, &generous, none, build_co(x, none));
    if (axiom == NULL)
        assert_null(violated);
    else
        assert_string_equal(violated, axiom);
}

// Both are needed; the generous reading wants one.
static void test_one_directional_proxy_fences(void **state) {
    (void)state;
    struct execution x = stale_tensormap();
    assert_violates(&x, "Causality");
    x.executed &= ~bit(RELEASE_FENCE);
    assert_allowed(&x);
    assert_generous(&x, "Causality");
    x = stale_tensormap();
    x.executed &= ~bit(ACQUIRE_FENCE);
    assert_allowed(&x);
    assert_generous(&x, "Causality");
    x.executed &= ~bit(RELEASE_FENCE);
    assert_generous(&x, NULL);
}

// They lead from the generic proxy to the other and not back.
static void test_one_directional_proxy_fences_have_a_direction(void **state) {
    (void)state;
    struct execution x = stale_tensormap();
    x.event[7].proxy = PROXY_GENERIC;   // the read
    x.event[2].proxy = PROXY_TENSORMAP; // the store
    assert_allowed(&x);
    assert_generous(&x, NULL);
    x.event[RELEASE_FENCE].order = ORDER_NONE;
    assert_violates(&x, "Causality");
}

static void test_one_directional_proxy_fences_in_the_wrong_order(void **state) {
    (void)state;
    struct execution x = stale_tensormap();
    x.event[RELEASE_FENCE].order = ORDER_ACQUIRE;
    x.event[ACQUIRE_FENCE].order = ORDER_RELEASE;
    assert_allowed(&x);
}

// An address operand, or a state space.
static void test_proxy_fence_for_other_cells(void **state) {
    (void)state;
    struct execution x = stale_tensormap();
    x.event[ACQUIRE_FENCE].about = bit(Y);
    assert_allowed(&x);
    assert_generous(&x, "Causality"); // by the release
    x = stale_tensormap();
    x.event[RELEASE_FENCE].about = bit(Y);
    assert_allowed(&x);
    x.event[ACQUIRE_FENCE].order = ORDER_NONE;
    assert_violates(&x, "Causality"); // works both ways and alone
}

// PTX ISA 9.7.13.4: a release and an acquire of the tensormap proxy synchronise.
static void test_tensormap_fences_synchronise(void **state) {
    (void)state;
    struct execution x = stale_tensormap();
    x.event[4].order = x.event[5].order = ORDER_RELAXED; // the flag's
    assert_violates(&x, "Causality");
    x.event[RELEASE_FENCE].scope = SCOPE_CTA;
    assert_allowed(&x);
    x = stale_tensormap();
    x.event[4].order = x.event[5].order = ORDER_RELAXED;
    x.event[RELEASE_FENCE].proxy = x.event[ACQUIRE_FENCE].proxy = PROXY_ASYNC;
    x.event[7].proxy = PROXY_ASYNC;
    assert_violates(&x, "Causality"); // and so do those of the async proxy
}

// A proxy fence counts in the CTA of the access that is not generic, or anywhere.
static void test_proxy_fence_in_another_cta(void **state) {
    (void)state;
    struct execution x = stale_tensormap();
    x.executed &= ~bit(ACQUIRE_FENCE);
    x.event[RELEASE_FENCE].order = ORDER_NONE;
    assert_allowed(&x);
    assert_generous(&x, "Causality");
}

// --- Versions ------------------------------------------------------------------------------------

static void test_versions(void **state) {
    (void)state;
    assert_ptr_equal(version_find("9.1"), version_find("ptx-9.1"));
    assert_ptr_equal(version_find("6.0"), version_find("ptx-6.0"));
    assert_ptr_equal(version_find("7.5"), version_find("ptx-7.5"));
    assert_null(version_find("5.0"));
    assert_null(version_find(""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mp_release_acquire),
        cmocka_unit_test(test_mp_scopes),
        cmocka_unit_test(test_mp_fences),
        cmocka_unit_test(test_release_pattern),
        cmocka_unit_test(test_acquire_pattern),
        cmocka_unit_test(test_observation_through_atom),
        cmocka_unit_test(test_red_starts_no_acquire_pattern),
        cmocka_unit_test(test_store_buffering),
        cmocka_unit_test(test_fence_sc_follows_program_order),
        cmocka_unit_test(test_fence_sc_follows_synchronisation),
        cmocka_unit_test(test_corr),
        cmocka_unit_test(test_morally_strong_writes_are_ordered),
        cmocka_unit_test(test_co_is_a_strict_order_with_the_initial_write_first),
        cmocka_unit_test(test_coherence_follows_causality),
        cmocka_unit_test(test_partial_coherence),
        cmocka_unit_test(test_two_increments),
        cmocka_unit_test(test_failed_cas_is_a_read),
        cmocka_unit_test(test_single_copy_atomicity),
        cmocka_unit_test(test_no_thin_air),
        cmocka_unit_test(test_one_directional_proxy_fences),
        cmocka_unit_test(test_one_directional_proxy_fences_have_a_direction),
        cmocka_unit_test(test_one_directional_proxy_fences_in_the_wrong_order),
        cmocka_unit_test(test_proxy_fence_for_other_cells),
        cmocka_unit_test(test_tensormap_fences_synchronise),
        cmocka_unit_test(test_proxy_fence_in_another_cta),
        cmocka_unit_test(test_restricted_fences),
        cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
