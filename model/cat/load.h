// Where cat texts come from: files, and the models that are built into the program.
#ifndef PTXLITMUS_CAT_LOAD_H
#define PTXLITMUS_CAT_LOAD_H

#include "litmus/source/source.h"
#include "model/cat/syntax.h"

struct arena;
struct diagnostics;

// A larger text is refused: no model is, and the checker may take time in its square.
enum { CAT_SIZE_MAX = 256 * 1024 };

// Whether the text is small enough; false after an error.
bool load_check_size(const struct source *source, struct diagnostics *diagnostics);

// The text that `include "name"` in `from` means: the file beside `from`, else the built-in model.
// NULL after an error.
const struct source *load_include(struct arena *arena, const struct source *from,
                                  struct cat_name name, struct diagnostics *diagnostics);

// A further text of model_options, or NULL when there is none of that name.
const struct source *load_further(struct arena *arena, const char *name);

// A text's identity: two spellings of one file's path have the same. The arena owns it.
const char *load_identity(struct arena *arena, const struct source *source);

// "ptx-9.1" of "model/ptx-9.1.cat".
const char *load_model_name(struct arena *arena, const char *path);

#endif
