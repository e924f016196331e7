// What becomes of a choice: its test, read again from the text, decided in a run of its own.
#ifndef PTXLITMUS_REPAIR_JUDGE_H
#define PTXLITMUS_REPAIR_JUDGE_H

#include "repair/repair.h"

struct change_work;

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

#endif
