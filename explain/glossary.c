// Lookups in the glossary.
#include "explain/glossary.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static const struct glossary_term terms[] = {
#define TERM(word, forms, section, text) {word, forms, section, text},
#include "explain/glossary.def"
#undef TERM
};

enum { TERM_COUNT = sizeof terms / sizeof terms[0] };

const struct glossary_term *glossary_terms(size_t *count) {
    *count = TERM_COUNT;
    return terms;
}

static int folded(char c) {
    return c == '-' || c == '_' ? ' ' : tolower((unsigned char)c);
}

static bool is_same(const char *a, size_t length, const char *b) {
    for (size_t i = 0; i < length; i++)
        if (b[i] == '\0' || folded(a[i]) != folded(b[i]))
            return false;
    return b[length] == '\0';
}

bool glossary_is_same(const char *a, const char *b) {
    return is_same(a, strlen(a), b);
}

static bool has_form(const struct glossary_term *term, const char *word) {
    for (const char *at = term->forms; *at != '\0';) {
        size_t length = strcspn(at, "|");
        if (is_same(at, length, word))
            return true;
        at += length + (at[length] != '\0');
    }
    return false;
}

const struct glossary_term *glossary_find(const char *word) {
    assert(word != NULL);
    for (size_t i = 0; i < TERM_COUNT; i++)
        if (glossary_is_same(terms[i].word, word))
            return &terms[i];
    for (size_t i = 0; i < TERM_COUNT; i++)
        if (has_form(&terms[i], word))
            return &terms[i];
    return NULL;
}
