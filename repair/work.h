// Inside repair/: a search in progress, and what it does with choices.
#ifndef PTXLITMUS_REPAIR_WORK_H
#define PTXLITMUS_REPAIR_WORK_H

#include "repair/repair.h"
#include "repair/variants.h"
#include "solver/find.h"

struct candidates;
struct fault_goal;

struct change_work {
    struct arena *arena;
    struct solver *solver;
    const struct repair_options *options;
    size_t index; // of the test in its file
    const struct test *test;
    const struct changes *changes;
    struct change_variants *variants;
    struct repair *repair;
    bool violates; // the outcome is that the condition does not hold
    double begun;  // in ms of watchdog_now_ms
    double share;  // of the time limit: what the present step may use
    bool *monotone;
    const size_t *first; // where the search begins
    // The questions that a choice must all answer with no: the first is about the outcome.
    struct find_question *questions;
    size_t question_count;
    const struct fault_goal *faults; // of faults_repair: what is to go; else NULL
};

// Begins the search of changes of a test, the number `index` of its file, with a result that is
// undecided. All has to live as long as the work; the arena owns the result.
struct change_work work_begin(struct arena *arena, struct solver *solver, const struct test *test,
                              size_t index, const struct repair_options *options);

// Returns the solver's options with what is left of the time.
struct solver_options work_options(const struct change_work *work);

// Whether the time is over, or the search is interrupted.
bool work_is_over(const struct change_work *work);

// Returns what has stopped the search, an interrupt or a limit, as a sentence that the arena owns.
const char *work_limit_text(const struct change_work *work);

// Decides a program; NULL after errors in `diagnostics`. The arena of the work owns the outcomes.
const struct outcomes *work_run(struct change_work *work, const struct program *program,
                                const struct solver_options *options,
                                struct diagnostics *diagnostics);

// Asks a question about a program under a model, as solver_find does, in what is left of the time.
enum truth work_find(struct change_work *work, struct arena *arena, const struct program *program,
                     const struct model *model, const struct find_question *question,
                     found_visitor visit, void *context);

// Asks the questions of the work about a program of a choice, until one is not answered with no;
// `visit` as of solver_find. Returns the last answer; TRUTH_UNKNOWN where the time is over.
enum truth work_ask(struct change_work *work, struct arena *arena, const struct program *program,
                    found_visitor visit, void *context);

// Returns what a choice comes to whose program has these outcomes, with the expectations turned
// round that they do not meet; `forbids`: and one that the outcome is allowed (remedy.c). The arena
// of the work owns it.
struct remedy work_remedy(const struct change_work *work, const size_t *choice,
                          const struct program *program, const struct outcomes *outcomes,
                          bool forbids);

// --- The test of a choice, read again from the text (judge.c) ------------------------------------

// What is known of a choice.
struct judgement {
    const struct test *test; // NULL: the text was refused
    const struct program *program;
    const struct outcomes *outcomes; // with its states
    bool keeps;                      // the outcome is not there, and some other one is
    bool is_empty;                   // no execution ends (as the filter wants)
    bool is_undefined;               // a flag leaves the test undefined
    bool is_stopped;                 // time, memory or an interrupt
    const char *doubt; // why it is not known, where it is not known: a sentence; else NULL
};

// Returns the program of a choice, whose test is read again from the text; NULL where it is
// refused.
const struct program *judge_program(const struct change_work *work, const size_t *choice);

// Decides the test of a choice as a run of ptxlitmus would.
struct judgement judge_choice(struct change_work *work, const size_t *choice);

// Whether the outcome is there with a choice, in a run on the test read again from its text.
enum truth judge_outcome(struct change_work *work, const size_t *choice);

// Returns the states of `from` that are not in `in`, `*count` of them, in an array of the arena;
// both show `width` values.
const struct state **judge_missing(struct arena *arena, const struct outcomes *from,
                                   const struct outcomes *in, size_t width, size_t *count);

// Whether, after a change, some execution hangs, or none ends, or that is not known, where it was
// not so before.
bool judge_hangs(const struct outcomes *before, const struct outcomes *after);

// Returns the names of the flags that hold, or may, after a change and did not before, `*count` of
// them, in an array of the arena.
const char **judge_new_flags(struct arena *arena, const struct outcomes *before,
                             const struct outcomes *after, size_t *count);

// --- A choice and its neighbours (choice.c, grow.c) ----------------------------------------------

// Returns whether the outcome is there with a choice, as far as the programs that share events
// tell. Which other choices allow it, too, is told to the candidates (NULL: it is not looked for).
enum truth choice_allows(struct change_work *work, const size_t *choice,
                         struct candidates *candidates);

// Returns whether the outcome is there with each choice that is weaker by one form in one place,
// and how many of these there are: each is decided on the test read again from its text.
enum truth choice_is_least(struct change_work *work, const size_t *choice, size_t *neighbours);

// Fills `choice` with the strongest form of each place, without new barriers and other waits.
// Returns false where some place has two such forms, or its strongest one says nothing of the
// others.
bool choice_strongest(const struct change_work *work, size_t *choice);

// Makes a choice stronger, place by place, while the execution that was found with it remains
// allowed: no place can be made stronger alone, unless the time is over. Places that are not
// monotone stay as they are. `order` tries the places in one of several orders. Counts in the
// work's statistics how often an execution was evaluated.
void grow_choice(const struct change_work *work, struct held_execution *found, unsigned order,
                 size_t *choice);

enum { GROW_ORDERS = 3 };

// --- Why a change does, and why none does (reasons.c) --------------------------------------------

// Returns why the outcome is impossible with a choice: what now synchronises, and the axiom that
// an execution with the outcome would break. NULL when there is nothing to say. The arena of the
// work owns it.
const char *reason_of_remedy(struct change_work *work, const size_t *choice);

// Returns why no order, scope or fence forbids the outcome, as far as the test tells.
const char *reason_of_none(struct change_work *work);

#endif
