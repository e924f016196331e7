// Names of C++ as they stand in the object code, back in C++.
#ifndef PTXLITMUS_DEMANGLE_H
#define PTXLITMUS_DEMANGLE_H

struct arena;

// The name that a mangled one (of the Itanium C++ ABI) stands for, owned by the arena; `name`
// itself when it is none.
const char *demangle(struct arena *arena, const char *name);

#endif
