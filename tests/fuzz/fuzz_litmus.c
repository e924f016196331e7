// Fuzz target: any bytes as a test file, as far as the program that the solver would get. Errors
// are rendered too. The reader must not crash, hang or leak, and a refused input must have said
// why. Built once for each dialect that can be asked for, and once where the reader guesses.
#include "program/program.h"
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "tests/fuzz/fuzz.h"

#ifndef FUZZ_SYNTAX
#define FUZZ_SYNTAX SYNTAX_GUESS
#endif

// Whether the program of a test that was read is refused. A table may hold many.
static bool refuses(struct arena *arena, const struct test *test, struct diagnostics *diagnostics) {
    const struct program_options options = {.unroll = 2};
    return test->thread_count <= 8 && program_build(arena, test, &options, diagnostics) == NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { TESTS_MAX = 3 };
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    struct test_list tests;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_from_text(arena, "fuzz.litmus", (const char *)data, size);
    bool refused = !test_read_all(arena, source, FUZZ_SYNTAX, &diagnostics, &tests);
    for (size_t i = 0; i < tests.count && i < TESTS_MAX; i++)
        refused = refuses(arena, tests.items[i], &diagnostics) || refused;
    if (refused != diag_has_errors(&diagnostics))
        bug("%s", refused ? "refused without a message" : "accepted with an error");
    for (size_t i = 0; i < diagnostics.count; i++)
        diag_render(arena, &diagnostics.items[i]);
    arena_free(arena);
    return 0;
}
