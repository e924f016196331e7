// A thread that is being run: its state, and what runs its instructions, reads and writes its
// registers and adds its events.
#ifndef PTXLITMUS_PROGRAM_THREAD_THREADS_H
#define PTXLITMUS_PROGRAM_THREAD_THREADS_H

#include "program/builder.h"
#include "program/thread/values.h"

// What a thread counts of asynchronous operations on its way: groups of cp.async, of bulk
// operations (PTX ISA 9.7.9.25.3) and of products of matrices (9.7.15.7); groups of products that
// it has waited for, and fences for products.
enum async_sequence {
    ASYNC_OF_CP,
    ASYNC_OF_BULK,
    ASYNC_OF_WGMMA,
    WGMMA_WAITED,
    WGMMA_FENCES,
    ASYNC_SEQUENCES
};

struct register_uses;

// A buffer of the collector of tensor cores, as the products of a thread leave it.
struct collected {
    struct value parts[2]; // the first element, in its CTA and in the peer
    enum matrix_kind kind; // of the product that filled it
    bool filled;
    bool pair;
};

// A thread that is being run: the state at the current place.
struct thread_builder {
    struct builder *builder;
    const struct thread *thread;
    int index; // into test->threads
    struct value *registers;
    const struct expr *path;        // one bit: execution comes here
    const struct expr *guard;       // of the current instruction; constant 1 without
    const struct expr *active;      // path and guard
    const struct expr *guard_undef; // one bit: the guard depends on an unknown value
    const struct expr *unblocked;   // one bit: the waits on the way here pass
    const struct expr *left_spins;  // one bit: no spin loop so far goes on
    // 32 bits: the id of the latest barrier.cluster.arrive on the way here, or all ones.
    const struct expr *cluster_arrival;
    const struct expr *commits[ASYNC_SEQUENCES]; // 32 bits each
    unsigned commit_count;                       // instructions that counted, on all ways so far
    struct register_uses *uses;  // of registers of products of matrices (uses.c), or NULL
    bool clocks_stopped;         // they show one time, always
    bool lets_time_pass;         // but not in the loop that runs now, which waits for a clock alone
    const struct expr *clock;    // that was read last, if it may show anything; or NULL
    unsigned position;           // of the next event
    unsigned chosen_count;       // coordinates so far that depend on memory
    struct dependency_list ctrl; // of the next event; events share prefixes of its array
    struct private_write *private_writes; // the last one, or NULL
    struct map_write *map_writes;         // to tensormaps (shapes.c): the last one, or NULL
    struct collected collected[COLLECTOR_BUFFERS];
};

// --- thread/flow.c ----------------------------------------------------------------------------

// Runs all threads: adds their events, and sets `final_registers[thread]` to an array of the
// registers' final values.
void threads_build(struct builder *builder, struct value **final_registers);

// --- thread/registers.c --------------------------------------------------------------------------

// Returns the value of a source operand in `width` bits.
struct value thread_operand(struct thread_builder *thread, const struct operand *operand,
                            unsigned width, bool is_signed);

// Finds the value of a source operand in `width` bits, which must not depend on memory. Returns
// false where it does, after the error `message`.
bool thread_constant(struct thread_builder *thread, const struct operand *operand, unsigned width,
                     const char *message, uint64_t *value);

// Returns the value of a register in its own width; reports one that was never written.
struct value thread_register(struct thread_builder *thread, int reg, struct span span);

// Returns the address of a variable as a value; reports an alias whose proxy a value cannot keep.
uint64_t thread_address(const struct thread_builder *thread, int variable, struct span span);

// Writes a register, under the guard of the instruction; for the operand `_`, does nothing.
void thread_write(struct thread_builder *thread, const struct operand *operand, struct value value,
                  bool is_signed);

// --- thread/execute.c --------------------------------------------------------------------------

// Runs an instruction of the thread, which is not a jump, at the thread's current place.
void execute_instruction(struct thread_builder *thread, const struct instruction *instruction);

// The functions of litmus/opcodes.def, each of which runs some instructions: access_*, compute_*,
// barrier_instruction.
#define OPCODE(id, family, proxy, effects, traits, run)                                            \
    void run(struct thread_builder *thread, const struct instruction *instruction);
#include "litmus/opcodes.def"

// --- thread/access.c --------------------------------------------------------------------------

// Adds the event of an instruction under its guard, at the next position; NULL as above.
struct event *thread_add_event(struct thread_builder *thread, enum event_kind kind,
                               const struct instruction *instruction);

// --- thread/precondition.c ---------------------------------------------------------------------

// Adds an EVENT_PRECONDITION of an instruction that PTX does not define where `broken` (one bit)
// holds, unless that is never.
void thread_add_precondition(struct thread_builder *thread, const struct instruction *instruction,
                             const struct expr *broken);

#endif
