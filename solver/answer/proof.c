// The proof that no execution of a program satisfies its condition, as files that a checker of
// proofs takes: NAME.cnf (the clauses in DIMACS), NAME.drat (what CaDiCaL learned from them, up to
// the empty clause), and NAME.map, which says what events and variables are.

#include "solver/answer/run.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/file_name.h"
#include "litmus/source/replace.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CLAUSES, LEMMAS, MAP, FILES };

static const char *const endings[FILES] = {".cnf", ".drat", ".map"};

// Which test a map is of: the first line of it.
static const char *first_line(const struct solver_run *run) {
    const struct test *test = run->program->test;
    const struct condition *condition = test->condition;
    unsigned line = 0;
    if (condition != NULL && condition->span.source != NULL) {
        struct span span = source_origin(condition->span);
        line = (unsigned)source_position(span.source, span.begin).line;
    }
    return arena_format(run->arena, "test %s:%u %s\n", test->source->path, line, test->name);
}

// Whether the file at a path is a map of another test.
static bool is_of_another(struct solver_run *run, const char *path) {
    const char *line = first_line(run);
    char *found = arena_alloc(run->arena, strlen(line));
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t size = read(file, found, strlen(line));
    close(file);
    return size >= 0 && (size != (ssize_t)strlen(line) || memcmp(found, line, strlen(line)) != 0);
}

// The files get the first name that no other test has.
static void choose_names(struct solver_run *run, struct written_file *files) {
    const char *stem = file_stem(run->arena, run->program->test->name), *map;
    unsigned number = 1;
    do {
        const char *name = file_stem_number(run->arena, stem, number++);
        for (unsigned i = 0; i < FILES; i++)
            files[i].path =
                arena_format(run->arena, "%s/%s%s", run->options->proof, name, endings[i]);
        map = files[MAP].path;
    } while (is_of_another(run, map));
    files[MAP].must_be_new = access(map, F_OK) != 0;
}

static void fail(struct solver_run *run, struct written_file *files, unsigned which,
                 const char *error) {
    diag_error_output(run->diagnostics, files[which].path, error);
    for (unsigned i = 0; i < FILES; i++)
        replace_abandon(&files[i]);
}

// Begins all files; false after an error.
static bool begin_files(struct solver_run *run, struct written_file *files) {
    choose_names(run, files);
    for (unsigned i = 0; i < FILES; i++) {
        const char *error =
            replace_begin(run->arena, &files[i], files[i].path, files[i].must_be_new);
        if (error != NULL) {
            fail(run, files, i, error);
            return false;
        }
    }
    return true;
}

// Ends all files: first what they hold, then their names. The map has its name first, for another
// process with a test of that name to see it.
static void end_files(struct solver_run *run, struct written_file *files) {
    static const unsigned order[FILES] = {MAP, CLAUSES, LEMMAS};
    for (unsigned i = 0; i < FILES; i++) {
        const char *error = replace_store(run->arena, &files[i]);
        if (error != NULL) {
            fail(run, files, i, error);
            return;
        }
    }
    for (unsigned i = 0; i < FILES; i++) {
        const char *error = replace_commit(run->arena, &files[order[i]]);
        while (error == REPLACE_EXISTS) {
            choose_names(run, files);
            error = replace_commit(run->arena, &files[order[i]]);
        }
        if (error != NULL) {
            fail(run, files, order[i], error);
            return;
        }
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

// map = "test" PATH ":" LINE NAME, with the line of the condition; "event" NUMBER KIND ("P" THREAD
// "line" LINE)? for each event; then NUMBER KIND A B for each variable: A and B are events or other
// numbers, by kind.
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
    struct written_file files[FILES] = {{0}};
    if (!begin_files(run, files))
        return;
    FILE *clauses = files[CLAUSES].out, *lemmas = files[LEMMAS].out, *map = files[MAP].out;
    fputs(first_line(run), map);
    print_events(map, run->program);
    bool is_proven = backend_proof(run->backend, literals, count, clauses, lemmas, map);
    bool is_written = !ferror(clauses) && !ferror(lemmas) && !ferror(map);
    if (!is_proven && is_written && !backend_failed(run->backend))
        diag_error_path(run->diagnostics, files[LEMMAS].path, "there was no time for the proof");
    if (is_proven || !is_written) {
        end_files(run, files);
        return;
    }
    for (unsigned i = 0; i < FILES; i++)
        replace_abandon(&files[i]);
}
