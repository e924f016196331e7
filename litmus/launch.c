// Which threads are together in CTAs, clusters and GPUs.
#include "litmus/launch.h"

#include <assert.h>

bool test_same_gpu(const struct place *a, const struct place *b) {
    if (a->host || b->host)
        return a == b;
    return a->gpu == b->gpu;
}

bool test_same_cluster(const struct place *a, const struct place *b) {
    if (!test_same_gpu(a, b))
        return false;
    if (a->host)
        return true;
    if (a->has_cluster != b->has_cluster || a->grid != b->grid)
        return false;
    return a->has_cluster ? a->cluster == b->cluster : a->cta == b->cta;
}

bool test_same_cta(const struct place *a, const struct place *b) {
    return test_same_cluster(a, b) && (a->host || a->cta == b->cta);
}

bool test_scope_contains(enum scope scope, const struct place *a, const struct place *b) {
    assert((unsigned)scope <= SCOPE_SYS);
    switch (scope) {
    case SCOPE_CTA: return test_same_cta(a, b);
    case SCOPE_CLUSTER: return test_same_cluster(a, b);
    case SCOPE_GPU: return test_same_gpu(a, b);
    case SCOPE_SYS: return true;
    default: return false; // a weak access
    }
}
