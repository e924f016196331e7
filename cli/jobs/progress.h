// A line on the terminal that tells how far a run is.
#ifndef PTXLITMUS_CLI_JOBS_PROGRESS_H
#define PTXLITMUS_CLI_JOBS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    bool is_on;
    bool is_drawn;          // the line is on the terminal
    double begun, drawn_at; // seconds
};

// Whether the line would be seen: stderr is a terminal that can erase a line.
bool progress_is_seen(void);

// Starts the clock. When `is_on` is false, the line is never drawn.
void progress_start(struct progress *progress, bool is_on);

// Draws the line again, unless the run has only begun or the line was just drawn: how many of
// `total` are done, how long the run has lasted, and the names of the current ones, as far as they
// fit.
void progress_draw(struct progress *progress, size_t done, size_t total, const char *const *names,
                   size_t name_count);

// Erases the line, because something else is about to be printed.
void progress_clear(struct progress *progress);

// Returns the line as it is drawn into `width` columns, for tests too; the caller frees it.
char *progress_line(size_t done, size_t total, double seconds, const char *const *names,
                    size_t name_count, size_t width);

#endif
