// The place of the Z3 files in a build without Z3 (PTXLITMUS_Z3=OFF): no problem is Z3's, so that
// none of these is called but those that make and free a backend.
#include "litmus/source/bug.h"
#include "solver/backend/internal.h"
#include "solver/solver.h"

static _Noreturn void missing(void) {
    bug("this build has no Z3");
}

bool z3_is_there(void) {
    return false;
}

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

void z3_begin(struct backend *backend, size_t memory_mb) {
    (void)backend;
    (void)memory_mb;
    missing();
}

void z3_end(struct backend *backend) {
    (void)backend;
}

void z3_share_memory(struct backend *backend, size_t used_mb) {
    (void)backend;
    (void)used_mb;
    missing();
}

literal z3_variable(struct backend *backend, const char *kind, unsigned a, unsigned b) {
    (void)backend;
    (void)kind;
    (void)a;
    (void)b;
    missing();
}

bool z3_clause(struct backend *backend, const literal *literals, size_t count) {
    (void)backend;
    (void)literals;
    (void)count;
    missing();
}

bool z3_has_terms(const struct backend *backend) {
    (void)backend;
    missing();
}

term z3_term_variable(struct backend *backend, unsigned width, const char *kind, unsigned a) {
    (void)backend;
    (void)width;
    (void)kind;
    (void)a;
    missing();
}

term z3_term_constant(struct backend *backend, unsigned width, struct bits128 value) {
    (void)backend;
    (void)width;
    (void)value;
    missing();
}

term z3_term_apply(struct backend *backend, const struct expr *operation, const term *args) {
    (void)backend;
    (void)operation;
    (void)args;
    missing();
}

term z3_term_choose(struct backend *backend, literal condition, term then_value, term else_value) {
    (void)backend;
    (void)condition;
    (void)then_value;
    (void)else_value;
    missing();
}

literal z3_term_equal(struct backend *backend, term a, term b) {
    (void)backend;
    (void)a;
    (void)b;
    missing();
}

bool z3_literal_value(struct backend *backend, literal l) {
    (void)backend;
    (void)l;
    missing();
}

struct bits128 z3_term_value(struct backend *backend, term t) {
    (void)backend;
    (void)t;
    missing();
}

char *z3_dump(struct backend *backend, const literal *assumptions, size_t count) {
    (void)backend;
    (void)assumptions;
    (void)count;
    missing();
}

void z3_drop_model(struct backend *backend) {
    (void)backend;
}

enum answer z3_solve(struct backend *backend, const literal *assumptions, size_t count) {
    (void)backend;
    (void)assumptions;
    (void)count;
    missing();
}

enum answer z3_found(struct backend *backend, enum answer answer) {
    (void)backend;
    (void)answer;
    missing();
}

void z3_stop(struct backend *backend) {
    (void)backend;
}

void z3_limit_conflicts(struct backend *backend, unsigned conflicts) {
    (void)backend;
    (void)conflicts;
    missing();
}

const char *solver_backend_version(void) {
    return "not built in";
}
