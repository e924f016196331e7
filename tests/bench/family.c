// The tests of the benchmarks. MP, SB, LB and IRIW have the sizes, the placement and the orders of
// Dat3M's experiment (one thread per CTA, all accesses acquire or release at gpu scope); how the
// shapes grow is ours. The others stress a part of the model each.
#include "tests/bench/family.h"

#include <assert.h>
#include <string.h>

// --- Pieces of a test ---

// .global .u32 STEM<first> .. STEM<first + count - 1>
static void declare(FILE *file, const char *stem, unsigned first, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        fprintf(file, ".global .u32 %s%u;\n", stem, first + i);
}

static void open_thread(FILE *file, unsigned thread) {
    fprintf(file, "P%u@cta %u,gpu 0 {\n", thread, thread);
}

static void close_thread(FILE *file) {
    fputs("}\n", file);
}

static void release(FILE *file, const char *stem, unsigned i) {
    fprintf(file, "  st.release.gpu.global.u32 [%s%u], 1;\n", stem, i);
}

static void acquire(FILE *file, unsigned reg, const char *stem, unsigned i) {
    fprintf(file, "  ld.acquire.gpu.global.u32 %%r%u, [%s%u];\n", reg, stem, i);
}

// Passes on the flag that was read.
static void forward(FILE *file, unsigned i) {
    fprintf(file, "  st.release.gpu.global.u32 [flag%u], %%r0;\n", i);
}

static const char *conjunction(unsigned i) {
    return i == 0 ? "" : " /\\ ";
}

// Each thread's first load returns the value.
static void all_read(FILE *file, unsigned size, unsigned value) {
    fputs("exists (", file);
    for (unsigned i = 0; i < size; i++)
        fprintf(file, "%sP%u:%%r0 == %u", conjunction(i), i, value);
    fputs(")\n", file);
}

// Each of the readers, which come after as many writers, sees the one store and misses the other.
static void all_miss(FILE *file, unsigned half) {
    fputs("exists (", file);
    for (unsigned i = 0; i < half; i++)
        fprintf(file, "%sP%u:%%r0 == 1 /\\ P%u:%%r1 == 0", conjunction(i), half + i, half + i);
    fputs(")\n", file);
}

// --- The classic shapes ---

// A chain: each thread passes on the flag, and the last one looks for the data.
static void print_mp(FILE *file, unsigned size, unsigned rounds) {
    (void)rounds;
    declare(file, "data", 0, 1);
    declare(file, "flag", 1, size - 1);
    for (unsigned i = 0; i < size; i++) {
        open_thread(file, i);
        if (i == 0) {
            release(file, "data", 0);
            release(file, "flag", 1);
        } else {
            acquire(file, 0, "flag", i);
            if (i + 1 < size)
                forward(file, i + 1);
            else
                acquire(file, 1, "data", 0);
        }
        close_thread(file);
    }
    fprintf(file, "exists (P%u:%%r0 == 1 /\\ P%u:%%r1 == 0)\n", size - 1, size - 1);
}

// A ring: each thread writes its location, then reads its neighbour's.
static void print_sb(FILE *file, unsigned size, unsigned rounds) {
    (void)rounds;
    declare(file, "x", 0, size);
    for (unsigned i = 0; i < size; i++) {
        open_thread(file, i);
        release(file, "x", i);
        acquire(file, 0, "x", (i + 1) % size);
        close_thread(file);
    }
    all_read(file, size, 0);
}

// A ring: each thread reads its location, then writes its neighbour's.
static void print_lb(FILE *file, unsigned size, unsigned rounds) {
    (void)rounds;
    declare(file, "x", 0, size);
    for (unsigned i = 0; i < size; i++) {
        open_thread(file, i);
        acquire(file, 0, "x", i);
        release(file, "x", (i + 1) % size);
        close_thread(file);
    }
    all_read(file, size, 1);
}

// As many writers as readers; each reader sees its writer's location before its neighbour's.
static void print_iriw(FILE *file, unsigned size, unsigned rounds) {
    (void)rounds;
    unsigned half = size / 2;
    declare(file, "x", 0, half);
    for (unsigned i = 0; i < half; i++) {
        open_thread(file, i);
        release(file, "x", i);
        close_thread(file);
    }
    for (unsigned i = 0; i < half; i++) {
        open_thread(file, half + i);
        acquire(file, 0, "x", i);
        acquire(file, 1, "x", (i + 1) % half);
        close_thread(file);
    }
    all_miss(file, half);
}

// --- The order of fence.sc ---

static void fence(FILE *file) {
    fputs("  fence.sc.gpu;\n", file);
}

static void store(FILE *file, unsigned i) {
    fprintf(file, "  st.relaxed.gpu.global.u32 [x%u], 1;\n", i);
}

static void load(FILE *file, unsigned reg, unsigned i) {
    fprintf(file, "  ld.relaxed.gpu.global.u32 %%r%u, [x%u];\n", reg, i);
}

// SB with a fence.sc in each thread: only the order of all of them rules it out.
static void print_sb_fences(FILE *file, unsigned size, unsigned rounds) {
    (void)rounds;
    declare(file, "x", 0, size);
    for (unsigned i = 0; i < size; i++) {
        open_thread(file, i);
        store(file, i);
        fence(file);
        load(file, 0, (i + 1) % size);
        close_thread(file);
    }
    all_read(file, size, 0);
}

// LB with a fence.sc in each thread, which needs no order of the fences: each already makes a
// release and an acquire pattern of its thread.
static void print_lb_fences(FILE *file, unsigned size, unsigned rounds) {
    (void)rounds;
    declare(file, "x", 0, size);
    for (unsigned i = 0; i < size; i++) {
        open_thread(file, i);
        load(file, 0, i);
        fence(file);
        store(file, (i + 1) % size);
        close_thread(file);
    }
    all_read(file, size, 1);
}

// IRIW with a fence.sc in each reader.
static void print_iriw_fences(FILE *file, unsigned size, unsigned rounds) {
    (void)rounds;
    unsigned half = size / 2;
    declare(file, "x", 0, half);
    for (unsigned i = 0; i < half; i++) {
        open_thread(file, i);
        store(file, i);
        close_thread(file);
    }
    for (unsigned i = 0; i < half; i++) {
        open_thread(file, half + i);
        load(file, 0, i);
        fence(file);
        load(file, 1, (i + 1) % half);
        close_thread(file);
    }
    all_miss(file, half);
}

// --- One location ---

// Writers of different values, and a reader that sees the first writer before the second, although
// the first writer's value is the last one.
static void print_writers(FILE *file, unsigned size, unsigned rounds) {
    (void)rounds;
    fputs(".global .u32 x;\n", file);
    for (unsigned i = 0; i < size; i++) {
        open_thread(file, i);
        fprintf(file, "  st.relaxed.gpu.global.u32 [x], %u;\n", i + 1);
        close_thread(file);
    }
    open_thread(file, size);
    fputs("  ld.relaxed.gpu.global.u32 %r0, [x];\n"
          "  ld.relaxed.gpu.global.u32 %r1, [x];\n",
          file);
    close_thread(file);
    fprintf(file, "exists (x == 1 /\\ P%u:%%r0 == 1 /\\ P%u:%%r1 == 2)\n", size, size);
}

// Two threads with `size` atomic operations each, after which the location is as at the start.
static void print_exchanges(FILE *file, unsigned size, unsigned rounds) {
    (void)rounds;
    fputs(".global .u32 x;\n", file);
    for (unsigned thread = 0; thread < 2; thread++) {
        open_thread(file, thread);
        for (unsigned i = 0; i < size; i++)
            fprintf(file, "  atom.relaxed.gpu.global.exch.b32 %%r%u, [x], %u;\n", i,
                    thread * size + i + 1);
        close_thread(file);
    }
    fputs("exists (x == 0)\n", file);
}

// The same with additions, one of which is lost.
static void print_additions(FILE *file, unsigned size, unsigned rounds) {
    (void)rounds;
    fputs(".global .u32 x;\n", file);
    for (unsigned thread = 0; thread < 2; thread++) {
        open_thread(file, thread);
        for (unsigned i = 0; i < size; i++)
            fprintf(file, "  atom.relaxed.gpu.global.add.u32 %%r%u, [x], 1;\n", i);
        close_thread(file);
    }
    fprintf(file, "exists (x == %u)\n", 2 * size - 1);
}

static void print_adders(FILE *file, unsigned size, unsigned rounds) {
    (void)rounds;
    fputs(".global .u32 x;\n", file);
    for (unsigned i = 0; i < size; i++) {
        open_thread(file, i);
        fputs("  atom.relaxed.gpu.global.add.u32 %r0, [x], 1;\n", file);
        close_thread(file);
    }
    fprintf(file, "exists (x != %u)\n", size);
}

// --- Locks: each round of each thread adds one to a counter that the lock protects ---

static void count_once(FILE *file) {
    fputs("  ld.weak.global.u32 %r1, [counter];\n"
          "  add.u32 %r1, %r1, 1;\n"
          "  st.weak.global.u32 [counter], %r1;\n",
          file);
}

static void print_spin(FILE *file, unsigned size, unsigned rounds) {
    fputs(".global .u32 lock;\n.global .u32 counter;\n", file);
    for (unsigned i = 0; i < size; i++) {
        open_thread(file, i);
        fputs("  .reg .u32 %r<2>;\n  .reg .pred %p;\n", file);
        for (unsigned round = 0; round < rounds; round++) {
            fprintf(file, "L%u: atom.acquire.gpu.global.cas.b32 %%r0, [lock], 0, 1;\n", round);
            fprintf(file, "  setp.ne.u32 %%p, %%r0, 0;\n  @%%p bra L%u;\n", round);
            count_once(file);
            fputs("  st.release.gpu.global.u32 [lock], 0;\n", file);
        }
        close_thread(file);
    }
    fprintf(file, "exists (counter != %u)\n", size * rounds);
}

static void print_ticket(FILE *file, unsigned size, unsigned rounds) {
    fputs(".global .u32 next;\n.global .u32 serving;\n.global .u32 counter;\n", file);
    for (unsigned i = 0; i < size; i++) {
        open_thread(file, i);
        fputs("  .reg .u32 %r<3>;\n  .reg .pred %p;\n", file);
        for (unsigned round = 0; round < rounds; round++) {
            fputs("  atom.relaxed.gpu.global.add.u32 %r2, [next], 1;\n", file);
            fprintf(file, "L%u: ld.acquire.gpu.global.u32 %%r0, [serving];\n", round);
            fprintf(file, "  setp.ne.u32 %%p, %%r0, %%r2;\n  @%%p bra L%u;\n", round);
            count_once(file);
            fputs("  add.u32 %r2, %r2, 1;\n  st.release.gpu.global.u32 [serving], %r2;\n", file);
        }
        close_thread(file);
    }
    fprintf(file, "exists (counter != %u)\n", size * rounds);
}

// --- Proxies ---

// MP in which each thread reads the data under an address of its own, with proxy fences on the way.
static void print_alias(FILE *file, unsigned size, unsigned rounds) {
    (void)rounds;
    declare(file, "data", 0, 1);
    declare(file, "flag", 1, size - 1);
    for (unsigned i = 1; i < size; i++)
        fprintf(file, "data%u @ generic aliases data0;\n", i);
    for (unsigned i = 0; i < size; i++) {
        open_thread(file, i);
        if (i == 0)
            fputs("  st.weak.global.u32 [data0], 1;\n  fence.proxy.alias;\n", file);
        else {
            acquire(file, 0, "flag", i);
            fputs("  fence.proxy.alias;\n", file);
            fprintf(file, "  ld.weak.global.u32 %%r1, [data%u];\n", i);
        }
        if (i == 0)
            release(file, "flag", 1);
        else if (i + 1 < size)
            forward(file, i + 1);
        close_thread(file);
    }
    fprintf(file, "exists (P%u:%%r0 == 1 /\\ (", size - 1);
    for (unsigned i = 1; i < size; i++)
        fprintf(file, "%sP%u:%%r1 == 0", i == 1 ? "" : " \\/ ", i);
    fputs("))\n", file);
}

// --- Pipelines ---

// Loops until the phase of that number (from 0) of the mbarrier has completed.
static void wait_for(FILE *file, const char *what, unsigned stage, unsigned phase, unsigned tile) {
    fprintf(file, "W%u: mbarrier.try_wait.parity.shared.b64 %%p, [%s%u], %u;\n", tile, what, stage,
            phase % 2);
    fprintf(file, "  @!%%p bra W%u;\n", tile);
}

// Has a bulk copy fill the buffer with the tile, after the consumer's arrival for the tile before
// it.
static void fill_buffer(FILE *file, unsigned stage, unsigned round, unsigned tile) {
    if (round > 0)
        wait_for(file, "empty", stage, round - 1, tile);
    fprintf(file, "  mbarrier.arrive.expect_tx.shared.b64 _, [full%u], 16;\n", stage);
    fprintf(file,
            "  cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"
            " [buffer%u], [tile%u], 16, [full%u];\n",
            stage, tile, stage);
}

// Reads the tile, and hands the buffer back unless this was its last round.
static void use_buffer(FILE *file, unsigned stage, unsigned round, unsigned tile, bool is_last) {
    wait_for(file, "full", stage, round, tile);
    fprintf(file, "  ld.weak.shared.u64 %%rd%u, [buffer%u];\n", tile, stage);
    if (is_last)
        return;
    fputs("  fence.proxy.async.shared::cta;\n", file);
    fprintf(file, "  mbarrier.arrive.shared.b64 _, [empty%u];\n", stage);
}

// A producer keeps `size` buffers filled with bulk copies, each of them for `rounds` times; a
// consumer of the same CTA reads a tile other than the one whose turn it is.
static void print_pipeline(FILE *file, unsigned size, unsigned rounds) {
    for (unsigned i = 0; i < size; i++)
        fprintf(file,
                "mbarrier full%u = 1;\nmbarrier empty%u = 1;\n"
                ".shared .align 16 .u64 buffer%u[2];\n",
                i, i, i);
    for (unsigned i = 0; i < size * rounds; i++)
        fprintf(file, ".global .align 16 .u64 tile%u[2] = {%u, %u};\n", i, i + 1, i + 1);
    fputs("P0@cta 0,gpu 0 {\n  .reg .pred %p;\n", file);
    for (unsigned i = 0; i < size * rounds; i++)
        fill_buffer(file, i % size, i / size, i);
    close_thread(file);
    fputs("P1@cta 0,gpu 0 {\n  .reg .pred %p;\n", file);
    for (unsigned i = 0; i < size * rounds; i++)
        use_buffer(file, i % size, i / size, i, i / size + 1 == rounds);
    close_thread(file);
    fputs("exists (", file);
    for (unsigned i = 0; i < size * rounds; i++)
        fprintf(file, "%sP1:%%rd%u != %u", i == 0 ? "" : " \\/ ", i, i + 1);
    fputs(")\n", file);
}

// --- All of them ---

static const struct family families[] = {
    {"mp", "message passing along threads", "forbidden", 2, false, false, print_mp},
    {"sb", "store buffering around a ring", "allowed", 2, false, false, print_sb},
    {"lb", "load buffering around a ring", "forbidden", 2, false, false, print_lb},
    {"iriw", "independent reads of independent writes", "allowed", 4, true, false, print_iriw},
    {"sb-fences", "store buffering with fences", "forbidden", 2, false, false, print_sb_fences},
    {"lb-fences", "load buffering with fences", "forbidden", 2, false, false, print_lb_fences},
    {"iriw-fences", "IRIW with fences", "forbidden", 4, true, false, print_iriw_fences},
    {"writers", "racing writers to one location", "forbidden", 2, false, false, print_writers},
    {"adders", "atomic additions to one location", "forbidden", 2, false, false, print_adders},
    {"exchanges", "atomic exchanges of two threads", "forbidden", 2, false, false, print_exchanges},
    {"additions", "atomic additions of two threads", "forbidden", 2, false, false, print_additions},
    {"spin", "a spin lock around a counter", "forbidden", 2, false, true, print_spin},
    {"ticket", "a ticket lock around a counter", "forbidden", 2, false, true, print_ticket},
    {"pipeline", "a pipeline of bulk copies", "forbidden", 1, false, true, print_pipeline},
    {"alias", "message passing along aliases", "forbidden", 2, false, false, print_alias},
};

enum { FAMILY_COUNT = sizeof families / sizeof families[0], LARGEST = 1000 };

const struct family *family_at(unsigned index) {
    return index < FAMILY_COUNT ? &families[index] : NULL;
}

const struct family *family_find(const char *name) {
    for (unsigned i = 0; i < FAMILY_COUNT; i++)
        if (strcmp(families[i].name, name) == 0)
            return &families[i];
    return NULL;
}

bool family_has(const struct family *family, unsigned size, unsigned rounds) {
    return size >= family->least && size <= LARGEST && !(family->is_even && size % 2) &&
           rounds >= 1 && rounds <= LARGEST && (family->has_rounds || rounds == 1);
}

void family_print(const struct family *family, unsigned size, unsigned rounds, FILE *file) {
    assert(family_has(family, size, rounds));
    fprintf(file, "PTX %s-%u", family->name, size);
    if (family->has_rounds)
        fprintf(file, "-%u", rounds);
    fputc('\n', file);
    family->print_body(file, size, rounds);
    fprintf(file, "expect %s;\n", family->verdict);
}
