// What a test shows must not change what it allows: shows more locations of each test than it asks
// for, and compares verdict, flags, and the states without what was added.
//
//   shown [--model M] FILE|FOLDER...
//
// Each test is run as it is; with every element of every variable shown; and with every second one.
// Status: 0 when all agree, 1 when some do not, 2 when one of several readings of a test fails.
#include "litmus/program/program.h"
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/model.h"
#include "solver/solver.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// With more elements it would no longer be a small test; of tests with more states, the verdict and
// the flags are compared.
enum { SHOWN_MAX = 16, STATES_MAX = 200 };

struct run {
    struct solver *solver;
    const struct model *model;
    size_t tests, compared;
    bool failed;
};

// What is compared.
struct result {
    const struct program *program;
    const struct outcomes *outcomes; // NULL after errors
};

// --- Showing more ------------------------------------------------------------------------------

// Adds the locations of a variable, each `step`-th element from `first` on, of each CTA that has
// one; NULL: counts them.
static size_t add_variable(const struct test *test, size_t variable, size_t first, size_t step,
                           struct term *terms) {
    const struct variable *v = &test->variables[variable];
    size_t count = 0;
    if (v->space == SPACE_SHARED || v->space == SPACE_TENSOR || v->space == SPACE_LOCAL ||
        v->space == SPACE_PARAM)
        return 0; // which instance is meant depends on who uses it
    for (size_t i = first; i < v->element_count && count < SHOWN_MAX; i += step) {
        if (terms != NULL)
            terms[count] = (struct term){.kind = TERM_LOCATION,
                                         .span = v->span,
                                         .thread = -1,
                                         .variable = (int)variable,
                                         .element = i};
        count++;
    }
    return count;
}

// The same test with more locations at the end of those that it shows.
static struct test *show_more(struct arena *arena, const struct test *test, size_t first,
                              size_t step) {
    struct test *more = ARENA_NEW(arena, struct test);
    size_t count = test->location_count;
    *more = *test;
    for (size_t i = 0; i < test->variable_count; i++)
        count += add_variable(test, i, first, step, NULL);
    more->locations = ARENA_ARRAY(arena, struct term, count);
    if (test->location_count != 0)
        memcpy(more->locations, test->locations, test->location_count * sizeof *more->locations);
    for (size_t i = 0; i < test->variable_count; i++)
        more->location_count +=
            add_variable(test, i, first, step, &more->locations[more->location_count]);
    return more;
}

// --- Comparing ---------------------------------------------------------------------------------

static struct result run_test(struct run *run, struct arena *arena, const struct test *test) {
    struct program_options program_options = {.unroll = 2, .no_thin_air = true};
    struct solver_options options = {.max_states = STATES_MAX};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct result result = {program_build(arena, test, &program_options, &diagnostics), NULL};
    if (result.program != NULL)
        result.outcomes =
            solver_run(run->solver, arena, result.program, run->model, &options, &diagnostics);
    return result;
}

static bool is_same_flag(const struct flag *a, const struct flag *b) {
    return a->kind == b->kind && a->holds == b->holds &&
           (a->kind != FLAG_MODEL || strcmp(a->name, b->name) == 0);
}

// Whether each flag of `some` that may hold is one of `all`.
static bool flags_are_among(const struct outcomes *some, const struct outcomes *all) {
    for (size_t i = 0; i < some->flag_count; i++) {
        bool found = some->flags[i].holds == TRUTH_NO;
        for (size_t k = 0; !found && k < all->flag_count; k++)
            found = is_same_flag(&some->flags[i], &all->flags[k]);
        if (!found)
            return false;
    }
    return true;
}

// Whether each state of `some`, as far as `width` values go, is one of `all`.
static bool states_are_among(const struct outcomes *some, const struct outcomes *all,
                             size_t width) {
    for (size_t i = 0; i < some->state_count; i++) {
        bool found = false;
        for (size_t k = 0; !found && k < all->state_count; k++)
            found = state_compare(&some->states[i], &all->states[k], width) == 0;
        if (!found)
            return false;
    }
    return true;
}

// Spin loops that write represent any number of turns only if no final value is theirs (D16). Where
// what they write is shown, they are unrolled, and the verdict may be unknown.
static bool is_cut_short(const struct outcomes *plain, const struct outcomes *more) {
    return outcomes_flag(more, FLAG_BOUND) == TRUTH_YES &&
           outcomes_flag(plain, FLAG_BOUND) != TRUTH_YES &&
           (more->verdict == VERDICT_UNKNOWN || more->verdict == plain->verdict);
}

// What is not the same, or NULL. `width`: of the test as it is.
static const char *difference(const struct result *plain, const struct result *more, size_t width) {
    const struct outcomes *a = plain->outcomes, *b = more->outcomes;
    if (a == NULL || b == NULL)
        return a == b ? NULL : "whether it can be run";
    if (is_cut_short(a, b))
        return states_are_among(b, a, width) ? NULL : "the states";
    if (a->verdict != b->verdict)
        return "the verdict";
    if (!flags_are_among(a, b) || !flags_are_among(b, a))
        return "the flags";
    if (a->complete && b->complete &&
        (!states_are_among(a, b, width) || !states_are_among(b, a, width)))
        return "the states";
    return NULL;
}

static void compare(struct run *run, const char *path, const struct test *test) {
    static const size_t ways[][2] = {{0, 1}, {0, 2}, {1, 2}};
    struct arena *arena = arena_new();
    struct result plain = run_test(run, arena, test);
    run->tests++;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const struct test *shown = show_more(arena, test, ways[i][0], ways[i][1]);
        if (shown->location_count == test->location_count)
            continue;
        struct result more = run_test(run, arena, shown);
        size_t width = plain.program == NULL ? 0 : plain.program->observed_count;
        const char *what = difference(&plain, &more, width);
        run->compared++;
        if (what == NULL)
            continue;
        printf("FAIL: %s (%s): with every %s element from %zu on shown, another: %s\n", path,
               test->name, ways[i][1] == 1 ? "single" : "second", ways[i][0], what);
        run->failed = true;
    }
    arena_free(arena);
}

// --- Files -------------------------------------------------------------------------------------

static void run_file(struct run *run, const char *path) {
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

static void run_path(struct run *run, const char *path) {
    struct stat status;
    struct dirent **entries;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
        run_file(run, path);
        return;
    }
    int count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name, *end = strrchr(name, '.');
        char child[4096];
        snprintf(child, sizeof child, "%s/%s", path, name);
        if (name[0] != '.' && (end == NULL || strcmp(end, ".litmus") == 0))
            run_path(run, child);
        free(entries[i]);
    }
    if (count < 0) {
        printf("FAIL: %s: %s\n", path, strerror(errno));
        run->failed = true;
    } else {
        free(entries);
    }
}

int main(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    int first = argc > 2 && strcmp(argv[1], "--model") == 0 ? 3 : 1;
    const char *model = first == 3 ? argv[2] : "ptx-9.1";
    struct run run = {.solver = solver_new(), .model = model_load(arena, model, &diagnostics)};
    if (run.model == NULL || first >= argc) {
        fputs("usage: shown [--model M] FILE|FOLDER...\n", stderr);
        return 2;
    }
    for (int i = first; i < argc; i++)
        run_path(&run, argv[i]);
    printf("%zu tests, %zu comparisons\n", run.tests, run.compared);
    solver_free(run.solver);
    arena_free(arena);
    return run.failed || run.compared == 0;
}
