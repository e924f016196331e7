// Proxies in programs: aliases, accesses through them, and proxy fences.

#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define REGISTERS " .reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
#define LAST "\nexists (x == 0)\n"

static void expect_error(const char *text, const char *message) {
    struct program_fixture *f;
    assert_string_equal(fixture_error(&f, text), message);
    fixture_free(f);
}

static const struct candidate *place(const struct event *event) {
    assert_int_equal(event->candidate_count, 1);
    return &event->candidates[0];
}

// --- Aliases -----------------------------------------------------------------------------------

#define ALIASES                                                                                    \
    "PTX t\n{\n .global .u32 x;\n y @ generic aliases x;\n s @ surface aliases x;\n"               \
    " t @ texture aliases y;\n c @ constant aliases x;\n a @ async aliases x;\n"                   \
    " m @ tensormap aliases x;\n}\n"

// A generic alias is another virtual address; an alias through another proxy is not.
static void aliases(void **state) {
    (void)state;
    static const struct {
        enum proxy proxy;
        unsigned like; // the read whose virtual address it has
    } expected[] = {
        {PROXY_GENERIC, 0},  {PROXY_GENERIC, 1}, {PROXY_SURFACE, 0},   {PROXY_TEXTURE, 1},
        {PROXY_CONSTANT, 0}, {PROXY_ASYNC, 0},   {PROXY_TENSORMAP, 0},
    };
    struct program_fixture *f = fixture_build(
        ALIASES "P0@cta 0 {" REGISTERS " ld.weak.global.u32 %r0, [x];\n"
                " ld.weak.global.u32 %r1, [y];\n ld.weak.global.u32 %r2, [s];\n"
                " ld.weak.global.u32 %r3, [t];\n ld.weak.global.u32 %r4, [c];\n"
                " ld.weak.global.u32 %r5, [a];\n ld.weak.global.u32 %r6, [m];\n}" LAST);
    const struct program *p = f->program;
    assert_int_equal(p->memory.object_count, 1);
    assert_int_equal(p->memory.virtual_range_count, 2);
    assert_int_equal(p->init_count, 1);
    for (unsigned i = 0; i < 7; i++) {
        const struct event *read = fixture_event(f, 0, EVENT_READ, i);
        const struct event *like = fixture_event(f, 0, EVENT_READ, expected[i].like);
        assert_int_equal(read->proxy, expected[i].proxy);
        assert_int_equal(place(read)->range, place(like)->range);
        assert_int_equal(place(read)->first_cell, 0);
    }
    assert_int_not_equal(place(fixture_event(f, 0, EVENT_READ, 0))->range,
                         place(fixture_event(f, 0, EVENT_READ, 1))->range);
    fixture_free(f);
}

static void writes_through_proxies(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        ALIASES "P0@cta 0 { st.weak.global.u32 [s], 1; st.weak.global.u32 [a], 1; }" LAST);
    assert_int_equal(fixture_event(f, 0, EVENT_WRITE, 0)->proxy, PROXY_SURFACE);
    assert_int_equal(fixture_event(f, 0, EVENT_WRITE, 1)->proxy, PROXY_ASYNC);
    fixture_free(f);
    expect_error(ALIASES "P0@cta 0 {\n st.weak.global.u32 [t], 1;\n}" LAST,
                 "12:2: the texture proxy is read-only | write through the variable "
                 "that it aliases");
    expect_error(ALIASES "P0@cta 0 {\n st.weak.global.u32 [c], 1;\n}" LAST,
                 "12:2: the constant proxy is read-only | write through the variable "
                 "that it aliases");
}

// A pointer to an alias would be a pointer to the variable.
static void pointers_lose_proxies(void **state) {
    (void)state;
    expect_error(ALIASES "P0@cta 0 {\n" REGISTERS " mov.u64 %rd0, t;\n}" LAST,
                 "13:16: 't' has the address of 'y': a register cannot keep the proxy | "
                 "access [t] itself");
    expect_error("PTX t\n{\n .global .u32 x;\n s @ surface aliases x;\n P0:%rd0=s;\n}\n"
                 "P0@cta 0 { ld.weak.global.u32 %r0, [%rd0]; }" LAST,
                 "7:37: 's' has the address of 'x': a register cannot keep the proxy | "
                 "access [s] itself");
}

static void generic_aliases_in_registers(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        ALIASES "P0@cta 0 {" REGISTERS " mov.u64 %rd0, y; st.weak.global.u32 [%rd0], 1;\n"
                " ld.weak.global.u32 %r0, [y];\n}" LAST);
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
    assert_int_equal(place(write)->range, place(fixture_event(f, 0, EVENT_READ, 0))->range);
    assert_int_equal(write->proxy, PROXY_GENERIC);
    fixture_free(f);
}

// Plain loads of .const memory are generic.
static void const_loads_are_generic(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.const .u32 k = 7; .global .u32 x;\n"
                      "P0@cta 0 {" REGISTERS " ld.const.u32 %r0, [k];\n}" LAST);
    assert_int_equal(fixture_event(f, 0, EVENT_READ, 0)->proxy, PROXY_GENERIC);
    fixture_free(f);
}

// --- Dat3M -------------------------------------------------------------------------------------

static void dat3m_instructions(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        "PTX t\n{\nx=0;\ns @ surface aliases x;\nt @ texture aliases x;\n"
        "c @ constant aliases x;\n}\n P0@cta 0,gpu 0 ;\n sust.weak s, 2 ;\n"
        " suld.weak r0, s ;\n tld.weak r1, t ;\n cold.weak r2, c ;\n ld.weak r3, x ;\n"
        " fence.proxy.texture ;\n fence.proxy.alias ;\nexists (x == 0)");
    static const enum proxy proxies[] = {PROXY_SURFACE, PROXY_TEXTURE, PROXY_CONSTANT,
                                         PROXY_GENERIC};
    assert_int_equal(f->program->memory.virtual_range_count, 1);
    assert_int_equal(fixture_event(f, 0, EVENT_WRITE, 0)->proxy, PROXY_SURFACE);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(fixture_event(f, 0, EVENT_READ, i)->proxy, proxies[i]);
    assert_int_equal(fixture_event(f, 0, EVENT_PROXY_FENCE, 0)->proxy, PROXY_TEXTURE);
    assert_int_equal(fixture_event(f, 0, EVENT_PROXY_FENCE, 1)->proxy, PROXY_ALIAS);
    fixture_free(f);
}

// --- Proxy fences ------------------------------------------------------------------------------

static void proxy_fences(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        "PTX t\n.global .u32 x;\nP0@cta 0 {" REGISTERS " ld.weak.global.u32 %r0, [x];\n"
        " fence.proxy.alias;\n fence.proxy.async;\n fence.proxy.async.shared::cta;\n"
        " fence.proxy.tensormap::generic.release.gpu;\n"
        " fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;\n"
        " st.weak.global.u32 [x], 1;\n}" LAST);
    static const enum proxy kinds[] = {PROXY_ALIAS, PROXY_ASYNC, PROXY_ASYNC, PROXY_TENSORMAP,
                                       PROXY_ASYNC};
    static const enum scope scopes[] = {SCOPE_NONE, SCOPE_NONE, SCOPE_NONE, SCOPE_GPU,
                                        SCOPE_CLUSTER};
    static const enum access_order orders[] = {ORDER_NONE, ORDER_NONE, ORDER_NONE, ORDER_RELEASE,
                                               ORDER_ACQUIRE};
    for (unsigned i = 0; i < 5; i++) {
        const struct event *fence = fixture_event(f, 0, EVENT_PROXY_FENCE, i);
        assert_int_equal(fence->proxy, kinds[i]);
        assert_int_equal(fence->scope, scopes[i]);
        assert_int_equal(fence->order, orders[i]);
        assert_int_equal(fence->candidate_count, 0);
        assert_int_equal(fence->position, i + 1);
    }
    assert_int_equal(fixture_event(f, 0, EVENT_PROXY_FENCE, 1)->space, SPACE_GENERIC);
    assert_int_equal(fixture_event(f, 0, EVENT_PROXY_FENCE, 2)->space, SPACE_SHARED);
    fixture_free(f);
}

#define TENSORMAP "PTX t\n.global .align 128 .b8 map[256]; .global .u32 x;\n"

// The fence names 128 bytes, which have no cells but those of accesses.
static void fence_of_a_range(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        TENSORMAP "P0@cta 0 {" REGISTERS
                  " fence.proxy.tensormap::generic.acquire.gpu [map+128], 128;\n"
                  " ld.weak.global.u32 %r0, [map+128]; ld.weak.global.u32 %r1, [map+252];\n"
                  " ld.weak.global.u32 %r2, [map+124];\n}" LAST);
    const struct event *fence = fixture_event(f, 0, EVENT_PROXY_FENCE, 0);
    assert_int_equal(fence->size, 128);
    assert_int_equal(place(fence)->offset, 128);
    assert_int_equal(place(fence)->cell_count, 2);
    assert_int_equal(place(fence)->first_cell,
                     place(fixture_event(f, 0, EVENT_READ, 0))->first_cell);
    for (size_t i = 0; i < f->program->memory.cell_count; i++)
        assert_true(f->program->memory.cells[i].size <= 16);
    fixture_free(f);
}

static void fence_of_a_computed_range(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        TENSORMAP
        ".global .u64 p = map;\nP0@cta 0 {" REGISTERS " ld.weak.global.u64 %rd0, [p];\n"
        " fence.proxy.tensormap::generic.acquire.gpu [%rd0+128], 128;\n"
        " ld.weak.global.u32 %r0, [map+128];\n}\nP1@cta 1 {" REGISTERS
        " mov.u64 %rd0, map; sub.u64 %rd0, %rd0, 128; st.weak.global.u64 [p], %rd0;\n}" LAST);
    const struct event *fence = fixture_event(f, 0, EVENT_PROXY_FENCE, 0);
    assert_int_equal(fence->candidate_count, 2);
    assert_int_equal(fence->candidates[0].cell_count + fence->candidates[1].cell_count, 1);
    assert_true(fixture_depends(fence->addr, fixture_event(f, 0, EVENT_READ, 0)));
    fixture_free(f);
}

static void range_outside(void **state) {
    (void)state;
    expect_error("PTX t\n.global .u32 x;\nP0@cta 0 {\n"
                 " fence.proxy.tensormap::generic.acquire.gpu [x], 128;\n}" LAST,
                 "4:45: this access of 128 bytes, 0 bytes into 'x', crosses its end | "
                 "'x' has 4 bytes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aliases),
        cmocka_unit_test(writes_through_proxies),
        cmocka_unit_test(pointers_lose_proxies),
        cmocka_unit_test(generic_aliases_in_registers),
        cmocka_unit_test(const_loads_are_generic),
        cmocka_unit_test(dat3m_instructions),
        cmocka_unit_test(proxy_fences),
        cmocka_unit_test(fence_of_a_range),
        cmocka_unit_test(fence_of_a_computed_range),
        cmocka_unit_test(range_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
