// The names of flags, and what each of them says.
#ifndef PTXLITMUS_CLI_REPORT_FLAGS_H
#define PTXLITMUS_CLI_REPORT_FLAGS_H

#include "solver/solver.h"

struct arena;
struct diagnostics;
struct model;

// The flags of a result as they are printed, in their order: those that hold, and those of which
// nobody knows whether they do. A name that a model's text shares with a flag of ours is one flag,
// which holds when either does.
struct shown_flag {
    const char *name;
    enum truth holds; // never TRUTH_NO
};
struct shown_flags {
    struct shown_flag *items; // owned by the arena
    size_t count;
};
struct shown_flags flags_shown(struct arena *arena, const struct outcomes *outcomes);

// Whether the flags of a model have names of their own in every format: the log says with some
// words something else. False after errors in `diagnostics`.
bool flags_check_names(const struct model *model, struct diagnostics *diagnostics);

// "data-race": of a flag of the run, borrowed for as long as the model is there.
const char *flag_name(const struct flag *flag);

// What a flag of that name says, in a sentence without its full stop.
const char *flag_meaning(const char *name);

// Why a flag of that name, which holds, leaves the program undefined, as the beginning of a
// sentence: "racing accesses overlap in part".
const char *flag_undefines(struct arena *arena, const char *name);

#endif
