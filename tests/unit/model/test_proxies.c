// The proxy rules of the shipped models (memory-model section 5) on executions written by hand:
// each rule with its fences and without, in the wrong CTA, in the wrong order; both readings of
// where a proxy fence counts.
#include "support.h"

// A write of x, a middle thread and a read of x, each in its own thread, one after the other in
// base causality by release and acquire. Does the write reach the read? Then it may not be missed.
struct crossing {
    const char *write, *write_place;
    const char *fences[3]; // of the threads: after the write, in the middle, before the read;
                           // those of one thread with ';' between, with '@PLACE' for a range
    const char *read, *read_place;
    const char *ctas; // of the threads
    // Who orders the write before the read: '9' ptx-9.1, 'p' ptx-9.1 under proxy-fences-path,
    // '7' ptx-7.5. Proxies that ptx-7.5 does not have are not tried in it.
    const char *ordering;
};

static void add_fences(struct sketch *s, int thread, const char *fences) {
    while (*fences) {
        size_t length = strcspn(fences, ";"), sets = strcspn(fences, ";@");
        char *place =
            sets < length ? arena_strndup(s->arena, fences + sets + 1, length - sets - 1) : NULL;
        sketch_event(s, thread, arena_strndup(s->arena, fences, sets), place);
        fences += length + (fences[length] == ';');
    }
}

static void add_flag(struct sketch *s, int from, int to, const char *place, const char *write,
                     const char *read) {
    sketch_event(s, -1, "IW W", place);
    unsigned set = sketch_event(s, from, write, place);
    sketch_edge(s, BASE_REL_RF, set, sketch_event(s, to, read, place));
}

// The events of one thread must be added in its program order.
static void sketch_crossing(struct sketch *s, const struct crossing *c, const char *set,
                            const char *wait) {
    sketch_init(s, arena_new());
    for (int t = 0; t < 3; t++)
        sketch_place(s, t, c->ctas[t] - '0', 0, 0);
    unsigned old = sketch_event(s, -1, "IW W", "x");
    sketch_event(s, 0, c->write, c->write_place);
    add_fences(s, 0, c->fences[0]);
    add_flag(s, 0, 1, "f", set, wait);
    add_fences(s, 1, c->fences[1]);
    add_flag(s, 1, 2, "g", set, wait);
    add_fences(s, 2, c->fences[2]);
    unsigned read = sketch_event(s, 2, c->read, c->read_place);
    sketch_edge(s, BASE_REL_RF, old, read);
    sketch_finish(s);
}

// Whether the model forbids the sketch, and for no other reason than causality.
static bool orders(struct sketch *s, const struct model *model) {
    const char *axioms = failing(s, model, AXIOM_REQUIRED);
    if (axioms[0] != '\0')
        assert_string_equal(axioms, "Causality");
    return axioms[0] != '\0';
}

static void check(const struct crossing *c, const char *set, const char *wait) {
    struct sketch s;
    sketch_crossing(&s, c, set, wait);
    struct model *old = load_good(s.arena, "ptx-7.5");
    bool has_old = failing(&s, old, AXIOM_DEFINED)[0] == '\0';
    struct {
        char letter;
        const struct model *model;
    } models[] = {{'9', load_good(s.arena, "ptx-9.1")},
                  {'p', load_variant(s.arena, "ptx-9.1", "proxy-fences-path")},
                  {'7', old}};
    for (size_t i = 0; i < (has_old ? 3 : 2); i++)
        if (orders(&s, models[i].model) != (strchr(c->ordering, models[i].letter) != NULL))
            fail_msg("%s@%s, fences %s | %s | %s, %s@%s, ctas %s: not '%s' in '%c'", c->write,
                     c->write_place, c->fences[0], c->fences[1], c->fences[2], c->read,
                     c->read_place, c->ctas, c->ordering, models[i].letter);
    assert_true(has_old || !strchr(c->ordering, '7'));
    arena_free(s.arena);
}

static void check_all(const struct crossing *crossings, size_t count) {
    for (size_t i = 0; i < count; i++)
        check(&crossings[i], "W RELEASE GPU", "R ACQUIRE GPU");
}

#define CHECK_ALL(table) check_all((table), sizeof(table) / sizeof *(table))

#define WG "W WEAK", "x"
#define WS "W WEAK SURFACE", "x"
#define WA "W WEAK ASYNC", "x"
#define WT "W WEAK TENSORMAP", "x"
#define RG "R WEAK", "x"
#define RS "R WEAK SURFACE", "x"
#define RT "R WEAK TEXTURE", "x"
#define RA "R WEAK ASYNC", "x"
#define RM "R WEAK TENSORMAP", "x"
#define FS "PF SURFACE"
#define FT "PF TEXTURE"
#define FA "PF ASYNC"
#define FALIAS "PF ALIAS"

static void test_rule_1(void **state) {
    (void)state;
    static const struct crossing crossings[] = {
        {WG, {"", "", ""}, RG, "012", "9p7"},
        {WG, {"", "", ""}, "R WEAK", "x.lo", "012", "9p7"},
        {WG, {"", "", ""}, "R WEAK", "z", "012", ""}, // another location
        {WG, {"", "", ""}, RS, "012", ""},
        {WS, {"", "", ""}, RG, "012", ""},
    };
    CHECK_ALL(crossings);
}

static void test_rule_2(void **state) {
    (void)state;
    static const struct crossing crossings[] = {
        {WS, {"", "", ""}, RS, "000", "9p7"}, // one proxy, one CTA
        {WS, {"", "", ""}, RS, "010", "9p7"},
        {WS, {"", "", ""}, RS, "012", ""}, // two CTAs
        {WS, {"", "", ""}, RS, "001", ""},
        {WS, {"", "", ""}, RT, "000", ""}, // two proxies
        {WA, {"", "", ""}, RA, "000", "9p"},
        {WA, {"", "", ""}, RA, "012", ""},
        {WS, {"", "", ""}, "R WEAK SURFACE", "x@y", "000", ""}, // two addresses
        {WS, {FALIAS, "", ""}, "R WEAK SURFACE", "x@y", "000", ""},
    };
    CHECK_ALL(crossings);
}

static void test_rule_3(void **state) {
    (void)state;
    static const struct crossing crossings[] = {
        {WS, {FS, "", ""}, RG, "012", "9p7"},
        {WS, {"", FS, ""}, RG, "012", "p"}, // another CTA
        {WS, {"", "", FS}, RG, "012", "p"},
        {WS, {"", FS, ""}, RG, "002", "9p7"}, // another thread of the CTA
        {WS, {"", "", FS}, RG, "010", "9p7"},
        {WS, {"", "", ""}, RG, "000", ""},
        {WS, {FT, "", ""}, RG, "012", ""}, // the fence of another proxy
        {WS, {FALIAS, "", ""}, RG, "012", ""},
        {WS, {"F ACQ_REL SYS", "", ""}, RG, "012", ""},
        {WA, {FA, "", ""}, RG, "012", "9p"},
        {WA, {"", FA, ""}, RG, "012", "p"},
        {WA, {"", "", FA}, RG, "012", "p"},
        {WA, {"", "", ""}, RG, "012", ""},
    };
    CHECK_ALL(crossings);
}

static void test_rule_4(void **state) {
    (void)state;
    static const struct crossing crossings[] = {
        {WG, {"", "", FS}, RS, "012", "9p7"},
        {WG, {"", FS, ""}, RS, "012", "p"}, // another CTA
        {WG, {FS, "", ""}, RS, "012", "p"},
        {WG, {FS, "", ""}, RS, "010", "9p7"}, // another thread of the CTA
        {WG, {"", FS, ""}, RS, "011", "9p7"},
        {WG, {"", "", FT}, RS, "012", ""}, // the fence of another proxy
        {WG, {"", "", FALIAS}, RS, "012", ""},
        {WG, {"", "", FA}, RA, "012", "9p"},
        {WG, {"", FA, ""}, RA, "012", "p"},
        {WG, {FA, "", ""}, RA, "012", "p"}, // a fence of the writer in another CTA
    };
    CHECK_ALL(crossings);
}

static void test_rule_5(void **state) {
    (void)state;
    static const struct crossing crossings[] = {
        {WS, {FS, "", FT}, RT, "012", "9p7"},
        {WS, {FS, "", ""}, RT, "012", ""}, // one of the two
        {WS, {"", "", FT}, RT, "012", ""},
        {WS, {FT, "", FS}, RT, "012", ""},         // in the wrong order
        {WS, {"", FS ";" FT, ""}, RT, "012", "p"}, // neither CTA
        {WS, {"", FS, FT}, RT, "012", "p"},
        {WS, {FS, FT, ""}, RT, "012", "p"},
        {WS, {FS, FS ";" FT, FT}, RT, "012", "9p7"},
        {WS, {FS ";" FT, "", ""}, RT, "000", "9p7"},
        {WS, {FT ";" FS, "", ""}, RT, "000", ""},
        {WS, {FS, "", FS}, RS, "012", "9p7"}, // one proxy, two CTAs
        {WS, {FS, "", ""}, RS, "012", ""},
        {WS, {"", "", FS}, RS, "012", ""},
        {WS, {"", FS, ""}, RS, "012", ""}, // one fence is not both
        {WA, {FA, "", FS}, RS, "012", "9p"},
        {WS, {FS, "", FA}, RA, "012", "9p"},
        {WS, {FS, "", ""}, RA, "012", ""},
    };
    CHECK_ALL(crossings);
}

static void test_rule_6(void **state) {
    (void)state;
#define RG_Y "R WEAK", "x@y"
#define RT_Y "R WEAK TEXTURE", "x@y"
    static const struct crossing crossings[] = {
        {WG, {"", "", ""}, RG_Y, "012", ""},
        {WG, {FALIAS, "", ""}, RG_Y, "012", "9p7"},
        {WG, {"", FALIAS, ""}, RG_Y, "012", "9p7"}, // by whichever thread
        {WG, {"", "", FALIAS}, RG_Y, "012", "9p7"},
        {WG, {FS, "", ""}, RG_Y, "012", ""},
        {WS, {FS ";" FALIAS, "", ""}, RG_Y, "012", "9p7"},
        {WS, {FS, "", FALIAS}, RG_Y, "012", "9p7"},
        {WS, {FALIAS ";" FS, "", ""}, RG_Y, "012", ""}, // too early
        {WS, {FS, "", ""}, RG_Y, "012", ""},
        {WS, {"", FS, FALIAS}, RG_Y, "012", "p"}, // another CTA
        {WG, {FALIAS, "", FT}, RT_Y, "012", "9p7"},
        {WG, {"", "", FALIAS ";" FT}, RT_Y, "012", "9p7"},
        {WG, {"", "", FT ";" FALIAS}, RT_Y, "012", ""}, // too late
        {WG, {"", "", FT}, RT_Y, "012", ""},
        {WG, {FALIAS, FT, ""}, RT_Y, "012", "p"},
        {WS, {FS, FALIAS, FT}, RT_Y, "012", "9p7"},
        {WS, {FALIAS ";" FS, "", FT}, RT_Y, "012", ""},
        {WS, {FS, "", FT ";" FALIAS}, RT_Y, "012", ""},
        {WS, {FS, "", FT}, RT_Y, "012", ""},
        {WS, {FS ";" FALIAS ";" FS, "", ""}, "R WEAK SURFACE", "x@y", "000", "9p7"},
        {WA, {FA, FALIAS, ""}, RG_Y, "012", "9p"},
    };
    CHECK_ALL(crossings);
}

// A fence with a state space counts for accesses to that space (PTX ISA 9.7.13.4).
static void test_spaces(void **state) {
    (void)state;
#define WA_SHARED "W WEAK ASYNC SHARED_SPACE", "x"
#define WA_GLOBAL "W WEAK ASYNC GLOBAL_SPACE", "x"
    static const struct crossing crossings[] = {
        {WA_SHARED, {"PF ASYNC SHARED_SPACE", "", ""}, RG, "012", "9p"},
        {WA_SHARED, {"PF ASYNC GLOBAL_SPACE", "", ""}, RG, "012", ""},
        {WA_SHARED, {"PF ASYNC", "", ""}, RG, "012", "9p"},
        {WA_GLOBAL, {"PF ASYNC GLOBAL_SPACE", "", ""}, RG, "012", "9p"},
        {WA_GLOBAL, {"PF ASYNC SHARED_SPACE", "", ""}, RG, "012", ""},
        {WA_GLOBAL, {"PF ASYNC SHARED_SPACE;PF ASYNC GLOBAL_SPACE", "", ""}, RG, "012", "9p"},
    };
    CHECK_ALL(crossings);
}

// An access to another space, or to one that is not known: only a fence without a space counts.
static void test_no_space(void **state) {
    (void)state;
    static const struct {
        const char *fence;
        bool orders;
    } cases[] = {
        {"PF ASYNC", true}, {"PF ASYNC GLOBAL_SPACE", false}, {"PF ASYNC SHARED_SPACE", false}};
    for (size_t i = 0; i < 3; i++) {
        struct crossing c = {WA, {cases[i].fence, "", ""}, RG, "012", ""};
        struct sketch s;
        sketch_crossing(&s, &c, "W RELEASE GPU", "R ACQUIRE GPU");
        struct event_set *global = &s.facts.sets[BASE_SET_GLOBAL_SPACE];
        const struct event_set *memory = &s.facts.sets[BASE_SET_M];
        for (unsigned w = 0; w < global->words; w++)
            global->bits[w] &= ~memory->bits[w];
        assert_int_equal(orders(&s, load_good(s.arena, "ptx-9.1")), cases[i].orders);
        arena_free(s.arena);
    }
}

#define REL "PF TENSORMAP RELEASE GPU"
#define ACQ "PF TENSORMAP ACQUIRE GPU"

// tensormap::generic, and async::generic on shared memory.
static void test_one_directional(void **state) {
    (void)state;
#define REL_ASYNC "PF ASYNC RELEASE CLUSTER SHARED_SPACE"
#define ACQ_ASYNC "PF ASYNC ACQUIRE CLUSTER SHARED_SPACE"
#define WG_SHARED "W WEAK SHARED_SPACE", "x"
#define RA_SHARED "R WEAK ASYNC SHARED_SPACE", "x"
    static const struct crossing crossings[] = {
        {WG, {"", "", ""}, RM, "012", ""},
        {WG, {REL, "", ACQ}, RM, "012", "9p"},
        {WG, {REL ";" ACQ, "", ""}, RM, "000", "9p"},
        {WG, {"", REL ";" ACQ, ""}, RM, "012", "p"},
        {WG, {REL, "", ""}, RM, "012", "p"}, // one of the two
        {WG, {"", "", ACQ}, RM, "012", "p"},
        {WG, {"", REL, ACQ}, RM, "012", "p"}, // another CTA
        {WG, {REL, ACQ, ""}, RM, "012", "p"},
        {WG, {"", REL, ACQ}, RM, "002", "9p"},
        {WG, {REL, ACQ, ""}, RM, "011", "9p"},
        {WG, {ACQ, "", REL}, RM, "012", "p"}, // in the wrong order
        {WG, {ACQ, "", ACQ}, RM, "012", "p"},
        {WG, {REL, "", REL}, RM, "012", "p"},
        {WG, {REL, "", "PF ASYNC ACQUIRE GPU"}, RM, "012", "p"}, // two kinds
        {WG, {"PF ASYNC RELEASE GPU", "", ACQ}, RM, "012", "p"},
        {WT, {REL, "", ACQ}, RG, "012", ""}, // the other direction
        {WT, {REL, "", ACQ}, RM, "012", ""},
        {WG, {REL, "", ACQ "@x"}, RM, "012", "9p"},
        {WG, {REL, "", ACQ "@z"}, RM, "012", "p"}, // the path has a release
        {WG, {"", "", ACQ "@x"}, RM, "012", "p"},
        {WG, {"", "", ACQ "@z"}, RM, "012", ""},
        {WA, {FA ";" REL, "", ACQ}, RM, "012", "9p"}, // rule 5
        {WA, {REL ";" FA, "", ACQ}, RM, "012", "p"},
        {WA, {REL, "", ACQ}, RM, "012", ""},
        {WG, {REL, FALIAS, ACQ}, "R WEAK TENSORMAP", "x@y", "012", "9p"}, // rule 6
        {WG, {REL, "", ACQ}, "R WEAK TENSORMAP", "x@y", "012", ""},
        {WG, {FALIAS ";" REL, "", ACQ}, "R WEAK TENSORMAP", "x@y", "012", "p"},
        {WG_SHARED, {REL_ASYNC, "", ACQ_ASYNC}, RA_SHARED, "012", "9p"},
        {WG_SHARED, {REL_ASYNC, "", ""}, RA_SHARED, "012", "p"},
        {WG_SHARED, {"", "", FA}, RA_SHARED, "012", "9p"},
        {WG, {REL_ASYNC, "", ACQ_ASYNC}, RA, "012", ""}, // not shared memory
        {WG, {REL_ASYNC, "", "PF ASYNC ACQUIRE GPU"}, RA, "012", "p"},
        {WA, {REL_ASYNC, "", ACQ_ASYNC}, RG, "012", ""},
    };
    CHECK_ALL(crossings);
}

// Tensormap fences are release and acquire fences too, with each other alone (PTX ISA 9.7.13.4).
static void test_tensormap_synchronisation(void **state) {
    (void)state;
#define MID ACQ ";" REL
    static const struct crossing crossings[] = {
        {WG,
         {REL ";"
              "F RELEASE GPU",
          MID ";"
              "F ACQ_REL GPU",
          "F ACQUIRE GPU;" ACQ},
         RM,
         "012",
         "9p"},
        {WG, {REL, MID, ACQ}, RM, "012", "p"}, // two steps
        {WG, {REL, MID, ACQ}, RG, "012", "p"}, // of generic accesses
        {WG, {"", MID, ACQ}, RM, "012", ""},
        {WG, {ACQ, MID, ACQ}, RG, "012", ""},
        {WG, {REL, MID, REL}, RG, "012", ""},
        {WG, {REL, "", ACQ}, RM, "012", ""},
        {WG, {REL, MID, ""}, RM, "012", ""},
        {WG, {"F RELEASE GPU", MID, ACQ}, RM, "012", ""},
        {WG, {REL, MID, "F ACQUIRE GPU"}, RG, "012", ""},
        {WG, {"F RELEASE GPU", "F ACQ_REL GPU", "F ACQUIRE GPU"}, RG, "012", "9p"},
        {WG, {"PF TENSORMAP RELEASE CTA", MID, ACQ}, RM, "012", ""}, // out of scope
        {WG, {"PF ASYNC RELEASE GPU", "PF ASYNC ACQUIRE GPU;" REL, ACQ}, RG, "012", ""},
        {WG, {FA, FA, FA}, RG, "012", ""},
    };
    for (size_t i = 0; i < sizeof crossings / sizeof *crossings; i++)
        check(&crossings[i], "W RELAXED GPU", "R RELAXED GPU");
}

// Initial writes precede everything through any proxy; through tensormap only what acquired them.
static void test_initial_writes(void **state) {
    (void)state;
    static const struct {
        const char *fence, *read;
        bool precedes;
    } cases[] = {
        {ACQ "@x", "R WEAK TENSORMAP", true}, {ACQ "@z", "R WEAK TENSORMAP", false},
        {"F SC SYS", "R WEAK", true},         {"F SC SYS", "R WEAK ASYNC", true},
        {"F SC SYS", "R WEAK SURFACE", true}, {"F SC SYS", "R WEAK TENSORMAP", false},
        {FA, "R WEAK TENSORMAP", false},      {REL, "R WEAK TENSORMAP", false},
        {ACQ, "R WEAK TENSORMAP", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_new();
        struct model *model =
            parse_good(arena, "include \"ptx-9.1.cat\" flag ~empty [IW] ; ppcb ; [R] as precedes");
        struct sketch s;
        sketch_init(&s, arena);
        unsigned old = sketch_event(&s, -1, "IW W", "x");
        add_fences(&s, 0, cases[i].fence);
        sketch_edge(&s, BASE_REL_RF, old, sketch_event(&s, 0, cases[i].read, "x"));
        sketch_finish(&s);
        assert_string_equal(raised(&s, model), cases[i].precedes ? "precedes" : "");
        arena_free(arena);
    }
}

// Accesses through two proxies are not morally strong, whatever their tags: no synchronisation.
static void test_moral_strength(void **state) {
    (void)state;
    static const char *const reads[] = {"R ACQUIRE GPU", "R ACQUIRE GPU SURFACE"};
    for (int i = 0; i < 2; i++) {
        struct sketch s;
        sketch_init(&s, arena_new());
        unsigned old = sketch_event(&s, -1, "IW W", "x");
        sketch_event(&s, 0, "W WEAK", "x");
        add_flag(&s, 0, 1, "f", "W RELEASE GPU", reads[i]);
        sketch_edge(&s, BASE_REL_RF, old, sketch_event(&s, 1, "R WEAK", "x"));
        sketch_finish(&s);
        assert_int_equal(orders(&s, load_good(s.arena, "ptx-9.1")), i == 0);
        assert_int_equal(orders(&s, load_good(s.arena, "ptx-7.5")), i == 0);
        assert_true(orders(&s, load_good(s.arena, "ptx-6.0"))); // no proxies
        arena_free(s.arena);
    }
}

static void test_versions(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    assert_true(model_tests_variant(load_good(arena, "ptx-9.1"), "proxy-fences-path"));
    assert_false(model_tests_variant(load_good(arena, "ptx-7.5"), "proxy-fences-path"));
    static const char *const accesses[] = {"R WEAK ASYNC", "R WEAK TENSORMAP", "PF ASYNC"};
    for (size_t i = 0; i < 3; i++) {
        struct sketch s;
        sketch_init(&s, arena);
        sketch_event(&s, 0, accesses[i], NULL);
        sketch_finish(&s);
        const char *why = failing(&s, load_good(arena, "ptx-7.5"), AXIOM_DEFINED);
        assert_string_equal(why, "Async-proxy");
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule_1),          cmocka_unit_test(test_rule_2),
        cmocka_unit_test(test_rule_3),          cmocka_unit_test(test_rule_4),
        cmocka_unit_test(test_rule_5),          cmocka_unit_test(test_rule_6),
        cmocka_unit_test(test_spaces),          cmocka_unit_test(test_no_space),
        cmocka_unit_test(test_one_directional), cmocka_unit_test(test_tensormap_synchronisation),
        cmocka_unit_test(test_initial_writes),  cmocka_unit_test(test_moral_strength),
        cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
