// Options of `harness`.
#include "cli/options/harnessing.h"

#include "cli/options/command.h"
#include "cli/print/names.h"
#include "litmus/ptx/target.h"
#include "litmus/source/arena.h"

#include <ctype.h>
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

// Whether the word was an option of this command.
static bool take(struct command_line *taken) {
    struct harness_options *harness = &taken->options->harness;
    const char *argument;
    if (command_flag(taken, "--force")) {
        harness->overwrites = true;
    } else if (command_option(taken, "--arch", &argument)) {
        set_architecture(taken, argument);
    } else if (command_option(taken, "-o", &argument) ||
               command_option(taken, "--output", &argument)) {
        harness->folder = argument;
    } else {
        return false;
    }
    return true;
}

const char *harnessing_take(struct arena *arena, int *argc, char **argv, struct options *options) {
    options->harness = (struct harness_options){
        .asked = true, .target = "sm_90a", .architecture = 90, .is_specific = true};
    return command_take(arena, argc, argv, options, take);
}

const char *harnessing_check(struct arena *arena, struct options *options) {
    const struct harness_options *harness = &options->harness;
    const char *error = command_check(arena, options, "harness",
                                      REFUSE_FORMAT | REFUSE_RACES | REFUSE_DUMP | REFUSE_VERDICT |
                                          REFUSE_EMIT | REFUSE_HEX | REFUSE_SHARD | REFUSE_STATS |
                                          REFUSE_JOBS | REFUSE_STATES | REFUSE_PROGRESS);
    if (error) {
        return error;
    }
    if (options->input_count == 0) {
        return "no test: give files, folders, or names of included tests\nhint: '--help' lists the "
               "options";
    }
    if (!harness->folder || *harness->folder == '\0') {
        return "'harness' writes a folder: '-o DIR' says which";
    }
    return NULL;
}
