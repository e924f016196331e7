// Which relations are found to be transitive: those of a list and no others of another one, and
// whatever is found of all short expressions holds in random executions.
#include "support.h"

#include "model/cat/transitive.h"

static uint64_t seed;

static uint64_t random_bits(void) { // xorshift64
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

// po and co are transitive, nothing is known of the others.
static const bool base[BASE_REL_COUNT] = {[BASE_REL_PO] = true, [BASE_REL_CO] = true};

// Whether the relation of the first axiom of a model is found to be transitive.
static bool is_found(const char *definitions, const char *expression) {
    struct arena *arena = arena_new();
    const struct model *model =
        parse_good(arena, arena_format(arena, "%s\nempty %s\n", definitions, expression));
    bool *transitive = ARENA_ARRAY(arena, bool, model->node_count);
    model_find_transitive(model, base, transitive);
    bool found = transitive[model->axioms[0].node];
    arena_free(arena);
    return found;
}

static void test_rules(void **state) {
    (void)state;
    static const char *const transitive[] = {
        "po",          "0",
        "_ * _",       "R * W",
        "[R]",         "id",
        "rf+",         "rf*",
        "po?",         "po^-1",
        "po & co",     "[R] ; po",
        "po ; [W]",    "[R] ; po ; [W]",
        "po ; po",     "po | id",
        "[R] | po",    "co & (W * W)",
        "(po ; [F])?", "([R] ; co^-1)^-1 & (rf | fr)+",
    };
    for (size_t i = 0; i < sizeof transitive / sizeof *transitive; i++)
        if (!is_found("", transitive[i]))
            fail_msg("%s is transitive", transitive[i]);
    assert_true(is_found("let co = co+\nlet r = co?", "r & po"));
}

static void test_no_rule(void **state) {
    (void)state;
    static const char *const others[] = {
        "rf",           "rf?",           "rf^-1",   "po | co",       "po \\ co",   "~po",
        "po ; co",      "po & rf",       "rf ; rf", "rf ; [W]",      "[R] ; rf",   "po | rf",
        "po | (R * W)", "po ; [W] ; po", "rf | id", "R * W | W * R", "po | po^-1",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_found("", others[i]))
            fail_msg("%s is not transitive", others[i]);
    assert_false(is_found("let rec r = po | (r ; rf)", "r"));
    assert_false(is_found("let rec r = po and s = rf | s", "r | s"));
}

// --- All short expressions ---------------------------------------------------------------------

static const char *const leaves[] = {"po", "co", "rf", "[R]", "id", "R * W", "_ * _", "0"};
static const char *const unary[] = {"%s", "(%s)^-1", "(%s)?", "(%s)+", "(%s)*", "~(%s)"};
static const char *const binary[] = {"|", "&", "\\", ";"};

enum {
    LEAVES = sizeof leaves / sizeof *leaves,
    TERMS = LEAVES * sizeof unary / sizeof *unary,
    BINARY = sizeof binary / sizeof *binary,
    FOURTH = 4
};

static const char *term(struct arena *arena, size_t number) {
    const char *form = unary[number / LEAVES], *place = strstr(form, "%s");
    return arena_format(arena, "(%.*s%s%s)", (int)(place - form), form, leaves[number % LEAVES],
                        place + 2);
}

// Every operator between two terms, one axiom each; a fourth of them with a third term.
static struct model *all_short(struct arena *arena, size_t left) {
    const char *text = "";
    for (size_t right = 0; right < TERMS; right++)
        for (size_t op = 0; op < BINARY; op++) {
            const char *pair = arena_format(arena, "(%s %s %s)", term(arena, left), binary[op],
                                            term(arena, right));
            if (random_bits() % FOURTH == 0)
                pair = arena_format(arena, "(%s %s %s)", pair, binary[random_bits() % BINARY],
                                    term(arena, random_bits() % TERMS));
            text = arena_format(arena, "%sempty %s\n", text, pair);
        }
    return parse_good(arena, text);
}

// Random sets and relations, po and co transitive; a fifth of the events is not executed.
static struct model_facts random_facts(struct arena *arena, unsigned n) {
    struct model_facts facts = {.n = n, .executed = event_set_new(arena, n)};
    for (unsigned a = 0; a < n; a++)
        if (random_bits() % 5 != 0)
            event_set_add(&facts.executed, a);
    for (unsigned i = 0; i < BASE_SET_COUNT; i++) {
        facts.sets[i] = event_set_new(arena, n);
        for (unsigned a = 0; a < n; a++)
            if (random_bits() % 2)
                event_set_add(&facts.sets[i], a);
    }
    for (unsigned i = 0; i < BASE_REL_COUNT; i++) {
        facts.relations[i] = relation_new(arena, n);
        for (unsigned a = 0; a < n; a++)
            for (unsigned b = 0; b < n; b++)
                if (random_bits() % (n + 1) < 1 && event_set_has(&facts.executed, a) &&
                    event_set_has(&facts.executed, b))
                    relation_add(&facts.relations[i], a, b);
        if (base[i])
            relation_close(&facts.relations[i]);
    }
    return facts;
}

static bool is_closed(struct arena *arena, const struct relation *relation) {
    struct relation closure = relation_new(arena, relation->n);
    relation_copy(&closure, relation);
    relation_close(&closure);
    return relation_equal(&closure, relation);
}

// Returns how many nodes of the model are found to be transitive.
static size_t check_nodes(struct arena *arena, const struct model *model) {
    size_t found = 0;
    bool *transitive = ARENA_ARRAY(arena, bool, model->node_count);
    model_find_transitive(model, base, transitive);
    for (unsigned round = 0; round < 8; round++) {
        struct model_facts facts = random_facts(arena, 4 + round);
        const struct node_value *values = model_evaluate(arena, model, &facts);
        for (size_t i = 0; i < model->node_count; i++) {
            if (transitive[i] && !is_closed(arena, &values[i].relation))
                fail_msg("node %zu, operator %d: not transitive", i, (int)model->nodes[i].op);
            found += round == 0 && transitive[i];
        }
    }
    return found;
}

static void test_short_expressions(void **state) {
    (void)state;
    size_t found = 0;
    seed = 0x2545f4914f6cdd1du;
    for (size_t left = 0; left < TERMS; left++) {
        struct arena *arena = arena_new();
        found += check_nodes(arena, all_short(arena, left));
        arena_free(arena);
    }
    assert_true(found > TERMS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_no_rule),
        cmocka_unit_test(test_short_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
