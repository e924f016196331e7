// A channel between two ranks, as communication libraries have them: the sender waits for a free slot by the head counter,
// fills it and raises the tail; the receiver waits for the tail, empties the slot and raises the head. Each rank is a
// block of 128 threads, and one warp of it does the work. One slot, two items.

__device__ __forceinline__ int load_acquire(const int *p) {
    int value;
    asm volatile("ld.acquire.sys.global.s32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
    return value;
}

__device__ __forceinline__ void store_release(int *p, int value) {
    asm volatile("st.release.sys.global.s32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
}

extern "C" __global__ void channel(const int *in, int *slot, int *head, int *tail, int *out) {
    unsigned lane = threadIdx.x;
    if (lane >= 32)
        return;
    for (int i = 0; i < 2; i++)
        if (blockIdx.x == 0) {
            if (lane == 0)
                while (load_acquire(head) < i)
                    ;
            __syncwarp();
            slot[lane] = in[32 * i + lane];
            __syncwarp();
            if (lane == 0)
                store_release(tail, i + 1);
        } else {
            if (lane == 0)
                while (load_acquire(tail) <= i)
                    ;
            __syncwarp();
            out[32 * i + lane] = slot[lane];
            __syncwarp();
            if (lane == 0)
                store_release(head, i + 1);
        }
}
