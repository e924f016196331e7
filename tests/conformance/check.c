// Compares the verdicts of a run with a list of Dat3M: a line `path,1` says that what the test's
// condition claims holds (an `exists` is reachable, a `~exists` is not, a `forall` always is), and
// `path,0` that it does not. A list whose name ends in Liveness.csv says instead whether the test
// never hangs at a barrier.
//
// Every line of the list must have a file and, unless the test was left out on purpose, a decided
// result; every result must have a line.
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: conformance-check LIST.csv FOLDER RESULTS.jsonl LEFT_OUT.tsv\n"
    "LIST's paths are relative to FOLDER; RESULTS has one JSON object a line, LEFT_OUT a path of\n"
    "LIST, a tab and a reason per line.\n";

struct tally {
    bool liveness; // what the list is about
    size_t rows, ran, agree, wrong;
    json_t *left_out; // object: reason to count
};

static const char *string_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

// --- Reading -------------------------------------------------------------------------------------

// Calls `take` with each line, its newline cut off. Returns false when the file cannot be read.
static bool each_line(const char *path, void (*take)(json_t *into, char *line), json_t *into) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    if (!file) {
        printf("%s: cannot be read\n", path);
        return false;
    }
    while (getline(&line, &capacity, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        if (*line)
            take(into, line);
    }
    free(line);
    fclose(file);
    return true;
}

// Keyed by "file"; of several lines about one file (its errors) the last one stays. Anything else
// is not a result: the row that it should have been about will be missed.
static void take_result(json_t *into, char *line) {
    json_t *object = json_loads(line, 0, NULL);
    const char *file = string_of(object, "file");
    if (*file)
        json_object_set(into, file, object);
    json_decref(object);
}

static void take_left_out(json_t *into, char *line) {
    char *tab = strchr(line, '\t');
    if (!tab)
        return;
    *tab = '\0';
    json_object_set_new(into, line, json_string(tab + 1));
}

static void take_row(json_t *into, char *line) {
    json_array_append_new(into, json_string(line));
}

// --- Judging -------------------------------------------------------------------------------------

// Whether it is known that there is no outcome; our verdict is "unknown" then.
static bool has_no_outcome(const json_t *result) {
    const json_t *states = json_object_get(result, "states");
    return strcmp(string_of(result, "verdict"), "unknown") == 0 && json_is_array(states) &&
           json_array_size(states) == 0 && json_is_true(json_object_get(result, "complete")) &&
           !json_object_get(result, "unknown_flags");
}

// Whether what the test's condition claims holds: 1 or 0, or -1 when that is not decided.
static int claim_holds(const json_t *result) {
    const char *kind = string_of(result, "kind");
    const char *verdict = string_of(result, "verdict");
    bool forbidden = strcmp(verdict, "forbidden") == 0;
    bool always = strcmp(verdict, "always") == 0;
    if (has_no_outcome(result)) // then `exists` fails, and the others hold, for them as for herd
        return strcmp(kind, "exists") != 0;
    if (!forbidden && !always && strcmp(verdict, "allowed") != 0)
        return -1;
    if (strcmp(kind, "exists") == 0)
        return !forbidden;
    if (strcmp(kind, "~exists") == 0)
        return forbidden;
    return strcmp(kind, "forall") == 0 ? always : -1;
}

// The same for a list of liveness: 1 when no execution hangs.
static int never_hangs(const json_t *result) {
    size_t i;
    json_t *flag;
    if (claim_holds(result) < 0)
        return -1;
    json_array_foreach(json_object_get(result, "flags"), i, flag) {
        if (strcmp(json_string_value(flag) ? json_string_value(flag) : "", "hang") == 0)
            return 0;
    }
    return 1;
}

static bool is_about_liveness(const char *list) {
    static const char ending[] = "Liveness.csv";
    size_t length = strlen(list);
    return length >= sizeof ending - 1 && strcmp(list + length - (sizeof ending - 1), ending) == 0;
}

static void count_left_out(struct tally *tally, const char *reason) {
    json_int_t before = json_integer_value(json_object_get(tally->left_out, reason));
    json_object_set_new(tally->left_out, reason, json_integer(before + 1));
}

static void complain(struct tally *tally, const char *path, const char *what) {
    printf("  %s: %s\n", path, what);
    tally->wrong++;
}

static void check_result(struct tally *tally, const char *path, const json_t *result,
                         int expected) {
    char text[200];
    int holds = tally->liveness ? never_hangs(result) : claim_holds(result);
    if (!result) {
        complain(tally, path, "no result");
    } else if (holds < 0) {
        const char *reason = string_of(result, "error");
        snprintf(text, sizeof text, "not decided (%s)", *reason ? reason : "unknown");
        complain(tally, path, text);
    } else {
        tally->ran++;
        tally->agree += holds == expected;
        snprintf(text, sizeof text, "%s is %s, and the list expects %d", string_of(result, "kind"),
                 string_of(result, "verdict"), expected);
        if (holds != expected)
            complain(tally, path, text);
    }
}

// Checks one line of the list; takes its result out of `results`.
static void check_row(struct tally *tally, char *row, const char *folder, json_t *results,
                      const json_t *left_out) {
    char path[4096];
    char *comma = strrchr(row, ',');
    tally->rows++;
    if (!comma || (strcmp(comma, ",0") != 0 && strcmp(comma, ",1") != 0)) {
        complain(tally, row, "not a line of the form path,0 or path,1");
        return;
    }
    *comma = '\0';
    snprintf(path, sizeof path, "%s/%s", folder, row);
    const char *reason = json_string_value(json_object_get(left_out, row));
    if (access(path, R_OK) != 0)
        complain(tally, row, "no such file");
    else if (reason)
        count_left_out(tally, reason);
    else
        check_result(tally, row, json_object_get(results, path), comma[1] - '0');
    json_object_del(results, path);
}

static void print_tally(const struct tally *tally, const char *list) {
    const char *reason;
    json_t *count;
    printf("%s: %zu rows, %zu ran, %zu agree", list, tally->rows, tally->ran, tally->agree);
    json_object_foreach(tally->left_out, reason, count)
        printf(", %d left out because of a %s", (int)json_integer_value(count), reason);
    printf("%s\n", tally->wrong ? " -- FAILED" : "");
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fputs(usage, stderr);
        return 2;
    }
    struct tally tally = {.liveness = is_about_liveness(argv[1]), .left_out = json_object()};
    json_t *rows = json_array();
    json_t *results = json_object();
    json_t *left_out = json_object();
    bool read = each_line(argv[1], take_row, rows) && each_line(argv[3], take_result, results) &&
                each_line(argv[4], take_left_out, left_out);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        char *row = strdup(json_string_value(json_array_get(rows, i)));
        if (row)
            check_row(&tally, row, argv[2], results, left_out);
        free(row);
    }
    const char *file;
    json_t *result;
    json_object_foreach(results, file, result) complain(&tally, file, "a result without a row");
    print_tally(&tally, argv[1]);
    json_decref(rows);
    json_decref(results);
    json_decref(left_out);
    json_decref(tally.left_out);
    return read && tally.wrong == 0 && tally.ran > 0 ? 0 : 1;
}
