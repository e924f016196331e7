// How large the accesses are of which an operation on many bytes consists (memory-model section
// 16): each as large as the smallest access, or declared element, of what the operation touches.
#ifndef PTXLITMUS_ORACLE_PARTS_H
#define PTXLITMUS_ORACLE_PARTS_H

#include "tests/oracle/thread.h"

// What the paths of all threads have shown so far. Start with zeros; parts_free releases it.
struct parts {
    const struct memory *memory;
    unsigned char *smallest; // by variable: the smallest access to it
    bool **touches;          // by thread: by instruction and variable, whether it accesses that
    unsigned char **sizes;   // by thread and instruction; NULL until parts_settle
};

void parts_init(struct parts *parts, const struct memory *memory);
void parts_free(struct parts *parts);

// Whether a test has operations on many bytes.
bool parts_are_needed(const struct test *test);

// Takes note of an access of a path.
void parts_note(struct parts *parts, int thread, const struct step *step);

// Finds the sizes, once all paths are noted. Returns whether some are not those that hold for the
// whole test: then the paths are to be found again with `sizes`.
bool parts_settle(struct parts *parts);

// The smallest access, or element, of the whole test.
unsigned parts_smallest_of_test(const struct test *test);

#endif
