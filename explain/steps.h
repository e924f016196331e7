// Proofs in words.
#ifndef PTXLITMUS_EXPLAIN_STEPS_H
#define PTXLITMUS_EXPLAIN_STEPS_H

#include "explain/events.h"
#include "explain/prove.h"

struct arena;

// A remark. Of a pair in a relation of the model, that pair.
struct explained_note {
    const char *text;
    bool has_pair;
    unsigned node, a, b;
};

// Sentences in order, and remarks that belong to none of them.
struct step_list {
    struct explained_step *items;
    size_t count;
    struct explained_note *notes;
    size_t note_count;
};

// A sentence about two events of an execution, and what it follows from.
struct explained_step {
    unsigned a, b;
    unsigned node;          // of the model: the relation that the pair is in
    bool lacks;             // or is not in, as it would have to be
    const char *missing;    // the fence that is not there between a and b, "fence.sc"; or NULL
    const char *sentence;   // without a full stop
    const char *section;    // of the PTX ISA, or ""
    const char *origin;     // of what a user's model defines: "my.cat:12: let sync = ..."; or NULL
    struct step_list below; // from which it follows, none for a fact; and what holds besides
};

// What turning proofs into words needs; everything is borrowed.
struct step_writer {
    struct arena *arena; // that owns what is made
    const struct model *model;
    const struct found_execution *execution;
    const struct event_names *names;
};

// Adds a step to a list.
void steps_append(const struct step_writer *writer, struct step_list *list,
                  struct explained_step step);

// Adds the steps of a proof to a list.
void steps_add(const struct step_writer *writer, const struct proof *proof, struct step_list *list);

// Adds the steps of a proof that breaks an axiom, with what is missing where the axiom asks for it.
void steps_add_breach(const struct step_writer *writer, const struct model_axiom *axiom,
                      const struct proof *proof, struct step_list *list);

#endif
