// A line for what `explain` says in many: the axioms that it takes, or what keeps the threads of an
// execution from synchronising.
#include "cli/print/reason.h"

#include "cli/report/added.h"

#include "check/text/names.h"
#include "check/report/explained.h"
#include "explain/faults.h"
#include "explain/why_not.h"
#include "explain/words.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <string.h>

// Events by where they are, for a page that does not list them: "P1 (line 8)".
static struct event_names names_by_line(struct arena *arena, const struct program *program) {
    struct event_names names = event_names_new(arena, program);
    for (unsigned e = 0; e < program->event_count; e++) {
        const struct event *event = &program->events[e];
        names.items[e] = "the initial value";
        if (event->thread >= 0 && event->instruction) {
            const struct span span = event->instruction->opcode_span;
            names.items[e] =
                arena_format(arena, "P%u (line %u)", program->test->threads[event->thread].number,
                             source_position(span.source, span.begin).line);
        }
    }
    return names;
}

// "Causality (PTX ISA 8.10.6)", "Atomicity, Coherence-ms or Coherence".
static const char *axioms_text(struct arena *arena, const struct explanation *explanation) {
    const char *list = "";
    size_t count = explanation->breach_count;
    for (size_t i = 0; i < count; i++) {
        const struct model_axiom *axiom = explanation->breaches[i].axiom;
        const struct axiom_words *words = words_of_axiom(axiom);
        const char *section =
            words && *words->section ? arena_format(arena, " (PTX ISA %s)", words->section) : "";
        list = arena_format(arena, "%s%s%s%s", list,
                            i == 0           ? ""
                            : i + 1 == count ? " or "
                                             : ", ",
                            escaped(arena, axiom->name), section);
    }
    return list;
}

static const char *reason_text(struct arena *arena, const struct explained *why) {
    const struct explanation *explanation = why->explanation;
    const char *which = why->target.negated ? "that violates it" : "with this outcome";
    if (explanation->reachable == TRUTH_NO && explanation->breach_count > 0) {
        return arena_format(arena, "every execution %s breaks %s", which,
                            axioms_text(arena, explanation));
    }
    if (explanation->reachable == TRUTH_NO) {
        return why->target.negated ? "no choice of what the reads return violates it"
                                   : "no choice of what the reads return gives this outcome";
    }
    struct event_names names = names_by_line(arena, explanation->program);
    struct sync_faults faults =
        faults_find(arena, explanation->model, explanation->example, &names);
    if (faults.count == 0) {
        struct step_list lacking = {0};
        const struct model_axiom *nearest =
            why_not_nearest(arena, explanation->model, explanation->example, &names, &lacking);
        const char *gist = why_not_gist(arena, &lacking);
        return nearest && *gist
                   ? arena_format(
                         arena,
                         "an execution %s breaks no axiom, and %s would forbid it but for this: %s",
                         which, nearest->name, gist)
                   : arena_format(arena, "an execution %s breaks no axiom", which);
    }
    return arena_format(arena, "in an execution %s, %s", which, faults.items[0].sentence);
}

// The command that explains the report: with the model and the target, where they were given.
static const char *command_text(struct arena *arena, const struct report *report) {
    const struct check_options *options = report->options;
    const char *command = "ptxlitmus explain";
    if (options->model_count > 0)
        command = arena_format(arena, "%s --model %s", command, options->models[0]);
    if (options->target_count > 0)
        command = arena_format(arena, "%s --target %s", command, options->targets[0]);
    return escaped(arena, arena_format(arena, "%s %s", command, report->path));
}

enum { LINE_MAX_LENGTH = 100, INDENTATION = 7 }; // characters; that of "  why: "

// Prints words to the end of a line, of which "  why:" is there, and on as many further lines as it
// takes.
static void print_words(FILE *out, const char *text) {
    size_t column = INDENTATION - 1;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column > INDENTATION && column + 1 + length > LINE_MAX_LENGTH) {
            fprintf(out, "\n%*s", INDENTATION - 1, "");
            column = INDENTATION - 1;
        }
        fprintf(out, " %.*s", (int)length, text);
        column += 1 + length;
        text += length + strspn(text + length, " ");
    }
    fputc('\n', out);
}

const char *reason_lost(const struct report *report) {
    const struct explained *why = report->added->why;
    if (!why || !why->explanation)
        return NULL;
    switch (why->explanation->reason) {
    case REASON_NONE: return NULL;
    case REASON_TIMEOUT: return "the search for it took too long";
    case REASON_MEMORY: return "the memory was not enough";
    case REASON_INTERRUPTED: return "interrupted";
    case REASON_SOLVER: return "the solver gave up";
    case REASON_RUN: return "one run does not decide";
    }
    return NULL;
}

void reason_print(FILE *out, struct arena *arena, const struct report *report) {
    const struct explained *why = report->added->why;
    const char *lost = reason_lost(report);
    if (!why || !why->explanation || why->is_open ||
        (!lost && why->explanation->reachable == TRUTH_UNKNOWN))
        return;
    fputs("  why:", out);
    print_words(out, lost ? arena_format(arena, "not known: %s", lost)
                          : escaped(arena, reason_text(arena, why)));
    if (!*report_derived_launch(report)) // else the command is as long as this one
        fprintf(out, "  more: %s\n", command_text(arena, report));
}
