// Random tests of what PTX ISA 9.2 to 9.4 add: relaxed bulk copies in patterns, red.async after
// fences, and release fences before griddepcontrol.launch_dependents.
#include "tests/oracle/sample.h"

#include <string.h>

// u is a bulk store of s to f, v of t, i commits, j waits for groups; d and b are bulk loads of f
// to s and t, m the arrival that expects their bytes, t a wait for the phase; k is a bulk store of
// s to h; some loads may ignore the second half, and one is of k, which has none. l, n and q load
// t, s and f. a is a fence, most often of .gpu scope. 8 is red.async on r of the other CTA, 9 a
// strong load of its own r, p is st.async to t there, 7 an arrival at the mbarriers of both CTAs or
// of one. O is a load through the read-only proxy. g is launch_dependents, e griddepcontrol.wait.
// Other letters as in sample.c.
// 0 and 1 store to and load from v through the fabric proxy, 2 and 3 through the generic one; X and
// E are the fences from the fabric proxy to the generic one, J and K those to it, S and T those
// within.
// V is a store with .mmio, maybe an asynchronous one, and N a load with .mmio.
static const char *const shapes[] = {
    "Wy a u|m b t a l Ry",
    "Wy a u|m b t a l Ry",
    "Wy a u|m b t a l Ry",
    "Wy a u i j|m b t a l Ry",
    "Wy u|m b t a l Ry",
    "Wy a u|m b t l Ry",
    "Wy a u|m b Lz|Qz t a Ry",
    "Wy a u|m b|t a l Ry",
    "Wy a v|u|m b t a l Ry",
    "Wy a d|k i j a Ry",
    "Wy a d|k i j a Ry",
    "m d t Wy a u|m b t a l Ry",
    "Wy a u|a q a Ry",
    "u|v",
    "u i j|v i j q",
    "m b t u|v",
    "Ry a u|m b t a l Wy",
    "Wy a 8|9 a Ry",
    "Wy a 8|9 a Ry",
    "Wy 8|9 a Ry",
    "Wy a 8 8|9 a Ry",
    "8 a Wy|Ry a 9",
    "Wy Ry g|Oy",
    "Wy g|Oy Ry",
    "Oy g|Wy",
    "Wy|Oy g|Oy",
    "Wy 7|t Ry",
    "Wy a 7|t a Ry",
    "Wy 7|t Ry|t Ry",
    "Wy 7 Wz|t Ry Rz",
    "Wy 7|7 t Ry",
    "Ry 7|t Wy",
    "Wy p|m t l Ry",
    "Wy a p|m t a l Ry",
    "p|m p t l",
    "p|m b t l q",
    "Wy Vz|Nz Ry",
    "Wy Vz|Nz Ry",
    "Wy a Vz|Nz a Ry",
    "Wy Lz|Nz Ry",
    "Wy Vz|Qz Ry",
    "0 X Ly|Qy E 3",
    "0 X Wy|Ry E 3",
    "0 X Wy|Ry E 3",
    "2 J Ly|Qy K 1",
    "2 J Wy|Ry K 1",
    "0 S Wy|Ry T 1",
    "0 S Ly|Qy T 1",
    "0 X Wy|Ry K 3",
    "0 X B|B E 3",
    "2 J B|B K 1",
    "0 X E 3",
    "2 J K 1",
    "0 Wy|Ry 3",
    "0 0|1 1",
    "0 X a Wy|Ry a E 3",
    "1 X Wy|Ry E 2",
    "3 J Wy|Ry K 0",
    "0 X Wy|Ry E Wz|Rz 3",
    "0 X Ly|Qy Lz|Qz E 3",
    "0 X Ly|Qy E J Lz|Qz K 1",
    "Wy a g|Ry",
    "Wy a g|Ry",
    "Wy g a|Ry",
    "Wy g a g|Ry",
    "Wy a g|g|Ry",
    "Wy a g|a g|Ry",
    "Wy a Lz|Qz g|Ry",
    "Wy Lz|Qz a g|Ry",
    "Wy a B g|B g|Ry",
    "Wy B a g|B g|Ry",
    "Wy a g|e Ry",
    "Ry a g|Wy",
    "Wy a g Wz|Rz Ry",
    "Wy a g|Ry Wz",
    "Wy a g|u Ry",
    "u i j a g|m b t l",
};

static void copy_order(char *text, size_t size, struct random *random) {
    static const char *const orders[] = {".relaxed.gpu",
                                         ".relaxed.gpu",
                                         ".relaxed.gpu",
                                         ".relaxed.sys",
                                         ".relaxed.cta",
                                         ".relaxed.cluster",
                                         ""};
    snprintf(text, size, "%s", orders[random_below(random, sizeof orders / sizeof orders[0])]);
}

static void bulk_store(struct sample_thread *thread, const char *places, struct random *random) {
    char order[20];
    copy_order(order, sizeof order, random);
    sample_line(thread, "cp.async.bulk%s.global.shared::cta.bulk_group%s %s, 16", order,
                order[0] ? ".b128" : "", places);
}

static void bulk_load(const struct sample *sample, struct sample_thread *thread, const char *target,
                      struct random *random) {
    char order[20];
    copy_order(order, sizeof order, random);
    if (sample->ignores && (order[0] == '\0' || random_chance(random, 20))) {
        static const char *const sources[] = {"[f], 16, 0, 0", "[f], 16, 0, 8", "[k], 16, 0, 8"};
        sample_line(
            thread,
            "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%s], "
            "%s, [m]",
            target, sources[random_below(random, 3)]);
        return;
    }
    sample_line(thread,
                "cp.async.bulk%s.shared::cta.global.mbarrier::complete_tx::bytes%s [%s], [f], 16, "
                "[m]",
                order, order[0] ? ".b128" : "", target);
}

static char *new_register(struct sample_thread *thread) {
    char *name = thread->loaded[thread->loaded_count++];
    snprintf(name, sizeof thread->loaded[0], "%%rd%u", thread->next_register++);
    sample_first_line(thread, "mov.b64 %s, 7", name);
    return name;
}

static void load(struct sample_thread *thread, const char *from) {
    if (thread->loaded_count < SAMPLE_LOADS)
        sample_line(thread, "ld.%s.b64 %s, [%s]", from[0] == 'f' ? "global" : "shared",
                    new_register(thread), from);
}

static void load_counter(struct sample_thread *thread) {
    if (thread->loaded_count < SAMPLE_LOADS)
        sample_line(thread, "ld.relaxed.cluster.shared.b64 %s, [r]", new_register(thread));
}

static void wait_for_phase(struct sample_thread *thread, struct random *random) {
    static const char *const orders[] = {"", ".relaxed.cta", ".relaxed.cta", ".relaxed.cluster",
                                         ".acquire.cluster"};
    unsigned number = thread->next_register++;
    sample_line(thread, "mbarrier.try_wait.parity%s.shared.b64 %%w%u, [m], 0",
                orders[random_below(random, 5)], number);
    sample_line(thread, "@!%%w%u exit", number);
}

static void fence(struct sample_thread *thread, struct random *random) {
    static const char *const fences[] = {"acq_rel", "acq_rel", "acq_rel",
                                         "sc",      "release", "acquire"};
    static const char *const scopes[] = {"gpu", "gpu", "gpu", "sys", "cluster", "cta"};
    if (random_chance(random, 92))
        sample_line(thread, "fence.%s.%s", fences[random_below(random, 6)],
                    scopes[random_below(random, 6)]);
}

static void reduce(struct sample_thread *thread) {
    unsigned number = thread->next_register++;
    sample_line(thread, "mapa.shared::cluster.u32 %%r%u, r, 1", number);
    sample_line(thread, "mapa.shared::cluster.u32 %%m%u, m, 1", number);
    sample_line(thread,
                "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 "
                "[%%r%u], 1, [%%m%u]",
                number, number);
}

static void store(struct sample_thread *thread) {
    unsigned number = thread->next_register++;
    sample_line(thread, "mapa.shared::cluster.u32 %%t%u, t, 1", number);
    sample_line(thread, "mapa.shared::cluster.u32 %%m%u, m, 1", number);
    sample_line(thread,
                "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%%t%u], {3, 4}, "
                "[%%m%u]",
                number, number);
}

static void arrive_in_ctas(struct sample_thread *thread, struct random *random) {
    static const char *const orders[] = {".release.cluster", ".release.cluster", ".relaxed.cluster",
                                         ".release.cta", ""};
    unsigned number = thread->next_register++;
    sample_line(thread, "mapa.shared::cluster.u32 %%m%u, m, %u", number, random_below(random, 2));
    sample_line(thread,
                "mbarrier.arrive%s%s.shared::cluster.multicast::cluster::32b.b64 _, [%%m%u]%s, %u",
                random_chance(random, 20) ? "_drop" : "", orders[random_below(random, 5)], number,
                random_chance(random, 30) ? ", 1" : "",
                random_chance(random, 70) ? 3 : 1 + random_below(random, 2));
}

static void load_readonly(struct sample_thread *thread, int location) {
    if (thread->loaded_count < SAMPLE_LOADS)
        sample_line(thread, "ld.proxy::readonly.global.b64 %s, [%c]", new_register(thread),
                    'x' + (location < 0 ? 0 : location));
}

static void access_mmio(struct sample_thread *thread, char letter, int location,
                        struct random *random) {
    static const char *const stores[] = {"st.mmio.release", "st.mmio.release", "st.mmio.relaxed",
                                         "st.async.mmio.release"};
    char place = (char)('x' + (location < 0 ? 0 : location));
    if (letter == 'V')
        sample_line(thread, "%s.sys.global.b64 [%c], %u", stores[random_below(random, 4)], place,
                    1 + random_below(random, 2));
    else if (thread->loaded_count < SAMPLE_LOADS)
        sample_line(thread, "ld.mmio.%s.sys.global.b64 %s, [%c]",
                    random_chance(random, 70) ? "acquire" : "relaxed", new_register(thread), place);
}

static void access_fabric(struct sample_thread *thread, char letter, const struct sample_mood *mood,
                          struct random *random) {
    bool loads = letter == '1' || letter == '3';
    const char *place = letter < '2' ? "w" : "v";
    char order[24];
    sample_order(order, sizeof order, loads ? "acquire" : "release", mood, random);
    if (!loads)
        sample_line(thread, "st%s.global.b64 [%s], %u", order, place, 1 + random_below(random, 2));
    else if (thread->loaded_count < SAMPLE_LOADS)
        sample_line(thread, "ld%s.global.b64 %s, [%s]", order, new_register(thread), place);
}

static void fence_fabric(struct sample_thread *thread, char letter, struct random *random) {
    static const char letters[] = "XEJKST";
    static const char *const kinds[] = {"generic::fabric", "fabric::generic", "fabric::fabric"};
    unsigned index = (unsigned)(strchr(letters, letter) - letters);
    unsigned kind = random_chance(random, 92) ? index / 2 : random_below(random, 3);
    if (random_chance(random, 92))
        sample_line(thread, "fence.proxy.%s.alias.%s.sys", kinds[kind],
                    index % 2 ? "acquire" : "release");
}

static void special(struct sample *sample, struct sample_thread *thread, char letter, int location,
                    const struct sample_mood *mood, struct random *random) {
    switch (letter) {
    case 'u': bulk_store(thread, "[f], [s]", random); break;
    case 'v': bulk_store(thread, "[f], [t]", random); break;
    case 'k': bulk_store(thread, "[h], [s]", random); break;
    case 'i': sample_line(thread, "cp.async.bulk.commit_group"); break;
    case 'j':
        sample_line(thread, "cp.async.bulk.wait_group%s 0",
                    random_chance(random, 30) ? ".read" : "");
        break;
    case 'd': bulk_load(sample, thread, "s", random); break;
    case 'b': bulk_load(sample, thread, "t", random); break;
    case 'm': sample_line(thread, "mbarrier.arrive.expect_tx.shared.b64 _, [m], 16"); break;
    case 't': wait_for_phase(thread, random); break;
    case 'l': load(thread, "t"); break;
    case 'n': load(thread, "s"); break;
    case 'q': load(thread, "f"); break;
    case 'a': fence(thread, random); break;
    case '8': reduce(thread); break;
    case 'p': store(thread); break;
    case '7': arrive_in_ctas(thread, random); break;
    case 'V':
    case 'N': access_mmio(thread, letter, location, random); break;
    case '0':
    case '1':
    case '2':
    case '3': access_fabric(thread, letter, mood, random); break;
    case 'X':
    case 'E':
    case 'J':
    case 'K':
    case 'S':
    case 'T': fence_fabric(thread, letter, random); break;
    case 'O': load_readonly(thread, location); break;
    case '9': load_counter(thread); break;
    case 'g': sample_line(thread, "griddepcontrol.launch_dependents"); break;
    case 'e': sample_line(thread, "griddepcontrol.wait"); break;
    default: sample_barrier(sample, thread, letter, location, mood, random); break;
    }
}

// The last thread in another grid, which depends on that of the others.
static void place_in_grids(struct sample *sample, struct random *random) {
    for (unsigned t = 0; t < sample->thread_count; t++) {
        sample->thread[t].grid = t + 1 == sample->thread_count;
        sample->thread[t].cta = random_chance(random, 75) ? 0 : t;
    }
    snprintf(sample->grid_order[sample->grid_order_count++], sizeof sample->grid_order[0],
             "grid 1 after 0%s", random_chance(random, 95) ? " programmatic" : "");
}

// The first one in a CTA of rank 0, the last in that of rank 1 of its cluster, or in that of the
// first, or on its own.
static void place(struct sample *sample, bool clusters, bool together, struct random *random) {
    bool apart = !clusters && !together && random_chance(random, 60);
    for (unsigned t = 0; t < sample->thread_count; t++) {
        struct sample_thread *thread = &sample->thread[t];
        thread->cta =
            t > 0 && !together && (t + 1 == sample->thread_count || random_chance(random, 50));
        thread->has_cluster = true;
        thread->cluster = apart ? thread->cta : 0;
        thread->gpu = apart && random_chance(random, 15) ? thread->cta : 0;
    }
}

void sample_later(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    static const char *const declared[] = {".global .align 16 .b64 f[2] = {0, 0}",
                                           ".global .align 16 .b64 h[2] = {0, 0}",
                                           ".shared .align 16 .b64 s[2] = {1, 1}",
                                           ".shared .align 16 .b64 t[2] = {2, 2}",
                                           ".shared .b64 r = 0",
                                           ".global .align 16 .b64 k = 9",
                                           ".global .b64 v = 0",
                                           "w @ fabric aliases v",
                                           "mbarrier m = 1"};
    const char *shape = shapes[random_below(random, sizeof shapes / sizeof shapes[0])];
    sample->initialised = true;
    sample->ignores = strpbrk(shape, "vd") == NULL;
    sample->bits = 64;
    for (unsigned l = 0; l < SAMPLE_LOCATIONS; l++)
        sample->type[l] = "b64";
    sample->location_count = SAMPLE_LOCATIONS;
    for (size_t i = 0; i < sizeof declared / sizeof declared[0]; i++)
        snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0],
                 "%s", declared[i]);
    snprintf(sample->shown[sample->shown_count++], sizeof sample->shown[0], "f[0]");
    if (strchr(shape, 'k') != NULL)
        snprintf(sample->shown[sample->shown_count++], sizeof sample->shown[0], "h[0]");
    if (strpbrk(shape, "0123") != NULL)
        snprintf(sample->shown[sample->shown_count++], sizeof sample->shown[0], "v");
    if (strchr(shape, 'p') != NULL && random_chance(random, 60))
        sample->version = "9.3";
    sample->thread_count = sample_shape_threads(shape);
    sample_shape(sample, shape, mood, special, random);
    if (strchr(shape, 'g') != NULL)
        place_in_grids(sample, random);
    else
        place(sample, strpbrk(shape, "78p") != NULL, strchr(shape, 'k') != NULL, random);
}
