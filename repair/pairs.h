// The part of a model's graph whose value on a pair of events is a matter of these two events
// alone, and how it changes when one of them takes a stronger form: exact, by trying all cases.
#ifndef PTXLITMUS_REPAIR_PAIRS_H
#define PTXLITMUS_REPAIR_PAIRS_H

#include "model/cat/model.h"
#include "repair/variants.h"

struct arena;
struct pairs;

// How a node's value changes: bits. Neither: it stays the same.
enum { TREND_UP = 1, TREND_DOWN = 2 };

// Prepares the evaluation of a model on the events of all variants. The arena owns the result.
struct pairs *pairs_new(struct arena *arena, struct change_variants *variants,
                        const struct model *model);

// Whether the node's value on a pair (a set's on an event) depends on nothing else.
bool pairs_covers(const struct pairs *pairs, unsigned node);

// Sets the trends of these nodes when a place takes a stronger form, whatever the other places
// have: `trends` is by node, and is only set for those that pairs_covers.
void pairs_find_trends(const struct pairs *pairs, size_t place, unsigned char *trends);

#endif
