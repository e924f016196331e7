// Steps of building that make a program smaller change nothing that it shows: each test is run as
// it is, and with each of these steps left out that changes its program (enum program_step).
//
//   steps [--model M] FILE|FOLDER...
//
// What a limit of processor time leaves open says nothing, and is counted. Status: 0 when all
// agree, 1 when some do not, 2 for wrong arguments.
#include "compare.h"

#include "litmus/source/arena.h"

#include <stdio.h>
#include <stdlib.h>

enum { SECONDS = 20 };

static const struct {
    enum program_step step;
    const char *name;
} steps[] = {
    {STEP_PRIVATE, "private"},     {STEP_EXCHANGES, "exchanges"}, {STEP_UNWRITTEN, "unwritten"},
    {STEP_UNREACHED, "unreached"}, {STEP_COMPLETED, "completed"},
};
enum { STEPS = sizeof steps / sizeof *steps };

static size_t counts[STEPS]; // of comparisons

static struct result build_without(struct arena *arena, const struct test *test,
                                   unsigned left_out) {
    const struct program_options options = {.unroll = 2, .no_thin_air = true, .left_out = left_out};
    return result_build(arena, test, &options);
}

static bool is_open(const struct result *result) {
    return result->outcomes != NULL && result->outcomes->reason != REASON_NONE;
}

static bool has_unknown(const struct state *state, size_t width) {
    for (size_t i = 0; i < width; i++)
        if (state->values[i].undef)
            return true;
    return false;
}

// Without what lanes exchange, the vote of another lane may be unknown in what is then taken of
// this one's alone, and may come out of thin air (Ballot-unknown): such states do not count.
static bool differs_in_unknown_alone(const struct result *plain, const struct result *longer,
                                     size_t width) {
    struct outcomes known = *longer->outcomes;
    const struct result with_known = {longer->program, &known};
    known.states = calloc(known.state_count + 1, sizeof *known.states);
    known.state_count = 0;
    for (size_t i = 0; i < longer->outcomes->state_count; i++)
        if (!has_unknown(&longer->outcomes->states[i], width))
            known.states[known.state_count++] = longer->outcomes->states[i];
    bool same = result_difference(plain, &with_known, width) == NULL;
    free(known.states);
    return same;
}

// How many expressions and events it has: where a step changes neither, it had nothing to do.
static bool is_same_program(const struct program *a, const struct program *b) {
    return a != NULL && b != NULL && a->event_count == b->event_count &&
           expr_pool_count(a->pool) == expr_pool_count(b->pool);
}

static void compare(struct compare_run *run, const char *path, const struct test *test) {
    struct arena *arena = arena_new();
    struct result plain = build_without(arena, test, 0);
    run->tests++;
    for (size_t i = 0; i < STEPS; i++) {
        struct result longer = build_without(arena, test, steps[i].step);
        if (is_same_program(plain.program, longer.program))
            continue;
        result_decide(run, arena, &plain, SECONDS);
        result_decide(run, arena, &longer, SECONDS);
        if (is_open(&plain) || is_open(&longer)) {
            run->open++;
            continue;
        }
        size_t width = plain.program == NULL ? 0 : plain.program->observed_count;
        const char *what = result_difference(&plain, &longer, width);
        run->compared++;
        counts[i]++;
        if (what == NULL || (steps[i].step == STEP_EXCHANGES && longer.outcomes != NULL &&
                             differs_in_unknown_alone(&plain, &longer, width)))
            continue;
        printf("FAIL: %s (%s): without the step '%s', another: %s\n", path, test->name,
               steps[i].name, what);
        run->failed = true;
    }
    arena_free(arena);
}

int main(int argc, char **argv) {
    int status = compare_main(argc, argv, compare);
    for (size_t i = 0; i < STEPS; i++) {
        printf("%s %zu%s", steps[i].name, counts[i], i + 1 < STEPS ? ", " : "\n");
        if (counts[i] == 0)
            status = status == 0 ? 1 : status; // it was not tried
    }
    return status;
}
