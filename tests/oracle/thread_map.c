// What a tensormap says of its tensor (PTX ISA 5.5.8), and the instructions that change it
// (9.7.9.28, 9.7.13.16), in the interpreter of one thread. A map holds the address of the tensor
// and, above it, which of the descriptions met so far it has: 0 for the one that is declared.
#include "tests/oracle/thread_internal.h"

#include <string.h>

enum { ADDRESS_BITS = 56, DESCRIPTIONS_MAX = 200 };

static struct tensor descriptions[DESCRIPTIONS_MAX];
static unsigned description_count;

// "The entire 1024-bit opaque tensor-map object", of which this is what is kept.
static const struct shape map_shape = {TYPE_B64, 1, 1, 8};

static u128 address_in(struct value held) {
    return held.bits & low_ones(ADDRESS_BITS);
}

struct value thread_map_shown(const struct test *test, int variable, struct value held) {
    if (test->variables[variable].tensor != NULL)
        held.bits = address_in(held);
    return held;
}

const struct tensor *thread_map_declared(struct machine *machine, const struct operand *map,
                                         enum state_space space) {
    const struct test *test = machine->memory->test;
    struct spot spot;
    if (map->variable >= 0)
        return test->variables[map->variable].tensor;
    struct content base = machine_source(
        machine, &(struct operand){.kind = OPERAND_REGISTER, .reg = map->reg, .variable = -1}, 64);
    if (!value_is_known(base.value)) {
        machine_stop(machine, PATH_UNKNOWN);
        return NULL;
    }
    uint64_t address = (uint64_t)base.value.bits + (uint64_t)map->offset;
    const struct tensor *tensor = NULL;
    if (memory_find(machine->memory, machine->thread, space, address, 8, &spot)) {
        const struct variable *variable =
            &test->variables[machine->memory->objects[spot.object].variable];
        tensor = spot.offset == 0 ? variable->tensor : NULL;
        for (const struct tensor_part *part = variable->parts; part; part = part->next)
            if (part->offset == spot.offset)
                tensor = part->tensor;
    }
    if (tensor == NULL)
        machine_stop(machine, PATH_OUTSIDE);
    return tensor;
}

bool thread_map_says(struct machine *machine, const struct tensor **tensor, struct value held,
                     uint64_t *address) {
    unsigned number = (unsigned)(held.bits >> ADDRESS_BITS);
    *address = (uint64_t)address_in(held);
    if (number > description_count)
        machine_stop(machine, PATH_UNKNOWN);
    else if (number > 0)
        *tensor = &descriptions[number - 1];
    return !machine->stopped;
}

// Whether the same elements are copied by both.
static bool is_same(const struct tensor *a, const struct tensor *b) {
    bool same = a->rank == b->rank && a->element_size == b->element_size &&
                a->im2col == b->im2col && a->channels == b->channels && a->pixels == b->pixels;
    for (unsigned d = 0; d < a->rank; d++)
        same = same && a->extents[d] == b->extents[d] && a->box[d] == b->box[d] &&
               (d == 0 || a->strides[d] == b->strides[d]);
    return same && memcmp(a->lower, b->lower, sizeof a->lower) == 0 &&
           memcmp(a->upper, b->upper, sizeof a->upper) == 0;
}

// What a map with a declared description holds that has this address and description.
static struct value held_by(struct machine *machine, const struct tensor *declared,
                            struct value address, const struct tensor *tensor) {
    unsigned number = 0;
    if (is_same(declared, tensor))
        return (struct value){address_in(address), address.unknown};
    while (number < description_count && !is_same(&descriptions[number], tensor))
        number++;
    if (number == DESCRIPTIONS_MAX) {
        machine_stop(machine, PATH_UNKNOWN);
        return address;
    }
    descriptions[number] = *tensor;
    description_count += number == description_count;
    address.bits = address_in(address) | (u128)(number + 1) << ADDRESS_BITS;
    return address;
}

// Table 33: the sizes of the types that .elemtype numbers.
static unsigned size_of_type(uint64_t number) {
    static const unsigned sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2};
    return number < sizeof sizes / sizeof *sizes ? sizes[number] : 0;
}

// "Replaces the field, specified by .field qualifier, of the tensor-map object [...] with a new
// value." The other fields stay as they are, the strides too where a dimension is replaced.
static bool change(struct machine *machine, const struct instruction *at, struct tensor *tensor) {
    uint64_t number, ordinal = 0;
    if (!machine_number(machine, &at->operands[at->operand_count - 1], &number) ||
        (at->operand_count > 2 && !machine_number(machine, &at->operands[1], &ordinal)))
        return false;
    switch (at->map_field) {
    case MAP_BOX_DIM: tensor->box[ordinal] = (unsigned)number; break;
    case MAP_GLOBAL_DIM: tensor->extents[ordinal] = (unsigned)number; break;
    case MAP_GLOBAL_STRIDE: tensor->strides[ordinal + 1] = number; break;
    case MAP_ELEMENT_TYPE: tensor->element_size = size_of_type(number); break;
    default: break; // these are as they were
    }
    return true;
}

// Whether some thread may give a map another description, so that it matters which one is there.
static bool descriptions_change(const struct test *test) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            const struct instruction *at = &test->threads[t].instructions[i];
            if ((at->opcode == OP_TENSORMAP_REPLACE && at->map_field != MAP_ADDRESS) ||
                at->opcode == OP_TENSORMAP_CP)
                return true;
        }
    return false;
}

// A read of the whole map. Returns its step, or -1 where the path has stopped.
static int read_whole(struct machine *machine, const struct instruction *at,
                      const struct operand *map) {
    int read = machine_access(machine, at, ACTION_READ, map, &map_shape, 0);
    if (read < 0)
        return -1;
    machine->path->steps[read].element = 0;
    return machine_ask(machine, ASK_READ, &machine->path->steps[read].value) ? read : -1;
}

static void write_whole(struct machine *machine, const struct instruction *at, bool has_read,
                        struct content held) {
    int step = machine_access(machine, at, ACTION_WRITE, &at->operands[0], &map_shape, 0);
    if (step < 0)
        return;
    machine->path->steps[step].value = held.value;
    machine->path->steps[step].sources |= held.sources;
    machine->path->steps[step].element = has_read;
}

void thread_map_replace(struct machine *machine, const struct instruction *at) {
    bool of_address = at->map_field == MAP_ADDRESS;
    bool reads = !of_address || descriptions_change(machine->memory->test);
    const struct tensor *declared = thread_map_declared(machine, &at->operands[0], at->space);
    const struct tensor *tensor = declared;
    struct content address = {value_unknown(64), 0};
    uint64_t old = 0;
    if (declared == NULL)
        return;
    if (of_address)
        address = machine_source(machine, &at->operands[1], 64);
    if (reads) {
        int read = read_whole(machine, at, &at->operands[0]);
        if (read < 0 || !thread_map_says(machine, &tensor, machine->path->steps[read].value, &old))
            return;
        if (!of_address)
            address.value = value_known(old, 64);
        address.sources |= bit((unsigned)read);
        machine->time++;
    }
    struct tensor changed = *tensor;
    if (!of_address && !change(machine, at, &changed))
        return;
    if (reads)
        address.value = held_by(machine, declared, address.value, &changed);
    if (!machine->stopped)
        write_whole(machine, at, reads, address);
}

static void plain_step(struct machine *machine, int step, unsigned position) {
    struct step *plain = &machine->path->steps[step];
    plain->order = ORDER_WEAK;
    plain->scope = SCOPE_NONE;
    plain->position += position;
}

// What the copy leaves in the other map: the address and the description of this one.
static struct value copied(struct machine *machine, const struct instruction *at,
                           struct value held) {
    const struct tensor *to = thread_map_declared(machine, &at->operands[0], SPACE_GLOBAL);
    const struct tensor *from = thread_map_declared(machine, &at->operands[1], SPACE_SHARED);
    uint64_t address;
    if (to == NULL || from == NULL || !thread_map_says(machine, &from, held, &address))
        return held;
    return held_by(machine, to, value_known(address, 64), from);
}

// "Copies data in the generic proxy", then "a uni-directional proxy release pattern" on what was
// written.
void thread_map_copy(struct machine *machine, const struct instruction *at) {
    int read = read_whole(machine, at, &at->operands[1]);
    if (read < 0)
        return;
    plain_step(machine, read, 0);
    struct value value = copied(machine, at, machine->path->steps[read].value);
    int write = machine_access(machine, at, ACTION_WRITE, &at->operands[0], &map_shape, 0);
    if (write < 0)
        return;
    plain_step(machine, write, 1);
    machine->path->steps[write].element = 1;
    machine->path->steps[write].value = value;
    machine->path->steps[write].sources |= bit((unsigned)read);
    struct spot spot = machine->path->steps[write].spot;
    machine->time++;
    int fence = machine_step(machine, at, ACTION_PROXY_FENCE);
    if (fence < 0)
        return;
    struct step *added = &machine->path->steps[fence];
    added->element = 2;
    added->order = ORDER_RELEASE;
    added->proxy = PROXY_TENSORMAP;
    added->spot = spot;
    added->has_spot = true;
    added->size = TENSOR_MAP_BYTES;
}
