// What is missing, in words.
#ifndef PTXLITMUS_EXPLAIN_LACKS_H
#define PTXLITMUS_EXPLAIN_LACKS_H

#include "explain/miss.h"
#include "explain/steps.h"

// What the writing of it needs; everything is borrowed.
struct lack_writer {
    const struct step_writer *steps;
    struct miss_finder *finder;
    struct prover *prover;  // of the same execution
    struct step_list *told; // empty at first: what is missing is told once
};

// Adds the steps of a miss to a list: what holds on the way, a sentence each, and what is missing,
// with what that consists of below it.
void lacks_add(const struct lack_writer *writer, const struct miss *miss, struct step_list *list);

// Whether a relation that a built-in text defines has a sentence for pairs that are not in it.
bool lacks_has_words(const char *name);

// The same, with a sentence for the pair itself, of events that execute, whatever its node is.
// `name` is the relation's.
void lacks_add_named(const struct lack_writer *writer, const struct miss *miss, const char *name,
                     struct step_list *list);

#endif
