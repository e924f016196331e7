// What the language server has done in processes of their own: what a text comes to, and how it can
// be repaired. What is found is printed on stdout, in lines of JSON (cli/print/notice.h).
#ifndef PTXLITMUS_CLI_COMMANDS_EDITING_H
#define PTXLITMUS_CLI_COMMANDS_EDITING_H

#include "cli/options/options.h"

// Reads the tests of a file, and decides them, under the options of a run: a test by its condition;
// a module with its manifest as `check` does, and by its conditions where each launch has one; of
// a module without a manifest each kernel, as it is launched where nothing is said, as far as that
// is quick.
void editing_decide(const struct options *options, const char *path);

// Looks for a repair of each test of a file, and prints the objects of `repair --format json`.
// `goal` is that of a notice.
void editing_repair(const struct options *options, const char *path, const char *goal);

#endif
