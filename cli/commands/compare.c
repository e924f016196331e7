// Compares two tests, or those of two folders, pair by pair: which outcomes only one of them has.
#include "cli/commands/commands.h"

#include "check/text/json.h"
#include "check/text/names.h"
#include "cli/commands/pairs.h"
#include "cli/jobs/signals.h"
#include "cli/print/terminal.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct compared_side {
    struct compared_file *files;
    size_t count;
};

// Of tests that are in no pair: only one side has them, or they have no result on one side or on
// both, as they were not run.
enum { MISSING = RELATION_COUNT, NOT_RUN, COUNTED };

static const char *const relation_texts[COUNTED] = {
    [EQUAL] = "equal",
    [FIRST_WITHIN] = "A within B",
    [SECOND_WITHIN] = "B within A",
    [DIFFERENT] = "differ",
    [OPEN] = "unknown",
    [MISSING] = "without a partner",
    [NOT_RUN] = "not run",
};

struct compare {
    struct pairing pairing;
    struct run run;
    struct compared_side sides[SIDES];
    size_t counts[COUNTED];
    size_t fewer, more; // pairs of which it is known that only A, or only B, has some outcome
    size_t pairs;
};

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
    files_collect(compare->pairing.arena, &given, 1, &list);
    side->files = ARENA_ARRAY(compare->pairing.arena, struct compared_file, list.count + 1);
    for (size_t i = 0; i < list.count; i++) {
        side->files[i] = (struct compared_file){.path = list.items[i].path,
                                                .place = place_of(given, list.items[i].path)};
        list.items[i].index = all->count + 1;
        files_add(compare->pairing.arena, all, &list.items[i]);
    }
    side->count = list.count;
}

static struct compared_file *file_at(void *context, size_t index) {
    struct compare *compare = context;
    assert(index >= 1 && index <= compare->sides[0].count + compare->sides[1].count);
    return index <= compare->sides[0].count
               ? &compare->sides[0].files[index - 1]
               : &compare->sides[1].files[index - 1 - compare->sides[0].count];
}

// --- Printing ------------------------------------------------------------------------------------

static void print_pair_text(struct compare *compare, FILE *out, const struct test_pair *pair,
                            const char *execution, size_t side) {
    struct arena *arena = compare->pairing.arena;
    for (size_t i = 0; i < SIDES; i++) {
        if (pair->tests[i]->launched) {
            fprintf(out, "%s: %s ran with %s\n", escaped(arena, pair->files[i]->path),
                    escaped(arena, pair->tests[i]->test), escaped(arena, pair->tests[i]->launched));
        }
    }
    fprintf(out, "%s: %s, %s\n", relation_texts[pair->relation],
            pair_name(compare->pairing.arena, pair, 0), pair_name(compare->pairing.arena, pair, 1));
    if (pair->why)
        fprintf(out, "  %s\n", pair->why);
    pair_print_surplus(out, &pair->only[0], "A");
    pair_print_surplus(out, &pair->only[1], "B");
    if (execution) {
        fprintf(out, "\n  In %s:\n\n", side == 0 ? "A" : "B");
        pair_print_indented(out, execution);
        fputc('\n', out);
    }
}

static void print_pair_json(struct compare *compare, FILE *out, const struct test_pair *pair,
                            const char *execution) {
    struct arena *arena = compare->pairing.arena;
    print_json_line(out,
                    json_of("{s:o, s:o, s:s, s:s*, s:s*, s:s, s:o, s:o, s:o*, s:o*}", "a",
                            text_json(arena, pair->files[0]->path), "b",
                            text_json(arena, pair->files[1]->path), "test", pair->tests[0]->test,
                            "launch_a", pair->tests[0]->launched, "launch_b",
                            pair->tests[1]->launched, "relation", relation_texts[pair->relation],
                            "only_a", pair_surplus_json(arena, &pair->only[0]), "only_b",
                            pair_surplus_json(arena, &pair->only[1]), "reason",
                            pair->why ? text_json(arena, pair->why) : NULL, "execution",
                            execution ? text_json(arena, execution) : NULL));
}

static void compare_pair(struct compare *compare, FILE *out, struct test_pair *pair) {
    pair_judge(&compare->pairing, pair);
    compare->counts[pair->relation]++;
    compare->fewer += pair->only[0].count > 0;
    compare->more += pair->only[1].count > 0;
    compare->pairs++;
    size_t side = pair->only[1].count > 0 ? 1 : 0; // what is new, if anything is
    const char *execution = pair_execution(&compare->pairing, pair, side);
    if (compare->run.options->compare.is_json)
        print_pair_json(compare, out, pair, execution);
    else
        print_pair_text(compare, out, pair, execution, side);
}

// --- Pairs ---------------------------------------------------------------------------------------

// What is said of a test without a pair: "only A", or "not run".
static void print_alone(struct compare *compare, FILE *out, const char *name,
                        const char *relation) {
    if (compare->run.options->compare.is_json) {
        print_json_line(out, json_of("{s:o, s:s}", "test", text_json(compare->pairing.arena, name),
                                     "relation", relation));
    } else {
        fprintf(out, "%s: %s\n", relation, escaped(compare->pairing.arena, name));
    }
}

static void print_missing(struct compare *compare, FILE *out, const char *name, const char *side) {
    compare->counts[MISSING]++;
    print_alone(compare, out, name, arena_format(compare->pairing.arena, "only %s", side));
}

// A test of which the run has nothing on one side: whether that has such a test is not known.
static void print_not_run(struct compare *compare, FILE *out, const char *name) {
    compare->counts[NOT_RUN]++;
    print_alone(compare, out, name, relation_texts[NOT_RUN]);
}

static const struct record *find_test(const struct compared_file *file, const char *name) {
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(name, file->tests[i].test) == 0)
            return &file->tests[i];
    return NULL;
}

// Whether the tests of two files have the same names; else they are taken in their order.
static bool by_names(const struct compared_file *a, const struct compared_file *b) {
    for (size_t i = 0; i < a->count; i++)
        if (!find_test(b, a->tests[i].test))
            return false;
    return true;
}

// A test that has no partner among the results of the other file.
static void print_single(struct compare *compare, FILE *out, const struct compared_file *file,
                         const struct record *test, bool other_is_cut, const char *side) {
    const char *name = arena_format(compare->pairing.arena, "%s (%s)", file->path, test->test);
    if (other_is_cut)
        print_not_run(compare, out, name);
    else
        print_missing(compare, out, name, side);
}

static void compare_files(struct compare *compare, FILE *out, const struct compared_file *a,
                          const struct compared_file *b) {
    if (a->is_broken || b->is_broken)
        return; // messages have said so
    bool named = by_names(a, b) || a->count != b->count;
    for (size_t i = 0; i < a->count; i++) {
        const struct record *other = named ? find_test(b, a->tests[i].test) : &b->tests[i];
        struct test_pair pair = {.files = {a, b}, .tests = {&a->tests[i], other}};
        if (other)
            compare_pair(compare, out, &pair);
        else
            print_single(compare, out, a, &a->tests[i], b->is_cut, "A");
    }
    for (size_t i = 0; named && i < b->count; i++)
        if (!find_test(a, b->tests[i].test))
            print_single(compare, out, b, &b->tests[i], a->is_cut, "B");
    if (a->is_cut && b->is_cut) {
        print_not_run(compare, out,
                      arena_format(compare->pairing.arena, "%s, %s", a->path, b->path));
    }
}

static const struct compared_file *find_file(const struct compared_side *side, const char *place) {
    for (size_t i = 0; i < side->count; i++)
        if (strcmp(side->files[i].place, place) == 0)
            return &side->files[i];
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
        if (other)
            compare_files(compare, out, &a->files[i], other);
        else
            print_missing(compare, out, a->files[i].path, "A");
    }
    for (size_t i = 0; i < b->count; i++)
        if (!find_file(a, b->files[i].place))
            print_missing(compare, out, b->files[i].path, "B");
}

static enum exit_status status_of(const struct compare *compare) {
    const size_t *counts = compare->counts;
    bool no_new = compare->run.options->compare.no_new;
    bool differs = compare->more > 0 || counts[MISSING] > 0 || (!no_new && compare->fewer > 0);
    if (compare->run.status == EXIT_INTERNAL)
        return EXIT_INTERNAL;
    if (compare->pairing.is_broken || compare->pairs + counts[MISSING] + counts[NOT_RUN] == 0)
        return EXIT_BAD_INPUT;
    bool open = counts[OPEN] > 0 || counts[NOT_RUN] > 0 || signals_interrupted();
    return differs ? EXIT_FAILED : open ? EXIT_UNDECIDED : EXIT_DECIDED;
}

static enum exit_status compare_all(const struct options *options, FILE *out, FILE *err) {
    struct compare compare = {.run = {.options = options, .status = EXIT_DECIDED, .err = err}};
    compare.pairing = (struct pairing){.arena = arena_new(), .run = &compare.run};
    struct diagnostics diagnostics;
    struct input_list inputs = {0};
    diagnostics_init(&diagnostics, compare.pairing.arena);
    for (size_t side = 0; side < SIDES; side++)
        collect(&compare, options->inputs[side], &compare.sides[side], &inputs);
    bool loaded =
        systems_load(compare.pairing.arena, &options->check, &compare.run.systems, &diagnostics);
    compare.run.out = out;
    for (size_t i = 0; i < diagnostics.count; i++)
        print_diagnostic(err, compare.pairing.arena, &diagnostics.items[i], false);
    enum exit_status status = EXIT_BAD_INPUT;
    if (loaded) {
        compare.run.part = 1.0 / SIDES;
        pair_run_inputs(&compare.pairing, &compare.run, &inputs, file_at, &compare);
        compare_sides(&compare, out);
        if (!options->compare.is_json) {
            fprintf(out, "%zu pair%s:", compare.pairs, compare.pairs == 1 ? "" : "s");
            if (!pair_print_counts(out, compare.counts, relation_texts, COUNTED))
                fputs(" nothing was compared\n", out);
        }
        status = status_of(&compare);
    }
    arena_free(compare.pairing.arena);
    return status;
}

enum exit_status compare_inputs(const struct options *options) {
    struct streams streams = streams_open(options->compare.is_json);
    enum exit_status status = compare_all(options, streams.out, streams.err);
    streams_close(streams);
    return status;
}
