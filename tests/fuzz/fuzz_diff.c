// Fuzz target: any bytes as the results of two runs, which `diff` compares: the first half of the
// lines is the one run, the rest the other. What a run says does not differ from itself.
#include "cli/commands/commands.h"
#include "litmus/source/bug.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>

// Returns the status of the comparison of two files.
static int compare(const struct fuzz_file *a, const struct fuzz_file *b) {
    struct fuzz_streams streams = fuzz_silence();
    int status = (int)diff_results(a->path, b->path, stdout, stderr);
    fuzz_restore(streams);
    if (status < 0 || status > 2)
        bug("diff ended with status %d", status);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *line = memchr(data + size / 2, '\n', size - size / 2);
    size_t half = line ? (size_t)(line - data) + 1 : size;
    struct fuzz_file a = fuzz_file_open(data, half), b = fuzz_file_open(data + half, size - half),
                     same = fuzz_file_open(data, half);
    compare(&a, &b);
    if (compare(&a, &same) == 1)
        bug("a run differs from itself");
    fuzz_file_close(&a);
    fuzz_file_close(&b);
    fuzz_file_close(&same);
    return 0;
}
