// What did not pass, for people and for GitHub Actions.
#include "cli/suite/suite.h"

#include "check/text/names.h"
#include "cli/print/runner.h"
#include "litmus/source/arena.h"

#include <string.h>

// A text with what must not be printed escaped, line by line.
static const char *escaped_lines(struct arena *arena, const char *text) {
    const char *lines = "";
    while (*text) {
        size_t length = strcspn(text, "\n");
        const char *line = escaped(arena, arena_strndup(arena, text, length));
        lines = arena_format(arena, "%s%s%s", lines, line, text[length] == '\n' ? "\n" : "");
        text += length + (text[length] == '\n');
    }
    return lines;
}

// Prints each line of a text after `indent`; a line that is empty without it.
static void print_lines(FILE *out, struct arena *arena, const char *indent, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        const char *line = escaped(arena, arena_strndup(arena, text, length));
        fprintf(out, "%s%s\n", length > 0 ? indent : "", line);
        text += length + (text[length] == '\n');
    }
}

static void print_item(FILE *out, struct arena *arena, const struct suite_item *item) {
    fprintf(out, "%s %s\n", suite_result_text(item->result), suite_item_name(arena, item));
    if (item->why)
        print_lines(out, arena, "  ", arena_format(arena, "%s: %s", item->place, item->why));
    if (item->execution) {
        fputc('\n', out);
        print_lines(out, arena, "  ", item->execution);
    }
    fputc('\n', out);
}

// A value of an annotation: https://docs.github.com/actions, "Workflow commands".
static void print_escaped(FILE *out, const char *text, bool is_property) {
    for (; *text; text++)
        if (strchr("%\r\n", *text) || (is_property && strchr(":,", *text)))
            fprintf(out, "%%%02X", (unsigned char)*text);
        else
            fputc(*text, out);
}

static void print_annotation(FILE *out, struct arena *arena, const struct suite_item *item) {
    fputs("::error file=", out);
    const char *file =
        escaped(arena, item->place_file); // GitHub knows files by their paths in the repository
    print_escaped(out, strncmp(file, "./", 2) == 0 ? file + 2 : file, true);
    if (item->line > 0)
        fprintf(out, ",line=%zu,col=%zu", item->line, item->column);
    fputs(",title=", out);
    print_escaped(
        out,
        arena_format(arena, "%s %s", suite_result_text(item->result), suite_item_name(arena, item)),
        true);
    fputs("::", out);
    print_escaped(
        out, item->why ? escaped_lines(arena, item->why) : suite_result_text(item->result), false);
    fputc('\n', out);
}

// The annotation is the only command; what is for people must not be one.
static void print_for_github(FILE *out, struct arena *arena, const struct suite_item *item) {
    struct arena_text text;
    print_item(arena_text_begin(&text), arena, item);
    runner_print(out, arena_text_end(arena, &text));
    print_annotation(out, arena, item);
}

void suite_print_items(FILE *out, const struct suite *suite, size_t first, bool github) {
    for (size_t i = first; i < suite->count; i++) {
        const struct suite_item *item = &suite->items[i];
        if (item->result == SUITE_PASSED || item->result == SUITE_LEFT_OUT ||
            item->result == SUITE_NOT_RUN)
            continue;
        if (github)
            print_for_github(out, suite->arena, item);
        else
            print_item(out, suite->arena, item);
    }
}

void suite_print(FILE *out, const struct suite *suite, enum suite_format format) {
    switch (format) {
    case SUITE_TEXT:
    case SUITE_GITHUB:
        suite_print_items(out, suite, 0, format == SUITE_GITHUB);
        fprintf(out, "%s\n", suite_summary(suite->arena, suite));
        return;
    case SUITE_JUNIT: suite_print_junit(out, suite); return;
    case SUITE_TAP: suite_print_tap(out, suite); return;
    case SUITE_SARIF: suite_print_sarif(out, suite, suite_status(suite)); return;
    case SUITE_JSON:
        for (size_t i = 0; i < suite->line_count; i++)
            fprintf(out, "%s\n", suite->lines[i]);
        return;
    }
}
