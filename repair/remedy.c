// What a choice comes to, as a result.
#include "repair/work.h"

#include "litmus/source/arena.h"
#include "repair/candidates.h"
#include "repair/edit.h"

// Which expectations, besides one about the verdict, no longer hold, by their places in the test.
static const bool *stale_expectations(const struct change_work *work,
                                      const struct outcomes *outcomes) {
    const struct test *test = work->test;
    bool *stale = ARENA_ARRAY(work->arena, bool, test->expected_count + 1);
    for (size_t i = 0; i < test->expected_count; i++)
        stale[i] = outcomes_meet(outcomes, test->expected[i].what) == TRUTH_NO;
    return stale;
}

static void describe(const struct change_work *work, struct remedy *remedy) {
    const struct changes *changes = work->changes;
    remedy->words = ARENA_ARRAY(work->arena, const char *, changes->count + 1);
    for (size_t i = 0; i < changes->count; i++) {
        const char *words = change_describe(work->arena, changes, i, remedy->choice[i]);
        if (words != NULL)
            remedy->words[remedy->word_count++] = words;
    }
}

struct remedy work_remedy(const struct change_work *work, const size_t *choice,
                          const struct program *program, const struct outcomes *outcomes,
                          bool forbids) {
    const struct changes *changes = work->changes;
    const struct edit_options edit = {.forbids = forbids,
                                      .stale = stale_expectations(work, outcomes)};
    struct remedy remedy = {.choice =
                                arena_copy(work->arena, choice, changes->count + 1, sizeof *choice),
                            .cost = candidates_cost(changes, work->first, choice),
                            .text = edit_text(work->arena, changes, choice, &edit, NULL),
                            .sidecar = edit_sidecar(work->arena, changes, &edit),
                            .program = program,
                            .outcomes = outcomes};
    remedy.diff = edit_diff(work->arena, changes->file->path, changes->file->text, remedy.text);
    describe(work, &remedy);
    return remedy;
}
