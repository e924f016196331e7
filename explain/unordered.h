// Why nothing orders two accesses that race.
#ifndef PTXLITMUS_EXPLAIN_UNORDERED_H
#define PTXLITMUS_EXPLAIN_UNORDERED_H

#include "explain/events.h"
#include "model/cat/model.h"
#include "solver/search.h"

struct arena;

// Returns what would order two events of an execution in which they race, and does not, as a
// sentence without a full stop, owned by the arena: a read after one that takes its value from a
// write before the other, and does not synchronise with it (faults.h); an order through different
// proxies (PTX ISA 8.6); or that no barrier or flag comes between them. `names` are what the
// sentence calls events. `nothing_heard`: in no execution of the race has one of the two threads
// read, before its access, what the other has stored after its own (explain_heard_race). NULL where
// an event is not of a thread, or nothing of this is known.
const char *unordered_why(struct arena *arena, const struct model *model,
                          const struct found_execution *execution, const struct event_names *names,
                          unsigned a, unsigned b, bool nothing_heard);

#endif
