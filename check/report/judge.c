// Judges results for a suite, where silence is a failure: a test that expects nothing, and one that
// has no outcome without expecting so.
#include "check/report/judge.h"

#include "check/text/json.h"
#include "check/text/names.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <string.h>

static const char *const result_texts[SUITE_RESULT_COUNT] = {
    [SUITE_PASSED] = "passed",     [SUITE_FAILED] = "failed", [SUITE_UNDECIDED] = "undecided",
    [SUITE_BROKEN] = "broken",     [SUITE_INTERNAL] = "lost", [SUITE_NOT_RUN] = "not run",
    [SUITE_LEFT_OUT] = "left out",
};

const char *suite_result_text(enum suite_result result) {
    return result_texts[result];
}

bool suite_result_named(const char *text, enum suite_result *result) {
    for (int i = 0; text && i < SUITE_RESULT_COUNT; i++) {
        if (strcmp(text, result_texts[i]) == 0) {
            *result = (enum suite_result)i;
            return true;
        }
    }
    return false;
}

struct judged_place judged_place_of(struct span span) {
    const struct span in_file = source_in_file(span);
    if (!in_file.source)
        return (struct judged_place){.file = NULL};
    struct position at = source_position(in_file.source, in_file.begin);
    return (struct judged_place){in_file.source->path, at.line, at.column};
}

static struct judged_failure *add(struct arena *arena, struct judged *judged, struct span span,
                                  const char *why) {
    ARENA_APPEND(arena, judged->failures, judged->failure_count,
                 (struct judged_failure){.at = judged_place_of(span), .why = why});
    return &judged->failures[judged->failure_count - 1];
}

// --- What --update writes ----------------------------------------------------------------------

// The words of what came instead, or NULL.
static const char *opposite(const struct report *report, enum expectation what) {
    switch (what) {
    case EXPECT_ALLOWED:
    case EXPECT_FORBIDDEN:
    case EXPECT_ALWAYS:
        return report->outcomes->verdict == VERDICT_UNKNOWN
                   ? NULL
                   : verdict_text(report->outcomes->verdict);
    case EXPECT_RACE:
    case EXPECT_NO_RACE:
    case EXPECT_HANG:
    case EXPECT_NO_HANG:
    case EXPECT_TRAP:
    case EXPECT_NO_TRAP:
    case EXPECT_TERMINATES:
    case EXPECT_MAY_HANG: return expectation_text(expectation_opposite(what));
    case EXPECT_REACHABLE:
    case EXPECT_UNREACHABLE:
    case EXPECTATION_COUNT: break;
    }
    return NULL;
}

static struct judged_edit *edit_new(struct arena *arena, struct span span, const char *text) {
    struct judged_edit *edit = ARENA_NEW(arena, struct judged_edit);
    const struct span in_file = source_origin(span);
    *edit = (struct judged_edit){in_file.source->path, in_file.begin, in_file.end, text};
    return edit;
}

// The end of the line on which the condition ends; what closes it may follow on lines of its own.
static uint32_t end_of_condition(struct span condition) {
    const char *text = condition.source->text;
    uint32_t at = condition.end;
    at += (uint32_t)strspn(text + at, " \t\r\n);");
    while (at > condition.end && strchr(" \t\r\n", text[at - 1]))
        at--;
    return at + (uint32_t)strcspn(text + at, "\r\n");
}

// A line with an `expect` after the condition. In a module, it has the mark of the condition's
// line.
static struct judged_edit *new_line(struct arena *arena, const struct report *report) {
    const struct condition *condition = report->program->test->condition;
    if (report->outcomes->verdict == VERDICT_UNKNOWN || !condition || !condition->span.source)
        return NULL;
    struct span span = source_origin(condition->span);
    span.begin = span.end = end_of_condition(span);
    const char *text = span.source->text;
    uint32_t begin = span.begin;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    static const char mark[] = "// PTXLITMUS ";
    const char *line = text + begin + strspn(text + begin, " \t");
    bool marked = strncmp(line, mark, sizeof mark - 1) == 0;
    return edit_new(arena, span,
                    arena_format(arena, "\n%sexpect %s%s", marked ? mark : "",
                                 verdict_text(report->outcomes->verdict), marked ? "" : ";"));
}

// --- Judging -----------------------------------------------------------------------------------

static bool expects_nothing(const struct test *test) {
    return test->quantifier == QUANTIFIER_EXISTS && test->expected_count == 0;
}

static struct span place_of(const struct test *test) {
    return test->condition ? test->condition->span : (struct span){.source = NULL};
}

static struct judged_edit *edit_of(struct arena *arena, const struct report *report,
                                   const struct failure *failure) {
    const struct test *test = report->program->test;
    for (size_t i = 0; i < test->expected_count; i++) {
        const struct test_expected *expected = &test->expected[i];
        const char *text = opposite(report, expected->what);
        if (strcmp(expectation_text(expected->what), failure->expected) == 0)
            return text ? edit_new(arena, expected->span, text) : NULL;
    }
    return new_line(arena, report);
}

static void add_failures(struct arena *arena, struct judged *judged, const struct report *report,
                         bool updates) {
    const struct failures failures = report_failures(arena, report);
    for (size_t i = 0; i < failures.count; i++) {
        const struct failure *failure = &failures.items[i];
        bool placed = failure->span.source != NULL;
        add(arena, judged, placed ? failure->span : place_of(report->program->test),
            failure->sentence)
            ->edit = updates ? edit_of(arena, report, failure) : NULL;
    }
}

struct judged *judge_report(struct arena *arena, const struct report *report, bool updates) {
    const struct test *test = report->program->test;
    struct judged *judged = ARENA_NEW(arena, struct judged);
    *judged = (struct judged){.result = SUITE_PASSED};
    add_failures(arena, judged, report, updates);
    if (judged->failure_count == 0 && report_is_empty(report))
        add(arena, judged, place_of(test), report_reason(arena, report));
    if (expects_nothing(test)) {
        add(arena, judged, place_of(test),
            "nothing is expected: 'exists' without an 'expect' cannot fail")
            ->edit = updates ? new_line(arena, report) : NULL;
    }
    if (judged->failure_count > 0)
        judged->result = SUITE_FAILED;
    else if (report_status(report) != EXIT_DECIDED)
        judged->result = SUITE_UNDECIDED;
    return judged;
}

static bool fails(const struct report *report, enum expectation what) {
    return test_expects(report->program->test, what) && report_meets_one(report, what) == TRUTH_NO;
}

bool judged_asks_violation(const struct report *report) {
    const struct test *test = report->program->test;
    bool replaced = test_expects(test, EXPECT_ALLOWED) || test_expects(test, EXPECT_FORBIDDEN) ||
                    test_expects(test, EXPECT_ALWAYS);
    return fails(report, EXPECT_ALWAYS) ||
           (!replaced && test->quantifier == QUANTIFIER_FORALL && report_holds(report) == TRUTH_NO);
}

bool judged_asks_execution(const struct report *report) {
    const struct test *test = report->program->test;
    bool replaced = test_expects(test, EXPECT_ALLOWED) || test_expects(test, EXPECT_FORBIDDEN);
    return fails(report, EXPECT_ALLOWED) || fails(report, EXPECT_FORBIDDEN) ||
           fails(report, EXPECT_NO_HANG) || judged_asks_violation(report) ||
           (!replaced && test->quantifier == QUANTIFIER_NOT_EXISTS &&
            report_holds(report) == TRUTH_NO);
}

// --- JSON --------------------------------------------------------------------------------------

static json_t *failure_json(struct arena *arena, const struct judged_failure *failure) {
    json_t *object = json_object();
    const struct judged_place *at = &failure->at;
    if (at->file) {
        json_field(object, "file", text_json(arena, at->file));
        json_field(object, "line", json_integer((json_int_t)at->line));
        json_field(object, "column", json_integer((json_int_t)at->column));
    }
    json_field(object, "why", text_json(arena, failure->why));
    if (failure->edit) {
        const struct judged_edit *edit = failure->edit;
        json_t *change = json_object();
        json_field(change, "file", text_json(arena, edit->file));
        json_field(change, "begin", json_integer((json_int_t)edit->begin));
        json_field(change, "end", json_integer((json_int_t)edit->end));
        json_field(change, "text", text_json(arena, edit->text));
        json_field(object, "update", change);
    }
    return object;
}

json_t *judged_json(struct arena *arena, const struct judged *judged) {
    json_t *object = json_object();
    json_field(object, "result", text_json(arena, suite_result_text(judged->result)));
    if (judged->failure_count > 0) {
        json_t *failures = json_array();
        for (size_t i = 0; i < judged->failure_count; i++)
            json_item(failures, failure_json(arena, &judged->failures[i]));
        json_field(object, "failures", failures);
    }
    if (judged->execution)
        json_field(object, "execution", text_json(arena, judged->execution));
    return object;
}
