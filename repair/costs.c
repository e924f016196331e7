// Weights of changes, and the JSON file that may replace them.
#include "repair/costs.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <jansson.h>
#include <string.h>

static const struct cost_row {
    const char *group, *name;
    unsigned weight;
} rows[COST_COUNT] = {
#define COST(id, group, name, weight) {group, name, weight},
#include "repair/costs.def"
};

struct costs costs_default(void) {
    struct costs costs;
    for (size_t i = 0; i < COST_COUNT; i++)
        costs.weights[i] = rows[i].weight;
    return costs;
}

// --- The file ----------------------------------------------------------------------------------

// The row of a weight, or of the first one of a group (`name` NULL); -1: there is none.
static int find_row(const char *group, const char *name) {
    for (int i = 0; i < COST_COUNT; i++)
        if (strcmp(rows[i].group, group) == 0 && (name == NULL || strcmp(rows[i].name, name) == 0))
            return i;
    return -1;
}

static bool read_weight(const char *path, const char *group, const char *name, const json_t *value,
                        struct costs *costs, struct diagnostics *diagnostics) {
    int row = find_row(group, name);
    if (row < 0)
        return diag_error_path(diagnostics, path, "\"%s\" has no weight \"%s\"", group, name);
    json_int_t weight = json_integer_value(value);
    if (!json_is_integer(value) || weight < 0 || weight > COST_MAX)
        return diag_error_path(diagnostics, path,
                               "\"%s\" in \"%s\" is not a whole number from 0 to %d", name, group,
                               COST_MAX);
    costs->weights[row] = (unsigned)weight;
    return true;
}

static bool read_group(const char *path, const char *group, json_t *values, struct costs *costs,
                       struct diagnostics *diagnostics) {
    const char *name;
    json_t *value;
    if (find_row(group, NULL) < 0) {
        diag_error_path(diagnostics, path, "there are no costs \"%s\"", group);
        diag_hint(diagnostics, "there are \"scope\", \"order\" and \"add\"");
        return false;
    }
    if (!json_is_object(values))
        return diag_error_path(diagnostics, path, "\"%s\" is not an object", group);
    json_object_foreach(values, name, value) {
        if (!read_weight(path, group, name, value, costs, diagnostics))
            return false;
    }
    return true;
}

static bool check(const char *path, const struct costs *costs, struct diagnostics *diagnostics) {
    static const struct {
        enum cost less, more;
    } pairs[] = {{COST_CTA, COST_CLUSTER},     {COST_CLUSTER, COST_GPU},
                 {COST_GPU, COST_SYS},         {COST_ACQUIRE, COST_ACQ_REL},
                 {COST_RELEASE, COST_ACQ_REL}, {COST_ACQ_REL, COST_SC}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (costs->weights[pairs[i].less] > costs->weights[pairs[i].more])
            return diag_error_path(diagnostics, path,
                                   "\"%s\" costs more than \"%s\", which is stronger",
                                   rows[pairs[i].less].name, rows[pairs[i].more].name);
    return true;
}

bool costs_read(struct arena *arena, const char *path, struct costs *costs,
                struct diagnostics *diagnostics) {
    const struct source *source = source_read(arena, path, diagnostics);
    json_error_t error;
    *costs = costs_default();
    if (source == NULL)
        return false;
    json_t *root = json_loadb(source->text, source->size, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        return diag_error_path(diagnostics, path, "this is not JSON: %s (line %d)", error.text,
                               error.line);
    bool good = json_is_object(root);
    if (!good)
        diag_error_path(diagnostics, path, "costs are an object of JSON");
    const char *group;
    json_t *values;
    json_object_foreach(root, group, values) good =
        good && read_group(path, group, values, costs, diagnostics);
    json_decref(root);
    return good && check(path, costs, diagnostics);
}

// --- Costs -------------------------------------------------------------------------------------

static unsigned weight_of_scope(const struct costs *costs, enum scope scope) {
    static const enum cost rows_of[] = {[SCOPE_CTA] = COST_CTA,
                                        [SCOPE_CLUSTER] = COST_CLUSTER,
                                        [SCOPE_GPU] = COST_GPU,
                                        [SCOPE_SYS] = COST_SYS};
    return scope == SCOPE_NONE ? 0 : costs->weights[rows_of[scope]];
}

static unsigned weight_of_order(const struct costs *costs, enum access_order order) {
    switch (order) {
    case ORDER_ACQUIRE: return costs->weights[COST_ACQUIRE];
    case ORDER_RELEASE: return costs->weights[COST_RELEASE];
    case ORDER_ACQ_REL: return costs->weights[COST_ACQ_REL];
    case ORDER_SC: return costs->weights[COST_SC];
    default: return 0;
    }
}

unsigned cost_of_access(const struct costs *costs, enum access_order order, enum scope scope) {
    if (order == ORDER_WEAK || order == ORDER_NONE)
        return 0;
    return costs->weights[COST_STRONG] +
           weight_of_order(costs, order) * weight_of_scope(costs, scope);
}

unsigned cost_of_fence(const struct costs *costs, enum access_order order, enum scope scope) {
    return costs->weights[COST_STRONG] + costs->weights[COST_FENCE] +
           weight_of_order(costs, order) * weight_of_scope(costs, scope);
}

unsigned cost_of_barrier(const struct costs *costs, enum scope scope) {
    return costs->weights[COST_BARRIER] * weight_of_scope(costs, scope);
}
