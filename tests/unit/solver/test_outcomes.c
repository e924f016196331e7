// Complete lists of outcomes, derived by hand from memory-model.
#include "support.h"

#define TWO_THREADS "P0@cta 0,gpu 0 {\n"
#define NEXT_THREAD "}\nP1@cta 1,gpu 0 {\n"
#define XY ".global .u32 x;\n.global .u32 y;\n"

// --- The classic shapes ------------------------------------------------------------------------

static void message_passing(void **state) {
    (void)state;
    assert_outcomes("PTX MP\n" XY TWO_THREADS
                    "st.weak.global.u32 [x], 1;\nst.release.gpu.global.u32 [y], 1;\n" NEXT_THREAD
                    "ld.acquire.gpu.global.u32 %r0, [y];\nld.weak.global.u32 %r1, [x];\n}\n"
                    "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n",
                    "ptx-9.1", "0 0; 0 1; 1 1", VERDICT_FORBIDDEN);
    assert_outcomes(
        "PTX MP\n" XY TWO_THREADS
        "st.relaxed.gpu.global.u32 [x], 1;\nst.relaxed.gpu.global.u32 [y], 1;\n" NEXT_THREAD
        "ld.relaxed.gpu.global.u32 %r0, [y];\nld.relaxed.gpu.global.u32 %r1, [x];\n}\n"
        "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n",
        "ptx-9.1", "0 0; 0 1; 1 0*; 1 1", VERDICT_ALLOWED);
}

// Release and acquire at a scope that the other thread is not in have no effect.
static void message_passing_out_of_scope(void **state) {
    (void)state;
    assert_outcomes("PTX MP\n" XY TWO_THREADS
                    "st.weak.global.u32 [x], 1;\nst.release.cta.global.u32 [y], 1;\n" NEXT_THREAD
                    "ld.acquire.gpu.global.u32 %r0, [y];\nld.weak.global.u32 %r1, [x];\n}\n"
                    "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n",
                    "ptx-9.1", "0 0; 0 1; 1 0*; 1 1", VERDICT_ALLOWED);
}

static const char *store_buffering(struct arena *arena, const char *fence) {
    return arena_format(arena,
                        "PTX SB\n" XY TWO_THREADS
                        "st.relaxed.gpu.global.u32 [x], 1;\n%s;\nld.relaxed.gpu.global.u32 %%r0, "
                        "[y];\n" NEXT_THREAD
                        "st.relaxed.gpu.global.u32 [y], 1;\n%s;\nld.relaxed.gpu.global.u32 %%r0, "
                        "[x];\n}\nexists (P0:%%r0 == 0 /\\ P1:%%r0 == 0)\n",
                        fence, fence);
}

static void store_buffers(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    assert_outcomes(store_buffering(arena, "fence.sc.gpu"), "ptx-9.1", "0 1; 1 0; 1 1",
                    VERDICT_FORBIDDEN);
    assert_outcomes(store_buffering(arena, "fence.acq_rel.gpu"), "ptx-9.1", "0 0*; 0 1; 1 0; 1 1",
                    VERDICT_ALLOWED);
    assert_outcomes(store_buffering(arena, "fence.sc.gpu"), "ptx-6.0", "0 1; 1 0; 1 1",
                    VERDICT_FORBIDDEN);
    arena_free(arena);
}

// memory-model section 10, LB and LB+deps.
static void load_buffering(void **state) {
    (void)state;
    assert_outcomes(
        "PTX LB\n" XY TWO_THREADS
        "ld.relaxed.gpu.global.u32 %r0, [x];\nst.relaxed.gpu.global.u32 [y], 1;\n" NEXT_THREAD
        "ld.relaxed.gpu.global.u32 %r0, [y];\nst.relaxed.gpu.global.u32 [x], 1;\n}\n"
        "exists (P0:%r0 == 1 /\\ P1:%r0 == 1)\n",
        "ptx-9.1", "0 0; 0 1; 1 0; 1 1*", VERDICT_ALLOWED);
    assert_outcomes(
        "PTX LB+deps\n" XY TWO_THREADS
        "ld.relaxed.gpu.global.u32 %r0, [x];\nst.relaxed.gpu.global.u32 [y], %r0;\n" NEXT_THREAD
        "ld.relaxed.gpu.global.u32 %r0, [y];\nst.relaxed.gpu.global.u32 [x], %r0;\n}\n"
        "locations [x; y;]\nforall (P0:%r0 == 0 /\\ P1:%r0 == 0)\n",
        "ptx-9.1", "0 0 0 0*", VERDICT_ALWAYS);
}

static void coherence_of_reads(void **state) {
    (void)state;
    assert_outcomes("PTX CoRR\n.global .u32 x;\n" TWO_THREADS
                    "st.relaxed.sys.global.u32 [x], 1;\n" NEXT_THREAD
                    "ld.relaxed.sys.global.u32 %r0, [x];\nld.relaxed.sys.global.u32 %r1, [x];\n}\n"
                    "~exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n",
                    "ptx-9.1", "0 0; 0 1; 1 1", VERDICT_FORBIDDEN);
}

// --- Final values ------------------------------------------------------------------------------

static void final_values(void **state) {
    (void)state;
    assert_outcomes("PTX CoWW\n.global .u32 x;\n" TWO_THREADS
                    "st.weak.global.u32 [x], 1;\nst.weak.global.u32 [x], 2;\n}\nforall (x == 2)\n",
                    "ptx-9.1", "2*", VERDICT_ALWAYS);
    assert_outcomes("PTX W+W\n.global .u32 x = 7;\n" TWO_THREADS
                    "st.weak.global.u32 [x], 1;\n" NEXT_THREAD
                    "st.weak.global.u32 [x], 2;\n}\nexists (x == 7)\n",
                    "ptx-9.1", "1; 2", VERDICT_FORBIDDEN);
}

// --- Atomics -----------------------------------------------------------------------------------

// memory-model section 10, atomicity 1 and 2.
static void atomics(void **state) {
    (void)state;
    assert_outcomes("PTX inc\n.global .u32 x;\n" TWO_THREADS
                    "atom.sys.global.inc.u32 %r0, [x], 100;\n" NEXT_THREAD
                    "atom.sys.global.inc.u32 %r0, [x], 100;\n}\n"
                    "locations [P0:%r0; P1:%r0;]\nforall (x == 2)\n",
                    "ptx-9.1", "2 0 1*; 2 1 0*", VERDICT_ALWAYS);
    assert_outcomes("PTX inc\n.global .u32 x;\n" TWO_THREADS
                    "atom.cta.global.inc.u32 %r0, [x], 100;\n" NEXT_THREAD
                    "atom.gpu.global.inc.u32 %r0, [x], 100;\n}\nforall (x == 2)\n",
                    "ptx-9.1", "1; 2*", VERDICT_ALLOWED);
}

// A cas that fails does not write.
static void compare_and_swap(void **state) {
    (void)state;
    assert_outcomes("PTX cas\n.global .u32 x;\n" TWO_THREADS
                    "atom.relaxed.gpu.global.cas.b32 %r0, [x], 0, 1;\n" NEXT_THREAD
                    "atom.relaxed.gpu.global.cas.b32 %r0, [x], 0, 2;\n}\n"
                    "locations [x;]\nexists (P0:%r0 == 0 /\\ P1:%r0 == 0)\n",
                    "ptx-9.1", "0 1 1; 2 0 2", VERDICT_FORBIDDEN);
}

// Values that are computed: a chain of arithmetic through memory, wide and narrow.
static void arithmetic(void **state) {
    (void)state;
    assert_outcomes("PTX sums\n" XY TWO_THREADS
                    "ld.relaxed.gpu.global.u32 %r0, [x];\nadd.u32 %r1, %r0, 5;\n"
                    "mul.lo.u32 %r1, %r1, %r1;\nst.relaxed.gpu.global.u32 [y], %r1;\n" NEXT_THREAD
                    "st.relaxed.gpu.global.u32 [x], 0xffffffff;\n"
                    "ld.relaxed.gpu.global.u32 %r0, [y];\n}\n"
                    "exists (P1:%r0 == 16)\n",
                    "ptx-9.1", "0; 16*; 25", VERDICT_ALLOWED);
}

// More values than are kept apart: the solver goes on with bit-vectors.
static void many_values(void **state) {
    (void)state;
    assert_outcomes("PTX adds\n.global .u32 x;\n" TWO_THREADS
                    "atom.relaxed.gpu.global.add.u32 %r0, [x], 1;\n"
                    "atom.relaxed.gpu.global.add.u32 %r1, [x], 16;\n" NEXT_THREAD
                    "atom.relaxed.gpu.global.add.u32 %r0, [x], 256;\n"
                    "atom.relaxed.gpu.global.xor.b32 %r1, [x], 4096;\n}\n"
                    "locations [P0:%r0; P0:%r1;]\nforall (x == 4369)\n",
                    "ptx-9.1",
                    "4369 0 1*; 4369 0 257*; 4369 0 4353*; 4369 256 257*; 4369 256 4353*; "
                    "4369 4352 4353*",
                    VERDICT_ALWAYS);
}

// --- Conditional execution ---------------------------------------------------------------------

static void guards(void **state) {
    (void)state;
    assert_outcomes("PTX guard\n" XY TWO_THREADS
                    ".reg .pred %p;\nld.relaxed.gpu.global.u32 %r0, [x];\n"
                    "setp.eq.u32 %p, %r0, 1;\n@%p st.relaxed.gpu.global.u32 [y], 1;\n" NEXT_THREAD
                    ".reg .pred %p;\nld.relaxed.gpu.global.u32 %r0, [y];\n"
                    "setp.eq.u32 %p, %r0, 1;\n@%p st.relaxed.gpu.global.u32 [x], 1;\n}\n"
                    "exists (P0:%r0 == 1)\n",
                    "ptx-9.1", "0", VERDICT_FORBIDDEN);
    assert_outcomes("PTX guard\n" XY TWO_THREADS "st.weak.global.u32 [x], 1;\n"
                    "st.release.gpu.global.u32 [y], 1;\n" NEXT_THREAD
                    ".reg .pred %p;\nmov.u32 %r1, 9;\nld.acquire.gpu.global.u32 %r0, [y];\n"
                    "setp.eq.u32 %p, %r0, 1;\n@%p ld.weak.global.u32 %r1, [x];\n}\n"
                    "exists (P1:%r1 == 0)\n",
                    "ptx-9.1", "1; 9", VERDICT_FORBIDDEN);
}

// --- Conditions, filters, unknown values -------------------------------------------------------

static void filters(void **state) {
    (void)state;
    assert_outcomes(
        "PTX filter\n" XY TWO_THREADS
        "st.relaxed.gpu.global.u32 [x], 1;\nst.relaxed.gpu.global.u32 [y], 1;\n" NEXT_THREAD
        "ld.relaxed.gpu.global.u32 %r0, [y];\nld.relaxed.gpu.global.u32 %r1, [x];\n}\n"
        "filter (P1:%r0 == 1)\nforall (P1:%r1 == 1)\n",
        "ptx-9.1", "0 1; 1 1*", VERDICT_ALLOWED);
    assert_outcomes("PTX none\n.global .u32 x;\n" TWO_THREADS
                    "ld.relaxed.gpu.global.u32 %r0, [x];\n}\n"
                    "filter (P0:%r0 == 1)\nforall (P0:%r0 == 0)\n",
                    "ptx-9.1", "", VERDICT_UNKNOWN);
}

// An unknown initial value is shown as such; a condition on it is satisfied and violated.
static void unknown_values(void **state) {
    (void)state;
    assert_outcomes("PTX unknown\n.shared .u32 s;\n" TWO_THREADS
                    "ld.weak.shared.u32 %r0, [s];\n}\nexists (P0:%r0 == 3)\n",
                    "ptx-9.1", "?*!", VERDICT_ALLOWED);
    assert_outcomes("PTX unknown\n.shared .u32 s;\n" TWO_THREADS
                    "ld.weak.shared.u32 %r0, [s];\n}\nforall (P0:%r0 <= 0xffffffff)\n",
                    "ptx-9.1", "?*", VERDICT_ALWAYS);
    assert_outcomes("PTX unknown\n.shared .u32 s;\n" TWO_THREADS
                    "st.weak.shared.u32 [s], 4;\nld.weak.shared.u32 %r0, [s];\n}\n"
                    "exists (P0:%r0 == 3)\n",
                    "ptx-9.1", "4", VERDICT_FORBIDDEN);
}

// A sum that is not a number is unknown, and no other sum is.
static void sums_that_are_no_numbers(void **state) {
    (void)state;
    static const char program[] = "PTX nan\n.global .f32 x = 0f7f800000;\n" TWO_THREADS
                                  "red.relaxed.gpu.global.add.f32 [x], 0fff800000;\n" NEXT_THREAD
                                  "red.relaxed.gpu.global.add.f32 [x], 1.0;\n}\n";
    struct arena *arena = arena_new();
    assert_outcomes(arena_format(arena, "%sexists (x == 0f7f800000)\n", program), "ptx-9.1", "?",
                    VERDICT_FORBIDDEN);
    assert_outcomes(arena_format(arena, "%sexists (x == 0f7f800001)\n", program), "ptx-9.1", "?*!",
                    VERDICT_ALLOWED);
    arena_free(arena);
}

// The least or greatest of a number and a NaN is not specified.
static void limits_of_no_numbers(void **state) {
    (void)state;
    assert_outcomes("PTX nan\n.global .align 4 .b16 x[2] = {0x7e00, 0x3c00};\n"
                    "P0@cta 0,gpu 0 {\nmov.b16 %h0, 0x4000;\n"
                    "red.relaxed.gpu.global.max.noftz.v2.f16 [x], {%h0, %h0};\n}\n"
                    "exists (x[0] == 0x4000 /\\ x[1] == 0x4000)\n",
                    "ptx-9.1", "? 16384*!", VERDICT_ALLOWED);
}

// Where values are many, or unknown, sums are bit-vector operations: u + 1 is not a multiple of
// 2^-24 in f16 unless it is one of 2^-11.
static void sums_of_unknown_numbers(void **state) {
    (void)state;
    static const char program[] = "PTX sum\n.shared .b16 s;\nP0@cta 0,gpu 0 {\n"
                                  "mov.b16 %h0, 0x3c00;\n"
                                  "red.relaxed.gpu.shared.add.noftz.f16 [s], %h0;\n}\n";
    struct arena *arena = arena_new();
    assert_outcomes(arena_format(arena, "%sexists (s == 0x0001)\n", program), "ptx-9.1", "?",
                    VERDICT_FORBIDDEN);
    assert_outcomes(arena_format(arena, "%sexists (s == 0x1000)\n", program), "ptx-9.1", "?*!",
                    VERDICT_ALLOWED);
    arena_free(arena);
}

// Whether a sum flushes subnormal numbers, the memory that a generic address is in decides.
static void sums_by_pointer(void **state) {
    (void)state;
    assert_outcomes("PTX pointer\n.global .f32 x = 0f00000001;\n.global .u32 y;\n.shared .f32 s;\n"
                    "P0@cta 0,gpu 0 {\nst.weak.shared.f32 [s], 0f00000001;\n"
                    "cvta.shared.u64 %rd0, s;\nmov.u64 %rd1, x;\n"
                    "ld.relaxed.gpu.global.u32 %r0, [y];\nsetp.eq.u32 %p0, %r0, 1;\n"
                    "selp.b64 %rd2, %rd0, %rd1, %p0;\n"
                    "red.relaxed.gpu.add.f32 [%rd2], 0f00000001;\n}\n"
                    "P1@cta 0,gpu 0 {\nst.relaxed.gpu.global.u32 [y], 1;\n}\n"
                    "exists (s == 0f00000002 /\\ x == 0f00000001)\n",
                    "ptx-9.1", "1 0; 2 1*", VERDICT_ALLOWED);
}

// Five sums leave 31 values on their way: more than are kept apart as cases.
static void many_sums(void **state) {
    (void)state;
    static const unsigned numbers[] = {0x3c00, 0x4000, 0x4400, 0x4800, 0x4c00}; // 1 2 4 8 16
    struct arena *arena = arena_new();
    const char *text = "PTX sums\n.global .b16 x;\n";
    for (unsigned i = 0; i < 5; i++)
        text = arena_format(arena,
                            "%sP%u@cta %u,gpu 0 {\nmov.b16 %%h0, 0x%x;\n"
                            "red.relaxed.gpu.global.add.noftz.f16 [x], %%h0;\n}\n",
                            text, i, i, numbers[i]);
    assert_outcomes(arena_format(arena, "%sexists (x != 0x4fc0)\n", text), "ptx-9.1", "20416",
                    VERDICT_FORBIDDEN);
    arena_free(arena);
}

// A value is unknown only where it comes from an unknown one.
static void unknown_values_travel(void **state) {
    (void)state;
    assert_outcomes("PTX unknown\n.shared .u32 s;\n.global .u32 y;\n"
                    "P0@cta 0,gpu 0 {\nst.relaxed.cta.shared.u32 [s], 4;\n}\n"
                    "P1@cta 0,gpu 0 {\nld.relaxed.cta.shared.u32 %r0, [s];\n"
                    "st.relaxed.gpu.global.u32 [y], %r0;\n}\n"
                    "P2@cta 1,gpu 0 {\nld.relaxed.gpu.global.u32 %r0, [y];\n}\n"
                    "exists (P2:%r0 == 4)\n",
                    "ptx-9.1", "0; 4*; ?*!", VERDICT_ALLOWED);
}

// A test without anything to show has one state.
static void nothing_observed(void **state) {
    (void)state;
    assert_outcomes("PTX empty\n.global .u32 x;\n" TWO_THREADS "st.weak.global.u32 [x], 1;\n}\n"
                    "exists (true)\n",
                    "ptx-9.1", "*", VERDICT_ALWAYS);
}

// --- Models ------------------------------------------------------------------------------------

static const char corr[] =
    "PTX CoRR\n.global .u32 x;\n" TWO_THREADS "st.weak.global.u32 [x], 1;\n" NEXT_THREAD
    "ld.weak.global.u32 %r0, [x];\nld.weak.global.u32 %r1, [x];\n}\n"
    "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n";

static void other_models(void **state) {
    (void)state;
    assert_outcomes(corr, "\"anything goes\"\nempty 0\n", "0 0; 0 1; 1 0*; 1 1", VERDICT_ALLOWED);
    assert_outcomes(corr, "\"sequential\"\nacyclic po | rf | co | fr\n", "0 0; 0 1; 1 1",
                    VERDICT_FORBIDDEN);
    assert_outcomes(corr, "\"nothing goes\"\nempty po\n", "", VERDICT_UNKNOWN);
}

// Paths whose ends or middles may not execute.
static void conditional_paths(void **state) {
    (void)state;
    static const char text[] =
        "PTX fence\n" XY TWO_THREADS ".reg .pred %p;\nld.relaxed.gpu.global.u32 %r0, [x];\n"
        "setp.eq.u32 %p, %r0, 1;\n@%p fence.sc.gpu;\n"
        "st.relaxed.gpu.global.u32 [y], 1;\n" NEXT_THREAD "st.relaxed.gpu.global.u32 [x], 1;\n"
        "ld.relaxed.gpu.global.u32 %r0, [y];\n}\n"
        "exists (P0:%r0 == 1 /\\ P1:%r0 == 1)\n";
    // The path starts at the fence, which the axiom keeps from executing.
    assert_outcomes(text, "\"starts\"\nempty (([F] ; po ; [W]) | rf)+ \\ rf\n", "0 0; 0 1",
                    VERDICT_FORBIDDEN);
    // The path goes over the fence.
    assert_outcomes(text, "\"middles\"\nempty (([R] ; po ; [F]) | ([F] ; po ; [W]))+ & (R * W)\n",
                    "0 0; 0 1", VERDICT_FORBIDDEN);
    assert_outcomes(text, "\"loose\"\nempty (([R] ; po ; [F]) | ([F] ; po ; [W]))+ & (W * W)\n",
                    "0 0; 0 1; 1 0; 1 1*", VERDICT_ALLOWED);
}

// Without an axiom against thin air, values may come out of it: here only those that the width of
// the condition lets us list.
static void thin_air(void **state) {
    (void)state;
    assert_outcomes(
        "PTX LB+deps\n.global .u8 x;\n.global .u8 y;\n" TWO_THREADS
        "ld.relaxed.gpu.global.u8 %r0, [x];\nst.relaxed.gpu.global.u8 [y], %r0;\n" NEXT_THREAD
        "ld.relaxed.gpu.global.u8 %r0, [y];\nst.relaxed.gpu.global.u8 [x], %r0;\n}\n"
        "filter (P0:%r0 < 3)\nexists (P0:%r0 == 2)\n",
        "\"anything goes\"\nempty 0\n", "0; 1; 2*", VERDICT_ALLOWED);
}

static void flags(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    struct outcomes *outcomes =
        outcomes_of(solver, arena, corr,
                    "\"flags\"\nflag ~empty fr as reads-old\nflag ~empty rmw as atomic\n"
                    "flag acyclic po | rf | fr as orderly\nflag ~acyclic po | rf | fr as cyclic\n"
                    "flag ~irreflexive po as odd\nflag empty rf as unread\n",
                    NULL);
    static const struct {
        const char *name;
        enum truth holds;
    } wanted[] = {{"reads-old", TRUTH_YES}, {"atomic", TRUTH_NO}, {"orderly", TRUTH_YES},
                  {"cyclic", TRUTH_YES},    {"odd", TRUTH_NO},    {"unread", TRUTH_NO}};
    static const enum flag_kind ours[] = {FLAG_BOUND, FLAG_HANG, FLAG_ENDLESS, FLAG_TRAP};
    assert_int_equal(outcomes->flag_count, 10);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(outcomes->flags[i].kind, ours[i]);
        assert_int_equal(outcomes_flag(outcomes, ours[i]), TRUTH_NO);
    }
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(outcomes->flags[4 + i].kind, FLAG_MODEL);
        assert_string_equal(outcomes->flags[4 + i].name, wanted[i].name);
        assert_int_equal(outcomes->flags[4 + i].holds, wanted[i].holds);
    }
    solver_free(solver);
    arena_free(arena);
}

// What the text says of a flag decides, not its name; flags of one name are one.
static void undefining_flags(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum verdict verdict;
    } cases[] = {
        {"flag ~empty fr as mixed-size-race", VERDICT_FORBIDDEN},
        {"flag undefined ~empty fr as mine", VERDICT_UNKNOWN},
        {"flag undefined ~empty rmw as mine", VERDICT_FORBIDDEN},
        {"flag undefined ~empty fr as mine flag ~empty rmw as mine", VERDICT_UNKNOWN},
        {"flag ~empty rmw as mine flag undefined ~empty fr as mine", VERDICT_UNKNOWN},
    };
    struct solver *solver = solver_new();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arena *arena = arena_new();
        const char *text = arena_format(
            arena, "\"undefined\"\nacyclic po | rf | co | fr as sc\n%s\n", cases[i].text);
        struct outcomes *outcomes = outcomes_of(solver, arena, corr, text, NULL);
        assert_int_equal(outcomes->verdict, cases[i].verdict);
        assert_int_equal(outcomes->flag_count, 5);
        assert_int_equal(outcomes->reason, REASON_NONE);
        arena_free(arena);
    }
    solver_free(solver);
}

static void undefined_programs(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    struct solver_options options = {.check_executions = true};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const char *model = "\"undefined\"\nundefined_unless empty (fr & ext) as old-read\n";
    assert_null(solver_run(solver, arena, program_of(arena, corr), model_of(arena, model), &options,
                           &diagnostics));
    assert_int_equal(diagnostics.error_count, 2);
    assert_non_null(strstr(diagnostics.items[0].message, "old-read"));
    assert_non_null(diagnostics.items[0].hint);
    diagnostics_init(&diagnostics, arena);
    model = "\"defined\"\nacyclic po | rf | co | fr\nundefined_unless empty po^-1 & po as never\n";
    assert_non_null(solver_run(solver, arena, program_of(arena, corr), model_of(arena, model),
                               &options, &diagnostics));
    assert_int_equal(diagnostics.error_count, 0);
    solver_free(solver);
    arena_free(arena);
}

// A recursive definition below a negation is unrolled; one that would take too long is an error of
// the model, at its place, not a wrong answer.
static void large_recursion(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    struct solver_options options = {.verdict_only = true, .check_executions = true};
    struct diagnostics diagnostics;
    const char *text = "PTX writes\n.global .u32 x;\n";
    for (unsigned i = 0; i < 22; i++)
        text = arena_format(arena, "%sP%u@cta %u,gpu 0 {\nst.weak.global.u32 [x], %u;\n}\n", text,
                            i, i, i);
    text = arena_format(arena, "%sexists (true)\n", text);
    const char *model = "\"recursion\"\nlet rec t = (co \\ (IW * _)) | (t ; co)\n"
                        "flag ~empty t as ordered\n";
    diagnostics_init(&diagnostics, arena);
    assert_null(solver_run(solver, arena, program_of(arena, text), model_of(arena, model), &options,
                           &diagnostics));
    assert_int_equal(diagnostics.error_count, 1);
    assert_string_equal(diagnostics.items[0].span.source->path, "test.cat");
    // Asserting that it is absent takes no unrolling.
    model = "\"recursion\"\nlet rec t = (co \\ (IW * _)) | (t ; co)\nirreflexive t\n";
    struct outcomes *outcomes = outcomes_of(solver, arena, text, model, &options);
    assert_int_equal(outcomes->verdict, VERDICT_ALWAYS);
    solver_free(solver);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_passing),
        cmocka_unit_test(message_passing_out_of_scope),
        cmocka_unit_test(store_buffers),
        cmocka_unit_test(load_buffering),
        cmocka_unit_test(coherence_of_reads),
        cmocka_unit_test(final_values),
        cmocka_unit_test(atomics),
        cmocka_unit_test(compare_and_swap),
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(many_values),
        cmocka_unit_test(guards),
        cmocka_unit_test(filters),
        cmocka_unit_test(unknown_values),
        cmocka_unit_test(sums_that_are_no_numbers),
        cmocka_unit_test(limits_of_no_numbers),
        cmocka_unit_test(sums_of_unknown_numbers),
        cmocka_unit_test(sums_by_pointer),
        cmocka_unit_test(many_sums),
        cmocka_unit_test(nothing_observed),
        cmocka_unit_test(unknown_values_travel),
        cmocka_unit_test(other_models),
        cmocka_unit_test(conditional_paths),
        cmocka_unit_test(thin_air),
        cmocka_unit_test(flags),
        cmocka_unit_test(undefining_flags),
        cmocka_unit_test(undefined_programs),
        cmocka_unit_test(large_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
