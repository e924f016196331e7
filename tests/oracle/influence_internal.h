// What influence.c shares with influence_lanes.c: runs of a thread with other values.
#ifndef PTXLITMUS_ORACLE_INFLUENCE_INTERNAL_H
#define PTXLITMUS_ORACLE_INFLUENCE_INTERNAL_H

#include "tests/oracle/influence.h"

enum { ASSIGNMENTS = 48, POOL_MAX = 48, FLIPS = 8 };

// An event of a thread, whatever path it is on; or, with `arrivals`, how often it arrives at a
// barrier before it ends.
struct key {
    enum action action;
    unsigned instruction, turn, element;
    bool counts;
    struct arrivals arrivals;
};

// Values for all reads: that of the read in question, and for the others those of the path or, by
// number, others.
struct assignment {
    const struct influence *influence;
    const struct path *path;
    struct key read;
    struct value value;
    unsigned number;
    bool all_pass; // barriers let the thread pass
    u128 pool[POOL_MAX];
    unsigned pool_count;
};

// The key of a step; whether two are the same; and the step of a path with a key, or NULL.
struct key influence_key(const struct step *step);
bool influence_same_key(struct key a, struct key b);
const struct step *influence_find(const struct path *path, struct key key);

// How many bits the value of a step has that gives its thread one.
unsigned influence_width(const struct step *step);

// A number that follows from two.
uint64_t influence_mix(uint64_t a, uint64_t b);

// Fills the pool of an assignment, and draws a value, from the pool or any.
void influence_fill_pool(struct assignment *assignment);
u128 influence_choose(const struct assignment *assignment, uint64_t seed);

// Answers what a thread asks, by an assignment; for a supplier.
bool influence_answer(void *context, const struct path *path, enum question question,
                      struct value *value);

// Whether an event is another one in two runs.
bool influence_differs(const struct path *x, const struct path *y, struct key event);

// Makes room for a path of a thread with so many registers, and gives it back.
void influence_allocate(struct path *path, size_t registers);
void influence_free_path(struct path *path);

#endif
