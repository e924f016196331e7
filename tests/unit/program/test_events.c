// Programs of straight-line code: events, registers, guards, dependencies, conditions.

#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define HEADER "PTX t\n.global .u32 x; .global .u32 y;\n"

// --- Events ------------------------------------------------------------------------------------

static void message_passing(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(HEADER "P0@cta 0,gpu 0 {\n"
                                                     " st.weak.global.u32 [x], 1;\n"
                                                     " fence.acq_rel.gpu;\n"
                                                     " st.release.gpu.global.u32 [y], 2;\n"
                                                     "}\n"
                                                     "P1@cta 1,gpu 0 {\n"
                                                     " ld.volatile.global.u32 %r0, [y];\n"
                                                     "}\n"
                                                     "exists (P1:%r0 == 2 /\\ x == 1)\n");
    const struct program *p = f->program;
    assert_int_equal(p->memory.object_count, 2);
    assert_int_equal(p->memory.cell_count, 2);
    assert_int_equal(p->init_count, 2);
    assert_int_equal(p->event_count, 6);
    for (unsigned i = 0; i < p->event_count; i++)
        assert_int_equal(p->events[i].id, i);
    const struct event *x = fixture_event(f, 0, EVENT_WRITE, 0);
    const struct event *fence = fixture_event(f, 0, EVENT_FENCE, 0);
    const struct event *y = fixture_event(f, 0, EVENT_WRITE, 1);
    const struct event *read = fixture_event(f, 1, EVENT_READ, 0);
    assert_int_equal(x->order, ORDER_WEAK);
    assert_int_equal(x->scope, SCOPE_NONE);
    assert_int_equal(fence->order, ORDER_ACQ_REL);
    assert_int_equal(y->order, ORDER_RELEASE);
    assert_int_equal(y->scope, SCOPE_GPU);
    assert_int_equal(read->order, ORDER_VOLATILE);
    assert_int_equal(read->scope, SCOPE_SYS);
    assert_int_equal(fixture_value(f, y->access->value), 2);
    assert_true(program_po(p, x->id, fence->id) && program_po(p, fence->id, y->id));
    assert_false(program_po(p, y->id, x->id) || program_po(p, x->id, read->id));
    assert_false(program_po(p, 0, x->id) || program_po(p, 0, 1));
    assert_int_equal(read->candidate_count, 1);
    assert_int_equal(read->candidates[0].first_cell, y->candidates[0].first_cell);
    assert_true(expr_is_true(read->candidates[0].condition));
    assert_true(expr_is_true(read->executes) && expr_is_false(read->access->undef));
    assert_true(expr_is_false(p->limits.bound_reached) && expr_is_false(p->limits.out_of_bounds));
    assert_true(expr_is_true(p->filter));
    assert_int_equal(p->observed_count, 2);
    assert_string_equal(p->observed[0].log_name, "1:r0");
    assert_string_equal(p->observed[0].json_name, "P1:%r0");
    assert_string_equal(p->observed[1].log_name, "[x]");
    assert_string_equal(p->observed[1].json_name, "x");
    assert_ptr_equal(p->observed[0].value, read->access->value);
    f->reads[read->id] = 2;
    f->finals[x->candidates[0].first_cell] = 1;
    assert_int_equal(fixture_value(f, p->condition), 1);
    f->reads[read->id] = 1;
    assert_int_equal(fixture_value(f, p->condition), 0);
    fixture_free(f);
}

static void unnamed_variables_have_no_object(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(HEADER "P0@cta 0 { ld.weak.global.u32 %r0, [x]; }\n"
                                                     "exists (P0:%r0 == 0)\n");
    assert_int_equal(f->program->memory.object_count, 1);
    assert_int_equal(f->program->init_count, 1);
    fixture_free(f);
}

// --- Registers ---------------------------------------------------------------------------------

// Loads extend by the type of the load, stores truncate.
static void widths(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.global .s8 a; .global .u8 b; .global .u16 c;\n"
                      "P0@cta 0 {\n"
                      " .reg .s32 %r<4>;\n"
                      " ld.weak.global.s8 %r0, [a];\n"
                      " ld.weak.global.u8 %r1, [b];\n"
                      " st.weak.global.u16 [c], %r0;\n"
                      "}\n"
                      "exists (P0:%r0 == -1 /\\ P0:%r1 == 255)\n");
    f->reads[fixture_event(f, 0, EVENT_READ, 0)->id] = 0xff;
    f->reads[fixture_event(f, 0, EVENT_READ, 1)->id] = 0xff;
    assert_int_equal(fixture_value(f, f->program->observed[0].value), 0xffffffff);
    assert_int_equal(fixture_value(f, f->program->observed[1].value), 0xff);
    assert_true(f->program->observed[0].is_signed);
    assert_int_equal(fixture_value(f, f->program->condition), 1);
    assert_int_equal(fixture_value(f, fixture_event(f, 0, EVENT_WRITE, 0)->access->value), 0xffff);
    fixture_free(f);
}

struct compute_case {
    const char *code; // from %r0 (the read) and %r1 = 5 to %r2
    uint64_t read, expected;
};

static const struct compute_case compute_cases[] = {
    {"add.u32 %r2, %r0, %r1;", UINT32_MAX, 4},
    {"sub.s32 %r2, %r0, %r1;", 3, 0xfffffffe},
    {"add.u32 %r2, %r0, WARP_SZ;", 1, 33}, // PTX ISA 4.4.3
    {"add.u32 %r2, %r0, 2*WARP_SZ-1;", 1, 64},
    {"mul.lo.u32 %r2, %r0, %r1;", 0x40000000, 0x40000000},
    {"mul.hi.u32 %r2, %r0, %r1;", 0x80000000, 2},
    {"mul.hi.s32 %r2, %r0, %r1;", 0x80000000, 0xfffffffd},
    {"and.b32 %r2, %r0, %r1;", 0xc, 4},
    {"or.b32 %r2, %r0, %r1;", 0xc, 0xd},
    {"xor.b32 %r2, %r0, %r1;", 0xc, 9},
    {"xor.b32 %r2, %r0, %r0;", 0xc, 0},
    {"not.b32 %r2, %r0;", 0xc, 0xfffffff3},
    {"shl.b32 %r2, %r0, %r1;", 3, 0x60},
    {"shl.b32 %r2, %r0, 32;", 3, 0},
    {"shr.u32 %r2, %r0, %r1;", 0x80000000, 0x04000000},
    {"shr.s32 %r2, %r0, %r1;", 0x80000000, 0xfc000000},
    {"shr.s32 %r2, %r0, 77;", 0x80000000, 0xffffffff},
    {"mov.u32 %r2, %r0;", 7, 7},
    {"setp.lt.u32 %p0, %r0, %r1; selp.u32 %r2, 10, 20, %p0;", 4, 10},
    {"setp.lt.u32 %p0, %r0, %r1; selp.u32 %r2, 10, 20, %p0;", 5, 20},
    {"setp.lt.s32 %p0, %r0, %r1; selp.u32 %r2, 10, 20, %p0;", UINT32_MAX, 10},
    {"setp.le.u32 %p0, %r0, %r1; selp.u32 %r2, 10, 20, %p0;", 5, 10},
    {"setp.gt.u32 %p0, %r0, %r1; selp.u32 %r2, 10, 20, %p0;", 5, 20},
    {"setp.ge.u32 %p0, %r0, %r1; selp.u32 %r2, 10, 20, %p0;", 5, 10},
    {"setp.ne.u32 %p0, %r0, %r1; selp.u32 %r2, 10, 20, %p0;", 5, 20},
    {"setp.lo.u32 %p0, %r0, %r1; selp.u32 %r2, 10, 20, %p0;", 4, 10},
    {"setp.hs.u32 %p0, %r0, %r1; selp.u32 %r2, 10, 20, %p0;", 4, 20},
    {"setp.eq.u32 %p0|%p1, %r0, %r1; selp.u32 %r2, 10, 20, %p1;", 5, 20},
    {"setp.eq.u32 %p1, %r1, 5; setp.eq.and.u32 %p0, %r0, 3, %p1; selp.u32 %r2, 1, 2, %p0;", 3, 1},
    {"setp.eq.u32 %p1, %r1, 5; setp.eq.xor.u32 %p0, %r0, 3, %p1; selp.u32 %r2, 1, 2, %p0;", 3, 2},
    {"setp.eq.u32 %p1, %r1, 5; setp.eq.and.u32 %p0, %r0, 3, !%p1; selp.u32 %r2, 1, 2, %p0;", 3, 2},
    {"mov.u32 %r2, 1; setp.eq.u32 %p0, %r0, 3; @%p0 mov.u32 %r2, 9;", 3, 9},
    {"mov.u32 %r2, 1; setp.eq.u32 %p0, %r0, 3; @!%p0 mov.u32 %r2, 9;", 3, 1},
};

static void computations(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof compute_cases / sizeof *compute_cases; i++) {
        struct arena *arena = arena_new();
        const struct compute_case *c = &compute_cases[i];
        struct program_fixture *f =
            fixture_build(arena_format(arena,
                                       HEADER "P0@cta 0 { .reg .b32 %%r<4>; .reg .pred %%p<2>;\n"
                                              " ld.weak.global.u32 %%r0, [x];\n"
                                              " mov.u32 %%r1, 5;\n %s\n}\n"
                                              "exists (P0:%%r2 == 0)\n",
                                       c->code));
        f->reads[fixture_event(f, 0, EVENT_READ, 0)->id] = c->read;
        uint64_t value = fixture_value(f, f->program->observed[0].value);
        if (value != c->expected)
            fail_msg("%s: %llx", c->code, (unsigned long long)value);
        fixture_free(f);
        arena_free(arena);
    }
}

static void registers_across_widths(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(HEADER "P0@cta 0 { .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .b16 %h<4>;\n"
                             " ld.weak.global.u32 %r0, [x];\n"
                             " mul.wide.s32 %rd0, %r0, -2;\n"
                             " cvt.s64.s32 %rd1, %r0;\n"
                             " cvt.u16.u32 %h0, %r0;\n"
                             "}\n"
                             "locations [P0:%rd0; P0:%rd1; P0:%h0;]\n"
                             "exists (x == 0)\n");
    f->reads[fixture_event(f, 0, EVENT_READ, 0)->id] = 0xffff8000;
    const struct observed *o = f->program->observed + 1; // x comes first
    assert_int_equal(fixture_value(f, o[0].value), 0x10000);
    assert_int_equal(fixture_value(f, o[1].value), 0xffffffffffff8000);
    assert_int_equal(fixture_value(f, o[2].value), 0x8000);
    fixture_free(f);
}

// --- Atomic operations -------------------------------------------------------------------------

struct atomic_case {
    const char *operation; // "add.u32"
    const char *operands;
    uint64_t old, stored;
    bool writes;
};

static const struct atomic_case atomic_cases[] = {
    {"add.u32", "3", 5, 8, true},
    {"add.u32", "1", 0xffffffff, 0, true},
    {"inc.u32", "3", 2, 3, true},
    {"inc.u32", "3", 3, 0, true},
    {"inc.u32", "3", 9, 0, true},
    {"dec.u32", "3", 2, 1, true},
    {"dec.u32", "3", 0, 3, true},
    {"dec.u32", "3", 4, 3, true},
    {"dec.u32", "3", 3, 2, true},
    {"min.u32", "3", 0xffffffff, 3, true},
    {"min.s32", "3", 0xffffffff, 0xffffffff, true},
    {"max.u32", "3", 0xffffffff, 0xffffffff, true},
    {"max.s32", "3", 0xffffffff, 3, true},
    {"and.b32", "12", 10, 8, true},
    {"or.b32", "12", 10, 14, true},
    {"xor.b32", "12", 10, 6, true},
    {"exch.b32", "3", 10, 3, true},
    {"cas.b32", "10, 4", 10, 4, true},
    {"cas.b32", "10, 4", 11, 4, false},
};

static void atomics(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof atomic_cases / sizeof *atomic_cases; i++) {
        struct arena *arena = arena_new();
        const struct atomic_case *c = &atomic_cases[i];
        struct program_fixture *f = fixture_build(
            arena_format(arena,
                         HEADER "P0@cta 0 { atom.acq_rel.gpu.global.%s %%r0, [x], %s; }\n"
                                "exists (P0:%%r0 == 0)\n",
                         c->operation, c->operands));
        const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
        const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
        f->reads[read->id] = c->old;
        assert_int_equal(read->access->rmw, write->id);
        assert_int_equal(write->access->rmw, read->id);
        assert_int_equal(read->order, ORDER_ACQ_REL);
        assert_int_equal(write->order, ORDER_ACQ_REL);
        assert_false(read->access->is_red || write->access->is_red);
        assert_int_equal(write->position, read->position + 1);
        assert_int_equal(fixture_value(f, write->executes), c->writes);
        if (fixture_value(f, write->access->value) != c->stored)
            fail_msg("%s: %llx", c->operation,
                     (unsigned long long)fixture_value(f, write->access->value));
        assert_int_equal(fixture_value(f, f->program->observed[0].value), c->old);
        fixture_free(f);
        arena_free(arena);
    }
}

static void reductions(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(HEADER "P0@cta 0 { red.relaxed.gpu.global.add.u32 [x], 4; }\n"
                             "exists (x == 4)\n");
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
    assert_true(read->access->is_red && write->access->is_red);
    f->reads[read->id] = 7;
    assert_int_equal(fixture_value(f, write->access->value), 11);
    assert_true(fixture_depends(write->data, read));
    fixture_free(f);
}

// --- Guards and dependencies -------------------------------------------------------------------

static void guards(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(HEADER "P0@cta 0 { .reg .pred %p0;\n"
                                                     " ld.weak.global.u32 %r0, [x];\n"
                                                     " setp.eq.u32 %p0, %r0, 1;\n"
                                                     " @%p0 ld.weak.global.u32 %r0, [y];\n"
                                                     " @!%p0 st.weak.global.u32 [y], 3;\n"
                                                     " st.weak.global.u32 [x], 4;\n"
                                                     "}\n"
                                                     "exists (P0:%r0 == 0)\n");
    const struct event *first = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *second = fixture_event(f, 0, EVENT_READ, 1);
    const struct event *store = fixture_event(f, 0, EVENT_WRITE, 0);
    const struct event *last = fixture_event(f, 0, EVENT_WRITE, 1);
    f->reads[first->id] = 1;
    f->reads[second->id] = 9;
    assert_int_equal(fixture_value(f, second->executes), 1);
    assert_int_equal(fixture_value(f, store->executes), 0);
    assert_int_equal(fixture_value(f, f->program->observed[0].value), 9);
    f->reads[first->id] = 2;
    assert_int_equal(fixture_value(f, second->executes), 0);
    assert_int_equal(fixture_value(f, store->executes), 1);
    assert_int_equal(fixture_value(f, f->program->observed[0].value), 2);
    assert_int_equal(first->ctrl.count, 0);
    assert_true(fixture_depends(second->ctrl, first));
    assert_true(fixture_depends(store->ctrl, first));
    assert_true(expr_is_true(last->executes));
    assert_int_equal(last->ctrl.count, 0); // it is executed in any case
    assert_int_equal(last->data.count, 0);
    fixture_free(f);
}

// Syntactically, everything after a guard depends on it.
static void guards_as_written(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build_written(HEADER "P0@cta 0 { .reg .pred %p0;\n"
                                                             " ld.weak.global.u32 %r0, [x];\n"
                                                             " setp.eq.u32 %p0, %r0, 1;\n"
                                                             " @!%p0 st.weak.global.u32 [y], 3;\n"
                                                             " st.weak.global.u32 [x], 4;\n"
                                                             "}\n"
                                                             "exists (P0:%r0 == 0)\n");
    const struct event *first = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *last = fixture_event(f, 0, EVENT_WRITE, 1);
    assert_true(expr_is_true(last->executes) && fixture_depends(last->ctrl, first));
    assert_int_equal(last->ctrl.count, 1);
    assert_int_equal(last->data.count, 0);
    fixture_free(f);
}

static const char dependency_text[] =
    "PTX t\n.global .u32 x; .global .u32 y; .global .u32 a[4];\n"
    "P0@cta 0 { .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p0;\n"
    " ld.weak.global.u32 %r0, [x];\n"
    " xor.b32 %r1, %r0, %r0;\n"
    " add.u32 %r2, %r1, 1;\n"
    " st.weak.global.u32 [y], %r2;\n" // data, though the value is 1
    " mov.u64 %rd0, a;\n"
    " cvt.u64.u32 %rd1, %r1;\n"
    " add.u64 %rd2, %rd0, %rd1;\n"
    " ld.weak.global.u32 %r3, [%rd2+4];\n" // address, though it is a+4
    " setp.eq.u32 %p0, %r3, 0;\n"
    " selp.u32 %r4, 1, 2, %p0;\n"
    " atom.relaxed.gpu.global.cas.b32 %r5, [x], %r3, %r0;\n"
    " atom.relaxed.gpu.global.exch.b32 %r6, [x], %r4;\n"
    "}\n"
    "exists (y == 1)\n";

static void dependencies_as_written(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build_written(dependency_text);
    const struct event *x = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *a = fixture_event(f, 0, EVENT_READ, 1);
    const struct event *cas_read = fixture_event(f, 0, EVENT_READ, 2);
    const struct event *exch_read = fixture_event(f, 0, EVENT_READ, 3);
    const struct event *y = fixture_event(f, 0, EVENT_WRITE, 0);
    const struct event *cas = fixture_event(f, 0, EVENT_WRITE, 1);
    const struct event *exch = fixture_event(f, 0, EVENT_WRITE, 2);
    assert_true(expr_is_const(y->access->value) && y->access->value->value.low == 1);
    assert_true(fixture_depends(y->data, x));
    assert_int_equal(y->addr.count, 0);
    assert_true(fixture_depends(a->addr, x));
    assert_int_equal(a->candidate_count, 1);
    assert_int_equal(a->candidates[0].offset, 4);
    assert_true(fixture_depends(cas->data, a) && fixture_depends(cas->data, x));
    assert_true(fixture_depends(cas->data, cas_read));
    assert_true(fixture_depends(exch->data, a));
    assert_false(fixture_depends(exch->data, exch_read) || fixture_depends(exch->data, x));
    fixture_free(f);
}

// What was read can change what is written, or where, or whether.
static void dependencies_that_matter(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(dependency_text);
    const struct event *x = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *a = fixture_event(f, 0, EVENT_READ, 1);
    const struct event *cas_read = fixture_event(f, 0, EVENT_READ, 2);
    const struct event *y = fixture_event(f, 0, EVENT_WRITE, 0);
    const struct event *cas = fixture_event(f, 0, EVENT_WRITE, 1);
    const struct event *exch = fixture_event(f, 0, EVENT_WRITE, 2);
    assert_int_equal(y->addr.count + y->data.count + y->ctrl.count, 0);
    assert_int_equal(a->addr.count + a->data.count + a->ctrl.count, 0);
    // the cas writes x's value where its own read is a's
    assert_int_equal(cas->data.count, 1);
    assert_true(fixture_depends(cas->data, x));
    assert_int_equal(cas->ctrl.count, 2);
    assert_true(fixture_depends(cas->ctrl, a) && fixture_depends(cas->ctrl, cas_read));
    assert_int_equal(exch->data.count, 1);
    assert_true(fixture_depends(exch->data, a));
    fixture_free(f);
}

static void dropped_dependencies(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build_with(
        dependency_text, (struct program_options){.dependencies = DEPENDENCIES_NONE, .unroll = 2});
    for (size_t i = 0; i < f->program->event_count; i++) {
        const struct event *event = &f->program->events[i];
        assert_int_equal(event->addr.count + event->data.count + event->ctrl.count, 0);
    }
    fixture_free(f);
}

// A register that only some paths write is unknown on the others.
static void partly_written_registers(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(HEADER "P0@cta 0 { .reg .b32 %r<4>; .reg .pred %p0;\n"
                                                     " ld.weak.global.u32 %r0, [x];\n"
                                                     " setp.eq.u32 %p0, %r0, 1;\n"
                                                     " @%p0 mov.u32 %r1, 5;\n"
                                                     " @%p0 st.weak.global.u32 [y], %r1;\n"
                                                     "}\n"
                                                     "exists (P0:%r1 == 5)\n");
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
    assert_true(expr_is_const(write->access->value) && expr_is_false(write->access->undef));
    assert_true(expr_is_false(read->access->undef));
    f->reads[read->id] = 1;
    assert_int_equal(fixture_value(f, f->program->observed[0].undef), 0);
    assert_int_equal(fixture_value(f, f->program->observed[0].value), 5);
    f->reads[read->id] = 0;
    assert_int_equal(fixture_value(f, f->program->observed[0].undef), 1);
    fixture_free(f);
}

// Where an unknown value reaches memory, reads ask whether theirs is unknown.
static void unknown_values_reach_memory(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(HEADER "P0@cta 0 { .reg .b32 %r<4>; .reg .pred %p0;\n"
                                                     " ld.weak.global.u32 %r0, [x];\n"
                                                     " setp.eq.u32 %p0, %r0, 1;\n"
                                                     " @%p0 mov.u32 %r1, 5;\n"
                                                     " st.weak.global.u32 [y], %r1;\n"
                                                     "}\n"
                                                     "exists (y == 5)\n");
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    assert_int_equal(read->access->undef->op, EXPR_READ_UNDEF);
    assert_int_equal(read->access->undef->index, read->id);
    assert_int_equal(f->program->observed[0].undef->op, EXPR_FINAL_UNDEF);
    fixture_free(f);
}

// --- Conditions --------------------------------------------------------------------------------

struct condition_case {
    const char *condition;
    uint64_t r0; // .u32
    uint64_t r1; // .s32
    bool holds;
};

static const struct condition_case condition_cases[] = {
    {"P0:%r0 == 1", 1, 0, true},
    {"P0:%r0 != 1", 1, 0, false},
    {"1:r9 = 0 /\\ 0:r0 = 3", 3, 0, true},
    {"P0:%r0 == -1", 0xffffffff, 0, true},
    {"P0:%r0 == 4294967295", 0xffffffff, 0, true},
    {"P0:%r1 == 4294967295", 0, 0xffffffff, true},
    {"P0:%r0 < 2", 0xffffffff, 0, false},
    {"P0:%r1 < 2", 0, 0xffffffff, true},
    {"P0:%r0 > -2", 0xffffffff, 0, true},
    {"P0:%r1 < 4294967295", 0, 1, true},
    {"P0:%r1 >= P0:%r0", 1, 0xffffffff, false},
    {"P0:%r0 <= 5 \\/ P0:%r1 == 7", 9, 7, true},
    {"~(P0:%r0 == 5)", 5, 0, false},
    {"0 == 0", 0, 0, true},
    {"-1 < 0", 0, 0, true},
    {"0 == 1", 0, 0, false},
    {"true", 0, 0, true},
};

static void conditions(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof condition_cases / sizeof *condition_cases; i++) {
        struct arena *arena = arena_new();
        const struct condition_case *c = &condition_cases[i];
        struct program_fixture *f =
            fixture_build(arena_format(arena,
                                       HEADER "P0@cta 0 { .reg .u32 %%r0; .reg .s32 %%r1;\n"
                                              " ld.weak.global.u32 %%r0, [x];\n"
                                              " ld.weak.global.u32 %%r1, [x];\n}\n"
                                              "P1@cta 1 { mov.u32 %%r9, 0; }\n"
                                              "exists (%s)\n",
                                       c->condition));
        f->reads[fixture_event(f, 0, EVENT_READ, 0)->id] = c->r0;
        f->reads[fixture_event(f, 0, EVENT_READ, 1)->id] = c->r1;
        if (fixture_value(f, f->program->condition) != c->holds)
            fail_msg("%s with %llx, %llx", c->condition, (unsigned long long)c->r0,
                     (unsigned long long)c->r1);
        fixture_free(f);
        arena_free(arena);
    }
}

static void observed_in_order_and_once(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.global .u32 x; .global .s16 a[4];\n"
                      "P0@cta 0 { mov.u32 %r1, 1; mov.u32 %r0, 0; st.weak.global.u32 [x], 1; }\n"
                      "locations [x; P0:%r0; a[1]; a[3];]\n"
                      "filter (a[3] == 0)\n"
                      "exists (P0:%r0 == 0 /\\ (P0:r1 == 1 \\/ 0:r0 == 2))\n");
    const struct program *p = f->program;
    static const char *const names[] = {"0:r0", "0:r1", "a[3]", "[x]", "a[1]"};
    assert_int_equal(p->observed_count, 5);
    for (unsigned i = 0; i < 5; i++)
        assert_string_equal(p->observed[i].log_name, names[i]);
    assert_string_equal(p->observed[2].json_name, "a[3]");
    assert_true(p->observed[2].is_signed);
    assert_int_equal(p->observed[2].width, 16);
    fixture_free(f);
}

// --- Errors ------------------------------------------------------------------------------------

struct error_case {
    const char *text;
    const char *message;
};

static const struct error_case error_cases[] = {
    {HEADER "P0@cta 0 {\n st.weak.global.u32 [x], %r5;\n}\nexists (x == 0)\n",
     "4:26: register '%r5' of P0 is read before it is written | give it a value in the initial "
     "section: P0:%r5=0;"},
    {HEADER "P0@cta 0 {\n ld.weak.global.u32 %r0, [x+4];\n}\nexists (x == 0)\n",
     "4:26: this access lies outside of every variable | the nearest is 'x', which ends 0 bytes "
     "before it"},
    {HEADER "P0@cta 0 {\n ld.weak.global.u32 %r0, [x+-4];\n}\nexists (x == 0)\n",
     "4:26: this access lies outside of every variable | the nearest is 'x', which begins 4 bytes "
     "after it"},
    {"PTX t\n.global .align 8 .u32 x;\nP0@cta 0 {\n ld.weak.global.u64 %r0, [x];\n}\n"
     "exists (x == 0)\n",
     "4:26: this access of 8 bytes, 0 bytes into 'x', crosses its end | 'x' has 4 bytes"},
    {HEADER "P0@cta 0 { .reg .b64 %rd0; .reg .b32 %r0; mov.u64 %rd0, x;\n ld.weak.global.u16 %r0, "
            "[%rd0+1];\n}\n"
            "exists (x == 0)\n",
     "4:26: this access of 2 bytes is misaligned: it is 1 byte into 'x' | its address must be a "
     "multiple of 2"},
    {"PTX t\n.const .u32 c = 1;\nP0@cta 0 { .reg .b64 %rd0; cvta.const.u64 %rd0, c;\n"
     " st.weak.u32 [%rd0], 1;\n}\nexists (c == 0)\n",
     "4:14: 'c' is a .const variable, which is read-only"},
};

static void errors(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof error_cases / sizeof *error_cases; i++) {
        struct program_fixture *f;
        assert_string_equal(fixture_error(&f, error_cases[i].text), error_cases[i].message);
        fixture_free(f);
    }
}

static void too_many_events(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    char *body = arena_strndup(arena, "", 0);
    for (unsigned i = 0; i < 12; i++) // doubled from 2 to 8192 stores
        body = i == 0 ? arena_format(arena, " st.weak.global.u32 [x], 1;\n"
                                            " st.weak.global.u32 [x], 1;\n")
                      : arena_format(arena, "%s%s", body, body);
    struct program_fixture *f;
    const char *message =
        fixture_error(&f, arena_format(arena, HEADER "P0@cta 0 {\n%s}\nexists (x == 1)\n", body));
    assert_string_equal(message, "4099:2: the test has more than 4096 events");
    assert_int_equal(f->diagnostics.error_count, 1);
    fixture_free(f);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_passing),
        cmocka_unit_test(unnamed_variables_have_no_object),
        cmocka_unit_test(widths),
        cmocka_unit_test(computations),
        cmocka_unit_test(registers_across_widths),
        cmocka_unit_test(atomics),
        cmocka_unit_test(reductions),
        cmocka_unit_test(guards),
        cmocka_unit_test(guards_as_written),
        cmocka_unit_test(dependencies_as_written),
        cmocka_unit_test(dependencies_that_matter),
        cmocka_unit_test(dropped_dependencies),
        cmocka_unit_test(partly_written_registers),
        cmocka_unit_test(unknown_values_reach_memory),
        cmocka_unit_test(conditions),
        cmocka_unit_test(observed_in_order_and_once),
        cmocka_unit_test(errors),
        cmocka_unit_test(too_many_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
