// Literals of the encoder: tables of them by pairs of events, and gates.
#ifndef PTXLITMUS_SOLVER_ENCODE_GATES_H
#define PTXLITMUS_SOLVER_ENCODE_GATES_H

#include "solver/encode/encoder.h"

// In which direction a literal and its fact imply each other.
enum polarity {
    OVER = 1,  // over-approximated: the fact implies the literal; for asserting absence
    UNDER = 2, // under-approximated: the literal implies the fact; for asserting presence
    EXACT = OVER | UNDER,
};

// Returns the polarity of a negation: OVER for UNDER and the other way round.
static inline enum polarity polarity_opposite(enum polarity polarity) {
    return polarity == OVER ? UNDER : polarity == UNDER ? OVER : EXACT;
}

// --- Tables (encode/gates.c) -------------------------------------------------------------------

// Literals by pair of events, 0 where there is none; rows are made when they are needed.
struct pair_table {
    literal **rows;
};

// Returns an empty table for the program's events; the encoder's arena owns it.
struct pair_table *pair_table_new(struct encoder *encoder);

// Returns the place of a pair's literal, for reading and writing; the table owns it.
literal *pair_table_at(struct encoder *encoder, struct pair_table *table, unsigned a, unsigned b);

// Returns a table's literal; for 0, LITERAL_FALSE, since a pair that a table lacks never holds.
// After the run was stopped, a pair may be missing for that reason alone, and LITERAL_NONE is
// returned.
literal false_unless_known(const struct encoder *encoder, literal known);

// --- Gates (encode/gates.c) --------------------------------------------------------------------

// A disjunction of conjunctions that is being built. Start with {0}.
struct disjunction {
    literal *literals;
    size_t literal_count, literal_capacity;
    size_t *ends; // of each conjunction in `literals`
    size_t count, capacity;
    bool holds; // some conjunction is true
};

// Frees the disjunction without asserting anything.
void disjunction_drop(struct disjunction *disjunction);

// Adds the conjunction of `count` literals (copied); an empty one is true.
void disjunction_add_all(struct disjunction *disjunction, const literal *literals, size_t count);

// Adds the conjunction of the literals that follow, which are evaluated in their order.
#define disjunction_add(disjunction, ...) disjunction_add_all((disjunction), LITERALS(__VA_ARGS__))

// Adds the conjunction of two literals.
void disjunction_add2(struct disjunction *disjunction, literal a, literal b);

// Returns a literal for the disjunction, a new variable where one is needed, and frees the
// disjunction. `kind`, `a` and `b` make up the variable's name in dumps.
literal disjunction_close(struct encoder *encoder, struct disjunction *disjunction,
                          enum polarity polarity, const char *kind, unsigned a, unsigned b);

// Asserts that an existing variable is the disjunction, and frees the disjunction.
void disjunction_define(struct encoder *encoder, struct disjunction *disjunction,
                        enum polarity polarity, literal variable);

// Returns a literal for "both".
literal gate_and(struct encoder *encoder, literal a, literal b, enum polarity polarity);

// Returns a literal for "at least one of the two".
literal gate_or(struct encoder *encoder, literal a, literal b, enum polarity polarity);

// Asserts a literal.
void clause1(struct encoder *encoder, literal a);

// Asserts that at least one of two literals holds.
void clause2(struct encoder *encoder, literal a, literal b);

// Asserts that at least one of three literals holds.
void clause3(struct encoder *encoder, literal a, literal b, literal c);

// Asserts that at least one of four literals holds.
void clause4(struct encoder *encoder, literal a, literal b, literal c, literal d);

// Asserts that at most one of `count` literals holds, and exactly one where the condition does.
void exactly_one_if(struct encoder *encoder, literal condition, const literal *literals,
                    size_t count);

#endif
