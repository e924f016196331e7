// Lists source lines with marks, as parts of a page.
#include "cli/print/page_source.h"

#include "check/report/findings.h"
#include "check/text/names.h"
#include "cli/print/html.h"
#include "cli/report/added.h"
#include "litmus/readers/module/origin.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/source.h"

#include <string.h>

// A listing: a text, and which lines of it findings are about.
struct marked_text {
    FILE *out;
    struct arena *arena;
    const struct source *source;
    const char *prefix; // of the names of its lines
    const char **marks; // by line: the flags there, or NULL
};

// Adds the name of a flag to those of a line.
static void mark_line(struct marked_text *listing, unsigned line, const char *flag) {
    const char **mark;
    if (line == 0 || line > listing->source->line_count)
        return;
    mark = &listing->marks[line - 1];
    if (!*mark)
        *mark = flag;
    else if (!strstr(*mark, flag))
        *mark = arena_format(listing->arena, "%s, %s", *mark, flag);
}

// The line of an instruction in the PTX of the listing, or, with `is_written`, in the source that
// people have written; 0 where it is in neither.
static unsigned line_in(const struct marked_text *listing, const struct instruction *instruction,
                        bool is_written) {
    if (!is_written) {
        const struct span span = source_in_file(instruction->opcode_span);
        return span.source == listing->source ? source_position(span.source, span.begin).line : 0;
    }
    const struct line_origin origin = origin_of(listing->arena, instruction);
    const char *slash = strrchr(listing->source->path, '/');
    const char *name = slash ? slash + 1 : listing->source->path;
    return origin.path && strcmp(origin.name, name) == 0 ? origin.line : 0;
}

static struct marked_text marked_new(FILE *out, struct arena *arena, const struct report *report,
                                     const struct source *source, bool is_written) {
    struct marked_text listing = {.out = out,
                                  .arena = arena,
                                  .source = source,
                                  .prefix = is_written ? "S" : "L",
                                  .marks =
                                      ARENA_ARRAY(arena, const char *, source->line_count + 1)};
    const struct findings *findings = report->added->findings;
    memset(listing.marks, 0, (source->line_count + 1) * sizeof *listing.marks);
    for (size_t i = 0; findings && i < findings->count; i++) {
        const struct race *race = findings->items[i].race;
        for (unsigned k = 0; k < 2; k++) {
            const struct instruction *at = report->program->events[race->events[k]].instruction;
            const char *flag = flag_name(&report->outcomes->flags[race->flag]);
            if (at)
                mark_line(&listing, line_in(&listing, at, is_written), flag);
        }
    }
    return listing;
}

static bool is_of_debuggers(const char *line) {
    static const char word[] = ".section";
    line += strspn(line, " \t");
    if (strncmp(line, word, sizeof word - 1) != 0)
        return false;
    line += sizeof word - 1;
    return strncmp(line + strspn(line, " \t"), ".debug", 6) == 0;
}

// How many lines from this one on are a section for debuggers: up to the brace that ends it.
static uint32_t debug_lines(const struct source *source, uint32_t first) {
    uint32_t at = first;
    if (!is_of_debuggers(source->text + source->line_starts[first]))
        return 0;
    while (at + 1 < source->line_count) {
        const char *line = source->text + source->line_starts[at];
        if (memchr(line, '}', strcspn(line, "\r\n")))
            break;
        at++;
    }
    return at + 1 - first;
}

// A line as it looks: blanks in the place of tabs.
static const char *shown_line(struct arena *arena, const char *line) {
    enum { TAB = 4 };
    size_t length = strcspn(line, "\r\n"), count = 0;
    char *text = arena_alloc(arena, TAB * length + 1);
    for (size_t i = 0; i < length; i++) {
        text[count++] = line[i] == '\t' ? ' ' : line[i];
        while (line[i] == '\t' && count % TAB != 0)
            text[count++] = ' ';
    }
    text[count] = '\0';
    return escaped(arena, text);
}

static void print_line(const struct marked_text *listing, uint32_t index) {
    FILE *out = listing->out;
    const char *line = listing->source->text + listing->source->line_starts[index];
    const char *mark = listing->marks[index], *prefix = listing->prefix;
    uint32_t number = index + 1;
    fprintf(out, "<span id=\"%s%u\"%s><a href=\"#%s%u\" aria-label=\"line %u\">%u</a> ", prefix,
            number, mark ? " class=\"found\"" : "", prefix, number, number, number);
    html_print(out, shown_line(listing->arena, line));
    if (mark) {
        fputs("  <b>", out);
        html_print(out, mark);
        fputs("</b>", out);
    }
    fputs("</span>", out);
}

static void print_listing(const struct marked_text *listing, const char *label) {
    const struct source *source = listing->source;
    fprintf(listing->out, "<pre class=\"source\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">",
            label);
    for (uint32_t i = 0; i < source->line_count; i++) {
        uint32_t left_out = debug_lines(source, i);
        if (left_out > 0) {
            fprintf(listing->out, "<span>%u lines for debuggers are left out</span>", left_out);
            i += left_out - 1;
        } else if (source->text[source->line_starts[i]] != '\0') { // after the last line's end
            print_line(listing, i);
        }
    }
    fputs("</pre>\n", listing->out);
}

static bool is_python(const char *name) {
    size_t length = name ? strlen(name) : 0;
    return length > 3 && strcmp(name + length - 3, ".py") == 0;
}

// The file in Python that a test's module was made of: where the module says, or next to it; NULL
// where it is of none, or the file is not there.
static const struct source *python_of(struct arena *arena, const struct report *report) {
    const struct test *test = report->program->test;
    struct line_origin origin = {0};
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    for (size_t t = 0; t < test->thread_count && !origin.path; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count && !origin.path; i++) {
            origin = origin_of(arena, &test->threads[t].instructions[i]);
            if (!is_python(origin.name))
                origin.path = NULL;
        }
    if (!origin.path)
        return NULL;
    const char *slash = strrchr(report->path, '/');
    int folder = slash ? (int)(slash + 1 - report->path) : 0;
    const struct source *source = source_read(arena, origin.path, &ignored);
    return source ? source
                  : source_read(arena,
                                arena_format(arena, "%.*s%s", folder, report->path, origin.name),
                                &ignored);
}

// The source that people have written, of which compilers have made the test; or NULL.
static const struct source *written_source(struct arena *arena, const struct report *report) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    return report_is_of_cuda(report) ? source_read(arena, report->path, &ignored)
                                     : python_of(arena, report);
}

void page_source_print(FILE *out, struct arena *arena, const struct report *report) {
    const struct source *source = report->program->test->source;
    const struct source *written = written_source(arena, report);
    const char *language = report_is_of_cuda(report) ? "CUDA C++" : "Python";
    fputs("<section aria-labelledby=\"source\">\n<h2 id=\"source\">Source</h2>\n", out);
    if (written) {
        const struct marked_text listing = marked_new(out, arena, report, written, true);
        fprintf(out, "<div class=\"beside\">\n<div>\n<h3>%s</h3>\n", language);
        print_listing(&listing, arena_format(arena, "source in %s", language));
        fputs("</div>\n<div>\n<h3>PTX</h3>\n", out);
    }
    if (source) {
        const struct marked_text listing = marked_new(out, arena, report, source, false);
        print_listing(&listing, "source of the test");
    }
    fputs(written ? "</div>\n</div>\n</section>\n" : "</section>\n", out);
}
