// Random tests of many sections one after the other at one location: atomics that count, and locks
// of which each holder counts. From a number of sections on, the solver proves that they are a
// chain and leaves out what follows from that.
#include "tests/oracle/sample.h"

#include <string.h>

// All threads count x: the same step, or sometimes another one; some look at y or write it between.
static void counters(struct sample *sample, struct random *random) {
    unsigned left = 4;
    unsigned usual = 1 + random_below(random, 2);
    bool odd = random_chance(random, 25); // one of them counts by another step
    sample->thread_count = 2 + random_below(random, 2);
    for (unsigned t = 0; t < sample->thread_count; t++) {
        struct sample_thread *thread = &sample->thread[t];
        unsigned threads_left = sample->thread_count - t;
        unsigned own = threads_left == 1 ? left : 1 + random_below(random, left - threads_left + 1);
        if (own > 3)
            own = 3;
        for (unsigned i = 0; i < own; i++) {
            const char *order = random_chance(random, 60)   ? "relaxed"
                                : random_chance(random, 50) ? "acq_rel"
                                                            : "release";
            unsigned step = odd && t == 0 && i == 0 ? 3 : usual;
            char *name = thread->loaded[thread->loaded_count++];
            snprintf(name, sizeof thread->loaded[0], "%%r%u", thread->next_register++);
            sample_line(thread, "atom.%s.gpu.global.add.u32 %s, [x], %u", order, name, step);
            sample->writes[0]++;
            if (random_chance(random, 25) && sample->writes[1] < 1) {
                sample_line(thread, "st.relaxed.gpu.global.u32 [y], %u", t + 1);
                sample->writes[1]++;
            } else if (random_chance(random, 25) && sample->reads[1] < 1) {
                name = thread->loaded[thread->loaded_count++];
                snprintf(name, sizeof thread->loaded[0], "%%r%u", thread->next_register++);
                sample_line(thread, "ld.relaxed.gpu.global.u32 %s, [%s]", name,
                            random_chance(random, 70) ? "y" : "x");
                sample->reads[1]++;
            }
        }
        left -= own;
        if (left == 0)
            sample->thread_count = t + 1;
    }
}

// A lock x that is free when it is 0, taken by cas or exch; its holder counts y and may look at z.
static void section(struct sample *sample, struct sample_thread *thread, bool weak,
                    struct random *random) {
    unsigned number = thread->next_register++;
    bool exchanges = random_chance(random, 30);
    const char *acquire = weak ? "relaxed" : "acquire", *release = weak ? "relaxed" : "release";
    sample_line(thread, "T%u: atom.%s.gpu.global.%s %%t%u, [x], %s", number, acquire,
                exchanges ? "exch.b32" : "cas.b32", number, exchanges ? "1" : "0, 1");
    sample_line(thread, "setp.ne.b32 %%p%u, %%t%u, 0", number, number);
    sample_line(thread, "@%%p%u bra T%u", number, number);
    sample_line(thread, "ld.weak.global.u32 %%r%u, [y]", number);
    sample_line(thread, "add.u32 %%r%u, %%r%u, 1", number, number);
    sample_line(thread, "st.weak.global.u32 [y], %%r%u", number);
    sample_line(thread, "st.%s.gpu.global.u32 [x], 0", release);
    sample->writes[0]++;
}

static void locks(struct sample *sample, struct random *random) {
    bool weak = random_chance(random, 20);
    sample->thread_count = 2;
    sample->location_count = 2;
    for (unsigned t = 0; t < 2; t++)
        for (unsigned i = 0; i < 3; i++)
            section(sample, &sample->thread[t], weak, random);
}

void sample_sections(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    (void)mood;
    sample->location_count = 2;
    if (random_chance(random, 100))
        counters(sample, random);
    else
        locks(sample, random);
}
