// Inside repair/: places of changes in the making, and those who find them.
#ifndef PTXLITMUS_REPAIR_PLACES_H
#define PTXLITMUS_REPAIR_PLACES_H

#include "repair/changes.h"

// A search for the places of a test, in progress.
struct place_search {
    struct arena *arena; // that owns what is found
    const struct test *test;
    const struct change_options *options;
    struct changes *changes;    // so far
    bool scopes[SCOPE_SYS + 1]; // which ones differ in the test
};

// Returns a place of a kind at the opcode of an instruction of a thread, without forms.
struct change_place place_at(const struct place_search *search, enum change_kind kind,
                             size_t thread, size_t instruction);

// Returns a place as place_at does, but before the opcode, with the form that changes nothing.
struct change_place place_before(const struct place_search *search, enum change_kind kind,
                                 size_t thread, size_t instruction);

// Adds a form of a place.
void place_add_form(const struct place_search *search, struct change_place *place,
                    struct change_form form);

// Returns an edit at a place: a text before its statement, for all who run that.
struct change_insert place_text_before(const struct change_place *place, const char *text);

// Returns an edit at a place: a text for other text of its statement.
struct change_insert place_text_for(const struct place_search *search,
                                    const struct change_place *place, struct span span,
                                    const char *text);

// Adds a form of a place that consists of edits, which are copied; what else it has is in `form`.
void place_add_edits(const struct place_search *search, struct change_place *place,
                     struct change_form form, const struct change_insert *edits, size_t count);

// Whether the changes have a place already. Where it is of another thread that runs the same text,
// this is then said of it.
bool place_is_known(struct place_search *search, const struct change_place *place);

// Adds a place where it has several forms, is in the file, and is not there already.
void place_add(struct place_search *search, const struct change_place *place);

// Returns the first thread that runs the text of a thread: that one itself where no earlier one
// does.
size_t place_first_thread(const struct test *test, size_t thread);

// Adds the places of barriers: where a barrier that the test does not have may be put, so that all
// threads of a CTA, or of a cluster, pass it once; and arrivals that become waits (barriers.c).
//
// A place of the kind CHANGE_BARRIER is a CTA, a cluster or an arrival. Each of its forms, but the
// first, is a way to put one barrier in: an edit for each text that the threads run. Forms are not
// ordered by strength; what comes of each is decided by runs. Of a CTA or a cluster with more than
// BARRIER_FORMS_MAX ways to put a barrier in, there is no place, and the changes' `barriers_cut` is
// set.
void barriers_find(struct place_search *search);

enum { BARRIER_FORMS_MAX = 100 };

// Returns a number of a barrier that the test does not use; -1: there is none, or some numbers are
// in registers (barriers.c).
int barriers_free_number(const struct test *test);

// Adds the places of waits: a wait for groups of asynchronous operations that waits for more, a
// wgmma.fence that is put in before a product of matrices, and a griddepcontrol.wait before the
// first access of a grid that may start before the one that it depends on is complete (waits.c).
//
// A place of the kind CHANGE_WAIT is one instruction. Its first form leaves it as it is; the others
// are edits. One that waits for more groups, or for what is written where the written one is .read,
// is stronger.
void waits_find(struct place_search *search);

// Adds the places of corrections: what is not a matter of strength, where a number is wrong or a
// wait is missing that other threads are ready for. They are: counts of mbarrier.init, bytes of
// expect_tx, parities of waits; a wait for a phase before a copy into memory that others may still
// read; a barrier of a CTA in a loop (corrections.c).
//
// A place of the kind CHANGE_CORRECTION is one instruction. Its first form leaves it as it is; the
// others are edits, none of which is stronger than another. What comes of each is decided by runs.
void corrections_find(struct place_search *search);

#endif
