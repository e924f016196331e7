// Calls through addresses: of one of two functions, from a table, and of virtual functions.
__device__ __noinline__ unsigned one(unsigned *p) { return atomicAdd(p, 1); }
__device__ __noinline__ unsigned two(unsigned *p) { return atomicAdd(p, 2); }
typedef unsigned (*op)(unsigned *);
__device__ op table[2] = {one, two};
__global__ void pick(unsigned *count, unsigned *out, int which) {
    op f = which ? one : two;
    out[blockIdx.x] = f(count);
}
__global__ void tabled(unsigned *count, unsigned *out) {
    out[blockIdx.x] = table[blockIdx.x](count);
}
struct base { __device__ virtual unsigned go(unsigned *p) = 0; };
struct left : base { __device__ unsigned go(unsigned *p) override { return atomicAdd(p, 4); } };
struct right : base { __device__ unsigned go(unsigned *p) override { return atomicAdd(p, 8); } };
__global__ void dispatch(unsigned *count, unsigned *out) {
    left l; right r;
    base *b = blockIdx.x ? (base *)&l : (base *)&r;
    out[blockIdx.x] = b->go(count);
}
