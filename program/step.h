// Single steps of threads with concrete values: what an instruction computes in registers, and
// where it accesses memory, without events. The semantics are those of program/thread, whose
// expressions are constants here.
#ifndef PTXLITMUS_PROGRAM_STEP_H
#define PTXLITMUS_PROGRAM_STEP_H

#include "litmus/test.h"
#include "program/cells.h"
#include "program/options.h"

struct arena;
struct diagnostics;

// What is known of a value. The order matters: of several values the last kind in this list is that
// of what is computed from them.
enum knowledge {
    KNOWN,
    CANCEL_ANSWER,    // what try_cancel answers: its bits are for query_cancel alone
    UNKNOWN_CONTENTS, // it depends on what was in memory at first, or on what is not computed
    UNINITIALISED,    // it depends on shared memory in which nothing has been written
    UNKNOWN_SCHEDULE, // it may be another one when threads come in another order
    UNWRITTEN,        // nothing has written the register
};

// The value of a register, or of what is in memory.
struct step_value {
    struct bits128 bits; // 0 where it is not known, nor an answer that is as it was given
    enum knowledge knowledge;
};

// Whether two values are the same, as far as is known.
static inline bool step_same(struct step_value a, struct step_value b) {
    return a.knowledge == b.knowledge && bits_equal(a.bits, b.bits);
}

struct stepper;

// Returns what steps the threads of a test, all at their first instruction; NULL after errors in
// `diagnostics`, where later errors go, too. The test has to live as long, and so has the arena;
// stepper_free has to be called besides.
struct stepper *stepper_new(struct arena *arena, const struct test *test,
                            const struct program_options *options, struct diagnostics *diagnostics);

// Frees what the arena does not own.
void stepper_free(struct stepper *stepper);

// Returns the objects and addresses of the test; the stepper owns them.
const struct program_memory *stepper_memory(const struct stepper *stepper);

// Returns the first thread of a thread's CTA, and sets `*number` to its number in that.
int stepper_cta(const struct stepper *stepper, int thread, unsigned *number);

// Returns the generic address of the shared memory of a thread's CTA, to which the addresses in
// descriptors of matrices are added.
uint64_t stepper_described_base(const struct stepper *stepper, int thread);

// Fills the first values of the registers of a thread, as many as it has.
void stepper_start(const struct stepper *stepper, int thread, struct step_value *registers);

// Returns `size` bytes, 1 to 16, of what an object holds at first.
struct step_value stepper_initial(const struct stepper *stepper, unsigned object, uint64_t offset,
                                  unsigned size);

// Runs an instruction of the family FAMILY_COMPUTE on the registers of a thread, whatever its guard
// says. Returns false where that cannot be done: after an error in the diagnostics, where PTX does
// not define the instruction for these operands, or where a register was not written.
bool stepper_compute(struct stepper *stepper, int thread, struct step_value *registers,
                     const struct instruction *instruction);

// Returns the value of a source operand in `width` bits, at most 128.
struct step_value stepper_value(struct stepper *stepper, int thread,
                                const struct step_value *registers, const struct operand *operand,
                                unsigned width, bool is_signed);

// Returns the generic address that an operand [a] denotes in a state space, in 64 bits.
struct step_value stepper_address(struct stepper *stepper, int thread,
                                  const struct step_value *registers, const struct operand *operand,
                                  enum state_space space);

// Returns what an atomic operation stores where it has read `old`, in `bits` bits; not known where
// its type is a floating-point one.
struct step_value stepper_atomic(struct stepper *stepper, const struct instruction *instruction,
                                 unsigned bits, struct step_value old, struct step_value b,
                                 struct step_value c);

// Some bytes of a tile that are next to each other in global memory, too, or all outside of the
// tensor.
struct step_row {
    uint64_t at;     // in the tile
    uint64_t offset; // in the object of the tensor
    uint32_t size;
    bool is_outside;
};

// A tile of a tensor that a tensor copy is of, and where it is in global memory.
struct step_tile {
    int map;         // the object of the tensormap; -1: a part of a parameter
    unsigned object; // of the tensor
    uint64_t bytes;  // of the tile in shared memory
    struct step_row *rows;
    size_t row_count;
    bool is_permuted; // in shared memory: which bytes of a row are where is not known
};

// Finds the tile of a tensor copy in tiled mode, with these registers of the thread; the rows live
// in `arena`. Returns false where that is not known, the tensormap is not one that a test declares,
// or a store would begin before the tensor.
bool stepper_tile(struct stepper *stepper, struct arena *arena, int thread,
                  const struct step_value *registers, const struct instruction *instruction,
                  struct step_tile *tile);

// Finds the bytes and rows of a tile of a tensor that begins at an offset in its object, with these
// coordinates; the rows live in `arena`.
void stepper_tile_of(struct arena *arena, const struct tensor *tensor, const int64_t *begin,
                     uint64_t base, struct step_tile *tile);

// Returns how many bits a lane gets in an exchange of matrices; 0 for another instruction.
unsigned stepper_matrix_width(const struct instruction *instruction);

// Returns what a lane of a warp gets in an exchange of matrices, the first register lowest, where
// all lanes of the warp are there: `given` is by lane.
struct step_value stepper_matrix(struct stepper *stepper, const struct instruction *instruction,
                                 const struct step_value *given, unsigned lane);

// Writes a value of `width` bits to a register, or to none for the operand `_`, extended or cut to
// the register's width.
void stepper_write(const struct thread *thread, struct step_value *registers,
                   const struct operand *operand, struct step_value value, unsigned width,
                   bool is_signed);

#endif
