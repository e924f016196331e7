// States of results as texts that can be compared, and sets of texts.
#ifndef PTXLITMUS_CLI_PRINT_STATES_H
#define PTXLITMUS_CLI_PRINT_STATES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;
struct record_outcomes;
struct state_value;
struct text_set;

// The names that are compared, in their order.
struct state_columns {
    const char **names;
    const char **shown; // in their places in texts; NULL: the names
    size_t count;
};

// Returns a state of these outcomes as "P1:%r0=1, x=2", owned by the arena: all of it, or with
// `columns` their values. An unknown value is "?". NULL when a column is missing.
const char *state_text(struct arena *arena, const struct record_outcomes *outcomes,
                       const struct state_value *state, const struct state_columns *columns);

// Returns a state in the JSON of results as such a text, owned by the arena.
const char *state_text_json(struct arena *arena, const json_t *state);

// Returns an empty set of texts, which text_set_free releases; the arena owns it.
struct text_set *text_set_new(struct arena *arena);

// Adds a text, which lives as long as the set, unless the set has it. Returns whether it had not.
bool text_set_add(struct text_set *set, const char *text);

// Releases a set.
void text_set_free(struct text_set *set);

// Whether the set has this text.
bool text_set_has(const struct text_set *set, const char *text);

// Returns the texts of a set, `*count` of them in the order in which they were added; borrowed.
const char *const *text_set_texts(const struct text_set *set, size_t *count);

#endif
