// Grids that come after each other. The end of a grid synchronises with the start of the next one
// in its stream (PTX ISA 8.9.4, API synchronization), and with a griddepcontrol.wait of one that
// depends on it (9.7.13.13): also what its asynchronous operations do that no thread waits for.
#include "launch/grid.h"
#include "launch/mbarrier.h"
#include "launch/product.h"
#include "launch/tensor.h"

#include "litmus/source/arena.h"

struct launched_grid {
    const struct place *place; // of one of its threads
    size_t count, ended;       // threads
    struct clock *own;         // what the grid has done; NULL: it is not complete
    struct clock *all;         // that, and what is before it
};

static struct launched_grid *grid_of(const struct machine *machine, const struct lane *lane) {
    for (size_t i = 0; i < machine->grids.count; i++)
        if (machine->grids.items[i].place->grid == lane->thread->place.grid)
            return &machine->grids.items[i];
    return NULL;
}

// --- The end of a grid -------------------------------------------------------------------------

// Notes all that a thread and its asynchronous operations have done.
static void add_done(const struct machine *machine, const struct lane *lane, struct clock *own) {
    const struct actors *actors = &machine->actors;
    uint32_t index = (uint32_t)lane->index;
    clock_note(own, lane->at.actor, lane->at.time);
    if (actors->has_copies)
        clock_note(own, actors->copies + index, UINT32_MAX);
    if (actors->has_bulk) {
        clock_note(own, actors->bulk_reads + index, UINT32_MAX);
        clock_note(own, actors->bulk_writes + index, UINT32_MAX);
    }
    mbarriers_finish(machine, lane->block, own);
    product_finish(lane, own);
    tensor_finish(machine, lane, own);
}

static void complete(const struct machine *machine, struct launched_grid *grid) {
    const struct clock *like = machine->lanes[0].at.heard;
    grid->own = clock_new(like->actors, like->parts);
    grid->all = clock_new(like->actors, like->parts);
    for (size_t i = 0; i < machine->test->thread_count; i++) {
        const struct lane *lane = &machine->lanes[i];
        if (lane->thread->place.grid != grid->place->grid)
            continue;
        add_done(machine, lane, grid->own);
        clock_join(grid->all, lane->at.heard);
    }
    clock_join(grid->all, grid->own);
}

// --- What waits for it -------------------------------------------------------------------------

typedef bool waits_for_fn(const struct test *test, const struct place *later,
                          const struct place *earlier);

// Makes all that is before the ends of the grids for which a thread waits be before it. Returns
// false where one of them is not complete yet. The start of a grid crosses proxies, for what the
// other grid has done and what is before that; a griddepcontrol.wait does not (model/ptx-9.1.cat,
// `crossing`).
static bool hear_grids(const struct machine *machine, struct lane *lane, waits_for_fn *waits_for,
                       bool crosses) {
    for (size_t i = 0; i < machine->grids.count; i++)
        if (waits_for(machine->test, &lane->thread->place, machine->grids.items[i].place) &&
            machine->grids.items[i].own == NULL)
            return false;
    for (size_t i = 0; i < machine->grids.count; i++) {
        const struct launched_grid *grid = &machine->grids.items[i];
        if (!waits_for(machine->test, &lane->thread->place, grid->place))
            continue;
        moment_hear(&lane->at, grid->all);
        if (crosses)
            moment_take_over(&lane->at, grid->all);
    }
    return true;
}

void grid_end(struct machine *machine, const struct lane *ended) {
    struct launched_grid *grid = grid_of(machine, ended);
    if (grid == NULL || ++grid->ended < grid->count)
        return;
    complete(machine, grid);
    for (size_t i = 0; i < machine->test->thread_count; i++) {
        struct lane *lane = &machine->lanes[i];
        if (lane->state == LANE_BEFORE_GRID && hear_grids(machine, lane, test_grid_follows, true))
            lane->state = LANE_RUNS;
        else if (lane->state == LANE_AT_GRID &&
                 hear_grids(machine, lane, test_grid_waits_for, false))
            run_on(lane);
    }
}

bool run_grid(struct machine *machine, struct lane *lane, const struct instruction *instruction) {
    if (instruction->opcode == OP_GRID_LAUNCH) {
        // From PTX 9.2 on a release fence before it orders (`grid-launch`); without turns any fence
        // is noted where it is executed.
        machine->synchronises_otherwise |= machine->exploration != NULL;
        lane->pc++;
        return true;
    }
    lane->blocked = instruction;
    if (hear_grids(machine, lane, test_grid_waits_for, false))
        lane->pc++;
    else
        lane->state = LANE_AT_GRID;
    return true;
}

// --- Beginning and end -------------------------------------------------------------------------

void grids_start(struct machine *machine) {
    const struct test *test = machine->test;
    if (test->grid_order_count == 0)
        return;
    machine->grids.items = ARENA_ARRAY(machine->scratch, struct launched_grid, test->thread_count);
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct lane *lane = &machine->lanes[i];
        struct launched_grid *grid = grid_of(machine, lane);
        if (grid == NULL) {
            grid = &machine->grids.items[machine->grids.count++];
            grid->place = &lane->thread->place;
        }
        grid->count++;
    }
    for (size_t i = 0; i < test->thread_count; i++)
        if (!hear_grids(machine, &machine->lanes[i], test_grid_follows, true))
            machine->lanes[i].state = LANE_BEFORE_GRID;
}

void grids_free(struct machine *machine) {
    for (size_t i = 0; i < machine->grids.count; i++) {
        clock_drop(machine->grids.items[i].own);
        clock_drop(machine->grids.items[i].all);
    }
}
