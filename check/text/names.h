// Texts from outside (paths, names of tests) made fit for a terminal, for JSON and for herd's log.
#ifndef PTXLITMUS_CHECK_TEXT_NAMES_H
#define PTXLITMUS_CHECK_TEXT_NAMES_H

#include <stdio.h>

struct arena;

// Returns the text with hidden characters (utf8_is_hidden), and bytes that are not UTF-8, written
// as \xNN, so that it is safe to print: `text` itself when it needs no escapes, else a copy owned
// by the arena.
const char *escaped(struct arena *arena, const char *text);

// Returns the text with each byte that is not UTF-8 replaced by U+FFFD, for JSON; owned as above.
const char *valid_utf8(struct arena *arena, const char *text);

// Returns a test's name in herd's alphabet ([A-Za-z0-9_/.+-] and brackets): each other character
// becomes a '_'. Owned as above.
const char *herd_test_name(struct arena *arena, const char *name);

// Prints a register or location in the form of struct observed's log_name (1:r0, [x], x[1]). Herd's
// names ([A-Za-z][A-Za-z0-9_.]*) are kept and any other PTX name becomes one: a character that is
// not allowed is printed as '.' and its code, after an 'n' where a letter must come first ([_x] is
// [n.5fx]). PTX names have no '.', so different names stay different.
void herd_location_print(FILE *out, const char *location);

#endif
