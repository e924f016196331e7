// Runs the commands whose results an editor shows.
#include "cli/commands/editing.h"

#include "cli/commands/commands.h"
#include "cli/commands/run_internal.h"
#include "cli/options/commands.h"
#include "cli/options/launching.h"
#include "cli/print/notice.h"
#include "litmus/readers/module/module.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/backend/watchdog.h"

#include <string.h>

// The options of a command that is about one file. `path` is where the path is.
static struct options options_of(const struct options *given, const struct cli_command *command,
                                 const char **path) {
    struct options options = *given;
    options.command = command;
    options.inputs = path;
    options.input_count = 1;
    options.jobs = 1;
    options.print.format = FORMAT_NOTICE;
    options.print.format_is_given = true;
    options.print.no_fix = true; // which is looked for when it is asked for
    if (command->begin)
        command->begin(&options);
    return options;
}

// Returns the module, after its messages; NULL after errors.
static const struct module *read_module(const struct options *options, struct arena *arena,
                                        const struct source *source) {
    struct run run = {.options = options, .out = stdout, .err = stderr};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct module *module = module_read(arena, source, &diagnostics);
    run_print_diagnostics(&run, arena, &diagnostics);
    return diag_has_errors(&diagnostics) ? NULL : module;
}

// Has a command done for each kernel of a module without a manifest, as it is launched where
// nothing is said, as far as that is quick.
static void try_kernels(const struct options *given, const struct module *module,
                        enum exit_status (*act)(const struct options *options)) {
    enum { KERNEL_SECONDS = 2, MODULE_SECONDS = 8 };
    struct options options = *given;
    const double begun = watchdog_now_ms(), limit = options.check.solver.timeout_seconds;
    options.print.is_advice = true;
    if (limit <= 0 || limit > KERNEL_SECONDS)
        options.check.solver.timeout_seconds = KERNEL_SECONDS;
    for (size_t i = 0; i < module->function_count; i++) {
        const struct module_function *function = &module->functions[i];
        bool is_late = watchdog_now_ms() - begun > 1e3 * MODULE_SECONDS;
        if (!function->is_kernel || !function->body || is_late)
            continue;
        options.launch.kernel = function->name;
        act(&options);
    }
}

// Returns the source of a module that no manifest launches; NULL: the file is not one.
static const struct source *unlaunched(struct arena *arena, const char *path) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    const struct source *source = source_read(arena, path, &ignored);
    bool is_module = source && launching_is_kernel(path) && module_recognise(source);
    return is_module && !source->sidecar && !strstr(source->text, "// PTXLITMUS") ? source : NULL;
}

// Whether each launch of a module has a condition.
static bool is_asked(const struct options *options, struct arena *arena,
                     const struct source *source) {
    struct diagnostics ignored;
    struct test_list tests;
    diagnostics_init(&ignored, arena);
    bool asked = test_read_all(arena, source, options->check.syntax, &ignored, &tests);
    for (size_t i = 0; asked && i < tests.count; i++)
        asked = !tests.items[i]->is_unasked;
    return asked;
}

void editing_decide(const struct options *given, const char *path) {
    struct arena *arena = arena_new();
    const char *input = path;
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    struct options run = options_of(given, &command_run, &input);
    struct options check = options_of(given, &command_check, &input);
    const struct source *alone = unlaunched(arena, path);
    const struct source *source = alone ? alone : source_read(arena, path, &ignored);
    bool is_module = source && launching_is_kernel(path) && module_recognise(source);
    if (alone) {
        const struct module *module = read_module(&run, arena, source);
        if (module)
            try_kernels(&check, module, run_tests);
    } else {
        if (is_module)
            run_tests(&check);
        if (!is_module || is_asked(&run, arena, source))
            run_tests(&run);
    }
    print_notice_end(stdout);
    arena_free(arena);
}

void editing_repair(const struct options *given, const char *path, const char *goal) {
    static const char flag[] = "flag ";
    struct options options = options_of(given, &command_repair, &path);
    struct fault_goal *faults = &options.change.faults;
    faults->races = strcmp(goal, "races") == 0;
    faults->hangs = strcmp(goal, "hangs") == 0;
    if (strncmp(goal, flag, sizeof flag - 1) == 0)
        faults->flag = goal + sizeof flag - 1;
    struct arena *arena = arena_new();
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    const struct source *alone = unlaunched(arena, path);
    const struct module *module = alone ? module_read(arena, alone, &ignored) : NULL;
    if (module)
        try_kernels(&options, module, change_test);
    else
        change_test(&options);
    arena_free(arena);
}
