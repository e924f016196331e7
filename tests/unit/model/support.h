// Helpers of the model room's tests: parsing short cat texts, and sketching executions by hand.
#ifndef PTXLITMUS_TEST_MODEL_SUPPORT_H
#define PTXLITMUS_TEST_MODEL_SUPPORT_H

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Parses `text`, as a file called test.cat. `diagnostics` is emptied first.
struct model *parse_cat(struct arena *arena, const char *text, struct diagnostics *diagnostics);

// As parse_cat, for a text that must be right; a failing test shows the messages.
struct model *parse_good(struct arena *arena, const char *text);

// All messages, a line each: "LINE:COLUMN: MESSAGE" or "LINE:COLUMN: MESSAGE (HINT)"; a message
// without a place starts with its path, a warning's message with "warning: ".
const char *messages_of(struct arena *arena, const struct diagnostics *diagnostics);

// A loaded built-in model; under a variant.
struct model *load_good(struct arena *arena, const char *name);
struct model *load_variant(struct arena *arena, const char *name, const char *variant);

// A hand-made execution. Threads are numbered from 0; each is in a CTA of its own, in one cluster
// of one GPU, unless sketch_place says otherwise. Events of one thread are in program order as
// added.
enum { SKETCH_EVENTS = 24, SKETCH_THREADS = 6 };

struct sketch {
    struct arena *arena;
    struct model_facts facts;
    unsigned count;
    int thread[SKETCH_EVENTS];        // -1: an initial write
    const char *place[SKETCH_EVENTS]; // "x", or "x.lo" for a half of it; "x@y": x by the address y;
                                      // of a proxy fence: the range that it names; or NULL
    int cta[SKETCH_THREADS], cluster[SKETCH_THREADS], gpu[SKETCH_THREADS];
};

void sketch_init(struct sketch *sketch, struct arena *arena);
void sketch_place(struct sketch *sketch, int thread, int cta, int cluster, int gpu);
// Adds an event with the named base sets ("W RELEASE GPU"). M is added automatically, GENERIC where
// no other proxy is named, and, where no space is, GLOBAL_SPACE to memory events and both spaces to
// proxy fences. `thread` -1 makes an initial write.
unsigned sketch_event(struct sketch *sketch, int thread, const char *sets, const char *place);
void sketch_edge(struct sketch *sketch, enum base_relation relation, unsigned a, unsigned b);
// Adds what follows: coherence after initial writes and its closure, fr, po, loc, scopes, proxies.
void sketch_finish(struct sketch *sketch);

// The names of the axioms of that use that do not hold, in their order, with spaces between.
const char *failing(struct sketch *sketch, const struct model *model, enum axiom_use use);
// The names of the flags that are up: those that do hold.
const char *raised(struct sketch *sketch, const struct model *model);

#endif
