// The files that go with the tests of a harness, built into the program from harness/runtime.
#ifndef PTXLITMUS_HARNESS_RUNTIME_H
#define PTXLITMUS_HARNESS_RUNTIME_H

struct harness_file {
    const char *name;
    const char *text;
};

// Ends with a file without a name.
extern const struct harness_file harness_files[];

#endif
