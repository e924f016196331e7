// Why threads that communicate in an execution do not synchronise: the words at fault.
#ifndef PTXLITMUS_EXPLAIN_FAULTS_H
#define PTXLITMUS_EXPLAIN_FAULTS_H

#include "explain/events.h"
#include "model/cat/model.h"
#include "solver/search.h"

#include <stddef.h>

struct arena;

// A pair of events that is not in a relation of the model, with the reason.
struct sync_fault {
    const char *relation; // "ms", "sync"
    unsigned a, b;
    const char *sentence; // owned by the arena
};

struct sync_faults {
    struct sync_fault *items;
    size_t count;
};

// Finds for each read that takes its value from another thread, and for each two fence.sc of
// different threads, why they do not synchronise; nothing of those that do, and nothing under a
// model that is not built in. The arena owns the list.
struct sync_faults faults_find(struct arena *arena, const struct model *model,
                               const struct found_execution *execution,
                               const struct event_names *names);

// Returns why two events of threads are not morally strong, with the sections of the ISA: "P0:1 is
// weak (PTX ISA 8.4)". The arena owns it.
const char *faults_of_strength(struct arena *arena, const struct found_execution *execution,
                               const struct event_names *names, unsigned a, unsigned b);

#endif
