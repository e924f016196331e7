// A choice as a text: the file with the changes put into it, and how the two differ.
#ifndef PTXLITMUS_REPAIR_EDIT_H
#define PTXLITMUS_REPAIR_EDIT_H

#include "litmus/readers/reader.h"
#include "repair/changes.h"

struct arena;
struct diagnostics;

// What else is changed in the text of a test; NULL: nothing.
struct edit_options {
    bool forbids; // an `expect` that the outcome is allowed becomes one that it is forbidden
    // By expectation of the test: it is not about the verdict, and becomes its opposite. NULL:
    // none.
    const bool *stale;
};

// Returns the text of the file with a choice in it, which the arena owns: comments and layout stay
// as they are. In `*at` (NULL: not wanted) is where each place's opcode or fence begins in it, an
// array by place.
const char *edit_text(struct arena *arena, const struct changes *changes, const size_t *choice,
                      const struct edit_options *options, uint32_t **at);

// Returns the test that a choice makes of this one, read again from that text with all checks;
// `index` is its place in the file. NULL after errors in `diagnostics`. All lives in `arena`.
struct test *edit_apply(struct arena *arena, const struct changes *changes, const size_t *choice,
                        const struct edit_options *options, size_t index,
                        struct diagnostics *diagnostics, uint32_t **at);

// Returns the text of the file that is not that of the changes and has the test's expectations,
// with those changed that the options name. NULL: they are in the file of the changes, or nowhere.
// The arena owns it.
const char *edit_sidecar(struct arena *arena, const struct changes *changes,
                         const struct edit_options *options);

// Returns how two texts of a file differ, as a unified diff that the arena owns; "" for equal ones.
const char *edit_diff(struct arena *arena, const char *path, const char *before, const char *after);

#endif
