// Tests of litmus/readers: the header, the two layouts, placements, and the errors of all three.
#include "tests/unit/litmus/reading.h"

// The source of a thread's instructions, each followed by ';'.
static const char *statements(struct reading *reading, size_t thread_index) {
    const struct thread *thread = &reading->test->threads[thread_index];
    const char *all = "";
    for (size_t i = 0; i < thread->instruction_count; i++) {
        struct span span = thread->instructions[i].span;
        all = arena_format(reading->arena, "%s%.*s;", all, (int)(span.end - span.begin),
                           span.source->text + span.begin);
    }
    return all;
}

static void test_header(void **state) {
    (void)state;
    struct reading reading = read_clean("// first\n(* second *) ptx  MP+rel.acq (2)  \r\n"
                                        "\"one\" \"two\nthree\"\n"
                                        "x=0;\nP0@cta 0 { st.weak.u32 [x], 1; }\nexists x=1");
    assert_string_equal(reading.test->name, "MP+rel.acq (2)");
    assert_string_equal(reading.test->description, "one\ntwo\nthree");
    assert_ptr_equal(reading.test->source, reading.source);
    assert_int_equal(reading.test->dialect, DIALECT_PTX);
    close_reading(&reading);
    reading = read_clean("\xEF\xBB\xBFPTX T\nP0@cta 0 {}\nforall true");
    assert_string_equal(reading.test->name, "T");
    assert_string_equal(reading.test->description, "");
    close_reading(&reading);
}

static void test_free_description(void **state) {
    (void)state;
    struct reading reading = read_clean("PTX T\n\"\n says \"no\" here\n\"\n{ x=0; }\n"
                                        "P0@cta 0 ;\n st.weak.u32 [x], 1 ;\nexists x=1");
    assert_string_equal(reading.test->description, "\n says \"no\" here\n");
    assert_int_equal(reading.test->variable_count, 1);
    close_reading(&reading);
}

static void test_table(void **state) {
    (void)state;
    struct reading reading = read_clean("PTX T\n{ x=0; .global .align 8 .u32 y[2]; }\n"
                                        " P0@cta 0           | P3@cta 1             | P1@cta 2 ;\n"
                                        " st.weak.u32 [x], 1 || ;\n"
                                        "                    | ld.weak.u32 r0, [y]  |;\n"
                                        " L: ||;\n"
                                        " st.weak.u32 [y], 1 | ld.weak.u32 r1, [x]  |\n"
                                        "   ld.weak.v2.u32 {r1, r2}, [y] ;\n"
                                        "exists (3:r0=1)");
    const struct thread *threads = reading.test->threads;
    assert_int_equal(reading.test->thread_count, 3);
    assert_int_equal(threads[1].number, 3);
    assert_string_equal(statements(&reading, 0), "st.weak.u32 [x], 1;st.weak.u32 [y], 1;");
    assert_string_equal(statements(&reading, 1), "ld.weak.u32 r0, [y];ld.weak.u32 r1, [x];");
    assert_string_equal(statements(&reading, 2), "ld.weak.v2.u32 {r1, r2}, [y];");
    assert_int_equal(threads[0].label_count, 1);
    assert_int_equal(threads[0].labels[0].target, 1);
    close_reading(&reading);
}

static void test_block(void **state) {
    (void)state;
    struct reading reading = read_clean("PTX T\n.global .u32 x;\n.global .align 8 .u32 y[2];\n"
                                        "P0@cta 0,gpu 0 {\n"
                                        "  .reg .b32 %r<4>;\n"
                                        "  st.weak.u32 [x], 1; ld.weak.v2.u32 {%r0, %r1}, [y];\n"
                                        "}\n"
                                        "P1@cta 1 { }; P2@cta 2\n{ st.weak.u32 [x], 2; }\n"
                                        "exists x=1");
    assert_int_equal(reading.test->thread_count, 3);
    assert_string_equal(statements(&reading, 0),
                        "st.weak.u32 [x], 1;ld.weak.v2.u32 {%r0, %r1}, [y];");
    assert_string_equal(statements(&reading, 1), "");
    assert_string_equal(statements(&reading, 2), "st.weak.u32 [x], 2;");
    close_reading(&reading);
}

static void test_places(void **state) {
    (void)state;
    static const struct {
        const char *text;
        struct place place;
    } cases[] = {
        {"P0@cta 3", {.cta = 3}},
        {"P0 @ cta 3, gpu 2", {.cta = 3, .gpu = 2}},
        {"P0@gpu 2,cluster 1,cta 0x10", {.cta = 16, .gpu = 2, .cluster = 1, .has_cluster = true}},
        {"P0@host", {.host = true}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct arena *arena = arena_new();
        struct reading reading =
            read_clean(arena_format(arena, "PTX T\n%s {}\nexists true", cases[i].text));
        const struct place *place = &reading.test->threads[0].place;
        assert_int_equal(place->host, cases[i].place.host);
        assert_int_equal(place->cta, cases[i].place.cta);
        assert_int_equal(place->gpu, cases[i].place.gpu);
        assert_int_equal(place->has_cluster, cases[i].place.has_cluster);
        assert_int_equal(place->cluster, cases[i].place.cluster);
        close_reading(&reading);
        arena_free(arena);
    }
}

// memory-model: placement of CTAs, host threads at .sys
static void test_same_place(void **state) {
    (void)state;
    const struct place a = {.cta = 0}, b = {.cta = 0, .gpu = 1}, c = {.cta = 1};
    const struct place d = {.cta = 0, .has_cluster = true}, e = {.cta = 1, .has_cluster = true};
    const struct place f = {.cta = 0, .has_cluster = true, .cluster = 1}, a2 = {.cta = 0};
    const struct place host = {.host = true}, host2 = {.host = true};
    assert_true(test_same_cta(&a, &a2) && test_same_cluster(&a, &a2) && test_same_gpu(&a, &a2));
    assert_false(test_same_cta(&a, &b) || test_same_cluster(&a, &b) || test_same_gpu(&a, &b));
    assert_false(test_same_cta(&a, &c) || test_same_cluster(&a, &c));
    assert_true(test_same_gpu(&a, &c));
    assert_false(test_same_cta(&a, &d) || test_same_cluster(&a, &d));
    assert_true(test_same_cluster(&d, &e));
    assert_false(test_same_cta(&d, &e));
    assert_false(test_same_cta(&d, &f) || test_same_cluster(&d, &f));
    assert_true(test_same_cta(&host, &host) && test_same_gpu(&host, &host));
    assert_false(test_same_cta(&host, &host2) || test_same_gpu(&host, &host2));
    assert_false(test_same_gpu(&host, &a) || test_same_gpu(&a, &host));
}

static void test_header_errors(void **state) {
    (void)state;
    check_messages("", "t.litmus:1:1: error: the file is empty\n");
    check_messages(" \n\n", "t.litmus:1:1: error: there is no test in this file\n"
                            "hint: a test starts with 'PTX' and its name\n");
    check_messages("/* PTX", "t.litmus:1:1: error: this comment is never closed\n/* PTX\n^^\n"
                             "hint: '*/' ends it\n");
    check_messages("AArch64 MP\n",
                   "t.litmus:1:1: error: a litmus test starts with 'PTX', not with 'AArch64'\n"
                   "AArch64 MP\n^^^^^^^\n"
                   "hint: this is a test for AArch64; ptxlitmus reads those for PTX\n");
    check_messages("PTX MP {\n", "t.litmus:1:5: error: the name of the test, which goes to the end "
                                 "of the line, has a '{' in it\n"
                                 "PTX MP {\n    ^^^^\n"
                                 "hint: descriptions and declarations start on the next line\n"
                                 "t.litmus:1:9: error: the test has no threads\n"
                                 "PTX MP {\n        ^\n"
                                 "hint: a thread starts with its name and place: 'P0@cta 0,gpu 0'\n"
                                 "t.litmus:1:9: error: the test has no condition\n"
                                 "PTX MP {\n        ^\n"
                                 "hint: write one after the threads: exists (...), ~exists (...) "
                                 "or forall (...)\n");
}

static void test_layout_errors(void **state) {
    (void)state;
    check_messages("PTX T\nx=0;\nP0@cta 0 | P1@cta 1 ;\n st.weak.u32 [x], 1 ;\nexists x=1",
                   "t.litmus:4:21: error: row 1 of the table has 1 cell, but there are 2 threads\n"
                   " st.weak.u32 [x], 1 ;\n"
                   "                    ^\n"
                   "hint: a '|' separates two cells; a thread without an instruction in this row "
                   "has an empty cell\n");
    check_messages("PTX T\nx=0;\nP0@cta 0 ;\n st.weak.u32 [x], 1 ;\n setp.eq.u32 p|q, r0, 1 ;\n"
                   "exists x=1",
                   "t.litmus:5:15: error: row 2 of the table has 2 cells, but there is 1 thread\n"
                   " setp.eq.u32 p|q, r0, 1 ;\n"
                   "              ^\n"
                   "hint: the two results of 'setp p|q' can only be written in the block form, "
                   "'P0@cta 0 { ... }'\n");
    check_messages("PTX T\nx=0;\nP0@cta 0 | P1@cta 1 ;\n st.weak.u32 [x], 1 |\n"
                   " | st.weak.u32 [x], 1\nexists x=1",
                   "t.litmus:4:22: error: a ';' is missing at the end of this row\n"
                   " st.weak.u32 [x], 1 |\n"
                   "                     ^\n"
                   "t.litmus:5:22: error: a ';' is missing at the end of this row\n"
                   " | st.weak.u32 [x], 1\n"
                   "                     ^\n");
    check_messages("PTX T\nx=0;\nP0@cta 0 {\n st.weak.u32 [x], 1;\nP1@cta 1 {}\nexists x=1",
                   "t.litmus:3:10: error: this '{' is never closed\n"
                   "P0@cta 0 {\n"
                   "         ^\n"
                   "hint: a '}' is missing before line 5\n");
    check_messages("PTX T\nx=0;\nP0@cta 0 {} oops\nP1@cta 1 {}\nexists x=1",
                   "t.litmus:3:13: error: expected a thread or the condition, not 'oops'\n"
                   "P0@cta 0 {} oops\n"
                   "            ^^^^\n");
    check_messages("PTX T\nx=0;\nexists x=1",
                   "t.litmus:3:1: error: the test has no threads\n"
                   "exists x=1\n"
                   "^^^^^^\n"
                   "hint: a thread starts with its name and place: 'P0@cta 0,gpu 0'\n");
}

static void test_placement_errors(void **state) {
    (void)state;
    check_messages("PTX T\nP0 { }\nexists true", "t.litmus:2:1: error: thread 'P0' has no place\n"
                                                 "P0 { }\n"
                                                 "^^\n"
                                                 "hint: write where it runs: 'P0@cta 0,gpu 0'\n");
    check_messages("PTX T\nP0@gpu 1 {}\nexists true",
                   "t.litmus:2:4: error: this placement does not name a CTA\n"
                   "P0@gpu 1 {}\n"
                   "   ^^^^^\n"
                   "hint: 'cta n' is needed; 'cluster n', 'grid n' and 'gpu n' can be left out\n");
    check_messages("PTX T\nP0@cta 0,clustr 1,gpu 0 {}\nexists true",
                   "t.litmus:2:10: error: there is no placement 'clustr'\n"
                   "P0@cta 0,clustr 1,gpu 0 {}\n"
                   "         ^^^^^^\n"
                   "hint: did you mean 'cluster'?\n");
    check_messages("PTX T\nP0@cta 0,cta 1 {}\nexists true",
                   "t.litmus:2:10: error: 'cta' is given twice\n"
                   "P0@cta 0,cta 1 {}\n"
                   "         ^^^\n");
    check_messages("PTX T\nP0@cta -1 {}\nP1@cta 4294967296 {}\nP99999999999@cta 0 {}\nexists true",
                   "t.litmus:2:8: error: '-1' cannot be the number of a CTA\n"
                   "P0@cta -1 {}\n"
                   "       ^^\n"
                   "t.litmus:3:8: error: '4294967296' cannot be the number of a CTA\n"
                   "P1@cta 4294967296 {}\n"
                   "       ^^^^^^^^^^\n"
                   "t.litmus:4:1: error: the number of 'P99999999999' is too large\n"
                   "P99999999999@cta 0 {}\n"
                   "^^^^^^^^^^^^\n");
    check_messages("PTX T\nP0@cta 0 {}\nP0@cta 1 {}\nexists true",
                   "t.litmus:3:1: error: there are two threads 'P0'\n"
                   "P0@cta 1 {}\n"
                   "^^\n"
                   "hint: the first one is on line 2\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_free_description),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_same_place),
        cmocka_unit_test(test_header_errors),
        cmocka_unit_test(test_layout_errors),
        cmocka_unit_test(test_placement_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
