// The patterns of concurrent code in CUDA C++, with libcu++'s atomics, at each scope: 0 is the system, 1 the GPU, 2 the
// block. A thread is `me`, the number of it in the launch, so that a kernel can be launched as one block or as several.
#include <cuda/atomic>

using cuda::memory_order_acquire;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;
using cuda::memory_order_seq_cst;

template <int S>
using word = cuda::atomic_ref<unsigned, (cuda::thread_scope)S>;

__device__ __forceinline__ unsigned me() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <int S>
__device__ __forceinline__ void fence(cuda::memory_order order) {
    cuda::atomic_thread_fence(order, (cuda::thread_scope)S);
}

// CUDA's own fences.
template <int S>
__device__ __forceinline__ void threadfence() {
    if (S == 2)
        __threadfence_block();
    else if (S == 1)
        __threadfence();
    else
        __threadfence_system();
}

// CUDA's own atomic addition, which is relaxed.
template <int S>
__device__ __forceinline__ unsigned add(unsigned *counter) {
    return S == 2 ? atomicAdd_block(counter, 1) : S == 1 ? atomicAdd(counter, 1) : atomicAdd_system(counter, 1);
}

// --- Litmus tests --------------------------------------------------------------------------------

template <int S>
__global__ void message(unsigned *x, unsigned *y, unsigned *out) {
    if (me() == 0) {
        *x = 1;
        word<S>(*y).store(1, memory_order_release);
    } else {
        out[0] = word<S>(*y).load(memory_order_acquire);
        out[1] = *x;
    }
}

template <int S>
__global__ void message_relaxed(unsigned *x, unsigned *y, unsigned *out) {
    if (me() == 0) {
        *x = 1;
        word<S>(*y).store(1, memory_order_relaxed);
    } else {
        out[0] = word<S>(*y).load(memory_order_relaxed);
        out[1] = *x;
    }
}

template <int S>
__global__ void message_fences(unsigned *x, unsigned *y, unsigned *out) {
    if (me() == 0) {
        *x = 1;
        threadfence<S>();
        *(volatile unsigned *)y = 1;
    } else {
        out[0] = *(volatile unsigned *)y;
        threadfence<S>();
        out[1] = *x;
    }
}

template <int S>
__global__ void message_waits(unsigned *x, unsigned *y, unsigned *out) {
    if (me() == 0) {
        *x = 1;
        word<S> flag(*y);
        flag.store(1, memory_order_release);
        flag.notify_one();
    } else {
        word<S>(*y).wait(0, memory_order_acquire);
        out[1] = *x;
    }
}

template <int S>
__global__ void store_buffer(unsigned *x, unsigned *y, unsigned *out) {
    word<S> mine(me() == 0 ? *x : *y), theirs(me() == 0 ? *y : *x);
    mine.store(1, memory_order_relaxed);
    fence<S>(memory_order_seq_cst);
    out[me()] = theirs.load(memory_order_relaxed);
}

template <int S>
__global__ void store_buffer_weaker(unsigned *x, unsigned *y, unsigned *out) {
    word<S> mine(me() == 0 ? *x : *y), theirs(me() == 0 ? *y : *x);
    mine.store(1, memory_order_release);
    out[me()] = theirs.load(memory_order_acquire);
}

template <int S>
__global__ void load_buffer(unsigned *x, unsigned *y, unsigned *out) {
    word<S> mine(me() == 0 ? *x : *y), theirs(me() == 0 ? *y : *x);
    out[me()] = theirs.load(memory_order_acquire);
    mine.store(1, memory_order_release);
}

template <int S>
__global__ void load_buffer_weaker(unsigned *x, unsigned *y, unsigned *out) {
    word<S> mine(me() == 0 ? *x : *y), theirs(me() == 0 ? *y : *x);
    out[me()] = theirs.load(memory_order_relaxed);
    mine.store(1, memory_order_relaxed);
}

template <int S>
__global__ void readers(unsigned *x, unsigned *y, unsigned *out) {
    unsigned t = me();
    if (t < 2) {
        word<S>(t == 0 ? *x : *y).store(1, memory_order_relaxed);
    } else {
        out[2 * t] = word<S>(t == 2 ? *x : *y).load(memory_order_relaxed);
        fence<S>(memory_order_seq_cst);
        out[2 * t + 1] = word<S>(t == 2 ? *y : *x).load(memory_order_relaxed);
    }
}

template <int S>
__global__ void readers_weaker(unsigned *x, unsigned *y, unsigned *out) {
    unsigned t = me();
    if (t < 2) {
        word<S>(t == 0 ? *x : *y).store(1, memory_order_relaxed);
    } else {
        out[2 * t] = word<S>(t == 2 ? *x : *y).load(memory_order_acquire);
        out[2 * t + 1] = word<S>(t == 2 ? *y : *x).load(memory_order_acquire);
    }
}

// --- Locks ---------------------------------------------------------------------------------------

template <int S>
__global__ void spin_lock(unsigned *x, unsigned *y, unsigned *out) {
    word<S> lock(*y);
    unsigned open = 0;
    while (!lock.compare_exchange_strong(open, 1, memory_order_acquire, memory_order_relaxed))
        open = 0;
    *x += 1;
    lock.store(0, memory_order_release);
}

template <int S>
__global__ void exchange_lock(unsigned *x, unsigned *y, unsigned *out) {
    word<S> lock(*y);
    while (lock.exchange(1, memory_order_acquire) != 0)
        ;
    *x += 1;
    lock.store(0, memory_order_release);
}

template <int S>
__global__ void exchange_lock_weaker(unsigned *x, unsigned *y, unsigned *out) {
    word<S> lock(*y);
    while (lock.exchange(1, memory_order_acquire) != 0)
        ;
    *x += 1;
    lock.store(0, memory_order_relaxed);
}

// y[0] is the next number, y[1] the one that is served.
template <int S>
__global__ void ticket_lock(unsigned *x, unsigned *y, unsigned *out) {
    unsigned mine = add<S>(&y[0]);
    while (word<S>(y[1]).load(memory_order_acquire) != mine)
        ;
    *x += 1;
    word<S>(y[1]).store(mine + 1, memory_order_release);
}

// --- Data structures -----------------------------------------------------------------------------

// y is odd while x[0] and x[1] are written.
template <int S>
__global__ void sequence_lock(unsigned *x, unsigned *y, unsigned *out) {
    word<S> sequence(*y), first(x[0]), second(x[1]);
    if (me() == 0) {
        sequence.store(1, memory_order_relaxed);
        fence<S>(memory_order_release);
        first.store(1, memory_order_relaxed);
        second.store(1, memory_order_relaxed);
        sequence.store(2, memory_order_release);
    } else {
        unsigned before = sequence.load(memory_order_acquire);
        unsigned a = first.load(memory_order_relaxed), b = second.load(memory_order_relaxed);
        fence<S>(memory_order_acquire);
        if (before % 2 == 0 && sequence.load(memory_order_relaxed) == before) {
            out[0] = a;
            out[1] = b;
        }
    }
}

template <int S>
__global__ void sequence_lock_weaker(unsigned *x, unsigned *y, unsigned *out) {
    word<S> sequence(*y), first(x[0]), second(x[1]);
    if (me() == 0) {
        sequence.store(1, memory_order_relaxed);
        first.store(1, memory_order_relaxed);
        second.store(1, memory_order_relaxed);
        sequence.store(2, memory_order_release);
    } else {
        unsigned before = sequence.load(memory_order_acquire);
        unsigned a = first.load(memory_order_relaxed), b = second.load(memory_order_relaxed);
        fence<S>(memory_order_acquire);
        if (before % 2 == 0 && sequence.load(memory_order_relaxed) == before) {
            out[0] = a;
            out[1] = b;
        }
    }
}

// The last one to come adds what all have stored.
template <int S>
__global__ void last_adds(unsigned *x, unsigned *y, unsigned *out) {
    x[me()] = me() + 1;
    threadfence<S>();
    unsigned before = add<S>(y);
    threadfence<S>();
    if (before == 1)
        out[0] = x[0] + x[1];
}

// A thread puts two items into a queue, of which y[0] are there and y[1] taken; the others take one each.
template <int S>
__global__ void work_queue(unsigned *x, unsigned *y, unsigned *out) {
    if (me() == 0) {
        x[0] = 1;
        x[1] = 2;
        word<S>(y[0]).store(2, memory_order_release);
    } else {
        unsigned mine = add<S>(&y[1]);
        while (word<S>(y[0]).load(memory_order_acquire) <= mine)
            ;
        out[me()] = x[mine];
    }
}

// Node n (from 1) has its value in x[2 * n] and the number of the next one in x[2 * n + 1]; y is the first.
template <int S>
__global__ void treiber_stack(unsigned *x, unsigned *y, unsigned *out) {
    word<S> top(*y);
    unsigned node = me() + 1;
    if (me() < 2) {
        x[2 * node] = node;
        unsigned next = top.load(memory_order_relaxed);
        do
            x[2 * node + 1] = next;
        while (!top.compare_exchange_weak(next, node, memory_order_release, memory_order_relaxed));
    } else {
        unsigned first = top.load(memory_order_acquire);
        if (first != 0 && top.compare_exchange_strong(first, x[2 * first + 1], memory_order_acquire))
            out[0] = x[2 * first];
    }
}

// y[0] is the number of the object in use (0 or 1), y[1] what the reader protects (from 1). Object 0 is replaced by 1,
// and overwritten if nobody protects it.
template <int S>
__global__ void hazard_pointer(unsigned *x, unsigned *y, unsigned *out) {
    word<S> current(y[0]), hazard(y[1]);
    if (me() == 0) {
        unsigned seen = current.load(memory_order_acquire);
        hazard.store(seen + 1, memory_order_relaxed);
        fence<S>(memory_order_seq_cst);
        if (current.load(memory_order_relaxed) == seen)
            out[0] = word<S>(x[seen]).load(memory_order_relaxed);
        hazard.store(0, memory_order_release);
    } else {
        x[1] = 5;
        current.store(1, memory_order_release);
        fence<S>(memory_order_seq_cst);
        if (hazard.load(memory_order_acquire) != 1)
            word<S>(x[0]).store(99, memory_order_relaxed);
    }
}

template <int S>
__global__ void hazard_pointer_weaker(unsigned *x, unsigned *y, unsigned *out) {
    word<S> current(y[0]), hazard(y[1]);
    if (me() == 0) {
        unsigned seen = current.load(memory_order_acquire);
        hazard.store(seen + 1, memory_order_release);
        if (current.load(memory_order_acquire) == seen)
            out[0] = word<S>(x[seen]).load(memory_order_relaxed);
        hazard.store(0, memory_order_release);
    } else {
        x[1] = 5;
        current.store(1, memory_order_release);
        if (hazard.load(memory_order_acquire) != 1)
            word<S>(x[0]).store(99, memory_order_relaxed);
    }
}

// x is initialised by the first that comes: y[0] says that it is, y[1] is a lock.
template <int S>
__global__ void double_checked(unsigned *x, unsigned *y, unsigned *out) {
    word<S> ready(y[0]), lock(y[1]);
    if (ready.load(memory_order_acquire) == 0) {
        while (lock.exchange(1, memory_order_acquire) != 0)
            ;
        if (ready.load(memory_order_relaxed) == 0) {
            *x = 1;
            ready.store(1, memory_order_release);
        }
        lock.store(0, memory_order_release);
    }
    out[me()] = *x;
}

template <int S>
__global__ void double_checked_weaker(unsigned *x, unsigned *y, unsigned *out) {
    word<S> ready(y[0]), lock(y[1]);
    if (ready.load(memory_order_relaxed) == 0) {
        while (lock.exchange(1, memory_order_acquire) != 0)
            ;
        if (ready.load(memory_order_relaxed) == 0) {
            *x = 1;
            ready.store(1, memory_order_release);
        }
        lock.store(0, memory_order_release);
    }
    out[me()] = *x;
}

// --- Barriers ------------------------------------------------------------------------------------

template <int S>
__global__ void counting_barrier(unsigned *x, unsigned *y, unsigned *out) {
    x[me()] = 1;
    threadfence<S>();
    add<S>(y);
    while (word<S>(*y).load(memory_order_acquire) != 2)
        ;
    out[me()] = x[1 - me()];
}

// y[0] counts, y[1] is the sense.
template <int S>
__global__ void sense_barrier(unsigned *x, unsigned *y, unsigned *out) {
    x[me()] = 1;
    unsigned sense = word<S>(y[1]).load(memory_order_relaxed);
    threadfence<S>();
    if (add<S>(&y[0]) == 1) {
        threadfence<S>();
        word<S>(y[0]).store(0, memory_order_relaxed);
        word<S>(y[1]).store(1 - sense, memory_order_release);
    } else {
        while (word<S>(y[1]).load(memory_order_acquire) == sense)
            ;
    }
    out[me()] = x[1 - me()];
}

#define AT(kernel, scope) template __global__ void kernel<scope>(unsigned *, unsigned *, unsigned *);
#define EACH(kernel) AT(kernel, 0) AT(kernel, 1) AT(kernel, 2)

EACH(message)
EACH(message_relaxed)
EACH(message_fences)
EACH(message_waits)
EACH(store_buffer)
EACH(store_buffer_weaker)
EACH(load_buffer)
EACH(load_buffer_weaker)
EACH(readers)
EACH(readers_weaker)
EACH(spin_lock)
EACH(exchange_lock)
EACH(exchange_lock_weaker)
EACH(ticket_lock)
EACH(sequence_lock)
EACH(sequence_lock_weaker)
EACH(last_adds)
EACH(work_queue)
EACH(treiber_stack)
EACH(hazard_pointer)
EACH(hazard_pointer_weaker)
EACH(double_checked)
EACH(double_checked_weaker)
EACH(counting_barrier)
EACH(sense_barrier)
