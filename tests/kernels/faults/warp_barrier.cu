// A warp adds its numbers in shared memory, as if its lanes ran in lockstep.
__global__ void __launch_bounds__(32) warp_barrier(const int *numbers, int *sums) {
    __shared__ int part[32];
    int lane = threadIdx.x;
    part[lane] = numbers[blockIdx.x * 32 + lane];
    __syncwarp();
    for (int step = 16; step > 0; step /= 2) {
        if (lane < step) part[lane] += part[lane + step];
#ifdef FIXED
        __syncwarp();
#endif
    }
    if (lane == 0) sums[blockIdx.x] = part[0];
}
