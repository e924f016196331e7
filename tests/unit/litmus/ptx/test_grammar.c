// What may come in an opcode, and how forms are written: for every row of the instruction table.
#include "tests/unit/litmus/ptx/messages.h"

#include "litmus/ptx/grammar.h"
#include "litmus/source/arena.h"

// An opcode of a form that has each of its slots filled, with this alternative where there are so
// many, in parts.
static struct opcode_begin filled(struct arena *arena, const struct form *form, size_t number) {
    const char *text = form->name, *cursor = form->qualifiers;
    struct slot slot;
    while (ptx_next_slot(&cursor, &slot)) {
        struct piece rest = slot.alternatives, one, chosen = {"", 0};
        for (size_t i = 0; i <= number && ptx_next_alternative(&rest, &one); i++)
            chosen = one;
        if (!slot.implied)
            text = arena_format(arena, "%s%.*s", text, (int)chosen.length, chosen.text);
    }
    return ptx_opcode_begin(arena, text, "");
}

struct wanted {
    const char *part;
    bool is_told;
};

static void hear(void *context, const struct form *form, enum qualifier_class class,
                 struct piece spelling) {
    struct wanted *wanted = context;
    (void)form;
    assert_in_range(class, 0, CLASS_COUNT);
    if (strlen(wanted->part) == spelling.length &&
        memcmp(wanted->part, spelling.text, spelling.length) == 0)
        wanted->is_told = true;
}

// Each part of a whole opcode is told where it is missing.
static void check_parts(const struct form *form, const struct opcode_begin *whole) {
    assert_true(ptx_form_begins(form, whole, NULL, NULL));
    for (size_t missing = 1; missing < whole->count; missing++) {
        struct opcode_begin begin = {.at = missing};
        for (size_t i = 0; i < whole->count; i++)
            if (i != missing)
                begin.parts[begin.count++] = whole->parts[i];
        struct wanted wanted = {.part = whole->parts[missing]};
        ptx_form_begins(form, &begin, hear, &wanted);
        if (!wanted.is_told)
            fail_msg("%s: '%s' may be missing, and is not told", form->name, wanted.part);
    }
}

static void test_missing_parts(void **state) {
    (void)state;
    enum { NUMBERS = 3 };
    size_t count;
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++) {
        struct arena *arena = arena_new();
        for (size_t number = 0; number < NUMBERS; number++) {
            const struct opcode_begin whole = filled(arena, &forms[i], number);
            check_parts(&forms[i], &whole);
        }
        arena_free(arena);
    }
}

// What no form takes begins none, and nothing is told of it.
static void test_wrong_parts(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    static const char *const wrong[] = {"ld.cta.gpu",    "ld.release", "st..u32",
                                        "fence.cta.cta", "x",          ".ld",
                                        "mul.wide.wide", "ld.u32.ld"};
    size_t count;
    const struct form *forms = ptx_forms(&count);
    for (size_t w = 0; w < sizeof wrong / sizeof wrong[0]; w++) {
        const struct opcode_begin begin = ptx_opcode_begin(arena, wrong[w], "");
        for (size_t i = 0; i < count; i++)
            assert_false(ptx_form_begins(&forms[i], &begin, NULL, NULL));
    }
    arena_free(arena);
}

// A form is written with its name, and with what its slots may be, unless that is very much.
static void test_grammar(void **state) {
    (void)state;
    enum { SHOWN = 16 };
    size_t count;
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++) {
        struct arena *arena = arena_new();
        const char *text = ptx_form_grammar(arena, &forms[i]), *cursor = forms[i].qualifiers;
        struct slot slot;
        assert_int_equal(strncmp(text, forms[i].name, strlen(forms[i].name)), 0);
        assert_non_null(strchr(text, ';'));
        while (ptx_next_slot(&cursor, &slot)) {
            struct piece rest = slot.alternatives, one;
            for (size_t n = 0; n < SHOWN && !slot.implied && ptx_next_alternative(&rest, &one); n++)
                assert_non_null(strstr(text, arena_strndup(arena, one.text, one.length)));
        }
        arena_free(arena);
    }
}

static void check_grammar(const char *opcode, const char *expected) {
    struct arena *arena = arena_new();
    const struct opcode_begin begin = ptx_opcode_begin(arena, opcode, "");
    size_t count, i = 0;
    const struct form *forms = ptx_forms(&count);
    while (i < count && !ptx_form_begins(&forms[i], &begin, NULL, NULL))
        i++;
    assert_true(i < count);
    assert_string_equal(ptx_form_grammar(arena, &forms[i]), expected);
    arena_free(arena);
}

static void test_grammar_as_written(void **state) {
    (void)state;
    check_grammar("fence.sc.gpu", "fence{.order}.scope;\n"
                                  "  .order = .sc, .acq_rel, .acquire, .release\n"
                                  "  .scope = .cta, .cluster, .gpu, .sys");
    check_grammar("shfl.sync.up.b32", "shfl.sync.up.b32 d|p, a, b, c, e;");
    check_grammar("atom.cas.b32", "atom{.order}{.scope}{.space}.cas.type d, [a], b, c;\n"
                                  "  .order = .relaxed, .acquire, .release, .acq_rel\n"
                                  "  .scope = .cta, .cluster, .gpu, .sys\n"
                                  "  .space = .global, .shared, .shared::cta, .shared::cluster\n"
                                  "  .type = .b16, .b32, .b64, .b128");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing_parts),
        cmocka_unit_test(test_wrong_parts),
        cmocka_unit_test(test_grammar),
        cmocka_unit_test(test_grammar_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
