// Where an instruction of a module comes from: a line of the source that the module was made of.
#ifndef PTXLITMUS_READERS_MODULE_ORIGIN_H
#define PTXLITMUS_READERS_MODULE_ORIGIN_H

#include "litmus/test.h"

struct arena;

// A line of a source. `path` is as the module has it, and `name` its last part; both are owned by
// the arena, and NULL where the line is not known.
struct line_origin {
    const char *path, *name;
    unsigned line;
};

// Returns the line that an instruction comes from, by the directive .loc before it (PTX
// ISA 11.5.3). Of functions that were put into others, it is the line of the innermost one that the
// user has written: one in a header of the toolkit, the system or a package of Python is passed
// over for the line that called it. So is a function of C++ around inline assembly, once.
struct line_origin origin_of(struct arena *arena, const struct instruction *instruction);

// Returns the line as text, "mp.cu:12", owned by the arena; NULL where it is not known.
const char *origin_text(struct arena *arena, const struct line_origin *origin);

#endif
