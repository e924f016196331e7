// One candidate execution, as the axioms see it: events with what they did, and the relations of
// memory-model section 2 that a candidate chooses. It does not depend on how it was found, so
// unit tests build executions by hand.
#ifndef PTXLITMUS_ORACLE_EXECUTION_H
#define PTXLITMUS_ORACLE_EXECUTION_H

#include "litmus/instruction.h"
#include "litmus/vocabulary.h"
#include "tests/oracle/bits.h"
#include "tests/oracle/wide.h"

enum { THREADS_MAX = 64, CELLS_MAX = 64, ACCESS_CELLS_MAX = 16 };

enum action {
    ACTION_INIT,
    ACTION_READ,
    ACTION_WRITE,
    ACTION_FENCE,
    ACTION_PROXY_FENCE,
    ACTION_BARRIER,       // an arrival or a wait
    ACTION_ISSUE,         // an asynchronous operation is started
    ACTION_ASYNC_WAIT,    // a wait for groups of them
    ACTION_PRODUCT_FENCE, // wgmma.fence
    ACTION_TENSOR_FENCE,  // tcgen05.fence
    ACTION_LAUNCH,        // griddepcontrol.launch_dependents
};

// What an event of an asynchronous operation is (PTX ISA 9.7.9.25.1, "sequence of a copy").
enum stage {
    STAGE_NONE,
    STAGE_ISSUE,
    STAGE_MAP, // the tensormap is read
    STAGE_READS,
    STAGE_READ_FENCE, // the implicit proxy fence for the reads alone
    STAGE_WRITES,
    STAGE_FENCE,
    STAGE_COMPLETES, // the operation on the mbarrier
};

// Operations on mbarriers (PTX ISA 9.7.13.15): those that change the object are a read and a write.
enum mbarrier_action {
    MBARRIER_NONE,
    MBARRIER_SET,       // init
    MBARRIER_END,       // inval
    MBARRIER_ARRIVES,   // arrive, arrive_drop
    MBARRIER_COUNTS,    // expect_tx, complete_tx
    MBARRIER_RAISES,    // cp.async.mbarrier.arrive: one more arrival is pending
    MBARRIER_LOOKS,     // check_layout
    MBARRIER_COMPLETES, // by an asynchronous operation
    MBARRIER_WAITS,     // test_wait, try_wait
};

struct occurrence {
    enum action action;
    int thread;              // -1 for the initial writes
    int moved;               // 1 + a thread of the CTA in which it is; 0: that of `thread`
    unsigned position;       // program order within the thread; equal positions are unordered
    enum access_order order; // of a proxy fence: RELEASE or ACQUIRE when it has one direction
    enum scope scope;        // SYS for volatile and mmio (section 1)
    bool red;                // the read or the write of a red
    int rmw;                 // the write that belongs to this read of an atom or red, or -1
    unsigned range;          // which virtual address the access uses; the initial write has none
    uint64_t cells;          // the physical cells that it touches; 0 for fences
    enum proxy proxy;        // of an access; of a proxy fence its kind (section 5)
    bool from_fabric, to_fabric; // of a fence of the fabric proxy
    uint64_t about;              // of a proxy or restricted fence: the cells that it counts for
    bool restricted;             // a fence with .sync_restrict
    bool shared;                 // an access to shared memory, whatever its address
    int owner;   // of an access to shared or tensor memory: 1 + a thread of the CTA that has it
    bool atomic; // the read or the write of an atom or red
    bool wide;   // an access of more than 64 bits
    // Of an arrival at a barrier:
    unsigned barrier; // which one, from 1 on; 0: one without phases, or no arrival
    unsigned phase;   // from 1 on; 0: none
    uint64_t wants;   // threads in its phase
    bool reduces;     // of a bar.red
    unsigned warp;    // of a launch, from 1 on; 0: its thread is of none
    const struct instruction *at;
    // Of an operation on an mbarrier: the number of the phase that it finds; whether a wait returns
    // true; and whether PTX defines it there.
    enum mbarrier_action mbarrier;
    unsigned mbarrier_phase;
    bool completed, undefined;
    bool by_state; // of a wait that is given a state: and which one, as in struct step
    unsigned token;
    bool is_arrival; // of an operation that an asynchronous one is complete with: it is an arrival
    bool product;    // the issue of a product of matrices; `undefined`: its registers are misused
    // Of an issue, and of a tcgen05.fence: which instruction it is. Of one of tcgen05.mma, its kind
    // and shape, and of tcgen05.cp, whether that is 4x256b.
    enum opcode starts;
    enum matrix_kind matrix_kind;
    unsigned matrix_shape;
    bool is_4x256b;
    bool tensor;      // an access to tensor memory
    bool pair;        // of what a pair of CTAs does with tensor memory, and of its allocation
    int partner;      // where `allocation` is not 0: 1 + the object in the peer CTA, or 0
    int allocation;   // of what allocates, accesses or deallocates it: 1 + the object, or 0
    bool orders_init; // fence.mbarrier_init
    // Of what an asynchronous operation does: the event of its issue, and 0 of all others.
    unsigned operation;
    enum stage stage;
    unsigned target; // of what a multicast does for one CTA: 1 + its rank
    // Of the issue of a try_cancel, and of what reads its answer: that it has failed, or which CTA
    // it has cancelled.
    enum { NO_ANSWER, ANSWER_FAILED, ANSWER_CANCELLED } answer;
    u128 cancelled; // its numbers, as in value.h
    uint64_t ready; // of the initial writes: the cells of mbarriers that the test declares
};

struct execution {
    unsigned n;
    struct occurrence event[EVENTS_MAX];
    uint64_t executed; // the events that happen; all relations are confined to them
    // The smallest scope in which two threads are together: .cta within one CTA, ..., .sys always.
    enum scope together[THREADS_MAX][THREADS_MAX];
    bool allocates;  // tensor memory is that which the test allocates
    unsigned broken; // by paths: of enum broken
    uint64_t exited; // threads that end with an exit without a guard, or in a grid that completes
    struct rel dependency; // addr | data | ctrl; only the union matters (axiom 4)
    struct rel meets;      // arrivals, and the waits of their phases (section 6)
    struct rel barrier;    // the same for those arrivals that synchronise
    // The reads that decide whether a thread exits or comes to a barrier, and the waits that its
    // exit releases.
    struct rel exit_dependency;
    // Asynchronous operations (section 16): from the issue to what the operation does; from its
    // accesses and fences to the event with which they are complete.
    struct rel issues, done;
    // From what the threads of a grid do to what those of a grid do that starts when it is
    // complete, and to each griddepcontrol.wait of a grid that depends on it (section 17).
    struct rel launches, grid_waits;
    struct rel started; // from each launch_dependents to all that the grids do that depend on it
    // rf, cell by cell: source[r][k] is the write from which read r takes the k-th (from the
    // lowest) of its cells.
    uint8_t source[EVENTS_MAX][ACCESS_CELLS_MAX];
};

#endif
