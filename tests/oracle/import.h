// The part of an execution that a program fixes before anything is chosen.
#ifndef PTXLITMUS_ORACLE_IMPORT_H
#define PTXLITMUS_ORACLE_IMPORT_H

#include "litmus/program/program.h"
#include "tests/oracle/axioms.h"

// Why the oracle cannot judge the program under this version, or NULL when it can. The text is
// static.
const char *import_unsupported(const struct program *program, const struct version *version);

// Fills what does not depend on the choices: kinds, tags, places. Cells and ranges of accesses,
// dependencies, rf and the set of executed events are left empty.
void import_execution(const struct program *program, struct execution *x);

// The cells of a candidate address.
uint64_t import_cells(const struct candidate *candidate);

#endif
