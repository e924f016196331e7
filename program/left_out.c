// Threads that a launch leaves out (memory-model section 13): where they may store, and what is
// taken for granted of them.
//
// Each of them is run by itself, in the place of a thread of its block that the test has: so
// objects have the same addresses as in the program. What it loads may be anything. The stores of a
// thread that cannot be run may be anywhere. Where it goes past the bound of a loop, one more
// round, with any values in the registers that the loop writes, stands for all others.

#include "program/builder.h"
#include "program/barrier/barriers.h"
#include "program/left_out.h"
#include "program/thread/others.h"

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

static void note_access(struct left_stores *stores, struct arena *arena, const struct builder *ran,
                        const struct left_timer *timer, const struct event *event) {
    enum state_space space = event_state_space(event);
    struct left_places *places = event->kind != EVENT_WRITE ? &stores->loads
                                 : event->mbarrier != NULL  ? &stores->changes
                                                            : &stores->stores;
    if (space == SPACE_LOCAL || space == SPACE_PARAM || space == SPACE_CONST ||
        expr_is_false(event->executes))
        return;
    struct left_window when = left_window_of(timer, event);
    stores->outside |=
        !left_places_add(places, arena, ran, event, &when) && event->kind == EVENT_WRITE;
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

// Whether an instruction is an operation on an mbarrier, without which nothing completes on one.
static bool is_about_mbarrier(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_MBARRIER;
}

static bool is_of_warp(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_WARP;
}

static bool is_reduction(const struct instruction *instruction) {
    return instruction->barrier == BARRIER_RED;
}

// The barriers of its CTA, as bits, at which a thread that was run may arrive; with `only_arrives`,
// without waiting there.
static unsigned find_arrivals(const struct builder *builder, bool only_arrives) {
    const struct program *program = builder->program;
    unsigned found = 0;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!event_is_arrival(event) || expr_is_false(event->executes) ||
            builder->barrier_groups[event->barrier->group].level != BARRIER_OF_CTA ||
            (only_arrives && event->instruction->barrier != BARRIER_ARRIVE))
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
        if (event_starts(&program->events[i], FAMILY_CANCEL) &&
            !expr_is_false(program->events[i].executes))
            stores->requests = program->events[i].instruction;
}

static const char *first_error(const struct diagnostics *diagnostics) {
    for (size_t i = 0; i < diagnostics->count; i++)
        if (diagnostics->items[i].severity == SEVERITY_ERROR)
            return diagnostics->items[i].message;
    return "";
}

// Whether a thread that was run may stay somewhere and neither come to a further barrier of its CTA
// nor end, if these are the only barriers and all of them have one number.
static bool may_stay(const struct builder *ran) {
    const struct program *program = ran->program;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (expr_is_false(event->executes))
            continue;
        if (event->mbarrier != NULL || event->kind == EVENT_ASYNC_WAIT ||
            (event->kind == EVENT_BARRIER &&
             ran->barrier_groups[event->barrier->group].level != BARRIER_OF_CTA))
            return true;
    }
    return ran->loops.widened || ran->others.meets_lanes || !expr_is_true(program->assumption) ||
           !expr_is_false(program->limits.bound_reached);
}

// The lanes of the warp of a thread that its block has.
static uint32_t lanes_of(const struct launch *launch, unsigned number) {
    enum { WARP_SIZE = 32 };
    unsigned left = launch_block_size(launch) - (number - number % WARP_SIZE);
    return left >= WARP_SIZE ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}

// Whether a barrier is one of all threads that can share it, of a thread that was run.
static bool is_of_all(const struct builder *ran, const struct event *event, uint32_t lanes) {
    const struct event_barrier *barrier = event->barrier;
    if (ran->barrier_groups[barrier->group].level != BARRIER_OF_WARP)
        return barrier->count == NULL;
    return expr_is_const(barrier->id) && (lanes & ~(uint32_t)barrier->id->value.low) == 0;
}

// Whether a thread that was run may be a link between what others do: a strong read of it may be
// of a release pattern, and a barrier of it be of some threads.
static bool may_order(const struct builder *ran, const struct launch *launch, unsigned number) {
    const struct program *program = ran->program;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        bool reads = event->kind == EVENT_READ && event->order != ORDER_WEAK;
        bool meets = event->kind == EVENT_BARRIER && !event->barrier->exchanges &&
                     !is_of_all(ran, event, lanes_of(launch, number));
        if (!expr_is_false(event->executes) && (reads || meets || event->mbarrier != NULL))
            return true;
    }
    return false;
}

// Whether the launch names a thread of the warp of another one.
static bool shares_warp(const struct launch *launch, unsigned number) {
    enum { WARP_SIZE = 32 };
    for (size_t i = 0; i < launch->modelled_count; i++)
        if (launch->modelled[i] / WARP_SIZE == number / WARP_SIZE)
            return true;
    return false;
}

// Runs a left-out thread in the place of `index`, which the test has again afterwards. The plan is
// one for all runs of one thread.
static void run_other(struct build_plan plan, struct arena *kept, int index, unsigned number,
                      struct left_stores *stores) {
    struct builder builder;
    struct thread *place = &plan.test->threads[index];
    const struct thread own = *place;
    launch_find_tid(own.launch, number, place->tid);
    plan.only_thread = index + 1;
    plan.keeps_writes = stores->looks_at_mbarriers;
    bool ran = program_try_events(&builder, &plan);
    if (!ran)
        add_everything(stores, kept, first_error(builder.diagnostics));
    else
        note_thread(stores, kept, &builder);
    stores->trap |= !ran || !expr_is_false(builder.program->limits.trapped);
    note_arrivals(stores, (size_t)index, ran ? find_arrivals(&builder, false) : ~0U);
    stores->arrives |= ran ? find_arrivals(&builder, true) : ~0U;
    stores->may_stay |= !ran || may_stay(&builder);
    stores->may_order |= !ran || may_order(&builder, own.launch, number);
    stores->lanes_open |= !ran;
    if (ran && shares_warp(own.launch, number))
        left_lanes_add(stores, kept, index, number, &builder);
    if (ran)
        note_predicates(stores, builder.program);
    stores->runs++;
    arena_free(builder.arena);
    *place = own;
}

// Runs the threads of the test by themselves, for what they do at mbarriers.
static void run_modelled(struct build_plan plan, struct arena *kept, struct left_stores *stores) {
    struct builder builder;
    plan.keeps_writes = true;
    for (size_t i = 0; i < plan.test->thread_count; i++) {
        plan.only_thread = (int)i + 1;
        if (program_try_events(&builder, &plan))
            left_phases_add(&stores->mbarriers, kept, &builder, false);
        else
            stores->mbarriers.blind = true;
        arena_free(builder.arena);
    }
}

static bool is_first_of_cta(const struct test *test, size_t thread) {
    for (size_t i = 0; i < thread; i++)
        if (test_same_cta(&test->threads[i].place, &test->threads[thread].place))
            return false;
    return true;
}

static void run_others(const struct build_plan *plan, struct arena *arena, size_t thread,
                       struct left_stores *stores) {
    const struct launch *launch = plan->test->threads[thread].launch;
    for (unsigned number = 0; number < launch_block_size(launch); number++) {
        if (launch_models(launch, number))
            continue;
        bool anywhere = stores->stores.anywhere_global && stores->stores.anywhere_shared;
        if (stores->runs < RUNS_MAX && (!anywhere || stores->looks_at_barriers ||
                                        stores->looks_at_mbarriers || stores->looks_at_lanes)) {
            run_other(*plan, arena, (int)thread, number, stores);
            continue;
        }
        add_everything(stores, arena, "there are too many of them");
        note_arrivals(stores, thread, ~0U);
        stores->arrives = ~0U;
        stores->lanes_open = stores->may_stay = stores->may_order = true;
    }
}

static struct left_stores *stores_new(struct arena *arena, const struct test *test) {
    struct left_stores *stores = ARENA_NEW(arena, struct left_stores);
    stores->counted = left_windows_counted(test);
    stores->may_stay = left_windows_apart(test);
    if (test_has_instruction(test, has_count))
        stores->arrivals = arena_alloc(arena, test->thread_count * sizeof *stores->arrivals);
    stores->looks_at_barriers =
        stores->arrivals != NULL || test_has_instruction(test, is_reduction);
    stores->looks_at_mbarriers = test_has_instruction(test, is_about_mbarrier);
    stores->looks_at_lanes = test_has_instruction(test, is_of_warp);
    return stores;
}

const struct left_stores *left_out_find_stores(const struct build_plan *plan, struct arena *arena,
                                               struct diagnostics *diagnostics) {
    struct left_stores *stores = NULL;
    size_t threads = plan->test->thread_count;
    struct test test = *plan->test;
    struct program_options options = *plan->options;
    const struct build_plan alone = {.test = &test,
                                     .options = &options,
                                     .widens = true,
                                     .keeps_cta_loops = true, // their barriers are counted
                                     .keeps_warp_loops = true};
    options.unroll = options.unroll > UNROLL ? options.unroll : UNROLL;
    for (size_t i = 0; i < threads; i++) {
        if (!others_left_out(plan->test, (int)i) || !is_first_of_cta(plan->test, i))
            continue;
        if (stores == NULL) {
            stores = stores_new(arena, plan->test);
            test.threads = arena_copy(arena, test.threads, threads, sizeof *test.threads);
        }
        run_others(&alone, arena, i, stores);
    }
    if (stores != NULL) {
        left_places_sort(&stores->stores);
        left_places_sort(&stores->loads);
        left_places_sort(&stores->changes);
    }
    if (stores != NULL && stores->looks_at_mbarriers) {
        run_modelled(alone, arena, stores);
        left_phases_find(&stores->mbarriers, arena,
                         plan->options->dependencies != DEPENDENCIES_NONE);
    }
    if (stores != NULL && stores->requests != NULL)
        diag_error(diagnostics, stores->requests->span,
                   "a thread that the launch leaves out may cancel CTAs here: name it, too");
    return stores;
}
