// What runs on the GPU beside the bodies of tests: who plays which thread of which instance, where
// the memory of an instance is, the meeting before a test, and the stress around it.
//
// Many instances of a test run at once. A CTA of the test has `slots` threads for each of its
// threads; those of one warp play the same thread of the test, in different instances. CTAs are dealt
// to the CTAs of instances anew in each iteration, and memory to instances, too.
#ifndef PTXLITMUS_LAUNCH_CUH
#define PTXLITMUS_LAUNCH_CUH

#include <cstdint>
#include <cuda_runtime.h>

namespace litmus {

constexpr unsigned warp_size = 32;
constexpr unsigned states_max = 512; // different states of one test
constexpr unsigned columns_max = 16; // values that a state shows
constexpr unsigned spaces = 8;       // variables in global memory, at most
constexpr unsigned copy_polls = 32;  // of memory, after which every copy has ended

// Numbers 0 to `count` - 1 in another order: n is at n * factor + shift.
struct order {
    uint32_t factor, shift; // the factor has no divisor in common with `count`
};

__host__ __device__ inline uint32_t place_of(order o, uint32_t n, uint32_t count) {
    return static_cast<uint32_t>((static_cast<uint64_t>(n) * o.factor + o.shift) % count);
}

// One value of a state.
enum column_kind { column_register, column_global, column_shared };
struct column {
    column_kind kind;
    unsigned variable;   // of a column_global, its number
    unsigned unit, rank; // of a column_shared, its CTA
    unsigned offset;     // in bytes: in the variable, or in the shared memory of an instance
    unsigned bytes;
};

// Shared memory of a CTA that is written before a test begins.
struct shared_word {
    unsigned unit, rank, offset;
    bool is_mbarrier; // `value` is its count of arrivals
    uint32_t value;   // else: four bytes
};

// The shape of a test: it has `units` clusters of `cluster` CTAs of at most `parts` threads.
struct shape {
    unsigned units, cluster, parts, slots;
    bool copies; // has asynchronous operations
    unsigned variables;             // in global memory
    unsigned size[spaces];          // of each, in bytes, a multiple of 4
    unsigned image[spaces];         // where its initial value is among all, in words
    unsigned alignment;             // of all of them, in bytes
    unsigned shared_bytes;          // of an instance, in a CTA; a multiple of 16
    unsigned columns, shared_words; // how many there are
    column column_at[columns_max];
};

// States and how often each was seen: a hash table.
struct table {
    unsigned long long key[states_max]; // 0: free
    unsigned long long count[states_max];
    unsigned long long value[states_max][columns_max];
    unsigned long long ran_out; // instances of which a thread gave up waiting
    unsigned long long lost;    // states for which there was no room
};

// What a kernel is launched with.
struct launch {
    shape form;
    uint32_t units;     // clusters in this launch,
    uint32_t testing;   // of which so many test: a multiple of form.units; the others stress
    uint32_t instances; // testing / form.units * form.slots
    order unit_order, slot_order, cell_order[spaces];
    uint32_t stride;       // from one cell to the next, in bytes
    bool is_together;      // the variables of an instance are neighbours
    uint32_t polls;        // at the meeting, at most; 0: there is no meeting
    bool preloads;         // reads its memory before
    uint32_t early_stress; // rounds of stress before a test
    uint32_t stress;       // rounds of the CTAs that stress
    uint32_t pattern;      // of stress: bits 0 and 1: read or write first, then
    uint32_t lines;        // that stress touches
    uint32_t limit;        // rounds of waiting
    unsigned char *memory; // of all instances
    unsigned long long *results; // by instance, then column
    uint32_t *ran_out;           // by instance
    volatile uint32_t *arrived;
    volatile uint32_t *scratch;
    const uint32_t *initial; // words of all variables
    const shared_word *shared_initial;
    table *seen;
    // Where threads of the host take part: the batch of instances that they are at, of warp_size each,
    // and how often the GPU looks for it.
    volatile uint32_t *turn;
    uint32_t turn_polls;
};

// What a thread plays. `unit` is form.units in a CTA that stresses.
struct seat {
    uint32_t unit, rank, part;
    uint32_t slot;     // the instance's number in its CTAs
    uint32_t instance; // in the launch
};

__device__ inline seat find_seat(const launch &l) {
    const shape &f = l.form;
    const uint32_t warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
    const uint32_t at = place_of(l.unit_order, blockIdx.x / f.cluster, l.units);
    seat s;
    s.unit = at < l.testing ? at % f.units : f.units;
    s.rank = blockIdx.x % f.cluster;
    s.part = warp % f.parts;
    const uint32_t first = place_of(l.slot_order, warp / f.parts * warp_size + lane, f.slots);
    s.slot = (first + s.unit * warp_size) % f.slots; // other instances in the same warp elsewhere
    s.instance = at / f.units * f.slots + s.slot;
    return s;
}

// The address of a variable in global memory.
__host__ __device__ inline unsigned char *global(const launch &l, uint32_t instance, unsigned variable) {
    const uint64_t cell = place_of(l.cell_order[l.is_together ? 0 : variable], instance, l.instances);
    const uint64_t index = l.is_together
                               ? cell * l.form.variables + variable
                               : static_cast<uint64_t>(variable) * l.instances + cell;
    return l.memory + index * l.stride;
}

__device__ inline unsigned char *shared_memory() {
    extern __shared__ __align__(128) unsigned char all_of_it[];
    return all_of_it;
}

// The address of a variable of an instance in the CTA's shared memory, in its state space.
__device__ inline uint64_t shared(const launch &l, const seat &s, unsigned offset) {
    return __cvta_generic_to_shared(shared_memory() + s.slot * l.form.shared_bytes + offset);
}

__device__ inline void meet_in_cluster(const launch &l) {
    __syncwarp(); // loops may have ended at different times
    if (l.form.cluster == 1) {
        // not barrier 0, at which a test may have arrived without waiting
        asm volatile("barrier.sync 15, %0;" ::"r"(blockDim.x) : "memory");
        return;
    }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
#endif
}

__device__ inline void write_shared(const launch &l, const seat &s) {
    for (unsigned i = 0; i < l.form.shared_words; i++) {
        const shared_word word = l.shared_initial[i];
        if (word.unit != s.unit || word.rank != s.rank) {
            continue;
        }
        const uint64_t address = shared(l, s, word.offset);
        if (word.is_mbarrier) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"l"(address), "r"(word.value)
                         : "memory");
#endif
        } else {
            asm volatile("st.shared.u32 [%0], %1;" ::"l"(address), "r"(word.value) : "memory");
        }
    }
}

// Rounds of loads and stores in lines that all CTAs share.
__device__ inline void disturb(const launch &l, uint32_t rounds) {
    constexpr uint32_t words_of_line = 32;
    for (uint32_t i = 0; i < rounds; i++) {
        const uint32_t line = (blockIdx.x + i) % l.lines;
        volatile uint32_t *word = l.scratch + line * words_of_line + threadIdx.x % words_of_line;
        if (l.pattern & 1) {
            *word = i;
        } else if (*word == UINT32_MAX) {
            return;
        }
        if (l.pattern & 2) {
            *word = i + 1;
        } else if (*word == UINT32_MAX) {
            return;
        }
    }
}

__device__ inline void preload(const launch &l, const seat &s) {
    for (unsigned v = 0; v < l.form.variables; v++) {
        asm volatile("{ .reg .b32 %%value; ld.weak.global.u32 %%value, [%0]; }" ::"l"(
            global(l, s.instance, v)));
    }
}

// The host goes through the instances in batches, each of a warp; it begins when all warps are there.
__device__ inline void meet_host(const launch &l, const seat &s) {
    if (threadIdx.x % warp_size == 0) {
        atomicAdd_system(const_cast<uint32_t *>(l.arrived), 1u);
    }
    const uint32_t batch = s.instance / warp_size;
    for (uint32_t i = 0; i < l.turn_polls && *l.turn <= batch; i++) {
    }
}

// Waits for the other warps that test, with relaxed accesses and for so many polls at most: it must
// not order anything.
__device__ inline void meet(const launch &l, const seat &s) {
    if (l.turn != nullptr) {
        meet_host(l, s);
        return;
    }
    if (l.polls == 0) {
        return;
    }
    const uint32_t all = l.testing * l.form.cluster * (blockDim.x / warp_size);
    if (threadIdx.x % warp_size == 0) {
        atomicAdd(const_cast<uint32_t *>(l.arrived), 1u);
    }
    for (uint32_t i = 0; i < l.polls && *l.arrived < all; i++) {
    }
}

// Before a test. Returns what the thread plays.
__device__ inline seat enter(const launch &l) {
    const seat s = find_seat(l);
    if (s.unit == l.form.units) {
        disturb(l, l.stress);
        return s;
    }
    if (s.part == 0) {
        write_shared(l, s);
    }
    // Shared memory is there when its CTA has begun, and what was written is there for all proxies.
    if (l.form.shared_words > 0 || (l.form.cluster > 1 && l.form.shared_bytes > 0)) {
#if !defined(__CUDA_ARCH__) || (__CUDA_ARCH__ >= 900 && PTXLITMUS_PTX >= 80)
        if (l.form.cluster > 1) {
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }
        if (l.form.copies) {
            asm volatile("fence.proxy.async;" ::: "memory");
        }
#endif
        meet_in_cluster(l);
    }
    if (l.preloads) {
        preload(l, s);
    }
    disturb(l, l.early_stress);
    meet(l, s);
    return s;
}

// The value of a register at the end of a test.
__host__ __device__ inline void keep(const launch &l, uint32_t instance, unsigned column,
                                     unsigned long long value) {
    l.results[static_cast<uint64_t>(instance) * columns_max + column] = value;
}

// Whether the thread gave up waiting.
__host__ __device__ inline void note_end(const launch &l, uint32_t instance, unsigned has_run_out) {
    if (has_run_out) {
        l.ran_out[instance] = 1;
    }
}

__device__ inline void keep_shared(const launch &l, const seat &s) {
    for (unsigned i = 0; i < l.form.columns; i++) {
        const column &c = l.form.column_at[i];
        if (c.kind != column_shared || c.unit != s.unit || c.rank != s.rank) {
            continue;
        }
        unsigned long long value = 0;
        for (unsigned k = 0; k < c.bytes; k++) {
            unsigned byte;
            asm volatile("ld.shared.u8 %0, [%1];"
                         : "=r"(byte)
                         : "l"(shared(l, s, c.offset + k))
                         : "memory");
            value |= static_cast<unsigned long long>(byte) << (8 * k);
        }
        keep(l, s.instance, i, value);
    }
}

// After what a thread of a test with asynchronous copies does and shows: its copies are complete, but for
// those that an mbarrier waits for.
__device__ inline void wait_for_copies() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
#if !defined(__CUDA_ARCH__) || (__CUDA_ARCH__ >= 900 && PTXLITMUS_PTX >= 80)
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
#endif
}

// After a test: shared memory is there as long as the CTA.
__device__ inline void leave(const launch &l, const seat &s) {
    if (s.unit == l.form.units || l.form.shared_bytes == 0) {
        return;
    }
    if (l.form.copies) {
        for (uint32_t i = 0; i < copy_polls && *l.arrived != UINT32_MAX; i++) {
        } // time for copies that nothing waits for, whose memory must not go away
    }
    meet_in_cluster(l);
    if (s.part == 0) {
        keep_shared(l, s);
    }
}

// --- Kernels of every test ---------------------------------------------------------------------

__device__ inline uint32_t thread_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}

// Gives the memory of all instances its initial values.
static __global__ void reset(launch l) {
    const uint32_t instance = thread_index();
    if (instance == 0) {
        *l.arrived = 0;
    }
    if (instance >= l.instances) {
        return;
    }
    l.ran_out[instance] = 0;
    for (unsigned v = 0; v < l.form.variables; v++) {
        uint32_t *words = reinterpret_cast<uint32_t *>(global(l, instance, v));
        for (unsigned i = 0; i < l.form.size[v] / 4; i++) {
            words[i] = l.initial[l.form.image[v] + i];
        }
    }
}

__device__ inline void count_state(table *seen, const unsigned long long *value, unsigned columns) {
    unsigned long long key = 0x9e3779b97f4a7c15ull;
    for (unsigned i = 0; i < columns; i++) {
        key = (key ^ value[i]) * 0xbf58476d1ce4e5b9ull;
        key ^= key >> 29;
    }
    key |= 1;
    for (unsigned i = 0; i < states_max; i++) {
        const unsigned at = static_cast<unsigned>((key >> 1) + i) % states_max;
        const unsigned long long old = atomicCAS(&seen->key[at], 0ull, key);
        if (old != 0 && old != key) {
            continue;
        }
        for (unsigned k = 0; old == 0 && k < columns; k++) {
            seen->value[at][k] = value[k];
        }
        atomicAdd(&seen->count[at], 1ull);
        return;
    }
    atomicAdd(&seen->lost, 1ull);
}

// Counts the states of all instances.
static __global__ void check(launch l) {
    const uint32_t instance = thread_index();
    if (instance >= l.instances) {
        return;
    }
    if (l.ran_out[instance]) {
        atomicAdd(&l.seen->ran_out, 1ull);
        return;
    }
    unsigned long long value[columns_max];
    for (unsigned i = 0; i < l.form.columns; i++) {
        const column &c = l.form.column_at[i];
        value[i] = l.results[static_cast<uint64_t>(instance) * columns_max + i];
        if (c.kind != column_global) {
            continue;
        }
        const unsigned char *bytes = global(l, instance, c.variable) + c.offset;
        value[i] = 0;
        for (unsigned k = 0; k < c.bytes; k++) {
            value[i] |= static_cast<unsigned long long>(bytes[k]) << (8 * k);
        }
    }
    count_state(l.seen, value, l.form.columns);
}

} // namespace litmus

#endif
