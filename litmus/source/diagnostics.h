// Errors, warnings and notes about the user's input, collected in a list; only cli/ prints them.
#ifndef PTXLITMUS_DIAGNOSTICS_H
#define PTXLITMUS_DIAGNOSTICS_H

#include "litmus/source/bug.h"
#include "litmus/source/source.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE, SEVERITY_COUNT };

struct diagnostic {
    enum severity severity;
    struct span span; // span.source is NULL when only a path is known (a missing file)
    const char *path;
    const char *message;
    const char *hint; // NULL when there is none
};

// The messages of one input, in the order of their discovery, each once. At most DIAGNOSTICS_KEPT
// are kept; `error_count` counts all of them, so a cut list can say so.
enum { DIAGNOSTICS_KEPT = 20 };

struct diagnostics {
    struct arena *arena; // owns the messages
    struct diagnostic items[DIAGNOSTICS_KEPT];
    size_t count;
    size_t error_count;
    size_t repeated_errors; // of these, how many said of the same place what another one said
    bool has_output_error;  // a file could not be written: diag_error_output
    bool last_dropped;      // the last message was not kept, so a hint for it goes nowhere
};

// Starts an empty list whose messages live in `arena`.
void diagnostics_init(struct diagnostics *diagnostics, struct arena *arena);

// Adds an error at `span`; the message is a sentence without a capital letter and full stop, and
// it quotes the user's words: "'.acquire' needs a scope: .cta, .cluster, .gpu or .sys". Returns
// false, for functions that return whether there was none.
bool diag_error(struct diagnostics *diagnostics, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Adds a warning, which is about what is most likely a mistake.
void diag_warning(struct diagnostics *diagnostics, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Adds a note, which is about what may be a mistake.
void diag_note(struct diagnostics *diagnostics, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Adds an error about a file that could not be read at all. Returns false.
bool diag_error_path(struct diagnostics *diagnostics, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Adds an error about a file of the user's that could not be written, with the reason. Such an
// error is none of the input.
void diag_error_output(struct diagnostics *diagnostics, const char *path, const char *why);

// Gives the last message that was added a hint: "did you mean '.relaxed'?".
void diag_hint(struct diagnostics *diagnostics, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Gives the last message the hint "did you mean 'NEAREST'?" and returns true; returns false where
// there is no nearest word (NULL).
bool diag_suggest(struct diagnostics *diagnostics, const char *nearest);

// Whether any error was added, kept or not.
bool diag_has_errors(const struct diagnostics *diagnostics);

// Whether the last message was kept, so that searching for a hint to it is worth the time.
bool diag_kept(const struct diagnostics *diagnostics);

// Renders one message: `file:line:column: error: message`, the source line (long lines are cut
// around the span, with ...), carets under the span, and `hint: ...`. Returns a text that ends in a
// newline, owned by `arena`.
const char *diag_render(struct arena *arena, const struct diagnostic *diagnostic);

// What is put before and after parts of a message, such as the colours of a terminal. Every text is
// there, and may be empty.
struct diag_style {
    const char *severities[SEVERITY_COUNT]; // before "error"
    const char *carets;                     // before the carets
    const char *end;                        // after each of these
};

// As diag_render, in a style.
const char *diag_render_in(struct arena *arena, const struct diagnostic *diagnostic,
                           const struct diag_style *style);

// Returns the candidate nearest to `word` by edit distance, when one is near enough to be what was
// meant; else NULL. For hints.
const char *diag_nearest(const char *word, size_t length, const char *const *candidates,
                         size_t count);

#endif
