// What is known about single events and pairs of them before the solver decides anything: the base
// sets, and bounds of the base relations.
//
// "must" and "may" of a pair are about executions in which both of its events execute: a pair in
// `must` holds in all of those, a pair outside `may` in none. A pair never holds when one of its
// events does not execute.
#ifndef PTXLITMUS_SOLVER_BOUNDS_FACTS_H
#define PTXLITMUS_SOLVER_BOUNDS_FACTS_H

#include "program/program.h"
#include "model/cat/model.h"

#include <stdbool.h>

struct arena;

struct facts {
    const struct program *program;
    unsigned n;
    bool all_execute;                      // every event executes in every execution
    struct event_set always;               // events that do
    struct relation together;              // both may execute in one execution
    struct relation implies;               // the second executes whenever the first does
    struct event_set sets[BASE_SET_COUNT]; // exact: membership never depends on an execution
    struct relation may[BASE_REL_COUNT];
    struct relation must[BASE_REL_COUNT];
};

// Collects the facts of a program; the arena owns the result.
struct facts *facts_new(struct arena *arena, const struct program *program);

// Whether a memory event may touch a cell.
bool facts_touches(const struct event *event, unsigned cell);

// Whether two candidates share a byte of physical memory.
bool facts_candidates_overlap(const struct candidate *a, const struct candidate *b);

// Whether accesses at two candidates have the same first and last byte of one virtual range.
bool facts_candidates_same_extent(const struct event *a, const struct candidate *a_at,
                                  const struct event *b, const struct candidate *b_at);

// Whether a proxy or restricted fence applies to an access at `at` (cat's `applies-to`); `range` is
// the place that the fence names, NULL when it names none.
bool facts_fence_applies(const struct program *program, const struct event *fence,
                         const struct candidate *range, const struct candidate *at);

// Whether two values may be equal: not those of two different constants.
bool facts_may_equal(const struct expr *a, const struct expr *b);

// Whether two barrier events may be at one barrier.
bool facts_may_share_barrier(const struct event *a, const struct event *b);

// Whether the thread counts of two arrivals are equal in every execution.
bool facts_counts_are_equal(const struct event *a, const struct event *b);

// Whether an event is in M: a read, a write or an initial write.
static inline bool facts_is_memory(const struct event *event) {
    return event->kind == EVENT_INIT || event->kind == EVENT_READ || event->kind == EVENT_WRITE;
}

// Whether an event is in W: a write or an initial write.
static inline bool facts_is_write(const struct event *event) {
    return event->kind == EVENT_INIT || event->kind == EVENT_WRITE;
}

#endif
