// Measures the families at their sizes.
#include "tests/bench/series.h"

#include "tests/bench/family.h"
#include "tests/bench/statistics.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
#define THREADS {2, 4, 6, 10, 14, 20, 30, 40, 64, 128, 256}
#define MANY_THREADS {16, 32, 64, 128, 256}
#define ROUNDS {1, 2, 3, 4, 6, 8}
const struct series series_all[] = {
    {"MP", "mp", "threads", 0, false, THREADS, 40, 5000},
    {"SB", "sb", "threads", 0, false, THREADS, 40, 5000},
    {"LB", "lb", "threads", 0, false, THREADS, 40, 5000},
    {"IRIW", "iriw", "threads", 0, false, {4, 6, 10, 14, 20, 30, 40, 64, 128, 256}, 40, 5000},
    {"SB with fence.sc", "sb-fences", "threads", 0, false, MANY_THREADS, 0, 0},
    {"LB with fence.sc", "lb-fences", "threads", 0, false, MANY_THREADS, 0, 0},
    {"IRIW with fence.sc", "iriw-fences", "threads", 0, false, MANY_THREADS, 0, 0},
    {"Outcomes", "sb", "threads", 0, true, {6, 9, 12}, 12, 2000},
    {"Writers", "writers", "writers", 0, false, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 12, 10000},
    {"Adders", "adders", "threads", 0, false, {2, 3, 4, 5, 6, 8, 10, 12, 14}, 0, 0},
    {"Exchanges of 2 threads", "exchanges", "each", 0, false, {5, 10, 20, 40, 100}, 0, 0},
    {"Additions of 2 threads", "additions", "each", 0, false, {5, 10, 20, 40, 100}, 0, 0},
    {"Spin lock, 2 threads", "spin", "rounds", 2, false, ROUNDS, 0, 0},
    {"Spin lock, 3 threads", "spin", "rounds", 3, false, ROUNDS, 0, 0},
    {"Spin lock, 4 threads", "spin", "rounds", 4, false, ROUNDS, 0, 0},
    {"Ticket lock, 2 threads", "ticket", "rounds", 2, false, ROUNDS, 0, 0},
    {"Ticket lock, 3 threads", "ticket", "rounds", 3, false, ROUNDS, 4, 10000},
    {"Ticket lock, 4 threads", "ticket", "rounds", 4, false, ROUNDS, 0, 0},
    {"Pipeline, 1 stage", "pipeline", "rounds", 1, false, {1, 2, 3, 4}, 0, 0},
    {"Pipeline, 2 stages", "pipeline", "rounds", 2, false, {1, 2, 3, 4}, 0, 0},
    {"Pipeline, 4 stages", "pipeline", "rounds", 4, false, {1, 2, 3}, 3, 10000},
    {"Aliases", "alias", "threads", 0, false, {4, 6, 8, 10, 12, 16, 20}, 0, 0},
};
// clang-format on
const size_t series_count = sizeof series_all / sizeof series_all[0];

enum { OPTIONS_MAX = 24 };

// --- One point ---

// The command and the files of a point.
struct job {
    const struct setup *setup;
    const struct series *series;
    const struct family *family;
    char test[PATH_MAX], output[PATH_MAX], errors[PATH_MAX];
    const char *argv[OPTIONS_MAX];
};

static bool complain(const char *what) {
    fprintf(stderr, "ptxlitmus-bench: %s: %s\n", what, strerror(errno));
    return false;
}

static bool write_test(const struct job *job, unsigned size) {
    unsigned threads = job->series->threads;
    FILE *file = fopen(job->test, "w");
    if (!file)
        return complain(job->test);
    family_print(job->family, threads ? threads : size, threads ? size : 1, file);
    return fclose(file) == 0 || complain(job->test);
}

static void make_job(struct job *job, const struct series *series, const struct setup *setup) {
    *job = (struct job){.setup = setup, .series = series, .family = family_find(series->family)};
    snprintf(job->test, sizeof job->test, "%s/test.litmus", setup->folder);
    snprintf(job->output, sizeof job->output, "%s/output", setup->folder);
    snprintf(job->errors, sizeof job->errors, "%s/errors", setup->folder);
    size_t n = 0;
    job->argv[n++] = setup->program;
    job->argv[n++] = "--stats";
    job->argv[n++] = "--format=json";
    if (!series->is_list)
        job->argv[n++] = "--verdict";
    for (size_t i = 0; setup->options[i] && n + 2 < OPTIONS_MAX; i++)
        job->argv[n++] = setup->options[i];
    job->argv[n] = job->test;
}

// Adds a run of the reference program.
static bool measure_empty(const struct job *job, struct samples *samples) {
    const char *argv[] = {job->setup->empty, NULL};
    struct run run;
    if (!measure_run(argv, job->output, job->errors, 0, &run))
        return complain(job->setup->empty);
    samples_add(samples, &run);
    if (run.status != 0)
        fprintf(stderr, "ptxlitmus-bench: %s: status %d\n", job->setup->empty, run.status);
    return run.status == 0;
}

// Shows what a run that went wrong has printed.
static void show(const struct job *job, const struct point *point, int status) {
    fprintf(stderr, "ptxlitmus-bench: %s, %u %s: status %d\n", job->series->title, point->size,
            job->series->unit, status);
    FILE *file = fopen(job->errors, "r");
    for (int c; file && (c = getc(file)) != EOF;)
        putc(c, stderr);
    if (file)
        fclose(file);
}

// Takes verdict and numbers from the last run's output.
static bool read_output(const struct job *job, struct point *point) {
    json_t *root = json_load_file(job->output, JSON_DISABLE_EOF_CHECK, NULL);
    const char *verdict = json_string_value(json_object_get(root, "verdict"));
    bool is_right = verdict && strcmp(verdict, job->family->verdict) == 0;
    if (is_right && job->series->is_list)
        is_right = json_is_true(json_object_get(root, "complete"));
    point->outcomes = json_array_size(json_object_get(root, "states"));
    point->stats = json_incref(json_object_get(root, "stats"));
    json_decref(root);
    return is_right;
}

// Runs the program and the reference program in turns; `run` is the last one of the program. Where
// it went wrong, what was measured before is of no use.
static bool sample_point(const struct job *job, struct point *point, struct run *run) {
    const struct setup *setup = job->setup;
    struct samples samples = {.count = 0}, empty = {.count = 0};
    double total = 0;
    do {
        if (!measure_empty(job, &empty))
            return false;
        if (!measure_run(job->argv, job->output, job->errors, setup->limit_s, run))
            return complain(setup->program);
        if (run->status != 0)
            return true;
        total += run->cost.ms;
        point->peak_kb = run->peak_kb > point->peak_kb ? run->peak_kb : point->peak_kb;
        samples_add(&samples, run);
    } while (samples.count < setup->runs && samples.count < SAMPLES_MAX &&
             total < setup->enough_ms);
    point->runs = samples.count;
    point->cost = samples_median(&samples);
    point->empty = samples_median(&empty);
    return true;
}

static bool measure_point(const struct job *job, struct point *point) {
    struct run run;
    if (!write_test(job, point->size) || !sample_point(job, point, &run))
        return false;
    if (run.is_late) {
        point->state = POINT_LATE;
    } else if (run.status == 0 && read_output(job, point)) {
        point->state = POINT_MEASURED;
    } else {
        point->state = POINT_WRONG;
        show(job, point, run.status);
    }
    return true;
}

bool series_measure(const struct series *series, const struct setup *setup, struct result *result) {
    struct job job;
    bool is_late = false;
    make_job(&job, series, setup);
    *result = (struct result){.series = series};
    for (size_t i = 0; i < SERIES_SIZES && series->sizes[i]; i++) {
        struct point *point = &result->points[result->count++];
        point->size = series->sizes[i];
        point->state = POINT_SKIPPED;
        if (is_late)
            continue;
        if (!measure_point(&job, point))
            return false;
        is_late = point->state == POINT_LATE;
    }
    return true;
}

// --- Results ---

void series_release(struct result *result) {
    for (size_t i = 0; i < result->count; i++)
        json_decref(result->points[i].stats);
    result->count = 0;
}

const struct point *series_point(const struct result *result, unsigned size) {
    for (size_t i = 0; i < result->count; i++)
        if (result->points[i].size == size)
            return &result->points[i];
    return NULL;
}

double series_stat(const struct point *point, const char *name) {
    return json_number_value(json_object_get(point->stats, name));
}

static double exponent(const double *x, const double *y, size_t count) {
    double found;
    return statistics_exponent(x, y, count, &found) ? found : NAN;
}

struct growth series_growth(const struct result *result) {
    double x[SERIES_SIZES], time[SERIES_SIZES], variables[SERIES_SIZES], clauses[SERIES_SIZES];
    size_t count = 0;
    for (size_t i = 0; i < result->count; i++) {
        const struct point *point = &result->points[i];
        if (point->state != POINT_MEASURED)
            continue;
        double above = point->cost.cpu_ms / point->empty.cpu_ms - 1;
        x[count] = result->series->is_list ? (double)point->outcomes : point->size;
        time[count] = above >= 0.1 ? above : 0;
        variables[count] = series_stat(point, "variables");
        clauses[count++] = series_stat(point, "clauses");
    }
    return (struct growth){.time = exponent(x, time, count),
                           .variables = exponent(x, variables, count),
                           .clauses = exponent(x, clauses, count)};
}
