// Compares two tests, or those of two folders, pair by pair: which outcomes only one of them has.
// What is not known is never taken for a difference, nor for its absence.
#include "cli/commands/compare.h"

#include "cli/commands/parallel.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/signals.h"
#include "cli/print/names.h"
#include "cli/print/print.h"
#include "cli/print/states.h"
#include "cli/print/terminal.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 2 };
enum { SHOWN_OUTCOMES = 10 }; // of those that only one side has

// A file of one side, and what its tests came to.
struct compared_file {
    const char *path;
    const char *place; // below the folder that was given; "" for a file that was
    json_t **tests;
    size_t count;
    bool is_broken;
};

struct compared_side {
    struct compared_file *files;
    size_t count;
};

// How the outcomes of a pair are related.
enum compared { EQUAL, FIRST_WITHIN, SECOND_WITHIN, DIFFERENT, OPEN, RELATION_COUNT };

static const char *const relation_texts[RELATION_COUNT] = {
    [EQUAL] = "equal",
    [FIRST_WITHIN] = "A within B",
    [SECOND_WITHIN] = "B within A",
    [DIFFERENT] = "differ",
    [OPEN] = "unknown",
};

// What one side of a pair has and the other one has not.
struct surplus {
    const char **outcomes; // texts, with A's names
    const json_t **states;
    size_t count;
    bool may_be_more; // the other side's are listed, but not all of its own
};

struct test_pair {
    const struct compared_file *files[SIDES];
    const json_t *tests[SIDES];
    struct state_columns columns[SIDES];
    struct surplus only[SIDES];
    enum compared relation;
    const char *why; // of OPEN
};

struct compare {
    struct arena *arena;
    struct run run;
    char *text;
    size_t size;
    struct compared_side sides[SIDES];
    size_t counts[RELATION_COUNT];
    size_t fewer, more; // pairs of which it is known that only A, or only B, has some outcome
    size_t missing;     // tests that only one side has
    size_t pairs;
    bool is_broken;
};

static const char *text_of(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

// --- Running -----------------------------------------------------------------------------------

// The part of a path below the input that was given.
static const char *place_of(const char *given, const char *path) {
    size_t length = strlen(given);
    const char *place = strncmp(path, given, length) == 0 ? path + length : path;
    return place + strspn(place, "/");
}

static void collect(struct compare *compare, const char *given, struct compared_side *side,
                    struct input_list *all) {
    struct input_list list;
    files_collect(compare->arena, &given, 1, &list);
    side->files = ARENA_ARRAY(compare->arena, struct compared_file, list.count + 1);
    for (size_t i = 0; i < list.count; i++) {
        side->files[i] = (struct compared_file){.path = list.items[i].path,
                                                .place = place_of(given, list.items[i].path)};
        all->items = arena_grow(compare->arena, all->items, all->count, sizeof *all->items);
        all->items[all->count] = list.items[i];
        all->items[all->count].index = all->count + 1;
        all->count++;
        all->file_count += list.items[i].error == NULL;
    }
    side->count = list.count;
}

static struct compared_file *file_at(struct compare *compare, size_t index) {
    assert(index >= 1 && index <= compare->sides[0].count + compare->sides[1].count);
    return index <= compare->sides[0].count
               ? &compare->sides[0].files[index - 1]
               : &compare->sides[1].files[index - 1 - compare->sides[0].count];
}

static void take_line(struct compare *compare, const char *line, size_t size) {
    json_error_t error;
    json_t *object = json_loadb(line, size, 0, &error);
    if (!object) {
        bug("a result that is not JSON: %s", error.text);
    }
    json_int_t index = json_integer_value(json_object_get(object, "index"));
    if (index < 1) { // about the whole run
        compare->is_broken = true;
        json_decref(object);
        return;
    }
    struct compared_file *file = file_at(compare, (size_t)index);
    if (text_of(object, "error")) {
        file->is_broken = compare->is_broken = true;
    }
    file->tests = arena_grow(compare->arena, file->tests, file->count, sizeof(json_t *));
    file->tests[file->count++] = object;
}

static void take_lines(struct compare *compare) {
    for (size_t at = 0; at < compare->size;) {
        const char *end = memchr(compare->text + at, '\n', compare->size - at);
        if (!end) {
            break;
        }
        take_line(compare, compare->text + at, (size_t)(end - compare->text) - at);
        at = (size_t)(end + 1 - compare->text);
    }
}

// Runs the inputs in this format into memory; the caller frees the text.
static char *run_into_text(struct run *run, const struct input_list *inputs, size_t *size) {
    char *text;
    run->out = text_open(&text, size);
    parallel_run(run, inputs);
    text_close(run->out);
    return text;
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
static const char *map_columns(struct compare *compare, struct test_pair *pair) {
    const struct compare_options *options = &compare->run.options->compare;
    struct state_columns found[SIDES] = {pair->columns[0], pair->columns[1]};
    for (size_t side = 0; side < SIDES; side++) {
        pair->columns[side] =
            (struct state_columns){.names = options->map[side], .count = options->map_count};
        for (size_t i = 0; i < options->map_count; i++) {
            if (!has_column(&found[side], options->map[side][i])) {
                return arena_format(compare->arena, "'--map' names '%s', which %s does not show",
                                    escaped(compare->arena, options->map[side][i]),
                                    side == 0 ? "the first" : "the second");
            }
        }
    }
    return NULL;
}

// Which values correspond: those of one name, or if the names differ, by their places, or as --map
// says. Returns what is wrong, or NULL.
static const char *match_columns(struct compare *compare, struct test_pair *pair) {
    for (size_t side = 0; side < SIDES; side++) {
        pair->columns[side] = columns_of(compare->arena, pair->tests[side]);
    }
    struct state_columns *a = &pair->columns[0], *b = &pair->columns[1];
    const char *error = NULL;
    if (compare->run.options->compare.map_count > 0) {
        error = map_columns(compare, pair);
    } else if (same_names(a, b)) {
        b->names = a->names;
    } else if (a->count != b->count) {
        error = arena_format(compare->arena,
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
static void find_surplus(struct compare *compare, struct test_pair *pair, size_t side) {
    struct arena *arena = compare->arena;
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

static bool has_flag(const json_t *test, const char *field, const char *flag) {
    const json_t *flags = json_object_get(test, field);
    for (size_t i = 0; i < json_array_size(flags); i++) {
        if (strcmp(json_string_value(json_array_get(flags, i)), flag) == 0) {
            return true;
        }
    }
    return false;
}

// Executions that do not end have no outcome, but are something that a test may do.
static void find_endings(struct compare *compare, struct test_pair *pair, size_t side) {
    static const char *const flags[][2] = {{"hang", "an execution that hangs at a barrier"},
                                           {"endless", "an execution that waits for ever"},
                                           {"trap", "an execution that traps"}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        const char *flag = flags[i][0];
        const json_t *mine = pair->tests[side], *other = pair->tests[1 - side];
        bool may_mine = has_flag(mine, "unknown_flags", flag);
        if (has_flag(mine, "flags", flag) && !has_flag(other, "flags", flag)) {
            if (has_flag(other, "unknown_flags", flag)) {
                pair->only[side].may_be_more = true;
            } else {
                add_surplus(compare->arena, &pair->only[side], flags[i][1], NULL);
            }
        } else if (may_mine && !has_flag(other, "flags", flag)) {
            pair->only[side].may_be_more = true;
        }
    }
}

// Why nothing can be said of a side, or NULL.
static const char *open_side(struct compare *compare, const struct test_pair *pair, size_t side) {
    const json_t *test = pair->tests[side];
    const char *which = side == 0 ? "the first" : "the second";
    const char *reason = text_of(test, "reason");
    bool none = json_array_size(json_object_get(test, "states")) == 0;
    if (!none) {
        return NULL;
    }
    return arena_format(compare->arena, "%s has no outcome%s%s", which, reason ? ": " : "",
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

static const char *reason_of(struct compare *compare, const struct test_pair *pair) {
    for (size_t side = 0; side < SIDES; side++) {
        const char *reason = text_of(pair->tests[side], "reason");
        if (reason) {
            return arena_format(compare->arena, "%s: %s", side == 0 ? "the first" : "the second",
                                reason);
        }
    }
    return "not all outcomes are known";
}

static void judge_pair(struct compare *compare, struct test_pair *pair) {
    pair->relation = OPEN;
    for (size_t side = 0; side < SIDES && !pair->why; side++) {
        pair->why = open_side(compare, pair, side);
    }
    if (pair->why) {
        return;
    }
    pair->why = match_columns(compare, pair);
    if (pair->why) {
        compare->is_broken = true;
        return;
    }
    for (size_t side = 0; side < SIDES; side++) {
        find_surplus(compare, pair, side);
        find_endings(compare, pair, side);
    }
    pair->relation = relation_of(pair);
    pair->why = pair->relation == OPEN ? reason_of(compare, pair) : NULL;
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

// What shows an outcome that only one side has, or NULL.
static const char *execution_of(struct compare *compare, const struct test_pair *pair,
                                size_t side) {
    if (pair->only[side].count == 0 || !pair->only[side].states[0]) {
        return NULL;
    }
    struct options options = *compare->run.options;
    struct run run = compare->run;
    options.format = FORMAT_TEXT;
    options.explain = (struct explain_options){
        .asked = true, .state = wanted_state(compare->arena, pair->only[side].states[0])};
    options.compare.test = text_of(pair->tests[side], "test");
    options.explain.is_body = true;
    options.jobs = 1;
    run.options = &options;
    run.is_done = NULL;
    struct input input = {.path = pair->files[side]->path};
    const struct input_list inputs = {.items = &input, .count = 1, .file_count = 1};
    size_t size;
    char *text = run_into_text(&run, &inputs, &size);
    while (size > 0 && text[size - 1] == '\n') {
        size--;
    }
    const char *execution = size > 0 ? arena_strndup(compare->arena, text, size) : NULL;
    free(text);
    return execution;
}

// --- Printing ------------------------------------------------------------------------------------

static const char *name_of(struct arena *arena, const struct test_pair *pair, size_t side) {
    const char *test = text_of(pair->tests[side], "test");
    const char *path = escaped(arena, pair->files[side]->path);
    return test ? arena_format(arena, "%s (%s)", path, escaped(arena, test)) : path;
}

static void print_surplus(FILE *out, const struct surplus *surplus, const char *side) {
    for (size_t i = 0; i < surplus->count && i < SHOWN_OUTCOMES; i++) {
        fprintf(out, "  only %s: %s\n", side, surplus->outcomes[i]);
    }
    if (surplus->count > SHOWN_OUTCOMES) {
        fprintf(out, "  only %s: %zu more\n", side, surplus->count - SHOWN_OUTCOMES);
    }
}

static void print_indented(FILE *out, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(out, "%s%.*s\n", length > 0 ? "    " : "", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void print_pair_text(struct compare *compare, FILE *out, const struct test_pair *pair,
                            const char *execution, size_t side) {
    fprintf(out, "%s: %s, %s\n", relation_texts[pair->relation], name_of(compare->arena, pair, 0),
            name_of(compare->arena, pair, 1));
    if (pair->why) {
        fprintf(out, "  %s\n", pair->why);
    }
    print_surplus(out, &pair->only[0], "A");
    print_surplus(out, &pair->only[1], "B");
    if (execution) {
        fprintf(out, "\n  In %s:\n\n", side == 0 ? "A" : "B");
        print_indented(out, execution);
        fputc('\n', out);
    }
}

static json_t *surplus_json(struct arena *arena, const struct surplus *surplus) {
    json_t *outcomes = json_array();
    for (size_t i = 0; i < surplus->count; i++) {
        json_item(outcomes, json_string(valid_utf8(arena, surplus->outcomes[i])));
    }
    return outcomes;
}

static void print_pair_json(struct compare *compare, FILE *out, const struct test_pair *pair,
                            const char *execution) {
    static const char *const keys[SIDES] = {"a", "b"}, *const only[SIDES] = {"only_a", "only_b"};
    struct arena *arena = compare->arena;
    json_t *object = json_object();
    for (size_t side = 0; side < SIDES; side++) {
        json_field(object, keys[side], json_string(valid_utf8(arena, pair->files[side]->path)));
    }
    const char *test = text_of(pair->tests[0], "test");
    json_field(object, "test", test ? json_string(test) : json_null());
    json_field(object, "relation", json_string(relation_texts[pair->relation]));
    for (size_t side = 0; side < SIDES; side++) {
        json_field(object, only[side], surplus_json(arena, &pair->only[side]));
    }
    if (pair->why) {
        json_field(object, "reason", json_string(valid_utf8(arena, pair->why)));
    }
    if (execution) {
        json_field(object, "execution", json_string(valid_utf8(arena, execution)));
    }
    print_json_line(out, object);
    json_decref(object);
}

static void compare_pair(struct compare *compare, FILE *out, struct test_pair *pair) {
    judge_pair(compare, pair);
    compare->counts[pair->relation]++;
    compare->fewer += pair->only[0].count > 0;
    compare->more += pair->only[1].count > 0;
    compare->pairs++;
    size_t side = pair->only[1].count > 0 ? 1 : 0; // what is new, if anything is
    const char *execution = execution_of(compare, pair, side);
    if (compare->run.options->compare.is_json) {
        print_pair_json(compare, out, pair, execution);
    } else {
        print_pair_text(compare, out, pair, execution, side);
    }
}

// --- Pairs ---------------------------------------------------------------------------------------

static void print_missing(struct compare *compare, FILE *out, const char *name, const char *side) {
    compare->missing++;
    if (compare->run.options->compare.is_json) {
        json_t *object = json_object();
        json_field(object, "test", json_string(valid_utf8(compare->arena, name)));
        json_field(object, "relation", json_string(arena_format(compare->arena, "only %s", side)));
        print_json_line(out, object);
        json_decref(object);
    } else {
        fprintf(out, "only %s: %s\n", side, escaped(compare->arena, name));
    }
}

static const json_t *find_test(const struct compared_file *file, const char *name) {
    for (size_t i = 0; i < file->count; i++) {
        const char *other = text_of(file->tests[i], "test");
        if (name && other && strcmp(name, other) == 0) {
            return file->tests[i];
        }
    }
    return NULL;
}

// Whether the tests of two files have the same names; else they are taken in their order.
static bool by_names(const struct compared_file *a, const struct compared_file *b) {
    for (size_t i = 0; i < a->count; i++) {
        if (!find_test(b, text_of(a->tests[i], "test"))) {
            return false;
        }
    }
    return true;
}

static void compare_files(struct compare *compare, FILE *out, const struct compared_file *a,
                          const struct compared_file *b) {
    if (a->is_broken || b->is_broken) {
        return; // messages have said so
    }
    bool named = by_names(a, b) || a->count != b->count;
    for (size_t i = 0; i < a->count; i++) {
        const char *name = text_of(a->tests[i], "test");
        const json_t *other = named ? find_test(b, name) : b->tests[i];
        struct test_pair pair = {.files = {a, b}, .tests = {a->tests[i], other}};
        if (other) {
            compare_pair(compare, out, &pair);
        } else {
            print_missing(compare, out,
                          arena_format(compare->arena, "%s (%s)", a->path, name ? name : ""), "A");
        }
    }
    for (size_t i = 0; named && i < b->count; i++) {
        const char *name = text_of(b->tests[i], "test");
        if (!find_test(a, name)) {
            print_missing(compare, out,
                          arena_format(compare->arena, "%s (%s)", b->path, name ? name : ""), "B");
        }
    }
}

static const struct compared_file *find_file(const struct compared_side *side, const char *place) {
    for (size_t i = 0; i < side->count; i++) {
        if (strcmp(side->files[i].place, place) == 0) {
            return &side->files[i];
        }
    }
    return NULL;
}

static void compare_sides(struct compare *compare, FILE *out) {
    const struct compared_side *a = &compare->sides[0], *b = &compare->sides[1];
    if (a->count == 1 && b->count == 1 && (!*a->files[0].place || !*b->files[0].place)) {
        compare_files(compare, out, &a->files[0], &b->files[0]);
        return;
    }
    for (size_t i = 0; i < a->count; i++) {
        const struct compared_file *other = find_file(b, a->files[i].place);
        if (other) {
            compare_files(compare, out, &a->files[i], other);
        } else {
            print_missing(compare, out, a->files[i].path, "A");
        }
    }
    for (size_t i = 0; i < b->count; i++) {
        if (!find_file(a, b->files[i].place)) {
            print_missing(compare, out, b->files[i].path, "B");
        }
    }
}

static void print_summary(const struct compare *compare, FILE *out) {
    fprintf(out, "%zu pair%s:", compare->pairs, compare->pairs == 1 ? "" : "s");
    bool any = false;
    for (size_t i = 0; i < RELATION_COUNT; i++) {
        if (compare->counts[i] > 0) {
            fprintf(out, "%s %zu %s", any ? "," : "", compare->counts[i], relation_texts[i]);
            any = true;
        }
    }
    if (compare->missing > 0) {
        fprintf(out, "%s %zu without a partner", any ? "," : "", compare->missing);
        any = true;
    }
    fputs(any ? "\n" : " nothing was compared\n", out);
}

static int status_of(const struct compare *compare) {
    const size_t *counts = compare->counts;
    bool no_new = compare->run.options->compare.no_new;
    bool differs = compare->more > 0 || compare->missing > 0 || (!no_new && compare->fewer > 0);
    if (compare->run.status == EXIT_INTERNAL) {
        return EXIT_INTERNAL;
    }
    if (compare->is_broken || compare->pairs + compare->missing == 0) {
        return EXIT_BAD_INPUT;
    }
    return differs ? EXIT_FAILED : counts[OPEN] > 0 ? EXIT_UNDECIDED : EXIT_DECIDED;
}

static int compare_all(const struct options *options, FILE *out, FILE *err) {
    struct compare compare = {.arena = arena_new(),
                              .run = {.options = options, .status = EXIT_DECIDED, .err = err}};
    struct diagnostics diagnostics;
    struct input_list inputs = {0};
    diagnostics_init(&diagnostics, compare.arena);
    for (size_t side = 0; side < SIDES; side++) {
        collect(&compare, options->inputs[side], &compare.sides[side], &inputs);
    }
    bool loaded = systems_load(compare.arena, options, &compare.run.systems, &diagnostics);
    compare.run.out = out;
    for (size_t i = 0; i < diagnostics.count; i++) {
        fputs(diag_render(compare.arena, &diagnostics.items[i]), err);
    }
    int status = EXIT_BAD_INPUT;
    if (loaded) {
        signals_install(NULL);
        compare.text = run_into_text(&compare.run, &inputs, &compare.size);
        take_lines(&compare);
        compare_sides(&compare, out);
        if (!options->compare.is_json) {
            print_summary(&compare, out);
        }
        status = status_of(&compare);
        free(compare.text);
    }
    for (size_t side = 0; side < SIDES; side++) {
        for (size_t i = 0; i < compare.sides[side].count; i++) {
            for (size_t j = 0; j < compare.sides[side].files[i].count; j++) {
                json_decref(compare.sides[side].files[i].tests[j]);
            }
        }
    }
    arena_free(compare.arena);
    return status;
}

int compare_inputs(const struct options *options) {
    bool is_utf8 = terminal_is_utf8();
    FILE *out = is_utf8 || options->compare.is_json ? stdout : ascii_stream(stdout);
    FILE *err = is_utf8 ? stderr : ascii_stream(stderr);
    int status = compare_all(options, out, err);
    if (out != stdout) {
        fclose(out);
    }
    if (err != stderr) {
        fclose(err);
    }
    return status;
}
