// Tries launches of fewer and fewer threads, and with several values of integers. The one that is
// taken is decided again, in full.
#include "cli/commands/launch_size.h"

#include "cli/commands/launch_trial.h"
#include "cli/commands/kernel.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/signals.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/backend/watchdog.h"

#include <math.h>
#include <string.h>

enum { SMALL_BLOCK = 2, SHAPES = 6 };
#define USUAL_INTEGER "3"
#define LONG_ROW "64"        // longer than a row of blocks of two dimensions
#define WIDE_DISTANCE "1024" // and the same in bytes

// When all trials end: the answer itself takes the rest of the time.
static double deadline_of(const struct run *run) {
    const double part = 0.7;
    double given = run->options->check.solver.timeout_seconds;
    return given > 0 ? watchdog_now_ms() + 1e3 * part * given : HUGE_VAL;
}

// The same launch with another block.
static struct derived_launch with_block(const struct derived_launch *derived, unsigned threads) {
    return (struct derived_launch){.threads = threads,
                                   .shape = derived->shape,
                                   .integer = derived->integer,
                                   .distance = derived->distance,
                                   .objects = derived->objects};
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
    sizing->kind = TRIAL_BY_SEARCH;
    for (size_t i = 0; i < count && trial == LAUNCH_FREE && !signals_interrupted(); i++) {
        block.threads = is_given ? given[i] : sizes[i];
        trial = launch_trial_run(sizing, &block);
    }
    sizing->kind = TRIAL_WHOLE;
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
    sizing->kind = TRIAL_SMALL;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && trial == LAUNCH_FREE; i++) {
        block.threads = sizes[i];
        block.objects.is_mapped = false;
        trial = signals_interrupted() ? LAUNCH_UNDECIDED : launch_trial_run(sizing, &block);
        if (trial == LAUNCH_FREE || trial == LAUNCH_FAULTY || trial == LAUNCH_SHOWN) {
            *derived = block;
            chosen = trial;
        }
    }
    if (chosen == LAUNCH_UNDECIDED)
        chosen = launch_trial_run(sizing, derived);
    sizing->kind = TRIAL_WHOLE;
    derived->is_shown = chosen == LAUNCH_SHOWN;
    return chosen == LAUNCH_SHOWN ? LAUNCH_FAULTY : chosen;
}

// Sets what a block is, and returns what became of the launch.
static enum launch_trial choose_block(struct launch_sizing *sizing,
                                      struct derived_launch *derived) {
    const struct launch_options *launch = &sizing->run->options->launch;
    struct derived_launch whole = with_block(derived, 0);
    enum launch_trial trial = launch_trial_run(sizing, &whole);
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
    for (size_t i = 0; i < VALUES && !launch_trial_is_over(sizing); i++) {
        struct derived_launch other = {.shape = derived->shape,
                                       .integer = values[i],
                                       .distance = distance ? distance : values[i]};
        enum launch_trial trial = launch_trial_run(sizing, &other);
        bool is_decided =
            !sizing->found.is_misplaced && (trial == LAUNCH_FREE || trial == LAUNCH_SHOWN);
        bool is_first = found == LAUNCH_MISPLACED && trial == LAUNCH_LEFT_OPEN;
        if (is_decided || (is_first && !sizing->found.is_misplaced)) {
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
    sizing->kind = TRIAL_BY_RUN;
    sizing->end = watchdog_now_ms() + 1e3 * launch_trial_seconds(sizing->run);
    for (unsigned i = 0; trial == LAUNCH_MISPLACED && i < count && !launch_trial_is_over(sizing);
         i++) {
        struct derived_launch other = {.shape = i};
        if (has_distance)
            trial = try_integers(sizing, &other, WIDE_DISTANCE);
        if (trial != LAUNCH_FREE && trial != LAUNCH_SHOWN)
            trial = try_integers(sizing, &other, NULL);
        *derived = trial == LAUNCH_MISPLACED ? usual : other;
    }
    sizing->kind = TRIAL_WHOLE;
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
    return !launch_trial_is_over(sizing) && differ(sizing, same, other) &&
           launch_trial_run(sizing, &other) == LAUNCH_FREE;
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
        const unsigned *block = sizing->found.block;
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
    sizing->kind = TRIAL_BY_RUN;
    sizing->end = watchdog_now_ms() + 1e3 * launch_trial_seconds(sizing->run);
    bool is_free = launch_trial_once(sizing, &any) == LAUNCH_FREE;
    sizing->kind = TRIAL_WHOLE;
    return is_free;
}

// Whether where an access of each race goes depends on what objects hold at first, which is zeros
// here: all threads may then go to one place that do not otherwise.
static bool rely_on_contents(struct launch_sizing *sizing, const struct derived_launch *derived,
                             const uint32_t raced[2]) {
    struct derived_launch any = *derived;
    any.has_any_contents = true;
    sizing->before = "";
    bool is_open =
        !launch_trial_is_over(sizing) && launch_trial_once(sizing, &any) == LAUNCH_LEFT_OPEN;
    return is_open && sizing->found.open_at != LAUNCH_NOWHERE &&
           (sizing->found.open_at == raced[0] || sizing->found.open_at == raced[1]);
}

// Finds with what else, instead of what is derived, one run of the launch shows that there is no
// fault: a kernel may be made for rows that are longer, or for one block.
static void find_others(struct launch_sizing *sizing, struct derived_launch *derived) {
    const struct derived_launch same = shape_of(derived, derived->shape), whole = *derived;
    struct derived_launch longer = same, single = same;
    const uint32_t raced[] = {sizing->found.raced[0], sizing->found.raced[1]};
    const struct geometry geometry = {threads_of(sizing->found.block), sizing->found.are_stores,
                                      sizing->found.are_collisions};
    longer.integer = LONG_ROW;
    longer.distance = longer_distance(derived);
    single.is_single = derived->is_faulty = true;
    sizing->kind = TRIAL_BY_RUN;
    sizing->end = watchdog_now_ms() + 1e3 * launch_trial_seconds(sizing->run);
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
    sizing->kind = TRIAL_WHOLE;
}

// Tries a value of integers, and where that is not decided in half of the time, looks for a fault
// in blocks of two threads.
static enum launch_trial try_integer(struct launch_sizing *sizing, struct derived_launch derived,
                                     double seconds) {
    derived.objects = (struct derived_objects){0};
    sizing->seconds = seconds / 2;
    enum launch_trial trial = launch_trial_run(sizing, &derived);
    if (trial == LAUNCH_UNDECIDED) {
        derived.threads = 2;
        trial = launch_trial_run(sizing, &derived);
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
    double end = watchdog_now_ms() + 1e3 * launch_trial_seconds(sizing->run);
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
                                   .seconds = launch_trial_seconds(run),
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
            launch_trial_find_maps(&sizing, &derived);
        derived.relies = derived.objects.map_count > 0 ? sizing.found.rests_on : NULL;
        return derived;
    }
    enum launch_trial trial = choose_block(&sizing, &derived);
    sizing.names_races = false;
    if (trial == LAUNCH_FREE && is_swept && sweep_integers(&sizing, &derived)) {
        const char *others = derived.others;
        sizing.names_races = true;
        sizing.seconds = launch_trial_seconds(run);
        sizing.before = "";
        trial = choose_block(&sizing, &derived); // with that integer
        derived.others = others;
    }
    const char *rests_on = derived.objects.map_count > 0 ? sizing.found.rests_on : NULL;
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
                                   .seconds = launch_trial_seconds(run),
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
