// Barriers: who shares them, their arrivals, waits and phases, and the exits of threads.
#ifndef PTXLITMUS_PROGRAM_BARRIER_BARRIERS_H
#define PTXLITMUS_PROGRAM_BARRIER_BARRIERS_H

#include "program/builder.h"
#include "program/thread/values.h"

struct left_lanes;
struct thread_builder;

// The threads that share a barrier.
enum barrier_level { BARRIER_OF_CTA, BARRIER_OF_CLUSTER, BARRIER_OF_WARP };

struct barrier_group {
    enum barrier_level level;
    int leader; // its first thread
};

// --- barrier/exits.c ---------------------------------------------------------------------------

// Finds the reads that decide on exits (memory-model: exits and thin air). After phases_build.
void exits_find_reads(struct builder *builder);

// --- barrier/arrivals.c -------------------------------------------------------------------------

// Whether a thread is one of those that share a barrier.
bool barrier_has_thread(const struct builder *builder, unsigned group, int thread);

// Returns the position of a thread in its warp: the threads of a CTA are numbered in the test's
// order.
unsigned barrier_lane(const struct builder *builder, int thread);

// Whether an arrival is in the phase of a wait whenever the wait passes: all threads make up each
// phase there, and its thread always comes.
bool barrier_always_meets(const struct builder *builder, const struct phase_pair *pair);

// Meets the other lanes of a mask (32 bits), to which it gives a value: an arrival and a wait, as
// of a bar.warp.sync of its own `instance`, which is not 0. Returns the wait; NULL after an error.
struct event *barrier_exchange(struct thread_builder *thread, const struct instruction *instruction,
                               const struct expr *mask, int instance, const struct value *given,
                               struct left_lanes *others);

// --- barrier/lockstep.c ------------------------------------------------------------------------

// Finds the exchanges in warps to which all lanes come together, and puts what they return, over
// reads alone, in the place of their results. After all threads, before phases_build.
void lockstep_find(struct builder *builder, struct value **final_registers);

// --- barrier/completed.c -----------------------------------------------------------------------

// Finds the phases that complete in every execution, and puts 1 in the place of what says that
// their waits pass. After phases_build, and after the dependencies are found; before addresses are
// resolved.
void completed_find(struct builder *builder, struct value **final_registers);

// --- barrier/phases.c ------------------------------------------------------------------------

// Counts the threads of barriers' phases, pairs arrivals with waits, and defines the results of
// bar.red. After all threads.
void phases_build(struct builder *builder);

// Whether some wait may return an unknown value.
bool phases_give_unknown(const struct builder *builder);

#endif
