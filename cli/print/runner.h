// Texts in logs of GitHub Actions, whose runner takes lines that begin with "::", and "##["
// anywhere, as commands: https://github.com/actions/runner, src/Runner.Common/ActionCommand.cs.
// What a file holds or is called is none.
#ifndef PTXLITMUS_CLI_PRINT_RUNNER_H
#define PTXLITMUS_CLI_PRINT_RUNNER_H

#include <stdio.h>

// Prints a text, which begins a line, with the ':' that begins a line and the '[' after "##"
// written as \x3a and \x5b. What has no width or is not ASCII does not count as the beginning of a
// line.
void runner_print(FILE *out, const char *text);

// Returns a stream that writes lines to `under` as runner_print does, each when it ends. The caller
// closes it with fclose, which leaves `under` open. There may be one at a time.
FILE *runner_stream(FILE *under);

#endif
