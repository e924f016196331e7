// All choices of a test's changes as programs that share events and expressions: one program in
// which every fence is there that may be, and copies of it in which orders and scopes differ and
// fences do not execute. Barriers change more than that: of each choice of theirs there is one such
// program.
#ifndef PTXLITMUS_REPAIR_VARIANTS_H
#define PTXLITMUS_REPAIR_VARIANTS_H

#include "program/program.h"
#include "repair/changes.h"

struct arena;
struct diagnostics;

struct change_variants {
    struct changes *changes;
    const struct program
        *program;                 // its accesses are the weakest, so that nothing follows from them
    int *places;                  // by event: its place, or -1
    struct change_variants *next; // with other barriers; of the first one, none is put in
    const size_t *barriers;       // the form of each place, of which those of barriers count
    // What further ones are made of:
    struct arena *arena;
    const struct program_options *options;
    size_t index;
    bool is_judged, suits; // whether the search may conclude from one form to another: see repair.c
};

// Builds the program of a test's changes; `index` is the test's place in its file. Places whose
// changes the reader refuses are dropped from `changes`. NULL after errors in `diagnostics`. All
// lives in `arena`.
struct change_variants *variants_new(struct arena *arena, struct changes *changes, size_t index,
                                     const struct program_options *options,
                                     struct diagnostics *diagnostics);

// Returns the program with the barriers of a choice, which is made when it is first asked for. NULL
// where its text is refused.
struct change_variants *variants_with(struct change_variants *variants, const size_t *choice);

// Returns the program of a choice, in `arena`; NULL as above.
const struct program *variants_program(struct arena *arena, struct change_variants *variants,
                                       const size_t *choice);

#endif
