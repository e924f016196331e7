// Which waits may wait for more: those for async-groups, whose operand says how many groups may be
// pending, and of which .read says that sources are read, and no more (PTX ISA 9.7.9.25). And where
// a grid that may start early does not wait for the one before.
#include "repair/waits.h"

#include "litmus/source/arena.h"
#include "repair/forms.h"
#include "repair/places.h"

#include <assert.h>
#include <string.h>

enum { GROUPS_MAX = 16 }; // forms of one wait

struct wait_search {
    struct arena *arena;
    const struct test *test;
    const struct source *file;
    const struct change_options *options;
    struct change_place *places;
    size_t count;
};

static const struct instruction *instruction_at(const struct wait_search *search, size_t thread,
                                                size_t index) {
    assert(thread < search->test->thread_count);
    return &search->test->threads[thread].instructions[index];
}

static struct change_place place_of(const struct wait_search *search, size_t thread, size_t index) {
    return change_place_at(search->arena, search->test, CHANGE_WAIT, thread, index);
}

static void add_form(const struct wait_search *search, struct change_place *place,
                     struct change_form form, struct change_insert insert) {
    form.is_present = true;
    form.text = insert.text;
    form.inserts = ARENA_NEW(search->arena, struct change_insert);
    form.insert_count = 1;
    insert.thread = place->thread;
    insert.instruction = place->instruction;
    *form.inserts = insert;
    place->forms = arena_grow(search->arena, place->forms, place->form_count, sizeof *place->forms);
    place->forms[place->form_count++] = form;
}

// Several threads may run one text.
static void add_place(struct wait_search *search, const struct change_place *place) {
    if (place->form_count < 2 || place->span.source != search->file)
        return;
    for (size_t i = 0; i < search->count; i++) {
        struct change_place *known = &search->places[i];
        if (known->span.begin != place->span.begin ||
            strcmp(known->forms[1].text, place->forms[1].text) != 0)
            continue;
        known->is_shared = known->is_shared || known->thread != place->thread;
        for (size_t f = 1; f < known->form_count; f++)
            known->forms[f].inserts->is_shared = known->is_shared;
        return;
    }
    search->places =
        arena_grow(search->arena, search->places, search->count, sizeof *search->places);
    search->places[search->count++] = *place;
}

// --- Waits for groups --------------------------------------------------------------------------

static bool waits_for_groups(enum opcode opcode) {
    return opcode_is_asynchronous(opcode) && opcode_has(opcode, TRAIT_WAITS);
}

// The text from the opcode to the end of the statement.
static struct span text_of(const struct instruction *instruction) {
    struct span span = source_in_file(instruction->opcode_span);
    span.end = source_in_file(instruction->span).end;
    return span;
}

// The forms that wait for some groups more than the written one.
static void add_wait_forms(const struct wait_search *search, struct change_place *place,
                           const struct instruction *instruction, uint64_t pending,
                           unsigned groups) {
    struct span span = text_of(instruction), opcode = source_in_file(instruction->opcode_span);
    bool reads = opcode_has(instruction->opcode, TRAIT_READING);
    const char *was =
        arena_strndup(search->arena, span.source->text + span.begin, span.end - span.begin);
    const char *name =
        arena_strndup(search->arena, span.source->text + opcode.begin, opcode.end - opcode.begin);
    const char *read = reads ? strstr(name, ".read") : NULL;
    for (unsigned full = groups == 0; full <= (read != NULL); full++) {
        const char *shown = full == 0 ? name
                                      : arena_format(search->arena, "%.*s%s", (int)(read - name),
                                                     name, read + strlen(".read"));
        struct change_form form = {.groups = groups, .is_full = full != 0};
        form.cost = (groups + full) * cost_of_wait(search->options->costs);
        add_form(
            search, place, form,
            (struct change_insert){.where = INSERT_FOR,
                                   .span = span,
                                   .text = arena_format(search->arena, "%s %llu", shown,
                                                        (unsigned long long)(pending - groups)),
                                   .was = was});
    }
}

static void find_wait(struct wait_search *search, size_t thread, size_t index) {
    const struct instruction *instruction = instruction_at(search, thread, index);
    const struct operand *pending = &instruction->operands[0];
    if (!waits_for_groups(instruction->opcode) || instruction->operand_count == 0 ||
        pending->kind != OPERAND_IMMEDIATE || pending->immediate.high != 0 ||
        pending->immediate.low > GROUPS_MAX)
        return;
    struct change_place place = place_of(search, thread, index);
    for (unsigned groups = 0; groups <= pending->immediate.low; groups++)
        add_wait_forms(search, &place, instruction, pending->immediate.low, groups);
    add_place(search, &place);
}

// --- Fences of products ------------------------------------------------------------------------

// A wgmma.fence before a product that none precedes directly.
static void find_product(struct wait_search *search, size_t thread, size_t index) {
    static const char fence[] = "wgmma.fence.sync.aligned";
    const struct instruction *instruction = instruction_at(search, thread, index);
    bool fenced =
        index > 0 && instruction_is_wgmma_fence(instruction_at(search, thread, index - 1));
    bool is_product = opcode_family(instruction->opcode) == FAMILY_WGMMA &&
                      opcode_has(instruction->opcode, TRAIT_PRODUCT);
    if (!is_product || fenced || !forms_are_legal(fence, search->options))
        return;
    struct change_place place = place_of(search, thread, index);
    add_form(
        search, &place, (struct change_form){.cost = cost_of_proxy_fence(search->options->costs)},
        (struct change_insert){.where = INSERT_BEFORE, .span = place.statement, .text = fence});
    add_place(search, &place);
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
        bool accesses = (opcode_effects(at->opcode) & (EFFECT_READS | EFFECT_WRITES)) != 0;
        if (opcode_family(at->opcode) == FAMILY_GRID && opcode_has(at->opcode, TRAIT_WAITS))
            return none;
        if (accesses && at->space != SPACE_PARAM)
            break;
    }
    for (size_t i = 0; i < first; i++)
        if (instruction_branches(&thread->instructions[i]) &&
            instruction_target(thread, &thread->instructions[i]) > first)
            return i;
    return first;
}

static void find_grid_wait(struct wait_search *search, size_t t) {
    static const char wait[] = "griddepcontrol.wait";
    const struct thread *thread = &search->test->threads[t];
    size_t point = depends(search->test, t) ? point_of_grid_wait(thread) : SIZE_MAX;
    if (point >= thread->instruction_count || !forms_are_legal(wait, search->options))
        return;
    struct change_place place = place_of(search, t, point);
    add_form(search, &place, (struct change_form){.cost = cost_of_wait(search->options->costs)},
             (struct change_insert){.where = INSERT_BEFORE, .span = place.statement, .text = wait});
    add_place(search, &place);
}

struct change_place *waits_find(struct arena *arena, const struct test *test,
                                const struct source *file, const struct change_options *options,
                                size_t *count) {
    struct wait_search search = {.arena = arena, .test = test, .file = file, .options = options};
    for (size_t t = 0; t < test->thread_count; t++) {
        find_grid_wait(&search, t);
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            find_wait(&search, t, i);
            find_product(&search, t, i);
        }
    }
    *count = search.count;
    return search.places;
}
