// The state of a run, which files of this room alone share: run.c runs threads in turn, access.c
// has loads, stores and atomic operations, barrier.c barriers, exchange.c what lanes exchange,
// mbarrier.c and waiting.c mbarriers and loops that wait for them, copy.c asynchronous copies,
// order.c release and acquire patterns, turns.c, polls.c and rounds.c orders that are explored.
#ifndef PTXLITMUS_LAUNCH_INTERNAL_H
#define PTXLITMUS_LAUNCH_INTERNAL_H

#include "launch/aligned.h"
#include "launch/clock.h"
#include "launch/launch.h"
#include "launch/order.h"
#include "launch/rounds.h"
#include "launch/shadow.h"
#include "launch/turns.h"
#include "program/step.h"

enum { BLOCK_BARRIERS = 16, LANES_OF_WARP = 32, DELIVERIES_MAX = 256 };

enum lane_state {
    LANE_RUNS,
    LANE_AT_BARRIER,  // of its block, `id`
    LANE_AT_WARP,     // at a bar.warp.sync, `id` its mask
    LANE_AT_CLUSTER,  // waits at the barrier of its cluster
    LANE_AT_EXCHANGE, // of its warp, `id` its mask
    LANE_AT_WAIT,     // for a phase of an mbarrier
    LANE_AT_TURN,     // at an access that meets others unordered
    LANE_AT_PRODUCT,  // of matrices, of its warpgroup
    LANE_AT_TENSOR,   // at an instruction of tensor memory, of its warp
    LANE_AT_GRID,     // waits until the grids before its own are complete
    LANE_BEFORE_GRID, // its grid starts when others are complete
    LANE_ENDED,
};

struct cancel_ways;
struct changed_maps;
struct lane_tensor;
struct launched_grid;
struct map_finder;
struct mbarrier;
struct product_register;
struct race_table;
struct tensor_memory;
struct warpgroup;

// Asynchronous copies of a thread that are in groups.
struct sequence {
    uint32_t started;
    uint32_t *groups; // by group: how many had been started at its end; owned by the run's arena
    size_t group_count;
};

// Products of matrices of a thread (launch/product.c).
struct lane_products {
    struct warpgroup *group;       // with which it has them; NULL: it has none
    struct sequence sequence;      // of the products of the group
    uint32_t waited;               // the last product that a wait has found complete
    uint32_t fences;               // how many wgmma.fence it has executed
    struct clock *fenced;          // what is before the last one, or NULL
    struct product_register *uses; // by register
};

// How often a thread has read the same by one instruction at one place, before it reads elsewhere.
struct lane_poll {
    const struct instruction *instruction;
    unsigned object;
    uint64_t offset;
    struct bits128 bits;
    unsigned count;
};

// A thread that runs.
struct lane {
    const struct thread *thread;
    int index; // into the test's threads
    struct block *block;
    unsigned number; // in its block
    struct step_value *registers;
    size_t pc;
    enum lane_state state;
    bool exits; // it has executed an exit
    struct moment at;
    const struct instruction *blocked; // where it waits
    uint32_t id;
    uint32_t waited[BLOCK_BARRIERS];  // by barrier: the last phase that it has waited for, and 1
    uint32_t arrived[BLOCK_BARRIERS]; // the same of phases in which it has arrived
    const struct instruction *arrived_by[BLOCK_BARRIERS]; // where it did so
    uint32_t cluster_arrived;             // the phase there that it has not waited for, and 1
    const struct instruction *cluster_by; // where it has last arrived there
    uint32_t cluster_waited;              // the last phase for which it has waited, and 1
    uint32_t init_fence;                  // when it has executed its last fence.mbarrier_init
    struct sequence copies, bulk;         // cp.async, and bulk copies to global memory
    struct lane_products products;
    struct lane_tensor *tensor; // what it has of tensor memory, or NULL
    struct mbarrier *waits_for;
    struct lane_order order;
    struct lane_turn turn;
    struct lane_poll poll;
    struct lane_round round;
    struct lane_aligned aligned;
};

// A barrier of a block.
struct numbered_barrier {
    struct lane **waiting; // as many as the block has threads; NULL until one comes
    unsigned waiting_count;
    unsigned arrived;        // of bar.arrive
    unsigned gone;           // threads that have arrived in the phase at hand, and ended
    struct clock *heard;     // from those, or NULL
    struct clock *completed; // all arrivals of the phase before, or NULL
    struct clock *base;      // what the last of these had heard, which `heard` has; or NULL
    struct clock *covering;  // one that has all of `completed`, or NULL
    uint32_t phase;
    uint32_t count;                  // that the phase waits for; 0: all threads of the block
    const struct instruction *first; // by which a thread has arrived in the phase at hand, or NULL
    bool is_reduction, is_mixed;     // others have by another one
    bool is_by_exits;                // threads have ended which the phase before was for
    unsigned given, holds;           // to a bar.red: how many predicates, and how many of them hold
};

// Actors beside threads, in this order. What is not there has no entries.
struct actors {
    size_t threads;
    bool has_copies;     // cp.async of each thread
    bool has_bulk;       // bulk copies of each thread to global memory: their reads, their writes
    bool has_deliveries; // what completes on an mbarrier, for each
    bool has_products;   // of warpgroups: what each reads
    bool has_tensors;    // operations of tensor cores of each thread
    uint32_t copies, bulk_reads, bulk_writes, deliveries, products, tensor; // where these begin
    size_t count;
};

// Blocks that have a barrier in common, and access each other's shared memory. A block that is in
// none is one of its own.
struct cluster {
    struct lane **lanes;
    unsigned count, ended;
    unsigned arrived;        // in the phase at hand
    unsigned gone;           // of these, threads that have ended
    struct clock *heard;     // from arrivals that release, or NULL
    struct clock *completed; // the same of the phase before
    uint32_t phase;
};

// When an actor has last accessed shared memory of a block from elsewhere, or beside its threads.
struct shared_visit {
    uint32_t time; // 0: it has not
    const struct lane *lane;
    const struct instruction *instruction;
};

struct block {
    struct lane **lanes; // by number
    unsigned count;
    bool is_dense;           // the number of each lane is its place in `lanes`
    struct moment **moments; // room for one of each thread; NULL until it is needed
    unsigned ended;
    size_t first_warp; // the number of its first warp among those of all blocks
    struct cluster *cluster;
    struct shared_visit *visits; // by actor; or NULL
    struct numbered_barrier slots[BLOCK_BARRIERS];
    struct tensor_memory *tensor; // or NULL
    uint64_t turns;               // that its threads have had
    uint64_t changes;             // to what is in memory, and whatever else others may notice
};

// What elect.sync elects. The runs of a launch have numbers, and each warp elects by a digit of it,
// one lane of a mask each time (PTX ISA 9.7.13.14); or all warps elect alike.
struct elections {
    unsigned number, base; // of this run, and of the digits
    bool are_alike;
    unsigned widest;   // the most lanes of which one was elected in this run; 0: none was
    uint32_t *masks;   // by warp: of which it has elected, or 0
    bool are_several;  // a warp has elected of several masks
    size_t warp_count; // of all blocks
};

// Grids, where the test orders some (launch/grid.c).
struct launched_grids {
    struct launched_grid *items;
    size_t count;
};

// Warpgroups that have products (launch/product.c).
struct warpgroups {
    struct warpgroup *items;
    size_t count;
};

// Instructions whose values depend on the schedule.
struct sensitive_reads {
    const struct instruction **items;
    size_t count, found_so_far; // those that earlier runs have found
};

// Tensormaps.
struct run_maps {
    struct map_finder *finder;    // of those that the test does not give; NULL: it gives them
    struct changed_maps *changed; // those that threads may change
};

struct machine {
    struct arena *arena;   // of results
    struct arena *scratch; // of the run at hand
    const struct test *test;
    const struct launch_limits *limits;
    struct stepper *stepper;
    struct shadow *shadow;
    struct lane *lanes; // by thread
    struct block *blocks;
    size_t block_count;
    struct cluster *clusters;
    size_t cluster_count;
    struct actors actors;
    struct elections elections;
    struct mbarrier *mbarriers; // the last one first
    struct launched_grids grids;
    struct warpgroups warpgroups;
    struct run_order order;
    struct exploration *exploration; // of orders; NULL: one run is to show that none matters
    struct race_table *races;        // of the run at hand
    struct run_maps maps;
    struct launch_image image;
    bool is_at_destination; // what is written to other blocks is done there, not by its issuer's
    bool goes_round;        // the launch has come back to what it was
    struct launch_result result;
    uint64_t *reached;           // of the result
    bool is_over;                // nothing more is to be run
    bool synchronises_otherwise; // by what the clocks leave out: races are not certain
    bool depends_on_order;       // what it has come to
    struct sensitive_reads sensitive;
    struct cancel_ways *cancels; // NULL: no blocks are cancelled
};

// Ends the run without an answer, for a reason that is a sentence. Returns false.
bool run_give_up(struct machine *machine, const struct instruction *instruction, const char *why);

// Ends the run since a thread does what PTX leaves undefined. Returns false.
bool run_misuse(struct machine *machine, const struct lane *lane,
                const struct instruction *instruction, const char *flag, const char *why);

// Returns a value of the thread that has to be known, in `*bits`; gives up with `what` ("an
// address") where it is not.
bool run_known(struct machine *machine, const struct instruction *instruction,
               struct step_value word, const char *what, struct bits128 *bits);

// Returns the value of an operand of 32 bits that has to be known, as above.
bool run_number(struct machine *machine, struct lane *lane, const struct instruction *instruction,
                const struct operand *operand, const char *what, uint32_t *number);

// Whether what an instruction reads depends on the schedule, as an earlier run has shown.
bool run_is_sensitive(const struct machine *machine, const struct instruction *instruction);

// Notes that what an instruction reads depends on the schedule: the run is to begin again.
void run_note_sensitive(struct machine *machine, const struct instruction *instruction);

// Runs a load, a store or an atomic operation of a thread. As with all functions that run an
// instruction: `lane->state` says whether the thread waits; false: the run is over.
bool run_access(struct machine *machine, struct lane *lane, const struct instruction *instruction);

// Runs an asynchronous copy, or what waits for some.
bool run_copy(struct machine *machine, struct lane *lane, const struct instruction *instruction);

// Finds the object that `size` bytes at an operand [a] are in, which the thread may access; gives
// up where that is not known.
bool run_find_place(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction, const struct operand *operand,
                    enum state_space space, unsigned size, unsigned alignment, unsigned *object,
                    uint64_t *offset);

// Notes that the bytes of an object up to `end` are accessed; gives up where it has not so many.
bool run_reach(struct machine *machine, const struct instruction *instruction, unsigned object,
               uint64_t end);

// Lets those go on that waited for a thread which has ended.
bool run_end(struct machine *machine, struct lane *lane);

// Lets a thread go on after its instruction.
static inline void run_on(struct lane *lane) {
    lane->state = LANE_RUNS;
    lane->pc++;
}

// Returns a weak access of a thread to bytes of an object, in the generic proxy.
static inline struct shadow_access lane_touch(const struct lane *lane,
                                              const struct instruction *instruction,
                                              uint64_t offset, unsigned size, bool writes) {
    return (struct shadow_access){.instruction = instruction,
                                  .thread = lane->index,
                                  .actor = lane->at.actor,
                                  .time = lane->at.time,
                                  .offset = (uint32_t)offset,
                                  .size = size,
                                  .writes = writes,
                                  .proxy = PROXY_GENERIC};
}

// Finds which actors there are beside threads.
struct actors actors_of(const struct test *test);

#endif
