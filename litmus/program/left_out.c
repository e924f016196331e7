// Threads that a launch leaves out (memory-model.md section 13): where they may store, and what is
// taken for granted of them.
//
// Each of them is run by itself, in the place of a thread of its block that the test has: so
// objects have the same addresses as in the program. What it loads may be anything. A store whose
// address depends on that may be anywhere in its state space, and so may those of a thread that
// goes past the bound of a loop, or cannot be run.

#include "litmus/program/builder.h"

#include <stdlib.h>
#include <string.h>

enum { UNROLL = 32, RUNS_MAX = 1 << 14 };

static unsigned block_size(const struct launch *launch) {
    return launch->block[0] * launch->block[1] * launch->block[2];
}

// --- Stores ------------------------------------------------------------------------------------

static void add_store(struct left_stores *stores, struct arena *arena, uint64_t address,
                      uint64_t size) {
    stores->items = arena_grow(arena, stores->items, stores->count, sizeof *stores->items);
    stores->items[stores->count++] = (struct left_store){address, address + size};
}

static void add_anywhere(struct left_stores *stores, enum state_space space) {
    bool shared = state_space_is_shared(space);
    stores->anywhere_shared |= shared || space == SPACE_GENERIC;
    stores->anywhere_global |= !shared;
}

static void note_write(struct left_stores *stores, struct arena *arena,
                       const struct program *program, const struct event *event) {
    enum state_space space = event->instruction->space;
    if (space == SPACE_LOCAL || space == SPACE_PARAM || expr_is_false(event->executes))
        return;
    if (!expr_is_const(event->address)) {
        add_anywhere(stores, space);
        return;
    }
    uint64_t address = event->address->value.low;
    const struct object *object = others_object_at(program, address, event->size);
    stores->outside |= object == NULL;
    if (object == NULL || object->space == SPACE_LOCAL || object->space == SPACE_PARAM)
        return;
    for (size_t i = stores->count; i-- > 0;) // most come in the order of their threads
        if (stores->items[i].begin == address && stores->items[i].end == address + event->size)
            return;
    add_store(stores, arena, address, event->size);
}

// --- Threads -----------------------------------------------------------------------------------

// Runs a left-out thread in the place of `index`.
static void run_other(const struct builder *setup, int index, unsigned number,
                      struct left_stores *stores) {
    struct arena *arena = arena_new();
    const struct launch *launch = setup->test->threads[index].launch;
    struct test test = *setup->test;
    struct program_options options = *setup->options;
    struct diagnostics unused;
    diagnostics_init(&unused, arena);
    options.unroll = options.unroll > UNROLL ? options.unroll : UNROLL;
    test.threads = arena_copy(arena, test.threads, test.thread_count, sizeof *test.threads);
    test.threads[index].tid[0] = number % launch->block[0];
    test.threads[index].tid[1] = number / launch->block[0] % launch->block[1];
    test.threads[index].tid[2] = number / launch->block[0] / launch->block[1];
    struct builder builder = {.arena = arena,
                              .test = &test,
                              .options = &options,
                              .diagnostics = &unused,
                              .only_thread = index + 1};
    bool ran = program_build_events(&builder) != NULL && unused.error_count == 0 &&
               expr_is_false(builder.program->bound_reached);
    if (!ran)
        add_anywhere(stores, SPACE_GENERIC);
    else
        for (size_t i = builder.program->init_count; i < builder.program->event_count; i++)
            if (builder.program->events[i].kind == EVENT_WRITE)
                note_write(stores, setup->arena, builder.program, &builder.program->events[i]);
    stores->trap |= !ran || !expr_is_false(builder.program->trapped);
    stores->runs++;
    arena_free(arena);
}

static bool is_modelled(const struct launch *launch, unsigned number) {
    for (size_t i = 0; i < launch->modelled_count; i++)
        if (launch->modelled[i] == number)
            return true;
    return false;
}

static bool is_first_of_cta(const struct test *test, size_t thread) {
    for (size_t i = 0; i < thread; i++)
        if (test_same_cta(&test->threads[i].place, &test->threads[thread].place))
            return false;
    return true;
}

static void run_others(const struct builder *setup, size_t thread, struct left_stores *stores) {
    const struct launch *launch = setup->test->threads[thread].launch;
    for (unsigned number = 0; number < block_size(launch); number++) {
        if (is_modelled(launch, number))
            continue;
        if (stores->runs == RUNS_MAX || (stores->anywhere_global && stores->anywhere_shared))
            add_anywhere(stores, SPACE_GENERIC);
        else
            run_other(setup, (int)thread, number, stores);
    }
}

static int compare_stores(const void *left, const void *right) {
    const struct left_store *a = left, *b = right;
    return a->begin != b->begin ? (a->begin < b->begin ? -1 : 1)
           : a->end != b->end   ? (a->end < b->end ? -1 : 1)
                                : 0;
}

const struct left_stores *left_out_find_stores(const struct builder *setup) {
    struct left_stores *stores = NULL;
    for (size_t i = 0; i < setup->test->thread_count; i++) {
        if (!others_left_out(setup->test, (int)i) || !is_first_of_cta(setup->test, i))
            continue;
        if (stores == NULL)
            stores = ARENA_NEW(setup->arena, struct left_stores);
        run_others(setup, i, stores);
    }
    if (stores != NULL && stores->count > 1)
        qsort(stores->items, stores->count, sizeof *stores->items, compare_stores);
    return stores;
}

// --- What is taken for granted -----------------------------------------------------------------

static void assume(const struct builder *builder, const char *text) {
    struct program *program = builder->program;
    program->assumptions = arena_grow(builder->arena, program->assumptions,
                                      program->assumption_count, sizeof *program->assumptions);
    program->assumptions[program->assumption_count++] = text;
}

static bool has_event(const struct program *program, enum event_kind kind) {
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].kind == kind)
            return true;
    return false;
}

void left_out_list_assumptions(const struct builder *builder) {
    const struct left_stores *stores = builder->left_stores;
    const struct launch *launch = NULL;
    for (size_t i = 0; i < builder->test->assumption_count; i++)
        assume(builder, builder->test->assumptions[i]);
    if (stores == NULL)
        return;
    for (size_t i = 0; i < builder->test->thread_count; i++)
        if (others_left_out(builder->test, (int)i))
            launch = builder->test->threads[i].launch;
    assume(builder,
           arena_format(builder->arena,
                        "%zu of the %u threads of each block are modelled: no race is looked for "
                        "with the others",
                        launch->modelled_count, block_size(launch)));
    if (has_event(builder->program, EVENT_BARRIER))
        assume(builder, "the others arrive at each barrier at which one of these waits");
    if (builder->read_others)
        assume(builder, "where the others may store, anything may be read");
    if (stores->outside)
        assume(builder, "what the others store outside of all objects is in none of them");
    if (stores->trap)
        assume(builder, "the others do not trap");
}
