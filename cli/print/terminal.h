// What the standard streams lead to: a terminal or not, with colours or not, in UTF-8 or not.
#ifndef PTXLITMUS_TERMINAL_H
#define PTXLITMUS_TERMINAL_H

#include "cli/options/options.h"
#include "litmus/source/diagnostics.h"

#include <stdio.h>

struct arena;

// What a piece of output says, for its colour.
enum tone {
    TONE_STRONG,  // a verdict, an outcome that satisfies the condition
    TONE_GOOD,    // an expectation that came true
    TONE_BAD,     // an error, an expectation that failed
    TONE_WARNING, // a warning, a flag, what is undecided
    TONE_NOTE,
    TONE_MARK, // carets
};

// Returns the sequence after which a terminal shows this tone (ECMA-48, SGR); "" when `is_on` is
// false.
const char *tone_begin(bool is_on, enum tone tone);

// Returns the sequence that ends a tone; "" when `is_on` is false.
const char *tone_end(bool is_on);

// Prints a message, with its path escaped.
void print_diagnostic(FILE *out, struct arena *arena, const struct diagnostic *diagnostic,
                      bool has_colour);

// Sets the options that the command line leaves to the terminal: the table if stdout is a terminal
// and no format was given, and colours (https://no-color.org).
void terminal_settle(struct options *options);

// Whether the locale's characters are UTF-8 (LC_ALL, LC_CTYPE, LANG). The program's own locale
// stays "C", so that inputs are read in the same way everywhere.
bool terminal_is_utf8(void);

// Returns the text with each character that is not ASCII replaced: dashes and quotation marks by
// those of ASCII, others by a '?' for each column, bytes that are not UTF-8 by a '?'. Returns
// `text` itself when it is ASCII, else a copy owned by the arena.
const char *ascii_text(struct arena *arena, const char *text);

// Returns a stream that writes what it is given to `under` as ascii_text does, each time it is
// flushed, or at the end of a line. The caller closes it with fclose, which leaves `under` open.
// Errors of `under` become errors of the stream. There may be one such stream for stderr and one
// for another file at a time.
FILE *ascii_stream(FILE *under);

// Where a command prints: stdout and stderr, or streams of ASCII that lead to them.
struct streams {
    FILE *out, *err;
};

// Returns them, in ASCII where the locale is not UTF-8. `is_data`: what goes to stdout is UTF-8
// wherever it goes. The caller closes them.
struct streams streams_open(bool is_data);

// Closes what streams_open has opened; stdout and stderr stay open.
void streams_close(struct streams streams);

#endif
