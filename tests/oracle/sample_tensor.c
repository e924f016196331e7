// Random tests of tensor memory: tcgen05 instructions of one or two threads, with pipelines, waits,
// commits and fences, and what goes wrong without them.
#include "tests/oracle/sample.h"

#include <string.h>

// l and s load and store the accumulator d, o and S the operand u; i and v wait for loads and
// stores. p copies an array to u, x with 4x256b; m and n are products, n with A in u, h is a shift.
// c commits, t waits for the phase; b and a are fences; g arrives, B is a barrier, C a relaxed one
// of the cluster. H allocates d, which is declared otherwise, Z deallocates it, and P relinquishes
// the permit. T stores an operand in shared memory, f is a proxy fence. X and Y are a strong store
// and a load of a flag, after which the thread may exit.
static const char *const shapes[] = {"s v l",
                                     "l i s",
                                     "s v l i",
                                     "s v b B|B a l",
                                     "s v b g|t a l",
                                     "l i b g|t a s",
                                     "m c t a l",
                                     "m c|t a l",
                                     "m m c t a l",
                                     "l i m c|t a l",
                                     "s v m c t a l",
                                     "l i b g|t a m",
                                     "p n c t a l",
                                     "p b g|t a n",
                                     "p c|t a o",
                                     "p c t a o",
                                     "p b X|Y a n",
                                     "s v b X|Y a l",
                                     "S v n c t a l",
                                     "S v b g|t a n",
                                     "T f m c t a l",
                                     "T m c t a l",
                                     "T f B|B m c t a l",
                                     "T B|B f m c t a l",
                                     "m c t f T a l",
                                     "m c t T",
                                     "m c|t f T",
                                     "m h c t a b",
                                     "x m c t a l",
                                     "p p c t a o",
                                     "p n m c t a l",
                                     "m c t a l i s v l",
                                     "m c t a b B|B a l",
                                     "m c t a b C|C a s",
                                     "s v b C|C a l",
                                     "m|m",
                                     "m b g|t a m",
                                     "s b g|t a m",
                                     "m c t l",
                                     "m c|t l",
                                     "s v g|t l",
                                     "S v b B|B a n c",
                                     "o i b B|B a p",
                                     "o i p c t a o",
                                     "h m c t a b",
                                     "h x c t a b",
                                     "m c t a p n",
                                     "n c t a p",
                                     "n c|t a S",
                                     "n c|t a b B|B a S",
                                     "H s v l i Z",
                                     "H B B Z|B s v l i B",
                                     "H P B B Z|B s v B",
                                     "H P s v Z",
                                     "H B Z|B s v",
                                     "H B s v B|B B Z",
                                     "H m c t Z",
                                     "H B B Z|B m c t B",
                                     "H B t Z|B m c",
                                     "H g Z|t s v",
                                     "H C Z|C s v",
                                     "H s v Z Z",
                                     "H B P B Z|B s v B",
                                     "P H s v Z",
                                     "H Z|P"};

// Of two threads in a pair of CTAs, where instructions have .cta_group::2: g arrives at the
// mbarrier of the other CTA, and commits may be multicast.
static const char *const pairs[] = {"m c t a l|t a l",
                                    "m c|t a l",
                                    "m c t a l|b",
                                    "m c t a l|t a s",
                                    "m m c|t a l",
                                    "m c t a|t a m",
                                    "T f g|t m c",
                                    "T g|t f m c",
                                    "T f C|C m c t a l",
                                    "T C|C f m c t a l",
                                    "m c t|t f T",
                                    "m c|t T",
                                    "p c|t a o",
                                    "p n c t a l|b",
                                    "p b g|t a n",
                                    "S v b g|t a n",
                                    "s v b g|t a m",
                                    "l i b g|t a m",
                                    "o i b C|C a p",
                                    "h m c|t a b",
                                    "m h c t a b|b",
                                    "H C m c t C Z|H C C Z",
                                    "H C s v C Z|H C C Z",
                                    "H C s v C C Z|H C s v C Z",
                                    "H C s v l i Z|H C Z",
                                    "H m c t C Z|H C Z",
                                    "H C Z|H Z C",
                                    "H C|C H",
                                    "H Z|H Z",
                                    "H C Z|C"};

unsigned sample_word(struct sample *sample, struct sample_thread *thread, bool known) {
    unsigned number = thread->next_register++ % 100;
    sample_first_line(thread, "mov.b32 %%r%u, 0", number);
    if (known)
        snprintf(thread->loaded[thread->loaded_count++], sizeof thread->loaded[0], "%%r%u", number);
    else if (sample->shown_count < SAMPLE_SHOWN) {
        snprintf(sample->shown[sample->shown_count++], sizeof sample->shown[0], "P%u:%%r%u",
                 (unsigned)(thread - sample->thread) % SAMPLE_THREADS, number);
        sample->uncertain++;
    }
    return number;
}

void sample_one(struct sample *sample) {
    struct sample_thread *first = &sample->thread[0];
    snprintf(first->loaded[first->loaded_count++], sizeof first->loaded[0], "%%one");
    sample_first_line(first, "mov.b32 %%one, 1");
}

static const char *new_register(struct sample *sample, struct sample_thread *thread) {
    sample_word(sample, thread, true);
    return thread->loaded[thread->loaded_count - 1];
}

// What nothing has written to allocated memory is not known.
static void load(struct sample *sample, struct sample_thread *thread, const char *place) {
    if (thread->loaded_count < SAMPLE_LOADS)
        sample_line(thread, "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%%r%u}, [%s]",
                    sample_word(sample, thread, !sample->is_open), place);
}

static void store(struct sample_thread *thread, const char *place, struct random *random) {
    sample_line(thread, "mov.b32 %%v, %u", 10 + random_below(random, 3));
    sample_line(thread, "tcgen05.st.sync.aligned.32x32b.x1.b32 [%s], {%%v}", place);
}

static void describe(struct sample_thread *thread, const char *name, const char *place) {
    sample_line(thread, "mov.u64 %s, %s", name, place);
    sample_line(thread, "shr.u64 %s, %s, 4", name, name);
}

static unsigned group_of(const struct sample *sample) {
    return sample->is_pair ? 2 : 1;
}

static void multiply(const struct sample *sample, struct sample_thread *thread, bool from_tensor,
                     struct random *random) {
    static const char *const descriptions[] = {"0x4020020", "0x4020020", "0x4020020", "0x40204a0",
                                               "0x4040020"};
    if (!from_tensor)
        describe(thread, "%ra", "s");
    describe(thread, "%rb", "k");
    bool keeps_b = !sample->is_pair && random_chance(random, 15);
    bool lanes = !keeps_b && random_chance(random, 15);
    if (lanes)
        sample_line(thread, "mov.b32 %%ml, %u", random_below(random, 3));
    sample_line(thread, "tcgen05.mma%s.cta_group::%u.kind::i8 [d], %s, %%rb, %s, %s%u",
                keeps_b ? ".ws" : "", group_of(sample), from_tensor ? "[u]" : "%ra",
                descriptions[random_below(random, 5)],
                !lanes            ? ""
                : sample->is_pair ? "{%ml, %ml, %ml, %ml, %ml, %ml, %ml, %ml}, "
                                  : "{%ml, %ml, %ml, %ml}, ",
                random_below(random, 2));
}

static void wait_for_phase(struct sample *sample, struct sample_thread *thread,
                           struct random *random) {
    static const char *const orders[] = {"", ".acquire.cluster", ".relaxed.cta",
                                         ".relaxed.cluster"};
    unsigned number = thread->next_register++;
    if (thread->loaded_count == SAMPLE_LOADS)
        return;
    sample_line(thread, "mbarrier.try_wait.parity%s.shared.b64 %%w%u, [m], 0",
                orders[random_below(random, 4)], number);
    if (random_chance(random, 85))
        sample_line(thread, "@!%%w%u exit", number);
    sample_line(thread, "selp.b32 %s, 1, 0, %%w%u", new_register(sample, thread), number);
}

static void commit(const struct sample *sample, struct sample_thread *thread,
                   struct random *random) {
    bool multicast = sample->is_pair && random_chance(random, 70);
    if (multicast)
        sample_line(thread, "mov.u16 %%cm, %u", random_chance(random, 80) ? 3 : 2);
    sample_line(thread,
                "tcgen05.commit.cta_group::%u.mbarrier::arrive::one.shared::cluster%s.b64 [m]%s",
                group_of(sample), multicast ? ".multicast::cluster" : "", multicast ? ", %cm" : "");
}

// At the mbarrier of the CTA, or of the other one of the pair.
static void arrive(const struct sample *sample, struct sample_thread *thread,
                   struct random *random) {
    if (!sample->is_pair) {
        sample_line(thread, "mbarrier.arrive%s.shared.b64 _, [m]",
                    random_chance(random, 50) ? "" : ".relaxed.cta");
        return;
    }
    sample_line(thread, "mapa.shared::cluster.u32 %%am, m, %u",
                1 - (unsigned)(thread - sample->thread));
    sample_line(thread, "mbarrier.arrive%s.shared::cluster.b64 _, [%%am]",
                random_chance(random, 60) ? ".release.cluster" : ".relaxed.cluster");
}

static void find_flag(struct sample *sample, struct sample_thread *thread, struct random *random) {
    unsigned number = thread->next_register++;
    if (thread->loaded_count == SAMPLE_LOADS)
        return;
    const char *name = new_register(sample, thread);
    sample_line(thread, "ld.%s.shared.b32 %s, [f]",
                random_chance(random, 80) ? "relaxed.cta" : "acquire.cta", name);
    sample_line(thread, "setp.eq.b32 %%w%u, %s, 0", number, name);
    sample_line(thread, "@%%w%u exit", number);
}

static void deallocate(const struct sample *sample, struct sample_thread *thread,
                       struct random *random) {
    if (random_chance(random, 8))
        return;
    sample_line(thread, "mov.b32 %%da, d");
    if (random_chance(random, 8))
        sample_line(thread, "add.u32 %%da, %%da, 1");
    sample_line(thread, "tcgen05.dealloc.cta_group::%u.sync.aligned.b32 %%da, %u", group_of(sample),
                random_chance(random, 8) ? 64 : 32);
}

void sample_tensor_step(struct sample *sample, struct sample_thread *thread, char letter,
                        int location, const struct sample_mood *mood, struct random *random) {
    // What orders is left out now and then.
    if (strchr("ivbaf", letter) && random_chance(random, 12))
        return;
    switch (letter) {
    case 'l': load(sample, thread, "d"); break;
    case 'o': load(sample, thread, "u"); break;
    case 's': store(thread, "d", random); break;
    case 'S': store(thread, "u", random); break;
    case 'i': sample_line(thread, "tcgen05.wait::ld.sync.aligned"); break;
    case 'v': sample_line(thread, "tcgen05.wait::st.sync.aligned"); break;
    case 'p':
    case 'x':
        describe(thread, "%rs", "s");
        sample_line(thread, "tcgen05.cp.cta_group::%u.%s [u], %%rs", group_of(sample),
                    letter == 'x' ? "4x256b" : "128x128b");
        break;
    case 'm':
    case 'n': multiply(sample, thread, letter == 'n', random); break;
    case 'h': sample_line(thread, "tcgen05.shift.cta_group::%u.down [d]", group_of(sample)); break;
    case 'c': commit(sample, thread, random); break;
    case 't': wait_for_phase(sample, thread, random); break;
    case 'b': sample_line(thread, "tcgen05.fence::before_thread_sync"); break;
    case 'a': sample_line(thread, "tcgen05.fence::after_thread_sync"); break;
    case 'g': arrive(sample, thread, random); break;
    case 'T': sample_line(thread, "st.shared.b32 [s], 7"); break;
    case 'f':
        sample_line(thread, "fence.proxy.async%s", random_chance(random, 80) ? "" : ".shared::cta");
        break;
    case 'X':
        sample_line(thread, "st.%s.shared.b32 [f], 1",
                    random_chance(random, 80) ? "relaxed.cta" : "release.cta");
        break;
    case 'Y': find_flag(sample, thread, random); break;
    case 'B': sample_line(thread, "bar.sync 0"); break;
    case 'C':
        sample_line(thread, "barrier.cluster.arrive%s",
                    random_chance(random, 70) ? ".relaxed" : "");
        sample_line(thread, "barrier.cluster.wait");
        break;
    case 'H':
        sample_line(thread, "tcgen05.alloc.cta_group::%u.sync.aligned.shared::cta.b32 [f], 32",
                    group_of(sample));
        break;
    case 'P':
        sample_line(thread, "tcgen05.relinquish_alloc_permit.cta_group::%u.sync.aligned",
                    group_of(sample));
        break;
    case 'Z': deallocate(sample, thread, random); break;
    default: sample_barrier(sample, thread, letter, location, mood, random); break;
    }
}

static void declare(struct sample *sample, const char *text) {
    snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0], "%s",
             text);
}

void sample_tensor_place(struct sample *sample, const char *shape, struct random *random) {
    sample->initialised = true;
    sample->bits = 32;
    for (unsigned l = 0; l < SAMPLE_LOCATIONS; l++)
        sample->type[l] = "b32";
    sample->location_count = 2;
    sample->thread_count = sample_shape_threads(shape);
    sample_place(sample, 0, false, random);
    for (unsigned thread = 0; thread < 2 && sample->is_pair; thread++) {
        sample->thread[thread].has_cluster = true;
        sample->thread[thread].cta = thread;
    }
}

void sample_tensor(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    const char *shape = shapes[random_below(random, sizeof shapes / sizeof shapes[0])];
    sample->is_pair = random_chance(random, 35);
    if (sample->is_pair)
        shape = pairs[random_below(random, sizeof pairs / sizeof pairs[0])];
    sample_tensor_place(sample, shape, random);
    declare(sample, "mbarrier m = 1");
    declare(sample, ".shared .align 16 .b32 s[1] = {2}");
    declare(sample, ".shared .align 16 .b32 k[1] = {3}");
    declare(sample, ".shared .b32 f = 0");
    declare(sample, ".global .b32 x = 0");
    if (strchr(shape, 'H') != NULL)
        declare(sample, ".tmem .b32 d[32]");
    else {
        declare(sample, ".tmem .b32 d[1] = {1}");
        declare(sample, ".tmem .b32 u[1] = {4}");
    }
    sample->barriers.count = sample->thread_count;
    sample->is_open = strchr(shape, 'H') != NULL;
    sample_shape(sample, shape, mood, sample_tensor_step, random);
    if (sample->uncertain > 0)
        sample_one(sample);
}
