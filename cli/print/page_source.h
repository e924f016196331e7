// The source on the page of a test.
#ifndef PTXLITMUS_CLI_PRINT_PAGE_SOURCE_H
#define PTXLITMUS_CLI_PRINT_PAGE_SOURCE_H

#include "check/report/report.h"

#include <stdio.h>

struct arena;

// Prints the source of a report's test with its lines numbered, of a .cu file next to its PTX, and
// of a module that was made of a file in Python next to that, where it is there. Marks what the
// report's findings are about in both. Data for debuggers are left out.
void page_source_print(FILE *out, struct arena *arena, const struct report *report);

#endif
