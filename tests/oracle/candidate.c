// The chosen paths as an execution: events, cells, sources, dependencies.
#include "tests/oracle/explore_internal.h"

#include <string.h>

// --- Events --------------------------------------------------------------------------------------

// CTAs nest in clusters, clusters in GPUs.
static enum scope smallest_common_scope(const struct place *a, const struct place *b) {
    if (test_same_cta(a, b))
        return SCOPE_CTA;
    if (test_same_cluster(a, b))
        return SCOPE_CLUSTER;
    return test_same_gpu(a, b) ? SCOPE_GPU : SCOPE_SYS;
}

static enum state_space object_space(const struct explorer *explorer, int object) {
    const struct variable *variable =
        &explorer->test->variables[explorer->memory.objects[object].variable];
    return variable->is_parameter ? SPACE_LOCAL : variable->space;
}

// In the other reading of where asynchronous work takes place, the writes of an operation, the
// fence for them and its completion are where the destination is: returns 1 + a thread there, else
// 0.
static int moved_to(const struct explorer *explorer, const struct path *path,
                    const struct step *step) {
    bool moves =
        step->stage == STAGE_WRITES || step->stage == STAGE_FENCE || step->stage == STAGE_COMPLETES;
    for (unsigned i = 0; moves && explorer->options->version->async_destination && i < path->count;
         i++) {
        const struct step *write = &path->steps[i];
        if (write->operation == step->operation && write->stage == STAGE_WRITES &&
            write->target == step->target &&
            object_space(explorer, write->spot.object) == SPACE_SHARED)
            return explorer->memory.objects[write->spot.object].thread + 1;
    }
    return 0;
}

// In the other reading all completions release.
static enum access_order order_of(const struct explorer *explorer, const struct step *step) {
    bool releases = step->stage == STAGE_COMPLETES && explorer->options->version->st_async_releases;
    return releases ? ORDER_RELEASE : step->order;
}

// Which virtual address an access is at: in the other reading of multimem addresses, through one of
// them, that of the variable.
static unsigned range_of(const struct explorer *explorer, const struct step *step) {
    const struct variable *variable = &explorer->test->variables[step->spot.range];
    if (variable->is_multimem && explorer->options->version->multimem_variables)
        return (unsigned)variable->alias_of;
    return (unsigned)step->spot.range;
}

static bool allocates(const struct test *test) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            if (test->threads[t].instructions[i].opcode == OP_TENSOR_ALLOC)
                return true;
    return false;
}

static void fill_event(struct explorer *explorer, unsigned event, int thread, unsigned first) {
    const struct step *step = explorer->steps[event];
    bool accesses = step->action == ACTION_READ || step->action == ACTION_WRITE;
    struct occurrence occurrence = {
        .action = step->action,
        .thread = thread,
        .moved = moved_to(explorer, &explorer->chosen[thread]->path, step),
        .position = step->position,
        .order = order_of(explorer, step),
        .scope = step->scope,
        .red = step->red,
        .proxy = step->proxy,
        .from_fabric = step->action == ACTION_PROXY_FENCE && step->at->fence.from_fabric,
        .to_fabric = step->action == ACTION_PROXY_FENCE && step->at->fence.to_fabric,
        .rmw = step->rmw >= 0 ? (int)first + step->rmw : -1,
        .restricted = step->action == ACTION_FENCE && step->at->fence.space != SPACE_GENERIC,
        .shared = accesses && object_space(explorer, step->spot.object) == SPACE_SHARED,
        .owner = accesses && (object_space(explorer, step->spot.object) == SPACE_SHARED ||
                              object_space(explorer, step->spot.object) == SPACE_TENSOR)
                     ? explorer->memory.objects[step->spot.object].thread + 1
                     : 0,
        .pair = step->at->of_pair && instruction_has_cta_group(step->at),
        .atomic = accesses && (step->at->opcode == OP_ATOM || step->at->opcode == OP_RED ||
                               step->at->opcode == OP_MULTIMEM_RED),
        .wide = accesses && step->size > 8 && !explorer->options->version->whole_accesses,
        .range = accesses ? range_of(explorer, step) : 0,
        .mbarrier = step->mbarrier,
        .mbarrier_phase = step->mbarrier_phase,
        .completed = step->completed,
        .undefined = step->undefined,
        .by_state = step->by_state,
        .token = step->token,
        .is_arrival = step->is_arrival,
        .product = step->action == ACTION_ISSUE && step->at->opcode == OP_WGMMA,
        .starts = step->at->opcode,
        .matrix_kind = step->at->tensor.kind,
        .matrix_shape = step->shape,
        .is_4x256b = step->at->tensor.is_4x256b,
        .tensor = accesses && object_space(explorer, step->spot.object) == SPACE_TENSOR,
        .allocation = step->allocation,
        .orders_init = step->action == ACTION_FENCE && step->at->fence.is_init,
        .operation = step->operation > 0 ? first + step->operation - 1 : 0,
        .stage = step->stage,
        .target = step->target,
    };
    if (value_is_answer(step->value) && !step->exchanges &&
        (!accesses || step->spot.offset % 16 == 0))
        occurrence.answer = step->value.bits & 1 ? ANSWER_CANCELLED : ANSWER_FAILED;
    occurrence.cancelled = step->value.bits >> 32;
    if (occurrence.tensor)
        occurrence.allocation = 1 + step->spot.object;
    if (occurrence.allocation > 0) {
        int object = occurrence.allocation - 1;
        unsigned rank = memory_rank_of_object(&explorer->memory, object) ^ 1U;
        occurrence.partner = 1 + memory_object_in_rank(&explorer->memory, object, rank);
    }
    if (step->at_peer)
        occurrence.moved = explorer->memory.objects[step->spot.object].thread + 1;
    explorer->x.event[event] = occurrence;
}

static void fill_together(struct explorer *explorer) {
    const struct thread *threads = explorer->test->threads;
    for (size_t a = 0; a < explorer->test->thread_count; a++)
        for (size_t b = 0; b < explorer->test->thread_count; b++)
            explorer->x.together[a][b] =
                a == b ? SCOPE_CTA : smallest_common_scope(&threads[a].place, &threads[b].place);
}

// What asynchronous operations do, and what is complete at which event.
static void fill_operations(struct explorer *explorer, size_t thread) {
    const struct path *path = &explorer->chosen[thread]->path;
    unsigned first = explorer->first_event[thread];
    for (unsigned i = 0; i < path->count; i++) {
        if (path->steps[i].operation > 0)
            rel_add(&explorer->x.issues, first + path->steps[i].operation - 1, first + i);
        for (uint64_t rest = path->steps[i].completes; rest; rest &= rest - 1)
            rel_add(&explorer->x.done, first + (unsigned)__builtin_ctzll(rest), first + i);
    }
}

// Whether a grid is complete when another one starts, by the orders of the test.
static bool is_complete_before(const struct test *test, unsigned grid, unsigned later) {
    for (size_t i = 0; i < test->grid_order_count; i++) {
        const struct grid_order *order = &test->grid_orders[i];
        if (order->grid == later && !order->is_programmatic &&
            (order->after == grid || is_complete_before(test, grid, order->after)))
            return true;
    }
    return false;
}

// Whether a grid is a prerequisite of another one, or complete when one is started.
static bool is_prerequisite(const struct test *test, unsigned grid, unsigned later) {
    for (size_t i = 0; i < test->grid_order_count; i++) {
        const struct grid_order *order = &test->grid_orders[i];
        if (order->grid == later && order->is_programmatic &&
            (order->after == grid || is_complete_before(test, grid, order->after)))
            return true;
    }
    return false;
}

// Whether another grid comes after the thread's, which is complete then.
static bool is_of_complete_grid(const struct test *test, size_t thread) {
    const struct place *place = &test->threads[thread].place;
    for (size_t i = 0; i < test->grid_order_count; i++)
        if (!place->host && test->grid_orders[i].after == place->grid)
            return true;
    return false;
}

// Section 17: the order of launches.
static void fill_launches(struct explorer *explorer) {
    const struct test *test = explorer->test;
    for (unsigned a = 1; a < explorer->x.n && test->grid_order_count > 0; a++)
        for (unsigned b = 1; b < explorer->x.n; b++) {
            const struct place *first = &test->threads[explorer->x.event[a].thread].place;
            const struct place *then = &test->threads[explorer->x.event[b].thread].place;
            if (first->host || then->host)
                continue;
            if (is_complete_before(test, first->grid, then->grid))
                rel_add(&explorer->x.launches, a, b);
            if (explorer->steps[b]->at->opcode == OP_GRID_WAIT &&
                is_prerequisite(test, first->grid, then->grid))
                rel_add(&explorer->x.grid_waits, a, b);
            if (explorer->x.event[a].action == ACTION_LAUNCH &&
                memory_depends_on(test, then->grid, first->grid))
                rel_add(&explorer->x.started, a, b);
        }
}

// The steps that each step of a thread depends on, as events.
static void fill_dependencies(struct explorer *explorer, size_t thread) {
    const struct candidate_path *path = explorer->chosen[thread];
    unsigned first = explorer->first_event[thread];
    for (unsigned i = 0; i < path->path.count; i++)
        for (uint64_t rest = path->depends[i]; rest; rest &= rest - 1)
            rel_add(&explorer->x.dependency, first + (unsigned)__builtin_ctzll(rest), first + i);
}

bool candidate_begin(struct explorer *explorer) {
    unsigned n = 1;
    for (size_t t = 0; t < explorer->test->thread_count; t++) {
        if (n + explorer->chosen[t]->path.count > EVENTS_MAX)
            return false;
        explorer->first_event[t] = n;
        for (unsigned i = 0; i < explorer->chosen[t]->path.count; i++)
            explorer->steps[n++] = &explorer->chosen[t]->path.steps[i];
    }
    memset(&explorer->x, 0, sizeof explorer->x);
    explorer->x.n = n;
    explorer->x.executed = n == 64 ? ~UINT64_C(0) : bit(n) - 1;
    explorer->x.dependency = rel_empty(n);
    explorer->x.barrier = explorer->x.meets = rel_empty(n);
    explorer->x.exit_dependency = rel_empty(n);
    explorer->x.issues = explorer->x.done = rel_empty(n);
    explorer->x.launches = explorer->x.grid_waits = explorer->x.started = rel_empty(n);
    explorer->steps[0] = NULL;
    explorer->x.event[0] =
        (struct occurrence){.action = ACTION_INIT, .thread = -1, .order = ORDER_WEAK, .rmw = -1};
    explorer->x.allocates = allocates(explorer->test);
    for (size_t t = 0; t < explorer->test->thread_count; t++) {
        unsigned first = explorer->first_event[t];
        explorer->x.broken |= explorer->chosen[t]->path.broken;
        if (explorer->chosen[t]->path.exits || is_of_complete_grid(explorer->test, t))
            explorer->x.exited |= bit((unsigned)t);
        for (unsigned i = 0; i < explorer->chosen[t]->path.count; i++)
            fill_event(explorer, first + i, (int)t, first);
        fill_dependencies(explorer, t);
        fill_operations(explorer, t);
    }
    fill_together(explorer);
    fill_launches(explorer);
    return true;
}

// --- Units ---------------------------------------------------------------------------------------

static bool covers(const struct step *step, int object, unsigned offset, unsigned end) {
    return step->action == ACTION_WRITE && step->spot.object == object &&
           step->spot.offset <= offset && step->spot.offset + step->size >= end;
}

static struct value part_of(const struct step *step, unsigned offset, unsigned end) {
    return value_slice(step->value, 8 * (offset - step->spot.offset), 8 * (end - offset));
}

static struct value initial_part(const struct explorer *explorer, int object, unsigned offset,
                                 unsigned end) {
    struct value value = {0, 0};
    for (unsigned i = offset; i < end; i++)
        value =
            value_join(value, 8 * (i - offset), memory_initial_byte(&explorer->memory, object, i));
    return value;
}

static bool add_unit(struct explorer *explorer, unsigned read, unsigned offset, unsigned end) {
    const struct step *step = explorer->steps[read];
    struct value value = part_of(step, offset, end);
    struct unit unit = {.read = read, .offset = offset, .end = end, .writers = bit(0)};
    if (value_equal(initial_part(explorer, step->spot.object, offset, end), value))
        unit.sources |= bit(0);
    for (unsigned w = 1; w < explorer->x.n; w++) {
        if (!covers(explorer->steps[w], step->spot.object, offset, end))
            continue;
        unit.writers |= bit(w);
        if (value_equal(part_of(explorer->steps[w], offset, end), value))
            unit.sources |= bit(w);
    }
    if (!unit.sources || explorer->unit_count == UNITS_MAX)
        return false;
    explorer->units[explorer->unit_count++] = unit;
    return true;
}

// Units with few sources come first.
static void sort_units(struct unit *units, unsigned count) {
    for (unsigned i = 1; i < count; i++) {
        struct unit unit = units[i];
        unsigned k = i;
        for (; k > 0 &&
               __builtin_popcountll(units[k - 1].sources) > __builtin_popcountll(unit.sources);
             k--)
            units[k] = units[k - 1];
        units[k] = unit;
    }
}

bool candidate_find_units(struct explorer *explorer) {
    explorer->unit_count = 0;
    explorer->unread = 0;
    for (unsigned e = 1; e < explorer->x.n; e++) {
        const struct step *step = explorer->steps[e];
        if (step->action != ACTION_READ)
            continue;
        unsigned first = explorer->unit_count, end = step->spot.offset + step->size, next;
        for (unsigned offset = step->spot.offset; offset < end; offset = next) {
            next = paths_unit_end_of(&explorer->paths, step, offset, end);
            if (!add_unit(explorer, e, offset, next))
                return false;
        }
        sort_units(explorer->units + first, explorer->unit_count - first);
        explorer->unread |= bit(e);
    }
    return true;
}

// --- Cells ---------------------------------------------------------------------------------------

static unsigned source_at(const struct explorer *explorer, unsigned read, unsigned offset) {
    for (unsigned i = 0; i < explorer->unit_count; i++)
        if (explorer->units[i].read == read && explorer->units[i].offset <= offset &&
            offset < explorer->units[i].end)
            return explorer->units[i].source;
    return 0;
}

static bool is_access(const struct step *step) {
    return step->action == ACTION_READ || step->action == ACTION_WRITE;
}

static bool is_touched_by(const struct step *step, int object, unsigned offset) {
    return is_access(step) && step->spot.object == object && step->spot.offset <= offset &&
           offset < step->spot.offset + step->size;
}

enum { CUTS_MAX = 2 * EVENTS_MAX + UNITS_MAX };

// Where something begins or ends in an object, in ascending order.
struct cuts {
    unsigned at[CUTS_MAX];
    unsigned count;
};

static void add_cut(struct cuts *cuts, unsigned at) {
    unsigned k = cuts->count;
    while (k > 0 && cuts->at[k - 1] > at)
        k--;
    if ((k > 0 && cuts->at[k - 1] == at) || cuts->count == CUTS_MAX)
        return;
    memmove(&cuts->at[k + 1], &cuts->at[k], (cuts->count - k) * sizeof cuts->at[0]);
    cuts->at[k] = at;
    cuts->count++;
}

static void add_extent(struct cuts *cuts, unsigned offset, unsigned size) {
    add_cut(cuts, offset);
    add_cut(cuts, offset + size);
}

// Accesses and shown locations cut an object into cells, and so does a read that takes neighbouring
// units from different writes.
static void find_cuts(const struct explorer *explorer, int object, struct cuts *cuts) {
    cuts->count = 0;
    for (unsigned e = 1; e < explorer->x.n; e++)
        if (is_access(explorer->steps[e]) && explorer->steps[e]->spot.object == object)
            add_extent(cuts, explorer->steps[e]->spot.offset, explorer->steps[e]->size);
    for (size_t i = 0; i < explorer->extent_count; i++)
        if (explorer->extents[i].object == object)
            add_extent(cuts, explorer->extents[i].offset, explorer->extents[i].size);
    for (unsigned i = 0; i < explorer->unit_count; i++) {
        const struct unit *unit = &explorer->units[i];
        const struct step *step = explorer->steps[unit->read];
        if (step->spot.object == object && unit->offset > step->spot.offset &&
            !(explorer->unread & bit(unit->read)) &&
            source_at(explorer, unit->read, unit->offset - 1) != unit->source)
            add_cut(cuts, unit->offset);
    }
}

static bool is_shown(const struct explorer *explorer, const struct extent *cell) {
    for (size_t i = 0; i < explorer->extent_count; i++)
        if (explorer->extents[i].object == cell->object &&
            explorer->extents[i].offset <= cell->offset &&
            cell->offset < explorer->extents[i].offset + explorer->extents[i].size)
            return true;
    return false;
}

static bool is_needed(const struct explorer *explorer, const struct extent *cell) {
    for (unsigned e = 1; e < explorer->x.n; e++)
        if (is_touched_by(explorer->steps[e], cell->object, cell->offset))
            return true;
    return is_shown(explorer, cell);
}

static bool find_cells(struct explorer *explorer) {
    struct cuts cuts;
    explorer->cell_count = 0;
    explorer->final_cells = 0;
    for (size_t object = 0; object < explorer->memory.count; object++) {
        find_cuts(explorer, (int)object, &cuts);
        for (unsigned i = 0; i + 1 < cuts.count; i++) {
            struct extent cell = {(int)object, cuts.at[i], cuts.at[i + 1] - cuts.at[i]};
            if (!is_needed(explorer, &cell))
                continue;
            if (explorer->cell_count == CELLS_MAX)
                return false;
            if (is_shown(explorer, &cell))
                explorer->final_cells |= bit(explorer->cell_count);
            explorer->cells[explorer->cell_count++] = cell;
        }
    }
    return true;
}

// --- What events are about -----------------------------------------------------------------------

// The cells in the state space that a proxy or restricted fence names: .shared::cta is the shared
// memory of its own CTA, .shared::cluster that of every CTA of the cluster. For a fence between
// proxies .shared::cluster is all shared memory that its thread can reach.
static bool is_in_named_space(const struct explorer *explorer, unsigned fence, int object) {
    enum state_space wanted = explorer->steps[fence]->at->fence.space;
    enum state_space space = object_space(explorer, object);
    if (wanted == SPACE_GENERIC)
        return true;
    if (wanted == SPACE_GLOBAL)
        return space == SPACE_GLOBAL;
    if (space != SPACE_SHARED)
        return false;
    int owner = explorer->memory.objects[object].thread;
    enum scope apart = explorer->x.together[explorer->x.event[fence].thread][owner];
    if (wanted == SPACE_SHARED)
        return apart == SCOPE_CTA;
    return apart <= SCOPE_CLUSTER || explorer->x.event[fence].action == ACTION_PROXY_FENCE;
}

static uint64_t cells_about(const struct explorer *explorer, unsigned fence) {
    const struct step *step = explorer->steps[fence];
    uint64_t cells = 0;
    for (unsigned k = 0; k < explorer->cell_count; k++) {
        const struct extent *cell = &explorer->cells[k];
        bool inside = is_in_named_space(explorer, fence, cell->object);
        if (step->has_spot)
            inside = cell->object == step->spot.object && cell->offset >= step->spot.offset &&
                     cell->offset + cell->size <= step->spot.offset + step->size;
        if (inside)
            cells |= bit(k);
    }
    return cells;
}

static uint64_t cells_touched(const struct explorer *explorer, unsigned event) {
    uint64_t cells = 0;
    for (unsigned k = 0; k < explorer->cell_count; k++)
        if (is_touched_by(explorer->steps[event], explorer->cells[k].object,
                          explorer->cells[k].offset))
            cells |= bit(k);
    return cells;
}

static void fill_sources(struct explorer *explorer, unsigned read) {
    unsigned k = 0;
    for (uint64_t cells = explorer->x.event[read].cells; cells; cells &= cells - 1, k++)
        explorer->x.source[read][k] =
            (uint8_t)source_at(explorer, read, explorer->cells[__builtin_ctzll(cells)].offset);
}

bool candidate_complete(struct explorer *explorer) {
    struct execution *x = &explorer->x;
    if (!find_cells(explorer))
        return false;
    x->executed = (x->n == 64 ? ~UINT64_C(0) : bit(x->n) - 1) & ~explorer->unread;
    x->event[0].cells = explorer->cell_count == 64 ? ~UINT64_C(0) : bit(explorer->cell_count) - 1;
    x->event[0].ready = 0;
    for (unsigned k = 0; k < explorer->cell_count; k++)
        if (explorer->test->variables[explorer->memory.objects[explorer->cells[k].object].variable]
                .is_mbarrier)
            x->event[0].ready |= bit(k);
    for (unsigned e = 1; e < x->n; e++) {
        struct occurrence *event = &x->event[e];
        if (event->action == ACTION_READ || event->action == ACTION_WRITE)
            event->cells = cells_touched(explorer, e);
        if (event->action == ACTION_READ && !(explorer->unread & bit(e)))
            fill_sources(explorer, e);
        if (event->action == ACTION_PROXY_FENCE || event->restricted)
            event->about = cells_about(explorer, e);
    }
    return true;
}

struct value candidate_written(const struct explorer *explorer, unsigned event, unsigned cell) {
    const struct extent *extent = &explorer->cells[cell];
    unsigned end = extent->offset + extent->size;
    if (event == 0)
        return initial_part(explorer, extent->object, extent->offset, end);
    return part_of(explorer->steps[event], extent->offset, end);
}
