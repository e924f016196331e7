// Inside repair/: a search in progress.
#ifndef PTXLITMUS_REPAIR_WORK_H
#define PTXLITMUS_REPAIR_WORK_H

#include "repair/repair.h"
#include "repair/variants.h"
#include "solver/find.h"

struct change_work {
    struct arena *arena;
    struct solver *solver;
    const struct repair_options *options;
    size_t index; // of the test in its file
    const struct test *test;
    struct changes *changes;
    struct change_variants *variants;
    struct repair *repair;
    bool violates; // the outcome is that the condition does not hold
    double begun;  // in ms of watchdog_now_ms
    double share;  // of the time limit: what the present step may use
    bool *monotone;
    size_t *first; // where the search begins
    // The questions that a choice must all answer with no: the first is about the outcome.
    struct find_question *questions;
    size_t question_count;
};

// Returns the solver's options with what is left of the time.
struct solver_options work_options(const struct change_work *work);

// Whether the time is over, or the search is interrupted.
bool work_is_over(const struct change_work *work);

// Returns what has stopped a search, an interrupt or a limit, as a sentence that the arena owns;
// `is_late`: its time was over.
const char *limit_text(struct arena *arena, const struct repair_options *options, bool is_late);

// Returns which limit has stopped the search, as a sentence that the arena owns.
const char *work_limit_text(const struct change_work *work);

// Returns a program whose condition is that a state is none of those of the test, for
// REPAIR_KEEP_OUTCOMES; else `program` itself.
const struct program *work_condition(struct change_work *work, const struct program *program);

#endif
