// Runs a derived launch to find tensormaps for it. How many bytes copies move does not depend on
// integers as a rule, but how many copies there are does: where the launch does not show it, one
// with larger integers may.
#include "cli/commands/launch_maps.h"

#include "check/report/report.h"
#include "cli/commands/kernel.h"
#include "cli/commands/launched.h"
#include "cli/commands/run_internal.h"
#include "litmus/source/arena.h"

#include <string.h>

// The parameter of a test that has a name; -1: there is none.
static int parameter_of(const struct test *test, const char *name) {
    for (size_t i = 0; i < test->variable_count; i++)
        if (test->variables[i].space == SPACE_PARAM && strcmp(test->variables[i].name, name) == 0)
            return (int)i;
    return -1;
}

// What is known, of the parameters of this test.
static struct launch_maps known_of(const struct map_search *search, struct arena *arena,
                                   const struct test *test) {
    struct launch_map *items = ARENA_ARRAY(arena, struct launch_map, search->known_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < search->known_count; i++) {
        int parameter = parameter_of(test, search->known[i].parameter);
        if (parameter < 0)
            continue;
        items[count] = search->known[i].map;
        items[count].is_found = false;
        items[count++].variable = (unsigned)parameter;
    }
    return (struct launch_maps){items, count};
}

// Keeps how many bytes are moved by a map. Returns whether that was not known.
static bool keep(struct map_search *search, const struct derived_map *map) {
    for (size_t i = 0; i < search->known_count; i++)
        if (search->known[i].map.offset == map->map.offset &&
            strcmp(search->known[i].parameter, map->parameter) == 0)
            return false;
    search->known =
        arena_grow(search->arena, search->known, search->known_count, sizeof *search->known);
    search->known[search->known_count++] = *map;
    return true;
}

// What a run has found.
struct map_trial {
    bool are_all; // copies are by no other map
    bool is_more; // than was known
};

static struct map_trial take(struct map_search *search, struct derived_launch *derived,
                             const struct test *test, const struct launch_maps *found) {
    struct map_trial trial = {.are_all = true};
    struct derived_map *maps = NULL;
    for (size_t i = 0; i < found->count; i++) {
        const char *name = test->variables[found->items[i].variable].name;
        const struct derived_map map = {arena_strndup(search->arena, name, strlen(name)),
                                        found->items[i]};
        trial.are_all &= map.map.is_found;
        if (map.map.bytes > 0)
            trial.is_more |= keep(search, &map);
        if (!map.map.is_found)
            continue;
        maps = arena_grow(search->arena, maps, derived->objects.map_count, sizeof *maps);
        maps[derived->objects.map_count++] = map;
    }
    derived->objects.maps = maps;
    return trial;
}

static struct map_trial find(struct map_search *search, struct derived_launch *derived,
                             double seconds, uint64_t measured) {
    struct arena *scratch = arena_new();
    struct map_trial trial = {false, false};
    derived->objects.maps = NULL;
    derived->objects.map_count = 0;
    struct derived_launch measuring = *derived;
    measuring.measured = measured;
    const struct test *test = kernel_test(scratch, search->run->options, search->path, &measuring);
    if (test) {
        const struct launch_maps known = known_of(search, scratch, test),
                                 found = launched_find_maps(search->run, scratch, test, seconds,
                                                            &known);
        trial = take(search, derived, test, &found);
    }
    arena_free(scratch);
    return trial;
}

void launch_maps_find(struct map_search *search, struct derived_launch *derived, double seconds,
                      uint64_t measured) {
    static const char *const longer[] = {"64", "512"};
    struct map_trial trial = find(search, derived, seconds, measured);
    for (size_t i = 0; !trial.are_all && i < sizeof longer / sizeof *longer; i++) {
        struct derived_launch other = *derived;
        other.integer = other.distance = longer[i];
        if (find(search, &other, seconds, measured).is_more)
            trial = find(search, derived, seconds, measured);
    }
    derived->objects.is_mapped = true;
}

const char *launch_maps_blame(const struct launch_result *launched) {
    if (launched->wait_count > 0)
        return "tensormaps were derived: threads may wait for bytes that others would move";
    for (size_t i = 0; i < launched->race_count; i++)
        for (unsigned k = 0; k < 2; k++) {
            const struct launch_access *side = &launched->races[i].accesses[k];
            if (opcode_has(side->instruction->opcode, TRAIT_MAPPED) && !side->writes)
                return "tensormaps were derived: their copies may read less";
        }
    return NULL;
}
