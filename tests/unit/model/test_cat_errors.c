// What the cat reader refuses: every message with its exact words and place.
#include "support.h"

struct bad {
    const char *text;
    const char *messages;
};

static void check_all(const struct bad *bad, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct arena *arena = arena_new();
        struct diagnostics diagnostics;
        struct model *model = parse_cat(arena, bad[i].text, &diagnostics);
        assert_string_equal(messages_of(arena, &diagnostics), bad[i].messages);
        assert_null(model);
        for (size_t m = 0; m < diagnostics.count; m++) // rendering must work on every span
            assert_non_null(diag_render(arena, &diagnostics.items[m]));
        arena_free(arena);
    }
}

#define CHECK_ALL(table) check_all((table), sizeof(table) / sizeof *(table))

#define NOT_SHOWN                                                                                  \
    "(expected a title, then 'let', 'include', 'show', 'flag' or an axiom; the text here is not "  \
    "shown, since the file could be anything)"

static void test_lexer(void **state) {
    (void)state;
    static const struct bad bad[] = {
        {"acyclic po $ rf", "1:12: unexpected '$' in a cat text\n"
                            "1:14: expected an operator or the next statement, found 'rf' (';' "
                            "composes relations, '&' intersects, '|' joins)"},
        {"acyclic po\n\x01", "2:1: this is not a cat text (it has a byte here that is not text)"},
        {"acyclic po\n\xff", "2:1: this is not a cat text (it has a byte here that is not text)"},
        {"acyclic po \xe2\x88\xaa", "1:12: unexpected '\xe2\x88\xaa' in a cat text"},
        {"acyclic po (* no (* end *)",
         "1:12: this comment has no end (comments nest: each '(*' needs its own '*)')"},
        {"include \"a.cat\nacyclic po",
         "1:9: this string has no closing '\"'\n2:1: expected a file name in quotes, found "
         "'acyclic'"},
    };
    CHECK_ALL(bad);
}

static void test_syntax(void **state) {
    (void)state;
    static const struct bad bad[] = {
        {"acyclic", "1:8: expected an expression, found the end of the text"},
        {"acyclic po |", "1:13: expected an expression, found the end of the text"},
        {"let = po\nacyclic po", "1:5: expected the name to define, found '='"},
        {"let rec (fr)\nacyclic po", "1:9: expected the name to define, found '('"},
        {"let a po\nacyclic po",
         "1:7: expected '=', found 'po' (parameters are written in parentheses: let a(po) = ...)"},
        {"acyclic (po | rf\nlet a = po",
         "2:1: expected an operator or ')', found 'let' (to close the '(' of line 1, column 9)"},
        {"acyclic [R ; po",
         "1:16: expected an operator or ']', found the end of the text (to close "
         "the '[' of line 1, column 9)"},
        {"acyclic po rf", "1:12: expected an operator or the next statement, found 'rf' (';' "
                          "composes relations, '&' intersects, '|' joins)"},
        {"acyclic po)", "1:11: expected an operator or the next statement, found ')'"},
        {"acyclic po-1", "1:9: unknown name 'po-1' (the inverse of r is written r^-1)"},
        {"acyclic rf^2", "1:12: unexpected '2' in a cat text\n1:13: expected '-1', '+', '*' or "
                         "'?' after '^', found the end of the text"},
        {"acyclic rf -1", "1:12: expected an operator, found '-1' (the inverse of r is written "
                          "r^-1)"},
        {"acyclic rf^po", "1:12: expected '-1', '+', '*' or '?' after '^', found 'po'"},
        {"let f(x = x\nacyclic po", "1:9: expected ',' or ')', found '='"},
        {"let f() = po\nacyclic po", "1:7: expected a parameter's name, found ')'"},
        {"empty {R}", "1:8: expected '}', found 'R' (only the empty set can be written in braces)"},
        {"acyclic po as", "1:14: expected the axiom's name, found the end of the text"},
        {"flag race race ~empty po", "1:11: this flag is said to be 'race' twice"},
        {"flag undefined race undefined empty po",
         "1:21: this flag is said to be 'undefined' twice"},
        {"flag po as x", "1:6: expected 'acyclic', 'irreflexive' or 'empty', found 'po'"},
        {"~empty po", "1:1: only a flag can be negated: an axiom with '~' is not in the subset of "
                      "cat that is read here"},
        {"acyclic po = rf", "1:12: expected an operator or the next statement, found '='"},
        {"po = rf acyclic po", "1:4: this is not a cat text " NOT_SHOWN},
        {"root:x:0:0:root:/root:/bin/bash", "1:5: this is not a cat text " NOT_SHOWN},
        {"\n\"key", "2:1: this is not a cat text " NOT_SHOWN},
        {"key-with words 7 more", "1:16: this is not a cat text " NOT_SHOWN},
    };
    CHECK_ALL(bad);
}

static void test_left_out(void **state) {
    (void)state;
    static const struct bad bad[] = {
        {"let a = let b = po in b\nacyclic po",
         "1:9: expected an expression, found 'let'\n1:20: the subset of cat that is read here "
         "leaves out local definitions ('let ... in') (a definition holds to the end of the text)"},
        {"procedure p() =\nacyclic po\nend",
         "1:1: the subset of cat that is read here leaves out procedures ('procedure') (write the "
         "axioms out, or define functions)\n3:1: the subset of cat that is read here leaves out "
         "'end'"},
        {"let f = fun x -> x\nacyclic po", "1:9: the subset of cat that is read here leaves out "
                                           "function values ('fun') (write 'let f(x) = ...')"},
        {"acyclic po ++ rf", "1:12: the subset of cat that is read here leaves out adding an "
                             "element with '++'"},
        {"enum t = 'a || 'b\nacyclic po",
         "1:1: the subset of cat that is read here leaves out enumerations ('enum') (the tags are "
         "sets: RELAXED, ACQUIRE, CTA, ...)"},
        {"empty R & 'a", "1:11: the subset of cat that is read here leaves out tags (''a')"},
        {"with co from cos(W)\nacyclic po",
         "1:1: the subset of cat that is read here leaves out enumeration of choices ('with ... "
         "from') (co, rf and sc are chosen already: they are base relations)"},
        {"let rec f(x) = x\nacyclic po",
         "1:9: the subset of cat that is read here leaves out recursive functions"},
        {"acyclic begin po end",
         "1:9: the subset of cat that is read here leaves out 'begin ... end' (write parentheses)"},
    };
    CHECK_ALL(bad);
}

#define IF_HINT " (only variants are tested: if \"name\" then ... else ...)"

static void test_conditionals(void **state) {
    (void)state;
    static const struct bad bad[] = {
        {"let a = if po = rf then po else rf\nacyclic po",
         "1:12: expected a variant's name in quotes, found 'po'" IF_HINT},
        {"acyclic if",
         "1:11: expected a variant's name in quotes, found the end of the text" IF_HINT},
        {"acyclic if \"a\" then", "1:20: expected an expression, found the end of the text"},
        {"acyclic if \"a\" po rf", "1:19: expected an operator or 'else', found 'rf'"},
        {"acyclic if \"a\" po", "1:18: expected an operator or 'else', found the end of the text"},
        {"acyclic if \"a\" po else", "1:23: expected an expression, found the end of the text"},
        {"acyclic po | if \"a\" po else rf",
         "1:14: expected an expression, found 'if' (a conditional "
         "under an operator needs parentheses)"},
        {"then po acyclic po", "1:1: expected a statement, found 'then'"},
        // What is not chosen has no errors either.
        {"acyclic if \"a\" unheard-of else po", "1:16: unknown name 'unheard-of'"},
        {"acyclic if \"a\" po ; R else po",
         "1:21: ';' takes a relation, but 'R' is a set ([...] makes a set the identity relation on "
         "it, _ * _ all pairs)"},
        {"empty if \"a\" R else po",
         "1:21: 'if' chooses between two sets or two relations, but 'R' "
         "is a set and 'po' is a relation ([...] makes a set the "
         "identity relation on it)"},
        {"acyclic if \"a\" domain else po",
         "1:16: 'domain' is a function: it needs arguments in parentheses"},
    };
    CHECK_ALL(bad);
}

static void test_names(void **state) {
    (void)state;
    static const struct bad bad[] = {
        {"acyclic po | frr", "1:14: unknown name 'frr' (did you mean 'fr'?)"},
        {"let sync = po\nacyclic snyc", "2:9: unknown name 'snyc' (did you mean 'sync'?)"},
        {"acyclic R & RELAXD", "1:13: unknown name 'RELAXD' (did you mean 'RELAXED'?)"},
        {"acyclic completely-different-thing", "1:9: unknown name 'completely-different-thing'"},
        {"acyclic later\nlet later = po", "1:9: unknown name 'later'"},
        {"let a = a\nacyclic po", "1:9: unknown name 'a'"},
        {"let a = po and b = a\nacyclic po", "1:20: unknown name 'a'"},
        {"let a = po and a = rf\nacyclic po", "1:16: one 'let' defines 'a' twice"},
        {"let f(x, x) = x\nacyclic po", "1:10: this function has the parameter 'x' twice"},
        {"let f(x) = y\nacyclic f(po)", "1:12: unknown name 'y'"},
        {"let f(x) = x\nlet g(y) = f(y) | x\nacyclic po", "2:19: unknown name 'x'"},
        {"show po, quux\nacyclic po", "1:10: unknown name 'quux'"},
        // One error only where the definition is wrong, none where it is used.
        {"let a = po |\nacyclic a", "2:1: expected an expression, found 'acyclic'"},
        {"let a = R ; po\nacyclic a | rf", "1:9: ';' takes a relation, but 'R' is a set ([...] "
                                           "makes a set the identity relation on it, _ * _ all "
                                           "pairs)"},
    };
    CHECK_ALL(bad);
}

#define ID_HINT " ([...] makes a set the identity relation on it)"
#define RELATION_HINT " ([...] makes a set the identity relation on it, _ * _ all pairs)"
#define SET_HINT " (domain(...) and range(...) are the sets of a relation's ends)"

static void test_types(void **state) {
    (void)state;
    static const struct bad bad[] = {
        {"acyclic R", "1:9: 'acyclic' takes a relation, but 'R' is a set" RELATION_HINT},
        {"irreflexive R & W",
         "1:13: 'irreflexive' takes a relation, but 'R & W' is a set" RELATION_HINT},
        {"acyclic po ; W ; rf", "1:14: ';' takes a relation, but 'W' is a set" RELATION_HINT},
        {"acyclic po | W", "1:14: '|' joins two sets or two relations, but 'po' is a relation and "
                           "'W' is a set" ID_HINT},
        {"empty R & W & (po | rf)", "1:15: '&' joins two sets or two relations, but 'R' is a set "
                                    "and '(po | rf)' is a relation" ID_HINT},
        {"empty R \\ po",
         "1:11: '\\' joins two sets or two relations, but 'R' is a set and 'po' is "
         "a relation" ID_HINT},
        {"empty po * R", "1:7: '*' takes a set, but 'po' is a relation" SET_HINT},
        {"empty R * W * M", "1:7: '*' takes a set, but 'R * W' is a relation" SET_HINT},
        {"empty [po]", "1:8: '[...]' takes a set, but 'po' is a relation" SET_HINT},
        {"empty R+", "1:7: '+' takes a relation, but 'R' is a set" RELATION_HINT},
        {"empty R*", "1:7: postfix '*' takes a relation, but 'R' is a set" RELATION_HINT},
        {"empty R?", "1:7: '?' takes a relation, but 'R' is a set" RELATION_HINT},
        {"empty R^-1", "1:7: '^-1' takes a relation, but 'R' is a set" RELATION_HINT},
        {"empty domain(R)", "1:14: 'domain' takes a relation, but 'R' is a set" RELATION_HINT},
        {"empty _ ; po", "1:7: ';' takes a relation, but '_' is a set" RELATION_HINT},
        {"empty po |\n (R\n)", "2:2: '|' joins two sets or two relations, but 'po' is a relation "
                               "and this is a set" ID_HINT},
    };
    CHECK_ALL(bad);
}

static void test_calls(void **state) {
    (void)state;
    static const struct bad bad[] = {
        {"let f(x, y) = x ; y\nacyclic f(po)", "2:9: 'f' takes 2 arguments, not 1"},
        {"acyclic domain(po, rf)", "1:9: 'domain' takes 1 argument, not 2"},
        {"let f(x) = x\nacyclic f", "2:9: 'f' is a function: it needs arguments in parentheses"},
        {"acyclic domain | po", "1:9: 'domain' is a function: it needs arguments in parentheses"},
        {"acyclic po (rf)", "1:9: 'po' is not a function (is an operator missing before the '('?)"},
        {"let f(x) = x ; po\nacyclic f(R)",
         "1:12: ';' takes a relation, but 'x' is a set (in the call of 'f' at line 2, column 9)"},
        {"let f(x) = x | y and g(z) = 0\nacyclic f(po)", "1:16: unknown name 'y'"},
    };
    CHECK_ALL(bad);
}

static void test_recursion(void **state) {
    (void)state;
    static const struct bad bad[] = {
        {"let rec a = po | ~a\nacyclic a", "1:19: 'a' is still being defined: it cannot be used "
                                           "under '~' (a recursive definition must grow with its "
                                           "value)"},
        {"let rec a = po \\ (rf ; a)\nacyclic a",
         "1:18: '(rf ; a)' is still being defined: it cannot be used on the right side of '\\' (a "
         "recursive definition must grow with its value)"},
        {"let rec a = po | b and b = rf & ~(a ; rf)\nacyclic a",
         "1:34: '(a ; rf)' is still being defined: it cannot be used under '~' (a recursive "
         "definition must grow with its value)"},
        {"let not(x) = ~x\nlet rec a = po | not(a)\nacyclic a",
         "1:15: 'x' is still being defined: it cannot be used under '~' (in the call of 'not' at "
         "line 2, column 18)"},
        {"let rec a = R | b and b = po | a\nacyclic b",
         "1:17: '|' joins two sets or two relations, but 'R' is a set and 'b' is a relation" ID_HINT
         "\n1:32: '|' joins two sets or two relations, but 'po' is a relation and 'a' is a "
         "set" ID_HINT},
    };
    CHECK_ALL(bad);
}

// Several errors of one text, each found after the last.
static void test_several(void **state) {
    (void)state;
    static const struct bad bad[] = {
        {"let a = po |\nlet b = (rf\nacyclic a | b\nempty quux as none\nempty R ; po",
         "2:1: expected an expression, found 'let'\n"
         "3:1: expected an operator or ')', found 'acyclic' (to close the '(' of line 2, column "
         "9)\n"
         "4:7: unknown name 'quux'\n"
         "5:7: ';' takes a relation, but 'R' is a set" RELATION_HINT},
    };
    CHECK_ALL(bad);
}

// --- Texts that would use up the stack, memory or time ------------------------------------------

static const char *repeat(struct arena *arena, const char *text, size_t times) {
    size_t length = strlen(text);
    char *result = arena_alloc(arena, length * times + 1);
    for (size_t i = 0; i < times; i++)
        memcpy(result + i * length, text, length);
    return result;
}

static void check_refused(struct arena *arena, const char *text, const char *message) {
    struct diagnostics diagnostics;
    assert_null(parse_cat(arena, text, &diagnostics));
    assert_true(diagnostics.count > 0);
    assert_string_equal(diagnostics.items[0].message, message);
}

static void test_deep(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *deep = "this expression nests deeper than 200 levels";
    check_refused(arena, arena_format(arena, "acyclic %spo", repeat(arena, "(", 60000)), deep);
    check_refused(arena, arena_format(arena, "empty %sR", repeat(arena, "~", 60000)), deep);
    check_refused(arena, arena_format(arena, "empty po%s", repeat(arena, "+ ", 60000)), deep);
    check_refused(arena, arena_format(arena, "empty %spo", repeat(arena, "[", 60000)), deep);
    check_refused(arena, arena_format(arena, "empty %spo", repeat(arena, "f(", 60000)), deep);
    const char *conditions = repeat(arena, "if \"a\" po else ", 10000);
    check_refused(arena, arena_format(arena, "empty %spo", conditions), deep);
    arena_free(arena);
}

static void test_wide(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct model *model =
        parse_good(arena, arena_format(arena, "acyclic %spo", repeat(arena, "rf | ", 30000)));
    assert_int_equal(model->axiom_count, 1);
    check_refused(arena, arena_format(arena, "acyclic %spo", repeat(arena, "rf | ", 60000)),
                  "a cat text of more than 256 KiB");
    arena_free(arena);
}

// Each function calls the one before twice: 2^n expressions.
static void test_function_bomb(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *text = "let f0(x) = x ; x\n";
    for (int i = 1; i < 60; i++)
        text = arena_format(arena, "%slet f%d(x) = f%d(f%d(x) | x) ; f%d(x)\n", text, i, i - 1,
                            i - 1, i - 1);
    check_refused(arena, arena_format(arena, "%sacyclic f59(po)", text),
                  "the functions of this text expand to too much");
    text = "let f0(x) = x\n";
    for (int i = 1; i < 2000; i++)
        text = arena_format(arena, "%slet f%d(x) = f%d(x)\n", text, i, i - 1);
    check_refused(arena, arena_format(arena, "%sacyclic f1999(po)", text),
                  "the functions of this text call each other too deeply");
    arena_free(arena);
}

static void test_no_axiom(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    assert_non_null(parse_cat(arena, "let a = po", &diagnostics));
    assert_string_equal(messages_of(arena, &diagnostics),
                        "1:1: warning: this model has no axiom: it allows every candidate "
                        "execution");
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lexer),    cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_left_out), cmocka_unit_test(test_conditionals),
        cmocka_unit_test(test_names),    cmocka_unit_test(test_types),
        cmocka_unit_test(test_calls),    cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_several),  cmocka_unit_test(test_deep),
        cmocka_unit_test(test_wide),     cmocka_unit_test(test_function_bomb),
        cmocka_unit_test(test_no_axiom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
