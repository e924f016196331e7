// A window of a space is a range of addresses. Those of one space begin at its base when they are
// generic and near zero when they are relative to the window; .global has no window of its own.
// Each CTA of a cluster has a part of the window of .shared::cluster; part 0 is that of the
// thread's own CTA, which .shared::cta is.
#include "tests/oracle/memory.h"

#include "tests/oracle/mbarrier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARED_BASE UINT64_C(0x0c0000000000)
#define LOCAL_BASE UINT64_C(0x0d0000000000)
#define CONST_BASE UINT64_C(0x0e0000000000)
#define WINDOW_SIZE UINT64_C(0x100000000)
#define CTA_PART UINT64_C(0x10000000)

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(4);
    }
    return memory;
}

// --- Variables -----------------------------------------------------------------------------------

// A parameter of a function lies in local memory.
static enum state_space space_of(const struct variable *variable) {
    return variable->is_parameter ? SPACE_LOCAL : variable->space;
}

static bool is_shared(enum state_space space) {
    return space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER;
}

static unsigned size_of(const struct variable *variable) {
    return (unsigned)(scalar_type_bits(variable->type) / 8 * variable->element_count);
}

// The variable whose memory it is.
static int physical(const struct test *test, int variable) {
    while (test->variables[variable].alias_of >= 0)
        variable = test->variables[variable].alias_of;
    return variable;
}

// The variable whose virtual address it is: names in another proxy are at the address of what they
// alias.
static int virtual_range(const struct test *test, int variable) {
    while (test->variables[variable].alias_of >= 0 &&
           test->variables[variable].alias_proxy != PROXY_GENERIC &&
           test->variables[variable].alias_proxy != PROXY_FABRIC) // its handle is another address
        variable = test->variables[variable].alias_of;
    return variable;
}

static bool is_first_of_cta(const struct test *test, size_t thread) {
    for (size_t i = 0; i < thread; i++)
        if (test_same_cta(&test->threads[i].place, &test->threads[thread].place))
            return false;
    return true;
}

static void add_object(struct memory *memory, int variable, int thread) {
    struct object object = {variable, thread, size_of(&memory->test->variables[variable])};
    memory->objects[memory->count++] = object;
}

// ".shared variables are one instance per CTA; .local and .param one per thread; .const and
// .global one per program".
static void add_objects(struct memory *memory, int variable) {
    enum state_space space = space_of(&memory->test->variables[variable]);
    bool per_cta = space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER || space == SPACE_TENSOR;
    bool per_thread = space == SPACE_LOCAL || space == SPACE_PARAM;
    if (!per_cta && !per_thread)
        add_object(memory, variable, -1);
    for (size_t i = 0; i < memory->test->thread_count; i++)
        if (per_thread || (per_cta && is_first_of_cta(memory->test, i)))
            add_object(memory, variable, (int)i);
}

// "Addresses of two variables differ in two bytes, so that a torn address lies outside of both",
// and a mix with zero, too (memory-model section 2). The first of them is a multiple of 64 KiB.
static uint64_t address_of(uint64_t number) {
    return ((number + number / 255) % 15 + 1) << 24 | (number % 255 + 1) << 16;
}

// "Matrix-descriptor-encode(x) = (x & 0x3FFFF) >> 4": where there are descriptors, variables follow
// each other, those in shared memory first, which have to end below 2^18.
static bool has_descriptors(const struct test *test) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            if (instruction_has_descriptors(&test->threads[t].instructions[i]))
                return true;
    return false;
}

struct memory memory_new(const struct test *test) {
    enum { UNIT = 1024 };
    uint64_t next = UNIT;
    bool low = has_descriptors(test);
    struct memory memory = {.test = test};
    size_t most = test->variable_count * (test->thread_count + 1);
    memory.objects = allocate(most, sizeof *memory.objects);
    memory.offsets = allocate(test->variable_count, sizeof *memory.offsets);
    for (int shared = 1; shared >= 0; shared--)
        for (size_t i = 0; i < test->variable_count; i++) {
            if (is_shared(space_of(&test->variables[physical(test, (int)i)])) != shared)
                continue;
            memory.offsets[i] = low ? next : address_of(i);
            next += (size_of(&test->variables[i]) / UNIT + 2) * UNIT;
        }
    for (size_t i = 0; i < test->variable_count; i++)
        if (test->variables[i].alias_of < 0)
            add_objects(&memory, (int)i);
    return memory;
}

void memory_free(struct memory *memory) {
    free(memory->objects);
    free(memory->offsets);
    memory->objects = NULL;
    memory->offsets = NULL;
}

int memory_object_of(const struct memory *memory, int thread, int variable) {
    const struct thread *threads = memory->test->threads;
    int owner = physical(memory->test, variable);
    enum state_space space = space_of(&memory->test->variables[owner]);
    for (size_t i = 0; i < memory->count; i++) {
        const struct object *object = &memory->objects[i];
        if (object->variable != owner)
            continue;
        if (object->thread < 0 || object->thread == thread)
            return (int)i;
        if ((space == SPACE_SHARED || space == SPACE_TENSOR) &&
            test_same_cta(&threads[object->thread].place, &threads[thread].place))
            return (int)i;
    }
    return -1;
}

int memory_object_in_cta(const struct memory *memory, unsigned cta, int variable) {
    const struct thread *threads = memory->test->threads;
    for (size_t i = 0; i < memory->test->thread_count; i++)
        if (threads[i].place.cta == cta && !threads[i].place.host)
            return memory_object_of(memory, (int)i, variable);
    return -1;
}

// --- Clusters ------------------------------------------------------------------------------------

// How many CTAs of the thread's cluster have a smaller number than `cta`, and how many there are.
static unsigned rank_in_cluster(const struct test *test, int thread, unsigned cta) {
    unsigned rank = 0;
    for (size_t i = 0; i < test->thread_count; i++)
        if (test_same_cluster(&test->threads[i].place, &test->threads[thread].place) &&
            test->threads[i].place.cta < cta && is_first_of_cta(test, i))
            rank++;
    return rank;
}

static unsigned ctas_in_cluster(const struct test *test, int thread) {
    return rank_in_cluster(test, thread, ~0U);
}

// A thread of the CTA with that rank in the cluster of the thread, or -1.
static int thread_of_rank(const struct test *test, int thread, unsigned rank) {
    for (size_t i = 0; i < test->thread_count; i++)
        if (test_same_cluster(&test->threads[i].place, &test->threads[thread].place) &&
            rank_in_cluster(test, thread, test->threads[i].place.cta) == rank)
            return (int)i;
    return -1;
}

static unsigned own_rank(const struct test *test, int thread) {
    return rank_in_cluster(test, thread, test->threads[thread].place.cta);
}

unsigned memory_cluster_size(const struct memory *memory, int thread) {
    return ctas_in_cluster(memory->test, thread);
}

// --- Addresses -----------------------------------------------------------------------------------

// The base of a space's window; 0 for .global, whose addresses are generic.
static uint64_t base_of(enum state_space space) {
    switch (space) {
    case SPACE_SHARED:
    case SPACE_SHARED_CLUSTER: return SHARED_BASE;
    case SPACE_LOCAL: return LOCAL_BASE;
    case SPACE_CONST: return CONST_BASE;
    default: return 0;
    }
}

static enum state_space window_of(uint64_t generic) {
    static const enum state_space spaces[] = {SPACE_SHARED, SPACE_LOCAL, SPACE_CONST};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (generic >= base_of(spaces[i]) && generic < base_of(spaces[i]) + WINDOW_SIZE)
            return spaces[i];
    return SPACE_GLOBAL;
}

uint64_t memory_address(const struct memory *memory, int thread, int variable) {
    (void)thread;
    return memory->offsets[variable];
}

uint64_t memory_generic_address(const struct memory *memory, int thread, int variable) {
    uint64_t address = memory->offsets[variable], generic = address;
    enum state_space space = space_of(&memory->test->variables[physical(memory->test, variable)]);
    memory_to_generic(memory, thread, space, address, &generic);
    return generic;
}

bool memory_to_generic(const struct memory *memory, int thread, enum state_space space,
                       uint64_t address, uint64_t *generic) {
    bool shared = space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER;
    uint64_t part = shared ? address / CTA_PART : 0;
    if (base_of(space) != 0 && address >= WINDOW_SIZE)
        return false;
    if (shared && part == 0)
        address += CTA_PART * (own_rank(memory->test, thread) + 1);
    *generic = base_of(space) + address;
    return true;
}

bool memory_from_generic(const struct memory *memory, int thread, enum state_space space,
                         uint64_t generic, uint64_t *address) {
    if (!memory_is_in_space(memory, thread, space, generic))
        return false;
    *address = generic - base_of(space);
    bool shared = space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER;
    if (shared && *address / CTA_PART == own_rank(memory->test, thread) + 1)
        *address %= CTA_PART;
    return true;
}

bool memory_is_in_space(const struct memory *memory, int thread, enum state_space space,
                        uint64_t generic) {
    enum state_space window = window_of(generic);
    if (space == SPACE_SHARED)
        return window == SPACE_SHARED &&
               (generic - SHARED_BASE) / CTA_PART == own_rank(memory->test, thread) + 1;
    if (space == SPACE_SHARED_CLUSTER)
        return window == SPACE_SHARED;
    struct spot spot;
    bool is_parameter =
        window == SPACE_GLOBAL && memory_find(memory, thread, SPACE_PARAM, generic, 1, &spot);
    if (space == SPACE_PARAM)
        return is_parameter;
    return window == space;
}

// Whether a variable may be reached by an address relative to the window of `space`.
static bool is_reachable(const struct variable *variable, enum state_space space) {
    enum state_space own = space_of(variable);
    if (space == SPACE_SHARED_CLUSTER)
        space = SPACE_SHARED;
    if (space == SPACE_PARAM)
        return variable->space == SPACE_PARAM;
    if (space == SPACE_GLOBAL) // kernel parameters lie in the window of .global
        return own == SPACE_GLOBAL || own == SPACE_PARAM;
    return own == space;
}

static bool find_in_window(const struct memory *memory, int thread, enum state_space space,
                           uint64_t address, unsigned size, struct spot *spot) {
    for (size_t v = 0; v < memory->test->variable_count; v++) {
        const struct variable *owner = &memory->test->variables[physical(memory->test, (int)v)];
        if (!is_reachable(owner, space) || address < memory->offsets[v])
            continue;
        uint64_t offset = address - memory->offsets[v];
        if (offset < size_of(owner) &&
            memory_find_variable(memory, thread, (int)v, (int64_t)offset, size, spot))
            return true;
    }
    return false;
}

bool memory_find(const struct memory *memory, int thread, enum state_space space, uint64_t address,
                 unsigned size, struct spot *spot) {
    if (space == SPACE_GENERIC) {
        space = window_of(address);
        address -= base_of(space);
        if (space == SPACE_SHARED)
            space = SPACE_SHARED_CLUSTER;
    }
    uint64_t part = address / CTA_PART;
    if ((space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER) && part > 0) {
        int other = thread_of_rank(memory->test, thread, (unsigned)part - 1);
        if (other < 0 || (space == SPACE_SHARED && part - 1 != own_rank(memory->test, thread)))
            return false;
        thread = other;
        address %= CTA_PART;
    }
    return find_in_window(memory, thread, space, address, size, spot);
}

bool memory_find_variable(const struct memory *memory, int thread, int variable, int64_t offset,
                          unsigned size, struct spot *spot) {
    const struct variable *owner = &memory->test->variables[physical(memory->test, variable)];
    int object = memory_object_of(memory, thread, variable);
    if (object < 0 || offset < 0 || (uint64_t)offset + size > size_of(owner))
        return false;
    spot->object = object;
    spot->offset = (unsigned)offset;
    spot->range = virtual_range(memory->test, variable);
    spot->proxy = memory->test->variables[variable].alias_of >= 0
                      ? memory->test->variables[variable].alias_proxy
                      : PROXY_GENERIC;
    return true;
}

bool memory_map_to_rank(const struct memory *memory, int thread, enum state_space space,
                        uint64_t address, unsigned rank, uint64_t *mapped) {
    uint64_t relative = address;
    if (space == SPACE_GENERIC &&
        !memory_from_generic(memory, thread, SPACE_SHARED_CLUSTER, address, &relative))
        return false;
    if (rank >= ctas_in_cluster(memory->test, thread))
        return false;
    relative = relative % CTA_PART + CTA_PART * (rank + 1);
    *mapped = space == SPACE_GENERIC ? SHARED_BASE + relative : relative;
    return true;
}

unsigned memory_rank_of_thread(const struct memory *memory, int thread) {
    return own_rank(memory->test, thread);
}

unsigned memory_rank_of_object(const struct memory *memory, int object) {
    return own_rank(memory->test, memory->objects[object].thread);
}

int memory_object_in_rank(const struct memory *memory, int object, unsigned rank) {
    const struct object *from = &memory->objects[object];
    const struct thread *threads = memory->test->threads;
    for (size_t i = 0; from->thread >= 0 && i < memory->count; i++) {
        const struct object *to = &memory->objects[i];
        if (to->variable == from->variable && own_rank(memory->test, to->thread) == rank &&
            test_same_cluster(&threads[to->thread].place, &threads[from->thread].place))
            return (int)i;
    }
    return -1;
}

bool memory_rank_of(const struct memory *memory, int thread, enum state_space space,
                    uint64_t address, unsigned *rank) {
    uint64_t relative = address;
    if (space == SPACE_GENERIC &&
        !memory_from_generic(memory, thread, SPACE_SHARED_CLUSTER, address, &relative))
        return false;
    uint64_t part = relative / CTA_PART;
    *rank = part > 0 ? (unsigned)part - 1 : own_rank(memory->test, thread);
    return true;
}

// --- Initial values ------------------------------------------------------------------------------

struct value memory_initial_byte(const struct memory *memory, int object, unsigned offset) {
    const struct object *o = &memory->objects[object];
    const struct variable *variable = &memory->test->variables[o->variable];
    unsigned size = scalar_type_bits(variable->type) / 8;
    if (!variable->has_initial) {
        bool zero = variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST;
        return zero ? value_known(0, 8) : value_unknown(8);
    }
    const struct initial_element *element = &variable->initial[offset / size];
    struct value value = value_of_constant(element->value, 128);
    if (variable->is_mbarrier)
        value =
            value_known(mbarrier_pack(mbarrier_fresh((unsigned)element->value.low, false)), 128);
    int thread = o->thread < 0 ? 0 : o->thread;
    if (element->variable >= 0)
        value.bits += element->is_generic
                          ? memory_generic_address(memory, thread, element->variable)
                          : memory_address(memory, thread, element->variable);
    return value_slice(value, offset % size * 8, 8);
}

// --- Special registers ---------------------------------------------------------------------------

static unsigned count_threads(const struct test *test, int of, size_t before) {
    unsigned count = 0;
    for (size_t i = 0; i < before; i++)
        if (test_same_cta(&test->threads[i].place, &test->threads[of].place))
            count++;
    return count;
}

// The CTAs of the thread's GPU; *greatest is their greatest number.
static unsigned count_ctas(const struct test *test, int thread, unsigned *greatest) {
    unsigned count = 0;
    *greatest = 0;
    for (size_t i = 0; i < test->thread_count; i++)
        if (test_same_gpu(&test->threads[i].place, &test->threads[thread].place)) {
            count += is_first_of_cta(test, i);
            if (test->threads[i].place.cta > *greatest)
                *greatest = test->threads[i].place.cta;
        }
    return count;
}

// The clusters of the thread's GPU are of one size, and so is the CTA's number what its cluster and
// its rank make of it.
static bool cluster_grid(const struct test *test, int thread, uint32_t *clusters) {
    unsigned size = ctas_in_cluster(test, thread), greatest;
    unsigned ctas = count_ctas(test, thread, &greatest);
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct place *place = &test->threads[i].place;
        if (!test_same_gpu(place, &test->threads[thread].place))
            continue;
        unsigned cluster = place->has_cluster ? place->cluster : place->cta;
        if (ctas_in_cluster(test, (int)i) != size ||
            place->cta != cluster * size + own_rank(test, (int)i))
            return false;
    }
    *clusters = ctas / size;
    return greatest + 1 == ctas;
}

static bool special_of_cluster(const struct test *test, int thread, enum special_register special,
                               uint32_t *value) {
    const struct place *place = &test->threads[thread].place;
    uint32_t clusters = 0;
    bool regular = cluster_grid(test, thread, &clusters);
    switch (special) {
    case SPECIAL_CLUSTERID:
        *value = place->has_cluster ? place->cluster : place->cta;
        return regular;
    case SPECIAL_NCLUSTERID: *value = clusters; return regular;
    case SPECIAL_CLUSTER_CTAID:
    case SPECIAL_CLUSTER_CTARANK: *value = own_rank(test, thread); return true;
    case SPECIAL_CLUSTER_NCTAID:
    case SPECIAL_CLUSTER_NCTARANK: *value = ctas_in_cluster(test, thread); return true;
    default: *value = place->has_cluster; return true; // SPECIAL_IS_EXPLICIT_CLUSTER
    }
}

// A number among those of a box, x first.
static uint32_t number_in(const unsigned at[3], const unsigned size[3]) {
    return (at[2] * size[1] + at[1]) * size[0] + at[0];
}

// What the launch of a module says of a thread of it.
static uint32_t special_of_launch(const struct thread *thread, enum special_register special,
                                  unsigned member) {
    const struct launch *launch = thread->launch;
    uint32_t tid = number_in(thread->tid, launch->block), lane = tid % 32;
    uint32_t ntid = launch->block[0] * launch->block[1] * launch->block[2];
    unsigned cluster = launch->cluster[member % 3], in_cluster[3];
    for (int i = 0; i < 3; i++)
        in_cluster[i] = thread->cta[i] % launch->cluster[i];
    if (member == 3)
        return 0;
    switch (special) {
    case SPECIAL_TID: return thread->tid[member];
    case SPECIAL_NTID: return launch->block[member];
    case SPECIAL_CTAID: return thread->cta[member];
    case SPECIAL_NCTAID: return launch->grid[member];
    case SPECIAL_CLUSTERID: return thread->cta[member] / cluster;
    case SPECIAL_NCLUSTERID: return launch->grid[member] / cluster;
    case SPECIAL_CLUSTER_CTAID: return in_cluster[member];
    case SPECIAL_CLUSTER_NCTAID: return cluster;
    case SPECIAL_CLUSTER_CTARANK: return number_in(in_cluster, launch->cluster);
    case SPECIAL_CLUSTER_NCTARANK:
        return launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
    case SPECIAL_IS_EXPLICIT_CLUSTER: return launch->has_clusters;
    case SPECIAL_LANEID: return lane;
    case SPECIAL_WARPID: return tid / 32;
    case SPECIAL_NWARPID: return (ntid + 31) / 32;
    case SPECIAL_LANEMASK_EQ: return UINT32_C(1) << lane;
    case SPECIAL_LANEMASK_LT: return (UINT32_C(1) << lane) - 1;
    case SPECIAL_LANEMASK_LE: return ~(UINT32_MAX << lane << 1);
    case SPECIAL_LANEMASK_GE: return UINT32_MAX << lane;
    case SPECIAL_LANEMASK_GT: return UINT32_MAX << lane << 1;
    case SPECIAL_ENVREG:
    case SPECIAL_CLOCK:
    case SPECIAL_OPEN: break; // thread.c
    }
    return 0;
}

bool memory_special(const struct test *test, int thread, enum special_register special,
                    unsigned member, uint32_t *value) {
    if (test->threads[thread].launch) {
        *value = special_of_launch(&test->threads[thread], special, member);
        return true;
    }
    uint32_t tid = count_threads(test, thread, (size_t)thread);
    uint32_t ntid = count_threads(test, thread, test->thread_count), lane = tid % 32;
    unsigned greatest;
    unsigned ctas = count_ctas(test, thread, &greatest);
    if (member > 0) { // one dimension; .w is 0
        bool is_size = special == SPECIAL_NTID || special == SPECIAL_NCTAID ||
                       special == SPECIAL_NCLUSTERID || special == SPECIAL_CLUSTER_NCTAID;
        *value = is_size && member < 3;
        return !test->threads[thread].place.host;
    }
    switch (special) {
    case SPECIAL_TID: *value = tid; break;
    case SPECIAL_NTID: *value = ntid; break;
    case SPECIAL_CTAID: *value = test->threads[thread].place.cta; break;
    case SPECIAL_NCTAID:
        *value = ctas;
        if (greatest + 1 != ctas)
            return false;
        break;
    case SPECIAL_LANEID: *value = lane; break;
    case SPECIAL_WARPID: *value = tid / 32; break;
    case SPECIAL_NWARPID: *value = (ntid + 31) / 32; break;
    case SPECIAL_LANEMASK_EQ: *value = UINT32_C(1) << lane; break;
    case SPECIAL_LANEMASK_LT: *value = (UINT32_C(1) << lane) - 1; break;
    case SPECIAL_LANEMASK_LE: *value = (UINT32_C(2) << lane) - 1; break;
    case SPECIAL_LANEMASK_GT: *value = ~((UINT32_C(2) << lane) - 1); break;
    case SPECIAL_LANEMASK_GE: *value = ~((UINT32_C(1) << lane) - 1); break;
    default: return special_of_cluster(test, thread, special, value);
    }
    return !test->threads[thread].place.host;
}

bool memory_depends_on(const struct test *test, unsigned grid, unsigned after) {
    for (size_t i = 0; i < test->grid_order_count; i++)
        if (test->grid_orders[i].grid == grid && test->grid_orders[i].after == after &&
            test->grid_orders[i].is_programmatic)
            return true;
    return false;
}
