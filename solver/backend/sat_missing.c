// The place of sat.c and cadical.c where CaDiCaL is not linked: no problem is CaDiCaL's.
#include "solver/backend/internal.h"

const struct engine_calls *const sat_engine = NULL;
