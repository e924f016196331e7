// The order of the forms of a place.
#ifndef PTXLITMUS_REPAIR_STRENGTH_H
#define PTXLITMUS_REPAIR_STRENGTH_H

#include "repair/changes.h"

// Whether a form is as strong as another one of its place, or stronger.
bool change_covers(const struct change_form *form, const struct change_form *other);

// Whether a form is the next weaker one of a place: none lies between.
bool change_is_next(const struct change_place *place, size_t form, size_t weaker);

// Returns how strong a form is: more than each other one of its place that it covers.
unsigned change_rank(const struct change_form *form);

#endif
