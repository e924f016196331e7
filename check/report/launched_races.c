// The races of a run by their places, with what is said of each.
#include "check/report/launched_races.h"

#include "check/report/findings.h"
#include "check/report/races.h"
#include "litmus/source/arena.h"
#include "litmus/source/containers.h"

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

// "tensor memory from lane 0, column 16 on"
static const char *tensor_place(struct arena *arena, const struct launch_access *access) {
    enum { LANE_AT = 16 };
    return arena_format(arena, "tensor memory from lane %llu, column %llu on",
                        (unsigned long long)(access->offset >> LANE_AT),
                        (unsigned long long)(access->offset & UINT16_MAX));
}

static const char *access_text(struct arena *arena, const struct report *report,
                               const struct launch_race *race, unsigned side) {
    const struct launch_access *access = &race->accesses[side];
    const struct variable *variables = report->program->test->variables;
    const char *deed = access->is_atomic ? "updated" : access->writes ? "written" : "read";
    const char *by = access->is_detached ? "by an asynchronous operation of" : "by";
    const char *place = race->variable == LAUNCH_TENSOR_MEMORY
                            ? tensor_place(arena, access)
                            : place_of(arena, &variables[race->variable], access);
    return arena_format(arena, "%s %s %s %s", place, deed, by,
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

// Whether a copy reads its tensormap.
static bool is_of_map(const struct launch_access *access) {
    return opcode_has(access->instruction->opcode, TRAIT_MAPPED) && !access->writes &&
           access->size == TENSOR_MAP_BYTES && !access->is_detached;
}

// What a run alone shows of why nothing orders two accesses.
static const char *why_of_run(const struct report *report, const struct launch_race *race) {
    const struct thread *threads = report->program->test->threads;
    if (race->variable == LAUNCH_TENSOR_MEMORY)
        return "nothing orders them: no 'tcgen05.wait' or 'tcgen05.commit' with a wait for it, or "
               "no 'tcgen05.fence', comes between";
    if (race->accesses[0].is_detached || race->accesses[1].is_detached) {
        return "one of them is done by an asynchronous operation, and no wait or barrier after the "
               "first one, or no proxy fence, comes between";
    }
    if (is_of_map(&race->accesses[0]) || is_of_map(&race->accesses[1]))
        return "a copy reads its tensormap in a proxy of its own, and no release of that proxy and "
               "acquire of the map come between";
    return test_same_cta(&threads[race->accesses[0].thread].place,
                         &threads[race->accesses[1].thread].place)
               ? "nothing orders them: no barrier of the block, and no wait, comes between"
               : "nothing orders them: they are in different blocks, and no barrier comes between";
}

// The races that are shown, by their places.
struct shown_places {
    const char *key;
    struct launched_race *shown;
    UT_hash_handle hh;
};

static const char *places_key(struct arena *arena, const struct launched_race *race) {
    const char *const *places = race->places;
    bool swaps = strcmp(places[0], places[1]) > 0;
    return arena_format(arena, "%d %s|%s", (int)race->race->is_of_mixed_sizes,
                        places[swaps ? 1 : 0], places[swaps ? 0 : 1]);
}

static struct launched_race race_shown(struct arena *arena, const struct report *report,
                                       const struct launch_race *race) {
    struct launched_race shown = {.race = in_order(arena, race), .name = race_name(race)};
    shown.stores_alike = race->stores_alike;
    shown.pairs = race->pairs;
    shown.why = why_of_run(report, race);
    for (unsigned k = 0; k < 2; k++) {
        shown.places[k] = race_line_text(arena, report, shown.race->accesses[k].instruction);
        shown.accesses[k] = access_text(arena, report, shown.race, k);
    }
    return shown;
}

// Adds a race to those of its places. Returns how many are shown.
static size_t add_race(struct arena *arena, const struct launched_race *added,
                       struct launched_race *shown, size_t count, struct shown_places **known) {
    struct shown_places *entry;
    const char *key = places_key(arena, added);
    HASH_FIND_STR(*known, key, entry);
    if (entry != NULL) {
        entry->shown->stores_alike &= added->stores_alike;
        entry->shown->pairs += added->pairs;
        return count;
    }
    entry = ARENA_NEW(arena, struct shown_places);
    *entry = (struct shown_places){.key = key, .shown = &shown[count]};
    HASH_ADD_KEYPTR(hh, *known, entry->key, strlen(entry->key), entry);
    shown[count] = *added;
    return count + 1;
}

struct launched_race *launched_races(struct arena *arena, const struct report *report,
                                     const struct launch_result *launched, size_t *count) {
    struct launched_race *shown =
        ARENA_ARRAY(arena, struct launched_race, launched->race_count + 1);
    struct shown_places *known = NULL;
    *count = 0;
    for (size_t i = 0; i < launched->race_count; i++) {
        const struct launched_race added = race_shown(arena, report, &launched->races[i]);
        *count = add_race(arena, &added, shown, *count, &known);
    }
    HASH_CLEAR(hh, known);
    return shown;
}
