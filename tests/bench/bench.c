// ptxlitmus-bench: measures ptxlitmus against the empty program (empty_z3.c) on one machine in one
// run. docs/benchmarks.md says what is measured and what the numbers mean.
#include "tests/bench/measure.h"
#include "tests/bench/report.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char usage[] =
    "usage: ptxlitmus-bench BUILD [OPTION...] [-- OPTION OF PTXLITMUS...]\n"
    "Measures BUILD/ptxlitmus, run from the root of the project; writes BUILD/bench.json.\n"
    "  --quick      a minute: fewer runs, and no size that takes over 2 seconds\n"
    "  --only NAME  only the series whose titles begin so, without cold start and batch\n"
    "  --limit S    no size that takes over S seconds (60)\n"
    "  --runs N     at most N runs of a size (15)\n"
    "  --output F   write the JSON to F instead\n";

enum { SERIES_MAX = 32, RATIOS = 4, PATHS = 4 };

struct bench {
    struct setup setup;
    bool is_quick;
    const char *only, *output;
    char paths[PATHS][PATH_MAX];
    struct machine machine;
    struct ratio ratios[RATIOS];
    struct result results[SERIES_MAX];
    size_t ratio_count, result_count;
};

// --- The machine ---

static double load_average(void) {
    double load;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

// What follows ": " on the first line that begins with `key`.
static void first_value(const char *path, const char *key, char *value, size_t room) {
    char *line = NULL;
    size_t line_room = 0;
    FILE *file = fopen(path, "r");
    while (file && getline(&line, &line_room, file) >= 0) {
        const char *colon = strstr(line, ": ");
        if (strncmp(line, key, strlen(key)) != 0 || !(colon || !*key))
            continue;
        const char *text = *key ? colon + 2 : line;
        snprintf(value, room, "%.*s", (int)strcspn(text, "\n"), text);
        break;
    }
    free(line);
    if (file)
        fclose(file);
}

static bool describe(struct bench *bench) {
    char output[PATH_MAX];
    struct run run;
    struct machine *machine = &bench->machine;
    snprintf(output, sizeof output, "%s/output", bench->setup.folder);
    const char *argv[] = {bench->setup.program, "--version", NULL};
    if (!measure_run(argv, output, "/dev/null", 0, &run) || run.status != 0) {
        fprintf(stderr, "ptxlitmus-bench: %s does not run\n", bench->setup.program);
        return false;
    }
    first_value(output, "", machine->version, sizeof machine->version);
    first_value("/proc/cpuinfo", "model name", machine->cpu, sizeof machine->cpu);
    machine->processors = sysconf(_SC_NPROCESSORS_ONLN);
    machine->load_before = load_average();
    return true;
}

// --- The options ---

static unsigned number(const char *text) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    return *text && !*end && value <= 100000 ? (unsigned)value : 0;
}

// Reads one option; returns whether it was understood.
static bool take_option(struct bench *bench, int option, const char *value) {
    switch (option) {
    case 'q':
        bench->is_quick = true;
        bench->setup.runs = 3;
        bench->setup.enough_ms = 500;
        bench->setup.limit_s = 2;
        return true;
    case 'o': bench->only = value; return true;
    case 'l': bench->setup.limit_s = number(value); return bench->setup.limit_s > 0;
    case 'r': bench->setup.runs = number(value); return bench->setup.runs > 0;
    case 'w': bench->output = value; return true;
    default: return false;
    }
}

static void take_build(struct bench *bench, const char *build) {
    static const char *const names[PATHS] = {"ptxlitmus", "tests/bench/empty_z3",
                                             "tests/oracle/ptxlitmus-generate", "bench.json"};
    for (size_t i = 0; i < PATHS; i++)
        snprintf(bench->paths[i], PATH_MAX, "%s/%s", build, names[i]);
    bench->setup.program = bench->paths[0];
    bench->setup.empty = bench->paths[1];
    bench->setup.generate = bench->paths[2];
    if (!bench->output)
        bench->output = bench->paths[3];
}

static bool take_options(struct bench *bench, int argc, char **argv) {
    static const struct option options[] = {
        {"quick", no_argument, NULL, 'q'},        {"only", required_argument, NULL, 'o'},
        {"limit", required_argument, NULL, 'l'},  {"runs", required_argument, NULL, 'r'},
        {"output", required_argument, NULL, 'w'}, {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        if (!take_option(bench, option, optarg))
            return false;
    if (optind >= argc)
        return false;
    take_build(bench, argv[optind++]);
    bench->setup.options = (const char *const *)argv + optind;
    return true;
}

// --- The run ---

static bool measure_ratios(struct bench *bench) {
    size_t cold = bench->is_quick ? 40 : 200, batch = bench->is_quick ? 3 : 7;
    struct ratio *ratios = bench->ratios;
    size_t count;
    if (!ratio_cold(&bench->setup, cold, ratios, &count) ||
        !ratio_batch(&bench->setup, batch, 900, ratios + count))
        return false;
    bench->ratio_count = count + 2;
    for (size_t i = 0; i < bench->ratio_count; i++)
        table_ratio(&ratios[i], stdout);
    table_speedup(&ratios[count], &ratios[count + 1], stdout);
    fflush(stdout);
    return true;
}

static bool measure(struct bench *bench) {
    if (!describe(bench))
        return false;
    table_heading(&bench->machine, stdout);
    fflush(stdout);
    if (!bench->only && !measure_ratios(bench))
        return false;
    for (size_t i = 0; i < series_count && bench->result_count < SERIES_MAX; i++) {
        const struct series *series = &series_all[i];
        if (bench->only && strncasecmp(series->title, bench->only, strlen(bench->only)) != 0)
            continue;
        struct result *result = &bench->results[bench->result_count++];
        if (!series_measure(series, &bench->setup, result))
            return false;
        table_series(result, bench->setup.limit_s, stdout);
    }
    if (bench->result_count == 0)
        fprintf(stderr, "ptxlitmus-bench: no series '%s'\n", bench->only);
    return bench->result_count > 0;
}

static bool write_json(const struct bench *bench) {
    json_t *json = report_json(&bench->machine, &bench->setup, bench->ratios, bench->ratio_count,
                               bench->results, bench->result_count);
    bool is_written =
        json && json_dump_file(json, bench->output, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) == 0;
    json_decref(json);
    if (is_written)
        printf("\nwritten to %s\n", bench->output);
    else
        fprintf(stderr, "ptxlitmus-bench: cannot write %s\n", bench->output);
    return is_written;
}

static bool finish(struct bench *bench) {
    bench->machine.load_after = load_average();
    table_aims(bench->ratios, bench->ratio_count, bench->results, bench->result_count,
               bench->setup.limit_s, stdout);
    printf("\nload at the end %.2f\n", bench->machine.load_after);
    bool is_right = write_json(bench);
    for (size_t i = 0; i < bench->result_count; i++)
        for (size_t j = 0; j < bench->results[i].count; j++)
            is_right = is_right && bench->results[i].points[j].state != POINT_WRONG;
    return is_right;
}

// Removes the folder of files that were made.
static void remove_folder(const char *folder) {
    const char *argv[] = {"/bin/rm", "-rf", folder, NULL};
    struct run run;
    if (!measure_run(argv, "/dev/null", "/dev/null", 0, &run) || run.status != 0)
        fprintf(stderr, "ptxlitmus-bench: %s is left over\n", folder);
}

int main(int argc, char **argv) {
    static struct bench bench = {.setup = {.runs = 15, .enough_ms = 5000, .limit_s = 60}};
    char folder[] = "/tmp/ptxlitmus-bench-XXXXXX";
    if (!take_options(&bench, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    if (!mkdtemp(folder)) {
        perror("ptxlitmus-bench");
        return 1;
    }
    bench.setup.folder = folder;
    bool is_right = measure(&bench) && finish(&bench);
    for (size_t i = 0; i < bench.result_count; i++)
        series_release(&bench.results[i]);
    remove_folder(folder);
    return is_right ? 0 : 1;
}
