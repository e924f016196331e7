// The flags that a project's compile_commands.json has for a .cu file.
#ifndef PTXLITMUS_CLI_INPUT_COMPILE_COMMANDS_H
#define PTXLITMUS_CLI_INPUT_COMPILE_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diagnostics;

// What a project says of how a file is compiled. The arena owns all of it.
struct project_flags {
    const char **flags; // -I, -isystem, -D, -U, -std and -include, with paths that hold anywhere
    size_t count;
    const char *architecture; // "90a", the newest of -arch and -gencode; NULL: none is named
};

// Looks for the file in the nearest compile_commands.json in its folder or one above, and takes
// those of its flags that matter to what device code is. There may be no such list, and the file
// need not be in it: then there are none. Returns false after an error in `diagnostics` about a
// list that cannot be read.
bool compile_commands_find(struct arena *arena, const char *path, struct project_flags *flags,
                           struct diagnostics *diagnostics);

#endif
