// Two stages that each thread fills, of which it reads its neighbour's part (cuda::pipeline).
//   nvcc -std=c++17 -O3 -arch=sm_90 -ptx -o whole/stages.ptx stages.cu
#include <cuda/pipeline>

extern "C" __global__ void add(const int *in, int *out) {
    __shared__ int tile[2][2];
    auto pipeline = cuda::make_pipeline();
    int sum = 0;
    for (int stage = 0; stage < 2; stage++) {
        pipeline.producer_acquire();
        cuda::memcpy_async(&tile[stage][threadIdx.x], &in[2 * stage + threadIdx.x], cuda::aligned_size_t<4>(4), pipeline);
        pipeline.producer_commit();
    }
    for (int stage = 0; stage < 2; stage++) {
        pipeline.consumer_wait();
        __syncthreads();
        sum += tile[stage][threadIdx.x ^ 1];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}
