// The result of a check, which checker.c makes and result.c answers questions about.
#ifndef PTXLITMUS_API_RESULT_H
#define PTXLITMUS_API_RESULT_H

#include "api/ptxlitmus.h"
#include "check/options.h"
#include "check/report/flags.h"
#include "check/report/report.h"
#include "check/systems.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <stdatomic.h>

// The models and the target that options name. A checker and its results share them.
struct loaded {
    atomic_size_t users;
    struct arena *arena;
    struct check_options options;
    struct system_list systems; // one
};

// Gives up a share; the last one frees it. NULL is allowed.
void loaded_release(struct loaded *loaded);

// A message, independent of what it is about, which may be gone.
struct ptxlitmus_diagnostic {
    enum ptxlitmus_severity severity;
    unsigned line, column;
    const char *path, *message, *hint, *text;
};

struct ptxlitmus_result {
    struct arena *arena; // of all that follows
    struct loaded *loaded;
    enum ptxlitmus_status status;
    size_t tests;
    struct ptxlitmus_diagnostic *diagnostics;
    size_t diagnostic_count;
    // With PTXLITMUS_CHECKED:
    struct report report;
    struct shown_flags flags;
    const char *condition, *reason;
    const char **values; // texts, row by row
    const char *json;    // NULL until it is asked for
};

// Fills in what follows from the report of a result. Running out of memory calls the handler of
// litmus/source/allocate.h.
void result_complete(struct ptxlitmus_result *result);

// Adds the messages of a list, which are copied, to a result.
void result_add_diagnostics(struct ptxlitmus_result *result, const struct diagnostics *diagnostics);

#endif
