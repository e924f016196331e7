// Demangles by the library of C++, which Z3 brings along.
#include "litmus/source/demangle.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

// <cxxabi.h>, which C cannot include. Status -1: there was no memory.
char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);

const char *demangle(struct arena *arena, const char *name) {
    enum { NO_MEMORY = -1 };
    int status = 0;
    if (strncmp(name, "_Z", 2) != 0) // what is a type alone would be read, too: "i" is int
        return name;
    char *text = __cxa_demangle(name, NULL, NULL, &status);
    if (status == NO_MEMORY)
        out_of_memory();
    if (!text)
        return name;
    const char *copy = arena_strndup(arena, text, strlen(text));
    free(text);
    return copy;
}
