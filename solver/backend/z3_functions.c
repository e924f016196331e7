// Z3's functions, as they are linked; or, where PTXLITMUS_Z3_FILE names Z3's library, from there
// (the program alone is built so: CMakeLists.txt).
#include "solver/backend/z3_functions.h"

#include <stddef.h>

#ifdef PTXLITMUS_Z3_FILE

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>

static struct z3_functions functions;

// Finds all functions in the library. Returns NULL or a text.
static const char *find_in(void *library) {
    void *address;
#define Z3_FUNCTION(name)                                                                          \
    address = dlsym(library, "Z3_" #name);                                                         \
    if (!address)                                                                                  \
        return PTXLITMUS_Z3_FILE " lacks Z3_" #name;                                               \
    *(void **)&functions.name = address;
#include "solver/backend/z3_functions.def"
#undef Z3_FUNCTION
    return NULL;
}

const char *z3_functions_find(void) {
    static bool found;
    static char why[512];
    if (found)
        return NULL;
    void *library =
        dlopen(PTXLITMUS_Z3_FILE, RTLD_LAZY | RTLD_LOCAL); // for the rest of the process
    const char *lack = library ? find_in(library) : dlerror();
    found = lack == NULL;
    if (!found)
        snprintf(why, sizeof why, "Z3 cannot be loaded: %s", lack);
    return found ? NULL : why;
}

#else

static const struct z3_functions functions = {
#define Z3_FUNCTION(name) Z3_##name,
#include "solver/backend/z3_functions.def"
#undef Z3_FUNCTION
};

const char *z3_functions_find(void) {
    return NULL;
}

#endif

const struct z3_functions *z3_functions(void) {
    return &functions;
}
