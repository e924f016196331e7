// Tensormaps that a test does not give: finding what they have to be, from what mbarriers expect,
// what threads have stored, and where copies go.
#ifndef PTXLITMUS_LAUNCH_MAPS_H
#define PTXLITMUS_LAUNCH_MAPS_H

#include "launch/internal.h"

// Returns a finder that knows some maps; it lives in the arena.
struct map_finder *maps_new(struct arena *arena, const struct launch_maps *known);

// Whether a tensor copy is by a parameter that has no tensormap at the address of its operand.
// Sets which object and offset that is.
bool maps_is_lacking(struct machine *machine, const struct lane *lane,
                     const struct instruction *instruction, unsigned *object, uint64_t *offset);

// Finds the tile of such a copy: as many bytes as are known, none yet, of zeros outside of its
// tensor. Notes the copy, which reads or writes shared memory at a place. Returns false after
// giving up.
bool maps_tile(struct machine *machine, struct lane *lane, const struct instruction *instruction,
               struct arena *arena, struct step_tile *tile);

// Notes that the copy at hand, of which it is not known how many bytes it moves, completes on an
// mbarrier in the phase at hand.
void maps_deliver(struct machine *machine, const struct mbarrier *m);

// Finds how many bytes copies move, where the threads of a run wait for these.
void maps_conclude(struct machine *machine);

// Whether the last run has found no more than those before it.
bool maps_is_done(const struct map_finder *finder);

// Returns what has been found by all runs; the finder's arena owns it.
struct launch_maps maps_found(struct map_finder *finder);

// --- map_shape.c -------------------------------------------------------------------------------

// A copy by such a map.
struct map_copy {
    size_t map;
    bool loads;                  // from global memory
    unsigned object;             // in shared memory,
    uint64_t offset;             // and where in it
    int64_t at[TENSOR_RANK_MAX]; // its coordinates
    uint64_t stored; // of a copy to global memory: how many bytes from there on threads have stored
};

// Finds the tensor of map number `index`, where it is known how many bytes its copies move: its
// tiles have as many, those at other coordinates do not overlap, and all are inside. Where no copy
// by it writes to global memory, tiles may overlap if they have to. Sets `map->tensor` and
// `map->is_found`.
void map_shape(struct launch_map *map, const struct map_copy *copies, size_t count, size_t index);

#endif
