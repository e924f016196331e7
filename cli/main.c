// ptxlitmus: lists the outcomes that PTX's memory model allows for litmus tests.
#include "cli/exit_status.h"
#include "cli/merge.h"
#include "cli/options.h"
#include "cli/run.h"
#include "cli/systems.h"
#include "litmus/source/arena.h"
#include "model/cat/model.h"
#include "solver/solver.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void print_models(void) {
    size_t count;
    const struct builtin_model *models = model_builtins(&count);
    for (size_t i = 0; i < count; i++) {
        printf("%-10s %s\n", models[i].name, models[i].title);
    }
}

static enum exit_status act(struct arena *arena, int argc, char **argv) {
    struct options options;
    const char *error = NULL;
    switch (options_parse(arena, argc, argv, &options, &error)) {
    case OPTIONS_RUN: return run_tests(&options);
    case OPTIONS_MERGE: return merge_files(options.inputs, options.input_count);
    case OPTIONS_HELP: fputs(options_help(arena), stdout); return EXIT_DECIDED;
    case OPTIONS_VERSION:
        printf("ptxlitmus %s (Z3 %s)\n", PTXLITMUS_VERSION, solver_backend_version());
        return EXIT_DECIDED;
    case OPTIONS_LIST_TARGETS: systems_print_targets(stdout, arena); return EXIT_DECIDED;
    case OPTIONS_LIST_MODELS: print_models(); return EXIT_DECIDED;
    case OPTIONS_BAD: fprintf(stderr, "ptxlitmus: error: %s\n", error); return EXIT_BAD_INPUT;
    }
    return EXIT_INTERNAL;
}

int main(int argc, char **argv) {
    struct arena *arena = arena_new();
    enum exit_status status = act(arena, argc, argv);
    arena_free(arena);
    errno = 0;
    if (fflush(stdout) != 0 && status != EXIT_INTERNAL) {
        if (errno != EPIPE) {
            fprintf(stderr, "ptxlitmus: error: cannot write the output: %s\n", strerror(errno));
        }
        status = EXIT_INTERNAL;
    }
    return (int)status;
}
