// The folder that is installed with the program: the tests that ship, and the models' texts.
#ifndef PTXLITMUS_DATA_H
#define PTXLITMUS_DATA_H

struct arena;

// Its path, found from the program's own place, so that an installed tree can be moved:
// BIN/../share/ptxlitmus, or where else the installation puts it relative to BIN. NULL when the
// program is not installed, with a message in `*error`. Both are owned by the arena.
const char *data_folder(struct arena *arena, const char **error);

#endif
