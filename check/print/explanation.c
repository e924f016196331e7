// Explanations as text.
#include "check/print/explanation.h"

#include "check/print/endings.h"
#include "check/print/races.h"
#include "check/report/flags.h"
#include "check/report/races.h"
#include "check/text/condition.h"
#include "check/text/deeds.h"
#include "check/text/names.h"
#include "check/text/values.h"
#include "check/report/explained.h"
#include "explain/faults.h"
#include "explain/shown.h"
#include "explain/words.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <string.h>

// What the printers of one explanation share.
struct explanation_page {
    FILE *out;
    struct arena *arena;
    const struct report *report;
    const struct explanation *explanation;
};

static const struct program *program_of(const struct explanation_page *page) {
    return page->explanation->program;
}

// The same page for executions of another program of the test, with its events' names.
static struct explanation_page page_of_program(const struct explanation_page *page,
                                               const struct program *program,
                                               struct explanation *explanation) {
    struct explanation_page other = *page;
    *explanation = *page->explanation;
    explanation->program = program;
    explanation->names = event_names_new(page->arena, program);
    other.explanation = explanation;
    return other;
}

static const char *event_name(const struct explanation_page *page, unsigned event) {
    return escaped(page->arena, page->explanation->names.items[event]);
}

// " (PTX ISA 8.9.4)", or nothing.
static const char *section_text(struct arena *arena, const char *section) {
    return *section ? arena_format(arena, " (PTX ISA %s)", section) : "";
}

// --- Executions --------------------------------------------------------------------------------

// What an event does in an execution: "reads flag = 1 from P0:1"; "" for fences.
static const char *deed(const struct explanation_page *page,
                        const struct found_execution *execution, unsigned event) {
    struct arena *arena = page->arena;
    enum value_style style = page->report->options->hex ? VALUE_HEX : VALUE_DECIMAL;
    const char *text = deed_text(arena, execution, event, style);
    bool repeats = execution->repeats && execution->repeats[event];
    if (!text)
        return "";
    return escaped(arena,
                   arena_format(arena, "%s%s%s", text,
                                deed_sources(arena, execution, &page->explanation->names, event),
                                repeats ? ", again and again" : ""));
}

static const char *place_text(struct arena *arena, const struct test *test,
                              const struct thread *thread) {
    const struct place *place = &thread->place;
    bool several_gpus = false, several_ctas = false, several_kernels = false;
    for (size_t i = 0; i < test->thread_count; i++) {
        several_gpus |=
            !test_same_gpu(&test->threads[i].place, place) && &test->threads[i] != thread;
        several_ctas |=
            !test_same_cta(&test->threads[i].place, place) && &test->threads[i] != thread;
        several_kernels |= test->threads[i].launch && test->threads[i].launch != thread->launch;
    }
    if (place->host)
        return ", on the host";
    const char *text = several_kernels && thread->launch
                           ? arena_format(arena, ", kernel %s", thread->launch->kernel)
                           : "";
    if (several_ctas)
        text = arena_format(arena, "%s, CTA %u", text, place->cta);
    if (place->has_cluster && several_ctas)
        text = arena_format(arena, "%s of cluster %u", text, place->cluster);
    return several_gpus ? arena_format(arena, "%s, GPU %u", text, place->gpu) : text;
}

// The widths of an execution's columns.
struct event_widths {
    int name, line, text;
};

static unsigned line_of(const struct event *event) {
    const struct span span = event->instruction->opcode_span;
    return source_position(span.source, span.begin).line;
}

static struct event_widths widths_of(const struct explanation_page *page,
                                     const struct found_execution *execution) {
    struct event_widths widths = {0, 1, 0};
    for (unsigned e = 0; e < execution->n; e++) {
        const struct event *event = &program_of(page)->events[e];
        if (!execution->executes[e] || event->thread < 0)
            continue;
        int name = (int)strlen(event_name(page, e));
        int text = (int)strlen(race_instruction_text(page->arena, event->instruction));
        int line = line_of(event) > 999 ? 5 : line_of(event) > 99 ? 3 : line_of(event) > 9 ? 2 : 1;
        widths.name = name > widths.name ? name : widths.name;
        widths.text = text > widths.text ? text : widths.text;
        widths.line = line > widths.line ? line : widths.line;
    }
    widths.text = widths.text > 60 ? 60 : widths.text;
    return widths;
}

static void print_events(const struct explanation_page *page,
                         const struct found_execution *execution) {
    const struct test *test = program_of(page)->test;
    struct event_widths widths = widths_of(page, execution);
    int thread = -1;
    for (unsigned e = 0; e < execution->n; e++) {
        const struct event *event = &program_of(page)->events[e];
        if (!execution->executes[e] || event->thread < 0)
            continue;
        if (event->thread != thread) {
            thread = event->thread;
            fprintf(page->out, "  P%u%s\n", test->threads[thread].number,
                    place_text(page->arena, test, &test->threads[thread]));
        }
        const char *done = deed(page, execution, e);
        const char *text = race_instruction_text(page->arena, event->instruction);
        fprintf(page->out, "    %-*s  line %-*u  ", widths.name, event_name(page, e), widths.line,
                line_of(event));
        fprintf(page->out, *done ? "%-*s  %s\n" : "%.0d%s%s\n", *done ? widths.text : 0, text,
                done);
    }
}

// The threads of CTAs whose launch is cancelled.
static void print_cancelled(const struct explanation_page *page,
                            const struct found_execution *execution) {
    const struct test *test = program_of(page)->test;
    for (size_t t = 0; t < test->thread_count; t++) {
        if (execution->cancelled_by[t] >= 0) {
            fprintf(page->out, "  P%u%s: does not run, since %s cancels its launch\n",
                    test->threads[t].number, place_text(page->arena, test, &test->threads[t]),
                    event_name(page, (unsigned)execution->cancelled_by[t]));
        }
    }
}

// The pairs of an order, joined where one ends where the next begins: "P0:0, P1:0, P0:1".
static void print_order(const struct explanation_page *page, const struct shown_edges *edges,
                        const char *relation, const char *title) {
    bool *used = ARENA_ARRAY(page->arena, bool, edges->count + 1);
    for (size_t i = 0; i < edges->count; i++) {
        if (used[i] || strcmp(edges->items[i].relation, relation) != 0)
            continue;
        fprintf(page->out, "  %s: %s", title, event_name(page, edges->items[i].a));
        for (size_t next = i; next < edges->count;) {
            unsigned end = edges->items[next].b;
            used[next] = true;
            fprintf(page->out, ", then %s", event_name(page, end));
            for (next = 0; next < edges->count; next++)
                if (!used[next] && edges->items[next].a == end &&
                    strcmp(edges->items[next].relation, relation) == 0)
                    break;
        }
        fputc('\n', page->out);
    }
}

static void print_pairs(const struct explanation_page *page, const struct shown_edges *edges,
                        const char *relation, const char *sentence) {
    enum { SHOWN_MAX = 24 };
    size_t count = 0;
    for (size_t i = 0; i < edges->count; i++) {
        if (strcmp(edges->items[i].relation, relation) != 0)
            continue;
        if (count++ < SHOWN_MAX) {
            fprintf(page->out, "  %s\n",
                    words_fill(page->arena, sentence, event_name(page, edges->items[i].a),
                               event_name(page, edges->items[i].b)));
        }
    }
    if (count > SHOWN_MAX)
        fprintf(page->out, "  ... and %zu more pairs like these\n", count - SHOWN_MAX);
}

static void print_execution(const struct explanation_page *page,
                            const struct found_execution *execution) {
    struct shown_edges edges = shown_edges_of(page->arena, page->explanation->model, execution);
    print_events(page, execution);
    print_cancelled(page, execution);
    print_order(page, &edges, "co", "coherence order");
    print_order(page, &edges, "sc", "order of fence.sc");
    print_pairs(page, &edges, "sync", "{a} synchronises with {b}");
    print_pairs(page, &edges, "tensormap-sync",
                "{a} synchronises with {b} for the tensormap proxy");
    print_pairs(page, &edges, "restricted-sync",
                "{a} synchronises with {b} for objects in shared memory");
    print_pairs(page, &edges, "barrier", "{b} waits for {a}");
    fputc('\n', page->out);
}

// --- Steps -------------------------------------------------------------------------------------

static void print_steps(const struct explanation_page *page, const struct step_list *steps,
                        int depth) {
    for (size_t i = 0; i < steps->count; i++) {
        const struct explained_step *step = &steps->items[i];
        fprintf(page->out, "%*s%s%s\n", 2 * depth, "", escaped(page->arena, step->sentence),
                section_text(page->arena, step->section));
        if (step->origin)
            fprintf(page->out, "%*s%s\n", 2 * depth + 2, "", escaped(page->arena, step->origin));
        for (size_t k = 0; k < step->below.note_count; k++) {
            fprintf(page->out, "%*s%s\n", 2 * depth + 2, "",
                    escaped(page->arena, step->below.notes[k].text));
        }
        print_steps(page, &step->below, depth + 1);
    }
}

static const char *axiom_title(struct arena *arena, const struct model_axiom *axiom) {
    const struct axiom_words *words = words_of_axiom(axiom);
    const char *section = words ? section_text(arena, words->section) : "";
    return arena_format(arena, "%s%s", escaped(arena, axiom->name), section);
}

// What keeps threads that communicate from synchronising.
static void print_faults(const struct explanation_page *page) {
    const struct explanation *explanation = page->explanation;
    struct sync_faults faults =
        faults_find(page->arena, explanation->model, explanation->example, &explanation->names);
    for (size_t i = 0; i < faults.count; i++)
        fprintf(page->out, "  %s\n", escaped(page->arena, faults.items[i].sentence));
    fputs(faults.count > 0 ? "\n" : "", page->out);
}

// The axiom that is nearest to forbidding the outcome, and what it lacks.
static void print_nearest(const struct explanation_page *page) {
    const struct explanation *explanation = page->explanation;
    if (!explanation->nearest)
        return;
    fprintf(page->out, "%s comes closest to forbidding it:\n",
            axiom_title(page->arena, explanation->nearest));
    print_steps(page, &explanation->lacking, 1);
    const char *note = why_not_note(page->arena, &explanation->names, &explanation->lacking);
    if (note)
        fprintf(page->out, "%s\n", escaped(page->arena, note));
    fputc('\n', page->out);
}

// The pair that was asked about.
static void print_why_not(const struct explanation_page *page) {
    const struct why_not *why = page->report->explained->why_not;
    if (!why)
        return;
    fprintf(page->out, "%s from %s to %s, in %s execution:\n", escaped(page->arena, why->relation),
            event_name(page, why->a), event_name(page, why->b),
            page->explanation->breach_count > 1 ? "the first" : "this");
    print_steps(page, &why->steps, 1);
    if (!why->holds) {
        fputs(why->is_enough     ? "  Nothing else is missing.\n"
              : why->by_strength ? ""
                                 : "  No order, scope or fence would change that in this "
                                   "execution.\n",
              page->out);
    }
    fputc('\n', page->out);
}

// The changes that would forbid the outcome, each of which was run.
static void print_remedies(const struct explanation_page *page, const struct repair *repair) {
    if (!repair || repair->state == REPAIR_NOT_ASKED)
        return;
    if (repair->state == REPAIR_UNDECIDED) {
        fprintf(page->out,
                "It is not known whether an order, scope or fence would forbid it: %s.\n\n",
                repair->why ? escaped(page->arena, repair->why) : "a limit was reached");
        return;
    }
    if (repair->state == REPAIR_NONE) {
        fprintf(page->out, "No order, scope or fence would forbid it: %s.\n\n",
                repair->why ? escaped(page->arena, repair->why) : "all were tried");
        return;
    }
    for (size_t i = 0; i < repair->count; i++) {
        fputs(i == 0 ? "It would be forbidden (confirmed by a run of the changed test) with\n"
                     : "or with\n",
              page->out);
        for (size_t k = 0; k < repair->remedies[i].word_count; k++)
            fprintf(page->out, "  %s\n", escaped(page->arena, repair->remedies[i].words[k]));
    }
    if (*report_derived_launch(page->report)) {
        fputs("All such changes: ptxlitmus repair, with this launch\n\n", page->out);
        return;
    }
    fprintf(page->out, "All such changes: ptxlitmus repair %s\n\n",
            escaped(page->arena, page->report->path));
}

// --- Flags -------------------------------------------------------------------------------------

// Who races with whom, with an execution each.
static void print_races(const struct explanation_page *page) {
    const struct report *report = page->report;
    const struct outcomes *outcomes = report->outcomes;
    const struct found_execution **executions = report->explained->races;
    if (!executions) { // not searched for
        races_print(page->out, page->arena, report);
        return;
    }
    for (size_t i = 0; i < outcomes->race_count; i++) {
        const struct race *race = &outcomes->races[i];
        fprintf(page->out, "  %s between %s (%s) and %s (%s); %s\n\n",
                flag_name(&outcomes->flags[race->flag]), event_name(page, race->events[0]),
                race_access_text(page->arena, report, race->events[0]),
                event_name(page, race->events[1]),
                race_access_text(page->arena, report, race->events[1]),
                executions[i] ? "for one, in this execution:" : "no execution with it was found");
        if (executions[i])
            print_execution(page, executions[i]);
        const char *why = race_why_text(report, race);
        if (why)
            fprintf(page->out, "  Why they race: %s.\n\n", why);
    }
    if (outcomes->races_cut)
        fputs("  there may be more races: not all pairs were decided\n", page->out);
}

// How the threads fare in an execution that never ends, and that one, where it was found.
static void print_endless(const struct explanation_page *page) {
    struct report fair = *page->report;
    struct explanation explanation;
    fair.outcomes = page->report->explained->endless;
    if (!fair.outcomes || !fair.outcomes->termination.fates)
        return;
    const struct found_execution *execution = fair.outcomes->termination.execution;
    fputs("  In an execution that never ends, even though the schedule serves every thread:\n",
          page->out);
    endings_print(page->out, page->arena, &fair, "    ");
    if (execution) {
        struct explanation_page other = page_of_program(page, execution->program, &explanation);
        fputc('\n', page->out);
        print_execution(&other, execution);
    }
}

static void print_flags(const struct explanation_page *page) {
    const struct report *report = page->report;
    const struct shown_flags flags = flags_shown(page->arena, report->outcomes);
    bool any = false;
    for (size_t i = 0; i < flags.count; i++) {
        if (flags.items[i].holds != TRUTH_YES)
            continue;
        fprintf(page->out, "%s %s: %s.\n", flags.items[i].possible ? "Possible flag" : "Flag",
                flags.items[i].name, flag_meaning(flags.items[i].name));
        any = true;
    }
    print_races(page);
    print_endless(page);
    if (report->outcomes->termination.is_asked &&
        report->outcomes->termination.always == TRUTH_NO) {
        fputs("  In an execution that never ends:\n", page->out);
        endings_print(page->out, page->arena, report, "    ");
    }
    const struct outcomes *endless = report->explained->endless; // executions end with a line
    bool spaced = (report->explained->races && report->explained->races[0]) ||
                  (endless && endless->termination.execution);
    fputs(any && !spaced ? "\n" : "", page->out);
    if (report->explained->hang) {
        fputs("In this execution a thread never leaves a barrier:\n\n", page->out);
        print_execution(page, report->explained->hang);
    }
}

// --- Axioms ------------------------------------------------------------------------------------

// The rule of the axiom: a sentence, or the text of the model.
static void print_rule(const struct explanation_page *page, const struct model_axiom *axiom) {
    const struct axiom_words *words = words_of_axiom(axiom);
    if (words) {
        fprintf(page->out, "  %s\n", words->rule);
        return;
    }
    struct position at = source_position(axiom->span.source, axiom->span.begin);
    fprintf(page->out, "  %s:%u: %s\n", escaped(page->arena, axiom->span.source->path), at.line,
            escaped(page->arena, words_of_span(page->arena, axiom->span)));
}

static void print_breach(const struct explanation_page *page, const struct breach *breach,
                         size_t number) {
    const char *name = escaped(page->arena, breach->axiom->name);
    bool single = page->explanation->breach_count == 1;
    if (single) {
        fprintf(page->out, "This execution has the outcome, and breaks %s%s:\n\n", name,
                breach->alone ? " alone" : "");
    } else {
        fprintf(page->out,
                "%zu. This execution has the outcome, and of these axioms breaks %s "
                "alone:\n\n",
                number, name);
    }
    print_execution(page, breach->execution);
    fprintf(page->out, "It breaks %s:\n", name);
    print_steps(page, &breach->steps, 1);
    for (size_t i = 0; i < breach->steps.note_count; i++)
        fprintf(page->out, "  %s\n", escaped(page->arena, breach->steps.notes[i].text));
    fputc('\n', page->out);
}

// --- Forbidden outcomes ------------------------------------------------------------------------

static void print_missing_value(const struct explanation_page *page,
                                const struct missing_value *missing) {
    const struct observed *observed = &program_of(page)->observed[missing->observed];
    const char *name = escaped(page->arena, observed->json_name);
    enum value_style style = page->report->options->hex ? VALUE_HEX : VALUE_DECIMAL;
    char text[VALUE_TEXT_SIZE];
    if (missing->has_wanted) {
        fprintf(page->out, "  %s is never %s", name,
                value_text(text, missing->wanted, observed->width, observed->is_signed, style));
    } else {
        fprintf(page->out, "  %s", name);
    }
    for (size_t k = 0; k < missing->possible_count; k++) {
        const char *first = missing->has_wanted ? ", but " : " is ";
        bool last = k + 1 == missing->possible_count && !missing->cut;
        fprintf(
            page->out, "%s%s",
            k == 0 ? first
            : last ? " or "
                   : ", ",
            value_text(text, missing->possible[k], observed->width, observed->is_signed, style));
    }
    fputs(missing->cut ? ", ...\n" : "\n", page->out);
}

static void print_missing(const struct explanation_page *page) {
    const struct explanation *explanation = page->explanation;
    fputs("No choice of what the reads return gives this outcome, whatever the axioms say:\n",
          page->out);
    for (size_t i = 0; i < explanation->missing_count; i++)
        print_missing_value(page, &explanation->missing[i]);
    fputc('\n', page->out);
}

static void print_core(const struct explanation_page *page) {
    const struct explanation *explanation = page->explanation;
    if (explanation->assumed) {
        fprintf(page->out, "All executions here satisfy %s, which was not left out.\n",
                axiom_title(page->arena, explanation->assumed));
    }
    if (explanation->breach_count == 1) {
        fprintf(page->out, "Every execution with this outcome breaks %s:\n",
                axiom_title(page->arena, explanation->breaches[0].axiom));
        print_rule(page, explanation->breaches[0].axiom);
    } else {
        fprintf(
            page->out,
            "Every execution with this outcome breaks one of these %zu axioms, and none of them "
            "can be spared:\n",
            explanation->breach_count);
        for (size_t i = 0; i < explanation->breach_count; i++) {
            fprintf(page->out, "%zu. %s:\n", i + 1,
                    axiom_title(page->arena, explanation->breaches[i].axiom));
            print_rule(page, explanation->breaches[i].axiom);
        }
    }
    fputc('\n', page->out);
    for (size_t i = 0; i < explanation->breach_count; i++)
        print_breach(page, &explanation->breaches[i], i + 1);
}

// --- The page ----------------------------------------------------------------------------------

// Whether the faults of a launch are explained, and no outcome: nothing is asked of it, and it has
// some.
static bool is_about_faults(const struct explanation_page *page) {
    const struct explained *explained = page->report->explained;
    return !test_has_condition(page->report->program->test) && !explained->state &&
           (explained->races || explained->hang || explained->endless);
}

static void print_head(const struct explanation_page *page, const char *const tone[2]) {
    const struct report *report = page->report;
    const struct explained *explained = report->explained;
    fprintf(page->out, "%s (%s, %s)\n", escaped(page->arena, report->program->test->name),
            escaped(page->arena, report->path), escaped(page->arena, report->model));
    const struct test *test = report->program->test;
    if (!test_has_condition(test) && !explained->state) {
        fprintf(page->out, "%s%s\n\n",
                test->is_unconditional ? "No outcome is asked of this test"
                                       : "Nothing is asked of this launch",
                is_about_faults(page) ? "; these are its faults:" : ".");
        return;
    }
    const char *outcome = explanation_outcome(page->arena, report);
    fprintf(page->out, "%s%s%s: %s\n\n", tone[0], explained_verdict(explained), tone[1],
            explained->state ? escaped(page->arena, outcome) : outcome);
}

void print_explanation_body(FILE *out, struct arena *arena, const struct report *report) {
    const struct explained *explained = report->explained;
    struct explanation_page page = {out, arena, report, explained->explanation};
    const char *limit = explained_limit(arena, report);
    if (limit)
        fprintf(out, "Not everything could be decided: %s.\n\n", limit);
    if (!page.explanation || explained->is_open)
        return;
    if (page.explanation->reachable == TRUTH_YES) {
        fprintf(out, "This execution %sbreaks no axiom:\n\n",
                test_has_condition(report->program->test) ? "has the outcome, and " : "");
        print_execution(&page, page.explanation->example);
        if (page.explanation->nearest)
            print_nearest(&page);
        else
            print_faults(&page);
        print_why_not(&page);
        print_remedies(&page, explained->repair);
    } else if (page.explanation->reachable == TRUTH_NO && page.explanation->breach_count > 0) {
        print_core(&page);
        print_why_not(&page);
    } else if (page.explanation->reachable == TRUTH_NO && !limit) {
        print_missing(&page);
    }
}

void print_explanation(FILE *out, struct arena *arena, const struct report *report,
                       const char *const tone[2]) {
    struct explanation_page page = {out, arena, report, report->explained->explanation};
    print_head(&page, tone);
    if (!is_about_faults(&page))
        print_explanation_body(out, arena, report);
    if (page.explanation)
        print_flags(&page);
}

const char *explanation_outcome(struct arena *arena, const struct report *report) {
    const struct explained *explained = report->explained;
    if (explained->state)
        return explained->state;
    const char *condition = condition_to_text(arena, report->program, CONDITION_PTX);
    return explained->target.negated ? arena_format(arena, "not (%s)", condition) : condition;
}
