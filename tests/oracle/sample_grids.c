// Random tests of grids: shapes of accesses through proxies, with threads in grids of which some
// are launched after others, and some depend on others and wait for them.
#include "tests/oracle/sample.h"

#include <string.h>

static void place_in_grids(struct sample *sample, struct random *random) {
    unsigned grids = 2 + random_below(random, 2);
    for (unsigned t = 0; t < sample->thread_count; t++) {
        struct sample_thread *thread = &sample->thread[t];
        thread->grid = t < grids && random_chance(random, 80) ? t : random_below(random, grids);
        thread->cta = random_chance(random, 60) ? 0 : t;
    }
}

static bool has_threads(const struct sample *sample, unsigned grid) {
    for (unsigned t = 0; t < sample->thread_count; t++)
        if (sample->thread[t].grid == grid)
            return true;
    return false;
}

// Before some statement, or at the end.
static void insert_wait(struct sample_thread *thread, struct random *random) {
    unsigned at = random_below(random, thread->line_count + 1);
    if (random_chance(random, 40))
        at = 0;
    sample_line(thread, "griddepcontrol.wait");
    for (unsigned i = thread->line_count - 1; i > at; i--)
        memcpy(thread->line[i], thread->line[i - 1], SAMPLE_LINE);
    snprintf(thread->line[at], SAMPLE_LINE, "griddepcontrol.wait");
}

static void add_order(struct sample *sample, unsigned grid, unsigned after, bool before_9_1,
                      struct random *random) {
    bool is_programmatic = !before_9_1 && random_chance(random, 55);
    if (sample->grid_order_count == SAMPLE_ORDERS || !has_threads(sample, grid) ||
        !has_threads(sample, after))
        return;
    snprintf(sample->grid_order[sample->grid_order_count++], sizeof sample->grid_order[0],
             "grid %u after %u%s", grid, after, is_programmatic ? " programmatic" : "");
    for (unsigned t = 0; is_programmatic && t < sample->thread_count; t++)
        if (sample->thread[t].grid == grid && random_chance(random, 75))
            insert_wait(&sample->thread[t], random);
}

void sample_grids(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    sample_proxies(sample, mood, random);
    place_in_grids(sample, random);
    for (unsigned after = 0; after < 3; after++)
        for (unsigned grid = after + 1; grid < 3; grid++)
            if (random_chance(random, 60))
                add_order(sample, grid, after, mood->before_9_1, random);
}
