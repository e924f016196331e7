// Names of C++ as they are in the object code, back in C++.
#ifndef PTXLITMUS_DEMANGLE_H
#define PTXLITMUS_DEMANGLE_H

struct arena;

// Returns the name that a mangled one (of the Itanium C++ ABI) means, owned by the arena; `name`
// itself when it is not mangled.
const char *demangle(struct arena *arena, const char *name);

#endif
