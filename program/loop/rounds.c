// Loops that end by counting: how many rounds they take.
//
// The bound is for loops that go on for as long as values in memory tell them to. One that counts
// in registers, or that gives up after so many tries, ends after a number of rounds that is found
// by running the threads separately, with a larger bound. Only the number of rounds is taken from
// that trial; the program that is built with the resulting bound says whether the bound is passed.

#include "program/builder.h"
#include "program/loop/loops.h"

#include "litmus/names/names.h"

// The most rounds of a loop in a trial: of those that are certain to be followed by another one,
// and of those after which the loop may end, which cost more. A second trial has fewer of these.
enum { CERTAIN_MAX = 1000, UNCERTAIN_MAX = 16 };

static struct loop_rounds **rounds_new(struct arena *arena, const struct test *test) {
    struct loop_rounds **rounds = ARENA_ARRAY(arena, struct loop_rounds *, test->thread_count);
    for (size_t i = 0; i < test->thread_count; i++)
        rounds[i] = ARENA_ARRAY(arena, struct loop_rounds, test->threads[i].instruction_count + 1);
    return rounds;
}

// Runs the threads. False when they did not end.
static bool try_rounds(struct build_plan plan, struct loop_rounds **rounds,
                       unsigned uncertain_max) {
    struct rounds_trial trial = {rounds, CERTAIN_MAX, uncertain_max};
    struct builder builder;
    plan.trial = &trial;
    bool ended = program_try_events(&builder, &plan);
    arena_free(builder.arena);
    return ended;
}

// What the trial shows about all loops together: the most rounds that any needs beyond its first
// one, 0 when some loop goes on for longer than was tried.
static unsigned most_rounds(const struct test *test, struct loop_rounds *const *rounds) {
    unsigned most = 0;
    for (size_t i = 0; i < test->thread_count; i++)
        for (size_t pc = 0; pc < test->threads[i].instruction_count; pc++) {
            if (rounds[i][pc].goes_on)
                return 0;
            if (rounds[i][pc].most > most)
                most = rounds[i][pc].most;
        }
    return most;
}

struct loop_rounds **rounds_find(const struct build_plan *plan, struct arena *arena,
                                 unsigned *enough) {
    unsigned unroll = plan->options->unroll;
    const struct test *test = plan->test;
    for (unsigned tries = 0; tries < 2; tries++) {
        struct loop_rounds **rounds = rounds_new(arena, test);
        bool found = false;
        if (!try_rounds(*plan, rounds, tries == 0 ? UNCERTAIN_MAX : unroll))
            continue;
        *enough = most_rounds(test, rounds);
        for (size_t i = 0; i < test->thread_count; i++)
            for (size_t pc = 0; pc < test->threads[i].instruction_count; pc++)
                found = found || (!rounds[i][pc].goes_on && rounds[i][pc].most > unroll);
        return found ? rounds : NULL;
    }
    *enough = 0;
    return NULL;
}
