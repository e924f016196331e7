// Prints the results of the benchmarks as tables.
#include "tests/bench/report.h"

#include "tests/bench/family.h"

#include <math.h>

void table_heading(const struct machine *machine, FILE *file) {
    fprintf(file, "%s\n%s, %ld processors, load %.2f\n", machine->version, machine->cpu,
            machine->processors, machine->load_before);
    fputs("Times are medians; ratios are to the empty program, run in turn with the other.\n"
          "cpu: processor time, which other processes hardly change.\n"
          "growth: the exponent of a fit on logarithms, of the cpu ratio less 1.\n\n",
          file);
}

// A time with three digits or so.
static void print_time(double ms, FILE *file) {
    if (ms < 1000)
        fprintf(file, "%10.1f ms", ms);
    else
        fprintf(file, "%10.2f s ", ms / 1000);
}

// Wall time, its ratio, processor time, its ratio.
static void print_costs(const struct cost *cost, const struct cost *empty, FILE *file) {
    print_time(cost->ms, file);
    fprintf(file, "%9.2f", cost->ms / empty->ms);
    print_time(cost->cpu_ms, file);
    fprintf(file, "%9.2f", cost->cpu_ms / empty->cpu_ms);
}

void table_ratio(const struct ratio *ratio, FILE *file) {
    fprintf(file, "%-30s", ratio->title);
    print_costs(&ratio->cost, &ratio->empty, file);
    fprintf(file, "  %zu runs, %zu tests\n%-30s", ratio->runs, ratio->tests,
            "  empty program beside it");
    print_costs(&ratio->empty, &ratio->empty, file);
    fputc('\n', file);
}

// By how much the other is faster than the one.
void table_speedup(const struct ratio *one, const struct ratio *other, FILE *file) {
    fprintf(file, "%s: %.2f times as fast as %s\n", other->title, one->cost.ms / other->cost.ms,
            one->title);
}

static void print_point(const struct result *result, const struct point *point, unsigned limit_s,
                        FILE *file) {
    fprintf(file, "%9u ", point->size);
    switch (point->state) {
    case POINT_LATE: fprintf(file, "  over %u s\n", limit_s); return;
    case POINT_SKIPPED: fputs("  not run: a smaller one took too long\n", file); return;
    case POINT_WRONG: fputs("  WRONG, see the messages\n", file); return;
    case POINT_MEASURED: break;
    }
    print_costs(&point->cost, &point->empty, file);
    fprintf(file, " %10.0f %9.0f %7ld MB %5zu", series_stat(point, "variables"),
            series_stat(point, "clauses"), point->peak_kb / 1024, point->runs);
    if (result->series->is_list)
        fprintf(file, " %9zu", point->outcomes);
    fputc('\n', file);
}

static void print_exponent(const char *what, double value, FILE *file) {
    if (isnan(value))
        fprintf(file, "  %s -", what);
    else
        fprintf(file, "  %s n^%.2f", what, value);
}

// By how much the cost of 40 exceeds that of 10, where both were measured.
static void print_from_10_to_40(const struct result *result, FILE *file) {
    const struct point *small = series_point(result, 10), *large = series_point(result, 40);
    if (!small || !large || small->state != POINT_MEASURED || large->state != POINT_MEASURED)
        return;
    fprintf(file, "  10 to 40  cpu ratio x %.1f  variables x %.1f  clauses x %.1f\n",
            large->cost.cpu_ms / large->empty.cpu_ms / (small->cost.cpu_ms / small->empty.cpu_ms),
            series_stat(large, "variables") / series_stat(small, "variables"),
            series_stat(large, "clauses") / series_stat(small, "clauses"));
}

void table_series(const struct result *result, unsigned limit_s, FILE *file) {
    const struct series *series = result->series;
    const struct family *family = family_find(series->family);
    fprintf(file, "\n%s: %s (%s)%s\n", series->title, family->what, family->verdict,
            series->is_list ? ", all outcomes" : ", verdict");
    fprintf(file, "%9s %13s%9s%13s%9s %10s %9s %10s %5s%s\n", series->unit, "time   ", "ratio",
            "cpu   ", "ratio", "variables", "clauses", "peak", "runs",
            series->is_list ? "  outcomes" : "");
    for (size_t i = 0; i < result->count; i++)
        print_point(result, &result->points[i], limit_s, file);
    struct growth growth = series_growth(result);
    fputs("   growth", file);
    print_exponent("cpu", growth.time, file);
    print_exponent("variables", growth.variables, file);
    print_exponent("clauses", growth.clauses, file);
    fputc('\n', file);
    print_from_10_to_40(result, file);
    fflush(file);
}

// --- Aims ---

static void print_ratio_aim(const struct ratio *ratio, FILE *file) {
    double measured = ratio->cost.ms / ratio->empty.ms;
    fprintf(file, "%-42s %12.2f %10.2f   %s\n", ratio->title, measured, ratio->aim,
            measured <= ratio->aim ? "met" : "missed");
}

static void print_series_aim(const struct result *result, unsigned limit_s, FILE *file) {
    const struct series *series = result->series;
    const struct point *point = series_point(result, series->aim_size);
    bool is_known = point->state == POINT_MEASURED || limit_s * 1000.0 >= series->aim_ms;
    char title[80];
    snprintf(title, sizeof title, "%s, %u %s", series->title, series->aim_size, series->unit);
    fprintf(file, "%-42s ", title);
    if (point->state == POINT_MEASURED)
        fprintf(file, "%10.2f s", point->cost.ms / 1000);
    else
        fprintf(file, "%12s", point->state == POINT_WRONG ? "wrong" : "too long");
    fprintf(file, " %8.2f s   %s\n", series->aim_ms / 1000,
            point->state == POINT_MEASURED && point->cost.ms <= series->aim_ms ? "met"
            : is_known                                                         ? "missed"
                                                                               : "not known");
}

void table_aims(const struct ratio *ratios, size_t ratio_count, const struct result *results,
                size_t count, unsigned limit_s, FILE *file) {
    fprintf(file, "\n%-42s %12s %10s\n", "Aims", "measured", "aim");
    for (size_t i = 0; i < ratio_count; i++)
        if (ratios[i].aim > 0)
            print_ratio_aim(&ratios[i], file);
    for (size_t i = 0; i < count; i++)
        if (results[i].series->aim_size)
            print_series_aim(&results[i], limit_s, file);
}
