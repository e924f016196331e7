// Records: what is written is what is read, field by field; what is cut or changed is refused.
#include "check/record/record.h"
#include "check/record/results.h"
#include "fixture.h"
#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

// A record that has every field, each with a value of its own. (It is in memory that must not be
// written.)
static const struct judged_edit edit = {"tests/\xff.litmus", 17, 29, "forbidden"};
static const struct judged_failure failures[] = {
    {{"mp.suite", 3, 5}, "first\nin two lines", (struct judged_edit *)&edit},
    {{NULL, 0, 0}, "second", NULL},
};
static const struct record_column columns[] = {{"P1:%r0", 32, false}, {"x", 128, true}};
static const struct state_value values[] = {
    {{1, 0}, false},
    {{0, 0}, true},
    {{UINT32_MAX, 0}, false},
    {{UINT64_MAX, UINT64_MAX - 1}, false},
};
static const char *const flags[] = {"data-race", "hang"}, *const unknown_flags[] = {"trap"};

static struct record full_record(void) {
    return (struct record){
        .file = "mp.litmus",
        .test = "MP",
        .index = 7,
        .tests = 2,
        .judged = {SUITE_UNDECIDED, (struct judged_failure *)failures, 2, "P0 reads\nP1 writes"},
        .reason = "the time limit was reached",
        .seconds = 0.125,
        .outcomes = {true, (struct record_column *)columns, 2, (struct state_value *)values, 2,
                     (const char **)flags, 2, (const char **)unknown_flags, 1},
        .line = "{\"test\":\"MP\"}",
    };
}

static char *written(const struct record *record, size_t *size) {
    char *bytes;
    FILE *out = text_open(&bytes, size);
    record_write(out, record);
    text_close(out);
    return bytes;
}

static void assert_failures(const struct judged *judged) {
    assert_int_equal(judged->failure_count, 2);
    const struct judged_failure *first = &judged->failures[0], *second = &judged->failures[1];
    assert_string_equal(first->at.file, "mp.suite");
    assert_int_equal(first->at.line, 3);
    assert_int_equal(first->at.column, 5);
    assert_string_equal(first->why, "first\nin two lines");
    assert_string_equal(first->edit->file, edit.file);
    assert_int_equal(first->edit->begin, 17);
    assert_int_equal(first->edit->end, 29);
    assert_string_equal(first->edit->text, "forbidden");
    assert_null(second->at.file);
    assert_int_equal(second->at.line, 0);
    assert_string_equal(second->why, "second");
    assert_null(second->edit);
}

static void assert_outcomes(const struct record_outcomes *outcomes) {
    assert_true(outcomes->is_complete);
    assert_int_equal(outcomes->column_count, 2);
    assert_string_equal(outcomes->columns[0].name, "P1:%r0");
    assert_int_equal(outcomes->columns[0].width, 32);
    assert_false(outcomes->columns[0].is_signed);
    assert_string_equal(outcomes->columns[1].name, "x");
    assert_int_equal(outcomes->columns[1].width, 128);
    assert_true(outcomes->columns[1].is_signed);
    assert_int_equal(outcomes->state_count, 2);
    for (size_t i = 0; i < 2; i++) {
        for (size_t j = 0; j < 2; j++) {
            const struct state_value *read = &record_state(outcomes, i)[j];
            assert_true(bits_equal(read->value, values[2 * i + j].value));
            assert_int_equal(read->undef, values[2 * i + j].undef);
        }
    }
    assert_int_equal(outcomes->flag_count, 2);
    assert_string_equal(outcomes->flags[0], "data-race");
    assert_string_equal(outcomes->flags[1], "hang");
    assert_int_equal(outcomes->unknown_flag_count, 1);
    assert_string_equal(outcomes->unknown_flags[0], "trap");
}

static void test_every_field(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const struct record record = full_record();
    size_t size;
    char *bytes = written(&record, &size);
    struct record read;
    assert_int_equal(record_read(arena, bytes, size, &read), size);
    free(bytes); // the arena has it all
    assert_string_equal(read.file, "mp.litmus");
    assert_string_equal(read.test, "MP");
    assert_int_equal(read.index, 7);
    assert_int_equal(read.tests, 2);
    assert_int_equal(read.judged.result, SUITE_UNDECIDED);
    assert_failures(&read.judged);
    assert_string_equal(read.judged.execution, "P0 reads\nP1 writes");
    assert_string_equal(read.reason, "the time limit was reached");
    assert_true(read.seconds == 0.125);
    assert_outcomes(&read.outcomes);
    assert_string_equal(read.line, "{\"test\":\"MP\"}");
    arena_free(arena);
}

static void test_least_fields(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const struct record record = {.file = ""};
    size_t size;
    char *bytes = written(&record, &size);
    struct record read;
    assert_int_equal(record_read(arena, bytes, size, &read), size);
    assert_string_equal(read.file, "");
    assert_null(read.test);
    assert_null(read.judged.failures);
    assert_null(read.judged.execution);
    assert_null(read.reason);
    assert_null(read.outcomes.values);
    assert_int_equal(read.outcomes.state_count, 0);
    assert_null(read.line);
    free(bytes);
    arena_free(arena);
}

// Each takes its bytes, and leaves the next one's.
static void test_two_records(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const struct record first = full_record(), second = {.file = "b.litmus"};
    struct record read;
    char *bytes;
    size_t size;
    FILE *out = text_open(&bytes, &size);
    record_write(out, &first);
    record_write(out, &second);
    text_close(out);
    size_t taken = record_read(arena, bytes, size, &read);
    assert_true(taken > 0 && taken < size);
    assert_string_equal(read.file, "mp.litmus");
    assert_int_equal(record_read(arena, bytes + taken, size - taken, &read), size - taken);
    assert_string_equal(read.file, "b.litmus");
    free(bytes);
    arena_free(arena);
}

static void test_cut(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const struct record record = full_record();
    size_t size;
    char *bytes = written(&record, &size);
    struct record read;
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(record_read(arena, bytes, cut, &read), 0);
    free(bytes);
    arena_free(arena);
}

// A body that is shorter or longer than its fields, and whatever byte of it is another: that is
// refused, or a record of other values, but nothing is read that is not there.
static void test_changed(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const struct record record = full_record();
    size_t size;
    char *bytes = written(&record, &size);
    struct record read;
    uint64_t body = size - 2 * sizeof body;
    for (uint64_t other = 0; other < body; other++) {
        memcpy(bytes + sizeof other, &other, sizeof other);
        assert_int_equal(record_read(arena, bytes, size, &read), 0);
    }
    memcpy(bytes + sizeof body, &body, sizeof body);
    for (size_t i = 0; i < size; i++) {
        char before = bytes[i];
        bytes[i] = (char)(before ^ 0x80);
        size_t taken = record_read(arena, bytes, size, &read);
        assert_true(taken == 0 || (taken == size && i >= 2 * sizeof body));
        bytes[i] = before;
    }
    assert_int_equal(record_read(arena, "{\"test\":\"a line of JSON\"}", 25, &read), 0);
    free(bytes);
    arena_free(arena);
}

static void test_of_report(void **state) {
    (void)state;
    struct fixture *f = fixture_new(2);
    const uint64_t first[] = {1, UINT32_MAX}, second[] = {2, 0};
    fixture_state(f, true, first);
    fixture_state(f, false, second);
    f->outcomes.verdict = VERDICT_ALLOWED;
    f->report.index = 3;
    const struct record record = record_of_report(f->arena, &f->report, NULL);
    assert_string_equal(record.file, "dir/mp.litmus");
    assert_string_equal(record.test, "MP");
    assert_int_equal(record.index, 3);
    assert_int_equal(record.tests, 1);
    assert_int_equal(record.judged.result, SUITE_PASSED);
    assert_true(record.outcomes.is_complete);
    assert_int_equal(record.outcomes.column_count, 2);
    assert_string_equal(record.outcomes.columns[1].name, "P1:%r1");
    assert_true(record.outcomes.columns[1].is_signed);
    assert_int_equal(record.outcomes.state_count, 2);
    assert_int_equal(record_state(&record.outcomes, 1)[0].value.low, 2);
    assert_null(record.reason);
    fixture_free(f);
}

static void test_of_error(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const struct source *source = source_from_text(arena, "a.litmus", "x\nyz\n", 5);
    const struct diagnostic diagnostic = {.path = "a\xff.litmus",
                                          .message = "no such thing",
                                          .hint = "say another",
                                          .span = {source, 3, 4}};
    const struct record record = record_of_error(arena, &diagnostic, 2);
    assert_string_equal(record.file, "a\xef\xbf\xbd.litmus");
    assert_null(record.test);
    assert_int_equal(record.index, 2);
    assert_int_equal(record.judged.result, SUITE_BROKEN);
    assert_int_equal(record.judged.failure_count, 1);
    assert_string_equal(record.judged.failures[0].why, "no such thing; say another");
    assert_int_equal(record.judged.failures[0].at.line, 2);
    assert_int_equal(record.judged.failures[0].at.column, 2);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field), cmocka_unit_test(test_least_fields),
        cmocka_unit_test(test_two_records), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_changed),     cmocka_unit_test(test_of_report),
        cmocka_unit_test(test_of_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
