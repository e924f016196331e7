// Pictures drawn by graphviz, a program of its own, and made readable for those who do not see
// them.
#include "cli/print/picture.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Runs graphviz from one file to another. Returns NULL, or what went wrong.
static const char *run_graphviz(struct arena *arena, FILE *in, FILE *out) {
    static const char *const words[] = {"dot", "-Kneato", "-n2", "-Tsvg", NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status = 0, error = posix_spawn_file_actions_init(&actions);
    out_of_memory_if(error);
    posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    error = posix_spawnp(&pid, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT) {
        return "pictures are drawn by graphviz, and its program 'dot' is not found\n"
               "hint: install graphviz, or draw what '--format dot' prints elsewhere";
    }
    if (error != 0) {
        out_of_memory_if(error);
        return arena_format(arena, "cannot run graphviz' program 'dot': %s", strerror(error));
    }
    while (waitpid(pid, &status, 0) != pid && errno == EINTR) {
        continue;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : "graphviz' program 'dot' failed";
}

static const char *read_all(struct arena *arena, FILE *file) {
    char *text = NULL, buffer[4096];
    size_t size = 0, count;
    FILE *all = text_open(&text, &size);
    rewind(file);
    while ((count = fread(buffer, 1, sizeof buffer, file)) > 0) {
        fwrite(buffer, 1, count, all);
    }
    text_close(all);
    const char *copy = arena_strndup(arena, text, size);
    free(text);
    return copy;
}

// What the picture shows, in words: the edges that are not program order.
static void print_description(FILE *out, const struct picture_list *pictures) {
    for (size_t p = 0; p < pictures->count; p++) {
        const struct picture *picture = &pictures->items[p];
        picture_print_text(out, picture->title);
        fputs(".", out);
        for (size_t i = 0; i < picture->edge_count; i++) {
            const struct picture_edge *edge = &picture->edges[i];
            if (edge->is_emphasised || strcmp(edge->style->relation, "po") != 0) {
                fputc(' ', out);
                picture_print_text(out, picture->names->items[edge->a]);
                fputs(" to ", out);
                picture_print_text(out, picture->names->items[edge->b]);
                fprintf(out, ": ");
                picture_print_text(out, edge->style->label);
                fputs(edge->is_emphasised ? ", breaks the axiom." : ".", out);
            }
        }
        fputc(' ', out);
    }
}

// Returns the element that graphviz has drawn, with a title and a description in place of its own.
static const char *with_words(struct arena *arena, const struct picture_list *pictures,
                              const char *drawn) {
    const char *element = strstr(drawn, "<svg"), *after = element ? strchr(element, '>') : NULL;
    char *text = NULL;
    size_t size = 0;
    if (!after) {
        return NULL;
    }
    FILE *out = text_open(&text, &size);
    fprintf(out, "<svg role=\"img\"%.*s>\n<title>", (int)(after - element - 4), element + 4);
    picture_print_text(out, pictures->title);
    fputs("</title>\n<desc>", out);
    print_description(out, pictures);
    fputs("</desc>", out);
    fputs(after + 1, out);
    text_close(out);
    const char *copy = arena_strndup(arena, text, size);
    free(text);
    return copy;
}

const char *pictures_draw_svg(struct arena *arena, const struct picture_list *pictures,
                              const char **svg) {
    FILE *in = tmpfile(), *out = tmpfile();
    const char *error = NULL;
    if (!in || !out) {
        out_of_memory_if(errno);
        error = arena_format(arena, "cannot make a temporary file: %s", strerror(errno));
    } else {
        pictures_print_dot(in, arena, pictures);
        if (fflush(in) != 0 || ferror(in) || fseek(in, 0, SEEK_SET) != 0) {
            error = arena_format(arena, "cannot write a temporary file: %s", strerror(errno));
        }
        error = error ? error : run_graphviz(arena, in, out);
    }
    if (!error) {
        *svg = with_words(arena, pictures, read_all(arena, out));
        error = *svg ? NULL : "graphviz' program 'dot' has drawn nothing";
    }
    if (in) {
        fclose(in);
    }
    if (out) {
        fclose(out);
    }
    return error;
}
