// What tests need from versions and targets, and what versions and targets offer.
#include "litmus/ptx/target.h"

#include "litmus/names/names.h"
#include "litmus/source/arena.h"

#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <stdlib.h>
#include <string.h>

bool ptx_is_version(unsigned version) {
    static const unsigned char last_minor[] = {[6] = 5, [7] = 8, [8] = 8, [9] = 4};
    unsigned major = version / 10, minor = version % 10;
    return version >= PTX_OLDEST && major < sizeof last_minor && minor <= last_minor[major];
}

// The families are sm_10x, sm_11x and sm_12x (PTX ISA 11.1.2).
static unsigned family_of(const struct ptx_target *target) {
    enum { MEMBERS = 10 };
    return target->architecture / MEMBERS;
}

bool ptx_runs_on(const struct ptx_target *written, const struct ptx_target *target) {
    if (written->specific)
        return strcmp(written->name, target->name) == 0;
    return written->architecture <= target->architecture &&
           (!written->family || family_of(written) == family_of(target));
}

// --- Instructions ------------------------------------------------------------------------------

// The first architecture with tensor cores of the fifth generation.
enum { TENSOR_CORES = 100 };

static unsigned architecture_of(unsigned sm) {
    return sm & ~(unsigned)(PTX_SPECIFIC | PTX_FEWER | PTX_ALONE);
}

bool ptx_offers(const struct ptx_target *target, unsigned sm) {
    unsigned architecture = architecture_of(sm);
    if (sm == architecture || target->simulated)
        return architecture <= target->architecture;
    if (!target->specific && (!target->family || (sm & (PTX_FEWER | PTX_ALONE))))
        return false;
    return architecture == target->architecture ||
           (architecture == TENSOR_CORES &&
            (target->architecture == 110 ||
             ((target->architecture == 103 || target->architecture == 107) && !(sm & PTX_FEWER))));
}

const char *ptx_sm_text(struct arena *arena, unsigned sm) {
    if (architecture_of(sm) == TENSOR_CORES && (sm & PTX_SPECIFIC))
        return sm & PTX_FEWER ? "sm_100a or sm_110a" : "sm_100a, sm_103a, sm_107a or sm_110a";
    return arena_format(arena, "sm_%u%s", architecture_of(sm), sm & PTX_SPECIFIC ? "a" : "");
}

static bool check_need(const struct need *need, const struct ptx_target *target, unsigned version,
                       struct diagnostics *diagnostics) {
    if (target && !ptx_offers(target, need->sm)) {
        bool specific = (need->sm & PTX_SPECIFIC) != 0;
        struct arena *arena = arena_new();
        diag_error(diagnostics, need->span, "%s needs %s%s, not %s", need->words,
                   ptx_sm_text(arena, need->sm), specific ? "" : " or later", target->name);
        arena_free(arena);
        return false;
    }
    if (target && need->specific && !target->specific && !target->family && !target->simulated)
        return diag_error(diagnostics, need->span,
                          "%s needs a target with features of its own, such as sm_%ua, not %s",
                          need->words, need->sm, target->name);
    if (need->ptx > version)
        return diag_error(diagnostics, need->span, "%s needs PTX ISA %u.%u or later, not %u.%u",
                          need->words, need->ptx / 10, need->ptx % 10, version / 10, version % 10);
    return true;
}

// --- Places ------------------------------------------------------------------------------------

static int compare_unsigned(unsigned a, unsigned b) {
    return (a > b) - (a < b);
}

// By cluster, then by CTA.
static int compare_places(const void *left, const void *right) {
    const struct place *a = *(const struct place *const *)left;
    const struct place *b = *(const struct place *const *)right;
    int gpu = compare_unsigned(a->gpu, b->gpu), cluster = compare_unsigned(a->cluster, b->cluster);
    return gpu != 0 ? gpu : cluster != 0 ? cluster : compare_unsigned(a->cta, b->cta);
}

// The places that name a cluster, sorted; the caller frees the array.
static const struct place **cluster_places(const struct test *test, size_t *count) {
    const struct place **places = allocate(test->thread_count + 1, sizeof *places);
    *count = 0;
    for (size_t i = 0; i < test->thread_count; i++)
        if (!test->threads[i].place.host && test->threads[i].place.has_cluster)
            places[(*count)++] = &test->threads[i].place;
    qsort(places, *count, sizeof *places, compare_places);
    return places;
}

static void error_cluster(const struct ptx_target *target, const struct place *place, size_t ctas,
                          struct diagnostics *diagnostics) {
    diag_error(diagnostics, place->span, "cluster %u has %zu CTAs, and %s has %s", place->cluster,
               ctas, target->name, target->cluster_ctas > 1 ? "smaller clusters" : "no clusters");
    if (target->cluster_ctas > 1)
        diag_hint(diagnostics, "a cluster has at most %u CTAs there", target->cluster_ctas);
    else
        diag_hint(diagnostics, "clusters need sm_90 or later");
}

// A cluster of one CTA is what every CTA is in anyway.
static bool check_clusters(const struct test *test, const struct ptx_target *target,
                           struct diagnostics *diagnostics) {
    size_t count;
    const struct place **places = cluster_places(test, &count);
    bool good = true;
    for (size_t first = 0, last; first < count; first = last + 1) {
        size_t ctas = 1;
        for (last = first; last + 1 < count && test_same_cluster(places[first], places[last + 1]);
             last++)
            ctas += places[last]->cta != places[last + 1]->cta;
        if (ctas > target->cluster_ctas) {
            error_cluster(target, places[last], ctas, diagnostics);
            good = false;
        }
    }
    free(places);
    return good;
}

unsigned ptx_version_of(const struct test *test, unsigned other) {
    unsigned version = PTX_USUAL;
    for (size_t i = 0; i < test->need_count; i++)
        version = test->needs[i].ptx > version ? test->needs[i].ptx : version;
    return test->directives.version != 0 ? test->directives.version : other != 0 ? other : version;
}

bool ptx_check_needs(const struct test *test, const struct ptx_target *target, unsigned version,
                     struct diagnostics *diagnostics) {
    bool good = true;
    for (size_t i = 0; i < test->need_count; i++)
        good = check_need(&test->needs[i], target, version, diagnostics) && good;
    if (target)
        good = check_clusters(test, target, diagnostics) && good;
    return good;
}

void reader_need(struct reader *reader, struct need need) {
    struct test *test = reader->test;
    if (need.ptx <= PTX_OLDEST)
        need.ptx = 0;
    if (need.sm <= PTX_FIRST_SM)
        need.sm = 0;
    if (need.ptx == 0 && need.sm == 0)
        return;
    ARENA_APPEND(reader->arena, test->needs, test->need_count, need);
}
