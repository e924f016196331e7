// Which instructions a changed test may use.
#include "check/change_limits.h"

size_t change_limits(const struct system_list *systems, const struct check_options *options,
                     const struct test *test, struct change_limit *limits) {
    const struct system *system = &systems->items[0];
    const struct target *written = systems_target_of(systems, test);
    unsigned version = ptx_version_of(test, options->ptx_version);
    limits[0] = (struct change_limit){version, written ? &written->ptx : NULL};
    limits[1] = (struct change_limit){PTX_NEWEST, system->target ? &system->target->ptx : NULL};
    return CHANGE_LIMITS_MAX;
}
