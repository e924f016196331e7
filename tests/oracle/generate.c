// ptxlitmus-generate: random small litmus tests, the same for a seed on every machine.
#include "tests/oracle/sample.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
    "usage: ptxlitmus-generate --seed S --count N --out DIR [--kind KIND]\n"
    "                          [--model 9.1|7.5|6.0] [--cap N] [--first I]\n"
    "Writes the tests I .. I+N-1 of seed S to DIR/<index>-<name>.litmus.\n"
    "  --kind KIND  mixed (shapes and free; the default), shapes, free, proxies, branches, sizes,\n"
    "               barriers, restricted, floats, values, sections, mbarriers, async,\n"
    "               warps, grids, multimem, tensor, later or products\n"
    "  --model M    only what that version of the model knows: 7.5 and 6.0 have no clusters and "
    "no\n"
    "               one-directional fences\n"
    "  --cap N      no test with more candidate executions (by estimate; default 200000)\n";

struct job {
    struct sample_options sample;
    uint64_t first, count;
    const char *folder;
};

static bool write_sample(const struct job *job, uint64_t index) {
    struct sample sample;
    char path[4096];
    sample_make(&sample, &job->sample, index);
    snprintf(path, sizeof path, "%s/%05llu-%.*s.litmus", job->folder, (unsigned long long)index,
             (int)strcspn(sample.name, "-"), sample.name);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "ptxlitmus-generate: %s: %s\n", path, strerror(errno));
        return false;
    }
    struct random random = random_stream(~job->sample.seed, index);
    sample_print(&sample, &random, file);
    return fclose(file) == 0;
}

static bool take_kind(struct job *job, const char *name) {
    static const char *const names[] = {
        [SAMPLE_MIXED] = "mixed",       [SAMPLE_SHAPES] = "shapes",
        [SAMPLE_FREE] = "free",         [SAMPLE_PROXIES] = "proxies",
        [SAMPLE_BRANCHES] = "branches", [SAMPLE_SIZES] = "sizes",
        [SAMPLE_BARRIERS] = "barriers", [SAMPLE_RESTRICTED] = "restricted",
        [SAMPLE_FLOATS] = "floats",     [SAMPLE_VALUES] = "values",
        [SAMPLE_SECTIONS] = "sections", [SAMPLE_MBARRIERS] = "mbarriers",
        [SAMPLE_ASYNC] = "async",       [SAMPLE_WARPS] = "warps",
        [SAMPLE_GRIDS] = "grids",       [SAMPLE_MULTIMEM] = "multimem",
        [SAMPLE_TENSOR] = "tensor",     [SAMPLE_LATER] = "later",
        [SAMPLE_PRODUCTS] = "products"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0) {
            job->sample.kind = (enum sample_kind)i;
            return true;
        }
    return false;
}

// Reads one option; returns whether it was understood.
static bool take_option(struct job *job, int option, const char *value) {
    switch (option) {
    case 's': job->sample.seed = strtoull(value, NULL, 0); return true;
    case 'n': job->count = strtoull(value, NULL, 0); return true;
    case 'i': job->first = strtoull(value, NULL, 0); return true;
    case 'c': job->sample.cap = strtoull(value, NULL, 0); return job->sample.cap > 0;
    case 'o': job->folder = value; return true;
    case 'm':
        job->sample.before_9_1 = strcmp(value, "9.1") != 0 && strcmp(value, "9.3") != 0;
        return strcmp(value, "6.0") == 0 || strcmp(value, "7.5") == 0 || !job->sample.before_9_1;
    case 'k': return take_kind(job, value);
    default: return false;
    }
}

int main(int argc, char **argv) {
    static const struct option options[] = {
        {"seed", required_argument, NULL, 's'},  {"count", required_argument, NULL, 'n'},
        {"out", required_argument, NULL, 'o'},   {"kind", required_argument, NULL, 'k'},
        {"model", required_argument, NULL, 'm'}, {"cap", required_argument, NULL, 'c'},
        {"first", required_argument, NULL, 'i'}, {NULL, 0, NULL, 0}};
    struct job job = {.sample = {.cap = 200000}};
    int option;
    bool understood = true;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        understood = understood && take_option(&job, option, optarg);
    if (!understood || !job.folder || optind != argc) {
        fputs(usage, stderr);
        return 2;
    }
    if (mkdir(job.folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "ptxlitmus-generate: %s: %s\n", job.folder, strerror(errno));
        return 2;
    }
    for (uint64_t i = 0; i < job.count; i++)
        if (!write_sample(&job, job.first + i))
            return 2;
    return 0;
}
