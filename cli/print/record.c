// Results as records. A line of JSON is made where all is known that it says; the process that
// prints it does not look into it.
#include "cli/print/record.h"

#include "check/print/json.h"
#include "check/record/results.h"
#include "cli/print/found.h"
#include "cli/print/print.h"
#include "cli/report/added.h"
#include "litmus/source/arena.h"

#include <string.h>

// Takes a line that was printed, without its end.
static const char *line_of(struct arena *arena, struct arena_text *text) {
    char *line = arena_text_end(arena, text);
    line[strcspn(line, "\n")] = '\0';
    return line;
}

void print_record(FILE *out, struct arena *arena, const struct report *report) {
    struct record record = record_of_report(arena, report, report->added->judged);
    found_take(arena, report, &record);
    if (options_suite_reports(&report->added->options->suite, SUITE_JSON)) {
        struct arena_text text;
        print_json(arena_text_begin(&text), arena, report);
        record.line = line_of(arena, &text);
    }
    record_write(out, &record);
}

void print_record_error(FILE *out, struct arena *arena, const struct diagnostic *diagnostic,
                        size_t index) {
    struct record record = record_of_error(arena, diagnostic, index);
    struct arena_text text;
    print_json_error(arena_text_begin(&text), arena, diagnostic, index);
    record.line = line_of(arena, &text);
    record_write(out, &record);
}

void print_record_input(FILE *out, struct arena *arena, const struct record *record) {
    struct record with_line = *record;
    struct arena_text text;
    print_json_input(arena_text_begin(&text), arena, record);
    with_line.line = line_of(arena, &text);
    record_write(out, &with_line);
}
