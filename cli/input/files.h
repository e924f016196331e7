// Arguments to inputs: files, the standard input, and the tests in folders.
#ifndef PTXLITMUS_CLI_INPUT_FILES_H
#define PTXLITMUS_CLI_INPUT_FILES_H

#include "litmus/expectation.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct lowering;

// What a suite's manifest says that tests of a file are expected to come to.
struct input_row {
    const char *test; // NULL: each test of the file that no other row names
    struct test_expected *expected;
    size_t count;
    struct span span; // of the row
};

// One file to run, or what is wrong with a folder.
struct input {
    const char *path;  // as the user gave it; of a folder's file, the folder as given and the rest
    const char *error; // NULL for a file
    size_t index;      // in the whole list, from 1, when only a shard of it is left; else 0
    const struct input_row *rows; // NULL: what its tests say themselves
    size_t row_count;
    const struct lowering *lowering; // by which its tests are lowered first; NULL: as they are
    bool is_listed;  // a manifest names it, not the user: of what is not a test, no text is shown
    bool is_nothing; // with `error`: a manifest names it, and there is no such file
};

struct input_list {
    struct input *items;
    size_t count;
    size_t file_count; // items without an error
};

// Expands folders into their *.litmus, *.test and *.ptx files, including those of folders in them,
// sorted by name in byte order. A folder that has none or cannot be read becomes an input with an
// error. Whether files can be read is not checked here. The list lives in `arena`; paths that are
// files are borrowed.
void files_collect(struct arena *arena, const char *const *paths, size_t count,
                   struct input_list *list);

// Does the same, and takes the *.cu files of folders that have a manifest: others of them are
// programs, not tests.
void files_collect_compiled(struct arena *arena, const char *const *paths, size_t count,
                            struct input_list *list);

// Adds an input to a list, which lives in the arena.
void files_add(struct arena *arena, struct input_list *list, const struct input *input);

// Keeps every `count`-th input of a list, beginning with the `shard`-th (from 1).
void files_take_shard(struct input_list *list, size_t shard, size_t count);

#endif
