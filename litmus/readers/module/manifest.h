// Inside litmus/readers/module: the manifest of a module, which says how a kernel is launched and
// what is asked. Its text is cut into items here; what they mean is read with the test, in launch.c
// and test.c.
#ifndef PTXLITMUS_READERS_MODULE_MANIFEST_H
#define PTXLITMUS_READERS_MODULE_MANIFEST_H

#include "litmus/source/lexer.h"

struct arena;
struct diagnostics;

enum manifest_word {
    MANIFEST_KERNEL,
    MANIFEST_MODULE,   // of a folder's manifest: what follows is of this module
    MANIFEST_WITH,     // another kernel that runs at the same time, or a thread of the host
    MANIFEST_THEN,     // another kernel, in the stream of the one before it
    MANIFEST_SCHEDULE, // launch, progress, assume
    MANIFEST_GLOBAL,
    MANIFEST_ARG,
    MANIFEST_DYNAMIC,
    MANIFEST_ENVREG,
    MANIFEST_TEST,
    MANIFEST_TAIL
};

// A stretch of tokens that begins with its word. A TOKEN_END is after its tokens; of
// MANIFEST_TAIL it is all up to the next test. Braces after `with` are in one item.
struct manifest_item {
    enum manifest_word word;
    const struct token *tokens;
    size_t count; // with the TOKEN_END
};

struct manifest {
    struct manifest_item *items;
    size_t count;
    const struct token *tokens; // all of them
    size_t token_count;
};

// The manifest of a module: the lines of it that begin with `// PTXLITMUS`, or its sidecar, or of
// that of its folder what is of this module or of all. Returns false after errors, one of which
// says that there is none.
bool manifest_read(struct arena *arena, const struct source *source,
                   struct diagnostics *diagnostics, struct manifest *manifest);

#endif
