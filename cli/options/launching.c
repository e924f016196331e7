// How a kernel is launched, as the command line says it.
#include "cli/options/launching.h"

#include "check/report/report.h"
#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Whether a text is numbers from `low` to `high` with commas between them, at most `most`.
static bool are_numbers(const char *text, unsigned long low, unsigned long high, unsigned most) {
    for (unsigned count = 1; count <= most; count++) {
        size_t digits = strspn(text, "0123456789");
        unsigned long number = strtoul(text, NULL, 10);
        if (digits == 0 || digits > 5 || number < low || number > high)
            return false;
        if (text[digits] == '\0')
            return true;
        if (text[digits] != ',')
            return false;
        text += digits + 1;
    }
    return false;
}

void launching_check_extent(struct command_line *line, const char *argument) {
    if (!are_numbers(argument, 1, 65535, 3)) {
        line->error = arena_format(line->arena,
                                   "'%s' takes one to three numbers from 1 to 65535, such as 2 or "
                                   "16,8,1, not '%s'",
                                   line->option->name, escaped(line->arena, argument));
    }
}

void launching_check_threads(struct command_line *line, const char *argument) {
    if (strcmp(argument, "auto") != 0 && !are_numbers(argument, 0, 1023, 1024)) {
        line->error = arena_format(line->arena,
                                   "'--threads' takes numbers of threads of a block, such as "
                                   "0,1,32, or auto, not '%s'",
                                   escaped(line->arena, argument));
    }
}

void launching_add_argument(struct command_line *line, const char *argument) {
    struct launch_options *launch = &line->options->launch;
    const char *equal = strchr(argument, '=');
    if (!equal || equal == argument || equal[1] == '\0' || strpbrk(argument, "\r\n")) {
        line->error = arena_format(line->arena,
                                   "'--arg' takes NAME=VALUE or NUMBER=VALUE, such as 1=3 for the "
                                   "second parameter, not '%s'",
                                   escaped(line->arena, argument));
    }
    launch->arguments = arena_grow(line->arena, launch->arguments, launch->argument_count,
                                   sizeof *launch->arguments);
    launch->arguments[launch->argument_count++] = argument;
}

void launching_check_asked(struct command_line *line, const char *argument) {
    static const char *const begins[] = {"exists", "~exists", "forall"};
    bool is_condition = false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        is_condition = is_condition || strncmp(argument, begins[i], strlen(begins[i])) == 0;
    if (!is_condition || strpbrk(argument, "\r\n")) {
        line->error = arena_format(line->arena,
                                   "'--ask' takes a condition in one line, such as "
                                   "'exists (out[0] == 1)', ~exists or forall, not '%s'",
                                   escaped(line->arena, argument));
    }
}

void launching_set_save(struct command_line *line, const char *argument) {
    const char *equal = strchr(line->argv[line->at], '=');
    (void)argument;
    line->options->launch.is_saved = true;
    line->options->launch.saved = equal ? equal + 1 : NULL;
    if (equal && equal[1] == '\0')
        line->error = "'--save=' needs the name of a file";
}

// --- Words -------------------------------------------------------------------------------------

bool launching_is_kernel(const char *path) {
    size_t length = strlen(path);
    return path_is_cuda(path) || (length > 4 && strcmp(path + length - 4, ".ptx") == 0);
}

// Whether a word begins with a '-', as flags do, and is not the standard input.
static bool is_flag(const char *word) {
    return word[0] == '-' && word[1] != '\0';
}

bool launching_is_given(const struct launch_options *launch) {
    return launch->grid || launch->block || launch->cluster || launch->threads || launch->kernel ||
           launch->argument_count > 0 || launch->asked || launch->is_saved;
}

static bool ends(const char *word, const char *end) {
    size_t length = strlen(word), count = strlen(end);
    return length >= count && strcmp(word + length - count, end) == 0;
}

// Whether a word after a kernel names one in it: it is not an input, nor looks like one.
static bool is_name(const char *word) {
    return !is_flag(word) && strcmp(word, "-") != 0 && !launching_is_kernel(word) &&
           !ends(word, ".litmus") && !ends(word, ".test") && access(word, F_OK) != 0;
}

// inputs = file kernel? flag* for a command that takes one kernel, file+ flag* for one that takes
// more: the flags are what followed a "--".
static void take_words(struct arena *arena, struct options *options) {
    struct launch_options *launch = &options->launch;
    size_t files = 0;
    while (files < options->input_count && !is_flag(options->inputs[files]))
        files++;
    launch->flags = ARENA_ARRAY(arena, const char *, options->input_count + 1);
    for (size_t i = files; i < options->input_count; i++)
        launch->flags[launch->flag_count++] = options->inputs[i];
    if (files == 2 && options->command->kernels == 1 && is_name(options->inputs[1])) {
        launch->kernel = options->inputs[1];
        files = 1;
    }
    options->input_count = files;
}

// What is wrong with several inputs, or one that is not a kernel; NULL: nothing.
static const char *check_inputs(struct arena *arena, const struct options *options) {
    const struct launch_options *launch = &options->launch;
    bool any_cuda = false, any_kernel = false;
    for (size_t i = 0; i < options->input_count; i++) {
        const char *path = options->inputs[i];
        any_cuda = any_cuda || path_is_cuda(path);
        any_kernel = any_kernel || launching_is_kernel(path);
        if (path_is_cuda(path) && options->input_count > options->command->kernels) {
            return arena_format(arena, "'%s' takes '%s' alone: give one .cu file",
                                options->command->name, escaped(arena, path));
        }
    }
    bool is_read_only = options->command->action == OPTIONS_INSPECT; // and nothing is launched
    if (launching_is_given(launch) && !is_read_only &&
        (!any_kernel || options->input_count > options->command->kernels))
        return "options of a launch are for one kernel: give one file, NAME.cu or NAME.ptx";
    return launch->flag_count > 0 && !any_cuda
               ? "flags after '--' are for the compiler of a .cu file"
               : NULL;
}

const char *launching_take_words(struct arena *arena, struct options *options) {
    if (options->input_count > 0 && launching_is_kernel(options->inputs[0]))
        take_words(arena, options);
    return check_inputs(arena, options);
}
