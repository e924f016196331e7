// The edges of a cycle: from one access to the next, as diy7 names them.
#ifndef PTXLITMUS_GENERATE_EDGE_H
#define PTXLITMUS_GENERATE_EDGE_H

#include "litmus/source/source.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diagnostics;

// What an access does. ACCESS_ANY: what the edges beside it say.
enum access_kind { ACCESS_ANY, ACCESS_READ, ACCESS_WRITE };

// How near the threads of an edge are: the smallest of these that has both.
enum nearness { NEAR_UNSAID, NEAR_CTA, NEAR_CLUSTER, NEAR_GPU, NEAR_SYSTEM };

enum edge_kind {
    EDGE_RF, // the read returns what the write wrote
    EDGE_FR, // the read returns what the write overwrites
    EDGE_CO, // the second write overwrites the first
    EDGE_PO, // program order, with nothing between
    EDGE_ADDR,
    EDGE_DATA,
    EDGE_CTRL,  // dependencies
    EDGE_FENCE, // `between` is between them
    EDGE_BAR,   // both threads wait at a barrier, one after its access and one before
    EDGE_RMW,   // one instruction
};

struct edge {
    enum edge_kind kind;
    bool is_external;          // leads to another thread
    bool is_same;              // both accesses are to one location
    enum access_kind from, to; // what they do
    enum nearness nearness;    // of external ones
    const char *between;       // the instruction of EDGE_FENCE
    const char *word;          // as it is written, which is in the names of tests
    struct span span;          // where it is written; no source for an edge made from a wildcard
};

// Reads an edge from the word at a span. The grammar:
//
//     edge    = ("Rf" | "Fr" | "Co" | "Ws") ("i" | "e" ["." near])      communication
//             | "Po" ("s" | "d") access access                          program order
//             | ("DpAddr" | "DpData" | "DpCtrl") ["s" | "d"] [access]   dependency of a read
//             | ("Fence." kind "." scope | "ProxyFence." kind) [ends]
//             | "BarSync" [ends] | "Rmw"
//     ends    = "." ("s" | "d") access access
//     access  = "R" | "W" | "*"
//     near    = "cta" | "cluster" | "gpu" | "sys"
//
// Without ends, an edge is between accesses of any kind to different locations; "Ws" is another
// word for "Co" (diy7 has both). False after an error in `diagnostics`. The arena owns the texts.
bool edge_read(struct arena *arena, struct span span, struct edge *edge,
               struct diagnostics *diagnostics);

// Returns the edge's word with what its ends are: "PodWR" of "Pod**". The arena owns it.
const char *edge_word(struct arena *arena, const struct edge *edge);

// Returns "cta", "cluster", "gpu" or "sys".
const char *nearness_word(enum nearness nearness);

// Reads such a word; returns NEAR_UNSAID when it is another one.
enum nearness nearness_read(const char *text, size_t length);

#endif
