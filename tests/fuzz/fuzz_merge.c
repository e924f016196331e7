// Fuzz target: any bytes as the results of shards, which `merge` reads.
#include "cli/commands/merge.h"
#include "cli/suite/suite.h"
#include "litmus/source/diagnostics.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

// Points a stream's descriptor to /dev/null; returns a copy of what it was.
static int silence(FILE *stream) {
    fflush(stream);
    int saved = dup(fileno(stream)), nowhere = open("/dev/null", O_WRONLY);
    if (saved < 0 || nowhere < 0 || dup2(nowhere, fileno(stream)) < 0)
        bug("cannot open /dev/null");
    close(nowhere);
    return saved;
}

static void restore(FILE *stream, int saved) {
    fflush(stream);
    dup2(saved, fileno(stream));
    close(saved);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int file = memfd_create("results", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        bug("cannot make a file of %zu bytes", size);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const char *const paths[] = {path};
    int out = silence(stdout), err = silence(stderr);
    int status = merge_files(paths, 1, stderr);
    restore(stdout, out);
    restore(stderr, err);
    close(file);
    if (status < EXIT_DECIDED || status > SUITE_STATUS_ALL)
        bug("merge ended with status %d", status);
    return 0;
}
