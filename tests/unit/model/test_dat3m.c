// The names of Dat3M (model/dat3m-names.cat), which are read before texts with the bare title PTX.
#include "support.h"

#define RF(a, b) sketch_edge(&s, BASE_REL_RF, (a), (b))

// --- Sets --------------------------------------------------------------------------------------

// Events, by the base sets that they are in.
static const char *const events[] = {
    "IW W WEAK",
    "R WEAK",
    "R RELAXED GPU",
    "R VOLATILE SYS",
    "R ACQUIRE GPU",
    "R RELEASE GPU", // the read of an atom.release
    "R ACQ_REL GPU",
    "W WEAK",
    "W RELAXED GPU",
    "W MMIO SYS",
    "W ACQUIRE GPU", // the write of an atom.acquire
    "W RELEASE GPU",
    "W ACQ_REL GPU",
    "F ACQ_REL GPU",
    "F SC GPU",
    "PF SURFACE",
    "PF ALIAS",
    "PF", // fence.proxy.generic
    "B",
    "R WEAK SURFACE",
    "R WEAK TEXTURE",
    "R WEAK CONSTANT",
};
enum { EVENTS = sizeof events / sizeof *events };

// Which of the events the set holds: a '#' for those, in groups of IW, reads, writes, fences, proxy
// fences, barriers, accesses of other proxies.
static const struct {
    const char *set, *held;
} sets[] = {
    {"RLX", ". .##.#. .###.. .. ... . ..."},     {"ACQ", ". ...#.# ...... .. ... . ..."},
    {"REL", ". ...... ....## .. ... . ..."},     {"WEAK", "# #..... #..... .. ... . ###"},
    {"ACQ_REL", ". ...... ...... #. ... . ..."}, {"F & SC", ". ...... ...... .# ... . ..."},
    {"F", ". ...... ...... ## ### # ..."},       {"GEN", "# ###### ###### ## ..# # ..."},
    {"SUR", ". ...... ...... .. #.. . #.."},     {"TEX", ". ...... ...... .. ... . .#."},
    {"CON", ". ...... ...... .. ... . ..#"},     {"F & ALIAS", ". ...... ...... .. .#. . ..."},
    {"R | W", "# ###### ###### .. ... . ###"},   {"M", "# ###### ###### .. ... . ###"},
};

static void test_sets(void **state) {
    (void)state;
    struct sketch s;
    sketch_init(&s, arena_new());
    for (int i = 0; i < EVENTS; i++)
        sketch_event(&s, i == 0 ? -1 : 0, events[i], NULL);
    sketch_finish(&s);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct model *model =
            parse_good(s.arena, arena_format(s.arena, "PTX empty %s", sets[i].set));
        struct node_value *values = model_evaluate(s.arena, model, &s.facts);
        unsigned node = model->axioms[model->axiom_count - 1].node, event = 0;
        for (const char *at = sets[i].held; *at; at++)
            if (*at != ' ' && event_set_has(&values[node].set, event++) != (*at == '#'))
                fail_msg("%s: '%s'", sets[i].set, events[event - 1]);
        assert_int_equal(event, EVENTS);
    }
    arena_free(s.arena);
}

// --- Relations ---------------------------------------------------------------------------------

static bool related(struct sketch *s, const char *relation, unsigned a, unsigned b) {
    struct model *model = parse_good(s->arena, arena_format(s->arena, "PTX empty %s", relation));
    struct node_value *values = model_evaluate(s->arena, model, &s->facts);
    return relation_has(&values[model->axioms[model->axiom_count - 1].node].relation, a, b);
}

// Threads 0 and 1 are in one CTA, 2 in another, 3 on another GPU.
static struct sketch four_threads(void) {
    struct sketch s;
    sketch_init(&s, arena_new());
    sketch_place(&s, 1, 0, 0, 0);
    sketch_place(&s, 3, 3, 3, 1);
    return s;
}

static void test_scopes(void **state) {
    (void)state;
    static const struct {
        const char *sets;
        int others; // threads 1 to so many are in its scope
    } scopes[] = {{"CTA", 1}, {"CLUSTER", 2}, {"GPU", 2}, {"SYS", 3}};
    for (int i = 0; i < 4; i++) {
        struct sketch s = four_threads();
        const char *fence = arena_format(s.arena, "F SC %s", scopes[i].sets);
        unsigned first = sketch_event(&s, 0, fence, NULL);
        for (int t = 1; t < 4; t++) {
            sketch_edge(&s, BASE_REL_SC_ORDER, first, sketch_event(&s, t, fence, NULL));
            sketch_event(&s, t, "F SC CTA", NULL);
        }
        sketch_finish(&s);
        for (int t = 1; t < 4; t++) {
            unsigned same = first + 2 * (unsigned)t - 1, narrow = same + 1;
            assert_int_equal(related(&s, "sr", first, same), t <= scopes[i].others);
            assert_int_equal(related(&s, "sr", same, first), t <= scopes[i].others);
            assert_int_equal(related(&s, "sr", first, narrow), t <= 1); // both scopes must reach
            assert_int_equal(related(&s, "sync_fence", first, same), t <= scopes[i].others);
            assert_false(related(&s, "sync_fence", same, first));
            assert_false(related(&s, "sync_fence", first, narrow));
            assert_int_equal(related(&s, "scta", first, same), t <= 1);
        }
        arena_free(s.arena);
    }
}

static void test_other_relations(void **state) {
    (void)state;
    struct sketch s = four_threads();
    unsigned weak = sketch_event(&s, 0, "W WEAK", "x"), near = sketch_event(&s, 1, "R WEAK", "x@y");
    unsigned arrival = sketch_event(&s, 0, "B", NULL), wait = sketch_event(&s, 1, "B", NULL);
    unsigned again = sketch_event(&s, 0, "R WEAK", "x");
    sketch_edge(&s, BASE_REL_BARRIER, arrival, wait);
    sketch_finish(&s);
    assert_false(related(&s, "sr", weak, near)); // weak accesses have no scope
    assert_true(related(&s, "scta", weak, near));
    assert_true(related(&s, "scta", weak, weak));
    assert_true(related(&s, "syncbar", arrival, wait));
    assert_true(related(&s, "sync_barrier", arrival, wait));
    assert_false(related(&s, "sync_barrier", wait, arrival));
    assert_true(related(&s, "loc \\ vloc", weak, near));
    assert_true(related(&s, "po-loc", weak, again));
    arena_free(s.arena);
}

// --- Texts -------------------------------------------------------------------------------------

// A text that uses the names as such models do.
static const char small_model[] =
    "PTX\n"
    "(* what follows is not a string *)\n"
    "let strong = (W & (RLX | REL)) | (R & (RLX | ACQ)) | F\n"
    "let same-proxy = GEN * GEN | SUR * SUR | TEX * TEX | CON * CON\n"
    "let ms = ((po | po^-1) | ([strong] ; sr ; [strong])) & same-proxy & (loc | ~(M * M))\n"
    "let rec seen = (ms & rf) | (seen ; rmw ; seen)\n"
    "let sync = ms & (([W & REL] | ([F & ACQ_REL] ; po ; [W & strong])) ; seen\n"
    "                 ; ([R & ACQ] | ([R & strong] ; po ; [F & ACQ_REL])))\n"
    "let cause = (po | sync | sync_fence | sync_barrier)+\n"
    "let served = [F] ; (same-proxy & scta) ; [M]\n"
    "let reaches = vloc & (([GEN] ; cause ; [GEN]) | (cause & served^-1 ; cause ; [GEN]))\n"
    "            | loc & ([GEN] ; cause ; [F & ALIAS] ; cause ; [GEN])\n"
    "empty ([F & SC] ; cause ; [F & SC]) \\ sync_fence as FenceSC\n"
    "irreflexive (rf | fr) ; reaches as Causality";

// Message passing with these data accesses, flags and fences (or "") in both threads, the second
// thread in CTA `cta`.
static const struct {
    const char *write, *first, *set, *wait, *second, *place;
    int cta;
    const char *wanted;
} passes[] = {
    {"W WEAK", "", "W RELEASE GPU", "R ACQUIRE GPU", "", "x", 1, "Causality"},
    {"W WEAK", "", "W RELEASE CTA", "R ACQUIRE CTA", "", "x", 1, ""},
    {"W WEAK", "", "W RELEASE CTA", "R ACQUIRE CTA", "", "x", 0, "Causality"},
    {"W WEAK", "", "W RELAXED GPU", "R ACQUIRE GPU", "", "x", 1, ""},
    {"W WEAK", "F ACQ_REL SYS", "W RELAXED GPU", "R ACQUIRE GPU", "", "x", 1, "Causality"},
    {"W WEAK", "F ACQ_REL SYS", "W RELAXED GPU", "R RELAXED GPU", "F ACQ_REL SYS", "x", 1,
     "Causality"},
    {"W WEAK", "F SC SYS", "W RELAXED GPU", "R RELAXED GPU", "F ACQ_REL SYS", "x", 1, ""},
    {"W WEAK SURFACE", "", "W RELEASE GPU", "R ACQUIRE GPU", "", "x", 1, ""},
    {"W WEAK SURFACE", "PF SURFACE", "W RELEASE GPU", "R ACQUIRE GPU", "", "x", 1, "Causality"},
    {"W WEAK SURFACE", "PF TEXTURE", "W RELEASE GPU", "R ACQUIRE GPU", "", "x", 1, ""},
    {"W WEAK", "", "W RELEASE GPU", "R ACQUIRE GPU", "", "x@y", 1, ""},
    {"W WEAK", "PF ALIAS", "W RELEASE GPU", "R ACQUIRE GPU", "", "x@y", 1, "Causality"},
    {"W WEAK", "B", "W RELAXED GPU", "R RELAXED GPU", "B", "x", 1, "Causality"},
};

static void test_small_model(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        struct sketch s;
        unsigned fence[2] = {0, 0};
        sketch_init(&s, arena_new());
        sketch_place(&s, 1, passes[i].cta, 0, 0);
        unsigned x0 = sketch_event(&s, -1, "IW W WEAK", "x");
        sketch_event(&s, -1, "IW W WEAK", "y");
        sketch_event(&s, 0, passes[i].write, "x");
        if (passes[i].first[0])
            fence[0] = sketch_event(&s, 0, passes[i].first, NULL);
        unsigned set = sketch_event(&s, 0, passes[i].set, "y");
        RF(set, sketch_event(&s, 1, passes[i].wait, "y"));
        if (passes[i].second[0])
            fence[1] = sketch_event(&s, 1, passes[i].second, NULL);
        RF(x0, sketch_event(&s, 1, "R WEAK", passes[i].place));
        if (strcmp(passes[i].second, "B") == 0)
            sketch_edge(&s, BASE_REL_BARRIER, fence[0], fence[1]);
        sketch_finish(&s);
        assert_string_equal(failing(&s, parse_good(s.arena, small_model), AXIOM_REQUIRED),
                            passes[i].wanted);
        arena_free(s.arena);
    }
}

// What Dat3M has no names for.
static void test_undefined(void **state) {
    (void)state;
    static const struct {
        const char *event, *why;
    } cases[] = {
        {"F ACQ_REL GPU", ""},
        {"F ACQUIRE GPU", "One-directional-fence"},
        {"F RELEASE GPU", "One-directional-fence"},
        {"W RELEASE GPU", ""},
        {"PF SURFACE", ""},
        {"PF ASYNC", "Async-proxy"},
        {"R WEAK TENSORMAP", "Async-proxy"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sketch s;
        sketch_init(&s, arena_new());
        sketch_event(&s, 0, cases[i].event, NULL);
        sketch_finish(&s);
        assert_string_equal(failing(&s, parse_good(s.arena, small_model), AXIOM_DEFINED),
                            cases[i].why);
        arena_free(s.arena);
    }
}

static void check_messages(const char *text, const char *wanted) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    parse_cat(arena, text, &diagnostics);
    assert_string_equal(messages_of(arena, &diagnostics), wanted);
    arena_free(arena);
}

static void test_titles(void **state) {
    (void)state;
    check_messages("PTX empty RLX", "");
    check_messages("PTX\n// comment\nempty RLX", "");
    check_messages("empty RLX", "1:7: unknown name 'RLX'");
    check_messages("\"PTX\" empty RLX", "1:13: unknown name 'RLX'");
    check_messages("PTX \"six\" empty RLX", "1:17: unknown name 'RLX'");
    check_messages("PTX six empty RLX", "1:15: unknown name 'RLX'");
    check_messages("OpenCL empty RLX", "1:14: unknown name 'RLX'");
}

// The axioms that come with the names are not the text's.
static void test_axioms(void **state) {
    (void)state;
    check_messages("PTX let a = RLX", "1:1: warning: this model has no axiom: it allows every "
                                      "candidate execution");
    struct arena *arena = arena_new();
    struct model *model = parse_good(arena, "PTX acyclic po empty RLX");
    assert_string_equal(model->title, "PTX");
    assert_string_equal(model->axioms[model->axiom_count - 2].name, "acyclic-1");
    assert_string_equal(model->axioms[model->axiom_count - 1].name, "empty-2");
    size_t count;
    const struct builtin_model *models = model_builtins(&count);
    for (size_t i = 0; i < count; i++)
        assert_null(strstr(models[i].name, "dat3m"));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_scopes),
        cmocka_unit_test(test_other_relations),
        cmocka_unit_test(test_small_model),
        cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_axioms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
