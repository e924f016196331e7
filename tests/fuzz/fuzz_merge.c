// Fuzz target: any bytes as the results of shards, which `merge` reads.
#include "cli/commands/merge.h"
#include "litmus/source/bug.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fuzz_file file = fuzz_file_open(data, size);
    const char *const paths[] = {file.path};
    struct fuzz_streams streams = fuzz_silence();
    enum exit_status status = merge_files(paths, 1, stderr);
    fuzz_restore(streams);
    fuzz_file_close(&file);
    if (status > EXIT_INTERNAL)
        bug("merge ended with status %d", (int)status);
    return 0;
}
