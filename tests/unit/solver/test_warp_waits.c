// Waiting loops of a whole warp: random programs in which two or three lanes vote, or take what one
// of them has seen, in each round have the outcomes and flags of the same ones with two and with
// three rounds written out. For its arguments see rounds.h.
#include "rounds.h"

static const char *access_text(uint64_t *seed) {
    static const char *const texts[] = {
        "",
        "st.weak.global.u32 [x], 1;\n",
        "ld.weak.global.u32 %r3, [x];\n",
        "ld.relaxed.gpu.global.u32 %r3, [x];\n",
        "st.shared.u32 [s], 1;\n",
        "ld.shared.u32 %r4, [s];\n",
        "fence.acq_rel.gpu;\n",
    };
    return rounds_pick(texts, 7, seed);
}

// What a lane does in a round besides.
static const char *chore_text(uint64_t *seed) {
    static const char *const texts[] = {
        "",
        "",
        "ld.relaxed.gpu.global.u32 %r6, [x];\n",
        "ld.weak.global.u32 %r6, [x];\n",
        "fence.acq_rel.gpu;\n",
        "atom.relaxed.gpu.global.or.b32 %r6, [f], 0;\n",
        "@!%p2 vote.sync.any.pred %p2, %p2, MASK;\n", // not in lockstep
    };
    return rounds_pick(texts, 7, seed);
}

// %p1: the lane wants another round, as it has seen the flag; or as it never does.
static const char *poll_text(uint64_t *seed, bool looks) {
    static const char *const texts[] = {
        "ld.acquire.gpu.global.u32 %r0, [f];\n",
        "ld.relaxed.gpu.global.u32 %r0, [f];\n",
        "ld.volatile.global.u32 %r0, [f];\n",
        "atom.acquire.gpu.global.or.b32 %r0, [f], 0;\n",
    };
    const char *poll = rounds_pick(texts, 4, seed);
    return looks ? poll : "mov.u32 %r0, 1;\n";
}

// %p0: whether there is another round.
static const char *decision_text(uint64_t *seed) {
    static const char *const texts[] = {
        "vote.sync.any.pred %p0, %p1, MASK;\n",
        "vote.sync.any.pred %p0, %p1, MASK;\n",
        "vote.sync.all.pred %p0, %p1, MASK;\n",
        "vote.sync.ballot.b32 %r5, %p1, MASK;\nsetp.ne.u32 %p0, %r5, 0;\n",
        "redux.sync.min.u32 %r5, %r0, MASK;\nsetp.eq.u32 %p0, %r5, 0;\n",
        "shfl.sync.idx.b32 %r5, %r0, 0, 31, MASK;\nsetp.eq.u32 %p0, %r5, 0;\n",
        "shfl.sync.bfly.b32 %r5, %r0, 1, 31, MASK;\nsetp.eq.u32 %p0, %r5, 0;\n", // differs
        "mov.pred %p0, %p1;\n",                                                  // a lane's own
    };
    return rounds_pick(texts, 8, seed);
}

static const char *round_text(struct arena *arena, uint64_t common, bool looks, uint64_t *seed) {
    const char *poll = poll_text(&common, looks), *decision = decision_text(&common);
    const char *before = chore_text(seed);
    return arena_format(arena, "%s%ssetp.eq.u32 %%p1, %%r0, 0;\n%s%s", before, poll, decision,
                        chore_text(seed));
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

static const char registers[] = ".reg .u32 %r<8>;\n.reg .pred %p<3>;\n.shared .align 4 .b8 s[4];\n"
                                "mov.u32 %r3, 9;\nmov.u32 %r4, 9;\nmov.u32 %r5, 9;\n"
                                "setp.eq.u32 %p2, 0, 0;\n";

static const char *signal_text(struct arena *arena, uint64_t *seed) {
    static const char *const signals[] = {
        "st.release.gpu.global.u32 [f], 1;\n", "st.relaxed.gpu.global.u32 [f], 1;\n",
        "fence.acq_rel.gpu;\nred.relaxed.gpu.global.add.u32 [f], 1;\n"};
    const char *access = access_text(seed);
    return arena_format(arena, "P0@cta 0,gpu 0 {\n%s%s%s}\n", registers, access,
                        rounds_pick(signals, 3, seed));
}

static const char *lane_text(struct arena *arena, uint64_t common, bool looks, uint64_t *seed,
                             unsigned rounds) {
    static const char *const joins[] = {"", "", "bar.warp.sync MASK;\n"};
    bool votes_before = random_below(&common, 4) == 0;
    const char *join = rounds_pick(joins, 3, &common), *before = access_text(seed);
    const char *wait = wait_text(arena, round_text(arena, common, looks, seed), rounds);
    return arena_format(arena, "%s%s%s%s%s%s", before,
                        votes_before ? "vote.sync.all.pred %p2, %p2, MASK;\n" : "", wait,
                        access_text(seed), join, access_text(seed));
}

// Puts the mask of the lanes in the place of the word MASK.
static const char *with_mask(struct arena *arena, const char *text, unsigned mask) {
    static const char word[] = "MASK";
    const char *result = "", *at;
    for (; (at = strstr(text, word)) != NULL; text = at + strlen(word))
        result = arena_format(arena, "%s%.*s%u", result, (int)(at - text), text, mask);
    return arena_format(arena, "%s%s", result, text);
}

static const char *program_text(struct arena *arena, uint64_t seed, unsigned rounds) {
    uint64_t common = seed;
    unsigned lanes = 2 + (random_below(&seed, 4) == 0);
    unsigned polling = 1 + random_below(&seed, (1U << lanes) - 1); // as bits
    const char *text = arena_format(arena, "PTX t\n.global .u32 f;\n.global .u32 x;\n%s",
                                    signal_text(arena, &seed));
    const char *shown = "";
    for (unsigned i = 0; i < lanes; i++) {
        const char *lane = lane_text(arena, common, polling >> i & 1, &seed, rounds);
        text = arena_format(arena, "%sP%u@cta 1,gpu 0 {\n%s%s}\n", text, i + 1, registers, lane);
        shown = arena_format(arena, "%s P%u:%%r3; P%u:%%r4; P%u:%%r5;", shown, i + 1, i + 1, i + 1);
    }
    text = arena_format(arena, "%slocations [x;%s]\nexists (P1:%%r3 == 0)\n", text, shown);
    return with_mask(arena, text, (1U << lanes) - 1);
}

int main(int argc, char **argv) {
    return rounds_main(argc, argv, program_text, 20);
}
