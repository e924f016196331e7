// Fuzz target: any bytes as a table of lowerings, and what a test in C++ becomes by it. A table or
// a test that is refused must have said why.
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "litmus/source/bug.h"
#include "litmus/source/diagnostics.h"
#include "lowering/lowering.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static const char test_text[] =
    "C++ all\nint x = 0;\nunsigned long long w = 0;\n"
    "P0@cta 0 { x = 1; x.store(1, release, block); w.store(2); int r = x.load(acquire, cluster); "
    "}\n"
    "P1@cta 1 { int a = x; int b = x.fetch_max(3, acq_rel, device); atomic_thread_fence(seq_cst, "
    "block);\n"
    "  int e = 0; x.compare_exchange_strong(e, 7, relaxed); auto v = w.exchange(4, acquire); }\n"
    "exists (P1:a == 1)\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct fuzz_file file = fuzz_file_open(data, size);
    const char *path = arena_format(arena, "%s", file.path); // it has a '/', so it is not a name
    const struct lowering *lowering = lowering_load(arena, path, &diagnostics);
    fuzz_file_close(&file);
    const struct source *source = source_from_text(arena, "all", test_text, strlen(test_text));
    const struct test *test = test_read(arena, source, SYNTAX_CPP, &diagnostics);
    bool refused = !lowering || !lowering_test(arena, test, lowering, &diagnostics);
    if (refused != diag_has_errors(&diagnostics))
        bug("%s", refused ? "refused without a message" : "accepted with an error");
    for (size_t i = 0; i < diagnostics.count; i++)
        diag_render(arena, &diagnostics.items[i]);
    arena_free(arena);
    return 0;
}
