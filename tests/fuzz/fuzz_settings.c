// Fuzz target: any bytes as the files that say how a command works: the first byte chooses between
// the costs of changes (`repair --costs`) and the manifest of a suite. A manifest may name folders
// and is made without any here, so that no input walks through the machine's files.
#include "cli/suite/manifest.h"
#include "litmus/source/arena.h"
#include "litmus/source/bug.h"
#include "litmus/source/diagnostics.h"
#include "repair/costs.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static void check(struct arena *arena, bool accepted, struct diagnostics *diagnostics) {
    if (accepted == diag_has_errors(diagnostics))
        bug("%s", accepted ? "accepted with an error" : "refused without a message");
    for (size_t i = 0; i < diagnostics->count; i++)
        diag_render(arena, &diagnostics->items[i]);
}

static bool names_folders(const uint8_t *data, size_t size) {
    return memchr(data, '/', size) != NULL || memchr(data, '.', size) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct fuzz_file file = fuzz_file_open(data + 1, size - 1);
    if (*data != 's') {
        struct costs costs = costs_default();
        check(arena, costs_read(arena, file.path, &costs, &diagnostics), &diagnostics);
    } else if (!names_folders(data + 1, size - 1)) {
        struct input_list list = {0};
        check(arena, manifest_collect(arena, file.path, &diagnostics, &list), &diagnostics);
    }
    fuzz_file_close(&file);
    arena_free(arena);
    return 0;
}
