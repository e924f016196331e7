// Characters in UTF-8.
#ifndef PTXLITMUS_LITMUS_SOURCE_UTF8_H
#define PTXLITMUS_LITMUS_SOURCE_UTF8_H

#include <stdbool.h>
#include <stdint.h>

// Decodes the UTF-8 character at `text`, which must end before `end`. Returns its size in bytes and
// sets `*code`; 0 when it is not a character (a wrong byte, an overlong form, a surrogate, cut
// off).
unsigned utf8_decode(const char *text, const char *end, uint32_t *code);

// Whether a character begins at `text` whose last bytes are cut off by `end`.
bool utf8_is_cut_off(const char *text, const char *end);

// Returns how many columns of a terminal a character takes: 0 (a combining mark), 1 or 2. What has
// no width of its own, such as a control, takes 1, as its replacement does.
unsigned utf8_columns(uint32_t code);

// Whether a character must not be printed as it is: controls (C0, DEL, C1), which a terminal obeys,
// line breaks other than '\n', and marks and embeddings that change the direction of writing, which
// make a text look like another one (Unicode Standard Annex 9).
bool utf8_is_hidden(uint32_t code);

#endif
