// What each flag says, and which are shown.
#ifndef PTXLITMUS_CHECK_REPORT_FLAGS_H
#define PTXLITMUS_CHECK_REPORT_FLAGS_H

#include "solver/solver.h"

struct arena;
struct diagnostics;
struct model;

// The flags of a result as they are printed, in their order: those that hold, and those of which it
// is not known. When a model's text uses the name of a flag of ours, they are one flag, which holds
// when either does.
struct shown_flag {
    const char *name;
    enum truth holds; // never TRUTH_NO
    bool possible;    // it holds, and is possible only (solver.h)
};
struct shown_flags {
    struct shown_flag *items; // owned by the arena
    size_t count;
};

// Returns the flags of a result as they are printed, owned by the arena.
struct shown_flags flags_shown(struct arena *arena, const struct outcomes *outcomes);

// Whether the names of a model's flags can be told from everything else in every format, since some
// words mean something else in the log. False after errors in `diagnostics`.
bool flags_check_names(const struct model *model, struct diagnostics *diagnostics);

// Returns what a flag of that name means, as a sentence without a full stop, which lives for ever.
const char *flag_meaning(const char *name);

// Returns why a flag of that name leaves the program undefined when it holds, as the beginning of a
// sentence, "racing accesses overlap in part"; owned by the arena.
const char *flag_undefines(struct arena *arena, const char *name);

#endif
