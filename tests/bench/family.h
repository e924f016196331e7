// The families of the benchmarks: litmus tests that grow with a number, each with the verdict that
// it must have at every size.
#ifndef PTXLITMUS_BENCH_FAMILY_H
#define PTXLITMUS_BENCH_FAMILY_H

#include <stdbool.h>
#include <stdio.h>

struct family {
    const char *name;    // as it is asked for: "mp"
    const char *what;    // a line for people
    const char *verdict; // "allowed" or "forbidden", at every size
    unsigned least;      // the smallest size
    bool is_even;        // only even sizes
    bool has_rounds;     // whether there is a second number
    void (*print_body)(FILE *file, unsigned size, unsigned rounds);
};

// The family of that name, or NULL.
const struct family *family_find(const char *name);

// The family with this index, or NULL after the last.
const struct family *family_at(unsigned index);

// Whether the family has such a test. `rounds` is 1 for a family without rounds.
bool family_has(const struct family *family, unsigned size, unsigned rounds);

// Prints the test, which ends with `expect` and its verdict, for sizes that family_has().
void family_print(const struct family *family, unsigned size, unsigned rounds, FILE *file);

#endif
