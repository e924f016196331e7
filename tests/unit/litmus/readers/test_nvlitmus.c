// Tests of litmus/readers: nvlitmus's files, their instructions, commands and tables.
#include "tests/unit/litmus/reading.h"

struct file {
    struct reading reading;
    struct test_list tests;
};

static struct file open_file(const char *path, const char *text) {
    struct file file = {.reading = {.arena = arena_new()}};
    struct reading *reading = &file.reading;
    diagnostics_init(&reading->diagnostics, reading->arena);
    reading->source = source_from_text(reading->arena, path, text, strlen(text));
    test_read_all(reading->arena, reading->source, SYNTAX_GUESS, &reading->diagnostics,
                  &file.tests);
    return file;
}

static struct file open_clean(const char *text) {
    struct file file = open_file("dir/T.test", text);
    assert_string_equal(messages(&file.reading), "");
    assert_true(file.tests.count > 0);
    return file;
}

static const char *text_of(struct arena *arena, struct span span) {
    return arena_strndup(arena, span.source->text + span.begin, span.end - span.begin);
}

// --- Instructions ------------------------------------------------------------------------------

struct expected {
    const char *text;
    enum opcode opcode;
    enum access_order order;
    enum scope scope;
    enum proxy proxy;
    enum atomic_op atomic;
    unsigned operands;
};

static void check_instruction(const struct expected *expected) {
    struct arena *arena = arena_new();
    struct file file = open_clean(arena_format(arena,
                                               ".global x; .texref t virtually aliases x;\n"
                                               "d0.b0.t0 { ld r9, [x]; %s; }\n"
                                               "check (1 == 1) as one;",
                                               expected->text));
    const struct thread *thread = &file.tests.items[0]->threads[0];
    assert_int_equal(thread->instruction_count, 2);
    const struct instruction *instruction = &thread->instructions[1];
    assert_int_equal(instruction->opcode, expected->opcode);
    assert_int_equal(instruction->order, expected->order);
    assert_int_equal(instruction->scope, expected->scope);
    assert_int_equal(instruction->proxy, expected->proxy);
    assert_int_equal(instruction->atomic, expected->atomic);
    assert_int_equal(instruction->operand_count, expected->operands);
    assert_int_equal(instruction->guard, -1);
    assert_int_equal(instruction->vector, 1);
    assert_string_equal(text_of(arena, instruction->span), expected->text);
    close_reading(&file.reading);
    arena_free(arena);
}

static void test_instructions(void **state) {
    (void)state;
    static const struct expected cases[] = {
        {"ld r0, [x]", OP_LD, ORDER_WEAK, 0, 0, 0, 2},
        {"ld.weak r0, [x]", OP_LD, ORDER_WEAK, 0, 0, 0, 2},
        {"ld.volatile r0, [x]", OP_LD, ORDER_VOLATILE, 0, 0, 0, 2},
        {"ld.relaxed.cta r0, [x]", OP_LD, ORDER_RELAXED, SCOPE_CTA, 0, 0, 2},
        {"ld.acquire.gpu r0, [x] == 1", OP_LD, ORDER_ACQUIRE, SCOPE_GPU, 0, 0, 2},
        {"suld.acquire.sys r0, [x]", OP_LD, ORDER_ACQUIRE, SCOPE_SYS, PROXY_SURFACE, 0, 2},
        {"tld r0, [t]", OP_LD, ORDER_WEAK, 0, PROXY_TEXTURE, 0, 2},
        {"ldc.weak r0, [x]", OP_LD, ORDER_WEAK, 0, PROXY_CONSTANT, 0, 2},
        {"st [x], 1", OP_ST, ORDER_WEAK, 0, 0, 0, 2},
        {"st [t], r9", OP_ST, ORDER_WEAK, 0, 0, 0, 2},
        {"st.release.gpu [x], 1", OP_ST, ORDER_RELEASE, SCOPE_GPU, 0, 0, 2},
        {"sust.relaxed.gpu [x], 1", OP_ST, ORDER_RELAXED, SCOPE_GPU, PROXY_SURFACE, 0, 2},
        {"atom.add.acq_rel.gpu r0, [x], 1 == 0", OP_ATOM, ORDER_ACQ_REL, SCOPE_GPU, 0, ATOMIC_ADD,
         3},
        {"suatom.add.relaxed.sys r0, [x], r9", OP_ATOM, ORDER_RELAXED, SCOPE_SYS, PROXY_SURFACE,
         ATOMIC_ADD, 3},
        {"red.add.release.cta [x], 1", OP_RED, ORDER_RELEASE, SCOPE_CTA, 0, ATOMIC_ADD, 2},
        {"sured.add.relaxed.cta [x], 1", OP_RED, ORDER_RELAXED, SCOPE_CTA, PROXY_SURFACE,
         ATOMIC_ADD, 2},
        {"fence.sc.cta", OP_FENCE, ORDER_SC, SCOPE_CTA, 0, 0, 0},
        {"fence.acq_rel.sys", OP_FENCE, ORDER_ACQ_REL, SCOPE_SYS, 0, 0, 0},
        {"fence.alias", OP_FENCE_PROXY, 0, 0, PROXY_ALIAS, 0, 0},
        {"fence.proxy.alias", OP_FENCE_PROXY, 0, 0, PROXY_ALIAS, 0, 0},
        {"fence.proxy.texture", OP_FENCE_PROXY, 0, 0, PROXY_TEXTURE, 0, 0},
        {"fence.proxy.surface", OP_FENCE_PROXY, 0, 0, PROXY_SURFACE, 0, 0},
        {"fence.proxy.constant", OP_FENCE_PROXY, 0, 0, PROXY_CONSTANT, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_instruction(&cases[i]);
}

// --- What surrounds them -----------------------------------------------------------------------

static void test_variables(void **state) {
    (void)state;
    struct file file =
        open_clean(".global x;\n.global y physically aliases x;\n.shared s;\n"
                   ".surfref t virtually aliases y;\n.conref c virtually aliases x;\n"
                   "d0.b0.t0 { ld r0, [x]; }\ncheck (r0 == 0) as r0;\n");
    const struct test *test = file.tests.items[0];
    static const struct {
        const char *name;
        enum state_space space;
        int alias_of;
        enum proxy proxy;
    } expected[] = {{"x", SPACE_GLOBAL, -1, PROXY_GENERIC},
                    {"y", SPACE_GLOBAL, 0, PROXY_GENERIC},
                    {"s", SPACE_SHARED, -1, PROXY_GENERIC},
                    {"t", SPACE_GLOBAL, 1, PROXY_SURFACE},
                    {"c", SPACE_GLOBAL, 0, PROXY_CONSTANT}};
    assert_int_equal(test->dialect, DIALECT_NVLITMUS);
    assert_int_equal(test->variable_count, 5);
    for (size_t i = 0; i < 5; i++) {
        const struct variable *variable = &test->variables[i];
        assert_string_equal(variable->name, expected[i].name);
        assert_int_equal(variable->space, expected[i].space);
        assert_int_equal(variable->alias_of, expected[i].alias_of);
        assert_int_equal(variable->alias_proxy, expected[i].proxy);
        assert_int_equal(variable->type, TYPE_U32);
        assert_int_equal(variable->has_initial, variable->alias_of < 0);
        if (variable->has_initial)
            assert_int_equal(variable->initial->value.low, 0);
    }
    close_reading(&file.reading);
}

// A thread is at its GPU and CTA, and a second body continues it.
static void test_threads(void **state) {
    (void)state;
    struct file file = open_clean(".global x;\nd1.b2.t3 { ld r0, [x]; }\nd1.b2.t4 { ld r1, [x]; }\n"
                                  "d0.b2.t3 { }\nd1.b2.t3 { st [x], r0; }\n"
                                  "check (r1 == 0) as r1;\n");
    const struct test *test = file.tests.items[0];
    assert_int_equal(test->thread_count, 3);
    assert_int_equal(test->threads[0].instruction_count, 2);
    assert_int_equal(test->threads[0].place.gpu, 1);
    assert_int_equal(test->threads[0].place.cta, 2);
    assert_int_equal(test->threads[2].number, 2);
    assert_int_equal(test->threads[2].instruction_count, 0);
    assert_true(test_same_cta(&test->threads[0].place, &test->threads[1].place));
    assert_false(test_same_gpu(&test->threads[0].place, &test->threads[2].place));
    assert_int_equal(test->condition->lhs.thread, 1);
    close_reading(&file.reading);
}

static void test_commands(void **state) {
    (void)state;
    struct file file = open_clean(".global x;\nd0.b0.t0 { ld r0, [x] == 1; }\n"
                                  "d0.b1.t0 { atom.add.relaxed.gpu r1, [x], 1 == 2; }\n"
                                  "permit (not (r0 == 1 || 2 != r1) && r0 == 1) as a;\n"
                                  "assert (not r0 == 1) as b;\ncheck (r0 == 1) as c;\n");
    static const struct {
        const char *name;
        enum quantifier quantifier;
        enum expectation expectation;
        enum condition_kind kind;
    } expected[] = {{"T.a", QUANTIFIER_EXISTS, EXPECT_ALLOWED, CONDITION_AND},
                    {"T.b", QUANTIFIER_FORALL, EXPECT_ALWAYS, CONDITION_NOT},
                    {"T.c", QUANTIFIER_EXISTS, EXPECTATION_COUNT, CONDITION_COMPARE}};
    assert_int_equal(file.tests.count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct test *test = file.tests.items[i];
        assert_string_equal(test->name, expected[i].name);
        assert_int_equal(test->quantifier, expected[i].quantifier);
        bool expects = expected[i].expectation != EXPECTATION_COUNT; // `check` has no expectation
        assert_int_equal(test->expected_count, expects);
        if (expects)
            assert_int_equal(test->expected[0].what, expected[i].expectation);
        assert_int_equal(test->condition->kind, expected[i].kind);
        assert_int_equal(test->filter->kind, CONDITION_AND);
        assert_int_equal(test->filter->left->rhs.constant.low, 1);
        assert_int_equal(test->filter->right->lhs.thread, 1);
        assert_int_equal(test->filter->right->rhs.constant.low, 2);
    }
    close_reading(&file.reading);
}

// --- Tables ------------------------------------------------------------------------------------

// A word may be put together from pieces, a cell may be empty or be used twice, `$1` is not the
// first half of `$10`, and '#' starts a comment only as the first character of a row.
static void test_table(void **state) {
    (void)state;
    struct file file = open_clean(".global x;\nd0.b0.t0 { st$0.g$1u [x], $2; $3 ld r0, [x]; }\n"
                                  "$4 (r0 == $2) as r0; // $10$9$8$7$6$5\n$$ \t\n\n# a | row\n"
                                  ".relaxed|p|1||permit||||||\n"
                                  "  .release | p | 22 | fence.sc.cta; | assert |||||| \r\n");
    const struct test *first = file.tests.items[0], *second = file.tests.items[1];
    assert_int_equal(file.tests.count, 2);
    assert_string_equal(first->name, "T.1");
    assert_string_equal(first->description, ".relaxed|p|1||permit||||||");
    assert_string_equal(second->name, "T.2");
    assert_string_equal(second->description, ".release | p | 22 | fence.sc.cta; | assert ||||||");
    assert_int_equal(first->threads[0].instruction_count, 2);
    assert_int_equal(first->threads[0].instructions[0].order, ORDER_RELAXED);
    assert_int_equal(second->threads[0].instruction_count, 3);
    assert_int_equal(second->threads[0].instructions[0].order, ORDER_RELEASE);
    assert_int_equal(second->threads[0].instructions[0].operands[1].immediate.low, 22);
    assert_int_equal(first->quantifier, QUANTIFIER_EXISTS);
    assert_int_equal(second->quantifier, QUANTIFIER_FORALL);
    struct span span = second->expected[0].span;
    assert_ptr_equal(span.source, file.reading.source);
    assert_string_equal(text_of(file.reading.arena, span), "assert");
    assert_int_equal(source_position(span.source, span.begin).line, 8);
    close_reading(&file.reading);
}

// A word of two pieces is shown in the text of its row's test.
static void test_message_across_pieces(void **state) {
    (void)state;
    struct file file = open_file("T.test", ".global x;\nd0.b0.t0 { st.$0 [x], 1; ld r0, [x]; }\n"
                                           "assert (r0 == 1) as r0;\n$$\nweak\nweek\n");
    assert_int_equal(file.tests.count, 0);
    assert_string_equal(messages(&file.reading),
                        "T.test:2:14: error: '.week' is not allowed here in 'st'\n"
                        "d0.b0.t0 { st.week [x], 1; ld r0, [x]; }\n"
                        "             ^^^^^\n"
                        "hint: did you mean '.weak'? (row 2 of the table, line 6)\n");
    close_reading(&file.reading);
}

static void test_limits(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    enum { ROWS = 4097 };
    const char *head = ".global x;\nd0.b0.t0 { ld r0, [x]; }\ncheck (r0 == $0) as r0;\n$$\n";
    size_t length = strlen(head);
    char *text = arena_alloc(arena, length + 2 * ROWS + 1);
    memcpy(text, head, length);
    for (size_t i = 0; i < ROWS; i++)
        memcpy(text + length + 2 * i, "1\n", 2);
    struct file file = open_file("T.test", text);
    assert_string_equal(messages(&file.reading),
                        "T.test:4101:1: error: a table has at most 4096 rows\n1\n^\n");
    close_reading(&file.reading);
    arena_free(arena);
    file = open_file("T.test", "check ($256 == 1) as a;\n$$\n1\n");
    assert_string_equal(messages(&file.reading),
                        "T.test:1:8: error: a table has at most 256 columns\n"
                        "check ($256 == 1) as a;\n       ^^^^\n");
    close_reading(&file.reading);
}

// --- Files -------------------------------------------------------------------------------------

static const char body[] = "d0.b0.t0 { ld r0, [x]; }\ncheck (r0 == 0) as r0;\n";

static enum dialect dialect_of(const char *path, const char *head) {
    struct arena *arena = arena_new();
    struct file file = open_file(path, arena_format(arena, "%s%s", head, body));
    enum dialect dialect = file.tests.count ? file.tests.items[0]->dialect : DIALECT_PTX;
    close_reading(&file.reading);
    arena_free(arena);
    return dialect;
}

static void test_recognition(void **state) {
    (void)state;
    assert_int_equal(dialect_of("a", ".global x;"), DIALECT_NVLITMUS);
    assert_int_equal(dialect_of("a", "// why\n.shared x;"), DIALECT_NVLITMUS);
    assert_int_equal(dialect_of("a", "d1.b0.t0 { } "), DIALECT_PTX); // x is not declared
    assert_int_equal(dialect_of("a", ".global .u32 x;"), DIALECT_PTX);
    assert_int_equal(dialect_of("a.test", "PTX a\n.global x;"), DIALECT_PTX);
    struct file file = open_file("a.litmus", "d0.b0.t0 { }\ncheck (1 == 1) as one;");
    assert_int_equal(file.tests.count, 1);
    assert_string_equal(file.tests.items[0]->name, "a");
    close_reading(&file.reading);
    file = open_file("dir.d/odd name\n.test", "d0.b0.t0 { }\ncheck (1 == 1) as one;");
    assert_string_equal(file.tests.items[0]->name, "odd name ");
    close_reading(&file.reading);
}

static void test_one_test(void **state) {
    (void)state;
    check_messages(".global x;\nd0.b0.t0 { ld r0, [x]; }\ncheck (r0 == $0) as r0;\n$$\n0\n1\n",
                   "t.litmus:1:1: error: this file holds 2 tests, not one\n.global x;\n^\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions), cmocka_unit_test(test_variables),
        cmocka_unit_test(test_threads),      cmocka_unit_test(test_commands),
        cmocka_unit_test(test_table),        cmocka_unit_test(test_message_across_pieces),
        cmocka_unit_test(test_limits),       cmocka_unit_test(test_recognition),
        cmocka_unit_test(test_one_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
