// Finding cat texts: by path, by a built-in model's name, beside the text that includes them.
#include "model/cat/load.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/builtin.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The path of built-in texts in messages; no file is looked for beside them.
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

static const struct source *load_builtin(struct arena *arena, const char *name) {
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

const struct source *load_include(struct arena *arena, const struct source *from,
                                  struct cat_name name, struct diagnostics *diagnostics) {
    if (!is_builtin(from)) {
        const char *slash = strrchr(from->path, '/');
        int folder = name.text[0] == '/' || !slash ? 0 : (int)(slash - from->path + 1);
        const char *path = arena_format(arena, "%.*s%s", folder, from->path, name.text);
        if (name.text[0] != '\0' && access(path, F_OK) == 0)
            return source_read(arena, path, diagnostics);
    }
    const struct source *builtin = load_builtin(arena, name.text);
    if (!builtin)
        builtin = load_further(arena, name.text);
    if (!builtin)
        diag_error(diagnostics, name.span, "no file '%s' beside '%s', and no built-in model",
                   name.text, from->path);
    return builtin;
}

const char *load_identity(struct arena *arena, const struct source *source) {
    char *real = is_builtin(source) ? NULL : realpath(source->path, NULL);
    const char *identity = real ? arena_strndup(arena, real, strlen(real)) : source->path;
    free(real);
    return identity;
}

const char *load_model_name(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    return arena_strndup(arena, base, strlen(base) - (ends_in_cat(base) ? 4 : 0));
}

static void fail_unknown(struct arena *arena, const char *name, struct diagnostics *diagnostics) {
    size_t count;
    const struct builtin_model *models = model_builtins(&count);
    const char **names = ARENA_ARRAY(arena, const char *, count);
    const char *list = "";
    for (size_t i = 0; i < count; i++) {
        names[i] = models[i].name;
        list = arena_format(arena, "%s%s%s", list, i > 0 ? ", " : "", names[i]);
    }
    diag_error_path(diagnostics, name, "no model has this name");
    const char *nearest = diag_nearest(name, strlen(name), names, count);
    if (nearest)
        diag_hint(diagnostics, "did you mean '%s'?", nearest);
    else
        diag_hint(diagnostics, "built in are %s; a path has a '/' or ends in .cat", list);
}

struct model *model_load_with(struct arena *arena, const char *name_or_path,
                              const struct model_options *options,
                              struct diagnostics *diagnostics) {
    bool is_path = strchr(name_or_path, '/') || ends_in_cat(name_or_path);
    const struct source *source =
        is_path ? source_read(arena, name_or_path, diagnostics) : load_builtin(arena, name_or_path);
    if (!source && !is_path)
        fail_unknown(arena, name_or_path, diagnostics);
    return source ? model_parse_with(arena, source, options, diagnostics) : NULL;
}

struct model *model_load(struct arena *arena, const char *name_or_path,
                         struct diagnostics *diagnostics) {
    return model_load_with(arena, name_or_path, &(struct model_options){0}, diagnostics);
}
