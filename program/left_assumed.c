// What is taken for granted of threads that a launch leaves out (memory-model section 13), in
// sentences; and which executions rely on it.

#include "program/builder.h"
#include "program/barrier/barriers.h"
#include "program/left_out.h"
#include "program/thread/others.h"

#include <assert.h>
#include <string.h>

// --- Sentences ---------------------------------------------------------------------------------

static void assume(const struct builder *builder, const char *text) {
    struct program *program = builder->program;
    program->assumptions = arena_grow(builder->arena, program->assumptions,
                                      program->assumption_count, sizeof *program->assumptions);
    program->assumptions[program->assumption_count++] = text;
}

// Whether an access may be to bytes of these places, and barriers do not order the two.
static bool may_meet(const struct builder *builder, const struct left_places *places,
                     const struct event *event, const struct left_window *when) {
    if (!expr_is_const(event->address))
        return !expr_is_false(left_places_meet(builder, places, event->address, event->size));
    uint64_t begin = event->address->value.low, end = begin + event->size;
    struct left_places unordered = *places;
    for (size_t i = 0; i < places->count && places->items[i].begin < end; i++) {
        const struct left_range *range = &places->items[i];
        if (range->end > begin && !left_window_before(when, &range->when) &&
            !left_window_before(&range->when, when))
            return left_places_contain(builder, places, begin, event->size);
    }
    unordered.count = 0;
    return left_places_contain(builder, &unordered, begin, event->size);
}

// Whether an access may conflict with one of the others: one of the two is a store.
static bool may_conflict(const struct builder *builder, const struct left_timer *timer,
                         const struct event *event) {
    const struct left_stores *stores = builder->plan->left_stores;
    bool writes = event->kind == EVENT_WRITE;
    if ((event->kind != EVENT_READ && !writes) || event->mbarrier != NULL)
        return false;
    struct left_window when = left_window_of(timer, event);
    if (builder->loops.cta_waits != NULL) // rounds that are left out have accesses, too
        memset(when.least, 0, sizeof when.least);
    return may_meet(builder, &stores->stores, event, &when) ||
           may_meet(builder, &stores->changes, event, &when) ||
           (writes && may_meet(builder, &stores->loads, event, &when));
}

// Whether the others may store to an mbarrier on which a thread of the test does an operation.
static bool may_store_to_mbarrier(const struct builder *builder) {
    const struct program *program = builder->program;
    const struct left_places *stores = &builder->plan->left_stores->stores;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->mbarrier != NULL &&
            !expr_is_false(left_places_meet(builder, stores, event->address, event->size)))
            return true;
    }
    return false;
}

// Whether it is taken for granted that some phase of an mbarrier is one that the others wait for.
static bool may_be_waited(const struct builder *builder) {
    const struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].mbarrier != NULL && program->events[i].mbarrier->others_wait)
            return true;
    return false;
}

// Whether the others arrive at an mbarrier on which a thread of the test does an operation.
static bool may_join(const struct builder *builder) {
    const struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].mbarrier != NULL &&
            left_mbarriers_joined(builder, program->events[i].address) != NULL)
            return true;
    return false;
}

static unsigned line_of(const struct event *event) {
    return source_position(event->instruction->span.source, event->instruction->span.begin).line;
}

// "line 12", "lines 12, 14 and others": of the accesses that may conflict; NULL: there are none.
static const char *conflicting_lines(const struct builder *builder) {
    enum { LINES_MAX = 4 };
    const struct program *program = builder->program;
    const struct left_timer *timer =
        left_timer_new(builder, builder->arena, builder->plan->left_stores->counted);
    unsigned lines[LINES_MAX], count = 0;
    bool more = false;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        bool known = !may_conflict(builder, timer, &program->events[i]);
        unsigned line = known ? 0 : line_of(&program->events[i]);
        for (unsigned k = 0; k < count; k++)
            known = known || lines[k] == line;
        more = more || (!known && count == LINES_MAX);
        if (!known && count < LINES_MAX)
            lines[count++] = line;
    }
    const char *text = count == 0 ? NULL : count == 1 ? "line" : "lines";
    for (unsigned i = 0; i < count; i++)
        text = arena_format(builder->arena, "%s%s %u", text,
                            i == 0                    ? ""
                            : i + 1 == count && !more ? " and"
                                                      : ",",
                            lines[i]);
    return more ? arena_format(builder->arena, "%s and others", text) : text;
}

// `thread` is the first one of its launch.
static void assume_no_races(const struct builder *builder, size_t thread, const char *lines) {
    const struct test *test = builder->test;
    const struct launch *launch = test->threads[thread].launch;
    bool alone = true;
    for (size_t i = 0; i < test->thread_count; i++)
        alone = alone && (test->threads[i].launch == NULL || test->threads[i].launch == launch);
    const char *kernel =
        alone ? "" : arena_format(builder->arena, " of kernel '%s'", launch->kernel);
    assume(builder,
           arena_format(builder->arena,
                        "%zu of the %u threads of each block%s are modelled: no race is looked for "
                        "with the others, which may access what %s %s",
                        launch->modelled_count, launch_block_size(launch), kernel, lines,
                        strncmp(lines, "lines", strlen("lines")) == 0 ? "do" : "does"));
}

// --- Barriers ----------------------------------------------------------------------------------

// Whether threads that are left out share the barrier of an event.
static bool meets_others(const struct builder *builder, const struct event *event) {
    for (size_t t = 0; t < builder->test->thread_count; t++)
        if (others_left_out(builder->test, (int)t) &&
            barrier_has_thread(builder, event->barrier->group, (int)t))
            return true;
    return false;
}

// Whether it is taken for granted that they come to it.
static bool needs_others(const struct builder *builder, const struct event *event) {
    if (event->kind != EVENT_BARRIER || event->barrier->exchanges || !meets_others(builder, event))
        return false;
    return builder->barrier_groups[event->barrier->group].level != BARRIER_OF_CTA ||
           builder->plan->left_stores->may_stay || event->barrier->may_join > 0;
}

static bool some_needs_others(const struct builder *builder) {
    const struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (needs_others(builder, &program->events[i]))
            return true;
    return false;
}

// A barrier of some threads of a CTA: who may come there.
struct comers {
    unsigned threads; // how many
    bool pass_by;     // some arrive without waiting
};

static bool may_be_there(const struct event *event, const struct event *arrival) {
    return event_is_arrival(event) && event->barrier->group == arrival->barrier->group &&
           !expr_is_false(event->executes) &&
           (!expr_is_const(event->barrier->id) || event->barrier->id == arrival->barrier->id);
}

static struct comers comers_at(const struct builder *builder, const struct event *arrival) {
    const struct program *program = builder->program;
    unsigned id = (unsigned)arrival->barrier->id->value.low;
    struct comers comers = {
        builder->plan->left_stores->arrivals[builder->cta_leader[arrival->thread]][id],
        (builder->plan->left_stores->arrives >> id & 1) != 0};
    int last = -1;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!may_be_there(event, arrival))
            continue;
        comers.threads += event->thread != last;
        comers.pass_by |= event->instruction->barrier == BARRIER_ARRIVE;
        last = event->thread;
    }
    return comers;
}

// Whether phases of a barrier are never complete, whatever the others do: fewer threads may come
// than one is of, and all of them wait there.
static bool never_completes(const struct builder *builder, const struct event *arrival) {
    if (!expr_is_const(arrival->barrier->id) || !expr_is_const(arrival->barrier->count))
        return false;
    struct comers comers = comers_at(builder, arrival);
    return comers.threads < arrival->barrier->count->value.low && !comers.pass_by;
}

// Phases of a barrier to which as many threads may come as each of them is of, and where all wait,
// are of all of these. Of others it is not known who is in one.
static const char *unsure_phases(const struct builder *builder, const struct event *arrival) {
    const struct expr *id = arrival->barrier->id, *count = arrival->barrier->count;
    unsigned line = line_of(arrival);
    if (!expr_is_const(id) || !expr_is_const(count))
        return arena_format(builder->arena, "at the barrier in line %u", line);
    struct comers comers = comers_at(builder, arrival);
    if (comers.threads > count->value.low)
        return arena_format(builder->arena,
                            "at barrier %llu (line %u), to which %u threads may come, in phases of "
                            "%llu",
                            (unsigned long long)id->value.low, line, comers.threads,
                            (unsigned long long)count->value.low);
    if (comers.pass_by)
        return arena_format(builder->arena,
                            "at barrier %llu (line %u), where threads arrive that do not wait",
                            (unsigned long long)id->value.low, line);
    return NULL;
}

// Of one barrier after the other; each once.
static void assume_no_hangs(const struct builder *builder) {
    const struct program *program = builder->program;
    unsigned said = 0;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!event_is_arrival(event) || expr_is_false(event->executes) || event->barrier->of_all ||
            event->barrier->may_join == 0)
            continue;
        const struct expr *id = event->barrier->id;
        unsigned bit = 1U << (expr_is_const(id) ? id->value.low % CTA_BARRIERS : CTA_BARRIERS);
        const char *where = (said & bit) == 0 ? unsure_phases(builder, event) : NULL;
        if (where != NULL)
            assume(builder, arena_format(builder->arena, "no hang is looked for %s", where));
        said |= where != NULL ? bit : 0;
    }
}

// --- All of it ---------------------------------------------------------------------------------

// Whether an event is of an execution that relies on threads that are left out. That they come to a
// barrier of all is no such thing: where they do not, and do not end, the launch hangs. But where
// they synchronise with others in between, what is before and after it may be ordered by them.
static bool is_about_others(const struct builder *builder, const struct event *event) {
    if (event->mbarrier != NULL)
        return left_mbarriers_joined(builder, event->address) != NULL ||
               !expr_is_false(left_places_meet(builder, &builder->plan->left_stores->stores,
                                               event->address, event->size));
    if (event->kind != EVENT_BARRIER || event->barrier->exchanges)
        return false;
    if (event->barrier->may_join > 0) {
        const struct event *arrival =
            event_is_arrival(event) ? event : &builder->program->events[event->barrier->arrival];
        return !never_completes(builder, arrival);
    }
    return (builder->plan->left_stores->may_order && meets_others(builder, event)) ||
           (event_is_wait(event) && event->barrier->result != NULL && others_give(builder, event));
}

void left_out_rely_on_barriers(struct builder *builder) {
    struct program *program = builder->program;
    for (size_t i = program->init_count; builder->plan->left_stores && i < program->event_count;
         i++)
        if (is_about_others(builder, &program->events[i]))
            left_out_rely(builder, program->events[i].executes);
    if (program->options.certain)
        program->given =
            expr_and(builder->pool, program->given, expr_not(builder->pool, program->relies));
}

// Whether it matters that a computed address of theirs is in the object that it is computed from.
static bool is_within(const struct builder *builder) {
    const struct left_stores *stores = builder->plan->left_stores;
    return stores->stores.within || stores->loads.within || stores->changes.within;
}

void left_out_list_assumptions(const struct builder *builder) {
    const struct left_stores *stores = builder->plan->left_stores;
    const struct test *test = builder->test;
    for (size_t i = 0; i < test->assumption_count; i++)
        assume(builder, test->assumptions[i]);
    if (builder->program->clocks_stopped)
        assume(builder, "no wait gives up by a clock: the clocks of threads that look at one while "
                        "they wait are stopped");
    if (builder->program->time_passes)
        assume(builder, "a loop that waits for a clock alone ends");
    if (builder->program->warps_together)
        assume(builder, "all lanes of a warp execute each 'mma' and 'wmma' together");
    if (stores == NULL)
        return;
    const char *lines = conflicting_lines(builder);
    for (size_t i = 0; lines && i < test->thread_count; i++)
        if (others_left_out(test, (int)i) &&
            (i == 0 || test->threads[i - 1].launch != test->threads[i].launch))
            assume_no_races(builder, i, lines);
    if (some_needs_others(builder))
        assume(builder, stores->arrivals == NULL
                            ? "the others arrive at each barrier at which one of these waits"
                            : "the others arrive at each barrier of all threads at which one of "
                              "these waits, and as many as it needs of those that may come to one "
                              "of some threads");
    assume_no_hangs(builder);
    if (builder->others.meets_lanes)
        assume(builder,
               builder->others.hears_lanes
                   ? "the other lanes of a warp come to each exchange of values with these, "
                     "and what they give may be anything"
                   : "the other lanes of a warp come to each exchange of values with these");
    if (builder->others.read)
        assume(builder, "where the others may store, anything may be read");
    if (is_within(builder))
        assume(builder, "an address that the others compute from that of an object stays in that "
                        "object");
    if (stores->outside)
        assume(builder, "what the others store outside of all objects is in none of them");
    if (may_store_to_mbarrier(builder))
        assume(builder, "the others store to no mbarrier");
    if (may_be_waited(builder))
        assume(builder, "the others wait for each phase of an mbarrier at which they wait");
    if (may_join(builder))
        assume(builder, "as many of the others arrive at an mbarrier as a phase needs, of those "
                        "that may, and no more");
    if (stores->trap)
        assume(builder, "the others do not trap");
}
