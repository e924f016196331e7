// Memory of programs: cells, initial values, computed addresses, vectors, instances.

#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const struct cell *cell_at(const struct program_fixture *f, size_t index, uint64_t offset,
                                  unsigned size) {
    assert_true(index < f->program->memory.cell_count);
    const struct cell *cell = &f->program->memory.cells[index];
    assert_int_equal(cell->offset, offset);
    assert_int_equal(cell->size, size);
    return cell;
}

static uint64_t initial(struct program_fixture *f, unsigned cell) {
    return fixture_value(f, program_initial_value(f->program, cell));
}

// --- Cells -------------------------------------------------------------------------------------

static void one_size_one_cell(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.global .u32 a[4];\n"
                      "P0@cta 0 { st.weak.global.u32 [a+4], 1; ld.weak.global.u32 %r0, [a+12]; }\n"
                      "exists (P0:%r0 == 0)\n");
    assert_int_equal(f->program->memory.cell_count, 2); // a[0] and a[2] are not touched
    cell_at(f, 0, 4, 4);
    cell_at(f, 1, 12, 4);
    const struct event *init = &f->program->events[0];
    assert_int_equal(init->kind, EVENT_INIT);
    assert_int_equal(init->size, 16);
    assert_int_equal(init->candidates[0].first_cell, 0);
    assert_int_equal(init->candidates[0].cell_count, 2);
    fixture_free(f);
}

static void mixed_sizes(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build_with("PTX t\n.global .align 8 .u64 x = 0x1122334455667788;\n"
                           "P0@cta 0 { .reg .b64 %rd0; .reg .b16 %h0;\n"
                           " st.weak.global.u16 [x+2], 0xabcd;\n"
                           " ld.weak.global.u64 %rd0, [x];\n"
                           " st.weak.global.u32 [x+4], 5;\n"
                           "}\n"
                           "exists (P0:%rd0 == 0 /\\ x == 0)\n",
                           (struct program_options){.unroll = 2, .whole_accesses = true});
    const struct program *p = f->program;
    assert_int_equal(p->memory.cell_count, 3);
    cell_at(f, 0, 0, 2);
    cell_at(f, 1, 2, 2);
    cell_at(f, 2, 4, 4);
    assert_int_equal(initial(f, 0), 0x7788);
    assert_int_equal(initial(f, 1), 0x5566);
    assert_int_equal(initial(f, 2), 0x11223344);
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *half = fixture_event(f, 0, EVENT_WRITE, 0);
    assert_int_equal(read->candidates[0].cell_count, 3);
    assert_int_equal(half->candidates[0].first_cell, 1);
    assert_int_equal(half->candidates[0].cell_count, 1);
    f->reads[read->id] = 0x0807060504030201;
    const struct candidate *place = &read->candidates[0];
    assert_int_equal(fixture_value(f, program_cell_value(p, read, place, 0)), 0x0201);
    assert_int_equal(fixture_value(f, program_cell_value(p, read, place, 1)), 0x0403);
    assert_int_equal(fixture_value(f, program_cell_value(p, read, place, 2)), 0x08070605);
    assert_int_equal(
        fixture_value(f, program_cell_value(p, &p->events[0], p->events[0].candidates, 1)), 0x5566);
    // The final value of x is its cells' together.
    f->finals[0] = 0x1111;
    f->finals[1] = 0x2222;
    f->finals[2] = 0x33333333;
    assert_int_equal(fixture_value(f, p->observed[1].value), 0x3333333322221111);
    fixture_free(f);
}

static void overlaps_without_nesting(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.global .align 8 .u8 b[16];\n"
                      "P0@cta 0 { .reg .b64 %rd0;\n"
                      " st.weak.global.u64 [b], 1; st.weak.global.u8 [b+7], 1;\n"
                      " st.weak.global.u16 [b+12], 1;\n"
                      "}\n"
                      "exists (b[13] == 0)\n");
    assert_int_equal(f->program->memory.cell_count, 3);
    cell_at(f, 0, 0, 7);
    cell_at(f, 1, 7, 1);
    cell_at(f, 2, 12, 2); // what is shown makes no cuts
    fixture_free(f);
}

// --- Initial values ----------------------------------------------------------------------------

static void initial_values(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.global .u32 x; .global .u16 a[4] = {1, 2, 0xffff};\n"
                      ".global .u64 p = x; .global .u64 q = x+0;\n"
                      "P0@cta 0 { .reg .b64 %rd<4>;\n"
                      " ld.weak.global.u64 %rd0, [p]; ld.weak.global.u32 %r0, [%rd0];\n"
                      " mov.u64 %rd1, x;\n"
                      "}\n"
                      "locations [a[0]; a[2]; a[3]; x; P0:%rd1;]\n"
                      "exists (P0:%r0 == 1)\n");
    const struct program *p = f->program;
    const struct event *load = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *target = fixture_event(f, 0, EVENT_READ, 1);
    uint64_t address = initial(f, load->candidates[0].first_cell);
    assert_int_equal(address, fixture_value(f, p->observed[p->observed_count - 1].value));
    assert_true(address < UINT32_MAX && address % 4096 == 0);
    // p holds &x and is not written: the address is known.
    assert_int_equal(target->candidate_count, 1);
    assert_true(expr_is_const(target->address) && target->address->value.low == address);
    assert_int_equal(target->addr.count, 1);
    assert_true(expr_is_false(p->limits.out_of_bounds));
    unsigned first = 0;
    while (p->memory.objects[p->memory.cells[first].object].name[0] != 'a')
        first++;
    assert_int_equal(initial(f, first), 1);
    assert_int_equal(initial(f, first + 1), 0xffff);
    assert_int_equal(initial(f, first + 2), 0);
    fixture_free(f);
}

static void unknown_initial_values(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.shared .u32 s; .global .u32 x; .shared .u32 t = 3;\n"
                      "P0@cta 0 { ld.weak.shared.u32 %r0, [s]; ld.weak.shared.u32 %r1, [t];\n"
                      " add.u32 %r2, %r0, 1; st.weak.global.u32 [x], %r2; }\n"
                      "exists (P0:%r0 == 0 /\\ P0:%r1 == 0 /\\ x == 0)\n");
    const struct program *p = f->program;
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    unsigned cell = read->candidates[0].first_cell;
    assert_true(expr_is_true(program_initial_undef(p, cell)));
    assert_int_equal(program_initial_value(p, cell)->op, EXPR_UNKNOWN);
    assert_int_equal(read->access->undef->op, EXPR_READ_UNDEF);
    assert_int_equal(fixture_event(f, 0, EVENT_WRITE, 0)->access->undef->op, EXPR_READ_UNDEF);
    cell = fixture_event(f, 0, EVENT_READ, 1)->candidates[0].first_cell;
    assert_true(expr_is_false(program_initial_undef(p, cell)));
    assert_int_equal(initial(f, cell), 3);
    fixture_free(f);
}

// --- Computed addresses ------------------------------------------------------------------------

// Whether exactly one candidate's condition holds, and at which offset.
static uint64_t chosen_offset(struct program_fixture *f, const struct event *event) {
    uint64_t offset = UINT64_MAX;
    for (size_t i = 0; i < event->candidate_count; i++)
        if (fixture_value(f, event->candidates[i].condition)) {
            assert_int_equal(offset, UINT64_MAX);
            offset = event->candidates[i].offset;
        }
    return offset;
}

static const char masked_index[] =
    "PTX t\n.global .u32 x; .global .u32 a[8]; .global .u32 other[8];\n"
    "P0@cta 0 { .reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
    " ld.weak.global.u32 %r0, [x];\n"
    " and.b32 %r1, %r0, 3;\n"
    " mul.wide.u32 %rd1, %r1, 4;\n"
    " mov.u64 %rd0, a;\n"
    " add.u64 %rd0, %rd0, %rd1;\n"
    " st.weak.global.u32 [%rd0+4], 1;\n"
    " st.weak.global.u32 [x], %r0;\n"
    "}\n"
    "P1@cta 1 { red.relaxed.gpu.global.add.u32 [x], 1; }\n" // so %r0 may be anything
    "exists (a[1] == 1 /\\ other[0] == 0)\n";

static void masked_indices(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(masked_index);
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
    assert_int_equal(write->candidate_count, 4); // a[1] to a[4]
    assert_true(fixture_depends(write->addr, read));
    assert_true(expr_is_false(f->program->limits.out_of_bounds));
    for (unsigned i = 0; i < 8; i++) {
        f->reads[read->id] = i;
        assert_int_equal(chosen_offset(f, write), 4 + 4 * (i % 4));
    }
    fixture_free(f);
}

static void pointers_in_memory(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.global .u32 x; .global .u32 y; .global .u32 z; .global .u64 p = x;\n"
                      "P0@cta 0 { .reg .b64 %rd0; mov.u64 %rd0, y;\n"
                      " st.release.gpu.global.u64 [p], %rd0; }\n"
                      "P1@cta 1 { .reg .b64 %rd0; ld.acquire.gpu.global.u64 %rd0, [p];\n"
                      " ld.weak.global.u32 %r0, [%rd0]; }\n"
                      "exists (P1:%r0 == 1 /\\ z == 0)\n");
    const struct event *pointer = fixture_event(f, 1, EVENT_READ, 0);
    const struct event *read = fixture_event(f, 1, EVENT_READ, 1);
    assert_int_equal(read->candidate_count, 2); // x and y, not z
    assert_true(fixture_depends(read->addr, pointer));
    assert_true(expr_is_false(f->program->limits.out_of_bounds));
    f->reads[pointer->id] = fixture_value(f, fixture_event(f, 0, EVENT_WRITE, 0)->access->value);
    assert_int_equal(chosen_offset(f, read), 0);
    fixture_free(f);
}

// A null pointer leads nowhere: such executions are out of bounds.
static void null_pointers(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.global .u32 y; .global .u64 p;\n"
                      "P0@cta 0 { .reg .b64 %rd0; mov.u64 %rd0, y;\n"
                      " st.release.gpu.global.u64 [p], %rd0; }\n"
                      "P1@cta 1 { .reg .b64 %rd0; ld.acquire.gpu.global.u64 %rd0, [p];\n"
                      " ld.weak.global.u32 %r0, [%rd0]; }\n"
                      "exists (P1:%r0 == 1)\n");
    const struct event *pointer = fixture_event(f, 1, EVENT_READ, 0);
    const struct event *read = fixture_event(f, 1, EVENT_READ, 1);
    assert_int_equal(read->candidate_count, 1);
    assert_false(expr_is_true(read->candidates[0].condition));
    f->reads[pointer->id] = 0;
    assert_int_equal(fixture_value(f, f->program->limits.out_of_bounds), 1);
    f->reads[pointer->id] = fixture_value(f, fixture_event(f, 0, EVENT_WRITE, 0)->access->value);
    assert_int_equal(fixture_value(f, f->program->limits.out_of_bounds), 0);
    fixture_free(f);
}

// The same with the usual test for null: the access does not happen then.
static void checked_null_pointers(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build("PTX t\n.global .u32 y; .global .u64 p;\n"
                                              "P0@cta 0 { .reg .b64 %rd0; mov.u64 %rd0, y;\n"
                                              " st.release.gpu.global.u64 [p], %rd0; }\n"
                                              "P1@cta 1 { .reg .b64 %rd0; .reg .pred %p0;\n"
                                              " ld.acquire.gpu.global.u64 %rd0, [p];\n"
                                              " setp.ne.u64 %p0, %rd0, 0;\n"
                                              " @%p0 st.weak.global.u32 [%rd0], 4; }\n"
                                              "exists (y == 4)\n");
    const struct event *pointer = fixture_event(f, 1, EVENT_READ, 0);
    f->reads[pointer->id] = 0;
    assert_int_equal(fixture_value(f, f->program->limits.out_of_bounds), 0);
    assert_int_equal(fixture_value(f, fixture_event(f, 1, EVENT_WRITE, 0)->executes), 0);
    fixture_free(f);
}

// A counter takes more and more values: the fixed point gives up, and stays right.
static void counted_indices(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.global .u32 n; .global .u32 a[8]; .global .u64 w;\n"
                      "P0@cta 0 { .reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
                      " atom.relaxed.gpu.global.add.u32 %r0, [n], 1;\n"
                      " mul.wide.u32 %rd1, %r0, 4;\n"
                      " mov.u64 %rd0, a;\n"
                      " add.u64 %rd0, %rd0, %rd1;\n"
                      " st.weak.global.u32 [%rd0], 1;\n"
                      "}\n"
                      "exists (a[1] == 1)\n");
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 1);
    assert_true(write->candidate_count >= 8);
    f->reads[read->id] = 5;
    assert_int_equal(chosen_offset(f, write), 20);
    assert_int_equal(fixture_value(f, f->program->limits.out_of_bounds), 0);
    f->reads[read->id] = 8;
    assert_int_equal(fixture_value(f, f->program->limits.out_of_bounds), 1);
    fixture_free(f);
}

static void too_many_places(void **state) {
    (void)state;
    struct program_fixture *f;
    assert_string_equal(
        fixture_error(&f, "PTX t\n.global .u64 w; .global .u32 a[5000];\n"
                          "P0@cta 0 { .reg .b64 %rd<4>; ld.weak.global.u64 %rd0, [w];\n"
                          " mul.lo.u64 %rd1, %rd0, %rd0;\n"
                          " st.weak.global.u64 [w], %rd1;\n"
                          " st.weak.global.u32 [w], 1;\n"
                          " st.weak.global.u32 [%rd1], 1; }\nexists (a[1] == 1)\n"),
        "7:21: this address may be any of more than 4096 places | use smaller arrays, or mask the "
        "index with 'and'");
    fixture_free(f);
}

// --- Vectors -----------------------------------------------------------------------------------

static void vectors(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build("PTX t\n.global .align 16 .u32 a[4];\n"
                                              "P0@cta 0 { .reg .b32 %r<4>;\n"
                                              " st.weak.global.v4.u32 [a], {1, 2, 3, 4};\n"
                                              " ld.weak.global.v2.u32 {%r0, %r1}, [a+8];\n"
                                              "}\n"
                                              "exists (P0:%r0 == 3 /\\ P0:%r1 == 4)\n");
    const struct program *p = f->program;
    const struct event *first = fixture_event(f, 0, EVENT_WRITE, 0);
    const struct event *last = fixture_event(f, 0, EVENT_WRITE, 3);
    const struct event *low = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *high = fixture_event(f, 0, EVENT_READ, 1);
    assert_int_equal(fixture_event_count(f, 0), 6);
    assert_int_equal(first->position, last->position);
    assert_false(program_po(p, first->id, last->id) || program_po(p, last->id, first->id));
    assert_true(program_po(p, last->id, low->id) && program_po(p, first->id, high->id));
    assert_int_equal(fixture_value(f, last->access->value), 4);
    assert_int_equal(last->candidates[0].offset, 12);
    assert_int_equal(low->candidates[0].offset, 8);
    assert_int_equal(high->candidates[0].first_cell, last->candidates[0].first_cell);
    fixture_free(f);
}

// An element of a sink is neither read nor written (PTX ISA 9.7.9.8 and 9.7.9.11).
static void sinks_in_vectors(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build("PTX t\n.global .align 32 .u64 a[4];\n"
                                              "P0@cta 0 { .reg .b64 %rd<4>;\n"
                                              " st.weak.global.v4.u64 [a], {1, _, _, 4};\n"
                                              " ld.weak.global.v4.u64 {_, %rd1, _, %rd3}, [a];\n"
                                              "}\n"
                                              "exists (P0:%rd1 == 0 /\\ P0:%rd3 == 4)\n");
    assert_int_equal(fixture_event_count(f, 0), 4);
    assert_int_equal(fixture_event(f, 0, EVENT_WRITE, 1)->candidates[0].offset, 24);
    assert_int_equal(fixture_event(f, 0, EVENT_READ, 0)->candidates[0].offset, 8);
    assert_int_equal(fixture_event(f, 0, EVENT_READ, 1)->candidates[0].offset, 24);
    fixture_free(f);
}

static void sixteen_bytes(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build("PTX t\n.global .align 16 .b64 a[2] = {1, 2};\n"
                                              "P0@cta 0 { .reg .b128 %q<2>;\n"
                                              " ld.relaxed.gpu.global.b128 %q0, [a];\n"
                                              " atom.relaxed.gpu.global.exch.b128 %q1, [a], %q0;\n"
                                              "}\n"
                                              "exists (a[0] == 1 /\\ a[1] == 2)\n");
    const struct program *p = f->program;
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
    assert_int_equal(read->size, 16);
    assert_int_equal(read->access->value->width, 128);
    assert_ptr_equal(write->access->value, read->access->value);
    assert_int_equal(p->memory.cell_count, 1); // one thread's own: it cannot be torn
    const struct expr *high = p->observed[1].value;
    assert_int_equal(high->op, EXPR_EXTRACT);
    assert_int_equal(high->index, 64);
    fixture_free(f);
}

// Elements of vectors and scalars overlap like any accesses of their sizes.
static void vectors_over_scalars(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.global .align 32 .u8 b[32];\n"
                      "P0@cta 0 { .reg .b128 %q0; .reg .b64 %rd<2>; .reg .b32 %r0;\n"
                      " st.weak.global.v4.u8 [b], {1, 2, 3, 4};\n"
                      " ld.weak.global.u16 %r0, [b+2];\n"
                      " ld.weak.global.v2.u64 {_, %rd1}, [b];\n"
                      " ld.weak.global.b128 %q0, [b+16];\n"
                      " st.weak.global.u8 [b+21], 7;\n"
                      "}\nexists (P0:%r0 == 0)\n");
    const struct event *half = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *whole = fixture_event(f, 0, EVENT_READ, 2);
    assert_int_equal(fixture_event_count(f, 0), 8);
    assert_int_equal(f->program->memory.cell_count, 8);
    cell_at(f, 2, 2, 1);
    cell_at(f, 4, 8, 8);
    cell_at(f, 5, 16, 5);
    cell_at(f, 6, 21, 1);
    cell_at(f, 7, 22, 10);
    assert_int_equal(half->candidates[0].first_cell, 2);
    assert_int_equal(half->candidates[0].cell_count, 2);
    assert_int_equal(whole->candidates[0].cell_count, 3);
    const struct expr *byte = program_cell_value(f->program, whole, &whole->candidates[0], 1);
    assert_int_equal(byte->width, 8);
    assert_int_equal(byte->index, 40);
    fixture_free(f);
}

// 32 bytes as eight words, of which some are left out.
static void eight_elements(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.global .align 32 .u32 a[8];\n"
                      "P0@cta 0 { .reg .b32 %r<8>;\n"
                      " st.weak.global.v8.b32 [a], {1, 2, 3, 4, _, _, 7, 8};\n"
                      " ld.weak.global.v8.b32 {%r0, _, %r2, %r3, %r4, %r5, %r6, %r7}, [a];\n"
                      "}\nexists (P0:%r7 == 8)\n");
    const struct event *last = fixture_event(f, 0, EVENT_READ, 6);
    assert_int_equal(fixture_event_count(f, 0), 13);
    assert_int_equal(last->candidates[0].offset, 28);
    assert_int_equal(fixture_event(f, 0, EVENT_WRITE, 4)->candidates[0].offset, 24);
    assert_int_equal(fixture_event(f, 0, EVENT_READ, 0)->position, last->position);
    fixture_free(f);
}

static void misaligned_vectors(void **state) {
    (void)state;
    struct program_fixture *f;
    assert_string_equal(
        fixture_error(&f, "PTX t\n.global .align 16 .u32 a[4];\n"
                          "P0@cta 0 {\n .reg .b32 %r<4>; .reg .b64 %rd0; mov.u64 %rd0, a;\n"
                          " ld.weak.global.v2.u32 {%r0, %r1}, [%rd0+4];\n}\nexists (a[0] == 0)\n"),
        "5:36: this access of 8 bytes is misaligned: it is 4 bytes into 'a' | its address must be "
        "a "
        "multiple of 8");
    fixture_free(f);
}

// --- Instances and aliases ---------------------------------------------------------------------

static void shared_instances(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.shared .u32 s;\n"
                      "P0@cta 0 { st.weak.shared.u32 [s], 1; }\n"
                      "P1@cta 0 { ld.weak.shared.u32 %r0, [s]; }\n"
                      "P2@cta 1 { ld.weak.shared.u32 %r0, [s]; }\n"
                      "exists (P1:%r0 == 1 /\\ P2:%r0 == 1 /\\ cta0:s == 1 /\\ cta1:s == 1)\n");
    const struct program *p = f->program;
    unsigned a = fixture_event(f, 0, EVENT_WRITE, 0)->candidates[0].object;
    unsigned b = fixture_event(f, 1, EVENT_READ, 0)->candidates[0].object;
    unsigned c = fixture_event(f, 2, EVENT_READ, 0)->candidates[0].object;
    assert_int_equal(p->memory.object_count, 2);
    assert_int_equal(a, b);
    assert_int_not_equal(a, c);
    assert_int_equal(p->memory.objects[a].instance, 0);
    assert_int_equal(p->memory.objects[c].instance, 2);
    assert_string_equal(p->observed[2].log_name, "[s_cta0]");
    assert_string_equal(p->observed[2].json_name, "cta0:s");
    assert_string_equal(p->observed[3].log_name, "[s_cta1]");
    assert_int_not_equal(p->observed[2].value->index, p->observed[3].value->index);
    fixture_free(f);
}

static void ambiguous_instances(void **state) {
    (void)state;
    struct program_fixture *f;
    assert_string_equal(fixture_error(&f, "PTX t\n.shared .u32 s;\n"
                                          "P0@cta 0 { .reg .b64 %rd0; mov.u64 %rd0, s; }\n"
                                          "P1@cta 1 { st.weak.shared.u32 [s], 1; }\n"
                                          "exists (P0:%rd0 == s)\n"),
                        "5:20: 's' is a .shared variable with 2 instances | compare what is stored "
                        "there");
    assert_int_equal(f->diagnostics.error_count, 1);
    fixture_free(f);
}

static void local_instances(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build("PTX t\n.local .u32 l;\n"
                                              "P0@cta 0 { st.weak.local.u32 [l], 1; }\n"
                                              "P1@cta 0 { ld.weak.local.u32 %r0, [l]; }\n"
                                              "exists (P1:%r0 == 1)\n");
    assert_int_equal(f->program->memory.object_count, 2);
    assert_int_not_equal(fixture_event(f, 0, EVENT_WRITE, 0)->candidates[0].object,
                         fixture_event(f, 1, EVENT_READ, 0)->candidates[0].object);
    fixture_free(f);
}

// A pointer to .shared memory handed to another CTA leads there within the cluster only.
static void shared_memory_of_the_cluster(void **state) {
    (void)state;
    static const char *const placements[] = {"cta 1,cluster 0", "cta 1,cluster 1"};
    for (unsigned i = 0; i < 2; i++) {
        struct arena *arena = arena_new();
        struct program_fixture *f = fixture_build(
            arena_format(arena,
                         "PTX t\n.shared .u32 s; .global .u64 p;\n"
                         "P0@cta 0,cluster 0 { .reg .b64 %%rd0; mov.u64 %%rd0, s;\n"
                         " st.release.gpu.global.u64 [p], %%rd0; }\n"
                         "P1@%s { .reg .b64 %%rd0; .reg .b32 %%r0; .reg .pred %%p0;\n"
                         " mov.u32 %%r0, 0; ld.acquire.gpu.global.u64 %%rd0, [p];\n"
                         " setp.ne.u64 %%p0, %%rd0, 0;\n"
                         " @%%p0 ld.relaxed.cluster.shared::cluster.u32 %%r0, [%%rd0]; }\n"
                         "exists (P1:%%r0 == 1)\n",
                         placements[i]));
        const struct event *pointer = fixture_event(f, 1, EVENT_READ, 0);
        const struct event *read = fixture_event(f, 1, EVENT_READ, 1);
        f->reads[pointer->id] =
            fixture_value(f, fixture_event(f, 0, EVENT_WRITE, 0)->access->value);
        assert_int_equal(read->candidate_count, i == 0 ? 1 : 0);
        assert_int_equal(fixture_value(f, f->program->limits.out_of_bounds), i);
        fixture_free(f);
        arena_free(arena);
    }
}

static void host_threads(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build("PTX t\n.global .u32 x;\n"
                                              "P0@host { st.relaxed.sys.global.u32 [x], 1; }\n"
                                              "P1@cta 0 { ld.relaxed.sys.global.u32 %r0, [x]; }\n"
                                              "exists (P1:%r0 == 1)\n");
    assert_int_equal(fixture_event(f, 0, EVENT_WRITE, 0)->scope, SCOPE_SYS);
    assert_true(f->test->threads[0].place.host);
    fixture_free(f);
}

static void aliases(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build("PTX t\n.global .u32 x;\ny @ generic aliases x;\n"
                      "P0@cta 0 { st.weak.global.u32 [x], 1; ld.weak.global.u32 %r0, [y]; }\n"
                      "exists (P0:%r0 == 1)\n");
    const struct program *p = f->program;
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    assert_int_equal(p->memory.object_count, 1);
    assert_int_equal(p->init_count, 1);
    assert_int_equal(p->memory.virtual_range_count, 2);
    assert_int_equal(write->candidates[0].first_cell, read->candidates[0].first_cell);
    assert_int_not_equal(write->candidates[0].range, read->candidates[0].range);
    assert_int_not_equal(write->address->value.low, read->address->value.low);
    fixture_free(f);
}

// --- Giving up ---------------------------------------------------------------------------------

static unsigned asked, last_answer; // is_late, and what it said no to

static bool is_late(void) {
    return asked++ >= last_answer;
}

// However late it gets, there is a program or an error, and never a part of one.
static void given_up(void **state) {
    (void)state;
    static const char text[] =
        "PTX t\n.global .u32 n;\n.global .u32 a[64];\n"
        "P0@cta 0 { .reg .b64 %rd<3>; mov.u64 %rd0, a;\n"
        " atom.relaxed.gpu.global.add.u32 %r0, [n], 1; and.b32 %r0, %r0, 63;\n"
        " mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1; st.weak.global.u32 [%rd1], 1; }\n"
        "P1@cta 1 { .reg .b64 %rd<3>; mov.u64 %rd0, a;\n"
        " atom.relaxed.gpu.global.add.u32 %r0, [n], 1; and.b32 %r0, %r0, 63;\n"
        " mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd0, %rd1; ld.weak.global.u32 %r1, [%rd1]; }\n"
        "exists (P1:%r1 == 1)\n";
    const struct program_options options = {.unroll = 2, .no_thin_air = true, .is_late = is_late};
    struct program_fixture *f;
    bool is_built = false;
    for (last_answer = 0; !is_built; last_answer++) {
        asked = 0;
        f = fixture_try(text, options);
        is_built = f->program != NULL;
        assert_int_equal(is_built, asked <= last_answer);
        assert_int_equal(is_built, f->diagnostics.error_count == 0);
        fixture_free(f);
    }
    assert_true(last_answer > 5); // it was asked so often
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_size_one_cell),
        cmocka_unit_test(mixed_sizes),
        cmocka_unit_test(overlaps_without_nesting),
        cmocka_unit_test(initial_values),
        cmocka_unit_test(unknown_initial_values),
        cmocka_unit_test(masked_indices),
        cmocka_unit_test(pointers_in_memory),
        cmocka_unit_test(null_pointers),
        cmocka_unit_test(checked_null_pointers),
        cmocka_unit_test(counted_indices),
        cmocka_unit_test(too_many_places),
        cmocka_unit_test(vectors),
        cmocka_unit_test(sinks_in_vectors),
        cmocka_unit_test(sixteen_bytes),
        cmocka_unit_test(vectors_over_scalars),
        cmocka_unit_test(eight_elements),
        cmocka_unit_test(misaligned_vectors),
        cmocka_unit_test(shared_instances),
        cmocka_unit_test(ambiguous_instances),
        cmocka_unit_test(local_instances),
        cmocka_unit_test(shared_memory_of_the_cluster),
        cmocka_unit_test(host_threads),
        cmocka_unit_test(aliases),
        cmocka_unit_test(given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
