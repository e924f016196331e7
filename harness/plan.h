// How a test runs on a GPU: which thread is where, where its variables are, and what is shown; or
// why it cannot run there.
#ifndef PTXLITMUS_HARNESS_PLAN_H
#define PTXLITMUS_HARNESS_PLAN_H

#include "litmus/test.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct program;

enum harness_refusal {
    REFUSAL_NONE,
#define REFUSAL(id, words) REFUSAL_##id,
#include "harness/refusals.def"
    REFUSAL_COUNT
};

// What runtime/launch.cuh has room for; and what every GPU has.
enum {
    HARNESS_VARIABLES = 8,
    HARNESS_COLUMNS = 16,
    HARNESS_WARP = 32,
    HARNESS_THREADS = 256, // of a CTA, where its shared memory suffices
    HARNESS_SHARED = 48 << 10,
    HARNESS_CLUSTER = 8
};

// The GPU that tests are for: 90 and true of sm_90a.
struct harness_target {
    unsigned architecture;
    bool is_specific;
};

// Where a thread runs: in the `part`-th group of warps of a CTA, which has this rank in one of the
// test's clusters.
struct harness_seat {
    bool is_host; // a thread of the host: it has no seat
    unsigned unit, rank, part;
};

// Where a variable is: in .global memory the `number`-th of its kind; in .shared memory at `offset`
// in what an instance has of it.
struct harness_variable {
    bool is_shared;
    unsigned number, offset, size; // in bytes; `size` is a multiple of 4
};

// A value that a state shows: the register of a thread, or `bytes` at `offset` in a variable.
struct harness_column {
    const char *name; // as logs have it
    unsigned bits;
    bool is_signed;
    int thread, reg; // -1, -1 for a location
    int variable;
    unsigned offset, bytes;
    struct harness_seat seat; // of a thread of the CTA whose shared variable it is
};

struct harness_plan {
    const struct test *test;
    struct harness_seat *seats; // by thread
    size_t *cta_threads;        // by thread: how many are in its CTA
    unsigned units, cluster, parts, slots;
    struct harness_variable *variables; // by variable
    unsigned variable_count;            // of those in .global memory
    unsigned alignment;                 // of these, in bytes
    unsigned shared_bytes;              // of an instance in a CTA; a multiple of 16
    struct harness_column *columns;
    size_t column_count;
    bool copies;  // has asynchronous operations, which may outlast its threads
    unsigned ptx; // the version of PTX that it needs, 78 for 7.8; 0: any
};

// Plans the runs of a test, whose program has been built, on a target. The
// arena owns what the plan points to. Returns REFUSAL_NONE, or why the test cannot run.
enum harness_refusal harness_plan(struct arena *arena, const struct program *program,
                                  struct harness_target target, struct harness_plan *plan);

// Returns the words of a refusal, which live for ever.
const char *harness_refusal_text(enum harness_refusal refusal);

// Whether an instruction of a thread names a variable.
bool harness_names_variable(const struct thread *thread, int variable);

// Returns the column of a term of the condition or filter, a register or a location; the plan owns
// it.
const struct harness_column *harness_column_of(const struct harness_plan *plan,
                                               const struct term *term);

#endif
