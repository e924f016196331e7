// Writes modules to files.
#include "cli/commands/emit.h"

#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool emit_write(struct arena *arena, const struct system_list *list, const struct options *options,
                const struct test *test, struct diagnostics *diagnostics) {
    struct emit_head head = systems_head(list, options, test);
    const char *module = ptx_emit(arena, test, &head, diagnostics);
    if (!module) {
        return false;
    }
    if (strcmp(options->emit_ptx, "-") == 0) {
        fputs(module, stdout); // whether it could be written is seen when it is flushed
        return true;
    }
    errno = 0;
    FILE *out = fopen(options->emit_ptx, "w");
    bool good = out && fputs(module, out) >= 0;
    good = out && fclose(out) == 0 && good;
    if (!good) {
        out_of_memory_if(errno);
        diag_error_path(diagnostics, options->emit_ptx, "cannot be written: %s",
                        errno ? strerror(errno) : "write error");
    }
    return good;
}
