// Where cat texts come from: files, and the models that are built into the program.
#ifndef PTXLITMUS_CAT_LOAD_H
#define PTXLITMUS_CAT_LOAD_H

#include "litmus/source/source.h"
#include "model/cat/syntax.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diagnostics;

// A larger text is refused: no model is, and the checker may take time in its square.
enum { CAT_SIZE_MAX = 256 * 1024 };

// Whether the text is small enough; false after an error.
bool load_check_size(const struct source *source, struct diagnostics *diagnostics);

// The folders whose files a model may include, whatever path leads there: real paths, without links
// and
// "..". The first one is the model's own; without one it is not in a file.
struct load_folders {
    const char **paths;
    size_t count;
    bool has_own;
};

// The folder of the model's text and those that the caller names. False after an error: a folder is
// not there.
bool load_find_folders(struct arena *arena, const struct source *source, const char *const *folders,
                       size_t count, struct load_folders *found, struct diagnostics *diagnostics);

// The text that `include "name"` in `from` means: the file beside `from`, else the one in the first
// of the folders that has it, else the built-in model. NULL after an error: there is none, or it
// lies outside of all folders.
const struct source *load_include(struct arena *arena, const struct load_folders *folders,
                                  const struct source *from, struct cat_name name,
                                  struct diagnostics *diagnostics);

// Whether what the user names is the path of a model, not the name of a built-in one.
bool load_is_path(const char *name);

// The text of a built-in model, or NULL when none has that name.
const struct source *load_builtin(struct arena *arena, const char *name);

// A further text of model_options, or NULL when there is none of that name.
const struct source *load_further(struct arena *arena, const char *name);

// A text's identity: two spellings of one file's path have the same. The arena owns it.
const char *load_identity(struct arena *arena, const struct source *source);

// "ptx-9.1" of "model/ptx-9.1.cat".
const char *load_model_name(struct arena *arena, const char *path);

#endif
