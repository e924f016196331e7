// Two tests and their outcomes: which of them only one has, and an execution for one of those. What
// is not known is never taken for a difference, nor for its absence.
#include "cli/commands/pairs.h"

#include "check/text/json.h"
#include "check/text/names.h"
#include "cli/commands/parallel.h"
#include "cli/jobs/signals.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_OUTCOMES = 10 }; // of those that only one side has

static const char *text_of(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

// Runs the inputs into memory; the caller frees the text.
static char *run_inputs(struct run *run, const struct input_list *inputs, size_t *size) {
    char *text;
    run->out = text_open(&text, size);
    parallel_run(run, inputs);
    text_close(run->out);
    return text;
}

// --- Results ------------------------------------------------------------------------------------

static void take_line(struct pairing *pairing, const char *line, size_t size,
                      struct compared_file *file_at(void *context, size_t index), void *context) {
    json_error_t error;
    json_t *object = json_loadb(line, size, 0, &error);
    if (!object) {
        bug("a result that is not JSON: %s", error.text);
    }
    json_int_t index = json_integer_value(json_object_get(object, "index"));
    if (index < 1) { // about the whole run
        pairing->is_broken = true;
        json_decref(object);
        return;
    }
    struct compared_file *file = file_at(context, (size_t)index);
    if (!text_of(object, "test")) { // a message about the input
        file->is_cut = file->is_cut || text_of(object, "result");
        file->is_broken = file->is_broken || !file->is_cut;
        pairing->is_broken = pairing->is_broken || file->is_broken;
        json_decref(object);
        return;
    }
    file->tests = arena_grow(pairing->arena, file->tests, file->count, sizeof(json_t *));
    file->tests[file->count++] = object;
}

static void take_results(struct pairing *pairing, const char *text, size_t size,
                         struct compared_file *file_at(void *context, size_t index),
                         void *context) {
    for (size_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        if (!end) {
            break;
        }
        take_line(pairing, text + at, (size_t)(end - text) - at, file_at, context);
        at = (size_t)(end + 1 - text);
    }
}

void pair_run_inputs(struct pairing *pairing, struct run *run, const struct input_list *inputs,
                     struct compared_file *file_at(void *context, size_t index), void *context) {
    FILE *out = run->out;
    size_t size;
    run->fates = ARENA_ARRAY(pairing->arena, enum input_fate, inputs->count + 1);
    char *text = run_inputs(run, inputs, &size);
    run->out = out;
    for (size_t i = 0; i < inputs->count; i++) {
        file_at(context, inputs->items[i].index)->is_cut = run->fates[i] != INPUT_RUN;
    }
    take_results(pairing, text, size, file_at, context);
    free(text);
}

void pair_forget_results(struct compared_file *file) {
    for (size_t i = 0; i < file->count; i++) {
        json_decref(file->tests[i]);
    }
}

// --- Columns -------------------------------------------------------------------------------------

static struct state_columns columns_of(struct arena *arena, const json_t *test) {
    struct state_columns columns = {0};
    const char *name;
    const json_t *value;
    const json_t *first = json_array_get(json_object_get(test, "states"), 0);
    json_object_foreach((json_t *)first, name, value) {
        columns.names = arena_grow(arena, columns.names, columns.count, sizeof(char *));
        columns.names[columns.count++] = name;
    }
    return columns;
}

static bool has_column(const struct state_columns *columns, const char *name) {
    for (size_t i = 0; i < columns->count; i++) {
        if (strcmp(columns->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool same_names(const struct state_columns *a, const struct state_columns *b) {
    for (size_t i = 0; i < a->count; i++) {
        if (!has_column(b, a->names[i])) {
            return false;
        }
    }
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
    for (size_t side = 0; side < SIDES; side++) {
        pair->columns[side] = columns_of(pairing->arena, pair->tests[side]);
    }
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
                        const json_t *state) {
    surplus->outcomes =
        arena_grow(arena, surplus->outcomes, surplus->count, sizeof *surplus->outcomes);
    surplus->states = arena_grow(arena, surplus->states, surplus->count, sizeof *surplus->states);
    surplus->outcomes[surplus->count] = text;
    surplus->states[surplus->count++] = state;
}

// The outcomes of one side that the other one does not have.
static void find_surplus(struct pairing *pairing, struct test_pair *pair, size_t side) {
    struct arena *arena = pairing->arena;
    const json_t *mine = json_object_get(pair->tests[side], "states");
    const json_t *others = json_object_get(pair->tests[1 - side], "states");
    bool is_known = json_is_true(json_object_get(pair->tests[1 - side], "complete"));
    struct state_set *set = state_set_new(arena, others, &pair->columns[1 - side]);
    struct state_set *seen = state_set_new(arena, NULL, NULL);
    for (size_t i = 0; i < json_array_size(mine); i++) {
        const json_t *state = json_array_get(mine, i);
        const char *text = state_text(arena, state, &pair->columns[side]);
        if (state_set_has(set, text) || state_set_has(seen, text)) {
            continue;
        }
        state_set_add(seen, arena, text);
        if (is_known) {
            add_surplus(arena, &pair->only[side], text, state);
        } else {
            pair->only[side].may_be_more = true;
        }
    }
    state_set_free(set);
    state_set_free(seen);
    if (!json_is_true(json_object_get(pair->tests[side], "complete"))) {
        pair->only[side].may_be_more = true;
    }
}

bool pair_has_flag(const json_t *test, const char *field, const char *flag) {
    const json_t *flags = json_object_get(test, field);
    for (size_t i = 0; i < json_array_size(flags); i++) {
        if (strcmp(json_string_value(json_array_get(flags, i)), flag) == 0) {
            return true;
        }
    }
    return false;
}

// Executions that do not end have no outcome, but are something that a test may do.
static void find_endings(struct pairing *pairing, struct test_pair *pair, size_t side) {
    static const char *const flags[][2] = {{"hang", "an execution that hangs at a barrier"},
                                           {"endless", "an execution that waits for ever"},
                                           {"trap", "an execution that traps"}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        const char *flag = flags[i][0];
        const json_t *mine = pair->tests[side], *other = pair->tests[1 - side];
        bool may_mine = pair_has_flag(mine, "unknown_flags", flag);
        if (pair_has_flag(mine, "flags", flag) && !pair_has_flag(other, "flags", flag)) {
            if (pair_has_flag(other, "unknown_flags", flag)) {
                pair->only[side].may_be_more = true;
            } else {
                add_surplus(pairing->arena, &pair->only[side], flags[i][1], NULL);
            }
        } else if (may_mine && !pair_has_flag(other, "flags", flag)) {
            pair->only[side].may_be_more = true;
        }
    }
}

// Why nothing can be said of a side, or NULL.
static const char *open_side(struct pairing *pairing, const struct test_pair *pair, size_t side) {
    const json_t *test = pair->tests[side];
    const char *which = side == 0 ? "the first" : "the second";
    const char *reason = text_of(test, "reason");
    bool none = json_array_size(json_object_get(test, "states")) == 0;
    if (!none) {
        return NULL;
    }
    return arena_format(pairing->arena, "%s has no outcome%s%s", which, reason ? ": " : "",
                        reason ? reason : "");
}

static enum compared relation_of(const struct test_pair *pair) {
    const struct surplus *a = &pair->only[0], *b = &pair->only[1];
    if (a->count > 0 && b->count > 0) {
        return DIFFERENT;
    }
    if (a->may_be_more || b->may_be_more) {
        return OPEN;
    }
    return a->count > 0 ? SECOND_WITHIN : b->count > 0 ? FIRST_WITHIN : EQUAL;
}

static const char *reason_of(struct pairing *pairing, const struct test_pair *pair) {
    for (size_t side = 0; side < SIDES; side++) {
        const char *reason = text_of(pair->tests[side], "reason");
        if (reason) {
            return arena_format(pairing->arena, "%s: %s", side == 0 ? "the first" : "the second",
                                reason);
        }
    }
    return "not all outcomes are known";
}

void pair_judge(struct pairing *pairing, struct test_pair *pair) {
    pair->relation = OPEN;
    for (size_t side = 0; side < SIDES && !pair->why; side++) {
        pair->why = open_side(pairing, pair, side);
    }
    if (pair->why) {
        return;
    }
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
static const char *wanted_state(struct arena *arena, const json_t *state) {
    json_t *known = json_object();
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)state, name, value) {
        if (!json_is_null(value)) {
            json_field(known, name, json_incref(value));
        }
    }
    const char *text = state_text(arena, known, NULL);
    json_decref(known);
    return arena_format(arena, "%s", text);
}

// The part of a pair's time that its tests have left.
static double part_left(const struct pairing *pairing, const struct test_pair *pair) {
    static const double least = 1e-3; // for 0 means all
    double left = pairing->run->options->check.solver.timeout_seconds;
    for (size_t side = 0; side < SIDES; side++) {
        const json_t *stats = json_object_get(pair->tests[side], "stats");
        left -= json_number_value(json_object_get(stats, "total_ms")) / 1e3;
    }
    double seconds = pairing->run->options->check.solver.timeout_seconds;
    return seconds > 0 && left < least * seconds ? least : seconds > 0 ? left / seconds : 0;
}

// What shows an outcome that only one side has, or NULL.
const char *pair_execution(struct pairing *pairing, const struct test_pair *pair, size_t side) {
    if (pair->only[side].count == 0 || !pair->only[side].states[0] || signals_interrupted()) {
        return NULL;
    }
    struct options options = *pairing->run->options;
    struct run run = *pairing->run;
    options.print.format = FORMAT_TEXT;
    options.explain = (struct explain_options){
        .asked = true, .state = wanted_state(pairing->arena, pair->only[side].states[0])};
    options.compare.test = text_of(pair->tests[side], "test");
    options.explain.is_body = true;
    options.jobs = 1;
    run.options = &options;
    run.fates = NULL;
    run.part = part_left(pairing, pair);
    struct input input = {.path = pair->files[side]->path, .lowering = pair->files[side]->lowering};
    const struct input_list inputs = {.items = &input, .count = 1, .file_count = 1};
    size_t size;
    char *text = run_inputs(&run, &inputs, &size);
    while (size > 0 && text[size - 1] == '\n') {
        size--;
    }
    const char *execution = size > 0 ? arena_strndup(pairing->arena, text, size) : NULL;
    free(text);
    return execution;
}

// --- Printing ------------------------------------------------------------------------------------

const char *pair_name(struct arena *arena, const struct test_pair *pair, size_t side) {
    const char *test = text_of(pair->tests[side], "test");
    const char *path = escaped(arena, pair->files[side]->path);
    return test ? arena_format(arena, "%s (%s)", path, escaped(arena, test)) : path;
}

void pair_print_surplus(FILE *out, const struct surplus *surplus, const char *side) {
    for (size_t i = 0; i < surplus->count && i < SHOWN_OUTCOMES; i++) {
        fprintf(out, "  only %s: %s\n", side, surplus->outcomes[i]);
    }
    if (surplus->count > SHOWN_OUTCOMES) {
        fprintf(out, "  only %s: %zu more\n", side, surplus->count - SHOWN_OUTCOMES);
    }
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
    for (size_t i = 0; i < surplus->count; i++) {
        json_item(outcomes, json_string(valid_utf8(arena, surplus->outcomes[i])));
    }
    return outcomes;
}
