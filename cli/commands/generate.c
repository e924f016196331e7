// Makes tests of cycles, decides those of which a verdict is asked, and writes them.
#include "cli/commands/commands.h"

#include "check/text/names.h"
#include "cli/commands/parallel.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/signals.h"
#include "cli/print/formats.h"
#include "generate/enumerate.h"
#include "generate/text.h"
#include "generate/weaken.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/file_name.h"
#include "litmus/source/replace.h"
#include "solver/backend/watchdog.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct generating {
    struct run *run;
    struct arena *arena; // of the whole
    struct diagnostics *diagnostics;
    struct text_style style;
    struct enumeration enumeration;
    const struct model *without; // the model without the axiom of --axiom
    const char **names, **files; // in use; files are there with '-o'
    size_t count;
    bool is_cut;
};

// A test of a cycle, and what is known of it.
struct generated {
    struct cycle cycle;
    const char *name, *text;
    enum verdict verdict;
};

// --- Verdicts ----------------------------------------------------------------------------------

static enum verdict decide(struct generating *generating, struct arena *arena, const char *text,
                           const struct model *model) {
    struct run *run = generating->run;
    const struct system *system = &run->systems.items[0];
    struct program_options program_options = run->options->check.program;
    struct solver_options options = run->options->check.solver;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    program_options.no_thin_air =
        !model && systems_forbid_thin_air(&run->systems, &run->options->check);
    options.verdict_only = true;
    const struct source *source = source_from_text(arena, "generated", text, strlen(text));
    struct test *test = test_read(arena, source, SYNTAX_GUESS, &diagnostics);
    struct program *program =
        test ? program_build(arena, test, &program_options, &diagnostics) : NULL;
    const struct outcomes *outcomes =
        !program ? NULL
        : model  ? solver_run(run->solver, arena, program, model, &options, &diagnostics)
                 : readings_decide(&system->readings, &options, watchdog_now_ms() / 1000,
                                   run->solver, arena, program, &diagnostics);
    run_print_diagnostics(run, arena, &diagnostics);
    return outcomes ? outcomes->verdict : VERDICT_UNKNOWN;
}

static void note_unknown(struct generating *generating, const struct generated *generated) {
    fprintf(generating->run->err, "%s: undecided: the verdict is not known\n", generated->name);
    run_add_status(generating->run, EXIT_UNDECIDED);
}

// Whether the axiom of --axiom is what forbids the outcome.
static bool is_wanted(struct generating *generating, struct arena *arena,
                      struct generated *generated) {
    if (!generating->without)
        return true;
    if (generated->verdict != VERDICT_FORBIDDEN)
        return false;
    enum verdict other = decide(generating, arena, generated->text, generating->without);
    if (other == VERDICT_UNKNOWN)
        note_unknown(generating, generated);
    return other == VERDICT_ALLOWED || other == VERDICT_ALWAYS;
}

// --- Files -------------------------------------------------------------------------------------

static bool is_among(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool is_taken(const struct generating *generating, const char *name) {
    return is_among(generating->names, generating->count, name);
}

// The name of the last test's file: long names are cut, and may be those of other tests then.
static const char *new_file(struct generating *generating, const char *name) {
    struct arena *arena = generating->arena;
    size_t before = generating->count - 1;
    generating->files = arena_grow(arena, generating->files, before, sizeof *generating->files);
    const char *stem = file_stem(arena, name), *file = stem;
    for (unsigned i = 2; is_among(generating->files, before, file); i++)
        file = file_stem_number(arena, stem, i);
    return generating->files[before] = file;
}

static bool write_file(struct generating *generating, const struct generated *generated) {
    const struct generate_options *options = &generating->run->options->generate;
    const char *path = arena_format(generating->arena, "%s/%s.litmus", options->folder,
                                    new_file(generating, generated->name));
    struct written_file file;
    const char *error = replace_begin(generating->arena, &file, path, !options->overwrites);
    if (!error) {
        fputs(generated->text, file.out);
        error = replace_commit(generating->arena, &file);
        if (error == REPLACE_EXISTS)
            replace_abandon(&file);
    }
    if (error == REPLACE_EXISTS)
        error = "it is there already; '--force' overwrites it";
    return run_has_written(generating->run, generating->arena, path, error);
}

static bool write_test(struct generating *generating, const struct generated *generated) {
    struct run *run = generating->run;
    generating->names = arena_grow(generating->arena, generating->names, generating->count,
                                   sizeof *generating->names);
    generating->names[generating->count++] = arena_format(generating->arena, "%s", generated->name);
    if (run->options->generate.folder)
        return write_file(generating, generated);
    if (generating->count > 1)
        fputc('\n', run->out);
    fputs(generated->text, run->out);
    run_flush(run);
    return !run->output_failed;
}

// --- Tests -------------------------------------------------------------------------------------

static const char *verdict_word(enum verdict verdict) {
    return verdict == VERDICT_FORBIDDEN ? "forbidden"
           : verdict == VERDICT_ALLOWED ? "allowed"
           : verdict == VERDICT_ALWAYS  ? "always"
                                        : NULL;
}

// The test of a cycle, and with verdicts its verdict. False where there is none, after a message.
static bool make_test(struct generating *generating, struct arena *arena, const struct cycle *cycle,
                      struct generated *generated) {
    const struct generate_options *options = &generating->run->options->generate;
    struct text_style style = generating->style;
    run_begin_limits(generating->run);
    generated->cycle = *cycle;
    const char *name = cycle_name(arena, &generated->cycle, &style);
    generated->name = name;
    for (size_t i = 2; is_taken(generating, generated->name); i++)
        generated->name = arena_format(arena, "%s-%zu", name, i);
    generated->text =
        cycle_text(arena, &generated->cycle, generated->name, &style, generating->diagnostics);
    if (!generated->text)
        return false;
    if (!options->expects && !options->axiom && !options->mutants)
        return true;
    generated->verdict = decide(generating, arena, generated->text, NULL);
    if (generated->verdict == VERDICT_UNKNOWN)
        note_unknown(generating, generated);
    style.expect = options->expects ? verdict_word(generated->verdict) : NULL;
    generated->text = cycle_text(arena, &generated->cycle, generated->name, &style, NULL);
    return true;
}

static bool has_room(struct generating *generating) {
    if (generating->count < generating->run->options->generate.most)
        return true;
    generating->is_cut = true;
    return false;
}

// The tests that are one step weaker and allowed or, where there are none, those two steps weaker,
// and so on. False when there is no more room.
static bool add_mutants(struct generating *generating, struct arena *arena,
                        const struct generated *generated) {
    const struct cycle *level = &generated->cycle;
    size_t count = 1;
    bool found = false;
    while (count > 0 && !found) {
        struct cycle *next = NULL;
        size_t next_count = 0;
        for (size_t i = 0; i < count; i++) {
            size_t weaker_count;
            const struct cycle *weaker =
                cycle_weaken(arena, &level[i], generating->style.order, &weaker_count);
            for (size_t k = 0; k < weaker_count; k++) {
                struct generated mutant = {.verdict = VERDICT_UNKNOWN};
                struct cycle turned = weaker[k];
                if (is_taken(generating, cycle_name(arena, &turned, &generating->style)) ||
                    !make_test(generating, arena, &weaker[k], &mutant))
                    continue;
                if (mutant.verdict == VERDICT_FORBIDDEN) {
                    next = arena_grow(arena, next, next_count, sizeof *next);
                    next[next_count++] = mutant.cycle;
                } else if (mutant.verdict != VERDICT_UNKNOWN) {
                    found = true;
                    if (!has_room(generating) || !write_test(generating, &mutant))
                        return false;
                }
            }
        }
        level = next;
        count = next_count;
    }
    return true;
}

// False to end.
static bool take(void *context, const struct cycle *cycle) {
    struct generating *generating = context;
    struct generated generated = {.verdict = VERDICT_UNKNOWN};
    struct arena *arena = arena_new();
    bool goes_on = !signals_interrupted();
    if (goes_on && make_test(generating, arena, cycle, &generated) &&
        is_wanted(generating, arena, &generated)) {
        goes_on = has_room(generating) && write_test(generating, &generated);
        if (goes_on && generating->run->options->generate.mutants &&
            generated.verdict == VERDICT_FORBIDDEN)
            goes_on = add_mutants(generating, arena, &generated);
    }
    arena_free(arena);
    return goes_on && !generating->run->output_failed;
}

// --- Input -------------------------------------------------------------------------------------

// Calls `take_word` for each word of a text: what has no blank and no comma in it. False when one
// call is.
static bool each_word(const struct source *source, void *context,
                      bool (*take_word)(void *context, struct span span)) {
    bool good = true;
    for (uint32_t at = 0; at < source->size;) {
        uint32_t end = at;
        while (end < source->size && source->text[end] != ',' &&
               !isspace((unsigned char)source->text[end]))
            end++;
        good = (end == at || take_word(context, (struct span){source, at, end})) && good;
        at = end + 1;
    }
    return good;
}

static bool take_edge(void *context, struct span span) {
    struct generating *generating = context;
    struct edge edge;
    if (!edge_read(generating->arena, span, &edge, generating->diagnostics))
        return false;
    struct enumeration *enumeration = &generating->enumeration;
    struct edge *edges = arena_grow(generating->arena, (void *)(uintptr_t)enumeration->edges,
                                    enumeration->edge_count, sizeof *edges);
    edges[enumeration->edge_count++] = edge;
    enumeration->edges = edges;
    return true;
}

static bool take_mark(void *context, struct span span) {
    struct generating *generating = context;
    struct mark mark;
    if (!mark_read(generating->arena, span, &mark, generating->diagnostics))
        return false;
    struct enumeration *enumeration = &generating->enumeration;
    struct mark *marks = arena_grow(generating->arena, (void *)(uintptr_t)enumeration->marks,
                                    enumeration->mark_count, sizeof *marks);
    marks[enumeration->mark_count++] = mark;
    enumeration->marks = marks;
    return true;
}

static bool add_nearness(struct generating *generating, enum nearness nearness) {
    struct enumeration *enumeration = &generating->enumeration;
    enum nearness *list = arena_grow(generating->arena, (void *)(uintptr_t)enumeration->nearness,
                                     enumeration->nearness_count, sizeof *list);
    list[enumeration->nearness_count++] = nearness;
    enumeration->nearness = list;
    return true;
}

static bool take_place(void *context, struct span span) {
    struct generating *generating = context;
    const char *text = span.source->text + span.begin;
    size_t length = span.end - span.begin;
    enum nearness nearness = nearness_read(text, length);
    if (length == strlen("all") && strncmp(text, "all", length) == 0) {
        for (unsigned i = NEAR_CTA; i <= NEAR_SYSTEM; i++)
            add_nearness(generating, (enum nearness)i);
        return true;
    }
    if (nearness == NEAR_UNSAID) {
        diag_error(generating->diagnostics, span, "'%.*s' is not a place", (int)length, text);
        diag_hint(generating->diagnostics,
                  "places are cta, cluster, gpu, sys, and all of them: all");
        return false;
    }
    return add_nearness(generating, nearness);
}

static const struct source *source_of_option(struct generating *generating, const char *name,
                                             const char *text) {
    return source_from_text(generating->arena, name, text, strlen(text));
}

// The first order of --access is that of accesses without marks, reads and writes.
static bool read_options(struct generating *generating) {
    const struct generate_options *options = &generating->run->options->generate;
    const struct source *access = source_of_option(generating, "--access", options->access);
    const struct source *places = source_of_option(generating, "--placement", options->placement);
    if (!each_word(access, generating, take_mark) || !each_word(places, generating, take_place))
        return false;
    struct mark *marks = (void *)(uintptr_t)generating->enumeration.marks;
    const char *order = marks ? marks[0].order : NULL;
    if (!order || marks[0].view || *order == 'a' ||
        strncmp(order, "release", strlen("release")) == 0) {
        diag_error(generating->diagnostics, marks ? marks[0].span : (struct span){access, 0, 0},
                   "'--access' begins with an order of reads and writes: 'weak' or 'relaxed.gpu'");
        return false;
    }
    generating->style.order = order;
    marks[0] = (struct mark){0};
    return true;
}

// The model without one of its axioms; NULL after an error.
static const struct model *without_axiom(struct generating *generating, const char *name) {
    const struct model *model = generating->run->systems.items[0].readings.model;
    struct model *copy = arena_copy(generating->arena, model, 1, sizeof *model);
    struct model_axiom *axioms =
        arena_copy(generating->arena, model->axioms, model->axiom_count, sizeof *axioms);
    const char *known = "";
    size_t kept = 0;
    for (size_t i = 0; i < model->axiom_count; i++) {
        bool required = axioms[i].use == AXIOM_REQUIRED;
        known = required ? arena_format(generating->arena, "%s%s%s", known, *known ? ", " : "",
                                        axioms[i].name)
                         : known;
        if (!required || strcmp(axioms[i].name, name) != 0)
            axioms[kept++] = axioms[i];
    }
    copy->axioms = axioms;
    copy->axiom_count = kept;
    if (kept < model->axiom_count)
        return copy;
    const struct source *source = source_of_option(generating, "--axiom", name);
    diag_error(generating->diagnostics, (struct span){source, 0, source->size},
               "'%s' is not an axiom of %s", escaped(generating->arena, name), model->name);
    diag_hint(generating->diagnostics, "its axioms are %s", known);
    return NULL;
}

static bool generate_all_of_edges(struct generating *generating) {
    const char *words = generating->run->options->generate.edges;
    const struct source *source =
        access(words, F_OK) == 0 ? source_read(generating->arena, words, generating->diagnostics)
                                 : source_of_option(generating, "--edges", words);
    if (!source || !each_word(source, generating, take_edge))
        return false;
    if (generating->enumeration.edge_count == 0) {
        diag_error(generating->diagnostics, (struct span){source, 0, source->size},
                   "there are no edges");
        return false;
    }
    generating->enumeration.size_min = 2;
    generating->enumeration.size_max = generating->run->options->generate.size;
    enumerate_cycles(&generating->enumeration, take, generating);
    return true;
}

// One cycle, with the nearness of each place that is given.
static bool generate_one(struct generating *generating, struct span span) {
    struct cycle read;
    if (!cycle_read(generating->arena, span, &read, generating->diagnostics))
        return false;
    for (size_t i = 0; i < generating->enumeration.nearness_count; i++) {
        struct cycle cycle = read;
        if (!cycle_resolve(&cycle, generating->enumeration.nearness[i], generating->diagnostics))
            return false;
        if (!take(generating, &cycle))
            return true;
    }
    return true;
}

// A cycle per line; '-' is the standard input.
static bool generate_cycles(struct generating *generating) {
    const struct options *options = generating->run->options;
    bool good = true;
    for (size_t i = 0; i < options->input_count; i++) {
        const char *text = options->inputs[i];
        const struct source *source =
            strcmp(text, "-") == 0 ? source_read(generating->arena, text, generating->diagnostics)
                                   : source_of_option(generating, "cycle", text);
        for (uint32_t at = 0; source && at < source->size;) {
            const char *newline = memchr(source->text + at, '\n', source->size - at);
            uint32_t end = newline ? (uint32_t)(newline - source->text) : source->size;
            struct span line = {source, at, end};
            bool blank = strspn(source->text + at, " \t\r") >= end - at;
            good = (blank || generate_one(generating, line)) && good;
            at = end + 1;
        }
        if (source && source->size == 0) {
            diag_error(generating->diagnostics, (struct span){source, 0, 0},
                       "a cycle has edges: 'PodWW Rfe PodRR Fre'");
        }
        good = good && source;
    }
    return good;
}

static void generate_input(struct run *run) {
    const struct generate_options *options = &run->options->generate;
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    struct generating generating = {.run = run, .arena = arena, .diagnostics = &diagnostics};
    diagnostics_init(&diagnostics, arena);
    bool good = systems_load(arena, &run->options->check, &run->systems, &diagnostics) &&
                read_options(&generating);
    if (good && options->axiom) {
        generating.without = without_axiom(&generating, options->axiom);
        good = generating.without != NULL;
    }
    if (good && options->folder)
        good = run_make_folder(run, arena, options->folder);
    if (good && options->edges)
        generate_all_of_edges(&generating);
    else if (good)
        generate_cycles(&generating);
    run_print_diagnostics(run, arena, &diagnostics);
    if (generating.is_cut) {
        fprintf(run->err, "ptxlitmus: only the first %zu tests were made: '--most' allows more\n",
                generating.count);
        run_add_status(run, EXIT_UNDECIDED);
    }
    if (options->folder && !run->options->print.quiet && generating.count > 0) {
        fprintf(run->err, "%zu test%s in %s\n", generating.count, generating.count == 1 ? "" : "s",
                escaped(arena, options->folder));
    }
    if (good && generating.count == 0 && !diag_has_errors(&diagnostics) && !run->output_failed &&
        !signals_interrupted()) {
        fprintf(run->err, "ptxlitmus: no cycle is as asked\n");
        run_add_status(run, EXIT_FAILED);
    }
    arena_free(arena);
}

enum exit_status generate_tests(const struct options *options) {
    return parallel_run_alone(options, "generate", generate_input);
}
