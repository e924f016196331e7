// Z3's functions, as they are linked; or, where PTXLITMUS_Z3_FILE names Z3's library, from there
// (the program alone is built so: CMakeLists.txt), or from the file that the variable PTXLITMUS_Z3
// names.
#include "solver/backend/z3_functions.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef PTXLITMUS_Z3_FILE

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static struct z3_functions functions;
static bool lacked_memory;

// Finds all functions in the library. Returns NULL or the name of one that is missing.
static const char *find_in(void *library) {
    void *address;
#define Z3_FUNCTION(name)                                                                          \
    address = dlsym(library, "Z3_" #name);                                                         \
    if (!address)                                                                                  \
        return "Z3_" #name;                                                                        \
    *(void **)&functions.name = address;
#include "solver/backend/z3_functions.def"
#undef Z3_FUNCTION
    return NULL;
}

const char *z3_functions_find(void) {
    static bool found;
    static char why[512];
    if (found || why[0] != '\0')
        return found ? NULL : why;
    const char *named = getenv("PTXLITMUS_Z3");
    const char *file = named != NULL && named[0] != '\0' ? named : PTXLITMUS_Z3_FILE;
    errno = 0;
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL); // for the rest of the process
    const char *missing = library ? find_in(library) : NULL;
    lacked_memory = !library && errno == ENOMEM;
    found = library && !missing;
    if (!library)
        snprintf(why, sizeof why, "Z3 cannot be loaded: %s", dlerror());
    else if (missing)
        snprintf(why, sizeof why, "Z3 cannot be loaded: %s lacks %s", file, missing);
    return found ? NULL : why;
}

bool z3_functions_lacked_memory(void) {
    return lacked_memory;
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

bool z3_functions_lacked_memory(void) {
    return false;
}

#endif

const struct z3_functions *z3_functions(void) {
    return &functions;
}
