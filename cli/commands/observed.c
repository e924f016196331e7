// Adds up what logs say of each test, and looks the states up among those that the model allows.
// What is allowed and was never seen is listed and not judged.
#include "cli/commands/commands.h"

#include "check/text/json.h"
#include "check/text/names.h"
#include "check/text/values.h"
#include "cli/commands/library.h"
#include "cli/commands/pairs.h"
#include "cli/jobs/signals.h"
#include "cli/print/terminal.h"
#include "harness/log.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/solver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What all logs say of a test.
struct seen_test {
    const char *name;
    struct log_state *states; // each once
    size_t state_count;
    size_t runs, controlled_runs; // of these with a control
    bool has_effort;
    uint64_t instances, control, times;
    double seconds;
};

struct observing {
    struct arena *arena;
    struct run run;
    struct pairing pairing;
    struct seen_test *tests;
    size_t test_count;
    struct compared_file *files;
    size_t file_count;
    size_t forbidden, unknown, total; // tests with such a state, and all
};

// What becomes of a test.
struct finding {
    const struct seen_test *seen;
    const struct record *result;
    const struct log_state **wrong; // that are not allowed
    size_t wrong_count;
    const struct log_state **open; // of which that is not known
    size_t open_count;
    const struct state_value **unseen; // allowed states
    size_t unseen_count, allowed_count;
};

// Prints messages; in JSON as objects, too.
static void say(struct observing *observing, const struct diagnostics *diagnostics) {
    if (observing->run.options->compare.is_json) {
        run_print_diagnostics(&observing->run, observing->arena, diagnostics);
        return;
    }
    for (size_t i = 0; i < diagnostics->count; i++)
        print_diagnostic(observing->run.err, observing->arena, &diagnostics->items[i], false);
    if (diag_has_errors(diagnostics))
        run_add_status(&observing->run, EXIT_BAD_INPUT);
}

// --- States ------------------------------------------------------------------------------------

static const struct log_value *find_value(const struct log_state *state, const char *name) {
    for (size_t i = 0; i < state->value_count; i++)
        if (strcmp(state->values[i].name, name) == 0)
            return &state->values[i];
    return NULL;
}

// A negative number is that of the register's width, whatever that is. One of more than 64 bits is
// none that a log has.
static bool is_value(const struct log_value *seen, const struct record_column *column,
                     const struct state_value *value) {
    long long small;
    if (value->undef)
        return true; // it may be anything
    uint64_t number = value->value.high > 0 ? UINT64_MAX : value->value.low;
    if (value_fits_json(value->value, (unsigned)column->width, column->is_signed, &small))
        number = (uint64_t)small;
    return number == seen->value ||
           (seen->is_negative && (uint32_t)number == (uint32_t)seen->value);
}

static bool same_states(const struct log_state *a, const struct log_state *b) {
    bool same = a->value_count == b->value_count;
    for (size_t i = 0; same && i < a->value_count; i++) {
        const struct log_value *other = find_value(b, a->values[i].name);
        same = other && other->value == a->values[i].value;
    }
    return same;
}

// Whether a state of the model is the one that was seen: in what both of them show.
static bool is_state(struct arena *arena, const struct log_state *seen,
                     const struct record_outcomes *outcomes, const struct state_value *state) {
    for (size_t i = 0; i < outcomes->column_count; i++) {
        const struct record_column *column = &outcomes->columns[i];
        const char *name = log_name(arena, column->name, strlen(column->name));
        const struct log_value *here = find_value(seen, name);
        if (here && !is_value(here, column, &state[i]))
            return false;
    }
    return true;
}

// Returns the name that a test has for a value of a log, or NULL: "P1:%r0" for "1:r0".
static const char *shown_name(struct arena *arena, const struct record *result,
                              const char *wanted) {
    for (size_t i = 0; i < result->outcomes.column_count; i++) {
        const char *name = result->outcomes.columns[i].name;
        if (strcmp(log_name(arena, name, strlen(name)), wanted) == 0)
            return name;
    }
    return NULL;
}

// A state that was seen, in the names of the test.
static const char *state_words(struct arena *arena, const struct record *result,
                               const struct log_state *state) {
    const char *words = "";
    for (size_t i = 0; i < state->value_count; i++) {
        const struct log_value *value = &state->values[i];
        const char *shown = shown_name(arena, result, value->name);
        const char *name = escaped(arena, shown ? shown : value->name);
        const char *comma = i > 0 ? ", " : "";
        words =
            value->is_negative
                ? arena_format(arena, "%s%s%s=%" PRId64, words, comma, name, (int64_t)value->value)
                : arena_format(arena, "%s%s%s=%" PRIu64, words, comma, name, value->value);
    }
    return words;
}

// --- Adding up ---------------------------------------------------------------------------------

static struct seen_test *seen_of(struct observing *observing, const char *name) {
    for (size_t i = 0; i < observing->test_count; i++)
        if (strcmp(observing->tests[i].name, name) == 0)
            return &observing->tests[i];
    observing->tests = arena_grow(observing->arena, observing->tests, observing->test_count,
                                  sizeof *observing->tests);
    observing->tests[observing->test_count] = (struct seen_test){.name = name};
    return &observing->tests[observing->test_count++];
}

static void add_state(struct arena *arena, struct seen_test *seen, const struct log_state *state) {
    seen->times += state->times;
    for (size_t i = 0; i < seen->state_count; i++) {
        if (same_states(&seen->states[i], state)) {
            seen->states[i].times += state->times;
            return;
        }
    }
    seen->states = arena_grow(arena, seen->states, seen->state_count, sizeof *state);
    seen->states[seen->state_count++] = *state;
}

static void add_run(struct observing *observing, const struct log_run *run) {
    struct seen_test *seen = seen_of(observing, run->test);
    seen->runs++;
    for (size_t i = 0; i < run->state_count; i++)
        if (run->states[i].times > 0)
            add_state(observing->arena, seen, &run->states[i]);
    seen->has_effort = seen->has_effort || run->has_effort;
    seen->controlled_runs += run->has_control;
    seen->instances += run->instances;
    seen->seconds += run->seconds;
    seen->control += run->control;
}

// --- Judging -----------------------------------------------------------------------------------

static void judge_state(struct observing *observing, struct finding *finding,
                        const struct log_state *seen) {
    const struct record_outcomes *outcomes = &finding->result->outcomes;
    for (size_t i = 0; i < outcomes->state_count; i++)
        if (is_state(observing->arena, seen, outcomes, record_state(outcomes, i)))
            return;
    bool is_wrong = outcomes->is_complete;
    const struct log_state ***list = is_wrong ? &finding->wrong : &finding->open;
    size_t *count = is_wrong ? &finding->wrong_count : &finding->open_count;
    *list = arena_grow(observing->arena, *list, *count, sizeof **list);
    (*list)[(*count)++] = seen;
}

static void find_unseen(struct observing *observing, struct finding *finding) {
    const struct record_outcomes *outcomes = &finding->result->outcomes;
    finding->allowed_count = outcomes->state_count;
    for (size_t i = 0; i < finding->allowed_count; i++) {
        const struct state_value *state = record_state(outcomes, i);
        bool was_seen = false;
        for (size_t k = 0; !was_seen && k < finding->seen->state_count; k++)
            was_seen = is_state(observing->arena, &finding->seen->states[k], outcomes, state);
        if (!was_seen) {
            finding->unseen = arena_grow(observing->arena, finding->unseen, finding->unseen_count,
                                         sizeof *finding->unseen);
            finding->unseen[finding->unseen_count++] = state;
        }
    }
}

// Whether the log shows just what the test shows; else a message.
static bool check_names(struct observing *observing, const struct finding *finding,
                        const char *path) {
    bool any = finding->result->outcomes.state_count > 0;
    for (size_t i = 0; any && i < finding->seen->state_count; i++) {
        const struct log_state *state = &finding->seen->states[i];
        for (size_t k = 0; k < state->value_count; k++) {
            if (shown_name(observing->arena, finding->result, state->values[k].name))
                continue;
            struct diagnostics diagnostics;
            diagnostics_init(&diagnostics, observing->arena);
            diag_error(&diagnostics, state->span, "%s does not show '%s'",
                       escaped(observing->arena, path),
                       escaped(observing->arena, state->values[k].name));
            diag_hint(&diagnostics, "'locations [...]' in the test shows more");
            say(observing, &diagnostics);
            return false;
        }
    }
    return true;
}

// --- Printing ----------------------------------------------------------------------------------

static void print_times(FILE *out, const struct seen_test *seen) {
    fprintf(out, "%zu run%s", seen->runs, seen->runs == 1 ? "" : "s");
    if (seen->instances > 0)
        fprintf(out, ", %" PRIu64 " instances", seen->instances);
    if (seen->seconds > 0)
        fprintf(out, ", %.1f s", seen->seconds);
}

// Whether the effort was too small to say anything: not even the control's outcome was seen.
static bool lacks_power(const struct seen_test *seen) {
    return seen->controlled_runs == seen->runs && seen->control == 0;
}

static void print_finding(struct observing *observing, FILE *out, const struct finding *finding) {
    const struct seen_test *seen = finding->seen;
    struct arena *arena = observing->arena;
    const char *name = escaped(arena, seen->name);
    fprintf(out, "%s: %s, %zu of %zu%s allowed states seen (", name,
            finding->wrong_count > 0  ? "a FORBIDDEN state was seen"
            : finding->open_count > 0 ? "not all states that were seen are decided"
                                      : "nothing that is forbidden was seen",
            finding->allowed_count - finding->unseen_count, finding->allowed_count,
            finding->result->outcomes.is_complete ? "" : " or more");
    print_times(out, seen);
    fputs(")\n", out);
    for (size_t i = 0; i < finding->wrong_count; i++) {
        fprintf(out, "  forbidden, seen %" PRIu64 " of %" PRIu64 " times: %s\n",
                finding->wrong[i]->times, seen->times,
                state_words(arena, finding->result, finding->wrong[i]));
    }
    for (size_t i = 0; i < finding->open_count; i++) {
        fprintf(out, "  not known to be allowed, seen %" PRIu64 " times: %s\n",
                finding->open[i]->times, state_words(arena, finding->result, finding->open[i]));
    }
    const char *reason = finding->result->reason;
    if (finding->open_count > 0 && reason)
        fprintf(out, "  not all allowed states are known: %s\n", escaped(arena, reason));
    for (size_t i = 0; i < finding->unseen_count; i++) {
        fprintf(out, "  allowed, never seen: %s\n",
                state_text(arena, &finding->result->outcomes, finding->unseen[i], NULL));
    }
    if (lacks_power(seen))
        fputs("  no power: the outcome of the control was not seen either\n", out);
}

static json_t *seen_json(struct arena *arena, const struct record *result,
                         const struct log_state **states, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_item(list, json_of("{s:o, s:I}", "state",
                                text_json(arena, state_words(arena, result, states[i])), "times",
                                (json_int_t)states[i]->times));
    }
    return list;
}

static void print_finding_json(struct observing *observing, FILE *out,
                               const struct finding *finding) {
    const struct seen_test *seen = finding->seen;
    struct arena *arena = observing->arena;
    json_t *object = json_object(), *unseen = json_array();
    json_field(object, "test", json_string(valid_utf8(arena, seen->name)));
    json_field(object, "runs", json_integer((json_int_t)seen->runs));
    json_field(object, "instances",
               seen->instances > 0 ? json_integer((json_int_t)seen->instances) : json_null());
    json_field(object, "seconds", seen->has_effort ? json_real(seen->seconds) : json_null());
    json_field(object, "control",
               seen->controlled_runs > 0 ? json_integer((json_int_t)seen->control) : json_null());
    json_field(object, "power",
               lacks_power(seen)   ? json_false()
               : seen->control > 0 ? json_true()
                                   : json_null());
    json_field(object, "complete", json_boolean(finding->result->outcomes.is_complete));
    json_field(object, "allowed", json_integer((json_int_t)finding->allowed_count));
    json_field(object, "forbidden",
               seen_json(arena, finding->result, finding->wrong, finding->wrong_count));
    json_field(object, "unknown",
               seen_json(arena, finding->result, finding->open, finding->open_count));
    for (size_t i = 0; i < finding->unseen_count; i++) {
        json_item(unseen, json_string(state_text(arena, &finding->result->outcomes,
                                                 finding->unseen[i], NULL)));
    }
    json_field(object, "never_seen", unseen);
    print_json_line(out, object);
}

// --- Tests -------------------------------------------------------------------------------------

static void judge(struct observing *observing, FILE *out, const struct seen_test *seen,
                  const char *path, const struct record *result) {
    struct finding finding = {.seen = seen, .result = result};
    if (!check_names(observing, &finding, path))
        return;
    for (size_t i = 0; i < seen->state_count; i++)
        judge_state(observing, &finding, &seen->states[i]);
    find_unseen(observing, &finding);
    observing->total++;
    observing->forbidden += finding.wrong_count > 0;
    observing->unknown += finding.wrong_count == 0 && finding.open_count > 0;
    if (observing->run.options->compare.is_json)
        print_finding_json(observing, out, &finding);
    else
        print_finding(observing, out, &finding);
}

static struct compared_file *file_at(void *context, size_t index) {
    return &((struct observing *)context)->files[index - 1];
}

// In a log the name of a test is one word.
static bool is_name_of(struct arena *arena, const char *in_log, const char *name) {
    return strcmp(in_log, name) == 0 || strcmp(in_log, herd_test_name(arena, name)) == 0;
}

// Whether tests were left out: one that is not found may be among them.
static bool is_cut(const struct observing *observing) {
    for (size_t i = 0; i < observing->file_count; i++)
        if (observing->files[i].is_cut)
            return true;
    return false;
}

static void print_not_run(struct observing *observing, FILE *out, const struct seen_test *seen) {
    observing->total++;
    observing->unknown++;
    if (observing->run.options->compare.is_json) {
        print_json_line(
            out, json_of("{s:o, s:I, s:b, s:s}", "test", text_json(observing->arena, seen->name),
                         "runs", (json_int_t)seen->runs, "complete", false, "reason", "not run"));
    } else {
        fprintf(out, "%s: not run, so what was seen is not judged (",
                escaped(observing->arena, seen->name));
        print_times(out, seen);
        fputs(")\n", out);
    }
}

static void judge_all(struct observing *observing, FILE *out) {
    for (size_t t = 0; t < observing->test_count; t++) {
        const struct seen_test *seen = &observing->tests[t];
        bool found = false;
        for (size_t i = 0; i < observing->file_count; i++) {
            const struct compared_file *file = &observing->files[i];
            for (size_t k = 0; !found && k < file->count; k++) {
                found = is_name_of(observing->arena, seen->name, file->tests[k].test);
                if (found)
                    judge(observing, out, seen, file->path, &file->tests[k]);
            }
        }
        if (!found && is_cut(observing)) {
            print_not_run(observing, out, seen);
        } else if (!found && !observing->pairing.is_broken) {
            fprintf(observing->run.err, "%s: error: no test of this name was given\n",
                    escaped(observing->arena, seen->name));
            run_add_status(&observing->run, EXIT_BAD_INPUT);
        }
    }
}

// Whether an argument is a test, or a folder of them, rather than a log.
static bool is_test(struct arena *arena, const char *path) {
    static const char *const ends[] = {".litmus", ".test", ".ptx"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t size = strlen(ends[i]);
        if (length > size && strcmp(path + length - size, ends[i]) == 0)
            return true;
    }
    struct stat status;
    return (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) || library_has(arena, path);
}

// Reads the logs; false after messages. What is left of the inputs of `options` are tests.
static bool read_logs(struct observing *observing, struct options *options) {
    struct diagnostics diagnostics;
    struct log_list logs = {0};
    const char **tests = ARENA_ARRAY(observing->arena, const char *, options->input_count + 1);
    size_t test_count = 0, log_count = 0;
    diagnostics_init(&diagnostics, observing->arena);
    for (size_t i = 0; i < options->input_count; i++) {
        const char *path = options->inputs[i];
        if (is_test(observing->arena, path)) {
            tests[test_count++] = path;
            continue;
        }
        const struct source *source = source_read(observing->arena, path, &diagnostics);
        log_count++;
        if (source)
            log_read(observing->arena, source, &logs, &diagnostics);
    }
    if (log_count == 0) {
        diag_error_path(&diagnostics, "ptxlitmus",
                        "there is no log among these: '%s' is a test, or a folder of tests",
                        escaped(observing->arena, options->inputs[0]));
    }
    for (size_t i = 0; i < logs.count; i++)
        add_run(observing, &logs.runs[i]);
    options->inputs = tests;
    options->input_count = test_count;
    say(observing, &diagnostics);
    return !diag_has_errors(&diagnostics);
}

// Without tests, they are those of the library that have the names.
static bool find_tests(struct observing *observing, struct options *options) {
    if (options->input_count == 0) {
        options->inputs = ARENA_ARRAY(observing->arena, const char *, observing->test_count + 1);
        for (size_t i = 0; i < observing->test_count; i++)
            options->inputs[i] = observing->tests[i].name;
        options->input_count = observing->test_count;
    }
    for (size_t i = 0; i < options->input_count; i++) {
        bool is_name = !is_test(observing->arena, options->inputs[i]);
        if (is_name) {
            fprintf(observing->run.err,
                    "%s: error: no included test has this name: give its file, too\n",
                    escaped(observing->arena, options->inputs[i]));
            run_add_status(&observing->run, EXIT_BAD_INPUT);
            return false;
        }
    }
    return library_resolve(observing->arena, options, false) == NULL;
}

static void run_all(struct observing *observing, struct options *options, FILE *out) {
    struct input_list inputs;
    files_collect(observing->arena, options->inputs, options->input_count, &inputs);
    observing->files = ARENA_ARRAY(observing->arena, struct compared_file, inputs.count + 1);
    observing->file_count = inputs.count;
    for (size_t i = 0; i < inputs.count; i++) {
        observing->files[i].path = inputs.items[i].path;
        inputs.items[i].index = i + 1;
    }
    pair_run_inputs(&observing->pairing, &observing->run, &inputs, file_at, observing);
    judge_all(observing, out);
}

static enum exit_status status_of(const struct observing *observing) {
    enum exit_status status = observing->forbidden > 0 ? EXIT_FAILED
                              : observing->unknown > 0 ? EXIT_UNDECIDED
                                                       : EXIT_DECIDED;
    if (signals_interrupted())
        status = exit_status_worse(status, EXIT_UNDECIDED);
    if (observing->pairing.is_broken)
        status = exit_status_worse(status, EXIT_BAD_INPUT);
    // What the tests expect does not matter here, and states are judged one by one.
    enum exit_status run = observing->run.status;
    bool counts = run == EXIT_BAD_INPUT || run == EXIT_INTERNAL;
    return counts ? exit_status_worse(status, run) : status;
}

enum exit_status observed_tests(const struct options *options) {
    struct options copy = *options;
    struct observing observing = {
        .arena = arena_new(),
        .run = {.options = &copy, .status = EXIT_DECIDED, .out = stdout, .err = stderr}};
    struct diagnostics diagnostics;
    observing.pairing = (struct pairing){.arena = observing.arena, .run = &observing.run};
    diagnostics_init(&diagnostics, observing.arena);
    bool loaded = systems_load(observing.arena, &copy.check, &observing.run.systems, &diagnostics);
    say(&observing, &diagnostics);
    if (loaded && read_logs(&observing, &copy) && find_tests(&observing, &copy))
        run_all(&observing, &copy, observing.run.out);
    if (!copy.compare.is_json && observing.total > 0) {
        printf("%zu test%s: %zu with a forbidden state, %zu undecided\n", observing.total,
               observing.total == 1 ? "" : "s", observing.forbidden, observing.unknown);
    }
    enum exit_status status = status_of(&observing);
    run_flush(&observing.run);
    arena_free(observing.arena);
    return status;
}
