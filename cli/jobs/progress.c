// The line "[=====>    ]  5/10  0:07  SB.litmus MP.litmus" on stderr.
#include "cli/jobs/progress.h"

#include "litmus/source/allocate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 20, COLUMNS_DEFAULT = 80, COLUMNS_LEAST = 20 };

static const double SHOWN_AFTER = 2, REDRAWN_AFTER = 0.2; // seconds

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

bool progress_is_seen(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

void progress_start(struct progress *progress, bool is_on) {
    *progress = (struct progress){.is_on = is_on, .begun = now()};
}

static size_t columns(void) {
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return !known ? COLUMNS_DEFAULT : size.ws_col < COLUMNS_LEAST ? COLUMNS_LEAST : size.ws_col;
}

// How many bytes of a text fill `width` columns; a character in several bytes is taken for one
// column and never cut.
static size_t fitting(const char *text, size_t width) {
    size_t at = 0;
    while (text[at] && ((text[at] & 0xC0) == 0x80 || width > 0)) {
        width -= (text[at] & 0xC0) != 0x80;
        at++;
    }
    return at;
}

char *progress_line(size_t done, size_t total, double seconds, const char *const *names,
                    size_t name_count, size_t width) {
    char *line = NULL;
    size_t size = 0;
    FILE *out = text_open(&line, &size);
    size_t filled = total > 0 ? done * BAR_WIDTH / total : 0;
    fputc('[', out);
    for (size_t i = 0; i < BAR_WIDTH; i++)
        fputc(i < filled ? '=' : i == filled ? '>' : ' ', out);
    unsigned long whole = (unsigned long)seconds;
    fprintf(out, "] %zu/%zu  %lu:%02lu ", done, total, whole / 60, whole % 60);
    for (size_t i = 0; i < name_count; i++)
        fprintf(out, " %s", names[i]);
    text_close(out);
    line[fitting(line, width)] = '\0';
    return line;
}

void progress_draw(struct progress *progress, size_t done, size_t total, const char *const *names,
                   size_t name_count) {
    double time = now();
    if (!progress->is_on || time - progress->begun < SHOWN_AFTER ||
        time - progress->drawn_at < REDRAWN_AFTER)
        return;
    // the last column stays free: terminals differ in what comes after it
    char *line =
        progress_line(done, total, time - progress->begun, names, name_count, columns() - 1);
    fprintf(stderr, "\r%s\033[K", line);
    free(line);
    progress->drawn_at = time;
    progress->is_drawn = true;
}

void progress_clear(struct progress *progress) {
    if (progress->is_drawn) {
        fputs("\r\033[K", stderr);
        progress->is_drawn = false;
    }
}
