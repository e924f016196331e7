// Conditions as text.
#ifndef PTXLITMUS_CHECK_TEXT_CONDITION_H
#define PTXLITMUS_CHECK_TEXT_CONDITION_H

#include "program/program.h"

#include <stdbool.h>
#include <stdio.h>

enum condition_style {
    // herd's grammar: 1:r0=1 /\ [x]=2, `not (...)`. What herd cannot say (an order, a constant of
    // more than 64 bits) is spelled so that herd's reader of conditions declines it.
    CONDITION_HERD,
    CONDITION_PTX, // as tests spell it: P1:%r0 == 1 /\ x == 2
};

// Prints the test's condition without its quantifier.
void condition_print(FILE *out, const struct program *program, enum condition_style style);

// Returns what condition_print prints; the arena owns it.
const char *condition_to_text(struct arena *arena, const struct program *program,
                              enum condition_style style);

// Whether two terms name the same register, location or address. False for constants.
bool term_same(const struct term *a, const struct term *b);

// Returns "exists", "~exists" or "forall", which live for ever.
const char *quantifier_text(enum quantifier quantifier);

#endif
