// Reports as the commands begin them.
#include "cli/report/added.h"

#include "litmus/source/arena.h"

struct report report_of_program(struct arena *arena, const struct options *options,
                                const struct system *system, const struct program *program,
                                const char *path) {
    struct added *added = ARENA_NEW(arena, struct added);
    *added = (struct added){.options = options};
    return (struct report){.path = path,
                           .model = system->readings.model->name,
                           .target = system->target,
                           .options = &options->check,
                           .program = program,
                           .added = added,
                           .stats = options->print.stats};
}
