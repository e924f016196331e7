// Generic addresses: the windows of the state spaces, cvta, isspacep, mapa and getctarank.
#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define HEADER                                                                                     \
    "PTX t\n.global .u32 g; .const .u32 c = 5; .local .u32 l = 1; .shared .u32 s = 2;\n"           \
    ".param .u32 k = 3;\n"

// Builds a test with one thread, P0, in CTA 0; the code writes %v and may load into it.
static struct program_fixture *build(const char *code) {
    struct arena *arena = arena_new();
    struct program_fixture *f = fixture_build(
        arena_format(arena,
                     HEADER "P0@cta 0 { .reg .b64 %%rd<4>; .reg .pred %%p<3>; .reg .b32 %%r<3>;\n"
                            ".reg .b32 %%v;\n%s }\nexists (P0:%%v == 0)\n",
                     code));
    arena_free(arena);
    return f;
}

static const char *space_of(const struct program_fixture *f, const struct event *event) {
    assert_int_equal(event->candidate_count, 1);
    return f->program->memory.objects[event->candidates[0].object].name;
}

// --- Accesses ----------------------------------------------------------------------------------

static void accesses(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"mov.u64 %rd0, s; ld.shared.u32 %v, [%rd0];", "s"},
        {"mov.u32 %r0, s; ld.shared.u32 %v, [%r0];", "s"},
        {"mov.u32 %r0, s; ld.shared::cluster.u32 %v, [%r0];", "s"},
        {"cvta.shared.u64 %rd0, s; ld.u32 %v, [%rd0];", "s"},
        {"mov.u64 %rd1, s; cvta.shared.u64 %rd0, %rd1; ld.u32 %v, [%rd0];", "s"},
        {"cvta.shared.u64 %rd0, s; cvta.to.shared.u64 %rd1, %rd0; ld.shared.u32 %v, [%rd1];", "s"},
        {"cvta.const.u64 %rd0, c; ld.u32 %v, [%rd0];", "c"},
        {"mov.u64 %rd0, c; ld.const.u32 %v, [%rd0];", "c"},
        {"cvta.local.u64 %rd0, l; ld.u32 %v, [%rd0];", "l"},
        {"mov.u64 %rd0, l; ld.local.u32 %v, [%rd0];", "l"},
        {"mov.u64 %rd0, k; ld.param.u32 %v, [%rd0];", "k"},
        {"cvta.param.u64 %rd0, k; ld.u32 %v, [%rd0];", "k"},
        {"cvta.param.u64 %rd0, k; ld.global.u32 %v, [%rd0];", "k"}, // in the window of .global
        {"mov.u64 %rd0, g; ld.u32 %v, [%rd0];", "g"},               // which begins at 0
        {"cvta.global.u64 %rd0, g; ld.global.u32 %v, [%rd0];", "g"},
        {"cvta.global.u64 %rd0, g; cvta.to.global.u64 %rd1, %rd0; ld.global.u32 %v, [%rd1];", "g"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program_fixture *f = build(rows[i][0]);
        assert_string_equal(space_of(f, fixture_event(f, 0, EVENT_READ, 0)), rows[i][1]);
        fixture_free(f);
    }
}

// An address that falls into the wrong space is an error.
static void wrong_windows(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"mov.u64 %rd0, s; ld.u32 %v, [%rd0];",
         "this is an address of 's', a .shared variable | 'cvta.shared.u64' makes it generic"},
        {"cvta.shared.u64 %rd0, s; ld.shared.u32 %v, [%rd0];",
         "this is the generic address of 's', a .shared variable | 'cvta.to.shared.u64' makes it "
         "one of that space"},
        {"mov.u64 %rd0, c; ld.u32 %v, [%rd0];",
         "this is an address of 'c', a .const variable | 'cvta.const.u64' makes it generic"},
        {"mov.u64 %rd0, s; ld.global.u32 %v, [%rd0];",
         "this is an address of 's', a .shared variable | the access is to .global memory"},
        {"mov.u64 %rd0, g; ld.shared.u32 %v, [%rd0];",
         "this is an address of 'g', a .global variable | the access is to .shared memory"},
        {"cvta.const.u64 %rd0, c; ld.global.u32 %v, [%rd0];",
         "'c' is a .const variable, which this access cannot reach"},
        {"cvta.local.u64 %rd0, l; st.global.u32 [%rd0], 1; mov.u32 %v, 1;",
         "'l' is a .local variable, which this access cannot reach"},
        {"cvta.param.u64 %rd0, k; st.global.u32 [%rd0], 1; mov.u32 %v, 1;",
         "'k' is a .param variable, which this access cannot reach"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new();
        struct program_fixture *f;
        const char *error = fixture_error(
            &f, arena_format(arena,
                             HEADER "P0@cta 0 { .reg .b64 %%rd<4>;\n%s }\nexists (P0:%%v == 0)\n",
                             rows[i][0]));
        if (!strstr(error, rows[i][1]))
            fail_msg("%s: %s", rows[i][0], error);
        fixture_free(f);
        arena_free(arena);
    }
}

// An initial value is the address that 'mov' gives, or with generic() the one that cvta gives.
static void initial_addresses(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        "PTX t\n.shared .u32 s; .global .u64 own = s; .global .u64 any = generic(s);\n"
        "P0@cta 0 { mov.u64 %rd0, s; cvta.shared.u64 %rd1, s; st.shared.u32 [s], 1;\n"
        " ld.global.u64 %rd2, [own]; ld.global.u64 %rd3, [any]; }\n"
        "locations [P0:%rd1;]\nexists (P0:%rd0 == 0 /\\ P0:%rd2 == 1 /\\ P0:%rd3 == 1)\n");
    uint64_t own = 0, any = 0;
    for (unsigned cell = 0; cell < f->program->memory.cell_count; cell++) {
        const struct object *object =
            &f->program->memory.objects[f->program->memory.cells[cell].object];
        uint64_t value = fixture_value(f, program_initial_value(f->program, cell));
        own = strcmp(object->name, "own") == 0 ? value : own;
        any = strcmp(object->name, "any") == 0 ? value : any;
    }
    assert_int_equal(own + program_window(SPACE_SHARED), any);
    for (size_t i = 0; i < f->program->observed_count; i++) {
        const struct observed *o = &f->program->observed[i];
        if (strcmp(o->json_name, "P0:%rd0") == 0)
            assert_int_equal(fixture_value(f, o->value), own);
        if (strcmp(o->json_name, "P0:%rd1") == 0)
            assert_int_equal(fixture_value(f, o->value), any);
    }
    fixture_free(f);
}

// --- isspacep ----------------------------------------------------------------------------------

static void spaces(void **state) {
    (void)state;
    static const struct {
        const char *address;
        const char *spaces; // in which it lies: of const, global, local, shared, param
    } rows[] = {
        {"cvta.const.u64 %rd0, c;", "c"},  {"cvta.global.u64 %rd0, g;", "g"},
        {"mov.u64 %rd0, g;", "g"},         {"cvta.local.u64 %rd0, l;", "l"},
        {"cvta.shared.u64 %rd0, s;", "s"}, {"cvta.shared.u64 %rd0, s+4;", "s"},
        {"cvta.param.u64 %rd0, k;", "gp"}, // kernel parameters are in the window of .global
        {"mov.u64 %rd0, 0;", "g"},
    };
    static const char *const tests[][2] = {
        {"const", "c"},       {"global", "g"},          {"local", "l"}, {"shared", "s"},
        {"shared::cta", "s"}, {"shared::cluster", "s"}, {"param", "p"}, {"param::entry", "p"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) {
            struct arena *arena = arena_new();
            struct program_fixture *f =
                build(arena_format(arena, "%s isspacep.%s %%p0, %%rd0; selp.u32 %%v, 1, 0, %%p0;",
                                   rows[i].address, tests[k][0]));
            uint64_t expected = strstr(rows[i].spaces, tests[k][1]) != NULL;
            if (fixture_value(f, f->program->observed[0].value) != expected)
                fail_msg("%s in .%s", rows[i].address, tests[k][0]);
            fixture_free(f);
            arena_free(arena);
        }
    }
}

// --- Clusters ----------------------------------------------------------------------------------

// P0 and P1 are in one cluster, P2 in another; the code runs in P0, and P1 names s.
static struct program_fixture *build_cluster(const char *code) {
    struct arena *arena = arena_new();
    struct program_fixture *f = fixture_build(
        arena_format(arena,
                     "PTX t\n.shared .u32 pad[2]; .shared .u32 s; .global .u64 x;\n"
                     "P0@cta 0,cluster 0 { .reg .b64 %%rd<6>; .reg .pred %%p<3>; .reg .b32 %%r<6>; "
                     ".reg .b32 %%v;\n"
                     "%s }\n"
                     "P1@cta 1,cluster 0 { st.shared.u32 [s], 1; }\n"
                     "P2@cta 2,cluster 1 { st.shared.u32 [s], 1; cvta.shared.u64 %%rd0, s;\n"
                     " st.relaxed.gpu.global.u64 [x], %%rd0; }\n"
                     "exists (P0:%%v == 0)\n",
                     code));
    arena_free(arena);
    return f;
}

// The thread whose CTA has the instance that P0's first event reaches.
static void mapped_addresses(void **state) {
    (void)state;
    static const struct {
        const char *code;
        int instance;
        uint64_t offset;
    } rows[] = {
        {"mapa.shared::cluster.u64 %rd0, s, 1; ld.shared::cluster.u32 %v, [%rd0];", 1, 0},
        {"mapa.shared::cluster.u32 %r0, s, 1; ld.shared::cluster.u32 %v, [%r0];", 1, 0},
        {"mapa.shared::cluster.u32 %r0, s, 0; ld.shared::cluster.u32 %v, [%r0];", 0, 0},
        {"mapa.shared::cluster.u64 %rd0, pad+4, 1; ld.shared::cluster.u32 %v, [%rd0];", 1, 4},
        {"cvta.shared.u64 %rd0, s; mapa.u64 %rd1, %rd0, 1; ld.u32 %v, [%rd1];", 1, 0},
        {"cvta.shared.u64 %rd0, s; mapa.u64 %rd1, %rd0, 1; mapa.u64 %rd2, %rd1, 0;"
         "ld.u32 %v, [%rd2];",
         0, 0},
        {"mapa.shared::cluster.u64 %rd0, s, 1; add.u64 %rd1, %rd0, 0;"
         "st.shared::cluster.u32 [%rd1], 1; mov.u32 %v, 1;",
         1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program_fixture *f = build_cluster(rows[i].code);
        bool stores = strstr(rows[i].code, "st.") != NULL;
        const struct event *event = fixture_event(f, 0, stores ? EVENT_WRITE : EVENT_READ, 0);
        assert_int_equal(event->candidate_count, 1);
        assert_int_equal(f->program->memory.objects[event->candidates[0].object].instance,
                         rows[i].instance);
        assert_int_equal(event->candidates[0].offset, rows[i].offset);
        fixture_free(f);
    }
}

static void ranks_and_spaces_of_the_cluster(void **state) {
    (void)state;
    static const struct {
        const char *code;
        uint64_t expected, undef;
    } rows[] = {
        {"getctarank.shared::cluster.u32 %v, s;", 0, 0},
        {"mapa.shared::cluster.u32 %r0, s, 1; getctarank.shared::cluster.u32 %v, %r0;", 1, 0},
        {"cvta.shared.u64 %rd0, s; mapa.u64 %rd1, %rd0, 1; getctarank.u64 %v, %rd1;", 1, 0},
        {"cvta.shared.u64 %rd0, s; mapa.u64 %rd1, %rd0, 1; isspacep.shared::cta %p0, %rd1;"
         "selp.u32 %v, 1, 0, %p0;",
         0, 0},
        {"cvta.shared.u64 %rd0, s; mapa.u64 %rd1, %rd0, 1; isspacep.shared::cluster %p0, %rd1;"
         "selp.u32 %v, 1, 0, %p0;",
         1, 0},
        {"mapa.shared::cluster.u64 %rd0, s, 7; cvt.u32.u64 %v, %rd0;", 0, 1}, // no such CTA
        {"getctarank.u64 %v, 0;", 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct program_fixture *f = build_cluster(rows[i].code);
        const struct observed *v = &f->program->observed[0];
        assert_int_equal(fixture_value(f, v->undef), rows[i].undef);
        if (!rows[i].undef)
            assert_int_equal(fixture_value(f, v->value), rows[i].expected);
        fixture_free(f);
    }
}

// An address of the other cluster is .shared, but not of this cluster.
static void addresses_of_other_clusters(void **state) {
    (void)state;
    struct program_fixture *f =
        build_cluster("ld.relaxed.gpu.global.u64 %rd0, [x]; isspacep.shared::cluster %p0, %rd0;"
                      "isspacep.global %p1, %rd0; selp.u32 %r0, 1, 0, %p0;"
                      "selp.u32 %r1, 2, 0, %p1; or.b32 %v, %r0, %r1;");
    f->reads[fixture_event(f, 0, EVENT_READ, 0)->id] =
        fixture_value(f, fixture_event(f, 2, EVENT_WRITE, 1)->access->value);
    assert_int_equal(fixture_value(f, f->program->observed[0].value), 0);
    f->reads[fixture_event(f, 0, EVENT_READ, 0)->id] = 0;
    assert_int_equal(fixture_value(f, f->program->observed[0].value), 2);
    fixture_free(f);
}

static void open_ranks(void **state) {
    (void)state;
    struct program_fixture *f;
    assert_string_equal(
        fixture_error(&f, "PTX t\n.shared .u32 s;\n"
                          "P0@cta 1,cluster 0 { mapa.shared::cluster.u64 %rd0, s, 1; }\n"
                          "P1@cta 2,cluster 0 { }\nexists (1 == 1)\n"),
        "3:22: the numbers of the CTAs in this cluster do not say what their ranks are | number "
        "them from 0 on in each cluster");
    fixture_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses),
        cmocka_unit_test(wrong_windows),
        cmocka_unit_test(initial_addresses),
        cmocka_unit_test(spaces),
        cmocka_unit_test(mapped_addresses),
        cmocka_unit_test(ranks_and_spaces_of_the_cluster),
        cmocka_unit_test(addresses_of_other_clusters),
        cmocka_unit_test(open_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
