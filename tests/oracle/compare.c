// ptxlitmus-compare: whether two runs over the same tests found the same outcomes and verdicts.
//
// Each file has one JSON object per line (litmus-format.md section 3). Lines are matched by "file".
// A test that one side lacks, could not read, or did not decide is a failure, unless a flag says
// why it cannot be decided (a mixed-size race, a barrier or mbarrier that is misused, or the bound
// of a loop), or unless there is no state.
//
// The two sides bound loops in different ways. Where the solver reaches its bound, and says so,
// each of its states has to be one of the oracle's, and its verdict the oracle's or unknown. Where
// it does not, it has all states, so that the oracle may have no other, however often it went
// round.
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct results {
    const char *path;
    json_t *by_file; // object: "file" to the line's object
    size_t count;
};

static const char usage[] =
    "usage: ptxlitmus-compare ORACLE.jsonl SOLVER.jsonl\n"
    "Exits with 0 when all outcome sets, verdicts and flags agree, else with 1.\n";

static const char *string_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

// --- Reading -------------------------------------------------------------------------------------

static bool add_line(struct results *results, const char *line, size_t length, size_t number) {
    json_error_t error;
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    const char *file = string_of(object, "file");
    if (!*file) {
        printf("%s:%zu: no JSON object with a \"file\"\n", results->path, number);
        json_decref(object);
        return false;
    }
    const json_t *before = json_object_get(results->by_file, file);
    if (before && !json_object_get(before, "error")) {
        printf("%s:%zu: a second result for %s\n", results->path, number, file);
        json_decref(object);
        return false;
    }
    if (before) { // a file can have several errors: the first is kept
        json_decref(object);
        return true;
    }
    results->count++;
    return json_object_set_new(results->by_file, file, object) == 0;
}

static bool read_results(struct results *results, const char *path) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    bool good = true;
    results->path = path;
    results->by_file = json_object();
    if (!file) {
        printf("%s: cannot be read\n", path);
        return false;
    }
    ssize_t length;
    for (size_t number = 1; (length = getline(&line, &capacity, file)) >= 0; number++)
        good = add_line(results, line, (size_t)length, number) && good;
    free(line);
    fclose(file);
    return good;
}

// --- Canonical states ----------------------------------------------------------------------------

// Numbers and strings of hexadecimal digits become one spelling.
static void append_value(FILE *out, const json_t *value) {
    if (json_is_integer(value)) {
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_string(value)) {
        const char *digits = json_string_value(value);
        digits += strncmp(digits, "0x", 2) == 0 ? 2 : 0;
        digits += strspn(digits, "0");
        fprintf(out, "0x%s", digits);
    } else {
        fputs(json_is_null(value) ? "?" : "(not a value)", out);
    }
}

static int compare_strings(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// A state as "name=value; " in the order of the names.
static char *state_text(json_t *state) {
    size_t count = 0;
    const char **names = calloc(json_object_size(state) + 1, sizeof *names);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    const char *name;
    json_t *value;
    if (!names || !out)
        abort(); // out of memory
    json_object_foreach(state, name, value) names[count++] = name;
    qsort(names, count, sizeof *names, compare_strings);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s=", names[i]);
        append_value(out, json_object_get(state, names[i]));
        fputs("; ", out);
    }
    fclose(out);
    free(names);
    return text;
}

struct states {
    char **items; // sorted
    size_t count;
};

static struct states states_of(const json_t *result) {
    const json_t *array = json_object_get(result, "states");
    struct states states = {calloc(json_array_size(array) + 1, sizeof(char *)), 0};
    if (!states.items)
        abort(); // out of memory
    for (size_t i = 0; i < json_array_size(array); i++)
        states.items[states.count++] = state_text(json_array_get(array, i));
    qsort(states.items, states.count, sizeof *states.items, compare_strings);
    return states;
}

static void free_states(struct states *states) {
    for (size_t i = 0; i < states->count; i++)
        free(states->items[i]);
    free(states->items);
}

// --- Comparison ----------------------------------------------------------------------------------

// Names of flags are in alphabetical order here, whatever their order there.
static char *flags_text(const json_t *result) {
    static const char *const names[] = {"barrier-misuse",
                                        "cancel-misuse",
                                        "data-race",
                                        "dependency-reading",
                                        "endless",
                                        "exited-cta",
                                        "readonly-written",
                                        "hang",
                                        "mbarrier-misuse",
                                        "async-undefined",
                                        "mixed-size-race",
                                        "proxy-reading",
                                        "relaxed-wait-reading",
                                        "async-proxy-reading",
                                        "async-place-reading",
                                        "st-async-reading",
                                        "mbarrier-reading",
                                        "grid-wait-reading",
                                        "multimem-reading",
                                        "tearing-reading",
                                        "tensor-misuse",
                                        "wgmma-misuse",
                                        "trap",
                                        "bound"};
    const json_t *flags = json_object_get(result, "flags");
    char *text = NULL;
    size_t size = 0, known = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort(); // out of memory
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        for (size_t i = 0; i < json_array_size(flags); i++)
            if (strcmp(json_string_value(json_array_get(flags, i)), names[k]) == 0) {
                fprintf(out, " %s", names[k]);
                known++;
            }
    if (known != json_array_size(flags))
        fputs(" and others", out);
    fclose(out);
    return text;
}

static bool has_flag(const json_t *result, const char *name) {
    const json_t *flags = json_object_get(result, "flags");
    for (size_t i = 0; i < json_array_size(flags); i++)
        if (strcmp(json_string_value(json_array_get(flags, i)), name) == 0)
            return true;
    return false;
}

// Whether it is known that there is no state at all, about which a verdict could be.
static bool is_empty(const json_t *result) {
    const json_t *states = json_object_get(result, "states");
    return json_is_array(states) && json_array_size(states) == 0 &&
           json_is_true(json_object_get(result, "complete"));
}

// Why a result cannot be compared, or NULL.
static const char *why_undecided(const json_t *result) {
    const char *verdict = string_of(result, "verdict");
    if (!result)
        return "no result";
    if (json_object_get(result, "error"))
        return string_of(result, "error");
    if (json_object_get(result, "unsupported"))
        return string_of(result, "unsupported");
    if (!json_is_array(json_object_get(result, "states")))
        return "no list of states";
    if (!json_is_true(json_object_get(result, "complete")) && !has_flag(result, "bound"))
        return "the list of states is not complete";
    if (strcmp(verdict, "unknown") == 0 && is_empty(result))
        return NULL;
    if (strcmp(verdict, "unknown") == 0 &&
        (has_flag(result, "bound") || has_flag(result, "mixed-size-race") ||
         has_flag(result, "barrier-misuse") || has_flag(result, "mbarrier-misuse") ||
         has_flag(result, "wgmma-misuse") || has_flag(result, "tensor-misuse") ||
         has_flag(result, "cancel-misuse") || has_flag(result, "async-undefined") ||
         has_flag(result, "exited-cta") || has_flag(result, "readonly-written")))
        return NULL;
    if (json_object_get(result, "unknown_flags"))
        return "a flag is undecided";
    if (strcmp(verdict, "allowed") && strcmp(verdict, "forbidden") && strcmp(verdict, "always"))
        return "no verdict";
    return NULL;
}

static bool same_states(const struct states *a, const struct states *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->items[i], b->items[i]) == 0;
    return same;
}

static void print_file(const char *path) {
    FILE *file = fopen(path, "r");
    char buffer[4096];
    size_t got;
    while (file && (got = fread(buffer, 1, sizeof buffer, file)) > 0)
        fwrite(buffer, 1, got, stdout);
    if (file)
        fclose(file);
}

static bool has_state(const struct states *states, const char *text) {
    return bsearch(&text, states->items, states->count, sizeof(char *), compare_strings) != NULL;
}

static void print_states(const char *who, const json_t *result, const struct states *states,
                         const struct states *other) {
    const char *reason = why_undecided(result);
    char *flags = flags_text(result);
    printf("%s: %s, %zu states, flags:%s%s%s\n", who, string_of(result, "verdict"), states->count,
           flags, reason ? "; " : "", reason ? reason : "");
    free(flags);
    for (size_t i = 0; i < states->count; i++)
        printf("  %s%s\n", states->items[i],
               has_state(other, states->items[i]) ? "" : "   <-- only here");
}

static bool same_strings(const json_t *a, const json_t *b, const char *key) {
    return strcmp(string_of(a, key), string_of(b, key)) == 0;
}

static bool same_flags(const json_t *a, const json_t *b) {
    char *ours = flags_text(a), *theirs = flags_text(b);
    bool same = strcmp(ours, theirs) == 0;
    free(ours);
    free(theirs);
    return same;
}

static bool includes_states(const struct states *all, const struct states *some) {
    for (size_t i = 0; i < some->count; i++)
        if (!has_state(all, some->items[i]))
            return false;
    return true;
}

// Whether a side leaves it open whether a thread hangs after one that stays in a loop for ever:
// the oracle does not follow that one.
static bool leaves_hang_open(const json_t *result) {
    return json_is_true(json_object_get(result, "bounded"));
}

// Whether each flag but that of the bound is one of the other side's, or is left open there.
static bool includes_flags(const json_t *all, const json_t *some) {
    const json_t *flags = json_object_get(some, "flags");
    for (size_t i = 0; i < json_array_size(flags); i++) {
        const char *name = json_string_value(json_array_get(flags, i));
        bool is_open = strcmp(name, "hang") == 0 && leaves_hang_open(all);
        if (strcmp(name, "bound") != 0 && !is_open && !has_flag(all, name))
            return false;
    }
    return true;
}

// What the solver says within the bound of a loop.
static bool agree_within_bound(const json_t *oracle, const json_t *solver, const struct states *a,
                               const struct states *b) {
    // Of more than it knows the solver does not say that it holds always.
    bool weaker = strcmp(string_of(oracle, "verdict"), "always") == 0 &&
                  strcmp(string_of(solver, "verdict"), "allowed") == 0;
    bool same_verdict = weaker || same_strings(oracle, solver, "verdict") ||
                        strcmp(string_of(solver, "verdict"), "unknown") == 0;
    return same_verdict && includes_states(a, b) && includes_flags(oracle, solver);
}

static bool agree_on_results(const json_t *oracle, const json_t *solver, const struct states *a,
                             const struct states *b) {
    if (why_undecided(oracle) || why_undecided(solver) || !same_strings(oracle, solver, "model"))
        return false;
    if (has_flag(solver, "bound") && !has_flag(oracle, "bound"))
        return agree_within_bound(oracle, solver, a, b);
    return same_states(a, b) && same_strings(oracle, solver, "verdict") &&
           (leaves_hang_open(oracle)
                ? includes_flags(oracle, solver) && includes_flags(solver, oracle)
                : same_flags(oracle, solver));
}

// Returns whether the two sides agree on a test, and prints it in full if they do not and `loud`.
static bool compare_test(const char *file, const json_t *oracle, const json_t *solver, bool loud) {
    struct states a = states_of(oracle);
    struct states b = states_of(solver);
    bool agree = agree_on_results(oracle, solver, &a, &b);
    if (!agree && loud) {
        printf("the first test without agreement: %s\n", file);
        print_file(file);
        printf("model %s | %s\n", string_of(oracle, "model"), string_of(solver, "model"));
        print_states("oracle", oracle, &a, &b);
        print_states("solver", solver, &b, &a);
    } else if (!agree) {
        printf("also without agreement: %s\n", file);
    }
    free_states(&a);
    free_states(&b);
    return agree;
}

static size_t compare_all(const struct results *oracle, const struct results *solver) {
    size_t differing = 0;
    const char *file;
    json_t *result;
    json_object_foreach(oracle->by_file, file, result) differing +=
        !compare_test(file, result, json_object_get(solver->by_file, file), differing == 0);
    json_object_foreach(solver->by_file, file, result) if (!json_object_get(oracle->by_file, file))
        differing += !compare_test(file, NULL, result, differing == 0);
    return differing;
}

int main(int argc, char **argv) {
    struct results oracle = {0};
    struct results solver = {0};
    if (argc != 3) {
        fputs(usage, stderr);
        return 2;
    }
    bool good = read_results(&oracle, argv[1]);
    good = read_results(&solver, argv[2]) && good;
    size_t differing = compare_all(&oracle, &solver);
    printf("%zu tests by the oracle, %zu by the solver, %zu without agreement\n", oracle.count,
           solver.count, differing);
    if (oracle.count == 0)
        puts("nothing was compared");
    json_decref(oracle.by_file);
    json_decref(solver.by_file);
    return good && differing == 0 && oracle.count > 0 ? 0 : 1;
}
