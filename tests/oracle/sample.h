// A random litmus test in the making, as text by pieces.
#ifndef PTXLITMUS_ORACLE_SAMPLE_H
#define PTXLITMUS_ORACLE_SAMPLE_H

#include "tests/oracle/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    SAMPLE_THREADS = 4,
    SAMPLE_LINES = 48,
    SAMPLE_LINE = 96,
    SAMPLE_LOCATIONS = 3,
    SAMPLE_LOADS = 12,
};

enum sample_kind { SAMPLE_MIXED, SAMPLE_SHAPES, SAMPLE_FREE };

struct sample_options {
    uint64_t seed;
    enum sample_kind kind;
    bool before_9_1; // no cluster scope, no one-directional fences
    uint64_t cap;    // candidates that a test may have at most, by sample_cost
};

struct sample_thread {
    unsigned cta, cluster, gpu;
    bool has_cluster;
    char line[SAMPLE_LINES][SAMPLE_LINE]; // statements without ';'
    unsigned line_count;
    char loaded[SAMPLE_LOADS][16]; // registers that hold what was read, in order
    unsigned loaded_count;
    unsigned next_register;
};

struct sample {
    char name[32];
    struct sample_thread thread[SAMPLE_THREADS];
    unsigned thread_count;
    unsigned bits;                      // width of every variable and register of the test
    const char *type[SAMPLE_LOCATIONS]; // of each variable: "u32"
    unsigned initial[SAMPLE_LOCATIONS];
    unsigned location_count;
    bool is_array;                     // the locations are elements of one array
    unsigned writes[SAMPLE_LOCATIONS]; // so far
    unsigned reads[SAMPLE_LOCATIONS];
    unsigned sc_fences;
};

// Makes the `index`-th test of a seed: always the same one.
void sample_make(struct sample *sample, const struct sample_options *options, uint64_t index);

// An upper estimate of the candidate executions: rf times orders of writes and of fence.sc.
uint64_t sample_cost(const struct sample *sample);

// Adds a statement to a thread; printf.
void sample_line(struct sample_thread *thread, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Writes the whole test: declarations, threads in table or block form, a condition over every
// loaded register. Which form and which condition is up to `random`.
void sample_print(const struct sample *sample, struct random *random, FILE *file);

// --- Between sample.c and access.c ---------------------------------------------------------------

// What a test leans to, so that tests are not all equally mixed.
struct sample_mood {
    unsigned strong;  // percent of accesses that are strong
    unsigned release; // percent of strong accesses that acquire or release
    unsigned atomic;  // percent of accesses that are atom or red
    unsigned fence;   // percent of gaps with a fence
    unsigned sc;      // percent of fences that are sc
    unsigned depend;  // percent of accesses that depend on an earlier load
    unsigned scope;   // the usual scope, an index into scopes; most accesses use it
    bool before_9_1;
};

enum sample_direction { SAMPLE_READ, SAMPLE_WRITE, SAMPLE_RED };

// Adds one access (a load or an atom to read, a store, an atom or a red to write) or one fence to a
// thread.
void sample_access(struct sample *sample, struct sample_thread *thread,
                   enum sample_direction direction, unsigned location,
                   const struct sample_mood *mood, struct random *random);
void sample_fence(struct sample *sample, struct sample_thread *thread,
                  const struct sample_mood *mood, struct random *random);

#endif
