// CUB's scan of a device in one pass, for inspect.sh.
#include <cub/device/device_scan.cuh>

cudaError_t scan(void *space, size_t &bytes, const int *in, int *out, int count) {
    return cub::DeviceScan::InclusiveSum(space, bytes, in, out, count);
}
