// Walks folders in the order of names.
#include "cli/input/files.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/source.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// What is collected, and whether .cu files are tests.
struct collection {
    struct arena *arena;
    struct input_list *list;
    bool takes_cuda;
};

void files_add(struct arena *arena, struct input_list *list, const struct input *input) {
    list->items = arena_grow(arena, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = *input;
    list->file_count += input->error == NULL;
}

static void push(const struct collection *collection, const char *path, const char *error) {
    files_add(collection->arena, collection->list, &(struct input){.path = path, .error = error});
}

static void push_failed(const struct collection *collection, const char *path, int error) {
    out_of_memory_if(error);
    push(collection, path, arena_format(collection->arena, "cannot be read: %s", strerror(error)));
}

static bool has_suffix(const char *name, const char *suffix) {
    size_t length = strlen(name), suffix_length = strlen(suffix);
    return length > suffix_length && strcmp(name + length - suffix_length, suffix) == 0;
}

// Whether a .cu file says how its kernels are launched, or a file beside it does.
static bool has_manifest(struct arena *arena, const char *path) {
    struct stat status;
    struct diagnostics ignored;
    if (stat(arena_format(arena, "%s.litmus", path), &status) == 0)
        return true;
    diagnostics_init(&ignored, arena);
    const struct source *text = source_read(arena, path, &ignored);
    return text && strstr(text->text, "// PTXLITMUS") != NULL;
}

// Litmus tests, nvlitmus's, and modules of PTX. The sidecar of a module or of a .cu file is read
// with it.
static bool is_test(const struct collection *collection, const char *path, const char *name) {
    bool is_sidecar = has_suffix(name, ".ptx.litmus") || has_suffix(name, ".cu.litmus");
    return (has_suffix(name, ".litmus") && !is_sidecar) || has_suffix(name, ".test") ||
           has_suffix(name, ".ptx") ||
           (collection->takes_cuda && has_suffix(name, ".cu") &&
            has_manifest(collection->arena, path));
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The names in a folder, sorted. Returns an errno when they cannot all be had: what comes after a
// read error must not be missing without a word.
static int names_in(struct arena *arena, const char *path, const char ***list, size_t *count) {
    DIR *folder = opendir(path);
    if (!folder)
        return errno;
    const char **names = NULL;
    *count = 0;
    errno = 0;
    for (const struct dirent *entry; (entry = readdir(folder)); errno = 0) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            names = arena_grow(arena, names, *count, sizeof *names);
            names[(*count)++] = arena_strndup(arena, entry->d_name, strlen(entry->d_name));
        }
    }
    int error = errno;
    closedir(folder);
    if (*count > 0)
        qsort(names, *count, sizeof *names, by_name);
    *list = names;
    return error;
}

// A folder that is walked, and the one that it is in.
struct folder {
    const struct folder *parent;
    dev_t device;
    ino_t number;
};

static bool is_walked(const struct folder *folder, const struct stat *status) {
    while (folder && (folder->device != status->st_dev || folder->number != status->st_ino))
        folder = folder->parent;
    return folder != NULL;
}

static void walk(const struct collection *collection, const struct folder *parent, const char *path,
                 const struct stat *status);

// Adds the inputs that an entry of a folder means. A folder that is its own ancestor through a link
// has been seen already.
static void visit(const struct collection *collection, const struct folder *parent,
                  const char *path, const char *name) {
    struct stat status;
    bool known = stat(path, &status) == 0;
    int error = errno;
    bool is_link = !known && lstat(path, &status) == 0; // dangling: reading it says so
    if (known && S_ISDIR(status.st_mode)) {
        if (!is_walked(parent, &status))
            walk(collection, parent, path, &status);
    } else if (known ? S_ISREG(status.st_mode) && is_test(collection, path, name)
                     : is_link && is_test(collection, path, name)) {
        push(collection, path, NULL);
    } else if (!known && !is_link) {
        push_failed(collection, path, error);
    }
}

// All tests in a folder and in those in it.
static void walk(const struct collection *collection, const struct folder *parent, const char *path,
                 const struct stat *status) {
    struct arena *arena = collection->arena;
    struct folder folder = {parent, status->st_dev, status->st_ino};
    const char **names = NULL;
    size_t count = 0, length = strlen(path);
    int error = names_in(arena, path, &names, &count);
    if (error != 0)
        push_failed(collection, path, error);
    const char *between = length > 0 && path[length - 1] == '/' ? "" : "/";
    for (size_t i = 0; i < count; i++) {
        visit(collection, &folder, arena_format(arena, "%s%s%s", path, between, names[i]),
              names[i]);
    }
}

static void collect_folder(const struct collection *collection, const char *path,
                           const struct stat *status) {
    size_t before = collection->list->count;
    walk(collection, NULL, path, status);
    if (collection->list->count == before) {
        push(collection, path,
             collection->takes_cuda
                 ? "no tests in this folder: it holds no *.litmus, *.test or *.ptx file, and no "
                   "*.cu file with a manifest"
                 : "no tests in this folder: it holds no *.litmus, *.test or *.ptx file");
    }
}

static bool is_folder(const char *path, struct stat *status) {
    return stat(path, status) == 0 && S_ISDIR(status->st_mode);
}

// The module or .cu file whose sidecar a file is, where it is there; else the path itself.
static const char *module_of(const struct collection *collection, const char *path) {
    static const char ending[] = ".litmus";
    bool is_sidecar = has_suffix(path, ".ptx.litmus") ||
                      (collection->takes_cuda && has_suffix(path, ".cu.litmus"));
    struct stat status;
    if (!is_sidecar)
        return path;
    const char *module = arena_strndup(collection->arena, path, strlen(path) - (sizeof ending - 1));
    return stat(module, &status) == 0 ? module : path;
}

static void collect(const struct collection *collection, const char *const *paths, size_t count) {
    *collection->list = (struct input_list){0};
    for (size_t i = 0; i < count; i++) {
        struct stat status;
        if (is_folder(paths[i], &status))
            collect_folder(collection, paths[i], &status);
        else
            push(collection, module_of(collection, paths[i]), NULL);
    }
}

void files_collect(struct arena *arena, const char *const *paths, size_t count,
                   struct input_list *list) {
    collect(&(struct collection){.arena = arena, .list = list}, paths, count);
}

void files_collect_compiled(struct arena *arena, const char *const *paths, size_t count,
                            struct input_list *list) {
    collect(&(struct collection){.arena = arena, .list = list, .takes_cuda = true}, paths, count);
}

void files_take_shard(struct input_list *list, size_t shard, size_t count) {
    size_t kept = 0;
    list->file_count = 0;
    for (size_t i = shard - 1; i < list->count; i += count) {
        struct input *input = &list->items[kept++];
        *input = list->items[i];
        input->index = i + 1;
        list->file_count += input->error == NULL;
    }
    list->count = kept;
}
