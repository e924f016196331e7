// Clusters of blocks, and their barriers (PTX ISA 9.7.13.3).
#include "launch/mbarrier.h"
#include "launch/cluster.h"
#include "launch/warp.h"

#include "litmus/source/arena.h"
#include "program/thread/compute.h"

// --- Barriers ----------------------------------------------------------------------------------

// Lets a thread go on whose phase is complete.
static void pass(struct lane *lane, struct cluster *cluster) {
    if (cluster->completed != NULL)
        moment_hear(&lane->at, cluster->completed);
    lane->cluster_waited = lane->cluster_arrived;
    lane->cluster_arrived = 0;
    run_on(lane);
}

static void complete(struct cluster *cluster) {
    clock_drop(cluster->completed);
    cluster->completed = cluster->heard;
    cluster->heard = NULL;
    cluster->arrived = cluster->gone = 0;
    cluster->phase++;
    for (unsigned i = 0; i < cluster->count; i++)
        if (cluster->lanes[i]->state == LANE_AT_CLUSTER)
            pass(cluster->lanes[i], cluster);
}

// Threads that have ended without having arrived do not hold up the others.
static void complete_if_all(struct cluster *cluster) {
    if (cluster->arrived > 0 && cluster->arrived >= cluster->count - cluster->ended + cluster->gone)
        complete(cluster);
}

// Whether a thread of the warp has arrived in the phase by another instruction, and one of the two
// is for all threads of the warp: "all threads in the warp must execute the same barrier.cluster
// instruction" (PTX ISA 9.7.13.3).
static bool comes_apart(const struct lane *lane, const struct instruction *instruction) {
    struct lane_range range = warp_range(lane);
    for (unsigned i = range.begin; i < range.end && lane->thread->launch != NULL; i++) {
        const struct lane *other = lane->block->lanes[i];
        if (other->cluster_by != NULL &&
            other->cluster_arrived == lane->block->cluster->phase + 1 &&
            (instruction->is_aligned || other->cluster_by->is_aligned) &&
            other->cluster_by->span.begin != instruction->span.begin)
            return true;
    }
    return false;
}

// An arrival is in the same phase in every execution: its thread has waited for the one before.
static bool arrive(struct machine *machine, struct lane *lane,
                   const struct instruction *instruction) {
    struct cluster *cluster = lane->block->cluster;
    if (lane->cluster_arrived == cluster->phase + 1)
        return run_misuse(machine, lane, instruction, "barrier-misuse",
                          "it arrives twice in one phase of the barrier of its cluster");
    if (lane->cluster_arrived != 0)
        return run_give_up(machine, instruction,
                           "a thread arrives twice at the barrier of its cluster");
    if (comes_apart(lane, instruction))
        return run_misuse(machine, lane, instruction, "barrier-misuse",
                          "threads of its warp come to the barrier by another instruction, and it "
                          "is aligned");
    bool is_relaxed = instruction->order == ORDER_RELAXED;
    bool is_of_one = cluster->count == lane->block->count;
    bool is_narrow = !is_of_one && lane->order.fences[SCOPE_CTA].clock != NULL;
    struct clock *clock = is_relaxed ? order_fenced(lane, is_of_one ? SCOPE_CTA : SCOPE_CLUSTER)
                                     : moment_publish(&lane->at);
    if (is_relaxed && (machine->exploration == NULL || is_narrow))
        machine->synchronises_otherwise = true; // a fence may release, or do so for its own block
    if (clock != NULL && cluster->heard != NULL)
        clock_join(clock, cluster->heard);
    if (clock != NULL) {
        clock_drop(cluster->heard);
        cluster->heard = clock;
    }
    mbarriers_announce(machine, lane, cluster->phase);
    lane->cluster_arrived = cluster->phase + 1;
    lane->cluster_by = instruction;
    cluster->arrived++;
    lane->pc++;
    complete_if_all(cluster);
    return true;
}

static bool wait(struct machine *machine, struct lane *lane,
                 const struct instruction *instruction) {
    struct cluster *cluster = lane->block->cluster;
    if (lane->cluster_arrived == 0)
        return run_give_up(machine, instruction,
                           "a thread waits at the barrier of its cluster, and has not arrived");
    lane->blocked = instruction;
    if (cluster->phase >= lane->cluster_arrived)
        pass(lane, cluster);
    else
        lane->state = LANE_AT_CLUSTER;
    return true;
}

bool cluster_barrier(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction) {
    lane->block->changes++;
    return instruction->barrier == BARRIER_CLUSTER_ARRIVE ? arrive(machine, lane, instruction)
                                                          : wait(machine, lane, instruction);
}

void cluster_end(struct lane *lane) {
    struct cluster *cluster = lane->block->cluster;
    cluster->ended++;
    cluster->gone += lane->cluster_arrived == cluster->phase + 1;
    complete_if_all(cluster);
}

// --- Beginning and end -------------------------------------------------------------------------

static bool is_with(const struct machine *machine, const struct lane *lane,
                    const struct cluster *cluster) {
    const struct place *place = &machine->test->threads[lane->index].place;
    return test_same_cluster(place, &machine->test->threads[cluster->lanes[0]->index].place);
}

// The cluster of a thread: an earlier block's, or one of its own.
static struct cluster *cluster_of(struct machine *machine, const struct lane *lane) {
    for (size_t i = 0; i < machine->cluster_count; i++)
        if (is_with(machine, lane, &machine->clusters[i]))
            return &machine->clusters[i];
    return &machine->clusters[machine->cluster_count++];
}

void clusters_start(struct machine *machine) {
    machine->clusters = ARENA_ARRAY(machine->scratch, struct cluster, machine->block_count + 1);
    for (size_t b = 0; b < machine->block_count; b++) {
        struct block *block = &machine->blocks[b];
        block->cluster = cluster_of(machine, block->lanes[0]);
        if (block->cluster->lanes == NULL)
            block->cluster->lanes =
                ARENA_ARRAY(machine->scratch, struct lane *, machine->test->thread_count);
        for (unsigned k = 0; k < block->count; k++)
            block->cluster->lanes[block->cluster->count++] = block->lanes[k];
    }
}

struct block *block_of_rank(const struct machine *machine, const struct lane *lane, unsigned rank) {
    unsigned found;
    for (size_t b = 0; b < machine->block_count; b++) {
        const struct lane *first = machine->blocks[b].lanes[0];
        if (machine->blocks[b].cluster == lane->block->cluster &&
            program_cluster_rank(machine->test, &first->thread->place, &found) && found == rank)
            return &machine->blocks[b];
    }
    return NULL;
}

unsigned block_rank(const struct machine *machine, const struct block *block) {
    unsigned rank;
    return program_cluster_rank(machine->test, &block->lanes[0]->thread->place, &rank) ? rank : 0;
}

struct block *block_peer(const struct machine *machine, const struct lane *lane) {
    unsigned rank;
    return program_cluster_rank(machine->test, &lane->thread->place, &rank)
               ? block_of_rank(machine, lane, rank ^ 1)
               : NULL;
}

void clusters_free(struct machine *machine) {
    for (size_t i = 0; i < machine->cluster_count; i++) {
        clock_drop(machine->clusters[i].heard);
        clock_drop(machine->clusters[i].completed);
    }
}
