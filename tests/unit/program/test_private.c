// What a thread reads from .local memory and from what it passes to functions: known without a
// solver where it is certain, asked of the model where it is not.
#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { FROM_MODEL = 77 }; // what every read of the fixture returns

// %r0 at the end of a thread with this code, where %p says whether a read was not 0.
static uint64_t result(const char *code) {
    struct arena *arena = arena_new();
    uint64_t value = fixture_result(
        arena_format(arena,
                     "PTX t\n.global .u32 x; .local .align 8 .u32 l[2]; .local .u32 other;\n"
                     "m @ generic aliases l;\n"
                     ".func (.param .b32 out) next (.param .b32 in) {\n"
                     "  .reg .b32 t; ld.param.b32 t, [in]; add.u32 t, t, 1;\n"
                     "  st.param.b32 [out], t;\n}\n"
                     "P0@cta 0 {\n.reg .b32 %%r<3>; .reg .b64 %%a, %%b; .reg .pred %%p;\n"
                     "ld.relaxed.gpu.global.u32 %%r1, [x]; setp.ne.u32 %%p, %%r1, 0;\n"
                     "cvta.local.u64 %%a, l; mov.u32 %%r0, 0;\n%s\n}\nexists (P0:%%r0 == 0)\n",
                     code),
        FROM_MODEL);
    arena_free(arena);
    return value;
}

static void results(void **state) {
    (void)state;
    static const struct {
        const char *code;
        uint64_t expected;
    } rows[] = {
        {"st.local.u32 [l], 5; ld.local.u32 %r0, [l];", 5},
        {"st.local.u32 [l], 5; st.local.u32 [l], 6; ld.local.u32 %r0, [l];", 6},
        {"st.local.u32 [l], 5; ld.u32 %r0, [%a];", 5}, // the same by its generic address
        {"st.u32 [%a+4], 5; st.local.u32 [l], 6; ld.local.u32 %r0, [l+4];", 5},
        {"st.local.u32 [l], 5; st.local.u32 [other], 6; ld.local.u32 %r0, [l];", 5},
        {"st.local.u32 [l], 0x12345678; ld.local.u8 %r0, [l+1];", 0x56},
        {"st.local.u32 [l], 0x1234F678; ld.local.s8 %r0, [l+1];", 0xFFFFFFF6},
        // conditions
        {"st.local.u32 [l], 5; @%p st.local.u32 [l], 6; ld.local.u32 %r0, [l];", 6},
        {"st.local.u32 [l], 5; @!%p st.local.u32 [l], 6; ld.local.u32 %r0, [l];", 5},
        {"@!%p st.local.u32 [l], 6; ld.local.u32 %r0, [l];", FROM_MODEL},
        {"@%p bra Skip; st.local.u32 [l], 6; Skip: @!%p ld.local.u32 %r0, [l];", 0},
        {"st.local.u32 [l], 5; @!%p bra Skip; st.local.u32 [l], 6; Skip: ld.local.u32 %r0, [l];",
         6},
        // what is not known
        {"ld.local.u32 %r0, [l];", FROM_MODEL},
        {"st.local.u32 [l], 5; st.local.u8 [l], 6; ld.local.u32 %r0, [l];", FROM_MODEL},
        {"st.local.u32 [l], 5; st.local.u32 [m], 6; ld.local.u32 %r0, [l];", FROM_MODEL},
        {"st.local.u32 [l], 5; and.b32 %r2, %r1, 4; cvt.u64.u32 %b, %r2; add.u64 %b, %a, %b; "
         "st.u32 [%b], 6; ld.local.u32 %r0, [l];",
         FROM_MODEL},
        {"st.global.u32 [x], 5; ld.global.u32 %r0, [x];", FROM_MODEL}, // others write there
        // parameters
        {"{ .param .b32 p; .param .b32 q; st.param.b32 [p], 5; call (q), next, (p); "
         "ld.param.b32 %r0, [q]; }",
         6},
        {"call (%r0), next, (7);", 8},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (result(rows[i].code) != rows[i].expected)
            fail_msg("%s: %llu", rows[i].code, (unsigned long long)result(rows[i].code));
}

// The read stays an event, on which what follows depends as written.
static void events(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build_written(
        "PTX t\n.global .u32 x; .local .u32 l;\nP0@cta 0 { st.local.u32 [l], 5; ld.local.u32 %r0, "
        "[l]; st.relaxed.gpu.global.u32 [x], %r0; }\nexists (x == 5)\n");
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 1);
    assert_int_equal(fixture_value(f, write->access->value), 5);
    f->reads[read->id] = 3;
    assert_int_equal(fixture_value(f, read->access->value), 3);
    assert_true(fixture_depends(write->data, read));
    fixture_free(f);
}

// What is read there depends on what the written value came from.
static void dependencies(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        "PTX t\n.global .u32 x; .local .u32 l;\nP0@cta 0 { ld.relaxed.gpu.global.u32 %r1, [x];\n"
        "st.local.u32 [l], %r1; ld.local.u32 %r0, [l]; st.relaxed.gpu.global.u32 [x], %r0; }\n"
        "exists (x == 5)\n");
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 1);
    assert_int_equal(write->data.count, 1);
    assert_true(fixture_depends(write->data, fixture_event(f, 0, EVENT_READ, 0)));
    fixture_free(f);
}

// Where all reads are known, only the accesses that other threads may see remain.
static void left_out(void **state) {
    (void)state;
    static const struct {
        const char *code;
        size_t events; // initial writes included
    } rows[] = {
        {"st.local.u32 [l], %r1; ld.local.u32 %r0, [l];", 3},
        {"@%p st.local.u32 [l], 1; @%p ld.local.u32 %r0, [l];", 3},
        {"{ .param .b32 p; st.param.b32 [p], 5; ld.param.b32 %r0, [p]; }", 3},
        {"st.local.u32 [l], %r1;", 3},
        // what is kept
        {"ld.local.u32 %r0, [l];", 5},                               // nothing is stored
        {"@%p st.local.u32 [l], %r1; ld.local.u32 %r0, [l];", 6},    // nothing may be
        {"st.volatile.local.u32 [l], 5; ld.local.u32 %r0, [l];", 6}, // strong
        {"st.local.u32 [l], 5; and.b32 %r2, %r1, 4; cvt.u64.u32 %b, %r2; add.u64 %b, %a, %b; "
         "st.u32 [%b], 6; ld.local.u32 %r0, [l];",
         7},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "PTX t\n.global .u32 x; .local .align 8 .u32 l[2];\n"
                 "P0@cta 0 {\n.reg .b32 %%r<3>; .reg .b64 %%a, %%b; .reg .pred %%p;\n"
                 "ld.relaxed.gpu.global.u32 %%r1, [x]; setp.ne.u32 %%p, %%r1, 0;\n"
                 "cvta.local.u64 %%a, l; mov.u32 %%r0, 0;\n%s\n"
                 "st.relaxed.gpu.global.u32 [x], %%r0;\n}\nexists (P0:%%r0 == 0)\n",
                 rows[i].code);
        struct program_fixture *f = fixture_build_with(text, (struct program_options){.unroll = 2});
        if (f->program->event_count != rows[i].events)
            fail_msg("%s: %zu", rows[i].code, f->program->event_count);
        fixture_free(f);
    }
}

// What is read through memory that is left out depends on what was written there, also as written.
static void dependencies_left_out(void **state) {
    (void)state;
    static const enum dependencies readings[] = {DEPENDENCIES_SEMANTIC, DEPENDENCIES_SYNTACTIC};
    for (size_t i = 0; i < COUNT(readings); i++) {
        struct program_fixture *f = fixture_build_with(
            "PTX t\n.global .u32 x; .local .u32 l;\n"
            "P0@cta 0 { ld.relaxed.gpu.global.u32 %r1, [x];\n"
            "st.local.u32 [l], %r1; ld.local.u32 %r0, [l]; st.relaxed.gpu.global.u32 [x], %r0; }\n"
            "exists (x == 5)\n",
            (struct program_options){.dependencies = readings[i], .unroll = 2});
        const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
        assert_int_equal(f->program->event_count, 3);
        assert_int_equal(write->data.count, 1);
        assert_true(fixture_depends(write->data, fixture_event(f, 0, EVENT_READ, 0)));
        fixture_free(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results),
        cmocka_unit_test(events),
        cmocka_unit_test(dependencies),
        cmocka_unit_test(left_out),
        cmocka_unit_test(dependencies_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
