// Characters by libunistring; and which of them a reader would not see.
#include "litmus/source/utf8.h"

#include <stddef.h>
#include <unistr.h>
#include <uniwidth.h>

unsigned utf8_decode(const char *text, const char *end, uint32_t *code) {
    if (text < end && (unsigned char)*text < 0x80) { // nearly all that there is
        *code = (unsigned char)*text;
        return 1;
    }
    ucs4_t character = 0;
    int length = u8_mbtoucr(&character, (const uint8_t *)text, (size_t)(end - text));
    *code = character;
    return length > 0 ? (unsigned)length : 0;
}

bool utf8_is_cut_off(const char *text, const char *end) {
    enum { INCOMPLETE = -2 };
    ucs4_t character;
    return u8_mbtoucr(&character, (const uint8_t *)text, (size_t)(end - text)) == INCOMPLETE;
}

unsigned utf8_columns(uint32_t code) {
    int columns = uc_width(code, "UTF-8");
    return columns < 0 ? 1 : (unsigned)columns;
}

bool utf8_is_hidden(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}
