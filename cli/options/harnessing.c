// Options of `harness`.
#include "cli/options/commands.h"

#include "check/text/names.h"
#include "litmus/ptx/target.h"
#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

// architecture = "sm_" digit{2,3} ("a" | "f")?
static void set_architecture(struct command_line *taken, const char *text) {
    struct harness_options *harness = &taken->options->harness;
    const char *digits = strncmp(text, "sm_", 3) == 0 ? text + 3 : "";
    size_t length = strspn(digits, "0123456789");
    const char *end = digits + length;
    bool ends = *end == '\0' || ((*end == 'a' || *end == 'f') && end[1] == '\0');
    if (length < 2 || length > 3 || !ends) {
        taken->error = arena_format(taken->arena, "'--arch' takes a GPU, such as 'sm_90', not '%s'",
                                    escaped(taken->arena, text));
        return;
    }
    harness->target = text;
    harness->architecture = (unsigned)strtoul(digits, NULL, 10);
    harness->is_specific = *end != '\0';
    if (harness->architecture < PTX_FIRST_SM) {
        taken->error =
            arena_format(taken->arena, "the memory model begins with sm_%d: '--arch %s' has none",
                         PTX_FIRST_SM, text);
    }
}

static const struct own_option harness_options[] = {
    {"--output", "-o", "DIR", "the folder of the sources", SETS_TEXT(harness.folder)},
    {"--arch", NULL, "GPU", "for which GPU (default sm_90a)", .set = set_architecture},
    {"--force", NULL, NULL, "overwrite a folder that 'harness' wrote before",
     SETS_FLAG(harness.overwrites)},
};

static void harness_begin(struct options *options) {
    options->harness =
        (struct harness_options){.target = "sm_90a", .architecture = 90, .is_specific = true};
}

static const char *harness_check(struct arena *arena, struct options *options) {
    (void)arena;
    const struct harness_options *harness = &options->harness;
    if (!harness->folder || *harness->folder == '\0')
        return "'harness' writes a folder: '-o DIR' says which";
    return NULL;
}

const struct cli_command command_harness = {
    .name = "harness",
    .group = GROUP_MAKE,
    .usage = "[OPTIONS] FILE|FOLDER|NAME... -o DIR",
    .help = "write tests as CUDA sources, with a script that runs them on a GPU",
    .example = "ptxlitmus harness MP SB -o hardware --arch sm_90a",
    OWN_OPTIONS(harness_options),
    .has_run_options = true,
    .refuses = "format races dump-smt2 verdict emit-ptx hex shard stats jobs states progress",
    .needs = "no test: give files, folders, or names of included tests\n"
             "hint: 'ptxlitmus help harness' lists the options",
    .action = OPTIONS_HARNESS,
    .begin = harness_begin,
    .check = harness_check,
};
