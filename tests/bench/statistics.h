// What the benchmarks make of their samples.
#ifndef PTXLITMUS_BENCH_STATISTICS_H
#define PTXLITMUS_BENCH_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

// The median of at least one value, which get sorted; of an even number the mean of the middle two.
double statistics_median(double *values, size_t count);

// The slope of the line through the logarithms of x and y (least squares), the exponent k of y ~
// x^k. False when fewer than three points, or fewer than two different x, are left without those in
// which x or y is not positive.
bool statistics_exponent(const double *x, const double *y, size_t count, double *exponent);

#endif
