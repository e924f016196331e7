// Where cat texts come from: files, and the models that are built into the program.
#ifndef PTXLITMUS_CAT_LOAD_H
#define PTXLITMUS_CAT_LOAD_H

#include "litmus/source/source.h"
#include "model/cat/syntax.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diagnostics;

// The largest text in bytes. No model is as large, and the checker may take quadratic time.
enum { CAT_SIZE_MAX = 256 * 1024 };

// Whether the text is small enough; false after an error.
bool load_check_size(const struct source *source, struct diagnostics *diagnostics);

// The folders whose files a model may include, whatever path leads there: real paths, without links
// and "..". With `has_own`, the first one is that of the model's own file.
struct load_folders {
    const char **paths;
    size_t count;
    bool has_own;
};

// Finds the folder of the model's text and those that the caller names; the arena owns the paths.
// Returns false after an error about a folder that does not exist.
bool load_find_folders(struct arena *arena, const struct source *source, const char *const *folders,
                       size_t count, struct load_folders *found, struct diagnostics *diagnostics);

// Returns the text that `include "name"` in `from` means: a file in the folder of `from`, else in
// the first of the folders that has it, else the built-in model. The arena owns it. Returns NULL
// after an error: there is no such text, or it is outside of all folders.
const struct source *load_include(struct arena *arena, const struct load_folders *folders,
                                  const struct source *from, struct cat_name name,
                                  struct diagnostics *diagnostics);

// Whether `name` is the path of a model (it has a '/' or ends in .cat), not the name of a built-in
// one.
bool load_is_path(const char *name);

// Returns the text of a built-in model, owned by the arena, or NULL when none has that name.
const struct source *load_builtin(struct arena *arena, const char *name);

// Returns a further text of model_options, owned by the arena, or NULL when none has that name.
const struct source *load_further(struct arena *arena, const char *name);

// Returns a text's identity, which is the same for all paths of one file. The arena owns it.
const char *load_identity(struct arena *arena, const struct source *source);

// Returns the name that a model has by its path, "ptx-9.1" for "model/ptx-9.1.cat"; the arena owns
// it.
const char *load_model_name(struct arena *arena, const char *path);

#endif
