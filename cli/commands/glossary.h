// Words in place of tests: `ptxlitmus explain WORD`.
#ifndef PTXLITMUS_CLI_COMMANDS_GLOSSARY_H
#define PTXLITMUS_CLI_COMMANDS_GLOSSARY_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

#include <stdbool.h>

struct arena;

// Whether the inputs of `explain` are words and not tests: the first ones make a word of the
// glossary, which may consist of several, and neither a file nor an included test has that name.
// The inputs are then joined to words. `*error` is set when the others are none, or when an option
// is given that is about tests; the arena owns what is made.
bool glossary_takes(struct arena *arena, struct options *options, const char **error);

// Prints what the inputs mean, which are words.
enum exit_status glossary_print(const struct options *options);

#endif
