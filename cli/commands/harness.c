// Writes tests as CUDA sources into a folder: so many tests a file, the files that go with them, a
// copy of each test, and a list of those that cannot run.
#include "cli/commands/commands.h"

#include "check/asking.h"
#include "check/text/names.h"
#include "cli/commands/parallel.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/signals.h"
#include "harness/cuda.h"
#include "harness/runtime.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/file_name.h"
#include "litmus/source/replace.h"
#include "program/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TESTS_PER_FILE = 32 };

struct harnessing {
    struct run *run;
    struct arena *arena;
    const char *folder;
    struct harness_item *items;
    size_t count;
    const char *refused; // a line for each test that cannot run
    size_t refusals[REFUSAL_COUNT], refused_count;
};

// --- Files -------------------------------------------------------------------------------------

// Begins a file of the folder; false after a message.
static bool begin_file(struct harnessing *harnessing, struct written_file *file, const char *name) {
    const char *path = arena_format(harnessing->arena, "%s/%s", harnessing->folder, name);
    return run_has_written(harnessing->run, harnessing->arena, path,
                           replace_begin(harnessing->arena, file, path, false));
}

static bool end_file(struct harnessing *harnessing, struct written_file *file) {
    return run_has_written(harnessing->run, harnessing->arena, file->path,
                           replace_commit(harnessing->arena, file));
}

static bool write_text(struct harnessing *harnessing, const char *name, const char *text) {
    struct written_file file;
    if (!begin_file(harnessing, &file, name))
        return false;
    fputs(text, file.out);
    return end_file(harnessing, &file);
}

// --- Tests -------------------------------------------------------------------------------------

static void refuse(struct harnessing *harnessing, const char *name, enum harness_refusal refusal) {
    harnessing->refusals[refusal]++;
    harnessing->refused_count++;
    harnessing->refused =
        arena_format(harnessing->arena, "%s%s: %s\n", harnessing->refused,
                     escaped(harnessing->arena, name), harness_refusal_text(refusal));
}

// Another test of this name in logs, or NULL.
static const struct test *test_named(struct harnessing *harnessing, const char *name) {
    for (size_t i = 0; i < harnessing->count; i++)
        if (strcmp(harnessing->items[i].name, name) == 0)
            return harnessing->items[i].plan.test;
    return NULL;
}

// Logs say by names which test a state is of.
static void refuse_name(struct harnessing *harnessing, const char *path, const char *log_name,
                        const struct test *test, const struct test *other) {
    FILE *err = harnessing->run->err;
    fprintf(err, "%s: error: ", escaped(harnessing->arena, path));
    if (strcmp(test->name, other->name) == 0) {
        fprintf(err,
                "another test has the name '%s', too: ", escaped(harnessing->arena, test->name));
    } else {
        fprintf(err, "in logs, '%s' is called '%s', as is another test, '%s': ",
                escaped(harnessing->arena, test->name), log_name,
                escaped(harnessing->arena, other->name));
    }
    fprintf(err, "%s\n", escaped(harnessing->arena, other->source->path));
    run_add_status(harnessing->run, EXIT_BAD_INPUT);
}

static void add_test(struct harnessing *harnessing, const char *path, const struct test *test,
                     const struct program *program) {
    struct harness_item item = {.name = herd_test_name(harnessing->arena, test->name)};
    const struct harness_options *options = &harnessing->run->options->harness;
    const struct harness_target target = {options->architecture, options->is_specific};
    enum harness_refusal refusal = harness_plan(harnessing->arena, program, target, &item.plan);
    if (refusal != REFUSAL_NONE) {
        refuse(harnessing, test->name, refusal);
        return;
    }
    const struct test *other = test_named(harnessing, item.name);
    if (other) {
        refuse_name(harnessing, path, item.name, test, other);
        return;
    }
    harnessing->items =
        arena_grow(harnessing->arena, harnessing->items, harnessing->count, sizeof item);
    harnessing->items[harnessing->count++] = item;
}

static void read_input(struct harnessing *harnessing, const struct input *input) {
    struct arena *arena = harnessing->arena;
    struct diagnostics diagnostics;
    struct test_list tests = {0};
    struct program_options options = harnessing->run->options->check.program;
    diagnostics_init(&diagnostics, arena);
    run_begin_limits(harnessing->run);
    options.no_thin_air = true;
    if (input->error)
        diag_error_path(&diagnostics, input->path, "%s", input->error);
    const struct source *source =
        input->error ? NULL : source_read(arena, input->path, &diagnostics);
    if (source &&
        test_read_all(arena, source, harnessing->run->options->check.syntax, &diagnostics,
                      &tests) &&
        !asking_is_there(&tests, &diagnostics))
        tests.count = 0;
    for (size_t i = 0; i < tests.count; i++) {
        const struct test *test = tests.items[i];
        const struct program *program = program_build(arena, test, &options, &diagnostics);
        if (program)
            add_test(harnessing, input->path, test, program);
    }
    run_print_diagnostics(harnessing->run, arena, &diagnostics);
}

// --- The folder --------------------------------------------------------------------------------

static bool write_group(struct harnessing *harnessing, size_t first) {
    struct arena *arena = harnessing->arena;
    size_t count = harnessing->count - first;
    count = count < TESTS_PER_FILE ? count : TESTS_PER_FILE;
    const struct harness_item *items = &harnessing->items[first];
    const char *cuda = arena_format(arena, "tests_%02zu.cu", first / TESTS_PER_FILE);
    const char *opcodes = arena_format(arena, "tests_%02zu.opcodes", first / TESTS_PER_FILE);
    struct written_file file;
    if (!begin_file(harnessing, &file, cuda))
        return false;
    harness_write_cuda(arena, file.out, items, count);
    if (!end_file(harnessing, &file) || !begin_file(harnessing, &file, opcodes))
        return false;
    harness_write_opcodes(arena, file.out, items, count);
    return end_file(harnessing, &file);
}

// A copy of the test, so that logs can be compared with it: its number keeps names apart that
// differ in what file names do not have.
static bool write_copy(struct harnessing *harnessing, size_t index) {
    const struct harness_item *item = &harnessing->items[index];
    const char *name = arena_format(harnessing->arena, "tests/%03zu-%s.litmus", index,
                                    file_stem(harnessing->arena, item->name));
    return write_text(harnessing, name, item->plan.test->source->text);
}

// The script begins with what the options say.
static bool write_script(struct harnessing *harnessing, const char *name, const char *text) {
    struct written_file file;
    if (!begin_file(harnessing, &file, name))
        return false;
    fprintf(file.out, "#!/usr/bin/env bash\narch=%s\n%s", harnessing->run->options->harness.target,
            text);
    if (fchmod(fileno(file.out), 0755) != 0) {
        run_has_written(harnessing->run, harnessing->arena, file.path, strerror(errno));
        replace_abandon(&file);
        return false;
    }
    return end_file(harnessing, &file);
}

static bool write_folder(struct harnessing *harnessing) {
    const char *tests = arena_format(harnessing->arena, "%s/tests", harnessing->folder);
    bool good = run_make_folder(harnessing->run, harnessing->arena, harnessing->folder) &&
                run_make_folder(harnessing->run, harnessing->arena, tests) &&
                write_text(harnessing, "refused.txt", harnessing->refused);
    for (const struct harness_file *file = harness_files; good && file->name; file++) {
        good = strcmp(file->name, "run.sh") == 0 ? write_script(harnessing, file->name, file->text)
                                                 : write_text(harnessing, file->name, file->text);
    }
    for (size_t i = 0; good && i < harnessing->count; i++)
        good = write_copy(harnessing, i);
    for (size_t i = 0; good && i < harnessing->count; i += TESTS_PER_FILE)
        good = write_group(harnessing, i);
    return good;
}

// Whether nothing that matters is in the way.
static bool may_write(struct harnessing *harnessing) {
    const char *script = arena_format(harnessing->arena, "%s/run.sh", harnessing->folder);
    if (harnessing->run->options->harness.overwrites || access(script, F_OK) != 0)
        return true;
    fprintf(harnessing->run->err,
            "ptxlitmus: error: %s is there already; '--force' writes the folder again\n",
            escaped(harnessing->arena, script));
    run_add_status(harnessing->run, EXIT_INTERNAL);
    return false;
}

static void print_summary(const struct harnessing *harnessing) {
    FILE *out = harnessing->run->out;
    size_t files = (harnessing->count + TESTS_PER_FILE - 1) / TESTS_PER_FILE;
    fprintf(out, "%zu test%s in %zu file%s: %s/run.sh runs %s\n", harnessing->count,
            harnessing->count == 1 ? "" : "s", files, files == 1 ? "" : "s",
            escaped(harnessing->arena, harnessing->folder), harnessing->count == 1 ? "it" : "them");
    if (harnessing->refused_count > 0) {
        fprintf(out, "%zu test%s cannot run, by reason (refused.txt has their names):\n",
                harnessing->refused_count, harnessing->refused_count == 1 ? "" : "s");
    }
    for (unsigned i = 0; i < REFUSAL_COUNT; i++) {
        if (harnessing->refusals[i] > 0) {
            fprintf(out, "%5zu  %s\n", harnessing->refusals[i],
                    harness_refusal_text((enum harness_refusal)i));
        }
    }
}

static void harness_input(struct run *run) {
    struct arena *arena = arena_new();
    struct harnessing harnessing = {
        .run = run, .arena = arena, .folder = run->options->harness.folder, .refused = ""};
    struct input_list inputs;
    files_collect(arena, run->options->inputs, run->options->input_count, &inputs);
    for (size_t i = 0; i < inputs.count && !signals_interrupted(); i++)
        read_input(&harnessing, &inputs.items[i]);
    if (signals_interrupted())
        run_add_status(run, EXIT_UNDECIDED); // and nothing is written
    if (run->status == EXIT_DECIDED && harnessing.count == 0) {
        fprintf(run->err, "%sptxlitmus: error: none of these tests can run\n", harnessing.refused);
        run_add_status(run, EXIT_BAD_INPUT);
    }
    if (run->status == EXIT_DECIDED && may_write(&harnessing) && write_folder(&harnessing) &&
        !run->options->print.quiet)
        print_summary(&harnessing);
    arena_free(arena);
}

enum exit_status harness_tests(const struct options *options) {
    return parallel_run_alone(options, "harness", harness_input);
}
