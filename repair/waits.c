// Which waits may wait for more: those for async-groups, whose operand says how many groups may be
// pending, and of which .read says that sources are read, and no more (PTX ISA 9.7.9.25). And where
// a grid that may start early does not wait for the one before.
#include "repair/places.h"

#include "litmus/source/arena.h"
#include "repair/forms.h"

#include <assert.h>
#include <string.h>

enum { GROUPS_MAX = 16 }; // forms of one wait

static const struct instruction *instruction_at(const struct place_search *search, size_t thread,
                                                size_t index) {
    assert(thread < search->test->thread_count);
    return &search->test->threads[thread].instructions[index];
}

// Adds the place of an instruction with one form: a statement before it.
static void add_statement(struct place_search *search, size_t thread, size_t index,
                          const char *statement, unsigned cost) {
    struct change_place place = place_before(search, CHANGE_WAIT, thread, index);
    const struct change_insert edit = place_text_before(&place, statement);
    place_add_edits(search, &place, (struct change_form){.cost = cost}, &edit, 1);
    place_add(search, &place);
}

// --- Waits for groups --------------------------------------------------------------------------

static bool waits_for_groups(enum opcode opcode) {
    return opcode_is_asynchronous(opcode) && opcode_has(opcode, TRAIT_WAITS);
}

// The forms that wait for some groups more than the written one.
static void add_wait_forms(const struct place_search *search, struct change_place *place,
                           const struct instruction *instruction, uint64_t pending,
                           unsigned groups) {
    const struct span opcode = source_in_file(instruction->opcode_span);
    const char *name = span_text(search->arena, opcode);
    const char *read =
        opcode_has(instruction->opcode, TRAIT_READING) ? strstr(name, ".read") : NULL;
    for (unsigned full = groups == 0; full <= (read != NULL); full++) {
        const char *shown = full == 0 ? name
                                      : arena_format(search->arena, "%.*s%s", (int)(read - name),
                                                     name, read + strlen(".read"));
        const char *text =
            arena_format(search->arena, "%s %llu", shown, (unsigned long long)(pending - groups));
        const struct change_insert edit = place_text_for(
            search, place, span_join(opcode, source_in_file(instruction->span)), text);
        const struct change_form form = {.groups = groups,
                                         .is_full = full != 0,
                                         .cost = (groups + full) *
                                                 search->options->costs->weights[COST_WAIT]};
        place_add_edits(search, place, form, &edit, 1);
    }
}

static void find_wait(struct place_search *search, size_t thread, size_t index) {
    const struct instruction *instruction = instruction_at(search, thread, index);
    const struct operand *pending = &instruction->operands[0];
    if (!waits_for_groups(instruction->opcode) || instruction->operand_count == 0 ||
        pending->kind != OPERAND_IMMEDIATE || pending->immediate.high != 0 ||
        pending->immediate.low > GROUPS_MAX)
        return;
    struct change_place place = place_before(search, CHANGE_WAIT, thread, index);
    for (unsigned groups = 0; groups <= pending->immediate.low; groups++)
        add_wait_forms(search, &place, instruction, pending->immediate.low, groups);
    place_add(search, &place);
}

// --- Fences of products ------------------------------------------------------------------------

// A wgmma.fence before a product that none precedes directly.
static void find_product(struct place_search *search, size_t thread, size_t index) {
    static const char fence[] = "wgmma.fence.sync.aligned";
    const struct instruction *instruction = instruction_at(search, thread, index);
    bool fenced =
        index > 0 && instruction_is_wgmma_fence(instruction_at(search, thread, index - 1));
    bool is_product = opcode_family(instruction->opcode) == FAMILY_WGMMA &&
                      opcode_has(instruction->opcode, TRAIT_PRODUCT);
    if (!is_product || fenced || !forms_are_legal(fence, search->options))
        return;
    add_statement(search, thread, index, fence, search->options->costs->weights[COST_PROXY_FENCE]);
}

// --- Waits for the grid before -------------------------------------------------------------------

// Whether the grid of a thread may start before one that it depends on is complete.
static bool depends(const struct test *test, size_t thread) {
    for (size_t other = 0; test->grid_order_count > 0 && other < test->thread_count; other++)
        if (test_grid_depends(test, &test->threads[thread].place, &test->threads[other].place))
            return true;
    return false;
}

// The point that every path to the thread's first access passes, or its number of instructions
// where it waits before that, or accesses no memory.
static size_t point_of_grid_wait(const struct thread *thread) {
    size_t none = thread->instruction_count, first = 0;
    for (; first < none; first++) {
        const struct instruction *at = &thread->instructions[first];
        if (opcode_family(at->opcode) == FAMILY_GRID && opcode_has(at->opcode, TRAIT_WAITS))
            return none;
        if (instruction_accesses(at) && at->space != SPACE_PARAM)
            break;
    }
    for (size_t i = 0; i < first; i++)
        if (instruction_branches(&thread->instructions[i]) &&
            instruction_target(thread, &thread->instructions[i]) > first)
            return i;
    return first;
}

static void find_grid_wait(struct place_search *search, size_t t) {
    static const char wait[] = "griddepcontrol.wait";
    const struct thread *thread = &search->test->threads[t];
    size_t point = depends(search->test, t) ? point_of_grid_wait(thread) : SIZE_MAX;
    if (point >= thread->instruction_count || !forms_are_legal(wait, search->options))
        return;
    add_statement(search, t, point, wait, search->options->costs->weights[COST_WAIT]);
}

void waits_find(struct place_search *search) {
    for (size_t t = 0; t < search->test->thread_count; t++) {
        find_grid_wait(search, t);
        for (size_t i = 0; i < search->test->threads[t].instruction_count; i++) {
            find_wait(search, t, i);
            find_product(search, t, i);
        }
    }
}
