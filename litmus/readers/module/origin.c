// The directives .loc and .file of a module, as far as one instruction needs them.
#include "litmus/readers/module/origin.h"

#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <stdio.h>
#include <string.h>

// A .loc: a position, and where the function that it is in was put.
struct position_of_loc {
    unsigned file, line, column;
};
struct loc {
    struct position_of_loc at, caller;
    bool is_inlined;
};

// The number of the line before the one that has a byte, from 0; -1 before the first.
static int line_of(const struct source *source, uint32_t byte) {
    return (int)source_position(source, byte).line - 1;
}

// A line without the blanks before it, up to its end; the arena owns it.
static const char *words_of(struct arena *arena, const struct source *source, int line) {
    const char *text = source->text + source->line_starts[line];
    text += strspn(text, " \t");
    return arena_strndup(arena, text, strcspn(text, "\n"));
}

// loc = ".loc" file line column ("," "function_name" label ("+" n)? "," "inlined_at" file line
// column)?
static bool parse_loc(const char *words, struct loc *loc) {
    *loc = (struct loc){0};
    if (sscanf(words, ".loc %u %u %u", &loc->at.file, &loc->at.line, &loc->at.column) != 3)
        return false;
    const char *caller = strstr(words, "inlined_at");
    loc->is_inlined = caller && sscanf(caller, "inlined_at %u %u %u", &loc->caller.file,
                                       &loc->caller.line, &loc->caller.column) == 3;
    return true;
}

// Whether a function begins on a line: what is before it says nothing of what comes after.
static bool begins_function(const char *words) {
    return strncmp(words, ".entry", 6) == 0 || strncmp(words, ".func", 5) == 0 ||
           strncmp(words, ".visible", 8) == 0;
}

// Whether a line is in inline assembly, by the comments that compilers put around it.
static bool is_in_assembly(const struct source *source, int line) {
    while (line-- > 0) {
        const char *text = source->text + source->line_starts[line];
        text += strspn(text, " \t");
        if (strncmp(text, "// begin inline asm", 19) == 0)
            return true;
        if (strncmp(text, "// end inline asm", 17) == 0 || begins_function(text))
            return false;
    }
    return false;
}

// The last .loc before `*line`, to which `*line` is set; with `at`, the last one that says it.
static bool loc_before(struct arena *arena, const struct source *source, int *line,
                       const struct position_of_loc *at, struct loc *loc) {
    while (--*line >= 0) {
        const char *text = source->text + source->line_starts[*line];
        text += strspn(text, " \t");
        if (*text != '.')
            continue;
        const char *words = words_of(arena, source, *line);
        if (begins_function(words))
            return false;
        // In inline assembly LLVM counts lines on from the one that has it: the .loc before counts.
        if (parse_loc(words, loc) && (!at || memcmp(at, &loc->at, sizeof *at) == 0) &&
            !is_in_assembly(source, *line))
            return true;
    }
    return false;
}

// The path that `.file NUMBER "path"` gives, or NULL.
static const char *path_of(struct arena *arena, const struct source *source, unsigned number) {
    for (int i = (int)source->line_count; i-- > 0;) {
        const char *text = source->text + source->line_starts[i];
        text += strspn(text, " \t");
        unsigned found;
        if (strncmp(text, ".file", 5) != 0)
            continue;
        const char *words = words_of(arena, source, i), *begin = strchr(words, '"');
        if (begin && sscanf(words, ".file %u", &found) == 1 && found == number) {
            begin++;
            return arena_strndup(arena, begin, strcspn(begin, "\""));
        }
    }
    return NULL;
}

// Whether a file is the toolkit's or the system's, and not the user's.
static bool is_of_others(const char *path) {
    static const char *const folders[] = {"/include/cccl/",   "/include/cuda/", "/include/crt/",
                                          "/include/cub/",    "/include/nv/",   "/include/thrust/",
                                          "/usr/include/",    "/usr/lib/",      "/usr/local/cuda",
                                          "/targets/x86_64-", "/lib/clang/",    "/site-packages/",
                                          "/dist-packages/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strstr(path, folders[i]))
            return true;
    return false;
}

// Whether an instruction is inline assembly of C++: in Python, compilers write it for all accesses.
static bool is_asm(const struct source *source, int line, const struct line_origin *origin) {
    size_t length = origin->path ? strlen(origin->path) : 0;
    if (length == 0 || (length > 3 && strcmp(origin->path + length - 3, ".py") == 0))
        return false;
    return is_in_assembly(source, line);
}

static struct line_origin origin_at(const char *path, unsigned line) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return path ? (struct line_origin){path, slash ? slash + 1 : path, line}
                : (struct line_origin){0};
}

struct line_origin origin_of(struct arena *arena, const struct instruction *instruction) {
    const struct span span = source_in_file(instruction->opcode_span);
    const struct source *source = span.source;
    int line = line_of(source, span.begin);
    struct loc loc;
    if (!loc_before(arena, source, &line, NULL, &loc))
        return (struct line_origin){0};
    struct line_origin first = origin_at(path_of(arena, source, loc.at.file), loc.at.line);
    struct line_origin found = first;
    bool is_helper = first.path && !is_of_others(first.path) &&
                     is_asm(source, line_of(source, span.begin), &first);
    while (found.path && (is_helper || is_of_others(found.path)) && loc.is_inlined) {
        is_helper = false;
        struct position_of_loc caller = loc.caller;
        found = origin_at(path_of(arena, source, caller.file), caller.line);
        if (!loc_before(arena, source, &line, &caller, &loc))
            loc = (struct loc){.at = caller};
    }
    return found.path ? found : first;
}

const char *origin_text(struct arena *arena, const struct line_origin *origin) {
    return origin->path ? arena_format(arena, "%s:%u", origin->name, origin->line) : NULL;
}
