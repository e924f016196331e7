// States in the JSON of results, as texts that can be compared.
#ifndef PTXLITMUS_CLI_PRINT_STATES_H
#define PTXLITMUS_CLI_PRINT_STATES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;
struct state_set;

// The names that are compared, in their order.
struct state_columns {
    const char **names;
    const char **shown; // in their places in texts; NULL: the names
    size_t count;
};

// Returns a state as "P1:%r0=1, x=2", owned by the arena: all of it, or the values of the columns.
// An unknown value is "?". NULL when a column is missing.
const char *state_text(struct arena *arena, const json_t *state,
                       const struct state_columns *columns);

// Returns the set of such texts of an array of states, which state_set_free releases; the arena
// owns the texts.
struct state_set *state_set_new(struct arena *arena, const json_t *states,
                                const struct state_columns *columns);

// Adds a text, which the arena owns, unless the set has it.
void state_set_add(struct state_set *set, struct arena *arena, const char *text);

// Releases a set.
void state_set_free(struct state_set *set);

// Whether the set has this text.
bool state_set_has(const struct state_set *set, const char *text);

#endif
