// The search against a plain loop over all combinations: the same least choices.
//
// usage: unit_repair_search                                        a fixed set of tests of the
// library
//        unit_repair_search repair|relax COMBINATIONS SEED FILE|cycles:COUNT... tests of one's own,
//        or so many random ones (cycles.h), in up to so many combinations of up to 12 switches;
//        what has been compared is printed after each
#include "cycles.h"
#include "support.h"

#include "model/cat/model.h"
#include "repair/candidates.h"
#include "repair/work.h"
#include "repair/repair.h"
#include "repair/strength.h"
#include "solver/solver.h"

#include <limits.h>
#include <stdlib.h>

// What is compared, and what came of it.
struct comparison_run {
    struct arena *arena;
    struct solver *solver;
    const struct model *model;
    uint64_t seed;
    size_t combinations; // at most
    enum repair_goal goal;
    const char *path;
    size_t tests, choices;             // so far
    size_t results, several, repaired; // least choices; those in two places or more; tests with one
    size_t any;                        // results that need not be the cheapest
    bool failed;
};

enum { SWITCHES = 12 };

static const struct program_options program_options = {.unroll = 2, .no_thin_air = true};
static const struct solver_options solver_options = {.max_states = 1000};

static size_t combinations_of(const struct changes *changes) {
    size_t count = 1;
    for (size_t i = 0; i < changes->count && count < 1000000; i++)
        count *= changes->places[i].form_count;
    return count;
}

static void take_place(struct changes *changes, size_t index) {
    memmove(changes->places + index, changes->places + index + 1,
            (changes->count - 1 - index) * sizeof *changes->places);
    changes->count--;
}

// Takes one form out of a place, or the place itself when it has none but the one that is written.
static void take_form(struct changes *changes, size_t index, size_t form) {
    struct change_place *place = &changes->places[index];
    memmove(place->forms + form, place->forms + form + 1,
            (place->form_count - 1 - form) * sizeof *place->forms);
    place->form_count--;
    place->written -= place->written > form;
    if (place->form_count == 1)
        take_place(changes, index);
}

// Takes places out at random until few enough are left, then forms until few enough combinations
// are. The written form stays, and so does the weakest one.
static void prune(void *context, struct changes *changes) {
    struct comparison_run *run = context;
    uint64_t seed = run->seed;
    while (changes->count > SWITCHES)
        take_place(changes, cycle_random(&seed) % changes->count);
    while (combinations_of(changes) > run->combinations) {
        size_t index = cycle_random(&seed) % changes->count;
        size_t form = cycle_random(&seed) % changes->places[index].form_count;
        if (form != changes->places[index].written &&
            (form != 0 || changes->places[index].form_count == 2))
            take_form(changes, index, form);
    }
}

// --- The plain loop ----------------------------------------------------------------------------

static bool puts_barrier(const struct changes *changes, const size_t *choice) {
    for (size_t i = 0; i < changes->count; i++)
        if (changes->places[i].kind == CHANGE_BARRIER && choice[i] != changes->places[i].written)
            return true;
    return false;
}

// Whether a choice forbids the outcome and leaves some other one, and its barriers end: a run on
// its text. Where the test is to be weakened, it must not have a flag either that the test, as it
// is, does not have.
static enum truth decide(struct comparison_run *run, const struct repair *repair,
                         const size_t *choice) {
    const struct changes *changes = repair->changes;
    static const struct edit_options plain = {false};
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct test *test = edit_apply(arena, changes, choice, &plain, 0, &diagnostics, NULL);
    assert_non_null(test);
    struct program *program = program_build(arena, test, &program_options, &diagnostics);
    assert_non_null(program);
    struct solver_options options = {.verdict_only = !puts_barrier(changes, choice),
                                     .max_states = 1000};
    const struct outcomes *outcomes =
        solver_run(run->solver, arena, program, run->model, &options, &diagnostics);
    assert_non_null(outcomes);
    enum verdict verdict = outcomes->verdict, wanted = test->quantifier == QUANTIFIER_FORALL
                                                           ? VERDICT_ALWAYS
                                                           : VERDICT_FORBIDDEN;
    enum truth answer = verdict == wanted            ? TRUTH_YES
                        : verdict == VERDICT_UNKNOWN ? TRUTH_UNKNOWN
                                                     : TRUTH_NO;
    size_t flags = 0;
    if (run->goal != REPAIR_FORBID && answer == TRUTH_YES)
        judge_new_flags(arena, repair->outcomes, outcomes, &flags);
    if (answer == TRUTH_YES && puts_barrier(changes, choice) &&
        judge_hangs(repair->outcomes, outcomes))
        answer = TRUTH_NO;
    answer = flags > 0 ? TRUTH_NO : answer;
    arena_free(arena);
    return answer;
}

static bool next_choice(const struct changes *changes, size_t *choice) {
    for (size_t i = 0; i < changes->count; i++) {
        if (++choice[i] < changes->places[i].form_count)
            return true;
        choice[i] = 0;
    }
    return false;
}

static bool is_within(const struct changes *changes, const size_t *a, const size_t *b) {
    for (size_t i = 0; i < changes->count; i++)
        if (!change_covers(&changes->places[i].forms[b[i]], &changes->places[i].forms[a[i]]))
            return false;
    return true;
}

static bool same_choice(const struct changes *changes, const size_t *a, const size_t *b) {
    return changes->count == 0 || memcmp(a, b, changes->count * sizeof *a) == 0;
}

// All choices that do, an array of `*count`; false when one of them is not decided.
static bool try_all(struct comparison_run *run, const struct repair *repair, size_t ***all,
                    size_t *count) {
    const struct changes *changes = repair->changes;
    size_t *choice = ARENA_ARRAY(run->arena, size_t, changes->count + 1);
    *all = NULL;
    *count = 0;
    do {
        enum truth does = decide(run, repair, choice);
        run->choices++;
        if (does == TRUTH_UNKNOWN)
            return false;
        if (does == TRUTH_NO)
            continue;
        *all = arena_grow(run->arena, *all, *count, sizeof **all);
        (*all)[(*count)++] = arena_copy(run->arena, choice, changes->count + 1, sizeof *choice);
    } while (next_choice(changes, choice));
    return true;
}

static bool is_least(const struct changes *changes, size_t *const *all, size_t count, size_t at) {
    for (size_t i = 0; i < count; i++)
        if (i != at && is_within(changes, all[i], all[at]))
            return false;
    return true;
}

static bool is_found(const struct repair *repair, const size_t *choice) {
    for (size_t i = 0; i < repair->count; i++)
        if (same_choice(repair->changes, repair->remedies[i].choice, choice))
            return true;
    return false;
}

static bool changes_several(const struct changes *changes, const size_t *choice) {
    size_t changed = 0;
    for (size_t i = 0; i < changes->count; i++)
        changed += choice[i] != changes->places[i].written;
    return changed > 1;
}

static void report(struct comparison_run *run, const struct changes *changes, const size_t *choice,
                   const char *what) {
    run->failed = true;
    print_error("%s: %s:\n", run->path, what);
    for (size_t i = 0; i < changes->count; i++)
        if (choice[i] != changes->places[i].written)
            print_error("  %s\n", change_describe(run->arena, changes, i, choice[i]));
}

static void compare(struct comparison_run *run, const struct repair *repair) {
    const struct changes *changes = repair->changes;
    size_t **all, count, least = 0;
    if (repair->state == REPAIR_UNDECIDED || !try_all(run, repair, &all, &count))
        return;
    for (size_t i = 0; i < count; i++) {
        if (!is_least(changes, all, count, i))
            continue;
        least++;
        run->several += changes_several(changes, all[i]);
        if (!is_found(repair, all[i]))
            report(run, changes, all[i], "the search misses");
    }
    for (size_t i = 0; i < repair->count; i++) {
        bool known = false;
        for (size_t k = 0; k < count; k++)
            known = known || (is_least(changes, all, count, k) &&
                              same_choice(changes, all[k], repair->remedies[i].choice));
        if (!known)
            report(run, changes, repair->remedies[i].choice, "the search finds what is not least");
        if (i > 0 && repair->remedies[i].cost < repair->remedies[i - 1].cost)
            report(run, changes, repair->remedies[i].choice, "this should come earlier");
    }
    run->tests++;
    run->results += least;
    run->repaired += least > 0;
}

// Any result that is found is one of the least ones.
static void compare_any(struct comparison_run *run, const struct repair *repair,
                        const struct repair *any) {
    run->any += any->count == 1;
    if (any->state != repair->state)
        report(run, any->changes, changes_as_written(run->arena, any->changes),
               "looking for any result decides something else");
    if (any->state == REPAIR_FOUND && !is_found(repair, any->remedies[0].choice))
        report(run, any->changes, any->remedies[0].choice, "any result is not a least one");
}

// --- Tests -------------------------------------------------------------------------------------

static void compare_test(struct comparison_run *run, const struct test *test, size_t index) {
    struct diagnostics diagnostics;
    struct costs costs = costs_default();
    struct change_limit limit = {PTX_NEWEST, NULL};
    struct repair_options options = {.goal = run->goal,
                                     .model = run->model,
                                     .program = &program_options,
                                     .solver = &solver_options,
                                     .limits = &limit,
                                     .limit_count = 1,
                                     .costs = &costs,
                                     .max_cost = UINT_MAX,
                                     .prune = prune,
                                     .prune_context = run};
    diagnostics_init(&diagnostics, run->arena);
    const struct repair *repair =
        repair_search(run->solver, run->arena, test, index, &options, &diagnostics);
    if (repair == NULL || repair->state == REPAIR_NOT_ASKED || repair->changes == NULL)
        return;
    compare(run, repair);
    if (run->goal != REPAIR_FORBID)
        return;
    options.any = true;
    const struct repair *any =
        repair_search(run->solver, run->arena, test, index, &options, &diagnostics);
    assert_non_null(any);
    compare_any(run, repair, any);
}

// The tests of a text, if it can be read.
static void compare_source(struct comparison_run *run, const struct source *source) {
    struct diagnostics diagnostics;
    struct test_list tests;
    diagnostics_init(&diagnostics, run->arena);
    run->model = model_load(run->arena, "ptx-9.1", &diagnostics);
    assert_non_null(run->model);
    run->seed++;
    if (test_read_all(run->arena, source, SYNTAX_GUESS, &diagnostics, &tests))
        for (size_t i = 0; i < tests.count; i++)
            compare_test(run, tests.items[i], i);
}

static void compare_path(struct comparison_run *run, const char *path) {
    struct diagnostics diagnostics;
    run->arena = arena_new();
    run->path = path;
    diagnostics_init(&diagnostics, run->arena);
    const struct source *source = source_read(run->arena, path, &diagnostics);
    assert_non_null(source);
    compare_source(run, source);
    arena_free(run->arena);
}

// Random cycles, until so many were compared: not all have an outcome that is allowed, or
// forbidden.
static void compare_cycles(struct comparison_run *run, size_t count) {
    for (size_t wanted = run->tests + count; run->tests < wanted;) {
        run->arena = arena_new();
        const char *text = cycle_text(run->arena, run->seed, run->goal != REPAIR_FORBID);
        run->path = arena_format(run->arena, "cycle %u", (unsigned)run->seed);
        compare_source(run, source_from_text(run->arena, "cycle.litmus", text, strlen(text)));
        arena_free(run->arena);
    }
}

static void print_counts(const struct comparison_run *run) {
    printf("%zu tests, %zu of them with least choices, %zu combinations, %zu least choices, %zu of "
           "them in several places",
           run->tests, run->repaired, run->choices, run->results, run->several);
}

// Tests of the library, each cut in two ways, and random cycles.
static void compare_known(struct comparison_run *run, const char *const *paths, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (unsigned again = 0; again < 2; again++)
            compare_path(run, paths[i]);
    compare_cycles(run, 12);
    solver_free(run->solver);
    print_counts(run);
    puts("");
    assert_false(run->failed);
}

static void test_library(void **state) {
    (void)state;
    static const char *const paths[] = {
        "litmus/library/message-passing/MP+cta.litmus",
        "litmus/library/store-buffering/SB.litmus",
        "litmus/library/load-buffering/LB.litmus",
        "litmus/library/multi-copy/IRIW.litmus",
        "litmus/library/bugs/spin-lock.litmus",
        "litmus/library/bugs/deque-steal.litmus",
        "litmus/library/bugs/relaxed-poll.litmus",
        "litmus/library/bugs/sc-rmw-relaxed.litmus",
        "litmus/library/bugs/grid-sync-poll.litmus",
        "litmus/library/bugs/relaxed-cluster-barrier.litmus",
        "litmus/library/bugs/warp-unlock.litmus",
        "litmus/library/bugs/leader-publishes+no-barrier.litmus",
        "litmus/library/barriers/MP+bar+late.litmus",
        "litmus/library/barriers/Bar-exit.litmus",
    };
    struct comparison_run run = {.solver = solver_new(), .combinations = 64};
    compare_known(&run, paths, sizeof paths / sizeof *paths);
    assert_true(run.tests >= 30 && run.results >= 15 && run.several >= 10 && run.any >= 10);
}

static void test_relax(void **state) {
    (void)state;
    static const char *const paths[] = {
        "litmus/library/message-passing/MP.litmus",
        "litmus/library/store-buffering/SB+fence.sc.litmus",
        "litmus/library/bugs/spin-lock+fixed.litmus",
        "litmus/library/bugs/deque-steal+fixed.litmus",
        "litmus/library/bugs/relaxed-poll+fixed.litmus",
        "litmus/library/bugs/sc-rmw-relaxed+fixed.litmus",
    };
    struct comparison_run run = {.solver = solver_new(), .combinations = 64, .goal = REPAIR_KEEP};
    compare_known(&run, paths, sizeof paths / sizeof *paths);
    assert_true(run.tests >= 22 && run.results >= 20 && run.several >= 10);
}

static int compare_all(int argc, char **argv) {
    bool relax = strcmp(argv[1], "relax") == 0;
    struct comparison_run run = {.solver = solver_new(),
                                 .goal = relax ? REPAIR_KEEP : REPAIR_FORBID,
                                 .combinations = strtoul(argv[2], NULL, 10),
                                 .seed = strtoull(argv[3], NULL, 10)};
    for (int i = 4; i < argc; i++) {
        if (strncmp(argv[i], "cycles:", 7) == 0)
            compare_cycles(&run, strtoul(argv[i] + 7, NULL, 10));
        else
            compare_path(&run, argv[i]);
        print_counts(&run);
        printf(": %s\n", argv[i]);
        fflush(stdout);
    }
    solver_free(run.solver);
    printf("%s\n", run.failed ? "they differ" : "the same");
    return run.failed;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_library),
                                       cmocka_unit_test(test_relax)};
    if (argc > 4)
        return compare_all(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
