// The result of a call, which make.c makes and result.c answers questions about.
#ifndef PTXLITMUS_API_RESULT_H
#define PTXLITMUS_API_RESULT_H

#include "api/ptxlitmus.h"
#include "check/options.h"
#include "check/report/flags.h"
#include "check/report/report.h"
#include "check/systems.h"
#include "litmus/source/arena.h"
#include "litmus/readers/module/module.h"
#include "litmus/source/diagnostics.h"
#include "repair/repair.h"

#include <stdatomic.h>

struct findings;
struct launch_result;

// What a call asks.
enum asked_question {
    ASK_OUTCOMES,
    ASK_FAULTS,
    ASK_EXPLANATION,
    ASK_REPAIR,
    ASK_MODULE,
    QUESTION_COUNT,
};

// The models and the target that options name, for one kind of question. A checker and its results
// share them.
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
    unsigned line, column, end_line, end_column;
    const char *path, *message, *hint, *text;
};

// A fault that was found: a race of two places, or that a thread never ends or does what is
// undefined.
struct found_fault {
    const char *flag, *why; // `why` may be NULL
    const char *places[2], *accesses[2];
    size_t place_count;
};

struct fault_list {
    struct found_fault *items;
    size_t count;
};

struct ptxlitmus_result {
    enum asked_question question;
    struct arena *arena; // of all that follows
    struct loaded *loaded;
    enum ptxlitmus_status status;
    size_t tests;
    struct ptxlitmus_diagnostic *diagnostics;
    size_t diagnostic_count;
    // With PTXLITMUS_CHECKED:
    struct report report; // without outcomes: a module was looked at
    struct shown_flags flags;
    const char *condition, *reason;
    const char **values; // texts, row by row
    const char *json;    // NULL until it is asked for
    struct fault_list faults;
    const char *explanation;     // ASK_EXPLANATION
    const struct repair *repair; // ASK_REPAIR
    const struct module *module; // ASK_MODULE
    const char **kernels;        // its names
    size_t kernel_count;
};

// Fills in what follows from the report of a result. Running out of memory calls the handler of
// litmus/source/allocate.h.
void result_complete(struct ptxlitmus_result *result);

// Fills in the faults of a result whose question was ASK_FAULTS: the races in `findings`, and what
// else the report says.
void result_take_faults(struct ptxlitmus_result *result, const struct findings *findings);

// Fills in the faults of a result that a run of the threads has answered.
void result_take_met(struct ptxlitmus_result *result, const struct launch_result *launched);

// Fills in the explanation of a result whose report has one.
void result_take_explanation(struct ptxlitmus_result *result);

// Makes a result that of a module, which is in its arena.
void result_take_module(struct ptxlitmus_result *result, const struct module *module);

// Adds the messages of a list, which are copied, to a result.
void result_add_diagnostics(struct ptxlitmus_result *result, const struct diagnostics *diagnostics);

#endif
