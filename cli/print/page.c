// The page of a test: what a run and `explain` print as text, as tables, lists and pictures.
#include "cli/print/page.h"

#include "check/report/findings.h"
#include "cli/print/findings.h"

#include "cli/report/added.h"

#include "check/print/table.h"
#include "check/report/flags.h"
#include "check/report/races.h"
#include "check/text/condition.h"
#include "check/text/deeds.h"
#include "check/text/names.h"
#include "check/print/explanation.h"
#include "cli/print/html.h"
#include "cli/print/launched.h"
#include "cli/print/mending.h"
#include "cli/print/page_source.h"
#include "cli/print/picture.h"
#include "explain/faults.h"
#include "explain/words.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <string.h>

static const char style[] =
#include "cli/print/page_style.def"
    ;

// What printing a page needs.
struct page_writer {
    FILE *out;
    struct arena *arena;
    const struct page *page;
};

// A text from outside.
static void html_of(const struct page_writer *writer, const char *text) {
    html_print(writer->out, escaped(writer->arena, text));
}

// The same between two pieces of HTML.
static void html_within(const struct page_writer *writer, const char *before, const char *text,
                        const char *after) {
    fputs(before, writer->out);
    html_of(writer, text);
    fputs(after, writer->out);
}

static void print_head(FILE *out, const char *title) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          out);
    html_print(out, title);
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", style);
}

// --- Executions --------------------------------------------------------------------------------

// The pictures of a report, or of one of its outcomes.
static void print_pictures(struct page_writer *writer, const struct report *report) {
    if (!report->explained->explanation)
        return;
    struct picture_list pictures = pictures_of(writer->arena, report);
    if (pictures.count == 0)
        return;
    fputs("<figure>\n<div class=\"picture\" tabindex=\"0\" role=\"group\" aria-label=\"picture of "
          "the execution",
          writer->out);
    if (report->explained->state)
        html_within(writer, " with ", report->explained->state, "");
    fputs("\">\n", writer->out);
    fputs(pictures_draw_svg(writer->arena, &pictures), writer->out);
    fputs("</div>\n<figcaption>A column is a thread; the legend says what the edges are. The table "
          "below lists the events.</figcaption>\n</figure>\n",
          writer->out);
}

static void print_event(const struct page_writer *writer, const struct event_names *names,
                        const struct found_execution *execution, unsigned e) {
    const struct event *event = &execution->program->events[e];
    const struct span span = event->instruction->opcode_span;
    unsigned line = source_position(span.source, span.begin).line;
    enum value_style values = writer->page->report->options->hex ? VALUE_HEX : VALUE_DECIMAL;
    const char *done = deed_text(writer->arena, execution, e, values);
    bool repeats = execution->repeats && execution->repeats[e];
    html_within(writer, "<tr><th scope=\"row\" class=\"event\">", names->items[e], "");
    fprintf(writer->out, "</th><td><a href=\"#L%u\">line %u</a></td><td class=\"event\">", line,
            line);
    html_print(writer->out, race_instruction_text(writer->arena, event->instruction));
    fputs("</td><td>", writer->out);
    if (done) {
        html_of(writer, done);
        html_of(writer, deed_sources(writer->arena, execution, names, e));
        fputs(repeats ? ", again and again" : "", writer->out);
    }
    fputs("</td></tr>\n", writer->out);
}

static void print_events(const struct page_writer *writer,
                         const struct found_execution *execution) {
    struct event_names names = event_names_new(writer->arena, execution->program);
    fputs("<div class=\"table\"><table>\n<caption>Events of this execution</caption>\n"
          "<thead><tr><th scope=\"col\">event</th><th scope=\"col\">line</th><th "
          "scope=\"col\">instruction</th><th scope=\"col\">does</th></tr></thead>\n<tbody>\n",
          writer->out);
    for (unsigned e = 0; e < execution->n; e++)
        if (execution->executes[e] && execution->program->events[e].instruction)
            print_event(writer, &names, execution, e);
    fputs("</tbody>\n</table></div>\n", writer->out);
}

// --- Why ---------------------------------------------------------------------------------------

static void print_steps(const struct page_writer *writer, const struct step_list *steps) {
    fputs("<ul>\n", writer->out);
    for (size_t i = 0; i < steps->count; i++) {
        const struct explained_step *step = &steps->items[i];
        html_within(writer, "<li>", step->sentence, "");
        if (*step->section)
            fprintf(writer->out, " (PTX ISA %s)", step->section);
        for (size_t k = 0; k < step->below.note_count; k++)
            html_within(writer, "<br>", step->below.notes[k].text, "");
        if (step->below.count > 0)
            print_steps(writer, &step->below);
        fputs("</li>\n", writer->out);
    }
    fputs("</ul>\n", writer->out);
}

static void print_breach(const struct page_writer *writer, const struct breach *breach) {
    const struct axiom_words *words = words_of_axiom(breach->axiom);
    html_within(writer, "<h3>", breach->axiom->name, "");
    if (words && *words->section)
        fprintf(writer->out, " (PTX ISA %s)", words->section);
    html_within(writer, "</h3>\n<p>Its rule: ",
                words ? words->rule : words_of_span(writer->arena, breach->axiom->span), ".</p>\n");
    print_events(writer, breach->execution);
    fputs("<p>It breaks the axiom:</p>\n", writer->out);
    print_steps(writer, &breach->steps);
    for (size_t i = 0; i < breach->steps.note_count; i++)
        html_within(writer, "<p>", breach->steps.notes[i].text, "</p>\n");
}

// What keeps threads from synchronising, and what would forbid the outcome.
static void print_allowed(const struct page_writer *writer, const struct explained *explained) {
    const struct explanation *explanation = explained->explanation;
    struct sync_faults faults =
        faults_find(writer->arena, explanation->model, explanation->example, &explanation->names);
    fputs(faults.count > 0 ? "<ul>\n" : "", writer->out);
    for (size_t i = 0; i < faults.count; i++)
        html_within(writer, "<li>", faults.items[i].sentence, "</li>\n");
    fputs(faults.count > 0 ? "</ul>\n" : "", writer->out);
    if (explanation->nearest) {
        html_within(writer, "<p>The axiom that comes closest to forbidding it: ",
                    explanation->nearest->name, ".</p>\n");
        print_steps(writer, &explanation->lacking);
        const char *note = why_not_note(writer->arena, &explanation->names, &explanation->lacking);
        html_within(writer, "<p>", note ? note : "", "</p>\n");
    }
    for (size_t i = 0; explained->repair && i < explained->repair->count; i++) {
        const struct remedy *remedy = &explained->repair->remedies[i];
        fputs(i == 0 ? "<p>It would be forbidden (confirmed by a run of the changed test) "
                       "with</p>\n<ul>\n"
                     : "<p>or with</p>\n<ul>\n",
              writer->out);
        for (size_t k = 0; k < remedy->word_count; k++)
            html_within(writer, "<li>", remedy->words[k], "</li>\n");
        fputs("</ul>\n", writer->out);
    }
    print_events(writer, explanation->example);
}

// The events of executions that flags are about: one that never ends, one with a hang.
static void print_flagged(const struct page_writer *writer, const struct explained *explained) {
    const struct outcomes *endless = explained->endless;
    if (endless && endless->termination.execution) {
        fputs("<h3>An execution that never ends</h3>\n", writer->out);
        print_events(writer, endless->termination.execution);
    }
    if (explained->hang) {
        fputs("<h3>An execution in which a thread never leaves a barrier</h3>\n", writer->out);
        print_events(writer, explained->hang);
    }
}

static void print_whole_text(const struct page_writer *writer) {
    struct arena_text text;
    FILE *all = arena_text_begin(&text);
    launched_print_derived(all, writer->arena, writer->page->report);
    print_explanation(all, writer->arena, writer->page->report, (const char *const[2]){"", ""});
    fputs("<details open>\n<summary>The whole explanation as text</summary>\n<pre tabindex=\"0\" "
          "role=\"group\" aria-label=\"the whole explanation\">",
          writer->out);
    html_print(writer->out, arena_text_end(writer->arena, &text));
    fputs("</pre>\n</details>\n", writer->out);
}

// The outcome that is asked about, and its verdict.
static void print_question(const struct page_writer *writer) {
    const struct explained *explained = writer->page->report->explained;
    struct arena_text text;
    condition_print(arena_text_begin(&text), writer->page->report->program, CONDITION_PTX);
    html_within(writer, explained->target.negated ? "<p><code>not (" : "<p><code>",
                arena_text_end(writer->arena, &text), "");
    fprintf(writer->out, "%s</code> is <strong>%s</strong>.</p>\n",
            explained->target.negated ? ")" : "", explained_verdict(explained));
}

static void print_why(struct page_writer *writer) {
    const struct report *report = writer->page->report;
    const struct explained *explained = report->explained;
    const struct explanation *explanation = explained->explanation;
    fputs("<section aria-labelledby=\"why\">\n<h2 id=\"why\">Why</h2>\n", writer->out);
    if (!report->program->test->is_unasked)
        print_question(writer);
    print_pictures(writer, report);
    if (explanation && explanation->example)
        print_allowed(writer, explained);
    for (size_t i = 0; explanation && !explained->is_open && i < explanation->breach_count; i++)
        print_breach(writer, &explanation->breaches[i]);
    print_flagged(writer, explained);
    print_whole_text(writer);
    fputs("</section>\n", writer->out);
}

// --- Outcomes ----------------------------------------------------------------------------------

static void print_outcome_row(const struct page_writer *writer, size_t index) {
    const struct report *report = writer->page->report;
    const struct state *state = &report->outcomes->states[index];
    fprintf(writer->out, "<tr><th scope=\"row\">%zu</th>", index + 1);
    for (size_t column = 0; column < report->program->observed_count; column++) {
        fputs("<td class=\"value\">", writer->out);
        html_print(writer->out, table_cell(writer->arena, report, state, column));
        fputs("</td>", writer->out);
    }
    fprintf(writer->out, "<td>%s</td><td>",
            state->satisfies && state->violates ? "depends on an unknown value"
            : state->satisfies                  ? "yes"
                                                : "no");
    fprintf(writer->out,
            writer->page->outcomes[index] ? "<a href=\"#o%zu\">execution of outcome %zu</a>"
                                          : "%.0zu%.0zu",
            index + 1, index + 1);
    fputs("</td></tr>\n", writer->out);
}

static void print_outcomes(const struct page_writer *writer) {
    const struct report *report = writer->page->report;
    const struct outcomes *outcomes = report->outcomes;
    fputs("<section aria-labelledby=\"outcomes\">\n<h2 id=\"outcomes\">Outcomes</h2>\n<div "
          "class=\"table\"><table>\n<caption>",
          writer->out);
    html_print(writer->out, outcomes->verdict == VERDICT_UNKNOWN
                                ? "the verdict is unknown"
                                : report_counts(writer->arena, report));
    fputs(" the condition</caption>\n<thead><tr><th scope=\"col\">outcome</th>", writer->out);
    for (size_t column = 0; column < report->program->observed_count; column++) {
        html_within(writer, "<th scope=\"col\" class=\"event\">",
                    report->program->observed[column].json_name, "</th>");
    }
    fputs("<th scope=\"col\">satisfies the condition</th><th scope=\"col\">how</th></tr></thead>\n"
          "<tbody>\n",
          writer->out);
    for (size_t i = 0; i < outcomes->state_count; i++)
        print_outcome_row(writer, i);
    fputs("</tbody>\n</table></div>\n", writer->out);
    if (report_is_cut(report))
        fputs("<p>There may be more outcomes.</p>\n", writer->out);
    fputs("</section>\n", writer->out);
}

static void print_executions(struct page_writer *writer) {
    const struct report *report = writer->page->report;
    fputs("<section aria-labelledby=\"executions\">\n<h2 id=\"executions\">An execution for each "
          "outcome</h2>\n",
          writer->out);
    for (size_t i = 0; i < report->outcomes->state_count; i++) {
        const struct explained *explained = writer->page->outcomes[i];
        if (!explained)
            continue;
        struct report one = *report;
        one.explained = explained;
        fprintf(writer->out, "<details open id=\"o%zu\">\n<summary>Outcome %zu: ", i + 1, i + 1);
        html_of(writer, explained->state);
        fputs("</summary>\n", writer->out);
        if (explained->explanation->example) {
            print_pictures(writer, &one);
            print_allowed(writer, explained);
        } else {
            fputs("<p>It was not found again within the limits.</p>\n", writer->out);
        }
        fputs("<p><a href=\"#outcomes\">To the outcomes</a></p>\n</details>\n", writer->out);
    }
    if (writer->page->left_out > 0) {
        fprintf(writer->out, "<p>%zu outcomes have no execution here: ", writer->page->left_out);
        html_of(writer, writer->page->why_left_out);
        fputs(".</p>\n", writer->out);
    }
    fputs("</section>\n", writer->out);
}

// --- The rest ----------------------------------------------------------------------------------

static void print_targets(const struct page_writer *writer) {
    fputs(
        "<section aria-labelledby=\"targets\">\n<h2 id=\"targets\">Verdicts on targets</h2>\n<div "
        "class=\"table\"><table>\n<caption>What each target makes of the question</caption>\n"
        "<thead><tr><th scope=\"col\">target</th><th "
        "scope=\"col\">verdict</th><th scope=\"col\">what it is</th></tr></thead>\n<tbody>\n",
        writer->out);
    for (size_t i = 0; i < writer->page->target_count; i++) {
        const struct page_target *target = &writer->page->targets[i];
        html_within(writer, "<tr><th scope=\"row\">", target->target->ptx.name, "</th><td>");
        html_of(writer,
                target->outcomes ? verdict_text(target->outcomes->verdict) : "does not run");
        html_within(writer, "</td><td>", target->why_not ? target->why_not : target->target->title,
                    "</td></tr>\n");
    }
    fputs("</tbody>\n</table></div>\n</section>\n", writer->out);
}

static void print_flags(const struct page_writer *writer) {
    const struct shown_flags flags = flags_shown(writer->arena, writer->page->report->outcomes);
    for (size_t i = 0; i < flags.count; i++) {
        fprintf(writer->out, "<li>%sflag %s: ", flags.items[i].possible ? "possible " : "",
                flags.items[i].name);
        html_of(writer, flags.items[i].holds == TRUTH_YES ? flag_meaning(flags.items[i].name)
                                                          : "undecided");
        fputs("</li>\n", writer->out);
    }
}

// What the explanation is, for programs that read the page.
static void print_data(const struct page_writer *writer) {
    struct arena_text text;
    print_explanation_json(arena_text_begin(&text), writer->arena, writer->page->report);
    fputs("<script type=\"application/json\" id=\"explanation\">", writer->out);
    for (const char *at = arena_text_end(writer->arena, &text); *at; at++)
        fputs(*at == '<' ? "\\u003c" : (char[]){*at, '\0'}, writer->out); // no tag ends it
    fputs("</script>\n", writer->out);
}

// --- What is wrong -------------------------------------------------------------------------------

static const char faulty[] = "not free of faults";

const char *page_verdict(const struct report *report) {
    if (!report->program->test->is_unasked)
        return verdict_text(report->outcomes->verdict);
    return report_is_clean(report) == TRUTH_NO ? faulty : "nothing is asked";
}

// Where accesses race in a launch of which nothing is asked, and why.
static void print_findings(const struct page_writer *writer) {
    const struct report *report = writer->page->report;
    const struct findings *findings = report->added->findings;
    struct arena_text text;
    if (!findings || (findings->count == 0 && !report->added->mending))
        return;
    FILE *lines = arena_text_begin(&text);
    findings_print(lines, writer->arena, report);
    fix_print(lines, writer->arena, report);
    fputs("<section aria-labelledby=\"wrong\">\n<h2 id=\"wrong\">What is wrong</h2>\n"
          "<pre class=\"wrong\" tabindex=\"0\" role=\"group\" aria-label=\"what is wrong\">",
          writer->out);
    html_print(writer->out, arena_text_end(writer->arena, &text));
    fputs("</pre>\n", writer->out);
    if (!report->added->mending) {
        html_within(
            writer, "<p>",
            arena_format(writer->arena, "'ptxlitmus check %s' looks for a fix.", report->path),
            "</p>\n");
    }
    fputs("</section>\n", writer->out);
}

void page_print(FILE *out, struct arena *arena, const struct page *page) {
    struct page_writer writer = {out, arena, page};
    const struct report *report = page->report;
    const struct test *test = report->program->test;
    const char *name = escaped(arena, test->name), *verdict = page_verdict(report);
    print_head(out, arena_format(arena, "%s: %s", name, verdict));
    fputs(test->is_unasked ? "<a class=\"skip\" href=\"#source\">To the source</a>\n"
                           : "<a class=\"skip\" href=\"#outcomes\">To the outcomes</a>\n",
          out);
    fputs("<nav aria-label=\"pages\"><a href=\"index.html\">All tests</a></nav>\n<main>\n<h1>",
          out);
    html_print(out, name);
    fprintf(out, " <span class=\"verdict\">%s</span></h1>\n<p>", verdict);
    bool is_derived = *report_derived_launch(report) != '\0';
    html_of(&writer,
            arena_format(arena, "%s%s", is_derived ? "Launched with " : "", test->description));
    fputs("</p>\n", out);
    print_findings(&writer);
    html_within(&writer, "<ul>\n<li>", arena_format(arena, "file %s", report->path), "</li>\n<li>");
    html_of(&writer,
            arena_format(arena, "model %s%s%s", report->model, report->target ? ", target " : "",
                         report->target ? report->target->ptx.name : ""));
    fputs("</li>\n", out);
    print_flags(&writer);
    for (size_t i = 0; i < test->expected_count; i++) {
        enum truth meets = report_meets_one(report, test->expected[i].what);
        fprintf(out, "<li>expected %s: %s</li>\n", expectation_text(test->expected[i].what),
                meets == TRUTH_YES  ? "yes"
                : meets == TRUTH_NO ? "NO"
                                    : "undecided");
    }
    fputs("</ul>\n", out);
    page_source_print(out, arena, report);
    if (!test->is_unasked)
        print_outcomes(&writer);
    print_why(&writer);
    if (!test->is_unasked) {
        print_executions(&writer);
        print_targets(&writer);
    }
    print_data(&writer);
    fputs("</main>\n</body>\n</html>\n", out);
}

// --- The index -----------------------------------------------------------------------------------

// What a test came to, in the order in which it matters to a reader.
enum entry_rank { ENTRY_BAD, ENTRY_OPEN, ENTRY_GOOD, ENTRY_RANKS };

static enum entry_rank rank_of(const struct page_entry *entry) {
    bool is_open =
        *entry->file == '\0' || strcmp(entry->verdict, verdict_text(VERDICT_UNKNOWN)) == 0;
    return strcmp(entry->expected, "NO") == 0 || strcmp(entry->verdict, faulty) == 0 ? ENTRY_BAD
           : strcmp(entry->expected, "undecided") == 0 || is_open                    ? ENTRY_OPEN
                                                                                     : ENTRY_GOOD;
}

static void print_entry(FILE *out, struct arena *arena, const struct page_entry *entry,
                        enum entry_rank rank) {
    static const char *const classes[ENTRY_RANKS] = {"bad", "open", "good"};
    bool has_page = *entry->file != '\0';
    fprintf(out, "<tr class=\"%s\"><th scope=\"row\">", classes[rank]);
    fprintf(out, has_page ? "<a href=\"%s\">" : "%s", entry->file);
    html_print(out, escaped(arena, entry->name));
    fprintf(out, "%s</th><td>%s</td><td>%s</td><td>%s</td><td>", has_page ? "</a>" : "",
            entry->verdict, entry->expected, entry->flags);
    html_print(out, escaped(arena, entry->path));
    fputs("</td></tr>\n", out);
}

void page_print_index(FILE *out, struct arena *arena, const struct page_entry *entries,
                      size_t count) {
    print_head(out, "Tests");
    fputs("<main>\n<h1>Tests</h1>\n<div class=\"table\"><table>\n<caption>", out);
    fprintf(out, "%zu test%s", count, count == 1 ? "" : "s");
    fputs("</caption>\n<thead><tr><th scope=\"col\">test</th><th scope=\"col\">verdict</th><th "
          "scope=\"col\">as expected</th><th scope=\"col\">flags</th><th scope=\"col\">file</th>"
          "</tr></thead>\n<tbody>\n",
          out);
    for (enum entry_rank rank = ENTRY_BAD; rank < ENTRY_RANKS; rank++)
        for (size_t i = 0; i < count; i++)
            if (rank_of(&entries[i]) == rank)
                print_entry(out, arena, &entries[i], rank);
    fputs("</tbody>\n</table></div>\n</main>\n</body>\n</html>\n", out);
}
