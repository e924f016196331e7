// Tensormaps that threads change (PTX ISA 9.7.9.28, 9.7.13.16), and the order that fences of their
// proxy make.
#ifndef PTXLITMUS_LAUNCH_TENSORMAP_H
#define PTXLITMUS_LAUNCH_TENSORMAP_H

#include "launch/internal.h"

struct changed_map;

// Finds the tensormaps that a test declares, where its threads change some.
void tensormaps_start(struct machine *machine);

// Runs a tensormap.replace, or a tensormap.cp_fenceproxy.
bool run_tensormap(struct machine *machine, struct lane *lane,
                   const struct instruction *instruction);

// Runs a fence of the tensormap proxy.
bool run_tensormap_fence(struct machine *machine, struct lane *lane,
                         const struct instruction *instruction);

// Finds the place of the tensormap by which a tensor copy is. Returns false where that is not
// known.
bool tensormap_address(struct machine *machine, const struct lane *lane,
                       const struct instruction *instruction, unsigned *object, uint64_t *offset);

// Finds the coordinates of a tensor copy, at most TENSOR_RANK_MAX; returns false after giving up.
bool tensormap_coordinates(struct machine *machine, struct lane *lane,
                           const struct instruction *instruction, int64_t *begin);

// Finds the tile of a tensor copy that is by a tensormap which threads may change, and checks that
// it finds all that was changed: its rows live in the arena. Returns the map; NULL where it is
// another one, or after giving up.
struct changed_map *tensormap_tile(struct machine *machine, struct lane *lane,
                                   const struct instruction *instruction, struct arena *arena,
                                   struct step_tile *tile);

// Notes that a copy reads a map, and has done so when it has read or written all else. `map` may be
// NULL: nothing is noted.
void tensormap_note_read(struct machine *machine, struct changed_map *map,
                         const struct shadow_access *read);

// Whether some bytes are those of such a map.
bool tensormap_is_at(const struct machine *machine, unsigned object, uint64_t offset,
                     unsigned size);

// Whether they are opaque: no thread has stored anything else in all of them since.
bool tensormap_is_opaque(const struct machine *machine, unsigned object, uint64_t offset,
                         unsigned size);

// Notes that memory is written which may be that of such a map.
void tensormap_overwrite(struct machine *machine, const struct shadow_access *touch,
                         unsigned object);

// Whether two accesses are those of lanes of a warp that execute one tensormap.cp_fenceproxy, which
// copies once.
bool tensormap_is_one_copy(const struct machine *machine, const struct shadow_access *a,
                           const struct shadow_access *b);

// Gives up where not all threads of a warp have come to a tensormap.cp_fenceproxy.
void tensormaps_end(struct machine *machine);

// --- map_fields.c ------------------------------------------------------------------------------

// The 128 bytes of a tensormap are opaque (PTX ISA 5.5.8): while a launch runs, their form is the
// run's own, and no thread sees it.

// A tensormap as a copy finds it.
struct found_map {
    uint64_t address; // generic, of the tensor
    struct tensor tensor;
    bool is_swizzled;
};

// Returns where a field is that an instruction replaces, and of how many bytes it is. `ordinal`:
// which dimension, of a field that has several.
unsigned map_field_at(enum map_field field, unsigned ordinal, unsigned *size);

// Writes what a declared map says of its tensor, which is at an address.
void map_fields_write(struct shadow *shadow, unsigned object, uint64_t offset,
                      const struct tensor *tensor, uint64_t address);

// Reads a map. Returns NULL, or why it is not known what it says, or not a map of the GPU's, a
// sentence without a full stop.
const char *map_fields_read(struct shadow *shadow, unsigned object, uint64_t offset,
                            struct found_map *map);

#endif
