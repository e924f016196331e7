// Two tests and their outcomes: which of them only one has, and an execution for one of those. What
// is not known is never taken for a difference, nor for its absence.
#include "cli/commands/pairs.h"

#include "check/text/json.h"
#include "check/text/names.h"
#include "cli/commands/parallel.h"
#include "cli/jobs/signals.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "solver/solver.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_OUTCOMES = 10 }; // of those that only one side has

// Runs the inputs into memory; the caller frees the text.
static char *run_inputs(struct run *run, const struct input_list *inputs, size_t *size) {
    char *text;
    run->out = text_open(&text, size);
    parallel_run(run, inputs);
    text_close(run->out);
    return text;
}

// --- Results ------------------------------------------------------------------------------------

static void take_record(struct pairing *pairing, const struct record *record,
                        struct compared_file *file_at(void *context, size_t index), void *context) {
    if (record->index == 0) { // about the whole run
        pairing->is_broken = true;
        return;
    }
    struct compared_file *file = file_at(context, record->index);
    if (!record->test) { // a message about the input
        file->is_cut = file->is_cut || record->judged.result != SUITE_BROKEN;
        file->is_broken = file->is_broken || !file->is_cut;
        pairing->is_broken = pairing->is_broken || file->is_broken;
        return;
    }
    file->tests = arena_grow(pairing->arena, file->tests, file->count, sizeof *file->tests);
    file->tests[file->count++] = *record;
}

static void take_results(struct pairing *pairing, const char *bytes, size_t size,
                         struct compared_file *file_at(void *context, size_t index),
                         void *context) {
    for (size_t at = 0; at < size;) {
        struct record record;
        size_t taken = record_read(pairing->arena, bytes + at, size - at, &record);
        if (taken == 0)
            bug("a result of a pair is not a whole record");
        take_record(pairing, &record, file_at, context);
        at += taken;
    }
}

void pair_run_inputs(struct pairing *pairing, struct run *run, const struct input_list *inputs,
                     struct compared_file *file_at(void *context, size_t index), void *context) {
    const struct run before = *run;
    struct options options = *run->options;
    size_t size;
    options.print.format = FORMAT_RECORD;
    run->options = &options;
    run->fates = ARENA_ARRAY(pairing->arena, enum input_fate, inputs->count + 1);
    char *bytes = run_inputs(run, inputs, &size);
    run->out = before.out;
    run->options = before.options;
    for (size_t i = 0; i < inputs->count; i++)
        file_at(context, inputs->items[i].index)->is_cut = run->fates[i] != INPUT_RUN;
    take_results(pairing, bytes, size, file_at, context);
    free(bytes);
}

// --- Columns -------------------------------------------------------------------------------------

static struct state_columns columns_of(struct arena *arena, const struct record *test) {
    const struct record_outcomes *outcomes = &test->outcomes;
    struct state_columns columns = {.count = outcomes->column_count};
    columns.names = ARENA_ARRAY(arena, const char *, columns.count + 1);
    for (size_t i = 0; i < columns.count; i++)
        columns.names[i] = outcomes->columns[i].name;
    return columns;
}

static bool has_column(const struct state_columns *columns, const char *name) {
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->names[i], name) == 0)
            return true;
    return false;
}

static bool same_names(const struct state_columns *a, const struct state_columns *b) {
    for (size_t i = 0; i < a->count; i++)
        if (!has_column(b, a->names[i]))
            return false;
    return a->count == b->count;
}

// The columns that --map names. Returns what is wrong, or NULL.
static const char *map_columns(struct pairing *pairing, struct test_pair *pair) {
    const struct compare_options *options = &pairing->run->options->compare;
    struct state_columns found[SIDES] = {pair->columns[0], pair->columns[1]};
    for (size_t side = 0; side < SIDES; side++) {
        pair->columns[side] =
            (struct state_columns){.names = options->map[side], .count = options->map_count};
        for (size_t i = 0; i < options->map_count; i++) {
            if (!has_column(&found[side], options->map[side][i])) {
                return arena_format(pairing->arena, "'--map' names '%s', which %s does not show",
                                    escaped(pairing->arena, options->map[side][i]),
                                    side == 0 ? "the first" : "the second");
            }
        }
    }
    return NULL;
}

// Which values correspond: those of one name, or if the names differ, by their places, or as --map
// says. Returns what is wrong, or NULL.
static const char *match_columns(struct pairing *pairing, struct test_pair *pair) {
    for (size_t side = 0; side < SIDES; side++)
        pair->columns[side] = columns_of(pairing->arena, pair->tests[side]);
    struct state_columns *a = &pair->columns[0], *b = &pair->columns[1];
    const char *error = NULL;
    if (pairing->run->options->compare.map_count > 0) {
        error = map_columns(pairing, pair);
    } else if (same_names(a, b)) {
        b->names = a->names;
    } else if (a->count != b->count) {
        error = arena_format(pairing->arena,
                             "the first shows %zu values and the second %zu: '--map' says which of "
                             "them correspond",
                             a->count, b->count);
    }
    b->shown = a->names;
    return error;
}

// --- One pair ------------------------------------------------------------------------------------

static void add_surplus(struct arena *arena, struct surplus *surplus, const char *text,
                        const struct state_value *state) {
    surplus->outcomes =
        arena_grow(arena, surplus->outcomes, surplus->count, sizeof *surplus->outcomes);
    surplus->states = arena_grow(arena, surplus->states, surplus->count, sizeof *surplus->states);
    surplus->outcomes[surplus->count] = text;
    surplus->states[surplus->count++] = state;
}

// The outcomes of one side that the other one does not have.
static void find_surplus(struct pairing *pairing, struct test_pair *pair, size_t side) {
    struct arena *arena = pairing->arena;
    const struct record_outcomes *mine = &pair->tests[side]->outcomes;
    const struct record_outcomes *others = &pair->tests[1 - side]->outcomes;
    struct text_set *set = text_set_new(arena), *seen = text_set_new(arena);
    for (size_t i = 0; i < others->state_count; i++) {
        const struct state_value *state = record_state(others, i);
        text_set_add(set, state_text(arena, others, state, &pair->columns[1 - side]));
    }
    for (size_t i = 0; i < mine->state_count; i++) {
        const struct state_value *state = record_state(mine, i);
        const char *text = state_text(arena, mine, state, &pair->columns[side]);
        if (text_set_has(set, text) || !text_set_add(seen, text))
            continue;
        if (others->is_complete)
            add_surplus(arena, &pair->only[side], text, state);
        else
            pair->only[side].may_be_more = true;
    }
    text_set_free(set);
    text_set_free(seen);
    if (!mine->is_complete)
        pair->only[side].may_be_more = true;
}

static bool has_text(const char **texts, size_t count, const char *text) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(texts[i], text) == 0)
            return true;
    return false;
}

bool pair_has_flag(const struct record *test, const char *flag) {
    return has_text(test->outcomes.flags, test->outcomes.flag_count, flag);
}

bool pair_has_unknown_flag(const struct record *test, const char *flag) {
    return has_text(test->outcomes.unknown_flags, test->outcomes.unknown_flag_count, flag);
}

// Executions that do not end have no outcome, but are something that a test may do.
static void find_endings(struct pairing *pairing, struct test_pair *pair, size_t side) {
    static const char *const flags[][2] = {{"hang", "an execution that hangs at a barrier"},
                                           {"endless", "an execution that waits for ever"},
                                           {"trap", "an execution that traps"}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        const char *flag = flags[i][0];
        const struct record *mine = pair->tests[side], *other = pair->tests[1 - side];
        bool may_mine = pair_has_unknown_flag(mine, flag);
        if (pair_has_flag(mine, flag) && !pair_has_flag(other, flag))
            if (pair_has_unknown_flag(other, flag))
                pair->only[side].may_be_more = true;
            else
                add_surplus(pairing->arena, &pair->only[side], flags[i][1], NULL);
        else if (may_mine && !pair_has_flag(other, flag))
            pair->only[side].may_be_more = true;
    }
}

// Why nothing can be said of a side, or NULL.
static const char *open_side(struct pairing *pairing, const struct test_pair *pair, size_t side) {
    const struct record *test = pair->tests[side];
    const char *which = side == 0 ? "the first" : "the second";
    const char *reason = test->reason;
    if (test->outcomes.state_count > 0)
        return NULL;
    return arena_format(pairing->arena, "%s has no outcome%s%s", which, reason ? ": " : "",
                        reason ? reason : "");
}

static enum compared relation_of(const struct test_pair *pair) {
    const struct surplus *a = &pair->only[0], *b = &pair->only[1];
    if (a->count > 0 && b->count > 0)
        return DIFFERENT;
    if (a->may_be_more || b->may_be_more)
        return OPEN;
    return a->count > 0 ? SECOND_WITHIN : b->count > 0 ? FIRST_WITHIN : EQUAL;
}

static const char *reason_of(struct pairing *pairing, const struct test_pair *pair) {
    for (size_t side = 0; side < SIDES; side++) {
        const char *reason = pair->tests[side]->reason;
        if (reason) {
            return arena_format(pairing->arena, "%s: %s", side == 0 ? "the first" : "the second",
                                reason);
        }
    }
    return "not all outcomes are known";
}

void pair_judge(struct pairing *pairing, struct test_pair *pair) {
    pair->relation = OPEN;
    for (size_t side = 0; side < SIDES && !pair->why; side++)
        pair->why = open_side(pairing, pair, side);
    if (pair->why)
        return;
    pair->why = match_columns(pairing, pair);
    if (pair->why) {
        pairing->is_broken = true;
        return;
    }
    for (size_t side = 0; side < SIDES; side++) {
        find_surplus(pairing, pair, side);
        find_endings(pairing, pair, side);
    }
    pair->relation = relation_of(pair);
    pair->why = pair->relation == OPEN ? reason_of(pairing, pair) : NULL;
}

// --- An execution --------------------------------------------------------------------------------

// A state as --state takes it: what is unknown is left out.
static const char *wanted_state(struct arena *arena, const struct record_outcomes *outcomes,
                                const struct state_value *state) {
    struct state_columns known = {.names =
                                      ARENA_ARRAY(arena, const char *, outcomes->column_count + 1)};
    for (size_t i = 0; i < outcomes->column_count; i++)
        if (!state[i].undef)
            known.names[known.count++] = outcomes->columns[i].name;
    return state_text(arena, outcomes, state, &known);
}

// The part of a pair's time that its tests have left.
static double part_left(const struct pairing *pairing, const struct test_pair *pair) {
    static const double least = 1e-3; // for 0 means all
    double left = pairing->run->options->check.solver.timeout_seconds;
    for (size_t side = 0; side < SIDES; side++)
        left -= pair->tests[side]->seconds;
    double seconds = pairing->run->options->check.solver.timeout_seconds;
    return seconds > 0 && left < least * seconds ? least : seconds > 0 ? left / seconds : 0;
}

// What shows an outcome that only one side has, or NULL.
const char *pair_execution(struct pairing *pairing, const struct test_pair *pair, size_t side) {
    if (pair->only[side].count == 0 || !pair->only[side].states[0] || signals_interrupted())
        return NULL;
    const struct record *test = pair->tests[side];
    struct options options = *pairing->run->options;
    struct run run = *pairing->run;
    options.print.format = FORMAT_TEXT;
    options.explain =
        (struct explain_options){.asked = true,
                                 .question.state = wanted_state(pairing->arena, &test->outcomes,
                                                                pair->only[side].states[0])};
    options.compare.test = test->test;
    options.explain.is_body = true;
    options.jobs = 1;
    run.options = &options;
    run.fates = NULL;
    run.part = part_left(pairing, pair);
    struct input input = {.path = pair->files[side]->path, .lowering = pair->files[side]->lowering};
    const struct input_list inputs = {.items = &input, .count = 1, .file_count = 1};
    size_t size;
    char *text = run_inputs(&run, &inputs, &size);
    while (size > 0 && text[size - 1] == '\n')
        size--;
    const char *execution = size > 0 ? arena_strndup(pairing->arena, text, size) : NULL;
    free(text);
    return execution;
}

// --- Printing ------------------------------------------------------------------------------------

const char *pair_name(struct arena *arena, const struct test_pair *pair, size_t side) {
    const char *test = pair->tests[side]->test;
    const char *path = escaped(arena, pair->files[side]->path);
    return test ? arena_format(arena, "%s (%s)", path, escaped(arena, test)) : path;
}

void pair_print_surplus(FILE *out, const struct surplus *surplus, const char *side) {
    for (size_t i = 0; i < surplus->count && i < SHOWN_OUTCOMES; i++)
        fprintf(out, "  only %s: %s\n", side, surplus->outcomes[i]);
    if (surplus->count > SHOWN_OUTCOMES)
        fprintf(out, "  only %s: %zu more\n", side, surplus->count - SHOWN_OUTCOMES);
}

bool pair_print_counts(FILE *out, const size_t *counts, const char *const *texts, size_t count) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (counts[i] > 0) {
            fprintf(out, "%s %zu %s", any ? "," : "", counts[i], texts[i]);
            any = true;
        }
    }
    fputs(any ? "\n" : "", out);
    return any;
}

void pair_print_indented(FILE *out, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(out, "%s%.*s\n", length > 0 ? "    " : "", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

json_t *pair_surplus_json(struct arena *arena, const struct surplus *surplus) {
    json_t *outcomes = json_array();
    for (size_t i = 0; i < surplus->count; i++)
        json_item(outcomes, json_string(valid_utf8(arena, surplus->outcomes[i])));
    return outcomes;
}
