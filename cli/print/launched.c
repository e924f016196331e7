// Races and hangs that a run has met, in the columns of other findings.
#include "cli/print/launched.h"

#include "check/report/findings.h"
#include "check/report/races.h"
#include "check/text/json.h"
#include "check/text/names.h"
#include "cli/print/findings.h"
#include "cli/print/mending.h"
#include "cli/print/source_line.h"
#include "cli/report/added.h"
#include "launch/launch.h"
#include "litmus/source/arena.h"

#include <string.h>

enum { TEXT_MAX = 60 };

static const char *text_of(struct arena *arena, const struct report *report,
                           const struct instruction *instruction) {
    const char *line = source_line_text(arena, report, instruction);
    const char *text = line ? escaped(arena, line) : race_instruction_text(arena, instruction);
    return strlen(text) <= TEXT_MAX ? text : arena_format(arena, "%.*s...", TEXT_MAX - 3, text);
}

// "data[3]", or "bytes 12 to 15 of tile" of an array of bytes.
static const char *place_of(struct arena *arena, const struct variable *variable,
                            const struct launch_access *access) {
    const char *name = finding_variable(arena, variable->name);
    unsigned bits = scalar_type_bits(variable->type), element = bits < 8 ? 1 : bits / 8;
    unsigned long long offset = access->offset, end = offset + access->size - 1;
    if (!variable->is_array && access->size == element) {
        return name;
    }
    if (access->size == element && offset % element == 0) {
        return arena_format(arena, "%s[%llu]", name, offset / element);
    }
    return arena_format(arena, "bytes %llu to %llu of %s", offset, end, name);
}

static const char *access_text(struct arena *arena, const struct report *report,
                               const struct launch_race *race, unsigned side) {
    const struct launch_access *access = &race->accesses[side];
    const struct variable *variable = &report->program->test->variables[race->variable];
    const char *deed = access->is_atomic ? "updated" : access->writes ? "written" : "read";
    const char *by = access->is_detached ? "by an asynchronous operation of" : "by";
    return arena_format(arena, "%s %s %s %s", place_of(arena, variable, access), deed, by,
                        finding_thread(arena, report, access->thread));
}

static const char *race_name(const struct launch_race *race) {
    return race->is_of_mixed_sizes ? "mixed-size-race" : "data-race";
}

static int longer(const char *a, const char *b) {
    size_t first = strlen(a), second = strlen(b);
    return (int)(first > second ? first : second);
}

// Why nothing orders accesses, as the search of a smaller launch has found of the same two places;
// NULL where it has not.
static const char *why_of(struct arena *arena, const struct report *report,
                          const struct launch_race *race) {
    const struct report *smaller = report->added->smaller;
    const struct findings *findings = smaller ? smaller->added->findings : NULL;
    const char *places[2];
    for (unsigned i = 0; i < 2; i++) {
        places[i] = race_line_text(arena, report, race->accesses[i].instruction);
    }
    for (size_t i = 0; findings && i < findings->count; i++) {
        const struct race *other = findings->items[i].race;
        const char *theirs[2];
        for (unsigned k = 0; k < 2; k++) {
            const struct event *event = &smaller->program->events[other->events[k]];
            theirs[k] = race_line_text(arena, smaller, event->instruction);
        }
        bool same = strcmp(places[0], theirs[0]) == 0 && strcmp(places[1], theirs[1]) == 0;
        bool swapped = strcmp(places[0], theirs[1]) == 0 && strcmp(places[1], theirs[0]) == 0;
        if ((same || swapped) && findings->items[i].why) {
            return findings->items[i].why;
        }
    }
    return NULL;
}

static void print_race(FILE *out, struct arena *arena, const struct report *report,
                       const struct launch_race *race) {
    const char *places[2], *accesses[2];
    for (unsigned i = 0; i < 2; i++) {
        places[i] = race_line_text(arena, report, race->accesses[i].instruction);
        accesses[i] = access_text(arena, report, race, i);
    }
    for (unsigned i = 0; i < 2; i++) {
        fprintf(out, "  %-*s  %-*s  %-*s  | %s\n", FINDING_LABEL, i == 0 ? race_name(race) : "",
                longer(places[0], places[1]), places[i], longer(accesses[0], accesses[1]),
                accesses[i], text_of(arena, report, race->accesses[i].instruction));
    }
    if (race->pairs > 1) {
        fprintf(out, "  %-*s  and %zu more pair%s of accesses there\n", FINDING_LABEL, "",
                race->pairs - 1, race->pairs == 2 ? "" : "s");
    }
    const char *why = why_of(arena, report, race);
    if (why) {
        fprintf(out, "  %-*s  %s\n", FINDING_LABEL, "why", why);
    }
}

// How many threads wait at the instruction of one of them; 0 where an earlier one waits there.
static size_t count_alike(const struct launch_result *launched, size_t wait) {
    size_t alike = 0;
    for (size_t i = 0; i < launched->wait_count; i++) {
        bool is_same = launched->waits[i].instruction == launched->waits[wait].instruction;
        if (is_same && i < wait) {
            return 0;
        }
        alike += is_same;
    }
    return alike;
}

static void print_waits(FILE *out, struct arena *arena, const struct report *report,
                        const struct launch_result *launched) {
    const char *label = "hang";
    for (size_t i = 0; i < launched->wait_count; i++) {
        size_t alike = count_alike(launched, i);
        if (alike == 0) {
            continue;
        }
        const struct launch_wait *wait = &launched->waits[i];
        const char *more =
            alike > 1 ? arena_format(arena, " and %zu more like it", alike - 1) : "";
        fprintf(out, "  %-*s  %s%s: waits for ever (%s)  | %s\n", FINDING_LABEL, label,
                finding_thread(arena, report, wait->thread), more,
                race_line_text(arena, report, wait->instruction),
                text_of(arena, report, wait->instruction));
        label = "";
    }
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

void launched_print(FILE *out, struct arena *arena, const struct report *report) {
    const struct launch_result *launched = report->added->launched;
    if (!launched) {
        return;
    }
    for (size_t i = 0; i < launched->race_count; i++) {
        print_race(out, arena, report, &launched->races[i]);
    }
    print_waits(out, arena, report, launched);
    if (report->added->smaller) {
        fix_print(out, arena, report->added->smaller);
    }
    switch (launched->answer) {
    case LAUNCH_IS_FREE:
        fprintf(out, "  found by running %s once: in every order they do the same\n",
                threads_text(arena, report));
        break;
    case LAUNCH_IS_FAULTY:
        fprintf(out, "  found by running %s once%s\n", threads_text(arena, report),
                report->added->smaller
                    ? arena_format(arena, "; reasons and fixes by a search of %zu threads",
                                   report->added->smaller->program->test->thread_count)
                    : "");
        break;
    case LAUNCH_IS_OPEN:
        fprintf(out, "  one run does not decide it: %s\n", open_text(arena, report, launched));
        break;
    }
}

json_t *launched_json(struct arena *arena, const struct report *report) {
    const struct launch_result *launched = report->added->launched;
    if (!launched) {
        return NULL;
    }
    json_t *object = json_object(), *races = json_array();
    json_field(object, "decides", json_boolean(launched->answer != LAUNCH_IS_OPEN));
    json_field(object, "threads", json_integer((json_int_t)report->program->test->thread_count));
    json_field(object, "instructions", json_integer((json_int_t)launched->instructions));
    if (launched->why) {
        json_field(object, "reason", text_json(arena, open_text(arena, report, launched)));
    }
    for (size_t i = 0; i < launched->race_count; i++) {
        const struct launch_race *race = &launched->races[i];
        json_t *item = json_object(), *places = json_array();
        for (unsigned k = 0; k < 2; k++) {
            json_t *place = json_object();
            json_field(place, "place",
                       text_json(arena,
                                 race_line_text(arena, report, race->accesses[k].instruction)));
            json_field(place, "access", text_json(arena, access_text(arena, report, race, k)));
            json_item(places, place);
        }
        json_field(item, "flag", json_string(race_name(race)));
        json_field(item, "places", places);
        json_field(item, "pairs", json_integer((json_int_t)race->pairs));
        const char *why = why_of(arena, report, race);
        if (why) {
            json_field(item, "why", text_json(arena, why));
        }
        json_item(races, item);
    }
    json_field(object, "races", races);
    return object;
}
