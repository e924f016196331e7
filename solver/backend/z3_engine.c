// The table of what Z3 does.

#include "solver/backend/z3_internal.h"

static const struct engine_calls functions = {
#define ENGINE_FUNCTION(result, name, ...) .name = z3_##name,
#include "solver/backend/engine.def"
#undef ENGINE_FUNCTION
};

const struct engine_calls *const z3_engine = &functions;
