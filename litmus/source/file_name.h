// Names of files for texts of any kind, such as the names of tests.
#ifndef PTXLITMUS_LITMUS_SOURCE_FILE_NAME_H
#define PTXLITMUS_LITMUS_SOURCE_FILE_NAME_H

struct arena;

// The most bytes of a stem: with a number and an ending, no file system finds the name too long.
enum { FILE_STEM_MAX = 200 };

// Returns a name for a file, without an ending: the text with a '_' for each byte but letters and
// digits of ASCII and
// "+-_.", cut to FILE_STEM_MAX bytes, and with "test-" before it where it would be empty or a
// hidden file. Owned by `arena`. Different texts may have one stem.
const char *file_stem(struct arena *arena, const char *text);

// Returns the stem with "-NUMBER" after it from the second on: the name to try when another one is
// taken.
const char *file_stem_number(struct arena *arena, const char *stem, unsigned number);

#endif
