// The words of a text at a place: what a cursor is on.
#ifndef PTXLITMUS_CLI_LSP_WORDS_H
#define PTXLITMUS_CLI_LSP_WORDS_H

#include "cli/lsp/text.h"

struct arena;

// A stretch of a text, in bytes.
struct text_place {
    size_t begin, end;
};

// Returns the opcode with its qualifiers, register or other word that a byte is in, or after; empty
// where there is none.
struct text_place words_at(const struct edited_text *text, size_t offset);

// Returns the part of such a word that a byte is in, or after: "acquire" with its dot.
struct text_place words_part(const struct edited_text *text, struct text_place word, size_t offset);

// Returns the part that is being typed where the cursor is after a dot of the word: from that dot
// to the next one.
struct text_place words_typed_part(const struct edited_text *text, struct text_place word,
                                   size_t offset);

// Whether a byte is in a comment that goes to the end of its line, and is not one of the lines of a
// manifest.
bool words_in_comment(const struct edited_text *text, size_t offset);

// Returns where the words of a line begin: after white space and, in a manifest within a module,
// after its mark, "// PTXLITMUS".
size_t words_line_begin(const struct edited_text *text, size_t line);

// Returns the bytes of a place as a text that the arena owns.
const char *words_text(struct arena *arena, const struct edited_text *text,
                       struct text_place place);

#endif
