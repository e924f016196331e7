// Reading files.
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Texts in place of files, of this thread: the last one first.
static _Thread_local struct override {
    const char *path, *text;
    size_t size;
    struct override *next;
} * overrides;

void source_override(const char *path, const char *text, size_t size) {
    struct override *override = allocate(1, sizeof *override);
    *override = (struct override){path, text, size, overrides};
    overrides = override;
}

static const struct override *override_of(const char *path) {
    const struct override *override = overrides;
    while (override && strcmp(override->path, path) != 0)
        override = override->next;
    return override;
}

static bool is_there(const char *path) {
    return override_of(path) || access(path, F_OK) == 0;
}

// Reads all of `file` into a buffer that the caller frees. Returns NULL with errno set; EFBIG when
// there is more than SOURCE_SIZE_MAX.
static char *read_all(int file, size_t *size) {
    size_t capacity = 16 * 1024;
    char *buffer = reallocate(NULL, capacity, 1);
    *size = 0;
    for (;;) {
        ssize_t got = read(file, buffer + *size, capacity - *size);
        if (got == 0)
            return buffer;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        *size += (size_t)got;
        if (*size > SOURCE_SIZE_MAX) {
            errno = EFBIG;
            break;
        }
        if (*size == capacity) {
            capacity *= 2;
            buffer = reallocate(buffer, capacity, 1);
        }
    }
    int error = errno;
    free(buffer);
    errno = error;
    return NULL;
}

static const struct source *read_failed(struct diagnostics *diagnostics, const char *path) {
    if (errno == EFBIG)
        diag_error_path(diagnostics, path, "the file is larger than %d MiB",
                        SOURCE_SIZE_MAX / (1024 * 1024));
    else
        diag_error_path(diagnostics, path, "cannot read the file: %s", strerror(errno));
    return NULL;
}

static const struct source *read_file(struct arena *arena, const char *path,
                                      struct diagnostics *diagnostics) {
    const struct override *override = override_of(path);
    if (override)
        return source_from_text(arena, path, override->text, override->size);
    bool is_stdin = strcmp(path, "-") == 0;
    int file = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return read_failed(diagnostics, path);
    struct stat status;
    size_t size = 0;
    char *text = NULL;
    if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode))
        errno = EISDIR;
    else
        text = read_all(file, &size);
    int error = errno;
    if (!is_stdin)
        close(file);
    errno = error;
    if (!text)
        return read_failed(diagnostics, path);
    const struct source *source = source_from_text(arena, path, text, size);
    free(text);
    return source;
}

// Another file in the folder of a file.
static const char *beside_of(struct arena *arena, const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    return arena_format(arena, "%.*s%s", slash ? (int)(slash - path + 1) : 0, path, name);
}

bool source_is_beside(struct arena *arena, const char *path, const char *name) {
    return is_there(beside_of(arena, path, name));
}

// The same with the file that says how the kernels of a module are launched, where there is one
// beside it.
const struct source *source_read(struct arena *arena, const char *path,
                                 struct diagnostics *diagnostics) {
    const struct source *source = read_file(arena, path, diagnostics);
    size_t length = strlen(path);
    if (!source || length < 4 || strcmp(path + length - 4, ".ptx") != 0)
        return source;
    const char *beside = arena_format(arena, "%s.litmus", path);
    bool shares = !is_there(beside);
    if (shares)
        beside = beside_of(arena, path, "all.ptx.litmus");
    if (!is_there(beside))
        return source;
    struct source *whole = arena_copy(arena, source, 1, sizeof *source);
    whole->shares_sidecar = shares;
    whole->sidecar = read_file(arena, beside, diagnostics);
    return whole->sidecar ? whole : NULL;
}
