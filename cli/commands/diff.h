// The command `diff`: what changed between two runs.
#ifndef PTXLITMUS_CLI_COMMANDS_DIFF_H
#define PTXLITMUS_CLI_COMMANDS_DIFF_H

#include <stdio.h>

// Compares the JSON results of two runs, in files ("-": the standard input), and prints verdicts,
// outcomes and flags that differ on `out`. Messages go to `err`. Returns 0 when nothing differs, 1
// when something does, and 2 after errors.
int diff_results(const char *a, const char *b, FILE *out, FILE *err);

#endif
