// One result that need not be the cheapest: from a strong choice down. Places are left as they
// are written in groups, the dearest first, and the groups halved; then each that remains gets the
// weakest form that does. A stronger choice never allows more, so what once could not be weaker
// cannot be later, and one pass does.
#include "repair/descent.h"

#include "litmus/source/arena.h"
#include "repair/strength.h"

#include <assert.h>

struct descent {
    const struct descent_question *question;
    size_t *choice; // with it, what has to go is not there
    size_t *order;  // places, the dearest first
    bool is_open;   // a limit was reached
};

static unsigned cost_of(const struct descent *descent, size_t place) {
    return descent->question->changes->places[place].forms[descent->choice[place]].cost;
}

// Fills in the order of the places that can be weaker, and returns how many they are.
static size_t find_order(struct descent *descent) {
    const struct changes *changes = descent->question->changes;
    size_t taken = 0;
    for (size_t i = 0; i < changes->count; i++) {
        if (change_is_apart(&changes->places[i]))
            continue;
        size_t at = taken++;
        for (; at > 0 && cost_of(descent, descent->order[at - 1]) < cost_of(descent, i); at--)
            descent->order[at] = descent->order[at - 1];
        descent->order[at] = i;
    }
    return taken;
}

// Takes another choice if it does, too.
static bool take(struct descent *descent, const size_t *other) {
    size_t count = descent->question->changes->count;
    if (descent->is_open)
        return false;
    enum truth allows = descent->question->allows(descent->question->context, other);
    descent->is_open = allows == TRUTH_UNKNOWN;
    for (size_t i = 0; i < count && allows == TRUTH_NO; i++)
        descent->choice[i] = other[i];
    return allows == TRUTH_NO;
}

// Leaves places `from` to `to` of the order as they were at first, all or as many as possible.
static void leave(struct descent *descent, size_t from, size_t to) {
    const struct descent_question *question = descent->question;
    size_t count = question->changes->count, changed = 0;
    assert(from < to);
    size_t *other = arena_copy(question->arena, descent->choice, count, sizeof *other);
    for (size_t i = from; i < to; i++) {
        size_t place = descent->order[i];
        changed += other[place] != question->first[place];
        other[place] = question->first[place];
    }
    if (changed == 0 || take(descent, other) || to - from == 1)
        return;
    leave(descent, from, (from + to) / 2);
    leave(descent, (from + to) / 2, to);
}

// Gives a place the weakest form that does.
static void weaken(struct descent *descent, size_t place) {
    const struct descent_question *question = descent->question;
    const struct change_place *p = &question->changes->places[place];
    size_t now = descent->choice[place], count = question->changes->count;
    size_t *other = arena_copy(question->arena, descent->choice, count, sizeof *other);
    if (now == question->first[place])
        return;
    for (size_t f = 0; f < now; f++) {
        other[place] = f;
        if (change_covers(&p->forms[now], &p->forms[f]) &&
            change_covers(&p->forms[f], &p->forms[question->first[place]]) && take(descent, other))
            return;
    }
}

bool descent_find(const struct descent_question *question, size_t *choice) {
    size_t count = question->changes->count;
    struct descent descent = {.question = question,
                              .choice = choice,
                              .order = ARENA_ARRAY(question->arena, size_t, count + 1)};
    size_t taken = find_order(&descent);
    if (taken > 0)
        leave(&descent, 0, taken);
    for (size_t i = 0; i < taken; i++)
        weaken(&descent, descent.order[i]);
    return !descent.is_open;
}
