// Threads that a launch leaves out (memory-model.md section 13): where they may store, and what is
// taken for granted of them.
//
// Each of them is run by itself, in the place of a thread of its block that the test has: so
// objects have the same addresses as in the program. What it loads may be anything. A store whose
// address depends on that may be anywhere in its state space, and so may those of a thread that
// cannot be run. Where it goes past the bound of a loop, one more round, with any values in the
// registers that the loop writes, stands for all others.

#include "litmus/program/builder.h"

#include <stdlib.h>
#include <string.h>

enum { UNROLL = 32, RUNS_MAX = 1 << 14 };

// --- Accesses ----------------------------------------------------------------------------------

static void add_range(struct left_places *places, struct arena *arena, uint64_t address,
                      uint64_t size) {
    for (size_t i = places->count; i-- > 0;) // most come in the order of their threads
        if (places->items[i].begin == address && places->items[i].end == address + size)
            return;
    places->items = arena_grow(arena, places->items, places->count, sizeof *places->items);
    places->items[places->count++] = (struct left_range){address, address + size};
}

static void add_anywhere(struct left_places *places, enum state_space space) {
    bool shared = state_space_is_shared(space);
    places->anywhere_shared |= shared || space == SPACE_GENERIC;
    places->anywhere_global |= !shared;
}

// Nothing is known of a thread, for a reason that may be empty.
static void add_everything(struct left_stores *stores, struct arena *arena, const char *reason) {
    if (stores->looks_at_mbarriers)
        left_mbarriers_give_up(&stores->mbarriers, arena, reason);
    add_anywhere(&stores->stores, SPACE_GENERIC);
    add_anywhere(&stores->loads, SPACE_GENERIC);
    stores->gives[0] = stores->gives[1] = true;
}

static void note_access(struct left_stores *stores, struct arena *arena,
                        const struct program *program, const struct event *event) {
    enum state_space space = event_state_space(event);
    struct left_places *places = event->kind != EVENT_WRITE ? &stores->loads
                                 : event->mbarrier != NULL  ? &stores->changes
                                                            : &stores->stores;
    if (space == SPACE_LOCAL || space == SPACE_PARAM || space == SPACE_CONST ||
        expr_is_false(event->executes))
        return;
    if (!expr_is_const(event->address)) {
        add_anywhere(places, space);
        return;
    }
    uint64_t address = event->address->value.low;
    const struct object *object = others_object_at(program, address, event->size);
    stores->outside |= object == NULL && event->kind == EVENT_WRITE;
    if (object == NULL || object->space == SPACE_LOCAL || object->space == SPACE_PARAM)
        return;
    add_range(places, arena, address, event->size);
}

static void note_accesses(struct left_stores *stores, struct arena *arena,
                          const struct program *program) {
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].kind == EVENT_WRITE ||
            (program->events[i].kind == EVENT_READ && program->events[i].mbarrier == NULL))
            note_access(stores, arena, program, &program->events[i]);
}

// --- Barriers ----------------------------------------------------------------------------------

static bool has_count(const struct instruction *instruction) {
    switch (instruction->barrier) {
    case BARRIER_SYNC:
    case BARRIER_ARRIVE: return instruction->operand_count > 1;
    case BARRIER_RED: return instruction->operand_count > 3;
    default: return false;
    }
}

// Whether some instruction of the test is such a one.
static bool has_instruction(const struct test *test,
                            bool (*is_one)(const struct instruction *instruction)) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            if (is_one(&test->threads[t].instructions[i]))
                return true;
    return false;
}

// Whether an instruction is an operation on an mbarrier, without which nothing completes on one.
static bool is_about_mbarrier(const struct instruction *instruction) {
    return instruction->opcode >= OP_MBARRIER_INIT &&
           instruction->opcode <= OP_MBARRIER_PENDING_COUNT;
}

static bool is_reduction(const struct instruction *instruction) {
    return instruction->barrier == BARRIER_RED;
}

// The barriers of its CTA, as bits, at which a thread that was run may arrive.
static unsigned find_arrivals(const struct builder *builder) {
    const struct program *program = builder->program;
    unsigned found = 0;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!event_is_arrival(event) || expr_is_false(event->executes) ||
            builder->barrier_groups[event->barrier->group].level != BARRIER_OF_CTA)
            continue;
        const struct expr *id = event->barrier->id;
        bool known = expr_is_const(id) && id->value.low < CTA_BARRIERS;
        found |= known ? 1U << id->value.low : (1U << CTA_BARRIERS) - 1;
    }
    return found;
}

static void note_predicate(struct left_stores *stores, const struct event_barrier *barrier) {
    bool known = expr_is_const(barrier->predicate) && expr_is_false(barrier->predicate_undef);
    stores->gives[0] |= !known || expr_is_false(barrier->predicate);
    stores->gives[1] |= !known || expr_is_true(barrier->predicate);
}

static void note_predicates(struct left_stores *stores, const struct program *program) {
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (event_is_arrival(&program->events[i]) && !expr_is_false(program->events[i].executes) &&
            program->events[i].barrier->predicate != NULL)
            note_predicate(stores, program->events[i].barrier);
}

static void note_arrivals(struct left_stores *stores, size_t leader, unsigned barriers) {
    for (unsigned i = 0; stores->arrivals != NULL && i < CTA_BARRIERS; i++)
        stores->arrivals[leader][i] += barriers >> i & 1;
}

// --- Threads -----------------------------------------------------------------------------------

// What is known of a thread that was run.
static void note_thread(struct left_stores *stores, struct arena *arena,
                        const struct builder *ran) {
    const struct program *program = ran->program;
    note_accesses(stores, arena, program);
    left_mbarriers_note(&stores->mbarriers, arena, ran);
    if (stores->looks_at_mbarriers)
        left_phases_add(&stores->mbarriers, arena, ran, true);
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (event_issues(&program->events[i], OP_CANCEL_TRY) &&
            !expr_is_false(program->events[i].executes))
            stores->requests = program->events[i].instruction;
}

static const char *first_error(const struct diagnostics *diagnostics) {
    for (size_t i = 0; i < diagnostics->count; i++)
        if (diagnostics->items[i].severity == SEVERITY_ERROR)
            return diagnostics->items[i].message;
    return "";
}

// A run of one thread alone.
static struct builder start_run(const struct test *test, struct arena *arena,
                                const struct program_options *options,
                                struct diagnostics *diagnostics, int index) {
    return (struct builder){.arena = arena,
                            .test = test,
                            .options = options,
                            .diagnostics = diagnostics,
                            .only_thread = index + 1,
                            .widens = true};
}

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
    struct builder builder = start_run(&test, arena, &options, &unused, index);
    builder.keeps_writes = builder.keeps_cta_loops = builder.keeps_warp_loops =
        stores->looks_at_mbarriers;
    bool ran = program_build_events(&builder) != NULL && unused.error_count == 0;
    if (!ran)
        add_everything(stores, setup->arena, first_error(&unused));
    else
        note_thread(stores, setup->arena, &builder);
    stores->trap |= !ran || !expr_is_false(builder.program->trapped);
    note_arrivals(stores, (size_t)index, ran ? find_arrivals(&builder) : ~0U);
    if (ran)
        note_predicates(stores, builder.program);
    stores->runs++;
    arena_free(arena);
}

// Runs the threads of the test by themselves, for what they do at mbarriers.
static void run_modelled(const struct builder *setup, struct left_stores *stores) {
    for (size_t i = 0; i < setup->test->thread_count; i++) {
        struct arena *arena = arena_new();
        struct program_options options = *setup->options;
        struct diagnostics unused;
        diagnostics_init(&unused, arena);
        options.unroll = options.unroll > UNROLL ? options.unroll : UNROLL;
        struct builder builder = start_run(setup->test, arena, &options, &unused, (int)i);
        builder.keeps_writes = builder.keeps_cta_loops = builder.keeps_warp_loops = true;
        if (program_build_events(&builder) != NULL && unused.error_count == 0)
            left_phases_add(&stores->mbarriers, setup->arena, &builder, false);
        else
            stores->mbarriers.blind = true;
        arena_free(arena);
    }
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
    for (unsigned number = 0; number < others_block_size(setup->test, (int)thread); number++) {
        if (is_modelled(launch, number))
            continue;
        bool anywhere = stores->stores.anywhere_global && stores->stores.anywhere_shared;
        if (stores->runs < RUNS_MAX &&
            (!anywhere || stores->looks_at_barriers || stores->looks_at_mbarriers)) {
            run_other(setup, (int)thread, number, stores);
            continue;
        }
        add_everything(stores, setup->arena, "there are too many of them");
        note_arrivals(stores, thread, ~0U);
    }
}

static int compare_ranges(const void *left, const void *right) {
    const struct left_range *a = left, *b = right;
    return a->begin != b->begin ? (a->begin < b->begin ? -1 : 1)
           : a->end != b->end   ? (a->end < b->end ? -1 : 1)
                                : 0;
}

static void sort_places(struct left_places *places) {
    if (places->count > 1)
        qsort(places->items, places->count, sizeof *places->items, compare_ranges);
}

const struct left_stores *left_out_find_stores(const struct builder *setup) {
    struct left_stores *stores = NULL;
    size_t threads = setup->test->thread_count;
    for (size_t i = 0; i < threads; i++) {
        if (!others_left_out(setup->test, (int)i) || !is_first_of_cta(setup->test, i))
            continue;
        if (stores == NULL) {
            stores = ARENA_NEW(setup->arena, struct left_stores);
            if (has_instruction(setup->test, has_count))
                stores->arrivals = arena_alloc(setup->arena, threads * sizeof *stores->arrivals);
            stores->looks_at_barriers =
                stores->arrivals != NULL || has_instruction(setup->test, is_reduction);
            stores->looks_at_mbarriers = has_instruction(setup->test, is_about_mbarrier);
        }
        run_others(setup, i, stores);
    }
    if (stores != NULL) {
        sort_places(&stores->stores);
        sort_places(&stores->loads);
        sort_places(&stores->changes);
    }
    if (stores != NULL && stores->looks_at_mbarriers) {
        run_modelled(setup, stores);
        left_phases_find(&stores->mbarriers, setup->arena,
                         setup->options->dependencies != DEPENDENCIES_NONE);
    }
    if (stores != NULL && stores->requests != NULL)
        diag_error(setup->diagnostics, stores->requests->span,
                   "a thread that the launch leaves out may cancel CTAs here: name it, too");
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

// Whether an access may conflict with one of the others: one of the two is a store.
static bool may_conflict(const struct builder *builder, const struct event *event) {
    const struct left_stores *stores = builder->left_stores;
    bool writes = event->kind == EVENT_WRITE;
    if ((event->kind != EVENT_READ && !writes) || event->mbarrier != NULL)
        return false;
    if (!expr_is_const(event->address))
        return left_places_any(&stores->stores) || left_places_any(&stores->changes) ||
               (writes && left_places_any(&stores->loads));
    uint64_t address = event->address->value.low;
    return others_may_store_at(builder, address, event->size) ||
           (writes && others_may_access(builder, &stores->loads, address, event->size));
}

// Whether the others may store to an mbarrier on which a thread of the test does an operation.
static bool may_store_to_mbarrier(const struct builder *builder) {
    const struct program *program = builder->program;
    const struct left_places *stores = &builder->left_stores->stores;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->mbarrier != NULL &&
            (expr_is_const(event->address)
                 ? others_may_access(builder, stores, event->address->value.low, event->size)
                 : left_places_any(stores)))
            return true;
    }
    return false;
}

// Whether it is taken for granted that some phase of an mbarrier is one that the others wait for.
static bool may_be_waited(const struct builder *builder) {
    const struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].mbarrier != NULL && program->events[i].mbarrier->others_wait)
            return true;
    return false;
}

// Whether the others arrive at an mbarrier on which a thread of the test does an operation.
static bool may_join(const struct builder *builder) {
    const struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].mbarrier != NULL &&
            left_mbarriers_joined(builder, program->events[i].address) != NULL)
            return true;
    return false;
}

static unsigned line_of(const struct event *event) {
    return source_position(event->instruction->span.source, event->instruction->span.begin).line;
}

// "line 12", "lines 12, 14 and others": of the accesses that may conflict; NULL: there are none.
static const char *conflicting_lines(const struct builder *builder) {
    enum { LINES_MAX = 4 };
    const struct program *program = builder->program;
    unsigned lines[LINES_MAX], count = 0;
    bool more = false;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        bool known = !may_conflict(builder, &program->events[i]);
        unsigned line = known ? 0 : line_of(&program->events[i]);
        for (unsigned k = 0; k < count; k++)
            known = known || lines[k] == line;
        more = more || (!known && count == LINES_MAX);
        if (!known && count < LINES_MAX)
            lines[count++] = line;
    }
    const char *text = count == 0 ? NULL : count == 1 ? "line" : "lines";
    for (unsigned i = 0; i < count; i++)
        text = arena_format(builder->arena, "%s%s %u", text,
                            i == 0                    ? ""
                            : i + 1 == count && !more ? " and"
                                                      : ",",
                            lines[i]);
    return more ? arena_format(builder->arena, "%s and others", text) : text;
}

// `thread` is the first one of its launch.
static void assume_no_races(const struct builder *builder, size_t thread, const char *lines) {
    const struct test *test = builder->test;
    const struct launch *launch = test->threads[thread].launch;
    bool alone = true;
    for (size_t i = 0; i < test->thread_count; i++)
        alone = alone && (test->threads[i].launch == NULL || test->threads[i].launch == launch);
    const char *kernel =
        alone ? "" : arena_format(builder->arena, " of kernel '%s'", launch->kernel);
    assume(builder,
           arena_format(builder->arena,
                        "%zu of the %u threads of each block%s are modelled: no race is looked for "
                        "with the others, which may access what %s %s",
                        launch->modelled_count, others_block_size(test, (int)thread), kernel, lines,
                        strncmp(lines, "lines", strlen("lines")) == 0 ? "do" : "does"));
}

void left_out_list_assumptions(const struct builder *builder) {
    const struct left_stores *stores = builder->left_stores;
    const struct test *test = builder->test;
    for (size_t i = 0; i < test->assumption_count; i++)
        assume(builder, test->assumptions[i]);
    if (builder->program->clocks_stopped)
        assume(builder, "no wait gives up by a clock: the clocks of threads that look at one while "
                        "they wait are stopped");
    if (stores == NULL)
        return;
    const char *lines = conflicting_lines(builder);
    for (size_t i = 0; lines && i < test->thread_count; i++)
        if (others_left_out(test, (int)i) &&
            (i == 0 || test->threads[i - 1].launch != test->threads[i].launch))
            assume_no_races(builder, i, lines);
    if (has_event(builder->program, EVENT_BARRIER))
        assume(builder, stores->arrivals == NULL
                            ? "the others arrive at each barrier at which one of these waits"
                            : "the others arrive at each barrier of all threads at which one of "
                              "these waits, and as many as it needs of those that may come to one "
                              "of some threads");
    if (builder->read_others)
        assume(builder, "where the others may store, anything may be read");
    if (stores->outside)
        assume(builder, "what the others store outside of all objects is in none of them");
    if (may_store_to_mbarrier(builder))
        assume(builder, "the others store to no mbarrier");
    if (may_be_waited(builder))
        assume(builder, "the others wait for each phase of an mbarrier at which they wait");
    if (may_join(builder))
        assume(builder, "as many of the others arrive at an mbarrier as a phase needs, of those "
                        "that may, and no more");
    if (stores->trap)
        assume(builder, "the others do not trap");
}
