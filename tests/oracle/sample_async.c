// Random tests of asynchronous copies: cp.async with groups and arrivals, bulk copies with
// transactions and groups, proxy fences between, in one CTA or two, and what goes wrong with them.
#include "tests/oracle/sample.h"

#include <string.h>

// c, d and e are cp.async to s, t and s; o commits, p waits for groups, a for all, v arrives. b and
// k are bulk loads to s and t, u and h bulk stores of s; i commits, j waits. m is an arrival that
// expects bytes, n one that does not, t a wait for the phase, after which the thread may exit. s
// and l store and load s, g and q the global array, f is a proxy fence, I mbarrier.init; B is a
// barrier. z fills s with zeros. 1 is st.async to the other CTA, 2 a multicast to it or to both, 3
// a copy of s there, 4 a reduction, 8 red.async on s there; 9 and 0 are a strong load of s and a
// red on it. 5 is a bulk reduction of the global array, 6 a red. Y, with a location, is st.async or
// red.async with .release. $ is a try_cancel with answers in t of all CTAs, % one in t of its own,
// and & a load of t.
// * is a product of matrices of s and t, + one of t with A in registers, [ wgmma.fence, ] commits,
// _ waits, = stores what the product gave. ^ and ~ are tensor copies to s and from it, !
// replaces the address of their tensormap, @ is a fence of its proxy. ( and ) are copies of four
// rows or of a column of pixels, ? is a load for a pair of CTAs, whose mbarrier is in the other
// one, and # an arrival that expects the bytes of two. Other letters as in sample.c.
static const char *const shapes[] = {
    "c o p l",
    "c o d o p l",
    "c l",
    "c a l",
    "c p l",
    "c a B|B l",
    "c o p B|B l",
    "c B|B l",
    "c v|t l",
    "c v n|t l",
    "s B c v|B t l",
    "g B|B c a l",
    "g Lx|Qx c a l",
    "l c a",
    "l B|B c a",
    "c e a l",
    "c o e o p l",
    "Wx c v|t Rx",
    "Wx c a Ly|Qy Rx",
    "s c v|t l",
    "c a Lx|Qx l",
    "c v t l",
    "m b t l",
    "m b l",
    "m b|t l",
    "b|m t l",
    "b m t l",
    "n b|t l",
    "l f m b",
    "l m b",
    "l B|B f m b",
    "l f B|B m b",
    "Wx m b|t Rx",
    "Wx b|m t Rx",
    "g f m b t l",
    "g m b t l",
    "g Lx|Qx f m b t l",
    "g f Lx|Qx m b t l",
    "s f u i j q",
    "s u i j q",
    "s f B|B u i j q",
    "s B|B f u i j q",
    "s f u i j Lx|Qx q",
    "s f u i j s",
    "s f u i s",
    "m b t u i j q",
    "m b t f u i j q",
    "c a f u i j q",
    "c a u i j q",
    "m b k t l",
    "u i h i j q",
    "u i m b",
    "u i j m b",
    "I m b t l",
    "I B m b|B t l",
    "m b t s",
    "m b t B|B s l",
    "Qx m b|Lx",
    "m b t Lx|Qx l",
    "u i j Lx|Qx g",
    "c F Lx|Qx l",
    "m b|t F Lx|Qx l",
    "c v|t Lx|Qx l",
    "m b t B c a l|B l",
    "1|m t l",
    "2|m t l",
    "3|m t l",
    "2|m t f u i j q",
    "3|m t u i j q",
    "s f 3|m t l",
    "s 3|m t l",
    "1|m t s",
    "Wx 1|m t Rx",
    "2 l|m t",
    "l Lx|Qx f 2",
    "l Lx|Qx 2",
    "l f Lx|Qx 2",
    "z l",
    "s z l",
    "z B|B l",
    "z|l",
    "z Lx|Qx l",
    "z f m b t l",
    "z m b t l",
    "z f Lx|Qx m b t l",
    "m b|t z l",
    "z f u i j q",
    "z u i j q",
    "u i z",
    "c a z l",
    "z B|B c a l",
    "l z|s",
    "s f 5|s f 5",
    "s f 5|s f 5",
    "s f 5 i j q",
    "s 5 i j q",
    "s f 5|6",
    "s f 5 i j Lx|Qx 6",
    "s f 5 i j Lx|Qx f 5 i j q",
    "s f 5 5 i j q",
    "g f 5 i j q",
    "g s f 5|q",
    "s f 5|s f u",
    "s f 5 i j s",
    "m b t 5 i j q",
    "5 i j f m b t l",
    "s f B|B 5 i j Lx|Qx q",
    "Wx s f 5|q Rx",
    "s f 4|m t l",
    "s f 4|m t l",
    "4|m t l",
    "s f 4|s m t l",
    "s f 4|m t u i j q",
    "8 8|m t l",
    "8|m t l|8",
    "8 8|m t 9",
    "8|m t 0 l",
    "8 8|m 0 t 9",
    "Wx 8 8|m t Rx",
    "8|9 Lx|Qx 9",
    "8|0 9",
    "8|9 s",
    "Wx Yy|Qy Rx",
    "Wx Yy|Qy Lx|Qx Ry",
    "Rx Yy|Qy Wx",
    "Yx Wy|Qy Rx",
    "Wx Yx|Rx Rx",
    "Yx Yx|Rx Rx",
    "Yx Rx|Wx",
    "Yx Dx|Qx Rx",
    "Wx Yy|Dy|Qy Rx",
    "g Yx|Qx m b t l",
    "g f Yx|Qx m b t l",
    "m b Yx|Qx t l",
    "m b t Yx|Qx l",
    "Yx Lx|Qx m b t l",
    "s f [ * ] _ =",
    "s [ * ] _ =",
    "s f * ] _ =",
    "[ s f * ] _ =",
    "s f [ * ] = _",
    "s f [ * * ] _ =",
    "s f [ * ] * ] _ =",
    "s f [ * ] _ * ] _ =",
    "[ * ] _ s",
    "[ * ] s",
    "[ * ] _ B|B s",
    "[ * ] B|B s",
    "s B|B f [ * ] _ =",
    "s f B|B [ * ] _ =",
    "m b t [ * ] _ =",
    "m b|t [ * ] _ =",
    "[ * ] _ m b",
    "[ * ] _ n|t m b",
    "s f Lx|Qx [ * ] _ =",
    "[ * ] _ Lx|Qx s",
    "[ + ] _ =",
    "s f [ + [ * ] _ =",
    "[ * ] _ = Lx|Qx s",
    "c a f [ * ] _ =",
    "m ^ t l",
    "^|m t l",
    "g f m ^ t l",
    "g m ^ t l",
    "s f ~ i j q",
    "s ~ i j q",
    "s f ~ i j Lx|Qx f m ^ t l",
    "s f ~ i j s",
    "! @ Lx|Qx @ m ^ t l",
    "! @ Lx|Qx @ m ^ t l",
    "! Lx|Qx @ m ^ t l",
    "! @ Lx|Qx m ^ t l",
    "! @ m ^ t l",
    "m ^ t !",
    "~ i j !",
    "! @ Lx|Qx @ s f ~ i j q",
    "! ^|m t l",
    "m ^ i j ! t l",
    "m ^ i j ! t l",
    "m ^ i ! j t l",
    "^ i j Lx|Qx !",
    "( t l",
    "g f ( t l",
    "g ( t l",
    "( t B|B l",
    "s f ) i j q",
    "s f ) i j q",
    "s ) i j q",
    "s f )|s f )",
    "?|m t l",
    "?|# t l",
    "?|m t Lx|Qx l",
    "Wx ?|# t Rx",
    "& Lx|Qx $",
    "& Lx|Qx f $",
    "& f Lx|Qx $",
    "$|m t &",
    "$ &|m t",
    "Wx $|m t Rx",
    "m % t & B|B &",
    "Wx m % t & Rx",
};

static void copy(struct sample_thread *thread, char letter, struct random *random) {
    const char *target = letter == 'd' ? "t" : "s", *source = letter == 'e' ? "h" : "g";
    if (random_chance(random, 10))
        sample_line(thread, "cp.async.ca.shared.global [%s], [%s], 8, 0", target, source);
    else if (thread->loaded_count > 0 && random_chance(random, 15)) {
        unsigned number = thread->next_register++;
        sample_line(thread, "setp.eq.b64 %%p%u, %s, 0", number, sample_loaded(thread, random));
        sample_line(thread, "cp.async.ca.shared.global [%s], [%s], 8, %s%%p%u", target, source,
                    random_chance(random, 50) ? "!" : "", number);
    } else
        sample_line(thread, "cp.async.ca.shared.global [%s], [%s], 8", target, source);
}

static void bulk_load(struct sample_thread *thread, const char *target, struct random *random) {
    sample_line(thread,
                "cp.async.bulk.shared::%s.global.mbarrier::complete_tx::bytes [%s], [g], 16, [m]",
                random_chance(random, 50) ? "cta" : "cluster", target);
}

static char *new_register(struct sample_thread *thread) {
    char *name = thread->loaded[thread->loaded_count++];
    snprintf(name, sizeof thread->loaded[0], "%%rd%u", thread->next_register++);
    sample_first_line(thread, "mov.b64 %s, 7", name);
    return name;
}

static void load(struct sample_thread *thread, const char *place) {
    if (thread->loaded_count < SAMPLE_LOADS)
        sample_line(thread, "ld.%s %s, [%s]", *place == 'g' ? "global.b64" : "shared.b64",
                    new_register(thread), place);
}

static void wait_for_phase(struct sample_thread *thread, struct random *random) {
    static const char *const orders[] = {
        "", "", ".acquire.cluster", ".acquire.cta", ".acquire.cluster", ".relaxed.cta"};
    if (thread->loaded_count == SAMPLE_LOADS)
        return;
    unsigned number = thread->next_register++;
    sample_line(thread, "mbarrier.try_wait.parity%s.shared.b64 %%w%u, [m], 0",
                orders[random_below(random, 6)], number);
    if (random_chance(random, 70))
        sample_line(thread, "@!%%w%u exit", number);
    sample_line(thread, "selp.b64 %s, 1, 0, %%w%u", new_register(thread), number);
}

static void arrive(struct sample_thread *thread, bool expects, struct random *random) {
    const char *order = random_chance(random, 80) ? "" : ".relaxed.cta";
    if (expects)
        sample_line(thread, "mbarrier.arrive.expect_tx%s.shared.b64 _, [m], %u", order,
                    random_chance(random, 90) ? 16 : 32);
    else
        sample_line(thread, "mbarrier.arrive%s.shared.b64 _, [m]", order);
}

static void fence(struct sample_thread *thread, struct random *random) {
    static const char *const spaces[] = {"", "", "", ".global", ".shared::cta", ".shared::cluster"};
    if (random_chance(random, 85))
        sample_line(thread, "fence.proxy.async%s", spaces[random_below(random, 6)]);
}

static void wait_for_group(struct sample_thread *thread, bool bulk, struct random *random) {
    sample_line(thread, "cp.async%s.wait_group%s %u", bulk ? ".bulk" : "",
                bulk && random_chance(random, 40) ? ".read" : "", random_chance(random, 25));
}

// What is loaded of an answer is not known, and no condition asks for it.
static void cancel(struct sample_thread *thread, char letter, struct random *random) {
    if (letter == '&')
        sample_line(thread, "ld.shared.b64 %%n%u, [t%s]", thread->next_register++,
                    random_chance(random, 70) ? "" : "+8");
    else
        sample_line(
            thread,
            "clusterlaunchcontrol.try_cancel.async%s.mbarrier::complete_tx::bytes%s.b128 [t], [m]",
            random_chance(random, 70) ? ".shared::cta" : "",
            letter == '$' ? ".multicast::cluster::all" : "");
}

static void store(struct sample_thread *thread, bool shared, struct random *random) {
    sample_line(thread, "st.%s.b64 [%s], %u", shared ? "shared" : "global", shared ? "s" : "g",
                2 + random_below(random, 2));
}

static void fill(struct sample_thread *thread, struct random *random) {
    sample_line(thread, "st.bulk.shared::cta [s%s",
                random_chance(random, 80)   ? "], 16, 0"
                : random_chance(random, 50) ? "], 8, 0"
                                            : "+8], 8, 0");
}

// Whether g and h have a multimem address, gm.
static bool has_multimem(const struct sample *sample) {
    for (unsigned i = 0; i < sample->declaration_count; i++)
        if (strncmp(sample->declaration[i], "multimem ", 9) == 0)
            return true;
    return false;
}

// A store of all bytes or of some, to g or to g and h.
static void bulk_store(struct sample *sample, struct sample_thread *thread, struct random *random) {
    static const char *const masks[] = {"255", "0xff00", "0xffff", "0", "0x0f0f"};
    bool masked = random_chance(random, 20);
    bool both = has_multimem(sample) && random_chance(random, 50);
    sample_line(thread, "%scp.async.bulk.global.shared::cta.bulk_group%s [%s], [s], 16%s%s",
                both ? "multimem." : "", masked ? ".cp_mask" : "", both ? "gm" : "g",
                masked ? ", " : "", masked ? masks[random_below(random, 5)] : "");
}

static void reduce(struct sample *sample, struct sample_thread *thread, struct random *random) {
    static const char *const operations[] = {"add.u64", "add.u64", "add.u64", "max.u64",
                                             "min.s64", "or.b64",  "xor.b64"};
    bool both = has_multimem(sample) && random_chance(random, 50);
    sample_line(thread, "%scp.reduce.async.bulk.global.shared::cta.bulk_group.%s [%s], [s], 16",
                both ? "multimem." : "", operations[random_below(random, 7)], both ? "gm" : "g");
}

static void generic_reduce(struct sample_thread *thread, struct random *random) {
    static const char *const scopes[] = {"cta", "gpu", "gpu", "sys"};
    sample_line(thread, "red.relaxed.%s.global.add.u64 [g], 1", scopes[random_below(random, 4)]);
}

// The map by its name, or by its address in a register, as in a kernel.
static const char *name_map(struct sample_thread *thread, char *text, size_t size,
                            struct random *random) {
    unsigned number;
    if (random_chance(random, 70))
        return "map";
    number = thread->next_register++;
    sample_line(thread, "mov.u64 %%map%u, map", number);
    snprintf(text, size, "%%map%u", number);
    return text;
}

// Only loads begin before their tensor (PTX ISA 9.7.9.26.5.1 of PTX 9.3).
static const char *place_for(bool load, const char *place) {
    return load || place[0] != '-' ? place : "0";
}

static void copy_tile(struct sample_thread *thread, bool load, struct random *random) {
    static const char *const places[] = {"0", "0", "0", "1", "-1", "2"};
    const char *place = place_for(load, places[random_below(random, 6)]);
    char text[16];
    const char *map = name_map(thread, text, sizeof text, random);
    if (load)
        sample_line(thread,
                    "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [s], "
                    "[%s, {%s}], [m]",
                    map, place);
    else if (random_chance(random, 30))
        sample_line(thread,
                    "cp.reduce.async.bulk.tensor.1d.global.shared::cta.bulk_group.%s [%s, {%s}], "
                    "[s]",
                    random_chance(random, 50) ? "or" : "xor", map, place);
    else
        sample_line(thread, "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%s, {%s}], [s]",
                    map, place);
}

// A load is with an arrival that expects it.
static void copy_column(struct sample_thread *thread, bool load, struct random *random) {
    static const char *const places[] = {"-1", "0", "0"};
    const char *place = place_for(load, places[random_below(random, 3)]);
    const char *image = random_chance(random, 70) ? "0" : "1";
    if (load) {
        sample_line(thread, "mbarrier.arrive.expect_tx.shared.b64 _, [m], 48");
        sample_line(
            thread,
            "cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes "
            "[s], [pixels, {0, %s, %s}], [m], {%u}",
            place, image, random_below(random, 3));
        return;
    }
    bool adds = random_chance(random, 30);
    sample_line(thread,
                "cp.%sasync.bulk.tensor.3d.global.shared::cta%s.im2col_no_offs.bulk_group "
                "[pixels, {0, %s, %s}], [s]",
                adds ? "reduce." : "", adds ? ".xor" : "", place, image);
}

// A load is with an arrival that expects it.
static void copy_rows(struct sample_thread *thread, bool load, struct random *random) {
    static const char *const rows[] = {"0", "0", "1", "1", "7", "-1"};
    char places[20];
    snprintf(places, sizeof places, "%d, %s, %s, %s, %s", (int)random_below(random, 2),
             place_for(load, rows[random_below(random, 6)]),
             place_for(load, rows[random_below(random, 6)]),
             place_for(load, rows[random_below(random, 6)]),
             place_for(load, rows[random_below(random, 6)]));
    if (load) {
        sample_line(thread, "mbarrier.arrive.expect_tx.shared.b64 _, [m], %u",
                    random_chance(random, 90) ? 64 : 16);
        sample_line(thread,
                    "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx"
                    "::bytes [s], [rows, {%s}], [m]",
                    places);
    } else {
        // Each row once in a reduction: the oracle tries its elements in every order.
        bool adds = random_chance(random, 30);
        if (adds)
            snprintf(places, sizeof places, "%d, %s", (int)random_below(random, 2),
                     random_chance(random, 50) ? "1, 0, 7, 3" : "3, 7, 0, 2");
        sample_line(thread,
                    "cp.%sasync.bulk.tensor.2d.global.shared::cta%s.tile::scatter4.bulk_group "
                    "[rows, {%s}], [s]",
                    adds ? "reduce." : "", adds ? ".xor" : "", places);
    }
}

static void change_map(struct sample_thread *thread, struct random *random) {
    static const char *const fields[] = {
        "rank.global.b1024.b32 [map], 0", "global_dim.global.b1024.b32 [map], 0, 2",
        "fill_mode.global.b1024.b32 [map], 0", "global_dim.global.b1024.b32 [map], 0, 1",
        "global_dim.global.b1024.b32 [map], 0, 1"};
    unsigned number = thread->next_register++;
    if (random_chance(random, 25)) {
        sample_line(thread, "tensormap.replace.tile.%s", fields[random_below(random, 5)]);
        return;
    }
    sample_line(thread, "mov.u64 %%base%u, h", number);
    if (random_chance(random, 60)) {
        sample_line(thread,
                    "tensormap.replace.tile.global_address.global.b1024.b64 [map], %%base%u",
                    number);
        return;
    }
    if (random_chance(random, 70))
        sample_line(thread,
                    "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [own], %%base%u",
                    number);
    if (random_chance(random, 40))
        sample_line(thread, "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [own], 0, 1");
    sample_line(thread,
                "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.%s."
                "sync.aligned [map], [own], 128",
                random_chance(random, 70) ? "gpu" : "cta");
}

static void fence_map(const struct sample *sample, struct sample_thread *thread,
                      struct random *random) {
    const char *scope = random_chance(random, 75) ? "gpu" : "cta";
    bool releases = thread == &sample->thread[0] && random_chance(random, 80);
    bool alone = sample->thread_count == 1;
    if (releases)
        sample_line(thread, "fence.proxy.tensormap::generic.release.%s", scope);
    if (!releases || alone)
        sample_line(thread, "fence.proxy.tensormap::generic.acquire.%s [map], 128", scope);
}

// A multicast to CTAs, with a mask of 16 or 32 bits.
static const char *to_ctas(struct random *random) {
    static const char *const qualifiers[] = {".multicast::cluster", ".multicast::cluster",
                                             ".multicast::cluster::16b",
                                             ".multicast::cluster::32b"};
    return qualifiers[random_below(random, 4)];
}

// The place and the mbarrier in the CTA of rank 1.
static void map_to_other(struct sample_thread *thread) {
    sample_line(thread, "mapa.shared::cluster.u32 %%os, s, 1");
    sample_line(thread, "mapa.shared::cluster.u32 %%om, m, 1");
}

static void reach_other(struct sample_thread *thread, char letter, struct random *random) {
    if (letter == '2') {
        sample_line(thread,
                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes%s [s], [g], "
                    "16, [m], %u",
                    to_ctas(random), random_chance(random, 70) ? 2 : 3);
        return;
    }
    map_to_other(thread);
    if (letter == '8')
        sample_line(
            thread,
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 "
            "[%%os], %u, [%%om]",
            1 + random_below(random, 2));
    else if (letter == '3')
        sample_line(thread,
                    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                    "[%%os], [s], 16, [%%om]");
    else if (letter == '4')
        sample_line(thread, "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx"
                            "::bytes.add.u64 [%%os], [s], 16, [%%om]");
    else
        sample_line(thread, "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%%os], "
                            "{3, 4}, [%%om]");
}

static void load_for_pair(struct sample_thread *thread, struct random *random) {
    bool multicast = random_chance(random, 50);
    map_to_other(thread);
    sample_line(thread,
                "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes%s."
                "cta_group::%u [s], [map, {0}], [%%om]%s",
                multicast ? to_ctas(random) : "", random_chance(random, 85) ? 2 : 1,
                !multicast                  ? ""
                : random_chance(random, 50) ? ", 3"
                                            : ", 2");
}

static void release(struct sample_thread *thread, int location, struct random *random) {
    bool adds = random_chance(random, 40);
    sample_line(thread, "%s.async.release.%s.global%s [%c], %u", adds ? "red" : "st",
                random_chance(random, 80) ? "gpu" : "sys", adds ? ".add.u64" : ".b64",
                'x' + (location < 0 ? 0 : location), 1 + random_below(random, 3));
}

// The descriptor of a matrix at the beginning of a variable, in a register of its own.
static void describe(struct sample_thread *thread, const char *name, const char *place) {
    sample_line(thread, "mov.u64 %s, %s", name, place);
    sample_line(thread, "shr.u64 %s, %s, 4", name, name);
}

static void multiply(struct sample_thread *thread, bool in_registers, struct random *random) {
    static const char *const kinds[] = {"u8.u8",           "s8.u8",          "u8.s8",
                                        "u8.u8.satfinite", "b1.b1.and.popc", "s8.s8"};
    const char *scale = random_chance(random, 50) ? "0" : "1";
    const char *kind = kinds[random_below(random, 6)];
    bool bits = kind[0] == 'b';
    for (unsigned i = 0; i < 4; i++) {
        char line[40];
        snprintf(line, sizeof line, "mov.b32 %%d%u, 1", i);
        sample_first_line(thread, "%s", line);
        snprintf(line, sizeof line, "mov.b32 %%a%u, 3", i);
        if (in_registers)
            sample_first_line(thread, "%s", line);
    }
    if (!in_registers)
        describe(thread, "%sa", random_chance(random, 80) ? "s" : "s+0");
    describe(thread, "%sb", "t");
    sample_line(
        thread,
        "wgmma.mma_async.sync.aligned.m64n8k%s.s32.%s {%%d0, %%d1, %%d2, %%d3}, %s, %%sb, %s",
        bits ? "256" : "32", kind, in_registers ? "{%a0, %a1, %a2, %a3}" : "%sa", scale);
}

static void show_product(struct sample_thread *thread) {
    if (thread->loaded_count == SAMPLE_LOADS)
        return;
    const char *name = new_register(thread);
    sample_line(thread, "cvt.u64.u32 %s, %%d0", name);
}

static void special(struct sample *sample, struct sample_thread *thread, char letter, int location,
                    const struct sample_mood *mood, struct random *random) {
    switch (letter) {
    case 'c':
    case 'd':
    case 'e': copy(thread, letter, random); break;
    case 'o': sample_line(thread, "cp.async.commit_group"); break;
    case 'p': wait_for_group(thread, false, random); break;
    case 'a': sample_line(thread, "cp.async.wait_all"); break;
    case 'v':
        sample_line(thread, "cp.async.mbarrier.arrive%s.shared.b64 [m]",
                    sample->barriers.counted ? "" : ".noinc");
        break;
    case 'b': bulk_load(thread, "s", random); break;
    case 'k': bulk_load(thread, "t", random); break;
    case 'u': bulk_store(sample, thread, random); break;
    case 'h':
        sample_line(thread, "cp.async.bulk.global.shared::cta.bulk_group [h], [s], 16");
        break;
    case '^':
    case '~': copy_tile(thread, letter == '^', random); break;
    case '(':
    case ')':
        if (random_chance(random, 40))
            copy_column(thread, letter == '(', random);
        else
            copy_rows(thread, letter == '(', random);
        break;
    case '?': load_for_pair(thread, random); break;
    case '#': sample_line(thread, "mbarrier.arrive.expect_tx.shared.b64 _, [m], 32"); break;
    case '!': change_map(thread, random); break;
    case '@': fence_map(sample, thread, random); break;
    case '5': reduce(sample, thread, random); break;
    case '6': generic_reduce(thread, random); break;
    case 'i': sample_line(thread, "cp.async.bulk.commit_group"); break;
    case 'j': wait_for_group(thread, true, random); break;
    case 'm': arrive(thread, true, random); break;
    case 'n': arrive(thread, false, random); break;
    case 't': wait_for_phase(thread, random); break;
    case 's': store(thread, true, random); break;
    case 'g': store(thread, false, random); break;
    case 'l': load(thread, random_chance(random, 80) ? "s" : "s+8"); break;
    case 'q': load(thread, "g"); break;
    case 'f': fence(thread, random); break;
    case 'z': fill(thread, random); break;
    case '$':
    case '%':
    case '&': cancel(thread, letter, random); break;
    case 'B': sample_line(thread, "bar.sync 0"); break;
    case '1':
    case '2':
    case '3':
    case '4':
    case '8': reach_other(thread, letter, random); break;
    case '9':
        if (thread->loaded_count < SAMPLE_LOADS)
            sample_line(thread, "ld.relaxed.cluster.shared.b64 %s, [s]", new_register(thread));
        break;
    case '0': sample_line(thread, "red.relaxed.cluster.shared.add.u64 [s], 5"); break;
    case 'Y': release(thread, location, random); break;
    case '*':
    case '+': multiply(thread, letter == '+', random); break;
    case '[':
        if (random_chance(random, 90))
            sample_line(thread, "wgmma.fence.sync.aligned");
        break;
    case ']': sample_line(thread, "wgmma.commit_group.sync.aligned"); break;
    case '_':
        sample_line(thread, "wgmma.wait_group.sync.aligned %u", random_chance(random, 20));
        break;
    case '=': show_product(thread); break;
    case 'I': sample_line(thread, "mbarrier.init.shared.b64 [m], 1"); break;
    default: sample_barrier(sample, thread, letter, location, mood, random); break;
    }
}

static void declare(struct sample *sample, const char *text) {
    snprintf(sample->declaration[sample->declaration_count++], sizeof sample->declaration[0], "%s",
             text);
}

// A CTA for each thread, of one cluster.
static void place_in_cluster(struct sample *sample) {
    for (unsigned t = 0; t < sample->thread_count; t++) {
        sample->thread[t].has_cluster = true;
        sample->thread[t].cta = t;
        sample->thread[t].cluster = sample->thread[t].gpu = 0;
    }
}

void sample_async(struct sample *sample, const struct sample_mood *mood, struct random *random) {
    const char *shape = shapes[random_below(random, sizeof shapes / sizeof shapes[0])];
    bool counted = strstr(shape, "v n") != NULL || random_chance(random, 15);
    sample->initialised = true;
    sample->bits = 64;
    for (unsigned l = 0; l < SAMPLE_LOCATIONS; l++)
        sample->type[l] = "b64";
    sample->location_count = 2;
    sample->thread_count = sample_shape_threads(shape);
    sample_place(sample, strchr(shape, 'x') && random_chance(random, 60) ? 1 : 0, false, random);
    if (strpbrk(shape, "12348$?"))
        place_in_cluster(sample);
    declare(sample, strchr(shape, 'I') ? ".shared .b64 m = 0" : "mbarrier m = 1");
    declare(sample, strpbrk(shape, "()") ? ".global .align 16 .b64 g[4] = {1, 1, 5, 6}"
                                         : ".global .align 16 .b64 g[2] = {1, 1}");
    declare(sample, ".global .align 16 .b64 h[2] = {4, 4}");
    if (strpbrk(shape, "u5") && !strpbrk(shape, "()") && random_chance(random, 25))
        declare(sample, "multimem gm = g, h");
    declare(sample, strpbrk(shape, "()") ? ".shared .align 128 .b64 s[8] = {0, 0, 2, 3, 4, 5, 6, 7}"
                    : strpbrk(shape, "^~!@?") ? ".shared .align 128 .b64 s[2] = {0, 0}"
                                              : ".shared .align 16 .b64 s[2] = {0, 0}");
    if (strpbrk(shape, "()"))
        declare(sample, "tensormap rows = g, {2, 2}, {2, 1}");
    if (strpbrk(shape, "()"))
        declare(sample, "tensormap pixels = g, {2, 1, 2}, im2col {-1}, {0}, 2, 3");
    if (strpbrk(shape, "^~!@?")) {
        declare(sample, "tensormap map = g, 2");
        declare(sample, random_chance(random, 80) ? ".shared tensormap own = g, 2"
                                                  : ".shared tensormap own = g, 1, 2");
    }
    declare(sample, strpbrk(shape, "*+") ? ".shared .align 16 .b64 t[2] = {5, 5}"
                                         : ".shared .align 16 .b64 t[2] = {0, 0}");
    declare(sample, ".global .b64 x = 0");
    sample->barriers.counted = counted;
    sample->barriers.count = sample->thread_count;
    if (random_chance(random, 50))
        snprintf(sample->shown[sample->shown_count++], sizeof sample->shown[0], "g[0]");
    sample_shape(sample, shape, mood, special, random);
    bool ends = strpbrk(shape, "12348$?") != NULL, end = !ends && random_chance(random, 25);
    for (unsigned t = 0; t < sample->thread_count; t++)
        if (end || (ends && random_chance(random, 60)))
            sample_line(&sample->thread[t], "exit");
}
