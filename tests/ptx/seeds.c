// usage: seeds FOLDER
// Reads the examples of the ISA's sections in FOLDER: every line of each has to be PTX to us, or to
// be refused as outside the model. Prints the lines that are not. Exit status: 0 none, 1 some, 77
// there is no such folder.
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tally {
    unsigned read, outside, failed;
};

// --- One test ----------------------------------------------------------------------------------

static bool is_outside(const char *message) {
    return strstr(message, "valid PTX (since") != NULL;
}

// Reads a test with these declarations and this body, and counts it under its result.
static void judge(struct tally *tally, const char *declarations, const char *body) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    // Q is a vector in the examples.
    const char *text = arena_format(
        arena, "PTX t\n.global .u32 result;\n%s\nP0@cta 0 {\n.reg .v4 .b32 Q;\n%s\n}\n%s",
        declarations, body, "exists (result == 0)\n");
    const struct source *source = source_from_text(arena, "example", text, strlen(text));
    bool good = test_read(arena, source, SYNTAX_PTX, &diagnostics) != NULL, outside = false;
    for (size_t i = 0; !good && i < diagnostics.count; i++) {
        bool here = is_outside(diagnostics.items[i].message);
        bool warning = diagnostics.items[i].severity == SEVERITY_WARNING;
        outside = outside || here;
        if (here || warning)
            continue;
        printf("%s%s\n  %s\n", declarations, body, diagnostics.items[i].message);
        tally->failed++;
        arena_free(arena);
        return;
    }
    tally->read += good;
    tally->outside += !good && outside;
    tally->failed += !good && !outside;
    arena_free(arena);
}

// --- Text --------------------------------------------------------------------------------------

static const char *replace(struct arena *arena, const char *text, const char *what,
                           const char *with) {
    const char *at = strstr(text, what);
    if (!at)
        return text;
    return arena_format(arena, "%.*s%s%s", (int)(at - text), text, with,
                        replace(arena, at + strlen(what), what, with));
}

// A line without its comment.
static const char *without_comment(struct arena *arena, const char *line) {
    const char *comment = strstr(line, "//");
    return arena_strndup(arena, line, comment ? (size_t)(comment - line) : strlen(line));
}

static bool is_blank(const char *text) {
    return text[strspn(text, " \t\r\n.{})(")] == '\0';
}

// The text between the first '(' and the ')' of the same depth, with ';' for ','.
static const char *parameters_of(struct arena *arena, const char *text, const char **after) {
    const char *open = strchr(text, '('), *close = open ? strchr(open, ')') : NULL;
    if (!close)
        return "";
    *after = close + 1;
    const char *list = arena_strndup(arena, open + 1, (size_t)(close - open - 1));
    return arena_format(arena, "%s;", replace(arena, list, ",", ";"));
}

// The text between a '{' and the last '}', or "".
static const char *body_of(struct arena *arena, const char *text) {
    const char *open = strchr(text, '{');
    const char *close = strrchr(text, '}');
    if (!open)
        return "";
    size_t length = close > open ? (size_t)(close - open - 1) : strlen(open + 1);
    return arena_strndup(arena, open + 1, length);
}

// --- Examples ----------------------------------------------------------------------------------

// A kernel: its parameters are declared, its body is a thread's.
static void judge_entry(struct tally *tally, struct arena *arena, const char *text) {
    const char *after = text;
    const char *parameters = parameters_of(arena, text, &after);
    judge(tally, parameters, body_of(arena, after));
}

// A function, and the caller's lines after it; where there are none, a call that fits.
static void judge_function(struct tally *tally, struct arena *arena, const char *text) {
    const char *close = strchr(text, '}');
    size_t length = close ? (size_t)(close + 1 - text) : strlen(text);
    const char *function = arena_strndup(arena, text, length);
    const char *rest = close ? close + 1 : "";
    // A struct of 12 bytes, which the example declares without its size.
    rest = replace(arena, rest, "mystruct;", "mystruct[12];");
    if (is_blank(rest))
        rest = ".param .b32 values[32]; call foo, (1, values);";
    judge(tally, function, rest);
}

static void judge_lines(struct tally *tally, struct arena *arena, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        const char *line = arena_strndup(arena, text, length);
        text += length + (text[length] == '\n');
        line += strspn(line, " \t");
        if (is_blank(line))
            continue;
        if (line[0] == '.')
            judge(tally, line, "");
        else
            judge(tally, "", line);
    }
}

static void judge_example(struct tally *tally, struct arena *arena, const char *text) {
    text = replace(arena, text, "...", "");
    text = replace(arena, text, "{ .. }", "{ }");
    text = replace(arena, text, "cache-policy", "policy"); // no word of PTX
    // The syntax, and ptxas, want how a copy is complete, which this example leaves out.
    text = replace(arena, text, ".global.tile [addr0]",
                   ".global.mbarrier::complete_tx::bytes.tile [addr0]");
    if (strstr(text, ".entry"))
        judge_entry(tally, arena, strstr(text, ".entry"));
    else if (strstr(text, ".func "))
        judge_function(tally, arena, strstr(text, ".func "));
    else
        judge_lines(tally, arena, text);
}

// Finds the blocks of code that are announced as examples.
static void judge_file(struct tally *tally, FILE *file) {
    struct arena *arena = arena_new();
    const char *code = NULL, *above = "";
    char line[4000];
    while (fgets(line, sizeof(line), file)) {
        bool fence = strncmp(line, "```", 3) == 0;
        if (fence && code) {
            judge_example(tally, arena, code);
            code = NULL;
            above = "";
        } else if (fence) {
            code = strstr(above, "xample") ? "" : NULL;
            if (!code) // some other code: go past it
                while (fgets(line, sizeof(line), file) && strncmp(line, "```", 3) != 0)
                    continue;
        } else if (code) {
            code = arena_format(arena, "%s%s\n", code, without_comment(arena, line));
        } else if (line[strspn(line, " \r\n")] != '\0') {
            above = arena_strndup(arena, line, strlen(line));
        }
    }
    arena_free(arena);
}

int main(int count, char **arguments) {
    struct tally tally = {0};
    DIR *folder = count > 1 ? opendir(arguments[1]) : NULL;
    if (!folder) {
        puts("skipped: the sections of the ISA are not here");
        return 77;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[4096];
        const char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".txt") != 0)
            continue;
        snprintf(path, sizeof(path), "%s/%s", arguments[1], entry->d_name);
        FILE *file = fopen(path, "r");
        if (!file)
            continue;
        judge_file(&tally, file);
        fclose(file);
    }
    closedir(folder);
    printf("%u examples read, %u outside the model, %u failed\n", tally.read, tally.outside,
           tally.failed);
    return tally.failed != 0 || tally.read == 0;
}
