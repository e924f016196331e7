// Outcomes of a run: a fault that it has met, or none in any execution.
#include "check/launched.h"

#include "check/options.h"
#include "check/report/report.h"
#include "check/systems.h"

#include "litmus/source/arena.h"

#include <string.h>

// Whether a rule is read in another way than usual: a run knows the usual readings.
static bool is_read_otherwise(const struct reading_choices *choices) {
    const enum reading all[] = {
        choices->proxy_fences,         choices->relaxed_waits, choices->async_proxies,
        choices->async_place,          choices->st_async,      choices->tearing,
        choices->mbarrier_observation, choices->grid_waits,    choices->multimem};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == READING_OTHER)
            return true;
    return false;
}

bool launched_may_answer(const struct system_list *systems, const struct check_options *options) {
    static const char *const models[] = {"ptx-9.1", "ptx-9.3"};
    if (is_read_otherwise(&options->readings))
        return false;
    if (systems->count != 1 || systems->items[0].target != NULL || !options->asks_clean ||
        options->solver.progress != PROGRESS_FAIR)
        return false;
    for (size_t i = 0; i < options->model_count; i++)
        if (strcmp(options->models[i], models[0]) != 0 &&
            strcmp(options->models[i], models[1]) != 0)
            return false;
    return true;
}

static bool has_race(const struct launch_result *launched, bool of_mixed_sizes) {
    for (size_t i = 0; i < launched->race_count; i++)
        if (launched->races[i].is_of_mixed_sizes == of_mixed_sizes)
            return true;
    return false;
}

// What a run that met a fault shows of a flag.
static enum truth flag_met(const struct flag *flag, const struct launch_result *launched) {
    if (flag->kind == FLAG_HANG)
        return launched->wait_count > 0 ? TRUTH_YES : TRUTH_UNKNOWN;
    if (flag->kind != FLAG_MODEL)
        return TRUTH_UNKNOWN;
    if (launched->misuse != NULL && strcmp(flag->name, launched->misuse->flag) == 0)
        return TRUTH_YES;
    bool is_met = (strcmp(flag->name, "data-race") == 0 && has_race(launched, false)) ||
                  (strcmp(flag->name, "mixed-size-race") == 0 && has_race(launched, true));
    return is_met ? TRUTH_YES : TRUTH_UNKNOWN;
}

static void add_flag(struct arena *arena, struct outcomes *outcomes, enum flag_kind kind) {
    struct flag *flags = ARENA_ARRAY(arena, struct flag, outcomes->flag_count + 1);
    memcpy(flags, outcomes->flags, outcomes->flag_count * sizeof *flags);
    flags[outcomes->flag_count++] = (struct flag){.kind = kind, .holds = TRUTH_YES};
    outcomes->flags = flags;
}

struct outcomes *launched_outcomes(struct arena *arena, const struct program *program,
                                   const struct model *model, const struct solver_options *options,
                                   const struct launch_result *launched) {
    struct outcomes *outcomes = outcomes_unknown(arena, program, model, options, REASON_NONE);
    bool is_free = launched->answer == LAUNCH_IS_FREE;
    size_t kept = 0;
    outcomes->listed = false;
    outcomes->reason = launched->answer == LAUNCH_IS_OPEN ? REASON_RUN : REASON_NONE;
    for (size_t i = 0; i < outcomes->flag_count; i++) {
        struct flag flag = outcomes->flags[i];
        flag.holds = is_free ? TRUTH_NO : flag_met(&flag, launched);
        if (flag.holds != TRUTH_UNKNOWN) // what the run did not ask is not listed
            outcomes->flags[kept++] = flag;
    }
    outcomes->flag_count = kept;
    if (launched->is_by_place)
        add_flag(arena, outcomes, FLAG_ASYNC_PLACE_READING);
    outcomes->termination.always = is_free                    ? TRUTH_YES
                                   : launched->wait_count > 0 ? TRUTH_NO
                                                              : TRUTH_UNKNOWN;
    return outcomes;
}

bool launched_says_more(const struct launch_result *launched, const struct report *searched) {
    enum truth clean = report_is_clean(searched);
    return launched->test != searched->program->test
               ? clean != TRUTH_NO
               : clean == TRUTH_UNKNOWN && !report_is_possible(searched);
}
