// What events do in an execution, in words: "reads flag = 1 from P0:1".
#ifndef PTXLITMUS_CHECK_TEXT_DEEDS_H
#define PTXLITMUS_CHECK_TEXT_DEEDS_H

#include "check/text/values.h"
#include "explain/events.h"
#include "solver/search.h"

#include <stdbool.h>

struct arena;

// Returns what an event does in an execution, "reads flag = 1", "arrives", owned by the arena; NULL
// for fences that are instructions.
const char *deed_text(struct arena *arena, const struct found_execution *execution, unsigned event,
                      enum value_style style);

// Returns where a read takes its bytes from, " from P0:1", ", the initial value", owned by the
// arena; "" for other events. `names` are those of the execution's program.
const char *deed_sources(struct arena *arena, const struct found_execution *execution,
                         const struct event_names *names, unsigned event);

// The state of an mbarrier, of the 64 bits that ptxlitmus keeps it in.
struct deed_state {
    bool is_there; // it is initialised
    unsigned phase, pending, expected;
    int bytes;       // transactions that are awaited
    unsigned layout; // of .layout::v0 or .layout::v1
};

// Returns the parts of such a state.
struct deed_state deed_state(uint64_t state);

// Returns the state of an mbarrier in words, "phase 1 (1 of 2 arrivals pending)", with its
// layout unless that is v0, owned by the arena.
const char *deed_mbarrier(struct arena *arena, uint64_t state);

// Returns what a tensormap says, as its declaration would, "g, {8, 4}, {4, 1}", owned by the arena;
// NULL where all that it holds is an address.
const char *deed_map(struct arena *arena, const struct program *program, uint64_t held);

#endif
