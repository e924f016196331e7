// An execution that an explanation shows, and the way of the oracle to it (judge.c).
#ifndef PTXLITMUS_ORACLE_JUDGE_H
#define PTXLITMUS_ORACLE_JUDGE_H

#include "tests/oracle/explore_internal.h"

#include <jansson.h>

// What an execution of the explanation says, while the oracle looks for it.
struct claim {
    const struct test *test;
    json_t *execution;
    json_t *axioms;    // that are required
    json_t *lacks;     // pairs that are absent, or NULL
    json_t *nearest;   // what an axiom would take to exclude it, or NULL
    json_t *race;      // what is said of a race that the execution shows, or NULL
    json_t *why_not;   // a pair that was asked about, or NULL
    json_t *because;   // the steps of a reason, or NULL
    const char *axiom; // that they are about
    unsigned count;    // its events
    json_t *events[EVENTS_MAX];
    unsigned first[THREADS_MAX + 1]; // by thread, its first one among them
    bool found;
    size_t pairs, steps, unknown; // judged, and not known to the oracle
    size_t apart; // axioms that the oracle finds broken, since it says otherwise what a phase
                  // synchronises
    size_t wrong;
    const char *where; // for messages
};

// Returns a text of an object, borrowed from it; "" where it has none of that name.
const char *judge_text(json_t *object, const char *field);

// Answers what the last step of a path asks as the execution does. False where it does not say;
// `context` is the claim.
bool judge_answer(void *context, size_t thread, const struct path *path, enum question question,
                  struct value *value);

// Whether a path of the oracle is the one that the execution takes; `context` is the claim.
bool judge_takes_path(void *context, size_t thread, const struct path *path);

// Whether a unit of a read takes its bytes from `source` in the execution; `context` is the claim.
bool judge_takes_source(void *context, const struct explorer *explorer, unsigned index,
                        unsigned source);

// Returns the oracle's event of that name; -1 for none.
int judge_event_of(const struct claim *claim, const char *name);

#endif
