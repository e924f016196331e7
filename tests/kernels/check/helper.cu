// Inline assembly in functions of its own: what races is at the lines that call them.
__device__ __forceinline__ void put(int *p, int v) {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");
}

__device__ __forceinline__ int get(int *p) {
    int v;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

__global__ void helper(int *data, int *out) {
    if (threadIdx.x == 0)
        put(data, 1);
    if (threadIdx.x == 32)
        out[blockIdx.x] = get(data);
}
