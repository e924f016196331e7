// What the files of loops share with those that build a program: loops that may go on for ever,
// loops that end by counting, and waiting loops, of which one round is enough.
#ifndef PTXLITMUS_PROGRAM_LOOP_LOOPS_H
#define PTXLITMUS_PROGRAM_LOOP_LOOPS_H

#include "program/builder.h"
#include "program/thread/threads.h"

// How often a loop jumps back: at most `most` times, or, as far as was tried, without an end.
struct loop_rounds {
    unsigned most;
    bool goes_on;
};

// A run of the threads that finds this out, by thread and by the instruction where a loop begins.
struct rounds_trial {
    struct loop_rounds **rounds;
    // How often a loop may jump back; and how often after a round in which it could have ended.
    unsigned most, most_uncertain;
};

// A write of an iteration that repeats a spin loop, and so is left out with its iteration.
struct left_write {
    unsigned event;
    size_t first_event;          // of the iteration
    const struct expr *again;    // it is repeated (one bit)
    const struct cta_wait *wait; // of whose rounds it is one, or NULL
    struct left_write *next;
};

// A waiting loop of a whole CTA or warp, in one thread, and its rounds that are kept: the last one,
// and one before it.
struct cta_round {
    size_t begin, end;        // its events
    const struct expr *path;  // one bit: the round takes place
    const struct expr *again; // and is not the last one
};
struct cta_wait {
    int thread;
    struct cta_round rounds[2];
    unsigned round_count;
    struct cta_wait *next;
};

// --- loop/stays.c ----------------------------------------------------------------------------

// The most rounds of a loop that are unrolled to find one that goes on for ever.
enum { STAYS_ROUNDS_MAX = 4 };

// The rounds of a loop so far: the first event of each.
struct stays_rounds {
    unsigned count;
    size_t begins[STAYS_ROUNDS_MAX];
};

// Makes builder->program->endings, with nothing in it.
void stays_start(struct builder *builder);

// Lets the schedule choose whether a thread goes on along a path; returns the path of those that
// do. `*stopped` is joined by the others.
const struct expr *stays_choose(struct builder *builder, const struct expr *path,
                                const struct expr *unblocked, const struct expr **stopped);

// Whether rounds of a thread may write what differs in more of them than the two that are repeated:
// what they store is computed, or more than two instructions store. Then rounds that were not
// looked at may go on for ever (a counter modulo 3), and that all executions end cannot be said.
bool stays_may_change_longer(const struct builder *builder, int thread,
                             const struct stays_rounds *rounds);

// A thread comes to the end of a round of a loop, along a path: it may stay in the loop. Returns
// the path of those that go on: constant 0 where the round leaves nothing behind, since no further
// one finds anything else then.
const struct expr *stays_end_round(struct builder *builder, int thread, size_t instruction,
                                   const struct stays_rounds *rounds, const struct expr *path,
                                   const struct expr *unblocked);

// --- loop/excludes.c ------------------------------------------------------------------------

// Whether two conditions of one bit are certain never to hold together. False, too, where that
// could not be decided within a bound on the work. Keeps what it finds until excludes_end.
bool excludes(struct builder *builder, const struct expr *a, const struct expr *b);

// Frees what `excludes` has kept. It may be called again after that.
void excludes_end(struct builder *builder);

// --- loop/races.c ---------------------------------------------------------------------------

// Finds which instructions may race, by the events of a program that was built by `plan`, if
// that has not been done and some round of a loop was kept for a race. Returns whether it has set
// plan->races: then the program may be built again.
bool races_refine(struct build_plan *plan, const struct builder *built);

// --- loop/rounds.c --------------------------------------------------------------------------

// Finds loops that end by counting after more rounds than the bound allows. Returns how often
// they jump back, by thread and by the instruction where a loop begins; NULL when there are none.
// `*enough` is a bound that is enough for all loops; 0 when none is known.
struct loop_rounds **rounds_find(const struct build_plan *plan, struct arena *arena,
                                 unsigned *enough);

// --- loop/spin.c ----------------------------------------------------------------------------

// Whether an iteration of a spin loop that does this write may be left out, provided that
// spin_writes_are_unread finds no objection once all events are known. `again`: the condition (one
// bit) that the iteration is repeated. `of_cta`: the loop is a waiting loop of a whole CTA.
bool spin_may_leave_out(struct builder *builder, const struct event *write,
                        const struct expr *again, bool of_cta);

// Whether two accesses are morally strong to each other in every execution in which they are
// executed (PTX ISA 8.7).
bool spin_are_morally_strong(const struct program *program, const struct event *a,
                             const struct event *b);

// Sets program->assumed_values.
void spin_find_assumed_values(struct builder *builder);

// Whether neither the events that are kept nor the final state need a write that was left out. If
// not, the program has to be built again with `keeps_writes`, or with `keeps_cta_loops` for writes
// of waiting loops of CTAs (`of_cta`), which are checked separately. Needs the cells.
bool spin_writes_are_unread(struct builder *builder, bool of_cta);

// Returns at which instructions of a thread which registers hold values that may still be read.
struct liveness *spin_liveness(struct builder *builder, int thread);

#define SPIN_NO_CUT SIZE_MAX

// Returns the instruction where one iteration of a loop ends and the next one begins, so that no
// register that the loop writes is carried from one to the other: its beginning or, in loops that a
// compiler has rotated, another instruction of it that is in no inner loop; the first of these, or
// the last (`late`). SPIN_NO_CUT when there is none. The loop is the instructions from `begin` to
// `last`.
size_t spin_find_cut(const struct liveness *live, const int *loop_of, size_t begin, size_t last,
                     bool late);

// Returns, by instruction of a thread, whether it may race with an access of another thread.
bool *spin_races(struct builder *builder, int thread);

// --- loop/waits.c ---------------------------------------------------------------------------

// Whether the loop of the instructions from `begin` to `last` has barriers, or lanes meet in it.
bool waits_has_barrier(const struct thread *thread, size_t begin, size_t last);

// Whether such a loop may be a waiting loop of a CTA, judging by its instructions.
bool waits_may_be_one(const struct test *test, const struct thread *thread, size_t begin,
                      size_t last);

// Whether all of builder->loops.cta_waits are waiting loops of CTAs. If not, the program has to be
// built again with `keeps_cta_loops`. Needs the cells.
bool waits_are_good(const struct builder *builder);

// Whether no event that is kept may read what a store of such a loop wrote in a round that is left
// out, because the same store of a later round comes between. `store` is that of the last round.
bool waits_store_is_repeated(const struct builder *builder, const struct cta_wait *wait,
                             const struct event *store);

// Whether a store of such a loop is made in its last round alone: what it depends on says so, as
// the round passes it on to all threads. Where waits_are_good.
bool waits_store_is_last(const struct builder *builder, const struct cta_wait *wait,
                         const struct event *store);

// Returns the wait of a thread before which it has `number` others, or NULL. Lists of waits begin
// with the last one.
const struct cta_wait *waits_number(const struct cta_wait *waits, int thread, unsigned number);

// --- loop/warp_waits.c ----------------------------------------------------------------------

// Whether the loop of the instructions from `begin` to `last` may be a waiting loop of a warp,
// judging by its instructions.
bool warp_waits_may_be_one(const struct test *test, const struct thread *thread, size_t begin,
                           size_t last);

// Whether all of builder->loops.warp_waits are waiting loops of warps. If not, the program has to
// be built again with `keeps_warp_loops`.
bool warp_waits_are_good(const struct builder *builder);

#endif
