// The simulated memories `mca` and `in-order`, part by part: what each part forbids, and what just
// lacks it.
#include "support.h"

// Threads as PTX, each in a CTA of its own, all on one GPU or each on its own.
enum answer { FORBIDDEN, ALLOWED, ALLOWED_ON_GPUS };

struct row {
    const char *model;
    const char *threads[4];
    const char *condition;
    enum answer answer;
};

#define LD(order, reg, location) "ld." order ".global.u32 " reg ", [" location "]; "
#define ST(order, location, value) "st." order ".global.u32 [" location "], " value "; "
#define RLX "relaxed.gpu"
#define X1 ST(RLX, "x", "1")
#define Y1 ST(RLX, "y", "1")

// The readers of IRIW, what is between the loads, and the scope of all.
#define READER(order, fence, first, second) LD(order, "%r0", first) fence LD(order, "%r1", second)
#define IRIW(order, fence)                                                                         \
    { X1, Y1, READER(order, fence, "x", "y"), READER(order, fence, "y", "x") }
#define IRIW_SEEN "P2:%r0 == 1 /\\ P2:%r1 == 0 /\\ P3:%r0 == 1 /\\ P3:%r1 == 0"

// Two threads that write both variables, in opposite orders.
#define WRITES(fence, order)                                                                       \
    { X1 fence ST(order, "y", "2"), Y1 fence ST(order, "x", "2") }
#define WRITES_SEEN "x == 1 /\\ y == 1"

static const struct row rows[] = {
    // Acquiring loads, acquiring fences and fence.sc order the two loads at gpu scope.
    {"mca", IRIW("acquire.gpu", ""), IRIW_SEEN, FORBIDDEN},
    {"mca", IRIW("acquire.sys", ""), IRIW_SEEN, FORBIDDEN},
    {"mca", IRIW(RLX, "fence.acq_rel.gpu; "), IRIW_SEEN, FORBIDDEN},
    {"mca", IRIW(RLX, "fence.acquire.gpu; "), IRIW_SEEN, FORBIDDEN},
    // No instruction does, or not at gpu scope.
    {"mca", IRIW(RLX, ""), IRIW_SEEN, ALLOWED},
    {"mca", IRIW(RLX, "fence.release.gpu; "), IRIW_SEEN, ALLOWED},
    {"mca", IRIW(RLX, "fence.acq_rel.cta; "), IRIW_SEEN, ALLOWED},
    {"mca", IRIW("acquire.cta", ""), IRIW_SEEN, ALLOWED},
    {"mca", IRIW("weak", "fence.acq_rel.gpu; "), IRIW_SEEN, ALLOWED},
    // Releasing stores and fences order writes, which meet in the order of coherence.
    {"mca", WRITES("", "release.gpu"), WRITES_SEEN, FORBIDDEN},
    {"mca", WRITES("fence.release.gpu; ", RLX), WRITES_SEEN, FORBIDDEN},
    {"mca", WRITES("fence.acquire.gpu; ", RLX), WRITES_SEEN, ALLOWED},
    {"mca", WRITES("", RLX), WRITES_SEEN, ALLOWED},
    {"mca", WRITES("", "release.cta"), WRITES_SEEN, ALLOWED},
    // A store before a later load: fence.sc alone.
    {"mca",
     {X1, READER("acquire.gpu", "", "x", "y"), Y1 "fence.sc.gpu; " LD(RLX, "%r0", "x")},
     "P1:%r0 == 1 /\\ P1:%r1 == 0 /\\ P2:%r0 == 0",
     FORBIDDEN},
    {"mca",
     {X1, READER("acquire.gpu", "", "x", "y"), Y1 "fence.acq_rel.gpu; " LD(RLX, "%r0", "x")},
     "P1:%r0 == 1 /\\ P1:%r1 == 0 /\\ P2:%r0 == 0",
     ALLOWED},
    {"mca",
     {X1 LD(RLX, "%r0", "y"), Y1 LD(RLX, "%r0", "x")},
     "P0:%r0 == 0 /\\ P1:%r0 == 0",
     ALLOWED},
    // P1 passes on what P0 saw, without a release.
    {"mca",
     {LD("acquire.gpu", "%r0", "z") X1, "atom." RLX ".global.add.u32 %r0, [x], 1; ",
      READER("acquire.gpu", "", "x", "y"), Y1 ST("release.gpu", "z", "1")},
     "P0:%r0 == 1 /\\ P1:%r0 == 1 /\\ P2:%r0 == 2 /\\ P2:%r1 == 0",
     FORBIDDEN},
    // A thread may see its own store before others do.
    {"mca",
     {X1 READER("acquire.gpu", "", "x", "y"), Y1 READER("acquire.gpu", "", "y", "x")},
     "P0:%r0 == 1 /\\ P0:%r1 == 0 /\\ P1:%r0 == 1 /\\ P1:%r1 == 0",
     ALLOWED},
    // Two GPUs share no memory of this kind.
    {"mca",
     {ST("relaxed.sys", "x", "1"), ST("relaxed.sys", "y", "1"), READER("acquire.sys", "", "x", "y"),
      READER("acquire.sys", "", "y", "x")},
     IRIW_SEEN,
     ALLOWED_ON_GPUS},
    // Only loads before stores, at any strength.
    {"in-order",
     {LD("weak", "%r0", "x") ST("weak", "y", "1"), LD(RLX, "%r0", "y") X1},
     "P0:%r0 == 1 /\\ P1:%r0 == 1",
     FORBIDDEN},
    {"in-order",
     {X1 LD(RLX, "%r0", "y"), Y1 LD(RLX, "%r0", "x")},
     "P0:%r0 == 0 /\\ P1:%r0 == 0",
     ALLOWED},
    {"in-order", {X1 Y1, READER(RLX, "", "y", "x")}, "P1:%r0 == 1 /\\ P1:%r1 == 0", ALLOWED},
    {"in-order", IRIW("acquire.gpu", ""), IRIW_SEEN, ALLOWED},
};

static const char *text_of(struct arena *arena, const struct row *row) {
    const char *text = "PTX row\n.global .u32 x;\n.global .u32 y;\n.global .u32 z;\n";
    for (unsigned t = 0; t < 4 && row->threads[t]; t++)
        text = arena_format(arena, "%sP%u@cta %u,gpu %u {\n%s\n}\n", text, t, t,
                            row->answer == ALLOWED_ON_GPUS ? t : 0, row->threads[t]);
    return arena_format(arena, "%sexists (%s)\n", text, row->condition);
}

// What the memory forbids, the ISA allows: it is the memory that does it.
static void test_rows(void **state) {
    (void)state;
    struct solver *solver = solver_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const char *text = text_of(arena, &rows[i]);
        const char *model = arena_format(
            arena, "\"simulated\"\ninclude \"ptx-9.1.cat\"\ninclude \"%s.cat\"\n", rows[i].model);
        enum verdict plain = outcomes_of(solver, arena, text, "ptx-9.1", NULL)->verdict;
        enum verdict verdict = outcomes_of(solver, arena, text, model, NULL)->verdict;
        if (plain != VERDICT_ALLOWED)
            fail_msg("ptx-9.1 does not allow it:\n%s", text);
        if (verdict != (rows[i].answer != FORBIDDEN ? VERDICT_ALLOWED : VERDICT_FORBIDDEN))
            fail_msg("%s: not %s:\n%s", rows[i].model,
                     rows[i].answer != FORBIDDEN ? "allowed" : "forbidden", text);
        arena_free(arena);
    }
    solver_free(solver);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
