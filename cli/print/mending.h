// A fix that `check` has found, in the words of the language that the kernel is written in.
#ifndef PTXLITMUS_CLI_PRINT_MENDING_H
#define PTXLITMUS_CLI_PRINT_MENDING_H

#include "check/report/report.h"
#include "repair/mend.h"

#include <jansson.h>
#include <stdio.h>

// Changes of a .cu file's own text that were made together, with which its launch has no fault.
struct source_fix {
    const char *words[4]; // "tile.cu:7: __syncthreads(); before it"
    size_t count;
    size_t threads; // of the launch that shows it when it is run once; 0: a search shows it
};

// What was looked for, and for how long.
struct mending {
    const struct source_fix
        *source;             // a fix of the source's own text, where there is one; else NULL
    const struct mend *mend; // of PTX; NULL with a fix of the source, or where none was tried
    size_t searched_threads; // of the smaller launch in which PTX was changed; 0: of all
    size_t run_threads;      // of the launch that was run for the fix of PTX, where a run met the
                             // fault; else 0
    double seconds;          // the limit
};

// Prints the fix that was looked for, where one was: a line per place that it changes, "flag.cu:10:
// memory_order_acquire for memory_order_relaxed".
void fix_print(FILE *out, struct arena *arena, const struct report *report);

// Returns what a fix that was found changes, on one line, owned by the arena; NULL without one.
const char *fix_text(struct arena *arena, const struct report *report);

// Returns whether one was found, and what it changes, as an object that the caller releases.
json_t *fix_json(struct arena *arena, const struct report *report);

#endif
