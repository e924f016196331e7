// Texts from outside (paths, names of tests) made fit for a terminal, for JSON and for herd's log.
#ifndef PTXLITMUS_CLI_PRINT_NAMES_H
#define PTXLITMUS_CLI_PRINT_NAMES_H

#include <stdio.h>

struct arena;

// The text with what utf8_is_hidden names, and bytes that are not UTF-8, as \xNN: safe to print.
// Returns `text` itself when nothing needs an escape, else a copy owned by the arena.
const char *escaped(struct arena *arena, const char *text);

// The text with each byte that is not UTF-8 replaced by U+FFFD, for JSON. As above.
const char *valid_utf8(struct arena *arena, const char *text);

// A test's name in herd's alphabet ([A-Za-z0-9_/.+-] and brackets): any other character becomes one
// '_'. As above.
const char *herd_test_name(struct arena *arena, const char *name);

// Prints a register or location in the form of struct observed's log_name (1:r0, [x], x[1]) so that
// herd's names ([A-Za-z][A-Za-z0-9_.]*) stay what they are and any other PTX name becomes one: a
// character that may not stand there is printed as '.' and its code, after an 'n' where a letter
// must come first ([_x] is [n.5fx]). PTX names have no '.', so that no two names become one.
void herd_location_print(FILE *out, const char *location);

#endif
