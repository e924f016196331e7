// All threads of launches that leave some out.
//
// All threads of a launch have one body, so that one that is left out is a copy of one that is
// there, at another place.
#include "launch/launch.h"

#include "litmus/source/arena.h"

// How many threads of a test are of one block: those from `t` on.
static size_t count_modelled(const struct test *test, size_t t) {
    const struct launch *launch = test->threads[t].launch;
    return launch != NULL && launch->modelled != NULL ? launch->modelled_count : 0;
}

// How many threads the launches of a test have.
static size_t count_all(const struct test *test) {
    size_t count = 0;
    for (size_t t = 0; t < test->thread_count;) {
        size_t modelled = count_modelled(test, t);
        count += modelled > 0 ? launch_block_size(test->threads[t].launch) : 1;
        t += modelled > 0 ? modelled : 1;
    }
    return count;
}

// Adds all threads of the block of which `first` is the first one that the test has, as threads of
// its launch in full.
static void add_block(struct test *whole, const struct thread *first, const struct launch *full) {
    for (unsigned own = 0; own < launch_block_size(full); own++) {
        struct thread *thread = &whole->threads[whole->thread_count++];
        *thread = *first;
        thread->number = first->number - first->launch->modelled[0] + own;
        thread->launch = full;
        launch_find_tid(full, own, thread->tid);
    }
}

const struct test *whole_launches(struct arena *arena, const struct test *test) {
    enum { THREADS_MAX = 8192 };
    size_t count = count_all(test);
    if (count == test->thread_count || count > THREADS_MAX)
        return test;
    struct test *whole = arena_copy(arena, test, 1, sizeof *whole);
    whole->threads = ARENA_ARRAY(arena, struct thread, count + 1);
    whole->thread_count = 0;
    const struct launch *before = NULL; // launches follow each other
    struct launch *full = NULL;
    for (size_t t = 0; t < test->thread_count;) {
        const struct thread *thread = &test->threads[t];
        size_t modelled = count_modelled(test, t);
        if (modelled == 0) {
            whole->threads[whole->thread_count++] = *thread;
            t++;
            continue;
        }
        if (thread->launch != before) {
            before = thread->launch;
            full = arena_copy(arena, before, 1, sizeof *full);
            full->modelled = NULL;
            full->modelled_count = 0;
        }
        add_block(whole, thread, full);
        t += modelled;
    }
    return whole;
}
