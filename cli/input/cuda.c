// Finds the head of a kernel in CUDA C++, and the names in it.
#include "cli/input/cuda.h"

#include "litmus/source/arena.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// The byte after a comment or a quoted text that begins at `at`; `at` where none does.
static const char *after_quiet(const char *at) {
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) == 0) {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at == '"' || *at == '\'') {
        const char *end = at + 1;
        while (*end && *end != *at && *end != '\n')
            end += *end == '\\' && end[1] ? 2 : 1;
        return *end ? end + 1 : end;
    }
    return at;
}

char *cuda_without_comments(struct arena *arena, const char *text) {
    char *plain = arena_strndup(arena, text, strlen(text));
    for (const char *at = text; *at;) {
        const char *end = after_quiet(at);
        for (const char *quiet = at; quiet < end; quiet++)
            plain[quiet - text] = *quiet == '\n' ? '\n' : ' ';
        at = end > at ? end : at + 1;
    }
    return plain;
}

// The '(' after a kernel's name, or NULL: the last __global__ before the name belongs to it, with
// no
// ';' or '}' between.
static const char *find_head(const char *text, const char *name) {
    static const char word[] = "__global__";
    size_t length = strlen(name);
    for (const char *global = text; (global = strstr(global, word)) != NULL;) {
        global += sizeof word - 1;
        for (const char *at = global; *at && *at != ';' && *at != '}' && *at != '{'; at++) {
            if (strncmp(at, name, length) == 0 && !is_of_word(at[-1]) && !is_of_word(at[length])) {
                const char *open = at + length + strspn(at + length, " \t\r\n");
                if (*open == '(')
                    return open;
            }
        }
    }
    return NULL;
}

// The end of a parameter: a ',' or ')' outside of all brackets.
static const char *end_of_parameter(const char *at) {
    int depth = 0;
    for (; *at; at++) {
        if (depth == 0 && (*at == ',' || *at == ')'))
            break;
        depth += strchr("([{<", *at) != NULL;
        depth -= strchr(")]}>", *at) != NULL;
    }
    return at;
}

// parameter = type name ("[" n? "]")* ("=" value)?
// The name of a parameter, NULL without one.
static const char *name_of(struct arena *arena, const char *begin, const char *end) {
    const char *equal = memchr(begin, '=', (size_t)(end - begin));
    end = equal ? equal : end;
    const char *array = memchr(begin, '[', (size_t)(end - begin));
    end = array ? array : end;
    while (end > begin && !is_of_word(end[-1]))
        end--;
    const char *first = end;
    while (first > begin && is_of_word(first[-1]))
        first--;
    bool has_type = false;
    for (const char *at = begin; at < first; at++)
        has_type = has_type || is_of_word(*at);
    bool is_name = has_type && first < end && !isdigit((unsigned char)*first);
    return is_name ? arena_strndup(arena, first, (size_t)(end - first)) : NULL;
}

static bool is_new(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return false;
    return true;
}

const char *const *cuda_parameter_names(struct arena *arena, const char *text, const char *name,
                                        size_t count) {
    const char *open = find_head(cuda_without_comments(arena, text), name);
    const char **names = ARENA_ARRAY(arena, const char *, count + 1);
    const char *at = open ? open + 1 : NULL;
    for (size_t i = 0; at && i < count; i++) {
        const char *end = end_of_parameter(at);
        names[i] = name_of(arena, at, end);
        if (!names[i] || !is_new(names, i, names[i]) || *end != (i + 1 < count ? ',' : ')'))
            return NULL;
        at = end + 1;
    }
    return at && count > 0 ? names : NULL;
}
