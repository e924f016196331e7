// What search.c and barriers.c share: a candidate in the making.
#ifndef PTXLITMUS_ORACLE_SEARCH_INTERNAL_H
#define PTXLITMUS_ORACLE_SEARCH_INTERNAL_H

#include "tests/oracle/evaluate.h"
#include "tests/oracle/search.h"

// What is guessed of a read; of an arrival, or a wait for a number of arrivals without phases.
struct guess {
    bool made;
    bool executes;
    const struct candidate *candidate;
    uint8_t source[ACCESS_CELLS_MAX];
    unsigned phase; // from 1 on; 0: in none
};

enum truth { FALSE_NOW, TRUE_NOW, NOT_KNOWN };

struct search {
    const struct program *program;
    const struct search_options *options;
    bool bound_only; // nothing is asked but whether the bound is passed
    struct search_result *result;
    struct evaluation evaluation;
    struct execution x;
    struct guess guess[EVENTS_MAX];
    uint64_t writers[CELLS_MAX];      // events that may write the cell
    uint64_t final_cells;             // cells whose final value somebody asks for
    unsigned final_source[CELLS_MAX]; // the maximal write chosen for each of them
    bool finals_chosen;
    // Of the candidate at hand:
    struct derived derived;
    struct causality causality;
    struct rel sc;
    bool blocked;        // some thread never leaves a barrier
    struct shown *shown; // scratch for one outcome
};

// Whether a condition of one bit holds, as far as the guesses say.
enum truth truth_of(struct search *search, const struct expr *condition);

// Ends the search: the oracle cannot judge the program.
void search_refuse(struct search *search, const char *reason);

// --- Barriers (memory-model.md section 6) --------------------------------------------------------

// Whether a phase is guessed for the event, and the last one that comes into question.
bool barriers_is_guessed(const struct program *program, unsigned event);
unsigned barriers_last_phase(struct search *search, unsigned event);

// Whether nothing that is known contradicts the guess about an event.
bool barriers_are_plausible(struct search *search, unsigned event);

// The value of an EXPR_PASSES, MEETS, REDUCED or REDUCED_UNDEF.
struct value barriers_value(struct search *search, const struct expr *leaf);

// Judges the phases of a candidate whose executed events are known. BARRIERS_RIGHT: they are
// possible, and x.barrier and `blocked` are set. Executions that are cut off before a thread is
// blocked for good are BARRIERS_WRONG.
enum barriers { BARRIERS_RIGHT, BARRIERS_WRONG, BARRIERS_UNKNOWN };
enum barriers barriers_complete(struct search *search);

#endif
