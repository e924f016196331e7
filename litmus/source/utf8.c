// Decoding, after the Unicode Standard, table 3-7; and which characters a reader would not see.
#include "litmus/source/utf8.h"

#include <stddef.h>

unsigned utf8_decode(const char *text, const char *end, uint32_t *code) {
    unsigned char lead = (unsigned char)*text;
    *code = lead;
    if (lead < 0x80)
        return 1;
    unsigned length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || (size_t)(end - text) < length)
        return 0;
    *code = lead & (0xFFU >> (length + 1));
    for (unsigned i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | ((unsigned char)text[i] & 0x3F);
    }
    bool overlong = (length == 3 && *code < 0x800) || (length == 4 && *code < 0x10000);
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return overlong || surrogate || *code > 0x10FFFF ? 0 : length;
}

bool utf8_is_hidden(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}
