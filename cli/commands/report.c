// Takes each test through the run, the explanation of its condition and of each of its outcomes,
// and the verdicts on targets, and writes its page.
#include "cli/commands/commands.h"

#include "cli/report/added.h"

#include "check/print/table.h"
#include "check/report/flags.h"
#include "check/report/report.h"
#include "check/text/names.h"
#include "cli/commands/explain.h"
#include "cli/commands/finding.h"
#include "cli/commands/parallel.h"
#include "cli/commands/reading.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/pool.h"
#include "cli/jobs/signals.h"
#include "cli/print/page.h"
#include "cli/print/terminal.h"
#include "check/report/explained.h"
#include "litmus/source/arena.h"
#include "litmus/source/bug.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/file_name.h"
#include "litmus/source/replace.h"
#include "solver/backend/watchdog.h"

#include <dirent.h>
#include <string.h>

enum { EXPLAINED_MAX = 32 };

static const char time_is_up[] = "the time limit of the test was reached";

// Of the GPUs those with something of their own, and the simulated memories.
static const char *const compared[] = {"sm_70",    "sm_80", "sm_90", "sm_100",
                                       "in-order", "mca",   "sc"};

enum { COMPARED_COUNT = sizeof compared / sizeof compared[0] };

// What writing all pages needs.
struct reporting {
    struct run run;
    struct options options; // of the run
    struct system_list targets;
    struct arena *arena; // of what the index needs
    struct page_entry *entries;
    size_t entry_count;
    const struct input_list *inputs;
    struct reporting *own; // a worker's, which begins as a copy
    bool is_worker;        // pages have names of their own until the parent knows all of them
    size_t job;            // of a worker
};

static const char *path_in_folder(struct reporting *reporting, struct arena *arena,
                                  const char *file) {
    return arena_format(arena, "%s/%s", reporting->options.report_folder, file);
}

// --- One test ----------------------------------------------------------------------------------

// A name for a page: that of the test with what no file system minds, and a number where it is
// taken.
static const char *page_name(struct reporting *reporting, const char *name) {
    if (reporting->is_worker)
        return arena_format(reporting->arena, ".page-%zu-%zu.html", reporting->job,
                            reporting->run.test);
    const char *stem = file_stem(reporting->arena, name);
    if (strcasecmp(stem, "index") == 0)
        stem = arena_format(reporting->arena, "test-%s", stem);
    const char *file = arena_format(reporting->arena, "%s.html", stem);
    unsigned number = 2;
    for (size_t i = 0; i < reporting->entry_count; i++) {
        if (strcasecmp(reporting->entries[i].file, file) == 0) {
            file = arena_format(reporting->arena, "%s.html",
                                file_stem_number(reporting->arena, stem, number++));
            i = (size_t)-1;
        }
    }
    return file;
}

static void add_line(struct reporting *reporting, struct page_entry entry) {
    reporting->entries = arena_grow(reporting->arena, reporting->entries, reporting->entry_count,
                                    sizeof *reporting->entries);
    reporting->entries[reporting->entry_count++] = entry;
}

static void add_entry(struct reporting *reporting, const struct report *report, const char *file) {
    struct arena *arena = reporting->arena;
    const struct shown_flags flags = flags_shown(arena, report->outcomes);
    const struct test *test = report->program->test;
    const char *names = "";
    for (size_t i = 0; i < flags.count; i++) {
        names = arena_format(arena, "%s%s%s%s", names, *names ? ", " : "", flags.items[i].name,
                             flags.items[i].possible             ? " (possible)"
                             : flags.items[i].holds == TRUTH_YES ? ""
                                                                 : " (undecided)");
    }
    enum truth meets = report_meets(report);
    bool expects = test->expected_count > 0 || test->quantifier != QUANTIFIER_EXISTS;
    add_line(reporting, (struct page_entry){
                            .file = file,
                            .name = valid_utf8(arena, arena_format(arena, "%s", test->name)),
                            .path = valid_utf8(arena, arena_format(arena, "%s", report->path)),
                            .verdict = page_verdict(report),
                            .flags = names,
                            .expected = !expects             ? ""
                                        : meets == TRUTH_YES ? "yes"
                                        : meets == TRUTH_NO  ? "NO"
                                                             : "undecided",
                        });
}

// The explanation of a listed outcome; NULL for one with unknown values, which no state can name.
static const struct explained *explain_state(struct reporting *reporting, struct arena *arena,
                                             const struct report *report, const struct model *model,
                                             size_t index) {
    const struct state *state = &report->outcomes->states[index];
    size_t count = report->program->observed_count;
    struct explained *explained = ARENA_NEW(arena, struct explained);
    struct wanted_value *values = ARENA_ARRAY(arena, struct wanted_value, count + 1);
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    explained->state = "";
    for (size_t i = 0; i < count; i++) {
        if (state->values[i].undef)
            return NULL;
        values[i] = (struct wanted_value){i, state->values[i].value};
        explained->state = arena_format(arena, "%s%s%s=%s", explained->state, i > 0 ? ", " : "",
                                        report->program->observed[i].json_name,
                                        table_cell(arena, report, state, i));
    }
    explained->target = (struct explain_target){.values = values, .value_count = count};
    explained->explanation =
        explain_outcome(arena, reporting->run.solver, report->program, model, &explained->target,
                        &report->options->solver, &ignored);
    return explained->explanation ? explained : NULL;
}

static void decide_targets(struct reporting *reporting, struct arena *arena,
                           const struct program *program, struct page_target *targets) {
    struct solver_options options = reporting->options.check.solver;
    options.verdict_only = true;
    options.races = false;
    for (size_t i = 0; i < reporting->targets.count; i++) {
        const struct system *system = &reporting->targets.items[i];
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics, arena);
        targets[i] = (struct page_target){.target = system->target};
        if (run_is_late(&reporting->run)) {
            targets[i].outcomes =
                outcomes_unknown(arena, program, system->readings.model, &options, REASON_TIMEOUT);
            targets[i].why_not = time_is_up;
            continue;
        }
        if (systems_take_test(&reporting->targets, system, program->test, &diagnostics)) {
            targets[i].outcomes =
                readings_decide(&system->readings, &options, watchdog_now_ms() / 1000,
                                reporting->run.solver, arena, program, &diagnostics);
        }
        if (!targets[i].outcomes) {
            targets[i].why_not =
                diagnostics.count > 0 ? diagnostics.items[0].message : "it was interrupted";
        }
    }
}

// Ends a text and writes it into a file; false after a message.
static bool write_text(struct reporting *reporting, struct arena *arena, const char *path,
                       struct arena_text *text) {
    const char *bytes = arena_text_end(arena, text);
    return run_has_written(&reporting->run, arena, path,
                           replace_file(arena, path, bytes, text->size));
}

static void write_page(struct reporting *reporting, struct arena *arena, const struct page *page) {
    const char *file = page_name(reporting, page->report->program->test->name);
    const char *path = path_in_folder(reporting, arena, file);
    struct arena_text text;
    page_print(arena_text_begin(&text), arena, page);
    if (write_text(reporting, arena, path, &text))
        add_entry(reporting, page->report, file);
}

// Executions for the outcomes, as far as the time lasts.
static void explain_states(struct reporting *reporting, struct arena *arena, struct page *page,
                           const struct model *model) {
    const struct report *report = page->report;
    size_t count = report->outcomes->state_count;
    page->outcomes = ARENA_ARRAY(arena, const struct explained *, count + 1);
    for (size_t i = 0; i < count; i++) {
        bool late = run_is_late(&reporting->run);
        if (i == EXPLAINED_MAX || late) {
            page->left_out = count - i;
            page->why_left_out = late ? time_is_up : "a page shows those of the first 32";
            run_add_status(&reporting->run, late ? EXIT_UNDECIDED : EXIT_DECIDED);
            return;
        }
        page->outcomes[i] = explain_state(reporting, arena, report, model, i);
    }
}

// What a page leaves open is said where the run is, too.
static void say_undecided(struct reporting *reporting, struct arena *arena,
                          const struct page *page) {
    const struct report *report = page->report;
    const char *why = report_status(report) == EXIT_UNDECIDED ? report_reason(arena, report) : NULL;
    if (!why && report->explained->explanation->reason != REASON_NONE)
        why = explained_limit(arena, report);
    if (!why && run_is_late(&reporting->run)) {
        why = arena_format(arena, "the time limit of %g s was reached",
                           report->options->solver.timeout_seconds);
    }
    if (why) {
        fprintf(reporting->run.err, "%s: undecided: %s\n", escaped(arena, report->path),
                escaped(arena, why));
        run_add_status(&reporting->run, EXIT_UNDECIDED);
    }
}

static void report_program(struct reporting *reporting, struct arena *arena,
                           const struct program *program, const char *path,
                           struct diagnostics *diagnostics) {
    struct run *run = &reporting->run;
    const struct system *system = &run->systems.items[0];
    struct report report = report_of_program(arena, run->options, system, program, path);
    struct outcomes *outcomes =
        readings_decide(&system->readings, &run->options->check.solver, run->begun, run->solver,
                        arena, program, diagnostics);
    report.outcomes = outcomes;
    if (!outcomes || !explain_report(run, arena, system->readings.model, &report, diagnostics))
        return;
    if (program->test->is_unasked) {
        finding_reasons(run, arena, system->readings.model, &report);
        finding_fix(run, arena, system->readings.model, &report, &report);
    }
    struct page page = {.report = &report, .target_count = reporting->targets.count};
    explain_states(reporting, arena, &page, system->readings.model);
    struct page_target *targets = ARENA_ARRAY(arena, struct page_target, COMPARED_COUNT);
    decide_targets(reporting, arena, program, targets);
    page.targets = targets;
    write_page(reporting, arena, &page);
    run_add_status(run, report_status(&report));
    run_print_failures(run, arena, &report);
    say_undecided(reporting, arena, &page);
}

// The note of a worker: its status, and the pages that it has written for a file, whose texts
// follow one after the other, each with its NUL. (Names and paths may be no UTF-8, which pages
// are.)
struct page_note {
    enum exit_status status;
    size_t page_count;
};

enum { ENTRY_TEXTS = sizeof(struct page_entry) / sizeof(const char *) };

static void write_note(struct reporting *reporting, FILE *out, enum exit_status status) {
    const struct page_note note = {status, reporting->entry_count};
    fwrite(&note, sizeof note, 1, out);
    for (size_t i = 0; i < reporting->entry_count; i++) {
        const struct page_entry *entry = &reporting->entries[i];
        const char *const texts[ENTRY_TEXTS] = {entry->file,    entry->name,  entry->path,
                                                entry->verdict, entry->flags, entry->expected};
        for (size_t k = 0; k < ENTRY_TEXTS; k++)
            fwrite(texts[k], strlen(texts[k]) + 1, 1, out);
    }
}

// Reads the entry of a page at `*at`; false where it is cut.
static bool read_entry(struct arena *arena, const char **at, const char *end,
                       struct page_entry *entry) {
    const char **const texts[ENTRY_TEXTS] = {&entry->file,    &entry->name,  &entry->path,
                                             &entry->verdict, &entry->flags, &entry->expected};
    for (size_t i = 0; i < ENTRY_TEXTS; i++) {
        size_t length = strnlen(*at, (size_t)(end - *at));
        if (*at + length == end)
            return false;
        *texts[i] = arena_strndup(arena, *at, length);
        *at += length + 1;
    }
    return true;
}

// What is said of a test, and in the index, when a limit ends the process before it has a page.
static struct worker_text last_words(struct reporting *reporting, const char *path,
                                     const struct test *test, const char *why) {
    struct worker_text text;
    struct arena *arena = reporting->arena;
    struct worker_streams streams = worker_text_open(&text);
    add_line(reporting, (struct page_entry){"", valid_utf8(arena, test->name),
                                            valid_utf8(arena, path), "unknown", why, ""});
    fprintf(streams.err, "%s: undecided: %s has no page: %s\n", escaped(arena, path),
            escaped(arena, test->name), why);
    write_note(reporting, streams.note, exit_status_worse(reporting->run.status, EXIT_UNDECIDED));
    reporting->entry_count--; // unless that comes true
    worker_text_close(&streams);
    return text;
}

static void leave_last_words(struct reporting *reporting, const char *path,
                             const struct test *test) {
    const struct run *run = &reporting->run;
    const struct solver_options *options = &run->options->check.solver;
    struct arena *arena = arena_new();
    struct worker_text texts[LIMIT_COUNT] = {0};
    for (enum limit limit = LIMIT_TIME; limit < LIMIT_COUNT; limit++) {
        texts[limit] = last_words(
            reporting, path, test,
            limit == LIMIT_TIME        ? arena_format(arena, "the time limit of %g s was reached",
                                                      options->timeout_seconds)
            : limit == LIMIT_INTERRUPT ? "interrupted"
            : options->memory_mb > 0
                ? arena_format(arena, "the memory limit of %zu MB was reached", options->memory_mb)
                : "out of memory");
    }
    worker_leave(texts, run->test + 1 < run->tests ? run->test + 1 : 0);
    worker_texts_free(texts, LIMIT_COUNT);
    arena_free(arena);
}

static void report_test(struct reporting *reporting, const char *path, const struct test *test) {
    struct run *run = &reporting->run;
    struct arena *arena = arena_new();
    leave_last_words(reporting, path, test);
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct program_options options = run->options->check.program;
    options.no_thin_air = systems_forbid_thin_air(&run->systems, &run->options->check) &&
                          systems_forbid_thin_air(&reporting->targets, &run->options->check);
    if (test->dialect == DIALECT_CPP) {
        diag_error_path(&diagnostics, path,
                        "pages compare targets, and a test in C++ runs on none");
    }
    bool good =
        !diag_has_errors(&diagnostics) &&
        systems_check_test(arena, &run->systems, &run->options->check, test, &diagnostics) &&
        systems_take_test(&run->systems, &run->systems.items[0], test, &diagnostics);
    const struct program *program =
        good ? program_build(arena, test, &options, &diagnostics) : NULL;
    if (program)
        report_program(reporting, arena, program, path, &diagnostics);
    run_print_diagnostics(run, arena, &diagnostics);
    arena_free(arena);
}

// --- All ---------------------------------------------------------------------------------------

static void report_file(struct reporting *reporting, const struct input *input, size_t first) {
    struct run *run = &reporting->run;
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    struct test_list tests = {0};
    diagnostics_init(&diagnostics, arena);
    run_begin_limits(run);
    if (input->error)
        diag_error_path(&diagnostics, input->path, "%s", input->error);
    bool good = !input->error && reading_tests(run, arena, input, &diagnostics, &tests);
    if (first == 0) // what reading has to say is said once
        run_print_diagnostics(run, arena, &diagnostics);
    run->tests = tests.count;
    for (size_t i = first; good && i < tests.count && !signals_interrupted(); i++) {
        run->test = i;
        if (i > first)
            run_begin_limits(run);
        report_test(reporting, input->path, tests.items[i]);
    }
    limits_end();
    arena_free(arena);
}

// --- Several files at once ---------------------------------------------------------------------

static void enter(void *context) {
    struct reporting *all = context;
    struct reporting *reporting = all->own = arena_copy(all->arena, all, 1, sizeof *all);
    reporting->is_worker = true;
    reporting->run.solver = solver_new();
    signals_aim(reporting->run.solver);
}

static void leave(void *context) {
    const struct reporting *reporting = ((struct reporting *)context)->own;
    signals_forget();
    solver_free(reporting->run.solver);
}

// Writes the pages of a file, and notes what the index says of them.
static void work(void *context, size_t job, size_t part, const struct worker_streams *streams) {
    struct reporting *reporting = ((struct reporting *)context)->own;
    reporting->run.out = streams->out; // the parent sees to characters
    reporting->run.err = streams->err;
    reporting->job = job;
    reporting->entry_count = 0;
    reporting->entries = NULL;
    reporting->run.status = EXIT_DECIDED;
    if (!signals_interrupted())
        report_file(reporting, &reporting->inputs->items[job], part);
    write_note(reporting, streams->note, reporting->run.status);
}

static bool is_alone(void *context, size_t job) {
    return strcmp(((struct reporting *)context)->inputs->items[job].path, "-") == 0;
}

static bool is_stopped(void *context) {
    (void)context;
    return signals_interrupted();
}

static void print(void *context, size_t job, const struct worker_text *text) {
    struct reporting *reporting = context;
    (void)job;
    if (text->err_size > 0) // else it may be NULL
        fwrite(text->err, 1, text->err_size, reporting->run.err);
    if (text->out_size > 0)
        fwrite(text->out, 1, text->out_size, reporting->run.out);
}

// Gives the page of a worker its name, and puts it into the index.
static void take_page(struct reporting *reporting, struct page_entry entry) {
    struct arena *arena = reporting->arena;
    if (*entry.file) {
        const char *from = path_in_folder(reporting, arena, entry.file);
        entry.file = page_name(reporting, entry.name);
        const char *to = path_in_folder(reporting, arena, entry.file);
        if (!run_has_written(&reporting->run, arena, to, replace_by(arena, to, from))) {
            remove(from);
            return;
        }
    }
    add_line(reporting, entry);
}

// False where the note is cut.
static bool take_note(struct reporting *reporting, const char *note, size_t size) {
    struct page_note head;
    if (size < sizeof head)
        return false;
    memcpy(&head, note, sizeof head);
    const char *at = note + sizeof head, *end = note + size;
    for (size_t i = 0; i < head.page_count; i++) {
        struct page_entry entry;
        if (!read_entry(reporting->arena, &at, end, &entry))
            return false;
        take_page(reporting, entry);
    }
    run_add_status(&reporting->run, head.status);
    return at == end;
}

static void done(void *context, size_t job, const char *note, size_t size) {
    (void)job;
    if (!take_note(context, note, size))
        bug("a worker did not say which pages it has written");
}

// Removes the pages of a job that its workers have written and that no note names.
static void remove_pages(struct reporting *reporting, size_t job) {
    const char *prefix = arena_format(reporting->arena, ".page-%zu-", job);
    DIR *folder = opendir(reporting->options.report_folder);
    const struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
            remove(path_in_folder(reporting, reporting->arena, entry->d_name));
    if (folder)
        closedir(folder);
}

static void failed(void *context, size_t job, enum limit limit, const char *why) {
    struct reporting *reporting = context;
    struct arena *arena = reporting->arena;
    remove_pages(reporting, job);
    const char *path = reporting->inputs->items[job].path;
    const struct loss loss = parallel_loss(arena, &reporting->run, limit, why);
    fprintf(reporting->run.err, "%s: %s: %s\n", escaped(arena, path), loss.word, loss.message);
    run_add_status(&reporting->run, loss.status);
    if (loss.status == EXIT_UNDECIDED)
        add_line(reporting, (struct page_entry){"", path, path, "unknown", loss.message, ""});
}

static void broken(void *context, const char *err, const char *why) {
    struct reporting *reporting = context;
    fprintf(reporting->run.err, "%sptxlitmus: internal error: %s\n", err, why);
    run_add_status(&reporting->run, EXIT_INTERNAL);
}

// Returns how many files were begun.
static size_t report_at_once(struct reporting *reporting) {
    const struct pool_jobs jobs = {
        .task = {.context = reporting, .enter = enter, .leave = leave, .work = work},
        .count = reporting->inputs->count,
        .is_alone = is_alone,
        .is_stopped = is_stopped,
        .print = print,
        .done = done,
        .failed = failed,
        .broken = broken,
    };
    size_t workers = reporting->options.jobs > 0 ? reporting->options.jobs : pool_processors();
    fflush(NULL); // workers have copies of what is not written yet
    return pool_run(&jobs, workers < jobs.count ? workers : jobs.count);
}

// --- The folder --------------------------------------------------------------------------------

// The systems of the options, and those that every page compares. False after messages.
static bool load_systems(struct reporting *reporting, struct diagnostics *diagnostics) {
    struct options others = reporting->options;
    const char **names = ARENA_ARRAY(reporting->arena, const char *, COMPARED_COUNT);
    memcpy(names, compared, sizeof compared);
    others.check.targets = names;
    others.check.target_count = COMPARED_COUNT;
    others.check.ptx_version = 0;
    return systems_load(reporting->arena, &reporting->options.check, &reporting->run.systems,
                        diagnostics) &&
           systems_load(reporting->arena, &others.check, &reporting->targets, diagnostics);
}

static void report_all(struct reporting *reporting) {
    struct input_list inputs;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, reporting->arena);
    files_collect(reporting->arena, reporting->options.inputs, reporting->options.input_count,
                  &inputs);
    if (!load_systems(reporting, &diagnostics) ||
        !run_make_folder(&reporting->run, reporting->arena, reporting->options.report_folder)) {
        run_print_diagnostics(&reporting->run, reporting->arena, &diagnostics);
        return;
    }
    reporting->inputs = &inputs;
    reporting->run.is_alone = inputs.count == 1;
    size_t begun = report_at_once(reporting);
    for (size_t i = begun; i < inputs.count; i++) {
        const char *path = inputs.items[i].path;
        add_line(reporting, (struct page_entry){"", path, path, "not run", "", ""});
    }
    if (signals_interrupted()) {
        fputs("ptxlitmus: interrupted: not all pages were written\n", reporting->run.err);
        run_add_status(&reporting->run, EXIT_UNDECIDED);
    }
    const char *path = path_in_folder(reporting, reporting->arena, "index.html");
    struct arena_text text;
    page_print_index(arena_text_begin(&text), reporting->arena, reporting->entries,
                     reporting->entry_count);
    if (write_text(reporting, reporting->arena, path, &text)) {
        size_t pages = 0;
        for (size_t i = 0; i < reporting->entry_count; i++)
            pages += *reporting->entries[i].file != '\0';
        fprintf(reporting->run.out, "%zu page%s: %s\n", pages, pages == 1 ? "" : "s",
                escaped(reporting->arena, path));
    }
}

enum exit_status report_tests(const struct options *options) {
    struct streams streams = streams_open(false);
    struct reporting reporting = {.options = *options, .arena = arena_new()};
    reporting.options.explain.asked = true;
    reporting.options.explain.question.remedies = 2;
    reporting.options.check.solver.races = true;
    reporting.run = (struct run){.options = &reporting.options,
                                 .status = EXIT_DECIDED,
                                 .out = streams.out,
                                 .err = streams.err};
    report_all(&reporting);
    run_flush(&reporting.run);
    arena_free(reporting.arena);
    streams_close(streams);
    return reporting.run.status;
}
