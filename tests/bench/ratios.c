// Cold start, and the cost of a test in a batch.
#include "tests/bench/ratios.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MAX = 24 };

// The exit statuses of a run in which every test was decided. The conditions of random tests are
// random, so that one of them may fail.
static bool is_decided(int status) {
    return status == 0 || status == 1;
}

static bool run(const struct setup *setup, const char *const *argv, struct run *run) {
    char output[PATH_MAX], errors[PATH_MAX];
    snprintf(output, sizeof output, "%s/output", setup->folder);
    snprintf(errors, sizeof errors, "%s/errors", setup->folder);
    if (!measure_run(argv, output, errors, 0, run)) {
        fprintf(stderr, "ptxlitmus-bench: %s: %s\n", argv[0], strerror(errno));
        return false;
    }
    if (!is_decided(run->status))
        fprintf(stderr, "ptxlitmus-bench: %s: status %d\n", argv[0], run->status);
    return is_decided(run->status);
}

enum { KINDS_MAX = 2 };

// The program with its options and these inputs (options before them).
static void make_command(const struct setup *setup, const char *const *inputs,
                         const char **command) {
    size_t n = 0;
    command[n++] = setup->program;
    for (size_t i = 0; setup->options[i] && n < OPTIONS_MAX; i++)
        command[n++] = setup->options[i];
    for (size_t i = 0; inputs[i] && n < OPTIONS_MAX; i++)
        command[n++] = inputs[i];
    command[n] = NULL;
}

// Takes a sample of the reference program ([0]) and of each command ([1] and on), so many times: in
// turns, so that a slow moment of the machine hits all. The first turn is not counted.
static bool take_samples(const struct setup *setup, const char *(*commands)[OPTIONS_MAX + 1],
                         size_t kinds, size_t runs, struct samples *samples) {
    const char *empty[] = {setup->empty, NULL};
    struct run done;
    for (size_t turn = 0; turn <= runs; turn++)
        for (size_t kind = 0; kind <= kinds; kind++) {
            if (!run(setup, kind ? commands[kind - 1] : empty, &done))
                return false;
            if (turn > 0)
                samples_add(&samples[kind], &done);
        }
    return true;
}

// Measures the program on several inputs, one ratio each, all of the same number of runs.
static bool take_turns(const struct setup *setup, const char *const *const *inputs, size_t kinds,
                       struct ratio *ratios) {
    const char *commands[KINDS_MAX][OPTIONS_MAX + 1];
    struct samples samples[KINDS_MAX + 1] = {{.count = 0}};
    for (size_t kind = 0; kind < kinds; kind++)
        make_command(setup, inputs[kind], commands[kind]);
    if (!take_samples(setup, commands, kinds, ratios[0].runs, samples))
        return false;
    struct cost empty = samples_median(&samples[0]);
    for (size_t kind = 0; kind < kinds; kind++) {
        ratios[kind].empty = empty;
        ratios[kind].cost = samples_median(&samples[kind + 1]);
    }
    return true;
}

#define COLD_TEST "litmus/library/message-passing/MP.litmus"

// Whether the program decides these inputs; what it prints of errors is not shown.
static bool can_run(const struct setup *setup, const char *const *inputs) {
    const char *command[OPTIONS_MAX + 1];
    char output[PATH_MAX], errors[PATH_MAX];
    struct run done;
    snprintf(output, sizeof output, "%s/output", setup->folder);
    snprintf(errors, sizeof errors, "%s/errors", setup->folder);
    make_command(setup, inputs, command);
    return measure_run(command, output, errors, 0, &done) && is_decided(done.status);
}

bool ratio_cold(const struct setup *setup, size_t runs, struct ratio ratios[2], size_t *count) {
    const char *const z3[] = {COLD_TEST, NULL};
    const char *const cadical[] = {"--engine", "cadical", COLD_TEST, NULL};
    const char *const *const all[] = {z3, cadical};
    ratios[0] =
        (struct ratio){.title = "cold run of MP.litmus", .tests = 1, .runs = runs, .aim = 1.15};
    ratios[1] =
        (struct ratio){.title = "the same with CaDiCaL", .tests = 1, .runs = runs, .aim = 0.4};
    *count = can_run(setup, cadical) ? 2 : 1;
    return take_turns(setup, all, *count, ratios);
}

// The tests that the last run has printed in herd's log.
static size_t count_tests(const struct setup *setup) {
    char path[PATH_MAX], *line = NULL;
    size_t room = 0, count = 0;
    snprintf(path, sizeof path, "%s/output", setup->folder);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    while (getline(&line, &room, file) >= 0)
        count += strncmp(line, "Test ", 5) == 0;
    free(line);
    fclose(file);
    return count;
}

bool ratio_batch(const struct setup *setup, size_t runs, unsigned shapes, struct ratio ratios[2]) {
    char folder[PATH_MAX], count[16];
    struct run made;
    snprintf(folder, sizeof folder, "%s/shapes", setup->folder);
    snprintf(count, sizeof count, "%u", shapes);
    const char *generate[] = {setup->generate, "--seed", "1",     "--count", count,
                              "--kind",        "shapes", "--out", folder,    NULL};
    const char *const one[] = {"litmus/library", folder, NULL};
    const char *const two[] = {"-j", "2", "litmus/library", folder, NULL};
    const char *const *const inputs[] = {one, two};
    ratios[0] = (struct ratio){.title = "batch, a test", .runs = runs, .aim = 0.35};
    ratios[1] = (struct ratio){.title = "batch with -j 2, a test", .runs = runs};
    if (!run(setup, generate, &made) || !take_turns(setup, inputs, 2, ratios))
        return false;
    size_t tests = count_tests(setup);
    if (tests <= shapes) {
        fprintf(stderr, "ptxlitmus-bench: the batch printed %zu tests only\n", tests);
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        ratios[i].tests = tests;
        ratios[i].cost.ms /= (double)tests;
        ratios[i].cost.cpu_ms /= (double)tests;
    }
    return true;
}
