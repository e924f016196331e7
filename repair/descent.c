// One result that need not be the cheapest: from a strong choice down. Places are left as they
// are written in groups, the dearest first, and the groups halved; then each that remains gets the
// weakest form that does. A stronger choice never allows more, so what once could not be weaker
// cannot be later, and one pass does.
#include "repair/descent.h"

#include "litmus/source/arena.h"
#include "repair/candidates.h"
#include "repair/choice.h"
#include "repair/strength.h"
#include "repair/work.h"

#include <assert.h>

struct descent {
    struct change_work *work;
    struct candidates *candidates;
    size_t *choice; // it forbids the outcome
    size_t *order;  // places, the dearest first
    bool is_open;   // a limit was reached
};

static unsigned cost_of(const struct descent *descent, size_t place) {
    return descent->work->changes->places[place].forms[descent->choice[place]].cost;
}

// Fills in the order of the places that can be weaker, and returns how many they are.
static size_t find_order(struct descent *descent) {
    const struct changes *changes = descent->work->changes;
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

// Takes another choice if the outcome is forbidden with it, too.
static bool take(struct descent *descent, const size_t *other) {
    size_t count = descent->work->changes->count;
    if (descent->is_open || candidates_refute(descent->candidates, other))
        return false;
    enum truth allows = choice_allows(descent->work, other, descent->candidates);
    descent->is_open = allows == TRUTH_UNKNOWN;
    for (size_t i = 0; i < count && allows == TRUTH_NO; i++)
        descent->choice[i] = other[i];
    return allows == TRUTH_NO;
}

// Leaves places `from` to `to` of the order as they were at first, all or as many as possible.
static void leave(struct descent *descent, size_t from, size_t to) {
    const struct change_work *work = descent->work;
    size_t count = work->changes->count, changed = 0;
    assert(from < to);
    size_t *other = arena_copy(work->arena, descent->choice, count, sizeof *other);
    for (size_t i = from; i < to; i++) {
        size_t place = descent->order[i];
        changed += other[place] != work->first[place];
        other[place] = work->first[place];
    }
    if (changed == 0 || take(descent, other) || to - from == 1)
        return;
    leave(descent, from, (from + to) / 2);
    leave(descent, (from + to) / 2, to);
}

// Gives a place the weakest form that does.
static void weaken(struct descent *descent, size_t place) {
    const struct change_work *work = descent->work;
    const struct change_place *p = &work->changes->places[place];
    size_t now = descent->choice[place], count = work->changes->count;
    size_t *other = arena_copy(work->arena, descent->choice, count, sizeof *other);
    if (now == work->first[place])
        return;
    for (size_t f = 0; f < now; f++) {
        other[place] = f;
        if (change_covers(&p->forms[now], &p->forms[f]) &&
            change_covers(&p->forms[f], &p->forms[work->first[place]]) && take(descent, other))
            return;
    }
}

bool descent_find(struct change_work *work, struct candidates *candidates, size_t *choice) {
    size_t count = work->changes->count;
    struct descent descent = {.work = work,
                              .candidates = candidates,
                              .choice = choice,
                              .order = ARENA_ARRAY(work->arena, size_t, count + 1)};
    size_t taken = find_order(&descent);
    if (taken > 0)
        leave(&descent, 0, taken);
    for (size_t i = 0; i < taken; i++)
        weaken(&descent, descent.order[i]);
    return !descent.is_open;
}
