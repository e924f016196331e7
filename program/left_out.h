// What is found out, before a program is built, of threads that a launch leaves out
// (memory-model section 13): left_out.c runs each of them by itself, left_places.c finds where
// its accesses may be and left_windows.c when, left_mbarriers.c notes what it does at mbarriers,
// and left_phases.c in which phases of these it arrives.
#ifndef PTXLITMUS_PROGRAM_LEFT_OUT_H
#define PTXLITMUS_PROGRAM_LEFT_OUT_H

#include "program/event.h"
#include "program/builder.h"

enum { CTA_BARRIERS = 16 };

// When an access is, by the barriers that only all threads of its CTA together pass.
enum { LEFT_NEVER = 255 };
struct left_window {
    int cta; // the first thread of the test that is in its CTA
    // By barrier: it comes after so many phases, at least; and before the end of the one that
    // follows so many phases, at most. LEFT_NEVER: that is not known.
    unsigned char least[CTA_BARRIERS], most[CTA_BARRIERS];
};

// Bytes that threads that a launch leaves out may access, at generic addresses.
struct left_range {
    uint64_t begin, end;
    struct left_window when;
};

// Where accesses of them may be.
struct left_places {
    struct left_range *items; // sorted by address
    size_t count;
    bool anywhere_global, anywhere_shared; // that is not known
    bool within; // taken for granted: a computed address is in the object that it is computed from
};

// The phases of an mbarrier that are counted; later ones are taken for the last one of them.
enum { LEFT_PHASES = 64 };

// What they do at an mbarrier.
struct left_mbarrier {
    uint64_t address;
    bool waits;          // some of them may wait there, or look
    const char *refused; // why operations of the test there are refused; NULL: they are not
    unsigned line;       // of an arrival of them, or 0
    unsigned inits;      // by threads of the test
    unsigned count;      // that they give it
    bool changes;        // some thread of the test drops out, or raises the pending count
    // By phase: how many arrivals of threads that are left out are in none before it.
    unsigned joins[LEFT_PHASES];
};

struct left_thread;

struct left_mbarriers {
    struct left_mbarrier *items;
    size_t count;
    struct left_mbarrier anywhere; // at addresses that are not known
    struct left_thread *threads;   // the last one first: what all threads do at mbarriers, in order
    bool blind; // where some thread of the test arrives, or how often, is not known
};

// --- left_places.c ------------------------------------------------------------------------------

// Adds the bytes that an access of a thread may be to, which was run by itself. `places` belong to
// `arena`. Returns false where one of its addresses may be outside of all objects.
bool left_places_add(struct left_places *places, struct arena *arena, const struct builder *ran,
                     const struct event *access, const struct left_window *when);

// Adds all memory that an access to this space may be to.
void left_places_add_anywhere(struct left_places *places, enum state_space space);

// Sorts the bytes, once all are there.
void left_places_sort(struct left_places *places);

// Returns the condition (one bit) that an access of `size` bytes at a generic address, which need
// not be a constant, may be to some of these bytes.
const struct expr *left_places_meet(const struct builder *builder, const struct left_places *places,
                                    const struct expr *address, uint64_t size);

// --- left_windows.c -----------------------------------------------------------------------------

// Returns the barriers of a CTA, as bits, that some instruction may use with a thread count, so
// that their phases need not be of all threads.
unsigned left_windows_counted(const struct test *test);

// Whether the barriers of a CTA that the test uses may have several numbers.
bool left_windows_apart(const struct test *test);

struct left_timer;

// Starts to find out when events of a program are that has been run. `counted` are the barriers
// that say nothing. `arena` owns what is returned.
struct left_timer *left_timer_new(const struct builder *builder, struct arena *arena,
                                  unsigned counted);

// Returns when an event of it is.
struct left_window left_window_of(const struct left_timer *timer, const struct event *event);

// Whether an access comes before another one whenever both take place, as barriers order them.
bool left_window_before(const struct left_window *a, const struct left_window *b);

// Finds the instructions of threads of the test none of whose reads can find what threads that are
// left out have stored: builder->plan->unseen. Returns whether that is something else than before,
// so that the program is to be built again.
bool left_windows_refine(struct builder *builder);

// Whether a thread of the test surely stores to these bytes after all stores of those that are left
// out.
bool left_windows_overwritten(const struct builder *builder, uint64_t address, uint64_t size);

// --- left_mbarriers.c --------------------------------------------------------------------------

// Returns the mbarrier at an address, one that is added where there is none.
struct left_mbarrier *left_mbarriers_find(struct left_mbarriers *mbarriers, struct arena *arena,
                                          const struct expr *address);

// Adds what a thread does that is left out, which was run by itself.
void left_mbarriers_note(struct left_mbarriers *mbarriers, struct arena *arena,
                         const struct builder *ran);

// Notes that nothing is known of a thread, for a reason, which may be empty.
void left_mbarriers_give_up(struct left_mbarriers *mbarriers, struct arena *arena,
                            const char *reason);

// Returns why an operation on the mbarrier at an address is refused since threads that are left out
// use it, or NULL.
const char *left_mbarriers_refuse(const struct builder *builder, const struct expr *address);

// Whether threads that are left out may wait at the mbarrier at an address.
bool left_mbarriers_wait(const struct builder *builder, const struct expr *address);

// Returns the mbarrier at an address if threads that are left out arrive there, else NULL.
const struct left_mbarrier *left_mbarriers_joined(const struct builder *builder,
                                                  const struct expr *address);

// Whether there is an mbarrier at which threads that are left out arrive.
bool left_mbarriers_join_any(const struct builder *builder);

// --- left_phases.c -----------------------------------------------------------------------------

// Adds the arrivals and waits of a thread that was run by itself, of the test or left out.
void left_phases_add(struct left_mbarriers *mbarriers, struct arena *arena,
                     const struct builder *ran, bool left_out);

// Finds the phases of all arrivals of threads that are left out, after all threads have been added,
// and refuses mbarriers whose phases these could complete alone. `by_waits`: what follows a wait
// comes after what it waits for.
void left_phases_find(struct left_mbarriers *mbarriers, struct arena *arena, bool by_waits);

// --- What is found of all of them --------------------------------------------------------------

// A lane that is left out, by its number in its block, may change the results of exchanges.
struct left_gift {
    int cta; // the first thread of the test that is in its CTA
    unsigned number;
    int instance; // of which operation
};

// What they may store, give and order: found out before the program is built, and then relied on.
struct left_stores {
    struct left_places stores, loads;
    struct left_places changes; // by operations on mbarriers, of which `stores` has none
    struct left_mbarriers mbarriers;
    bool looks_at_mbarriers;            // some thread has such an operation
    const struct instruction *requests; // of one of them, to cancel a CTA; or NULL
    bool outside;                       // some are in no object of the test
    bool trap;                          // one of the threads may trap
    // By the first thread of each CTA, where barriers are of some threads of a CTA: how many of
    // those that are left out there may arrive at each of its barriers. Else NULL.
    unsigned (*arrivals)[CTA_BARRIERS];
    bool looks_at_barriers; // some are of some threads, or of a bar.red
    unsigned counted;       // barriers, as bits, whose phases need not be of all threads
    unsigned arrives;       // barriers, as bits, at which one of them may arrive without waiting
    bool may_order;         // one of them may synchronise with others than by barriers of all
    bool may_stay;          // one of them may neither come to a barrier of its CTA nor end
    struct left_gift *gifts;
    size_t gift_count;
    bool lanes_open;     // which lanes may is not known
    bool looks_at_lanes; // some thread has such an operation
    bool gives[2];       // to a bar.red, one of them may give this predicate
    unsigned runs;
};

// --- left_out.c -------------------------------------------------------------------------------

// Finds where threads that launches leave out may store; NULL when none is left out. `setup` has
// the test and what else a run needs.
const struct left_stores *left_out_find_stores(const struct build_plan *plan, struct arena *arena,
                                               struct diagnostics *diagnostics);

// --- left_assumed.c ---------------------------------------------------------------------------

// Notes that executions in which a condition (one bit) holds rely on what is taken for granted of
// threads that are left out, or on what they may store, give or order.
void left_out_rely(struct builder *builder, const struct expr *condition);

// Does so for barriers and mbarriers; then, with program_options' `certain`, leaves all such
// executions out. After all threads, phases_build and the candidates.
void left_out_rely_on_barriers(struct builder *builder);

// Fills program->assumptions.
void left_out_list_assumptions(const struct builder *builder);

#endif
