// Reads one line of a source file.
#include "cli/print/source_line.h"

#include "litmus/readers/module/origin.h"
#include "litmus/source/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A line of a file without the blanks around it, or NULL.
static const char *line_of_file(struct arena *arena, const char *path, unsigned number) {
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t size = 0;
    const char *found = NULL;
    for (unsigned i = 1; file && i <= number && getline(&line, &size, file) >= 0; i++) {
        if (i == number) {
            char *begin = line + strspn(line, " \t");
            size_t length = strcspn(begin, "\r\n");
            while (length > 0 && strchr(" \t", begin[length - 1]))
                length--;
            found = arena_strndup(arena, begin, length);
        }
    }
    if (file)
        fclose(file);
    free(line);
    return found;
}

const char *source_line_text(struct arena *arena, const struct report *report,
                             const struct instruction *instruction) {
    struct line_origin origin =
        report_is_of_cuda(report) ? origin_of(arena, instruction) : (struct line_origin){0};
    return origin.path ? line_of_file(arena, origin.path, origin.line) : NULL;
}
