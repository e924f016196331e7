// Random tests of many sections one after the other at one location: atomics that count, and locks
// of which each holder counts, or serves tickets. From a number of sections on, the solver proves
// that they are a chain and leaves out what follows from that.
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

// What a section does at y, now and then; by the threads' numbers, who was there can be told.
static void protected(struct sample *sample, struct sample_thread *thread, unsigned number,
                      struct random *random) {
    if (random_chance(random, 30) && sample->writes[1] < 2) {
        sample_line(thread, "st.weak.global.u32 [y], %u", ++sample->writes[1]);
    } else if (random_chance(random, 40) && sample->reads[1] < 2) {
        snprintf(thread->loaded[thread->loaded_count++], sizeof thread->loaded[0], "%%r%u", number);
        sample_line(thread, "ld.weak.global.u32 %%r%u, [y]", number);
        sample->reads[1]++;
    }
}

// How the lock x is taken and left.
struct lock {
    bool exchanges;
    const char *acquire, *release, *scope;
};

// A section of a lock that is free when it is 0.
static void section(struct sample *sample, struct sample_thread *thread, const struct lock *lock,
                    struct random *random) {
    unsigned number = thread->next_register++;
    sample_line(thread, "T%u: atom.%s.%s.global.%s %%t%u, [x], %s", number, lock->acquire,
                lock->scope, lock->exchanges ? "exch.b32" : "cas.b32", number,
                lock->exchanges ? "1" : "0, 1");
    sample_line(thread, "setp.ne.b32 %%p%u, %%t%u, 0", number, number);
    sample_line(thread, "@%%p%u bra T%u", number, number);
    protected(sample, thread, number, random);
    sample_line(thread, "st.%s.%s.global.u32 [x], 0", lock->release, lock->scope);
    sample->writes[0]++;
}

// Under 6.0 the oracle takes very long to try what a lock does not order.
static void locks(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    enum { SECTIONS = 6 };
    unsigned right = mood->before_9_1 ? 100 : 80;
    struct lock lock = {.exchanges = random_chance(random, 30),
                        .acquire = random_chance(random, right) ? "acquire" : "relaxed",
                        .release = random_chance(random, right) ? "release" : "relaxed",
                        .scope = mood->before_9_1            ? "sys"
                                 : random_chance(random, 80) ? "gpu"
                                                             : "cta"};
    unsigned first = 3 + random_below(random, 3);
    sample->thread_count = 2;
    for (unsigned i = 0; i < SECTIONS; i++)
        section(sample, &sample->thread[i >= first], &lock, random);
}

// Waits until y is the ticket that the thread has drawn.
static void wait_for_ticket(struct sample_thread *thread, unsigned ticket, const char *acquire,
                            char name) {
    sample_line(thread, "%c%u: ld.%s.gpu.global.u32 %%%c%u, [y]", name, ticket, acquire, name,
                ticket);
    sample_line(thread, "setp.ne.u32 %%p%u, %%%c%u, %%t%u", ticket, name, ticket, ticket);
    sample_line(thread, "@%%p%u bra %c%u", ticket, name, ticket);
}

static void serve_next(struct sample *sample, struct sample_thread *thread, unsigned ticket,
                       const char *release, char name) {
    sample_line(thread, "add.u32 %%%c%u, %%%c%u, 1", name, ticket, name, ticket);
    sample_line(thread, "st.%s.gpu.global.u32 [y], %%%c%u", release, name, ticket);
    sample->writes[1]++;
}

// Four tickets are drawn from x; whoever's turn it is, by y, serves the next one, some of them
// twice: they wait two times and find the same.
static void tickets(struct sample *sample, struct random *random) {
    enum { TICKETS = 4 };
    unsigned twice = 3u << random_below(random, TICKETS - 1); // six sections, enough for a proof
    const char *acquire = random_chance(random, 70) ? "acquire" : "relaxed";
    const char *release = random_chance(random, 70) ? "release" : "relaxed";
    sample->thread_count = 2;
    for (unsigned i = 0; i < TICKETS; i++) {
        struct sample_thread *thread = &sample->thread[i >= TICKETS / 2];
        unsigned ticket = thread->next_register++;
        sample_line(thread, "atom.relaxed.gpu.global.add.u32 %%t%u, [x], 1", ticket);
        sample->writes[0]++;
        snprintf(thread->loaded[thread->loaded_count++], sizeof thread->loaded[0], "%%t%u", ticket);
        wait_for_ticket(thread, ticket, acquire, 'U');
        if (twice >> i & 1)
            wait_for_ticket(thread, ticket, acquire, 'V');
        serve_next(sample, thread, ticket, release, 'U');
        if (twice >> i & 1)
            serve_next(sample, thread, ticket, release, 'V');
    }
}

void sample_sections(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    sample->location_count = 2;
    if (random_chance(random, 50))
        counters(sample, random);
    else if (random_chance(random, 40))
        tickets(sample, random);
    else
        locks(sample, mood, random);
}
