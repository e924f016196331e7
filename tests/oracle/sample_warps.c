// Random tests of warps: what lanes give each other by shfl, vote, match and redux, whom they
// elect, and what depends on it.
#include "tests/oracle/sample.h"

// V is an exchange between all lanes of the warp, the n-th of a thread of the same kind in all of
// them; other letters as in sample_barriers.c. The last thread is in a CTA of its own.
static const char *const shapes[] = {
    "Rx V Wy|V|Ry Wx",     "V Wy|Rx V|Ry Wx",     "Rx V Wy|Rx V|Ry Wx",  "Rx V Wy|Ry V Wx|Wx",
    "Rx V V Wy|V V|Ry Wx", "V V Wy|V Rx V|Ry Wx", "V V Wy|Rx V V|Ry Wx", "Wx V Wy|V Rx|Ry Rx",
    "Wx V|V Rx|Ry Wx",     "Wx V H|V H Rx|Wx",    "Rx V ( Wy )|V|Ry Wx", "V ( Wy )|Rx V|Ry Wx",
    "V Wy|V|Rx V|Ry Wx",   "Rx V Wy|V|V|Ry Wx",   "Ly V Rx|V Rx|Wx Qy",  "Wx F V Wy|V|Ry F Rx",
};

enum { KINDS = 12 };

static unsigned lane_of(const struct sample *sample, const struct sample_thread *thread) {
    return (unsigned)(thread - sample->thread);
}

static unsigned lane_count(const struct sample *sample) {
    return sample->thread_count - 1;
}

static void shuffle(const struct sample *sample, struct sample_thread *thread, unsigned kind,
                    const char *name, const char *given, unsigned mask) {
    static const char *const modes[] = {"idx", "bfly", "up", "down"};
    unsigned lanes = lane_count(sample), b = sample->warps.source % lanes, c = lanes - 1;
    if (kind == 1)
        b = 1; // of three lanes, the last one keeps its own
    if (kind == 2)
        c = 0;
    if (kind > 1)
        b = 1;
    if (sample->warps.source % 3 == 0)
        sample_line(thread, "shfl.sync.%s.b32 %s, %s, %u, %u, 0x%x", modes[kind], name, given, b, c,
                    mask);
    else
        sample_line(thread, "shfl.sync.%s.b32 %s|%%q%u, %s, %u, %u, 0x%x", modes[kind], name,
                    thread->next_register++, given, b, c, mask);
}

static void vote(struct sample_thread *thread, unsigned kind, const char *name, const char *given,
                 unsigned mask, unsigned compared) {
    static const char *const modes[] = {"any", "all", "uni"};
    unsigned number = thread->next_register++;
    sample_line(thread, "setp.eq.u32 %%q%u, %s, %u", number, given, compared);
    if (kind == 3) {
        sample_line(thread, "vote.sync.ballot.b32 %s, %%q%u, 0x%x", name, number, mask);
        return;
    }
    unsigned result = thread->next_register++;
    sample_line(thread, "vote.sync.%s.pred %%q%u, %%q%u, 0x%x", modes[kind], result, number, mask);
    sample_line(thread, "selp.b32 %s, 1, 0, %%q%u", name, result);
}

// Sums would grow with each turn in which a thread stores what it has been given.
static void combine(struct sample_thread *thread, unsigned kind, const char *name,
                    const char *given, unsigned mask, unsigned operation) {
    static const char *const operations[] = {"min.u32", "max.u32", "and.b32", "or.b32"};
    if (kind == 0)
        sample_line(thread, "match.any.sync.b32 %s, %s, 0x%x", name, given, mask);
    else if (kind == 1)
        sample_line(thread, "match.all.sync.b32 %s|%%q%u, %s, 0x%x", name, thread->next_register++,
                    given, mask);
    else
        sample_line(thread, "redux.sync.%s %s, %s, 0x%x", operations[operation], name, given, mask);
}

static void elect(struct sample_thread *thread, unsigned number, const char *name, unsigned mask) {
    unsigned is_leader = thread->next_register++;
    sample_line(thread, "mov.b32 %%c%u, 0x%x", number, mask);
    sample_line(thread, "elect.sync %%e%u|%%q%u, %%c%u", number, is_leader, number);
    sample_line(thread, "selp.b32 %s, 1, 0, %%q%u", name, is_leader);
}

static void exchange(struct sample *sample, struct sample_thread *thread, struct random *random) {
    unsigned kind = sample->warps.kind[thread->exchanges++ % SAMPLE_EXCHANGES];
    unsigned mask = (1u << lane_count(sample)) - 1;
    unsigned number = thread->next_register++;
    char given[16], name[16];
    snprintf(name, sizeof name, "%%r%u", number);
    if (kind == KINDS - 1) {
        elect(thread, number, name, mask);
        snprintf(thread->loaded[thread->loaded_count++], sizeof thread->loaded[0], "%s", name);
        return;
    }
    if (thread->loaded_count > 0 && random_chance(random, 85))
        snprintf(given, sizeof given, "%s", sample_loaded(thread, random));
    else
        snprintf(given, sizeof given, "%%c%u", number);
    if (given[1] == 'c')
        sample_line(thread, "mov.b32 %s, %u", given, random_below(random, 3));
    if (kind < 4)
        shuffle(sample, thread, kind, name, given, mask);
    else if (kind < 8)
        vote(thread, kind - 4, name, given, mask, random_below(random, 2));
    else
        combine(thread, kind - 8, name, given, mask, sample->warps.source % 4);
    if (random_chance(random, 15)) // a bit of it
        sample_line(thread, "and.b32 %s, %s, %u", name, name, 1u << lane_of(sample, thread) % 2);
    snprintf(thread->loaded[thread->loaded_count++], sizeof thread->loaded[0], "%s", name);
}

static void special(struct sample *sample, struct sample_thread *thread, char letter, int location,
                    const struct sample_mood *mood, struct random *random) {
    if (letter == 'V')
        exchange(sample, thread, random);
    else
        sample_barrier(sample, thread, letter, location, mood, random);
}

void sample_warps(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    const char *shape = shapes[random_below(random, sizeof shapes / sizeof shapes[0])];
    sample->location_count = 2;
    sample->bits = 32;
    for (unsigned l = 0; l < SAMPLE_LOCATIONS; l++)
        sample->type[l] = "u32";
    sample->initialised = true;
    sample->thread_count = sample_shape_threads(shape);
    sample_place(sample, 0, mood->before_9_1, random);
    sample->thread[sample->thread_count - 1].cta = 1;
    for (unsigned i = 0; i < SAMPLE_EXCHANGES; i++)
        sample->warps.kind[i] = random_below(random, KINDS);
    sample->warps.source = random_below(random, 12);
    struct sample_mood leaning = *mood;
    leaning.depend = 85;
    leaning.atomic = leaning.atomic < 10 ? leaning.atomic : 10;
    sample_shape(sample, shape, &leaning, special, random);
}
