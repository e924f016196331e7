// Results and messages as the language server takes them from the processes that it starts: an
// object of JSON per line, with places as offsets in bytes. Nothing else reads them.
//
// {"message": ..., "severity": 1 to 4 as in LSP, "code": ..., PLACE}
// {"title": ..., "test": ..., "goal": ..., PLACE}
// {"end": true}: nothing follows
// PLACE: "file", and unless the file alone is known, "begin", "end", "line", "column"
#ifndef PTXLITMUS_CLI_PRINT_NOTICE_H
#define PTXLITMUS_CLI_PRINT_NOTICE_H

#include <stddef.h>
#include <stdio.h>

struct arena;
struct diagnostic;
struct record;
struct report;

// Prints what is to be shown of a report: what was expected and did not come true, what `check` has
// found, and as a title what the test came to, with the goal of a repair where one may be looked
// for ("outcome", "races", "hangs", "flag NAME").
void print_notice(FILE *out, struct arena *arena, const struct report *report);

// Prints a message. The index is not told.
void print_notice_message(FILE *out, struct arena *arena, const struct diagnostic *diagnostic,
                          size_t index);

// Prints that all was done.
void print_notice_end(FILE *out);

// Prints, as a title, what an input came to that has no report.
void print_notice_input(FILE *out, struct arena *arena, const struct record *record);

#endif
