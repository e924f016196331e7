// Building a program: the order of the steps, and the questions that users of a program ask.

#include "program/program.h"

#include "program/builder.h"
#include "program/barrier/barriers.h"
#include "program/dependency/dependencies.h"
#include "program/left_out.h"
#include "program/memory/memory.h"
#include "program/thread/async.h"
#include "program/thread/access.h"
#include "program/thread/tensor.h"
#include "program/thread/values.h"
#include "program/loop/loops.h"
#include "program/thread/shapes.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <stdio.h>

// --- Building ----------------------------------------------------------------------------------

static bool passes_unknown_on(const struct event *event) {
    if (event->kind == EVENT_WRITE)
        return !expr_is_false(event->access->undef);
    return event->kind == EVENT_BARRIER && event->barrier->predicate != NULL &&
           !expr_is_false(event->barrier->predicate_undef);
}

static bool passes_unknown(const struct builder *builder) {
    const struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (passes_unknown_on(&program->events[i]))
            return true;
    return false;
}

// Adds an error where building is to give up.
static bool gives_up(const struct builder *builder) {
    bool is_late = builder_is_late(builder);
    if (is_late)
        diag_error(builder->diagnostics, builder->test->threads->span,
                   "the time was over before all accesses of this test were known");
    return is_late;
}

// Runs all steps, or those up to one that finds what a further run has to be told: that some thread
// stores an unknown value, gives it to a bar.red, or gets one from its warp, although reads did not
// ask for that; or more or less for `unseen`.
static void build(struct builder *builder) {
    size_t errors_before = builder->diagnostics->error_count;
    if (!tensor_check_groups(builder))
        return;
    struct value **final_registers = program_build_events(builder);
    if (final_registers == NULL || gives_up(builder))
        return;
    bool is_fine = builder->diagnostics->error_count == errors_before;
    builder->found.undef = is_fine && !builder->tracks_undef && passes_unknown(builder);
    if (builder->found.undef || builder->too_many_events)
        return;
    if (is_fine && left_windows_refine(builder))
        return;
    lockstep_find(builder, final_registers);
    unreached_find(builder);
    phases_build(builder);
    builder->found.undef = !builder->tracks_undef && phases_give_unknown(builder);
    if (builder->found.undef)
        return;
    mbarriers_find_phases(builder);
    dependencies_pass_on(builder);
    exits_find_reads(builder);
    if (builder->plan->options->dependencies == DEPENDENCIES_SEMANTIC)
        dependencies_weigh(builder);
    dependencies_part(builder);
    known_substitute(builder, final_registers); // not before the dependencies are found
    completed_find(builder, final_registers);
    resolve_addresses(builder);
    if (gives_up(builder))
        return;
    async_find_places(builder);
    tensor_check_columns(builder);
    tensor_find_allocations(builder);
    exited_find(builder);
    left_out_rely_on_barriers(builder);
    cells_build(builder);
    if (gives_up(builder))
        return;
    builder->program->dependencies.left_out =
        dependencies_may_matter(builder) || builder->ends.left_out;
    condition_build(builder, final_registers);
    spin_find_assumed_values(builder);
}

// Whether an instruction is certain to be an event of the program: a weak access may be to memory
// of its thread alone, which is left out where its values are known.
static bool is_event(const struct instruction *instruction) {
    enum state_space space = instruction->space;
    if (instruction_is_plain(instruction) && instruction->order == ORDER_WEAK &&
        (space == SPACE_GENERIC || space == SPACE_LOCAL || space == SPACE_PARAM))
        return false;
    return opcode_effects(instruction->opcode) &
           (EFFECT_READS | EFFECT_WRITES | EFFECT_ORDERS | EFFECT_BARRIER);
}

// The accesses, fences and barriers of a thread, as they are written.
static size_t count_events(const struct thread *thread) {
    size_t events = 0;
    for (size_t i = 0; i < thread->instruction_count; i++)
        events += is_event(&thread->instructions[i]);
    return events;
}

// Refuses launches of so many threads that running them all would be in vain: how many of these
// instructions are events shows when they are run.
static bool check_launches(const struct test *test, struct diagnostics *diagnostics) {
    enum { EVENTS_MAX = 1 << 14 };
    size_t before = 0;
    for (size_t first = 0, end; first < test->thread_count; first = end) {
        const struct launch *launch = test->threads[first].launch;
        for (end = first + 1;
             end < test->thread_count && launch != NULL && test->threads[end].launch == launch;)
            end++;
        size_t each = count_events(&test->threads[first]), events = each * (end - first);
        if (launch != NULL && before + events > EVENTS_MAX) {
            char together[64] = "";
            if (before > 0)
                snprintf(together, sizeof together, ", and those before it %zu", before);
            diag_error(diagnostics, test->threads[first].span,
                       "this launch has %zu threads with %zu accesses, fences and barriers each: "
                       "%zu events%s, and at most %d are taken",
                       end - first, each, events, together, EVENTS_MAX);
            return false;
        }
        before += launch != NULL ? events : 0;
    }
    return true;
}

static bool check_size(const struct test *test, struct diagnostics *diagnostics) {
    if (test->thread_count <= PROGRAM_MAX_EVENTS)
        return check_launches(test, diagnostics);
    diag_error(diagnostics, test->threads[PROGRAM_MAX_EVENTS].span,
               "the test has more than %d threads", (int)PROGRAM_MAX_EVENTS);
    return false;
}

// Tells a plan what a run by it has found. Returns whether there is anything: then it is run again.
static bool plan_again(struct build_plan *plan, const struct build_found *found) {
    plan->tracks_undef |= found->undef;
    if (found->unseen != NULL)
        plan->unseen = found->unseen;
    return found->undef || found->unseen != NULL;
}

// Builds the program by a plan; again, where that is needed, with reads that ask whether their
// value is unknown, and with what is known of those that find nothing that others store.
static struct builder build_with(struct build_plan plan, struct arena *arena,
                                 struct diagnostics *diagnostics) {
    struct builder builder;
    plan.shapes = shapes_find(&plan, arena);
    plan.chosen = chosen_find(&plan, arena);
    do {
        builder = builder_begin(arena_copy(arena, &plan, 1, sizeof plan), arena, diagnostics);
        build(&builder);
    } while (plan_again(&plan, &builder.found));
    if (plan.shapes != NULL && builder.program != NULL)
        builder.program->memory.map_tensors = shapes_tensors(plan.shapes);
    return builder;
}

// Whether executions may pass the bound, or a thread may trap.
static bool may_end_early(const struct program *program) {
    return !expr_is_false(program->limits.bound_reached) || !expr_is_false(program->limits.trapped);
}

// Builds what shows whether the bound can be passed, or a thread traps, where the program itself
// does not.
static void build_spinning(struct build_plan plan, struct builder *builder) {
    struct program *program = builder->program;
    if (expr_is_true(program->assumption) || !may_end_early(program))
        return;
    plan.stays_in_loops = true;
    struct builder spinning = build_with(plan, builder->arena, builder->diagnostics);
    known_memory_drop(&spinning);
    if (may_end_early(spinning.program))
        program->spinning = spinning.program;
    else
        program->limits.bound_reached = program->limits.trapped = builder->never;
}

// Builds the program again if copies need not be divided as far as the smallest access of the test
// asks for, since that is elsewhere; unless PTX allows no larger access where they are.
static void build_undivided(struct build_plan *plan, struct builder *builder) {
    struct build_plan undivided = *plan;
    struct diagnostics messages;
    if (!part_sizes_find(&undivided, builder->arena, builder))
        return;
    diagnostics_init(&messages, builder->arena);
    struct builder other = build_with(undivided, builder->arena, &messages);
    if (messages.error_count > 0) {
        part_sizes_keep(plan, builder->arena);
        return;
    }
    other.diagnostics = builder->diagnostics;
    *plan = undivided;
    *builder = other;
}

// Makes the next plan of what a run has come to: one that leaves out no writes that are needed, and
// no loops that are not waiting loops. Returns whether there is one.
static bool plan_next(struct build_plan *plan, struct builder *built) {
    if (races_refine(plan, built))
        return true;
    bool of_cta = !waits_are_good(built) || !spin_writes_are_unread(built, true);
    bool of_warp = !warp_waits_are_good(built);
    bool alone = !spin_writes_are_unread(built, false);
    plan->keeps_warp_loops = plan->keeps_warp_loops || of_warp;
    plan->keeps_cta_loops = plan->keeps_cta_loops || (of_cta && plan->cuts_late);
    plan->cuts_late = plan->cuts_late || of_cta;
    plan->keeps_writes = plan->keeps_writes || alone;
    return of_cta || of_warp || alone;
}

// Builds the program by one plan after the other, each made of what the last run has come to.
static struct builder build_checked(struct build_plan *plan, struct arena *arena,
                                    struct diagnostics *diagnostics) {
    size_t errors_before = diagnostics->error_count;
    struct builder builder;
    do {
        builder = build_with(*plan, arena, diagnostics);
        if (diagnostics->error_count != errors_before)
            return builder;
        build_undivided(plan, &builder);
    } while (plan_next(plan, &builder));
    return builder;
}

// Builds the program again if loops that end by counting go on past the bound, unless it gets
// so large that deciding it may take longer than anyone who asked for no such bound expects (256
// events: a second or two, as a loop that counts through barriers has them; minutes with atomics on
// one location): then it says with which bound they all end.
static void build_longer(struct build_plan *plan, struct builder *builder) {
    enum { EVENTS_MAX = 256 };
    struct arena *arena = builder->arena;
    struct diagnostics messages, *diagnostics = builder->diagnostics;
    struct build_plan longer_plan = *plan;
    unsigned enough = 0;
    if (expr_is_false(builder->program->limits.bound_reached))
        return;
    longer_plan.rounds = rounds_find(plan, arena, &enough);
    longer_plan.races = NULL; // further rounds may be elsewhere in memory
    builder->program->limits.enough_rounds = enough;
    if (longer_plan.rounds == NULL)
        return;
    diagnostics_init(&messages, arena);
    struct builder longer = build_checked(&longer_plan, arena, &messages);
    if (longer.too_many_events || longer.program->event_count - longer.alone.count > EVENTS_MAX)
        return;
    if (messages.error_count > 0) // in a round that is sure to come
        longer = build_checked(&longer_plan, arena, diagnostics);
    longer.diagnostics = diagnostics;
    *plan = longer_plan;
    *builder = longer;
}

static size_t count_idle(const struct program *program) {
    const struct test *test = program->test;
    bool *acts = ARENA_ARRAY(program->arena, bool, test->thread_count + 1);
    size_t idle = 0;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].thread >= 0)
            acts[program->events[i].thread] = true;
    for (size_t i = 0; i < test->thread_count; i++)
        idle += !acts[i] && test->threads[i].launch != NULL;
    return idle;
}

// Ends building: leaves out what is in memory of one thread alone. Returns the program, or NULL
// after an error.
static struct program *finish(struct builder *builder) {
    struct program *program = builder->program;
    known_memory_drop(builder);
    if (gives_up(builder)) // before, too, what is known of values may have been left out
        return NULL;
    if (program->event_count > PROGRAM_MAX_EVENTS) {
        builder_report_events(builder, builder->test->threads->span);
        return NULL;
    }
    program_assert(program);
    return program;
}

struct program *program_build(struct arena *arena, const struct test *test,
                              const struct program_options *options,
                              struct diagnostics *diagnostics) {
    size_t errors_before = diagnostics->error_count;
    if (!check_size(test, diagnostics))
        return NULL;
    struct build_plan plan = {.test = test, .options = options};
    plan.left_stores = left_out_find_stores(&plan, arena, diagnostics);
    struct builder builder = build_checked(&plan, arena, diagnostics);
    if (diagnostics->error_count == errors_before)
        build_longer(&plan, &builder);
    if (diagnostics->error_count == errors_before)
        build_spinning(plan, &builder);
    if (diagnostics->error_count != errors_before)
        return NULL;
    left_out_list_assumptions(&builder); // of all accesses, those of one thread alone as well
    struct program *program = finish(&builder);
    if (program != NULL)
        program->idle_threads = count_idle(program);
    return program;
}

struct program *program_build_endless(struct arena *arena, const struct test *test,
                                      const struct program_options *options, unsigned rounds,
                                      bool starve, struct diagnostics *diagnostics) {
    size_t errors_before = diagnostics->error_count;
    if (!check_size(test, diagnostics))
        return NULL;
    struct build_plan plan = {.test = test,
                              .options = options,
                              .keeps_writes = true,
                              .stay_rounds = rounds,
                              .starves = starve};
    plan.left_stores = left_out_find_stores(&plan, arena, diagnostics);
    struct builder builder = build_checked(&plan, arena, diagnostics);
    if (diagnostics->error_count == errors_before)
        build_longer(&plan, &builder);
    if (diagnostics->error_count != errors_before)
        return NULL;
    builder.program->endings->ends = builder.ends.exits;
    return finish(&builder);
}

// --- Questions ---------------------------------------------------------------------------------

bool program_is_mbarrier(const struct program *program, const struct event *initial) {
    assert(initial->kind == EVENT_INIT);
    const struct object *object = &program->memory.objects[initial->candidates->object];
    return program->test->variables[object->variable].is_mbarrier;
}

const struct expr *program_initial_value(const struct program *program, unsigned cell) {
    assert(cell < program->memory.cell_count);
    return program->memory.initial_values[cell];
}

const struct expr *program_initial_undef(const struct program *program, unsigned cell) {
    assert(cell < program->memory.cell_count);
    return program->memory.initial_undefs[cell];
}

const struct expr *program_cell_value(const struct program *program, const struct event *event,
                                      const struct candidate *candidate, unsigned index) {
    const struct cell *cell = &program->memory.cells[candidate->first_cell + index];
    if (event->kind == EVENT_INIT)
        return program_initial_value(program, candidate->first_cell + index);
    return expr_extract(program->pool, event->access->value,
                        8 * (unsigned)(cell->offset - candidate->offset), 8 * cell->size);
}

bool program_po(const struct program *program, unsigned a, unsigned b) {
    assert(a < program->event_count);
    assert(b < program->event_count);
    const struct event *x = &program->events[a], *y = &program->events[b];
    if (x->thread < 0 || !event_same_thread(x, y))
        return false;
    if (event_is_detached(x))
        return x->kind == EVENT_READ && x->access->rmw == (int)b;
    return x->position < y->position ||
           (x->position == y->position && x->kind == EVENT_READ && x->access->rmw == (int)b);
}
