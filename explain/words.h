// The sentences of explanations: those of words.def for built-in models, and the text itself for
// the models of users.
#ifndef PTXLITMUS_EXPLAIN_WORDS_H
#define PTXLITMUS_EXPLAIN_WORDS_H

#include "model/cat/model.h"

#include <stddef.h>

struct arena;

enum telling { TELL_STEP, TELL_FACT, TELL_NOTE };

// What is said of a relation.
struct relation_words {
    const char *name;
    enum telling telling;
    const char *section;  // of the PTX ISA, "8.9.4"; "" for none
    const char *sentence; // with {a} and {b}
    const char *title;    // a few words, or ""
};

// What is said of an axiom.
struct axiom_words {
    const char *name;
    const char *section; // or ""
    unsigned rank;       // axioms of lower rank are tried to do without first
    const char *rule;
};

// Returns what is said of a node of a model, which lives for ever. NULL for a node without a name,
// for a name that the table does not have, and for what a text other than the built-in ones
// defines, since it may mean something else by it.
const struct relation_words *words_of_node(const struct model_node *node);

// Returns what is said of an axiom; NULL as words_of_node.
const struct axiom_words *words_of_axiom(const struct model_axiom *axiom);

// Returns what is said of all `*count` axioms, in the order of the table; they live for ever.
const struct axiom_words *words_axioms(size_t *count);

// Whether a text is one that is built in.
bool words_is_builtin(const struct source *source);

// Whether a node is the relation of this name that a built-in text defines.
bool words_is_relation(const struct model_node *node, const char *name);

// Returns where a named node is defined, and as what: "my.cat:12: let sync = ...", owned by the
// arena.
const char *words_origin(struct arena *arena, const struct model_node *node);

// Returns a sentence with the names of two events in it; owned by the arena.
const char *words_fill(struct arena *arena, const char *sentence, const char *a, const char *b);

// Returns the text of a span in one line, owned by the arena.
const char *words_of_span(struct arena *arena, struct span span);

#endif
