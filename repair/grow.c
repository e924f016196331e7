// Growth by halves: all places of a range at their strongest at once, and where that is too much,
// each half of it.
#include "repair/work.h"

#include "litmus/source/arena.h"
#include "repair/strength.h"

#include <assert.h>
#include <string.h>

struct growth {
    const struct change_work *work;
    struct held_execution *found;
    size_t *choice;
    const size_t *order; // of the places
};

static bool is_allowed(const struct growth *growth) {
    if (work_is_over(growth->work))
        return false;
    struct arena *arena = arena_new();
    bool allowed = found_is_allowed(
        growth->found, variants_program(arena, growth->work->variants, growth->choice));
    growth->work->repair->stats.evaluations++;
    arena_free(arena);
    return allowed;
}

// The strongest form of one place, of those that cover the one that it has.
static void grow_place(const struct growth *growth, size_t index) {
    const struct change_place *place = &growth->work->changes->places[index];
    size_t now = growth->choice[index];
    for (size_t form = place->form_count; form-- > 0;) {
        if (form == now || !change_covers(&place->forms[form], &place->forms[now]))
            continue;
        growth->choice[index] = form;
        if (is_allowed(growth))
            return;
    }
    growth->choice[index] = now;
}

static void grow_range(const struct growth *growth, size_t begin, size_t end) {
    const struct changes *changes = growth->work->changes;
    assert(begin < end);
    if (end - begin == 1) {
        if (growth->work->monotone[growth->order[begin]])
            grow_place(growth, growth->order[begin]);
        return;
    }
    struct arena *arena = arena_new();
    size_t *before = arena_copy(arena, growth->choice, changes->count, sizeof *before);
    for (size_t i = begin; i < end; i++) {
        size_t place = growth->order[i];
        size_t top = changes->places[place].form_count - 1;
        const struct change_form *forms = changes->places[place].forms;
        if (growth->work->monotone[place] &&
            change_covers(&forms[top], &forms[growth->choice[place]]))
            growth->choice[place] = top;
    }
    if (!is_allowed(growth)) {
        memcpy(growth->choice, before, changes->count * sizeof *before);
        grow_range(growth, begin, begin + (end - begin) / 2);
        grow_range(growth, begin + (end - begin) / 2, end);
    }
    arena_free(arena);
}

// As in the file, the other way round, or from the middle.
static size_t place_at(size_t count, unsigned order, size_t index) {
    assert(index < count);
    switch (order % GROW_ORDERS) {
    case 0: return index;
    case 1: return count - 1 - index;
    default: return (index + count / 2) % count;
    }
}

void grow_choice(const struct change_work *work, struct held_execution *found, unsigned order,
                 size_t *choice) {
    size_t count = work->changes->count;
    struct arena *arena = arena_new();
    size_t *places = ARENA_ARRAY(arena, size_t, count + 1);
    for (size_t i = 0; i < count; i++)
        places[i] = place_at(count, order, i);
    struct growth growth = {.work = work, .found = found, .choice = choice, .order = places};
    if (count > 0)
        grow_range(&growth, 0, count);
    arena_free(arena);
}
