// JUnit's XML, in the form that Jenkins, GitLab and pytest agree on: a <testsuite> for each folder,
// a <testcase> for each test, <failure> where an expectation failed, <error> where that is not
// known or it was not run, <skipped> where --fail-fast left it out.
#include "cli/suite/suite.h"

#include "litmus/source/arena.h"
#include "litmus/source/utf8.h"

#include <string.h>

// Whether a character is none of XML 1.0, or is one that must not reach a terminal.
static bool is_replaced(uint32_t code) {
    return (code != '\n' && code != '\t' && utf8_is_hidden(code)) || code == 0xFFFE ||
           code == 0xFFFF;
}

// Text for XML. Bytes are UTF-8 as JSON has them.
static void print_escaped(FILE *out, const char *text, bool is_attribute) {
    const char *end = text + strlen(text);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        uint32_t code = 0;
        unsigned length = utf8_decode(text, end, &code);
        if (length > 0 && is_replaced(code)) {
            fputc('?', out);
            text += length - 1;
            continue;
        }
        if (c == '&')
            fputs("&amp;", out);
        else if (c == '<')
            fputs("&lt;", out);
        else if (c == '>')
            fputs("&gt;", out);
        else if (c == '"')
            fputs("&quot;", out);
        else if (is_attribute && (c == '\n' || c == '\t'))
            fprintf(out, "&#%u;", c);
        else
            fputc(c, out);
    }
}

static void print_attribute(FILE *out, const char *name, const char *value) {
    fprintf(out, " %s=\"", name);
    print_escaped(out, value, true);
    fputc('"', out);
}

// The folder of a file, as the name of its suite.
static const char *folder_of(struct arena *arena, const struct suite_item *item) {
    const char *slash = strrchr(item->file, '/');
    return slash ? arena_strndup(arena, item->file, (size_t)(slash - item->file)) : ".";
}

static const char *name_of(const struct suite_item *item) {
    const char *slash = strrchr(item->file, '/');
    return item->test ? item->test : slash ? slash + 1 : item->file;
}

static void print_trouble(FILE *out, struct arena *arena, const struct suite_item *item,
                          const char *element) {
    const char *why = item->why ? item->why : suite_result_text(item->result);
    fprintf(out, "      <%s", element);
    print_attribute(out, "type", suite_result_text(item->result));
    print_attribute(out, "message", arena_strndup(arena, why, strcspn(why, "\n")));
    fputc('>', out);
    print_escaped(out, arena_format(arena, "%s: %s\n", item->place, why), false);
    if (item->execution) {
        fputc('\n', out);
        print_escaped(out, item->execution, false);
    }
    fprintf(out, "</%s>\n", element);
}

static void print_case(FILE *out, struct arena *arena, const struct suite_item *item) {
    fputs("    <testcase", out);
    print_attribute(out, "classname", item->file);
    print_attribute(out, "name", name_of(item));
    fprintf(out, " time=\"%.3f\"", item->seconds);
    if (item->result == SUITE_PASSED) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n", out);
    if (suite_item_is_skipped(item))
        fputs("      <skipped message=\"not run\"/>\n", out);
    else
        print_trouble(out, arena, item, item->result == SUITE_FAILED ? "failure" : "error");
    fputs("    </testcase>\n", out);
}

struct junit_counts {
    size_t tests, failures, errors, skipped;
    double seconds;
};

static void count_item(struct junit_counts *counts, const struct suite_item *item) {
    bool is_failure = item->result == SUITE_FAILED, is_skipped = suite_item_is_skipped(item);
    counts->tests++;
    counts->failures += is_failure;
    counts->skipped += is_skipped;
    counts->errors += !is_failure && !is_skipped && item->result != SUITE_PASSED;
    counts->seconds += item->seconds;
}

static void print_counts(FILE *out, const struct junit_counts *counts) {
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n",
            counts->tests, counts->failures, counts->errors, counts->skipped, counts->seconds);
}

// The items from `first` on that are in one folder; returns where the next begin.
static size_t end_of_folder(const struct suite *suite, size_t first) {
    const char *folder = folder_of(suite->arena, &suite->items[first]);
    size_t end = first + 1;
    while (end < suite->count && strcmp(folder_of(suite->arena, &suite->items[end]), folder) == 0)
        end++;
    return end;
}

static struct junit_counts count_items(const struct suite *suite, size_t first, size_t end) {
    struct junit_counts counts = {0};
    for (size_t i = first; i < end; i++)
        if (suite->items[i].result != SUITE_LEFT_OUT)
            count_item(&counts, &suite->items[i]);
    return counts;
}

static void print_folder(FILE *out, const struct suite *suite, size_t first, size_t end) {
    struct junit_counts counts = count_items(suite, first, end);
    if (counts.tests == 0)
        return;
    fputs("  <testsuite", out);
    print_attribute(out, "name", folder_of(suite->arena, &suite->items[first]));
    print_counts(out, &counts);
    for (size_t i = first; i < end; i++)
        if (suite->items[i].result != SUITE_LEFT_OUT)
            print_case(out, suite->arena, &suite->items[i]);
    fputs("  </testsuite>\n", out);
}

void suite_print_junit(FILE *out, const struct suite *suite) {
    struct junit_counts counts = count_items(suite, 0, suite->count);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ptxlitmus\"", out);
    print_counts(out, &counts);
    for (size_t i = 0, end; i < suite->count; i = end) {
        end = end_of_folder(suite, i);
        print_folder(out, suite, i, end);
    }
    fputs("</testsuites>\n", out);
}
