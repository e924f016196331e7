// What a test shows must not change what it allows: shows more locations of each test than it asks
// for, and compares verdict, flags, and the states without what was added.
//
//   shown [--model M] FILE|FOLDER...
//
// Each test is run as it is; with every element of every variable shown; and with every second one.
// Status: 0 when all agree, 1 when some do not, 2 when one of several readings of a test fails.
#include "compare.h"

#include "litmus/source/arena.h"

#include <stdio.h>
#include <string.h>

// With more elements it would no longer be a small test.
enum { SHOWN_MAX = 16 };

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

static struct result run_one(struct compare_run *run, struct arena *arena,
                             const struct test *test) {
    static const struct program_options options = {.unroll = 2, .no_thin_air = true};
    return result_of(run, arena, test, &options, 0);
}

// Spin loops that write represent any number of turns only if no final value is theirs. Where what
// they write is shown, they are unrolled, and the verdict may be unknown.
static bool is_cut_short(const struct outcomes *plain, const struct outcomes *more) {
    return outcomes_flag(more, FLAG_BOUND) == TRUTH_YES &&
           outcomes_flag(plain, FLAG_BOUND) != TRUTH_YES &&
           (more->verdict == VERDICT_UNKNOWN || more->verdict == plain->verdict);
}

// What is not the same, or NULL. `width`: of the test as it is.
static const char *difference(const struct result *plain, const struct result *more, size_t width) {
    const struct outcomes *a = plain->outcomes, *b = more->outcomes;
    if (a != NULL && b != NULL && is_cut_short(a, b))
        return states_are_among(b, a, width) ? NULL : "the states";
    return result_difference(plain, more, width);
}

static void compare(struct compare_run *run, const char *path, const struct test *test) {
    static const size_t ways[][2] = {{0, 1}, {0, 2}, {1, 2}};
    struct arena *arena = arena_new();
    struct result plain = run_one(run, arena, test);
    run->tests++;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const struct test *shown = show_more(arena, test, ways[i][0], ways[i][1]);
        if (shown->location_count == test->location_count)
            continue;
        struct result more = run_one(run, arena, shown);
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

int main(int argc, char **argv) {
    return compare_main(argc, argv, compare);
}
