// Pages in HTML: one for each test, and an index of them. A page needs no network, no server and no
// script.
#ifndef PTXLITMUS_CLI_PRINT_PAGE_H
#define PTXLITMUS_CLI_PRINT_PAGE_H

#include "check/report/report.h"
#include "check/report/explained.h"

#include <stdbool.h>
#include <stdio.h>

struct arena;

// The verdict on one target.
struct page_target {
    const struct target *target;
    const struct outcomes *outcomes; // NULL: it does not run there
    const char *why_not;             // then: why
};

// All that is on the page of a test.
struct page {
    const struct report *report;       // with `explained`: the outcome that the test asks about
    const struct explained **outcomes; // by state of the report's outcomes; NULL: not explained
    size_t left_out;                   // states that are not explained, though they could be
    const char *why_left_out;          // then: why
    const struct page_target *targets;
    size_t target_count;
};

// A line of the index.
struct page_entry {
    const char *file; // in the folder of the index; "": there is no page
    const char *name, *path, *verdict, *flags;
    const char *expected; // "yes", "NO", "undecided", or "" without an expectation
};

// Returns the verdict that a page begins with; of a launch of which nothing is asked, whether it
// has a fault. It lives for ever.
const char *page_verdict(const struct report *report);

// Prints the page of a test.
void page_print(FILE *out, struct arena *arena, const struct page *page);

// Prints the index of the pages: first those that are not as they should be, then what is open.
void page_print_index(FILE *out, struct arena *arena, const struct page_entry *entries,
                      size_t count);

#endif
