// Writes files beside those that they replace. On file systems that have such, the new file has no
// name while it is written (O_TMPFILE), so that nothing is left of it when the process is killed.
#include "litmus/source/replace.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char REPLACE_EXISTS[] = "it is there already";

enum { MODE_NEW = 0666, NAMES_TRIED = 1000 };

// errno as a text.
static const char *why(struct arena *arena) {
    out_of_memory_if(errno);
    return arena_format(arena, "%s", strerror(errno));
}

// --- What is at a path -------------------------------------------------------------------------

// The descriptor of the process that a path means, or -1. To open such a path again would begin at
// the start of a file that is written already.
static int own_descriptor(const char *path) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0 && isdigit((unsigned char)path[length]))
            return atoi(path + length);
    }
    return -1;
}

static const char *open_direct(struct arena *arena, struct written_file *file, int descriptor) {
    file->is_direct = true;
    file->out = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file->out)
        return NULL;
    const char *error = why(arena);
    if (descriptor >= 0)
        close(descriptor);
    return error;
}

// --- The new file ------------------------------------------------------------------------------

// The folder that a path is in.
static const char *folder_of(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL   ? "."
           : slash == path ? "/"
                           : arena_strndup(arena, path, (size_t)(slash - path));
}

// A name beside the path that is short, whatever the path's own, and seldom taken.
static const char *name_beside(struct arena *arena, const char *path, unsigned number) {
    return arena_format(arena, "%s/.ptxlitmus-%ld-%u", folder_of(arena, path), (long)getpid(),
                        number);
}

static int open_beside(struct arena *arena, struct written_file *file) {
    int descriptor = -1;
    errno = EEXIST;
    for (unsigned i = 0; descriptor < 0 && errno == EEXIST && i < NAMES_TRIED; i++) {
        file->beside = name_beside(arena, file->path, i);
        descriptor =
            open(file->beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, MODE_NEW);
    }
    return descriptor;
}

// Opens a new file in the folder: without a name where that can be.
static const char *open_new(struct arena *arena, struct written_file *file) {
    int descriptor = -1;
    if (access("/proc/self/fd", F_OK) == 0) // by which it gets its name
        descriptor = open(folder_of(arena, file->path), O_WRONLY | O_TMPFILE | O_CLOEXEC, MODE_NEW);
    if (descriptor < 0)
        descriptor = open_beside(arena, file);
    file->out = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file->out)
        return NULL;
    const char *error = why(arena);
    if (descriptor >= 0) {
        close(descriptor);
        if (file->beside)
            unlink(file->beside);
    }
    return error;
}

// The old file's mode and owner. Another owner is for root alone to give, and the mode is what
// counts.
static bool take_mode(const struct written_file *file, const struct stat *old) {
    int descriptor = fileno(file->out);
    struct stat new;
    if (fstat(descriptor, &new) != 0)
        return false;
    if ((new.st_uid != old->st_uid || new.st_gid != old->st_gid) &&
        fchown(descriptor, old->st_uid, old->st_gid) != 0 && errno != EPERM && errno != EINVAL)
        return false;
    return fchmod(descriptor, old->st_mode & 0777) == 0;
}

static const char LINK[] = "it is a symbolic link, and files are not written through links";

const char *replace_begin(struct arena *arena, struct written_file *file, const char *path,
                          bool must_be_new) {
    struct stat old;
    int own = own_descriptor(path);
    *file = (struct written_file){.path = path, .must_be_new = must_be_new};
    if (own >= 0)
        return open_direct(arena, file, fcntl(own, F_DUPFD_CLOEXEC, 0));
    bool is_there = lstat(path, &old) == 0;
    if (!is_there && errno != ENOENT)
        return why(arena);
    if (!is_there)
        return open_new(arena, file);
    if (S_ISLNK(old.st_mode))
        return LINK;
    if (must_be_new)
        return REPLACE_EXISTS;
    if (!S_ISREG(old.st_mode)) // a folder is refused here
        return open_direct(arena, file, open(path, O_WRONLY | O_CLOEXEC));
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return why(arena);
    file->is_there = true;
    const char *error = open_new(arena, file);
    if (!error && !take_mode(file, &old)) {
        error = why(arena);
        replace_abandon(file);
    }
    return error;
}

// --- The end -----------------------------------------------------------------------------------

// Gives a file without a name one beside the path.
static bool name_new(struct arena *arena, struct written_file *file) {
    const char *open_file = arena_format(arena, "/proc/self/fd/%d", fileno(file->out));
    errno = EEXIST;
    for (unsigned i = 0; errno == EEXIST && i < NAMES_TRIED; i++) {
        const char *name = name_beside(arena, file->path, i);
        if (linkat(AT_FDCWD, open_file, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
            file->beside = name;
            return true;
        }
    }
    return false;
}

// Whether all that was written is on the disk; errno says what is wrong. Only where an old file
// would be lost is the disk waited for.
static bool is_stored(struct written_file *file) {
    if (ferror(file->out)) // errno is that of the write
        return false;
    errno = 0;
    return fflush(file->out) == 0 && (!file->is_there || fsync(fileno(file->out)) == 0);
}

// A file that must be new does not take the name of one that has come since. (Some file systems
// have no links.)
static bool take_name(const struct written_file *file) {
    if (file->must_be_new && link(file->beside, file->path) == 0)
        return unlink(file->beside) == 0;
    if (file->must_be_new && errno == EEXIST)
        return false;
    return rename(file->beside, file->path) == 0;
}

// Why it failed, by errno; the new file is gone.
static const char *give_up(struct arena *arena, struct written_file *file, int error) {
    replace_abandon(file);
    out_of_memory_if(error);
    return arena_format(arena, "%s", error ? strerror(error) : "write error");
}

const char *replace_store(struct arena *arena, struct written_file *file) {
    bool good = is_stored(file) && (file->is_direct || file->beside || name_new(arena, file));
    int error = errno;
    FILE *out = file->out;
    file->out = NULL;
    if (fclose(out) != 0 && good)
        return give_up(arena, file, errno);
    return good ? NULL : give_up(arena, file, error);
}

const char *replace_commit(struct arena *arena, struct written_file *file) {
    const char *error = file->out ? replace_store(arena, file) : NULL;
    if (error || file->is_direct || take_name(file))
        return error;
    return file->must_be_new && errno == EEXIST ? REPLACE_EXISTS : give_up(arena, file, errno);
}

void replace_abandon(struct written_file *file) {
    if (file->out)
        fclose(file->out);
    if (file->beside)
        unlink(file->beside);
    file->out = NULL;
    file->beside = NULL;
}

const char *replace_by(struct arena *arena, const char *path, const char *from) {
    struct stat old;
    bool is_there = lstat(path, &old) == 0;
    if (is_there && S_ISLNK(old.st_mode))
        return LINK;
    if (is_there && chmod(from, old.st_mode & 07777) != 0)
        return why(arena);
    return rename(from, path) == 0 ? NULL : why(arena);
}

const char *replace_file(struct arena *arena, const char *path, const char *text, size_t size) {
    struct written_file file;
    const char *error = replace_begin(arena, &file, path, false);
    if (error)
        return error;
    errno = 0;
    fwrite(text, 1, size, file.out);
    return replace_commit(arena, &file);
}

const char *folder_make(struct arena *arena, const char *path) {
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return NULL;
    int error = errno;
    if (error == EEXIST && stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return NULL;
        error = ENOTDIR;
    }
    errno = error;
    return why(arena);
}
