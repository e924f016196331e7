// Launches the kernel k of a module in PTX once, with two blocks of global memory as its arguments, and says whether it ends.
//
// usage: gpu_run FILE.ptx THREADS [SECONDS]
//
// Prints "ends" and what it left in its second argument, or "hangs". Status 2 where the launch does not come about.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

static void check(CUresult result, const char *what) {
    const char *words = "";
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorString(result, &words);
    std::printf("error: %s: %s\n", what, words);
    std::exit(2);
}

int main(int argc, char **argv) {
    enum { WORDS = 128 };
    if (argc < 3) {
        std::fprintf(stderr, "usage: gpu_run FILE.ptx THREADS [SECONDS]\n");
        return 2;
    }
    std::ifstream file(argv[1]);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr memory[2];
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuModuleLoadData(&module, text.c_str()), "cuModuleLoadData");
    check(cuModuleGetFunction(&kernel, module, "k"), "cuModuleGetFunction");
    for (CUdeviceptr &m : memory) {
        check(cuMemAlloc(&m, WORDS * sizeof(unsigned)), "cuMemAlloc");
        check(cuMemsetD32(m, 0, WORDS), "cuMemsetD32");
    }
    void *arguments[] = {&memory[0], &memory[1]};
    check(cuLaunchKernel(kernel, 1, 1, 1, std::atoi(argv[2]), 1, 1, 0, nullptr, arguments, nullptr),
          "cuLaunchKernel");
    auto begin = std::chrono::steady_clock::now();
    auto limit = std::chrono::seconds(argc > 3 ? std::atoi(argv[3]) : 5);
    CUresult result;
    while ((result = cuStreamQuery(nullptr)) == CUDA_ERROR_NOT_READY) {
        if (std::chrono::steady_clock::now() - begin > limit) {
            std::printf("hangs\n");
            std::fflush(stdout);
            _exit(0);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    check(result, "the kernel");
    std::vector<unsigned> words(WORDS);
    check(cuMemcpyDtoH(words.data(), memory[1], WORDS * sizeof(unsigned)), "cuMemcpyDtoH");
    std::printf("ends");
    for (unsigned i = 0; i < 4; i++)
        std::printf(" %u", words[i]);
    std::printf("\n");
    return 0;
}
