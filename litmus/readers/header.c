// The header of a test: its language, its name, its descriptions.
#include "litmus/readers/frame.h"

#include "litmus/source/utf8.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

// --- Language and name -------------------------------------------------------------------------

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

uint32_t frame_skip_comments(const struct source *source) {
    const char *text = source->text, *end = text + source->size, *at = text;
    if (source->size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3; // a byte order mark
    while (at < end) {
        if (is_space(*at)) {
            at++;
            continue;
        }
        bool line = at[0] == '/' && at[1] == '/', c = at[0] == '/' && at[1] == '*';
        bool ml = at[0] == '(' && at[1] == '*';
        if (!line && !c && !ml)
            break;
        const char *closer = line ? "\n" : c ? "*/" : "*)";
        const char *close = memmem(at + 2, (size_t)(end - at - 2), closer, strlen(closer));
        at = close ? close + strlen(closer) : end;
    }
    return (uint32_t)(at - text);
}

static void hint_language(struct frame *frame, const char *word) {
    static const char *const others[] = {"X86",   "X86_64", "ARM",  "AArch64", "PPC",
                                         "RISCV", "MIPS",   "LISA", "BPF",     "Bell",
                                         "ASL",   "JAVA",   "AMD",  "Vulkan",  "SPIRV"};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strcasecmp(word, others[i]) == 0) {
            diag_hint(frame->diagnostics, "this is a test for %s; ptxlitmus reads those for PTX",
                      others[i]);
            return;
        }
    }
    if (strcasecmp(word, "C") == 0 || strcasecmp(word, "CPP") == 0 || strcasecmp(word, "c++") == 0)
        diag_hint(frame->diagnostics,
                  "a test of scoped atomics in C++ starts with 'C++' and its name");
    else
        diag_hint(frame->diagnostics, "the first line is 'PTX' and the name of the test");
}

// The first word, or the first character where that is none; [begin, *end) is empty at the end of
// the text.
static uint32_t find_language(const struct source *source, uint32_t *end) {
    uint32_t begin = frame_skip_comments(source);
    *end = begin;
    while (*end < source->size && !is_space(source->text[*end]) && source->text[*end] != '{')
        ++*end;
    *end += *end == begin && *end < source->size;
    return begin;
}

static bool is_cpp(const char *word) {
    return strcmp(word, "C++") == 0;
}

static bool is_ptx(const char *word) {
    return strcasecmp(word, "PTX") == 0;
}

bool frame_begins(struct arena *arena, const struct source *source) {
    uint32_t end, begin = find_language(source, &end);
    const char *word = arena_strndup(arena, source->text + begin, end - begin);
    return is_cpp(word) || is_ptx(word);
}

// Finds the first word and returns the offset after it, or 0 after an error when it is not PTX.
static uint32_t read_language(struct frame *frame, const struct source *source) {
    uint32_t end, begin = find_language(source, &end);
    const char *word = arena_strndup(frame->arena, source->text + begin, end - begin);
    if (is_cpp(word))
        frame->test->dialect = DIALECT_CPP;
    if (is_ptx(word) || frame->test->dialect == DIALECT_CPP)
        return end;
    struct span span = span_of(source, begin, end);
    if (begin == source->size) { // only comments, perhaps an open one
        size_t count, errors = frame->diagnostics->error_count;
        lexer_tokens(frame->arena, source, 0, source->size, frame->diagnostics, &count);
        if (frame->diagnostics->error_count > errors)
            return 0;
        diag_error(frame->diagnostics, span_of(source, 0, 0), "there is no test in this file");
        diag_hint(frame->diagnostics, "a test starts with 'PTX' and its name");
        return 0;
    }
    diag_error(frame->diagnostics, span, "a litmus test starts with 'PTX', not with '%s'",
               frame_span_text(frame, span));
    hint_language(frame, word);
    return 0;
}

static bool is_text(struct span span) {
    assert(span.begin <= span.end);
    const char *at = span.source->text + span.begin, *end = span.source->text + span.end;
    while (at < end) {
        uint32_t code;
        unsigned length = utf8_decode(at, end, &code);
        if (length == 0 || (code < 0x20 && !is_space((char)code)) || code == 0x7F)
            return false;
        at += length;
    }
    return true;
}

static void check_name(struct frame *frame, struct span name) {
    assert(name.begin <= name.end);
    if (name.begin == name.end) {
        diag_error(frame->diagnostics, name, "the test has no name");
        diag_hint(frame->diagnostics, "it comes after '%s' on the first line",
                  frame->test->dialect == DIALECT_CPP ? "C++" : "PTX");
    } else if (!is_text(name)) {
        diag_error(frame->diagnostics, name, "the name of the test is not valid UTF-8");
    } else if (memchr(frame->test->name, '{', strlen(frame->test->name)) ||
               memchr(frame->test->name, '"', strlen(frame->test->name))) {
        diag_error(frame->diagnostics, name,
                   "the name of the test, which goes to the end of the line, has a '%s' in it",
                   strchr(frame->test->name, '{') ? "{" : "\"");
        diag_hint(frame->diagnostics, "descriptions and declarations start on the next line");
    }
}

// header = ("PTX" | "C++") name-to-the-end-of-the-line
uint32_t frame_read_header(struct frame *frame, const struct source *source) {
    uint32_t begin = read_language(frame, source);
    if (begin == 0)
        return 0;
    const char *text = source->text;
    while (begin < source->size && is_space(text[begin]) && text[begin] != '\n')
        begin++;
    uint32_t end = begin;
    while (end < source->size && text[end] != '\n')
        end++;
    uint32_t next = end;
    while (end > begin && is_space(text[end - 1]))
        end--;
    frame->test->name = arena_strndup(frame->arena, text + begin, end - begin);
    check_name(frame, span_of(source, begin, end));
    return next;
}

// --- Descriptions ------------------------------------------------------------------------------

// descriptions = string*
void frame_parse_descriptions(struct frame *frame) {
    size_t size = 1;
    for (size_t i = 0; frame_peek(frame, i)->kind == TOKEN_STRING; i++)
        size += frame_peek(frame, i)->span.end - frame_peek(frame, i)->span.begin;
    if (frame->test->description)
        return;
    char *description = arena_alloc(frame->arena, size), *at = description;
    frame->test->description = description;
    while (frame_current(frame)->kind == TOKEN_STRING) {
        struct span span = frame_next(frame)->span;
        if (!is_text(span))
            diag_error(frame->diagnostics, span, "this description is not valid UTF-8");
        bool closed = span.end - span.begin > 1 && span.source->text[span.end - 1] == '"';
        size_t length = span.end - span.begin - (closed ? 2 : 1);
        if (at > description)
            *at++ = '\n';
        memcpy(at, span.source->text + span.begin + 1, length);
        at += length;
    }
}

// Whether [at, end) is strings and white space.
static bool only_strings(const char *at, const char *end) {
    while (at < end) {
        const char *close = *at == '"' ? memchr(at + 1, '"', (size_t)(end - at - 1)) : at;
        if (!close || (close == at && !is_space(*at)))
            return false;
        at = close + 1;
    }
    return true;
}

// The first '{' that starts a line, or NULL.
static const char *find_brace_line(const char *at, const char *end) {
    bool line_start = false;
    for (; at < end; at++) {
        if (*at == '{' && line_start)
            return at;
        if (*at == '\n')
            line_start = true;
        else if (!is_space(*at))
            line_start = false;
    }
    return NULL;
}

uint32_t frame_read_free_description(struct frame *frame, const struct source *source,
                                     uint32_t begin) {
    const char *at = source->text + begin, *end = source->text + source->size;
    const char *brace = find_brace_line(at, end), *last = brace;
    while (at < end && is_space(*at))
        at++;
    if (!brace || brace - at < 2 || *at != '"')
        return begin;
    while (is_space(last[-1]))
        last--;
    if (last[-1] != '"' || last - at < 2 || only_strings(at, brace))
        return begin;
    uint32_t first = (uint32_t)(at - source->text);
    struct span span = span_of(source, first, first + (uint32_t)(last - at));
    if (!is_text(span))
        diag_error(frame->diagnostics, span, "this description is not valid UTF-8");
    frame->test->description = arena_strndup(frame->arena, at + 1, (size_t)(last - at - 2));
    return (uint32_t)(brace - source->text);
}
