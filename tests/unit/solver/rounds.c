// Compares waiting loops with the same loops written out.
#include "rounds.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS_MAX = 3 };

static rounds_program *text_of;
static unsigned programs, skipped, seconds;

const char *rounds_pick(const char *const *texts, unsigned count, uint64_t *seed) {
    return texts[random_below(seed, count)];
}

// Whether all loops of a program are waiting loops.
static bool has_waits(uint64_t seed) {
    struct arena *arena = arena_new();
    bool found = expr_is_false(program_of(arena, text_of(arena, seed, 0))->limits.bound_reached);
    arena_free(arena);
    return found;
}

// Compares the outcomes of a program with those of the ones written out.
static void compare(struct solver *solver, uint64_t seed, struct arena *arena) {
    const char *looped = text_of(arena, seed, 0);
    struct program *program = program_of(arena, looped);
    struct outcomes *waits = outcomes_of(solver, arena, looped, "ptx-9.1", NULL);
    for (unsigned rounds = 2; rounds <= ROUNDS_MAX; rounds++) {
        const char *written = text_of(arena, seed, rounds);
        struct outcomes *all = outcomes_of(solver, arena, written, "ptx-9.1", NULL);
        const char *states = states_of(arena, all, program->observed_count);
        bool same = strcmp(states_of(arena, waits, program->observed_count), states) == 0 &&
                    model_flag(waits, "data-race") == model_flag(all, "data-race");
        if (!same)
            print_error("%s\nwritten out: %s\nwaiting: %s\n", looped, states,
                        states_of(arena, waits, program->observed_count));
        assert_true(same);
        assert_int_equal(waits->verdict, all->verdict);
    }
}

static void compare_alone(uint64_t seed) {
    struct solver *solver = solver_new();
    struct arena *arena = arena_new();
    compare(solver, seed, arena);
    arena_free(arena);
    solver_free(solver);
}

// Compares within the time that there is. Returns false when that was not enough.
static bool compare_in_time(uint64_t seed) {
    int status = 0;
    if (seconds == 0) {
        compare_alone(seed);
        return true;
    }
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CPU,
                  &(struct rlimit){seconds, seconds + 1}); // not the clock: whatever else runs
        compare_alone(seed);
        _exit(EXIT_SUCCESS);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return false;
    assert_int_equal(status, 0);
    return true;
}

static void random_waits(void **state) {
    (void)state;
    uint64_t seed = 1;
    unsigned tried = 0, waits = 0, stopped = 0;
    while (waits < skipped + programs) {
        random_next(&seed);
        tried++;
        if (!has_waits(seed) || ++waits <= skipped)
            continue;
        if (compare_in_time(seed))
            continue;
        stopped++;
        print_message("number %u takes more than %u s\n", waits, seconds);
    }
    print_message("%u programs with waiting loops, of the first %u; %u took too long\n", programs,
                  tried, stopped);
    assert_true(waits < tried); // some loops are not recognised
    assert_true(stopped < programs);
}

int rounds_main(int argc, char **argv, rounds_program *program, unsigned count) {
    text_of = program;
    programs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : share_of(count);
    skipped = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    seconds = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_waits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
