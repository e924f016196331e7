// The names of a cat text and what each means. Definitions are only ever added, so that a
// function can still see the names as they were when it was defined.
#ifndef PTXLITMUS_CAT_SCOPE_H
#define PTXLITMUS_CAT_SCOPE_H

#include "model/cat/syntax.h"

struct arena;
struct scope_entry;

enum value_kind {
    VALUE_ERROR, // of an expression with an error: what is built on it is not checked
    VALUE_SET,
    VALUE_RELATION,
    VALUE_EMPTY, // `0` and `{}`: a set or a relation, as the place wants
    VALUE_ANY,   // a parameter or call while a function is checked at its definition
    VALUE_FUNCTION,
    VALUE_PRIMITIVE, // a built-in function of one argument
};

struct cat_value {
    enum value_kind kind;
    unsigned node;                      // SET, RELATION
    enum node_op primitive;             // PRIMITIVE: the operator that it is another spelling of
    const struct cat_binding *function; // FUNCTION
    size_t visible; // FUNCTION: the names that its body may use: the first so many
};

struct definition {
    const char *name;
    struct cat_value value;
    size_t previous; // of the same name: its index + 1, or 0
};

struct cat_scope {
    struct arena *arena;
    struct definition *definitions;
    size_t count;
    struct scope_entry *entries; // the hash table
};

// Starts an empty scope, which the caller ends with scope_free.
void scope_init(struct cat_scope *scope, struct arena *arena);

// Frees what the scope has outside its arena.
void scope_free(struct cat_scope *scope);

// Defines `name` (borrowed) from here on, whatever it meant before.
void scope_define(struct cat_scope *scope, const char *name, struct cat_value value);

// Returns what `name` means to a text that sees the first `visible` definitions, or NULL when it is
// not defined there. The scope owns the value, until the next definition.
const struct cat_value *scope_find(const struct cat_scope *scope, const char *name, size_t visible);

#endif
