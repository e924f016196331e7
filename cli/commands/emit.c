// Writes modules to files.
#include "cli/commands/emit.h"

#include "cli/options/options.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/replace.h"

#include <stdio.h>
#include <string.h>

bool emit_write(struct arena *arena, const struct system_list *list, const struct options *options,
                const struct test *test, struct diagnostics *diagnostics) {
    struct emit_head head = systems_head(list, &options->check, test);
    const char *module = ptx_emit(arena, test, &head, diagnostics);
    if (!module)
        return false;
    if (strcmp(options->emit_ptx, "-") == 0) {
        fputs(module, stdout); // whether it could be written is seen when it is flushed
        return true;
    }
    const char *error = replace_file(arena, options->emit_ptx, module, strlen(module));
    if (error)
        diag_error_output(diagnostics, options->emit_ptx, error);
    return !error;
}
