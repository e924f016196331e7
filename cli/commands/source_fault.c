// Takes from findings what the changes of a .cu file depend on.
#include "cli/commands/source_fault.h"

#include "check/report/findings.h"
#include "check/report/flags.h"
#include "cli/report/added.h"
#include "launch/launch.h"
#include "litmus/readers/module/origin.h"

// The line of an instruction in the file that is checked; 0 where it comes from another one.
static unsigned line_of(struct arena *arena, const struct report *report,
                        const struct instruction *instruction) {
    struct line_origin origin =
        instruction ? origin_of(arena, instruction) : (struct line_origin){0};
    const char *slash = strrchr(report->path, '/');
    const char *name = slash ? slash + 1 : report->path;
    return origin.path && strcmp(origin.name, name) == 0 ? origin.line : 0;
}

static void take_threads(struct source_fault *fault, const struct test *test, int a, int b) {
    if (a < 0 || b < 0)
        return;
    const struct place *first = &test->threads[a].place, *second = &test->threads[b].place;
    fault->is_of_block = test_same_cta(first, second);
    fault->is_of_grids =
        test_grid_depends(test, first, second) || test_grid_depends(test, second, first);
}

static void take_variable(struct source_fault *fault, const struct variable *variable) {
    fault->is_in_global = variable->space == SPACE_GLOBAL;
    fault->is_of_map = variable->tensor != NULL;
}

// Puts the access first that comes first in the file.
static void sort_lines(struct source_fault *fault) {
    if (fault->lines[0] > fault->lines[1]) {
        unsigned line = fault->lines[0];
        bool is_async = fault->is_async[0];
        fault->lines[0] = fault->lines[1];
        fault->is_async[0] = fault->is_async[1];
        fault->lines[1] = line;
        fault->is_async[1] = is_async;
    }
}

static void take_launched(struct source_fault *fault, struct arena *arena,
                          const struct report *report) {
    const struct launch_result *launched = report->added->launched;
    fault->is_of_mbarrier = launched->wait_count > 0;
    if (launched->race_count == 0)
        return;
    const struct launch_race *race = &launched->races[0];
    const struct test *test = report->program->test;
    fault->is_race = true;
    if (race->variable != LAUNCH_TENSOR_MEMORY)
        take_variable(fault, &test->variables[race->variable]);
    for (unsigned i = 0; i < 2; i++) {
        fault->lines[i] = line_of(arena, report, race->accesses[i].instruction);
        fault->is_async[i] = race->accesses[i].is_detached;
    }
    take_threads(fault, test, race->accesses[0].thread, race->accesses[1].thread);
}

static void take_flags(struct source_fault *fault, struct arena *arena,
                       const struct report *report) {
    const struct shown_flags flags = flags_shown(arena, report->outcomes);
    for (size_t i = 0; i < flags.count; i++) {
        bool holds = flags.items[i].holds == TRUTH_YES;
        fault->is_of_mbarrier =
            fault->is_of_mbarrier || (holds && strcmp(flags.items[i].name, "mbarrier-misuse") == 0);
        fault->is_of_exited =
            fault->is_of_exited || (holds && strcmp(flags.items[i].name, "exited-cta") == 0);
    }
    fault->is_of_mbarrier =
        fault->is_of_mbarrier || report->outcomes->termination.always == TRUTH_NO;
}

static void take_searched(struct source_fault *fault, struct arena *arena,
                          const struct report *report) {
    const struct findings *findings = report->added->findings;
    take_flags(fault, arena, report);
    if (!findings || findings->count == 0)
        return;
    const struct race *race = findings->items[0].race;
    const struct event *events[2];
    for (unsigned i = 0; i < 2; i++) {
        events[i] = &report->program->events[race->events[i]];
        fault->lines[i] = line_of(arena, report, events[i]->instruction);
        fault->is_async[i] = event_is_detached(events[i]);
    }
    fault->is_race = race->events[0] != race->events[1];
    if (events[0]->candidate_count > 0) {
        const struct object *objects = report->program->memory.objects;
        take_variable(
            fault,
            &report->program->test->variables[objects[events[0]->candidates[0].object].variable]);
    }
    take_threads(fault, report->program->test, events[0]->thread, events[1]->thread);
}

struct source_fault source_fault_of(struct arena *arena, const struct report *report) {
    struct source_fault fault = {0};
    if (report->added->launched && report->added->launched->answer == LAUNCH_IS_FAULTY)
        take_launched(&fault, arena, report);
    else
        take_searched(&fault, arena, report);
    sort_lines(&fault);
    return fault;
}

bool source_fault_is_special(const struct source_fault *fault) {
    return fault->is_async[0] || fault->is_async[1] || fault->is_of_grids ||
           fault->is_of_mbarrier || fault->is_of_exited;
}
