// Fuzz target: any bytes as a test file, as far as the program that the solver would get. Errors
// are rendered too. Nothing may crash, hang or leak, and a refused input must have said why.
#include "litmus/program/program.h"
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_from_text(arena, "fuzz.litmus", (const char *)data, size);
    struct test *test = test_read(arena, source, SYNTAX_GUESS, &diagnostics);
    bool refused = test == NULL;
    if (test != NULL && test->thread_count <= 8) {
        const struct program_options options = {.unroll = 2};
        refused = program_build(arena, test, &options, &diagnostics) == NULL;
    }
    if (refused != diag_has_errors(&diagnostics)) {
        bug("%s", refused ? "refused without a message" : "accepted with an error");
    }
    for (size_t i = 0; i < diagnostics.count; i++) {
        diag_render(arena, &diagnostics.items[i]);
    }
    arena_free(arena);
    return 0;
}
