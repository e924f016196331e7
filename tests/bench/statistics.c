// Medians and exponents.
#include "tests/bench/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double statistics_median(double *values, size_t count) {
    assert(count > 0);
    qsort(values, count, sizeof *values, by_value);
    size_t middle = count / 2;
    return count % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

bool statistics_exponent(const double *x, const double *y, size_t count, double *exponent) {
    double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(x[i] > 0 && y[i] > 0))
            continue;
        double u = log(x[i]), v = log(y[i]);
        n++;
        sum_x += u;
        sum_y += v;
        sum_xx += u * u;
        sum_xy += u * v;
    }
    double spread = n * sum_xx - sum_x * sum_x;
    if (n < 3 || spread < 1e-9)
        return false;
    *exponent = (n * sum_xy - sum_x * sum_y) / spread;
    return true;
}
