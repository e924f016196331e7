// The checker: types of cat expressions, what names mean, and the nodes that expressions
// become.
#ifndef PTXLITMUS_CAT_CHECK_H
#define PTXLITMUS_CAT_CHECK_H

#include "model/cat/graph.h"
#include "model/cat/scope.h"

// A call that is being expanded, or a function that is being checked where it is defined.
struct check_frame {
    const struct cat_binding *function;
    const struct cat_value *arguments;
    size_t visible;              // definitions that the body sees
    const struct cat_expr *call; // NULL at the definition
    const struct check_frame *caller;
};

// The variants that are chosen, and those that the text tests.
struct variants {
    const char *const *chosen;
    size_t chosen_count;
    const char **tested; // each once
    size_t tested_count;
};

struct checker {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct graph graph;
    struct cat_scope scope;
    const struct check_frame *frame; // NULL outside functions
    struct variants variants;
    unsigned depth;  // of the expression, through calls
    size_t expanded; // expressions checked inside calls, over the whole text
};

// Whether the variant is one of the `count` names.
bool variants_have(const char *const *names, size_t count, const char *name);

// Checks an expression and adds its nodes to the graph. Returns its value; VALUE_ERROR after errors
// in the diagnostics. The types are those of model/README.md.
struct cat_value check_expr(struct checker *checker, const struct cat_expr *expr);

// As check_expr, but the expression must be a set or a relation: `kind`, or either of them when
// `kind` is VALUE_ANY. `user` names in messages what requires it. Sets `*node`; returns false after
// errors.
bool check_wanted(struct checker *checker, const struct cat_expr *expr, enum value_kind kind,
                  const char *user, unsigned *node);

// Returns the value of a function after checking its body with parameters that may be anything.
struct cat_value check_function(struct checker *checker, const struct cat_binding *binding);

#endif
