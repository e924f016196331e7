// Vector clocks, shared where they are equal.
#include "launch/clock.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static size_t entries(const struct clock *clock) {
    return clock->actors * clock->parts;
}

struct clock *clock_new(size_t actors, size_t parts) {
    struct clock *clock = allocate(1, sizeof *clock + actors * parts * sizeof clock->times[0]);
    clock->references = 1;
    clock->actors = actors;
    clock->parts = parts;
    return clock;
}

struct clock *clock_keep(struct clock *clock) {
    clock->references++;
    return clock;
}

void clock_drop(struct clock *clock) {
    if (clock != NULL && --clock->references == 0)
        free(clock);
}

void clock_join(struct clock *clock, const struct clock *other) {
    assert(clock->references == 1 && entries(clock) == entries(other));
    for (size_t i = 0; i < entries(clock); i++)
        if (other->times[i] > clock->times[i])
            clock->times[i] = other->times[i];
}

bool clock_covers(const struct clock *clock, const struct clock *other) {
    bool covers = true;
    for (size_t i = 0; i < entries(clock); i++)
        covers &= clock->times[i] >= other->times[i];
    return covers;
}

void clock_note(struct clock *clock, uint32_t actor, uint32_t time) {
    clock->times[actor] = time;
    if (clock->parts > 1)
        clock->times[CLOCK_PASSED * clock->actors + actor] = time;
}

static struct clock *copy_of(const struct clock *clock) {
    struct clock *copy = clock_new(clock->actors, clock->parts);
    memcpy(copy->times, clock->times, entries(clock) * sizeof clock->times[0]);
    return copy;
}

// Replaces what an actor has heard.
static void replace(struct moment *moment, struct clock *clock) {
    struct clock *old = moment->heard;
    moment->heard = clock_keep(clock);
    clock_drop(old);
}

bool moment_covers(const struct moment *moment, const struct clock *clock) {
    if (clock == moment->heard)
        return true;
    for (size_t i = 0; i < clock->actors; i++)
        if (!moment_heard(moment, (uint32_t)i, clock->times[i]))
            return false;
    for (size_t i = clock->actors; i < entries(clock); i++)
        if (moment->heard->times[i] < clock->times[i])
            return false;
    return true;
}

bool moment_passed_all(const struct moment *moment, const struct clock *clock) {
    for (size_t i = 0; i < clock->actors; i++)
        if (!moment_passed(moment, (uint32_t)i, clock->times[i]))
            return false;
    return true;
}

void moment_pass_on(struct moment *moment, struct clock *clock) {
    size_t part = CLOCK_PASSED * clock->actors;
    for (size_t i = 0; clock->parts > 1 && i < clock->actors; i++)
        if (moment->heard->times[part + i] > clock->times[part + i])
            clock->times[part + i] = moment->heard->times[part + i];
    if (clock->parts > 1)
        clock->times[part + moment->actor] = moment->time++;
}

void moment_hand_over(struct moment *moment, enum clock_part part) {
    struct clock *clock = copy_of(moment->heard);
    size_t index = part + 2 * (size_t)moment->cta;
    assert(index < clock->parts);
    uint32_t *handed = &clock->times[index * clock->actors];
    memcpy(handed, clock->times, clock->actors * sizeof *handed);
    handed[moment->actor] = moment->time++;
    replace(moment, clock);
    clock_drop(clock);
}

void moment_take_over(struct moment *moment, const struct clock *clock) {
    if (moment->heard->parts <= CLOCK_SHARED)
        return;
    struct clock *both = copy_of(moment->heard);
    for (size_t part = CLOCK_GLOBAL; part <= CLOCK_SHARED; part++) {
        uint32_t *handed = &both->times[(part + 2 * (size_t)moment->cta) * both->actors];
        for (size_t i = 0; i < both->actors; i++)
            if (clock->times[i] > handed[i])
                handed[i] = clock->times[i];
    }
    replace(moment, both);
    clock_drop(both);
}

struct clock *moment_publish(struct moment *moment) {
    struct clock *clock = copy_of(moment->heard);
    clock_note(clock, moment->actor, moment->time++);
    return clock;
}

void moment_add(struct moment *moment, struct clock *clock, bool with_heard) {
    if (with_heard)
        clock_join(clock, moment->heard);
    clock_note(clock, moment->actor, moment->time++);
}

void moment_hear(struct moment *moment, struct clock *clock) {
    if (moment_covers(moment, clock))
        return;
    struct clock *both = copy_of(moment->heard);
    clock_join(both, clock);
    replace(moment, both);
    moment->heard_time = moment->time;
    clock_drop(both);
}

void moments_meet(struct moment **moments, size_t count) {
    assert(count > 0);
    struct clock *all = copy_of(moments[0]->heard);
    for (size_t i = 1; i < count; i++)
        if (moments[i]->heard != moments[i - 1]->heard)
            clock_join(all, moments[i]->heard);
    for (size_t i = 0; i < count; i++)
        clock_note(all, moments[i]->actor, moments[i]->time++);
    for (size_t i = 0; i < count; i++) {
        replace(moments[i], all);
        moments[i]->heard_time = moments[i]->time;
    }
    clock_drop(all);
}
