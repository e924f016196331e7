// What the control flow of a thread (flow.c) shares with what finds its loops (flow_loops.c).
#ifndef PTXLITMUS_PROGRAM_THREAD_FLOW_H
#define PTXLITMUS_PROGRAM_THREAD_FLOW_H

#include "program/builder.h"
#include "program/thread/values.h"
#include "program/thread/threads.h"
#include "program/loop/loops.h"

enum { NO_LOOP = -1 };

// The instructions from the target of a jump back to the last such jump. Loops are nested or apart.
struct loop {
    size_t begin, last;
    int parent;              // the next loop around it, or NO_LOOP
    unsigned depth;          // loops around it
    const struct expr *path; // of the beginning of the iteration that runs now
    unsigned uncertain;      // iterations up to here that could have been the last one
    // Where waiting loops are cut, in turns that have no effect; else SPIN_NO_CUT.
    size_t cut;
    bool may_race;                // one of its accesses, see spin_races
    unsigned turns;               // that have begun since the loop was entered
    size_t first_event;           // of the last one
    unsigned first_commit;        // what struct thread_builder's commit_count was then
    unsigned turn_unknowns;       // and unknown_count of the builder
    const struct expr *turn_path; // of its beginning
    bool of_cta;                  // maybe a waiting loop of the whole CTA: loop/waits.c
    bool of_warp;                 // or of the warp: loop/warp_waits.c
    struct cta_round rounds[2];
    unsigned rounds_noted;
    bool entered;
    size_t events_before;          // the loop was entered
    struct stays_rounds turn_list; // of programs that may not end
    bool widened;                  // a round stands for all that come after the bound
    bool only_computes;            // it neither accesses memory nor comes to a barrier
};

// An execution that has reached a place, or several that have joined there.
struct flow_state {
    struct flow_state *next; // pending states, earliest place first
    size_t pc;
    unsigned *counts; // by depth of the loops around pc
    size_t *begins;   // of these loops, in the same order
    const struct expr *path;
    const struct expr *undef;                       // the way here depends on an unknown value
    const struct expr *unblocked, *cluster_arrival; // as in struct thread_builder
    const struct expr *commits[ASYNC_SEQUENCES];
    struct value *registers;
};

struct flow {
    struct thread_builder thread;
    struct builder *builder;
    struct loop *loops; // by begin
    size_t loop_count;
    unsigned max_depth;
    int *loop_of; // by instruction: the innermost loop around it
    struct flow_state *pending;
    struct flow_state *dropped; // the last one that went past the bound
    struct flow_state *released;
    size_t *steps; // of all threads
};

// Finds the loops of the thread: sets loops, loop_count, max_depth and loop_of, in the builder's
// arena.
void flow_find_loops(struct flow *flow, const struct thread *thread);

// Finds which of these only compute. Returns whether a clock is read in another one, so that the
// thread may wait there for some time only.
bool flow_find_clocks(struct flow *flow);

// Finds out which of these may be spin loops, and where they are cut. Those that are not found are
// unrolled.
void flow_find_spin_loops(struct flow *flow, const struct thread *thread);

#endif
