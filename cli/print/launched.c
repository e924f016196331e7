// Races and hangs that a run has met, in the columns of other findings.
#include "cli/print/launched.h"

#include "check/report/findings.h"
#include "check/report/races.h"
#include "check/text/json.h"
#include "check/text/names.h"
#include "cli/print/findings.h"
#include "cli/print/mending.h"
#include "cli/report/added.h"
#include "litmus/source/arena.h"

#include <string.h>

// More races than these are counted in text, and shown in JSON alone.
enum { RACES_SHOWN = 10 };

const char launched_nothing_shared[] = "nothing was shared: no thread accesses memory that another "
                                       "thread or an asynchronous operation writes";

bool launched_shares_nothing(const struct report *report) {
    const struct launch_result *launched = report->added->launched;
    return *report_derived_launch(report) && launched && launched->answer == LAUNCH_IS_FREE &&
           !launched->is_shared;
}

void launched_print_derived(FILE *out, struct arena *arena, const struct report *report) {
    const char *launched = report_derived_launch(report);
    if (*launched) {
        fprintf(out, "%s: %s ran with %s\n", escaped(arena, report->path),
                escaped(arena, report->program->test->name), escaped(arena, launched));
    }
}

// Of faults that rely on what is assumed.
static const char *label_of(struct arena *arena, const struct report *report, const char *name) {
    return report_is_possible(report) ? arena_format(arena, "possible %s", name) : name;
}

static int longer(const char *a, const char *b) {
    size_t first = strlen(a), second = strlen(b);
    return (int)(first > second ? first : second);
}

// Why nothing orders accesses, as the search of a smaller launch has found of the same two places;
// NULL where it has not.
static const char *why_of(struct arena *arena, const struct report *report,
                          const struct launched_race *shown) {
    const struct report *smaller = report->added->smaller;
    const struct findings *findings = smaller ? smaller->added->findings : NULL;
    for (size_t i = 0; findings && i < findings->count; i++) {
        const struct race *other = findings->items[i].race;
        const char *theirs[2];
        for (unsigned k = 0; k < 2; k++) {
            const struct event *event = &smaller->program->events[other->events[k]];
            theirs[k] = race_line_text(arena, smaller, event->instruction);
        }
        if (launched_race_is_at(shown, theirs) && findings->items[i].why)
            return findings->items[i].why;
    }
    return NULL;
}

struct launched_race *launched_found(struct arena *arena, const struct report *report,
                                     size_t *count) {
    struct launched_race *races = launched_races(arena, report, report->added->launched, count);
    for (size_t i = 0; i < *count; i++) {
        const char *why = why_of(arena, report, &races[i]);
        races[i].why = why ? why : races[i].why;
    }
    return races;
}

static void print_race(FILE *out, struct arena *arena, const struct report *report,
                       const struct launched_race *shown) {
    const char *label = label_of(arena, report, shown->name);
    int width = strlen(label) > FINDING_LABEL ? (int)strlen(label) : FINDING_LABEL;
    for (unsigned i = 0; i < 2; i++) {
        fprintf(out, "  %-*s  %-*s  %-*s  | %s\n", width, i == 0 ? label : "",
                longer(shown->places[0], shown->places[1]), shown->places[i],
                longer(shown->accesses[0], shown->accesses[1]), shown->accesses[i],
                finding_text(arena, report, shown->race->accesses[i].instruction));
    }
    if (shown->pairs > 1) {
        fprintf(out, "  %-*s  and %zu more pair%s of accesses there\n", width, "", shown->pairs - 1,
                shown->pairs == 2 ? "" : "s");
    }
    if (shown->stores_alike)
        fprintf(out, "  %-*s  each pair stores the same value\n", width, "");
    fprintf(out, "  %-*s  %s\n", width, "why", shown->why);
}

// How many threads wait at the instruction of one of them; 0 where an earlier one waits there.
static size_t count_alike(const struct launch_result *launched, size_t wait) {
    size_t alike = 0;
    for (size_t i = 0; i < launched->wait_count; i++) {
        bool is_same = launched->waits[i].instruction == launched->waits[wait].instruction;
        if (is_same && i < wait)
            return 0;
        alike += is_same;
    }
    return alike;
}

static void print_waits(FILE *out, struct arena *arena, const struct report *report,
                        const struct launch_result *launched) {
    const char *label = label_of(arena, report, "hang");
    for (size_t i = 0; i < launched->wait_count; i++) {
        size_t alike = count_alike(launched, i);
        if (alike == 0)
            continue;
        const struct launch_wait *wait = &launched->waits[i];
        const char *more = alike > 1 ? arena_format(arena, " and %zu more like it", alike - 1) : "";
        fprintf(out, "  %-*s  %s%s: %s for ever (%s)  | %s\n", FINDING_LABEL, label,
                finding_thread(arena, report, wait->thread), more,
                wait->goes_round ? "goes round a loop" : "waits",
                race_line_text(arena, report, wait->instruction),
                finding_text(arena, report, wait->instruction));
        label = "";
    }
}

static void print_misuse(FILE *out, struct arena *arena, const struct report *report,
                         const struct launch_misuse *misuse) {
    fprintf(out, "  %s  %s: %s (%s)  | %s\n", label_of(arena, report, misuse->flag),
            finding_thread(arena, report, misuse->thread), misuse->why,
            race_line_text(arena, report, misuse->instruction),
            finding_text(arena, report, misuse->instruction));
}

// "all 64 threads", "its thread"
static const char *threads_text(struct arena *arena, const struct report *report) {
    size_t count = report->program->test->thread_count;
    return count == 1 ? "its thread" : arena_format(arena, "all %zu threads", count);
}

static const char *open_text(struct arena *arena, const struct report *report,
                             const struct launch_result *launched) {
    return launched->open ? arena_format(arena, "%s (%s)", launched->why,
                                         race_line_text(arena, report, launched->open))
                          : launched->why;
}

// "once", "12 times, in each order in which they can take turns where they meet"
static const char *runs_text(struct arena *arena, const struct launch_result *launched) {
    if (launched->orders <= 1)
        return "once";
    return arena_format(arena, "%u times, %s in which they can take turns where they meet",
                        launched->orders,
                        launched->answer == LAUNCH_IS_FREE ? "in each order" : "in orders");
}

// "once", "12 times, in each order ...", "for each of the 3 ways in which blocks can be cancelled"
static const char *free_runs_text(struct arena *arena, const struct launch_result *launched) {
    const char *same = launched->orders > 1 ? "" : ": in every order they do the same";
    const char *ways =
        launched->ways <= 1
            ? ""
            : arena_format(arena, "for each of the %u ways in which blocks can be cancelled%s",
                           launched->ways, launched->orders > 1 ? ", in each order" : "");
    if (launched->choices > 1)
        return arena_format(arena, "%u times, with all lanes that 'elect.sync' may choose%s%s%s%s",
                            launched->choices,
                            launched->is_of_alike ? ", if it chooses alike in all warps" : "",
                            launched->ways > 1 ? ", " : "", ways, same);
    return arena_format(arena, "%s%s", launched->ways > 1 ? ways : runs_text(arena, launched),
                        same);
}

void launched_print(FILE *out, struct arena *arena, const struct report *report) {
    const struct launch_result *launched = report->added->launched;
    if (!launched)
        return;
    size_t count;
    const struct launched_race *races = launched_found(arena, report, &count);
    for (size_t i = 0; i < count && i < RACES_SHOWN; i++)
        print_race(out, arena, report, &races[i]);
    if (count > RACES_SHOWN) {
        fprintf(out, "  %-*s  and races of %zu more place%s (--format json shows all)\n",
                FINDING_LABEL, "", count - RACES_SHOWN, count == RACES_SHOWN + 1 ? "" : "s");
    }
    print_waits(out, arena, report, launched);
    if (launched->misuse)
        print_misuse(out, arena, report, launched->misuse);
    fix_print(out, arena, report);
    switch (launched->answer) {
    case LAUNCH_IS_FREE:
        fprintf(out, "  found by running %s %s\n", threads_text(arena, report),
                free_runs_text(arena, launched));
        break;
    case LAUNCH_IS_FAULTY:
        fprintf(out, "  found by running %s %s%s\n", threads_text(arena, report),
                runs_text(arena, launched),
                report->added->smaller
                    ? arena_format(arena, "; reasons by a search of %zu threads",
                                   report->added->smaller->program->test->thread_count)
                    : "");
        break;
    case LAUNCH_IS_OPEN:
        fprintf(out, "  one run does not decide it: %s\n", open_text(arena, report, launched));
        break;
    }
}

static json_t *race_json(struct arena *arena, const struct launched_race *shown) {
    json_t *places = json_array();
    for (unsigned k = 0; k < 2; k++) {
        json_item(places, json_of("{s:o, s:o}", "place", text_json(arena, shown->places[k]),
                                  "access", text_json(arena, shown->accesses[k])));
    }
    return json_of("{s:s, s:o, s:I, s:b, s:o}", "flag", shown->name, "places", places, "pairs",
                   (json_int_t)shown->pairs, "same_value", shown->stores_alike, "why",
                   text_json(arena, shown->why));
}

json_t *launched_findings_json(struct arena *arena, const struct report *report) {
    json_t *array = json_array();
    size_t count;
    const struct launched_race *races = launched_found(arena, report, &count);
    for (size_t i = 0; i < count; i++)
        json_item(array, race_json(arena, &races[i]));
    return array;
}

json_t *launched_json(struct arena *arena, const struct report *report) {
    const struct launch_result *launched = report->added->launched;
    json_t *object =
        json_of("{s:b, s:I, s:I, s:b}", "decides", launched->answer != LAUNCH_IS_OPEN, "threads",
                (json_int_t)report->program->test->thread_count, "instructions",
                (json_int_t)launched->instructions, "shared", launched->is_shared);
    if (launched->choices > 1) {
        json_field(object, "runs", json_integer((json_int_t)launched->choices));
        json_field(object, "elects_alike", json_boolean(launched->is_of_alike));
    }
    if (launched->ways > 1)
        json_field(object, "ways", json_integer((json_int_t)launched->ways));
    if (launched->orders > 0)
        json_field(object, "orders", json_integer((json_int_t)launched->orders));
    if (launched->why)
        json_field(object, "reason", text_json(arena, open_text(arena, report, launched)));
    return object;
}
