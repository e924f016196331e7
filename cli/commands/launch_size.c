// Tries launches of fewer and fewer threads, and with several values of integers. The one that is
// taken is decided again, in full.
#include "cli/commands/launch_size.h"

#include "check/report/report.h"
#include "cli/commands/kernel.h"
#include "cli/commands/launch_maps.h"
#include "cli/commands/launched.h"
#include "cli/commands/leaving.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/signals.h"
#include "cli/print/module.h"
#include "cli/report/added.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/source.h"
#include "solver/backend/watchdog.h"

#include <math.h>
#include <string.h>

// What became of a launch.
enum launch_trial {
    LAUNCH_GIVEN,     // it is not derived
    LAUNCH_SAME,      // it is the one before
    LAUNCH_REFUSED,   // an access lies outside of every variable, or there are too many events
    LAUNCH_UNDECIDED, // in the time that it gets
    LAUNCH_LEFT_OPEN, // by one run of it, and nothing is to be searched
    LAUNCH_UNMAPPED,  // a run has met a copy by a parameter that has no tensormap yet
    LAUNCH_MISPLACED, // a run has met an access that larger variables may have a place for
    LAUNCH_FREE,      // of faults
    LAUNCH_FAULTY,
    LAUNCH_SHOWN, // one run of it has met a fault, and nothing was searched
};

enum { CONSTANTS_MAX = 8, SMALL_BLOCK = 2, SHAPES = 6 };
#define NOWHERE UINT32_MAX // in a module
#define USUAL_INTEGER "3"
#define LONG_ROW "64"        // longer than a row of blocks of two dimensions
#define WIDE_DISTANCE "1024" // and the same in bytes

// A search for a launch.
struct launch_sizing {
    struct run *run;
    struct arena *arena;
    const char *path;   // of the kernel
    const char *before; // the launch that was tried last, in words
    const char *why;    // it was not taken
    const char *open;   // why one run of the whole launch does not decide, or NULL
    double seconds;     // that a trial may take
    double end;         // of trials that only run it, by watchdog_now_ms
    double deadline;    // of all trials
    bool names_races;   // a trial finds all pairs that race, as the answer does
    bool leaves;        // what is found, for the case that a limit ends the process,
    bool has_left;      // which is done: a fault is known
    bool only_searches; // a trial does not run the launch
    bool only_runs;     // nor search it, where this is set
    bool is_small;      // a trial is of a smaller block: of what a run shows, a search says more
    bool is_misplaced;  // an access of the last run is at no place
    bool is_unmapped;   // a copy of the last run is by no tensormap
    struct map_search maps;
    const char *rests_on; // what it has met may come of tensormaps that were derived; or NULL
    bool are_alike;       // what races is one instruction of two blocks
    bool are_stores;      // all that the last run has met is two stores to one place,
    bool are_collisions;  // of shared memory
    uint32_t raced[2];    // where the instructions begin that all races of that run have one of
    uint32_t open_at;     // where the one begins at which it was left open; NOWHERE: at none
    unsigned block[3];    // of it
    unsigned constants[CONSTANTS_MAX]; // that the kernel compares with, and the numbers after them
    size_t constant_count;
};

// The seconds of a trial: a part of what the user gives.
static double seconds_of(const struct run *run) {
    enum { SECONDS = 5, PARTS = 8 };
    double given = run->options->check.solver.timeout_seconds / PARTS;
    return given > 0 && given < SECONDS ? given : SECONDS;
}

// Whether no further trial begins that only runs the launch.
static bool is_over(const struct launch_sizing *sizing) {
    return signals_interrupted() || watchdog_now_ms() > sizing->end;
}

static enum launch_trial refuse(struct launch_sizing *sizing,
                                const struct diagnostics *diagnostics) {
    sizing->why = "refused";
    for (size_t i = diagnostics->count; i > 0; i--) { // down to the first error
        const struct diagnostic *item = &diagnostics->items[i - 1];
        if (item->severity == SEVERITY_ERROR)
            sizing->why = arena_format(sizing->arena, "refused (%s)", item->message);
    }
    return LAUNCH_REFUSED;
}

static bool is_alike(const struct test *test, const struct instruction *const instructions[2],
                     const int threads[2]) {
    const struct span *a = &instructions[0]->span, *b = &instructions[1]->span;
    return a->source == b->source && a->begin == b->begin &&
           !test_same_cta(&test->threads[threads[0]].place, &test->threads[threads[1]].place);
}

// Notes whether two blocks do the same in one place, as those of a kernel do that is made for one
// block. Of blocks that do different things, it goes without saying that one alone has no race.
static void note_alike(struct launch_sizing *sizing, const struct test *test,
                       const struct launch_result *launched, const struct report *report) {
    const struct outcomes *outcomes = report ? report->outcomes : NULL;
    for (size_t i = 0; launched && i < launched->race_count; i++) {
        const struct launch_access *sides = launched->races[i].accesses;
        sizing->are_alike |= is_alike(
            test, (const struct instruction *[]){sides[0].instruction, sides[1].instruction},
            (int[]){sides[0].thread, sides[1].thread});
    }
    for (size_t i = 0; outcomes && i < outcomes->race_count; i++) {
        const struct event *events = report->program->events;
        const struct event *a = &events[outcomes->races[i].events[0]];
        const struct event *b = &events[outcomes->races[i].events[1]];
        sizing->are_alike |=
            is_alike(test, (const struct instruction *[]){a->instruction, b->instruction},
                     (int[]){a->thread, b->thread});
    }
}

static bool is_of_stores(const struct launch_race *race) {
    const struct launch_access *a = &race->accesses[0], *b = &race->accesses[1];
    return a->writes && b->writes && !a->is_atomic && !b->is_atomic;
}

// Notes what a run has met, and where it was left open.
static void note_run(struct launch_sizing *sizing, const struct test *test,
                     const struct launch_result *launched) {
    bool races = launched->race_count > 0 && launched->wait_count == 0 && !launched->misuse;
    sizing->are_stores = sizing->are_collisions = races;
    sizing->rests_on = launch_maps_blame(launched);
    memcpy(sizing->block, test->threads[0].launch->block, sizeof sizing->block);
    sizing->open_at = launched->open ? launched->open->span.begin : NOWHERE;
    for (unsigned k = 0; k < 2; k++)
        sizing->raced[k] = races ? launched->races[0].accesses[k].instruction->span.begin : NOWHERE;
    for (size_t i = 0; i < launched->race_count; i++) {
        const struct launch_access *sides = launched->races[i].accesses;
        sizing->are_stores &= is_of_stores(&launched->races[i]);
        sizing->are_collisions &=
            sizing->are_stores && launched->races[i].variable != LAUNCH_TENSOR_MEMORY &&
            test->variables[launched->races[i].variable].space == SPACE_SHARED;
        for (unsigned k = 0; k < 2; k++)
            if (sides[0].instruction->span.begin != sizing->raced[k] &&
                sides[1].instruction->span.begin != sizing->raced[k])
                sizing->raced[k] = NOWHERE;
    }
}

// Takes away what objects hold at first that the launch, and not the module, declares.
static void forget_contents(const struct test *test) {
    const struct source *sidecar = test->source->sidecar;
    for (size_t i = 0; i < test->variable_count; i++) {
        struct variable *variable = &test->variables[i];
        variable->is_unknown = variable->span.source == sidecar && !variable->has_initial &&
                               strcmp(variable->name, DERIVED_WORKSPACE) != 0;
    }
}

// These seconds, or those that are left for all trials.
static double left_of(const struct launch_sizing *sizing, double seconds) {
    double left = (sizing->deadline - watchdog_now_ms()) / 1e3;
    return left < seconds ? left : seconds;
}

// When all trials end: the answer itself takes the rest of the time.
static double deadline_of(const struct run *run) {
    const double part = 0.7;
    double given = run->options->check.solver.timeout_seconds;
    return given > 0 ? watchdog_now_ms() + 1e3 * part * given : HUGE_VAL;
}

// Runs a launch, and notes what that shows. NULL: it is not run.
static const struct launch_result *run_trial(struct launch_sizing *sizing, struct arena *arena,
                                             const struct test *test) {
    enum { PARTS = 4 };
    double given = sizing->run->options->check.solver.timeout_seconds / PARTS;
    double seconds = sizing->only_runs || sizing->is_small   ? seconds_of(sizing->run)
                     : given > 0 && given < LAUNCHED_SECONDS ? given
                                                             : LAUNCHED_SECONDS;
    const struct launch_result *launched =
        sizing->only_searches ? NULL
                              : launched_try(sizing->run, arena, test, left_of(sizing, seconds));
    sizing->is_misplaced = launched && launched->is_misplaced;
    sizing->is_unmapped = launched && launched->lacks_map;
    if (launched)
        note_run(sizing, test, launched);
    return launched;
}

// Leaves a fault for the case that a limit ends the process. The first one that is found is that of
// the answer, unless it is found with other contents than those of the launch.
static void leave_fault(struct launch_sizing *sizing, const struct report *report) {
    if (sizing->leaves && !sizing->has_left)
        leaving_trial(sizing->run, report);
    sizing->has_left = true;
}

// The same of one that a run has met.
static void leave_met(struct launch_sizing *sizing, struct arena *arena, const struct test *test,
                      const struct launch_result *launched) {
    struct run run = *sizing->run;
    run.systems = systems_of(&run.systems, test);
    const struct report report = launched_report(&run, arena, sizing->path, launched);
    leave_fault(sizing, &report);
}

// Searches a launch.
static enum launch_trial search_trial(struct launch_sizing *sizing, struct arena *arena,
                                      struct test *test, struct diagnostics *diagnostics) {
    struct run *run = sizing->run;
    const struct system_list systems = systems_of(&run->systems, test);
    const struct system *system = &systems.items[0];
    struct program_options program_options = run->options->check.program;
    program_options.no_thin_air = systems_forbid_thin_air(&systems, &run->options->check);
    program_options.is_late = run_build_is_late;
    double seconds = left_of(sizing, sizing->seconds);
    run_begin_build(seconds);
    const struct program *program = program_build(arena, test, &program_options, diagnostics);
    if (!program && !run_build_is_late())
        return refuse(sizing, diagnostics);
    struct solver_options options = run->options->check.solver;
    options.timeout_seconds = left_of(sizing, sizing->seconds);
    if (!program || options.timeout_seconds <= 0) {
        sizing->why = seconds > 0 ? arena_format(sizing->arena, "not decided in %g s", seconds)
                                  : "not tried in the time that there is";
        return LAUNCH_UNDECIDED;
    }
    run_begin_build(options.timeout_seconds);
    options.races = options.races && sizing->names_races;
    options.dump_smt2 = options.proof = NULL;
    struct report report = report_of_program(arena, run->options, system, program, sizing->path);
    report.outcomes =
        solver_run(run->solver, arena, program, system->readings.model, &options, diagnostics);
    enum truth clean = report.outcomes ? report_is_clean(&report) : TRUTH_UNKNOWN;
    note_alike(sizing, test, NULL, &report);
    if (clean == TRUTH_NO)
        leave_fault(sizing, &report);
    if (clean != TRUTH_UNKNOWN)
        return clean == TRUTH_YES ? LAUNCH_FREE : LAUNCH_FAULTY;
    sizing->why = arena_format(sizing->arena, "not decided in %g s", options.timeout_seconds);
    return LAUNCH_UNDECIDED;
}

static enum launch_trial decide(struct launch_sizing *sizing, struct arena *arena,
                                const struct derived_launch *derived, struct test *test,
                                struct diagnostics *diagnostics) {
    enum check_method method = sizing->run->options->method;
    test_ask_nothing(arena, test);
    if (derived->has_any_contents)
        forget_contents(test);
    else if (sizing->leaves && !sizing->has_left)
        leaving_trial_unknown(sizing->run, arena, test, sizing->path);
    const struct launch_result *launched = run_trial(sizing, arena, test);
    if (sizing->is_unmapped && !derived->is_mapped)
        return LAUNCH_UNMAPPED;
    if (sizing->is_misplaced && !derived->is_measured)
        return LAUNCH_MISPLACED;
    note_alike(sizing, test, launched, NULL);
    bool is_faulty = launched && launched->answer == LAUNCH_IS_FAULTY && method <= METHOD_RUN;
    if (is_faulty && !derived->has_any_contents)
        leave_met(sizing, arena, test, launched);
    if (launched && launched->answer == LAUNCH_IS_FREE && method <= METHOD_RUN)
        return LAUNCH_FREE;
    if (is_faulty && !sizing->is_small)
        return LAUNCH_SHOWN;
    if (method == METHOD_RUN || sizing->only_runs)
        return is_faulty ? LAUNCH_SHOWN : LAUNCH_LEFT_OPEN;
    const char *open = launched ? launched->why : NULL;
    sizing->open = open ? arena_strndup(sizing->arena, open, strlen(open)) : sizing->open;
    if (launched && launched_is_too_large(test)) {
        sizing->why = arena_format(sizing->arena, "not tried with %zu threads", test->thread_count);
        return is_faulty ? LAUNCH_SHOWN : LAUNCH_UNDECIDED;
    }
    enum launch_trial trial = search_trial(sizing, arena, test, diagnostics);
    return is_faulty && trial != LAUNCH_FREE && trial != LAUNCH_FAULTY ? LAUNCH_SHOWN : trial;
}

static void note_constant(struct launch_sizing *sizing, unsigned value) {
    enum { TRIED = 3, MOST = 1024 }; // 0 to 3 are tried anyway
    for (size_t i = 0; i < sizing->constant_count; i++)
        if (sizing->constants[i] == value)
            return;
    if (value > TRIED && value <= MOST && sizing->constant_count < CONSTANTS_MAX)
        sizing->constants[sizing->constant_count++] = value;
}

// What the kernel's comparisons name: whether an integer is less than that, or more, may decide
// what the kernel does.
static void note_constants(struct launch_sizing *sizing, const struct test *test) {
    for (size_t i = 0; test->thread_count > 0 && i < test->threads[0].instruction_count; i++) {
        const struct instruction *instruction = &test->threads[0].instructions[i];
        bool compares = instruction->compute.compare != COMPARE_NONE;
        for (size_t k = 0; compares && k < instruction->operand_count; k++) {
            const struct operand *operand = &instruction->operands[k];
            if (operand->kind == OPERAND_IMMEDIATE && operand->immediate.high == 0 &&
                operand->immediate.low < UINT32_MAX) {
                note_constant(sizing, (unsigned)operand->immediate.low);
                note_constant(sizing, (unsigned)operand->immediate.low + 1);
            }
        }
    }
}

static enum launch_trial try_once(struct launch_sizing *sizing,
                                  const struct derived_launch *derived) {
    struct arena *scratch = arena_new();
    struct options options = *sizing->run->options;
    struct diagnostics messages;
    struct test_list tests = {0};
    const char *launched = NULL;
    enum launch_trial trial = LAUNCH_GIVEN;
    diagnostics_init(&messages, scratch);
    options.launch.derived = *derived;
    const struct source *source =
        kernel_source(scratch, &options, sizing->path, NULL, &messages, &launched);
    if (source && launched && strcmp(launched, sizing->before) == 0) {
        trial = LAUNCH_SAME;
    } else if (source && launched) {
        sizing->before = arena_strndup(sizing->arena, launched, strlen(launched));
        bool fine = test_read_all(scratch, source, options.check.syntax, &messages, &tests);
        if (fine && tests.count == 1) {
            note_constants(sizing, tests.items[0]);
            tests.items[0]->description = launched;
        }
        trial = fine && tests.count == 1
                    ? decide(sizing, scratch, derived, tests.items[0], &messages)
                    : refuse(sizing, &messages);
    }
    arena_free(scratch);
    return trial;
}

// --- Sizes ---------------------------------------------------------------------------------------

// Takes the sizes of those variables of which a run has accessed more than they usually have.
static void take_sizes(struct launch_sizing *sizing, struct derived_launch *derived,
                       const struct test *test, const uint64_t *reached) {
    enum { ALIGNMENT = 16 };
    struct derived_size *sizes = NULL;
    for (size_t i = 0; i < test->variable_count; i++) {
        const struct variable *variable = &test->variables[i];
        uint64_t usual = variable->space == SPACE_SHARED ? DERIVED_DYNAMIC_BYTES : DERIVED_BYTES;
        if (reached[i] > usual) {
            sizes = arena_grow(sizing->arena, sizes, derived->size_count, sizeof *sizes);
            sizes[derived->size_count++] = (struct derived_size){
                arena_strndup(sizing->arena, variable->name, strlen(variable->name)),
                (reached[i] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT};
        }
    }
    derived->sizes = sizes;
}

// How many bytes all objects have that are measured. Memory that no access touches is not in use,
// but it is asked for, many times as much: what is kept of accesses has a place for each.
static uint64_t measured_bytes(const struct options *options) {
    enum { MOST = 1 << 29, PARTS = 48 };
    uint64_t given = (uint64_t)options->check.solver.memory_mb << 20;
    return given > 0 && given / PARTS < MOST ? given / PARTS : MOST;
}

// Runs a launch with very large variables, to find how large they have to be. That is asked where a
// run has met an access outside of all of them, and answered only where one with larger ones has
// not: an access to what is not even there then is none that more memory would help.
static void measure(struct launch_sizing *sizing, struct derived_launch *derived) {
    enum { TRIALS = 4 }; // it may take as long as so many: nothing is decided without it
    struct arena *scratch = arena_new();
    struct options options = *sizing->run->options;
    struct diagnostics messages;
    struct test_list tests = {0};
    const char *launched = NULL;
    diagnostics_init(&messages, scratch);
    derived->is_measured = true;
    options.launch.derived = *derived;
    options.launch.derived.measured = measured_bytes(&options);
    const struct source *source =
        kernel_source(scratch, &options, sizing->path, NULL, &messages, &launched);
    bool fine = source && test_read_all(scratch, source, options.check.syntax, &messages, &tests);
    if (fine && tests.count == 1) {
        test_ask_nothing(scratch, tests.items[0]);
        const struct launch_result *result =
            launched_try(sizing->run, scratch, tests.items[0],
                         left_of(sizing, TRIALS * seconds_of(sizing->run)));
        if (result && result->reached && !result->is_misplaced)
            take_sizes(sizing, derived, tests.items[0], result->reached);
    }
    arena_free(scratch);
}

// Finds tensormaps for a launch. What its copies access is to be measured with them.
static void find_maps(struct launch_sizing *sizing, struct derived_launch *derived) {
    sizing->maps.run = sizing->run;
    sizing->maps.arena = sizing->arena;
    sizing->maps.path = sizing->path;
    launch_maps_find(&sizing->maps, derived, left_of(sizing, seconds_of(sizing->run)),
                     measured_bytes(sizing->run->options));
    derived->is_measured = false;
}

// Tries a launch; again with tensormaps, and with larger variables, where that may help: it then
// has these.
static enum launch_trial try_launch(struct launch_sizing *sizing, struct derived_launch *derived) {
    enum launch_trial trial = try_once(sizing, derived);
    while (trial == LAUNCH_UNMAPPED || trial == LAUNCH_MISPLACED) {
        if (trial == LAUNCH_UNMAPPED)
            find_maps(sizing, derived);
        else
            measure(sizing, derived);
        sizing->before = "";
        trial = try_once(sizing, derived);
    }
    return trial;
}

// The same launch with another block.
static struct derived_launch with_block(const struct derived_launch *derived, unsigned threads) {
    return (struct derived_launch){.threads = threads,
                                   .shape = derived->shape,
                                   .integer = derived->integer,
                                   .distance = derived->distance,
                                   .is_measured = derived->is_measured,
                                   .sizes = derived->sizes,
                                   .size_count = derived->size_count,
                                   .is_mapped = derived->is_mapped,
                                   .maps = derived->maps,
                                   .map_count = derived->map_count};
}

// --- Blocks --------------------------------------------------------------------------------------

// Looks for a small block whose search finds a fault, too; for the block itself where that is
// given.
static void find_small(struct launch_sizing *sizing, struct derived_launch *derived) {
    static const unsigned sizes[] = {2, 8, 32}, given[] = {0};
    const struct launch_options *launch = &sizing->run->options->launch;
    bool is_given = launch->block || launch->threads;
    size_t count = is_given ? 1 : sizeof sizes / sizeof *sizes;
    struct derived_launch block = with_block(derived, 0);
    enum launch_trial trial = LAUNCH_FREE; // of none
    sizing->before = "";
    sizing->only_searches = true;
    for (size_t i = 0; i < count && trial == LAUNCH_FREE && !signals_interrupted(); i++) {
        block.threads = is_given ? given[i] : sizes[i];
        trial = try_launch(sizing, &block);
    }
    sizing->only_searches = false;
    derived->is_searched = trial == LAUNCH_FAULTY;
    derived->searched = block.threads;
}

// Finds the largest block that is decided, from small ones on, where that of the whole launch is
// not. Of one thread alone where none is: kernels are not made for that.
static enum launch_trial choose_smaller(struct launch_sizing *sizing,
                                        struct derived_launch *derived) {
    static const unsigned sizes[] = {2, 8, 32};
    const char *why =
        sizing->open
            ? arena_format(sizing->arena, "one run does not decide (%s), and a search is %s",
                           sizing->open, sizing->why)
            : sizing->why;
    struct derived_launch block = with_block(derived, 1);
    enum launch_trial chosen = LAUNCH_UNDECIDED, trial = LAUNCH_FREE; // of none
    block.why = why;
    *derived = block;
    sizing->is_small = true;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && trial == LAUNCH_FREE; i++) {
        block.threads = sizes[i];
        block.is_mapped = false;
        trial = signals_interrupted() ? LAUNCH_UNDECIDED : try_launch(sizing, &block);
        if (trial == LAUNCH_FREE || trial == LAUNCH_FAULTY || trial == LAUNCH_SHOWN) {
            *derived = block;
            chosen = trial;
        }
    }
    if (chosen == LAUNCH_UNDECIDED)
        chosen = try_launch(sizing, derived);
    sizing->is_small = false;
    derived->is_shown = chosen == LAUNCH_SHOWN;
    return chosen == LAUNCH_SHOWN ? LAUNCH_FAULTY : chosen;
}

// Sets what a block is, and returns what became of the launch.
static enum launch_trial choose_block(struct launch_sizing *sizing,
                                      struct derived_launch *derived) {
    const struct launch_options *launch = &sizing->run->options->launch;
    struct derived_launch whole = with_block(derived, 0);
    enum launch_trial trial = try_launch(sizing, &whole);
    switch (trial) {
    case LAUNCH_SHOWN:
        *derived = whole;
        derived->is_shown = true;
        if (sizing->run->options->method != METHOD_RUN)
            find_small(sizing, derived);
        return LAUNCH_FAULTY;
    case LAUNCH_FREE:
    case LAUNCH_LEFT_OPEN:
    case LAUNCH_FAULTY: *derived = whole; return trial;
    case LAUNCH_GIVEN: return trial;
    default:
        *derived = whole;
        return launch->block || launch->threads ? LAUNCH_UNDECIDED
                                                : choose_smaller(sizing, derived);
    }
}

// --- Integers ------------------------------------------------------------------------------------

// Whether two launches of the kernel are different ones.
static bool differ(struct launch_sizing *sizing, struct derived_launch one,
                   struct derived_launch other) {
    struct arena *scratch = arena_new();
    struct options options = *sizing->run->options;
    const char *launched[2] = {NULL, NULL};
    for (unsigned i = 0; i < 2; i++) {
        struct diagnostics messages;
        diagnostics_init(&messages, scratch);
        options.launch.derived = i == 0 ? one : other;
        kernel_source(scratch, &options, sizing->path, NULL, &messages, &launched[i]);
    }
    bool are_different = launched[0] && launched[1] && strcmp(launched[0], launched[1]) != 0;
    arena_free(scratch);
    return are_different;
}

// "2, 1" and "0": "2, 1, 0".
static const char *with_words(struct arena *arena, const char *list, const char *value) {
    return arena_format(arena, "%s%s%s", list ? list : "", list ? ", " : "", value);
}

static const char *with_value(struct arena *arena, const char *list, unsigned value) {
    return with_words(arena, list, arena_format(arena, "%u", value));
}

// Tries values of integers until one run of the launch decides it, or else takes the first one with
// which all accesses have places, if there is any: sizes in bytes and distances are even numbers,
// as a rule. Distances are `distance`, or where that is NULL the same. Returns what became of it.
static enum launch_trial try_integers(struct launch_sizing *sizing, struct derived_launch *derived,
                                      const char *distance) {
    static const char *const values[] = {USUAL_INTEGER, "4", "8", "1"};
    enum { VALUES = sizeof values / sizeof *values };
    enum launch_trial found = LAUNCH_MISPLACED;
    for (size_t i = 0; i < VALUES && !is_over(sizing); i++) {
        struct derived_launch other = {.shape = derived->shape,
                                       .integer = values[i],
                                       .distance = distance ? distance : values[i]};
        enum launch_trial trial = try_launch(sizing, &other);
        bool is_decided = !sizing->is_misplaced && (trial == LAUNCH_FREE || trial == LAUNCH_SHOWN);
        bool is_first = found == LAUNCH_MISPLACED && trial == LAUNCH_LEFT_OPEN;
        if (is_decided || (is_first && !sizing->is_misplaced)) {
            *derived = other;
            found = trial;
        }
        if (is_decided)
            break;
    }
    return found;
}

// Chooses the shape of blocks and what integers are by runs of the launch: those with which it is
// decided, or at least the first usual shape with which all accesses have places. Distances are
// longer than rows, if that decides it.
static void choose_by_runs(struct launch_sizing *sizing, struct derived_launch *derived) {
    const struct derived_launch usual = *derived, next = {.shape = 1, .distance = USUAL_INTEGER},
                                wide = {.distance = WIDE_DISTANCE};
    bool has_distance = differ(sizing, usual, wide);
    unsigned count = differ(sizing, usual, next) ? SHAPES : 1;
    enum launch_trial trial = LAUNCH_MISPLACED;
    if (sizing->run->options->method > METHOD_RUN)
        return;
    sizing->only_runs = true;
    sizing->end = watchdog_now_ms() + 1e3 * seconds_of(sizing->run);
    for (unsigned i = 0; trial == LAUNCH_MISPLACED && i < count && !is_over(sizing); i++) {
        struct derived_launch other = {.shape = i};
        if (has_distance)
            trial = try_integers(sizing, &other, WIDE_DISTANCE);
        if (trial != LAUNCH_FREE && trial != LAUNCH_SHOWN)
            trial = try_integers(sizing, &other, NULL);
        *derived = trial == LAUNCH_MISPLACED ? usual : other;
    }
    sizing->only_runs = false;
    sizing->before = "";
}

// The same launch with blocks of another shape, of which nothing is measured.
static struct derived_launch shape_of(const struct derived_launch *derived, unsigned shape) {
    return (struct derived_launch){.threads = derived->threads,
                                   .shape = shape,
                                   .integer = derived->integer,
                                   .distance = derived->distance};
}

// Whether a launch is another one than this, and one run of it shows that there is no fault.
static bool is_free(struct launch_sizing *sizing, const struct derived_launch *derived,
                    struct derived_launch other) {
    const struct derived_launch same = shape_of(derived, derived->shape); // and no words besides
    sizing->before = "";
    return !is_over(sizing) && differ(sizing, same, other) &&
           try_launch(sizing, &other) == LAUNCH_FREE;
}

// What a launch with faults is. Two stores to one place may come of a block or of rows that the
// kernel is not made for: rows are shorter than what is written of each, or a tile is narrower than
// the block. They do, where they are not met in a block of as many threads, or longer rows. What
// only fewer threads do not meet may be a fault of the kernel; a tile that several threads fill is
// none.
struct geometry {
    unsigned threads; // of a block
    bool are_stores, are_collisions;
};

// Distances are as long as rows, or longer.
static const char *longer_distance(const struct derived_launch *derived) {
    bool is_wide = derived->distance && strcmp(derived->distance, WIDE_DISTANCE) == 0;
    return is_wide ? WIDE_DISTANCE : LONG_ROW;
}

static unsigned threads_of(const unsigned block[3]) {
    return block[0] * block[1] * block[2];
}

// Finds shapes of blocks with which the launch is free; with other integers, too, where these are
// given. The first one is said.
static void find_shape(struct launch_sizing *sizing, struct derived_launch *derived,
                       const char *integer, const struct geometry *geometry) {
    const struct derived_launch same = shape_of(derived, derived->shape);
    for (unsigned i = 0; i < SHAPES && !derived->relies; i++) {
        struct derived_launch reshaped = shape_of(derived, i);
        bool is_other = differ(sizing, same, reshaped);
        if (integer) {
            reshaped.integer = integer;
            reshaped.distance = longer_distance(derived);
        }
        if (!is_other || !is_free(sizing, derived, reshaped))
            continue;
        const unsigned *block = sizing->block;
        if (derived->free_shape == 0) {
            derived->free_shape = i + 1;
            derived->free_integer = integer;
        }
        if (geometry->are_stores && (threads_of(block) >= geometry->threads ||
                                     (geometry->are_collisions && block[1] > 1))) {
            derived->relies = arena_format(
                sizing->arena,
                "the launch is the one that was derived: with block %u,%u,%u%s%s it is free",
                block[0], block[1], block[2], integer ? " and integers of " : "",
                integer ? integer : "");
        }
    }
}

// Whether one run of the launch shows that it is free whatever its objects hold at first.
static bool is_free_of_contents(struct launch_sizing *sizing,
                                const struct derived_launch *derived) {
    struct derived_launch any = *derived;
    any.has_any_contents = true;
    sizing->before = "";
    sizing->only_runs = true;
    sizing->end = watchdog_now_ms() + 1e3 * seconds_of(sizing->run);
    bool is_free = try_once(sizing, &any) == LAUNCH_FREE;
    sizing->only_runs = false;
    return is_free;
}

// Whether where an access of each race goes depends on what objects hold at first, which is zeros
// here: all threads may then go to one place that do not otherwise.
static bool rely_on_contents(struct launch_sizing *sizing, const struct derived_launch *derived,
                             const uint32_t raced[2]) {
    struct derived_launch any = *derived;
    any.has_any_contents = true;
    sizing->before = "";
    bool is_open = !is_over(sizing) && try_once(sizing, &any) == LAUNCH_LEFT_OPEN;
    return is_open && sizing->open_at != NOWHERE &&
           (sizing->open_at == raced[0] || sizing->open_at == raced[1]);
}

// Finds with what else, instead of what is derived, one run of the launch shows that there is no
// fault: a kernel may be made for rows that are longer, or for one block.
static void find_others(struct launch_sizing *sizing, struct derived_launch *derived) {
    const struct derived_launch same = shape_of(derived, derived->shape), whole = *derived;
    struct derived_launch longer = same, single = same;
    const uint32_t raced[] = {sizing->raced[0], sizing->raced[1]};
    const struct geometry geometry = {threads_of(sizing->block), sizing->are_stores,
                                      sizing->are_collisions};
    longer.integer = LONG_ROW;
    longer.distance = longer_distance(derived);
    single.is_single = derived->is_faulty = true;
    sizing->only_runs = true;
    sizing->end = watchdog_now_ms() + 1e3 * seconds_of(sizing->run);
    if (is_free(sizing, derived, longer)) {
        derived->others = with_words(sizing->arena, derived->others, LONG_ROW);
        if (geometry.are_stores)
            derived->relies =
                "the launch is the one that was derived: with integers of " LONG_ROW " it is free";
    }
    derived->is_single_free = sizing->are_alike && is_free(sizing, derived, single);
    find_shape(sizing, derived, NULL, &geometry);
    if (!derived->relies && differ(sizing, same, longer))
        find_shape(sizing, derived, LONG_ROW, &geometry);
    if (!derived->relies && rely_on_contents(sizing, &whole, raced)) {
        derived->relies = "objects hold zeros at first, as was derived: where an access goes that "
                          "races depends on that";
    }
    sizing->only_runs = false;
}

// Tries a value of integers, and where that is not decided in half of the time, looks for a fault
// in blocks of two threads.
static enum launch_trial try_integer(struct launch_sizing *sizing, struct derived_launch derived,
                                     double seconds) {
    derived.is_measured = derived.is_mapped = false;
    derived.sizes = NULL;
    derived.maps = NULL;
    derived.size_count = derived.map_count = 0;
    sizing->seconds = seconds / 2;
    enum launch_trial trial = try_launch(sizing, &derived);
    if (trial == LAUNCH_UNDECIDED) {
        derived.threads = 2;
        trial = try_launch(sizing, &derived);
    }
    return trial == LAUNCH_SHOWN || trial == LAUNCH_FAULTY ? LAUNCH_FAULTY
           : trial == LAUNCH_FREE && derived.threads == 2  ? LAUNCH_UNDECIDED
                                                           : trial;
}

// Looks for a fault with other values of integers, for as long as a trial may take. Whether one has
// it: `derived->integer`.
static bool sweep_integers(struct launch_sizing *sizing, struct derived_launch *derived) {
    static const unsigned small[] = {2, 1, 0};
    enum { SMALL = sizeof small / sizeof *small };
    double end = watchdog_now_ms() + 1e3 * seconds_of(sizing->run);
    size_t count = SMALL + sizing->constant_count;
    struct derived_launch other = *derived;
    for (size_t i = 0; i < count && !signals_interrupted(); i++) {
        unsigned value = i < SMALL ? small[i] : sizing->constants[i - SMALL];
        other.integer = arena_format(sizing->arena, "%u", value);
        double seconds = (end - watchdog_now_ms()) / 1e3 / (double)(count - i);
        enum launch_trial trial =
            seconds > 0 ? try_integer(sizing, other, seconds) : LAUNCH_UNDECIDED;
        if (trial == LAUNCH_FAULTY) {
            const char *before = derived->integer ? derived->integer : USUAL_INTEGER;
            *derived = (struct derived_launch){.shape = other.shape,
                                               .integer = other.integer,
                                               .distance = other.distance,
                                               .others = before};
            return true;
        }
        if (trial == LAUNCH_FREE)
            derived->others = with_value(sizing->arena, derived->others, value);
        else if (trial == LAUNCH_UNDECIDED || trial == LAUNCH_LEFT_OPEN)
            derived->open = with_value(sizing->arena, derived->open, value);
    }
    return false;
}

// --- All -----------------------------------------------------------------------------------------

struct derived_launch launch_size_choose(struct run *run, struct arena *arena, const char *path) {
    struct launch_sizing sizing = {.run = run,
                                   .arena = arena,
                                   .path = path,
                                   .before = "",
                                   .seconds = seconds_of(run),
                                   .deadline = deadline_of(run),
                                   .leaves = true,
                                   .names_races = true};
    struct derived_launch derived = {.distance = USUAL_INTEGER};
    const struct launch_options *launch = &run->options->launch;
    bool is_swept = differ(&sizing, derived,
                           (struct derived_launch){.integer = "0", .distance = USUAL_INTEGER});
    choose_by_runs(&sizing, &derived);
    if ((launch->block || launch->threads) && !is_swept) {
        if (run->options->method == METHOD_BOTH)
            find_maps(&sizing, &derived);
        derived.relies = derived.map_count > 0 ? sizing.rests_on : NULL;
        return derived;
    }
    enum launch_trial trial = choose_block(&sizing, &derived);
    sizing.names_races = false;
    if (trial == LAUNCH_FREE && is_swept && sweep_integers(&sizing, &derived)) {
        const char *others = derived.others;
        sizing.names_races = true;
        sizing.seconds = seconds_of(run);
        sizing.before = "";
        trial = choose_block(&sizing, &derived); // with that integer
        derived.others = others;
    }
    const char *rests_on = derived.map_count > 0 ? sizing.rests_on : NULL;
    if (trial == LAUNCH_FAULTY)
        find_others(&sizing, &derived);
    if (trial == LAUNCH_FAULTY && !derived.relies)
        derived.relies = rests_on;
    if (trial == LAUNCH_FREE)
        derived.contents = is_free_of_contents(&sizing, &derived)
                               ? "also free with any contents of objects"
                               : "not decided for other contents of objects";
    return derived;
}

struct derived_launch launch_size_least(void) {
    return (struct derived_launch){.threads = SMALL_BLOCK};
}

struct derived_launch launch_size_small(const struct run *run, struct arena *arena,
                                        const char *path) {
    const struct launch_options *launch = &run->options->launch;
    struct derived_launch derived = {.distance = USUAL_INTEGER};
    struct options options = *run->options; // those of a check
    struct run trying = *run;
    options.check.asks_clean = options.check.solver.races = true;
    options.check.solver.progress = PROGRESS_FAIR;
    trying.options = &options;
    struct launch_sizing sizing = {.run = &trying,
                                   .arena = arena,
                                   .path = path,
                                   .before = "",
                                   .seconds = seconds_of(run),
                                   .deadline = deadline_of(run)};
    choose_by_runs(&sizing, &derived);
    struct derived_launch small = with_block(&derived, SMALL_BLOCK);
    if (launch->block || launch->threads)
        return small;
    find_small(&sizing, &derived);
    if (derived.is_searched)
        small.threads = derived.searched;
    return small;
}
