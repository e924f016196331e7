// What a run prints of the results of a test, and what it keeps of them.
#include "check/print/races.h"
#include "check/record/record.h"
#include "check/report/flags.h"
#include "check/report/judge.h"
#include "check/report/report.h"
#include "check/text/names.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/limits.h"
#include "cli/jobs/task.h"
#include "cli/print/comparison.h"
#include "check/print/explanation.h"
#include "cli/print/formats.h"
#include "cli/print/launched.h"
#include "cli/print/picture.h"
#include "cli/print/print.h"
#include "cli/print/reason.h"
#include "cli/print/terminal.h"
#include "cli/report/added.h"
#include "check/report/explained.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/replace.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void run_add_status(struct run *run, enum exit_status status) {
    run->status = exit_status_worse(run->status, status);
}

// Hands what was printed on. (A reader that went away, as `| head` does, ends the program by
// SIGPIPE, and is a failure like others where that is ignored.)
void run_flush(struct run *run) {
    errno = 0;
    if (fflush(run->out) == 0 && !ferror(run->out)) {
        if (run->take)
            run->take(run->take_context);
        else if (run->out == stdout)
            worker_flush();
        return;
    }
    if (!run->output_failed) {
        fprintf(run->err, "ptxlitmus: error: cannot write the output: %s\n",
                errno ? strerror(errno) : "write error");
    }
    run->output_failed = true;
    run_add_status(run, EXIT_INTERNAL);
}

// The results of a test are printed: what remains is to hand them on.
static void end_limits(const struct run *run) {
    if (run->out == stdout)
        limits_end();
}

// Prints messages about one input, and in JSON an object for each error.
void run_print_diagnostics(struct run *run, struct arena *arena,
                           const struct diagnostics *diagnostics) {
    size_t errors = 0;
    const struct format *format = format_of(run->options);
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *diagnostic = &diagnostics->items[i];
        bool is_error = diagnostic->severity == SEVERITY_ERROR;
        errors += is_error;
        if (run->options->print.quiet && diagnostic->severity == SEVERITY_NOTE)
            continue;
        print_diagnostic(run->err, arena, diagnostic, run->options->print.colour_err);
        struct diagnostic told = *diagnostic;
        if (is_error && run->options->print.is_advice)
            told.severity = SEVERITY_NOTE;
        if ((is_error || format->takes_notes) && format->error)
            format->error(run->out, arena, &told, run->index);
    }
    errors += diagnostics->repeated_errors;
    if (diagnostics->error_count > errors) {
        fprintf(run->err, "%s: %zu more errors are not shown\n",
                escaped(arena, diagnostics->items[0].path), diagnostics->error_count - errors);
    }
    if (diag_has_errors(diagnostics))
        run_add_status(run, diagnostics->has_output_error ? EXIT_INTERNAL : EXIT_BAD_INPUT);
}

bool run_load_systems(struct run *run, struct arena *arena) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    bool loaded = systems_load(arena, &run->options->check, &run->systems, &diagnostics);
    run_print_diagnostics(run, arena, &diagnostics);
    return loaded;
}

bool run_has_written(struct run *run, struct arena *arena, const char *path, const char *error) {
    if (error) {
        fprintf(run->err, "ptxlitmus: error: cannot write %s: %s\n", escaped(arena, path), error);
        run_add_status(run, EXIT_INTERNAL);
    }
    return !error;
}

bool run_make_folder(struct run *run, struct arena *arena, const char *folder) {
    const char *error = folder_make(arena, folder);
    if (error) {
        fprintf(run->err, "ptxlitmus: error: cannot make the folder %s: %s\n",
                escaped(arena, folder), error);
        run_add_status(run, EXIT_INTERNAL);
    }
    return !error;
}

// Prints a message that begins with a word in the tone of what it says.
static void say(const struct run *run, const char *place, enum tone tone, const char *word,
                const char *text) {
    bool coloured = run->options->print.colour_err;
    fprintf(run->err, "%s: %s%s:%s %s\n", place, tone_begin(coloured, tone), word,
            tone_end(coloured), text);
}

// The flags that are not known, where the verdict is: "flag data-race: ", "flags hang, data-race:
// ".
static const char *open_flags(struct arena *arena, const struct report *report) {
    const struct shown_flags flags = flags_shown(arena, report->outcomes);
    const char *names = "";
    size_t count = 0;
    if (report->outcomes->verdict == VERDICT_UNKNOWN || !outcomes_has_open_flag(report->outcomes))
        return "";
    for (size_t i = 0; i < flags.count; i++) {
        if (flags.items[i].holds == TRUTH_UNKNOWN) {
            names =
                arena_format(arena, "%s%s %s", names, count == 0 ? "" : ",", flags.items[i].name);
            count++;
        }
    }
    return arena_format(arena, "flag%s%s: ", count == 1 ? "" : "s", names);
}

// Where what was expected is said: of a module, in the file beside it. A condition of the test's
// own file is not pointed at.
static const char *place_of_failure(struct arena *arena, const struct report *report,
                                    const struct failure *failure) {
    const struct condition *condition = report->program->test->condition;
    struct span span = source_in_file(failure->span);
    if (!span.source && condition && condition->span.source) {
        span = source_in_file(condition->span);
        span.source = strcmp(span.source->path, report->path) == 0 ? NULL : span.source;
    }
    if (!span.source)
        return escaped(arena, report->path);
    struct position at = source_position(span.source, span.begin);
    return arena_format(arena, "%s:%u:%u", escaped(arena, span.source->path), at.line, at.column);
}

bool run_print_failures(const struct run *run, struct arena *arena, const struct report *report) {
    const struct failures failures = report_failures(arena, report);
    for (size_t i = 0; i < failures.count; i++) {
        const struct failure *failure = &failures.items[i];
        say(run, place_of_failure(arena, report, failure), TONE_BAD, "failed", failure->sentence);
    }
    return failures.count > 0;
}

// The messages of a result: a failed expectation, an undecided verdict, statistics. An expectation
// is only judged where it counts.
static void print_remarks(const struct run *run, struct arena *arena, const struct report *report,
                          bool is_judged) {
    bool several = run->systems.count > 1;
    const char *on =
        several ? arena_format(arena, " (%s)", escaped(arena, report_system(report))) : "";
    bool failed = is_judged && run_print_failures(run, arena, report);
    if (run->options->check.asks_clean)
        failed = report_is_clean(report) != TRUTH_UNKNOWN;
    bool open = !report_is_decided(report) || (is_judged && report_meets(report) != TRUTH_YES);
    if (!failed && open) {
        const char *why =
            arena_format(arena, "%s%s", open_flags(arena, report), report_reason(arena, report));
        say(run, escaped(arena, report->path), TONE_WARNING, arena_format(arena, "undecided%s", on),
            why);
    }
    if (run->options->check.solver.races && !run->options->check.asks_clean &&
        format_of(run->options)->races_apart)
        races_print(run->err, arena, report);
    if (run->options->print.stats && !format_of(run->options)->is_data) {
        fputs(several ? on + 1 : "", run->err);
        fputs(several ? " " : "", run->err);
        print_stats(run->err, arena, report);
    }
}

// Prints the explanation as a picture.
static void print_picture(struct run *run, struct arena *arena, const struct report *report) {
    const char *limit = report->explained->explanation ? NULL : explained_limit(arena, report);
    struct picture_list pictures = {0};
    const char *error = limit;
    if (!limit) {
        pictures = pictures_of(arena, report);
        error = pictures.count == 0 ? "there is no execution to draw: 'ptxlitmus explain' says why"
                                    : NULL;
    }
    if (!error) {
        fputs(pictures_draw_svg(arena, &pictures), run->out);
        return;
    }
    fprintf(run->err, "%s: error: %s\n", escaped(arena, report->path), error);
    run_add_status(run, EXIT_UNDECIDED);
}

// Says that an explanation is not whole, where the run itself was decided. (Pictures say so
// themselves.)
static void note_open_explanation(struct run *run, struct arena *arena,
                                  const struct report *report) {
    bool is_asked = report->explained && !run->options->explain.is_drawn;
    const struct explanation *explanation = is_asked ? report->explained->explanation : NULL;
    const char *limit = explanation && explanation->reason != REASON_NONE
                            ? explained_limit(arena, report)
                        : is_asked ? explained_gap(arena, report)
                                   : NULL;
    if (!limit)
        return;
    if (report_status(report) != EXIT_UNDECIDED) {
        say(run, escaped(arena, report->path), TONE_WARNING, "undecided",
            arena_format(arena, "the explanation is not complete: %s", escaped(arena, limit)));
    }
    run_add_status(run, EXIT_UNDECIDED);
}

// Says that memory or the solver failed where only the reason of a verdict was wanted. (Where
// it takes too long, the line of the reason says so, and nothing has failed.)
static void note_lost_reason(struct run *run, struct arena *arena, const struct report *report) {
    const char *lost = reason_lost(report);
    if (lost && report->added->why->explanation->reason != REASON_TIMEOUT) {
        say(run, escaped(arena, report->path), TONE_WARNING, "undecided",
            arena_format(arena, "why the verdict is so is not known: %s", lost));
        run_add_status(run, EXIT_UNDECIDED);
    }
}

static void print_explained(struct run *run, struct arena *arena, const struct report *report) {
    bool coloured = run->options->print.colour_out;
    const char *const tone[2] = {tone_begin(coloured, TONE_STRONG), tone_end(coloured)};
    launched_print_derived(run->out, arena, report);
    print_explanation(run->out, arena, report, tone);
}

static void print_report(struct run *run, struct arena *arena, const struct report *report) {
    if (!run->options->print.quiet) {
        if (report->options->asks_clean && !format_of(run->options)->is_data)
            print_check(run->out, arena, report);
        else if (report->explained && run->options->explain.is_drawn)
            print_picture(run, arena, report);
        else if (report->explained && run->options->explain.is_body)
            print_explanation_body(run->out, arena, report);
        else if (report->explained && format_of(run->options)->is_data)
            print_explanation_json(run->out, arena, report);
        else if (report->explained)
            print_explained(run, arena, report);
        else
            format_of(run->options)->report(run->out, arena, report);
    }
    end_limits(run);
    run_flush(run);
    if (run->options->compare.asked)
        return; // what the test expects does not matter
    if (!report->added->judged) {
        print_remarks(run, arena, report, true);
        run_add_status(run, report_status(report));
        note_open_explanation(run, arena, report);
        note_lost_reason(run, arena, report);
    } else if (report->added->judged->result != SUITE_PASSED) {
        run_add_status(run, report->added->judged->result == SUITE_FAILED ? EXIT_FAILED
                                                                          : EXIT_UNDECIDED);
    }
}

void run_print_input(struct run *run, struct arena *arena, const char *path, size_t index,
                     enum suite_result result, size_t tests, const char *why) {
    const struct record record = {
        .file = valid_utf8(arena, path),
        .index = index,
        .tests = tests,
        .judged = {.result = result},
        .reason = why ? valid_utf8(arena, why) : NULL,
    };
    format_of(run->options)->input(run->out, arena, &record);
}

void run_print_not_run(struct run *run, const char *path, size_t tests, const char *why) {
    struct arena *arena = arena_new();
    const char *count = tests > 0 ? arena_format(arena, "%zu of %zu tests", tests, run->tests)
                                  : "the tests after a limit was reached";
    fprintf(run->err, "%s: undecided: %s were not run: %s\n", escaped(arena, path), count, why);
    if (format_of(run->options)->input)
        run_print_input(run, arena, path, run->index, SUITE_NOT_RUN, tests > 0 ? tests : 1, why);
    run_add_status(run, EXIT_UNDECIDED);
    arena_free(arena);
}

// Kept for the end of the run.
static void note_differences(struct run *run, const char *names, size_t count) {
    char *all = NULL;
    if (asprintf(&all, "%s%s%s", run->differing ? run->differing : "", run->differing ? ", " : "",
                 names) < 0)
        out_of_memory();
    free(run->differing);
    run->differing = all;
    run->differing_count += count;
}

// Reports without a test, for messages about the systems alone.
static struct comparison systems_alone(const struct run *run, struct arena *arena) {
    struct report *reports = ARENA_ARRAY(arena, struct report, run->systems.count);
    for (size_t i = 0; i < run->systems.count; i++) {
        const struct system *system = &run->systems.items[i];
        reports[i] =
            (struct report){.target = system->target, .model = system->readings.model->name};
    }
    return (struct comparison){reports, run->systems.count};
}

void run_print_head(struct run *run) {
    const struct options *options = run->options;
    if (run->has_table || run->systems.count < 2 || !options->check.solver.verdict_only ||
        format_of(options)->several != SEVERAL_TABLE)
        return;
    struct arena *arena = arena_new();
    struct comparison alone = systems_alone(run, arena);
    print_verdict_head(run->out, arena, &alone);
    run->has_table = true;
    arena_free(arena);
}

static void print_table(struct run *run, struct arena *arena, const struct comparison *compared) {
    assert(compared->count > 0);
    if (run->options->check.solver.verdict_only) {
        run_print_head(run);
        print_verdict_line(run->out, arena, compared);
    } else {
        print_comparison(run->out, arena, compared);
    }
}

// Prints the results of several systems. A test's expectation is about the first of them.
static void print_compared(struct run *run, struct arena *arena,
                           const struct comparison *compared) {
    assert(compared->count > 0);
    const struct format *format = format_of(run->options);
    bool is_table = format->several == SEVERAL_TABLE;
    bool any = false;
    for (size_t i = 0; i < compared->count; i++) {
        const struct report *report = &compared->reports[i];
        if (!report->outcomes)
            continue;
        any = true;
        if (!is_table && !run->options->print.quiet)
            format->report(run->out, arena, report);
        bool decided = report_is_decided(report);
        run_add_status(run, i == 0    ? report_status(report)
                            : decided ? EXIT_DECIDED
                                      : EXIT_UNDECIDED);
    }
    if (is_table && !run->options->print.quiet)
        print_table(run, arena, compared);
    run->test_count += any;
    if (comparison_difference(arena, compared))
        note_differences(run, escaped(arena, compared->reports[0].program->test->name), 1);
    end_limits(run);
    run_flush(run);
    for (size_t i = 0; i < compared->count; i++)
        if (compared->reports[i].outcomes)
            print_remarks(run, arena, &compared->reports[i], i == 0);
}

// Prints the results of a test on all systems.
void run_print_results(struct run *run, struct arena *arena, const struct report *reports) {
    if (run->systems.count > 1)
        print_compared(run, arena, &(struct comparison){reports, run->systems.count});
    else if (reports[0].outcomes)
        print_report(run, arena, &reports[0]);
}

// --- What processes tell each other ------------------------------------------------------------

struct note {
    enum exit_status status;
    size_t test_count, differing_count; // the names of the tests that differ follow
};

void run_write_note(const struct run *run, FILE *out) {
    struct note note = {run->status, run->test_count, run->differing_count};
    fwrite(&note, sizeof note, 1, out);
    fputs(run->differing ? run->differing : "", out);
}

struct worker_streams run_begin_last(struct run *last, struct worker_text *text) {
    struct worker_streams streams = worker_text_open(text);
    last->out = streams.out;
    last->err = streams.err;
    return streams;
}

void run_end_last(const struct run *last, const struct worker_streams *streams) {
    run_write_note(last, streams->note);
    worker_text_close(streams);
}

bool run_add_note(struct run *run, const char *text, size_t size) {
    struct note note;
    if (size < sizeof note)
        return false;
    memcpy(&note, text, sizeof note);
    run_add_status(run, note.status);
    run->test_count += note.test_count;
    if (note.differing_count > 0)
        note_differences(run, text + sizeof note, note.differing_count);
    return true;
}
