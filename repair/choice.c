// One choice: whether the outcome is there with it, and with its neighbours.
#include "repair/work.h"

#include "litmus/source/arena.h"
#include "repair/candidates.h"
#include "repair/strength.h"

// What an execution tells: the choices that allow it.
struct lesson {
    struct change_work *work;
    const size_t *choice;
    struct candidates *candidates;
};

static void learn(void *context, struct held_execution *found) {
    struct lesson *lesson = context;
    struct change_work *work = lesson->work;
    size_t count = work->changes->count;
    for (unsigned order = 0; order < GROW_ORDERS; order++) {
        size_t *most = arena_copy(work->arena, lesson->choice, count, sizeof *most);
        grow_choice(work, found, order, most);
        candidates_reject(lesson->candidates, most);
        work->repair->stats.rejected++;
    }
}

enum truth choice_allows(struct change_work *work, const size_t *choice,
                         struct candidates *candidates) {
    struct arena *arena = arena_new();
    struct lesson lesson = {work, choice, candidates};
    enum truth answer = work_ask(work, arena, variants_program(arena, work->variants, choice),
                                 candidates == NULL ? NULL : learn, &lesson);
    arena_free(arena);
    return answer;
}

// --- Neighbours --------------------------------------------------------------------------------

enum truth choice_is_least(struct change_work *work, const size_t *choice, size_t *neighbours) {
    size_t *other = arena_copy(work->arena, choice, work->changes->count, sizeof *other);
    *neighbours = 0;
    for (size_t i = 0; i < work->changes->count; i++) {
        const struct change_place *place = &work->changes->places[i];
        for (size_t f = 0; f < place->form_count; f++) {
            if (choice[i] == work->first[i] || !change_is_next(place, choice[i], f) ||
                !change_covers(&place->forms[f], &place->forms[work->first[i]]))
                continue;
            other[i] = f;
            enum truth there = judge_outcome(work, other);
            if (there != TRUTH_YES)
                return there;
            ++*neighbours;
        }
        other[i] = choice[i];
    }
    return TRUTH_YES;
}

// --- The strongest ------------------------------------------------------------------------------

bool choice_strongest(const struct change_work *work, size_t *choice) {
    if (work->repair->stats.not_monotone > 0)
        return false;
    for (size_t i = 0; i < work->changes->count; i++) {
        const struct change_place *place = &work->changes->places[i];
        if (change_is_apart(place)) {
            choice[i] = place->written;
            continue;
        }
        choice[i] = place->form_count - 1;
        for (size_t f = 0; f < place->form_count; f++)
            if (!change_covers(&place->forms[choice[i]], &place->forms[f]))
                return false;
    }
    return true;
}
