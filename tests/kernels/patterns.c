// Some of the patterns of patterns.cu in C, with clang's atomic builtins that name a scope:
// clang -target nvptx64-nvidia-cuda -march=sm_80 -S. Clang 22 does not pass scopes and orders on
// everywhere: atomic operations other than loads and stores are relaxed, so that locks need fences
// of their own, and scopes become .sys.
typedef unsigned u32;

#define SCOPE __MEMORY_SCOPE_DEVICE
#define KERNEL(name) __attribute__((nvptx_kernel)) void name(u32 *x, u32 *y, u32 *out)
#define LOAD(p, order) __scoped_atomic_load_n(p, __ATOMIC_##order, SCOPE)
#define STORE(p, value, order) __scoped_atomic_store_n(p, value, __ATOMIC_##order, SCOPE)
#define FENCE(order) __scoped_atomic_thread_fence(__ATOMIC_##order, SCOPE)

static inline u32 me(void) {
    return (u32)__nvvm_read_ptx_sreg_ctaid_x() * (u32)__nvvm_read_ptx_sreg_ntid_x() +
           (u32)__nvvm_read_ptx_sreg_tid_x();
}

KERNEL(message) {
    if (me() == 0) {
        *x = 1;
        STORE(y, 1, RELEASE);
    } else {
        out[0] = LOAD(y, ACQUIRE);
        out[1] = *x;
    }
}

KERNEL(message_relaxed) {
    if (me() == 0) {
        *x = 1;
        STORE(y, 1, RELAXED);
    } else {
        out[0] = LOAD(y, RELAXED);
        out[1] = *x;
    }
}

KERNEL(store_buffer) {
    u32 *mine = me() == 0 ? x : y, *theirs = me() == 0 ? y : x;
    STORE(mine, 1, RELAXED);
    FENCE(SEQ_CST);
    out[me()] = LOAD(theirs, RELAXED);
}

KERNEL(store_buffer_weaker) {
    u32 *mine = me() == 0 ? x : y, *theirs = me() == 0 ? y : x;
    STORE(mine, 1, RELEASE);
    out[me()] = LOAD(theirs, ACQUIRE);
}

KERNEL(load_buffer) {
    u32 *mine = me() == 0 ? x : y, *theirs = me() == 0 ? y : x;
    out[me()] = LOAD(theirs, ACQUIRE);
    STORE(mine, 1, RELEASE);
}

KERNEL(readers) {
    u32 t = me();
    if (t < 2) {
        STORE(t == 0 ? x : y, 1, RELAXED);
    } else {
        out[2 * t] = LOAD(t == 2 ? x : y, RELAXED);
        FENCE(SEQ_CST);
        out[2 * t + 1] = LOAD(t == 2 ? y : x, RELAXED);
    }
}

KERNEL(exchange_lock) {
    while (__scoped_atomic_exchange_n(y, 1, __ATOMIC_RELAXED, SCOPE) != 0)
        ;
    FENCE(ACQUIRE);
    *x += 1;
    STORE(y, 0, RELEASE);
}

KERNEL(exchange_lock_weaker) {
    while (__scoped_atomic_exchange_n(y, 1, __ATOMIC_ACQUIRE, SCOPE) != 0)
        ;
    *x += 1;
    STORE(y, 0, RELEASE);
}

KERNEL(sequence_lock) {
    if (me() == 0) {
        STORE(y, 1, RELAXED);
        FENCE(RELEASE);
        STORE(&x[0], 1, RELAXED);
        STORE(&x[1], 1, RELAXED);
        STORE(y, 2, RELEASE);
    } else {
        u32 before = LOAD(y, ACQUIRE);
        u32 a = LOAD(&x[0], RELAXED), b = LOAD(&x[1], RELAXED);
        FENCE(ACQUIRE);
        if (before % 2 == 0 && LOAD(y, RELAXED) == before) {
            out[0] = a;
            out[1] = b;
        }
    }
}

KERNEL(last_adds) {
    x[me()] = me() + 1;
    FENCE(RELEASE);
    u32 before = __scoped_atomic_fetch_add(y, 1, __ATOMIC_RELAXED, SCOPE);
    FENCE(ACQUIRE);
    if (before == 1)
        out[0] = x[0] + x[1];
}

KERNEL(counting_barrier) {
    x[me()] = 1;
    FENCE(RELEASE);
    __scoped_atomic_fetch_add(y, 1, __ATOMIC_RELAXED, SCOPE);
    while (LOAD(y, ACQUIRE) != 2)
        ;
    out[me()] = x[1 - me()];
}
