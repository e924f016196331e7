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
// entries for the same actors: of what is before; and, where a launch has operations of the async
// proxy, of what has taken place before, though base causality order does not say so (what an
// asynchronous operation knows is known to no thread); and of what a fence has handed over to that
// proxy (PTX ISA 8.6, 9.7.13.4), in global memory and in shared memory, for each CTA: each has an
// async proxy of its own.
enum clock_part { CLOCK_BEFORE, CLOCK_PASSED, CLOCK_GLOBAL, CLOCK_SHARED, CLOCK_PARTS };
struct clock {
    size_t references;
    size_t actors, parts; // 1, or CLOCK_PARTS and 2 more for each CTA but the first
    uint32_t times[];     // of one part after the other
};

// Returns a clock of nothing, with one reference.
struct clock *clock_new(size_t actors, size_t parts);

// Returns the same clock with one more reference.
struct clock *clock_keep(struct clock *clock);

// Gives a reference back. NULL: does nothing.
void clock_drop(struct clock *clock);

// Adds to a clock that no one else knows what another one has.
void clock_join(struct clock *clock, const struct clock *other);

// Whether a clock has all that another one has.
bool clock_covers(const struct clock *clock, const struct clock *other);

// Returns up to which time what an actor has done has taken place.
static inline uint32_t clock_passed(const struct clock *clock, uint32_t actor) {
    return clock->times[(clock->parts > 1 ? CLOCK_PASSED : CLOCK_BEFORE) * clock->actors + actor];
}

// Notes in a clock that no one else knows what an actor has done up to a time.
void clock_note(struct clock *clock, uint32_t actor, uint32_t time);

// Where an actor is: what it has heard of, and its own time.
struct moment {
    struct clock *heard; // its own entry does not count
    uint32_t actor;
    uint32_t time;
    uint32_t heard_time; // when it last heard of anything
    uint32_t cta;        // of those that clocks tell apart
};

// Whether what an actor did at a time is before.
static inline bool moment_heard(const struct moment *moment, uint32_t actor, uint32_t time) {
    return actor == moment->actor ? time <= moment->time : moment->heard->times[actor] >= time;
}

// Whether all that a clock has is before.
bool moment_covers(const struct moment *moment, const struct clock *clock);

// Whether what an actor did at a time has taken place before.
static inline bool moment_passed(const struct moment *moment, uint32_t actor, uint32_t time) {
    return actor == moment->actor ? time <= moment->time
                                  : clock_passed(moment->heard, actor) >= time;
}

// Whether all that is before in a clock has taken place before.
bool moment_passed_all(const struct moment *moment, const struct clock *clock);

// Notes in a clock that no one else knows that all that has taken place before the moment has done
// so. What the actor does next has not.
void moment_pass_on(struct moment *moment, struct clock *clock);

// The same of what has been handed over to the async proxy of the actor's CTA, for memory of a
// kind.
static inline bool moment_handed(const struct moment *moment, enum clock_part part, uint32_t actor,
                                 uint32_t time) {
    const struct clock *clock = moment->heard;
    size_t index = part + 2 * (size_t)moment->cta;
    return clock->parts > index && clock->times[index * clock->actors + actor] >= time;
}

// Hands all that is before over to the async proxy of the actor's CTA, as a proxy fence does for
// memory of a kind.
void moment_hand_over(struct moment *moment, enum clock_part part);

// Makes what a clock has be handed over to the async proxy of the actor's CTA, for all memory.
void moment_take_over(struct moment *moment, const struct clock *clock);

// Returns a clock of all that is before, itself included, with a reference for the caller; what the
// actor does next is not in it.
struct clock *moment_publish(struct moment *moment);

// Adds to a clock that no one else knows what moment_publish would return; without what the actor
// has heard, where the clock has that.
void moment_add(struct moment *moment, struct clock *clock, bool with_heard);

// Makes what a clock has be before.
void moment_hear(struct moment *moment, struct clock *clock);

// Makes all that is before any of the actors be before all of them, as a barrier does.
void moments_meet(struct moment **moments, size_t count);

#endif
