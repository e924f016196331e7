// The proof that no execution of a program satisfies its condition, as files that a checker of
// proofs takes: NAME.cnf (the clauses in DIMACS), NAME.drat (what CaDiCaL learned from them, up to
// the empty clause), and NAME.map, which says what events and variables are.

#include "solver/answer/run.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { CLAUSES, LEMMAS, MAP, FILES };

static const char *const endings[FILES] = {".cnf", ".drat", ".map"};

// The test's name with what a name of a file may hold.
static const char *file_name(struct arena *arena, const char *name) {
    char *copy = arena_format(arena, "%s", name);
    for (char *c = copy; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && strchr("+-_.", *c) == NULL)
            *c = '_';
    if (*copy == '.')
        *copy = '_';
    return copy;
}

static bool error_of(struct solver_run *run, const char *path, int error) {
    out_of_memory_if(error);
    diag_error_path(run->diagnostics, path, "cannot write: %s", strerror(error));
    return false;
}

static bool open_files(struct solver_run *run, const char **paths, FILE **files) {
    const char *name = file_name(run->arena, run->program->test->name);
    for (unsigned i = 0; i < FILES; i++) {
        paths[i] = arena_format(run->arena, "%s/%s%s", run->options->proof, name, endings[i]);
        files[i] = fopen(paths[i], "w");
        if (files[i] == NULL)
            return error_of(run, paths[i], errno);
    }
    return true;
}

static void close_files(struct solver_run *run, const char *const *paths, FILE **files) {
    for (unsigned i = 0; i < FILES; i++) {
        bool failed = files[i] != NULL && ferror(files[i]);
        if (files[i] != NULL && (fclose(files[i]) != 0 || failed))
            error_of(run, paths[i], errno);
    }
}

static const char *kind_of(enum event_kind kind) {
    switch (kind) {
    case EVENT_INIT: return "initial write";
    case EVENT_READ: return "read";
    case EVENT_WRITE: return "write";
    case EVENT_FENCE: return "fence";
    case EVENT_PROXY_FENCE: return "proxy fence";
    case EVENT_BARRIER: return "barrier";
    case EVENT_ISSUE: return "start of an asynchronous operation";
    case EVENT_ASYNC_WAIT: return "wait for asynchronous operations";
    case EVENT_GRID_LAUNCH: return "start of dependent grids";
    case EVENT_WGMMA_FENCE: return "fence for products of matrices";
    case EVENT_TENSOR_FENCE: return "fence or allocation of tensor memory";
    case EVENT_PRECONDITION: return "instruction that PTX may not define";
    }
    return "event";
}

// map = "event" NUMBER KIND ("P" THREAD "line" LINE)? for each event, then NUMBER KIND A B for each
// variable: A and B are events or other numbers, by kind.
static void print_events(FILE *out, const struct program *program) {
    for (size_t i = 0; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        fprintf(out, "event %zu %s", i, kind_of(event->kind));
        if (event->instruction != NULL) {
            struct span span = source_origin(event->instruction->span);
            fprintf(out, " P%d line %u", program->test->threads[event->thread].number,
                    (unsigned)source_position(span.source, span.begin).line);
        }
        fputc('\n', out);
    }
}

void run_prove(struct solver_run *run, const literal *literals, size_t count) {
    assert(literals != NULL && count > 0);
    const char *paths[FILES];
    FILE *files[FILES] = {NULL, NULL, NULL};
    if (open_files(run, paths, files)) {
        print_events(files[MAP], run->program);
        bool is_proven =
            backend_proof(run->backend, literals, count, files[CLAUSES], files[LEMMAS], files[MAP]);
        bool is_written = !ferror(files[CLAUSES]) && !ferror(files[LEMMAS]) && !ferror(files[MAP]);
        if (!is_proven && is_written && !backend_failed(run->backend))
            diag_error_path(run->diagnostics, paths[LEMMAS], "there was no time for the proof");
    }
    close_files(run, paths, files);
}
