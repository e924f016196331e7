// The cat language: precedences, names, functions, recursion, includes.
#include "support.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Whether two expressions are the same tree: then they are one node of the graph.
static bool same_tree(const char *definitions, const char *a, const char *b) {
    struct arena *arena = arena_new();
    struct model *model =
        parse_good(arena, arena_format(arena, "%s\nempty %s\nempty %s", definitions, a, b));
    bool same = model->axioms[0].node == model->axioms[1].node;
    arena_free(arena);
    return same;
}

#define assert_same(a, b) assert_true(same_tree("", (a), (b)))
#define assert_different(a, b) assert_false(same_tree("", (a), (b)))

static void test_precedence(void **state) {
    (void)state;
    assert_same("po | rf ; co", "po | (rf ; co)");
    assert_same("po ; rf | co", "(po ; rf) | co");
    assert_same("po ; rf \\ co", "po ; (rf \\ co)");
    assert_same("po \\ rf ; co", "(po \\ rf) ; co");
    assert_same("po \\ rf & co", "po \\ (rf & co)");
    assert_same("po & rf \\ co", "(po & rf) \\ co");
    assert_same("po & R * W", "po & (R * W)");
    assert_same("R * W & po", "(R * W) & po");
    assert_same("~po & rf", "(~po) & rf");
    assert_same("~R * W", "(~R) * W");
    assert_same("R * ~W", "R * (~W)");
    assert_same("~po^-1", "~(po^-1)");
    assert_same("~po+", "~(po+)");
    assert_same("po ; rf+", "po ; (rf+)");
    assert_same("po & vloc ; rf", "(po & vloc) ; rf");
    assert_different("po | rf ; co", "(po | rf) ; co");
    assert_different("po \\ rf & co", "(po \\ rf) & co");
}

static void test_associativity(void **state) {
    (void)state;
    assert_same("po \\ rf \\ co", "(po \\ rf) \\ co");
    assert_different("po \\ rf \\ co", "po \\ (rf \\ co)");
    assert_same("po ; rf ; co", "(po ; rf) ; co");
    assert_same("po | rf | co", "(po | rf) | co");
}

static void test_postfix(void **state) {
    (void)state;
    assert_same("po+", "po^+");
    assert_same("po*", "po^*");
    assert_same("po?", "po^?");
    assert_same("rf^-1", "rf ^ -1");
    assert_same("rf^-1+?", "((rf^-1)+)?");
    assert_same("po* ; rf", "(po*) ; rf");
    assert_same("po* | R * W", "(po*) | (R * W)");
    assert_same("(po*)", "po*");
    assert_same("toid(R)", "[R]");
    assert_same("[R] ; po", "toid(R) ; po");
    assert_same("{} | R", "0 | R");
    assert_same("fencerel(F)", "(po & (_ * F)) ; po");
    assert_same("po-loc", "po & loc");
}

// A '*' before the next statement is a closure.
static void test_star_at_the_end(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct model *model =
        parse_good(arena, "let a = po*\nlet b = rf*\nempty a*\nflag ~empty b as f");
    assert_int_equal(model->nodes[model->axioms[0].node].op, NODE_STAR);
    assert_int_equal(model->nodes[model->axioms[1].node].op, NODE_STAR);
    arena_free(arena);
}

static void test_comments(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct model *model =
        parse_good(arena, "(* a (* nested *) comment *) acyclic po // to the end\n"
                          "# so is this\n"
                          "empty rf (* ** *)");
    assert_int_equal(model->axiom_count, 2);
    arena_free(arena);
}

static void check_title(const char *text, const char *title) {
    struct arena *arena = arena_new();
    assert_string_equal(parse_good(arena, text)->title, title);
    arena_free(arena);
}

static void test_titles(void **state) {
    (void)state;
    check_title("acyclic po", "");
    check_title("PTX\n(* comment *)\nacyclic po", "PTX");
    check_title("\"Partial SC\"\nacyclic po", "Partial SC");
    check_title("PTX \"Partial SC\" acyclic po", "Partial SC");
    check_title("PTX v6\nlet x = po acyclic x", "PTX v6");
}

// "race" and "undefined" say what a flag means; elsewhere they are names.
static void test_flag_words(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct model *model = parse_good(
        arena, "let race = po let undefined = race flag ~empty race as a\n"
               "flag race ~empty race as b flag undefined empty undefined as c\n"
               "flag race undefined ~empty race as d flag undefined race acyclic rf as e");
    static const bool race[] = {false, true, false, true, true};
    static const bool undefined[] = {false, false, true, true, true};
    assert_int_equal(model->axiom_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(model->axioms[i].use, AXIOM_FLAG);
        assert_int_equal(model->axioms[i].race, race[i]);
        assert_int_equal(model->axioms[i].undefined, undefined[i]);
    }
    arena_free(arena);
}

static void test_axioms(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct model *model =
        parse_good(arena, "acyclic po as first irreflexive rf\nempty R\n"
                          "flag ~empty co as races flag acyclic fr undefined_unless empty CLUSTER");
    static const struct {
        const char *name;
        enum axiom_kind kind;
        enum axiom_use use;
        bool negated;
    } wanted[] = {
        {"first", AXIOM_ACYCLIC, AXIOM_REQUIRED, false},
        {"irreflexive-2", AXIOM_IRREFLEXIVE, AXIOM_REQUIRED, false},
        {"empty-3", AXIOM_EMPTY, AXIOM_REQUIRED, false},
        {"races", AXIOM_EMPTY, AXIOM_FLAG, true},
        {"acyclic-5", AXIOM_ACYCLIC, AXIOM_FLAG, false},
        {"empty-6", AXIOM_EMPTY, AXIOM_DEFINED, false},
    };
    assert_int_equal(model->axiom_count, 6);
    for (size_t i = 0; i < model->axiom_count; i++) {
        assert_string_equal(model->axioms[i].name, wanted[i].name);
        assert_int_equal(model->axioms[i].kind, wanted[i].kind);
        assert_int_equal(model->axioms[i].use, wanted[i].use);
        assert_int_equal(model->axioms[i].negated, wanted[i].negated);
    }
    assert_true(model->nodes[model->axioms[2].node].is_set);
    arena_free(arena);
}

// --- Names and functions -----------------------------------------------------------------------

static void test_shadowing(void **state) {
    (void)state;
    // The new name holds from its definition on, and its own body sees the old one.
    assert_false(same_tree("let old = co\nlet co = co+", "co", "old"));
    assert_true(same_tree("let old = co\nlet co = co+", "co", "old+"));
    assert_true(same_tree("let f(x) = x ; co\nlet old = co\nlet co = co+", "f(rf)", "rf ; old"));
    assert_true(same_tree("let po = rf", "po-loc", "po-loc"));
    assert_false(same_tree("let po = rf", "po-loc", "po & loc"));
    assert_true(same_tree("let a = po and po = rf", "po", "rf"));
    assert_true(same_tree("let b = po\nlet a = po and po = rf", "a", "b"));
    assert_true(same_tree("let f(po) = po ; co", "f(rf)", "rf ; co"));
}

static void test_functions(void **state) {
    (void)state;
    assert_true(same_tree("let f(x) = x ; x", "f(po | rf)", "(po | rf) ; (po | rf)"));
    assert_true(same_tree("let f(x, S) = [S] ; x", "f(po, R & RED)", "[R & RED] ; po"));
    assert_true(same_tree("let f(x) = x+\nlet g(x) = f(f(x) ; po)", "g(rf)", "((rf+) ; po)+"));
    assert_true(same_tree("let f(x) = x | x", "f(R)", "R | R")); // both sets and relations
    assert_true(same_tree("let f(x) = x | x", "f(po)", "po | po"));
    assert_true(same_tree("let f(x) = 0", "f(po) | rf", "0 | rf"));
}

// --- Variants ----------------------------------------------------------------------------------

// Whether two expressions are the same tree when the variants "a" and "b" are chosen or not.
static bool same_under(const char *text, const char *expected, bool a, bool b) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const char *variants[2];
    struct model_options options = {.variants = variants};
    if (a)
        variants[options.variant_count++] = "a";
    if (b)
        variants[options.variant_count++] = "b";
    const char *both = arena_format(arena, "empty %s\nempty %s", text, expected);
    const struct source *source = source_from_text(arena, "test.cat", both, strlen(both));
    struct model *model = model_parse_with(arena, source, &options, &diagnostics);
    assert_string_equal(messages_of(arena, &diagnostics), "");
    bool same = model->axioms[0].node == model->axioms[1].node;
    arena_free(arena);
    return same;
}

static void test_conditionals(void **state) {
    (void)state;
    assert_true(same_under("if \"a\" then po else rf", "rf", false, false));
    assert_true(same_under("if \"a\" then po else rf", "po", true, false));
    assert_true(same_under("if \"a\" then po else rf", "rf", false, true));
    assert_true(same_under("if \"a\" po else rf", "po", true, true)); // "then" may be left out
    assert_true(same_under("if \"a\" R else W", "W", false, false));
    assert_true(same_under("if \"unheard-of\" po else rf", "rf", true, true));
    // Everything up to the end belongs to the last branch.
    assert_true(same_under("if \"a\" po | co else rf ; co | fr", "rf ; co | fr", false, false));
    assert_true(same_under("if \"a\" po | co else rf ; co | fr", "po | co", true, false));
    assert_true(same_under("(if \"a\" po else rf) ; co", "po ; co", true, false));
    const char *nested = "if \"a\" if \"b\" po else rf else if \"b\" co else fr";
    assert_true(same_under(nested, "po", true, true));
    assert_true(same_under(nested, "rf", true, false));
    assert_true(same_under(nested, "co", false, true));
    assert_true(same_under(nested, "fr", false, false));
    // An empty branch is of the other's kind.
    assert_true(same_under("R | (if \"a\" W else 0)", "R | 0", false, false));
    assert_true(same_under("po | (if \"a\" 0 else rf)", "po | 0", true, false));
}

static void test_variants_of_a_model(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct model *model = parse_good(arena, "let x = if \"a\" po else rf\n"
                                            "let f(y) = if \"b\" y else (if \"a\" y else co)\n"
                                            "acyclic f(x)");
    assert_int_equal(model->variant_count, 2);
    assert_true(model_tests_variant(model, "a"));
    assert_true(model_tests_variant(model, "b"));
    assert_false(model_tests_variant(model, "c"));
    assert_int_equal(model->node_count, 1); // co alone: the other branches are gone
    arena_free(arena);
}

// What no axiom needs is not in the graph; operands come before their users.
static void test_graph(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct model *model =
        parse_good(arena, "let unused = rf ; rf\nlet rec a = po | a ; a\nlet b = a & rf\nempty b");
    assert_int_equal(model->node_count, 6); // po, rf, a, a;a, its union with po, the axiom's &
    for (size_t i = 0; i < model->node_count; i++) {
        const struct model_node *node = &model->nodes[i];
        if (node->op == NODE_RECURSION)
            assert_true(node->left > i && node->left < model->node_count);
        else if (node->op >= NODE_UNION)
            assert_true(node->left < i && node->right < i);
    }
    assert_string_equal(model->nodes[model->axioms[0].node].name, "b");
    assert_false(model->nodes[model->axioms[0].node].recursive);
    arena_free(arena);
}

// --- Includes ----------------------------------------------------------------------------------

struct folder {
    char path[32];
    char names[4][64];
    size_t count;
};

static void make_folder(struct folder *folder) {
    *folder = (struct folder){.path = "/tmp/ptxlitmus-cat-XXXXXX"};
    assert_non_null(mkdtemp(folder->path));
}

static const char *add_file(struct folder *folder, const char *name, const char *text) {
    char path[sizeof folder->names[0]];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return strcpy(folder->names[folder->count++], path);
}

static void remove_folder(struct folder *folder) {
    for (size_t i = 0; i < folder->count; i++)
        unlink(folder->names[i]);
    assert_int_equal(rmdir(folder->path), 0);
}

static const char *load_messages(struct arena *arena, const char *path) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct model *model = model_load(arena, path, &diagnostics);
    assert_int_equal(model == NULL, diag_has_errors(&diagnostics));
    return messages_of(arena, &diagnostics);
}

static void test_include(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct folder folder;
    make_folder(&folder);
    add_file(&folder, "names.cat", "let hb = po | rf\nacyclic hb as inner\n");
    const char *path =
        add_file(&folder, "top.cat", "\"Top\" include \"names.cat\" empty hb & co as outer");
    struct model *model = load_good(arena, path);
    assert_string_equal(model->name, "top");
    assert_string_equal(model->title, "Top");
    assert_int_equal(model->axiom_count, 2);
    assert_string_equal(model->axioms[0].name, "inner");
    assert_string_equal(model->axioms[1].name, "outer");
    remove_folder(&folder);
    arena_free(arena);
}

static void test_include_builtin(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct model *alone = load_good(arena, "ptx-9.1");
    struct model *more = parse_good(arena, "include \"ptx-9.1.cat\"\nacyclic po | rf as stronger");
    assert_int_equal(more->axiom_count, alone->axiom_count + 1);
    arena_free(arena);
}

// What is confined to an empty set leaves nothing: ptx-9.1 is as it would be without what later
// versions add.
static void test_empty_operands(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct model *plain = parse_good(arena, "acyclic po | rf\nempty rf \\ po");
    struct model *more =
        parse_good(arena, "let no = {}\nlet r = [W & no] ; po | (no * W)^-1\nlet s = rf & (r+)\n"
                          "acyclic po | rf | s | (_ * domain(s)) \nempty (rf \\ s) \\ (po | r)");
    assert_int_equal(more->node_count, plain->node_count);
    arena_free(arena);
}

static void test_include_errors(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct folder folder;
    make_folder(&folder);
    const char *self = add_file(&folder, "self.cat", "include \"self.cat\" acyclic po");
    const char *ping = add_file(&folder, "ping.cat", "include \"pong.cat\" acyclic po");
    add_file(&folder, "pong.cat", "\ninclude \"./ping.cat\"");
    const char *bad = add_file(&folder, "bad.cat", "include \"none.cat\" acyclic po");
    assert_string_equal(load_messages(arena, self),
                        arena_format(arena, "1:9: '%s' includes itself", self));
    assert_string_equal(load_messages(arena, ping),
                        arena_format(arena, "2:9: '%s' includes itself, through this file", ping));
    assert_string_equal(
        load_messages(arena, bad),
        arena_format(arena, "1:9: no file 'none.cat' beside '%s', and no built-in model", bad));
    remove_folder(&folder);
    arena_free(arena);
}

// What a model includes lies in its folder, below it, or in a folder that the caller names; links
// and ".." lead there or nowhere.
static void test_include_folders(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct folder own, other;
    make_folder(&own);
    make_folder(&other);
    const char *outside = add_file(&other, "names.cat", "let hb = po | rf\n");
    const char *top = add_file(&own, "top.cat", "include \"link.cat\" acyclic hb");
    char link[64];
    snprintf(link, sizeof link, "%s/link.cat", own.path);
    assert_int_equal(symlink(outside, link), 0);
    strcpy(own.names[own.count++], link);
    const char *beside = add_file(&own, "beside.cat", "include \"names.cat\" acyclic hb");
    const char *root =
        add_file(&own, "root.cat", arena_format(arena, "include \"%s\" acyclic hb", outside));
    assert_string_equal(load_messages(arena, top),
                        "1:9: 'link.cat' is outside of the model's folder ('--include DIR' lets a "
                        "model include what lies in another folder)\n"
                        "1:28: unknown name 'hb'");
    assert_non_null(strstr(load_messages(arena, root), "is outside of the model's folder"));
    assert_non_null(strstr(load_messages(arena, beside), "no file 'names.cat' beside"));
    const char *const folders[] = {other.path};
    struct model_options options = {.folders = folders, .folder_count = 1};
    const char *const paths[] = {top, root, beside};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    for (size_t i = 0; i < 3; i++)
        assert_non_null(model_load_with(arena, paths[i], &options, &diagnostics));
    remove_folder(&other);
    assert_null(model_load_with(arena, beside, &options, &diagnostics));
    assert_string_equal(diagnostics.items[0].message, "there is no such folder to include from");
    remove_folder(&own);
    arena_free(arena);
}

static void test_model_load(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    assert_string_equal(load_messages(arena, "ptx-91"),
                        "ptx-91: no model has this name (did you mean 'ptx-9.1'?)");
    assert_string_equal(
        load_messages(arena, "c11-partial-sc"),
        "c11-partial-sc: no model has this name (the built-in models are ptx-9.3, ptx-9.1, "
        "ptx-7.5, ptx-6.0, scoped-rc11, scoped-rc11-strict; a "
        "path has a '/' or ends in .cat)");
    assert_non_null(strstr(load_messages(arena, "/nonexistent/model.cat"), "No such file"));
    size_t count;
    const struct builtin_model *models = model_builtins(&count);
    assert_string_equal(models[0].name, "ptx-9.3");
    for (size_t i = 0; i < count; i++) {
        struct model *model = load_good(arena, models[i].name);
        assert_string_equal(model->title, models[i].title);
        assert_string_equal(model->name, models[i].name);
        assert_true(model->axiom_count > 0);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_associativity),
        cmocka_unit_test(test_postfix),
        cmocka_unit_test(test_star_at_the_end),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_axioms),
        cmocka_unit_test(test_flag_words),
        cmocka_unit_test(test_shadowing),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_conditionals),
        cmocka_unit_test(test_graph),
        cmocka_unit_test(test_variants_of_a_model),
        cmocka_unit_test(test_include),
        cmocka_unit_test(test_include_builtin),
        cmocka_unit_test(test_empty_operands),
        cmocka_unit_test(test_include_errors),
        cmocka_unit_test(test_include_folders),
        cmocka_unit_test(test_model_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
