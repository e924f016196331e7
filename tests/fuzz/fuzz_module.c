// Fuzz target: any bytes as a PTX module and, after a line "// SIDECAR", the file beside it that
// says how it is launched. Its tests are read and made into programs; the whole module is read as
// `inspect` does.
#include "program/program.h"
#include "litmus/readers/module/module.h"
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "litmus/source/bug.h"
#include "litmus/source/diagnostics.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static const char separator[] = "\n// SIDECAR\n";

enum { THREADS_FEW = 8, TESTS_FEW = 3 };

static const struct source *read_source(struct arena *arena, const char *text, size_t size) {
    const size_t length = sizeof separator - 1;
    const char *cut = size ? memmem(text, size, separator, length) : NULL;
    size_t before = cut ? (size_t)(cut - text) : size;
    const struct source *source = source_from_text(arena, "fuzz.ptx", text, before);
    struct source *whole = ARENA_NEW(arena, struct source);
    *whole = *source;
    if (cut)
        whole->sidecar =
            source_from_text(arena, "fuzz.ptx.litmus", cut + length, size - before - length);
    return whole;
}

static bool refuses(struct arena *arena, const struct test *test, struct diagnostics *diagnostics) {
    const struct program_options options = {.unroll = 2};
    return test->thread_count <= THREADS_FEW &&
           program_build(arena, test, &options, diagnostics) == NULL;
}

static void render(struct arena *arena, const struct diagnostics *diagnostics) {
    for (size_t i = 0; i < diagnostics->count; i++)
        diag_render(arena, &diagnostics->items[i]);
}

static void check_tests(struct arena *arena, const struct source *source) {
    struct diagnostics diagnostics;
    struct test_list tests;
    diagnostics_init(&diagnostics, arena);
    bool refused = !test_read_all(arena, source, SYNTAX_GUESS, &diagnostics, &tests);
    for (size_t i = 0; !refused && i < tests.count && i < TESTS_FEW; i++)
        refused = refuses(arena, tests.items[i], &diagnostics) || refused;
    if (refused != diag_has_errors(&diagnostics))
        bug("%s", refused ? "refused without a message" : "accepted with an error");
    render(arena, &diagnostics);
}

static void check_module(struct arena *arena, const struct source *source) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct module *module = module_read(arena, source, &diagnostics);
    if ((module == NULL) != diag_has_errors(&diagnostics))
        bug("%s", module ? "accepted with an error" : "refused without a message");
    render(arena, &diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *arena = arena_new();
    const struct source *source = read_source(arena, (const char *)data, size);
    check_tests(arena, source);
    if (module_recognise(source))
        check_module(arena, source);
    arena_free(arena);
    return 0;
}
