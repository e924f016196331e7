// Rounds: threads that come back to what they were have done nothing, so that it does not matter
// how often they do so.
//
// A block whose threads poll together (one of them reads, and tells the others at a barrier) goes
// round until what is read changes; two such rounds are run, no more. A launch that comes back to
// what it was, while all who can go on have had their turn, can go round for ever.
#ifndef PTXLITMUS_LAUNCH_ROUNDS_H
#define PTXLITMUS_LAUNCH_ROUNDS_H

#include "program/step.h"

#include <stdint.h>

struct machine;
struct lane;
struct block;
struct strong_place;

// What the threads of a block are at. What is in memory is not in it: `changes` counts what is
// written there, and what else others may notice.
struct block_image {
    struct step_value *registers; // of all its threads, one after the other; NULL: nothing is known
    size_t *pcs;
    int *states;       // enum lane_state of each
    unsigned *arrived; // by barrier
    uint64_t changes;
};

// A thread that has come to an access for its turn, before, and what it has done since.
struct lane_round {
    const struct strong_place *place; // of its last turn; NULL: it has had none
    size_t pc;
    struct step_value word; // that it has read there
    bool wrote;
    uint64_t turns; // that threads of its block had had by then
    unsigned count; // how often it has come back with that word
    bool is_idle;   // the last time, its block was what it had been the time before
    struct block_image image;
    uint64_t taken; // how many turns the run had then: who has waited longest goes first
};

// The whole launch at some turn (Brent's search for a cycle).
struct launch_image {
    struct block_image *blocks; // NULL: nothing is known
    struct step_value *words;   // of all places
    size_t place_count;
    uint64_t turns, next; // when it was taken, and when the next one is
};

// Notes that a thread comes to an access of a place, where it waits for its turn.
void round_arrive(struct lane *lane, const struct strong_place *place);

// Notes that a thread has had its turn there, in which it has read a word.
void round_turn(struct machine *machine, struct lane *lane, const struct strong_place *place,
                struct step_value word, bool wrote);

// Whether a thread comes back to what it and its block were, if it reads a word.
bool round_is_idle(const struct lane *lane, struct step_value word);

// Whether the launch is what it was before, and all who can go on have had their turn since. Asked
// before each turn, when it is known what threads that wait for one may read.
bool rounds_repeat(struct machine *machine);

// Frees what threads and the run have.
void rounds_free(struct machine *machine);

#endif
