// Tests of files and folders, and what two runs have in common.
#include "compare.h"

#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct result result_build(struct arena *arena, const struct test *test,
                           const struct program_options *program) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    return (struct result){program_build(arena, test, program, &diagnostics), NULL};
}

void result_decide(struct compare_run *run, struct arena *arena, struct result *result,
                   double timeout_seconds) {
    struct solver_options options = {.max_states = STATES_MAX, .timeout_seconds = timeout_seconds};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    if (result->program != NULL && result->outcomes == NULL)
        result->outcomes =
            solver_run(run->solver, arena, result->program, run->model, &options, &diagnostics);
}

struct result result_of(struct compare_run *run, struct arena *arena, const struct test *test,
                        const struct program_options *program, double timeout_seconds) {
    struct result result = result_build(arena, test, program);
    result_decide(run, arena, &result, timeout_seconds);
    return result;
}

static bool is_same_flag(const struct flag *a, const struct flag *b) {
    return a->kind == b->kind && a->holds == b->holds &&
           (a->kind != FLAG_MODEL || strcmp(a->name, b->name) == 0);
}

bool flags_are_among(const struct outcomes *some, const struct outcomes *all) {
    for (size_t i = 0; i < some->flag_count; i++) {
        bool found = some->flags[i].holds == TRUTH_NO;
        for (size_t k = 0; !found && k < all->flag_count; k++)
            found = is_same_flag(&some->flags[i], &all->flags[k]);
        if (!found)
            return false;
    }
    return true;
}

bool states_are_among(const struct outcomes *some, const struct outcomes *all, size_t width) {
    for (size_t i = 0; i < some->state_count; i++) {
        bool found = false;
        for (size_t k = 0; !found && k < all->state_count; k++)
            found = state_compare(&some->states[i], &all->states[k], width) == 0;
        if (!found)
            return false;
    }
    return true;
}

const char *result_difference(const struct result *first, const struct result *second,
                              size_t width) {
    const struct outcomes *a = first->outcomes, *b = second->outcomes;
    if (a == NULL || b == NULL)
        return a == b ? NULL : "whether it can be run";
    if (a->verdict != b->verdict)
        return "the verdict";
    if (!flags_are_among(a, b) || !flags_are_among(b, a))
        return "the flags";
    if (a->complete && b->complete &&
        (!states_are_among(a, b, width) || !states_are_among(b, a, width)))
        return "the states";
    return NULL;
}

// --- Files -------------------------------------------------------------------------------------

static void run_file(struct compare_run *run, const char *path,
                     void (*compare)(struct compare_run *run, const char *path,
                                     const struct test *test)) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    struct test_list tests = {0};
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_read(arena, path, &diagnostics);
    if (source == NULL || !test_read_all(arena, source, SYNTAX_GUESS, &diagnostics, &tests)) {
        printf("FAIL: %s cannot be read\n", path);
        run->failed = true;
    }
    for (size_t i = 0; i < tests.count; i++)
        compare(run, path, tests.items[i]);
    arena_free(arena);
}

void compare_path(struct compare_run *run, const char *path,
                  void (*compare)(struct compare_run *run, const char *path,
                                  const struct test *test)) {
    struct stat status;
    struct dirent **entries;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        run_file(run, path, compare);
        return;
    }
    int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name, *end = strrchr(name, '.');
        char child[4096];
        snprintf(child, sizeof child, "%s/%s", path, name);
        if (name[0] != '.' && (end == NULL || strcmp(end, ".litmus") == 0))
            compare_path(run, child, compare);
        free(entries[i]);
    }
    if (count < 0) {
        printf("FAIL: %s: %s\n", path, strerror(errno));
        run->failed = true;
    } else {
        free(entries);
    }
}

int compare_main(int argc, char **argv,
                 void (*compare)(struct compare_run *run, const char *path,
                                 const struct test *test)) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    int first = argc > 2 && strcmp(argv[1], "--model") == 0 ? 3 : 1;
    const char *model = first == 3 ? argv[2] : "ptx-9.1";
    struct compare_run run = {.solver = solver_new(),
                              .model = model_load(arena, model, &diagnostics)};
    if (run.model == NULL || first >= argc) {
        fprintf(stderr, "usage: %s [--model M] FILE|FOLDER...\n", argv[0]);
        return 2;
    }
    for (int i = first; i < argc; i++)
        compare_path(&run, argv[i], compare);
    printf("%zu tests, %zu comparisons, %zu undecided\n", run.tests, run.compared, run.open);
    solver_free(run.solver);
    arena_free(arena);
    return run.failed || run.compared == 0;
}
