// Hints have no effect in the model: the events of an access with hints are those of the access
// without them ("a performance hint only", PTX ISA 9.7.9.8 and 9.7.9.11).
#include "tests/unit/program/program_fixture.h"

#include "litmus/ptx/instructions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static struct program_fixture *build(const char *statement) {
    struct arena *arena = arena_new();
    struct program_fixture *f =
        fixture_build(arena_format(arena,
                                   "PTX t\n.global .align 32 .b32 x[8];\n"
                                   ".global .attribute(.unified(0xab, 1)) .u32 u;\nP0@cta 0 {\n"
                                   ".reg .b32 %%r<8>; .reg .b64 %%rd<8>;\n"
                                   "mov.u64 %%rd0, x; mov.u64 %%rd7, 0; mov.u32 %%r0, 7;\n"
                                   "ld.weak.global.u32 %%r1, [x];\n%s\n"
                                   "st.weak.global.u32 [x+4], 1;\n}\nexists (x[0] == 1)\n",
                                   statement));
    arena_free(arena);
    return f;
}

static void check_same(const struct event *a, const struct event *b, struct program_fixture *f,
                       struct program_fixture *g) {
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->thread, b->thread);
    assert_int_equal(a->position, b->position);
    assert_int_equal(a->order, b->order);
    assert_int_equal(a->scope, b->scope);
    assert_int_equal(a->proxy, b->proxy);
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->space, b->space);
    assert_int_equal(a->candidate_count, b->candidate_count);
    assert_int_equal(a->addr.count, b->addr.count);
    assert_int_equal(a->data.count, b->data.count);
    assert_int_equal(a->ctrl.count, b->ctrl.count);
    if (!event_is_access(a))
        return;
    assert_int_equal(a->access->rmw, b->access->rmw);
    assert_int_equal(a->access->is_red, b->access->is_red);
    assert_int_equal(fixture_value(f, a->executes), fixture_value(g, b->executes));
    assert_int_equal(fixture_value(f, a->address), fixture_value(g, b->address));
    assert_int_equal(fixture_value(f, a->access->value), fixture_value(g, b->access->value));
    assert_int_equal(fixture_value(f, a->access->undef), fixture_value(g, b->access->undef));
}

static void check(const char *with, const char *without) {
    struct program_fixture *f = build(with), *g = build(without);
    if (f->program->event_count != g->program->event_count)
        fail_msg("%s: another number of events", with);
    for (size_t i = 0; i < f->program->event_count; i++)
        check_same(&f->program->events[i], &g->program->events[i], f, g);
    fixture_free(f);
    fixture_free(g);
}

#define V8 "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}"

static void accesses(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"ld.global.lu.u32 %r2, [x];", "ld.weak.global.u32 %r2, [x];"},
        {"st.global.wt.u32 [x], %r1;", "st.weak.global.u32 [x], %r1;"},
        {"ld.global.L2::cache_hint.L2::256B.u32 %r2, [x], %rd7;", "ld.global.u32 %r2, [x];"},
        {"ld.relaxed.gpu.global.L1::no_allocate.L2::64B.u32 %r2, [x];",
         "ld.relaxed.gpu.global.u32 %r2, [x];"},
        {"ld.acquire.sys.L1::evict_last.L2::cache_hint.L2::128B.u32 %r2, [%rd0], %rd7;",
         "ld.acquire.sys.u32 %r2, [%rd0];"},
        {"ld.volatile.global.L2::64B.u32 %r2, [x];", "ld.volatile.global.u32 %r2, [x];"},
        {"st.release.gpu.L1::evict_first.L2::cache_hint.u32 [x], %r1, %rd7;",
         "st.release.gpu.u32 [x], %r1;"},
        {"ld.global.L2::evict_last.L1::evict_last.v8.b32 " V8 ", [x];",
         "ld.global.v8.b32 " V8 ", [x];"},
        {"ld.global.L2::evict_first.v8.b32 {%r2, _, %r3, %r4, %r5, %r6, %r7, _}, [x];",
         "ld.global.v8.b32 {%r2, _, %r3, %r4, %r5, %r6, %r7, _}, [x];"},
        {"st.relaxed.gpu.global.L2::evict_normal.v4.b64 [x], {%rd0, _, %rd7, %rd7};",
         "st.relaxed.gpu.global.v4.b64 [x], {%rd0, _, %rd7, %rd7};"},
        {"atom.global.L2::cache_hint.add.u32 %r2, [x], %r1, %rd7;",
         "atom.global.add.u32 %r2, [x], %r1;"},
        {"red.release.gpu.global.L2::cache_hint.max.s32 [x], %r1, %rd7;",
         "red.release.gpu.global.max.s32 [x], %r1;"},
        {"ld.global.u32 %r2, [u].unified;", "ld.weak.global.b32 %r2, [u].unified;"},
        {"ld.u32 %r2, [%rd0+4].unified;", "ld.weak.u32 %r2, [%rd0+4];"},
        {"prefetch.global.L1 [x];", ""},
        {"prefetch.L2 [%rd0];", ""},
        {"prefetch.global.L2::evict_last [x];", ""},
        {"prefetchu.L1 [%rd0];", ""},
        {"applypriority.global.L2::evict_normal [x], 128;", ""},
        {"nanosleep.u32 20;", ""},
        {"setmaxnreg.inc.sync.aligned.u32 240;", ""},
        {"setmaxnreg.dec.sync.aligned.u32 24;", ""},
        {"createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd1, 1;"
         "ld.global.L2::cache_hint.u32 %r2, [x], %rd1;",
         "ld.global.u32 %r2, [x];"},
        {"createpolicy.range.L2::evict_last.b64 %rd1, [x], 4, 8;"
         "createpolicy.cvt.L2.b64 %rd2, %rd7;"
         "st.global.L2::cache_hint.u32 [x], 3, %rd2;",
         "st.global.u32 [x], 3;"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(rows[i][0], rows[i][1]);
}

// Every hint of the table, where it can be used alone.
static void each_hint(void **state) {
    (void)state;
    static const char *const loads[] = {".ca",
                                        ".cg",
                                        ".cs",
                                        ".lu",
                                        ".cv",
                                        ".L1::evict_normal",
                                        ".L1::evict_unchanged",
                                        ".L1::evict_first",
                                        ".L1::evict_last",
                                        ".L1::no_allocate",
                                        ".L2::64B",
                                        ".L2::128B",
                                        ".L2::256B"};
    static const char *const stores[] = {".wb",
                                         ".cg",
                                         ".cs",
                                         ".wt",
                                         ".L1::evict_normal",
                                         ".L1::evict_unchanged",
                                         ".L1::evict_first",
                                         ".L1::evict_last",
                                         ".L1::no_allocate"};
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        check(arena_format(arena, "ld%s.u32 %%r2, [x+8];", loads[i]), "ld.u32 %r2, [x+8];");
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
        check(arena_format(arena, "st%s.u32 [x+8], %%r1;", stores[i]), "st.u32 [x+8], %r1;");
    arena_free(arena);
}

// What a policy is made of is the machine's: who stores one stores an unknown value.
static void policies_are_unknown(void **state) {
    (void)state;
    struct program_fixture *f = build("createpolicy.fractional.L2::evict_first.b64 %rd1, 0.5;"
                                      "st.global.u64 [x+8], %rd1;");
    assert_int_equal(fixture_value(f, fixture_event(f, 0, EVENT_WRITE, 0)->access->undef), 1);
    fixture_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses),
        cmocka_unit_test(each_hint),
        cmocka_unit_test(policies_are_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
