// Races by their places, and what accesses and threads are called.
#include "check/report/findings.h"

#include "check/text/names.h"
#include "check/report/races.h"
#include "explain/events.h"
#include "litmus/readers/module/origin.h"
#include "litmus/source/arena.h"
#include "litmus/source/demangle.h"

#include <string.h>

static const struct event *event_at(const struct report *report, unsigned event) {
    return &report->program->events[event];
}

// --- Threads -----------------------------------------------------------------------------------

// "5", or "(1,2,0)" where the launch has more than one dimension.
static const char *index_text(struct arena *arena, const unsigned index[3],
                              const unsigned extent[3]) {
    return extent[1] == 1 && extent[2] == 1
               ? arena_format(arena, "%u", index[0])
               : arena_format(arena, "(%u,%u,%u)", index[0], index[1], index[2]);
}

// Whether the test has threads of another launch, too.
static bool has_other_launch(const struct test *test, const struct launch *launch) {
    for (size_t t = 0; t < test->thread_count; t++)
        if (test->threads[t].launch != launch)
            return true;
    return false;
}

const char *finding_thread(struct arena *arena, const struct report *report, int thread) {
    const struct test *test = report->program->test;
    const struct thread *t = &test->threads[thread];
    if (!t->launch)
        return arena_format(arena, "P%u", t->number);
    const char *name =
        arena_format(arena, "thread %s of block %s", index_text(arena, t->tid, t->launch->block),
                     index_text(arena, t->cta, t->launch->grid));
    return has_other_launch(test, t->launch)
               ? arena_format(arena, "%s of %s (P%u)", name, escaped(arena, t->launch->kernel),
                              t->number)
               : name;
}

// --- Accesses ----------------------------------------------------------------------------------

// The place that both accesses may touch, or the only one of the first; NULL where there are
// several.
static const struct candidate *place_of(const struct event *event, const struct event *other) {
    const struct candidate *found = NULL;
    for (size_t i = 0; i < event->candidate_count; i++) {
        for (size_t k = 0; k < other->candidate_count; k++) {
            const struct candidate *a = &event->candidates[i], *b = &other->candidates[k];
            if (a->object == b->object && a->offset < b->offset + other->size &&
                b->offset < a->offset + event->size) {
                if (found && found != a)
                    return NULL;
                found = a;
            }
        }
    }
    return found;
}

const char *finding_variable(struct arena *arena, const char *name) {
    const char *plain = demangle(arena, name), *last = plain;
    for (const char *at = plain; (at = strstr(at, "::")) != NULL;) {
        at += 2;
        last = at;
    }
    return escaped(arena, last);
}

// "data[0]", or "a part of data" where the place is not known.
static const char *memory_name(struct arena *arena, const struct report *report,
                               const struct event *event, const struct event *other) {
    const struct program *program = report->program;
    const struct candidate *place = place_of(event, other);
    if (event->candidate_count == 0)
        return "memory";
    unsigned range = (place ? place : event->candidates)->range;
    const char *name =
        program->test->variables[program->memory.virtual_ranges[range].variable].name;
    if (!place)
        return arena_format(arena, "a part of %s", finding_variable(arena, name));
    if (program->test->variables[program->memory.virtual_ranges[range].variable].type == TYPE_B8 &&
        event->size > 1) {
        return arena_format(arena, "bytes %llu to %llu of %s", (unsigned long long)place->offset,
                            (unsigned long long)place->offset + event->size - 1,
                            finding_variable(arena, name));
    }
    const char *text = event_place_name(arena, program, event, place), *at = strstr(text, name);
    return arena_format(arena, "%.*s%s%s", (int)(at - text), text, finding_variable(arena, name),
                        at + strlen(name));
}

const char *finding_access(struct arena *arena, const struct report *report,
                           const struct event *event, const struct event *other) {
    bool is_atomic = event->access && event->access->rmw >= 0;
    const char *deed = is_atomic ? "updated" : event->kind == EVENT_READ ? "read" : "written";
    const char *by = event_is_detached(event) ? "by an asynchronous operation of" : "by";
    bool is_access = event->kind == EVENT_READ || event->kind == EVENT_WRITE;
    if (!is_access && event->candidate_count == 0) // a barrier, or an instruction that is misused
        return arena_format(arena, "executed %s %s", by,
                            finding_thread(arena, report, event->thread));
    return arena_format(arena, "%s %s %s %s", memory_name(arena, report, event, other), deed, by,
                        finding_thread(arena, report, event->thread));
}

// --- Findings ----------------------------------------------------------------------------------

// Where an event is, as text to compare: threads do not matter.
static const char *key_of(struct arena *arena, const struct report *report, unsigned event) {
    const struct instruction *instruction = event_at(report, event)->instruction;
    const char *line = instruction ? race_source_text(arena, instruction) : NULL;
    return line          ? line
           : instruction ? arena_format(arena, "%u", instruction->opcode_span.begin)
                         : "";
}

static bool is_same(const struct race_finding *a, const struct race_finding *b) {
    return a->race->flag == b->race->flag && a->race->possible == b->race->possible &&
           ((strcmp(a->keys[0], b->keys[0]) == 0 && strcmp(a->keys[1], b->keys[1]) == 0) ||
            (strcmp(a->keys[0], b->keys[1]) == 0 && strcmp(a->keys[1], b->keys[0]) == 0));
}

struct findings findings_of(struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    struct findings findings = {
        .items = ARENA_ARRAY(arena, struct race_finding, outcomes->race_count + 1)};
    for (size_t i = 0; i < outcomes->race_count; i++) {
        const struct race *race = &outcomes->races[i];
        const struct race_finding finding = {.race = race,
                                             .keys = {key_of(arena, report, race->events[0]),
                                                      key_of(arena, report, race->events[1])}};
        size_t k = 0;
        while (k < findings.count && !is_same(&findings.items[k], &finding))
            k++;
        if (k == findings.count)
            findings.items[findings.count++] = finding;
        findings.items[k].pairs++;
    }
    return findings;
}

// --- Names -------------------------------------------------------------------------------------

static const char *kind_name(const struct event *event) {
    bool is_wait = event->mbarrier && event->mbarrier->kind == MBARRIER_KIND_WAIT;
    switch (event->kind) {
    case EVENT_READ:
        return is_wait                   ? "the wait"
               : event->mbarrier         ? "the operation"
               : event->access->rmw >= 0 ? "the atomic operation"
                                         : "the load";
    case EVENT_WRITE:
        return event->mbarrier           ? "the arrival"
               : event->access->rmw >= 0 ? "the atomic operation"
                                         : "the store";
    case EVENT_FENCE:
    case EVENT_PROXY_FENCE: return "the fence";
    case EVENT_BARRIER: return "the barrier";
    default: return "the instruction";
    }
}

struct event_names finding_names(struct arena *arena, const struct report *report) {
    struct event_names names = event_names_new(arena, report->program);
    for (size_t t = 0; t < report->program->test->thread_count; t++)
        names.threads[t] = finding_thread(arena, report, (int)t);
    for (size_t e = 0; e < names.count; e++) {
        const struct event *event = event_at(report, (unsigned)e);
        if (event->instruction) {
            names.items[e] = arena_format(arena, "%s at %s", kind_name(event),
                                          race_line_text(arena, report, event->instruction));
        }
    }
    return names;
}
