// Whether what a read returned can make a difference to a later event of its thread (memory-model:
// semantic dependencies), by running the thread again with other values.
#ifndef PTXLITMUS_ORACLE_INFLUENCE_H
#define PTXLITMUS_ORACLE_INFLUENCE_H

#include "tests/oracle/warp.h"

// What is known of a thread so far. Start with zeros; influence_free releases it.
struct influence {
    const struct memory *memory;
    int thread;
    struct thread_options options;
    const int *owners; // by object: the only thread that accesses it, or -1
    struct known_influence *known;
    size_t known_count;
    size_t *buckets; // one more than the index of the last one found with a hash, or 0
};

void influence_free(struct influence *influence);

// What a read finds in memory that no other thread accesses: each byte is that of its last write in
// program order, since base causality orders what a thread does to one address.
struct value influence_own_value(const struct memory *memory, const struct path *path,
                                 const struct step *read);

// Which arrivals of a thread at a barrier are meant: those of a kind (that of bar, of the cluster's
// barrier or of a warp's) with its number.
struct arrivals {
    enum barrier_kind kind;
    uint64_t id;
};

// How many arrivals of a path these are.
unsigned influence_count_arrivals(const struct path *path, struct arrivals arrivals);

// The kind of a barrier step: SYNC for all of bar, CLUSTER_ARRIVE for all of barrier.cluster.
enum barrier_kind influence_barrier_kind(const struct step *step);

// The steps of a path that decide how often the thread arrives there before it ends, and whether it
// ends (memory-model: exits and thin air).
uint64_t influence_on_arrival(struct influence *influence, const struct path *path,
                              struct arrivals arrivals);

// The steps of a path that each of its steps depends on, as sets in `depends` (path->count of
// them): "two values of that read, with the values of all other reads the same, make a difference
// to it: to whether it executes, to its address where it executes, or to what it writes there".
// Reads of .local and .param memory are none; what they return is found in the thread.
void influence_of_path(struct influence *influence, const struct path *path, uint64_t *depends);

// The threads of a candidate, whose lanes give each other values in some phases.
struct lanes {
    struct influence *influence;          // by thread
    const struct path *path[THREADS_MAX]; // by thread
    const uint64_t *depends[THREADS_MAX]; // by thread: what influence_of_path has found
    unsigned first[THREADS_MAX];          // by thread: the event of its first step
    unsigned thread_count;
    int thread[EVENTS_MAX];   // by event
    uint64_t met[EVENTS_MAX]; // by wait of an exchange: the arrivals of its phase; of others 0
};

// What was found of lanes, kept for later questions: start with zeros.
struct known_lanes {
    struct known_lane *items;
    size_t count;
};

void influence_free_lanes(struct known_lanes *known);

// Whether the result of an exchange can make a difference to an event. Sets `alone` to such results
// and reads of the event's thread that it depends on while the results may be anything.
bool influence_uses_lanes(const struct lanes *lanes, unsigned event, uint64_t *alone);

// The reads, of all threads, that such an event depends on: "its value can still make a difference
// to that, through the values that are passed on, in the executions in which both lanes are in that
// phase". All lanes are run again with other values, in the same phases.
uint64_t influence_of_lanes(struct known_lanes *known, const struct lanes *lanes, unsigned event);

#endif
