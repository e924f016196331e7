// Each block reverses its part of an array, without a barrier between. One element has no other to wait for, nor has
// the middle one of three: the blocks race from two elements on.
__global__ void block_barrier(int *data, int n) {
    __shared__ int tile[64];
    int i = threadIdx.x;
    if (i < n) tile[i] = data[blockIdx.x * 64 + i];
#ifdef FIXED
    __syncthreads();
#endif
    if (i < n) data[blockIdx.x * 64 + i] = tile[n - 1 - i];
}
