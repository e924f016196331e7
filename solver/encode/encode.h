// The encoding of a program under a model as a problem for the backend. What the files
// of this folder share; solver/answer/outcomes.c and solver/check/execution.c use the part up to
// "Inside".
//
// Every fact is a literal. Facts that clauses need in one direction only are encoded in that
// direction: see enum polarity. Everything is encoded when it is first asked for, and once.
//
// What is encoded is defined in memory-model: sections 1 and 2 (events, rf, co, sc), 3 and 4
// (what the model's text says), 6 (barriers). Events, cells and nodes are given by their indices in
// the program and the model. Values that are returned live in the encoder's arena.
//
// Failure: when the backend fails, or the watchdog ends the run, functions return LITERAL_NONE or
// some value and go on; every check then answers "unknown" (backend.h), so callers need not look.
#ifndef PTXLITMUS_SOLVER_ENCODE_ENCODE_H
#define PTXLITMUS_SOLVER_ENCODE_ENCODE_H

#include "solver/backend/backend.h"
#include "solver/bounds/bounds.h"
#include "solver/bounds/facts.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct encoder;
struct schedule;

// Encodes a program for a problem that the backend has begun: data flow, rf, co, and the axioms
// that the model requires (`bounds` knows the model). All arguments are borrowed for the encoder's
// life. `chain_min` is that of struct solver_options. The encoder lives in `arena`, but also owns
// memory outside it: the caller ends it with encoder_free. Never NULL; see encoder_failed.
struct encoder *encoder_new(struct arena *arena, struct backend *backend,
                            const struct program *program, struct bounds *bounds,
                            unsigned chain_min, struct diagnostics *diagnostics);

// Frees what the encoder owns outside its arena. NULL is allowed.
void encoder_free(struct encoder *encoder);

// Whether something could not be encoded, which the diagnostics report.
bool encoder_failed(const struct encoder *encoder);

// --- Values ------------------------------------------------------------------------------------

// A value during encoding: one of a few constants, each with the literal that says so (exactly one
// of which holds in every model), or any bit-vector.
struct encoded_value {
    unsigned width;
    size_t count; // of constants; 0 when only the term is known
    struct bits128 *constants;
    literal *literals;
    struct term_memo *memo; // the value as a bit-vector, once it was asked for
};

struct term_memo {
    bool has_term;
    term term;
    literal one; // of one bit: that it is 1, once it was asked for; else 0
};

// Returns the value of an expression; asked again, it returns the same one.
const struct encoded_value *encode_expr(struct encoder *encoder, const struct expr *expr);

// Returns the value of an expression of one bit as a literal.
literal encode_condition(struct encoder *encoder, const struct expr *expr);

// Returns a literal that holds exactly when a value is this constant.
literal encode_value_is(struct encoder *encoder, const struct encoded_value *value,
                        struct bits128 constant);

// Whether everything that was read from the last model could be read; if not, none of it may be
// used.
bool encode_is_readable(const struct encoder *encoder);

// Returns the value in the model of the last check, which must have answered ANSWER_SAT.
struct bits128 encode_value_in_model(struct encoder *encoder, const struct encoded_value *value);

// --- Facts, for decoding models ----------------------------------------------------------------

// Whether, in the last model, a write (or initial write) is co-before another.
bool encode_co_in_model(struct encoder *encoder, unsigned a, unsigned b);

// Whether, in the last model, one fence.sc is before another, executed or not; false both ways for
// pairs whose order no clause needs.
bool encode_sc_in_model(struct encoder *encoder, unsigned a, unsigned b);

// Returns the write from which a read takes a cell in the last model; -1 when it does not touch the
// cell.
int encode_source_in_model(struct encoder *encoder, unsigned read, unsigned cell);

// Returns a literal that holds exactly when a read takes a cell from a write; LITERAL_FALSE when it
// never can.
literal encode_source(struct encoder *encoder, unsigned read, unsigned cell, unsigned write);

// Returns a literal that holds exactly when a pair is in a base relation; LITERAL_FALSE when it
// never is.
literal encode_base_pair(struct encoder *encoder, enum base_relation relation, unsigned a,
                         unsigned b);

// Returns the write whose value the last model leaves in a cell; -1 when no clause asked for it.
int encode_final_in_model(struct encoder *encoder, unsigned cell);

// Whether, in the last model, an executed wait passes.
bool encode_passes_in_model(struct encoder *encoder, unsigned wait);

// Returns the first arrival of the phase that an arrival is in, in the last model; -1 when it is in
// no phase. (With a quorum: the arrival itself; -1 when it is not in the set.)
int encode_phase_in_model(struct encoder *encoder, unsigned arrival);

// --- Barriers ----------------------------------------------------------------------------------

// Returns a literal that holds exactly when some thread has not left a barrier; LITERAL_FALSE for a
// program without barriers.
literal encode_blocked(struct encoder *encoder);

// Returns a literal that implies that some thread never leaves a barrier, for use as an assumption;
// LITERAL_FALSE when every thread always does.
literal encode_hang(struct encoder *encoder);

// A literal that implies that the execution never ends, as far as the schedule allows that, for use
// as an assumption; LITERAL_FALSE when none can. Of a program with `endings`.
literal encode_endless(struct encoder *encoder, const struct schedule *schedule);
// Whether a condition of the program holds in the last model.
bool encode_holds_in_model(struct encoder *encoder, const struct expr *condition);

// --- Axioms ------------------------------------------------------------------------------------

// Returns a literal that implies that the axiom holds (`holds`) or is broken (not `holds`), for use
// as an assumption; it may be false although the axiom holds, or is broken.
literal encode_axiom(struct encoder *encoder, const struct model_axiom *axiom, bool holds);

// Returns a literal that implies that a pair of events is in the relation of an axiom;
// LITERAL_FALSE when it never is.
literal encode_axiom_pair(struct encoder *encoder, const struct model_axiom *axiom, unsigned a,
                          unsigned b);

// For a broken axiom `empty`: finds a pair of its relation (or an event of its set, in `*a`) in the
// last model. Returns false when there is none.
bool encode_find_pair(struct encoder *encoder, const struct model_axiom *axiom, unsigned *a,
                      unsigned *b);

// Finds cells that count additions or lock sections, and asserts what the solver itself proves
// about them: see encode/chains.h. It asks the solver, so everything else must be encoded before.
// Chains of fewer sections than `least` are left out; with 0, those whose proof would not pay.
// Returns the number of chains that it proved.
size_t encode_chains(struct encoder *encoder, unsigned least);

// The same of cells that operations take turns at alone, of which nothing has to be proven: for a
// problem with few questions.
void encode_counters(struct encoder *encoder, unsigned least);

// Asserts the clauses that define what was encoded since the last call. Call it before each check.
void encode_finish(struct encoder *encoder);

// Counts the pairs of all relations that were encoded, for --stats: those that may hold, and those
// that must.
void encode_count_pairs(const struct encoder *encoder, size_t *may, size_t *must);

#endif
