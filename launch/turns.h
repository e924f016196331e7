// The orders in which strong accesses of a launch can take place, each class of them explored by a
// run of its own: dynamic partial-order reduction (Flanagan and Godefroid, POPL 2005) with sleep
// sets, where a load may return an older write, too, that causality order leaves to it.
//
// Threads run by themselves until they come to an access that meets others unordered. When no
// thread can go on by itself, one of them takes its turn.
#ifndef PTXLITMUS_LAUNCH_TURNS_H
#define PTXLITMUS_LAUNCH_TURNS_H

#include "launch/order.h"

struct arena;

// An access for which a thread waits until it has its turn.
struct lane_turn {
    struct strong_place *place;
    struct shadow_access touch; // what it does while it polls
    bool is_granted;
    bool polls_last, polls_old; // the last write does not let it go on; an older one does not
    bool has_polled;            // that is noted
    size_t write;               // that it is to read
    bool may_write;             // what is known before it is done
    size_t known_writes;        // how many writes of the place `options` knows; 0: it knows nothing
    size_t *options;            // writes that it may read and go on, the last one first
    size_t option_count;
    bool *changed; // by register: polling may change it
};

// A turn that has been taken, and who could have taken it instead. Sets are of threads.
struct turn {
    int lane;
    size_t option, option_count; // which of the writes that it may read, and how many there are
    unsigned object;
    uint64_t offset;
    bool wrote;
    const struct instruction *instruction;
    uint32_t actor, time;
    struct clock *heard;       // before it
    size_t read, place_writes; // which write it read, and how many the place had then
    uint64_t *ready, *wanted, *done, *asleep;
};

struct exploration {
    size_t words; // of a set of threads
    struct turn *turns;
    size_t count, capacity;
    size_t at;         // the next turn of the run at hand
    bool is_redundant; // another run has explored what this one goes on with
};

// Returns an exploration of as many threads; it lives in `arena`. Its
// turns are given back by exploration_cut.
struct exploration *exploration_new(struct arena *arena, size_t threads);

// Chooses the next run, before which nothing is run of the exploration. Returns false when there is
// none.
bool exploration_next(struct exploration *exploration);

// Frees what turns keep, all but of the first `count`.
void exploration_cut(struct exploration *exploration, size_t count);

// Lets a thread wait for its turn, at an access to an object.
bool turn_wait(struct machine *machine, struct lane *lane, const struct shadow_access *touch,
               unsigned object);

// Notes that a thread, before it goes on, may have polled: with what it knew when it came.
void turn_poll(struct machine *machine, struct lane *lane);

// Lets one of the threads take its turn. Returns false where none can.
bool turn_give(struct machine *machine);

// Notes that a thread has taken its turn with this access.
void turn_take(struct machine *machine, struct lane *lane, const struct shadow_access *touch);

// Whether some interleaving of the threads shows what the run has done.
bool turns_interleave(const struct machine *machine);

// --- polls.c -----------------------------------------------------------------------------------

// A thread that reads a value and comes back to read again has done nothing, so that it does not
// matter how often it does so, nor whether it does.

// Finds which writes of its place a thread that waits for its turn may read and go on: those that
// causality order leaves to it, but for values with which it comes back to the access. Sets what
// `lane->turn` says of them.
void poll_find_options(struct machine *machine, struct lane *lane);

// Makes what polling may have changed in the registers of a thread depend on the schedule.
void poll_forget(struct lane *lane);

#endif
