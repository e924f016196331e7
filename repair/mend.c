// A search in a few steps, each of which tries one kind of change at its strongest and then goes
// down (descent.h).
#include "repair/mend.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "program/program.h"
#include "repair/descent.h"
#include "repair/edit.h"
#include "solver/backend/watchdog.h"

#include <stdlib.h>

// What may change in a step.
enum {
    MEND_STRONG = 1 << 0, // what synchronises already
    MEND_FENCES = 1 << 1, // fences that are put in
    MEND_WEAK = 1 << 2,   // weak accesses
    MEND_PROXY = 1 << 3,  // proxy fences that are put in
};

// Which places a step tries, one of them at a time: bits of enum change_kind.
enum {
    MEND_CORRECTIONS = 1 << CHANGE_WAIT | 1 << CHANGE_CORRECTION,
    MEND_INSERTS = 1 << CHANGE_WAIT | 1 << CHANGE_BARRIER,
};

enum { INSERTS_MAX = 16, CORRECTIONS_MAX = 80 }; // that are tried in a step

struct mend_work {
    struct arena *arena;
    struct solver *solver;
    const struct mend_options *options;
    size_t index;
    struct mend *mend;
    double begun; // in ms of watchdog_now_ms
    double most;  // seconds of a search of one choice; 0: all that are left
    bool is_stopped;
};

// --- One choice --------------------------------------------------------------------------------

static double seconds_left(const struct mend_work *work) {
    return work->options->solver->timeout_seconds - (watchdog_now_ms() - work->begun) / 1e3;
}

static bool is_over(struct mend_work *work) {
    bool is_limited = work->options->solver->timeout_seconds > 0;
    work->is_stopped = work->is_stopped || (is_limited && seconds_left(work) <= 0) ||
                       (work->options->is_interrupted && work->options->is_interrupted());
    return work->is_stopped;
}

// Whether something is wrong with the test of a choice, by a search of all its executions.
static enum truth search_all(struct mend_work *work, struct arena *arena, const struct test *test) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    const struct program *program = program_build(arena, test, work->options->program, &ignored);
    if (!program)
        return TRUTH_YES;
    struct solver_options options = *work->options->solver;
    if (options.timeout_seconds > 0)
        options.timeout_seconds = seconds_left(work) > 1e-3 ? seconds_left(work) : 1e-3;
    if (work->most > 0 && !(options.timeout_seconds > 0 && options.timeout_seconds < work->most))
        options.timeout_seconds = work->most;
    work->mend->runs++;
    const struct outcomes *outcomes =
        solver_run(work->solver, arena, program, work->options->model, &options, &ignored);
    enum truth clean =
        outcomes ? work->options->is_clean(work->options->context, program, outcomes) : TRUTH_NO;
    return clean == TRUTH_YES ? TRUTH_NO : TRUTH_YES;
}

// Whether something is wrong with the test of a choice; TRUTH_UNKNOWN at a limit.
static enum truth is_faulty(void *context, const size_t *choice) {
    struct mend_work *work = context;
    const struct mend_options *options = work->options;
    struct arena *arena = arena_new();
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    enum truth faulty = TRUTH_YES;
    struct test *test = is_over(work) ? NULL
                                      : edit_apply(arena, work->mend->changes, choice, NULL,
                                                   work->index, &ignored, NULL);
    if (test) {
        test_ask_nothing(arena, test);
        faulty = options->run ? options->run(options->context, arena, test) : TRUTH_UNKNOWN;
        bool is_run = faulty != TRUTH_UNKNOWN;
        if (!is_run)
            faulty = options->only_runs ? TRUTH_YES : search_all(work, arena, test);
        if (faulty == TRUTH_NO) // the last choice that does is the one that is found
            work->mend->is_run = is_run;
    }
    arena_free(arena);
    return is_over(work) ? TRUTH_UNKNOWN : faulty;
}

// --- Steps -------------------------------------------------------------------------------------

// Whether a place is before a wait for a phase, where a fence is executed in each round of a loop.
static bool is_before_wait(const struct changes *changes, const struct change_place *place) {
    const struct instruction *next =
        &changes->test->threads[place->thread].instructions[place->instruction];
    return opcode_family(next->opcode) == FAMILY_MBARRIER && opcode_has(next->opcode, TRAIT_WAITS);
}

static unsigned kind_of(const struct changes *changes, const struct change_place *place) {
    switch (place->kind) {
    case CHANGE_NEW_FENCE: return MEND_FENCES;
    case CHANGE_NEW_PROXY_FENCE:
        return is_before_wait(changes, place) ? MEND_FENCES : MEND_FENCES | MEND_PROXY;
    case CHANGE_ACCESS:
        return place->forms[place->written].order == ORDER_WEAK ? MEND_WEAK : MEND_STRONG;
    default: return MEND_STRONG;
    }
}

// The choice with the strongest forms of what may change; barriers and waits are as in `from`.
static size_t *strongest(const struct mend_work *work, unsigned what, const size_t *from) {
    const struct changes *changes = work->mend->changes;
    size_t *choice = arena_copy(work->arena, from, changes->count + 1, sizeof *choice);
    for (size_t i = 0; i < changes->count; i++) {
        const struct change_place *place = &changes->places[i];
        if (!change_is_apart(place) && (kind_of(changes, place) & what))
            choice[i] = place->form_count - 1;
    }
    return choice;
}

// Whether a choice does; then it is made as weak as it may be, and is the result.
static bool settle(struct mend_work *work, size_t *choice) {
    const struct descent_question question = {work->arena, work->mend->changes, work->mend->first,
                                              is_faulty, work};
    if (is_over(work) || is_faulty(work, choice) != TRUTH_NO || !descent_find(&question, choice))
        return false;
    work->mend->state = MEND_FOUND;
    work->mend->choice = choice;
    return true;
}

// --- Barriers and waits ------------------------------------------------------------------------

// A form of a barrier, a wait or a correction, and how far its text is from the accesses that race.
struct mend_insert {
    size_t place, form;
    unsigned rank;     // of corrections: the likely ones first
    uint32_t distance; // bytes
};

static int compare_inserts(const void *left, const void *right) {
    const struct mend_insert *a = left, *b = right;
    return a->rank != b->rank           ? (a->rank > b->rank) - (a->rank < b->rank)
           : a->distance != b->distance ? (a->distance > b->distance) - (a->distance < b->distance)
           : a->place != b->place       ? (a->place > b->place) - (a->place < b->place)
                                        : (a->form > b->form) - (a->form < b->form);
}

static uint32_t between(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

// How far the texts of a form are from the nearer one of the accesses.
static uint32_t distance_of(const struct mend_work *work, const struct change_form *form) {
    const struct mend_options *options = work->options;
    uint32_t distance = 0;
    for (size_t i = 0; options->raced[0] && i < form->insert_count; i++) {
        uint32_t nearest = UINT32_MAX;
        for (unsigned k = 0; k < 2; k++) {
            if (options->raced[k]) {
                uint32_t away = between(source_in_file(options->raced[k]->span).begin,
                                        form->inserts[i].span.begin);
                nearest = away < nearest ? away : nearest;
            }
        }
        distance += nearest / (uint32_t)form->insert_count;
    }
    return distance;
}

// All forms of places of these kinds that are not written, the nearest first.
static struct mend_insert *find_inserts(const struct mend_work *work, unsigned kinds,
                                        size_t *count) {
    const struct changes *changes = work->mend->changes;
    struct mend_insert *inserts = NULL;
    *count = 0;
    for (size_t i = 0; i < changes->count; i++) {
        const struct change_place *place = &changes->places[i];
        bool corrects = place->kind == CHANGE_CORRECTION;
        for (size_t f = 0; (kinds & 1U << place->kind) && f < place->form_count; f++) {
            if (f != work->mend->first[i]) {
                ARENA_APPEND(work->arena, inserts, *count,
                             (struct mend_insert){i, f, corrects ? 1 + place->correction : 0,
                                                  distance_of(work, &place->forms[f])});
            }
        }
    }
    if (*count > 1)
        qsort(inserts, *count, sizeof *inserts, compare_inserts);
    return inserts;
}

// Whether a correction lets others be done with memory before it is written again: what they have
// read through another proxy takes a fence, too.
static bool is_for_refill(const struct change_place *place) {
    return place->kind == CHANGE_CORRECTION &&
           (place->correction == CORRECT_WAIT || place->correction == CORRECT_BARRIER);
}

// Tries forms of places of these kinds, so many at most, each by itself, with the strongest of what
// else may change.
static bool try_inserts(struct mend_work *work, unsigned kinds, size_t most, unsigned what) {
    size_t count;
    const struct mend_insert *inserts = find_inserts(work, kinds, &count);
    for (size_t i = 0; i < count && i < most && !is_over(work); i++) {
        size_t *choice = strongest(work, what, work->mend->first);
        choice[inserts[i].place] = inserts[i].form;
        if (settle(work, choice))
            return true;
        if (!is_for_refill(&work->mend->changes->places[inserts[i].place]))
            continue;
        choice = strongest(work, what | MEND_PROXY, work->mend->first);
        choice[inserts[i].place] = inserts[i].form;
        if (settle(work, choice))
            return true;
    }
    return false;
}

static bool try_strongest(struct mend_work *work, unsigned what) {
    return settle(work, strongest(work, what, work->mend->first));
}

bool mend_strengthens_weak(const struct mend *mend) {
    for (size_t i = 0; i < mend->changes->count; i++)
        if (kind_of(mend->changes, &mend->changes->places[i]) == MEND_WEAK &&
            mend->choice[i] != mend->first[i])
            return true;
    return false;
}

// --- All ---------------------------------------------------------------------------------------

static bool has_corrections(const struct changes *changes) {
    for (size_t i = 0; i < changes->count; i++)
        if (changes->places[i].kind == CHANGE_CORRECTION)
            return true;
    return false;
}

// Tries what is wrong or missing beside orders: a proxy fence, where that alone does; numbers and
// waits, which may take proxy fences besides. There are many, so that none may take long.
static bool try_corrections(struct mend_work *work) {
    static const double SECONDS = 1;
    if (!has_corrections(work->mend->changes))
        return try_inserts(work, 1 << CHANGE_WAIT, INSERTS_MAX, 0);
    work->most = SECONDS;
    bool is_found =
        try_strongest(work, MEND_PROXY) || try_inserts(work, MEND_CORRECTIONS, CORRECTIONS_MAX, 0);
    work->most = 0;
    return is_found;
}

static void search(struct mend_work *work) {
    const struct mend_options *options = work->options;
    if (try_strongest(work, MEND_STRONG) ||
        (options->elsewhere && options->elsewhere(options->context)) || try_corrections(work) ||
        try_inserts(work, 1 << CHANGE_BARRIER, INSERTS_MAX, 0) ||
        try_strongest(work, MEND_STRONG | MEND_FENCES) ||
        try_inserts(work, MEND_INSERTS, INSERTS_MAX, MEND_STRONG))
        return;
    try_strongest(work, MEND_STRONG | MEND_FENCES | MEND_WEAK);
}

struct mend *mend_search(struct solver *solver, struct arena *arena, const struct test *test,
                         size_t index, const struct mend_options *options,
                         struct diagnostics *diagnostics) {
    const struct change_options change = {.direction = CHANGES_UP,
                                          .limits = options->limits,
                                          .limit_count = options->limit_count,
                                          .costs = options->costs,
                                          .corrects = true};
    struct mend *mend = ARENA_NEW(arena, struct mend);
    struct mend_work work = {.arena = arena,
                             .solver = solver,
                             .options = options,
                             .index = index,
                             .mend = mend,
                             .begun = watchdog_now_ms()};
    mend->changes = changes_find(arena, test, &change, diagnostics);
    if (!mend->changes)
        return NULL;
    mend->first = changes_as_written(arena, mend->changes);
    mend->state = MEND_NONE;
    search(&work);
    if (mend->state == MEND_NONE && work.is_stopped)
        mend->state = MEND_STOPPED;
    return mend;
}
