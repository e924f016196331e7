// Asynchronous copies (PTX ISA 9.7.9.25), in the interpreter of one thread: what the operation does
// is written down where it is issued, and not as done by the thread.
#include "tests/oracle/compute.h"
#include "tests/oracle/parts.h"
#include "tests/oracle/thread_internal.h"

// --- Sizes ---------------------------------------------------------------------------------------

// From PTX ISA 9.3 on: "strong memory operations with element-wise atomic size specified by .type".
static bool is_relaxed_copy(const struct instruction *at) {
    return at->opcode == OP_CP_BULK && at->order == ORDER_RELAXED;
}

unsigned thread_part_size(const struct machine *machine, const struct instruction *at,
                          uint64_t size, uint64_t taken) {
    unsigned char **sizes = machine->options->part_sizes;
    unsigned part = sizes ? sizes[machine->thread][at - machine->code->instructions]
                          : parts_smallest_of_test(machine->memory->test);
    while (size % part || taken % part)
        part /= 2;
    return part;
}

// Tells the accesses of one instruction apart.
enum { COMPLETION_ELEMENT = 1000, TARGET_ELEMENTS = 100 };

// --- What an operation does ----------------------------------------------------------------------

void thread_give(struct machine *machine, unsigned first, unsigned issue, enum stage stage,
                 enum proxy proxy) {
    for (unsigned i = first; i < machine->path->count; i++) {
        struct step *step = &machine->path->steps[i];
        step->operation = issue + 1;
        step->stage = stage;
        step->target = machine->target;
        step->at_peer = machine->peer > 0;
        if (step->stage != STAGE_COMPLETES)
            step->element = i - issue;
        step->proxy = proxy;
    }
}

static bool is_bulk(enum opcode opcode) {
    return opcode == OP_CP_BULK || opcode == OP_CP_REDUCE || opcode == OP_CP_TENSOR ||
           opcode == OP_CP_BULK_COMMIT || opcode == OP_CP_BULK_WAIT ||
           opcode == OP_CP_BULK_WAIT_READ;
}

// Which of the thread's sequences of groups an instruction is about.
static unsigned sequence_of(enum opcode opcode) {
    return opcode == OP_WGMMA || opcode == OP_WGMMA_COMMIT || opcode == OP_WGMMA_WAIT
               ? 2
               : is_bulk(opcode);
}

// The first access has to be aligned to the whole of what is copied, or to 16 bytes in bulk.
static bool is_aligned(struct machine *machine, unsigned step, unsigned aligned) {
    if (machine->path->count > step && machine->path->steps[step].spot.offset % aligned)
        machine_stop(machine, PATH_OUTSIDE);
    return !machine->stopped;
}

// Of a copy that completes on an mbarrier, not in a group.
static bool is_load(const struct instruction *at) {
    return at->operand_count > 3 && !at->copy.masked;
}

struct transfer {
    unsigned issue, part, aligned;
    struct chosen chosen;
    uint64_t size, taken;
    enum proxy proxy;
    uint64_t sources; // of what decides how much is read
};

static bool read_parts(struct machine *machine, const struct instruction *at,
                       const struct transfer *copy, struct value *values) {
    const struct shape shape = {TYPE_B8, 1, 1, copy->part};
    unsigned first = machine->path->count;
    machine->part_space = &at->copy.source_space;
    for (unsigned i = 0; i * copy->part < copy->taken && !machine->stopped; i++) {
        bool ignored = chosen_ignores(&copy->chosen, i * copy->part);
        if (ignored)
            values[i] = value_unknown(8 * copy->part);
        if (ignored && !chosen_is_there(machine, at, &copy->chosen, i * copy->part, copy->part))
            continue;
        int step = machine_access(machine, at, ACTION_READ, &at->operands[1], &shape, i);
        if (step < 0)
            break;
        machine->path->steps[step].element = (unsigned)step - copy->issue;
        // "The load operations in cp.reduce.async.bulk are treated as weak memory operation."
        if (!is_relaxed_copy(at)) {
            machine->path->steps[step].order = ORDER_WEAK;
            machine->path->steps[step].scope = SCOPE_NONE;
        }
        if (machine_ask(machine, ASK_READ, &machine->path->steps[step].value) && !ignored)
            values[i] = machine->path->steps[step].value;
    }
    machine->part_space = NULL;
    thread_give(machine, first, copy->issue, STAGE_READS, copy->proxy);
    return is_aligned(machine, first, copy->aligned);
}

static bool write_parts(struct machine *machine, const struct instruction *at,
                        const struct transfer *copy, const struct value *values) {
    const struct shape shape = {TYPE_B8, 1, 1, copy->part};
    unsigned first = machine->path->count, read = copy->issue + 1;
    struct operand named;
    unsigned copies = thread_multimem_copies(machine, at, &named);
    for (unsigned n = 0; n * copy->part < copies * copy->size && !machine->stopped; n++) {
        unsigned i = n / copies;
        struct operand address = named;
        address.variable += (int)(n % copies);
        if (at->copy.masked && !(copy->chosen.mask >> i * copy->part % 16 & 1))
            continue;
        int step = machine_access(machine, at, ACTION_WRITE, &address, &shape, i);
        if (step < 0)
            break;
        struct step *added = &machine->path->steps[step];
        if (at->copy.masked && (added->spot.offset - i * copy->part) % copy->aligned)
            machine_stop(machine, PATH_OUTSIDE);
        bool copied = i * copy->part < copy->taken;
        added->value = copied ? values[i] : value_known(0, 8 * copy->part);
        added->sources |= copy->sources;
        if (copied && !chosen_ignores(&copy->chosen, i * copy->part))
            added->sources |=
                bit(read + i - chosen_missing(machine, at, &copy->chosen, copy->part));
    }
    thread_give(machine, first, copy->issue, STAGE_WRITES, copy->proxy);
    return at->copy.masked || is_aligned(machine, first, copy->aligned);
}

// What the read of a reduction finds, combined with the source.
static bool reduce_old(struct machine *machine, const struct instruction *at,
                       const struct transfer *copy, int read, struct value source,
                       struct value *result) {
    if (read < 0)
        return false;
    struct step *old = &machine->path->steps[read];
    old->element = (unsigned)read - copy->issue;
    old->red = true;
    if (!machine_ask(machine, ASK_READ, &old->value))
        return false;
    enum truth writes;
    *result = compute_atomic(at, at->type, false, old->value, source, source, &writes);
    struct value flushed =
        compute_atomic(at, at->type, at->type == TYPE_F32, old->value, source, source, &writes);
    if (!value_equal(*result, flushed)) // PTX says one thing, and an H100 does the other
        *result = value_unknown(8 * copy->part);
    return true;
}

static bool write_reduced(struct machine *machine, int read, int write, struct value result,
                          uint64_t sources) {
    if (write < 0)
        return false;
    machine->path->steps[read].rmw = write;
    struct step *added = &machine->path->steps[write];
    added->red = true;
    added->value = result;
    added->sources |= bit((unsigned)read) | sources;
    return true;
}

// "Each data element in the destination array is reduced inline with the corresponding data element
// in the source array"; each of these is .relaxed.gpu by itself.
static bool reduce_part(struct machine *machine, const struct instruction *at,
                        const struct transfer *copy, const struct value *values,
                        const struct operand *address, unsigned i) {
    const struct shape shape = {at->type, 1, 1, copy->part};
    struct value result;
    int read = machine_access(machine, at, ACTION_READ, address, &shape, i);
    return reduce_old(machine, at, copy, read, values[i], &result) &&
           write_reduced(machine, read,
                         machine_access(machine, at, ACTION_WRITE, address, &shape, i), result,
                         bit(copy->issue + 1 + i));
}

static bool reduce_parts(struct machine *machine, const struct instruction *at,
                         const struct transfer *copy, const struct value *values) {
    unsigned first = machine->path->count;
    struct operand named;
    unsigned copies = thread_multimem_copies(machine, at, &named);
    for (unsigned n = 0; n * copy->part < copies * copy->size; n++) {
        struct operand address = named;
        address.variable += (int)(n % copies);
        if (!reduce_part(machine, at, copy, values, &address, n / copies))
            break;
    }
    thread_give(machine, first, copy->issue, STAGE_WRITES, copy->proxy);
    return is_aligned(machine, first, copy->aligned);
}

// The same without a source: parts of the answer.
static bool write_answer(struct machine *machine, const struct instruction *at,
                         const struct transfer *copy, const struct value *values) {
    unsigned first = machine->path->count;
    if (!write_parts(machine, at, copy, values))
        return false;
    for (unsigned i = first; i < machine->path->count; i++)
        machine->path->steps[i].value = values[i - first];
    return true;
}

static bool add_fence(struct machine *machine, const struct instruction *at,
                      const struct transfer *copy, enum stage stage) {
    int step = machine_step(machine, at, ACTION_PROXY_FENCE);
    if (step < 0)
        return false;
    machine->path->steps[step].order = ORDER_NONE;
    thread_give(machine, (unsigned)step, copy->issue, stage, PROXY_ASYNC);
    return true;
}

// The steps of an operation that have to be done before it is complete.
// Where a multicast is at one CTA, those of that CTA alone, and the reads.
uint64_t thread_parts_of(const struct machine *machine, unsigned issue, bool reads_alone) {
    uint64_t parts = 0;
    for (unsigned i = 0; i < machine->path->count; i++) {
        const struct step *step = &machine->path->steps[i];
        bool read = step->stage == STAGE_MAP || step->stage == STAGE_READS ||
                    step->stage == STAGE_READ_FENCE;
        if (step->operation == issue + 1 && step->stage != STAGE_COMPLETES &&
            (step->target == 0 || step->target == machine->target) && (read || !reads_alone))
            parts |= bit(i);
    }
    return parts;
}

// "A pair of CTAs whose %cluster_ctarank differs by the last bit": of .cta_group::2, the mbarrier
// "can be in shared memory of either the same CTA as the destination or in its peer-CTA".
static bool are_peers(const struct memory *memory, int object, int other) {
    return (memory_rank_of_object(memory, object) ^ memory_rank_of_object(memory, other)) == 1;
}

// "The destination has to be in the shared memory of a different CTA within the cluster"
// (9.7.9.25.4.1), and of red.async, "the CTA to which they belong is different from the CTA of the
// executing thread".
static bool is_for_others(const struct instruction *at) {
    return at->opcode == OP_RED_ASYNC ||
           (at->opcode == OP_CP_BULK && state_space_is_shared(at->copy.source_space));
}

// "The number of CTAs within the cluster is strictly greater than one [...] Otherwise, the behavior
// is undefined" (9.7.9.12).
static bool lacks_peers(const struct test *test, const struct instruction *at, int thread) {
    const struct place *place = &test->threads[thread].place;
    bool lacks = at->opcode == OP_ST_ASYNC;
    for (size_t t = 0; t < test->thread_count; t++)
        lacks &= !test_same_cluster(place, &test->threads[t].place) ||
                 test_same_cta(place, &test->threads[t].place);
    return lacks;
}

// "The mbarrier object must be in the same CTA as the destination."
static bool is_elsewhere(const struct machine *machine, unsigned issue, unsigned step) {
    const struct step *end = &machine->path->steps[step];
    const struct test *test = machine->memory->test;
    if (lacks_peers(test, end->at, machine->thread))
        return true;
    if (is_for_others(end->at) && end->spot.object >= 0 &&
        test_same_cta(&test->threads[machine->memory->objects[end->spot.object].thread].place,
                      &test->threads[machine->thread].place))
        return true;
    for (unsigned i = 0; i < machine->path->count && end->action == ACTION_WRITE; i++) {
        const struct step *write = &machine->path->steps[i];
        if (write->operation == issue + 1 && write->stage == STAGE_WRITES &&
            write->target == end->target && write->spot.object >= 0 && end->spot.object >= 0 &&
            machine->memory->objects[write->spot.object].thread !=
                machine->memory->objects[end->spot.object].thread &&
            !(end->at->of_pair && are_peers(machine->memory, write->spot.object, end->spot.object)))
            return true;
    }
    return false;
}

// "The complete-tx on the mbarrier has .release semantics at .cluster scope" is not in 9.7.9.12 of
// PTX ISA 9.3.
static bool is_silent(const struct machine *machine, const struct instruction *at) {
    return at->opcode == OP_ST_ASYNC && machine->memory->test->directives.version >= 93;
}

// "The complete-tx operation has .release semantics at the .cluster scope"; the arrival of
// cp.async.mbarrier.arrive is one of its CTA.
void thread_complete(struct machine *machine, const struct instruction *at,
                     const struct operand *address, unsigned issue, int arrives, uint64_t bytes,
                     uint64_t completes) {
    unsigned first = machine->path->count;
    machine->first_element = COMPLETION_ELEMENT + machine->target * TARGET_ELEMENTS;
    thread_mbarrier_count(machine, at, address, MBARRIER_COMPLETES, arrives, bytes);
    machine->first_element = 0;
    thread_give(machine, first, issue, STAGE_COMPLETES, PROXY_GENERIC);
    for (unsigned i = first; i < machine->path->count; i++) {
        machine->path->steps[i].order = is_silent(machine, at) ? ORDER_RELAXED : ORDER_RELEASE;
        machine->path->steps[i].scope =
            arrives && at->opcode != OP_TENSOR_COMMIT ? SCOPE_CTA : SCOPE_CLUSTER;
        machine->path->steps[i].completes = completes;
        machine->path->steps[i].is_arrival = arrives > 0;
        machine->path->steps[i].undefined |= is_elsewhere(machine, issue, i);
    }
}

// --- Instructions --------------------------------------------------------------------------------

int thread_issue(struct machine *machine, const struct instruction *at, int group) {
    int step = machine_step(machine, at, ACTION_ISSUE);
    if (step < 0)
        return -1;
    machine->path->steps[step].order = ORDER_NONE;
    machine->path->steps[step].stage = STAGE_ISSUE;
    machine->path->steps[step].position++;
    machine->path->steps[step].group = group;
    machine->path->steps[step].element = 0;
    return step;
}

// How much is read: a number of bytes, or a predicate that says that nothing is.
static bool take_source(struct machine *machine, const struct instruction *at,
                        struct transfer *copy) {
    const struct operand *operand = &at->operands[3];
    bool predicate =
        operand->kind == OPERAND_REGISTER && machine->code->registers[operand->reg].width == 1;
    if (!predicate)
        return machine_number(machine, operand, &copy->taken);
    struct content ignored = machine_source(machine, operand, 1);
    if (!value_is_known(ignored.value))
        machine_stop(machine, PATH_UNKNOWN);
    if (ignored.value.bits != 0)
        copy->taken = 0;
    copy->sources = ignored.sources;
    return !machine->stopped;
}

// Writes, and completes: once, or for each CTA of a multicast.
static void finish(struct machine *machine, const struct instruction *at,
                   const struct transfer *copy, const struct value *values) {
    bool bulk = is_bulk(at->opcode), reduces = at->opcode == OP_CP_REDUCE;
    if (!(reduces ? reduce_parts : write_parts)(machine, at, copy, values) ||
        (bulk && !add_fence(machine, at, copy, STAGE_FENCE)))
        return;
    if (bulk && is_load(at))
        thread_complete(machine, at, &at->operands[3], copy->issue, 0, copy->size,
                        thread_parts_of(machine, copy->issue, false));
}

static void run_copy(struct machine *machine, const struct instruction *at) {
    bool bulk = is_bulk(at->opcode), load = bulk && is_load(at);
    struct value values[STEPS_MAX] = {{0, 0}};
    struct transfer copy = {.proxy = bulk ? PROXY_ASYNC : PROXY_GENERIC};
    if (!machine_number(machine, &at->operands[2], &copy.size))
        return;
    copy.taken = copy.size;
    if (!bulk && at->operand_count > 3 && !take_source(machine, at, &copy))
        return;
    copy.part = at->opcode == OP_CP_REDUCE || is_relaxed_copy(at)
                    ? scalar_type_bits(at->type) / 8
                    : thread_part_size(machine, at, copy.size, copy.taken);
    if (!chosen_find(machine, at, copy.size, &copy.chosen))
        return;
    while (chosen_divides(&copy.chosen, copy.part))
        copy.part /= 2;
    copy.aligned = bulk ? 16 : (unsigned)copy.size;
    int issue = thread_issue(machine, at, load ? -1 : (int)machine->commits[bulk]);
    if (issue < 0 || copy.size / copy.part > STEPS_MAX)
        return;
    copy.issue = (unsigned)issue;
    if (!read_parts(machine, at, &copy, values) ||
        (bulk && !load && !add_fence(machine, at, &copy, STAGE_READ_FENCE)))
        return;
    uint64_t ranks = 0;
    if (!bulk || at->operand_count < 5 || at->copy.ignores) {
        finish(machine, at, &copy, values);
        return;
    }
    if (!machine_number(machine, &at->operands[4], &ranks))
        return;
    for (unsigned rank = 0; rank < 16 && !machine->stopped; rank++)
        if (ranks >> rank & 1) {
            machine->target = rank + 1;
            finish(machine, at, &copy, values);
        }
    machine->target = 0;
}

// --- Tiles ---------------------------------------------------------------------------------------

struct tile {
    const struct tensor *tensor;
    struct corner corner;
    uint64_t base;
    unsigned map; // the step that has read the tensormap
};

// The access to a part of the tensor. Returns its step, or -1.
static int tensor_access(struct machine *machine, const struct instruction *at,
                         const struct transfer *copy, const struct tile *tile, enum action action,
                         int64_t place) {
    static const enum state_space global = SPACE_GLOBAL;
    const struct shape shape = {at->atomic == ATOMIC_NONE ? TYPE_B8 : at->type, 1, 1, copy->part};
    const struct operand address = {.kind = OPERAND_MEMORY,
                                    .reg = -1,
                                    .variable = -1,
                                    .offset = (int64_t)(tile->base + (uint64_t)place)};
    machine->part_space = &global;
    int step = machine_access(machine, at, action, &address, &shape, 0);
    machine->part_space = NULL;
    if (step >= 0)
        machine->path->steps[step].sources |= bit(tile->map);
    return step;
}

// "The load operations in cp.reduce.async.bulk.tensor are treated as weak."
static void is_weak(struct machine *machine, int step) {
    machine->path->steps[step].order = ORDER_WEAK;
    machine->path->steps[step].scope = SCOPE_NONE;
}

// Reads a part: of the tensor, or of the box in shared memory. `from`: the step; -1: none.
static bool tile_read(struct machine *machine, const struct instruction *at,
                      const struct transfer *copy, const struct tile *tile, bool load, unsigned i,
                      struct value *value, int *from) {
    static const enum state_space shared = SPACE_SHARED;
    const struct shape shape = {TYPE_B8, 1, 1, copy->part};
    int64_t place = thread_tile_place(at, tile->tensor, &tile->corner, (uint64_t)i * copy->part);
    *from = -1;
    *value = value_known(0, 8 * copy->part);
    if (place < 0)
        return true;
    if (load) {
        *from = tensor_access(machine, at, copy, tile, ACTION_READ, place);
    } else {
        machine->part_space = &shared;
        *from = machine_access(machine, at, ACTION_READ, &at->operands[2], &shape, i);
        machine->part_space = NULL;
    }
    if (*from < 0)
        return false;
    machine->path->steps[*from].element = (unsigned)*from - copy->issue;
    is_weak(machine, *from);
    if (!machine_ask(machine, ASK_READ, &machine->path->steps[*from].value))
        return false;
    *value = machine->path->steps[*from].value;
    return true;
}

// "Each element of the tensor data in the .dst state space is reduced inline with the
// corresponding element"; each of these is .relaxed.gpu by itself.
static bool tile_reduce(struct machine *machine, const struct instruction *at,
                        const struct transfer *copy, const struct tile *tile, int64_t place,
                        struct value value, int from) {
    struct value result;
    int read = tensor_access(machine, at, copy, tile, ACTION_READ, place);
    return reduce_old(machine, at, copy, read, value, &result) &&
           write_reduced(machine, read, tensor_access(machine, at, copy, tile, ACTION_WRITE, place),
                         result, from < 0 ? 0 : bit((unsigned)from));
}

static bool tile_write(struct machine *machine, const struct instruction *at,
                       const struct transfer *copy, const struct tile *tile, bool load, unsigned i,
                       struct value value, int from) {
    const struct shape shape = {TYPE_B8, 1, 1, copy->part};
    int64_t place = thread_tile_place(at, tile->tensor, &tile->corner, (uint64_t)i * copy->part);
    int step;
    if (load)
        step = machine_access(machine, at, ACTION_WRITE, &at->operands[0], &shape, i);
    else if (place < 0)
        return true;
    else if (at->atomic != ATOMIC_NONE)
        return tile_reduce(machine, at, copy, tile, place, value, from);
    else
        step = tensor_access(machine, at, copy, tile, ACTION_WRITE, place);
    if (step < 0)
        return false;
    machine->path->steps[step].value = value;
    machine->path->steps[step].sources |= from < 0 ? 0 : bit((unsigned)from);
    return true;
}

// The tensormap says where the tensor is.
static bool read_map(struct machine *machine, const struct instruction *at,
                     const struct operand *map, struct transfer *copy, struct tile *tile) {
    const struct shape shape = {TYPE_B64, 1, 1, 8};
    static const enum state_space generic = SPACE_GENERIC;
    machine->part_space = &generic;
    int step = machine_access(machine, at, ACTION_READ, map, &shape, 0);
    machine->part_space = NULL;
    if (step < 0)
        return false;
    machine->path->steps[step].element = (unsigned)step - copy->issue;
    is_weak(machine, step);
    if (!machine_ask(machine, ASK_READ, &machine->path->steps[step].value))
        return false;
    thread_give(machine, (unsigned)step, copy->issue, STAGE_MAP, PROXY_TENSORMAP);
    if (!value_is_known(machine->path->steps[step].value)) {
        machine_stop(machine, PATH_UNKNOWN);
        return false;
    }
    tile->map = (unsigned)step;
    return thread_map_says(machine, &tile->tensor, machine->path->steps[step].value, &tile->base);
}

static bool corner_of(struct machine *machine, const struct instruction *at,
                      const struct operand *coordinates, struct transfer *copy, struct tile *tile) {
    const struct operand *offsets = &at->operands[4];
    copy->size = thread_tile_size(at, tile->tensor);
    for (size_t d = 0; at->copy.im2col && at->operand_count > 4 && d < offsets->element_count;
         d++) {
        uint64_t offset;
        if (!machine_number(machine, &offsets->elements[d], &offset))
            return false;
        tile->corner.offset[d] = (int64_t)offset;
    }
    for (size_t d = 0; d < coordinates->element_count; d++) {
        struct content where = machine_source(machine, &coordinates->elements[d], 32);
        if (!value_is_known(where.value)) {
            machine_stop(machine, PATH_UNKNOWN);
            return false;
        }
        tile->corner.at[d] = (int32_t)(uint32_t)where.value.bits;
    }
    copy->part = at->atomic == ATOMIC_NONE ? thread_part_size(machine, at, copy->size, copy->size)
                                           : scalar_type_bits(at->type) / 8;
    copy->aligned = 16;
    return copy->size / copy->part <= STEPS_MAX;
}

// The writes to a CTA, or to the tensor, their fence, and the completion.
static bool tile_deliver(struct machine *machine, const struct instruction *at,
                         const struct transfer *copy, const struct tile *tile, bool load,
                         const struct value *values, const int *from) {
    unsigned first = machine->path->count;
    for (unsigned i = 0; i * copy->part < copy->size; i++)
        if (!tile_write(machine, at, copy, tile, load, i, values[i], from[i]))
            return false;
    thread_give(machine, first, copy->issue, STAGE_WRITES, PROXY_ASYNC);
    if (!add_fence(machine, at, copy, STAGE_FENCE))
        return false;
    if (load)
        thread_complete(machine, at, &at->operands[3], copy->issue, 0, copy->size,
                        thread_parts_of(machine, copy->issue, false));
    return !machine->stopped;
}

// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor, of a tile.
static void run_tensor(struct machine *machine, const struct instruction *at) {
    bool load = at->operand_count > 3;
    const struct operand *map = &at->operands[load ? 1 : 0];
    struct tile tile = {.tensor = thread_map_declared(machine, map, SPACE_GENERIC)};
    struct transfer copy = {.proxy = PROXY_ASYNC};
    struct value values[STEPS_MAX];
    int from[STEPS_MAX];
    uint64_t ranks = 0;
    unsigned mask = at->copy.im2col ? 5 : 4; // the offsets are before it
    if (tile.tensor == NULL ||
        (at->operand_count > mask && !machine_number(machine, &at->operands[mask], &ranks)))
        return;
    int issue = thread_issue(machine, at, (int)machine->commits[1]);
    if (issue < 0)
        return;
    copy.issue = (unsigned)issue;
    if (!read_map(machine, at, map, &copy, &tile) || !corner_of(machine, at, map + 1, &copy, &tile))
        return;
    unsigned first = machine->path->count;
    for (unsigned i = 0; i * copy.part < copy.size; i++)
        if (!tile_read(machine, at, &copy, &tile, load, i, &values[i], &from[i]))
            return;
    thread_give(machine, first, copy.issue, STAGE_READS, PROXY_ASYNC);
    if (!load && !add_fence(machine, at, &copy, STAGE_READ_FENCE))
        return;
    if (at->operand_count <= mask) {
        tile_deliver(machine, at, &copy, &tile, load, values, from);
        return;
    }
    for (unsigned rank = 0; rank < 16; rank++) {
        machine->target = rank + 1;
        if ((ranks >> rank & 1) != 0 &&
            !tile_deliver(machine, at, &copy, &tile, load, values, from))
            break;
    }
    machine->target = 0;
}

// st.async: "the source operands are read when the instruction is executed".
static void run_store(struct machine *machine, const struct instruction *at) {
    const struct operand *source = &at->operands[1];
    unsigned size = scalar_type_bits(at->type) / 8;
    unsigned count = source->kind == OPERAND_VECTOR ? (unsigned)source->element_count : 1;
    const struct shape shape = {TYPE_B8, 1, 1, size};
    int issue = thread_issue(machine, at, -1);
    if (issue < 0)
        return;
    unsigned first = machine->path->count;
    struct operand named;
    unsigned copies = thread_multimem_copies(machine, at, &named);
    for (unsigned n = 0; n < copies * count && !machine->stopped; n++) {
        unsigned i = n / copies;
        struct content value =
            machine_source(machine, count > 1 ? &source->elements[i] : source, 8 * size);
        struct operand address = named;
        address.variable += (int)(n % copies);
        int step = machine_access(machine, at, ACTION_WRITE, &address, &shape, i);
        if (step < 0)
            return;
        machine->path->steps[step].value = value.value;
        machine->path->steps[step].sources |= value.sources;
    }
    thread_give(machine, first, (unsigned)issue, STAGE_WRITES, PROXY_GENERIC);
    if (is_aligned(machine, first, count * size) && at->operand_count > 2)
        thread_complete(machine, at, &at->operands[2], (unsigned)issue, 0, count * size,
                        thread_parts_of(machine, (unsigned)issue, false));
}

// At one address. Returns false when the path has stopped.
static bool reduce_once(struct machine *machine, const struct instruction *at, int issue,
                        const struct operand *address) {
    const struct operand *operands[2] = {&at->operands[1], NULL};
    const struct shape shape = {at->type, 1, 1, scalar_type_bits(at->type) / 8};
    int read = machine_access(machine, at, ACTION_READ, address, &shape, 0);
    if (read < 0)
        return false;
    machine->path->steps[read].element = (unsigned)(read - issue);
    if (!machine_ask(machine, ASK_READ, &machine->path->steps[read].value))
        return false;
    machine_modify(machine, at, operands, &shape, address, read, 0);
    return !machine->stopped;
}

// red.async: "the reduce operation is a relaxed memory operation", or one with .release. "At memory
// locations residing on each GPU's memory referred to by the destination multimem address": one at
// each.
static void run_reduction(struct machine *machine, const struct instruction *at) {
    unsigned size = scalar_type_bits(at->type) / 8;
    int issue = thread_issue(machine, at, -1);
    if (issue < 0)
        return;
    unsigned first = machine->path->count;
    struct operand named;
    unsigned copies = thread_multimem_copies(machine, at, &named);
    for (unsigned n = 0; n < copies; n++) {
        struct operand address = named;
        address.variable += (int)n;
        if (!reduce_once(machine, at, issue, &address))
            return;
    }
    if (machine->stopped)
        return;
    thread_give(machine, first, (unsigned)issue, STAGE_WRITES, PROXY_GENERIC);
    if (is_aligned(machine, first, size) && at->operand_count > 2)
        thread_complete(machine, at, &at->operands[2], (unsigned)issue, 0, size,
                        thread_parts_of(machine, (unsigned)issue, false));
}

// "Asynchronously writes an opaque response" of 16 bytes; with .multicast::cluster::all "to the
// corresponding local shared memory of each CTA".
static void cancel(struct machine *machine, const struct instruction *at) {
    struct value values[STEPS_MAX] = {{0, 0}};
    struct transfer copy = {.proxy = PROXY_ASYNC, .size = 16, .aligned = 16};
    int issue = thread_issue(machine, at, -1);
    if (issue < 0)
        return;
    copy.issue = (unsigned)issue;
    copy.part = thread_part_size(machine, at, copy.size, 0);
    if (!machine_ask(machine, ASK_ANSWER, &machine->path->steps[issue].value))
        return;
    for (unsigned i = 0; i < copy.size / copy.part; i++)
        values[i] =
            value_slice(machine->path->steps[issue].value, 8 * i * copy.part, 8 * copy.part);
    unsigned ctas = at->copy.to_all ? memory_cluster_size(machine->memory, machine->thread) : 1;
    for (unsigned rank = 0; rank < ctas && !machine->stopped; rank++) {
        machine->target = at->copy.to_all ? rank + 1 : 0;
        if (write_answer(machine, at, &copy, values) && add_fence(machine, at, &copy, STAGE_FENCE))
            thread_complete(machine, at, &at->operands[1], copy.issue, 0, copy.size,
                            thread_parts_of(machine, copy.issue, false));
    }
    machine->target = 0;
}

// "Makes the system track all prior cp.async operations": without .noinc the pending count goes up
// first.
static void arrive(struct machine *machine, const struct instruction *at) {
    uint64_t parts = 0;
    if (at->opcode == OP_CP_ASYNC_ARRIVE) {
        if (thread_mbarrier_count(machine, at, &at->operands[0], MBARRIER_RAISES, -1, 0) < 0)
            return;
    }
    int issue = thread_issue(machine, at, -1);
    if (issue < 0)
        return;
    for (unsigned i = 0; i < machine->path->count; i++)
        if (machine->path->steps[i].action == ACTION_ISSUE &&
            machine->path->steps[i].at->opcode == OP_CP_ASYNC)
            parts |= thread_parts_of(machine, i, false);
    thread_complete(machine, at, &at->operands[0], (unsigned)issue, 1, 0, parts);
}

// A bulk async-group "optionally can be used for the completion of reading of the tensormap object"
// of a load, whose completion is on an mbarrier.
static uint64_t map_of(const struct machine *machine, unsigned issue) {
    uint64_t parts = 0;
    for (unsigned i = 0; i < machine->path->count; i++)
        if (machine->path->steps[i].operation == issue + 1 &&
            machine->path->steps[i].stage == STAGE_MAP)
            parts |= bit(i);
    return parts;
}

// "Wait until N or fewer of the most recent groups are pending."
static void wait_for_groups(struct machine *machine, const struct instruction *at) {
    bool all = at->opcode == OP_CP_ASYNC_WAIT_ALL;
    unsigned sequence = sequence_of(at->opcode);
    uint64_t pending = 0, parts = 0;
    if (!all && !machine_number(machine, &at->operands[0], &pending))
        return;
    machine->commits[sequence] += all;
    for (unsigned i = 0; i < machine->path->count; i++) {
        const struct step *step = &machine->path->steps[i];
        if (step->action == ACTION_ISSUE && step->group >= 0 &&
            sequence_of(step->at->opcode) == sequence &&
            (uint64_t)step->group + pending < machine->commits[sequence])
            parts |= step->at->opcode == OP_CP_TENSOR && step->at->operand_count > 3
                         ? map_of(machine, i)
                         : thread_parts_of(machine, i, at->opcode == OP_CP_BULK_WAIT_READ);
    }
    int step = machine_step(machine, at, ACTION_ASYNC_WAIT);
    if (step < 0)
        return;
    machine->path->steps[step].order = ORDER_NONE;
    machine->path->steps[step].completes = parts;
    if (at->opcode == OP_WGMMA_WAIT)
        thread_products_waited(machine, pending);
}

// A step, from which what the grids before have done is ordered.
static void wait_for_grids(struct machine *machine, const struct instruction *at) {
    int step = machine_step(machine, at, ACTION_ASYNC_WAIT);
    if (step >= 0)
        machine->path->steps[step].order = ORDER_NONE;
}

// What precedes it may count for the grids that depend on the thread's own; else it does nothing.
static void launch_dependents(struct machine *machine, const struct instruction *at) {
    const struct test *test = machine->memory->test;
    const struct place *own = &test->threads[machine->thread].place;
    bool launches = false;
    for (size_t t = 0; t < test->thread_count && !own->host; t++)
        launches = launches || (!test->threads[t].place.host &&
                                memory_depends_on(test, test->threads[t].place.grid, own->grid));
    int step = launches ? machine_step(machine, at, ACTION_LAUNCH) : -1;
    if (step >= 0)
        machine->path->steps[step].order = ORDER_NONE;
}

bool thread_async(struct machine *machine, const struct instruction *at) {
    switch (at->opcode) {
    case OP_CP_ASYNC:
    case OP_CP_BULK:
    case OP_CP_REDUCE: run_copy(machine, at); return true;
    case OP_CP_TENSOR: run_tensor(machine, at); return true;
    case OP_CANCEL_TRY: cancel(machine, at); return true;
    case OP_ST_ASYNC: run_store(machine, at); return true;
    case OP_RED_ASYNC: run_reduction(machine, at); return true;
    case OP_CP_ASYNC_ARRIVE:
    case OP_CP_ASYNC_ARRIVE_NOINC: arrive(machine, at); return true;
    case OP_CP_ASYNC_COMMIT:
    case OP_CP_BULK_COMMIT:
    case OP_WGMMA_COMMIT: machine->commits[sequence_of(at->opcode)]++; return true;
    case OP_CP_ASYNC_WAIT:
    case OP_CP_ASYNC_WAIT_ALL:
    case OP_CP_BULK_WAIT:
    case OP_WGMMA_WAIT:
    case OP_CP_BULK_WAIT_READ: wait_for_groups(machine, at); return true;
    case OP_GRID_WAIT: wait_for_grids(machine, at); return true;
    case OP_GRID_LAUNCH: launch_dependents(machine, at); return true;
    default: return thread_product(machine, at) || thread_tensor(machine, at);
    }
}

bool thread_is_async(enum opcode opcode) {
    enum opcode_family family = opcode_family(opcode);
    return (opcode_is_asynchronous(opcode) && opcode != OP_CANCEL_QUERY) ||
           family == FAMILY_TENSORMAP || family == FAMILY_GRID;
}
