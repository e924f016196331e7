// ptxlitmus: lists the outcomes that PTX's memory model allows for litmus tests.
#include "check/report/exit_status.h"
#include "check/systems.h"
#include "check/text/names.h"
#include "cli/commands/commands.h"
#include "cli/commands/data.h"
#include "cli/commands/glossary.h"
#include "cli/commands/kernel.h"
#include "cli/commands/library.h"
#include "cli/commands/merge.h"
#include "cli/jobs/limits.h"
#include "cli/jobs/signals.h"
#include "cli/lsp/lsp.h"
#include "cli/options/commands.h"
#include "cli/options/help.h"
#include "cli/options/lists.h"
#include "cli/print/terminal.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "model/cat/model.h"
#include "solver/solver.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// CaDiCaL's C interface does not tell its version.
static enum exit_status print_version(const struct options *options) {
    (void)options;
    bool has_z3 = solver_has_engine(ENGINE_Z3), has_cadical = solver_has_engine(ENGINE_CADICAL);
    printf("ptxlitmus %s (%s%s%s%s)\n", PTXLITMUS_VERSION, has_z3 ? "Z3 " : "",
           has_z3 ? solver_backend_version() : "", has_z3 && has_cadical ? ", " : "",
           has_cadical ? "CaDiCaL" : "");
    return EXIT_DECIDED;
}

static enum exit_status print_models(const struct options *options) {
    (void)options;
    size_t count;
    const struct builtin_model *models = model_builtins(&count);
    for (size_t i = 0; i < count; i++)
        printf("%-18s %s\n", models[i].name, models[i].title);
    return EXIT_DECIDED;
}

static enum exit_status print_targets(const struct options *options) {
    (void)options;
    struct arena *arena = arena_new();
    systems_print_targets(stdout, arena);
    arena_free(arena);
    return EXIT_DECIDED;
}

// Says what is wrong with the command line. (Whether messages have colours, it may not tell.)
static enum exit_status refuse(struct arena *arena, const char *error) {
    struct options options = {.print = {.colour = COLOUR_AUTO}};
    terminal_settle(&options);
    fprintf(stderr, "ptxlitmus: %serror:%s %s\n", tone_begin(options.print.colour_err, TONE_BAD),
            tone_end(options.print.colour_err),
            terminal_is_utf8() ? error : ascii_text(arena, error));
    return EXIT_BAD_INPUT;
}

static enum exit_status merge(const struct options *options) {
    struct streams streams = streams_open(true);
    enum exit_status status = merge_files(options->inputs, options->input_count, streams.err);
    streams_close(streams);
    return status;
}

static enum exit_status diff(const struct options *options) {
    struct streams streams = streams_open(false);
    enum exit_status status =
        diff_results(options->inputs[0], options->inputs[1], streams.out, streams.err);
    streams_close(streams);
    return status;
}

static enum exit_status print_data_folder(const struct options *options) {
    (void)options;
    struct arena *arena = arena_new();
    const char *error = NULL, *folder = data_folder(arena, &error);
    enum exit_status status = folder ? EXIT_DECIDED : refuse(arena, error);
    if (folder)
        puts(folder);
    arena_free(arena);
    return status;
}

// The text is written as a whole when the output is closed, where an error still has its reason.
static enum exit_status print_help(const struct options *options) {
    static char buffer[1 << 16];
    struct arena *arena = arena_new();
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    fputs(help_text(arena, options->helped), stdout);
    arena_free(arena);
    return EXIT_DECIDED;
}

// Says that an option was given by the name that it had before.
static void note_old_name(const struct options *options) {
    if (options->old_name) {
        fprintf(stderr, "ptxlitmus: note: '%s' is now called '%s'; the old name will go\n",
                options->old_name, options->new_name);
    }
}

// What is wrong where the first word names no test, and nearly a command; else NULL.
static const char *misspelt_command(struct arena *arena, const struct options *options) {
    bool has_command = options->helped != NULL || options->input_count == 0;
    const struct cli_command *near = has_command ? NULL : commands_nearest(options->inputs[0]);
    return near && access(options->inputs[0], F_OK) != 0
               ? arena_format(arena,
                              "there is no file, test or command '%s'\n"
                              "hint: did you mean the command '%s'?",
                              escaped(arena, options->inputs[0]), near->name)
               : NULL;
}

// The limits and the first interrupt hold from the first byte that is read, of lists of files too.
static void begin_reading(const struct options *options) {
    signals_set_status(EXIT_UNDECIDED);
    limits_begin_reading(options->check.solver.timeout_seconds, options->check.solver.memory_mb,
                         EXIT_UNDECIDED);
}

static const struct {
    enum exit_status (*act)(const struct options *options);
    bool reads_tests, takes_names;
} actions[] = {
#define ACTION(id, ...) [OPTIONS_##id] = {__VA_ARGS__},
#include "cli/options/actions.def"
};

static enum exit_status act(struct arena *arena, int argc, char **argv) {
    struct options options;
    const char *error = NULL;
    if (argc < 2) {
        fputs(help_text(arena, NULL), stderr);
        return EXIT_BAD_INPUT;
    }
    options = options_glance(argc, argv);
    begin_reading(&options);
    if (!lists_expand(arena, &argc, &argv, &error))
        return refuse(arena, error);
    enum options_action action = options_parse(arena, argc, argv, &options, &error);
    if (action == OPTIONS_BAD)
        return refuse(arena, error);
    begin_reading(&options);
    note_old_name(&options);
    if (action == OPTIONS_RUN && options.explain.asked && glossary_takes(arena, &options, &error))
        return error ? refuse(arena, error) : glossary_print(&options);
    if (actions[action].reads_tests && !kernel_take(arena, &options, &error))
        return error ? refuse(arena, error) : EXIT_BAD_INPUT;
    if (actions[action].takes_names) {
        error = library_resolve(arena, &options, options.explain.asked);
        error = error ? error : misspelt_command(arena, &options);
        if (error)
            return refuse(arena, error);
    }
    if (action != OPTIONS_SERVE) // an editor is not a terminal
        terminal_settle(&options);
    return actions[action].act(&options);
}

// A standard descriptor that is closed would become whatever is opened first. On /dev/null, opened
// for the other direction, all use of it fails as if it were closed.
static void keep_standard_files(void) {
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) != file)
            _exit(EXIT_INTERNAL);
}

// A file that is as large as the process may make one (ulimit -f) cannot be written further, which
// is said like a full disk.
static void hear_of_large_files(void) {
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    sigaction(SIGXFSZ, &action, NULL);
}

static void on_no_memory(void) {
    limits_no_memory();
    static const char message[] = "ptxlitmus: error: out of memory\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written; // when even this fails, there is nothing left to do
    _exit(EXIT_INTERNAL);
}

static void *allocate_bytes(size_t size) {
    return allocate(size, 1);
}

// Closes the standard output, for some systems tell only then what went wrong; false after a
// message.
static bool close_output(void) {
    errno = 0;
    bool failed = ferror(stdout) != 0;
    if (fclose(stdout) == 0 && !failed)
        return true;
    fprintf(stderr, "ptxlitmus: error: cannot write the output: %s\n",
            errno ? strerror(errno) : "write error");
    return false;
}

int main(int argc, char **argv) {
    keep_standard_files();
    hear_of_large_files();
    signals_install();
    out_of_memory_calls(on_no_memory);
    json_set_alloc_funcs(allocate_bytes, free);
    struct arena *arena = arena_new();
    enum exit_status status = act(arena, argc, argv);
    arena_free(arena);
    if (status != EXIT_INTERNAL && !close_output())
        status = EXIT_INTERNAL;
    return (int)status;
}
