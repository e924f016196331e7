// The state of one run of a build, by a plan (plan.h): what the files that build a program share
// with each other and with no other room. Expressions, events and lists live in the builder's
// arena; errors go to its diagnostics, and building goes on. What each folder offers is in headers
// of its own. Sections and decisions
// ("torn accesses") are those of memory-model. The files run in this order: memory/objects.c
// (objects and addresses), thread/registers.c with thread/flow.c, loop/spin.c, thread/compute.c,
// thread/compare.c, thread/bitfields.c, thread/windows.c, thread/access.c and barrier/arrivals.c
// (events), barrier/phases.c, barrier/exits.c, dependency/weigh.c, memory/resolve.c (candidates),
// memory/cells.c with memory/tearing.c, dependency/cycles.c, program/condition.c and, at last,
// memory/known.c.
#ifndef PTXLITMUS_PROGRAM_BUILDER_H
#define PTXLITMUS_PROGRAM_BUILDER_H

#include "litmus/source/bits.h"
#include "program/expr/boolean.h"
#include "program/plan.h"
#include "program/program.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

// Which of its instruction's accesses an event is.
struct access {
    unsigned element; // of a vector
    unsigned element_count;
};

// The most events while a program is built, with those in memory of one thread alone, most of which
// are left out in the end.
enum { BUILDER_MAX_EVENTS = 4 * PROGRAM_MAX_EVENTS };

struct barrier_group;
struct cancellation;
struct cta_wait;
struct election;
struct excluder;
struct left_out;
struct left_write;
struct map_shapes;
struct unreached;
struct value;

// What a run has found that the next one is to be told.
struct build_found {
    bool undef;    // some thread passes an unknown value on, although reads did not ask for that
    bool **unseen; // as in the plan, with more or less in it; NULL where that is as it was
};

// Of loops.
struct builder_loops {
    // By event: that its thread has left all spin loops that come before (one bit).
    const struct expr **left;
    const struct expr **leaves; // by thread: it leaves all spin loops on its way (one bit)
    bool widened;               // a round stands for all after the bound, from this event on
    size_t widened_from;
    bool keeps_turns; // a round of some waiting loop is kept since an access of it may race
    struct cta_wait *cta_waits;  // the last one first
    bool cta_parts;              // a thread repeats one of them in two ways
    struct cta_wait *warp_waits; // the same of waiting loops of warps
    bool warp_parts;
    struct excluder *excluder; // loop/excludes.c; NULL until it is needed
    unsigned choice_count;     // EXPR_CHOICE leaves so far
};

// Of memory that one thread alone has.
struct builder_alone {
    // By event: of a store to it, the store itself; of a read, the first of the stores of its
    // thread that it may read; -1 where that is not known.
    int *source;
    bool *known;  // by event: of a read, that its value is known
    size_t count; // of these stores and reads
};

// Of threads that are left out, and of what they store.
struct builder_others {
    struct left_write *writes;
    bool refused;     // an operation on an mbarrier that they use: reported once
    bool read;        // a read, or the final state, may be of such a store
    bool meets_lanes; // lanes meet others that are left out
    bool hears_lanes; // and these may change what they get
    // Of the run of a thread that is left out: operations of which it may change results.
    int *gifts;
    size_t gift_count;
    // By cell that such a store may be the last of: its value then, and a bit that says so.
    struct value *finals;
};

// Of what clusterlaunchcontrol.try_cancel answers.
struct builder_cancels {
    const struct expr *key;       // unknown bits that decide what an answer says; NULL at first
    struct cancellation *answers; // those so far, the last one first
    // By thread, where the launch of its CTA may be cancelled: the number of the request that does
    // it, or 0 (16 bits); one expression for all threads of a cluster. Else NULL.
    const struct expr **by;
};

// Of the ends of threads.
struct builder_ends {
    const struct expr **exits; // by thread: it comes to its end (one bit)
    const struct expr **ends;  // by thread: it comes to an exit without a guard (one bit)
    bool left_out;             // it is open whether some read decides on an exit
};

// Of what is put in the whole program when it is known (unreached.c).
struct builder_known {
    bool substitutes;                    // lockstep_find and known_substitute do
    const struct expr **written_reaches; // by event: builder->reaches before lockstep_find
    const struct expr **unwritten;       // by event: see unwritten_find; where it substitutes
    struct unreached *unreached;         // NULL: none are looked for
};

// The virtual ranges of a variable, one for each instance, as a list: the index of the first, and
// of the next of each; -1 ends it.
struct builder_ranges {
    int *first;
    int *next;
    int *recent; // by variable: the one that was asked for last, or 0
};

// The state of one run, which ends as its result: the program, and what was found.
struct builder {
    const struct build_plan *plan;
    const struct test *test; // that of the plan
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct program *program;
    struct build_found found;
    struct expr_pool *pool;
    const struct expr *never;  // the constant 0 of one bit
    const struct expr *always; // the constant 1 of one bit
    bool tracks_undef;         // some value may be unknown, so reads ask whether theirs is
    unsigned unknown_count;    // EXPR_UNKNOWN leaves so far
    bool too_many_events;      // reported once
    struct access *accesses;   // by event
    // By event: that it executes if no wait at a barrier blocks its thread (one bit).
    const struct expr **reaches;
    bool *always_control;      // by event: its thread's ctrl list has it without a condition
    struct left_out *left_out; // all of them
    int *cta_leader;           // by thread: the first thread of its CTA
    unsigned *cta_number;      // by thread: its number in its CTA
    struct barrier_group *barrier_groups;
    struct election *elections; // the last one first
    unsigned state_count;       // arrivals at mbarriers that return states
    struct map_shapes *shapes;  // those of the plan, or such as are found on the way
    struct builder_loops loops;
    struct builder_alone alone;
    struct builder_others others;
    struct builder_cancels cancels;
    struct builder_ends ends;
    struct builder_known known;
    struct builder_ranges ranges;
};

// Begins a run by a plan, which has to live as long as the builder.
struct builder builder_begin(const struct build_plan *plan, struct arena *arena,
                             struct diagnostics *diagnostics);

// Whether building is to give up: program.c reports it, and makes no program of what is there.
static inline bool builder_is_late(const struct builder *builder) {
    bool (*is_late)(void) = builder->plan->options->is_late;
    return is_late != NULL && is_late();
}

// --- events.c ----------------------------------------------------------------------------------

// Starts a program: without memory, without threads.
void program_start(struct builder *builder);

// Starts a program and runs all threads. Returns their final registers, by thread; NULL after
// errors.
struct value **program_build_events(struct builder *builder);

// The same by a plan, only to see what comes of it: errors are reported nowhere. The builder has an
// arena of its own, which the caller frees. Returns whether there were no errors.
bool program_try_events(struct builder *builder, const struct build_plan *plan);

// --- thread/access.c --------------------------------------------------------------------------

// Reports, once, that a test has too many events.
void builder_report_events(struct builder *builder, struct span span);

// Adds the next event and returns it with its id, or NULL after an error when there are too many.
struct event *builder_add_event(struct builder *builder, struct span span);

// Makes an event execute only where a condition holds, too.
void event_restrict(struct builder *builder, struct event *event, const struct expr *condition);

// --- condition.c -------------------------------------------------------------------------------

// Translates condition, filter and locations into program->condition, filter and observed.
void condition_build(struct builder *builder, struct value **final_registers);

// --- unreached.c -------------------------------------------------------------------------------

// Finds events that never execute, as values that reads may return show, if lockstep_find says that
// this is done. After it.
void unreached_find(struct builder *builder);

// Whether this is one of them.
bool unreached_has(const struct builder *builder, unsigned event);

// Puts what is known in the whole program: the values of reads of bytes that nothing writes, and 0
// in the place of conditions that never hold. After all dependencies are found, before the
// addresses are resolved.
void known_substitute(struct builder *builder, struct value **final_registers);

// --- exited.c ----------------------------------------------------------------------------------

// Finds the accesses to the shared memory of CTAs all of whose threads end: `outlives` and
// `underway` of struct event. After resolve_addresses and async_find_places.
void exited_find(struct builder *builder);

// --- invariants.c ------------------------------------------------------------------------------

// Asserts all of it of a program that was built without errors; nothing in builds without
// assertions. Linear in the program, its cells and its pairs.
void program_assert(const struct program *program);

#endif
