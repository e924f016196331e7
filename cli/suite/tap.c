// The Test Anything Protocol, version 13:
// https://testanything.org/tap-version-13-specification.html
#include "cli/suite/suite.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <string.h>

// A description: '#' begins a directive.
static void print_description(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '#' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

// A text as a block of YAML. (Perl's reader wants lines that are empty indented, too.)
static void print_block(FILE *out, struct arena *arena, const char *key, const char *text) {
    fprintf(out, "  %s: |\n", key);
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(out, "    %s\n", escaped(arena, arena_strndup(arena, text, length)));
        text += length + (text[length] == '\n');
    }
}

static void print_diagnosis(FILE *out, struct arena *arena, const struct suite_item *item) {
    fputs("  ---\n", out);
    fprintf(out, "  result: %s\n", suite_result_text(item->result));
    print_block(out, arena, "at", item->place);
    if (item->why)
        print_block(out, arena, "why", item->why);
    if (item->execution)
        print_block(out, arena, "execution", item->execution);
    fputs("  ...\n", out);
}

void suite_print_tap(FILE *out, const struct suite *suite) {
    size_t number = 0;
    fputs("TAP version 13\n", out);
    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_item *item = &suite->items[i];
        bool is_skipped = suite_item_is_skipped(item);
        if (item->result == SUITE_LEFT_OUT)
            continue;
        bool is_ok = item->result == SUITE_PASSED || is_skipped;
        fprintf(out, "%sok %zu - ", is_ok ? "" : "not ", ++number);
        print_description(out, suite_item_name(suite->arena, item));
        fputs(is_skipped ? " # SKIP not run\n" : "\n", out);
        if (!is_ok)
            print_diagnosis(out, suite->arena, item);
    }
    fprintf(out, "1..%zu\n", number);
}
