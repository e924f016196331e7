// From a program to its outcomes: every candidate execution is built and judged by the axioms.
#ifndef PTXLITMUS_ORACLE_SEARCH_H
#define PTXLITMUS_ORACLE_SEARCH_H

#include "litmus/program/program.h"
#include "tests/oracle/axioms.h"
#include "tests/oracle/outcomes.h"

#include <stdint.h>

struct search_options {
    const struct version *version;
    // Take co from all partial orders and sc from all total ones, instead of the least ones that
    // orders_orient finds: slow, and what shows that the least ones are enough.
    bool every_order;
    uint64_t limit; // steps (guesses for a read, candidates) before giving up
};

struct search_result {
    const char *unsupported; // why the oracle cannot judge this program, or NULL
    bool complete;           // false when the limit was reached
    struct outcome_set
        outcomes; // of allowed executions that pass the filter; in program->observed's order
    // Of allowed executions, whatever the filter says:
    bool data_race; // some has a race of accesses of the same extent (section 7)
    bool open_race; // a mixed-size race beyond those of atomic operations that take turns (D46)
    bool mixed_size_race; // some has a race of accesses that overlap in part: the program is
                          // undefined
    bool barrier_misuse;  // in some, a barrier is misused (section 6): the program is undefined
    bool bound_reached; // some would pass the bound of a loop (D16), and is not among the outcomes
    bool hang;          // in some, a thread never leaves a barrier (section 6)
    bool ends;          // some has an outcome
    bool satisfied;     // some outcome satisfies the condition
    bool violated;      // some outcome does not
    uint64_t steps;
    uint64_t candidates; // choices of rf, sc and co that were tried
    uint64_t executions; // those that the axioms allow
};

// Fills `result`; the caller releases it with search_result_free.
void search_run(const struct program *program, const struct search_options *options,
                struct search_result *result);
void search_result_free(struct search_result *result);

#endif
