// Inside repair/: corrections in the making (corrections.h).
#ifndef PTXLITMUS_REPAIR_CORRECTING_H
#define PTXLITMUS_REPAIR_CORRECTING_H

#include "repair/changes.h"

struct correction_search {
    struct arena *arena;
    const struct test *test;
    const struct source *file;
    const struct change_options *options;
    struct change_place *places;
    size_t count;
};

// Returns a place with the form that changes nothing.
struct change_place correction_place(const struct correction_search *search, size_t thread,
                                     size_t instruction, enum change_correction correction);

// Adds a form of a place: these edits. The arena owns them.
void correction_add_form(const struct correction_search *search, struct change_place *place,
                         struct change_insert *inserts, size_t count, unsigned cost);

// Adds a place where it has several forms, is in the file, and is not there already.
void correction_add_place(struct correction_search *search, const struct change_place *place);

// Notes that several threads run the text of a place.
void correction_share(struct change_place *place);

// Returns the operand that names memory, of which the next one is a count or a parity; NULL without
// one, or where no operand follows.
const struct operand *correction_memory(const struct instruction *instruction);

// Whether a thread arrives at an mbarrier by an instruction, itself or when its copies are
// complete.
bool correction_arrives(const struct instruction *instruction);

// Whether an instruction says how many bytes an mbarrier is to expect.
bool correction_expects(struct arena *arena, const struct instruction *instruction);

// Adds the waits for phases (corrections_waits.c).
void corrections_add_waits(struct correction_search *search);

// Adds the barriers in loops (corrections_waits.c).
void corrections_add_barriers(struct correction_search *search);

#endif
