// All cycles of some edges.
#ifndef PTXLITMUS_GENERATE_ENUMERATE_H
#define PTXLITMUS_GENERATE_ENUMERATE_H

#include "generate/cycle.h"

// What cycles are made of.
struct enumeration {
    const struct edge *edges; // may leave open what their ends are ('*')
    size_t edge_count;
    const struct mark *marks; // that an access may have; at least one, which may be empty
    size_t mark_count;
    const enum nearness *nearness; // of external edges that do not say; at least one
    size_t nearness_count;
    size_t size_min, size_max; // edges of a cycle, at most CYCLE_EDGES_MAX
};

// Calls `take` for each cycle, resolved: each once, not for each edge at which it may begin,
// shorter ones first. Left out are cycles that say no more than a shorter one does:
//
// - program order, a fence or a dependency directly after another one (they compose);
// - a communication after another one, but for Coe Rfe and Fre Rfe (Rfe Fre is a Coe, and so on);
// the
//   same inside a thread;
// - those that do not make a test (cycle_resolve).
//
// Ends when `take` returns false. Returns whether it did not.
bool enumerate_cycles(const struct enumeration *enumeration,
                      bool (*take)(void *context, const struct cycle *cycle), void *context);

#endif
