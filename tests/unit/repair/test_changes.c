// The switches of a test: which forms a place has, and what the file is with them.
#include "support.h"

#include <dirent.h>
#include <stdlib.h>

static const char table[] = "PTX T\n"
                            "{ .global .u32 x; .global .u32 f; }\n"
                            " P0@cta 0,gpu 0           | P1@cta 1,gpu 0                 ;\n"
                            " st.weak.global.u32 [x],1 | ld.relaxed.gpu.global.u32 %a,[f] ; // c\n"
                            " st.weak.global.u32 [f],1 | ld.global.ca.u32 %b,[x]        ;\n"
                            "exists (P1:%a == 1 /\\ P1:%b == 0)\n"
                            "expect allowed;\n";

static const char block[] = "PTX T\n"
                            ".global .u32 x;\n"
                            ".global .u32 f;\n"
                            "P0@cta 0,gpu 0 {\n"
                            "  st.weak.global.u32 [x], 1;\n"
                            "  fence.acq_rel.gpu; // between\n"
                            "L: st.relaxed.gpu.global.u32 [f], 1; st.volatile.global.u32 [x], 2;\n"
                            "}\n"
                            "exists (x == 1)\n";

static void assert_forms(const char *text, enum change_direction direction, enum change_kind kind,
                         unsigned line, const char *expected) {
    struct arena *arena = arena_new();
    struct changes *changes = changes_of(arena, test_of(arena, text), direction, NULL);
    assert_string_equal(forms_text(arena, changes, place_in_line(changes, kind, line)), expected);
    arena_free(arena);
}

// In a test whose threads are in different CTAs of one GPU, .cta and .gpu are the scopes that
// differ.
static void test_forms(void **state) {
    (void)state;
    assert_forms(table, CHANGES_UP, CHANGE_ACCESS, 4,
                 "st.weak.global.u32 st.relaxed.cta.global.u32 st.release.cta.global.u32 "
                 "st.relaxed.gpu.global.u32 st.release.gpu.global.u32");
    assert_forms(table, CHANGES_UP, CHANGE_ACCESS, 5,
                 "st.weak.global.u32 st.relaxed.cta.global.u32 st.release.cta.global.u32 "
                 "st.relaxed.gpu.global.u32 st.release.gpu.global.u32");
    assert_forms(table, CHANGES_DOWN, CHANGE_ACCESS, 4,
                 "ld.weak.global.u32 ld.relaxed.cta.global.u32 ld.relaxed.gpu.global.u32");
    assert_forms(block, CHANGES_DOWN, CHANGE_FENCE, 6,
                 "- fence.acquire.cta fence.release.cta fence.acq_rel.cta fence.acquire.gpu "
                 "fence.release.gpu fence.acq_rel.gpu");
    assert_forms(block, CHANGES_UP, CHANGE_FENCE, 6, "fence.acq_rel.gpu fence.sc.gpu");
}

// What the target lacks is not offered: there are not any one-way fences below sm_90.
static void test_target(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const struct ptx_target old = {.name = "sm_80", .architecture = 80, .ptx = 70};
    struct test *test = test_of(arena, table);
    struct changes *all = changes_of(arena, test, CHANGES_UP, NULL);
    struct changes *few = changes_of(arena, test, CHANGES_UP, &old);
    assert_string_equal(forms_text(arena, all, place_in_line(all, CHANGE_NEW_FENCE, 5)),
                        "- fence.release.cta fence.release.gpu fence.sc.cta fence.sc.gpu");
    assert_string_equal(forms_text(arena, few, place_in_line(few, CHANGE_NEW_FENCE, 5)),
                        "- fence.acq_rel.cta fence.sc.cta fence.acq_rel.gpu fence.sc.gpu");
    arena_free(arena);
}

static void assert_diff(const char *text, enum change_direction direction, enum change_kind kind,
                        unsigned line, const char *form, const char *expected) {
    struct arena *arena = arena_new();
    struct test *test = test_of(arena, text);
    struct changes *changes = changes_of(arena, test, direction, NULL);
    size_t *choice = changes_as_written(arena, changes), place = place_in_line(changes, kind, line);
    const struct edit_options options = {.forbids = true};
    choice[place] = form_with_text(changes, place, form);
    const char *after = edit_text(arena, changes, choice, &options, NULL);
    assert_string_equal(edit_diff(arena, "t", text, after), expected);
    test_of(arena, after);
    arena_free(arena);
}

static void test_texts(void **state) {
    (void)state;
    assert_diff(table, CHANGES_UP, CHANGE_ACCESS, 4, "st.release.gpu.global.u32",
                "--- t\n+++ t\n@@ -1,7 +1,7 @@\n PTX T\n { .global .u32 x; .global .u32 f; }\n"
                "  P0@cta 0,gpu 0           | P1@cta 1,gpu 0                 ;\n"
                "- st.weak.global.u32 [x],1 | ld.relaxed.gpu.global.u32 %a,[f] ; // c\n"
                "+ st.release.gpu.global.u32 [x],1 | ld.relaxed.gpu.global.u32 %a,[f] ; // c\n"
                "  st.weak.global.u32 [f],1 | ld.global.ca.u32 %b,[x]        ;\n"
                " exists (P1:%a == 1 /\\ P1:%b == 0)\n"
                "-expect allowed;\n+expect forbidden;\n");
    assert_diff(table, CHANGES_UP, CHANGE_NEW_FENCE, 5, "fence.sc.gpu",
                "--- t\n+++ t\n@@ -2,6 +2,7 @@\n { .global .u32 x; .global .u32 f; }\n"
                "  P0@cta 0,gpu 0           | P1@cta 1,gpu 0                 ;\n"
                "  st.weak.global.u32 [x],1 | ld.relaxed.gpu.global.u32 %a,[f] ; // c\n"
                "+ fence.sc.gpu             |                                ;\n"
                "  st.weak.global.u32 [f],1 | ld.global.ca.u32 %b,[x]        ;\n"
                " exists (P1:%a == 1 /\\ P1:%b == 0)\n"
                "-expect allowed;\n+expect forbidden;\n");
    assert_diff(block, CHANGES_DOWN, CHANGE_FENCE, 6, "",
                "--- t\n+++ t\n@@ -3,7 +3,7 @@\n .global .u32 f;\n P0@cta 0,gpu 0 {\n"
                "   st.weak.global.u32 [x], 1;\n"
                "-  fence.acq_rel.gpu; // between\n"
                "+   // between\n"
                " L: st.relaxed.gpu.global.u32 [f], 1; st.volatile.global.u32 [x], 2;\n }\n"
                " exists (x == 1)\n");
}

// Waits for groups: for more groups, and, with .read, for what is written, too.
static void test_waits(void **state) {
    (void)state;
    static const char waits[] =
        "PTX T\n{ .global .align 16 .u64 g[2]; .shared .align 16 .u64 s[2]; }\n"
        " P0@cta 0,cluster 0,gpu 0                                  ;\n"
        " cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16 ;\n"
        " cp.async.bulk.commit_group                               ;\n"
        " cp.async.bulk.wait_group.read 1                          ;\n"
        " st.weak.shared.u64 [s], 2                                ;\n"
        "exists (g[0] == 2)\nexpect allowed;\n";
    assert_forms(waits, CHANGES_UP, CHANGE_WAIT, 6,
                 "- cp.async.bulk.wait_group 1 cp.async.bulk.wait_group.read 0 "
                 "cp.async.bulk.wait_group 0");
    assert_diff(waits, CHANGES_UP, CHANGE_WAIT, 6, "cp.async.bulk.wait_group 0",
                "--- t\n+++ t\n@@ -3,7 +3,7 @@\n"
                "  P0@cta 0,cluster 0,gpu 0                                  ;\n"
                "  cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16 ;\n"
                "  cp.async.bulk.commit_group                               ;\n"
                "- cp.async.bulk.wait_group.read 1                          ;\n"
                "+ cp.async.bulk.wait_group 0                               ;\n"
                "  st.weak.shared.u64 [s], 2                                ;\n"
                " exists (g[0] == 2)\n-expect allowed;\n+expect forbidden;\n");
}

static bool has_barriers(const struct changes *changes) {
    for (size_t i = 0; i < changes->count; i++)
        if (changes->places[i].kind == CHANGE_BARRIER)
            return true;
    return false;
}

// A CTA's barrier is put in at one point of each of its threads; in a loop, or where a branch leads
// past, there is none. An arrival that does not wait may become one that does.
static void test_barriers(void **state) {
    (void)state;
    static const char cta[] = "PTX T\n"
                              "{ .global .u32 x; }\n"
                              " P0@cta 0,gpu 0            | P1@cta 0,gpu 0             ;\n"
                              " st.weak.global.u32 [x], 1 | ld.weak.global.u32 %r0, [x] ;\n"
                              " bar.sync 0                | bar.sync 0                 ;\n"
                              "exists (P1:%r0 == 0)\n";
    static const char loop[] = "PTX T\n"
                               ".global .u32 x;\n"
                               "P0@cta 0,gpu 0 {\n"
                               "L: ld.relaxed.cta.global.u32 %r0, [x];\n"
                               "  setp.eq.u32 %p, %r0, 0;\n"
                               "  @%p bra L;\n"
                               "}\n"
                               "P1@cta 0,gpu 0 {\n"
                               "  st.relaxed.cta.global.u32 [x], 1;\n"
                               "  bar.arrive 0, 64;\n"
                               "}\n"
                               "exists (P0:%r0 == 1)\n";
    struct arena *arena = arena_new();
    struct changes *changes = changes_of(arena, test_of(arena, cta), CHANGES_UP, NULL);
    const struct change_place *place = &changes->places[place_in_line(changes, CHANGE_BARRIER, 4)];
    assert_int_equal(place->form_count, 1 + 3 * 3); // before each of two statements, and after
    assert_string_equal(place->forms[1].text, "bar.sync 1");
    assert_false(has_barriers(changes_of(arena, test_of(arena, cta), CHANGES_DOWN, NULL)));
    assert_false(has_barriers(changes_of(arena, test_of(arena, table), CHANGES_UP, NULL)));
    changes = changes_of(arena, test_of(arena, loop), CHANGES_UP, NULL);
    place = &changes->places[place_in_line(changes, CHANGE_BARRIER, 6)];
    assert_int_equal(place->form_count, 1 + 1 * 3);
    place = &changes->places[place_in_line(changes, CHANGE_BARRIER, 10)];
    assert_int_equal(place->form_count, 2);
    assert_string_equal(place->forms[1].text, "bar.sync");
    arena_free(arena);
}

// --- The library -------------------------------------------------------------------------------

static struct test *read_file(struct arena *arena, const char *path) {
    struct diagnostics diagnostics;
    struct test_list tests;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_read(arena, path, &diagnostics);
    assert_non_null(source);
    return test_read_all(arena, source, SYNTAX_GUESS, &diagnostics, &tests) && tests.count == 1
               ? tests.items[0]
               : NULL;
}

// The instruction whose opcode begins at a byte of the file, or NULL.
static const struct instruction *instruction_at(const struct test *test, uint32_t at) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            if (test->threads[t].instructions[i].opcode_span.begin == at)
                return &test->threads[t].instructions[i];
    return NULL;
}

// What a choice says of a place is what the changed test has there.
static void assert_place(const struct test *changed, const struct change_form *form, uint32_t at) {
    const struct instruction *instruction = instruction_at(changed, at);
    if (!form->is_present)
        return;
    assert_non_null(instruction);
    if (instruction->opcode == OP_FENCE_PROXY) {
        assert_int_equal(instruction->fence.order, form->order);
        assert_int_equal(instruction->fence.space, form->space);
    } else {
        assert_int_equal(instruction->order, form->order);
    }
    if (form->scope != SCOPE_NONE && instruction->order != ORDER_VOLATILE)
        assert_int_equal(instruction->scope, form->scope);
}

static size_t barriers_in(const struct test *test) {
    size_t count = 0;
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            count += test->threads[t].instructions[i].barrier != BARRIER_NONE;
    return count;
}

// The barriers of a choice are in the changed test, each once in its thread.
static void assert_barriers(const struct test *changed, const struct changes *changes,
                            const size_t *choice) {
    size_t wanted = barriers_in(changes->test);
    for (size_t p = 0; p < changes->count; p++) {
        const struct change_form *form = &changes->places[p].forms[choice[p]];
        for (size_t i = 0; i < form->insert_count; i++) {
            if (form->inserts[i].is_shared) // in more threads than one
                return;
            wanted +=
                changes->places[p].kind == CHANGE_BARRIER && form->inserts[i].where != INSERT_FOR;
        }
    }
    assert_int_equal(barriers_in(changed), wanted);
}

// The waits of a choice are in the changed test, as they are written.
static void assert_waits(const struct test *changed, const struct changes *changes,
                         const size_t *choice) {
    for (size_t p = 0; p < changes->count; p++) {
        const struct change_form *form = &changes->places[p].forms[choice[p]];
        if (changes->places[p].kind != CHANGE_WAIT || form->insert_count == 0)
            continue;
        const struct change_insert *insert = &form->inserts[0];
        const struct thread *thread = &changed->threads[insert->thread];
        bool found = false;
        for (size_t i = 0; i < thread->instruction_count; i++) {
            struct span span = source_in_file(thread->instructions[i].opcode_span);
            found = found || strncmp(span.source->text + span.begin, insert->text,
                                     strlen(insert->text)) == 0;
        }
        assert_true(found);
    }
}

// One form in so many is tried: in all, but where PTXLITMUS_TEST_SHARE says otherwise, as under
// sanitizers.
static size_t every(void) {
    const char *share = getenv("PTXLITMUS_TEST_SHARE");
    return share == NULL ? 1 : strtoul(share, NULL, 10);
}

// Each place takes each of its forms in turn, with the others as they come from a generator: every
// result is a test. Returns how many forms there are.
static size_t try_forms(struct arena *arena, const struct changes *changes, uint64_t *seed) {
    size_t *choice = changes_as_written(arena, changes), tried = 0;
    const struct edit_options options = {.forbids = true};
    for (size_t i = 0; i < changes->count; i++)
        for (size_t k = 0; k < changes->places[i].form_count; k++, tried++) {
            struct arena *scratch = arena_new();
            struct diagnostics diagnostics;
            uint32_t *at;
            size_t other = (size_t)((*seed = *seed * 6364136223846793005u + 1) >> 33);
            diagnostics_init(&diagnostics, scratch);
            other %= changes->count;
            choice[other] = (size_t)(*seed >> 20) % changes->places[other].form_count;
            choice[i] = k;
            if (tried % every() != 0) {
                arena_free(scratch);
                continue;
            }
            const struct test *changed =
                edit_apply(scratch, changes, choice, &options, 0, &diagnostics, &at);
            for (size_t d = 0; d < diagnostics.count && changed == NULL; d++)
                print_error("%s", diag_render(scratch, &diagnostics.items[d]));
            assert_non_null(changed);
            for (size_t p = 0; p < changes->count; p++)
                if (!change_is_apart(&changes->places[p]))
                    assert_place(changed, &changes->places[p].forms[choice[p]], at[p]);
            assert_barriers(changed, changes, choice);
            assert_waits(changed, changes, choice);
            arena_free(scratch);
        }
    return tried;
}

static size_t try_folder(const char *folder, uint64_t *seed) {
    size_t tried = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        struct arena *arena = arena_new();
        const char *path = arena_format(arena, "%s/%s", folder, entry->d_name);
        const char *dot = strrchr(entry->d_name, '.');
        struct test *test =
            dot != NULL && strcmp(dot, ".litmus") == 0 ? read_file(arena, path) : NULL;
        if (entry->d_name[0] != '.' && dot == NULL)
            tried += try_folder(path, seed);
        if (test != NULL && test->dialect == DIALECT_PTX) {
            tried += try_forms(arena, changes_of(arena, test, CHANGES_UP, NULL), seed);
            tried += try_forms(arena, changes_of(arena, test, CHANGES_DOWN, NULL), seed);
        }
        arena_free(arena);
    }
    closedir(dir);
    return tried;
}

static void test_library(void **state) {
    (void)state;
    uint64_t seed = 1;
    size_t tried = try_folder("litmus/library", &seed);
    print_message("%zu forms\n", tried);
    assert_true(tried > 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),    cmocka_unit_test(test_target),
        cmocka_unit_test(test_texts),    cmocka_unit_test(test_waits),
        cmocka_unit_test(test_barriers), cmocka_unit_test(test_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
