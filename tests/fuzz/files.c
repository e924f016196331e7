// What fuzz targets share that read files by their paths, and that print.
#include "litmus/source/bug.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

struct fuzz_file fuzz_file_open(const uint8_t *data, size_t size) {
    struct fuzz_file file = {.descriptor = memfd_create("input", 0)};
    if (file.descriptor < 0 || write(file.descriptor, data, size) != (ssize_t)size)
        bug("cannot make a file of %zu bytes", size);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.descriptor);
    return file;
}

void fuzz_file_close(struct fuzz_file *file) {
    close(file->descriptor);
}

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

struct fuzz_streams fuzz_silence(void) {
    return (struct fuzz_streams){silence(stdout), silence(stderr)};
}

void fuzz_restore(struct fuzz_streams saved) {
    restore(stdout, saved.out);
    restore(stderr, saved.err);
}
