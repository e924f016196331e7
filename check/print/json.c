// JSON, one object per line, with the fields of litmus-format.md section 3 in its order.
#include "check/print/json.h"

#include "check/print/endings.h"
#include "check/print/races.h"
#include "check/record/record.h"
#include "check/report/flags.h"
#include "check/text/condition.h"
#include "check/text/json.h"
#include "check/text/names.h"
#include "check/text/values.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/source.h"

#include <math.h>

json_t *state_json(struct arena *arena, const struct program *program, const struct state *state) {
    json_t *object = json_object();
    for (size_t i = 0; i < program->observed_count; i++) {
        const struct observed *observed = &program->observed[i];
        json_field(object, valid_utf8(arena, observed->json_name),
                   value_json(state->values[i].value, state->values[i].undef, observed->width,
                              observed->is_signed));
    }
    return object;
}

void json_head(json_t *object, struct arena *arena, const struct report *report) {
    json_field(object, "test", text_json(arena, report->program->test->name));
    json_field(object, "file", text_json(arena, report->path));
    json_field(object, "model", text_json(arena, report->model));
    json_field(object, "target",
               text_json(arena, report->target ? report->target->ptx.name : NULL));
    if (*report_derived_launch(report))
        json_field(object, "launch", text_json(arena, report_derived_launch(report)));
}

static json_t *states_json(struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    if (!outcomes->listed)
        return json_null();
    json_t *states = json_array();
    for (size_t i = 0; i < outcomes->state_count; i++)
        json_item(states, state_json(arena, report->program, &outcomes->states[i]));
    return states;
}

// The names of the flags of which this is known; `possible`: of those that are possible only.
static json_t *flags_json(struct arena *arena, const struct outcomes *outcomes, enum truth holds,
                          bool possible) {
    const struct shown_flags flags = flags_shown(arena, outcomes);
    json_t *names = json_array();
    for (size_t i = 0; i < flags.count; i++)
        if (flags.items[i].holds == holds && flags.items[i].possible == possible)
            json_item(names, text_json(arena, flags.items[i].name));
    return names;
}

// Whether the expectations came true; null when it is not known.
static json_t *truth_json(enum truth truth) {
    return truth == TRUTH_UNKNOWN ? json_null() : json_boolean(truth == TRUTH_YES);
}

// What the test expects, in its order: "forbidden, no race". NULL when it has no `expect`.
static const char *expected_text(struct arena *arena, const struct test *test) {
    const char *text = NULL;
    for (size_t i = 0; i < test->expected_count; i++) {
        text = arena_format(arena, "%s%s%s", text ? text : "", text ? ", " : "",
                            expectation_text(test->expected[i].what));
    }
    return text;
}

static json_t *assumptions_json(struct arena *arena, const struct program *program) {
    json_t *texts = json_array();
    for (size_t i = 0; i < program->assumption_count; i++)
        json_item(texts, text_json(arena, program->assumptions[i]));
    return texts;
}

static json_t *failures_json(struct arena *arena, const struct failures *failures) {
    json_t *words = json_array();
    for (size_t i = 0; i < failures->count; i++)
        json_item(words, text_json(arena, failures->items[i].expected));
    return words;
}

static json_t *milliseconds(double value) {
    return json_real(round(value * 1000) / 1000);
}

static json_t *count(size_t value) {
    return json_integer((json_int_t)value);
}

static json_t *stats_json(const struct report *report) {
    const struct solver_stats *stats = &report->outcomes->stats;
    json_t *object = json_object();
    json_field(object, "events", count(stats->events));
    json_field(object, "solver_ms", milliseconds(stats->solver_ms));
    json_field(object, "total_ms", milliseconds(report->seconds * 1000));
    if (report->stats) {
        json_field(object, "encode_ms", milliseconds(stats->encode_ms));
        if (report->program->idle_threads > 0)
            json_field(object, "idle_threads", count(report->program->idle_threads));
        json_field(object, "pairs_may", count(stats->pairs_may));
        json_field(object, "pairs_must", count(stats->pairs_must));
        json_field(object, "variables", count(stats->variables));
        json_field(object, "clauses", count(stats->clauses));
        json_field(object, "checks", count(stats->checks));
        json_field(object, "arena_bytes", count(arena_used(report->program->arena)));
        json_field(object, "peak_kb", report->peak_kb > 0 ? count(report->peak_kb) : json_null());
    }
    return object;
}

// Prints an object that is given away.
static void print_object(FILE *out, json_t *object, size_t index) {
    if (index > 0)
        json_field(object, "index", count(index));
    print_json_line(out, object);
}

void print_result_json(FILE *out, struct arena *arena, const struct report *report, json_t *more) {
    const struct test *test = report->program->test;
    const struct outcomes *outcomes = report->outcomes;
    json_t *object = json_object();
    json_head(object, arena, report);
    json_field(object, "kind", text_json(arena, quantifier_text(test->quantifier)));
    json_field(object, "condition",
               text_json(arena, condition_to_text(arena, report->program, CONDITION_HERD)));
    json_field(object, "verdict", text_json(arena, verdict_text(outcomes->verdict)));
    json_field(object, "observation", text_json(arena, observation_text(outcomes->verdict)));
    json_field(
        object, "ok",
        truth_json(report->options->asks_clean ? report_is_clean(report) : report_meets(report)));
    json_field(object, "states", states_json(arena, report));
    json_field(object, "complete", json_boolean(outcomes->listed && outcomes->complete));
    json_field(object, "flags", flags_json(arena, outcomes, TRUTH_YES, false));
    json_t *possible = flags_json(arena, outcomes, TRUTH_YES, true);
    if (json_array_size(possible) > 0)
        json_field(object, "possible_flags", possible);
    else
        json_decref(possible);
    if (outcomes_has_open_flag(outcomes))
        json_field(object, "unknown_flags", flags_json(arena, outcomes, TRUTH_UNKNOWN, false));
    if (report->program->assumption_count > 0)
        json_field(object, "assumptions", assumptions_json(arena, report->program));
    json_field(object, "expected", text_json(arena, expected_text(arena, test)));
    const struct failures failures = report_failures(arena, report);
    if (failures.count > 0)
        json_field(object, "failed", failures_json(arena, &failures));
    if (report->options->solver.races) {
        json_field(object, "races", races_json(arena, report));
        if (outcomes->races_cut)
            json_field(object, "races_complete", json_false());
    }
    if (outcomes->termination.is_asked)
        json_field(object, "progress", endings_json(arena, report));
    if (report->options->asks_clean)
        json_field(object, "clean", truth_json(report_is_clean(report)));
    const char *reason = report_reason(arena, report);
    if (reason)
        json_field(object, "reason", text_json(arena, reason));
    if (more) {
        json_object_update(object, more);
        json_decref(more);
    }
    json_field(object, "stats", stats_json(report));
    print_object(out, object, report->index);
}

void print_json_error(FILE *out, struct arena *arena, const struct diagnostic *diagnostic,
                      size_t index) {
    json_t *object = json_object();
    json_field(object, "file", text_json(arena, diagnostic->path));
    if (diagnostic->span.source) {
        struct position at = source_position(diagnostic->span.source, diagnostic->span.begin);
        json_field(object, "line", count(at.line));
        json_field(object, "column", count(at.column));
    } else {
        json_field(object, "line", json_null());
        json_field(object, "column", json_null());
    }
    json_field(object, "error", text_json(arena, diagnostic->message));
    if (diagnostic->hint)
        json_field(object, "hint", text_json(arena, diagnostic->hint));
    print_object(out, object, index);
}

void print_json_input(FILE *out, struct arena *arena, const struct record *record) {
    bool fails = record->judged.failure_count > 0;
    json_t *object = fails ? judged_json(arena, &record->judged) : json_object();
    json_field(object, "file", text_json(arena, record->file));
    if (record->test)
        json_field(object, "test", text_json(arena, record->test));
    if (!fails)
        json_field(object, "result", text_json(arena, suite_result_text(record->judged.result)));
    if (record->tests != 1)
        json_field(object, "tests", count(record->tests));
    if (record->reason)
        json_field(object, "reason", text_json(arena, record->reason));
    print_object(out, object, record->index);
}
