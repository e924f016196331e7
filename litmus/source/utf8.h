// Characters in UTF-8.
#ifndef PTXLITMUS_LITMUS_SOURCE_UTF8_H
#define PTXLITMUS_LITMUS_SOURCE_UTF8_H

#include <stdbool.h>
#include <stdint.h>

// The bytes of the UTF-8 character at `text`, which ends before `end`, with its code in `*code`; 0
// when it is none (a wrong byte, an overlong form, a surrogate, cut off).
unsigned utf8_decode(const char *text, const char *end, uint32_t *code);

// Whether a character must not be printed as it is: controls (C0, DEL, C1), which a terminal obeys,
// breaks of lines that no '\n' makes, and marks and embeddings that turn the direction of writing,
// which make a text look like another one (Unicode Standard Annex 9).
bool utf8_is_hidden(uint32_t code);

#endif
