// Reads the tests of an input.
#include "cli/commands/reading.h"

#include "check/asking.h"
#include "check/report/report.h"
#include "cli/commands/choosing.h"
#include "cli/commands/kernel.h"
#include "cli/commands/launch_size.h"
#include "cli/commands/run_internal.h"
#include "cli/options/command.h"
#include "litmus/readers/module/module.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

// The text of an input. That of --module has to be a module, whose manifest may be in a file of its
// own.
static const struct source *read_source(struct run *run, struct arena *arena, const char *path,
                                        struct diagnostics *diagnostics) {
    const struct suite_options *suite = &run->options->suite;
    if (path_is_cuda(path))
        return kernel_listed(arena, run->options, path, diagnostics, &run->compiled);
    const struct source *source = source_read(arena, path, diagnostics);
    if (!source || !suite->module || strcmp(path, suite->module) != 0)
        return source;
    if (source->size > 0 && !module_recognise(source)) {
        diag_error_path(diagnostics, path,
                        "this is not a module of PTX: it does not begin with "
                        "'.version'");
        return NULL;
    }
    return suite->manifest ? module_with_manifest(arena, source, suite->manifest, diagnostics)
                           : source;
}

// --- Kernels -----------------------------------------------------------------------------------

// Whether a command says what is wrong with a launch of which nothing is asked.
static bool shows_faults(const struct options *options) {
    return (!options->change.what || fault_goal_is_set(&options->change.faults)) &&
           !options->compare.asked;
}

// The module of a kernel, with its launch, and in words what of it is derived.
static const struct source *launched_kernel(struct run *run, struct arena *arena, const char *path,
                                            struct diagnostics *diagnostics,
                                            const char **launched) {
    struct options options = *run->options;
    bool is_asked = options.launch.asked != NULL, unsaved = false;
    run->derived = options.check.asks_clean              ? launch_size_choose(run, arena, path)
                   : shows_faults(&options) && !is_asked ? launch_size_small(run, arena, path)
                                                         : launch_size_least();
    options.launch.derived = run->derived;
    const struct source *source = kernel_source(
        arena, &options, path, run->test == 0 ? &unsaved : NULL, diagnostics, launched);
    if (unsaved)
        run_add_status(run, EXIT_INTERNAL);
    return source;
}

// The objects of a launch that is derived, as its manifest names them: "k0_arg0, k0_arg1".
static const char *objects_of(struct arena *arena, const struct source *source) {
    static const char word[] = "global ";
    const char *names = "";
    for (const char *line = source->sidecar->text; strncmp(line, word, sizeof word - 1) == 0;) {
        const char *name = line + sizeof word - 1;
        names = arena_format(arena, "%s%s%.*s", names, *names ? ", " : "", (int)strcspn(name, "["),
                             name);
        line = name + strcspn(name, "\n");
        line += *line == '\n';
    }
    return names;
}

// Gives tests the launch that was derived as their description. Nothing is asked of one that no
// --ask is for; false after an error, where the command is about what is asked.
static bool take_launch(const struct run *run, struct arena *arena, const char *path,
                        const struct source *source, const char *launched,
                        struct diagnostics *diagnostics, struct test_list *tests) {
    for (size_t i = 0; i < tests->count; i++)
        tests->items[i]->description = launched;
    if (run->options->launch.asked)
        return true;
    if (!shows_faults(run->options)) {
        const char *objects = objects_of(arena, source);
        diag_error_path(diagnostics, path, "nothing is asked of this launch: %s", launched);
        diag_hint(
            diagnostics,
            "'--ask' asks, such as --ask 'exists (%.*s[0] == 1)'; 'ptxlitmus check' looks for "
            "faults and their fixes, and needs none",
            (int)strcspn(objects, ","), *objects ? objects : "NAME");
        return false;
    }
    asking_nothing(arena, tests);
    return true;
}

// --- All ---------------------------------------------------------------------------------------

bool reading_tests(struct run *run, struct arena *arena, const struct input *input,
                   struct diagnostics *diagnostics, struct test_list *tests) {
    const char *path = input->path, *launched = NULL;
    bool is_compiled = run->options->command->compiles_tests || kernel_is_input(run->options, path);
    if (path_is_cuda(path) && !is_compiled) {
        diag_error_path(diagnostics, path,
                        "a .cu file is compiled where it is named as the input "
                        "of 'ptxlitmus check', and not in a list of tests");
        diag_hint(diagnostics, "compile it with 'nvcc -ptx -lineinfo', and give the module");
        return false;
    }
    const struct source *source = kernel_is_input(run->options, path)
                                      ? launched_kernel(run, arena, path, diagnostics, &launched)
                                      : read_source(run, arena, path, diagnostics);
    if (source && source->size > 0 && input->is_listed && !test_recognise(arena, source)) {
        diag_error_path(
            diagnostics, path,
            "this is not a test, but a manifest lists it: it begins neither with 'PTX' or "
            "'C++' and a name nor as a module of PTX does");
        return false;
    }
    if (!source || !test_read_all(arena, source, run->options->check.syntax, diagnostics, tests)) {
        if (input->lowering) { // which is said of the source itself
            diagnostics_init(diagnostics, arena);
            run_add_status(run, EXIT_BAD_INPUT);
        }
        if (launched && run->options->launch.asked)
            diag_hint(diagnostics, "the objects of this launch are %s", objects_of(arena, source));
        return false;
    }
    if (launched && !take_launch(run, arena, path, source, launched, diagnostics, tests))
        return false;
    if (run->options->check.asks_clean) {
        asking_nothing(arena, tests);
        return true;
    }
    if (!choosing_threads(run, arena, tests, diagnostics))
        return false;
    // A condition that a manifest lacks may have been forgotten: a run of it would say "Ok".
    bool tells = run->options->explain.asked || run->options->report_folder;
    bool is_about_faults =
        launched ? !run->options->launch.asked : tells && kernel_is_input(run->options, path);
    return is_about_faults || fault_goal_is_set(&run->options->change.faults) ||
           (run_ask_rows(input, tests, diagnostics) && asking_is_there(tests, diagnostics));
}
