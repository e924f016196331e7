// Finds an execution for each finding, and in it what does not order the two accesses.
#include "check/race_reasons.h"

#include "explain/explain.h"
#include "explain/unordered.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

// The races of the findings alone, one of each.
static struct outcomes one_of_each(struct arena *arena, const struct outcomes *outcomes,
                                   const struct findings *findings) {
    struct outcomes few = *outcomes;
    few.races = ARENA_ARRAY(arena, struct race, findings->count + 1);
    few.race_count = findings->count;
    for (size_t i = 0; i < findings->count; i++)
        few.races[i] = *findings->items[i].race;
    return few;
}

void race_reasons(struct solver *solver, struct arena *arena, const struct model *model,
                  const struct report *report, const struct solver_options *options,
                  struct findings *findings) {
    enum { EXPLAINED_MAX = 6 };
    const struct outcomes few = one_of_each(arena, report->outcomes, findings);
    const struct event_names names = finding_names(arena, report);
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    const struct found_execution **found = explain_races(arena, solver, report->program, model,
                                                         &few, EXPLAINED_MAX, options, &ignored);
    for (size_t i = 0; i < findings->count; i++) {
        const struct race *race = findings->items[i].race;
        const struct found_execution *heard = NULL;
        if (!found[i])
            continue;
        enum truth is_heard = explain_heard_race(arena, solver, report->program, model,
                                                 flag_name(&report->outcomes->flags[race->flag]),
                                                 race, options, &ignored, &heard);
        findings->items[i].why =
            unordered_why(arena, model, heard ? heard : found[i], &names, race->events[0],
                          race->events[1], is_heard == TRUTH_NO);
    }
}
