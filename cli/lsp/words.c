// Finds words, without reading the text as a whole: it may be wrong anywhere.
#include "cli/lsp/words.h"

#include "litmus/source/arena.h"

#include <string.h>

static const char mark[] = "// PTXLITMUS";

static bool is_letter(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || (letter != '\0' && strchr("_$%.", letter));
}

// A letter of a word, or one of the two colons of ".shared::cta".
static bool is_of_word(const struct edited_text *text, size_t at) {
    char letter = at < text->size ? text->bytes[at] : '\0';
    return is_letter(letter) ||
           (letter == ':' && ((at > 0 && text->bytes[at - 1] == ':') ||
                              (at + 1 < text->size && text->bytes[at + 1] == ':')));
}

struct text_place words_at(const struct edited_text *text, size_t offset) {
    struct text_place place = {offset, offset};
    while (place.begin > 0 && is_of_word(text, place.begin - 1))
        place.begin--;
    while (is_of_word(text, place.end))
        place.end++;
    return place;
}

struct text_place words_part(const struct edited_text *text, struct text_place word,
                             size_t offset) {
    struct text_place part = {offset, offset};
    while (part.begin > word.begin && text->bytes[part.begin] != '.')
        part.begin--;
    if (part.begin == offset && part.end < word.end)
        part.end++; // the cursor is before the dot
    while (part.end < word.end && text->bytes[part.end] != '.')
        part.end++;
    return part;
}

struct text_place words_typed_part(const struct edited_text *text, struct text_place word,
                                   size_t offset) {
    struct text_place part = words_part(text, word, offset - 1);
    while (part.end < offset)
        part.end++;
    return part;
}

static const char *find(const struct edited_text *text, size_t begin, size_t end,
                        const char *wanted) {
    return begin < end ? memmem(text->bytes + begin, end - begin, wanted, strlen(wanted)) : NULL;
}

size_t words_line_begin(const struct edited_text *text, size_t line) {
    size_t at = text->lines[line], end = text_line_end(text, line);
    while (at < end && (text->bytes[at] == ' ' || text->bytes[at] == '\t'))
        at++;
    if (end - at >= sizeof mark - 1 && memcmp(text->bytes + at, mark, sizeof mark - 1) == 0)
        at += sizeof mark - 1;
    while (at < end && (text->bytes[at] == ' ' || text->bytes[at] == '\t'))
        at++;
    return at;
}

bool words_in_comment(const struct edited_text *text, size_t offset) {
    size_t line = text_line_of(text, offset);
    return find(text, words_line_begin(text, line), offset, "//") != NULL;
}

const char *words_text(struct arena *arena, const struct edited_text *text,
                       struct text_place place) {
    return arena_strndup(arena, text->bytes + place.begin, place.end - place.begin);
}
