// Escaping of texts that come from outside.
#include "check/text/names.h"

#include "litmus/source/arena.h"
#include "litmus/source/source.h"
#include "litmus/source/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool is_herd(uint32_t code) {
    return code != 0 && code < 0x80 &&
           strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.-+[]",
                  (int)code);
}

enum replacement { REPLACE_ESCAPE, REPLACE_UTF8, REPLACE_HERD };

static bool keeps(enum replacement how, size_t length, uint32_t code) {
    switch (how) {
    case REPLACE_ESCAPE: return length > 0 && !utf8_is_hidden(code);
    case REPLACE_UTF8: return length > 0;
    case REPLACE_HERD: return length > 0 && is_herd(code);
    }
    return false;
}

// Appends the replacement of the `length` bytes at `text` to `out`; returns the end.
static char *put_replacement(char *out, enum replacement how, const unsigned char *text,
                             size_t length) {
    static const char digits[] = "0123456789abcdef";
    if (how == REPLACE_UTF8) {
        memcpy(out, "\xef\xbf\xbd", 3);
        return out + 3;
    }
    if (how == REPLACE_HERD) {
        *out = '_';
        return out + 1;
    }
    for (size_t i = 0; i < length; i++) {
        *out++ = '\\';
        *out++ = 'x';
        *out++ = digits[text[i] >> 4];
        *out++ = digits[text[i] & 15];
    }
    return out;
}

static const char *replaced(struct arena *arena, const char *text, enum replacement how) {
    enum { GROWTH = 4 }; // a byte becomes \xNN at most
    char *copy = NULL, *out = NULL;
    const unsigned char *bytes = (const unsigned char *)text;
    const char *end = text + strlen(text);
    for (size_t at = 0; bytes[at];) {
        uint32_t code = 0;
        size_t valid = utf8_decode(text + at, end, &code);
        size_t length = valid ? valid : 1;
        bool keep = keeps(how, valid, code);
        if (!keep && !copy) {
            copy = arena_alloc(arena, at + GROWTH * strlen(text + at) + 1);
            memcpy(copy, text, at);
            out = copy + at;
        }
        if (copy && keep) {
            memcpy(out, text + at, length);
            out += length;
        } else if (copy) {
            out = put_replacement(out, how, bytes + at, length);
        }
        at += length;
    }
    return copy ? copy : text;
}

const char *escaped(struct arena *arena, const char *text) {
    return replaced(arena, text, REPLACE_ESCAPE);
}

const char *valid_utf8(struct arena *arena, const char *text) {
    return replaced(arena, text, REPLACE_UTF8);
}

const char *herd_test_name(struct arena *arena, const char *name) {
    return *name ? replaced(arena, name, REPLACE_HERD) : "_";
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void herd_location_print(FILE *out, const char *location) {
    // the parts that are not names: `1:` and `[` before it, `]` or `[1]` after it
    size_t number = strspn(location, "0123456789");
    size_t begin = location[number] == ':' ? number + 1 : strspn(location, "[");
    size_t end = begin + strcspn(location + begin, "[]");
    fprintf(out, "%.*s", (int)begin, location);
    for (size_t i = begin; i < end; i++) {
        char c = location[i];
        bool first = i == begin;
        if (is_letter(c) || (!first && (isdigit((unsigned char)c) || c == '_')))
            putc(c, out);
        else
            fprintf(out, "%s.%02x", first ? "n" : "", (unsigned char)c);
    }
    fputs(location + end, out);
}
