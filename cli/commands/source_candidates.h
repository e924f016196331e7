// Changes of a .cu file that may mend what is wrong with its launch.
#ifndef PTXLITMUS_CLI_COMMANDS_SOURCE_CANDIDATES_H
#define PTXLITMUS_CLI_COMMANDS_SOURCE_CANDIDATES_H

#include "cli/commands/source_fault.h"

struct arena;
struct source;

enum { SOURCE_EDITS_MAX = 4 };

// Words in the place of others; with none of these, on a line of their own before a line.
struct source_edit {
    unsigned line;
    size_t at, size; // bytes of the text that go; nothing where the words are put in
    const char *words;
    const char *was; // what is shown of the words that go, and of those in their place; else NULL
    const char *now;
};

// Edits that are made together, in the order of the text.
struct source_candidate {
    struct source_edit edits[SOURCE_EDITS_MAX];
    size_t edit_count;
};

struct source_candidates {
    struct source_candidate *items; // owned by the arena
    size_t count;
};

// Returns the changes that are of a kind with the fault, the likely ones first. None of them is
// checked, nor need a compiler take it.
struct source_candidates source_candidates_of(struct arena *arena, const struct source *text,
                                              const struct source_fault *fault);

// Returns the text of a file with the changes of a candidate; lines that it does not change keep
// their numbers for a compiler. Owned by the arena.
const char *source_candidate_text(struct arena *arena, const struct source *text,
                                  const struct source_candidate *candidate);

// Returns an edit in words, "tile.cu:7: __syncthreads(); before it", owned by the arena.
const char *source_edit_text(struct arena *arena, const struct source *text,
                             const struct source_edit *edit);

#endif
