// The second kernel of a stream starts before the first one is complete, and does not wait for what it has done.
// PTXLITMUS global data[64]
// PTXLITMUS global out[64]
// PTXLITMUS kernel produce grid 1 block 64
// PTXLITMUS arg 0 = &data
// PTXLITMUS then kernel consume grid 1 block 64 programmatic
// PTXLITMUS arg 0 = &data
// PTXLITMUS arg 1 = &out
__global__ void produce(int *data) {
    data[threadIdx.x] = 1;
    cudaTriggerProgrammaticLaunchCompletion();
}

__global__ void consume(const int *data, int *out) {
#ifdef FIXED
    cudaGridDependencySynchronize();
#endif
    out[threadIdx.x] = data[threadIdx.x];
}
