// Memory in the encoding: what events touch, where reads take it from, and the orders co and sc.
#ifndef PTXLITMUS_SOLVER_ENCODE_MEMORY_H
#define PTXLITMUS_SOLVER_ENCODE_MEMORY_H

#include "solver/encode/values.h"

// --- Memory (encode/memory.c, encode/reads.c, encode/orders.c) ---------------------------------

// A cell that an event may touch.
struct touch {
    unsigned cell;
    literal when; // the event executes and touches it; 0 before it is known
};

// A write from which a cell may come, and the literal that says so.
struct origin {
    unsigned write;
    literal taken;
};

// Where a read (or the reader of a final value) may take a cell from.
struct origins {
    unsigned cell;
    struct origin *items;
    size_t count;
};

// The encoding state of one event.
struct event_state {
    literal executes; // 0 before it is known
    struct touch *touches;
    size_t touch_count;
    const struct encoded_value **parts; // of a write: its value in each touched cell
    struct origins *reads;              // of a read: by touched cell
    const struct encoded_value *read;   // EXPR_READ
    bool read_open;                     // it is being computed
    bool read_free; // it was asked for meanwhile: `read` is a variable, equated later
    literal undef;  // EXPR_READ_UNDEF, 0 before it is known
    bool undef_open;
};

// A cell's final value.
struct final_state {
    struct origins origins;
    const struct encoded_value *value;
    literal undef;
};

// Whether an event executes (encode/memory.c).
literal encode_executes(struct encoder *encoder, unsigned event);

// Finds the cells that events may touch and the variables of rf. Comes before all that follows.
void memory_prepare(struct encoder *encoder);

// Asserts what rf and the data flow must satisfy (memory-model section 2).
void memory_constrain(struct encoder *encoder);

// Whether an event may touch a cell.
bool memory_may_touch(const struct encoder *encoder, unsigned event, unsigned cell);

// Returns the index of a cell among those that an event may touch; the event may touch it.
size_t memory_touch_index(const struct encoder *encoder, unsigned event, unsigned cell);

// Whether an event executes and touches a cell.
literal memory_touches(struct encoder *encoder, unsigned event, unsigned cell);

// Returns the value that a write leaves in a cell, which it may touch.
const struct encoded_value *memory_part(struct encoder *encoder, unsigned write, unsigned cell);

// Returns the condition (one bit) that this value depends on an unknown initial one.
const struct expr *memory_part_undef(const struct encoder *encoder, unsigned write, unsigned cell);

// Returns the value that a read returns (encode/reads.c).
const struct encoded_value *reads_value(struct encoder *encoder, unsigned read);

// Whether a read's value depends on an unknown initial one.
literal reads_undef(struct encoder *encoder, unsigned read);

// Returns a cell's final value (memory-model: final values byte by byte).
const struct encoded_value *finals_value(struct encoder *encoder, unsigned cell);

// Whether a cell's final value is that of a write; LITERAL_TRUE when no other write can be final.
literal finals_taken(struct encoder *encoder, unsigned cell, unsigned write);

// Whether a cell's final value depends on an unknown initial one.
literal finals_undef(struct encoder *encoder, unsigned cell);

// Makes the variables of co and asserts that it is a partial order (encode/orders.c).
void orders_prepare(struct encoder *encoder);

// Asserts that sc has no cycle among the pairs that are in use.
void orders_finish(struct encoder *encoder);

// Whether a write is co-before another.
literal encode_co(struct encoder *encoder, unsigned a, unsigned b);

// Whether an operation is before another one, given an event of each; they share a cell at which
// operations take turns (encode/turns.c).
literal orders_turn(struct encoder *encoder, unsigned a, unsigned b);

// Drops pairs of co at such cells from a disjunction that imply others in it.
void orders_shorten(struct encoder *encoder, struct disjunction *disjunction);

// Whether a fence.sc is before another one in sc.
literal orders_sc(struct encoder *encoder, unsigned a, unsigned b);

// Whether a read is fr-before a write.
literal orders_fr(struct encoder *encoder, unsigned read, unsigned write, enum polarity polarity);

// Whether a pair of events is in a base relation (model/cat/base.def).
literal base_pair(struct encoder *encoder, enum base_relation relation, unsigned a, unsigned b,
                  enum polarity polarity);

// Whether two events both execute.
literal both_execute(struct encoder *encoder, unsigned a, unsigned b);

#endif
