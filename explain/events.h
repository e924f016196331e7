// What explanations call events.
#ifndef PTXLITMUS_EXPLAIN_EVENTS_H
#define PTXLITMUS_EXPLAIN_EVENTS_H

#include "program/program.h"

#include <stdbool.h>

struct arena;

// By event of a program: its name, unique in the program. "P1:0" is the first instruction of P1
// that makes events, as it is executed; of one that makes several, "P1:0.read", "P1:0.write",
// "P1:0.arrive", "P1:0.wait", or "P1:0.1" for the second element of a vector. "init:x" is the
// initial write of x.
struct event_names {
    const char **items;
    size_t count;
    const char **threads; // by thread: "P1", or what else it is called
};

// Returns the names of all events of a program; the arena owns them.
struct event_names event_names_new(struct arena *arena, const struct program *program);

// Returns the event of that name, -1 when there is none.
int event_names_find(const struct event_names *names, const char *name);

// Returns what the memory that an access or a fence's range touches is called: "x", "x[1]" or
// "x+2 of 4 bytes"; owned by the arena. `place` is where it is.
const char *event_place_name(struct arena *arena, const struct program *program,
                             const struct event *event, const struct candidate *place);

#endif
