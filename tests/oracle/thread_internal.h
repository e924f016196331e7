// What the files of the interpreter share: thread.c, thread_mbarrier.c and thread_warp.c.
#ifndef PTXLITMUS_ORACLE_THREAD_INTERNAL_H
#define PTXLITMUS_ORACLE_THREAD_INTERNAL_H

#include "tests/oracle/thread.h"

struct content {
    struct value value;
    uint64_t sources;
};

struct loop_state {
    unsigned turns;  // how often the instruction was executed
    unsigned last;   // when it was executed last, in instructions; 0 for never
    unsigned rounds; // how often it jumped back after a decision that depended on a read
};

struct machine {
    const struct memory *memory;
    int thread;
    const struct thread *code;
    const struct thread_options *options;
    const struct supplier *supplier;
    struct path *path;
    struct content *registers;
    struct loop_state *loops; // by instruction
    size_t next;
    unsigned time;         // instructions executed
    unsigned last_decided; // when a branch was decided by a read
    uint64_t control;      // the steps that decided branches and guards
    bool stopped;
    unsigned commits[3];                // groups so far, of cp.async, bulk copies and products
    struct product_registers *products; // of a thread with products of matrices; else NULL
    unsigned first_element;             // of the next operation on an mbarrier
    unsigned target;                    // 1 + the rank of the CTA that a multicast is at; else 0
    struct content collected[COLLECTOR_BUFFERS][2]; // of tensor cores, of each CTA of a pair
    bool filled[COLLECTOR_BUFFERS];
    enum matrix_kind collected_kind[COLLECTOR_BUFFERS];
    unsigned peer; // 1 + the rank of the other CTA of a pair, while at it; else 0
    const enum state_space *part_space; // of the accesses at hand, where not the instruction's
};

// The accesses of an instruction: elements, and the numbers of each.
struct shape {
    enum scalar_type number;
    unsigned elements, numbers; // in all, and of an element
    unsigned size;              // of a number, in bytes
};

// Ends the path, unless it has ended already.
void machine_stop(struct machine *machine, enum path_end end);

// Adds the step of an instruction. Returns its index, or -1 when the path has stopped.
int machine_step(struct machine *machine, const struct instruction *at, enum action action);

// Asks a question about the last step. Returns false, with the path stopped, without an answer.
bool machine_ask(struct machine *machine, enum question question, struct value *value);

// The value of a source operand, `width` bits of it.
struct content machine_source(struct machine *machine, const struct operand *operand,
                              unsigned width);

// The same as a number. Returns false, with the path stopped, when it is not known.
bool machine_number(struct machine *machine, const struct operand *operand, uint64_t *number);

// Writes a register; the operand may be a sink.
void machine_set(struct machine *machine, const struct operand *operand, struct content content,
                 enum truth executes);

// Adds the step of an access. Returns its index, or -1 when the path has stopped.
int machine_access(struct machine *machine, const struct instruction *at, enum action action,
                   const struct operand *address, const struct shape *shape, unsigned index);

// Whether an atomic operation on numbers of a type takes subnormal ones for zeros where it has
// read.
bool thread_flushes(const struct machine *machine, enum scalar_type type, const struct step *read);

// Adds the write that follows the read of an atom or red, unless it is a cas that fails. The
// operands are those after the address; the second one may be NULL.
void machine_modify(struct machine *machine, const struct instruction *at,
                    const struct operand *const operands[2], const struct shape *shape,
                    const struct operand *address, int read, unsigned index);

// What an asynchronous operation does to its mbarrier: `arrives` arrivals (-1: one more is pending)
// and `bytes` that are done. Returns the step of its read, which that of its write follows; -1 when
// the path has stopped.
int thread_mbarrier_count(struct machine *machine, const struct instruction *at,
                          const struct operand *address, enum mbarrier_action does, int arrives,
                          uint64_t bytes);

// The bytes of each access of an operation on many bytes (parts.h), of which it writes `size` and
// reads `taken`.
unsigned thread_part_size(const struct machine *machine, const struct instruction *at,
                          uint64_t size, uint64_t taken);

// Runs an arrival at a barrier, a wait there, or both.
void thread_barrier(struct machine *machine, const struct instruction *at);

// Runs an instruction of asynchronous copies. Returns false for other instructions.
bool thread_async(struct machine *machine, const struct instruction *at);

// Adds the step of an instruction that starts an operation, of a group or of none (-1). Returns its
// index, or -1 when the path has stopped.
int thread_issue(struct machine *machine, const struct instruction *at, int group);

// Gives what was added from a step on to an operation.
void thread_give(struct machine *machine, unsigned first, unsigned issue, enum stage stage,
                 enum proxy proxy);

// Returns the steps of the operation that is issued at a step, as far as it has to be done before
// it is complete; only what it reads, if `reads_alone`.
uint64_t thread_parts_of(const struct machine *machine, unsigned issue, bool reads_alone);

// Adds what an operation does to its mbarrier when the steps `completes` are done.
void thread_complete(struct machine *machine, const struct instruction *at,
                     const struct operand *address, unsigned issue, int arrives, uint64_t bytes,
                     uint64_t completes);

// Runs an instruction of tensor cores of the fifth generation. Returns false for other
// instructions.
bool thread_tensor(struct machine *machine, const struct instruction *at);

// Runs an instruction of products of matrices, other than waits. Returns false for other
// instructions.
bool thread_product(struct machine *machine, const struct instruction *at);

// All groups of products but the latest ones, of which there are `pending`, are complete.
void thread_products_waited(struct machine *machine, uint64_t pending);

// An instruction reads or writes a register, or the condition shows it.
void thread_uses_register(struct machine *machine, int reg);

// Whether an instruction is one of products of matrices.
bool thread_is_product(enum opcode opcode);

// Makes room for what is known of the registers of products.
void thread_products_begin(struct machine *machine);

// What the condition shows of these registers counts as used at the end of the thread.
void thread_products_end(struct machine *machine);

// Whether an instruction is one.
bool thread_is_async(enum opcode opcode);

// Runs an operation on an mbarrier. Returns false for other instructions.
bool thread_mbarrier(struct machine *machine, const struct instruction *at);

// Runs an access to a multimem address. Returns false for other instructions.
bool thread_multimem(struct machine *machine, const struct instruction *at);

// Finds to how many variables an asynchronous copy writes, and its address as that of the first of
// them; the others follow. Returns 1 for other addresses, and 0 with the path stopped.
unsigned thread_multimem_copies(struct machine *machine, const struct instruction *at,
                                struct operand *address);

// --- thread_chosen.c -----------------------------------------------------------------------------

// Which bytes of the source a bulk copy takes.
struct chosen {
    uint64_t mask;              // those of each 16
    uint64_t left, right, size; // those at the ends that it ignores, of how many
};

// Finds them. Returns false when the path has stopped.
bool chosen_find(struct machine *machine, const struct instruction *at, uint64_t size,
                 struct chosen *chosen);

// Whether a part of that size is taken and not taken.
bool chosen_divides(const struct chosen *chosen, unsigned part);

// Whether the byte at an offset is ignored.
bool chosen_ignores(const struct chosen *chosen, uint64_t offset);

// Whether some bytes of the source are in the variable in which the others are.
bool chosen_is_there(struct machine *machine, const struct instruction *at,
                     const struct chosen *chosen, uint64_t offset, unsigned size);

// How many parts of that size are missing at the beginning of the source.
unsigned chosen_missing(struct machine *machine, const struct instruction *at,
                        const struct chosen *chosen, unsigned part);

// Runs an exchange between lanes of a warp.
void thread_warp(struct machine *machine, const struct instruction *at);

// Whether an instruction is an operation on an mbarrier.
bool thread_is_mbarrier(enum opcode opcode);

// --- thread_tile.c -----------------------------------------------------------------------------

// Where a tensor copy begins: its coordinates, and the offsets of im2col mode in W, H and D.
struct corner {
    int64_t at[FOUR_ROWS_COORDINATES], offset[IM2COL_RANK_MAX];
};

// Returns how many bytes a tensor copy has in shared memory.
uint64_t thread_tile_size(const struct instruction *at, const struct tensor *tensor);

// Returns where a part of what is copied is in a tensor, counted in bytes from its beginning;
// negative outside.
int64_t thread_tile_place(const struct instruction *at, const struct tensor *tensor,
                          const struct corner *corner, uint64_t in_box);

// --- thread_map.c ------------------------------------------------------------------------------

// Returns what the tensormap is declared to say that an operand names or whose address it has,
// relative to a space; NULL, with the path stopped, where there is none.
const struct tensor *thread_map_declared(struct machine *machine, const struct operand *map,
                                         enum state_space space);

// Finds what a map says that holds a value: the address of its tensor, and the rest in *tensor,
// which is what it is declared to say. Returns false, with the path stopped, where that is unknown.
bool thread_map_says(struct machine *machine, const struct tensor **tensor, struct value held,
                     uint64_t *address);

// Run tensormap.replace and tensormap.cp_fenceproxy.
void thread_map_replace(struct machine *machine, const struct instruction *at);
void thread_map_copy(struct machine *machine, const struct instruction *at);

#endif
