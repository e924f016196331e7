// A module as JSON, and what its printers share: counts, and what is not modelled, by reason.
#ifndef PTXLITMUS_CHECK_PRINT_MODULE_H
#define PTXLITMUS_CHECK_PRINT_MODULE_H

#include "litmus/readers/module/module.h"

#include <stdio.h>

struct arena;

// Prints a module as one object on a line; with `only`, of the functions that one alone.
void print_module_json(FILE *out, struct arena *arena, const struct module *module,
                       const struct module_function *only);

// Instructions that are not modelled for one reason, under one opcode.
struct missing_group {
    const struct module_statement *first;
    const char *why;
    bool matters;
    size_t count;
};

// Those of a function, in its order.
struct missing_group *missing_groups(struct arena *arena, const struct module_function *function,
                                     size_t *count);

// Whether a statement is one that `inspect` lists: an access, a fence, a barrier, a call and their
// like.
bool statement_is_listed(const struct module_statement *statement);

// How many of a function's statements are of each kind.
struct kind_counts {
    size_t of[MODULE_KIND_COUNT];
};

// Counts the statements of a function by kind.
struct kind_counts count_kinds(const struct module_function *function);

// The bytes of dynamic shared memory apart, the size of a variable: "16 bytes"; and its declaration
// in short.
const char *variable_text(struct arena *arena, const struct module_variable *variable);

#endif
