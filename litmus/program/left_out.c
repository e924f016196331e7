// Threads that a launch leaves out (memory-model.md section 13): where they may store, and what is
// taken for granted of them.
//
// Each of them is run by itself, in the place of a thread of its block that the test has: so
// objects have the same addresses as in the program. What it loads may be anything. The stores of a
// thread that cannot be run may be anywhere. Where it goes past the bound of a loop, one more round, with any values in the
// registers that the loop writes, stands for all others.

#include "litmus/program/builder.h"

#include <string.h>

enum { UNROLL = 32, RUNS_MAX = 1 << 14 };

// --- Accesses ----------------------------------------------------------------------------------

// Nothing is known of a thread, for a reason that may be empty.
static void add_everything(struct left_stores *stores, struct arena *arena, const char *reason) {
    if (stores->looks_at_mbarriers)
        left_mbarriers_give_up(&stores->mbarriers, arena, reason);
    left_places_add_anywhere(&stores->stores, SPACE_GENERIC);
    left_places_add_anywhere(&stores->loads, SPACE_GENERIC);
    stores->gives[0] = stores->gives[1] = true;
}

static void note_access(struct left_stores *stores, struct arena *arena,
                        const struct builder *ran, const struct left_timer *timer,
                        const struct event *event) {
    enum state_space space = event_state_space(event);
    struct left_places *places = event->kind != EVENT_WRITE ? &stores->loads
                                 : event->mbarrier != NULL  ? &stores->changes
                                                            : &stores->stores;
    if (space == SPACE_LOCAL || space == SPACE_PARAM || space == SPACE_CONST ||
        expr_is_false(event->executes))
        return;
    struct left_window when = left_window_of(timer, event);
    stores->outside |= !left_places_add(places, arena, ran, event, &when) &&
                       event->kind == EVENT_WRITE;
}

static void note_accesses(struct left_stores *stores, struct arena *arena,
                          const struct builder *ran) {
    const struct program *program = ran->program;
    const struct left_timer *timer = left_timer_new(ran, ran->arena, stores->counted);
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].kind == EVENT_WRITE ||
            (program->events[i].kind == EVENT_READ && program->events[i].mbarrier == NULL))
            note_access(stores, arena, ran, timer, &program->events[i]);
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

static bool is_of_warp(const struct instruction *instruction) {
    return instruction->opcode == OP_WARP;
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
    note_accesses(stores, arena, ran);
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

// Whether the launch names a thread of the warp of another one.
static bool shares_warp(const struct launch *launch, unsigned number) {
    enum { WARP_SIZE = 32 };
    for (size_t i = 0; i < launch->modelled_count; i++)
        if (launch->modelled[i] / WARP_SIZE == number / WARP_SIZE)
            return true;
    return false;
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
    builder.keeps_writes = stores->looks_at_mbarriers;
    builder.keeps_cta_loops = builder.keeps_warp_loops = true; // their barriers are counted
    bool ran = program_build_events(&builder) != NULL && unused.error_count == 0;
    if (!ran)
        add_everything(stores, setup->arena, first_error(&unused));
    else
        note_thread(stores, setup->arena, &builder);
    stores->trap |= !ran || !expr_is_false(builder.program->trapped);
    note_arrivals(stores, (size_t)index, ran ? find_arrivals(&builder) : ~0U);
    stores->lanes_open |= !ran;
    if (ran && shares_warp(launch, number))
        left_lanes_add(stores, setup->arena, index, number, &builder);
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
            (!anywhere || stores->looks_at_barriers || stores->looks_at_mbarriers ||
             stores->looks_at_lanes)) {
            run_other(setup, (int)thread, number, stores);
            continue;
        }
        add_everything(stores, setup->arena, "there are too many of them");
        note_arrivals(stores, thread, ~0U);
        stores->lanes_open = true;
    }
}

const struct left_stores *left_out_find_stores(const struct builder *setup) {
    struct left_stores *stores = NULL;
    size_t threads = setup->test->thread_count;
    for (size_t i = 0; i < threads; i++) {
        if (!others_left_out(setup->test, (int)i) || !is_first_of_cta(setup->test, i))
            continue;
        if (stores == NULL) {
            stores = ARENA_NEW(setup->arena, struct left_stores);
            stores->counted = left_windows_counted(setup->test);
            if (has_instruction(setup->test, has_count))
                stores->arrivals = arena_alloc(setup->arena, threads * sizeof *stores->arrivals);
            stores->looks_at_barriers =
                stores->arrivals != NULL || has_instruction(setup->test, is_reduction);
            stores->looks_at_mbarriers = has_instruction(setup->test, is_about_mbarrier);
            stores->looks_at_lanes = has_instruction(setup->test, is_of_warp);
        }
        run_others(setup, i, stores);
    }
    if (stores != NULL) {
        left_places_sort(&stores->stores);
        left_places_sort(&stores->loads);
        left_places_sort(&stores->changes);
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

// Whether an access may be to bytes of these places, and barriers do not order the two.
static bool may_meet(const struct builder *builder, const struct left_places *places,
                     const struct event *event, const struct left_window *when) {
    if (!expr_is_const(event->address))
        return !expr_is_false(left_places_meet(builder, places, event->address, event->size));
    uint64_t begin = event->address->value.low, end = begin + event->size;
    struct left_places unordered = *places;
    for (size_t i = 0; i < places->count && places->items[i].begin < end; i++) {
        const struct left_range *range = &places->items[i];
        if (range->end > begin && !left_window_before(when, &range->when) &&
            !left_window_before(&range->when, when))
            return others_may_access(builder, places, begin, event->size);
    }
    unordered.count = 0;
    return others_may_access(builder, &unordered, begin, event->size);
}

// Whether an access may conflict with one of the others: one of the two is a store.
static bool may_conflict(const struct builder *builder, const struct left_timer *timer,
                         const struct event *event) {
    const struct left_stores *stores = builder->left_stores;
    bool writes = event->kind == EVENT_WRITE;
    if ((event->kind != EVENT_READ && !writes) || event->mbarrier != NULL)
        return false;
    struct left_window when = left_window_of(timer, event);
    return may_meet(builder, &stores->stores, event, &when) ||
           may_meet(builder, &stores->changes, event, &when) ||
           (writes && may_meet(builder, &stores->loads, event, &when));
}

// Whether the others may store to an mbarrier on which a thread of the test does an operation.
static bool may_store_to_mbarrier(const struct builder *builder) {
    const struct program *program = builder->program;
    const struct left_places *stores = &builder->left_stores->stores;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->mbarrier != NULL &&
            !expr_is_false(left_places_meet(builder, stores, event->address, event->size)))
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
    const struct left_timer *timer =
        left_timer_new(builder, builder->arena, builder->left_stores->counted);
    unsigned lines[LINES_MAX], count = 0;
    bool more = false;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        bool known = !may_conflict(builder, timer, &program->events[i]);
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

// Whether it matters that a computed address of theirs is in the object that it is computed from.
static bool is_within(const struct builder *builder) {
    const struct left_stores *stores = builder->left_stores;
    return stores->stores.within || stores->loads.within || stores->changes.within;
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
    if (builder->meets_lanes)
        assume(builder, builder->hears_lanes
                            ? "the other lanes of a warp come to each exchange of values with these, "
                              "and what they give may be anything"
                            : "the other lanes of a warp come to each exchange of values with these");
    if (builder->read_others)
        assume(builder, "where the others may store, anything may be read");
    if (is_within(builder))
        assume(builder, "an address that the others compute from that of an object stays in that "
                        "object");
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
