// A GPU without a GPU: as much of CUDA's runtime as the harness uses, on one thread of the host.
// The threads of a launch are fibers, of which a random one goes on at each step, so that a run
// repeats with its seed. Barriers of CTAs hold them; where all of them wait, the launch never ends.
//
// EMULATED_SEED=N and EMULATED_MEMORY=sc|tso choose the order of steps, and whether stores may be
// delayed past loads that follow.
#ifndef EMULATED_CUDA_RUNTIME_H
#define EMULATED_CUDA_RUNTIME_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {
    }
};

extern dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace emulated {

constexpr unsigned multiprocessors = 6; // with one CTA each
constexpr size_t stack_bytes = 96 << 10;

struct store {
    uint64_t address, value;
    unsigned bytes;
};

// One thread of a launch.
struct fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    unsigned cta, thread;
    bool is_done = false;
    int waits_at = -1;          // a barrier of its CTA, or cluster_barrier
    unsigned cluster_phase = 0; // of the barrier of its cluster, when it arrived there
    std::deque<store> delayed;
};

struct barrier {
    unsigned arrived = 0, phase = 0;
};

// An mbarrier in shared memory: what its phase still waits for.
struct mbarrier {
    int64_t count = 0, pending = 0, bytes = 0;
    uint64_t phase = 0;
};

constexpr int cluster_barrier = 17; // as a number of a barrier, after those of a CTA
// Addresses of shared memory: each CTA has a window of its own.
constexpr uint64_t window_begin = 0x1000, window_bytes = 0x20000;

struct machine {
    uint64_t random = 1;
    bool delays = false; // stores
    bool hangs = false;  // a launch does not end
    bool faults = false; // an access was outside of all memory
    ucontext_t scheduler;
    std::vector<std::unique_ptr<fiber>> fibers;
    fiber *current = nullptr;
    std::map<std::pair<unsigned, unsigned>, barrier> barriers; // by CTA and number
    std::vector<std::vector<unsigned char>> shared;            // by CTA
    std::map<unsigned char *, mbarrier> mbarriers;
    unsigned cluster = 1;              // CTAs
    std::map<uint64_t, size_t> memory; // what cudaMalloc gave
    const void *function = nullptr;
    std::vector<char> argument;
    std::thread launch;            // runs beside the host
    std::atomic<bool> runs{false}; // it has not ended

    machine() {
        const char *seed = getenv("EMULATED_SEED"), *kind = getenv("EMULATED_MEMORY");
        random = seed ? strtoull(seed, nullptr, 10) * 2 + 1 : 1;
        delays = kind && strcmp(kind, "tso") == 0;
    }
    uint64_t draw(uint64_t count) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return random % count;
    }
};

inline machine &gpu() {
    static machine m;
    return m;
}

// Calls a kernel, and how long its argument is: emulated/nvcc adds them, where its type is known.
void call_kernel(const void *function, const void *argument);
extern const size_t argument_bytes;

// Lets another thread go on.
inline void step() {
    swapcontext(&gpu().current->context, &gpu().scheduler);
}

inline bool is_memory(uint64_t address, unsigned bytes) {
    for (const std::vector<unsigned char> &cta : gpu().shared) {
        const uint64_t begin = reinterpret_cast<uint64_t>(cta.data());
        if (address >= begin && address + bytes <= begin + cta.size())
            return true;
    }
    auto next = gpu().memory.upper_bound(address);
    return next != gpu().memory.begin() && (--next, address + bytes <= next->first + next->second);
}

inline void write_now(const store &s) {
    if (is_memory(s.address, s.bytes))
        memcpy(reinterpret_cast<void *>(s.address), &s.value, s.bytes);
    else
        gpu().faults = true;
}

inline void drain(fiber &f) {
    for (const store &s : f.delayed)
        write_now(s);
    f.delayed.clear();
}

// Arrives at a barrier, and waits until `count` threads have.
inline void come_to(unsigned number, unsigned count, bool waits) {
    fiber &f = *gpu().current;
    drain(f);
    barrier &b = gpu().barriers[{f.cta, number}];
    if (++b.arrived < count) {
        if (!waits)
            return;
        f.waits_at = static_cast<int>(number);
        step();
        return;
    }
    b.arrived = 0;
    for (const auto &other : gpu().fibers)
        if (other->cta == f.cta && other->waits_at == static_cast<int>(number))
            other->waits_at = -1;
}

// The barrier of the cluster: threads arrive there, and wait later.
inline void come_to_cluster(bool waits) {
    fiber &f = *gpu().current;
    const unsigned first = f.cta / gpu().cluster * gpu().cluster;
    drain(f);
    barrier &b = gpu().barriers[{first, cluster_barrier}];
    if (waits) {
        if (b.phase == f.cluster_phase) {
            f.waits_at = cluster_barrier;
            step();
        }
        return;
    }
    f.cluster_phase = b.phase;
    if (++b.arrived < gpu().cluster * blockDim.x)
        return;
    b.arrived = 0;
    b.phase++;
    for (const auto &other : gpu().fibers)
        if (other->cta / gpu().cluster * gpu().cluster == first &&
            other->waits_at == cluster_barrier)
            other->waits_at = -1;
}

// The memory at an address of a window.
inline unsigned char *shared_at(uint64_t address) {
    const uint64_t cta = (address - window_begin) / window_bytes;
    if (address < window_begin || cta >= gpu().shared.size()) {
        gpu().faults = true;
        return gpu().shared[0].data();
    }
    return gpu().shared[cta].data() + (address - window_begin) % window_bytes;
}

inline unsigned char *shared_base() {
    return gpu().shared[gpu().current->cta].data();
}

inline void run_fiber() {
    call_kernel(gpu().function, gpu().argument.data());
    while (!gpu().current->delayed.empty() && gpu().draw(8) != 0)
        step(); // a store may be delayed past the last instruction of its thread, too
    drain(*gpu().current);
    gpu().current->is_done = true;
    step();
}

inline void run_grid(unsigned ctas, unsigned threads, size_t shared_bytes) {
    machine &m = gpu();
    m.fibers.clear();
    m.barriers.clear();
    m.mbarriers.clear();
    m.shared.assign(ctas, std::vector<unsigned char>(shared_bytes + 128));
    for (unsigned i = 0; i < ctas * threads; i++) {
        auto f = std::make_unique<fiber>();
        f->cta = i / threads;
        f->thread = i % threads;
        f->stack.reset(new char[stack_bytes]);
        getcontext(&f->context);
        f->context.uc_stack.ss_sp = f->stack.get();
        f->context.uc_stack.ss_size = stack_bytes;
        f->context.uc_link = &m.scheduler;
        makecontext(&f->context, run_fiber, 0);
        m.fibers.push_back(std::move(f));
    }
    blockDim = dim3(threads);
    gridDim = dim3(ctas);
    std::vector<fiber *> ready;
    for (;;) {
        ready.clear();
        bool is_over = true;
        for (const auto &f : m.fibers) {
            is_over = is_over && f->is_done;
            if (!f->is_done && f->waits_at < 0)
                ready.push_back(f.get());
        }
        if (ready.empty()) {
            m.hangs = !is_over;
            return;
        }
        // every thread that can goes on once, in a random order
        for (size_t i = ready.size(); i > 0; i--) {
            std::swap(ready[i - 1], ready[m.draw(i)]);
            fiber *next = ready[i - 1];
            if (m.draw(4) == 0 || next->is_done || next->waits_at >= 0)
                continue;
            if (!next->delayed.empty() && m.draw(8) == 0) {
                write_now(next->delayed.front());
                next->delayed.pop_front();
            }
            m.current = next;
            threadIdx = dim3(next->thread, 0, 0);
            blockIdx = dim3(next->cta, 0, 0);
            swapcontext(&m.scheduler, &next->context);
        }
    }
}

} // namespace emulated

inline void __syncwarp() {
}

inline void __syncthreads() {
    emulated::come_to(0, blockDim.x, true);
}

inline uint32_t atomicAdd_system(uint32_t *at, uint32_t value) {
    emulated::step();
    return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
}

template <typename T> T atomicAdd(T *at, T value) {
    emulated::step();
    const T old = *at;
    *at += value;
    return old;
}

inline unsigned long long atomicCAS(unsigned long long *at, unsigned long long expected,
                                    unsigned long long value) {
    const unsigned long long old = *at;
    *at = old == expected ? value : old;
    return old;
}

inline size_t __cvta_generic_to_shared(const void *p) {
    const emulated::machine &m = emulated::gpu();
    const unsigned cta = m.current->cta;
    const size_t offset = static_cast<const unsigned char *>(p) - m.shared[cta].data();
    return emulated::window_begin + cta * emulated::window_bytes + offset;
}

// --- The runtime -------------------------------------------------------------------------------

enum cudaError_t {
    cudaSuccess,
    cudaErrorNotReady,
    cudaErrorIllegalAddress,
    cudaErrorMemoryAllocation
};
enum cudaMemcpyKind { cudaMemcpyDefault };
enum { cudaHostAllocMapped, cudaHostAllocPortable };
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount };
enum cudaLaunchAttributeID { cudaLaunchAttributeClusterDimension };
using cudaEvent_t = int;
using cudaStream_t = int;
struct cudaDeviceProp {
    char name[256];
    int major, minor;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    struct {
        struct {
            unsigned x, y, z;
        } clusterDim;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes = 0;
    cudaStream_t stream = 0;
    cudaLaunchAttribute *attrs = nullptr;
    unsigned numAttrs = 0;
};

inline const char *cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorIllegalAddress ? "an illegal memory access was encountered" : "error";
}
// Comes to the end of the launch, or to where all of its threads wait for ever.
inline void end_launch() {
    if (emulated::gpu().launch.joinable())
        emulated::gpu().launch.join();
}
// Waits until all launches are over.
inline void finish() {
    end_launch();
    if (emulated::gpu().hangs) {
        fprintf(stderr, "the program waits for a launch that does not end\n");
        abort();
    }
}
inline cudaError_t state_of_gpu() {
    if (emulated::gpu().runs)
        return cudaErrorNotReady;
    return emulated::gpu().faults  ? cudaErrorIllegalAddress
           : emulated::gpu().hangs ? cudaErrorNotReady
                                   : cudaSuccess;
}
inline cudaError_t cudaMalloc(void **memory, size_t bytes) {
    *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (*memory)
        emulated::gpu().memory[reinterpret_cast<uint64_t>(*memory)] = bytes;
    return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned) {
    return cudaMalloc(memory, bytes);
}
inline cudaError_t cudaFree(void *memory) {
    finish();
    emulated::gpu().memory.erase(reinterpret_cast<uint64_t>(memory));
    free(memory);
    return cudaSuccess;
}
inline cudaError_t cudaFreeHost(void *memory) {
    return cudaFree(memory);
}
inline cudaError_t cudaMemset(void *memory, int value, size_t bytes) {
    finish();
    memset(memory, value, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
    finish();
    memcpy(to, from, bytes);
    return state_of_gpu();
}
inline cudaError_t cudaEventCreate(cudaEvent_t *) {
    return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t) {
    return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t, void *) {
    return cudaSuccess;
}
inline cudaError_t cudaEventQuery(cudaEvent_t) {
    return state_of_gpu();
}
inline cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int) {
    *value = emulated::multiprocessors;
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int) {
    strcpy(properties->name, "Emulated GPU");
    properties->major = 9;
    properties->minor = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int *version) {
    *version = 13000;
    return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int *version) {
    *version = 13000;
    return cudaSuccess;
}
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *count, const void *, int,
                                                                 size_t) {
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t cudaOccupancyMaxActiveClusters(int *count, const void *,
                                                  const cudaLaunchConfig_t *config) {
    *count = static_cast<int>(emulated::multiprocessors / config->attrs->val.clusterDim.x);
    return cudaSuccess;
}
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                       void **arguments) {
    emulated::machine &m = emulated::gpu();
    end_launch();
    if (m.hangs)
        return cudaSuccess; // it comes after what hangs
    const char *argument = static_cast<const char *>(arguments[0]);
    const unsigned ctas = config->gridDim.x, threads = config->blockDim.x;
    const size_t shared_bytes = config->dynamicSmemBytes;
    m.function = function;
    m.cluster = config->numAttrs > 0 ? config->attrs->val.clusterDim.x : 1;
    m.argument.assign(argument, argument + emulated::argument_bytes);
    m.runs = true;
    m.launch = std::thread([ctas, threads, shared_bytes] {
        emulated::run_grid(ctas, threads, shared_bytes);
        emulated::gpu().runs = false;
    });
    return cudaSuccess;
}

#include "ptx.h"

#endif
