// The entry point of a fuzz target, as libFuzzer names it; replay.c calls it too.
#ifndef PTXLITMUS_TESTS_FUZZ_H
#define PTXLITMUS_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A file of the input, for code that takes paths; it exists until it is closed.
struct fuzz_file {
    int descriptor;
    char path[64];
};

// Makes a file of the bytes; ends the process when there cannot be one.
struct fuzz_file fuzz_file_open(const uint8_t *data, size_t size);

void fuzz_file_close(struct fuzz_file *file);

// Standard output and error, sent to nowhere from the one call to the other.
struct fuzz_streams {
    int out, err;
};

struct fuzz_streams fuzz_silence(void);

void fuzz_restore(struct fuzz_streams saved);

#endif
