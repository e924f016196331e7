// The tests that are included, by their names: the commands `list` and `show`, and names in place
// of files.
#ifndef PTXLITMUS_CLI_COMMANDS_LIBRARY_H
#define PTXLITMUS_CLI_COMMANDS_LIBRARY_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

struct arena;

// Replaces each input that is the name of an included test, and not a file, by the path of that
// test. Returns NULL; or, for a name without a test where `strict`, a message that the arena owns.
const char *library_resolve(struct arena *arena, struct options *options, bool strict);

// An included test.
struct library_test {
    const char *name, *path;
};

// Returns the included tests, `*count` of them, owned by the arena; none where their folder is not
// found.
const struct library_test *library_tests(struct arena *arena, size_t *count);

// Whether an included test has this name.
bool library_has(struct arena *arena, const char *name);

// Prints the topics of the included tests, or the tests of the topics that the inputs name.
enum exit_status library_list(const struct options *options);

// Prints the texts of the included tests that the inputs name.
enum exit_status library_show(const struct options *options);

#endif
