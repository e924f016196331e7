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

// A copy of a thread, or a store that is done beside it.
struct run_copy {
    struct machine *machine;
    struct lane *lane;
    const struct instruction *instruction;
    struct copy_part to, from;       // nothing is read where the size of that is 0
    struct mbarrier *m;              // on which it completes, or NULL
    const struct step_tile *tile;    // of a tensor copy
    struct changed_map *map;         // by which that is, if threads may change it; or NULL
    const struct step_value *answer; // of a request
};

static const struct step_value unknown = {{0, 0}, UNKNOWN_CONTENTS}, zero = {{0, 0}, KNOWN};

// The atomic operations of a reduction on its elements; what comes of them is not computed.
static void touch_elements(const struct run_copy *copy, const struct shadow_access *whole,
                           unsigned object) {
    struct shadow *shadow = copy->machine->shadow;
    struct shadow_access touch = *whole;
    touch.size = scalar_type_bits(copy->instruction->type) / 8;
    touch.is_atomic = true;
    touch.scope = copy->instruction->scope;
    for (uint32_t at = 0; at < whole->size; at += touch.size) {
        touch.offset = whole->offset + at;
        shadow_touch(shadow, object, &touch, &copy->lane->at);
        shadow_write(shadow, object, touch.offset, touch.size, unknown);
    }
}

static void touch_part(const struct run_copy *copy, const struct copy_part *part, bool writes) {
    struct machine *machine = copy->machine;
    const struct lane *lane = copy->lane;
    struct block *owner = block_of_object(machine, part->object);
    bool is_out = writes && owner != NULL && owner != lane->block;
    const struct place *there = is_out ? &owner->lanes[0]->thread->place : NULL;
    machine->result.reaches_out |= is_out;
    const struct shadow_access touch = {.instruction = copy->instruction,
                                        .elsewhere = machine->is_at_destination ? there : NULL,
                                        .thread = lane->index,
                                        .actor = part->actor,
                                        .time = part->time,
                                        .offset = (uint32_t)part->offset,
                                        .size = part->size,
                                        .writes = writes,
                                        .proxy = part->proxy};
    if (writes && is_reduction(copy->instruction))
        touch_elements(copy, &touch, part->object);
    else
        shadow_touch(machine->shadow, part->object, &touch, &lane->at);
    if (writes) {
        order_overwrite(machine, &touch, part->object, unknown);
        tensormap_overwrite(machine, &touch, part->object);
    }
    if (owner != NULL)
        block_visit(machine, owner, part->actor,
                    &(struct shared_visit){part->time, lane, copy->instruction});
}

// Finds the place of a part at an operand.
static bool find_part(const struct run_copy *copy, unsigned operand, enum state_space space,
                      unsigned alignment, struct copy_part *part) {
    return run_find_place(copy->machine, copy->lane, copy->instruction,
                          &copy->instruction->operands[operand], space, part->size, alignment,
                          &part->object, &part->offset);
}

static bool is_at_mbarrier(const struct run_copy *copy, const struct copy_part *part) {
    return mbarrier_is_at(copy->machine, part->object, part->offset, part->size);
}

// Finds the places of what is written and of what is read.
static bool find_parts(struct run_copy *copy, unsigned alignment) {
    const struct instruction *instruction = copy->instruction;
    struct copy_part *to = &copy->to, *from = &copy->from;
    if (!find_part(copy, 0, instruction->space, alignment, to) ||
        (from->size > 0 && !find_part(copy, 1, instruction->copy.source_space, alignment, from)))
        return false;
    return !(is_at_mbarrier(copy, to) || (from->size > 0 && is_at_mbarrier(copy, from))) ||
           run_give_up(copy->machine, instruction, "a copy reads an mbarrier, or writes to one");
}

static void fill(struct shadow *shadow, unsigned object, uint64_t offset, uint32_t size,
                 struct step_value byte) {
    for (uint32_t i = 0; i < size; i++)
        shadow_write(shadow, object, offset + i, 1, byte);
}

static void transfer(const struct run_copy *copy) {
    struct shadow *shadow = copy->machine->shadow;
    const struct copy_part *to = &copy->to, *from = &copy->from;
    if (from->size > 0)
        touch_part(copy, from, false);
    if (from->size > 0 && !is_reduction(copy->instruction))
        shadow_copy(shadow, from->object, from->offset, to->object, to->offset, from->size);
    fill(shadow, to->object, to->offset + from->size, to->size - from->size, zero);
    touch_part(copy, to, true);
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
    const struct copy_part part = {.actor = actor, .time = time, .proxy = PROXY_GENERIC};
    struct run_copy copy = {machine, lane, instruction, .to = part, .from = part};
    if (!run_number(machine, lane, instruction, &instruction->operands[2], "the size of a copy",
                    &copy.to.size) ||
        !read_size(machine, lane, instruction, copy.to.size, &copy.from.size) ||
        !find_parts(&copy, copy.to.size))
        return false;
    lane->copies.started = time;
    transfer(&copy);
    return true;
}

// --- cp.async.bulk -----------------------------------------------------------------------------

// Lets what a copy has written count in a phase of an mbarrier.
static bool deliver(const struct run_copy *copy) {
    struct moment *at = &copy->lane->at;
    struct clock *clock = clock_new(at->heard->actors, at->heard->parts);
    clock_note(clock, copy->to.actor, copy->to.time);
    moment_pass_on(at, clock);
    const struct arrival arrival = {.clock = clock,
                                    .released = clock,
                                    .is_delivery = true,
                                    .transactions = -(int64_t)copy->to.size};
    bool is_fine =
        mbarrier_arrive_at(copy->machine, copy->lane, copy->instruction, copy->m, &arrival);
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

static bool find_receivers(const struct run_copy *load, struct receivers *receivers) {
    const struct instruction *instruction = load->instruction;
    receivers->is_multicast = instruction_is_multicast(instruction);
    receivers->ranks = instruction->copy.to_all ? ranks_of_cluster(load->machine, load->lane) : 0;
    return !receivers->is_multicast || instruction->copy.to_all ||
           run_number(load->machine, load->lane, instruction,
                      &instruction->operands[instruction_mask(instruction)],
                      "the mask of a multicast", &receivers->ranks);
}

static void transfer_tile(struct run_copy *copy);

// Notes that a copy reads a tensormap which threads may change: it has done so when this part of it
// is done.
static void note_map(const struct run_copy *copy, const struct copy_part *part) {
    const struct shadow_access read = {.instruction = copy->instruction,
                                       .thread = copy->lane->index,
                                       .actor = part->actor,
                                       .time = part->time};
    tensormap_note_read(copy->machine, copy->map, &read);
}

// Writes an answer.
static void transfer_answer(const struct run_copy *load) {
    shadow_write(load->machine->shadow, load->to.object, load->to.offset, load->to.size,
                 *load->answer);
    touch_part(load, &load->to, true);
}

// A load to one block.
static bool load_once(struct run_copy *load) {
    struct machine *machine = load->machine;
    load->to.actor = load->from.actor =
        mbarrier_actor(machine, load->instruction, load->m, &load->to.time);
    load->from.time = load->to.time;
    if (machine->is_over)
        return false;
    note_map(load, &load->to);
    if (load->answer != NULL)
        transfer_answer(load);
    else if (load->tile == NULL)
        transfer(load);
    else
        transfer_tile(load);
    if (machine->maps.finder != NULL && load->tile != NULL && load->tile->bytes == 0)
        maps_deliver(machine, load->m);
    return deliver(load);
}

// The block whose mbarrier a multicast signals for the block of a rank: that one, or with
// .cta_group::2 that of its pair which is as even or odd as the one in which [m] is.
static const struct block *signalled_block(const struct run_copy *load, unsigned rank) {
    unsigned of_m = block_rank(load->machine, mbarrier_block(load->machine, load->m));
    return block_of_rank(load->machine, load->lane,
                         load->instruction->of_pair ? (rank & ~1U) | (of_m & 1) : rank);
}

// Whether the mbarrier [m] is one that a load to a block may complete on: one of that block, or
// with .cta_group::2 of its pair.
static bool is_signalled(const struct run_copy *load, const struct block *owner) {
    const struct block *other = mbarrier_block(load->machine, load->m);
    return other == owner ||
           (load->instruction->of_pair && other->cluster == owner->cluster &&
            (block_rank(load->machine, other) ^ 1) == block_rank(load->machine, owner));
}

// A multicast writes to each block of its mask at the same place, and completes on the mbarrier
// that is in that block what [m] is in its own.
static bool load_each(const struct run_copy *load, const struct receivers *receivers) {
    struct machine *machine = load->machine;
    for (unsigned rank = 0; rank < MASK_BITS; rank++) {
        struct run_copy one = *load;
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
static bool run_load(struct run_copy *load, const struct operand *at, bool is_own) {
    struct machine *machine = load->machine;
    const struct block *owner = block_of_object(machine, load->to.object);
    struct receivers receivers = {false, 0};
    if (!find_receivers(load, &receivers))
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

// Starts a copy that is waited for in a group of its thread.
static void start_in_group(struct run_copy *copy) {
    const struct actors *actors = &copy->machine->actors;
    copy->to.time = copy->from.time = ++copy->lane->bulk.started;
    copy->from.actor = actors->bulk_reads + (uint32_t)copy->lane->index;
    copy->to.actor = actors->bulk_writes + (uint32_t)copy->lane->index;
}

static bool run_bulk(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction) {
    enum { ALIGNMENT = 16 };
    const struct copy_part part = {.proxy = PROXY_ASYNC};
    struct run_copy copy = {machine, lane, instruction, .to = part, .from = part};
    if (instruction->copy.masked || instruction->copy.ignores || instruction->copy.to_copies ||
        (instruction->order != ORDER_WEAK && !is_reduction(instruction)))
        return run_give_up(machine, instruction, "copies of this kind are not run");
    if (!run_number(machine, lane, instruction, &instruction->operands[2], "the size of a copy",
                    &copy.to.size))
        return false;
    copy.from.size = copy.to.size;
    if (copy.to.size % ALIGNMENT != 0 || copy.to.size == 0 || !find_parts(&copy, ALIGNMENT))
        return run_give_up(machine, instruction, "copies of this size or alignment are not run");
    if (is_load(instruction))
        return run_load(&copy, &instruction->operands[3],
                        block_of_object(machine, copy.from.object) ==
                            block_of_object(machine, copy.to.object));
    start_in_group(&copy);
    transfer(&copy);
    return true;
}

// --- clusterlaunchcontrol.try_cancel -----------------------------------------------------------

bool copy_answer(struct machine *machine, struct lane *lane, const struct instruction *instruction,
                 const struct step_value *answer) {
    enum { ANSWER_BYTES = 16 };
    struct run_copy load = {machine, lane, instruction,
                            .to = {.size = ANSWER_BYTES, .proxy = PROXY_ASYNC}, .answer = answer};
    return find_parts(&load, ANSWER_BYTES) && run_load(&load, &instruction->operands[1], false);
}

// --- st.async and red.async --------------------------------------------------------------------

// "The shared memory addresses [...] belong to the same CTA within the same cluster", which has
// more than one, and red.async is for another CTA than its own (PTX ISA 9.7.9.12, 9.7.13.7).
static bool check_store(const struct run_copy *store) {
    const struct block *own = store->lane->block;
    const struct block *to = block_of_object(store->machine, store->to.object);
    const char *why = NULL;
    if (mbarrier_block(store->machine, store->m) != to)
        why = "its mbarrier is in another block than what it writes to";
    else if (own->cluster->count == own->count)
        why = "its cluster has one block alone";
    else if (is_reduction(store->instruction) && to == own)
        why = "it is for the shared memory of another block than its own";
    return why == NULL ||
           run_misuse(store->machine, store->lane, store->instruction, "mbarrier-misuse", why);
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
    struct run_copy store = {machine, lane, instruction,
                             .to = {.size = count * bits / 8, .proxy = PROXY_GENERIC}};
    bool is_plain =
        is_reduction(instruction)
            ? !instruction->copy.to_copies && instruction->order == ORDER_RELAXED
            : instruction->order == ORDER_WEAK && machine->test->directives.version < SILENT;
    if (!is_plain || instruction->operand_count < 3 || bits > 64)
        return run_give_up(machine, instruction, "asynchronous stores of this kind are not run");
    if (!find_parts(&store, store.to.size))
        return false;
    store.m = mbarrier_of(machine, lane, instruction, &instruction->operands[2]);
    if (store.m == NULL || !check_store(&store))
        return false;
    store.to.actor = mbarrier_actor(machine, instruction, store.m, &store.to.time);
    for (unsigned i = 0; i < count && !machine->is_over; i++) {
        struct step_value word = stepper_value(machine->stepper, lane->index, lane->registers,
                                               operand_element(source, i), bits, false);
        if (word.knowledge == UNWRITTEN)
            return run_give_up(machine, instruction,
                               "it stores a register that nothing has written");
        shadow_write(machine->shadow, store.to.object, store.to.offset + i * (bits / 8), bits / 8,
                     word);
    }
    if (machine->is_over)
        return false;
    touch_part(&store, &store.to, true);
    return deliver(&store);
}

// --- cp.async.bulk.tensor ----------------------------------------------------------------------

// The tensormap is read in its own proxy, before the copy begins.
static void touch_map(const struct run_copy *copy) {
    const struct moment *at = &copy->lane->at;
    const struct copy_part map = {.object = (unsigned)copy->tile->map,
                                  .size = TENSOR_MAP_BYTES,
                                  .actor = at->actor,
                                  .time = at->time,
                                  .proxy = PROXY_TENSORMAP};
    if (copy->tile->map >= 0)
        touch_part(copy, &map, false);
}

// Reads the rows of a tile that are in the tensor: others of a store are not needed. Where the rows
// are permuted, it is not known where these are.
static void read_rows(const struct run_copy *copy) {
    struct launch_result *result = &copy->machine->result;
    const struct step_tile *tile = copy->tile;
    size_t races = result->race_count, outside = 0;
    for (size_t i = 0; i < tile->row_count; i++)
        outside += tile->rows[i].is_outside;
    bool is_whole = outside == 0 || tile->is_permuted;
    if (is_whole)
        touch_part(copy, &copy->from, false);
    for (size_t i = 0; !is_whole && i < tile->row_count; i++) {
        struct copy_part row = copy->from;
        row.offset += tile->rows[i].at;
        row.size = tile->rows[i].size;
        if (!tile->rows[i].is_outside)
            touch_part(copy, &row, false);
    }
    if (!tile->is_permuted || outside == 0 || result->race_count == races)
        return;
    result->race_count = races;
    run_give_up(copy->machine, copy->instruction,
                "which bytes of the tile a store needs is not known");
}

// Copies a tile to shared memory, with zeros for what is outside of the tensor, or from there.
static void transfer_tile(struct run_copy *copy) {
    struct shadow *shadow = copy->machine->shadow;
    const struct step_tile *tile = copy->tile;
    bool loads = is_load(copy->instruction);
    const struct copy_part *shared = loads ? &copy->to : &copy->from;
    struct copy_part *global = loads ? &copy->from : &copy->to;
    global->object = tile->object;
    for (size_t i = 0; i < tile->row_count; i++) {
        const struct step_row *row = &tile->rows[i];
        uint64_t there = shared->offset + row->at;
        global->offset = row->offset;
        global->size = row->size;
        if (row->is_outside && loads)
            fill(shadow, shared->object, there, row->size, zero);
        if (row->is_outside)
            continue;
        touch_part(copy, global, !loads);
        if (loads)
            shadow_copy(shadow, tile->object, row->offset, shared->object, there, row->size);
        else if (!is_reduction(copy->instruction))
            shadow_copy(shadow, shared->object, there, tile->object, row->offset, row->size);
        if (tile->is_permuted && !loads)
            fill(shadow, tile->object, row->offset, row->size, unknown);
    }
    if (loads)
        touch_part(copy, shared, true);
    else
        read_rows(copy);
    if (tile->is_permuted && loads)
        fill(shadow, shared->object, shared->offset, shared->size, unknown);
}

static bool run_tile(struct run_copy *copy) {
    enum { ALIGNMENT = 128 };
    const struct instruction *instruction = copy->instruction;
    bool loads = is_load(instruction);
    struct copy_part *shared = loads ? &copy->to : &copy->from;
    copy->to.proxy = copy->from.proxy = PROXY_ASYNC;
    shared->size = (uint32_t)copy->tile->bytes;
    if (!find_part(copy, loads ? 0 : 2, loads ? instruction->space : instruction->copy.source_space,
                   ALIGNMENT, shared))
        return false;
    if (is_at_mbarrier(copy, shared))
        return run_give_up(copy->machine, instruction,
                           "a copy reads an mbarrier, or writes to one");
    touch_map(copy);
    if (loads)
        return run_load(copy, &instruction->operands[3], false);
    start_in_group(copy);
    note_map(copy, shared);
    transfer_tile(copy);
    return !copy->machine->is_over;
}

// Finds the tile of a tensor copy; gives up where it is not known.
static bool find_tile(struct run_copy *copy, struct arena *arena, struct step_tile *tile) {
    struct machine *machine = copy->machine;
    struct lane *lane = copy->lane;
    const struct instruction *instruction = copy->instruction;
    unsigned object;
    uint64_t offset;
    copy->map = tensormap_tile(machine, lane, instruction, arena, tile);
    if (copy->map != NULL || machine->is_over)
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
static bool check_elements(const struct run_copy *copy) {
    const struct instruction *instruction = copy->instruction;
    return !is_reduction(instruction) || copy->machine->maps.finder != NULL ||
           (copy->map == NULL && scalar_type_bits(instruction->type) > 0) ||
           run_give_up(copy->machine, instruction, "of which type the elements are is not known");
}

static bool run_tensor(struct machine *machine, struct lane *lane,
                       const struct instruction *instruction) {
    struct step_tile tile;
    struct run_copy copy = {machine, lane, instruction, .tile = &tile};
    if (instruction->copy.four_rows || instruction->copy.im2col ||
        (instruction->order != ORDER_WEAK && !is_reduction(instruction)))
        return run_give_up(machine, instruction, "tensor copies of this kind are not run");
    struct arena *scratch = arena_new();
    bool is_fine = find_tile(&copy, scratch, &tile) && check_elements(&copy) && run_tile(&copy);
    arena_free(scratch);
    return is_fine;
}

// --- Groups ------------------------------------------------------------------------------------

// Waits for groups of cp.async, or of bulk copies.
static bool wait_groups(struct machine *machine, struct lane *lane,
                        const struct instruction *instruction) {
    const struct actors *actors = &machine->actors;
    bool is_of_bulk = instruction->opcode != OP_CP_ASYNC_WAIT;
    uint32_t time, own = (uint32_t)lane->index;
    if (!sequence_waited(machine, lane, instruction, is_of_bulk ? &lane->bulk : &lane->copies,
                         &time))
        return false;
    if (time > 0)
        lane_hear(lane, (is_of_bulk ? actors->bulk_reads : actors->copies) + own, time);
    if (time > 0 && instruction->opcode == OP_CP_BULK_WAIT)
        lane_hear(lane, actors->bulk_writes + own, time);
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
    case OP_CP_ASYNC_WAIT:
    case OP_CP_BULK_WAIT:
    case OP_CP_BULK_WAIT_READ: is_fine = wait_groups(machine, lane, instruction); break;
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
    default: return run_give_up(machine, instruction, "operations of this kind are not run");
    }
    lane->pc++;
    return is_fine && !machine->is_over;
}
