// What tensormaps may say of their tensors besides where these are: shapes.
#ifndef PTXLITMUS_PROGRAM_THREAD_SHAPES_H
#define PTXLITMUS_PROGRAM_THREAD_SHAPES_H

#include "program/builder.h"
#include "program/thread/threads.h"

enum {
    SHAPES_MAX = 48,        // of a test
    SHAPES_OF_COPY_MAX = 8, // that one tensor copy may find
    MAP_TYPES = 11 // the first ones of table 33 of PTX ISA 9.7.9.28, which a test can declare
};

// A shape. The type of its elements is a number of table 33 of PTX ISA 9.7.9.28, or -1.
struct map_shape {
    struct tensor tensor;
    int64_t type;
};

// Shapes, as bits; the places of a set are those of its bits, the lowest one first.
typedef uint64_t shape_set;

// A tensormap that an operand names or whose address it has. The object is -1 where it is a part of
// a parameter of the kernel, which no thread changes.
struct map_place {
    const struct variable *variable;
    int object;
};

// Returns how many shapes a set has.
unsigned shapes_count(shape_set set);

// Returns the shape at a place of a set. It is the table's, and stays as it is.
const struct map_shape *shapes_get(const struct thread_builder *thread, shape_set set,
                                   unsigned place);

// Returns the set of this shape alone, which is added to the table if it is new; after an error
// about `span`, that there are too many, the empty set.
shape_set shapes_of(struct thread_builder *thread, const struct map_shape *shape, struct span span);

// Returns the shapes that a map may have at any time, in the memory of the thread.
shape_set shapes_ever(struct thread_builder *thread, const struct map_place *map);

// Returns the shapes that a generic read of the map by the thread may find here.
shape_set shapes_here(struct thread_builder *thread, const struct map_place *map);

// Notes that the thread writes to a map here, which then has one of these shapes.
void shapes_write(struct thread_builder *thread, const struct map_place *map, shape_set set);

// Returns the address of the tensor (64 bits) in what was read of a map.
const struct expr *shapes_address(const struct thread_builder *thread, const struct map_place *map,
                                  const struct expr *held);

// Returns whether what was read of a map says that it has the shape at a place of a set, which is
// all that it may have (one bit).
const struct expr *shapes_is(const struct thread_builder *thread, const struct map_place *map,
                             const struct expr *held, shape_set set, unsigned place);

// Returns the type that .elemtype means by a number; TYPE_NONE where no test has it.
enum scalar_type shapes_type(uint64_t number);

// Returns what a condition of the test sees of the first eight bytes of a map: an address.
const struct expr *shapes_shown(const struct builder *builder, int variable,
                                const struct expr *held);

// Returns the number that says above the address of its tensor which shape a map at first has: 0
// where its shape never changes.
uint64_t shapes_initial(const struct builder *builder, int variable);

// Returns what stands for a shape above an address (64 bits), in a map: 0 where its shape never
// changes.
const struct expr *shapes_number(const struct thread_builder *thread, const struct map_place *map,
                                 shape_set shape);

// Returns an empty table, in an arena, which may be that of a longer time than one run of threads.
// `may_change`: some thread of the test changes more of a map than its address.
struct map_shapes *shapes_new(struct arena *arena, const struct test *test, bool may_change);

// Returns that.
bool shapes_may_change(const struct thread_builder *thread);

// Returns whether a run of threads has found something new; the next run starts from there.
bool shapes_end_run(struct map_shapes *shapes);

// Returns the tensors of all shapes, in the order of their numbers, in the arena of the table.
const struct tensor **shapes_tensors(const struct map_shapes *shapes);

// --- map_shapes.c ------------------------------------------------------------------------------

// Finds the shapes of all maps of a test in which threads change maps, by running its threads until
// there is no new one. Returns NULL for other tests. The result is in the arena of the setup.
struct map_shapes *shapes_find(const struct build_plan *plan, struct arena *arena);

#endif
