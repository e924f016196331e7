// Asynchronous copies, and waiting for them: cp.async and cp.async.bulk (PTX ISA 9.7.9.25,
// 9.7.13.15.15).
//
// What goes on beside threads is actors of their own: each operation comes after what is before its
// start, and before what comes after a wait for it; nothing flows through it (ptx-9.1.cat: `into`,
// `out`). Operations that are waited for in the order in which they were started are one actor, by
// thread; those that complete on an mbarrier one for that, whose times are its phases.
#include "launch/mbarrier.h"
#include "launch/copy.h"
#include "launch/cluster.h"
#include "launch/maps.h"
#include "launch/sequence.h"
#include "launch/tensormap.h"

#include "litmus/source/arena.h"

// --- Actors ------------------------------------------------------------------------------------

static bool is_bulk(const struct instruction *instruction) {
    return instruction->opcode == OP_CP_BULK || instruction->opcode == OP_CP_REDUCE ||
           instruction->opcode == OP_CP_TENSOR;
}

static bool is_load(const struct instruction *instruction) {
    return is_bulk(instruction) && instruction->operand_count > 3 && !instruction->copy.masked;
}

// Whether each element is read and written where it goes to, in an atomic operation.
static bool is_reduction(const struct instruction *instruction) {
    return instruction->atomic != ATOMIC_NONE &&
           (is_bulk(instruction) || instruction->opcode == OP_RED_ASYNC);
}

struct actors actors_of(const struct test *test) {
    struct actors actors = {.threads = test->thread_count};
    for (size_t t = 0; t < test->thread_count; t++) {
        const struct thread *thread = &test->threads[t];
        if (t > 0 && thread->instructions == test->threads[t - 1].instructions)
            continue;
        for (size_t i = 0; i < thread->instruction_count; i++) {
            const struct instruction *instruction = &thread->instructions[i];
            actors.has_copies |= instruction->opcode == OP_CP_ASYNC;
            actors.has_bulk |= is_bulk(instruction) && !is_load(instruction);
            actors.has_deliveries |= is_load(instruction) || instruction->opcode == OP_ST_ASYNC ||
                                     instruction->opcode == OP_RED_ASYNC ||
                                     opcode_family(instruction->opcode) == FAMILY_CANCEL;
            actors.has_products |= instruction->opcode == OP_WGMMA;
            actors.has_tensors |= opcode_family(instruction->opcode) == FAMILY_TENSOR;
        }
    }
    size_t count = actors.threads;
    actors.copies = (uint32_t)count;
    actors.bulk_reads = actors.copies + (uint32_t)(actors.has_copies ? actors.threads : 0);
    actors.bulk_writes = actors.bulk_reads + (uint32_t)(actors.has_bulk ? actors.threads : 0);
    actors.deliveries = actors.bulk_writes + (uint32_t)(actors.has_bulk ? actors.threads : 0);
    actors.count = actors.deliveries + (actors.has_deliveries ? DELIVERIES_MAX : 0);
    return actors;
}

// --- Accesses ----------------------------------------------------------------------------------

// A part of a copy: what it reads, or what it writes.
struct copy_part {
    unsigned object;
    uint64_t offset;
    uint32_t size;
    uint32_t actor, time;
    enum proxy proxy;
};

static const struct step_value unknown = {{0, 0}, UNKNOWN_CONTENTS};

// The atomic operations of a reduction on its elements; what comes of them is not computed.
static void touch_elements(struct machine *machine, const struct lane *lane,
                           const struct shadow_access *whole, unsigned object) {
    const struct instruction *instruction = whole->instruction;
    struct shadow_access touch = *whole;
    touch.size = scalar_type_bits(instruction->type) / 8;
    touch.is_atomic = true;
    touch.scope = instruction->scope;
    for (uint32_t at = 0; at < whole->size; at += touch.size) {
        touch.offset = whole->offset + at;
        shadow_touch(machine->shadow, object, &touch, &lane->at);
        shadow_write(machine->shadow, object, touch.offset, touch.size, unknown);
    }
}

static void touch_part(struct machine *machine, const struct lane *lane,
                       const struct instruction *instruction, const struct copy_part *part,
                       bool writes) {
    struct block *owner = block_of_object(machine, part->object);
    bool is_out = writes && owner != NULL && owner != lane->block;
    const struct place *there = is_out ? &owner->lanes[0]->thread->place : NULL;
    machine->result.reaches_out |= is_out;
    const struct shadow_access touch = {.instruction = instruction,
                                        .elsewhere = machine->is_at_destination ? there : NULL,
                                        .thread = lane->index,
                                        .actor = part->actor,
                                        .time = part->time,
                                        .offset = (uint32_t)part->offset,
                                        .size = part->size,
                                        .writes = writes,
                                        .proxy = part->proxy};
    if (writes && is_reduction(instruction))
        touch_elements(machine, lane, &touch, part->object);
    else
        shadow_touch(machine->shadow, part->object, &touch, &lane->at);
    if (writes) {
        order_overwrite(machine, &touch, part->object, unknown);
        tensormap_overwrite(machine, &touch, part->object);
    }
    if (owner != NULL)
        block_visit(machine, owner, part->actor,
                    &(struct shared_visit){part->time, lane, instruction});
}

// Finds the places of a copy of `read` bytes to `size` bytes.
static bool find_parts(struct machine *machine, struct lane *lane,
                       const struct instruction *instruction, unsigned alignment,
                       struct copy_part *to, struct copy_part *from) {
    if (!run_find_place(machine, lane, instruction, &instruction->operands[0], instruction->space,
                        to->size, alignment, &to->object, &to->offset))
        return false;
    if (from->size > 0 && !run_find_place(machine, lane, instruction, &instruction->operands[1],
                                          instruction->copy.source_space, from->size, alignment,
                                          &from->object, &from->offset))
        return false;
    if (mbarrier_is_at(machine, to->object, to->offset, to->size) ||
        (from->size > 0 && mbarrier_is_at(machine, from->object, from->offset, from->size)))
        return run_give_up(machine, instruction, "a copy reads an mbarrier, or writes to one");
    return true;
}

static void transfer(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction, const struct copy_part *to,
                     const struct copy_part *from) {
    if (from->size > 0)
        touch_part(machine, lane, instruction, from, false);
    if (from->size > 0 && !is_reduction(instruction))
        shadow_copy(machine->shadow, from->object, from->offset, to->object, to->offset,
                    from->size);
    for (uint32_t i = from->size; i < to->size; i++)
        shadow_write(machine->shadow, to->object, to->offset + i, 1,
                     (struct step_value){{0, 0}, KNOWN});
    touch_part(machine, lane, instruction, to, true);
}

// --- cp.async ----------------------------------------------------------------------------------

// How many bytes are read: all, or as many as a fourth operand says; the rest is zeros.
static bool read_size(struct machine *machine, struct lane *lane,
                      const struct instruction *instruction, uint32_t size, uint32_t *read) {
    const struct operand *operand = &instruction->operands[3];
    *read = size;
    if (instruction->operand_count <= 3)
        return true;
    if (operand->kind == OPERAND_REGISTER && lane->thread->registers[operand->reg].width == 1)
        return run_give_up(machine, instruction, "copies that may ignore their source are not run");
    if (!run_number(machine, lane, instruction, operand, "the size of a copy", read))
        return false;
    return *read <= size ||
           run_give_up(machine, instruction, "a copy reads more bytes than it writes");
}

// cp.async [d], [s], size{, bytes that are read}
static bool run_cp(struct machine *machine, struct lane *lane,
                   const struct instruction *instruction) {
    uint32_t actor = machine->actors.copies + (uint32_t)lane->index,
             time = lane->copies.started + 1;
    struct copy_part to = {.actor = actor, .time = time, .proxy = PROXY_GENERIC}, from = to;
    if (!run_number(machine, lane, instruction, &instruction->operands[2], "the size of a copy",
                    &to.size) ||
        !read_size(machine, lane, instruction, to.size, &from.size) ||
        !find_parts(machine, lane, instruction, to.size, &to, &from))
        return false;
    lane->copies.started = time;
    transfer(machine, lane, instruction, &to, &from);
    return true;
}

// --- cp.async.bulk -----------------------------------------------------------------------------

// Lets what a copy has written count in a phase of an mbarrier.
static bool deliver(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction, struct mbarrier *m, uint64_t bytes,
                    const struct copy_part *part) {
    struct clock *clock = clock_new(lane->at.heard->actors, lane->at.heard->parts);
    clock_note(clock, part->actor, part->time);
    moment_pass_on(&lane->at, clock);
    const struct arrival arrival = {
        .clock = clock, .released = clock, .is_delivery = true, .transactions = -(int64_t)bytes};
    bool is_fine = mbarrier_arrive_at(machine, lane, instruction, m, &arrival);
    clock_drop(clock);
    return is_fine;
}

// Whom a load is for: the block at hand, or those of its mask.
enum { MASK_BITS = 16 };
struct receivers {
    bool is_multicast;
    uint32_t ranks; // of a multicast
};

static uint32_t ranks_of_cluster(const struct machine *machine, const struct lane *lane) {
    uint32_t ranks = 0;
    for (unsigned rank = 0; rank < MASK_BITS; rank++)
        ranks |= (uint32_t)(block_of_rank(machine, lane, rank) != NULL) << rank;
    return ranks;
}

static bool find_receivers(struct machine *machine, struct lane *lane,
                           const struct instruction *instruction, struct receivers *receivers) {
    receivers->is_multicast = instruction_is_multicast(instruction);
    receivers->ranks = instruction->copy.to_all ? ranks_of_cluster(machine, lane) : 0;
    return !receivers->is_multicast || instruction->copy.to_all ||
           run_number(machine, lane, instruction,
                      &instruction->operands[instruction_mask(instruction)],
                      "the mask of a multicast", &receivers->ranks);
}

// A load to one block: what it writes there, and the mbarrier on which it completes.
struct placed_load {
    struct machine *machine;
    struct lane *lane;
    const struct instruction *instruction;
    struct mbarrier *m;
    struct copy_part to;
    const struct copy_part *from;    // of a bulk copy
    const struct step_tile *tile;    // of a tensor copy
    const struct step_value *answer; // of a request
    struct changed_map *map;         // by which it is, if threads may change that; or NULL
};

static void transfer_tile(struct machine *machine, const struct lane *lane,
                          const struct instruction *instruction, const struct step_tile *tile,
                          const struct copy_part *shared, struct copy_part *global);

// Notes that a copy reads a tensormap which threads may change: it has done so when this part of it
// is done.
static void note_map(struct machine *machine, const struct lane *lane,
                     const struct instruction *instruction, struct changed_map *map,
                     const struct copy_part *part) {
    const struct shadow_access read = {.instruction = instruction,
                                       .thread = lane->index,
                                       .actor = part->actor,
                                       .time = part->time};
    tensormap_note_read(machine, map, &read);
}

// Writes an answer.
static void transfer_answer(const struct placed_load *load) {
    shadow_write(load->machine->shadow, load->to.object, load->to.offset, load->to.size,
                 *load->answer);
    touch_part(load->machine, load->lane, load->instruction, &load->to, true);
}

static bool load_once(struct placed_load *load) {
    struct machine *machine = load->machine;
    struct copy_part from = load->from != NULL ? *load->from : load->to;
    uint32_t time, actor = mbarrier_actor(machine, load->instruction, load->m, &time);
    if (machine->is_over)
        return false;
    load->to.actor = from.actor = actor;
    load->to.time = from.time = time;
    note_map(load->machine, load->lane, load->instruction, load->map, &load->to);
    if (load->answer != NULL)
        transfer_answer(load);
    else if (load->tile == NULL)
        transfer(machine, load->lane, load->instruction, &load->to, &from);
    else
        transfer_tile(machine, load->lane, load->instruction, load->tile, &load->to, &from);
    if (machine->maps.finder != NULL && load->tile != NULL && load->tile->bytes == 0)
        maps_deliver(machine, load->m);
    return deliver(machine, load->lane, load->instruction, load->m, load->to.size, &load->to);
}

// The block whose mbarrier a multicast signals for the block of a rank: that one, or with
// .cta_group::2 that of its pair which is as even or odd as the one in which [m] is.
static const struct block *signalled_block(const struct placed_load *load, unsigned rank) {
    unsigned of_m = block_rank(load->machine, mbarrier_block(load->machine, load->m));
    return block_of_rank(load->machine, load->lane,
                         load->instruction->of_pair ? (rank & ~1U) | (of_m & 1) : rank);
}

// Whether the mbarrier [m] is one that a load to a block may complete on: one of that block, or
// with .cta_group::2 of its pair.
static bool is_signalled(const struct placed_load *load, const struct block *owner) {
    const struct block *other = mbarrier_block(load->machine, load->m);
    return other == owner ||
           (load->instruction->of_pair && other->cluster == owner->cluster &&
            (block_rank(load->machine, other) ^ 1) == block_rank(load->machine, owner));
}

// A multicast writes to each block of its mask at the same place, and completes on the mbarrier
// that is in that block what [m] is in its own.
static bool load_each(const struct placed_load *load, const struct receivers *receivers) {
    struct machine *machine = load->machine;
    for (unsigned rank = 0; rank < MASK_BITS; rank++) {
        struct placed_load one = *load;
        if ((receivers->ranks >> rank & 1) == 0)
            continue;
        const struct block *block = block_of_rank(machine, load->lane, rank);
        if (block == NULL || signalled_block(load, rank) == NULL)
            return run_give_up(machine, load->instruction,
                               "a multicast is for a block that its cluster does not have");
        one.to.object = object_of_block(machine, load->to.object, block);
        one.m = mbarrier_like(machine, load->lane, load->instruction, load->m,
                              signalled_block(load, rank));
        if (one.m == NULL || !load_once(&one))
            return false;
    }
    return true;
}

// Runs a load whose places are known: it completes on the mbarrier at the operand `at`.
static bool run_load(struct placed_load *load, const struct operand *at, bool is_own) {
    struct machine *machine = load->machine;
    const struct block *owner = block_of_object(machine, load->to.object);
    struct receivers receivers = {false, 0};
    if (!find_receivers(machine, load->lane, load->instruction, &receivers))
        return false;
    load->m = mbarrier_of(machine, load->lane, load->instruction, at);
    if (load->m == NULL)
        return false;
    if (owner == NULL)
        return run_give_up(machine, load->instruction, "copies of this kind are not run");
    if (is_own || !is_signalled(load, owner))
        return run_misuse(machine, load->lane, load->instruction, "mbarrier-misuse",
                          is_own ? "it copies from shared memory to that of its own block"
                                 : "its mbarrier is in another block than what it writes to");
    return receivers.is_multicast ? load_each(load, &receivers) : load_once(load);
}

static bool run_bulk(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction) {
    enum { ALIGNMENT = 16 };
    struct copy_part to = {.proxy = PROXY_ASYNC}, from = to;
    if (instruction->copy.masked || instruction->copy.ignores || instruction->copy.to_copies ||
        (instruction->order != ORDER_WEAK && !is_reduction(instruction)))
        return run_give_up(machine, instruction, "copies of this kind are not run");
    if (!run_number(machine, lane, instruction, &instruction->operands[2], "the size of a copy",
                    &to.size))
        return false;
    from.size = to.size;
    if (to.size % ALIGNMENT != 0 || to.size == 0 ||
        !find_parts(machine, lane, instruction, ALIGNMENT, &to, &from))
        return run_give_up(machine, instruction, "copies of this size or alignment are not run");
    if (is_load(instruction)) {
        struct placed_load load = {machine, lane, instruction, .to = to, .from = &from};
        return run_load(&load, &instruction->operands[3],
                        block_of_object(machine, from.object) ==
                            block_of_object(machine, to.object));
    }
    to.time = from.time = ++lane->bulk.started;
    from.actor = machine->actors.bulk_reads + (uint32_t)lane->index;
    to.actor = machine->actors.bulk_writes + (uint32_t)lane->index;
    transfer(machine, lane, instruction, &to, &from);
    return true;
}

// --- clusterlaunchcontrol.try_cancel -----------------------------------------------------------

bool copy_answer(struct machine *machine, struct lane *lane, const struct instruction *instruction,
                 const struct step_value *answer) {
    enum { ANSWER_BYTES = 16 };
    struct copy_part to = {.size = ANSWER_BYTES, .proxy = PROXY_ASYNC}, none = {.size = 0};
    if (!find_parts(machine, lane, instruction, ANSWER_BYTES, &to, &none))
        return false;
    struct placed_load load = {machine, lane, instruction, .to = to, .answer = answer};
    return run_load(&load, &instruction->operands[1], false);
}

// --- st.async and red.async --------------------------------------------------------------------

// "The shared memory addresses [...] belong to the same CTA within the same cluster", which has
// more than one, and red.async is for another CTA than its own (PTX ISA 9.7.9.12, 9.7.13.7).
static bool check_store(struct machine *machine, const struct lane *lane,
                        const struct instruction *instruction, struct mbarrier *m,
                        const struct block *to) {
    const struct block *own = lane->block;
    const char *why = NULL;
    if (mbarrier_block(machine, m) != to)
        why = "its mbarrier is in another block than what it writes to";
    else if (own->cluster->count == own->count)
        why = "its cluster has one block alone";
    else if (is_reduction(instruction) && to == own)
        why = "it is for the shared memory of another block than its own";
    return why == NULL || run_misuse(machine, lane, instruction, "mbarrier-misuse", why);
}

// st.async [a], b, [m]: the values are those at the issue, and the store is complete on the
// mbarrier (PTX ISA 9.7.9.12). From 9.3 on a wait for that shows nothing of the store. What
// red.async makes of the values is not computed.
static bool run_store(struct machine *machine, struct lane *lane,
                      const struct instruction *instruction) {
    enum { SILENT = 93 };
    const struct operand *source = &instruction->operands[1];
    unsigned bits = scalar_type_bits(instruction->type);
    unsigned count = operand_length(source);
    struct copy_part to = {.size = count * bits / 8, .proxy = PROXY_GENERIC}, none = {.size = 0};
    bool is_plain =
        is_reduction(instruction)
            ? !instruction->copy.to_copies && instruction->order == ORDER_RELAXED
            : instruction->order == ORDER_WEAK && machine->test->directives.version < SILENT;
    if (!is_plain || instruction->operand_count < 3 || bits > 64)
        return run_give_up(machine, instruction, "asynchronous stores of this kind are not run");
    if (!find_parts(machine, lane, instruction, to.size, &to, &none))
        return false;
    struct mbarrier *m = mbarrier_of(machine, lane, instruction, &instruction->operands[2]);
    if (m == NULL)
        return false;
    if (!check_store(machine, lane, instruction, m, block_of_object(machine, to.object)))
        return false;
    to.actor = mbarrier_actor(machine, instruction, m, &to.time);
    for (unsigned i = 0; i < count && !machine->is_over; i++) {
        struct step_value word = stepper_value(machine->stepper, lane->index, lane->registers,
                                               operand_element(source, i), bits, false);
        if (word.knowledge == UNWRITTEN)
            return run_give_up(machine, instruction,
                               "it stores a register that nothing has written");
        shadow_write(machine->shadow, to.object, to.offset + i * (bits / 8), bits / 8, word);
    }
    if (machine->is_over)
        return false;
    touch_part(machine, lane, instruction, &to, true);
    return deliver(machine, lane, instruction, m, to.size, &to);
}

// --- cp.async.bulk.tensor ----------------------------------------------------------------------

// The tensormap is read in its own proxy, before the copy begins.
static void touch_map(struct machine *machine, const struct lane *lane,
                      const struct instruction *instruction, const struct step_tile *tile) {
    const struct copy_part map = {.object = (unsigned)tile->map,
                                  .size = TENSOR_MAP_BYTES,
                                  .actor = lane->at.actor,
                                  .time = lane->at.time,
                                  .proxy = PROXY_TENSORMAP};
    if (tile->map >= 0)
        touch_part(machine, lane, instruction, &map, false);
}

// Reads the rows of a tile that are in the tensor: others of a store are not needed. Where the rows
// are permuted, it is not known where these are.
static void read_rows(struct machine *machine, const struct lane *lane,
                      const struct instruction *instruction, const struct step_tile *tile,
                      const struct copy_part *shared) {
    size_t races = machine->result.race_count, outside = 0;
    for (size_t i = 0; i < tile->row_count; i++)
        outside += tile->rows[i].is_outside;
    bool is_whole = outside == 0 || tile->is_permuted;
    if (is_whole)
        touch_part(machine, lane, instruction, shared, false);
    for (size_t i = 0; !is_whole && i < tile->row_count; i++) {
        struct copy_part row = *shared;
        row.offset += tile->rows[i].at;
        row.size = tile->rows[i].size;
        if (!tile->rows[i].is_outside)
            touch_part(machine, lane, instruction, &row, false);
    }
    if (!tile->is_permuted || outside == 0 || machine->result.race_count == races)
        return;
    machine->result.race_count = races;
    run_give_up(machine, instruction, "which bytes of the tile a store needs is not known");
}

// Copies a tile to shared memory, with zeros for what is outside of the tensor, or from there.
static void transfer_tile(struct machine *machine, const struct lane *lane,
                          const struct instruction *instruction, const struct step_tile *tile,
                          const struct copy_part *shared, struct copy_part *global) {
    bool loads = is_load(instruction);
    global->object = tile->object;
    for (size_t i = 0; i < tile->row_count; i++) {
        const struct step_row *row = &tile->rows[i];
        uint64_t there = shared->offset + row->at;
        global->offset = row->offset;
        global->size = row->size;
        for (uint32_t k = 0; row->is_outside && loads && k < row->size; k++)
            shadow_write(machine->shadow, shared->object, there + k, 1,
                         (struct step_value){{0, 0}, KNOWN});
        if (row->is_outside)
            continue;
        touch_part(machine, lane, instruction, global, !loads);
        if (loads)
            shadow_copy(machine->shadow, tile->object, row->offset, shared->object, there,
                        row->size);
        else if (!is_reduction(instruction))
            shadow_copy(machine->shadow, shared->object, there, tile->object, row->offset,
                        row->size);
        for (uint32_t k = 0; tile->is_permuted && !loads && k < row->size; k++)
            shadow_write(machine->shadow, tile->object, row->offset + k, 1,
                         (struct step_value){{0, 0}, UNKNOWN_CONTENTS});
    }
    if (loads)
        touch_part(machine, lane, instruction, shared, true);
    else
        read_rows(machine, lane, instruction, tile, shared);
    for (uint32_t k = 0; tile->is_permuted && loads && k < shared->size; k++)
        shadow_write(machine->shadow, shared->object, shared->offset + k, 1,
                     (struct step_value){{0, 0}, UNKNOWN_CONTENTS});
}

static bool run_tile(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction, const struct step_tile *tile,
                     struct changed_map *map) {
    enum { ALIGNMENT = 128 };
    bool loads = is_load(instruction);
    struct copy_part shared = {.size = (uint32_t)tile->bytes, .proxy = PROXY_ASYNC},
                     global = {.proxy = PROXY_ASYNC};
    if (!run_find_place(machine, lane, instruction, &instruction->operands[loads ? 0 : 2],
                        loads ? instruction->space : instruction->copy.source_space, shared.size,
                        ALIGNMENT, &shared.object, &shared.offset))
        return false;
    if (mbarrier_is_at(machine, shared.object, shared.offset, shared.size))
        return run_give_up(machine, instruction, "a copy reads an mbarrier, or writes to one");
    touch_map(machine, lane, instruction, tile);
    if (!loads) {
        shared.time = global.time = ++lane->bulk.started;
        shared.actor = machine->actors.bulk_reads + (uint32_t)lane->index;
        global.actor = machine->actors.bulk_writes + (uint32_t)lane->index;
        note_map(machine, lane, instruction, map, &shared);
        transfer_tile(machine, lane, instruction, tile, &shared, &global);
        return !machine->is_over;
    }
    struct placed_load load = {machine, lane, instruction, .to = shared, .tile = tile, .map = map};
    return run_load(&load, &instruction->operands[3], false);
}

// Finds the tile of a tensor copy; gives up where it is not known.
static bool find_tile(struct machine *machine, struct lane *lane,
                      const struct instruction *instruction, struct arena *arena,
                      struct step_tile *tile, struct changed_map **map) {
    unsigned object;
    uint64_t offset;
    *map = tensormap_tile(machine, lane, instruction, arena, tile);
    if (*map != NULL || machine->is_over)
        return !machine->is_over;
    if (stepper_tile(machine->stepper, arena, lane->index, lane->registers, instruction, tile))
        return true;
    if (machine->maps.finder != NULL)
        return maps_tile(machine, lane, instruction, arena, tile);
    machine->result.lacks_map |=
        !machine->is_over && maps_is_lacking(machine, lane, instruction, &object, &offset);
    return run_give_up(machine, instruction, "which tile a tensor copy is of is not known");
}

// The elements of a reduction are of the tensor's type, which is known of maps that a test
// declares, and that no thread changes. Where maps are only looked for, nothing is written.
static bool check_elements(struct machine *machine, const struct instruction *instruction,
                           const struct changed_map *map) {
    return !is_reduction(instruction) || machine->maps.finder != NULL ||
           (map == NULL && scalar_type_bits(instruction->type) > 0) ||
           run_give_up(machine, instruction, "of which type the elements are is not known");
}

static bool run_tensor(struct machine *machine, struct lane *lane,
                       const struct instruction *instruction) {
    struct step_tile tile;
    if (instruction->copy.four_rows || instruction->copy.im2col ||
        (instruction->order != ORDER_WEAK && !is_reduction(instruction)))
        return run_give_up(machine, instruction, "tensor copies of this kind are not run");
    struct arena *scratch = arena_new();
    struct changed_map *map;
    bool is_fine = find_tile(machine, lane, instruction, scratch, &tile, &map) &&
                   check_elements(machine, instruction, map) &&
                   run_tile(machine, lane, instruction, &tile, map);
    arena_free(scratch);
    return is_fine;
}

// --- Groups ------------------------------------------------------------------------------------

static bool wait_group(struct machine *machine, struct lane *lane,
                       const struct instruction *instruction) {
    uint32_t time;
    if (!sequence_waited(machine, lane, instruction, &lane->copies, &time))
        return false;
    if (time > 0)
        lane_hear(lane, machine->actors.copies + (uint32_t)lane->index, time);
    return true;
}

static bool wait_bulk(struct machine *machine, struct lane *lane,
                      const struct instruction *instruction) {
    uint32_t time;
    if (!sequence_waited(machine, lane, instruction, &lane->bulk, &time))
        return false;
    if (time > 0)
        lane_hear(lane, machine->actors.bulk_reads + (uint32_t)lane->index, time);
    if (time > 0 && instruction->opcode == OP_CP_BULK_WAIT)
        lane_hear(lane, machine->actors.bulk_writes + (uint32_t)lane->index, time);
    return true;
}

// cp.async.mbarrier.arrive{.noinc} [m]: an arrival when all copies so far are complete. Without
// .noinc one more is pending until then, so that the counts are what they were.
static bool arrive(struct machine *machine, struct lane *lane,
                   const struct instruction *instruction) {
    struct mbarrier *m = mbarrier_of(machine, lane, instruction, &instruction->operands[0]);
    if (m == NULL)
        return false;
    struct clock *clock = clock_new(lane->at.heard->actors, lane->at.heard->parts);
    if (machine->actors.has_copies)
        clock_note(clock, machine->actors.copies + (uint32_t)lane->index, lane->copies.started);
    const struct arrival arrival = {.clock = clock,
                                    .released = clock,
                                    .count = instruction->opcode == OP_CP_ASYNC_ARRIVE_NOINC};
    bool is_fine = mbarrier_arrive_at(machine, lane, instruction, m, &arrival);
    clock_drop(clock);
    return is_fine;
}

bool run_copy(struct machine *machine, struct lane *lane, const struct instruction *instruction) {
    bool is_fine = true;
    switch (instruction->opcode) {
    case OP_CP_ASYNC: is_fine = run_cp(machine, lane, instruction); break;
    case OP_CP_ASYNC_COMMIT: sequence_commit(machine, &lane->copies); break;
    case OP_CP_ASYNC_WAIT: is_fine = wait_group(machine, lane, instruction); break;
    case OP_CP_ASYNC_WAIT_ALL:
        if (lane->copies.started > 0)
            lane_hear(lane, machine->actors.copies + (uint32_t)lane->index, lane->copies.started);
        break;
    case OP_CP_ASYNC_ARRIVE:
    case OP_CP_ASYNC_ARRIVE_NOINC: is_fine = arrive(machine, lane, instruction); break;
    case OP_CP_BULK:
    case OP_CP_REDUCE: is_fine = run_bulk(machine, lane, instruction); break;
    case OP_CP_TENSOR: is_fine = run_tensor(machine, lane, instruction); break;
    case OP_ST_ASYNC:
    case OP_RED_ASYNC: is_fine = run_store(machine, lane, instruction); break;
    case OP_CP_BULK_COMMIT: sequence_commit(machine, &lane->bulk); break;
    case OP_CP_BULK_WAIT:
    case OP_CP_BULK_WAIT_READ: is_fine = wait_bulk(machine, lane, instruction); break;
    default: return run_give_up(machine, instruction, "operations of this kind are not run");
    }
    lane->pc++;
    return is_fine && !machine->is_over;
}
