// Notes about names of which every CTA has something of its own.
#ifndef PTXLITMUS_INSTANCES_H
#define PTXLITMUS_INSTANCES_H

#include "litmus/source/diagnostics.h"
#include "litmus/test.h"

// Adds a note for each .shared variable, and each barrier, that threads of several CTAs use under
// one name, in one CTA a single thread alone: it may be meant to be the same for all, and is not.
void instances_note(const struct test *test, struct diagnostics *diagnostics);

#endif
