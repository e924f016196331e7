// The races of a run by their places, with what is said of each.
#include "check/report/launched_races.h"

#include "check/report/findings.h"
#include "check/report/races.h"
#include "litmus/source/arena.h"

#include <string.h>

// "data[3]", or "bytes 12 to 15 of tile" of an array of bytes.
static const char *place_of(struct arena *arena, const struct variable *variable,
                            const struct launch_access *access) {
    const char *name = finding_variable(arena, variable->name);
    unsigned bits = scalar_type_bits(variable->type), element = bits < 8 ? 1 : bits / 8;
    unsigned long long offset = access->offset, end = offset + access->size - 1;
    if (!variable->is_array && access->size == element)
        return name;
    if (access->size == element && offset % element == 0)
        return arena_format(arena, "%s[%llu]", name, offset / element);
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

// Puts the access that comes first in the text first.
static const struct launch_race *in_order(struct arena *arena, const struct launch_race *race) {
    const struct instruction *a = race->accesses[0].instruction, *b = race->accesses[1].instruction;
    if (a->span.source != b->span.source || a->span.begin <= b->span.begin)
        return race;
    struct launch_race *swapped = ARENA_NEW(arena, struct launch_race);
    *swapped = *race;
    swapped->accesses[0] = race->accesses[1];
    swapped->accesses[1] = race->accesses[0];
    return swapped;
}

bool launched_race_is_at(const struct launched_race *shown, const char *const places[2]) {
    return (strcmp(shown->places[0], places[0]) == 0 && strcmp(shown->places[1], places[1]) == 0) ||
           (strcmp(shown->places[0], places[1]) == 0 && strcmp(shown->places[1], places[0]) == 0);
}

// What a run alone shows of why nothing orders two accesses.
static const char *why_of_run(const struct report *report, const struct launch_race *race) {
    const struct thread *threads = report->program->test->threads;
    if (race->accesses[0].is_detached || race->accesses[1].is_detached) {
        return "one of them is done by an asynchronous operation, and no wait or barrier after the "
               "first one, or no proxy fence, comes between";
    }
    return test_same_cta(&threads[race->accesses[0].thread].place,
                         &threads[race->accesses[1].thread].place)
               ? "nothing orders them: no barrier of the block, and no wait, comes between"
               : "nothing orders them: they are in different blocks, and no barrier comes between";
}

// Adds a race to those of its places.
static void add_race(struct arena *arena, const struct report *report,
                     const struct launch_race *race, struct launched_race *shown, size_t *count) {
    struct launched_race added = {.race = race, .name = race_name(race)};
    for (unsigned k = 0; k < 2; k++) {
        added.places[k] = race_line_text(arena, report, race->accesses[k].instruction);
        added.accesses[k] = access_text(arena, report, race, k);
    }
    size_t at = 0;
    while (at < *count && (!launched_race_is_at(&shown[at], added.places) ||
                           shown[at].race->is_of_mixed_sizes != race->is_of_mixed_sizes))
        at++;
    if (at == *count) {
        added.why = why_of_run(report, race);
        shown[(*count)++] = added;
    }
    shown[at].stores_alike =
        shown[at].pairs == 0 ? race->stores_alike : shown[at].stores_alike && race->stores_alike;
    shown[at].pairs += race->pairs;
}

struct launched_race *launched_races(struct arena *arena, const struct report *report,
                                     const struct launch_result *launched, size_t *count) {
    struct launched_race *shown =
        ARENA_ARRAY(arena, struct launched_race, launched->race_count + 1);
    *count = 0;
    for (size_t i = 0; i < launched->race_count; i++)
        add_race(arena, report, in_order(arena, &launched->races[i]), shown, count);
    return shown;
}
