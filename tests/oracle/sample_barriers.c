// Random tests of barriers: of CTAs, with and without thread counts, of clusters and of warps.
#include "tests/oracle/sample.h"

#include <string.h>

// B is a bar.sync, N a bar.arrive, E a bar.red, C and G arrive and wait at the cluster's barrier, H
// is a bar.warp.sync; other letters as in sample.c and sample_branches.c.
static const char *const shapes[] = {
    "Wx B|B Rx",
    "Wx B|B Rx|B Rx",
    "Wx N|B Rx",
    "Wx B Wy|B Ry Rx",
    "Rx B Wy|Ry B Wx",
    "Wx B Ry|Wy B Rx",
    "Wx B B|B Wx B Rx",
    "Wx B|B B Rx",
    "Wx Ly|Qy B|B Rx",
    "Rx E ( Wy )|Wx E Ry",
    "Rx E Wy|Ry E Wx",
    "Wx E|E Rx|Rx E",
    "Wx C G|C G Rx",
    "C Wx G|C G Rx",
    "Wx C Wy G|C Ry G Rx",
    "Wx C F G|C G F Rx",
    "Wx H|H Rx",
    "Wx H|H Rx|H Rx",
    "Rx ( B ) Wx|Wx B",
    "Rx X B|Wx B Rx",
    "Wx N N|B Rx B",
    "Wx B Rx B Wx|B Wx B Rx",
    "Wx N|N|B Rx",
    "Wx N|B|B Rx",
    "K B Wx k|K B Rx k",
    "Rx ( B ) |Wx ( / B )|B",
    "Wx B|Rx X B Ry|B Wy",
    "Rx ( N / B )|B Wx B",
    "Wx B Ly|B|Qy Rx",
    "Wx C C G|C G C G Rx",
    "Rx ( C ) G|Wx C G",
    "Wx B C G|B|C G Rx",
    "Rx X B|B Wx",
    "Rx X B Ry|B Wx B Wy",
    "Rx X B|B Wx|B Ry Wx",
    "Rx X N|B Wx",
    "Rx X B|Ry X B Wx|B Wy",
    "Rx X E Wy|E Wx|Ry",
    "B Rx X B|B Wx B",
    "B Rx X B Ry|B Wx B Wy|B B",
    "Rx X C G|C G Wx",
    "Rx X H|H Wx",
    "Wx|B Rx|B Wx",
    "Rx X B|B B Wx|B B Rx",
    "Wx N|B Rx|B B Wx",
    "Wx E|B Rx",
    "Rx E|E Wx|N",
    "Wx E B|E B Rx",
    "Wx C C G|C G Rx",
    "Wx N B Wx N|B Rx B Rx",
    "Wx F C G|C G Rx",
    "Rx F C G|C G Wx",
    "Wx F C G|C G Rx|C G Rx",
    "Wx F Wy C G|C G Ry Rx",
};

static const char *random_prefix(struct random *random) {
    static const char *const prefixes[] = {"bar", "bar", "bar.cta", "barrier", "barrier.cta"};
    return prefixes[random_below(random, sizeof prefixes / sizeof prefixes[0])];
}

// Which barrier: a number, or what was read, so that it is one of two.
static void barrier_text(const struct sample *sample, struct sample_thread *thread, char *text,
                         size_t size, struct random *random) {
    if (sample->bits == 32 && thread->loaded_count > 0 && thread->open_count == 0 &&
        random_chance(random, 8)) {
        unsigned number = thread->next_register++;
        sample_line(thread, "and.b32 %%b%u, %s, 1", number, sample_loaded(thread, random));
        snprintf(text, size, "%%b%u", number);
    } else {
        snprintf(text, size, "%u", random_chance(random, 85) ? 0 : random_below(random, 3));
    }
}

// ", 2", or "": all threads.
static void count_text(const struct sample *sample, bool needed, char *text, size_t size,
                       struct random *random) {
    text[0] = '\0';
    if (!needed &&
        !(sample->barriers.counted ? random_chance(random, 90) : random_chance(random, 5)))
        return;
    unsigned count =
        random_chance(random, 88) ? sample->barriers.count : 1 + random_below(random, 3);
    snprintf(text, size, ", %u", count);
}

static void cta_barrier(struct sample *sample, struct sample_thread *thread, bool waits,
                        struct random *random) {
    char barrier[16], count[16];
    barrier_text(sample, thread, barrier, sizeof barrier, random);
    count_text(sample, !waits, count, sizeof count, random);
    sample_line(thread, "%s.%s %s%s", random_prefix(random), waits ? "sync" : "arrive", barrier,
                count);
}

static void reduction(struct sample *sample, struct sample_thread *thread,
                      const struct sample_mood *mood, struct random *random) {
    char barrier[16], count[16], predicate[8];
    sample_predicate(sample, thread, predicate, sizeof predicate, mood, random);
    barrier_text(sample, thread, barrier, sizeof barrier, random);
    count_text(sample, false, count, sizeof count, random);
    unsigned kind = random_below(random, 3);
    const char *sign = random_chance(random, 30) ? "!" : "";
    char *name = thread->loaded[thread->loaded_count++];
    unsigned number = thread->next_register++;
    snprintf(name, sizeof thread->loaded[0], "%%r%u", number);
    if (kind == 0) {
        sample_line(thread, "%s.red.popc.u32 %s, %s%s, %s%s", random_prefix(random), name, barrier,
                    count, sign, predicate);
    } else {
        sample_line(thread, "%s.red.%s.pred %%q%u, %s%s, %s%s", random_prefix(random),
                    kind == 1 ? "and" : "or", number, barrier, count, sign, predicate);
        sample_line(thread, "selp.b32 %s, 1, 0, %%q%u", name, number);
    }
    sample_first_line(thread, "mov.b32 %s, 2", name); // on the paths that leave it out
}

static void cluster_barrier(struct sample_thread *thread, bool waits, struct random *random) {
    static const char *const arrivals[] = {"", ".release", ".relaxed"};
    const char *aligned = random_chance(random, 20) ? ".aligned" : "";
    if (waits)
        sample_line(thread, "barrier.cluster.wait%s%s", random_chance(random, 50) ? ".acquire" : "",
                    aligned);
    else
        sample_line(thread, "barrier.cluster.arrive%s%s", arrivals[random_below(random, 3)],
                    aligned);
}

// Lanes are numbered in the order of the test, so that a smaller mask fits where all threads are of
// one CTA.
static void warp_barrier(const struct sample *sample, struct sample_thread *thread,
                         struct random *random) {
    unsigned lane = (unsigned)(thread - sample->thread), others = random_below(random, 8);
    bool one_cta = true;
    for (unsigned t = 1; t < sample->thread_count; t++)
        one_cta = one_cta && sample->thread[t].cta == sample->thread[0].cta &&
                  sample->thread[t].cluster == sample->thread[0].cluster &&
                  sample->thread[t].gpu == sample->thread[0].gpu;
    if (one_cta && random_chance(random, 50))
        sample_line(thread, "bar.warp.sync 0x%x", 3 | others | 1u << lane);
    else
        sample_line(thread, "bar.warp.sync 0xffffffff");
}

void sample_barrier(struct sample *sample, struct sample_thread *thread, char letter, int location,
                    const struct sample_mood *mood, struct random *random) {
    if (mood->before_9_1 && (letter == 'C' || letter == 'G'))
        letter = letter == 'C' ? 'N' : 'B';
    if (sample->barriers.count == 0)
        sample->barriers.count = 2;
    if (strchr("BNECH", letter))
        sample->barriers.arrivals += sample->repeats;
    switch (letter) {
    case 'B': cta_barrier(sample, thread, true, random); break;
    case 'N': cta_barrier(sample, thread, false, random); break;
    case 'E': reduction(sample, thread, mood, random); break;
    case 'C': cluster_barrier(thread, false, random); break;
    case 'G': cluster_barrier(thread, true, random); break;
    case 'H': warp_barrier(sample, thread, random); break;
    default: sample_branch(sample, thread, letter, location, mood, random); break;
    }
}

// Two or three threads of anything.
static void random_shape(char *shape, struct random *random) {
    static const char *const parts[] = {"Wx", "Rx", "Wy", "Ry", "B",  "B", "B", "N",
                                        "E",  "CG", "H",  "Ly", "Qy", "F", "X"};
    unsigned threads = 2 + random_below(random, 2);
    shape[0] = '\0';
    for (unsigned t = 0; t < threads; t++) {
        unsigned count = 1 + random_below(random, 5 - threads);
        strcat(shape, t ? "|" : "");
        strcat(shape, random_chance(random, 50) ? "WxB" : "BRx");
        for (unsigned i = 0; i < count; i++)
            strcat(shape, parts[random_below(random, sizeof parts / sizeof parts[0])]);
    }
}

void sample_barriers(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    char shape[80];
    sample->initialised = true;
    sample->location_count = 2;
    if (random_chance(random, 25))
        random_shape(shape, random);
    else
        snprintf(shape, sizeof shape, "%s",
                 shapes[random_below(random, sizeof shapes / sizeof shapes[0])]);
    sample->thread_count = sample_shape_threads(shape);
    unsigned pattern = random_chance(random, 55) ? 0 : random_below(random, 5);
    if (strchr(shape, 'C') && random_chance(random, 60))
        pattern = 1;
    sample_place(sample, pattern, mood->before_9_1, random);
    sample->barriers.counted = random_chance(random, strchr(shape, 'N')   ? 85
                                                     : strchr(shape, 'X') ? 55
                                                                          : 35);
    sample->barriers.count = random_chance(random, 80) ? sample->thread_count : 2;
    sample_shape(sample, shape, mood, sample_barrier, random);
}
