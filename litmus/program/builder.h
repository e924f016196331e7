// What the files that build a program share with each other and with no other room. Expressions,
// events and lists live in the builder's arena; errors go to its diagnostics, and building goes on.
// Sections and decisions (D42) are those of memory-model. The files run in this order:
// memory/objects.c (objects and addresses), thread/registers.c with thread/flow.c, loop/spin.c,
// thread/compute.c, thread/compare.c, thread/bitfields.c, thread/windows.c, thread/access.c
// and barrier/arrivals.c (events), barrier/phases.c, barrier/exits.c, dependency/weigh.c,
// memory/resolve.c (candidates), memory/cells.c with memory/tearing.c, dependency/cycles.c,
// program/condition.c and, at last, memory/known.c.
#ifndef PTXLITMUS_LITMUS_PROGRAM_BUILDER_H
#define PTXLITMUS_LITMUS_PROGRAM_BUILDER_H

#include "litmus/source/bits.h"
#include "litmus/program/expr/boolean.h"
#include "litmus/program/left_out.h"
#include "litmus/program/program.h"
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

// The threads that share a barrier.
enum barrier_level { BARRIER_OF_CTA, BARRIER_OF_CLUSTER, BARRIER_OF_WARP };

struct barrier_group {
    enum barrier_level level;
    int leader; // its first thread
};

// A dependency as written that does not count, since the read has no influence (D42).
struct left_out {
    unsigned read, event;
    struct left_out *next;
};

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

// A lane that is left out, by its number in its block, may change the results of exchanges.
struct left_gift {
    int cta; // the first thread of the test that is in its CTA
    unsigned number;
    int instance; // of which operation
};

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

struct map_shapes;
struct chosen_numbers;
struct excluder;
struct unreached;

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

// --- Values in registers -----------------------------------------------------------------------

struct value {
    const struct expr *bits;             // NULL in a register that nothing has written yet
    const struct expr *undef;            // one bit
    struct dependency_list dependencies; // sorted by event, each event once
    // Where the conditions of the dependencies are known to imply a path: that path; else NULL.
    const struct expr *dependencies_path;
};

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
    unsigned position;           // of the next event
    unsigned chosen_count;       // coordinates so far that depend on memory
    struct dependency_list ctrl; // of the next event; events share prefixes of its array
    size_t ctrl_capacity;
    struct private_write *private_writes; // the last one, or NULL
    struct map_write *map_writes;         // to tensormaps (shapes.c): the last one, or NULL
    struct collected collected[COLLECTOR_BUFFERS];
};

// --- dependency/lists.c --------------------------------------------------------------------

// Returns the dependencies of an operation on two operands. Lists are never changed, so the result
// may share their memory.
struct dependency_list dependencies_union(struct builder *builder, struct dependency_list a,
                                          struct dependency_list b);

// Returns the list with each dependency restricted to where `condition` holds.
struct dependency_list dependencies_when(struct builder *builder, struct dependency_list list,
                                         const struct expr *condition);

// Returns the dependency of a value on the event that read it, or on the wait that returned it; an
// empty list with --deps=none.
struct dependency_list dependencies_of_read(struct builder *builder, unsigned event);

// Makes all later events of the thread depend on a decision, where `condition` holds (D7).
void dependencies_control(struct thread_builder *thread, struct dependency_list list,
                          const struct expr *condition);

// --- barrier/exits.c ---------------------------------------------------------------------------

// Finds the reads that decide on exits (D48). After phases_build.
void exits_find_reads(struct builder *builder);

// --- dependency/passed.c ----------------------------------------------------------------------

// Puts, in the dependencies of all events, in the place of waits that return values the reads that
// these come from. After phases_build.
void dependencies_pass_on(struct builder *builder);

// Moves the dependencies on reads of other threads to the events' `passed`. After
// dependencies_weigh.
void dependencies_part(struct builder *builder);

// --- dependency/weigh.c -----------------------------------------------------------------------

// Drops the dependencies that only look like ones (D42). After all threads and phases_build.
void dependencies_weigh(struct builder *builder);

// --- dependency/cycles.c -----------------------------------------------------------------------

// Whether some execution may exist only because of a dependency that was left out. Needs the cells.
bool dependencies_may_matter(const struct builder *builder);

// --- memory/objects.c --------------------------------------------------------------------------

// Makes the objects that the test names and their virtual ranges.
void memory_build(struct builder *builder);

// Returns the index of the variable whose memory an alias denotes; of one that is not an alias, its
// own.
int memory_physical(const struct test *test, int variable);

// Returns the index of the variable whose virtual address an alias has: its own unless it is an
// alias through another proxy than the generic one.
int memory_virtual(const struct test *test, int variable);

// Returns the index of the range that a variable's name means to a thread (D13).
unsigned memory_range(const struct builder *builder, int thread, int variable);

// Returns what is added to the address that a descriptor of a matrix has (PTX ISA 9.7.15.5.1.2.2),
// for the place in the .shared memory of the thread's CTA.
uint64_t memory_described_base(const struct builder *builder, int thread);

// Returns the range of the one instance that a LOCATION or ADDRESS of a condition names; NULL for a
// term that memory_check_term reports.
const struct virtual_range *memory_term_range(const struct builder *builder,
                                              const struct term *term);

// Reports a term that names several instances or none, or an element that does not exist.
void memory_check_term(struct builder *builder, const struct term *term);

// Whether the initial value of a variable is unknown.
bool memory_is_unknown(const struct variable *variable);

// Returns the size of a variable's elements in bytes.
unsigned memory_element_size(const struct variable *variable);

// --- thread/flow.c ----------------------------------------------------------------------------

// Runs all threads: adds their events, and sets `final_registers[thread]` to an array of the
// registers' final values.
void threads_build(struct builder *builder, struct value **final_registers);

// --- events.c ----------------------------------------------------------------------------------

// Starts a program and runs all threads. Returns their final registers, by thread; NULL after
// errors.
struct value **program_build_events(struct builder *builder);

// --- thread/registers.c --------------------------------------------------------------------------

// Returns the value of a source operand in `width` bits.
struct value thread_operand(struct thread_builder *thread, const struct operand *operand,
                            unsigned width, bool is_signed);

// Returns the value of a register in its own width; reports one that was never written.
struct value thread_register(struct thread_builder *thread, int reg, struct span span);

// Returns the address of a variable as a value; reports an alias whose proxy a value cannot keep.
uint64_t thread_address(const struct thread_builder *thread, int variable, struct span span);

// Writes a register, under the guard of the instruction; for the operand `_`, does nothing.
void thread_write(struct thread_builder *thread, const struct operand *operand, struct value value,
                  bool is_signed);

// Returns a constant of `width` bits as a value without dependencies.
struct value program_value_const(struct builder *builder, unsigned width, struct bits128 bits);

// Returns an unknown value of `width` bits, different from all others.
struct value program_value_unknown(struct builder *builder, unsigned width);

// Returns the value `bits` that was computed from two operands, with the dependencies of both.
struct value program_value_of(struct builder *builder, const struct expr *bits, struct value a,
                              struct value b);

// Returns what a register holds under a condition: `a` where it holds, else `b`.
struct value program_value_choose(struct builder *builder, const struct expr *condition,
                                  struct value a, struct value b);

// Returns what a register holds where two control-flow paths join: `a` on the first path, where
// `way` holds, and `b` on the other.
struct value program_value_meet(struct builder *builder, const struct expr *way, struct value a,
                                const struct expr *path_a, struct value b,
                                const struct expr *path_b);

// --- thread/execute.c --------------------------------------------------------------------------

// Runs an instruction of the thread, which is not a jump, at the thread's current place.
void execute_instruction(struct thread_builder *thread, const struct instruction *instruction);

// The functions of litmus/opcodes.def, each of which runs some instructions: access_*, compute_*,
// barrier_instruction.
#define OPCODE(id, effects, run)                                                                   \
    void run(struct thread_builder *thread, const struct instruction *instruction);
#include "litmus/opcodes.def"

// --- thread/compute.c -------------------------------------------------------------------------

// Returns the width in bits at which an instruction works: its type's, or the destination's if the
// type is not written (Dat3M's dialect).
unsigned compute_width(const struct thread_builder *thread, const struct instruction *instruction);

// Returns the value of operand `place` in that width.
struct value compute_source(struct thread_builder *thread, const struct instruction *instruction,
                            unsigned place);

// Writes the instruction's result to its destination.
void compute_write(struct thread_builder *thread, const struct instruction *instruction,
                   struct value value);

// --- thread/windows.c -------------------------------------------------------------------------

// Returns the condition (one bit) that a generic address is in .shared memory, of any CTA.
const struct expr *program_is_shared(struct builder *builder, const struct expr *address);

// --- thread/tensor.c -------------------------------------------------------------------------

// Whether tcgen05 instructions of one kernel are all of pairs of CTAs, or none. Reports others.
bool tensor_check_groups(struct builder *builder);

// Whether the CTA of the thread has a peer, where the instruction is one of a pair of CTAs. Reports
// where it has none.
bool tensor_check_peer(const struct thread_builder *thread, const struct instruction *instruction);

// Reports accesses to columns of tensor memory that are of a matrix of which a test has the first
// column alone. Needs the candidates.
void tensor_check_columns(struct builder *builder);

// --- thread/allocation.c ---------------------------------------------------------------------

// Finds which tcgen05.alloc the accesses to tensor memory and the tcgen05.dealloc are about:
// `allocations` of struct event. Needs the candidates and their conditions.
void tensor_find_allocations(struct builder *builder);

// --- thread/compare.c -------------------------------------------------------------------------

// Returns one bit combined with operand `place` as .and, .or or .xor say; unchanged if there is
// none.
struct value compute_combine(struct thread_builder *thread, const struct instruction *instruction,
                             struct value compared, unsigned place);

// Returns a comparison of integers as one bit.
const struct expr *program_compare(struct expr_pool *pool, enum compare_op op, bool is_signed,
                                   const struct expr *a, const struct expr *b);

// --- thread/special.c -------------------------------------------------------------------------

// Returns the value of a special register, in 32 bits or one; reports one that the placement leaves
// open. One that no placement decides, a clock, has an unknown value in `width` bits.
struct value program_special(struct thread_builder *thread, const struct operand *operand,
                             unsigned width);

// Finds the rank of a place's CTA in its cluster. Returns false when the placement leaves it open.
bool program_cluster_rank(const struct test *test, const struct place *place, unsigned *rank);

// Whether the CTAs of two threads are a pair: "two CTAs within the cluster whose %cluster_ctarank
// differs by the last bit" (PTX ISA 9.7.16.5.1).
bool program_are_peers(const struct test *test, int a, int b);

// --- left_out.c -------------------------------------------------------------------------------

// Finds where threads that launches leave out may store; NULL when none is left out. `setup` has
// the test and what else a run needs.
const struct left_stores *left_out_find_stores(const struct builder *setup);

// --- left_assumed.c ---------------------------------------------------------------------------

// Notes that executions in which a condition (one bit) holds rely on what is taken for granted of
// threads that are left out, or on what they may store, give or order.
void left_out_rely(struct builder *builder, const struct expr *condition);

// Does so for barriers and mbarriers; then, with program_options' `certain`, leaves all such
// executions out. After all threads, phases_build and the candidates.
void left_out_rely_on_barriers(struct builder *builder);

// Fills program->assumptions.
void left_out_list_assumptions(const struct builder *builder);

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

// --- thread/access.c --------------------------------------------------------------------------

// Whether an access is through a proxy that has no such accesses, which is reported as an error.
bool access_refused(struct thread_builder *thread, const struct instruction *instruction);

// Returns what an atomic operation stores, given what it read and its operands (b and c of PTX),
// all of one width (PTX ISA, atom).
const struct expr *atomic_result(struct expr_pool *pool, enum atomic_op op, bool is_signed,
                                 const struct expr *old, const struct expr *b,
                                 const struct expr *c);

// Reports, once, that a test has too many events.
void builder_report_events(struct builder *builder, struct span span);

// Adds the next event and returns it with its id, or NULL after an error when there are too many.
struct event *builder_add_event(struct builder *builder, struct span span);

// Adds the event of an instruction under its guard, at the next position; NULL as above.
struct event *thread_add_event(struct thread_builder *thread, enum event_kind kind,
                               const struct instruction *instruction);

// Makes an event execute only where a condition holds, too.
void event_restrict(struct builder *builder, struct event *event, const struct expr *condition);

// Returns the scope of an instruction: none for weak operations, the system for volatile and mmio
// ones (memory-model section 1).
enum scope access_scope(const struct instruction *instruction);

// Returns the operand that holds the address of a memory instruction, a part of it.
const struct operand *access_address_operand(const struct instruction *instruction);

// --- thread/windows.c -------------------------------------------------------------------------

// Returns the address in the CTA of a rank that a generic address in .shared memory of the cluster
// corresponds to, as mapa does; unknown if there is none. Reports placements that leave ranks open.
struct value window_in_rank(struct thread_builder *thread, const struct instruction *instruction,
                            struct value address, unsigned rank);

// Returns the same in the pair of CTAs that this rank is in, in that CTA of it which is as even or
// odd as the one that the address is in.
struct value window_in_pair(struct thread_builder *thread, const struct instruction *instruction,
                            struct value address, unsigned rank);

// Returns the address in the CTA of the thread `peer` that an address of shared or tensor memory in
// the thread's own CTA corresponds to: the same place in that CTA's instance of the variable; the
// address itself if there is none.
struct value window_in_peer(struct thread_builder *thread, struct value address, int peer);

// --- thread/mbarrier.c ------------------------------------------------------------------------

// Raises the pending count of the mbarrier at an operand [m] by one, in program order.
void mbarrier_raise(struct thread_builder *thread, const struct instruction *instruction,
                    const struct operand *object);

// Whether what a wait is given is, in all executions, the state that this write of an arrival has
// returned.
bool mbarrier_has_state(struct expr_pool *pool, const struct event *wait,
                        const struct event *arrival);

// --- thread/precondition.c ---------------------------------------------------------------------

// Adds an EVENT_PRECONDITION of an instruction that PTX does not define where `broken` (one bit)
// holds, unless that is never.
void thread_add_precondition(struct thread_builder *thread, const struct instruction *instruction,
                             const struct expr *broken);

// --- thread/uses.c ------------------------------------------------------------------------------

// Begins to note what the thread, which has products of matrices, does with their registers.
void uses_begin(struct thread_builder *thread);

// Notes that the instruction at hand reads or writes a register. Products of matrices must neither
// be in flight then, nor use it later without a fence.
void uses_of_register(struct thread_builder *thread, int reg);

// Notes that the condition of the test reads registers at the end of the thread, which is reached
// where `path` (one bit) holds.
void uses_at_end(struct thread_builder *thread, const struct expr *path);

// Notes the registers of a product that starts, whose EVENT_ISSUE is given; until it is finished,
// registers are used by the product itself.
void uses_start_product(struct thread_builder *thread, const struct instruction *instruction,
                        unsigned issue);
// Notes that the product is in flight from here on.
void uses_finish_product(struct thread_builder *thread, const struct instruction *instruction,
                         unsigned issue);

// --- thread/async.c -----------------------------------------------------------------------------

// Finds out in which CTAs asynchronous operations take place (D18), and which of them have their
// mbarrier in another one than what they write, which PTX does not define. After addresses are
// resolved.
void async_find_places(struct builder *builder);

// --- thread/mbarrier.c ------------------------------------------------------------------------

// Finds out which arrivals are in the phases whose waits return 1. After all threads.
void mbarriers_find_phases(struct builder *builder);

// --- thread/private.c -------------------------------------------------------------------------

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

// --- thread/float.c ---------------------------------------------------------------------------

// Whether an atomic operation computes with floating-point numbers.
bool float_computes(const struct instruction *instruction);

// Whether its type is two numbers of 16 bits in one register (.f16x2, .bf16x2).
bool float_is_packed(const struct instruction *instruction);

// Returns what an atomic operation on floating-point numbers stores at `address`, given what it
// read there and its operand; of packed types, one of the two numbers.
struct value float_atomic(struct builder *builder, const struct instruction *instruction,
                          const struct expr *address, struct value old, struct value b);

// Returns some NaN of a type: which one is not known.
struct value float_some_nan(struct builder *builder, enum scalar_type type);

// Runs an instruction with EFFECT_FLOATS on numbers of a floating-point type.
void compute_float(struct thread_builder *thread, const struct instruction *instruction);

// --- barrier/arrivals.c -------------------------------------------------------------------------

// Whether a thread is one of those that share a barrier.
bool barrier_has_thread(const struct builder *builder, unsigned group, int thread);

// Returns the position of a thread in its warp: the threads of a CTA are numbered in the test's
// order.
unsigned barrier_lane(const struct builder *builder, int thread);

// Whether an arrival is in the phase of a wait whenever the wait passes: all threads make up each
// phase there, and its thread always comes.
bool barrier_always_meets(const struct builder *builder, const struct phase_pair *pair);

// Meets the other lanes of a mask (32 bits), to which it gives a value: an arrival and a wait, as
// of a bar.warp.sync of its own `instance`, which is not 0. Returns the wait; NULL after an error.
struct event *barrier_exchange(struct thread_builder *thread, const struct instruction *instruction,
                               const struct expr *mask, int instance, const struct value *given,
                               struct left_lanes *others);

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

// --- thread/cancel.c ----------------------------------------------------------------------------

// What a clusterlaunchcontrol.try_cancel answers.
struct cancellation {
    const struct place *place;     // of the thread that asks
    unsigned number;               // from 1 on
    const struct expr *asked;      // one bit: the request is executed
    const struct expr *is_success; // one bit
    const struct expr *bits;       // 128 bits, the upper 96 of which say which CTA
    struct cancellation *next;
};

// Finds the threads whose CTAs may be cancelled: those of a launch with requests. Before all
// threads are run.
void cancel_find_threads(struct builder *builder);

// Returns whether the CTA of a thread is cancelled, so that the thread executes nothing (one bit).
const struct expr *cancel_of_thread(struct builder *builder, int thread);

// Sets program->given: a CTA is cancelled by a request that is executed, and a request cancels one.
// After all threads have been run.
void cancel_set_given(struct builder *builder);

// --- thread/warp.c ------------------------------------------------------------------------------

// Who leads the lanes of a mask.
struct election {
    int leader;    // the first thread of the CTA
    unsigned warp; // there
    uint32_t mask;
    const struct expr *elected[32]; // by lane: it is the leader (one bit); NULL: not modelled
    const struct expr *other;       // 32 bits: the leader, where it is none of those
    struct election *next;
};

// Whether an instruction of a warp meets the other lanes at events: the program has all lanes that
// take part.
bool warp_meets(const struct thread *thread, const struct instruction *instruction);

// Defines what the wait of a barrier_exchange gives; its phase pairs are those from `first` on.
void warp_reduce(struct builder *builder, const struct event *wait, size_t first);

// The same where these arrivals, one for each lane, meet at the wait whenever it passes.
void warp_reduce_all(struct builder *builder, const struct event *wait, const unsigned *arrivals,
                     size_t count);

// --- barrier/lockstep.c ------------------------------------------------------------------------

// Finds the exchanges in warps to which all lanes come together, and puts what they return, over
// reads alone, in the place of their results. After all threads, before phases_build.
void lockstep_find(struct builder *builder, struct value **final_registers);

// --- barrier/phases.c ------------------------------------------------------------------------

// Counts the threads of barriers' phases, pairs arrivals with waits, and defines the results of
// bar.red. After all threads.
void phases_build(struct builder *builder);

// Whether some wait may return an unknown value.
bool phases_give_unknown(const struct builder *builder);

// --- memory/resolve.c, memory/cells.c, program/condition.c -----------------------------------

// Finds the candidates of every access, without cells yet, and sets program->out_of_bounds.
void resolve_addresses(struct builder *builder);

// Cuts the objects into cells, fills the candidates' cells and the initial values.
void cells_build(struct builder *builder);

// Returns the first cell of an object that begins at or after `offset` (bytes).
unsigned cells_find(const struct program *program, unsigned object, uint64_t offset);

// Returns the cell of an object that contains the byte at `offset`; there must be one.
unsigned cells_find_with(const struct program *program, unsigned object, uint64_t offset);

// Returns how many cells of an object, from the cell `first` on, begin before `end` (bytes).
unsigned cells_count(const struct program *program, unsigned first, unsigned object, uint64_t end);

// Returns the initial value of a variable of at most 64 bits, which need not be an object.
uint64_t cells_initial_number(const struct builder *builder, int variable);

// Finds the initial value of `size` bytes of an object, at most 16. Returns false when it is
// unknown.
bool cells_initial_bits(const struct builder *builder, unsigned object, uint64_t offset,
                        unsigned size, struct bits128 *bits);

// Translates condition, filter and locations into program->condition, filter and observed.
void condition_build(struct builder *builder, struct value **final_registers);

// --- visit.c -----------------------------------------------------------------------------------

// Is given each expression, to put another one in its place.
typedef void expr_visitor(void *context, const struct expr **expr);

// Visits an expression that need not be there.
void program_visit_if(expr_visitor *visit, void *context, const struct expr **expr);

// Visits the expressions of an event.
void program_visit_event(expr_visitor *visit, void *context, struct event *event);

// Visits the expressions of a program but those of events, cells and assumed values.
void program_visit_rest(expr_visitor *visit, void *context, struct program *program);

// --- memory/unwritten.c ------------------------------------------------------------------------

// Returns, by event: of a read of bytes that nothing writes, and whose initial value is known, that
// value, a constant; else NULL. After all threads; the builder's arena owns it.
const struct expr **unwritten_find(struct builder *builder);

// Returns what puts these values, as builder->unwritten has them, in the place of the reads; the
// builder's arena owns it.
struct expr_replacements *unwritten_replacements(struct builder *builder);

// Returns, by event: of a read of bytes to which only a few constants are written, its value as a
// choice among those and the initial value; else NULL. `known` has what is known already of what
// is written, and where. As above.
const struct expr **unwritten_find_few(struct builder *builder, struct expr_replacements *known);

// --- substitute.c ------------------------------------------------------------------------------

// Replaces an expression that need not be there.
void substitute_in(struct expr_replacements *replacements, const struct expr **expr);

// Replaces the expressions of all events, registers and ends of threads; not what events define
// themselves. Where builder->substitutes holds, before the addresses are resolved.
void substitute_everywhere(struct builder *builder, struct expr_replacements *replacements,
                           struct value **final_registers);

// Replaces the program's other expressions: which executions count, and which are not described.
void substitute_in_rest(struct builder *builder, struct expr_replacements *replacements);

// --- unreached.c -------------------------------------------------------------------------------

// Finds events that never execute, as values that reads may return show, if lockstep_find says that
// this is done. After it.
void unreached_find(struct builder *builder);

// Whether this is one of them.
bool unreached_has(const struct builder *builder, unsigned event);

// Puts what is known in the whole program: the values of reads of bytes that nothing writes, and 0
// in the place of conditions that never hold. After all dependencies are found (D42), before the
// addresses are resolved.
void known_substitute(struct builder *builder, struct value **final_registers);

// --- exited.c ----------------------------------------------------------------------------------

// Finds the accesses to the shared memory of CTAs all of whose threads end: `outlives` and
// `underway` of struct event. After resolve_addresses and async_find_places.
void exited_find(struct builder *builder);

// --- memory/known.c ----------------------------------------------------------------------------

// Leaves accesses to memory out that a thread alone has, where the value of each read is known. The
// last step: what the builder has of each event does not fit the program any more.
void known_memory_drop(struct builder *builder);

#endif
