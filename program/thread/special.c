// Special registers: their values, from the placement of the test's threads.
//
// The CTAs of one GPU are one grid, in one dimension, unless the test says that they are several.
// Clocks and their like are open: each read of one returns an unknown value, unless it is assumed
// that no wait gives up by a clock (memory-model section 11). What the test does not say is not
// invented: if the numbers of CTAs and clusters leave a value open, reading it is an
// error.

#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include <assert.h>

enum { WARP_SIZE = 32 };

// What the placement says about the grid of a thread.
struct grid {
    const struct test *test;
    const struct place *place; // of the thread
    unsigned threads;          // of its CTA
    bool same_threads;         // and of every other CTA
    unsigned ctas, clusters;
    unsigned highest_cta, highest_cluster;
    bool cta_repeats;                   // two CTAs have one number, in different clusters
    bool mixes_clusters;                // some CTAs are in clusters, some are not
    unsigned cluster_ctas;              // of the thread's cluster
    unsigned lowest_rank, highest_rank; // numbers of its CTAs
};

static bool same_grid(const struct place *a, const struct place *b) {
    return test_same_gpu(a, b) && a->grid == b->grid;
}

// Whether a thread is the first one of its CTA (or cluster), in the test's order.
static bool is_first(const struct test *test, size_t thread,
                     bool (*same)(const struct place *, const struct place *)) {
    for (size_t i = 0; i < thread; i++)
        if (same(&test->threads[i].place, &test->threads[thread].place))
            return false;
    return true;
}

static unsigned threads_of_cta(const struct test *test, const struct place *place) {
    unsigned count = 0;
    for (size_t i = 0; i < test->thread_count; i++)
        count += test_same_cta(&test->threads[i].place, place);
    return count;
}

static void add_cta(struct grid *grid, size_t thread) {
    const struct place *place = &grid->test->threads[thread].place;
    for (size_t i = 0; i < thread; i++) {
        const struct place *other = &grid->test->threads[i].place;
        if (!other->host && same_grid(other, place) && other->cta == place->cta &&
            !test_same_cta(other, place))
            grid->cta_repeats = true;
    }
    if (threads_of_cta(grid->test, place) != grid->threads)
        grid->same_threads = false;
    if (place->has_cluster != grid->place->has_cluster)
        grid->mixes_clusters = true;
    if (place->cta > grid->highest_cta)
        grid->highest_cta = place->cta;
    grid->ctas++;
    if (!test_same_cluster(place, grid->place))
        return;
    grid->cluster_ctas++;
    grid->lowest_rank = place->cta < grid->lowest_rank ? place->cta : grid->lowest_rank;
    grid->highest_rank = place->cta > grid->highest_rank ? place->cta : grid->highest_rank;
}

static struct grid grid_of(const struct test *test, const struct place *place) {
    struct grid grid = {.test = test,
                        .place = place,
                        .threads = threads_of_cta(test, place),
                        .same_threads = true,
                        .lowest_rank = place->cta,
                        .highest_rank = place->cta};
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct place *other = &test->threads[i].place;
        if (other->host || !same_grid(other, place))
            continue;
        if (is_first(test, i, test_same_cta))
            add_cta(&grid, i);
        if (is_first(test, i, test_same_cluster)) {
            grid.clusters++;
            if (other->has_cluster && other->cluster > grid.highest_cluster)
                grid.highest_cluster = other->cluster;
        }
    }
    return grid;
}

// The CTAs of a cluster are ranked by their numbers: those run from 0 on in each cluster, or go on
// from one cluster to the next.
static bool has_ranks(const struct grid *grid) {
    unsigned count = grid->cluster_ctas, first = grid->lowest_rank;
    bool follow = grid->highest_rank - first + 1 == count;
    return !grid->place->has_cluster ||
           (follow && (first == 0 || first == (uint64_t)grid->place->cluster * count));
}

// --- Values ------------------------------------------------------------------------------------

// Why component x of a special register has no value in a grid; NULL when it has one.
static const char *why_open(const struct grid *grid, enum special_register special) {
    uint64_t clusters = grid->place->has_cluster ? grid->highest_cluster : grid->highest_cta;
    switch (special) {
    case SPECIAL_NTID:
    case SPECIAL_NWARPID:
        return grid->same_threads ? NULL : "the CTAs of this GPU have different numbers of threads";
    case SPECIAL_CTAID:
        return !grid->cta_repeats
                   ? NULL
                   : "two CTAs of this GPU have the same number, in different clusters";
    case SPECIAL_NCTAID:
        return !grid->cta_repeats && grid->highest_cta + 1 == grid->ctas
                   ? NULL
                   : "the CTAs of this GPU are not numbered from 0 on";
    case SPECIAL_CLUSTERID:
        return !grid->mixes_clusters ? NULL
                                     : "some CTAs of this GPU are in a cluster, and others are not";
    case SPECIAL_NCLUSTERID:
        return !grid->mixes_clusters && clusters + 1 == grid->clusters
                   ? NULL
                   : "the clusters of this GPU are not numbered from 0 on";
    case SPECIAL_CLUSTER_CTAID:
    case SPECIAL_CLUSTER_CTARANK:
    case SPECIAL_CLUSTER_NCTAID:
    case SPECIAL_CLUSTER_NCTARANK:
        return has_ranks(grid)
                   ? NULL
                   : "the numbers of the CTAs in this cluster do not say what their ranks are";
    default: return NULL;
    }
}

// What a special register is that follows from the number of a thread in its CTA, and from how many
// threads that has.
static uint64_t value_in_cta(enum special_register special, unsigned number, unsigned threads) {
    unsigned lane = number % WARP_SIZE;
    switch (special) {
    case SPECIAL_LANEID: return lane;
    case SPECIAL_WARPID: return number / WARP_SIZE;
    case SPECIAL_NWARPID: return (threads + WARP_SIZE - 1) / WARP_SIZE;
    case SPECIAL_LANEMASK_EQ: return UINT32_C(1) << lane;
    case SPECIAL_LANEMASK_LT: return (UINT32_C(1) << lane) - 1;
    case SPECIAL_LANEMASK_LE: return (UINT32_C(2) << lane) - 1;
    case SPECIAL_LANEMASK_GE: return UINT32_MAX << lane;
    case SPECIAL_LANEMASK_GT: return ~((UINT32_C(2) << lane) - 1);
    default: bug("special register %d", (int)special);
    }
}

// The value of component x in the thread of a CTA with this number, where it has one.
static uint64_t first_component(const struct grid *grid, enum special_register special,
                                unsigned number) {
    const struct place *place = grid->place;
    switch (special) {
    case SPECIAL_TID: return number;
    case SPECIAL_NTID: return grid->threads;
    case SPECIAL_CTAID: return place->cta;
    case SPECIAL_NCTAID: return grid->ctas;
    case SPECIAL_CLUSTERID: return place->has_cluster ? place->cluster : place->cta;
    case SPECIAL_NCLUSTERID: return grid->clusters;
    case SPECIAL_CLUSTER_CTAID:
    case SPECIAL_CLUSTER_CTARANK: return place->cta - grid->lowest_rank;
    case SPECIAL_CLUSTER_NCTAID:
    case SPECIAL_CLUSTER_NCTARANK: return grid->cluster_ctas;
    case SPECIAL_IS_EXPLICIT_CLUSTER: return place->has_cluster;
    default: return value_in_cta(special, number, grid->threads);
    }
}

// Extents are 1 in the dimensions that the test does not have, and positions 0; .w is always 0.
static uint64_t other_component(enum special_register special, unsigned member) {
    bool is_extent = special == SPECIAL_NTID || special == SPECIAL_NCTAID ||
                     special == SPECIAL_NCLUSTERID || special == SPECIAL_CLUSTER_NCTAID;
    return is_extent && member < 3;
}

// The same for a thread of a launch.
static uint64_t launch_component(const struct thread *thread, enum special_register special,
                                 unsigned member) {
    const struct launch *launch = thread->launch;
    unsigned number = launch_number(launch, thread->tid), rank[3];
    if (member > 2)
        return 0;
    for (unsigned i = 0; i < 3; i++)
        rank[i] = thread->cta[i] % launch->cluster[i];
    switch (special) {
    case SPECIAL_TID: return thread->tid[member];
    case SPECIAL_NTID: return launch->block[member];
    case SPECIAL_CTAID: return thread->cta[member];
    case SPECIAL_NCTAID: return launch->grid[member];
    case SPECIAL_CLUSTERID: return thread->cta[member] / launch->cluster[member];
    case SPECIAL_NCLUSTERID: return launch->grid[member] / launch->cluster[member];
    case SPECIAL_CLUSTER_CTAID: return rank[member];
    case SPECIAL_CLUSTER_NCTAID: return launch->cluster[member];
    case SPECIAL_CLUSTER_CTARANK:
        return rank[0] + launch->cluster[0] * (rank[1] + launch->cluster[1] * rank[2]);
    case SPECIAL_CLUSTER_NCTARANK:
        return launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
    case SPECIAL_IS_EXPLICIT_CLUSTER: return launch->has_clusters;
    default: return value_in_cta(special, number, launch_block_size(launch));
    }
}

bool program_cluster_rank(const struct test *test, const struct place *place, unsigned *rank) {
    struct grid grid = grid_of(test, place);
    *rank = place->cta - grid.lowest_rank;
    return has_ranks(&grid);
}

bool program_are_peers(const struct test *test, int a, int b) {
    unsigned first, second;
    return test_same_cluster(&test->threads[a].place, &test->threads[b].place) &&
           program_cluster_rank(test, &test->threads[a].place, &first) &&
           program_cluster_rank(test, &test->threads[b].place, &second) && (first ^ second) == 1;
}

// What a launch says that an %envreg holds, in 32 bits; any value where it says nothing.
static struct value environment_value(const struct thread_builder *thread, unsigned number) {
    struct builder *builder = thread->builder;
    const struct launch *launch = thread->thread->launch;
    if (launch == NULL || !launch->environment[number].is_known)
        return program_value_unknown(builder, 32);
    const struct environment_register *known = &launch->environment[number];
    uint64_t bits = cells_initial_number(builder, known->variable);
    bits = known->is_high ? bits >> 32 : bits & UINT32_MAX;
    return program_value_const(builder, 32, (struct bits128){.low = bits});
}

// A clock may show any time; where no wait gives up, always the same one.
static struct value clock_value(struct thread_builder *thread, unsigned width) {
    if (!thread->clocks_stopped || thread->lets_time_pass) {
        struct value time = program_value_unknown(thread->builder, width);
        thread->clock = time.bits;
        return time;
    }
    thread->builder->program->clocks_stopped = true;
    return program_value_const(thread->builder, width, (struct bits128){0});
}

struct value program_special(struct thread_builder *thread, const struct operand *operand,
                             unsigned width) {
    assert(width > 0);
    struct builder *builder = thread->builder;
    const struct place *place = &thread->thread->place;
    const char *why = place->host ? "a thread of the host has no special registers" : NULL;
    uint64_t value = 0;
    if (!why && operand->special == SPECIAL_OPEN)
        return program_value_unknown(builder, width);
    if (!why && operand->special == SPECIAL_CLOCK)
        return clock_value(thread, width);
    if (!why && operand->special == SPECIAL_ENVREG)
        return environment_value(thread, operand->member);
    if (thread->thread->launch) {
        value = launch_component(thread->thread, operand->special, operand->member);
    } else if (!why && operand->member > 0) {
        value = other_component(operand->special, operand->member);
    } else if (!why) {
        struct grid grid = grid_of(builder->test, place);
        why = why_open(&grid, operand->special);
        value = first_component(&grid, operand->special, builder->cta_number[thread->index]);
    }
    if (why) {
        diag_error(builder->diagnostics, operand->span, "this special register has no value: %s",
                   why);
        if (!place->host)
            diag_hint(
                builder->diagnostics,
                "write its value out, or number the CTAs of the placement so that it follows");
    }
    return program_value_const(builder, operand->special == SPECIAL_IS_EXPLICIT_CLUSTER ? 1 : 32,
                               (struct bits128){.low = value});
}
