// Finds the program's own place and the data that is installed with it.
#include "cli/commands/data.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Where the data is, seen from the folder of the program. CMakeLists.txt says it.
#ifndef PTXLITMUS_DATA_FROM_BIN
#error "PTXLITMUS_DATA_FROM_BIN is not defined"
#endif

// The folder of the program (proc(5)), or NULL. Without links: those that lead to it are resolved.
static const char *program_folder(struct arena *arena) {
    enum { PATH_BYTES = 65536 }; // Linux' longest path has 4096
    char *path = arena_alloc(arena, PATH_BYTES);
    ssize_t size = readlink("/proc/self/exe", path, PATH_BYTES - 1);
    char *slash = size > 0 ? strrchr(path, '/') : NULL;
    return slash ? arena_strndup(arena, path, (size_t)(slash - path)) : NULL;
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char *data_folder(struct arena *arena, const char **error) {
    const char *here = program_folder(arena);
    if (!here) {
        *error = arena_format(arena, "/proc/self/exe cannot be read: %s", strerror(errno));
        return NULL;
    }
    const char *folder = arena_format(arena, "%s/%s", here, PTXLITMUS_DATA_FROM_BIN);
    char *real = is_folder(folder) ? realpath(folder, NULL) : NULL;
    if (!real) {
        *error = arena_format(arena,
                              "this program is not installed: there is no folder '%s'\n"
                              "hint: 'cmake --install' puts the tests and models there; in the "
                              "source tree they are litmus/library and model",
                              escaped(arena, folder));
        return NULL;
    }
    const char *copy = arena_strndup(arena, real, strlen(real));
    free(real);
    return copy;
}

const char *data_library(struct arena *arena) {
    const char *error = NULL, *folder = data_folder(arena, &error);
    if (folder)
        return arena_format(arena, "%s/library", folder);
    const char *here = program_folder(arena);
    char *real = NULL;
    static const char *const above[] = {"..", "../.."}; // of build/, and of build/debug/
    for (size_t i = 0; here && !real && i < sizeof above / sizeof above[0]; i++)
        real = realpath(arena_format(arena, "%s/%s/litmus/library", here, above[i]), NULL);
    folder = real && is_folder(real) ? arena_strndup(arena, real, strlen(real)) : NULL;
    free(real);
    return folder;
}
