// A cycle of edges, and the accesses, threads and values that it stands for.
#ifndef PTXLITMUS_GENERATE_CYCLE_H
#define PTXLITMUS_GENERATE_CYCLE_H

#include "generate/edge.h"

enum { CYCLE_EDGES_MAX = 16 };

// How an access is written where it is not as all others are.
struct mark {
    const char *order; // "release.gpu", "weak"; NULL: as all others
    const char *view;  // "texture", "alias": by which other name it accesses its location; or NULL
    struct span span;  // where it is written, no source where it was not
};

struct cycle_event {
    enum access_kind kind; // not ACCESS_ANY
    unsigned thread, location;
    unsigned value;  // that it reads or writes
    bool is_checked; // a read whose value belongs to the outcome
};

struct cycle {
    size_t count;                           // of edges, and of events
    struct edge edges[CYCLE_EDGES_MAX];     // from event i to event i + 1, the last one to event 0
    struct mark marks[CYCLE_EDGES_MAX + 1]; // by event, and one more while it is read
    // What follows from these (cycle_resolve).
    struct cycle_event events[CYCLE_EDGES_MAX];
    unsigned thread_count, location_count;
    unsigned writes[CYCLE_EDGES_MAX]; // by location: how many
    bool is_ordered[CYCLE_EDGES_MAX]; // by location: an edge is about the order of its writes
    unsigned ctas[CYCLE_EDGES_MAX], clusters[CYCLE_EDGES_MAX], gpus[CYCLE_EDGES_MAX]; // by thread
    bool has_clusters; // some threads of different CTAs are in one cluster
};

// Reads a cycle: edges, and between them marks of the access there, separated by blanks. The
// grammar:
//
//     cycle = (mark* edge)+ mark*
//     mark  = order ["." scope] ["@" view] | "@" view
//     order = "weak" | "relaxed" | "acquire" | "release" | "volatile"
//     view  = "alias" | "async" | "texture" | "surface" | "constant"
//
// False after errors in `diagnostics`. The arena owns the texts.
bool cycle_read(struct arena *arena, struct span span, struct cycle *cycle,
                struct diagnostics *diagnostics);

// Reads one mark: `text` is a word at a span. False after an error.
bool mark_read(struct arena *arena, struct span span, struct mark *mark,
               struct diagnostics *diagnostics);

// Turns the cycle so that its first event begins a thread, and finds the accesses, their threads,
// locations, values and places. Edges that do not say how near their threads are get `nearness`.
// False when there is no such test: after an error in `diagnostics`, which may be NULL.
//
// A location has at most two writes, since the outcome shows only the last one.
bool cycle_resolve(struct cycle *cycle, enum nearness nearness, struct diagnostics *diagnostics);

// Turns the cycle by one edge.
void cycle_turn(struct cycle *cycle);

// Whether the edge between event i and the next one is of a thread's own.
bool cycle_is_internal(const struct cycle *cycle, size_t i);

#endif
