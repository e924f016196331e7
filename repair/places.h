// Inside repair/: places of changes in the making.
#ifndef PTXLITMUS_REPAIR_PLACES_H
#define PTXLITMUS_REPAIR_PLACES_H

#include "repair/changes.h"

// Returns a place at an instruction of a thread, of a kind, before the instruction, with the form
// that changes nothing; the arena owns its forms.
struct change_place change_place_at(struct arena *arena, const struct test *test,
                                    enum change_kind kind, size_t thread, size_t instruction);

#endif
