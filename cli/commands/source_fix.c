// Puts a line into the text of a .cu file, and checks what becomes of it.
#include "cli/commands/source_fix.h"

#include "cli/commands/kernel.h"
#include "cli/commands/run_internal.h"
#include "check/text/names.h"
#include "litmus/readers/module/origin.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/backend/watchdog.h"

#include <string.h>

struct source_fixing {
    struct run *run;
    struct arena *arena;
    const struct model *model;
    const struct report *report;
    const struct solver_options *limits;
    const struct source *text; // of the file
    double begun;              // in ms of watchdog_now_ms
};

static double seconds_left(const struct source_fixing *fixing) {
    return fixing->limits->timeout_seconds - (watchdog_now_ms() - fixing->begun) / 1e3;
}

// The text with words before a line, which share that line: all others keep their numbers. The
// compiler gives places in the file itself.
static const char *text_with(struct arena *arena, const struct source_fixing *fixing,
                             const char *words, unsigned line) {
    const struct source *text = fixing->text;
    uint32_t at = text->line_starts[line - 1];
    return arena_format(arena, "#line 1 \"%s\"\n%.*s%s %s", text->path, (int)at, text->text, words,
                        text->text + at);
}

// The launch of a changed text as a test; NULL where it is none.
static struct test *test_with(struct arena *arena, const struct source_fixing *fixing,
                              const char *text) {
    struct options options = *fixing->run->options;
    struct diagnostics ignored;
    struct test_list tests = {0};
    const char *launched = NULL;
    diagnostics_init(&ignored, arena);
    options.launch.derived = fixing->run->derived;
    if (!kernel_compile_text(arena, &options.launch, fixing->text->path, text)) {
        return NULL;
    }
    const struct source *source =
        kernel_source(arena, &options, fixing->text->path, false, &ignored, &launched);
    bool fine = source && test_read_all(arena, source, options.check.syntax, &ignored, &tests);
    return fine && tests.count == 1 ? tests.items[0] : NULL;
}

// Whether the launch has no fault with words before a line.
static bool mends(struct source_fixing *fixing, const char *words, unsigned line) {
    struct arena *arena = arena_new();
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    struct test *test = test_with(arena, fixing, text_with(arena, fixing, words, line));
    struct report changed = *fixing->report;
    bool mended = false;
    if (test) {
        test_ask_nothing(arena, test);
        changed.program = program_build(arena, test, &fixing->report->program->options, &ignored);
    }
    if (test && changed.program && seconds_left(fixing) > 0) {
        struct solver_options limits = *fixing->limits;
        limits.timeout_seconds = seconds_left(fixing);
        changed.outcomes = solver_run(fixing->run->solver, arena, changed.program, fixing->model,
                                      &limits, &ignored);
        mended = changed.outcomes && report_is_clean(&changed) == TRUTH_YES;
    }
    arena_free(arena);
    return mended;
}

// The line of an access in the file that is checked; 0 where it comes from another one.
static unsigned line_of(const struct source_fixing *fixing, unsigned event) {
    const struct instruction *instruction = fixing->report->program->events[event].instruction;
    struct line_origin origin =
        instruction ? origin_of(fixing->arena, instruction) : (struct line_origin){0};
    const char *slash = strrchr(fixing->text->path, '/');
    const char *name = slash ? slash + 1 : fixing->text->path;
    return origin.path && strcmp(origin.name, name) == 0 ? origin.line : 0;
}

static bool shares_block(const struct report *report, const struct race *race) {
    const struct event *a = &report->program->events[race->events[0]];
    const struct event *b = &report->program->events[race->events[1]];
    const struct thread *threads = report->program->test->threads;
    return a->thread >= 0 && b->thread >= 0 &&
           test_same_cta(&threads[a->thread].place, &threads[b->thread].place);
}

// Tries both barriers before the later access, after it, and before the earlier one.
static const char *try_lines(struct source_fixing *fixing, unsigned first, unsigned second) {
    static const char *const barriers[] = {"__syncthreads();", "__syncwarp();"};
    const unsigned lines[] = {second, second + 1, first};
    for (size_t b = 0; b < sizeof barriers / sizeof *barriers; b++) {
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            if (lines[i] > fixing->text->line_count || (i == 2 && first == second) ||
                seconds_left(fixing) <= 0) {
                continue;
            }
            if (mends(fixing, barriers[b], lines[i])) {
                const char *slash = strrchr(fixing->text->path, '/');
                return arena_format(fixing->arena, "%s:%u: %s before it",
                                    escaped(fixing->arena, slash ? slash + 1 : fixing->text->path),
                                    lines[i], barriers[b]);
            }
        }
    }
    return NULL;
}

const char *source_fix_find(struct run *run, struct arena *arena, const struct model *model,
                            const struct report *report, const struct race *race,
                            const struct solver_options *limits) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    struct source_fixing fixing = {run,
                                   arena,
                                   model,
                                   report,
                                   limits,
                                   source_read(arena, report->path, &ignored),
                                   watchdog_now_ms()};
    if (!fixing.text || !shares_block(report, race)) {
        return NULL;
    }
    unsigned a = line_of(&fixing, race->events[0]), b = line_of(&fixing, race->events[1]);
    return a == 0 || b == 0 ? NULL : try_lines(&fixing, a < b ? a : b, a < b ? b : a);
}
