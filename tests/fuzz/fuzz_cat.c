// Fuzz target: any bytes as a cat file, parsed and checked. Nothing may crash, hang or leak, and a
// refused input must have said why.
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/model.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_from_text(arena, "fuzz.cat", (const char *)data, size);
    struct model *model = model_parse(arena, source, &diagnostics);
    if ((model == NULL) != diag_has_errors(&diagnostics)) {
        bug("%s", model == NULL ? "refused without a message" : "accepted with an error");
    }
    for (size_t i = 0; i < diagnostics.count; i++) {
        diag_render(arena, &diagnostics.items[i]);
    }
    arena_free(arena);
    return 0;
}
