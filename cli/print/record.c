// Results as records. A line of JSON is made where all is known that it says; the process that
// prints it does not look into it.
#include "cli/print/record.h"

#include "check/print/json.h"
#include "check/record/results.h"
#include "cli/print/found.h"
#include "cli/print/print.h"
#include "cli/report/added.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

// Takes what was printed on a stream of text_open, without the end of the line.
static const char *line_of(struct arena *arena, FILE *out, char **text) {
    text_close(out);
    const char *line = arena_strndup(arena, *text, strcspn(*text, "\n"));
    free(*text);
    return line;
}

void print_record(FILE *out, struct arena *arena, const struct report *report) {
    struct record record = record_of_report(arena, report, report->added->judged);
    found_take(arena, report, &record);
    if (options_suite_reports(&report->added->options->suite, SUITE_JSON)) {
        char *text;
        size_t size;
        FILE *json = text_open(&text, &size);
        print_json(json, arena, report);
        record.line = line_of(arena, json, &text);
    }
    record_write(out, &record);
}

void print_record_error(FILE *out, struct arena *arena, const struct diagnostic *diagnostic,
                        size_t index) {
    struct record record = record_of_error(arena, diagnostic, index);
    char *text;
    size_t size;
    FILE *json = text_open(&text, &size);
    print_json_error(json, arena, diagnostic, index);
    record.line = line_of(arena, json, &text);
    record_write(out, &record);
}

void print_record_input(FILE *out, struct arena *arena, const struct record *record) {
    struct record with_line = *record;
    char *text;
    size_t size;
    FILE *json = text_open(&text, &size);
    print_json_input(json, arena, record);
    with_line.line = line_of(arena, json, &text);
    record_write(out, &with_line);
}
