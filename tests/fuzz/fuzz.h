// The entry point of a fuzz target, as libFuzzer names it; replay.c calls it too.
#ifndef PTXLITMUS_TESTS_FUZZ_H
#define PTXLITMUS_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
