// The folder that is installed with the program: the tests that ship, and the models' texts.
#ifndef PTXLITMUS_DATA_H
#define PTXLITMUS_DATA_H

struct arena;

// Returns the folder's path, which is found from the program's own place, so that an installed tree
// can be moved: BIN/../share/ptxlitmus, or wherever else the installation puts it relative to BIN.
// NULL when the program is not installed, with a message in `*error`. The arena owns both.
const char *data_folder(struct arena *arena, const char **error);

// Returns the folder of the included tests: that of data_folder, or in a build folder of the source
// tree, litmus/library. NULL when there is none. The arena owns it.
const char *data_library(struct arena *arena);

#endif
