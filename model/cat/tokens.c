// The lexer of cat texts: herd's tokens.
#include "model/cat/tokens.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <stdbool.h>
#include <string.h>

struct cat_lexer {
    struct arena *arena;
    const struct source *source;
    struct diagnostics *diagnostics;
    uint32_t at;
    struct cat_token *tokens;
    size_t count;
};

// Words that are not names.
static const struct keyword {
    const char *word;
    int kind;
} keywords[] = {
    {"let", CAT_LET},
    {"rec", CAT_REC},
    {"and", CAT_AND},
    {"as", CAT_AS},
    {"include", CAT_INCLUDE},
    {"acyclic", CAT_ACYCLIC},
    {"irreflexive", CAT_IRREFLEXIVE},
    {"empty", CAT_IS_EMPTY},
    {"flag", CAT_FLAG},
    {"undefined_unless", CAT_UNDEFINED_UNLESS},
    {"in_any_program", CAT_IN_ANY_PROGRAM},
    {"show", CAT_SHOW},
    {"unshow", CAT_UNSHOW},
    {"if", CAT_IF},
    {"then", CAT_THEN},
    {"else", CAT_ELSE},
};

// Words and marks of herd's cat that the subset leaves out. The words are reserved too, so that a
// text that reads here means the same in herd.
static const struct cat_unsupported unsupported[] = {
    {"->", "'->'", NULL},
    {"++", "adding an element with '++'", NULL},
    {"||", "alternatives ('||')", NULL},
    {"begin", "'begin ... end'", "write parentheses"},
    {"call", "procedure calls ('call')", NULL},
    {"compat", NULL, NULL},
    {"debug", "'debug'", NULL},
    {"default", "declarations of instructions ('default')", NULL},
    {"do", NULL, NULL},
    {"end", "'end'", NULL},
    {"enum", "enumerations ('enum')", "the tags are sets: RELAXED, ACQUIRE, CTA, ..."},
    {"forall", "iteration ('forall')", NULL},
    {"from", NULL, NULL},
    {"fun", "function values ('fun')", "write 'let f(x) = ...'"},
    {"in", "local definitions ('let ... in')", "a definition holds to the end of the text"},
    {"instructions", "declarations of instructions ('instructions')", NULL},
    {"match", "'match'", NULL},
    {"procedure", "procedures ('procedure')", "write the axioms out, or define functions"},
    {"subset", NULL, NULL},
    {"try", "'try'", NULL},
    {"when", "'let rec ... when'", NULL},
    {"with", "enumeration of choices ('with ... from')",
     "co, rf and sc are chosen already: they are base relations"},
    {"yield", NULL, NULL},
};

static bool is_word(const char *text, size_t length, const char *word) {
    return word[0] == text[0] && strncmp(word, text, length) == 0 && word[length] == '\0';
}

const struct cat_unsupported *cat_find_unsupported(const char *text, size_t length) {
    for (size_t i = 0; i < sizeof unsupported / sizeof *unsupported; i++)
        if (is_word(text, length, unsupported[i].word))
            return &unsupported[i];
    return NULL;
}

static char peek(const struct cat_lexer *lexer, uint32_t ahead) {
    return lexer->at + ahead < lexer->source->size ? lexer->source->text[lexer->at + ahead] : '\0';
}

static bool is_next(const struct cat_lexer *lexer, char first, char second) {
    return peek(lexer, 0) == first && peek(lexer, 1) == second;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_name_character(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

static struct span span_from(const struct cat_lexer *lexer, uint32_t begin) {
    return (struct span){lexer->source, begin, lexer->at};
}

static void add(struct cat_lexer *lexer, int kind, uint32_t begin) {
    ARENA_APPEND(lexer->arena, lexer->tokens, lexer->count,
                 (struct cat_token){kind, span_from(lexer, begin)});
}

// comment = "(*" (comment | character)* "*)"
static void skip_comment(struct cat_lexer *lexer) {
    const char *text = lexer->source->text, *end = text + lexer->source->size; // a NUL is there
    const char *begin = text + lexer->at, *at = begin;
    size_t depth = 0;
    do {
        if (at == end) {
            uint32_t opener = lexer->at;
            lexer->at = lexer->source->size;
            diag_error(lexer->diagnostics, (struct span){lexer->source, opener, opener + 2},
                       "this comment has no end");
            diag_hint(lexer->diagnostics, "comments nest: each '(*' needs its own '*)'");
            return;
        }
        bool opens = at[0] == '(' && at[1] == '*', closes = at[0] == '*' && at[1] == ')';
        depth = depth + opens - closes;
        at += opens || closes ? 2 : 1;
    } while (depth > 0);
    lexer->at = (uint32_t)(at - text);
}

static void skip_line(struct cat_lexer *lexer) {
    while (lexer->at < lexer->source->size && peek(lexer, 0) != '\n')
        lexer->at++;
}

static void skip_blanks(struct cat_lexer *lexer) {
    while (lexer->at < lexer->source->size) {
        char c = peek(lexer, 0);
        if (is_next(lexer, '(', '*'))
            skip_comment(lexer);
        else if (c == '#' || is_next(lexer, '/', '/'))
            skip_line(lexer);
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
            lexer->at++;
        else
            return;
    }
}

// string = '"' [^"\n]* '"'
static void lex_string(struct cat_lexer *lexer) {
    uint32_t begin = lexer->at++;
    while (lexer->at < lexer->source->size && peek(lexer, 0) != '"' && peek(lexer, 0) != '\n')
        lexer->at++;
    if (peek(lexer, 0) == '"') {
        lexer->at++;
        add(lexer, CAT_STRING, begin);
    } else {
        diag_error(lexer->diagnostics, span_from(lexer, begin), "this string has no closing '\"'");
    }
}

// name = "_"? [A-Za-z] [A-Za-z0-9_.-]* "'"?
static void lex_name(struct cat_lexer *lexer) {
    uint32_t begin = lexer->at++;
    while (is_name_character(peek(lexer, 0)))
        lexer->at++;
    lexer->at += peek(lexer, 0) == '\'';
    size_t length = lexer->at - begin;
    const char *name = lexer->source->text + begin;
    int kind = cat_find_unsupported(name, length) ? CAT_UNSUPPORTED : CAT_NAME;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (is_word(name, length, keywords[i].word))
            kind = keywords[i].kind;
    add(lexer, kind, begin);
}

// A character that starts no token, with the rest of its UTF-8 sequence.
static void lex_stray(struct cat_lexer *lexer) {
    uint32_t begin = lexer->at++;
    while (((unsigned char)peek(lexer, 0) & 0xc0) == 0x80)
        lexer->at++;
    struct span span = span_from(lexer, begin);
    unsigned char c = (unsigned char)lexer->source->text[begin];
    if (c < ' ' || c == 0x7f)
        diag_error(lexer->diagnostics, span, "unexpected byte 0x%02x in a cat text", c);
    else
        diag_error(lexer->diagnostics, span, "unexpected '%.*s' in a cat text",
                   (int)(span.end - span.begin), lexer->source->text + begin);
}

// A mark or, after a ', a tag of herd's enumerations.
static void lex_mark(struct cat_lexer *lexer) {
    uint32_t begin = lexer->at;
    bool is_minus_one = is_next(lexer, '-', '1');
    if (is_minus_one || cat_find_unsupported(lexer->source->text + begin, 2)) {
        lexer->at += 2;
        add(lexer, is_minus_one ? CAT_MINUS_ONE : CAT_UNSUPPORTED, begin);
    } else if (peek(lexer, 0) == '\'' && is_letter(peek(lexer, 1))) {
        while (is_name_character(peek(lexer, 1)))
            lexer->at++;
        lexer->at++;
        add(lexer, CAT_UNSUPPORTED, begin);
    } else if (peek(lexer, 0) != '\0' && strchr("(){}[]_0|&*~+^\\?=;,", peek(lexer, 0))) {
        int kind = peek(lexer, 0);
        lexer->at++;
        add(lexer, kind, begin);
    } else {
        lex_stray(lexer);
    }
}

struct cat_token *cat_tokens(struct arena *arena, const struct source *source,
                             struct diagnostics *diagnostics) {
    struct cat_lexer lexer = {.arena = arena, .source = source, .diagnostics = diagnostics};
    for (skip_blanks(&lexer); lexer.at < source->size; skip_blanks(&lexer)) {
        char c = peek(&lexer, 0);
        if (is_letter(c) || (c == '_' && is_letter(peek(&lexer, 1))))
            lex_name(&lexer);
        else if (c == '"')
            lex_string(&lexer);
        else
            lex_mark(&lexer);
    }
    add(&lexer, CAT_END, lexer.at);
    return lexer.tokens;
}
