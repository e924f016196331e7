// ptxlitmus-oracle: the outcomes of litmus tests by brute force, one JSON object a line, in
// the fields of litmus-format.md section 3 that tests/oracle/compare.c compares.
#include "litmus/ptx/target.h"
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "tests/oracle/explore.h"

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
    "                        [--deps semantic|syntactic|none] [--tearing both|bytes|none] "
    "[--rounds N]\n"
    "                        [--limit N] FILE|FOLDER...\n"
    "Prints one JSON object a test: its outcomes by brute force, and the verdict.\n"
    "  --model M      version of the memory model (default 9.1)\n"
    "  --proxy-fences R\n"
    "                 reading of D9 (default both: local, flagged where path differs)\n"
    "  --every-order  try every partial co and every total sc, not only the least ones\n"
    "  --deps R       reading of D42 (default semantic, flagged where syntactic differs);\n"
    "                 none: only tests whose writes have one value and address each\n"
    "  --relaxed-waits both|nothing|copies, --async-proxies both|cta|one,\n"
    "  --async-place both|issuer|destination, --st-async both|relaxed|release\n"
    "                 readings of D22, D26, D18 and D37 (default both: the first, flagged where "
    "the "
    "other "
    "differs)\n"
    "  --tearing R    reading of D41 (default both: bytes, flagged where none differs)\n"
    "  --rounds N     of a loop that waits for what it reads (default 2)\n"
    "  --limit N      give up on a test after N steps (default 50000000)\n";

struct run {
    struct explore_options options;
    const struct version *generous; // compared with the options' version, or NULL
    struct version whole;           // the options' version with accesses read as whole
    bool both_tearings;             // compare the two
    // What the options say of the other readings of D22, D26, D18 and D37, and the versions with
    // these.
    const char *waits, *proxies, *place, *stores;
    struct version shown, shared, there, released, anywhere;
    struct run *later; // for tests in versions of PTX after 9.1, where no model is named
    int status;        // the highest so far
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
static json_t *shown_json(const struct shown *shown, const struct shown_term *term) {
    char text[40];
    if (shown->unknown)
        return json_null();
    s128 number = term->is_signed ? as_signed(shown->bits, term->width) : (s128)shown->bits;
    s128 bound = (s128)1 << 53;
    if (number > -bound && number < bound)
        return json_integer((json_int_t)number);
    return json_string(hexadecimal(text, shown->bits));
}

static json_t *states_json(const struct shown_list *list, const struct outcome_set *outcomes) {
    json_t *states = json_array();
    for (size_t i = 0; i < outcomes->count; i++) {
        json_t *state = json_object();
        for (size_t k = 0; k < outcomes->width; k++)
            json_object_set_new(
                state, list->terms[k].name,
                shown_json(&outcomes->values[i * outcomes->width + k], &list->terms[k]));
        json_array_append_new(states, state);
    }
    return states;
}

static bool is_undefined(const struct explored *result) {
    return result->async_undefined || result->mixed_size_race || result->barrier_misuse ||
           result->mbarrier_misuse || result->product_misuse || result->tensor_misuse ||
           result->cancel_misuse || result->exited_cta || result->async_unwaited ||
           result->readonly_written;
}

// Section 7: what the axioms exclude in a program with a mixed-size race is not known, nor in one
// that misuses a barrier (section 6). What executions past the bound of a loop show is left open
// here: "bounded" says that there are some.
static const char *verdict_name(const struct explored *result) {
    if (result->unsupported || !result->complete || (!result->satisfied && !result->violated))
        return "unknown"; // without outcomes, every statement holds of all of them
    if (!result->satisfied)
        return is_undefined(result) ? "unknown" : "forbidden";
    if (result->violated)
        return "allowed";
    return is_undefined(result) ? "unknown" : "always";
}

// Explores a test. Where a mixed-size race leaves the verdict unknown, that of what holds in any
// program counts (D46).
static const char *decide(const struct shown_list *list, const struct explore_options *options,
                          struct explored *result) {
    struct explore_options reduced = *options;
    struct explored any;
    struct version version = version_in_any_program(options->version);
    explore_test(list->test, list, options, result);
    const char *verdict = verdict_name(result);
    if (strcmp(verdict, "unknown") != 0 || !result->mixed_size_race || result->open_race)
        return verdict;
    reduced.version = &version;
    explore_test(list->test, list, &reduced, &any);
    any.mixed_size_race = false;
    verdict = verdict_name(&any);
    explored_free(&any);
    return strcmp(verdict, "allowed") == 0 ? "unknown" : verdict;
}

// What another reading of the memory model decides differently.
struct differences {
    bool proxies, dependencies, tearing, relaxed_waits, async_proxies, async_place, st_async;
};

static json_t *flags_json(const struct explored *result, struct differences differences) {
    json_t *flags = json_array();
    if (result->barrier_misuse)
        json_array_append_new(flags, json_string("barrier-misuse"));
    if (result->data_race)
        json_array_append_new(flags, json_string("data-race"));
    if (result->complete && !result->ends && !result->hang && !result->trap)
        json_array_append_new(flags, json_string("endless"));
    if (result->async_undefined)
        json_array_append_new(flags, json_string("async-undefined"));
    if (result->exited_cta)
        json_array_append_new(flags, json_string("exited-cta"));
    if (result->async_unwaited)
        json_array_append_new(flags, json_string("async-unwaited"));
    if (result->readonly_written)
        json_array_append_new(flags, json_string("readonly-written"));
    if (result->mbarrier_misuse)
        json_array_append_new(flags, json_string("mbarrier-misuse"));
    if (result->cancel_misuse)
        json_array_append_new(flags, json_string("cancel-misuse"));
    if (result->tensor_misuse)
        json_array_append_new(flags, json_string("tensor-misuse"));
    if (result->product_misuse)
        json_array_append_new(flags, json_string("wgmma-misuse"));
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
    if (differences.relaxed_waits)
        json_array_append_new(flags, json_string("relaxed-wait-reading"));
    if (differences.async_proxies)
        json_array_append_new(flags, json_string("async-proxy-reading"));
    if (differences.async_place)
        json_array_append_new(flags, json_string("async-place-reading"));
    if (differences.st_async)
        json_array_append_new(flags, json_string("st-async-reading"));
    if (result->trap)
        json_array_append_new(flags, json_string("trap"));
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

static void print_result(const struct run *run, const char *path, const struct shown_list *list,
                         const struct explored *result, const char *verdict,
                         struct differences differences) {
    json_t *object = json_object();
    json_object_set_new(object, "test", json_string(list->test->name));
    json_object_set_new(object, "file", json_string(path));
    json_object_set_new(object, "model", json_string(run->options.version->name));
    json_object_set_new(object, "kind", json_string(kind_name(list->test->quantifier)));
    json_object_set_new(object, "verdict", json_string(verdict));
    json_object_set_new(object, "states", states_json(list, &result->outcomes));
    bool complete = result->complete && !result->unsupported;
    json_object_set_new(object, "complete", json_boolean(complete));
    json_object_set_new(object, "bounded", json_boolean(result->bounded));
    json_object_set_new(object, "flags", flags_json(result, differences));
    if (result->unsupported)
        json_object_set_new(object, "unsupported", json_string(result->unsupported));
    json_object_set_new(object, "stats",
                        json_pack("{s:i,s:I,s:I,s:I}", "rounds", (int)result->rounds, "steps",
                                  (json_int_t)result->steps, "candidates",
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

// Whether the test is decided differently under other options.
static bool decides_otherwise(const struct explore_options *options, const struct shown_list *list,
                              const char *verdict) {
    struct explored result;
    if (strcmp(verdict, "unknown") == 0)
        return false;
    const char *other = decide(list, options, &result);
    bool differ = strcmp(other, "unknown") != 0 && strcmp(other, verdict) != 0;
    explored_free(&result);
    return differ;
}

// The flags of D9, D41 and D42.
static struct differences find_differences(const struct run *run, const struct shown_list *list,
                                           const struct explored *result, const char *verdict) {
    struct explore_options generous = run->options, written = run->options, whole = run->options;
    struct differences differences = {0};
    generous.version = run->generous;
    whole.version = &run->whole;
    written.dependencies = DEPENDENCIES_SYNTACTIC;
    if (run->generous && result->has_proxy_fence)
        differences.proxies = decides_otherwise(&generous, list, verdict);
    if (run->options.dependencies == DEPENDENCIES_SEMANTIC && result->dependencies_differ)
        differences.dependencies = decides_otherwise(&written, list, verdict);
    if (run->both_tearings)
        differences.tearing = decides_otherwise(&whole, list, verdict);
    struct explore_options shown = run->options, shared = run->options, there = run->options;
    there.version = &run->there;
    if (strcmp(run->place, "both") == 0)
        differences.async_place = decides_otherwise(&there, list, verdict);
    struct explore_options released = run->options;
    released.version = &run->released;
    if (strcmp(run->stores, "both") == 0 && list->test->version >= 93)
        differences.st_async = decides_otherwise(&released, list, verdict);
    shown.version = &run->shown;
    shared.version = &run->shared;
    if (strcmp(run->waits, "both") == 0)
        differences.relaxed_waits = decides_otherwise(&shown, list, verdict);
    if (strcmp(run->proxies, "both") == 0)
        differences.async_proxies = decides_otherwise(&shared, list, verdict);
    return differences;
}

static void run_test(struct run *run, const char *path, const struct test *test) {
    if (run->later && ptx_version_of(test, 0) > PTX_USUAL)
        run = run->later;
    struct explored result;
    struct shown_list list = shown_find(test);
    const char *verdict = decide(&list, &run->options, &result);
    print_result(run, path, &list, &result, verdict,
                 find_differences(run, &list, &result, verdict));
    if (result.unsupported || !result.complete)
        raise_status(run, EXIT_UNDECIDED);
    explored_free(&result);
    shown_free(&list);
}

static void refuse(struct run *run, const char *path, const struct diagnostics *diagnostics) {
    print_errors(path, diagnostics);
    raise_status(run, EXIT_BAD_INPUT);
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
    if (generous) {
        run->anywhere = *generous;
        generous = &run->anywhere;
    }
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
    if (strcmp(tearing, "none") == 0) {
        run->options.version = &run->whole;
        run->anywhere = version_whole(&run->anywhere);
    }
    return run->both_tearings || strcmp(tearing, "none") == 0 || strcmp(tearing, "bytes") == 0;
}

static bool is_either(const char *chosen, const char *usual, const char *other) {
    return strcmp(chosen, "both") == 0 || strcmp(chosen, usual) == 0 || strcmp(chosen, other) == 0;
}

// Returns whether there are such readings of D22, D26, D18 and D37.
static bool choose_async(struct run *run) {
    bool shown = strcmp(run->waits, "copies") == 0, shared = strcmp(run->proxies, "one") == 0,
         there = strcmp(run->place, "destination") == 0;
    run->shown = version_relaxed_waits(run->options.version);
    if (shown)
        run->options.version = &run->shown;
    run->shared = version_one_async_proxy(run->options.version);
    if (shared)
        run->options.version = &run->shared;
    run->there = version_async_destination(run->options.version);
    if (there)
        run->options.version = &run->there;
    run->released = version_st_async_releases(run->options.version);
    if (strcmp(run->stores, "release") == 0)
        run->options.version = &run->released;
    return is_either(run->place, "issuer", "destination") &&
           is_either(run->waits, "nothing", "copies") && is_either(run->proxies, "cta", "one") &&
           is_either(run->stores, "relaxed", "release");
}

// The other readings of D22, D26, D18 and D37, where the rest is as the options say.
static void compare_async(struct run *run) {
    if (strcmp(run->waits, "both") == 0)
        run->shown = version_relaxed_waits(run->options.version);
    if (strcmp(run->proxies, "both") == 0)
        run->shared = version_one_async_proxy(run->options.version);
    if (strcmp(run->place, "both") == 0)
        run->there = version_async_destination(run->options.version);
    if (strcmp(run->stores, "both") == 0)
        run->released = version_st_async_releases(run->options.version);
}

int main(int argc, char **argv) {
    static const struct option options[] = {{"model", required_argument, NULL, 'm'},
                                            {"proxy-fences", required_argument, NULL, 'p'},
                                            {"every-order", no_argument, NULL, 'e'},
                                            {"limit", required_argument, NULL, 'l'},
                                            {"rounds", required_argument, NULL, 'r'},
                                            {"deps", required_argument, NULL, 'd'},
                                            {"tearing", required_argument, NULL, 't'},
                                            {"relaxed-waits", required_argument, NULL, 'w'},
                                            {"async-proxies", required_argument, NULL, 'a'},
                                            {"async-place", required_argument, NULL, 'c'},
                                            {"st-async", required_argument, NULL, 's'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    struct run run = {.options = {.version = version_find("9.1"), .limit = 50000000, .rounds = 2},
                      .waits = "both",
                      .proxies = "both",
                      .place = "both",
                      .stores = "both"};
    const char *reading = "both", *tearing = "both";
    bool named = false;
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option == 'm') {
            run.options.version = version_find(optarg);
            named = true;
        } else if (option == 'p')
            reading = optarg;
        else if (option == 'e')
            run.options.every_order = true;
        else if (option == 'l')
            run.options.limit = strtoull(optarg, NULL, 10);
        else if (option == 'r')
            run.options.rounds = (unsigned)strtoul(optarg, NULL, 10);
        else if (option == 'd' && strcmp(optarg, "syntactic") == 0)
            run.options.dependencies = DEPENDENCIES_SYNTACTIC;
        else if (option == 'd' && strcmp(optarg, "semantic") == 0)
            run.options.dependencies = DEPENDENCIES_SEMANTIC;
        else if (option == 'd' && strcmp(optarg, "none") == 0)
            run.options.dependencies = DEPENDENCIES_NONE;
        else if (option == 't')
            tearing = optarg;
        else if (option == 'w')
            run.waits = optarg;
        else if (option == 'a')
            run.proxies = optarg;
        else if (option == 'c')
            run.place = optarg;
        else if (option == 's')
            run.stores = optarg;
        else if (option == 'h')
            return fputs(usage, stdout) < 0;
        else
            return bad_usage();
    }
    if (run.options.version &&
        (!choose_async(&run) || !choose_reading(&run, reading) || !choose_tearing(&run, tearing)))
        return bad_usage();
    if (!run.options.version || optind == argc)
        return bad_usage();
    compare_async(&run);
    struct run later = run;
    later.options.version = version_find("9.3");
    if (!named && choose_async(&later) && choose_reading(&later, reading) &&
        choose_tearing(&later, tearing)) {
        compare_async(&later);
        run.later = &later;
    }
    for (int i = optind; i < argc; i++)
        run_path(&run, argv[i]);
    raise_status(&run, later.status);
    return run.status;
}
