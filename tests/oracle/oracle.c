// ptxlitmus-oracle: the outcomes of litmus tests by brute force, one JSON object a line, in
// the fields of litmus-format.md section 3 that tests/oracle/compare.c compares.
#include "litmus/ptx/target.h"
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "tests/oracle/explore.h"
#include "tests/oracle/readings.h"

#include <dirent.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { EXIT_DECIDED = 0, EXIT_BAD_INPUT = 2, EXIT_UNDECIDED = 3 };

static const char usage[] =
    "usage: ptxlitmus-oracle [--model 9.1|7.5|6.0] [--every-order]\n"
    "                        [--deps semantic|syntactic|none] [--READING both|USUAL|OTHER]\n"
    "                        [--rounds N] [--limit N] FILE|FOLDER...\n"
    "Prints one JSON object a test: its outcomes by brute force, and the verdict.\n"
    "  --model M      version of the memory model (default 9.1)\n"
    "  --every-order  try every partial co and every total sc, not only the least ones\n"
    "  --deps R       which dependencies count (default semantic, flagged where syntactic\n"
    "                 differs); none: only tests whose writes have one value and address each\n"
    "  --proxy-fences, --relaxed-waits, --async-proxies, --async-place, --st-async, --tearing,\n"
    "  --mbarrier-observation, --grid-waits, --multimem\n"
    "                 the readings of rules, as of ptxlitmus (default both: the usual one, "
    "flagged\n"
    "                 where the other one differs)\n"
    "  --rounds N     of a loop that waits for what it reads (default 2)\n"
    "  --limit N      give up on a test after N steps (default 50000000)\n";

struct run {
    struct explore_options options;
    struct version chosen; // the options' version
    // What the options say of each reading, and the version of those that are compared.
    const char *choices[ORACLE_READINGS];
    bool compared[ORACLE_READINGS];
    struct version others[ORACLE_READINGS];
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
// program counts.
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
    bool dependencies, readings[ORACLE_READINGS];
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
    for (size_t i = 0; i < ORACLE_READINGS; i++)
        if (differences.readings[i])
            json_array_append_new(flags, json_string(oracle_readings[i].flag));
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

static bool has_race(const struct explored *result) {
    return result->data_race || result->mixed_size_race;
}

// Whether the test is decided differently under other options: its verdict, or where `usual` is not
// NULL, whether it races.
static bool decides_otherwise(const struct explore_options *options, const struct shown_list *list,
                              const char *verdict, const struct explored *usual) {
    struct explored result;
    if (strcmp(verdict, "unknown") == 0 && !usual)
        return false;
    struct explore_options enough = *options; // what is allowed stays so, whatever is found later
    enough.until_allowed = strcmp(verdict, "allowed") == 0 && !usual;
    const char *other = decide(list, &enough, &result);
    bool known = strcmp(verdict, "unknown") != 0 && strcmp(other, "unknown") != 0;
    bool differ = known && strcmp(other, verdict) != 0;
    differ = differ || (usual && has_race(usual) != has_race(&result));
    explored_free(&result);
    return differ;
}

// The flags of the readings, including that of dependencies.
static struct differences find_differences(const struct run *run, const struct shown_list *list,
                                           const struct explored *result, const char *verdict) {
    struct explore_options written = run->options;
    struct differences differences = {0};
    written.dependencies = DEPENDENCIES_SYNTACTIC;
    written.known = NULL;
    if (run->options.dependencies == DEPENDENCIES_SEMANTIC && result->dependencies_differ)
        differences.dependencies = decides_otherwise(&written, list, verdict, NULL);
    for (size_t i = 0; i < ORACLE_READINGS; i++) {
        const struct oracle_reading *reading = &oracle_readings[i];
        struct explore_options other = run->options;
        bool by_races = reading->decides_races && reading->decides_races(result);
        other.version = &run->others[i];
        if (run->compared[i] && reading->matters(list->test, result))
            differences.readings[i] =
                decides_otherwise(&other, list, verdict, by_races ? result : NULL);
    }
    return differences;
}

static void run_test(struct run *run, const char *path, const struct test *test) {
    if (run->later && ptx_version_of(test, 0) > PTX_USUAL)
        run = run->later;
    struct explored result;
    struct shown_list list = shown_find(test);
    struct known_paths known = {0};
    run->options.known = &known;
    const char *verdict = decide(&list, &run->options, &result);
    print_result(run, path, &list, &result, verdict,
                 find_differences(run, &list, &result, verdict));
    run->options.known = NULL;
    known_paths_free(&known);
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
    if (source && test_read_all(arena, source, SYNTAX_GUESS, &diagnostics, &tests))
        for (size_t i = 0; i < tests.count; i++)
            run_test(run, path, tests.items[i]);
    else
        refuse(run, path, &diagnostics);
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

// Takes the readings that the options choose; false where there is no such one.
static bool choose_readings(struct run *run) {
    run->chosen = *run->options.version;
    run->options.version = &run->chosen;
    for (size_t i = 0; i < ORACLE_READINGS; i++) {
        const struct oracle_reading *reading = &oracle_readings[i];
        bool other = strcmp(run->choices[i], reading->other) == 0;
        bool both = strcmp(run->choices[i], "both") == 0;
        if (!other && !both && strcmp(run->choices[i], reading->usual) != 0)
            return false;
        if (other && !oracle_reading_other(reading, &run->chosen, &run->chosen))
            return false;
    }
    for (size_t i = 0; i < ORACLE_READINGS; i++)
        run->compared[i] = strcmp(run->choices[i], "both") == 0 &&
                           oracle_reading_other(&oracle_readings[i], &run->chosen, &run->others[i]);
    return true;
}

// The numbers of the options of readings, after those of the others, which are letters.
enum { READING_FIRST = 256 };

int main(int argc, char **argv) {
    struct option options[7 + ORACLE_READINGS] = {
        {"model", required_argument, NULL, 'm'}, {"every-order", no_argument, NULL, 'e'},
        {"limit", required_argument, NULL, 'l'}, {"rounds", required_argument, NULL, 'r'},
        {"deps", required_argument, NULL, 'd'},  {"help", no_argument, NULL, 'h'}};
    struct run run = {.options = {.version = version_find("9.1"), .limit = 50000000, .rounds = 2}};
    for (int i = 0; i < ORACLE_READINGS; i++) {
        options[6 + i] =
            (struct option){oracle_readings[i].option, required_argument, NULL, READING_FIRST + i};
        run.choices[i] = "both";
    }
    bool named = false;
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        if (option == 'm') {
            run.options.version = version_find(optarg);
            named = true;
        } else if (option >= READING_FIRST)
            run.choices[option - READING_FIRST] = optarg;
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
        else if (option == 'h')
            return fputs(usage, stdout) < 0;
        else
            return bad_usage();
    struct run later = run;
    later.options.version = version_find("9.3");
    if (!run.options.version || !choose_readings(&run) || optind == argc)
        return bad_usage();
    if (!named && choose_readings(&later))
        run.later = &later;
    for (int i = optind; i < argc; i++)
        run_path(&run, argv[i]);
    raise_status(&run, later.status);
    return run.status;
}
