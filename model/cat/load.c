// Finding cat texts: by path, by a built-in model's name, in the folder of the text that includes
// them.
#include "model/cat/load.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/builtin.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The path of built-in texts in messages; they have no folder to look for files in.
static const char builtin_folder[] = "<built-in>/";

static bool is_builtin(const struct source *source) {
    return strncmp(source->path, builtin_folder, sizeof builtin_folder - 1) == 0;
}

const struct builtin_model *model_builtins(size_t *count) {
    *count = 0;
    while (builtin_models[*count].name)
        ++*count;
    return builtin_models;
}

static bool ends_in_cat(const char *name) {
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".cat") == 0;
}

// The text of that name in a table, with or without .cat; NULL when there is none.
static const struct source *load_from(struct arena *arena, const struct builtin_model *table,
                                      const char *name) {
    size_t length = strlen(name) - (ends_in_cat(name) ? 4 : 0);
    for (const struct builtin_model *model = table; model->name; model++)
        if (strlen(model->name) == length && memcmp(model->name, name, length) == 0)
            return source_from_text(arena,
                                    arena_format(arena, "%s%s.cat", builtin_folder, model->name),
                                    model->text, strlen(model->text));
    return NULL;
}

const struct source *load_builtin(struct arena *arena, const char *name) {
    return load_from(arena, builtin_models, name);
}

const struct source *load_further(struct arena *arena, const char *name) {
    return load_from(arena, builtin_simulated, name);
}

bool load_check_size(const struct source *source, struct diagnostics *diagnostics) {
    if (source->size <= CAT_SIZE_MAX)
        return true;
    diag_error(diagnostics, (struct span){source, 0, 0}, "a cat text of more than %d KiB",
               CAT_SIZE_MAX / 1024);
    return false;
}

// --- Includes ----------------------------------------------------------------------------------

// The path without links, "." and "..", owned by the arena; NULL when there is no such file.
static const char *real_path(struct arena *arena, const char *path) {
    char *real = realpath(path, NULL);
    const char *copy = real ? arena_strndup(arena, real, strlen(real)) : NULL;
    free(real);
    return copy;
}

// "a/" of "a/b.cat", "" of "b.cat".
static const char *folder_of(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    return arena_strndup(arena, path, slash ? (size_t)(slash - path) + 1 : 0);
}

bool load_find_folders(struct arena *arena, const struct source *source, const char *const *folders,
                       size_t count, struct load_folders *found, struct diagnostics *diagnostics) {
    *found = (struct load_folders){.paths = ARENA_ARRAY(arena, const char *, count + 1)};
    const char *folder = folder_of(arena, source->path);
    const char *own = is_builtin(source) ? NULL : real_path(arena, *folder ? folder : ".");
    if (own) { // where the user found it: a link's folder, not that of the file it leads to
        found->paths[found->count++] = own;
        found->has_own = true;
    }
    for (size_t i = 0; i < count; i++) {
        struct stat status;
        const char *path = real_path(arena, folders[i]);
        if (!path || stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) {
            diag_error_path(diagnostics, folders[i], "there is no such folder to include from");
            return false;
        }
        found->paths[found->count++] = path;
    }
    return true;
}

// Whether a real path lies in one of the folders, or in a folder in one of them.
static bool is_inside(const struct load_folders *folders, const char *real) {
    for (size_t i = 0; i < folders->count; i++) {
        size_t length = strlen(folders->paths[i]);
        if (strncmp(real, folders->paths[i], length) == 0 && (real[length] == '/' || length == 1))
            return true;
    }
    return false;
}

static const struct source *fail_outside(const struct load_folders *folders, struct cat_name name,
                                         struct diagnostics *diagnostics) {
    diag_error(diagnostics, name.span, "'%s' is outside of %s", name.text,
               folders->count > folders->has_own
                   ? "the model's folder and of those that '--include' names"
                   : "the model's folder");
    diag_hint(diagnostics, "'--include DIR' lets a model include what lies in another folder");
    return NULL;
}

// Whether a file of that name is in the folder ("" or with a '/' at its end) and may be read;
// `*source` gets its text, NULL after an error. A name that is a path from the root has no folder.
static bool include_from(struct arena *arena, const struct load_folders *folders,
                         const char *folder, struct cat_name name, const struct source **source,
                         struct diagnostics *diagnostics) {
    const char *path = arena_format(arena, "%s%s", name.text[0] == '/' ? "" : folder, name.text);
    const char *real = name.text[0] == '\0' ? NULL : real_path(arena, path);
    if (!real)
        return false;
    *source = is_inside(folders, real) ? source_read(arena, path, diagnostics)
                                       : fail_outside(folders, name, diagnostics);
    return true;
}

const struct source *load_include(struct arena *arena, const struct load_folders *folders,
                                  const struct source *from, struct cat_name name,
                                  struct diagnostics *diagnostics) {
    const struct source *source = NULL;
    if (!is_builtin(from) &&
        include_from(arena, folders, folder_of(arena, from->path), name, &source, diagnostics))
        return source;
    for (size_t i = folders->has_own; !is_builtin(from) && i < folders->count; i++)
        if (include_from(arena, folders, arena_format(arena, "%s/", folders->paths[i]), name,
                         &source, diagnostics))
            return source;
    source = load_builtin(arena, name.text);
    if (!source)
        source = load_further(arena, name.text);
    if (!source)
        diag_error(diagnostics, name.span, "no file '%s' beside '%s', and no built-in model",
                   name.text, from->path);
    return source;
}

// --- Names -------------------------------------------------------------------------------------

const char *load_identity(struct arena *arena, const struct source *source) {
    const char *real = is_builtin(source) ? NULL : real_path(arena, source->path);
    return real ? real : source->path;
}

const char *load_model_name(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    return arena_strndup(arena, base, strlen(base) - (ends_in_cat(base) ? 4 : 0));
}

bool load_is_path(const char *name) {
    return strchr(name, '/') || ends_in_cat(name);
}
