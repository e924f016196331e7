// Waiting loops of a whole CTA: random programs of two CTAs with one to three threads each, with
// barriers left out, doubled and moved, have the outcomes and flags of the same ones with two and
// with three rounds written out; and some in which the thread that polls takes the flag back. For
// its arguments see rounds.h; `taking` before them: only the latter.
#include "rounds.h"

#include <string.h>

static bool takes;

static const char *access_text(uint64_t *seed) {
    static const char *const texts[] = {
        "",
        "st.weak.global.u32 [x], 1;\n",
        "ld.weak.global.u32 %r3, [x];\n",
        "ld.relaxed.gpu.global.u32 %r3, [x];\n",
        "st.shared.u32 [s+4], 1;\n",
        "ld.shared.u32 %r4, [s+4];\n",
        "fence.acq_rel.gpu;\n",
    };
    return rounds_pick(texts, 7, seed);
}

// What a round does besides.
static const char *chore_text(uint64_t *seed) {
    static const char *const texts[] = {
        "",
        "",
        "ld.relaxed.gpu.global.u32 %r6, [x];\n",
        "ld.shared.u32 %r6, [s+4];\n",
        "fence.acq_rel.gpu;\n",
        "ld.weak.global.u32 %r6, [x];\n",
        "st.shared.u32 [s+8], 1;\n",
    };
    return rounds_pick(texts, 7, seed);
}

static const char *poll_text(uint64_t *seed) {
    static const char *const taking[] = {
        "atom.acquire.gpu.global.cas.b32 %r0, [f], 1, 0;\n",
        "atom.relaxed.gpu.global.cas.b32 %r0, [f], 1, 0;\n",
        "atom.acq_rel.gpu.global.cas.b32 %r0, [f], 1, 0;\n",
        "atom.acquire.gpu.global.cas.b32 %r0, [f], 1, 2;\n",
    };
    static const char *const texts[] = {
        "ld.acquire.gpu.global.u32 %r0, [f];\n",
        "ld.relaxed.gpu.global.u32 %r0, [f];\n",
        "ld.volatile.global.u32 %r0, [f];\n",
        "atom.acquire.gpu.global.or.b32 %r0, [f], 0;\n",
    };
    return rounds_pick(takes ? taking : texts, 4, seed);
}

// A barrier of a round: usually there, or usually not (it has been moved there).
static const char *barrier_text(uint64_t *seed, unsigned moved) {
    static const char *const texts[] = {
        "bar.sync 0;\n", "", "bar.sync 0;\n", "bar.sync 0;\n",
        "bar.sync 0;\n", "", "bar.sync 1;\n", "bar.sync 0;\nbar.sync 0;\n",
    };
    unsigned which = random_below(seed, 8);
    return moved == 0 ? texts[which] : which < 6 ? "" : texts[which];
}

// A round of the thread that looks, and of the others; %p0 says whether there is to be another.
static const char *round_text(struct arena *arena, uint64_t seed, bool looks, uint64_t *own_seed) {
    static const char *const tests[] = {"and.pred %p0", "or.pred %p0", "popc.u32 %r5"};
    bool reduces = random_below(&seed, 2) == 0;
    const char *begin = barrier_text(&seed, 0), *middle = barrier_text(&seed, 0);
    const char *end = barrier_text(&seed, 1);
    const char *poll = looks ? poll_text(&seed) : "";
    const char *test = tests[random_below(&seed, 3)];
    const char *chore = chore_text(own_seed);
    if (reduces)
        return arena_format(arena, "%s%s%ssetp.%s.u32 %%p1, %s;\nbar.red.%s, 0, %%p1;\n%s",
                            random_below(&seed, 4) == 0 ? begin : "", poll, chore,
                            looks ? "ne" : "eq",
                            looks          ? "%r0, 1"
                            : *test == 'o' ? "0, 1"
                                           : "1, 1",
                            test, *test == 'p' ? "setp.gt.u32 %p0, %r5, 1;\n" : "");
    return arena_format(arena,
                        "%s%s%s%s%sld.shared.u32 %%r5, [s];\n%s%s"
                        "setp.ne.u32 %%p0, %%r5, 1;\n",
                        begin, poll, looks ? "st.shared.u32 [s], %r0;\n" : "", chore, middle, end,
                        chore_text(own_seed));
}

// The loop; or, with a number of rounds, these, after which the thread stays for ever.
static const char *wait_text(struct arena *arena, const char *round, unsigned rounds) {
    const char *text = "";
    if (rounds == 0)
        return arena_format(arena, "L: %s@%%p0 bra L;\n", round);
    for (unsigned i = 0; i < rounds; i++)
        text = arena_format(arena, "%s%s@!%%p0 bra E;\n", text, round);
    return arena_format(arena, "%sS: bra S;\nE:\n", text);
}

// A loop as compilers turn it: it is entered where the threads meet, and what the one that looks
// has seen is carried in a register.
static const char *turned_text(struct arena *arena, uint64_t seed, bool looks, uint64_t *own_seed,
                               unsigned rounds) {
    const char *poll = looks ? poll_text(&seed) : "", *chore = chore_text(own_seed);
    const char *meet =
        arena_format(arena, "setp.%s.u32 %%p1, %%r0, 1;\nbar.red.and.pred %%p0, 0, %%p1;\n%s",
                     looks ? "ne" : "gt", chore_text(own_seed));
    const char *text;
    if (rounds == 0)
        return arena_format(arena, "bra M;\nL: %s%sM: %s@%%p0 bra L;\n", poll, chore, meet);
    text = arena_format(arena, "%s@!%%p0 bra E;\n", meet);
    for (unsigned i = 0; i < rounds; i++)
        text = arena_format(arena, "%s%s%s%s@!%%p0 bra E;\n", text, poll, chore, meet);
    return arena_format(arena, "%sS: bra S;\nE:\n", text);
}

static const char registers[] =
    ".reg .u32 %r<8>;\n.reg .pred %p<2>;\n.shared .align 4 .b8 s[12];\n"
    "mov.u32 %r0, 9;\nmov.u32 %r3, 9;\nmov.u32 %r4, 9;\nmov.u32 %r5, 9;\n";

// The threads of the CTA that signals: the first one does, the others access memory once.
static const char *signal_text(struct arena *arena, uint64_t *seed, unsigned threads) {
    static const char *const signals[] = {
        "st.release.gpu.global.u32 [f], 1;\n", "st.relaxed.gpu.global.u32 [f], 1;\n",
        "fence.acq_rel.gpu;\nred.relaxed.gpu.global.add.u32 [f], 1;\n"};
    const char *text = arena_format(arena, "P0@cta 0,gpu 0 {\n%s%s%s}\n", registers,
                                    access_text(seed), rounds_pick(signals, 3, seed));
    for (unsigned i = 1; i < threads; i++)
        text = arena_format(arena, "%sP%u@cta 0,gpu 0 {\n%s%s}\n", text, i, registers,
                            access_text(seed));
    return text;
}

static const char *program_text(struct arena *arena, uint64_t seed, unsigned rounds) {
    uint64_t common = seed;
    unsigned signalling = random_below(&seed, 6) == 0 ? 2 + random_below(&seed, 2) : 1;
    unsigned waiting = 1 + (random_below(&seed, 8) + 4) / 5;
    unsigned leader = random_below(&seed, waiting);
    bool turned = random_below(&seed, 3) == 0;
    const char *text = arena_format(arena, "PTX t\n.global .u32 f;\n.global .u32 x;\n%s",
                                    signal_text(arena, &seed, signalling));
    const char *shown = "";
    for (unsigned i = 0; i < waiting; i++) {
        const char *before = access_text(&seed);
        const char *wait =
            turned ? turned_text(arena, common, i == leader, &seed, rounds)
                   : wait_text(arena, round_text(arena, common, i == leader, &seed), rounds);
        unsigned id = signalling + i;
        text = arena_format(arena, "%sP%u@cta 1,gpu 0 {\n%s%s%s%sbar.sync 0;\n%s}\n", text, id,
                            registers, before, wait, access_text(&seed), access_text(&seed));
        shown = arena_format(arena, "%s P%u:%%r3; P%u:%%r4; P%u:%%r5;", shown, id, id, id);
    }
    return arena_format(arena, "%slocations [x;%s%s]\nexists (P%u:%%r3 == 0)\n", text,
                        takes ? " f;" : "", shown, signalling);
}

static const char *taking_text(struct arena *arena, uint64_t seed, unsigned rounds) {
    takes = true;
    const char *text = program_text(arena, seed, rounds);
    takes = false;
    return text;
}

int main(int argc, char **argv) {
    bool taking = argc > 1 && strcmp(argv[1], "taking") == 0;
    if (argc == 1 && rounds_main(argc, argv, taking_text, 4) != 0)
        return 1;
    return rounds_main(argc - taking, argv + taking, taking ? taking_text : program_text, 20);
}
