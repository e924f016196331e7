// Reads modules, and has them printed.
#include "cli/commands/commands.h"

#include "check/text/names.h"
#include "cli/commands/kernel.h"
#include "cli/commands/run_internal.h"
#include "cli/print/formats.h"
#include "cli/print/module.h"
#include "cli/print/terminal.h"
#include "litmus/readers/module/module.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

// The kernel that is asked for, in `*only`; false after an error.
static bool find_kernel(const struct run *run, struct arena *arena, const struct module *module,
                        struct diagnostics *diagnostics, const struct module_function **only) {
    size_t count = 0;
    const char *name = run->options->launch.kernel;
    *only = name ? module_kernel(arena, module, name, &count) : NULL;
    if (!name || *only)
        return true;
    if (count > 0) {
        diag_error_path(diagnostics, module->source->path, "%zu kernels are called '%s'", count,
                        escaped(arena, name));
        diag_hint(diagnostics, "'inspect' without '--kernel' prints their mangled names");
    } else {
        diag_error_path(diagnostics, module->source->path, "there is no kernel '%s'",
                        escaped(arena, name));
        diag_hint(diagnostics, "'inspect' without '--kernel' prints the names of all");
    }
    return false;
}

static void inspect_module(struct run *run, struct arena *arena, const char *path) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct module_function *only = NULL;
    const struct source *source = kernel_module(arena, run->options, path, &diagnostics);
    const struct module *module = source ? module_read(arena, source, &diagnostics) : NULL;
    bool found = module && find_kernel(run, arena, module, &diagnostics, &only);
    run_print_diagnostics(run, arena, &diagnostics);
    if (found && format_of(run->options)->is_data)
        print_module_json(run->out, arena, module, only);
    else if (found && run->options->sidecar)
        print_module_sidecar(run->out, arena, module, only);
    else if (found)
        print_module_text(run->out, arena, module, only);
}

static enum exit_status inspect_all(const struct options *options, FILE *out, FILE *err) {
    struct run run = {.options = options, .status = EXIT_DECIDED, .out = out, .err = err};
    for (size_t i = 0; i < options->input_count; i++) {
        struct arena *arena = arena_new();
        if (i > 0 && !format_of(options)->is_data)
            fputc('\n', out);
        inspect_module(&run, arena, options->inputs[i]);
        run_flush(&run);
        arena_free(arena);
    }
    return run.status;
}

// JSON is UTF-8 wherever it goes.
enum exit_status inspect_modules(const struct options *options) {
    struct streams streams = streams_open(format_of(options)->is_data);
    enum exit_status status = inspect_all(options, streams.out, streams.err);
    streams_close(streams);
    return status;
}
