// Why a pair of events is not in a relation of the model, in an execution that is explained; and
// which axiom comes closest to excluding an execution that none excludes.
#ifndef PTXLITMUS_EXPLAIN_WHY_NOT_H
#define PTXLITMUS_EXPLAIN_WHY_NOT_H

#include "explain/explain.h"

// A pair that was asked about.
struct why_not {
    const char *relation;
    const struct found_execution *execution;
    unsigned a, b;
    bool holds;             // the pair is in the relation after all
    bool is_enough;         // with what the steps miss it would be, as has been evaluated
    bool by_strength;       // orders, scopes and fences could put it there
    struct step_list steps; // one: the pair, and below it why
};

// Looks for a pair in the execution of an explanation: its example, or the first of those that
// break an axiom. `words` are a relation of the model, by its name in the text, and two events, by
// the names that explanations give them. Returns NULL, or what is wrong with them as a sentence.
// `*result` and the sentence live in `arena`.
const char *why_not_find(struct arena *arena, const struct explanation *explanation,
                         const char *const words[3], const struct why_not **result);

// Finds the axiom that is nearest to excluding an execution: the one for which the fewest orders,
// scopes and fences are missing. Sets what it lacks. NULL where these do not suffice for any, or
// the execution is too large.
const struct model_axiom *why_not_nearest(struct arena *arena, const struct model *model,
                                          const struct found_execution *execution,
                                          const struct event_names *names, struct step_list *steps);

// Returns what a newcomer has to know of what the nearest axiom lacks, which the arena owns: where
// it lacks fence.sc, why releases and acquires do not do. NULL where the steps say enough. `names`
// are those of their events.
const char *why_not_note(struct arena *arena, const struct event_names *names,
                         const struct step_list *steps);

// Returns the sentences of what the nearest axiom lacks, those that have nothing below them, joined
// by "; ", which the arena owns; "" for none.
const char *why_not_gist(struct arena *arena, const struct step_list *steps);

#endif
