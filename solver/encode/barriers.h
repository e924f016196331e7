// Barriers in the encoding, and threads that stay in loops.
#ifndef PTXLITMUS_SOLVER_ENCODE_BARRIERS_H
#define PTXLITMUS_SOLVER_ENCODE_BARRIERS_H

#include "solver/encode/values.h"

// --- Barriers (encode/barriers.c, encode/hangs.c) ----------------------------------------------

struct barriers {
    unsigned *arrivals, *waits; // ids of events, ascending
    size_t arrival_count, wait_count;
    literal *done;           // by arrival: it is in a completed phase (with a quorum: in the set)
    literal *lacks;          // by arrival: in a short one
    literal *passes;         // by wait
    struct pair_table *same; // of arrivals: they are in one phase; the lower id first
    // By arrival: the first one of its phase, where that is of all arrivals that may be in it, or
    // of none; else -1.
    int *whole;
    const struct encoded_value **reduced; // by wait of a bar.red
    literal *reduced_undefs;
};

// Makes the variables of barriers, if the program has any. Their meaning is explained above struct
// phase_pair in phases.h (memory-model section 6).
void barriers_prepare(struct encoder *encoder);

// Asserts what the variables of barriers must satisfy.
void barriers_constrain(struct encoder *encoder);

// Whether two arrivals are of one phase that is of all arrivals that may be in it, or of none.
bool barriers_are_of_whole(const struct encoder *encoder, unsigned a, unsigned b);

// Whether an executed wait passes: the leaf EXPR_PASSES.
literal barriers_passes(struct encoder *encoder, unsigned wait);

// Whether a phase pair holds, which it does only if its wait executes: the leaf EXPR_PHASE_PAIR.
literal barriers_phase_pair(struct encoder *encoder, unsigned pair);

// Returns the result of the bar.red of a wait: the leaf EXPR_REDUCED.
const struct encoded_value *barriers_reduced(struct encoder *encoder, unsigned wait);

// Whether that result is unknown: the leaf EXPR_REDUCED_UNDEF.
literal barriers_reduced_undef(struct encoder *encoder, unsigned wait);

// Whether two events that may be at one barrier (facts_may_share_barrier) are at one.
literal barriers_at_one(struct encoder *encoder, unsigned a, unsigned b);

// Whether the first of two arrivals is an earlier one of the same thread, and may be at the same
// barrier.
bool barriers_is_earlier(const struct encoder *encoder, unsigned a, unsigned b);

// Whether two arrivals of different threads may be in one phase.
bool barriers_may_share_phase(const struct encoder *encoder, unsigned a, unsigned b);

// Whether the barrier count of an event is `count` threads.
literal barriers_counts_to(struct encoder *encoder, const struct event *event, size_t count);

// Whether two arrivals are in one phase; of an arrival and itself, whether it is in a phase.
literal barriers_in_one_phase(struct encoder *encoder, unsigned a, unsigned b);

// Whether two arrivals have the same barrier count.
literal barriers_counts_equal(struct encoder *encoder, unsigned a, unsigned b);

// Whether the count of an arrival is at most the number of threads that share its barrier.
literal barriers_count_fits(struct encoder *encoder, const struct event *arrival);

// Whether an arrival's phase may be short because a thread has no arrival in it.
bool barriers_may_lack(const struct encoder *encoder, unsigned arrival, size_t thread);

// Whether a thread has exited, and all its arrivals at the barrier of this arrival are in phases.
literal barriers_gone(struct encoder *encoder, unsigned arrival, size_t thread);

// Whether an exit takes place (struct barrier_exit).
literal barriers_exit(struct encoder *encoder, const struct barrier_exit *exit);

// Whether `find` holds for at least as many of a wait's phase pairs as its count says.
literal barriers_has_enough(struct encoder *encoder, const struct event *wait,
                            literal (*find)(struct encoder *, const struct phase_pair *));

// Sets at_least[k], for k from 0 to `most`, to a literal for "at least k of the literals hold".
// `at_least` has room for most + 1 literals.
void count_literals(struct encoder *encoder, const literal *literals, size_t count,
                    literal *at_least, size_t most);

// Returns the event with this index.
static inline const struct event *barriers_event(const struct encoder *encoder, unsigned event) {
    return &encoder->program->events[event];
}

// --- Threads that stay in loops (encode/stays.c) -----------------------------------------------

// Asserts that no phase of a barrier can complete any more, where the guard holds.
void encode_stuck(struct encoder *encoder, literal guard);
// Asserts what staying in a loop asks for. Nothing without program->endings.
void encode_stays(struct encoder *encoder);

#endif
