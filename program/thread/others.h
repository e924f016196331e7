// Threads that a launch leaves out, as those that are modelled find them: what they may store, and
// what lanes of them give to a warp.
#ifndef PTXLITMUS_PROGRAM_THREAD_OTHERS_H
#define PTXLITMUS_PROGRAM_THREAD_OTHERS_H

#include "program/left_out.h"
#include "program/thread/values.h"

struct thread_builder;

// --- thread/others.c --------------------------------------------------------------------------

// Whether the launch of a thread leaves other threads of its block out.
bool others_left_out(const struct test *test, int thread);

// Returns how many threads the block of a thread's launch has, modelled or not.
unsigned others_block_size(const struct test *test, int thread);

// Whether threads that are left out may change what the bar.red of a wait gives.
bool others_give(const struct builder *builder, const struct event *wait);

// Returns the object that has these bytes, at a generic address, or NULL.
const struct object *left_places_object(const struct program *program, uint64_t address,
                                        uint64_t size);

// Whether an access of theirs at these places may be to these bytes, at a generic address.
bool left_places_contain(const struct builder *builder, const struct left_places *places,
                         uint64_t address, uint64_t size);

// Whether a store of a thread that is left out may be to these bytes, at a generic address.
bool others_may_store_at(const struct builder *builder, uint64_t address, uint64_t size);

// Whether a read may be to bytes that such threads may store to, whenever that is.
bool others_may_give(const struct builder *builder, const struct event *read);

// Returns a condition (one bit) over an unknown bit that says that a read returns what such a
// thread has stored, or may have: NULL where it cannot.
const struct expr *others_choose(struct builder *builder, const struct event *read);

// Makes the final value of a cell, wherever it is named, what such a thread may have stored last.
void others_choose_final(struct builder *builder, unsigned cell, struct value *value);

// --- thread/left_lanes.c ------------------------------------------------------------------------

// Notes what a thread gives to an exchange, which is run by itself.
void left_lanes_note(struct builder *ran, const struct instruction *instruction, int instance,
                     const struct value *given);

// Adds what has been noted of a thread that is left out. `cta`, `number`: as of struct left_gift.
void left_lanes_add(struct left_stores *stores, struct arena *arena, int cta, unsigned number,
                    const struct builder *ran);

// Returns those of some lanes of the warp of a thread, all of them left out, that may change the
// results of an operation.
uint32_t left_lanes_giving(const struct builder *builder, int thread, uint32_t lanes, int instance);

// Returns what these lanes give to the phase of one exchange; `arena` owns it.
struct left_lanes *left_lanes_new(struct arena *arena, uint32_t lanes);

// Adds their part to what the wait of an exchange gives. The arrivals are those that may be in its
// phase, in the order of their ids, each with the condition (one bit) that it is.
void left_lanes_reduce(struct builder *builder, const struct event *wait, const unsigned *arrivals,
                       const struct expr *const *conditions, size_t count);

#endif
