// Lowers tests in C++ by tables; with --verify, compares the outcomes of both sides, each under its
// own model. What the lowered test may do and the source may not is what the table loses; a source
// with a data race may do anything.
#include "cli/commands/commands.h"

#include "check/asking.h"
#include "check/text/json.h"
#include "check/text/names.h"
#include "cli/commands/pairs.h"
#include "cli/jobs/signals.h"
#include "cli/print/terminal.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "lowering/lowering.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// What a check comes to.
enum lowered { SOUND, UNSOUND, UNDEFINED, UNKNOWN, LOWERED_RESULTS };

static const char *const result_texts[LOWERED_RESULTS] = {
    [SOUND] = "sound", [UNSOUND] = "unsound", [UNDEFINED] = "undefined", [UNKNOWN] = "unknown"};

struct checking {
    struct pairing pairing;
    struct run run;
    const struct lowering **tables;
    size_t table_count;
    struct compared_file *files; // the sources, then by table what they become
    size_t source_count;
    size_t counts[LOWERED_RESULTS];
    bool is_broken;
};

static void print_messages(struct arena *arena, const struct diagnostics *diagnostics, FILE *err) {
    for (size_t i = 0; i < diagnostics->count; i++)
        print_diagnostic(err, arena, &diagnostics->items[i], false);
}

// Loads the tables of the options; false after messages.
static bool load_tables(struct arena *arena, const struct options *options,
                        const struct lowering ***tables, struct diagnostics *diagnostics) {
    const struct lower_options *lower = &options->lower;
    *tables = ARENA_ARRAY(arena, const struct lowering *, lower->table_count + 1);
    for (size_t i = 0; i < lower->table_count; i++)
        (*tables)[i] = lowering_load(arena, lower->tables[i], diagnostics);
    return !diag_has_errors(diagnostics);
}

// --- One test, written --------------------------------------------------------------------------

// Prints a test, which has to be one that can be read: a table may have words in it that are not
// PTX.
static void write_one(struct arena *arena, const struct test *test, const struct lowering *table,
                      FILE *out, struct diagnostics *diagnostics) {
    const char *text = lowering_text(arena, test, table, diagnostics);
    if (text && lowering_test(arena, test, table, diagnostics))
        fputs(text, out);
}

static enum exit_status write_tests(const struct options *options, FILE *out, FILE *err) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    const struct lowering **tables;
    struct test_list tests = {0};
    diagnostics_init(&diagnostics, arena);
    const struct source *source = load_tables(arena, options, &tables, &diagnostics)
                                      ? source_read(arena, options->inputs[0], &diagnostics)
                                      : NULL;
    if (source && test_read_all(arena, source, options->check.syntax, &diagnostics, &tests) &&
        asking_is_there(&tests, &diagnostics))
        for (size_t i = 0; i < tests.count; i++)
            write_one(arena, tests.items[i], tables[0], out, &diagnostics);
    print_messages(arena, &diagnostics, err);
    enum exit_status status = diag_has_errors(&diagnostics) ? EXIT_BAD_INPUT : EXIT_DECIDED;
    arena_free(arena);
    return status;
}

// --- Checks -------------------------------------------------------------------------------------

static struct compared_file *file_at(void *context, size_t index) {
    struct checking *checking = context;
    assert(index >= 1 && index <= checking->source_count * (1 + checking->table_count));
    return &checking->files[index - 1];
}

// The sources, and each of them once more by table.
static void collect(struct checking *checking, const struct options *options,
                    struct input_list *all) {
    struct arena *arena = checking->pairing.arena;
    struct input_list list;
    files_collect(arena, options->inputs, options->input_count, &list);
    size_t total = list.count * (1 + checking->table_count);
    checking->source_count = list.count;
    checking->files = ARENA_ARRAY(arena, struct compared_file, total + 1);
    for (size_t i = 0; i < total; i++) {
        const struct input *input = &list.items[i % list.count];
        const struct lowering *table = i < list.count ? NULL : checking->tables[i / list.count - 1];
        if (input->error && table)
            continue; // which is said once
        checking->files[i] =
            (struct compared_file){.path = input->path, .place = "", .lowering = table};
        struct input copy = *input;
        copy.index = i + 1;
        copy.lowering = table;
        files_add(arena, all, &copy);
    }
}

static enum lowered result_of(struct checking *checking, struct test_pair *pair) {
    const struct surplus *more = &pair->only[1];
    pair_judge(&checking->pairing, pair);
    if (pair_has_flag(pair->tests[0], "data-race"))
        return UNDEFINED;
    if (pair_has_unknown_flag(pair->tests[0], "data-race")) {
        pair->why = "it is not known whether the source has a data race";
        return UNKNOWN;
    }
    if (more->count > 0)
        return UNSOUND;
    return more->may_be_more || pair->relation == OPEN ? UNKNOWN : SOUND;
}

static void print_check_text(FILE *out, struct arena *arena, const struct test_pair *pair,
                             enum lowered result, const char *execution) {
    fprintf(out, "%s: %s by %s\n", result_texts[result], pair_name(arena, pair, 0),
            pair->files[1]->lowering->name);
    if (result == UNDEFINED)
        fputs("  the source has a data race, so anything is allowed\n", out);
    if (result == UNKNOWN && pair->why)
        fprintf(out, "  %s\n", pair->why);
    if (result == UNSOUND)
        pair_print_surplus(out, &pair->only[1], "PTX");
    if (execution) {
        fputs("\n  In PTX:\n\n", out);
        pair_print_indented(out, execution);
        fputc('\n', out);
    }
}

static void print_check_json(FILE *out, struct arena *arena, const struct test_pair *pair,
                             enum lowered result, const char *execution) {
    bool is_known = result == SOUND || result == UNSOUND;
    const char *why = result == UNKNOWN ? pair->why : NULL;
    print_json_line(out,
                    json_of("{s:o, s:s, s:o, s:s, s:o*, s:o*, s:o*, s:o*}", "file",
                            text_json(arena, pair->files[0]->path), "test", pair->tests[0]->test,
                            "table", text_json(arena, pair->files[1]->lowering->name), "result",
                            result_texts[result], "only_source",
                            is_known ? pair_surplus_json(arena, &pair->only[0]) : NULL, "only_ptx",
                            is_known ? pair_surplus_json(arena, &pair->only[1]) : NULL, "reason",
                            why ? text_json(arena, why) : NULL, "execution",
                            execution ? text_json(arena, execution) : NULL));
}

static void check_pair(struct checking *checking, FILE *out, struct test_pair *pair) {
    struct arena *arena = checking->pairing.arena;
    enum lowered result = result_of(checking, pair);
    const char *execution = result == UNSOUND ? pair_execution(&checking->pairing, pair, 1) : NULL;
    checking->counts[result]++;
    if (checking->run.options->compare.is_json)
        print_check_json(out, arena, pair, result, execution);
    else
        print_check_text(out, arena, pair, result, execution);
}

// The tests of a file that were not all run, with those that its table makes of them.
static void print_not_run(struct checking *checking, FILE *out, const struct compared_file *file) {
    struct arena *arena = checking->pairing.arena;
    checking->counts[UNKNOWN]++;
    if (checking->run.options->compare.is_json) {
        print_json_line(out, json_of("{s:o, s:o, s:s, s:s}", "file", text_json(arena, file->path),
                                     "table", text_json(arena, file->lowering->name), "result",
                                     result_texts[UNKNOWN], "reason", "not run"));
    } else {
        fprintf(out, "unknown: %s by %s\n  not run\n", escaped(arena, file->path),
                file->lowering->name);
    }
}

static void check_files(struct checking *checking, FILE *out) {
    for (size_t i = 0; i < checking->source_count; i++) {
        const struct compared_file *source = &checking->files[i];
        for (size_t t = 0; t < checking->table_count && !source->is_broken; t++) {
            const struct compared_file *lowered =
                &checking->files[(t + 1) * checking->source_count + i];
            for (size_t k = 0; k < source->count && k < lowered->count; k++) {
                struct test_pair pair = {.files = {source, lowered},
                                         .tests = {&source->tests[k], &lowered->tests[k]}};
                if (!lowered->is_broken)
                    check_pair(checking, out, &pair);
            }
            if ((source->is_cut || lowered->is_cut) && !lowered->is_broken)
                print_not_run(checking, out, lowered);
        }
    }
}

static void print_summary(const struct checking *checking, FILE *out) {
    size_t total = 0;
    for (size_t i = 0; i < LOWERED_RESULTS; i++)
        total += checking->counts[i];
    fprintf(out, "%zu check%s:", total, total == 1 ? "" : "s");
    if (!pair_print_counts(out, checking->counts, result_texts, LOWERED_RESULTS))
        fputs(" nothing was checked\n", out);
}

static enum exit_status status_of(const struct checking *checking) {
    const size_t *counts = checking->counts;
    size_t total = counts[SOUND] + counts[UNSOUND] + counts[UNDEFINED] + counts[UNKNOWN];
    if (checking->run.status == EXIT_INTERNAL)
        return EXIT_INTERNAL;
    if (checking->pairing.is_broken || checking->is_broken || total == 0)
        return EXIT_BAD_INPUT;
    bool open = counts[UNKNOWN] > 0 || signals_interrupted();
    return counts[UNSOUND] > 0 ? EXIT_FAILED : open ? EXIT_UNDECIDED : EXIT_DECIDED;
}

static void run_checks(struct checking *checking, const struct options *options, FILE *out) {
    struct input_list inputs = {0};
    collect(checking, options, &inputs);
    checking->run.part = 1.0 / SIDES;
    pair_run_inputs(&checking->pairing, &checking->run, &inputs, file_at, checking);
    check_files(checking, out);
    if (!options->compare.is_json)
        print_summary(checking, out);
}

static enum exit_status check_tests(const struct options *options, FILE *out, FILE *err) {
    struct checking checking = {.run = {.options = options, .status = EXIT_DECIDED, .err = err},
                                .table_count = options->lower.table_count};
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    checking.pairing = (struct pairing){.arena = arena, .run = &checking.run};
    diagnostics_init(&diagnostics, arena);
    bool loaded = load_tables(arena, options, &checking.tables, &diagnostics);
    loaded = systems_load(arena, &options->check, &checking.run.systems, &diagnostics) && loaded;
    print_messages(arena, &diagnostics, err);
    if (loaded)
        run_checks(&checking, options, out);
    enum exit_status status = loaded ? status_of(&checking) : EXIT_BAD_INPUT;
    arena_free(arena);
    return status;
}

// --- All of it ----------------------------------------------------------------------------------

static enum exit_status list_tables(FILE *out) {
    struct arena *arena = arena_new();
    const char *const *titles;
    size_t count;
    const char *const *names = lowering_names(arena, &titles, &count);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%-23s %s\n", names[i], titles[i]);
    arena_free(arena);
    return EXIT_DECIDED;
}

enum exit_status lower_tests_of(const struct options *options) {
    struct streams streams = streams_open(options->compare.is_json);
    enum exit_status status = options->lower.lists ? list_tables(streams.out)
                              : options->lower.checks
                                  ? check_tests(options, streams.out, streams.err)
                                  : write_tests(options, streams.out, streams.err);
    streams_close(streams);
    return status;
}
