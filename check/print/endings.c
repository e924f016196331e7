// Whether a test ends, in words: the verdict, and how each thread fares in an execution that does
// not.
#include "check/print/endings.h"

#include "check/report/findings.h"
#include "check/report/races.h"
#include "check/text/deeds.h"
#include "check/text/json.h"
#include "check/text/values.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <inttypes.h>

const char *termination_text(const struct termination *termination) {
    static const char *const texts[] = {
        [TRUTH_UNKNOWN] = "unknown", [TRUTH_NO] = "maybe", [TRUTH_YES] = "always"};
    return texts[termination->always];
}

// "x", "x+4"
static const char *place_text(struct arena *arena, const struct awaited *awaited) {
    const char *name = finding_variable(arena, awaited->name);
    return awaited->offset == 0 ? name : arena_format(arena, "%s+%" PRIu64, name, awaited->offset);
}

static const char *awaited_text(struct arena *arena, const struct report *report,
                                const struct awaited *awaited) {
    switch (awaited->cause) {
    case AWAITED_LAST: return "nothing later is written there";
    case AWAITED_UNSEEN:
        return arena_format(arena, "it need not ever see what %s writes there later",
                            finding_thread(arena, report, awaited->writer));
    case AWAITED_WRITTEN: return "which a loop writes again and again";
    }
    return "";
}

// "goes round for ever (line 5): reads x = 0 (line 6), nothing later is written there"
static const char *stays_text(struct arena *arena, const struct report *report,
                              const struct thread_fate *fate) {
    bool waits = fate->awaited_count == 1 && fate->awaited[0].is_mbarrier &&
                 fate->awaited[0].instruction == fate->at;
    const char *text = arena_format(
        arena, waits ? "waits at an mbarrier for ever (%s)" : "goes round a loop for ever (%s)",
        race_line_text(arena, report, fate->at));
    for (size_t i = 0; i < fate->awaited_count; i++) {
        const struct awaited *awaited = &fate->awaited[i];
        char value[VALUE_TEXT_SIZE];
        value_text(value, awaited->value, awaited->width, false,
                   report->options->hex ? VALUE_HEX : VALUE_HERD);
        text = arena_format(arena, "%s%s reads %s = %s (%s), %s", text, i == 0 ? ":" : ";",
                            place_text(arena, awaited),
                            awaited->is_mbarrier ? deed_mbarrier(arena, awaited->value.low) : value,
                            race_line_text(arena, report, awaited->instruction),
                            awaited_text(arena, report, awaited));
    }
    return text;
}

// "never leaves the barrier (line 5): not there are P1, P2"
static const char *blocked_text(struct arena *arena, const struct report *report,
                                const struct thread_fate *fate) {
    enum { SHOWN = 4 };
    const char *text = arena_format(arena, "never leaves the barrier (%s)",
                                    race_line_text(arena, report, fate->at));
    for (size_t i = 0; i < fate->missing_count && i < SHOWN; i++)
        text = arena_format(arena, "%s%s%s", text, i == 0 ? ": not there are " : ", ",
                            finding_thread(arena, report, fate->missing[i]));
    return fate->missing_count <= SHOWN
               ? text
               : arena_format(arena, "%s and %zu more", text, fate->missing_count - SHOWN);
}

static bool spans_gpus(const struct test *test) {
    for (size_t t = 1; t < test->thread_count; t++)
        if (!test->threads[t].place.host && !test->threads[0].place.host &&
            !test_same_gpu(&test->threads[0].place, &test->threads[t].place))
            return true;
    return false;
}

// Why a thread may be left out.
static const char *promise_text(struct arena *arena, const struct report *report) {
    const struct termination *termination = &report->outcomes->termination;
    if (termination->progress == PROGRESS_CUDA && spans_gpus(report->program->test))
        return "while a thread of another cluster goes on, cuda does not promise that its cluster "
               "begins, nor that launches on two GPUs run at once ('progress fair' takes that for "
               "granted)";
    if (termination->progress == PROGRESS_CUDA)
        return "while a thread of another cluster goes on, cuda does not promise that its cluster "
               "begins";
    return arena_format(arena, "%s does not promise that it is served",
                        progress_text(arena, termination->progress, &termination->schedule));
}

const char *fate_text(struct arena *arena, const struct report *report,
                      const struct thread_fate *fate) {
    switch (fate->fate) {
    case FATE_ENDS: return "ends";
    case FATE_STAYS: return stays_text(arena, report, fate);
    case FATE_BLOCKED: return blocked_text(arena, report, fate);
    case FATE_NOT_STARTED:
        return arena_format(arena, "never begins: %s", promise_text(arena, report));
    case FATE_STARVED:
        return arena_format(arena, "goes no further: %s", promise_text(arena, report));
    }
    return "";
}

void endings_print(FILE *out, struct arena *arena, const struct report *report,
                   const char *indent) {
    const struct termination *termination = &report->outcomes->termination;
    const struct test *test = report->program->test;
    for (size_t t = 0; termination->fates && t < test->thread_count; t++)
        fprintf(out, "%sP%u %s\n", indent, test->threads[t].number,
                fate_text(arena, report, &termination->fates[t]));
}

static unsigned line_of(const struct instruction *instruction) {
    return source_position(instruction->span.source, instruction->span.begin).line;
}

json_t *endings_json(struct arena *arena, const struct report *report) {
    static const char *const fates[] = {"ends", "stays", "blocked", "not started", "starved"};
    const struct termination *termination = &report->outcomes->termination;
    const struct test *test = report->program->test;
    json_t *object = json_object(), *threads = json_array();
    json_field(object, "promise",
               json_string(progress_text(arena, termination->progress, &termination->schedule)));
    json_field(object, "terminates", json_string(termination_text(termination)));
    if (termination->possible)
        json_field(object, "possible", json_true());
    for (size_t t = 0; termination->fates && t < test->thread_count; t++) {
        const struct thread_fate *fate = &termination->fates[t];
        json_t *thread = json_object();
        json_field(thread, "thread",
                   json_string(arena_format(arena, "P%u", test->threads[t].number)));
        json_field(thread, "fate", json_string(fates[fate->fate]));
        if (fate->at)
            json_field(thread, "line", json_integer(line_of(fate->at)));
        json_field(thread, "text", json_string(fate_text(arena, report, fate)));
        json_item(threads, thread);
    }
    if (termination->fates)
        json_field(object, "witness", threads);
    else
        json_decref(threads);
    return object;
}
