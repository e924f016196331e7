// The events of an access to memory, for the files that make them: access.c and mbarrier.c.
#ifndef PTXLITMUS_PROGRAM_THREAD_ACCESS_H
#define PTXLITMUS_PROGRAM_THREAD_ACCESS_H

#include "program/builder.h"
#include "program/thread/threads.h"

// What all accesses of one instruction share.
struct access_shape {
    const struct instruction *instruction;
    struct value address; // of the first element
    unsigned bits;        // of an element
    bool is_signed;
};

// Returns the generic address that an operand [a] means in a state space.
struct value access_address(struct thread_builder *thread, const struct operand *operand,
                            enum state_space space);

// Returns the shape of a memory instruction at the thread's current place.
struct access_shape access_shape_of(struct thread_builder *thread,
                                    const struct instruction *instruction);

// Adds a read event and returns what it reads. No event is added when there are too many.
struct value access_add_read(struct thread_builder *thread, const struct access_shape *shape,
                             struct access place);

// The same for a read that may find what a thread has stored which the launch leaves out: then it
// is not there, and what it returns may be anything.
struct value access_add_load(struct thread_builder *thread, const struct access_shape *shape,
                             struct access place);

// Adds a write event; returns NULL when there are too many.
struct event *access_add_write(struct thread_builder *thread, const struct access_shape *shape,
                               struct access place, struct value value);

// Adds the read and the write of one atomic operation with the operands `b` and `c`, of which only
// a cas has the second. Returns what it has read. That of one element alone takes two positions.
struct value access_add_atomic(struct thread_builder *thread, const struct access_shape *shape,
                               struct access place, struct value b, struct value c);

// Returns the shape of operations on the mbarrier at an operand [m] in a state space.
struct access_shape mbarrier_shape(struct thread_builder *thread,
                                   const struct instruction *instruction,
                                   const struct operand *object, enum state_space space);

// Adds the events of what an asynchronous operation does to its mbarrier when it is complete:
// arrivals, and bytes taken off the count of transactions.
void mbarrier_complete(struct thread_builder *thread, const struct access_shape *shape,
                       unsigned arrivals, uint64_t bytes);

// Whether an access is through a proxy that has no such accesses, which is reported as an error.
bool access_refused(struct thread_builder *thread, const struct instruction *instruction);

// Returns what an atomic operation stores, given what it read and its operands (b and c of PTX),
// all of one width (PTX ISA, atom).
const struct expr *atomic_result(struct expr_pool *pool, enum atomic_op op, bool is_signed,
                                 const struct expr *old, const struct expr *b,
                                 const struct expr *c);

// Returns the scope of an instruction: none for weak operations, the system for volatile and mmio
// ones (memory-model section 1).
enum scope access_scope(const struct instruction *instruction);

// Returns the operand that holds the address of a memory instruction, a part of it.
const struct operand *access_address_operand(const struct instruction *instruction);

// --- thread/private.c --------------------------------------------------------------------------

// Records what a write leaves in memory that only its thread has, if it is to such memory.
void private_write(struct thread_builder *thread, const struct event *event, struct value value);

// Returns what a read returns: what its thread wrote there, if that is known, else `value`, which
// the model decides. `address_undef`: one bit, its address depends on an unknown value.
struct value private_read(struct thread_builder *thread, const struct event *event,
                          struct value value, const struct expr *address_undef);

// Makes all memory that only the thread has unknown from here on.
void private_forget(struct thread_builder *thread);

// Whether memory that only the thread has holds, after all its events so far on a path, what it
// held before `first_event`, where `write` wrote to it.
bool private_is_restored(const struct thread_builder *thread, const struct event *write,
                         size_t first_event, const struct expr *path);

// --- thread/mbarrier.c -------------------------------------------------------------------------

// Raises the pending count of the mbarrier at an operand [m] by one, in program order.
void mbarrier_raise(struct thread_builder *thread, const struct instruction *instruction,
                    const struct operand *object);

// Whether what a wait is given is, in all executions, the state that this write of an arrival has
// returned.
bool mbarrier_has_state(struct expr_pool *pool, const struct event *wait,
                        const struct event *arrival);

// Finds out which arrivals are in the phases whose waits return 1. After all threads.
void mbarriers_find_phases(struct builder *builder);

#endif
