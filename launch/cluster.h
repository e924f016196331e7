// Blocks of a cluster: their barrier, their ranks, and the shared memory that they access in each
// other.
#ifndef PTXLITMUS_LAUNCH_CLUSTER_H
#define PTXLITMUS_LAUNCH_CLUSTER_H

#include "launch/internal.h"

// Runs an arrival or a wait at the barrier of a cluster.
bool cluster_barrier(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction);

// Lets those go on that waited at the barrier of a cluster for a thread which has ended.
void cluster_end(struct lane *lane);

// Notes that an operation beside the threads of a block, or a thread of another block, accesses its
// shared memory.
void block_visit(struct machine *machine, struct block *block, uint32_t actor,
                 const struct shared_visit *visit);

// Ends the run where a block has exited, and none of its threads knows of some such access that it
// has taken place. When all its threads have ended.
void block_leave(struct machine *machine, const struct block *block);

// Finds the clusters of blocks.
void clusters_start(struct machine *machine);

// Frees what clusters have.
void clusters_free(struct machine *machine);

// The block whose shared memory an object is; NULL for other memory.
struct block *block_of_object(const struct machine *machine, unsigned object);

// The object that is in a block what an object is in another one.
unsigned object_of_block(const struct machine *machine, unsigned object, const struct block *block);

// The block of a rank in the cluster of a thread (%cluster_ctarank); NULL: there is none.
struct block *block_of_rank(const struct machine *machine, const struct lane *lane, unsigned rank);

// The rank of a block in its cluster; 0 where it is in none.
unsigned block_rank(const struct machine *machine, const struct block *block);

// The block that forms a pair with that of a thread: their ranks differ in the last bit alone (PTX
// ISA 9.7.16.5.1). NULL: there is none.
struct block *block_peer(const struct machine *machine, const struct lane *lane);

#endif
