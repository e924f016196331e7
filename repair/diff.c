// Unified diffs of two texts, with three lines of context. The longest common subsequence of lines
// is looked for between the first line and the last that differ, which are few.
#include "repair/edit.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3, LCS_MAX = 2000 };

struct text_line {
    const char *text;
    size_t length; // with its newline
};

// One line of the result: kept (' '), taken away ('-') or added ('+').
struct diff_line {
    char mark;
    struct text_line line;
};

struct diff {
    struct arena *arena;
    struct text_line *before, *after;
    size_t before_count, after_count;
    struct diff_line *lines;
    size_t count;
};

static struct text_line *split(struct arena *arena, const char *text, size_t *count) {
    struct text_line *lines = NULL;
    *count = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        length += text[length] == '\n';
        ARENA_APPEND(arena, lines, *count, (struct text_line){text, length});
        text += length;
    }
    return lines;
}

static bool same(const struct text_line *a, const struct text_line *b) {
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

static void add_line(struct diff *diff, char mark, struct text_line line) {
    ARENA_APPEND(diff->arena, diff->lines, diff->count, (struct diff_line){mark, line});
}

// The middle, of n and m lines that begin at `a` and `b`.
static void align(struct diff *diff, size_t a, size_t n, size_t b, size_t m) {
    size_t width = m + 1;
    unsigned *best = NULL;
    if (n <= LCS_MAX && m <= LCS_MAX) {
        best = allocate((n + 1) * width, sizeof *best);
        for (size_t i = n; i-- > 0;)
            for (size_t k = m; k-- > 0;) {
                unsigned down = best[(i + 1) * width + k], right = best[i * width + k + 1];
                best[i * width + k] = same(&diff->before[a + i], &diff->after[b + k])
                                          ? best[(i + 1) * width + k + 1] + 1
                                      : down > right ? down
                                                     : right;
            }
    }
    size_t i = 0, k = 0;
    while (i < n || k < m) {
        bool match =
            best != NULL && i < n && k < m && same(&diff->before[a + i], &diff->after[b + k]);
        if (match) {
            add_line(diff, ' ', diff->before[a + i]);
            i++, k++;
        } else if (i < n && (k == m || best == NULL ||
                             best[(i + 1) * width + k] >= best[i * width + k + 1])) {
            add_line(diff, '-', diff->before[a + i++]);
        } else {
            add_line(diff, '+', diff->after[b + k++]);
        }
    }
    free(best);
}

// Marks every line of the two texts.
static void compare(struct diff *diff) {
    size_t head = 0, tail = 0, n = diff->before_count, m = diff->after_count;
    while (head < n && head < m && same(&diff->before[head], &diff->after[head]))
        head++;
    while (head + tail < n && head + tail < m &&
           same(&diff->before[n - 1 - tail], &diff->after[m - 1 - tail]))
        tail++;
    for (size_t i = 0; i < head; i++)
        add_line(diff, ' ', diff->before[i]);
    align(diff, head, n - head - tail, head, m - head - tail);
    for (size_t i = n - tail; i < n; i++)
        add_line(diff, ' ', diff->before[i]);
}

static void print_range(FILE *out, char mark, size_t first, size_t count) {
    fprintf(out, "%c%zu", mark, count == 0 ? first : first + 1);
    if (count != 1)
        fprintf(out, ",%zu", count);
}

// The lines from `begin` to `end`; `a` and `b` lines precede them.
static void print_hunk(FILE *out, const struct diff *diff, size_t begin, size_t end, size_t a,
                       size_t b) {
    size_t n = 0, m = 0;
    for (size_t i = begin; i < end; i++) {
        n += diff->lines[i].mark != '+';
        m += diff->lines[i].mark != '-';
    }
    fputs("@@ ", out);
    print_range(out, '-', a, n);
    fputc(' ', out);
    print_range(out, '+', b, m);
    fputs(" @@\n", out);
    for (size_t i = begin; i < end; i++) {
        const struct text_line *line = &diff->lines[i].line;
        fprintf(out, "%c%.*s", diff->lines[i].mark, (int)line->length, line->text);
        if (line->text[line->length - 1] != '\n')
            fputs("\n\\ No newline at end of file\n", out);
    }
}

static void print_hunks(FILE *out, const struct diff *diff) {
    size_t a = 0, b = 0, done = 0; // lines of each text that precede `done`
    for (size_t i = 0; i < diff->count;) {
        if (diff->lines[i].mark == ' ') {
            i++;
            continue;
        }
        size_t begin = i > done + CONTEXT ? i - CONTEXT : done, end = i, quiet = 0;
        while (end < diff->count && quiet <= 2 * CONTEXT) {
            quiet = diff->lines[end].mark == ' ' ? quiet + 1 : 0;
            end++;
        }
        if (quiet > CONTEXT)
            end -= quiet - CONTEXT;
        for (; done < begin; done++, a++, b++)
            continue;
        print_hunk(out, diff, begin, end, a, b);
        for (; done < end; done++) {
            a += diff->lines[done].mark != '+';
            b += diff->lines[done].mark != '-';
        }
        i = end;
    }
}

const char *edit_diff(struct arena *arena, const char *path, const char *before,
                      const char *after) {
    struct diff diff = {.arena = arena};
    struct arena_text text;
    if (strcmp(before, after) == 0)
        return "";
    diff.before = split(arena, before, &diff.before_count);
    diff.after = split(arena, after, &diff.after_count);
    compare(&diff);
    FILE *out = arena_text_begin(&text);
    fprintf(out, "--- %s\n+++ %s\n", path, path);
    print_hunks(out, &diff);
    return arena_text_end(arena, &text);
}
