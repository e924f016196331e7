// How large the accesses are of an operation on many bytes.

#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"

#include <assert.h>
#include <string.h>

enum { LARGEST = 8 };

static void lower(unsigned char *size, unsigned other) {
    if (other < *size)
        *size = (unsigned char)other;
}

// An element of a variable that a test declares. Those of a launch are bytes without a type, of
// which accesses alone say what they hold.
static void lower_by_element(unsigned char *size, const struct test *test, size_t variable) {
    if (!test->variables[variable].is_mbarrier && test->threads[0].launch == NULL)
        lower(size, memory_element_size(&test->variables[variable]));
}

// Whether an instruction starts an operation whose accesses are as large as those of others: one
// that does not say how large its elements are. From PTX ISA 9.3 on, some copies do say it.
static bool starts_divided(const struct instruction *instruction) {
    bool says = opcode_family(instruction->opcode) == FAMILY_COPY &&
                scalar_type_bits(instruction->type) != 0;
    return opcode_has(instruction->opcode, TRAIT_DIVIDED) && !says;
}

// Whether an instruction says how large its accesses are, so that others are divided by them.
static bool is_of_fixed_size(const struct instruction *instruction) {
    return !starts_divided(instruction) && scalar_type_bits(instruction->type) != 0 &&
           (opcode_has(instruction->opcode, TRAIT_SIZED) || instruction_is_atomic(instruction));
}

static bool is_divided(const struct event *event) {
    return event_is_access(event) && event->mbarrier == NULL && starts_divided(event->instruction);
}

// The smallest access, or element, of the whole test.
static unsigned char smallest_of_test(const struct test *test) {
    unsigned char size = LARGEST;
    for (size_t v = 0; v < test->variable_count; v++)
        lower_by_element(&size, test, v);
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            const struct instruction *instruction = &test->threads[t].instructions[i];
            unsigned parts = float_is_packed(instruction) ? 2 : 1;
            if (is_of_fixed_size(instruction))
                lower(&size, scalar_type_bits(instruction->type) / 8 / parts);
        }
    return size;
}

unsigned part_size_of(const struct thread_builder *thread, const struct instruction *instruction) {
    unsigned char **sizes = thread->builder->plan->part_sizes;
    size_t index = (size_t)(instruction - thread->thread->instructions);
    assert(index < thread->thread->instruction_count);
    return sizes != NULL ? sizes[thread->index][index] : smallest_of_test(thread->builder->test);
}

// By variable, without those that are aliases: the smallest access to it, or its element.
static unsigned char *find_smallest(const struct builder *built) {
    const struct program *program = built->program;
    const struct test *test = program->test;
    unsigned char *smallest = ARENA_ARRAY(built->arena, unsigned char, test->variable_count + 1);
    memset(smallest, LARGEST, test->variable_count);
    for (size_t v = 0; v < test->variable_count; v++)
        lower_by_element(&smallest[memory_physical(test, (int)v)], test, v);
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!event_is_access(event) || !is_of_fixed_size(event->instruction))
            continue;
        for (size_t c = 0; c < event->candidate_count; c++)
            lower(&smallest[program->memory.objects[event->candidates[c].object].variable],
                  event->size);
    }
    return smallest;
}

static unsigned char **all_of(const struct build_plan *plan, struct arena *arena,
                              unsigned char size) {
    const struct test *test = plan->test;
    unsigned char **sizes = ARENA_ARRAY(arena, unsigned char *, test->thread_count);
    for (size_t t = 0; t < test->thread_count; t++) {
        size_t count = test->threads[t].instruction_count + 1;
        sizes[t] = ARENA_ARRAY(arena, unsigned char, count);
        memset(sizes[t], size, count);
    }
    return sizes;
}

static unsigned char *size_at(const struct build_plan *plan, const struct event *event) {
    const struct thread *thread = &plan->test->threads[event->thread];
    size_t index = (size_t)(event->instruction - thread->instructions);
    assert(index < thread->instruction_count);
    return &plan->part_sizes[event->thread][index];
}

// Makes a part as small as an access of its operation needs it; no part crosses the end of what it
// is in.
static void fit(unsigned char *size, const struct program *program, const struct event *event,
                const unsigned char *smallest) {
    for (size_t c = 0; c < event->candidate_count; c++) {
        const struct object *object = &program->memory.objects[event->candidates[c].object];
        lower(size, smallest[object->variable]);
        while (object->size % *size != 0)
            *size /= 2;
    }
}

// Makes the parts of all operations fit. Returns whether there are any.
static bool fit_all(const struct build_plan *plan, const struct program *program,
                    const unsigned char *smallest) {
    bool any = false;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (is_divided(&program->events[i])) {
            fit(size_at(plan, &program->events[i]), program, &program->events[i], smallest);
            any = true;
        }
    return any;
}

bool part_sizes_find(struct build_plan *plan, struct arena *arena, const struct builder *built) {
    const struct program *program = built->program;
    unsigned char before = smallest_of_test(plan->test);
    bool larger = false;
    if (plan->part_sizes != NULL || built->too_many_events || before == LARGEST)
        return false;
    plan->part_sizes = all_of(plan, arena, LARGEST);
    if (!fit_all(plan, program, find_smallest(built)))
        return false;
    for (size_t i = program->init_count; i < program->event_count; i++)
        larger = larger ||
                 (is_divided(&program->events[i]) && *size_at(plan, &program->events[i]) > before);
    return larger;
}

void part_sizes_keep(struct build_plan *plan, struct arena *arena) {
    plan->part_sizes = all_of(plan, arena, smallest_of_test(plan->test));
}
