// Special registers: the values that placements give them, and placements that leave them open.
#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

// The value of a special register in the second thread, P1, of a test with these three places.
static uint64_t value_in(const char *const places[3], const char *special) {
    struct arena *arena = arena_new();
    bool predicate = strcmp(special, "%is_explicit_cluster") == 0;
    struct program_fixture *f = fixture_build(
        arena_format(arena,
                     "PTX t\n.global .u32 x;\nP0@%s { }\nP1@%s { mov.%s %%v, %s; }\nP2@%s { }\n"
                     "exists (P1:%%v == 0)\n",
                     places[0], places[1], predicate ? "pred" : "u32", special, places[2]));
    uint64_t value = fixture_value(f, f->program->observed[0].value);
    fixture_free(f);
    arena_free(arena);
    return value;
}

struct special_case {
    const char *places[3];
    const char *special;
    uint64_t expected;
};

static void values(void **state) {
    (void)state;
    static const struct special_case cases[] = {
        {{"cta 0", "cta 0", "cta 0"}, "%tid.x", 1},
        {{"cta 0", "cta 0", "cta 0"}, "%tid.y", 0},
        {{"cta 0", "cta 0", "cta 0"}, "%ntid.x", 3},
        {{"cta 0", "cta 0", "cta 0"}, "%ntid.z", 1},
        {{"cta 0", "cta 0", "cta 0"}, "%ntid.w", 0},
        {{"cta 0", "cta 0", "cta 0"}, "%laneid", 1},
        {{"cta 0", "cta 0", "cta 0"}, "%warpid", 0},
        {{"cta 0", "cta 0", "cta 0"}, "%nwarpid", 1},
        {{"cta 0", "cta 0", "cta 0"}, "%lanemask_eq", 2},
        {{"cta 0", "cta 0", "cta 0"}, "%lanemask_lt", 1},
        {{"cta 0", "cta 0", "cta 0"}, "%lanemask_le", 3},
        {{"cta 0", "cta 0", "cta 0"}, "%lanemask_ge", 0xfffffffe},
        {{"cta 0", "cta 0", "cta 0"}, "%lanemask_gt", 0xfffffffc},
        {{"cta 0", "cta 1", "cta 2"}, "%tid.x", 0},
        {{"cta 0", "cta 1", "cta 2"}, "%ctaid.x", 1},
        {{"cta 0", "cta 1", "cta 2"}, "%ctaid.y", 0},
        {{"cta 0", "cta 1", "cta 2"}, "%nctaid.x", 3},
        {{"cta 0", "cta 1", "cta 2"}, "%nctaid.y", 1},
        {{"cta 0", "cta 1", "cta 2"}, "%clusterid.x", 1}, // each CTA is a cluster
        {{"cta 0", "cta 1", "cta 2"}, "%nclusterid.x", 3},
        {{"cta 0", "cta 1", "cta 2"}, "%cluster_ctarank", 0},
        {{"cta 0", "cta 1", "cta 2"}, "%cluster_nctarank", 1},
        {{"cta 0", "cta 1", "cta 2"}, "%is_explicit_cluster", 0},
        {{"cta 0,gpu 1", "cta 0", "cta 1,gpu 1"}, "%nctaid.x", 1}, // a grid of its own
        {{"cta 2,cluster 1", "cta 3,cluster 1", "cta 0,cluster 0"}, "%ctaid.x", 3},
        {{"cta 2,cluster 1", "cta 3,cluster 1", "cta 0,cluster 0"}, "%clusterid.x", 1},
        {{"cta 2,cluster 1", "cta 3,cluster 1", "cta 0,cluster 0"}, "%nclusterid.x", 2},
        {{"cta 2,cluster 1", "cta 3,cluster 1", "cta 0,cluster 0"}, "%cluster_ctarank", 1},
        {{"cta 2,cluster 1", "cta 3,cluster 1", "cta 0,cluster 0"}, "%cluster_ctaid.x", 1},
        {{"cta 2,cluster 1", "cta 3,cluster 1", "cta 0,cluster 0"}, "%cluster_nctaid.x", 2},
        {{"cta 2,cluster 1", "cta 3,cluster 1", "cta 0,cluster 0"}, "%cluster_nctarank", 2},
        {{"cta 2,cluster 1", "cta 3,cluster 1", "cta 0,cluster 0"}, "%is_explicit_cluster", 1},
        {{"cta 0,cluster 1", "cta 1,cluster 1", "cta 0,cluster 0"}, "%cluster_ctarank", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (value_in(cases[i].places, cases[i].special) != cases[i].expected)
            fail_msg("%s of %s: %llu", cases[i].special, cases[i].places[1],
                     (unsigned long long)value_in(cases[i].places, cases[i].special));
}

static void warps(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *text = "PTX t\n.global .u32 x;\n";
    for (int i = 0; i < 33; i++)
        text = arena_format(arena, "%sP%d@cta 0 { %s }\n", text, i,
                            i < 32 ? ""
                                   : "mov.u32 %lane, %laneid; mov.u32 %warp, %warpid;"
                                     "mov.u32 %n, %nwarpid; mov.u32 %ge, %lanemask_ge;");
    struct program_fixture *f = fixture_build(arena_format(
        arena, "%slocations [P32:%%warp; P32:%%n; P32:%%ge;]\nexists (P32:%%lane == 0)\n", text));
    static const uint64_t expected[] = {0, 1, 2, 0xffffffff};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(fixture_value(f, f->program->observed[i].value), expected[i]);
    fixture_free(f);
    arena_free(arena);
}

// 32 threads are one warp, not one and the beginning of another.
static void full_warp(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *text = "PTX t\n.global .u32 x;\n";
    for (int i = 0; i < 32; i++)
        text = arena_format(arena, "%sP%d@cta 0 { mov.u32 %%n, %%nwarpid; }\n", text, i);
    struct program_fixture *f =
        fixture_build(arena_format(arena, "%sexists (P31:%%n == 1)\n", text));
    assert_int_equal(fixture_value(f, f->program->observed[0].value), 1);
    fixture_free(f);
    arena_free(arena);
}

struct open_case {
    const char *places[3];
    const char *special;
    const char *why;
};

static void open_values(void **state) {
    (void)state;
    static const struct open_case cases[] = {
        {{"cta 0", "cta 1", "cta 1"},
         "%ntid.x",
         "the CTAs of this GPU have different numbers of threads"},
        {{"cta 0", "cta 1", "cta 5"},
         "%nctaid.x",
         "the CTAs of this GPU are not numbered from 0 on"},
        {{"cta 0,cluster 0", "cta 0,cluster 1", "cta 1,cluster 1"},
         "%ctaid.x",
         "two CTAs of this GPU have the same number, in different clusters"},
        {{"cta 0", "cta 1,cluster 0", "cta 2,cluster 0"},
         "%clusterid.x",
         "some CTAs of this GPU are in a cluster, and others are not"},
        {{"cta 0,cluster 0", "cta 1,cluster 2", "cta 2,cluster 2"},
         "%nclusterid.x",
         "the clusters of this GPU are not numbered from 0 on"},
        {{"cta 1,cluster 0", "cta 2,cluster 0", "cta 5"},
         "%cluster_ctarank",
         "the numbers of the CTAs in this cluster do not say what their ranks are"},
        {{"cta 0,cluster 0", "cta 2,cluster 0", "cta 5"},
         "%cluster_nctarank",
         "the numbers of the CTAs in this cluster do not say what their ranks are"},
        {{"cta 0", "host", "cta 5"}, "%tid.x", "a thread of the host has no special registers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct open_case *c = &cases[i];
        struct arena *arena = arena_new();
        struct program_fixture *f;
        const char *error = fixture_error(
            &f, arena_format(arena,
                             "PTX t\n.global .u32 x;\nP0@%s { }\nP1@%s { mov.u32 %%v, %s; }\n"
                             "P2@%s { }\nexists (x == 0)\n",
                             c->places[0], c->places[1], c->special, c->places[2]));
        if (!strstr(error, arena_format(arena, "this special register has no value: %s", c->why)))
            fail_msg("%s: %s", c->special, error);
        fixture_free(f);
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(warps),
        cmocka_unit_test(full_warp),
        cmocka_unit_test(open_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
