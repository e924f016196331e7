// The encoding of a program under a model as a problem for the backend. What the files
// of this folder share; solver/answer/outcomes.c and solver/check/execution.c use the part up to
// "Inside".
//
// Every fact is a literal. Facts that clauses need in one direction only are encoded in that
// direction: see enum polarity. All is encoded when it is first asked for, and once.
#ifndef PTXLITMUS_SOLVER_ENCODE_ENCODE_H
#define PTXLITMUS_SOLVER_ENCODE_ENCODE_H

#include "solver/backend/backend.h"
#include "solver/bounds/bounds.h"
#include "solver/bounds/facts.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct encoder;

// Starts the encoding of a problem that the backend has begun: data flow, rf, co, and the axioms
// that the model requires. All arguments are borrowed; the encoder lives in `arena` but owns memory
// besides: the caller ends it with encoder_free. The watchdog may end the encoding early; the
// backend then answers every check with "unknown".
struct encoder *encoder_new(struct arena *arena, struct backend *backend,
                            const struct program *program, struct bounds *bounds,
                            struct diagnostics *diagnostics);
void encoder_free(struct encoder *encoder);

// Whether something could not be encoded, reported in the diagnostics.
bool encoder_failed(const struct encoder *encoder);

// --- Values ------------------------------------------------------------------------------------

// A value during encoding: one of a few constants, each with the literal that says so (exactly one
// of which holds in every model), or any bit-vector.
struct encoded_value {
    unsigned width;
    size_t count; // of constants; 0 when only the term is known
    struct bits128 *constants;
    literal *literals;
    bool has_term; // `term` is the value as a bit-vector
    term term;
};

// The value of an expression, memoised.
const struct encoded_value *encode_expr(struct encoder *encoder, const struct expr *expr);
// The same for an expression of one bit, as a literal.
literal encode_condition(struct encoder *encoder, const struct expr *expr);
// Whether a value is this constant.
literal encode_value_is(struct encoder *encoder, const struct encoded_value *value,
                        struct bits128 constant);
// Whether the last model could be read so far; if not, nothing that was read of it is to be used.
bool encode_is_readable(const struct encoder *encoder);
// The value in the model of the last check.
struct bits128 encode_value_in_model(struct encoder *encoder, const struct encoded_value *value);

// --- Facts, for decoding models ----------------------------------------------------------------

// Whether, in the last model, a write (or initial write) is co-before another; and whether one
// fence.sc is before another, executed or not (false both ways for pairs whose order nothing
// needs).
bool encode_co_in_model(struct encoder *encoder, unsigned a, unsigned b);
bool encode_sc_in_model(struct encoder *encoder, unsigned a, unsigned b);
// The write from which the last model's read takes a cell; -1 when it does not touch the cell.
int encode_source_in_model(struct encoder *encoder, unsigned read, unsigned cell);
// A literal that says so of a write: LITERAL_FALSE when it cannot be.
literal encode_source(struct encoder *encoder, unsigned read, unsigned cell, unsigned write);
// The write whose value the last model leaves in a cell; -1 when nothing asked for it.
int encode_final_in_model(struct encoder *encoder, unsigned cell);

// Whether, in the last model, an executed wait passes; the first arrival of the phase that an
// arrival is in, -1 when it is in none (with a quorum: itself, -1 when it is not in the set).
bool encode_passes_in_model(struct encoder *encoder, unsigned wait);
int encode_phase_in_model(struct encoder *encoder, unsigned arrival);

// --- Barriers ----------------------------------------------------------------------------------

// Whether some thread has not left a barrier; LITERAL_FALSE without barriers.
literal encode_blocked(struct encoder *encoder);
// A literal that implies that some thread never leaves a barrier, for use as an assumption:
// LITERAL_FALSE when none can.
literal encode_hang(struct encoder *encoder);

// --- Axioms ------------------------------------------------------------------------------------

// A literal under which the axiom holds (`holds`) or is broken (not `holds`), for use as an
// assumption: it may be false although the axiom holds (is broken).
literal encode_axiom(struct encoder *encoder, const struct model_axiom *axiom, bool holds);

// A literal that implies that a pair is in the relation of an axiom; LITERAL_FALSE when it cannot
// be.
literal encode_axiom_pair(struct encoder *encoder, const struct model_axiom *axiom, unsigned a,
                          unsigned b);

// For a broken `empty` of a relation: a pair of it in the last model.
bool encode_find_pair(struct encoder *encoder, const struct model_axiom *axiom, unsigned *a,
                      unsigned *b);

// Finds cells that count additions or lock sections, and asserts what the solver itself proves of
// them: see encode/chains.h. It asks the solver, so everything else must be encoded. Chains of
// fewer sections than `least` are left out; 0: those that would not pay. Returns how many it
// proved.
size_t encode_chains(struct encoder *encoder, unsigned least);

// Hands out clauses that are owed for what was encoded since. Call it before each check.
void encode_finish(struct encoder *encoder);

// What was encoded, for --stats.
void encode_count_pairs(const struct encoder *encoder, size_t *may, size_t *must);

#endif
