// Which instructions a changed test may use.
#include "cli/commands/change_limits.h"

#include "cli/commands/run_internal.h"

size_t change_limits(const struct run *run, const struct test *test, struct change_limit *limits) {
    const struct system *system = &run->systems.items[0];
    const struct target *written = systems_target_of(&run->systems, test);
    unsigned version = ptx_version_of(test, run->options->check.ptx_version);
    limits[0] = (struct change_limit){version, written ? &written->ptx : NULL};
    limits[1] = (struct change_limit){PTX_NEWEST, system->target ? &system->target->ptx : NULL};
    return CHANGE_LIMITS_MAX;
}
