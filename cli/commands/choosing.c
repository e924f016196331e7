// When threads are chosen.
#include "cli/commands/choosing.h"

#include "cli/commands/launched.h"
#include "cli/commands/run_internal.h"
#include "launch/launch.h"
#include "litmus/source/arena.h"

#include <string.h>

bool choosing_threads(const struct run *run, struct arena *arena, struct test_list *tests,
                      struct diagnostics *diagnostics) {
    for (size_t i = 0; i < tests->count; i++) {
        if (!roles_are_asked(tests->items[i]))
            continue;
        tests->items[i] =
            roles_choose(arena, tests->items[i], &run->options->check.program, false, diagnostics);
        if (!tests->items[i])
            return false;
    }
    return true;
}

// Whether a search refuses so many threads that do so much.
static bool is_large(const struct test *test) {
    enum { THREADS = 32, EFFECTS = 4096 };
    return test->thread_count > THREADS && launched_count_effects(test) > EFFECTS;
}

// Of a launch that was derived: what is said of it does not say that all threads are looked at.
static void say_chosen(struct arena *arena, struct test *test) {
    static const char all[] = "(all threads)";
    const char *at = test->description ? strstr(test->description, all) : NULL;
    if (at) {
        test->description =
            arena_format(arena, "%.*s(threads auto)%s", (int)(at - test->description),
                         test->description, at + sizeof all - 1);
    }
}

const struct test *choosing_searched(const struct run *run, struct arena *arena,
                                     const struct test *test, const struct launch_result *launched,
                                     struct diagnostics *diagnostics) {
    bool is_run = launched && launched->answer != LAUNCH_IS_OPEN; // by all threads
    bool is_asked = run->options->check.asks_clean && roles_are_asked(test);
    bool is_default = run->options->method == METHOD_RUN_FIRST && launched && is_large(test);
    if (is_run || run->options->method == METHOD_RUN || !(is_asked || is_default))
        return test;
    struct test *chosen =
        roles_choose(arena, test, &run->options->check.program, !is_asked, diagnostics);
    if (chosen && chosen->thread_count < test->thread_count)
        say_chosen(arena, chosen);
    return chosen;
}
