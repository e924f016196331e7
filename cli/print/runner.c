// Keeps texts from being commands of GitHub's runner.
#include "cli/print/runner.h"

#include "litmus/source/allocate.h"

#include <stdbool.h>
#include <string.h>

// Where in a line the last character was.
struct runner_line {
    bool is_inside;  // after a character that can be seen
    unsigned hashes; // '#' one after the other
};

static void put(FILE *out, struct runner_line *line, char c) {
    bool ends = c == '\n' || c == '\r';
    bool is_seen = (unsigned char)c > ' ' && (unsigned char)c < 0x7F;
    if ((c == ':' && !line->is_inside) || (c == '[' && line->hashes >= 2))
        fprintf(out, "\\x%02x", (unsigned char)c);
    else
        fputc(c, out);
    line->is_inside = !ends && (line->is_inside || is_seen);
    line->hashes = c == '#' ? line->hashes + 1 : 0;
}

void runner_print(FILE *out, const char *text) {
    struct runner_line line = {0};
    for (; *text; text++)
        put(out, &line, *text);
}

// --- The stream --------------------------------------------------------------------------------

struct runner {
    FILE *under;
    struct runner_line line;
};

static ssize_t runner_write(void *cookie, const char *bytes, size_t size) {
    struct runner *runner = cookie;
    for (size_t i = 0; i < size; i++)
        put(runner->under, &runner->line, bytes[i]);
    return fflush(runner->under) == 0 && !ferror(runner->under) ? (ssize_t)size : 0;
}

FILE *runner_stream(FILE *under) {
    static struct runner runner; // not allocated, as that of ascii_stream
    runner = (struct runner){.under = under};
    FILE *stream = fopencookie(&runner, "w", (cookie_io_functions_t){.write = runner_write});
    if (!stream)
        out_of_memory();
    setvbuf(stream, NULL, _IOLBF, 0);
    return stream;
}
