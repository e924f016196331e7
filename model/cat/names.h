// The names that every cat text starts with.
#ifndef PTXLITMUS_CAT_NAMES_H
#define PTXLITMUS_CAT_NAMES_H

#include "model/cat/check.h"

// Defines the base sets and relations (base.def) and the built-in functions in the checker's scope.
void names_define_base(struct checker *checker);

// A cat text with the names that are derived from them; it is read before the user's.
extern const char names_predefined_text[];

#endif
