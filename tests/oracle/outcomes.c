// A sorted array; tests have few outcomes.
#include "tests/oracle/outcomes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void outcomes_init(struct outcome_set *set, size_t width) {
    struct outcome_set empty = {.width = width};
    *set = empty;
}

void outcomes_free(struct outcome_set *set) {
    free(set->values);
    set->values = NULL;
}

static int compare_shown(const struct shown *a, const struct shown *b) {
    if (a->unknown != b->unknown)
        return a->unknown ? 1 : -1;
    return a->bits < b->bits ? -1 : a->bits > b->bits;
}

static int compare_outcomes(const struct shown *a, const struct shown *b, size_t width) {
    int order = 0;
    for (size_t i = 0; i < width && order == 0; i++)
        order = compare_shown(&a[i], &b[i]);
    return order;
}

static void grow(struct outcome_set *set) {
    if (set->count < set->capacity)
        return;
    set->capacity = set->capacity ? 2 * set->capacity : 16;
    size_t width = set->width ? set->width : 1; // no variables to show: one empty outcome
    set->values = reallocarray(set->values, set->capacity, width * sizeof *set->values);
    if (!set->values) {
        fputs("out of memory\n", stderr);
        exit(4);
    }
}

void outcomes_add(struct outcome_set *set, const struct shown *outcome) {
    size_t low = 0;
    size_t high = set->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_outcomes(outcome, &set->values[middle * set->width], set->width);
        if (order == 0)
            return;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    grow(set);
    size_t size = set->width * sizeof *set->values;
    if (size) {
        struct shown *place = &set->values[low * set->width];
        memmove(place + set->width, place, (set->count - low) * size);
        memcpy(place, outcome, size);
    }
    set->count++;
}
