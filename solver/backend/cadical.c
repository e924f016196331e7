// The thin end to CaDiCaL: the only file that includes its header.

#include "solver/backend/cadical.h"
#include "solver/backend/cadical_guard.h"

#include "litmus/source/allocate.h"

#include <ccadical.h>
#include <limits.h>
#include <stdlib.h>

struct cadical {
    CCaDiCaL *solver;
    bool (*must_stop)(void *context);
    void *stop_context;
    void (*learned)(void *context, const int *literals, size_t count);
    void *learned_context;
};

static int terminate(void *context) {
    const struct cadical *cadical = context;
    return cadical->must_stop(cadical->stop_context);
}

// Has CaDiCaL do something. Where it has no memory, its state is not known, so that it is not used
// again.
static void have_done(void (*deed)(void *context), void *context) {
#ifdef PTXLITMUS_HAS_GUARD
    if (!cadical_guard(deed, context))
        out_of_memory();
#else
    deed(context);
#endif
}

static void begin(void *context) {
    struct cadical *cadical = context;
    cadical->solver = ccadical_init();
    ccadical_set_option(cadical->solver, "quiet", 1); // stdout belongs to the results
    ccadical_set_terminate(cadical->solver, cadical, terminate);
}

struct cadical *cadical_new(bool (*must_stop)(void *context), void *context) {
    struct cadical *cadical = allocate(1, sizeof *cadical);
    cadical->must_stop = must_stop;
    cadical->stop_context = context;
    have_done(begin, cadical);
    return cadical;
}

void cadical_free(struct cadical *cadical) {
    ccadical_release(cadical->solver);
    free(cadical);
}

static void give_learned(void *context, int *clause) {
    const struct cadical *cadical = context;
    size_t count = 0;
    while (clause[count] != 0)
        count++;
    cadical->learned(cadical->learned_context, clause, count);
}

void cadical_trace(struct cadical *cadical,
                   void (*learned)(void *context, const int *literals, size_t count),
                   void *context) {
    // What replaces or removes clauses without telling.
    static const char *const silent[] = {"block", "condition", "cover",      "decompose", "elim",
                                         "probe", "subsume",   "ternary",    "transred",  "vivify",
                                         "walk",  "lucky",     "instantiate"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        ccadical_set_option(cadical->solver, silent[i], 0);
    cadical->learned = learned;
    cadical->learned_context = context;
    ccadical_set_learn(cadical->solver, cadical, INT_MAX, give_learned);
}

// Literals for CaDiCaL, and what it answers.
struct given {
    struct cadical *cadical;
    const int *literals;
    size_t count;
    int answer;
};

static void add_clause(void *context) {
    const struct given *given = context;
    for (size_t i = 0; i < given->count; i++)
        ccadical_add(given->cadical->solver, given->literals[i]);
    ccadical_add(given->cadical->solver, 0);
}

void cadical_clause(struct cadical *cadical, const int *literals, size_t count) {
    have_done(add_clause, &(struct given){cadical, literals, count, 0});
}

static void solve(void *context) {
    struct given *given = context;
    for (size_t i = 0; i < given->count; i++)
        ccadical_assume(given->cadical->solver, given->literals[i]);
    given->answer = ccadical_solve(given->cadical->solver);
}

int cadical_solve(struct cadical *cadical, const int *assumptions, size_t count) {
    struct given given = {cadical, assumptions, count, 0};
    have_done(solve, &given);
    return given.answer == 10 ? 1 : given.answer == 20 ? -1 : 0;
}

void cadical_limit_conflicts(struct cadical *cadical, int conflicts) {
    ccadical_limit(cadical->solver, "conflicts", conflicts);
}

bool cadical_value(struct cadical *cadical, int variable) {
    return ccadical_val(cadical->solver, variable) > 0;
}
