// Options that say how a kernel is launched whose module does not, for each command that takes such
// kernels.
#ifndef PTXLITMUS_CLI_OPTIONS_LAUNCHING_H
#define PTXLITMUS_CLI_OPTIONS_LAUNCHING_H

#include "cli/options/command.h"

// Sets line->error where an extent is not up to three numbers.
void launching_check_extent(struct command_line *line, const char *argument);

// Sets line->error where the threads that are modelled are not a list of numbers.
void launching_check_threads(struct command_line *line, const char *argument);

// Adds an argument "NAME=VALUE", borrowed; line->error where it is none.
void launching_add_argument(struct command_line *line, const char *argument);

// Sets line->error where what is asked of the launch is not a condition.
void launching_check_asked(struct command_line *line, const char *argument);

// Has the launch kept as a manifest, in the file of the word "--save=FILE", else next to the
// kernel; line->error where the name is empty.
void launching_set_save(struct command_line *line, const char *argument);

#define LAUNCHING_SAVE                                                                             \
    {                                                                                              \
        "--save", NULL, "FILE",                                                                    \
            "keep the launch as a manifest; '--save' alone: next to the kernel",                   \
            .set = launching_set_save, .takes_words = true                                         \
    }

#define LAUNCHING_COMPILER                                                                         \
    {                                                                                              \
        "--compiler", NULL, "PROGRAM",                                                             \
            "compile .cu files with it (default: $NVCC, $CUDACXX, nvcc)",                          \
            SETS_TEXT(launch.compiler)                                                             \
    }

// The options of a launch, as items of an array of struct own_option.
#define LAUNCHING_OPTIONS                                                                          \
    {"--kernel", NULL, "NAME", "the kernel, as the word after the module",                         \
     SETS_TEXT(launch.kernel)},                                                                    \
        {"--grid", NULL, "N[,N[,N]]", "launch so many blocks (default 2)",                         \
         CHECKED_TEXT(launching_check_extent, launch.grid)},                                       \
        {"--block", NULL, "N[,N[,N]]", "of so many threads (default: as the kernel says)",         \
         CHECKED_TEXT(launching_check_extent, launch.block)},                                      \
        {"--cluster", NULL, "N[,N[,N]]", "in clusters of so many blocks",                          \
         CHECKED_TEXT(launching_check_extent, launch.cluster)},                                    \
        {"--threads", NULL, "N[,N...]", "model these threads of each block (default: all)",        \
         CHECKED_TEXT(launching_check_threads, launch.threads)},                                   \
        {"--arg", NULL, "NAME=VALUE", "an argument, by the parameter's name or number",            \
         .set = launching_add_argument},                                                           \
        LAUNCHING_COMPILER

// The same with what is asked of the launch.
#define LAUNCHING_OPTIONS_ASKED                                                                    \
    LAUNCHING_OPTIONS, {                                                                           \
        "--ask", NULL, "CONDITION", "what is asked of the launch: 'exists (out[0] == 1)'",         \
            CHECKED_TEXT(launching_check_asked, launch.asked)                                      \
    }

// How such a command is used, and what its help says.
#define LAUNCHING_USAGE "[OPTIONS] FILE.cu|MODULE.ptx [KERNEL] [-- FLAGS]"
#define LAUNCHING_MORE                                                                             \
    "A .cu file is compiled first, with the flags and those of compile_commands.json. Where\n"     \
    "no manifest says how a kernel is launched, options do, and the rest is derived, as the\n"     \
    "answer says."

// Takes the name of a kernel and flags for the compiler out of the inputs of a command that takes
// kernels: words after a file NAME.cu or NAME.ptx. Returns what is wrong, owned by the arena, or
// NULL. Nothing is read, but whether a file has the name of the kernel.
const char *launching_take_words(struct arena *arena, struct options *options);

// Whether an option says something of a launch, or asks for its manifest.
bool launching_is_given(const struct launch_options *launch);

// Whether a path is that of a .cu file or of a module.
bool launching_is_kernel(const char *path);

#endif
