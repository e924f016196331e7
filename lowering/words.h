// Inside lowering: the words that tables use for operations, orders and scopes.
#ifndef PTXLITMUS_LOWERING_WORDS_H
#define PTXLITMUS_LOWERING_WORDS_H

#include "lowering/lowering.h"

// A table that is built in: its name and text, from lowering/tables. The list ends with a NULL
// name.
struct builtin_lowering {
    const char *name, *text;
};
extern const struct builtin_lowering builtin_lowerings[];

// Returns an operation's word, or NULL where it has none; it lives for ever.
const char *lowering_operation_word(enum lowered_operation of);
// Returns an order's word, in the same way.
const char *lowering_order_word(enum access_order order);
// Returns a scope's word, in the same way.
const char *lowering_scope_word(enum scope scope);

// Finds the operation of a word; false when there is none.
bool lowering_find_operation(const char *word, enum lowered_operation *of);
// Finds the order of a word, in the same way.
bool lowering_find_order(const char *word, enum access_order *order);
// Finds the scope of a word, in the same way.
bool lowering_find_scope(const char *word, enum scope *scope);

// Whether a word in braces has a meaning in every table: "result", "address" and so on.
bool lowering_is_builtin_word(const char *word, size_t length);

#endif
