// Each block reverses its part: with a barrier between, and without it.
__device__ void reverse(int *data, int n, bool waits) {
    __shared__ int tile[64];
    int i = threadIdx.x;
    if (i < n) tile[i] = data[blockIdx.x * 64 + i];
    if (waits) __syncthreads();
    if (i < n) data[blockIdx.x * 64 + i] = tile[n - 1 - i];
}

__global__ void reverse_late(int *data, int n) {
    reverse(data, n, true);
}

__global__ void reverse_early(int *data, int n) {
    reverse(data, n, false);
}
