// Records of results, and of errors in inputs: what is taken over of them, as UTF-8.
#include "check/record/results.h"

#include "check/report/flags.h"
#include "check/text/names.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/source.h"

static const char *utf8(struct arena *arena, const char *text) {
    return text ? valid_utf8(arena, text) : NULL;
}

// The names of the flags of which this is known; not of those that are possible only.
static const char **flags_of(struct arena *arena, const struct shown_flags *flags, enum truth holds,
                             size_t *count) {
    const char **names = ARENA_ARRAY(arena, const char *, flags->count + 1);
    *count = 0;
    for (size_t i = 0; i < flags->count; i++)
        if (flags->items[i].holds == holds && !flags->items[i].possible)
            names[(*count)++] = valid_utf8(arena, flags->items[i].name);
    return names;
}

static void take_states(struct arena *arena, const struct report *report,
                        struct record_outcomes *taken) {
    const struct program *program = report->program;
    size_t columns = program->observed_count, states = report->outcomes->state_count;
    taken->columns = ARENA_ARRAY(arena, struct record_column, columns + 1);
    taken->values = ARENA_ARRAY(arena, struct state_value, columns * states + 1);
    taken->column_count = columns;
    taken->state_count = states;
    for (size_t i = 0; i < columns; i++) {
        const struct observed *observed = &program->observed[i];
        taken->columns[i] = (struct record_column){valid_utf8(arena, observed->json_name),
                                                   observed->width, observed->is_signed};
        for (size_t j = 0; j < states; j++)
            taken->values[j * columns + i] = report->outcomes->states[j].values[i];
    }
}

static struct record_outcomes outcomes_of(struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    const struct shown_flags flags = flags_shown(arena, outcomes);
    struct record_outcomes taken = {.is_complete = outcomes->listed && outcomes->complete};
    if (outcomes->listed && outcomes->state_count > 0)
        take_states(arena, report, &taken);
    taken.flags = flags_of(arena, &flags, TRUTH_YES, &taken.flag_count);
    taken.unknown_flags = flags_of(arena, &flags, TRUTH_UNKNOWN, &taken.unknown_flag_count);
    return taken;
}

struct judged record_judged(struct arena *arena, const struct judged *judged) {
    struct judged copy = *judged;
    copy.failures = ARENA_ARRAY(arena, struct judged_failure, judged->failure_count + 1);
    copy.execution = utf8(arena, judged->execution);
    for (size_t i = 0; i < judged->failure_count; i++) {
        const struct judged_failure *failure = &judged->failures[i];
        copy.failures[i] = *failure;
        copy.failures[i].at.file = utf8(arena, failure->at.file);
        copy.failures[i].why = utf8(arena, failure->why);
    }
    return copy;
}

struct record record_of_report(struct arena *arena, const struct report *report,
                               const struct judged *judged) {
    return (struct record){
        .file = utf8(arena, report->path),
        .test = utf8(arena, report->program->test->name),
        .index = report->index,
        .tests = 1,
        .judged = judged ? record_judged(arena, judged) : (struct judged){.result = SUITE_PASSED},
        .launched =
            *report_derived_launch(report) ? utf8(arena, report_derived_launch(report)) : NULL,
        .reason = utf8(arena, report_reason(arena, report)),
        .seconds = report->seconds,
        .outcomes = outcomes_of(arena, report),
    };
}

struct record record_of_error(struct arena *arena, const struct diagnostic *diagnostic,
                              size_t index) {
    const char *hint = diagnostic->hint;
    const char *why =
        hint ? arena_format(arena, "%s; %s", diagnostic->message, hint) : diagnostic->message;
    struct judged_failure *failure = ARENA_NEW(arena, struct judged_failure);
    *failure = (struct judged_failure){.at = {.file = utf8(arena, diagnostic->path)},
                                       .why = utf8(arena, why)};
    if (diagnostic->span.source) {
        struct position at = source_position(diagnostic->span.source, diagnostic->span.begin);
        failure->at.line = at.line;
        failure->at.column = at.column;
    }
    return (struct record){
        .file = failure->at.file,
        .index = index,
        .tests = 1,
        .judged = {.result = SUITE_BROKEN, .failures = failure, .failure_count = 1},
    };
}
