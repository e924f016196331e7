// The place of the Z3 files in a build without Z3 (PTXLITMUS_Z3=OFF): no problem is Z3's.
#include "solver/backend/internal.h"
#include "solver/solver.h"

const struct engine_calls *const z3_engine = NULL;

bool z3_is_missing(void) {
    return true;
}

const char *solver_lacks_z3(void) {
    return "this ptxlitmus was built without Z3: its engine is CaDiCaL";
}

struct z3 *z3_new(void) {
    return NULL;
}

void z3_free(struct backend *backend) {
    (void)backend;
}

void z3_abandon(struct backend *backend) {
    (void)backend;
}

const char *solver_backend_version(void) {
    return "not built in";
}
