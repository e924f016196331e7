// Objects and their virtual addresses: one object per variable that the test names, or one per CTA
// or thread by the variable's state space (memory-model: instances of state spaces), at fixed
// addresses far apart.

#include "program/builder.h"
#include "program/memory/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Addresses in a window stay below 2^32 for all but huge variables, so that 32-bit registers can
// hold them; no two variables have the same one, whatever their windows.
//
// Where there is room, variables begin at multiples of STRIDE. The addresses of two variables
// differ in two bytes, and so do any address and zero. Bytes of several put together (torn
// accesses) are then the address of none.
enum { ADDRESS_START = 0x10000, ADDRESS_GAP = 0x1000 };
// Descriptors of matrices have the lowest 18 bits of an address of the CTA's own .shared memory
// (PTX ISA 9.7.15.5.1.2.2): where there are some, that of each CTA has 2^18 addresses to itself,
// and other memory follows.
enum { DESCRIBED_GAP = 0x400, DESCRIBED_SIZE = 0x40000 };
enum { STRIDE = 0x01010000, STRIDE_UNIT = 0x10000, STRIDES_MAX = 0xff };
static const uint64_t max_variable_size = UINT64_C(1) << 40;

// A variable that something names, and for which instance.
struct mention {
    uint64_t window; // of its space: addresses ascend with the windows
    int variable;
    int instance; // as in struct object
};

struct scan {
    struct builder *builder;
    struct mention *mentions;
    size_t count;
    bool *in_terms; // by variable: the condition names it, whatever the instance
};

// --- Variables ---------------------------------------------------------------------------------

int memory_physical(const struct test *test, int variable) {
    assert(variable >= 0 && (size_t)variable < test->variable_count);
    size_t steps = 0; // a chain of aliases is no longer than the list of variables
    while (test->variables[variable].alias_of >= 0 && steps++ < test->variable_count)
        variable = test->variables[variable].alias_of;
    return variable;
}

static bool has_own_address(const struct variable *variable) {
    return variable->alias_of < 0 ||
           (!variable->is_same_address && (variable->alias_proxy == PROXY_GENERIC ||
                                           proxy_has(variable->alias_proxy, PROXY_APART)));
}

// Through another proxy a variable has the address that it has through the generic one; only a
// generic alias, and a handle of the fabric proxy, is one of its own (memory-model section 5).
int memory_virtual(const struct test *test, int variable) {
    assert(variable >= 0 && (size_t)variable < test->variable_count);
    size_t steps = 0;
    while (!has_own_address(&test->variables[variable]) && steps++ < test->variable_count)
        variable = test->variables[variable].alias_of;
    return variable;
}

unsigned memory_element_size(const struct variable *variable) {
    unsigned bits = scalar_type_bits(variable->type);
    return bits < 8 ? 1 : bits / 8;
}

bool memory_is_unknown(const struct variable *variable) {
    bool is_zero = variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST ||
                   variable->space == SPACE_GENERIC;
    return !variable->has_initial && (variable->is_unknown || !is_zero);
}

static enum state_space space_of(const struct builder *builder, int variable) {
    assert(variable >= 0 && (size_t)variable < builder->test->variable_count);
    return builder->test->variables[memory_physical(builder->test, variable)].space;
}

// Whether each CTA has an instance of its own.
static bool is_of_cta(enum state_space space) {
    return state_space_is_shared(space) || space == SPACE_TENSOR;
}

// The instance of a variable that a thread sees.
static int instance_of(const struct builder *builder, int thread, int variable) {
    assert(thread >= 0 && (size_t)thread < builder->test->thread_count);
    assert(variable >= 0 && (size_t)variable < builder->test->variable_count);
    enum state_space space = space_of(builder, variable);
    if (is_of_cta(space))
        return builder->cta_leader[thread];
    return space == SPACE_LOCAL || space == SPACE_PARAM ? thread : -1;
}

// --- What the test names -----------------------------------------------------------------------

static void add_mention(struct scan *scan, int variable, int instance) {
    uint64_t window = program_window(space_of(scan->builder, variable));
    scan->mentions =
        arena_grow(scan->builder->arena, scan->mentions, scan->count, sizeof *scan->mentions);
    scan->mentions[scan->count++] = (struct mention){window, variable, instance};
}

// An alias needs the memory that it denotes.
static void mention(struct scan *scan, int variable, int instance) {
    int physical = memory_physical(scan->builder->test, variable);
    int named = memory_virtual(scan->builder->test, variable);
    add_mention(scan, named, instance);
    if (physical != named)
        add_mention(scan, physical, instance);
    for (int i = 1; i < (int)scan->builder->test->variables[variable].copies; i++) {
        add_mention(scan, variable + i, instance);
        add_mention(scan, memory_physical(scan->builder->test, variable + i), instance);
    }
}

static void mention_in_thread(struct scan *scan, int thread, int variable) {
    if (variable >= 0)
        mention(scan, variable, instance_of(scan->builder, thread, variable));
}

static void note_operand(bool *names, const struct operand *operand) {
    bool is_named = operand->kind == OPERAND_ADDRESS || operand->kind == OPERAND_MEMORY;
    if (is_named && operand->variable >= 0)
        names[operand->variable] = true;
    for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
        note_operand(names, &operand->elements[i]);
}

// An allocation gives memory that no operand of its thread needs to name.
static void note_allocation(const struct test *test, bool *names,
                            const struct instruction *instruction) {
    bool allocates = opcode_has(instruction->opcode, TRAIT_ALLOCATES);
    for (size_t v = 0; allocates && v < test->variable_count; v++)
        names[v] |= test->variables[v].space == SPACE_TENSOR;
}

// Notes the variables that a thread names.
static void note_names(const struct test *test, const struct thread *thread, bool *names) {
    memset(names, 0, test->variable_count * sizeof *names);
    for (size_t i = 0; i < thread->register_count; i++)
        if (thread->registers[i].has_initial && thread->registers[i].initial_variable >= 0)
            names[thread->registers[i].initial_variable] = true;
    for (size_t i = 0; i < thread->instruction_count; i++) {
        note_allocation(test, names, &thread->instructions[i]);
        for (unsigned k = 0; k < thread->instructions[i].operand_count; k++)
            note_operand(names, &thread->instructions[i].operands[k]);
    }
}

// Whether a thread has the text of the one before it, as the threads of a launch have.
static bool repeats_text(const struct test *test, size_t thread) {
    const struct thread *one = &test->threads[thread];
    return thread > 0 && one->instructions == one[-1].instructions &&
           one->registers == one[-1].registers;
}

static void scan_threads(struct scan *scan) {
    const struct test *test = scan->builder->test;
    bool *names = ARENA_ARRAY(scan->builder->arena, bool, test->variable_count + 1);
    for (size_t i = 0; i < test->thread_count; i++) {
        if (!repeats_text(test, i))
            note_names(test, &test->threads[i], names);
        for (size_t v = 0; v < test->variable_count; v++)
            if (names[v])
                mention_in_thread(scan, (int)i, (int)v);
    }
}

static int compare_mentions(const void *left, const void *right) {
    const struct mention *a = left, *b = right;
    if (a->window != b->window)
        return a->window < b->window ? -1 : 1;
    if (a->variable != b->variable)
        return a->variable < b->variable ? -1 : 1;
    return (a->instance > b->instance) - (a->instance < b->instance);
}

static void sort_mentions(struct scan *scan) {
    if (scan->count == 0)
        return;
    qsort(scan->mentions, scan->count, sizeof *scan->mentions, compare_mentions);
    size_t kept = 1;
    for (size_t i = 1; i < scan->count; i++)
        if (compare_mentions(&scan->mentions[i], &scan->mentions[kept - 1]) != 0)
            scan->mentions[kept++] = scan->mentions[i];
    scan->count = kept;
}

// mapa leads from one CTA to the same variable in all others of the cluster, so that they have it,
// too, whether their own threads name it or not.
static void scan_mapa(struct scan *scan, int thread) {
    const struct test *test = scan->builder->test;
    size_t count = scan->count;
    for (size_t i = 0; i < test->thread_count; i++) {
        if (scan->builder->cta_leader[i] != (int)i ||
            !test_same_cluster(&test->threads[i].place, &test->threads[thread].place))
            continue;
        for (size_t k = 0; k < count; k++)
            if (is_of_cta(space_of(scan->builder, scan->mentions[k].variable)))
                mention_in_thread(scan, (int)i, scan->mentions[k].variable);
    }
}

// So does a multicast, and what a pair of CTAs does.
static bool reaches_cluster(const struct instruction *instruction) {
    return opcode_has(instruction->opcode, TRAIT_REACHES) ||
           instruction_is_multicast(instruction) ||
           (instruction->of_pair && instruction_is_tensor(instruction));
}

static bool text_reaches_cluster(const struct thread *thread) {
    size_t k = 0;
    while (k < thread->instruction_count && !reaches_cluster(&thread->instructions[k]))
        k++;
    return k < thread->instruction_count;
}

static void scan_mapas(struct scan *scan) {
    const struct test *test = scan->builder->test;
    bool reaches = false;
    for (size_t i = 0; i < test->thread_count; i++) {
        bool repeats = repeats_text(test, i);
        reaches = repeats ? reaches : text_reaches_cluster(&test->threads[i]);
        bool is_done =
            repeats && test_same_cluster(&test->threads[i].place, &test->threads[i - 1].place);
        if (!reaches || is_done)
            continue;
        sort_mentions(scan); // each once
        scan_mapa(scan, (int)i);
    }
}

static void scan_term(void *context, const struct term *term) {
    struct scan *scan = context;
    const struct test *test = scan->builder->test;
    if (term->kind != TERM_LOCATION && term->kind != TERM_ADDRESS)
        return;
    scan->in_terms[memory_virtual(test, term->variable)] = true;
    if (!term->has_instance || !state_space_is_shared(space_of(scan->builder, term->variable)))
        return;
    for (size_t i = 0; i < test->thread_count; i++)
        if (!test->threads[i].place.host && test->threads[i].place.cta == term->instance_cta)
            mention_in_thread(scan, (int)i, term->variable);
}

// What a condition names without an instance, and no thread at all: the first thread's.
static void mention_rest_of_terms(struct scan *scan) {
    bool *seen = ARENA_ARRAY(scan->builder->arena, bool, scan->builder->test->variable_count);
    for (size_t i = 0; i < scan->count; i++)
        seen[scan->mentions[i].variable] = true;
    for (size_t i = 0; i < scan->builder->test->variable_count; i++)
        if (scan->in_terms[i] && !seen[i])
            mention_in_thread(scan, 0, (int)i);
}

// Pointers in initial values can lead a thread to variables that are not named otherwise.
static void scan_initial_values(struct scan *scan) {
    const struct test *test = scan->builder->test;
    for (size_t v = 0; v < test->variable_count; v++)
        for (size_t i = 0; test->variables[v].has_initial && i < test->variables[v].element_count;
             i++)
            mention_in_thread(scan, 0, test->variables[v].initial[i].variable);
}

// --- Objects and ranges ------------------------------------------------------------------------

static bool object_size(struct builder *builder, const struct variable *variable, uint64_t *size) {
    unsigned element = memory_element_size(variable);
    if (variable->element_count > max_variable_size / element) {
        diag_error(builder->diagnostics, variable->span, "'%s' is larger than 2^40 bytes",
                   variable->name);
        return false;
    }
    *size = (uint64_t)element * variable->element_count;
    return true;
}

static void add_objects(struct builder *builder, const struct scan *scan) {
    struct program *program = builder->program;
    program->memory.objects = ARENA_ARRAY(builder->arena, struct object, scan->count);
    for (size_t i = 0; i < scan->count; i++) {
        const struct variable *variable = &builder->test->variables[scan->mentions[i].variable];
        if (variable->alias_of >= 0)
            continue;
        struct object *object = &program->memory.objects[program->memory.object_count];
        *object = (struct object){.name = variable->name,
                                  .variable = (unsigned)scan->mentions[i].variable,
                                  .space = variable->space,
                                  .instance = scan->mentions[i].instance};
        if (object_size(builder, variable, &object->size))
            program->memory.object_count++;
    }
}

static int find_object(const struct program *program, enum state_space space, int variable,
                       int instance) {
    assert((unsigned)space <= SPACE_SHARED_CLUSTER);
    struct mention wanted = {program_window(space), variable, instance};
    size_t low = 0, high = program->memory.object_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        struct mention here = {program_window(program->memory.objects[middle].space),
                               (int)program->memory.objects[middle].variable,
                               program->memory.objects[middle].instance};
        int order = compare_mentions(&here, &wanted);
        if (order == 0)
            return (int)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static uint64_t align_up(uint64_t address, uint64_t alignment) {
    return (address + alignment - 1) / alignment * alignment;
}

// How many strides a variable takes up: no two of them have a byte in common where they differ.
static uint64_t strides_of(uint64_t size) {
    return 1 + size / STRIDE_UNIT;
}

// Whether some thread takes matrices from shared memory: descriptors have the lowest 18 bits of
// addresses (PTX ISA 9.7.15.5.1.2.2).
static bool has_descriptors(const struct test *test) {
    return test_has_instruction(test, instruction_has_descriptors);
}

static bool fit_at_strides(const struct builder *builder, const struct scan *scan) {
    uint64_t strides = 0;
    if (has_descriptors(builder->test))
        return false;
    for (size_t i = 0; i < scan->count && strides <= STRIDES_MAX; i++) {
        const struct mention *m = &scan->mentions[i];
        int object = find_object(builder->program, space_of(builder, m->variable),
                                 memory_physical(builder->test, m->variable), m->instance);
        if (object >= 0)
            strides += strides_of(builder->program->memory.objects[object].size);
        if (builder->test->variables[m->variable].alignment > STRIDE_UNIT)
            return false;
    }
    return strides <= STRIDES_MAX;
}

static void report_beyond_descriptors(struct builder *builder, const struct variable *variable) {
    diag_error(
        builder->diagnostics, variable->span,
        "the .shared memory of a CTA is larger than what descriptors of matrices can address");
    diag_hint(builder->diagnostics, "with the gaps between variables it has to fit in 256 KiB");
}

// How many CTAs have their first thread before a thread.
static uint64_t count_ctas_before(const struct builder *builder, size_t thread) {
    uint64_t count = 0;
    for (size_t i = 0; i < thread; i++)
        count += builder->cta_leader[i] == (int)i;
    return count;
}

// Where addresses without a variable begin, in all windows.
struct address_plan {
    bool at_strides, described;
    uint64_t next; // of all memory; where there are descriptors, of all but .shared
    uint64_t
        *shared; // by first thread of a CTA: of its .shared memory, where there are descriptors
};

static struct address_plan start_plan(struct builder *builder, const struct scan *scan) {
    struct address_plan plan = {.at_strides = fit_at_strides(builder, scan),
                                .described = has_descriptors(builder->test)};
    size_t threads = builder->test->thread_count;
    plan.next = plan.at_strides ? STRIDE : ADDRESS_START;
    if (!plan.described)
        return plan;
    plan.next = (count_ctas_before(builder, threads) + 1) * DESCRIBED_SIZE;
    plan.shared = ARENA_ARRAY(builder->arena, uint64_t, threads);
    for (size_t i = 0; i < threads; i++)
        plan.shared[i] = count_ctas_before(builder, i) * DESCRIBED_SIZE + DESCRIBED_GAP;
    return plan;
}

// Returns the address of an object's variable in its window, and keeps it for that variable alone.
static uint64_t take_address(struct builder *builder, struct address_plan *plan,
                             const struct variable *variable, const struct object *object) {
    bool apart = plan->described && state_space_is_shared(object->space);
    uint64_t *next = apart ? &plan->shared[object->instance] : &plan->next;
    uint64_t gap = apart ? DESCRIBED_GAP : ADDRESS_GAP;
    uint64_t address = align_up(*next, variable->alignment > gap ? variable->alignment : gap);
    *next = address + (plan->at_strides ? strides_of(object->size) * STRIDE : object->size + gap);
    if (apart && address % DESCRIBED_SIZE + object->size > DESCRIBED_SIZE)
        report_beyond_descriptors(builder, variable);
    return address;
}

static int compare_ranges(const void *a, const void *b) {
    const struct virtual_range *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static void add_ranges(struct builder *builder, const struct scan *scan) {
    struct program *program = builder->program;
    struct address_plan plan = start_plan(builder, scan);
    program->memory.virtual_ranges = ARENA_ARRAY(builder->arena, struct virtual_range, scan->count);
    for (size_t i = 0; i < scan->count; i++) {
        const struct mention *m = &scan->mentions[i];
        int object = find_object(program, space_of(builder, m->variable),
                                 memory_physical(builder->test, m->variable), m->instance);
        if (object < 0)
            continue; // reported above
        uint64_t address = take_address(builder, &plan, &builder->test->variables[m->variable],
                                        &program->memory.objects[object]);
        program->memory.virtual_ranges[program->memory.virtual_range_count++] =
            (struct virtual_range){(unsigned)object, (unsigned)m->variable, m->window + address};
    }
    if (program->memory.virtual_range_count != 0)
        qsort(program->memory.virtual_ranges, program->memory.virtual_range_count,
              sizeof *program->memory.virtual_ranges, compare_ranges);
}

static void list_ranges(struct builder *builder) {
    const struct program *program = builder->program;
    builder->ranges.next = ARENA_ARRAY(builder->arena, int, program->memory.virtual_range_count);
    for (size_t i = 0; i < program->memory.virtual_range_count; i++) {
        unsigned variable = program->memory.virtual_ranges[i].variable;
        builder->ranges.next[i] = builder->ranges.first[variable];
        builder->ranges.first[variable] = (int)i;
    }
}

uint64_t memory_described_base(const struct builder *builder, int thread) {
    assert(thread >= 0 && (size_t)thread < builder->test->thread_count);
    return program_window(SPACE_SHARED) +
           count_ctas_before(builder, (size_t)builder->cta_leader[thread]) * DESCRIBED_SIZE;
}

static void find_ctas(struct builder *builder) {
    const struct test *test = builder->test;
    unsigned *sizes = ARENA_ARRAY(builder->arena, unsigned, test->thread_count);
    builder->cta_leader = ARENA_ARRAY(builder->arena, int, test->thread_count);
    builder->cta_number = ARENA_ARRAY(builder->arena, unsigned, test->thread_count);
    size_t *leaders = ARENA_ARRAY(builder->arena, size_t, test->thread_count), count = 0;
    for (size_t i = 0; i < test->thread_count; i++) {
        size_t k = count; // threads of one CTA mostly come after each other
        while (k > 0 &&
               !test_same_cta(&test->threads[leaders[k - 1]].place, &test->threads[i].place))
            k--;
        if (k == 0)
            leaders[count++] = i;
        size_t leader = k == 0 ? i : leaders[k - 1];
        builder->cta_leader[i] = (int)leader;
        builder->cta_number[i] = sizes[leader]++; // in the order of the test
        if (test->threads[i].launch != NULL)
            builder->cta_number[i] = launch_number(test->threads[i].launch, test->threads[i].tid);
    }
}

void memory_build(struct builder *builder) {
    const struct test *test = builder->test;
    struct scan scan = {.builder = builder,
                        .in_terms = ARENA_ARRAY(builder->arena, bool, test->variable_count)};
    find_ctas(builder);
    builder->ranges.first = ARENA_ARRAY(builder->arena, int, test->variable_count);
    builder->ranges.recent = ARENA_ARRAY(builder->arena, int, test->variable_count);
    for (size_t i = 0; i < test->variable_count; i++)
        builder->ranges.first[i] = -1;
    scan_threads(&scan);
    if (test->thread_count != 0)
        scan_initial_values(&scan);
    scan_mapas(&scan);
    test_visit_terms(test, scan_term, &scan);
    if (test->thread_count != 0)
        mention_rest_of_terms(&scan);
    sort_mentions(&scan);
    add_objects(builder, &scan);
    add_ranges(builder, &scan);
    list_ranges(builder);
}

// --- Questions ---------------------------------------------------------------------------------

// Whether a range is that of an instance of a variable.
static bool is_instance(const struct builder *builder, int range, int variable, int instance) {
    const struct program_memory *memory = &builder->program->memory;
    if ((size_t)range >= memory->virtual_range_count)
        return false;
    const struct virtual_range *r = &memory->virtual_ranges[range];
    return r->variable == (unsigned)variable && memory->objects[r->object].instance == instance;
}

unsigned memory_range(const struct builder *builder, int thread, int variable) {
    assert(thread >= 0 && (size_t)thread < builder->test->thread_count);
    assert(variable >= 0 && (size_t)variable < builder->test->variable_count);
    int instance = instance_of(builder, thread, variable);
    int named = memory_virtual(builder->test, variable);
    int *recent = &builder->ranges.recent[named];
    if (is_instance(builder, *recent, named, instance))
        return (unsigned)*recent;
    if (is_instance(builder, *recent + 1, named, instance))
        return (unsigned)++*recent;
    for (int i = builder->ranges.first[named]; i >= 0; i = builder->ranges.next[i])
        if (is_instance(builder, i, named, instance))
            return (unsigned)(*recent = i);
    bug("variable %d has no address in thread %d", variable, thread);
}

static bool term_names(const struct builder *builder, const struct term *term,
                       const struct virtual_range *range) {
    int instance = builder->program->memory.objects[range->object].instance;
    if (!term->has_instance || instance < 0)
        return true;
    const struct place *place = &builder->test->threads[instance].place;
    return !place->host && place->cta == term->instance_cta;
}

// The ranges that a term may mean: their number, and one of them.
static size_t term_ranges(const struct builder *builder, const struct term *term,
                          const struct virtual_range **found) {
    size_t matches = 0;
    int named = memory_virtual(builder->test, term->variable);
    for (int i = builder->ranges.first[named]; i >= 0; i = builder->ranges.next[i])
        if (term_names(builder, term, &builder->program->memory.virtual_ranges[i])) {
            *found = &builder->program->memory.virtual_ranges[i];
            matches++;
        }
    return matches;
}

const struct virtual_range *memory_term_range(const struct builder *builder,
                                              const struct term *term) {
    const struct virtual_range *range = NULL;
    if (term_ranges(builder, term, &range) != 1)
        return NULL;
    const struct object *object = &builder->program->memory.objects[range->object];
    unsigned size = memory_element_size(&builder->test->variables[term->variable]);
    return term->kind == TERM_ADDRESS || term->element < object->size / size ? range : NULL;
}

// The readers have checked what LOCATIONs name, so this is about addresses first of all.
void memory_check_term(struct builder *builder, const struct term *term) {
    const struct virtual_range *range = NULL;
    if (term->kind != TERM_LOCATION && term->kind != TERM_ADDRESS)
        return;
    if (memory_term_range(builder, term) != NULL)
        return;
    enum state_space space = space_of(builder, term->variable);
    diag_error(builder->diagnostics, term->span, "'%s' is a %s variable with %zu instances",
               builder->test->variables[term->variable].name, state_space_or_global_name(space),
               term_ranges(builder, term, &range));
    diag_hint(builder->diagnostics, "compare what is stored there");
}
