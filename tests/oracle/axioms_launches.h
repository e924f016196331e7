// The order of launches, in proxy-preserved base causality (memory-model section 17).
#ifndef PTXLITMUS_ORACLE_AXIOMS_LAUNCHES_H
#define PTXLITMUS_ORACLE_AXIOMS_LAUNCHES_H

#include "tests/oracle/axioms.h"

// Returns the accesses that are ordered across the end of one grid and the start of the next: those
// of the two grids, whatever their proxies, and others. `crossing`: from what comes before to what
// comes after; `generic`: from accesses to where their
// effect is in the generic proxy, in base causality after them; `entered`: from there to accesses
// that see it; `acquired`: from fences that acquire tensormaps to accesses through that proxy.
struct rel launches_cross(const struct derived *d, struct rel crossing, struct rel generic,
                          struct rel entered, struct rel acquired);

#endif
