// Vector clocks: what is before something in base causality order (PTX ISA 8.9.4).
//
// Actors are threads and what goes on beside them, by number. An actor counts times from 1 on; a
// clock has for each actor up to which time what it has done is known to be before. What many
// actors have heard alike is one clock that they share, so that a barrier of a block costs as much
// as it has threads, and not the square of that.
#ifndef PTXLITMUS_LAUNCH_CLOCK_H
#define PTXLITMUS_LAUNCH_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Never changed once others know it; freed with its last reference. All clocks of a run have
// entries for the same actors.
struct clock {
    size_t references;
    size_t count;
    uint32_t times[];
};

// Returns a clock of nothing, with one reference.
struct clock *clock_new(size_t actors);

// Returns the same clock with one more reference.
struct clock *clock_keep(struct clock *clock);

// Gives a reference back. NULL: does nothing.
void clock_drop(struct clock *clock);

// Adds to a clock that no one else knows what another one has.
void clock_join(struct clock *clock, const struct clock *other);

// Where an actor is: what it has heard of, and its own time.
struct moment {
    struct clock *heard; // its own entry does not count
    uint32_t actor;
    uint32_t time;
};

// Whether what an actor did at a time is before.
static inline bool moment_heard(const struct moment *moment, uint32_t actor, uint32_t time) {
    return actor == moment->actor ? time <= moment->time
                                    : moment->heard->times[actor] >= time;
}

// Whether all that a clock has is before.
bool moment_covers(const struct moment *moment, const struct clock *clock);

// Returns a clock of all that is before, itself included, with a reference for the caller; what the
// actor does next is not in it.
struct clock *moment_publish(struct moment *moment);

// Makes what a clock has be before.
void moment_hear(struct moment *moment, struct clock *clock);

// Makes all that is before any of the actors be before all of them, as a barrier does.
void moments_meet(struct moment **moments, size_t count);

#endif
