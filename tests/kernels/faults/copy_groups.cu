// Two stages are copied into shared memory; the wait for the first one lets the second one be under way, and so does
// the wait for the second one.
#include <cuda_pipeline.h>

#ifdef FIXED
#define UNDER_WAY 0
#else
#define UNDER_WAY 1
#endif

__global__ void copy_groups(const int *data, int *out) {
    __shared__ int stages[2][64];
    int i = threadIdx.x;
    for (int stage = 0; stage < 2; stage++) {
        __pipeline_memcpy_async(&stages[stage][i], &data[stage * 64 + i], sizeof(int));
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    int sum = stages[0][i];
    __pipeline_wait_prior(UNDER_WAY);
    out[blockIdx.x * 64 + i] = sum + stages[1][i];
}
