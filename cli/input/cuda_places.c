// Goes out from a line through the braces around it, as far as they are of `if` and loops.
#include "cli/input/cuda_places.h"

#include "litmus/source/arena.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

// --- Lines -------------------------------------------------------------------------------------

// The byte at which a line begins; the end of the text where there are fewer.
static const char *begin_of(const char *code, unsigned line) {
    for (unsigned i = 1; i < line && *code; i++) {
        code += strcspn(code, "\n");
        code += *code == '\n';
    }
    return code;
}

static unsigned line_of(const char *code, const char *at) {
    unsigned line = 1;
    for (; code < at; code++)
        line += *code == '\n';
    return line;
}

// The line of the first word from `at` on.
static unsigned line_of_words(const char *code, const char *at) {
    at += strspn(at, " \t\r\n");
    return line_of(code, at);
}

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool begins_with_word(const char *at, const char *word) {
    size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !is_of_word(at[length]);
}

// A statement there would part an `else` from its `if`.
static bool is_else(const char *code, unsigned line) {
    const char *at = begin_of(code, line);
    at += strspn(at, " \t}");
    return begins_with_word(at, "else");
}

static void add_place(struct cuda_places *places, const char *code, unsigned line) {
    enum { PLACES_MAX = sizeof places->lines / sizeof *places->lines };
    for (size_t i = 0; i < places->count; i++)
        if (places->lines[i] == line)
            return;
    if (places->count < PLACES_MAX && *begin_of(code, line) && !is_else(code, line))
        places->lines[places->count++] = line;
}

// --- Blocks ------------------------------------------------------------------------------------

// The '{' of the block around a place, or NULL.
static const char *open_before(const char *code, const char *at) {
    int depth = 0;
    while (at-- > code) {
        depth += *at == '}';
        if (*at == '{' && depth-- == 0)
            return at;
    }
    return NULL;
}

// The '}' that belongs to a '{', or NULL.
static const char *close_of(const char *open) {
    int depth = 0;
    for (const char *at = open; *at; at++) {
        depth += *at == '{';
        if (*at == '}' && --depth == 0)
            return at;
    }
    return NULL;
}

// What is before a block: the words from the end of the statement before it, whose parentheses may
// have a ';' in them.
static const char *head_of(const char *code, const char *open) {
    int depth = 0;
    const char *at = open;
    for (; at > code; at--) {
        char c = at[-1];
        depth += c == ')';
        depth -= c == '(';
        bool is_directive = c == '\n' && *(at + strspn(at, " \t")) == '#';
        if ((depth == 0 && strchr(";{}", c)) || is_directive)
            break;
    }
    at = code < at && at[-1] == '\n' ? at + strcspn(at, "\n") : at;
    return at + strspn(at, " \t\r\n");
}

// Whether a block is that of an `if` or a loop, or has no head.
static bool is_inner(const char *head, const char *open) {
    static const char *const words[] = {"if", "else", "for", "while", "do", "switch"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins_with_word(head, words[i]))
            return true;
    return head >= open;
}

struct cuda_places cuda_places_before(const char *code, unsigned line) {
    struct cuda_places places = {0};
    add_place(&places, code, line);
    const char *at = begin_of(code, line);
    while ((at = open_before(code, at)) != NULL) {
        const char *head = head_of(code, at);
        if (!is_inner(head, at))
            break;
        add_place(&places, code, line_of(code, head));
    }
    return places;
}

// The line after the statement that a line is in: up to a ';' or a brace at the end of a line,
// outside of parentheses.
static unsigned line_after(const char *code, unsigned line) {
    int depth = 0;
    char last = ';';
    const char *at = begin_of(code, line);
    for (; *at; at++) {
        depth += *at == '(';
        depth -= *at == ')';
        if (*at == '\n' && depth <= 0 && strchr(";{}", last))
            break;
        last = isspace((unsigned char)*at) ? last : *at;
    }
    return *at ? line_of(code, at) + 1 : 0;
}

struct cuda_places cuda_places_after(const char *code, unsigned line) {
    struct cuda_places places = {0};
    unsigned after = line_after(code, line);
    const char *at = begin_of(code, line);
    if (after == 0)
        return places;
    add_place(&places, code, after);
    while ((at = open_before(code, at)) != NULL) {
        const char *close = close_of(at);
        if (!close || !is_inner(head_of(code, at), at))
            break;
        add_place(&places, code, line_of(code, close));
        add_place(&places, code, line_of_words(code, close + 1));
    }
    return places;
}

const char *cuda_place_function(struct arena *arena, const char *code, unsigned line) {
    const char *at = begin_of(code, line), *head = NULL;
    while ((at = open_before(code, at)) != NULL && is_inner(head = head_of(code, at), at)) {
    }
    const char *end = at ? memchr(head, '(', (size_t)(at - head)) : NULL;
    if (!end)
        return NULL;
    while (end > head && isspace((unsigned char)end[-1]))
        end--;
    const char *begin = end;
    while (begin > head && is_of_word(begin[-1]))
        begin--;
    return begin < end ? arena_strndup(arena, begin, (size_t)(end - begin)) : NULL;
}

// --- Calls -------------------------------------------------------------------------------------

// The ')' that belongs to a '(', or NULL.
static const char *close_of_call(const char *open) {
    int depth = 0;
    for (const char *at = open; *at && *at != ';'; at++) {
        depth += *at == '(';
        if (*at == ')' && --depth == 0)
            return at;
    }
    return NULL;
}

// The end of the argument that begins at a place: a ',' or ')' outside of inner parentheses.
static const char *end_of_argument(const char *at) {
    int depth = 0;
    for (; *at; at++) {
        if (depth == 0 && (*at == ',' || *at == ')'))
            break;
        depth += strchr("([{", *at) != NULL;
        depth -= strchr(")]}", *at) != NULL;
    }
    return at;
}

static void trim(const char **begin, const char **end) {
    while (*begin < *end && isspace((unsigned char)**begin))
        (*begin)++;
    while (*end > *begin && isspace((unsigned char)(*end)[-1]))
        (*end)--;
}

// Sets where the last argument is.
static void find_argument(const char *code, const char *open, const char *close,
                          struct cuda_call *call) {
    const char *begin = open + 1, *end = end_of_argument(begin);
    while (end < close && *end == ',') {
        begin = end + 1;
        end = end_of_argument(begin);
    }
    trim(&begin, &end);
    call->argument = (size_t)(begin - code);
    call->argument_size = (size_t)(end - begin);
}

const char *cuda_call_argument(struct arena *arena, const char *code, const struct cuda_call *call,
                               size_t index) {
    const char *begin = code + call->name + call->name_size;
    begin += strspn(begin, " \t") + 1;
    const char *end = end_of_argument(begin);
    for (size_t i = 0; i < index; i++) {
        if (*end != ',')
            return NULL;
        begin = end + 1;
        end = end_of_argument(begin);
    }
    trim(&begin, &end);
    return arena_strndup(arena, begin, (size_t)(end - begin));
}

static bool is_named(const char *at, size_t size, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == size && strncmp(at, names[i], size) == 0)
            return true;
    return false;
}

// The last character before a place that is not a blank.
static char last_before(const char *code, const char *at) {
    while (at > code && isspace((unsigned char)at[-1]))
        at--;
    return at > code ? at[-1] : ' ';
}

struct cuda_call *cuda_calls(struct arena *arena, const char *code, const char *const *names,
                             size_t name_count, size_t *count) {
    struct cuda_call *calls = NULL;
    *count = 0;
    for (const char *at = code; *at;) {
        size_t size = 0;
        while (is_of_word(at[size]))
            size++;
        const char *open = at + size + strspn(at + size, " \t");
        const char *close = size > 0 && *open == '(' ? close_of_call(open) : NULL;
        bool is_definition = close && close[1 + strspn(close + 1, " \t\r\n")] == '{' &&
                             is_of_word(code < at ? last_before(code, at) : ' ');
        if (close && !is_definition && is_named(at, size, names, name_count)) {
            struct cuda_call call = {
                .line = line_of(code, at), .name = (size_t)(at - code), .name_size = size};
            find_argument(code, open, close, &call);
            if (call.argument_size > 0) {
                calls = arena_grow(arena, calls, *count, sizeof *calls);
                calls[(*count)++] = call;
            }
        }
        at += size > 0 ? size : 1;
    }
    return calls;
}
