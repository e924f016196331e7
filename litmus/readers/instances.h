// Notes about names that mean a different object in each CTA.
#ifndef PTXLITMUS_INSTANCES_H
#define PTXLITMUS_INSTANCES_H

#include "litmus/source/diagnostics.h"
#include "litmus/test.h"

// Adds a note for each .shared variable, and each barrier, that threads of several CTAs use under
// one name, where some CTA has only one such thread: it may be meant to be shared by all CTAs,
// which it is not.
void instances_note(const struct test *test, struct diagnostics *diagnostics);

#endif
