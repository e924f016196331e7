// Positions in a text. Lines end with \n, \r\n or \r, as LSP has it; a byte that is not UTF-8
// counts as one unit.
#include "cli/lsp/text.h"

#include "check/text/json.h"
#include "litmus/source/allocate.h"
#include "litmus/source/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void find_lines(struct edited_text *text) {
    size_t capacity = 0;
    text->line_count = 0;
    for (size_t i = 0; i <= text->size; i++) {
        bool begins = i == 0 || text->bytes[i - 1] == '\n' ||
                      (text->bytes[i - 1] == '\r' && (i == text->size || text->bytes[i] != '\n'));
        if (!begins)
            continue;
        if (text->line_count >= capacity) {
            capacity = capacity > 0 ? 2 * capacity : 64;
            text->lines = reallocate(text->lines, capacity, sizeof *text->lines);
        }
        text->lines[text->line_count++] = i;
    }
}

void text_change(struct edited_text *text, size_t begin, size_t end, const char *bytes,
                 size_t size) {
    size_t rest = text->size - end;
    char *changed = allocate(begin + size + rest + 1, 1);
    if (begin > 0)
        memcpy(changed, text->bytes, begin);
    memcpy(changed + begin, bytes, size);
    if (rest > 0)
        memcpy(changed + begin + size, text->bytes + end, rest);
    free(text->bytes);
    text->bytes = changed;
    text->size = begin + size + rest;
    find_lines(text);
}

void text_set(struct edited_text *text, const char *bytes, size_t size) {
    text_change(text, 0, text->size, bytes, size);
}

void text_free(struct edited_text *text) {
    free(text->bytes);
    free(text->lines);
    *text = (struct edited_text){0};
}

size_t text_line_end(const struct edited_text *text, size_t line) {
    size_t begin = text->lines[line];
    size_t end = line + 1 < text->line_count ? text->lines[line + 1] : text->size;
    while (end > begin && (text->bytes[end - 1] == '\n' || text->bytes[end - 1] == '\r'))
        end--;
    return end;
}

size_t text_line_of(const struct edited_text *text, size_t offset) {
    size_t low = 0, high = text->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (text->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// How many bytes and units the character at a byte has.
static size_t step(const struct edited_text *text, size_t at, size_t end, bool is_utf8,
                   size_t *units) {
    uint32_t code = 0;
    unsigned size = utf8_decode(text->bytes + at, text->bytes + end, &code);
    size = size > 0 ? size : 1;
    *units = is_utf8 ? size : code > 0xFFFF ? 2 : 1;
    return size;
}

size_t text_offset(const struct edited_text *text, size_t line, size_t character, bool is_utf8) {
    if (line >= text->line_count)
        return text->size;
    size_t at = text->lines[line], end = text_line_end(text, line), units;
    while (at < end) {
        size_t size = step(text, at, end, is_utf8, &units);
        if (units > character)
            break;
        character -= units;
        at += size;
    }
    return at;
}

static json_t *position_json(const struct edited_text *text, size_t offset, bool is_utf8) {
    offset = offset < text->size ? offset : text->size;
    size_t line = text_line_of(text, offset), character = 0, units;
    for (size_t at = text->lines[line]; at < offset; character += units)
        at += step(text, at, text->size, is_utf8, &units);
    return json_of("{s:I, s:I}", "line", (json_int_t)line, "character", (json_int_t)character);
}

json_t *text_range(const struct edited_text *text, size_t begin, size_t end, bool is_utf8) {
    return json_of("{s:o, s:o}", "start", position_json(text, begin, is_utf8), "end",
                   position_json(text, end, is_utf8));
}
