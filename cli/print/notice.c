// What an editor shows of results and messages.
#include "cli/print/notice.h"

#include "check/report/flags.h"
#include "check/report/report.h"
#include "check/text/json.h"
#include "cli/print/found.h"
#include "cli/print/launched.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

// Severities as LSP counts them.
enum notice_severity { NOTICE_ERROR = 1, NOTICE_WARNING, NOTICE_INFORMATION };

// Adds where a span is in its file.
static void add_place(json_t *object, struct arena *arena, struct span span, const char *path) {
    const struct span in_file = source_in_file(span);
    json_field(object, "file", text_json(arena, in_file.source ? in_file.source->path : path));
    if (!in_file.source)
        return;
    struct position at = source_position(in_file.source, in_file.begin);
    json_field(object, "begin", json_integer(in_file.begin));
    json_field(object, "end", json_integer(in_file.end));
    json_field(object, "line", json_integer(at.line));
    json_field(object, "column", json_integer(at.column));
}

static json_t *message_json(struct arena *arena, const char *text, enum notice_severity severity,
                            const char *code) {
    return json_of("{s:o, s:i, s:o}", "message", text_json(arena, text), "severity", (int)severity,
                   "code", text_json(arena, code));
}

void print_notice_message(FILE *out, struct arena *arena, const struct diagnostic *diagnostic,
                          size_t index) {
    static const enum notice_severity severities[SEVERITY_COUNT] = {
        [SEVERITY_ERROR] = NOTICE_ERROR,
        [SEVERITY_WARNING] = NOTICE_WARNING,
        [SEVERITY_NOTE] = NOTICE_INFORMATION,
    };
    static const char *const codes[SEVERITY_COUNT] = {"error", "warning", "note"};
    (void)index;
    const char *text = diagnostic->hint ? arena_format(arena, "%s\nhint: %s", diagnostic->message,
                                                       diagnostic->hint)
                                        : diagnostic->message;
    json_t *object =
        message_json(arena, text, severities[diagnostic->severity], codes[diagnostic->severity]);
    add_place(object, arena, diagnostic->span, diagnostic->path);
    print_json_line(out, object);
}

// --- What was expected, and what was found -----------------------------------------------------

// Where the kernel of a launch begins that is derived: at its ".entry". {0}: it is not known.
static struct span place_of_kernel(const struct test *test) {
    static const char word[] = ".entry";
    const struct thread *thread = &test->threads[0];
    if (thread->token_count == 0)
        return (struct span){0};
    struct span span = source_in_file(thread->tokens[0].span);
    for (size_t i = span.source ? span.begin : 0; i > 0; i--)
        if (strncmp(span.source->text + i - 1, word, sizeof word - 1) == 0)
            return (struct span){span.source, (unsigned)i - 1, (unsigned)(i - 1 + strlen(word))};
    return (struct span){0};
}

// Where it is said what is asked: the condition, or where the first thread is launched.
static struct span place_of_question(const struct report *report) {
    const struct test *test = report->program->test;
    if (*report_derived_launch(report))
        return place_of_kernel(test);
    if (!report->options->asks_clean && test->condition && test->condition->span.source &&
        !test->is_unconditional)
        return test->condition->span;
    if (!report->options->asks_clean && test->expected_count > 0)
        return test->expected[0].span;
    return test->thread_count > 0 ? test->threads[0].span : (struct span){0};
}

// ", when launched with grid 2, ..." where that is derived, or "".
static const char *launch_text(struct arena *arena, const struct report *report) {
    const char *launched = report_derived_launch(report);
    return *launched ? arena_format(arena, ", when launched with %s", launched) : "";
}

static void print_failures(FILE *out, struct arena *arena, const struct report *report) {
    const struct failures failures = report_failures(arena, report);
    for (size_t i = 0; i < failures.count; i++) {
        const struct failure *failure = &failures.items[i];
        json_t *object = message_json(arena, failure->sentence, NOTICE_ERROR, "failed");
        add_place(object, arena, failure->span.source ? failure->span : place_of_question(report),
                  report->path);
        print_json_line(out, object);
    }
}

// A message at each place of a finding, or one at the launch where it has none in the text.
static void print_found(FILE *out, struct arena *arena, const struct report *report,
                        const struct record_finding *finding) {
    const char *launch = report_derived_launch(report);
    const enum notice_severity severity =
        finding->is_open || *launch ? NOTICE_INFORMATION : NOTICE_WARNING;
    const char *text =
        *launch ? arena_format(arena, "%s\nthe launch is derived: %s", finding->message, launch)
                : finding->message;
    struct span last = {0};
    for (size_t i = 0; i < finding->place_count; i++) {
        const struct instruction *instruction = finding->places[i].instruction;
        const struct span span = instruction ? instruction->span : place_of_question(report);
        if (i > 0 && span.source == last.source && span.begin == last.begin)
            continue; // two threads race in one statement
        json_t *object = message_json(arena, text, severity, finding->rule);
        add_place(object, arena, span, report->path);
        print_json_line(out, object);
        last = span;
    }
}

static void print_findings(FILE *out, struct arena *arena, const struct report *report) {
    struct record record = {0};
    found_take(arena, report, &record);
    for (size_t i = 0; i < record.finding_count; i++)
        print_found(out, arena, report, &record.findings[i]);
}

// --- What it came to ---------------------------------------------------------------------------

// "; flags data-race, hang", or "".
static const char *flags_text(struct arena *arena, const struct report *report) {
    const struct shown_flags flags = flags_shown(arena, report->outcomes);
    const char *text = "";
    for (size_t i = 0; i < flags.count; i++) {
        const struct shown_flag *flag = &flags.items[i];
        text = arena_format(arena, "%s%s%s%s", text, *text ? ", " : "; flags: ",
                            flag->holds != TRUTH_YES ? "undecided "
                            : flag->possible         ? "possible "
                                                     : "",
                            flag->name);
    }
    return text;
}

static const char *title_of_check(struct arena *arena, const struct report *report) {
    const char *reason = report_reason(arena, report);
    bool assumes = report->program->assumption_count > 0;
    switch (report_is_clean(report)) {
    case TRUTH_YES:
        return arena_format(
            arena, "%s%s%s",
            launched_shares_nothing(report) ? launched_nothing_shared
                                            : "free of data races, hangs and undefined uses",
            launch_text(arena, report), assumes ? ", if what is assumed holds" : "");
    case TRUTH_NO:
        return arena_format(arena, "not free of data races, hangs and undefined uses%s%s",
                            launch_text(arena, report), flags_text(arena, report));
    case TRUTH_UNKNOWN: break;
    }
    return arena_format(arena, "undecided%s%s%s", reason ? ": " : "", reason ? reason : "",
                        flags_text(arena, report));
}

static const char *title_of_run(struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    const char *reason = report_reason(arena, report);
    const char *expected = report_meets(report) == TRUTH_NO ? "; not as expected" : "";
    const char *flags = flags_text(arena, report);
    if (outcomes->reachable == TRUTH_NO || outcomes->verdict == VERDICT_UNKNOWN) {
        return arena_format(arena, "undecided: %s%s%s", reason ? reason : "there is no outcome",
                            expected, flags);
    }
    if (report->program->test->is_unconditional)
        return arena_format(arena, "%s%s",
                            report_meets(report) == TRUTH_YES  ? "as expected"
                            : report_meets(report) == TRUTH_NO ? "not as expected"
                                                               : "undecided",
                            flags);
    return arena_format(arena, "%s: %s the condition%s%s", verdict_text(outcomes->verdict),
                        report_counts(arena, report), expected, flags);
}

// What a repair would be for; NULL: there is nothing to repair, or it is not known.
static const char *goal_of(struct arena *arena, const struct report *report) {
    const struct test *test = report->program->test;
    enum verdict verdict = report->outcomes->verdict;
    if (report->options->asks_clean) {
        const struct shown_flags flags = flags_shown(arena, report->outcomes);
        if (report_is_clean(report) != TRUTH_NO || flags.count == 0)
            return NULL;
        const char *name = flags.items[0].name;
        return strcmp(name, "data-race") == 0 ? "races"
               : strcmp(name, "hang") == 0    ? "hangs"
                                              : arena_format(arena, "flag %s", name);
    }
    bool is_asked = !test->is_unconditional && report->outcomes->reachable != TRUTH_NO &&
                    verdict != VERDICT_UNKNOWN;
    bool is_good = test->quantifier == QUANTIFIER_FORALL ? verdict == VERDICT_ALWAYS
                                                         : verdict == VERDICT_FORBIDDEN;
    return is_asked && !is_good ? "outcome" : NULL;
}

static json_t *title_json(struct arena *arena, const char *title, const char *test,
                          const char *goal) {
    return json_of("{s:o, s:o, s:o}", "title", text_json(arena, title), "test",
                   text_json(arena, test), "goal", text_json(arena, goal));
}

void print_notice(FILE *out, struct arena *arena, const struct report *report) {
    bool is_check = report->options->asks_clean;
    const char *goal = goal_of(arena, report);
    const char *title = is_check ? title_of_check(arena, report) : title_of_run(arena, report);
    if (is_check)
        print_findings(out, arena, report);
    else
        print_failures(out, arena, report);
    json_t *object = title_json(arena, title, report->program->test->name, goal);
    add_place(object, arena, place_of_question(report), report->path);
    print_json_line(out, object);
}

void print_notice_input(FILE *out, struct arena *arena, const struct record *record) {
    const char *why = record->reason ? record->reason : suite_result_text(record->judged.result);
    json_t *object =
        title_json(arena, arena_format(arena, "undecided: %s", why), record->test, NULL);
    add_place(object, arena, (struct span){0}, record->file);
    print_json_line(out, object);
}

void print_notice_end(FILE *out) {
    fputs("{\"end\":true}\n", out);
}
