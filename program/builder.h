// The state of a build: what the files that build a program share with each other and with no other
// room. Expressions, events and lists live in the builder's arena; errors go to its diagnostics,
// and building goes on. What each folder offers is in headers of its own. Sections and decisions
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
struct chosen_numbers;
struct cta_wait;
struct election;
struct excluder;
struct left_out;
struct left_stores;
struct left_write;
struct loop_rounds;
struct map_shapes;
struct rounds_trial;
struct unreached;
struct value;

struct builder {
    struct program *program;
    struct arena *arena;
    struct expr_pool *pool;
    const struct test *test;
    const struct program_options *options;
    struct diagnostics *diagnostics;
    const struct expr *never;  // the constant 0 of one bit
    const struct expr *always; // the constant 1 of one bit
    bool tracks_undef;         // some value may be unknown, so reads ask whether theirs is
    unsigned unknown_count;    // EXPR_UNKNOWN leaves so far
    // Unknown bits that decide what an answer of clusterlaunchcontrol.try_cancel says; NULL at
    // first.
    const struct expr *answer_key;
    struct cancellation *answers; // those so far, the last one first
    // By thread, where the launch of its CTA may be cancelled: the number of the request that does
    // it, or 0 (16 bits); one expression for all threads of a cluster. Else NULL.
    const struct expr **cancelled_by;
    bool widens;  // a round of each loop stands for all after the bound
    bool widened; // and there is one that does, from this event on
    size_t widened_from;
    bool too_many_events; // reported once
    size_t event_capacity;
    struct access *accesses; // by event
    // By event: that its thread has left all spin loops that come before (one bit).
    const struct expr **left_spins;
    // By event: that it executes if no wait at a barrier blocks its thread (one bit).
    const struct expr **reaches;
    const struct expr **written_reaches; // the same before lockstep_find
    bool substitutes;                    // lockstep_find and known_substitute do
    const struct expr **unwritten;       // by event: see unwritten_find; where builder->substitutes
    struct unreached *unreached;         // NULL: none are looked for
    struct left_out *left_out;           // all of them
    bool *always_control;  // by event: its thread's ctrl list has it without a condition
    bool keeps_writes;     // no iteration that writes is left out
    bool cuts_late;        // loops with barriers: see spin_find_cut
    bool keeps_cta_loops;  // no round in which threads meet at barriers is left out
    bool keeps_warp_loops; // nor one in which lanes meet
    bool stays_in_loops;   // builds program->spinning
    bool starves;          // as program_build_endless says
    unsigned stay_rounds;  // of each loop that program_build_endless unrolls; 0: for others
    unsigned choice_count; // EXPR_CHOICE leaves so far
    // How often loops jump back that end by counting, after more rounds than the bound allows; or
    // NULL.
    struct loop_rounds **rounds;
    struct rounds_trial *trial; // NULL in all other runs
    // By thread and instruction: it may take part in a race, from where a program that was built
    // before accesses memory; NULL: only the text is known.
    bool **races;
    unsigned char **part_sizes; // by thread and instruction (memory/parts.h); NULL: not known yet
    bool keeps_turns; // a round of some waiting loop is kept since an access of it may race
    struct left_write *left_writes;
    struct excluder *excluder;   // loop/excludes.c; NULL until it is needed
    struct cta_wait *cta_waits;  // the last one first
    bool cta_parts;              // a thread repeats one of them in two ways
    struct cta_wait *warp_waits; // the same of waiting loops of warps
    bool warp_parts;
    // By event: of a store to memory that its thread alone has, the store itself; of a read of such
    // memory, the first of the stores of its thread that it may read; -1 where that is not known.
    int *private_source;
    // By event: of a read of such memory, that its value is known.
    bool *private_known;
    size_t private_count; // of these stores and reads
    // The virtual ranges of a variable, one for each instance, as a list: the index of the first,
    // and of the next of each; -1 ends it.
    int *first_range;
    int *next_range;
    int *cta_leader;           // by thread: the first thread of its CTA
    unsigned *cta_number;      // by thread: its number in its CTA
    const struct expr **exits; // by thread: it comes to its end (one bit)
    const struct expr **ends;  // by thread: it comes to an exit without a guard (one bit)
    // By thread: it leaves all spin loops on its way (one bit).
    const struct expr **leaves_spins;
    bool exits_left_out; // it is open whether some read decides on an exit
    struct barrier_group *barrier_groups;
    struct election *elections;            // the last one first
    unsigned state_count;                  // arrivals at mbarriers that return states
    int only_thread;                       // runs this thread alone: its index and 1; 0: all
    const struct left_stores *left_stores; // NULL where no thread is left out
    struct chosen_numbers *chosen;         // coordinates that depend on memory; NULL: not known
    struct map_shapes *shapes;             // of tensormaps (thread/shapes.c); NULL: none so far
    bool refused_others; // an operation on an mbarrier that they use: reported once
    bool read_others;    // a read, or the final state, may be of such a store
    bool meets_lanes;    // lanes meet others that are left out
    bool hears_lanes;    // and these may change what they get
    // Of the run of a thread that is left out: operations of which it may change results.
    int *gifts;
    size_t gift_count;
    // By thread and instruction: no read of it can find such a store, as barriers order them
    // (left_windows.c). NULL: that is not known of any.
    bool **unseen;
    // By cell that such a store may be the last of: its value then, and a bit that says so.
    struct value *left_finals;
};

// --- events.c ----------------------------------------------------------------------------------

// Starts a program: without memory, without threads.
void program_start(struct builder *builder);

// Starts a program and runs all threads. Returns their final registers, by thread; NULL after
// errors.
struct value **program_build_events(struct builder *builder);

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

#endif
