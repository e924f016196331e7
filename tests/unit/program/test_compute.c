// Integer and logic instructions: results worked out by hand, and the loops of the ISA's text on
// random operands. Every case is run twice: on constants, which fold while the program is built,
// and on the values of reads, which are evaluated.
#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

// Operands in %rd0 to %rd2, and their low parts in %r0 to %r2 and %h0 to %h2; the result is in
// register 9 of the kind that `result` names, zero-extended.
struct compute_case {
    const char *code;
    char result;
    uint64_t a, b, c, expected;
};

static const char *const body =
    "PTX t\n.global .b64 x; .global .b64 y; .global .b64 z;\nP0@cta 0 {\n"
    ".reg .b64 %%rd<12>; .reg .b32 %%r<12>; .reg .b16 %%h<12>;\n"
    ".reg .b8 %%c<12>; .reg .b128 %%q<3>; .reg .pred %%p<4>;\n"
    "%s\n"
    "cvt.u32.u64 %%r0, %%rd0; cvt.u32.u64 %%r1, %%rd1;\n"
    "cvt.u32.u64 %%r2, %%rd2; cvt.u16.u64 %%h0, %%rd0;\n"
    "cvt.u16.u64 %%h1, %%rd1; cvt.u16.u64 %%h2, %%rd2;\n"
    "%s\n%s\n}\nexists (P0:%%rd9 == 0)\n";

static struct program_fixture *build(const struct compute_case *c, bool constants) {
    struct arena *arena = arena_new();
    const char *operands = "ld.weak.global.b64 %rd0, [x]; ld.weak.global.b64 %rd1, [y]; "
                           "ld.weak.global.b64 %rd2, [z];";
    const char *result = c->result == 'r'   ? "cvt.u64.u32 %rd9, %r9;"
                         : c->result == 'h' ? "cvt.u64.u16 %rd9, %h9;"
                         : c->result == 'p' ? "selp.b64 %rd9, 1, 0, %p1;"
                                            : "";
    if (constants)
        operands = arena_format(
            arena, "mov.b64 %%rd0, %lluU; mov.b64 %%rd1, %lluU; mov.b64 %%rd2, %lluU;",
            (unsigned long long)c->a, (unsigned long long)c->b, (unsigned long long)c->c);
    struct program_fixture *f = fixture_build(arena_format(arena, body, operands, c->code, result));
    if (!constants) {
        f->reads[fixture_event(f, 0, EVENT_READ, 0)->id] = c->a;
        f->reads[fixture_event(f, 0, EVENT_READ, 1)->id] = c->b;
        f->reads[fixture_event(f, 0, EVENT_READ, 2)->id] = c->c;
    }
    arena_free(arena);
    return f;
}

static void check(const struct compute_case *c) {
    for (int constants = 0; constants < 2; constants++) {
        struct program_fixture *f = build(c, constants);
        const struct observed *observed = &f->program->observed[0];
        uint64_t value = fixture_value(f, observed->value);
        if (value != c->expected || fixture_value(f, observed->undef) != 0 ||
            (constants && !expr_is_const(observed->value)))
            fail_msg("%s (%llx, %llx, %llx): %llx, not %llx", c->code, (unsigned long long)c->a,
                     (unsigned long long)c->b, (unsigned long long)c->c, (unsigned long long)value,
                     (unsigned long long)c->expected);
        fixture_free(f);
    }
}

// --- By hand -----------------------------------------------------------------------------------

#define MIN32 0x80000000u
#define MAX32 0x7fffffffu
#define MIN64 0x8000000000000000u

// Bits of .f32 in %r, of .f64 in %rd. Results that are NaNs are unknown: see below.
static const struct compute_case number_cases[] = {
    {"add.f32 %r9, %r0, %r1;", 'r', 0x3f800000, 0x40000000, 0, 0x40400000},    // 1 + 2
    {"add.rn.f32 %r9, %r0, %r1;", 'r', 0x4b800000, 0x3f800000, 0, 0x4b800000}, // 2^24 + 1
    {"add.f32 %r9, %r0, 1.5;", 'r', 0x3f800000, 0, 0, 0x40200000},
    {"add.f32 %r9, %r0, %r1;", 'r', 1, 2, 0, 3},
    {"add.ftz.f32 %r9, %r0, %r1;", 'r', 1, 2, 0, 0},
    {"add.ftz.f32 %r9, %r0, %r1;", 'r', 0x80800001, 0x00800000, 0, 0x80000000},
    {"sub.f32 %r9, %r0, %r1;", 'r', 0x3f800000, 0x40000000, 0, 0xbf800000}, // 1 - 2
    {"sub.f32 %r9, %r0, %r1;", 'r', 0x3f800000, 0x3f800000, 0, 0},
    {"sub.ftz.rn.f32 %r9, %r0, %r1;", 'r', 0x00800001, 0x00800000, 0, 0},
    {"sub.f32 %r9, %r0, %r1;", 'r', 0x7f800000, 0x40000000, 0, 0x7f800000},
    {"add.f64 %rd9, %rd0, %rd1;", 'd', 0x3ff0000000000000, 0x4340000000000000, 0,
     0x4340000000000000}, // 1 + 2^53
    {"sub.rn.f64 %rd9, %rd0, %rd1;", 'd', 0x0010000000000000, 1, 0, 0x000fffffffffffff},
    {"min.f32 %r9, %r0, %r1;", 'r', 0xbf800000, 0xc0000000, 0, 0xc0000000}, // -1, -2
    {"max.f32 %r9, %r0, %r1;", 'r', 0xbf800000, 0xc0000000, 0, 0xbf800000},
    {"min.f32 %r9, %r0, %r1;", 'r', 0, 0x80000000, 0, 0x80000000},
    {"max.f32 %r9, %r0, %r1;", 'r', 0x80000000, 0, 0, 0},
    {"min.f32 %r9, %r0, %r1;", 'r', 0x7fc00000, 0x3f800000, 0, 0x3f800000},
    {"max.f32 %r9, %r0, %r1;", 'r', 0x3f800000, 0xffc00001, 0, 0x3f800000},
    {"min.ftz.f32 %r9, %r0, %r1;", 'r', 1, 2, 0, 0},
    {"max.ftz.f32 %r9, %r0, %r1;", 'r', 0x80000001, 0xbf800000, 0, 0x80000000},
    {"max.f64 %rd9, %rd0, %rd1;", 'd', 0xfff0000000000000, 1, 0, 1},
    {"min.f64 %rd9, %rd0, %rd1;", 'd', 0x7ff0000000000001, 0x3ff0000000000000, 0,
     0x3ff0000000000000},
    {"max.f32 %r9, %r0, %r1, %r2;", 'r', 0xbf800000, 0x40000000, 0x3f800000, 0x40000000},
    {"max.f32 %r9, %r0, %r1, %r2;", 'r', 0xbf800000, 0x80000000, 0, 0},
    {"max.f32 %r9, %r0, %r1, %r2;", 'r', 0x7fc00000, 0xffc00001, 0xbf800000, 0xbf800000},
    {"max.f32 %r9, %r0, %r1, %r2;", 'r', 0x7fc00000, 0x3f800000, 0x7fc00000, 0x3f800000},
    {"min.f32 %r9, %r0, %r1, %r2;", 'r', 0x3f800000, 0x40000000, 0xbf800000, 0xbf800000},
    {"min.ftz.f32 %r9, %r0, %r1, %r2;", 'r', 0x3f800000, 0x40000000, 0x80000001, 0x80000000},
    {"abs.f32 %r9, %r0;", 'r', 0xbf800000, 0, 0, 0x3f800000},
    {"abs.ftz.f32 %r9, %r0;", 'r', 0x80000001, 0, 0, 0},
    {"abs.f64 %rd9, %rd0;", 'd', 0xfff8000000000001, 0, 0, 0xfff8000000000001}, // passed through
    {"neg.f32 %r9, %r0;", 'r', 0, 0, 0, 0x80000000},
    {"neg.ftz.f32 %r9, %r0;", 'r', 3, 0, 0, 0x80000000},
    {"neg.f64 %rd9, %rd0;", 'd', 0xbff0000000000000, 0, 0, 0x3ff0000000000000},
};

static const struct compute_case arithmetic_cases[] = {
    {"add.sat.s32 %r9, %r0, %r1;", 'r', MAX32, 1, 0, MAX32},
    {"add.sat.s32 %r9, %r0, %r1;", 'r', MIN32, 0xffffffff, 0, MIN32},
    {"add.sat.s32 %r9, %r0, %r1;", 'r', 5, 0xfffffff9, 0, 0xfffffffe},
    {"sub.sat.s32 %r9, %r0, %r1;", 'r', MIN32, 1, 0, MIN32},
    {"sub.sat.s32 %r9, %r0, %r1;", 'r', 0, MIN32, 0, MAX32},
    {"add.u16 %h9, %h0, %h1;", 'h', 0xffff, 2, 0, 1},
    {"add.s64 %rd9, %rd0, %rd1;", 'd', UINT64_MAX, 2, 0, 1},
    {"sub.u64 %rd9, %rd0, %rd1;", 'd', 0, 1, 0, UINT64_MAX},
    {"mul.lo.u16 %h9, %h0, %h1;", 'h', 0x100, 0x101, 0, 0x100},
    {"mul.hi.u16 %h9, %h0, %h1;", 'h', 0x8000, 6, 0, 3},
    {"mul.wide.u16 %r9, %h0, %h1;", 'r', 0xffff, 0xffff, 0, 0xfffe0001},
    {"mul.wide.s16 %r9, %h0, %h1;", 'r', 0xffff, 0xffff, 0, 1},
    {"mul.wide.u32 %rd9, %r0, %r1;", 'd', 0xffffffff, 4, 0, 0x3fffffffc},
    {"mul.wide.s32 %rd9, %r0, %r1;", 'd', 0xffffffff, 4, 0, (uint64_t)-4},
    {"mul.hi.u64 %rd9, %rd0, %rd1;", 'd', MIN64, 6, 0, 3},
    {"mul.hi.s64 %rd9, %rd0, %rd1;", 'd', MIN64, 6, 0, (uint64_t)-3},
    {"mad.lo.u32 %r9, %r0, %r1, %r2;", 'r', 7, 5, 3, 38},
    {"mad.lo.s32 %r9, %r0, %r1, %r2;", 'r', 0xffffffff, 5, 3, 0xfffffffe},
    {"mad.lo.u16 %h9, %h0, %h1, %h2;", 'h', 0x100, 0x100, 9, 9},
    {"mad.hi.u32 %r9, %r0, %r1, %r2;", 'r', MIN32, 4, 3, 5},
    {"mad.hi.s32 %r9, %r0, %r1, %r2;", 'r', MIN32, 4, 3, 1},
    {"mad.hi.sat.s32 %r9, %r0, %r1, %r2;", 'r', MAX32, MAX32, MAX32, MAX32},
    {"mad.hi.sat.s32 %r9, %r0, %r1, %r2;", 'r', MIN32, MAX32, MIN32, MIN32},
    {"mad.wide.u32 %rd9, %r0, %r1, %rd2;", 'd', 0xffffffff, 4, 8, 0x400000004},
    {"mad.wide.s32 %rd9, %r0, %r1, %rd2;", 'd', 0xffffffff, 4, 8, 4},
    {"mad.wide.s16 %r9, %h0, %h1, %r2;", 'r', 0xfffe, 3, 1, 0xfffffffb},
    {"div.u32 %r9, %r0, %r1;", 'r', 0xffffffff, 16, 0, 0x0fffffff},
    {"div.s32 %r9, %r0, %r1;", 'r', 0xfffffff0, 4, 0, 0xfffffffc},
    {"div.s32 %r9, %r0, %r1;", 'r', MIN32, 0xffffffff, 0, MIN32},
    {"div.s32 %r9, %r0, %r1;", 'r', 0xfffffff9, 0xfffffffe, 0, 3}, // -7 / -2
    {"div.u16 %h9, %h0, %h1;", 'h', 0xffff, 2, 0, 0x7fff},
    {"div.u64 %rd9, %rd0, %rd1;", 'd', UINT64_MAX, 3, 0, 0x5555555555555555},
    {"rem.u32 %r9, %r0, %r1;", 'r', 0xffffffff, 16, 0, 15},
    {"rem.s32 %r9, %r0, %r1;", 'r', 17, 5, 0, 2},
    {"rem.s32 %r9, %r0, %r1;", 'r', 0xfffffff9, 0xfffffffe, 0, 0xffffffff}, // -7 % -2
    {"rem.s32 %r9, %r0, %r1;", 'r', MIN32, 0xffffffff, 0, 0},
    {"rem.s32 %r9, %r0, %r1;", 'r', 0xfffffff8, 4, 0, 0},
    {"rem.u64 %rd9, %rd0, %rd1;", 'd', UINT64_MAX, 10, 0, 5},
    {"min.u32 %r9, %r0, %r1;", 'r', 0xffffffff, 1, 0, 1},
    {"min.s32 %r9, %r0, %r1;", 'r', 0xffffffff, 1, 0, 0xffffffff},
    {"max.u32 %r9, %r0, %r1;", 'r', 0xffffffff, 1, 0, 0xffffffff},
    {"max.s32 %r9, %r0, %r1;", 'r', MIN32, 1, 0, 1},
    {"min.s16 %h9, %h0, %h1;", 'h', 0x8000, 0x7fff, 0, 0x8000},
    {"max.s64 %rd9, %rd0, %rd1;", 'd', MIN64, 3, 0, 3},
    {"abs.s32 %r9, %r0;", 'r', 0xfffffffb, 0, 0, 5},
    {"abs.s32 %r9, %r0;", 'r', MIN32, 0, 0, MIN32},
    {"abs.s16 %h9, %h0;", 'h', 0xffff, 0, 0, 1},
    {"abs.s64 %rd9, %rd0;", 'd', UINT64_MAX, 0, 0, 1},
    {"neg.s32 %r9, %r0;", 'r', 5, 0, 0, 0xfffffffb},
    {"neg.s32 %r9, %r0;", 'r', MIN32, 0, 0, MIN32},
    {"neg.s64 %rd9, %rd0;", 'd', 1, 0, 0, UINT64_MAX},
    {"mul24.lo.u32 %r9, %r0, %r1;", 'r', 0xff000003, 0xab000005, 0, 15},
    {"mul24.lo.u32 %r9, %r0, %r1;", 'r', 0xffffff, 0xffffff, 0, 0xfe000001},
    {"mul24.hi.u32 %r9, %r0, %r1;", 'r', 0xffffff, 0xffffff, 0, 0xfffffe00},
    {"mul24.lo.s32 %r9, %r0, %r1;", 'r', 0xffffff, 5, 0, 0xfffffffb},
    {"mul24.hi.s32 %r9, %r0, %r1;", 'r', 0x800000, 0x800000, 0, 0x40000000},
    {"mul24.hi.s32 %r9, %r0, %r1;", 'r', 0x800000, 2, 0, 0xffffff00},
    {"mad24.lo.u32 %r9, %r0, %r1, %r2;", 'r', 0x1000002, 3, 0xfffffffe, 4},
    {"mad24.hi.u32 %r9, %r0, %r1, %r2;", 'r', 0x10000, 0x10000, 7, 0x10007},
    {"mad24.hi.sat.s32 %r9, %r0, %r1, %r2;", 'r', 0x800000, 0x800000, MAX32, MAX32},
    {"mad24.hi.sat.s32 %r9, %r0, %r1, %r2;", 'r', 0x800000, 0x7fffff, MIN32, MIN32},
    {"mad24.hi.sat.s32 %r9, %r0, %r1, %r2;", 'r', 0x800000, 2, 5, 0xffffff05},
    {"dp4a.u32.u32 %r9, %r0, %r1, %r2;", 'r', 0x01020304, 0x05060708, 9, 79}, // 5+12+21+32+9
    {"dp4a.u32.u32 %r9, %r0, %r1, %r2;", 'r', 0xffffffff, 0xffffffff, 0, 260100},
    {"dp4a.s32.s32 %r9, %r0, %r1, %r2;", 'r', 0xffffffff, 0x01010101, 10, 6},
    {"dp4a.s32.u32 %r9, %r0, %r1, %r2;", 'r', 0xff000000, 0xff000000, 0, 0xffffff01},
    {"dp4a.u32.s32 %r9, %r0, %r1, %r2;", 'r', 0xff000000, 0xff000000, 0, 0xffffff01},
    {"dp2a.lo.u32.u32 %r9, %r0, %r1, %r2;", 'r', 0x00020003, 0x09080405, 1, 24}, // 3*5 + 2*4 + 1
    {"dp2a.hi.u32.u32 %r9, %r0, %r1, %r2;", 'r', 0x00020003, 0x09080405, 1, 43}, // 3*8 + 2*9 + 1
    {"dp2a.lo.s32.s32 %r9, %r0, %r1, %r2;", 'r', 0xfffe0001, 0x0000fffd, 0, 0xffffffff}, // -3 + 2
    {"dp2a.hi.s32.u32 %r9, %r0, %r1, %r2;", 'r', 0x8000ffff, 0x01020000, 0, 0xffff7ffe},
    {"add.cc.u32 %r9, %r0, %r1;", 'r', 0xffffffff, 2, 0, 1},
    {"add.cc.u32 %r3, %r0, %r1; addc.u32 %r9, %r2, 0;", 'r', 0xffffffff, 2, 5, 6},
    {"add.cc.s32 %r3, %r0, %r1; addc.s32 %r9, %r2, 0;", 'r', MAX32, 1, 5, 5}, // no carry of signs
    {"add.cc.u32 %r3, %r0, %r1; addc.cc.u32 %r4, %r2, 0; addc.u32 %r9, 0, 0;", 'r', 0xffffffff, 1,
     0xffffffff, 1},
    {"add.cc.u64 %rd3, %rd0, %rd1; addc.u64 %rd9, %rd2, 1;", 'd', UINT64_MAX, 1, 5, 7},
    {"sub.cc.u32 %r3, %r0, %r1; subc.u32 %r9, %r2, 0;", 'r', 1, 2, 5, 4},
    {"sub.cc.u32 %r3, %r0, %r1; subc.u32 %r9, %r2, 0;", 'r', 2, 2, 5, 5},
    {"sub.cc.u32 %r3, 0, 1; subc.cc.u32 %r9, %r0, %r1;", 'r', 3, 3, 0, 0xffffffff},
    {"sub.cc.u32 %r3, 0, 1; subc.cc.u32 %r4, %r0, %r1; subc.u32 %r9, 9, 0;", 'r', 3, 3, 0, 8},
    {"mad.lo.cc.u32 %r3, %r0, %r1, %r2; madc.hi.u32 %r9, %r0, %r1, 0;", 'r', 0xffffffff, 0xffffffff,
     0xffffffff, 0xffffffff},
    {"mad.hi.cc.u32 %r3, %r0, %r1, %r2; addc.u32 %r9, 0, 0;", 'r', 0xffffffff, 0xffffffff, 2, 1},
    {"mad.hi.cc.s32 %r9, %r0, %r1, %r2;", 'r', 0xffffffff, 1, 3, 2},
    {"add.cc.u32 %r3, 1, 1; madc.lo.u64 %rd9, %rd0, %rd1, %rd2;", 'd', MIN64, 2, 7, 7},
    {"sad.u32 %r9, %r0, %r1, %r2;", 'r', 3, 0xffffffff, 1, 0xfffffffd},
    {"sad.s32 %r9, %r0, %r1, %r2;", 'r', 3, 0xffffffff, 1, 5},
};

static const struct compute_case bit_cases[] = {
    {"shl.b32 %r9, %r0, 31;", 'r', 3, 0, 0, MIN32},
    {"shl.b32 %r9, %r0, %r1;", 'r', 3, 32, 0, 0},
    {"shl.b32 %r9, %r0, %r1;", 'r', 3, 0xffffffff, 0, 0},
    {"shl.b16 %h9, %h0, %r1;", 'h', 3, 16, 0, 0},
    {"shl.b16 %h9, %h0, %r1;", 'h', 3, 0x10001, 0, 0},
    {"shl.b64 %rd9, %rd0, %r1;", 'd', 1, 63, 0, MIN64},
    {"shl.b64 %rd9, %rd0, %r1;", 'd', 1, 64, 0, 0},
    {"shr.u16 %h9, %h0, %r1;", 'h', 0x8000, 15, 0, 1},
    {"shr.s16 %h9, %h0, %r1;", 'h', 0x8000, 99, 0, 0xffff},
    {"shr.b64 %rd9, %rd0, %r1;", 'd', MIN64, 64, 0, 0},
    {"shr.s64 %rd9, %rd0, %r1;", 'd', MIN64, 64, 0, UINT64_MAX},
    {"and.b64 %rd9, %rd0, %rd1;", 'd', 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0,
     0x0f000f000f000f00},
    {"or.b16 %h9, %h0, %h1;", 'h', 0x1200, 0x34, 0, 0x1234},
    {"xor.b64 %rd9, %rd0, %rd1;", 'd', UINT64_MAX, 1, 0, 0xfffffffffffffffe},
    {"not.b16 %h9, %h0;", 'h', 0x00ff, 0, 0, 0xff00},
    {"cnot.b32 %r9, %r0;", 'r', 0, 0, 0, 1},
    {"cnot.b32 %r9, %r0;", 'r', 0x100, 0, 0, 0},
    {"bfe.u32 %r9, %r0, 8, 8;", 'r', 0x12345678, 0, 0, 0x56},
    {"bfe.s32 %r9, %r0, 4, 8;", 'r', 0x00000f80, 0, 0, 0xfffffff8},
    {"bfe.u32 %r9, %r0, 28, 8;", 'r', 0xa0000000, 0, 0, 0xa},
    {"bfe.s32 %r9, %r0, 28, 8;", 'r', 0xa0000000, 0, 0, 0xfffffffa},
    {"bfe.s32 %r9, %r0, 40, 8;", 'r', 0xa0000000, 0, 0, 0xffffffff},
    {"bfe.s32 %r9, %r0, 4, 0;", 'r', 0xffffffff, 0, 0, 0},
    {"bfe.u32 %r9, %r0, %r1, %r2;", 'r', 0xabcdef, 0x100, 0x104, 0xf}, // the low byte counts
    {"bfi.b32 %r9, %r0, %r1, 8, 8;", 'r', 0xab, 0x11223344, 0, 0x1122ab44},
    {"bfi.b32 %r9, %r0, %r1, 28, 8;", 'r', 0xab, 0x11223344, 0, 0xb1223344},
    {"bfi.b32 %r9, %r0, %r1, 32, 8;", 'r', 0xab, 0x11223344, 0, 0x11223344},
    {"bfi.b32 %r9, %r0, %r1, 4, 0;", 'r', 0xab, 0x11223344, 0, 0x11223344},
    {"bfi.b64 %rd9, %rd0, %rd1, 0, 64;", 'd', 0xab, 0x11223344, 0, 0xab},
    {"bfind.u32 %r9, %r0;", 'r', 0x00010000, 0, 0, 16},
    {"bfind.s32 %r9, %r0;", 'r', 0xfffffffe, 0, 0, 0},
    {"bfind.s32 %r9, %r0;", 'r', 0xffffffff, 0, 0, 0xffffffff},
    {"bfind.shiftamt.u64 %r9, %rd0;", 'r', 0x00010000, 0, 0, 47},
    {"bmsk.clamp.b32 %r9, %r0, %r1;", 'r', 4, 8, 0, 0xff0},
    {"bmsk.clamp.b32 %r9, %r0, %r1;", 'r', 32, 8, 0, 0},
    {"bmsk.clamp.b32 %r9, %r0, %r1;", 'r', 4, 40, 0, 0xfffffff0},
    {"bmsk.wrap.b32 %r9, %r0, %r1;", 'r', 33, 34, 0, 6},
    {"bmsk.wrap.b32 %r9, %r0, %r1;", 'r', 1, 32, 0, 0},
    {"szext.clamp.s32 %r9, %r0, %r1;", 'r', 0x1f8, 8, 0, 0xfffffff8},
    {"szext.clamp.u32 %r9, %r0, %r1;", 'r', 0x1f8, 8, 0, 0xf8},
    {"szext.clamp.s32 %r9, %r0, %r1;", 'r', 0x1f8, 32, 0, 0x1f8},
    {"szext.wrap.s32 %r9, %r0, %r1;", 'r', 0x1f8, 32, 0, 0},
    {"szext.wrap.u32 %r9, %r0, %r1;", 'r', 0x1f8, 36, 0, 8},
    {"brev.b32 %r9, %r0;", 'r', 0x00000001, 0, 0, MIN32},
    {"brev.b32 %r9, %r0;", 'r', 0x12345678, 0, 0, 0x1e6a2c48},
    {"brev.b64 %rd9, %rd0;", 'd', 3, 0, 0, 0xc000000000000000},
    {"clz.b32 %r9, %r0;", 'r', 0, 0, 0, 32},
    {"clz.b32 %r9, %r0;", 'r', 0x00ffffff, 0, 0, 8},
    {"clz.b64 %r9, %rd0;", 'r', 1, 0, 0, 63},
    {"popc.b32 %r9, %r0;", 'r', 0xf0f0000f, 0, 0, 12},
    {"popc.b64 %r9, %rd0;", 'r', UINT64_MAX, 0, 0, 64},
    {"lop3.b32 %r9, %r0, %r1, %r2, 0x80;", 'r', 0xf0, 0xcc, 0xaa, 0x80},
    {"lop3.b32 %r9, %r0, %r1, %r2, 0x1a;", 'r', 0xf0, 0xcc, 0xaa, 0x1a},
    {"lop3.b32 %r9, %r0, %r1, %r2, 0xff;", 'r', 1, 2, 3, 0xffffffff},
    {"lop3.or.b32 %r9|%p1, %r0, %r1, %r2, 0, 0;", 'p', 1, 2, 3, 0},
    {"lop3.or.b32 _|%p1, %r0, %r1, %r2, 0x96, 0;", 'p', 1, 2, 4, 1},
    {"setp.eq.b32 %p0, %r0, 1; lop3.and.b32 %r9|%p1, %r0, %r1, %r2, 0x96, !%p0;", 'p', 1, 2, 4, 0},
    {"shf.l.clamp.b32 %r9, %r0, %r1, 8;", 'r', 0x11223344, 0xaabbccdd, 0, 0xbbccdd11},
    {"shf.r.clamp.b32 %r9, %r0, %r1, 8;", 'r', 0x11223344, 0xaabbccdd, 0, 0xdd112233},
    {"shf.l.clamp.b32 %r9, %r0, %r1, %r2;", 'r', 0x11223344, 0xaabbccdd, 77, 0x11223344},
    {"shf.r.clamp.b32 %r9, %r0, %r1, %r2;", 'r', 0x11223344, 0xaabbccdd, 77, 0xaabbccdd},
    {"shf.r.wrap.b32 %r9, %r0, %r1, %r2;", 'r', 0x11223344, 0xaabbccdd, 32, 0x11223344},
    {"prmt.b32 %r9, %r0, %r1, 0x7310;", 'r', 0x11223344, 0xaabbccdd, 0, 0xaa113344},
    {"prmt.b32 %r9, %r0, %r1, 0xf8c0;", 'r', 0x11223344, 0xaabbccdd, 0, 0xff00ff44},
    {"prmt.b32.f4e %r9, %r0, %r1, 1;", 'r', 0x33221100, 0x77665544, 0, 0x44332211},
    {"prmt.b32.b4e %r9, %r0, %r1, 2;", 'r', 0x33221100, 0x77665544, 0, 0x77001122},
    {"prmt.b32.rc8 %r9, %r0, %r1, 3;", 'r', 0x33221100, 0x77665544, 0, 0x33333333},
    {"prmt.b32.ecl %r9, %r0, %r1, 2;", 'r', 0x33221100, 0x77665544, 0, 0x33222222},
    {"prmt.b32.ecr %r9, %r0, %r1, 2;", 'r', 0x33221100, 0x77665544, 0, 0x22221100},
    {"prmt.b32.rc16 %r9, %r0, %r1, 5;", 'r', 0x33221100, 0x77665544, 0, 0x33223322},
};

static const struct compute_case move_cases[] = {
    {"mov.b32 %r9, {%h0, %h1};", 'r', 0x1234, 0xabcd, 0, 0xabcd1234},
    {"mov.b64 %rd9, {%r0, %r1};", 'd', 0x11223344, 0xaabbccdd, 0, 0xaabbccdd11223344},
    {"mov.b64 %rd9, {%h0, %h1, %h2, %h0};", 'd', 0x1111, 0x2222, 0x3333, 0x1111333322221111},
    {"mov.b64 {%r3, %r9}, %rd0;", 'r', 0xaabbccdd11223344, 0, 0, 0xaabbccdd},
    {"mov.b64 {%r9, _}, %rd0;", 'r', 0xaabbccdd11223344, 0, 0, 0x11223344},
    {"mov.b32 {%h3, %h9}, %r0;", 'h', 0xaabbccdd, 0, 0, 0xaabb},
    {"mov.b32 {%c0, %c1, %c2, %c3}, %r0; mov.b32 %r9, {%c3, %c2, %c1, %c0};", 'r', 0x11223344, 0, 0,
     0x44332211},
    {"mov.b16 {%c0, %c1}, %h0; mov.b16 %h9, {%c1, %c0};", 'h', 0x1234, 0, 0, 0x3412},
    {"mov.b128 %q0, {%rd0, %rd1}; mov.b128 {%rd3, %rd9}, %q0;", 'd', 5, 7, 0, 7},
    {"cvt.u8.u32 %r9, %r0;", 'r', 0x1ff, 0, 0, 0xff},
    {"cvt.s8.s32 %r9, %r0;", 'r', 0x1ff, 0, 0, 0xffffffff},
    {"cvt.s64.s32 %rd9, %r0;", 'd', MIN32, 0, 0, 0xffffffff80000000},
    {"cvt.u64.u32 %rd9, %r0;", 'd', MIN32, 0, 0, MIN32},
    {"cvt.sat.u8.s32 %r9, %r0;", 'r', 0xffffffff, 0, 0, 0},
    {"cvt.sat.u8.s32 %r9, %r0;", 'r', 300, 0, 0, 255},
    {"cvt.sat.s8.s32 %r9, %r0;", 'r', 0xffffff00, 0, 0, 0xffffff80},
    {"cvt.sat.s16.u32 %h9, %r0;", 'h', 0xffffffff, 0, 0, 0x7fff},
    {"cvt.sat.u32.s64 %r9, %rd0;", 'r', 0x100000000, 0, 0, 0xffffffff},
    {"cvt.sat.u64.s64 %rd9, %rd0;", 'd', UINT64_MAX, 0, 0, 0},
    {"cvt.sat.s64.u64 %rd9, %rd0;", 'd', UINT64_MAX, 0, 0, 0x7fffffffffffffff},
    {"set.lt.u32.s32 %r9, %r0, %r1;", 'r', 0xffffffff, 0, 0, 0xffffffff},
    {"set.lt.u32.u32 %r9, %r0, %r1;", 'r', 0xffffffff, 0, 0, 0},
    {"set.ge.f32.s64 %r9, %rd0, %rd1;", 'r', 3, 3, 0, 0x3f800000},
    {"setp.eq.b32 %p0, %r0, 3; set.ne.and.s32.u16 %r9, %h0, %h1, %p0;", 'r', 3, 4, 0, 0xffffffff},
    {"setp.eq.b32 %p0, %r0, 3; set.ne.and.s32.u16 %r9, %h0, %h1, !%p0;", 'r', 3, 4, 0, 0},
    {"setp.lt.s16 %p1, %h0, %h1;", 'p', 0x8000, 0, 0, 1},
    {"setp.hi.u64 %p1, %rd0, %rd1;", 'p', MIN64, 0, 0, 1},
    {"slct.b32.s32 %r9, %r0, %r1, %r2;", 'r', 10, 20, 0, 10},
    {"slct.b64.s32 %rd9, %rd0, %rd1, %r2;", 'd', 10, 20, MIN32, 20},
};

#define QUIET 0x7fc00000u
#define INFINITY32 0x7f800000u

static const struct compute_case float_cases[] = {
    {"setp.eq.f32 %p1, %r0, %r1;", 'p', 0, MIN32, 0, 1}, // +0 == -0
    {"setp.eq.f32 %p1, %r0, %r0;", 'p', QUIET, 0, 0, 0},
    {"setp.equ.f32 %p1, %r0, %r1;", 'p', QUIET, 1, 0, 1},
    {"setp.ne.f32 %p1, %r0, %r1;", 'p', QUIET, 1, 0, 0},
    {"setp.neu.f32 %p1, %r0, %r1;", 'p', 1, QUIET, 0, 1},
    {"setp.lt.f32 %p1, %r0, 0f3f800000;", 'p', 0xbf800000, 0, 0, 1},   // -1 < 1
    {"setp.lt.f32 %p1, %r0, %r1;", 'p', 0xc0000000, 0xbf800000, 0, 1}, // -2 < -1
    {"setp.gt.f32 %p1, %r0, %r1;", 'p', INFINITY32, 0x7f7fffff, 0, 1},
    {"setp.ge.f32 %p1, %r0, %r1;", 'p', MIN32, 0, 0, 1},
    {"setp.leu.f32 %p1, %r0, %r1;", 'p', 0x40000000, 0x3f800000, 0, 0},
    {"setp.lt.f32 %p1, %r0, %r1;", 'p', 0, 1, 0, 1}, // the least subnormal number
    {"setp.lt.ftz.f32 %p1, %r0, %r1;", 'p', 0, 1, 0, 0},
    {"setp.eq.ftz.f32 %p1, %r0, %r1;", 'p', 0x807fffff, 1, 0, 1},
    {"setp.num.f32 %p1, %r0, %r1;", 'p', INFINITY32, 1, 0, 1},
    {"setp.num.f32 %p1, %r0, %r1;", 'p', 1, 0xff800001, 0, 0},
    {"setp.nan.f32 %p1, %r0, %r1;", 'p', 1, 0xff800001, 0, 1},
    {"setp.lt.f64 %p1, %rd0, %rd1;", 'p', 0xbff0000000000000, 0x3ff0000000000000, 0, 1},
    {"setp.gt.f64 %p1, %rd0, %rd1;", 'p', 0x7ff0000000000001, 0, 0, 0},
    {"set.gt.u32.f32 %r9, %r0, %r1;", 'r', 0x40000000, 0x3f800000, 0, 0xffffffff},
};

static void by_hand(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof arithmetic_cases / sizeof *arithmetic_cases; i++)
        check(&arithmetic_cases[i]);
    for (size_t i = 0; i < sizeof number_cases / sizeof *number_cases; i++)
        check(&number_cases[i]);
    for (size_t i = 0; i < sizeof bit_cases / sizeof *bit_cases; i++)
        check(&bit_cases[i]);
    for (size_t i = 0; i < sizeof move_cases / sizeof *move_cases; i++)
        check(&move_cases[i]);
    for (size_t i = 0; i < sizeof float_cases / sizeof *float_cases; i++)
        check(&float_cases[i]);
}

// --- The ISA's loops ---------------------------------------------------------------------------

static uint64_t bfe(uint64_t a, unsigned b, unsigned c, int msb, bool is_signed) {
    int pos = b & 0xff, len = c & 0xff;
    int top = pos + len - 1 < msb ? pos + len - 1 : msb;
    uint64_t sbit = !is_signed || len == 0 ? 0 : a >> top & 1, d = 0;
    for (int i = 0; i <= msb; i++)
        d |= (i < len && pos + i <= msb ? a >> (pos + i) & 1 : sbit) << i;
    return d;
}

static uint64_t bfi(uint64_t a, uint64_t b, unsigned c, unsigned d, int msb) {
    int pos = c & 0xff, len = d & 0xff;
    for (int i = 0; i < len && pos + i <= msb; i++)
        b = (b & ~(UINT64_C(1) << (pos + i))) | (a >> i & 1) << (pos + i);
    return b;
}

static uint64_t prmt(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t tmp64 = (uint64_t)b << 32 | a, d = 0;
    for (int i = 0; i < 4; i++) {
        unsigned ctl = c >> 4 * i & 0xf, byte = tmp64 >> 8 * (ctl & 7) & 0xff;
        if (ctl & 8)
            byte = byte & 0x80 ? 0xff : 0;
        d |= (uint64_t)byte << 8 * i;
    }
    return d;
}

static unsigned clz(uint64_t a, unsigned max) {
    unsigned d = 0;
    while (d < max && !(a >> (max - 1) & 1)) {
        d++;
        a <<= 1;
    }
    return d;
}

static uint64_t brev(uint64_t a, int msb) {
    uint64_t d = 0;
    for (int i = 0; i <= msb; i++)
        d |= (a >> (msb - i) & 1) << i;
    return d;
}

static uint64_t next_random(uint64_t *seed) {
    uint64_t z = (*seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    return z ^ z >> 27;
}

static void as_in_the_isa(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 40; i++) {
        uint64_t a = next_random(&seed), b = next_random(&seed), c = next_random(&seed);
        unsigned pos = (unsigned)(b % 80), len = (unsigned)(c % 80);
        uint32_t low = (uint32_t)a;
        const struct compute_case cases[] = {
            {"bfe.u32 %r9, %r0, %r1, %r2;", 'r', a, pos, len, bfe(low, pos, len, 31, false)},
            {"bfe.s32 %r9, %r0, %r1, %r2;", 'r', a, pos, len, bfe(low, pos, len, 31, true)},
            {"bfe.s64 %rd9, %rd0, %r1, %r2;", 'd', a, pos, len, bfe(a, pos, len, 63, true)},
            {"bfi.b32 %r9, %r0, 0x5a5a5a5a, %r1, %r2;", 'r', a, pos, len,
             bfi(low, 0x5a5a5a5a, pos, len, 31)},
            {"bfi.b64 %rd9, %rd0, 0x5a5a5a5a5a, %r1, %r2;", 'd', a, pos, len,
             bfi(a, 0x5a5a5a5a5a, pos, len, 63)},
            {"prmt.b32 %r9, %r0, %r1, %r2;", 'r', a, b, c, prmt(low, (uint32_t)b, (uint32_t)c)},
            {"clz.b32 %r9, %r0;", 'r', low >> pos % 32, 0, 0, clz(low >> pos % 32, 32)},
            {"clz.b64 %r9, %rd0;", 'r', a >> pos % 64, 0, 0, clz(a >> pos % 64, 64)},
            {"brev.b32 %r9, %r0;", 'r', a, 0, 0, brev(low, 31)},
            {"brev.b64 %rd9, %rd0;", 'd', a, 0, 0, brev(a, 63)},
            {"popc.b64 %r9, %rd0;", 'r', a, 0, 0, (uint64_t)__builtin_popcountll(a)},
        };
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            check(&cases[k]);
    }
}

// --- What the ISA leaves open ------------------------------------------------------------------

// Whether the result is unknown.
static bool unknown(const char *code, uint64_t a, uint64_t b, bool constants) {
    struct compute_case c = {.code = code, .result = 'r', .a = a, .b = b};
    struct program_fixture *f = build(&c, constants);
    bool result = fixture_value(f, f->program->observed[0].undef) != 0;
    fixture_free(f);
    return result;
}

static void unspecified_results(void **state) {
    (void)state;
    for (int constants = 0; constants < 2; constants++) {
        assert_true(unknown("div.u32 %r9, %r0, %r1;", 5, 0, constants));
        assert_true(unknown("rem.u32 %r9, %r0, %r1;", 5, 0, constants));
        assert_true(unknown("div.s32 %r9, %r0, %r1;", 5, 0, constants));
        assert_true(unknown("div.s32 %r9, %r0, %r1;", 0xfffffff9, 2, constants)); // -7 / 2
        assert_true(unknown("rem.s32 %r9, %r0, %r1;", 7, 0xfffffffe, constants));
        assert_false(unknown("div.s32 %r9, %r0, %r1;", 0xfffffff8, 2, constants));
        assert_false(unknown("div.u32 %r9, %r0, 3;", 7, 0, constants));
        // What was computed from an unknown value is unknown; what does not depend on it is not.
        assert_true(unknown("div.u32 %r3, 1, %r1; bfe.u32 %r9, %r3, 3, 4;", 5, 0, constants));
        assert_false(unknown("div.u32 %r3, 1, %r1; and.b32 %r9, %r3, 0;", 5, 0, constants));
    }
}

// Which NaN comes out is not specified.
static void unknown_numbers(void **state) {
    (void)state;
    const uint64_t infinity = 0x7f800000, nan = 0x7fc00000, one = 0x3f800000;
    for (int constants = 0; constants < 2; constants++) {
        assert_true(unknown("sub.f32 %r9, %r0, %r1;", infinity, infinity, constants));
        assert_true(unknown("add.f32 %r9, %r0, %r1;", nan, one, constants));
        assert_true(unknown("min.f32 %r9, %r0, %r1;", nan, nan, constants));
        assert_false(unknown("min.f32 %r9, %r0, %r1;", nan, one, constants));
        assert_true(unknown("neg.f32 %r9, %r0;", nan, 0, constants));
        assert_true(unknown("abs.f32 %r9, %r0;", nan, 0, constants));
        assert_true(unknown("add.f64 %rd3, %rd0, %rd1; cvt.u32.u64 %r9, %rd3;", 0x7ff0000000000000,
                            0xfff0000000000000, constants));
    }
}

static void unknown_reaches_memory(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build("PTX t\n.global .u32 x;\nP0@cta 0 {\n"
                                              "ld.weak.global.u32 %r0, [x];\n"
                                              "div.u32 %r1, 1, %r0;\n"
                                              "st.weak.global.u32 [x], %r1;\n}\n"
                                              "exists (x == 0)\n");
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
    f->reads[fixture_event(f, 0, EVENT_READ, 0)->id] = 0;
    assert_int_equal(fixture_value(f, write->access->undef), 1);
    assert_true(fixture_depends(write->data, fixture_event(f, 0, EVENT_READ, 0)));
    f->reads[fixture_event(f, 0, EVENT_READ, 0)->id] = 1;
    assert_int_equal(fixture_value(f, write->access->undef), 0);
    assert_int_equal(fixture_value(f, write->access->value), 1);
    fixture_free(f);
}

// Every operand is a syntactic dependency, the predicate of lop3 included. Where the result is the
// same whatever the operand is, it is not a semantic one.
static void dependencies(void **state) {
    (void)state;
    static const struct {
        const char *code;
        bool matters;
    } rows[] = {
        {"mad.lo.u32 %r9, 0, %r3, %r0;", true}, {"mad.lo.u32 %r9, 0, %r0, %r3;", false},
        {"bfe.u32 %r9, %r3, %r3, %r0;", false}, {"bfi.b32 %r9, 1, 2, 3, %r0;", true},
        {"bfe.u32 %r9, %r3, 40, %r0;", false},  {"bfi.b32 %r9, 1, %r0, 0, 32;", false},
        {"prmt.b32 %r9, 1, %r0, 0;", false},    {"prmt.b32 %r9, 1, %r0, 4;", true},
        {"sad.u32 %r9, %r3, 1, %r0;", true},    {"mov.b64 {%r9, %r3}, %rd0;", true},
        {"slct.b32.s32 %r9, 1, 2, %r0;", true}, {"slct.b32.s32 %r9, 2, 2, %r0;", false},
        {"lop3.b32 %r9, %r0, 1, 2, 0;", false}, {"lop3.b32 %r9, %r0, 1, 2, 0xc0;", true},
        {"rem.u32 %r9, 5, %r0;", true},         {"rem.u32 %r9, %r0, 1;", false},
        {"shr.u32 %r9, %r0, 40;", false},       {"shr.s32 %r9, %r0, 40;", true},
    };
    for (size_t i = 0; i < 2 * (sizeof rows / sizeof *rows); i++) {
        bool written = i % 2 != 0;
        struct arena *arena = arena_new();
        const char *text = arena_format(
            arena,
            "PTX t\n.global .u64 x; .global .u32 y;\nP0@cta 0 {\n"
            ".reg .b64 %%rd<2>; .reg .b32 %%r<10>;\n"
            "ld.weak.global.b64 %%rd0, [x]; cvt.u32.u64 %%r0, %%rd0; mov.u32 %%r3, 1;\n"
            "%s\nst.weak.global.u32 [y], %%r9;\n}\nexists (y == 0)\n",
            rows[i / 2].code);
        struct program_fixture *f = written ? fixture_build_written(text) : fixture_build(text);
        if (fixture_depends(fixture_event(f, 0, EVENT_WRITE, 0)->data,
                            fixture_event(f, 0, EVENT_READ, 0)) != (written || rows[i / 2].matters))
            fail_msg("%s%s", rows[i / 2].code, written ? " as written" : "");
        fixture_free(f);
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(as_in_the_isa),
        cmocka_unit_test(unspecified_results),
        cmocka_unit_test(unknown_numbers),
        cmocka_unit_test(unknown_reaches_memory),
        cmocka_unit_test(dependencies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
