// Writing files. A file is replaced whole or not at all: what is written goes to a new file beside
// it, which takes its name when all of it is there. A full disk, or the end of the process, leaves
// what was there before.
#ifndef PTXLITMUS_LITMUS_SOURCE_REPLACE_H
#define PTXLITMUS_LITMUS_SOURCE_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct arena;

// A file that is being written.
struct written_file {
    FILE *out;          // where it is written
    const char *path;   // of the file that is replaced; may be changed to another one of its folder
    const char *beside; // the new file's name; NULL: it has none yet, or nothing is replaced
    bool is_there;      // there is an old file
    bool is_direct;     // a device, a pipe or one of the process's own files: nothing is replaced
    bool must_be_new;
};

// Begins to write the file at a path, which is borrowed. Returns NULL, or a text that says why it
// cannot be written, owned by `arena` or constant. What is at the path is not followed where it is
// a symbolic link, which is an error; but /dev/stdout, /dev/stderr and /dev/fd/N are what they say.
// With `must_be_new`, a file that is there is an error, too: REPLACE_EXISTS. A caller that gets
// NULL ends with replace_commit or replace_abandon.
const char *replace_begin(struct arena *arena, struct written_file *file, const char *path,
                          bool must_be_new);

// Ends the writing, so that replace_commit only gives the file its name: of several files that
// belong together, all are stored first. Returns NULL, or why it could not be written, as above;
// `file` is over then.
const char *replace_store(struct arena *arena, struct written_file *file);

// Gives the new file the name, with the mode and, where that is allowed, the owner of the old one.
// Returns NULL, or why it could not be written, as above; the old file is then as it was. Either
// way `file` is over; only after REPLACE_EXISTS it may have another path, and be committed again.
const char *replace_commit(struct arena *arena, struct written_file *file);

// Drops what was written: the old file stays as it was. `file` is over.
void replace_abandon(struct written_file *file);

// Gives the file at `from` the name of the file at `path`, which is as replace_begin says. Returns
// NULL, or why it cannot be; nothing has changed then.
const char *replace_by(struct arena *arena, const char *path, const char *from);

// Writes a file of these bytes. Returns NULL, or why it cannot be written, as above.
const char *replace_file(struct arena *arena, const char *path, const char *text, size_t size);

// Makes a folder, where it is not there. Returns NULL, or why it cannot be, as above. (The folder
// may be reached through links.)
const char *folder_make(struct arena *arena, const char *path);

// What replace_begin and replace_commit say, as this very pointer, of a file that is there and must
// not be.
extern const char REPLACE_EXISTS[];

#endif
