// ptxlitmus-oracle: the outcomes of litmus tests by brute force, one JSON object a line, in the
// fields of litmus-format.md section 3 that tests/oracle/compare.c compares.
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "tests/oracle/search.h"

#include <dirent.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { EXIT_DECIDED = 0, EXIT_BAD_INPUT = 2, EXIT_UNDECIDED = 3 };

static const char usage[] =
    "usage: ptxlitmus-oracle [--model 9.1|7.5|6.0] [--proxy-fences both|local|path] "
    "[--every-order]\n"
    "                        [--deps semantic|syntactic] [--tearing both|bytes|none] [--limit N]\n"
    "                        FILE|FOLDER...\n"
    "Prints one JSON object a test: its outcomes by brute force, and the verdict.\n"
    "  --model M      version of the memory model (default 9.1)\n"
    "  --proxy-fences R\n"
    "                 reading of D9 (default both: local, flagged where path differs)\n"
    "  --deps R       reading of D42 (default semantic, flagged where syntactic differs)\n"
    "  --tearing R    reading of D41 (default both: bytes, flagged where none differs)\n"
    "  --every-order  try every partial co and every total sc, not only the least ones\n"
    "  --limit N      give up on a test after N steps (default 50000000)\n";

struct run {
    struct search_options options;
    const struct version *generous; // compared with the options' version, or NULL
    bool as_written;                // dependencies
    struct version whole;           // the options' version with accesses read as whole
    bool both_tearings;             // compare the two
    int status;                     // the highest so far
};

static void raise_status(struct run *run, int status) {
    if (status > run->status)
        run->status = status;
}

// --- JSON ----------------------------------------------------------------------------------------

static const char *hexadecimal(char *text, u128 bits) {
    if (bits >> 64)
        sprintf(text, "0x%llx%016llx", (unsigned long long)(bits >> 64), (unsigned long long)bits);
    else
        sprintf(text, "0x%llx", (unsigned long long)bits);
    return text;
}

// A number, as long as 53 bits hold it; else a string of hexadecimal digits.
static json_t *shown_json(const struct shown *shown, const struct observed *observed) {
    char text[40];
    u128 bits = shown->bits;
    unsigned width = observed->width;
    if (shown->unknown)
        return json_null();
    if (observed->is_signed && width < 128 && (bits >> (width - 1)) & 1)
        bits |= ~(u128)0 << width;
    s128 number = observed->is_signed ? (s128)bits : (s128)shown->bits;
    s128 bound = (s128)1 << 53;
    if (number > -bound && number < bound)
        return json_integer((json_int_t)number);
    return json_string(hexadecimal(text, shown->bits));
}

static json_t *states_json(const struct program *program, const struct outcome_set *outcomes) {
    json_t *states = json_array();
    for (size_t i = 0; i < outcomes->count; i++) {
        json_t *state = json_object();
        for (size_t k = 0; k < outcomes->width; k++)
            json_object_set_new(
                state, program->observed[k].json_name,
                shown_json(&outcomes->values[i * outcomes->width + k], &program->observed[k]));
        json_array_append_new(states, state);
    }
    return states;
}

// Section 7: what the axioms exclude in a program with a mixed-size race, or in one that misuses a
// barrier (section 6), is not known. D16: nor is
// what executions past the bound of a loop show; but an outcome that is there is there.
static const char *verdict_name(const struct program *program, const struct search_result *result) {
    bool open = result->mixed_size_race || result->barrier_misuse || result->bound_reached;
    if (result->unsupported || !result->complete || (!result->satisfied && !result->violated))
        return "unknown"; // what holds of all outcomes says nothing where there is none
    if (!result->satisfied)
        return open ? "unknown" : "forbidden";
    if (result->violated || !open)
        return result->violated ? "allowed" : "always";
    bool about_existence = program->test->quantifier != QUANTIFIER_FORALL &&
                           !test_expects(program->test, EXPECT_ALWAYS);
    return result->bound_reached && about_existence ? "allowed" : "unknown";
}

// Searches a program. Where a mixed-size race leaves the verdict unknown, that of what holds in any
// program counts (D46).
static const char *decide(const struct search_options *options, const struct program *program,
                          struct search_result *result) {
    struct search_options reduced = *options;
    struct search_result any;
    struct version version = version_in_any_program(options->version);
    search_run(program, options, result);
    const char *verdict = verdict_name(program, result);
    if (strcmp(verdict, "unknown") != 0 || !result->mixed_size_race || result->open_race ||
        result->bound_reached)
        return verdict;
    reduced.version = &version;
    search_run(program, &reduced, &any);
    any.mixed_size_race = false;
    verdict = verdict_name(program, &any);
    search_result_free(&any);
    return strcmp(verdict, "allowed") == 0 ? "unknown" : verdict;
}

// What another reading of the memory model decides differently.
struct differences {
    bool proxies, dependencies, tearing;
};

static json_t *flags_json(const struct search_result *result, struct differences differences) {
    json_t *flags = json_array();
    if (result->barrier_misuse)
        json_array_append_new(flags, json_string("barrier-misuse"));
    if (result->bound_reached)
        json_array_append_new(flags, json_string("bound"));
    if (result->data_race)
        json_array_append_new(flags, json_string("data-race"));
    if (result->complete && !result->ends && !result->hang && !result->bound_reached)
        json_array_append_new(flags, json_string("endless"));
    if (differences.dependencies)
        json_array_append_new(flags, json_string("dependency-reading"));
    if (result->hang)
        json_array_append_new(flags, json_string("hang"));
    if (result->mixed_size_race)
        json_array_append_new(flags, json_string("mixed-size-race"));
    if (differences.proxies)
        json_array_append_new(flags, json_string("proxy-reading"));
    if (differences.tearing)
        json_array_append_new(flags, json_string("tearing-reading"));
    return flags;
}

static const char *kind_name(enum quantifier quantifier) {
    switch (quantifier) {
    case QUANTIFIER_EXISTS: return "exists";
    case QUANTIFIER_NOT_EXISTS: return "~exists";
    default: return "forall";
    }
}

static void print_json(json_t *object) {
    char *text = json_dumps(object, JSON_COMPACT);
    puts(text ? text : "{}");
    free(text);
    json_decref(object);
}

static void print_result(const struct run *run, const char *path, const struct program *program,
                         const struct search_result *result, const char *verdict,
                         struct differences differences) {
    json_t *object = json_object();
    json_object_set_new(object, "test", json_string(program->test->name));
    json_object_set_new(object, "file", json_string(path));
    json_object_set_new(object, "model", json_string(run->options.version->name));
    json_object_set_new(object, "kind", json_string(kind_name(program->test->quantifier)));
    json_object_set_new(object, "verdict", json_string(verdict));
    json_object_set_new(object, "states", states_json(program, &result->outcomes));
    bool complete = result->complete && !result->unsupported && !result->bound_reached;
    json_object_set_new(object, "complete", json_boolean(complete));
    json_object_set_new(object, "flags", flags_json(result, differences));
    if (result->unsupported)
        json_object_set_new(object, "unsupported", json_string(result->unsupported));
    json_object_set_new(object, "stats",
                        json_pack("{s:I,s:I,s:I,s:I}", "events", (json_int_t)program->event_count,
                                  "steps", (json_int_t)result->steps, "candidates",
                                  (json_int_t)result->candidates, "executions",
                                  (json_int_t)result->executions));
    print_json(object);
}

static void print_errors(const char *path, const struct diagnostics *diagnostics) {
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *diagnostic = &diagnostics->items[i];
        if (diagnostic->severity != SEVERITY_ERROR)
            continue;
        struct position at = {0, 0};
        if (diagnostic->span.source)
            at = source_position(diagnostic->span.source, diagnostic->span.begin);
        print_json(json_pack("{s:s,s:i,s:i,s:s}", "file", path, "line", (int)at.line, "column",
                             (int)at.column, "error", diagnostic->message));
    }
}

// --- Files ---------------------------------------------------------------------------------------

static bool has_proxy_fence(const struct program *program) {
    for (size_t i = 0; i < program->event_count; i++)
        if (program->events[i].kind == EVENT_PROXY_FENCE)
            return true;
    return false;
}

// Whether a program and a version decide the test differently.
static bool decides_otherwise(const struct run *run, const struct program *program,
                              const struct version *version, const char *verdict) {
    struct search_options options = run->options;
    struct search_result result;
    if (strcmp(verdict, "unknown") == 0)
        return false;
    options.version = version;
    const char *other = decide(&options, program, &result);
    bool differ = strcmp(other, "unknown") != 0 && strcmp(other, verdict) != 0;
    search_result_free(&result);
    return differ;
}

static struct program_options program_options(const struct run *run) {
    return (struct program_options){.dependencies = run->as_written ? DEPENDENCIES_SYNTACTIC
                                                                    : DEPENDENCIES_SEMANTIC,
                                    .unroll = 2,
                                    .whole_accesses = run->options.version->whole_accesses,
                                    .no_thin_air = true};
}

// Whether the test of a program, built with other options, is decided differently.
static bool differs_when_built(const struct run *run, const struct program *program,
                               const struct program_options *options, const struct version *version,
                               const char *verdict) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct program *other = program_build(arena, program->test, options, &diagnostics);
    bool differ = other && decides_otherwise(run, other, version, verdict);
    arena_free(arena);
    return differ;
}

// D41: whether accesses that are read as whole decide it differently.
static bool tearing_differs(const struct run *run, const struct program *program,
                            const char *verdict) {
    struct program_options options = program_options(run);
    options.whole_accesses = true;
    return run->both_tearings && program->tears &&
           differs_when_built(run, program, &options, &run->whole, verdict);
}

// D42: whether the test's dependencies as they are written decide it differently.
static bool dependencies_differ(const struct run *run, const struct program *program,
                                const char *verdict) {
    struct program_options options = program_options(run);
    options.dependencies = DEPENDENCIES_SYNTACTIC;
    return !run->as_written &&
           differs_when_built(run, program, &options, run->options.version, verdict);
}

static struct differences find_differences(const struct run *run, const struct program *program,
                                           const char *verdict) {
    return (struct differences){
        .proxies = run->generous && has_proxy_fence(program) &&
                   decides_otherwise(run, program, run->generous, verdict),
        .dependencies = dependencies_differ(run, program, verdict),
        .tearing = tearing_differs(run, program, verdict),
    };
}

static void run_program(struct run *run, const char *path, const struct program *program) {
    struct search_result result;
    const char *verdict = decide(&run->options, program, &result);
    print_result(run, path, program, &result, verdict, find_differences(run, program, verdict));
    if (result.unsupported || !result.complete)
        raise_status(run, EXIT_UNDECIDED);
    search_result_free(&result);
}

static void refuse(struct run *run, const char *path, const struct diagnostics *diagnostics) {
    print_errors(path, diagnostics);
    raise_status(run, EXIT_BAD_INPUT);
}

static void run_test(struct run *run, const char *path, const struct test *test) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    struct program_options options = program_options(run);
    diagnostics_init(&diagnostics, arena);
    const struct program *program = program_build(arena, test, &options, &diagnostics);
    if (program)
        run_program(run, path, program);
    else
        refuse(run, path, &diagnostics);
    arena_free(arena);
}

static void run_file(struct run *run, const char *path) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    struct test_list tests = {0};
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_read(arena, path, &diagnostics);
    if (source && test_read_all(arena, source, SYNTAX_GUESS, &diagnostics, &tests)) {
        for (size_t i = 0; i < tests.count; i++)
            run_test(run, path, tests.items[i]);
    } else {
        refuse(run, path, &diagnostics);
    }
    arena_free(arena);
}

static void run_path(struct run *run, const char *path);

static void run_folder(struct run *run, const char *path) {
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        fprintf(stderr, "ptxlitmus-oracle: cannot read the folder %s\n", path);
        raise_status(run, EXIT_BAD_INPUT);
    }
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        const char *end = strrchr(name, '.');
        char *child = NULL;
        struct stat status;
        if (name[0] != '.' && asprintf(&child, "%s/%s", path, name) > 0 &&
            stat(child, &status) == 0 &&
            (S_ISDIR(status.st_mode) || (end && strcmp(end, ".litmus") == 0)))
            run_path(run, child);
        free(child);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void run_path(struct run *run, const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        run_folder(run, path);
    else
        run_file(run, path);
}

static int bad_usage(void) {
    fputs(usage, stderr);
    return EXIT_BAD_INPUT;
}

// Returns whether there is such a reading of D9.
static bool choose_reading(struct run *run, const char *reading) {
    const struct version *generous = version_generous(run->options.version);
    if (strcmp(reading, "both") == 0)
        run->generous = generous;
    else if (strcmp(reading, "path") == 0)
        run->options.version = generous;
    else
        return strcmp(reading, "local") == 0;
    return run->options.version != NULL;
}

// Returns whether there is such a reading of D41.
static bool choose_tearing(struct run *run, const char *tearing) {
    run->whole = version_whole(run->options.version);
    run->both_tearings = strcmp(tearing, "both") == 0;
    if (strcmp(tearing, "none") == 0)
        run->options.version = &run->whole;
    return run->both_tearings || strcmp(tearing, "none") == 0 || strcmp(tearing, "bytes") == 0;
}

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"model", required_argument, NULL, 'm'}, {"proxy-fences", required_argument, NULL, 'p'},
        {"every-order", no_argument, NULL, 'e'}, {"limit", required_argument, NULL, 'l'},
        {"deps", required_argument, NULL, 'd'},  {"tearing", required_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0}};
    struct run run = {.options = {.version = version_find("9.1"), .limit = 50000000}};
    const char *reading = "both", *tearing = "both";
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'm')
            run.options.version = version_find(optarg);
        else if (option == 'p')
            reading = optarg;
        else if (option == 'e')
            run.options.every_order = true;
        else if (option == 'l')
            run.options.limit = strtoull(optarg, NULL, 10);
        else if (option == 'd' && strcmp(optarg, "syntactic") == 0)
            run.as_written = true;
        else if (option == 'd' && strcmp(optarg, "semantic") == 0)
            run.as_written = false;
        else if (option == 't')
            tearing = optarg;
        else if (option == 'h')
            return fputs(usage, stdout) < 0;
        else
            return bad_usage();
    }
    if (run.options.version && (!choose_reading(&run, reading) || !choose_tearing(&run, tearing)))
        return bad_usage();
    if (!run.options.version || optind == argc)
        return bad_usage();
    for (int i = optind; i < argc; i++)
        run_path(&run, argv[i]);
    return run.status;
}
