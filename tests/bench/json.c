// The results of the benchmarks as JSON.
#include "tests/bench/report.h"

#include <math.h>

static json_t *real(double value) {
    return isnan(value) ? json_null() : json_real(value);
}

static void add_costs(json_t *json, const struct cost *cost, const struct cost *empty) {
    json_object_set_new(json, "ms", json_real(cost->ms));
    json_object_set_new(json, "cpu_ms", json_real(cost->cpu_ms));
    json_object_set_new(json, "empty_ms", json_real(empty->ms));
    json_object_set_new(json, "empty_cpu_ms", json_real(empty->cpu_ms));
    json_object_set_new(json, "ratio", json_real(cost->ms / empty->ms));
    json_object_set_new(json, "cpu_ratio", json_real(cost->cpu_ms / empty->cpu_ms));
}

static json_t *ratio_json(const struct ratio *ratio) {
    double measured = ratio->cost.ms / ratio->empty.ms;
    json_t *json = json_pack("{s:s, s:I, s:I}", "title", ratio->title, "tests",
                             (json_int_t)ratio->tests, "runs", (json_int_t)ratio->runs);
    add_costs(json, &ratio->cost, &ratio->empty);
    if (ratio->aim > 0) {
        json_object_set_new(json, "aim", json_real(ratio->aim));
        json_object_set_new(json, "met", json_boolean(measured <= ratio->aim));
    }
    return json;
}

static json_t *point_json(const struct result *result, const struct point *point) {
    static const char *const states[] = {[POINT_MEASURED] = "measured",
                                         [POINT_LATE] = "late",
                                         [POINT_SKIPPED] = "skipped",
                                         [POINT_WRONG] = "wrong"};
    json_t *json = json_pack("{s:i, s:s}", "size", point->size, "state", states[point->state]);
    if (point->state != POINT_MEASURED)
        return json;
    json_object_set_new(json, "runs", json_integer((json_int_t)point->runs));
    add_costs(json, &point->cost, &point->empty);
    json_object_set_new(json, "peak_kb", json_integer((json_int_t)point->peak_kb));
    json_object_set(json, "stats", point->stats);
    if (result->series->is_list)
        json_object_set_new(json, "outcomes", json_integer((json_int_t)point->outcomes));
    return json;
}

static json_t *series_json(const struct result *result) {
    const struct series *series = result->series;
    struct growth growth = series_growth(result);
    json_t *points = json_array();
    for (size_t i = 0; i < result->count; i++)
        json_array_append_new(points, point_json(result, &result->points[i]));
    json_t *json = json_pack("{s:s, s:s, s:s, s:b, s:o, s:{s:o, s:o, s:o}}", "title", series->title,
                             "family", series->family, "unit", series->unit, "all_outcomes",
                             series->is_list, "points", points, "growth", "time", real(growth.time),
                             "variables", real(growth.variables), "clauses", real(growth.clauses));
    if (series->threads)
        json_object_set_new(json, "threads", json_integer(series->threads));
    if (series->aim_size)
        json_object_set_new(
            json, "aim", json_pack("{s:i, s:f}", "size", series->aim_size, "ms", series->aim_ms));
    return json;
}

json_t *report_json(const struct machine *machine, const struct setup *setup,
                    const struct ratio *ratios, size_t ratio_count, const struct result *results,
                    size_t count) {
    json_t *options = json_array(), *all_ratios = json_array(), *all_series = json_array();
    for (size_t i = 0; setup->options[i]; i++)
        json_array_append_new(options, json_string(setup->options[i]));
    for (size_t i = 0; i < ratio_count; i++)
        json_array_append_new(all_ratios, ratio_json(&ratios[i]));
    for (size_t i = 0; i < count; i++)
        json_array_append_new(all_series, series_json(&results[i]));
    return json_pack("{s:s, s:s, s:I, s:[f, f], s:i, s:o, s:o, s:o}", "version", machine->version,
                     "cpu", machine->cpu, "processors", (json_int_t)machine->processors, "load",
                     machine->load_before, machine->load_after, "limit_s", setup->limit_s,
                     "options", options, "ratios", all_ratios, "series", all_series);
}
