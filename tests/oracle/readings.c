// The readings: where each of them matters, and what it is in a version of the model.
#include "tests/oracle/readings.h"

#include <stddef.h>

static bool has_opcode(const struct test *test, enum opcode opcode) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            if (test->threads[t].instructions[i].opcode == opcode)
                return true;
    return false;
}

static bool always(const struct test *test, const struct explored *result) {
    (void)test;
    (void)result;
    return true;
}

static bool has_proxy_fence(const struct test *test, const struct explored *result) {
    (void)test;
    return result->has_proxy_fence;
}

// What waits show goes from completions to waits.
static bool has_mbarriers(const struct test *test, const struct explored *result) {
    (void)test;
    return result->has_mbarriers;
}

static bool has_async_accesses(const struct test *test, const struct explored *result) {
    (void)test;
    return result->has_async_accesses;
}

// Only what is done in another CTA than that of the issuer has another place.
static bool writes_elsewhere(const struct test *test, const struct explored *result) {
    (void)test;
    return result->writes_elsewhere;
}

static bool is_of_9_3(const struct test *test, const struct explored *result) {
    (void)result;
    return test->directives.version >= 93;
}

static bool waits_at_mbarrier(const struct test *test, const struct explored *result) {
    (void)test;
    return result->waits_at_mbarrier;
}

static bool waits_for_grids(const struct test *test, const struct explored *result) {
    (void)result;
    return has_opcode(test, OP_GRID_WAIT);
}

static bool has_multimem(const struct test *test, const struct explored *result) {
    (void)result;
    for (size_t v = 0; v < test->variable_count; v++)
        if (test->variables[v].is_multimem)
            return true;
    return false;
}

static bool shares_wide_accesses(const struct explored *result) {
    uint64_t threads = result->wide_threads;
    return result->wide_write && (threads & (threads - 1)) != 0;
}

const struct oracle_reading oracle_readings[ORACLE_READINGS] = {
    {"relaxed-waits", "nothing", "copies", "relaxed-wait-reading",
     offsetof(struct version, relaxed_waits_show), false, has_mbarriers, NULL},
    {"async-proxies", "cta", "one", "async-proxy-reading",
     offsetof(struct version, one_async_proxy), false, has_async_accesses, NULL},
    {"async-place", "issuer", "destination", "async-place-reading",
     offsetof(struct version, async_destination), false, writes_elsewhere, NULL},
    {"st-async", "relaxed", "release", "st-async-reading",
     offsetof(struct version, st_async_releases), false, is_of_9_3, NULL},
    {"proxy-fences", "local", "path", "proxy-reading",
     offsetof(struct version, proxy_fences_anywhere), true, has_proxy_fence, NULL},
    {"mbarrier-observation", "phase", "chain", "mbarrier-reading",
     offsetof(struct version, mbarrier_chains), false, waits_at_mbarrier, NULL},
    {"grid-waits", "generic", "proxies", "grid-wait-reading",
     offsetof(struct version, grid_waits_cross), false, waits_for_grids, NULL},
    {"multimem", "alias", "variable", "multimem-reading",
     offsetof(struct version, multimem_variables), false, has_multimem, NULL},
    {"tearing", "bytes", "none", "tearing-reading", offsetof(struct version, whole_accesses), false,
     always, shares_wide_accesses},
};

bool oracle_reading_other(const struct oracle_reading *reading, const struct version *version,
                          struct version *other) {
    *other = *version;
    *(bool *)((char *)other + reading->field) = true;
    return version->async_proxies || !reading->since_9_1;
}
