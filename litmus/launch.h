// Where threads are: their places in CTAs, clusters, grids and GPUs, and how the kernel of a grid
// is launched.
#ifndef PTXLITMUS_LITMUS_LAUNCH_H
#define PTXLITMUS_LITMUS_LAUNCH_H

#include "litmus/source/source.h"
#include "litmus/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>

// Placement (litmus-format.md section 1; memory-model: placement of CTAs). Numbers are the user's;
// use the test_same_* functions, which know that CTAs nest in clusters and clusters in GPUs.
struct place {
    bool host;
    unsigned gpu;
    bool has_cluster; // false: a cluster of its CTA alone
    unsigned cluster;
    unsigned cta;
    unsigned grid; // CTAs are numbered in their grid
    struct span span;
};

// That a grid comes after another one in the order of launches (memory-model section 17).
struct grid_order {
    unsigned grid, after;
    bool is_programmatic; // it may start before, and waits with griddepcontrol.wait
    struct span span;
};

// What a launch says of a special register %envreg<n>: the bits of a variable of 4 or 8 bytes.
struct environment_register {
    bool is_known; // else it may hold anything
    bool is_high;  // the upper 32 bits of 64
    int variable;
};
enum { ENVIRONMENT_REGISTERS = 32 };

// How a kernel is launched: what its special registers are (PTX ISA 10), x first.
struct launch {
    const char *kernel; // its name, in C++ without parameters
    unsigned grid[3], block[3];
    unsigned cluster[3]; // in CTAs
    bool has_clusters;
    // The threads of each block that the test has, by their numbers in it, x first, in ascending
    // order; NULL: all. What the others do is taken into account as memory-model section 13
    // says.
    const unsigned *modelled;
    size_t modelled_count;
    bool chooses; // `threads auto`: they are chosen where not all can be looked at
    struct environment_register environment[ENVIRONMENT_REGISTERS]; // by their numbers
};

// Returns how many threads each block has.
static inline unsigned launch_block_size(const struct launch *launch) {
    return launch->block[0] * launch->block[1] * launch->block[2];
}

// Returns the number of a thread in its block.
static inline unsigned launch_number(const struct launch *launch, const unsigned tid[3]) {
    return tid[0] + launch->block[0] * (tid[1] + launch->block[1] * tid[2]);
}

// Sets where in its block the thread of a number is.
static inline void launch_find_tid(const struct launch *launch, unsigned number, unsigned tid[3]) {
    tid[0] = number % launch->block[0];
    tid[1] = number / launch->block[0] % launch->block[1];
    tid[2] = number / launch->block[0] / launch->block[1];
}

// Whether the test has the thread of a number of each block.
static inline bool launch_models(const struct launch *launch, unsigned number) {
    for (size_t i = 0; i < launch->modelled_count; i++)
        if (launch->modelled[i] == number)
            return true;
    return launch->modelled == NULL;
}

// Whether two threads are in one CTA. A host thread shares its CTA, cluster and GPU with
// no other thread.
bool test_same_cta(const struct place *a, const struct place *b);

// Whether two threads are in one cluster.
bool test_same_cluster(const struct place *a, const struct place *b);

// Whether two threads are on one GPU.
bool test_same_gpu(const struct place *a, const struct place *b);

// Whether the scope of an instruction at `a` contains a thread at `b`; SCOPE_NONE contains none.
bool test_scope_contains(enum scope scope, const struct place *a, const struct place *b);

#endif
