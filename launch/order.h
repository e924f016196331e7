// Order that strong accesses and fences make: release and acquire patterns (PTX ISA 8.8), and the
// synchronisation of those that observe each other (8.9.2, 8.9.3; `sync` in model/ptx-9.1.cat).
//
// It is kept where the orders in which strong accesses take place are explored (turns.c): there
// each write at a place on which threads come unordered is remembered, with what observes it.
#ifndef PTXLITMUS_LAUNCH_ORDER_H
#define PTXLITMUS_LAUNCH_ORDER_H

#include "launch/clock.h"
#include "launch/shadow.h"

struct machine;
struct lane;

// The first event of a release pattern.
struct release_head {
    int thread; // that executes it
    enum scope scope;
    bool is_write;       // it is a write to the place, not a fence
    struct clock *clock; // what is before what acquires it
};

// A read that observes a write, through a chain of atomic operations or not (PTX ISA 8.9.2).
struct observer {
    uint32_t actor, time;
};

// A write to a place, in coherence order.
struct place_write {
    struct shadow_access touch; // without instruction: what was there when the place was made
    struct step_value word;
    struct release_head *heads; // of the release patterns that it is in
    size_t head_count;
    struct observer *observers;
    size_t observer_count;
    bool is_bare; // an acquire that observes it need not come after all that its thread, or that
                  // of a write which it goes on from, had heard of before
};

// Memory on which threads come unordered, of one size.
struct strong_place {
    struct strong_place *next;
    unsigned object;
    uint64_t offset;
    unsigned size; // bytes
    struct place_write *writes;
    size_t write_count, write_capacity;
    size_t *seen; // by thread: the last write that it has read
};

// A read of another thread's write that nothing orders before it.
struct observation {
    const struct strong_place *place;
    size_t write;
    const struct instruction *instruction;
    bool is_open; // no acquire has followed that orders what the writer has read before
};

// What a thread has of patterns.
struct lane_order {
    struct release_head fences[SCOPE_SYS + 1]; // by scope: the last; without a clock: none
    struct observation *observed;              // that a later fence may acquire
    size_t observed_count, observed_capacity;
};

// Why executions may be other than interleavings of the threads show: reads of other threads'
// writes that do not synchronise with them. Those of one place do not matter.
struct loose_reads {
    bool is_some; // there are such reads of one place
    unsigned object;
    uint64_t offset;
    const char *why; // there are others; or NULL
    const struct instruction *instruction;
};

// What a run has.
struct run_order {
    struct strong_place *places; // the last one first
    struct loose_reads loose;
    bool has_tensors_open;   // a fence comes after operations on tensor memory not complete yet
    bool has_observed;       // a read has returned a write of another thread
    bool has_stale;          // a read has returned a write that is not the last one
    bool has_old_poll;       // so has one that polls, and it races
    bool has_sc;             // several threads have executed a fence.sc
    bool counts_sc;          // threads take turns at these, and each comes after those before it
    struct release_head *sc; // of threads that have executed one: the last
    size_t sc_count;
};

// What all turns at a fence.sc are taken at, in place of an object.
enum { SC_OBJECT = INT32_MAX };

// Returns the place of `size` bytes of an object, made if need be; NULL after giving up, where it
// overlaps another one.
struct strong_place *order_place(struct machine *machine, const struct instruction *instruction,
                                 unsigned object, uint64_t offset, unsigned size);

// Whether bytes of an object are in a place.
bool order_has_place(const struct machine *machine, unsigned object, uint64_t offset,
                     unsigned size);

// Returns the oldest write of a place that a thread may still read.
size_t order_oldest(const struct lane *lane, const struct strong_place *place);

// Notes that a thread reads a write of a place, with `touch`.
void order_read(struct machine *machine, struct lane *lane, struct strong_place *place,
                size_t write, const struct shadow_access *touch);

// Whether a write to a place comes before what a thread does next since it has been observed by
// what that comes after (PTX ISA 8.9.5: causality order begins with observation).
bool order_is_observed(const struct machine *machine, const struct shadow_access *write,
                       unsigned object, const struct moment *moment);

// Notes that a thread writes to a place, with `touch`; an atomic operation after having read the
// last write.
void order_write(struct machine *machine, struct lane *lane, struct strong_place *place,
                 const struct shadow_access *touch, struct step_value word);

// Notes that memory is written which is not known to be a place.
void order_overwrite(struct machine *machine, const struct shadow_access *touch, unsigned object,
                     struct step_value word);

// Notes that a thread executes a fence.
void order_fence(struct machine *machine, struct lane *lane, const struct instruction *instruction);

// Notes that a thread goes on to what other threads may come after: to another place than this, or,
// where that is NULL, in another way.
void order_leave(struct machine *machine, struct lane *lane, const struct strong_place *place);

// Returns what an arrival that is relaxed hands on: all that is before the release fences of a
// thread that have at least this scope, and what the order of execution does for tensor memory.
// NULL without either. The caller drops it.
struct clock *order_fenced(const struct lane *lane, enum scope least);

// Frees what a run has.
void order_free(struct run_order *order);

// Frees what a thread has.
void lane_order_free(struct lane_order *order);

#endif
