// Results as records, as a process hands them to the one that started it, like formats of --format.
#ifndef PTXLITMUS_CLI_PRINT_RECORD_H
#define PTXLITMUS_CLI_PRINT_RECORD_H

#include "check/record/record.h"

struct arena;
struct diagnostic;
struct report;

// Writes the record of a report, with its line of JSON where a report of the suite is in JSON.
void print_record(FILE *out, struct arena *arena, const struct report *report);

// Writes the record of an error in the input of this index, with its line of JSON.
void print_record_error(FILE *out, struct arena *arena, const struct diagnostic *diagnostic,
                        size_t index);

// Writes a record of an input as a whole, with its line of JSON.
void print_record_input(FILE *out, struct arena *arena, const struct record *record);

#endif
