// Valid PTX: what each spelling means, field by field.
#include "tests/unit/litmus/ptx/messages.h"

struct spelling {
    const char *statement, *meaning;
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void check_spellings(const struct spelling *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct reading reading = read_statement(rows[i].statement);
        assert_string_equal(messages(&reading), "");
        assert_non_null(reading.test);
        const struct thread *thread = &reading.test->threads[0];
        assert_int_equal(thread->instruction_count, 1);
        const char *text =
            instruction_text(reading.arena, reading.test, thread, &thread->instructions[0]);
        assert_string_equal(text, rows[i].meaning);
        close_reading(&reading);
    }
}

static void test_loads(void **state) {
    (void)state;
    static const struct spelling rows[] = {
        {"ld.u32 %u0, [x];", "ld weak u32 %u0 [x]"},
        {"ld.weak.global.u32 %u0, [x];", "ld weak .global u32 %u0 [x]"},
        {"ld.global.weak.u32 %u0, [x+0];", "ld weak .global u32 %u0 [x]"},
        {"ld.u32.global.weak %u0, [x];", "ld weak .global u32 %u0 [x]"},
        {"ld.relaxed.gpu.global.u32 %u0, [x];", "ld relaxed gpu .global u32 %u0 [x]"},
        {"ld.global.relaxed.gpu.u32 %u0, [x];", "ld relaxed gpu .global u32 %u0 [x]"},
        {"ld.gpu.global.relaxed.u32 %u0, [x];", "ld relaxed gpu .global u32 %u0 [x]"},
        {"ld.acquire.cta.u32 %u0, [x];", "ld acquire cta u32 %u0 [x]"},
        {"ld.acquire.cluster.u32 %u0, [x];", "ld acquire cluster u32 %u0 [x]"},
        {"ld.acquire.sys.shared.u32 %u0, [s];", "ld acquire sys .shared u32 %u0 [s]"},
        {"ld.volatile.global.u32 %u0, [x];", "ld volatile sys .global u32 %u0 [x]"},
        {"ld.volatile.local.u32 %u0, [l];", "ld volatile sys .local u32 %u0 [l]"},
        {"ld.mmio.relaxed.sys.global.u32 %u0, [x];", "ld mmio sys .global u32 %u0 [x]"},
        {"ld.global.sys.relaxed.mmio.u32 %u0, [x];", "ld mmio sys .global u32 %u0 [x]"},
        {"ld.const.u32 %u0, [c];", "ld weak .const u32 %u0 [c]"},
        {"ld.local.u32 %u0, [l];", "ld weak .local u32 %u0 [l]"},
        {"ld.local.u32 %u0, [16];", "ld weak .local u32 %u0 [+16]"},
        {"ld.param.u64 %d0, [k];", "ld weak .param u64 %d0 [k]"},
        {"ld.param::entry.u64 %d0, [k];", "ld weak .param u64 %d0 [k]"},
        {"ld.shared.u32 %u0, [s];", "ld weak .shared u32 %u0 [s]"},
        {"ld.shared::cta.u32 %u0, [s];", "ld weak .shared u32 %u0 [s]"},
        {"ld.shared::cluster.u32 %u0, [s];", "ld weak .shared::cluster u32 %u0 [s]"},
        {"ld.shared.u32 %u0, [%u1];", "ld weak .shared u32 %u0 [%u1]"},
        {"ld.u8 %h0, [x8];", "ld weak u8 %h0 [x8]"},
        {"ld.s16 %d0, [x16];", "ld weak s16 %d0 [x16]"},
        {"ld.b64 %fd0, [x64];", "ld weak b64 %fd0 [x64]"},
        {"ld.f32 %f0, [x];", "ld weak f32 %f0 [x]"},
        {"ld.global.b128 %q0, [buf];", "ld weak .global b128 %q0 [buf]"},
        {"ld.u32 %u0, [arr+8];", "ld weak u32 %u0 [arr+8]"},
        {"ld.u32 %u0, [arr+-4];", "ld weak u32 %u0 [arr-4]"},
        {"ld.u32 %u0, [arr+4*2];", "ld weak u32 %u0 [arr+8]"},
        {"ld.u32 %u0, arr[3];", "ld weak u32 %u0 [arr+12]"},
        {"ld.u32 %u0, [%d1];", "ld weak u32 %u0 [%d1]"},
        {"ld.u32 %u0, [%d1+-8];", "ld weak u32 %u0 [%d1-8]"},
        {"ld .global .u32 %u0 , [ x + 4 ] ;", "ld weak .global u32 %u0 [x+4]"},
        {"ld.v2.u32 {%u0, %u1}, [buf];", "ld weak v2 u32 {%u0 %u1} [buf]"},
        {"ld.u32.v4 {%u0, _, %u2, %u3}, [buf+16];", "ld weak v4 u32 {%u0 _ %u2 %u3} [buf+16]"},
        {"ld.v2.b64 {%d0, %d1}, [buf];", "ld weak v2 b64 {%d0 %d1} [buf]"},
        {"ld.v4.u64 {%d0, %d1, %d2, %d3}, [buf];", "ld weak v4 u64 {%d0 %d1 %d2 %d3} [buf]"},
        {"ld.global.v8.b32 {%b0,%b1,%b2,%b3,%u0,%u1,%u2,_}, [buf];",
         "ld weak .global v8 b32 {%b0 %b1 %b2 %b3 %u0 %u1 %u2 _} [buf]"},
        {"ld.relaxed.gpu.v2.u32 {%u0, %u1}, [buf];", "ld relaxed gpu v2 u32 {%u0 %u1} [buf]"},
        {"ld.u32 {%u0}, [x];", "ld weak u32 %u0 [x]"},
    };
    check_spellings(rows, COUNT(rows));
}

// Hints to the caches leave no trace.
static void test_hints(void **state) {
    (void)state;
    static const struct spelling rows[] = {
        {"ld.global.ca.u32 %u0, [x];", "ld weak .global u32 %u0 [x]"},
        {"ld.cv.u32 %u0, [x];", "ld weak u32 %u0 [x]"},
        {"ld.shared.cs.u32 %u0, [s];", "ld weak .shared u32 %u0 [s]"},
        {"ld.L1::no_allocate.global.u32 %u0, [x];", "ld weak .global u32 %u0 [x]"},
        {"ld.global.L2::256B.u32 %u0, [x];", "ld weak .global u32 %u0 [x]"},
        {"ld.relaxed.sys.L1::evict_last.L2::64B.u32 %u0, [x];", "ld relaxed sys u32 %u0 [x]"},
        {"ld.volatile.L2::128B.u32 %u0, [x];", "ld volatile sys u32 %u0 [x]"},
        {"ld.L2::cache_hint.u32 %u0, [x], %d1;", "ld weak u32 %u0 [x]"},
        {"ld.L2::evict_last.L1::evict_first.v4.b64 {%d0,%d1,%d2,%d3}, [buf];",
         "ld weak v4 b64 {%d0 %d1 %d2 %d3} [buf]"},
        {"st.wt.u32 [x], 1;", "st weak u32 [x] 1"},
        {"st.release.gpu.L2::cache_hint.u32 [x], 1, 0;", "st release gpu u32 [x] 1"},
        {"atom.L2::cache_hint.exch.b32 %b0, [x], 1, %d0;", "atom relaxed gpu exch b32 %b0 [x] 1"},
        {"red.add.L2::cache_hint.u32 [x], 1, %d0;", "red relaxed gpu add u32 [x] 1"},
    };
    check_spellings(rows, COUNT(rows));
}

static void test_stores(void **state) {
    (void)state;
    static const struct spelling rows[] = {
        {"st.u32 [x], 1;", "st weak u32 [x] 1"},
        {"st.weak.global.u32 [x], %u0;", "st weak .global u32 [x] %u0"},
        {"st.release.gpu.global.u32 [x], 1;", "st release gpu .global u32 [x] 1"},
        {"st.global.release.gpu.u32 [x], 1;", "st release gpu .global u32 [x] 1"},
        {"st.relaxed.cluster.shared::cluster.u32 [s], 1;",
         "st relaxed cluster .shared::cluster u32 [s] 1"},
        {"st.volatile.shared.u32 [s], 1;", "st volatile sys .shared u32 [s] 1"},
        {"st.mmio.relaxed.sys.u32 [x], 1;", "st mmio sys u32 [x] 1"},
        {"st.mmio.release.sys.u32 [x], 1;", "st release sys u32 [x] 1"},
        {"st.u32 [x], -1;", "st weak u32 [x] -1"},
        {"st.s32 [x], 4294967295;", "st weak s32 [x] 4294967295"},
        {"st.u8 [x8], %d0;", "st weak u8 [x8] %d0"},
        {"st.u8 [x8], -128;", "st weak u8 [x8] -128"},
        {"st.u16 [x16], 0xffff;", "st weak u16 [x16] 65535"},
        {"st.u64 [x64], 0xffffffffffffffff;", "st weak u64 [x64] 18446744073709551615"},
        {"st.u32 [x], (1 << 4) | 3;", "st weak u32 [x] 19"},
        {"st.b32 [x], 0f3f800000;", "st weak b32 [x] 1065353216"},
        {"st.f32 [x], -1.5;", "st weak f32 [x] 3217031168"},
        {"st.f64 [x64], 0d3ff0000000000000;", "st weak f64 [x64] 4607182418800017408"},
        {"st.v2.u32 [buf+8], {%u0, 7};", "st weak v2 u32 [buf+8] {%u0 7}"},
        {"st.v4.b64 [buf], {%d0, _, %d0, 1};", "st weak v4 b64 [buf] {%d0 _ %d0 1}"},
        {"st.global.b128 [buf], %q1;", "st weak .global b128 [buf] %q1"},
        {"@%p1 st.u32 [x], 1;", "@%p1 st weak u32 [x] 1"},
        {"@!%p1 st.u32 [x], 1;", "@!%p1 st weak u32 [x] 1"},
    };
    check_spellings(rows, COUNT(rows));
}

static void test_atomics(void **state) {
    (void)state;
    static const struct spelling rows[] = {
        {"atom.add.u32 %u0, [x], 1;", "atom relaxed gpu add u32 %u0 [x] 1"},
        {"atom.u32.global.add %u0, [x], 1;", "atom relaxed gpu .global add u32 %u0 [x] 1"},
        {"atom.acq_rel.add.u32 %u0, [x], 1;", "atom acq_rel gpu add u32 %u0 [x] 1"},
        {"atom.cta.add.u32 %u0, [x], 1;", "atom relaxed cta add u32 %u0 [x] 1"},
        {"atom.acquire.sys.global.inc.u32 %u0, [x], 1;",
         "atom acquire sys .global inc u32 %u0 [x] 1"},
        {"atom.release.cluster.dec.u32 %u0, [x], %b1;", "atom release cluster dec u32 %u0 [x] %b1"},
        {"atom.shared.min.s32 %s0, [s], -1;", "atom relaxed gpu .shared min s32 %s0 [s] -1"},
        {"atom.max.u64 %ud0, [x64], 1;", "atom relaxed gpu max u64 %ud0 [x64] 1"},
        {"atom.add.u64 %d0, [x64], %d0;", "atom relaxed gpu add u64 %d0 [x64] %d0"},
        {"atom.and.b32 %b0, [x], 1;", "atom relaxed gpu and b32 %b0 [x] 1"},
        {"atom.or.b64 %d0, [x64], 1;", "atom relaxed gpu or b64 %d0 [x64] 1"},
        {"atom.xor.b32 %u0, [x], 1;", "atom relaxed gpu xor b32 %u0 [x] 1"},
        {"atom.exch.b32 %f0, [x], %f1;", "atom relaxed gpu exch b32 %f0 [x] %f1"},
        {"atom.exch.b128 %q0, [buf], %q1;", "atom relaxed gpu exch b128 %q0 [buf] %q1"},
        {"atom.cas.b16 %h0, [x16], 1, 2;", "atom relaxed gpu cas b16 %h0 [x16] 1 2"},
        {"atom.cas.b32 %b0, [x], %b1, %b2;", "atom relaxed gpu cas b32 %b0 [x] %b1 %b2"},
        {"atom.cas.b64 _, [x64], 1, 2;", "atom relaxed gpu cas b64 _ [x64] 1 2"},
        {"red.add.u32 [x], 1;", "red relaxed gpu add u32 [x] 1"},
        {"red.release.sys.global.add.s32 [x], %s0;", "red release sys .global add s32 [x] %s0"},
        {"red.shared::cta.or.b32 [s], 1;", "red relaxed gpu .shared or b32 [s] 1"},
        {"atom.add.f32 %f0, [x], 0f3f800000;", "atom relaxed gpu add f32 %f0 [x] 1065353216"},
        {"red.shared.add.f64 [sbuf], %fd0;", "red relaxed gpu .shared add f64 [sbuf] %fd0"},
        {"atom.add.noftz.f16 _, [x16], %h1;", "atom relaxed gpu add f16 _ [x16] %h1"},
        {"red.bf16x2.noftz.cta.add [x], %b0;", "red relaxed cta add bf16x2 [x] %b0"},
        {"atom.global.v2.f32.add {%f0, _}, [buf], {%f1, 1.0};",
         "atom relaxed gpu .global add v2 f32 {%f0 _} [buf] {%f1 1065353216}"},
        {"atom.v4.f32.add _, [buf], {%f0, %f1, %f0, %f1};",
         "atom relaxed gpu add v4 f32 _ [buf] {%f0 %f1 %f0 %f1}"},
        {"red.release.sys.min.noftz.v4.L2::cache_hint.f16x2 [buf], {%b0, %b1, %b2, %b3}, %d0;",
         "red release sys min v4 f16x2 [buf] {%b0 %b1 %b2 %b3}"},
        {"red.global.v8.bf16.max.noftz [buf], {%h0, %h1, %h2, %h3, %h0, %h1, %h2, %h3};",
         "red relaxed gpu .global max v8 bf16 [buf] {%h0 %h1 %h2 %h3 %h0 %h1 %h2 %h3}"},
    };
    check_spellings(rows, COUNT(rows));
}

static void test_fences(void **state) {
    (void)state;
    static const struct spelling rows[] = {
        {"fence.gpu;", "fence acq_rel gpu"},
        {"fence.sc.sys;", "fence sc sys"},
        {"fence.cta.sc;", "fence sc cta"},
        {"fence.acq_rel.cluster;", "fence acq_rel cluster"},
        {"fence.acquire.gpu;", "fence acquire gpu"},
        {"fence.release.gpu;", "fence release gpu"},
        {"fence.release.sync_restrict::shared::cta.cluster;", "fence release cluster .shared"},
        {"fence.cluster.acquire.sync_restrict::shared::cluster;",
         "fence acquire cluster .shared::cluster"},
        {"membar.cta;", "fence sc cta"},
        {"membar.gl;", "fence sc gpu"},
        {"membar.sys;", "fence sc sys"},
        {"fence.proxy.alias;", "fence.proxy alias"},
        {"membar.proxy.alias;", "fence.proxy alias"},
        {"fence.proxy.async;", "fence.proxy async"},
        {"fence.proxy.async.global;", "fence.proxy async .global"},
        {"fence.proxy.shared::cta.async;", "fence.proxy async .shared"},
        {"fence.proxy.async.shared::cluster;", "fence.proxy async .shared::cluster"},
        {"fence.proxy.texture;", "fence.proxy texture"},
        {"fence.proxy.tensormap::generic.release.gpu;", "fence.proxy gpu tensormap release"},
        {"fence.proxy.tensormap::generic.acquire.sys [%d0], 128;",
         "fence.proxy sys tensormap acquire [%d0]"},
        {"fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;",
         "fence.proxy cluster async .shared release"},
        {"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;",
         "fence.proxy cluster async .shared::cluster acquire"},
    };
    check_spellings(rows, COUNT(rows));
}

static void test_barriers(void **state) {
    (void)state;
    static const struct spelling rows[] = {
        {"bar.sync 0;", "bar cta sync 0"},
        {"bar.cta.sync 15, 64;", "bar cta sync 15 64"},
        {"barrier.sync %u0, %u1;", "bar cta sync %u0 %u1"},
        {"barrier.cta.sync.aligned 1;", "bar cta sync 1"},
        {"bar.arrive 0, 64;", "bar cta arrive 0 64"},
        {"bar.red.and.pred %p0, 1, %p1;", "bar cta red & pred %p0 1 %p1"},
        {"bar.red.or.pred %p0, 1, 64, !%p1;", "bar cta red | pred %p0 1 64 !%p1"},
        {"bar.red.popc.u32 %u0, 1, %p1;", "bar cta red u32 %u0 1 %p1"},
        {"barrier.cluster.arrive;", "bar release cluster cluster.arrive"},
        {"barrier.cluster.arrive.relaxed.aligned;", "bar relaxed cluster cluster.arrive"},
        {"barrier.cluster.wait.acquire;", "bar acquire cluster cluster.wait"},
        {"bar.warp.sync 0xffffffff;", "bar warp.sync 4294967295"},
    };
    check_spellings(rows, COUNT(rows));
}

static void test_arithmetic(void **state) {
    (void)state;
    static const struct spelling rows[] = {
        {"mov.u32 %u0, %s1;", "mov u32 %u0 %s1"},
        {"mov.b32 %b0, %f0;", "mov b32 %b0 %f0"},
        {"mov.u64 %d0, x;", "mov u64 %d0 &x"},
        {"mov.u64 %d0, x+-4;", "mov u64 %d0 &x-4"},
        {"mov.b64 %d0, arr[2];", "mov b64 %d0 &arr+8"},
        {"mov.u32 %u0, s;", "mov u32 %u0 &s"},
        {"mov.pred %p0, !%p1;", "mov pred %p0 !%p1"},
        {"mov.pred %p0, 1;", "mov pred %p0 1"},
        {"mov.u32 %u0, 5U;", "mov u32 %u0 5"},
        {"add.u32 %u0, 5, %u1;", "add u32 %u0 5 %u1"},
        {"add.s64 %d0, %ud0, -1;", "add s64 %d0 %ud0 -1"},
        {"sub.u16 %h0, %h1, 1;", "sub u16 %h0 %h1 1"},
        {"add.rn.ftz.f32 %f0, %f1, 1.0;", "add ftz f32 %f0 %f1 1065353216"},
        {"sub.f64 %fd0, %d1, %fd2;", "sub f64 %fd0 %d1 %fd2"},
        {"max.f32 %f0, %f1, %f2;", "max f32 %f0 %f1 %f2"},
        {"min.ftz.f32 %f0, %f1, %f2, %f3;", "min ftz f32 %f0 %f1 %f2 %f3"},
        {"neg.ftz.f32 %b0, %f1;", "neg ftz f32 %b0 %f1"},
        {"mul.lo.u32 %u0, %u1, 4;", "mul u32 %u0 %u1 4"},
        {"mul.hi.s32 %s0, %s1, 4;", "mul hi s32 %s0 %s1 4"},
        {"mul.wide.u32 %d0, %u1, 4;", "mul wide u32 %d0 %u1 4"},
        {"mul.wide.s16 %s0, %h1, -4;", "mul wide s16 %s0 %h1 -4"},
        {"div.s32 %s0, %s1, 2;", "div s32 %s0 %s1 2"},
        {"and.b32 %u0, %s0, 0xff;", "and b32 %u0 %s0 255"},
        {"or.pred %p0, %p1, !%p2;", "or pred %p0 %p1 !%p2"},
        {"xor.b64 %d0, %d1, %d1;", "xor b64 %d0 %d1 %d1"},
        {"not.b16 %h0, %h1;", "not b16 %h0 %h1"},
        {"shl.b64 %d0, %d1, %u0;", "shl b64 %d0 %d1 %u0"},
        {"shr.s32 %s0, %s1, 31;", "shr s32 %s0 %s1 31"},
    };
    check_spellings(rows, COUNT(rows));
}

static void test_comparison_and_conversion(void **state) {
    (void)state;
    static const struct spelling rows[] = {
        {"setp.eq.u32 %p0, %u0, 1;", "setp eq u32 %p0 %u0 1"},
        {"setp.ne.b64 %p0, %d0, %d1;", "setp ne b64 %p0 %d0 %d1"},
        {"setp.s32.lt %p0|%p1, %s0, -1;", "setp lt s32 {%p0 %p1} %s0 -1"},
        {"setp.hs.u16 _|%p1, %h0, 1;", "setp hs u16 {_ %p1} %h0 1"},
        {"setp.ge.and.u32 %p0, %u0, %u1, !%p2;", "setp ge & u32 %p0 %u0 %u1 !%p2"},
        {"setp.xor.eq.u32 %p0|%p1, 1, 1, %p2;", "setp eq ^ u32 {%p0 %p1} 1 1 %p2"},
        {"selp.b32 %b0, 1, %b1, %p0;", "selp b32 %b0 1 %b1 %p0"},
        {"cvt.u64.u32 %d0, %u0;", "cvt u64<-u32 %d0 %u0"},
        {"cvt.s8.s32 %s0, %s1;", "cvt s8<-s32 %s0 %s1"},
        {"cvt.sat.u8.s32 %u0, %s1;", "cvt sat u8<-s32 %u0 %s1"},
        {"mad.hi.sat.s32 %s0, %s1, 4, %s2;", "mad hi sat s32 %s0 %s1 4 %s2"},
        {"mad.wide.u16 %u0, %h1, %h2, %u3;", "mad wide u16 %u0 %h1 %h2 %u3"},
        {"bfi.b64 %d0, %d1, %d2, 3, %u0;", "bfi b64 %d0 %d1 %d2 3 %u0"},
        {"bfind.shiftamt.s64 %u0, %ud1;", "bfind shiftamt s64 %u0 %ud1"},
        {"popc.b64 %u0, %d1;", "popc b64 %u0 %d1"},
        {"prmt.b32.rc16 %b0, %b1, %b2, 3;", "prmt rc16 b32 %b0 %b1 %b2 3"},
        {"prmt.ecl.b32 %b0, %b1, %b2, 3;", "prmt ecl b32 %b0 %b1 %b2 3"},
        {"shf.r.wrap.b32 %b0, %b1, %b2, %u0;", "shf.r wrap b32 %b0 %b1 %b2 %u0"},
        {"lop3.b32 %b0, %b1, %b2, 7, 0x96;", "lop3 b32 %b0 %b1 %b2 7 150"},
        {"lop3.and.b32 _|%p1, %b1, %b2, %b3, 1, !%p0;", "lop3 & b32 {_ %p1} %b1 %b2 %b3 1 !%p0"},
        {"set.gt.u32.s64 %u0, %ud0, -1;", "set gt u32<-s64 %u0 %ud0 -1"},
        {"set.leu.ftz.f32.f32 %f0, %f1, 0f00000000;", "set leu ftz f32<-f32 %f0 %f1 0"},
        {"set.eq.and.s32.b16 %s0, %h0, %h1, %p2;", "set eq & s32<-b16 %s0 %h0 %h1 %p2"},
        {"setp.nan.f64 %p0, %fd0, %fd1;", "setp nan f64 %p0 %fd0 %fd1"},
        {"slct.u64.s32 %d0, %d1, %d2, %s0;", "slct u64<-s32 %d0 %d1 %d2 %s0"},
    };
    check_spellings(rows, COUNT(rows));
}

static void test_vectors_and_special_registers(void **state) {
    (void)state;
    static const struct spelling rows[] = {
        {"mov.b64 %d0, {%b0, 7};", "mov b64 %d0 {%b0 7}"},
        {"mov.b64 {%h0, _, %h2, %h3}, %d0;", "mov b64 {%h0 _ %h2 %h3} %d0"},
        {"mov.b128 {%d0, %d1}, %q0;", "mov b128 {%d0 %d1} %q0"},
        {".reg .v4 .b32 %v; ld.v4.b32 %v, [buf];", "ld weak v4 b32 {%v.x %v.y %v.z %v.w} [buf]"},
        {".reg .v2 .f32 v; st.v2.f32 [buf], v;", "st weak v2 f32 [buf] {v.x v.y}"},
        {".reg .v4 .b32 %v; mov.b32 %v.a, %v.g;", "mov b32 %v.w %v.y"},
        {".reg .v2 .b32 %v; mov.b64 %d0, %v;", "mov b64 %d0 {%v.x %v.y}"},
        {".reg .v4 .b32 %v; mov.v4.u32 %v, %tid;",
         "mov v4 u32 {%v.x %v.y %v.z %v.w} {special0.x special0.y special0.z special0.w}"},
        {"mov.u32 %u0, %ntid.y;", "mov u32 %u0 special1.y"},
        {"mov.u16 %h0, %ctaid.z;", "mov u16 %h0 special2.z"},
        {"cvt.u64.u32 %d0, %laneid;", "cvt u64<-u32 %d0 special11.x"},
        {"mov.pred %p0, %is_explicit_cluster;", "mov pred %p0 special10.x"},
    };
    check_spellings(rows, COUNT(rows));
}

static void test_addresses_and_jumps(void **state) {
    (void)state;
    static const struct spelling rows[] = {
        {"cvta.global.u64 %d0, x;", "cvta .global u64 %d0 &x"},
        {"cvta.to.global.u64 %d0, %d1;", "cvta.to .global u64 %d0 %d1"},
        {"isspacep.shared::cluster %p0, %d1;", "isspacep .shared::cluster %p0 %d1"},
        {"isspacep.local %p0, %b1;", "isspacep .local %p0 %b1"},
        {"isspacep.param::entry %p0, 5;", "isspacep .param %p0 5"},
        {"mapa.u64 %d0, %d1, %u0;", "mapa u64 %d0 %d1 %u0"},
        {"mapa.shared::cluster.u32 %u0, s+4, 1;", "mapa .shared::cluster u32 %u0 &s+4 1"},
        {"getctarank.u64 %u0, %d0;", "getctarank u64 %u0 %d0"},
        {"getctarank.shared::cluster.u32 %u0, s;", "getctarank .shared::cluster u32 %u0 &s"},
        {"bra done;", "bra done"},
        {"@!%p0 bra.uni done;", "@!%p0 bra done"},
        {"exit;", "exit"},
        {"ret;", "exit"},
    };
    check_spellings(rows, COUNT(rows));
}

// --- More than one statement -------------------------------------------------------------------

static void test_undeclared_registers(void **state) {
    (void)state;
    struct reading reading = read_clean("PTX t\nx = 0;\nP0@cta 0 {\n"
                                        "  mov.u64 %a, x;\n"
                                        "  ld.u8 r, [%a];\n"
                                        "  cvt.u32.u8 w, %r;\n"
                                        "  setp.eq.u32 p, w, 0;\n"
                                        "  @p st.b16 [%a], h;\n"
                                        "}\nexists (x == 0)\n");
    const struct thread *thread = &reading.test->threads[0];
    static const struct {
        const char *name;
        unsigned width;
    } expected[] = {{"%a", 64}, {"r", 8}, {"w", 32}, {"p", 1}, {"h", 16}};
    assert_int_equal(thread->register_count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_string_equal(thread->registers[i].name, expected[i].name);
        assert_int_equal(thread->registers[i].width, expected[i].width);
        assert_int_equal(thread->registers[i].type, TYPE_NONE);
    }
    close_reading(&reading);
}

static void test_declared_registers(void **state) {
    (void)state;
    struct reading reading = read_clean("PTX t\nx = 0;\nP0@cta 0 {\n"
                                        "  .reg .b64 %a<2>, %c; .reg .pred p, q;\n"
                                        "  mov.u64 %a1, x;\n"
                                        "  mov.pred p, 1;\n"
                                        "}\nexists (x == 0)\n");
    const struct thread *thread = &reading.test->threads[0];
    assert_int_equal(thread->register_count, 4); // of the range, only what is used
    assert_string_equal(thread->registers[3].name, "%a1");
    assert_int_equal(thread->registers[3].type, TYPE_B64);
    assert_int_equal(thread->registers[3].width, 64);
    assert_int_equal(thread->registers[1].type, TYPE_PRED);
    close_reading(&reading);
}

static void test_labels(void **state) {
    (void)state;
    struct reading reading = read_clean("PTX t\nx = 0;\nP0@cta 0 {\n"
                                        "start: $L__1:\n"
                                        "  ld.u32 %r0, [x];\n"
                                        "  bra end;\n"
                                        "middle: bra start;\n"
                                        "end:\n"
                                        "}\nexists (x == 0)\n");
    const struct thread *thread = &reading.test->threads[0];
    assert_int_equal(thread->label_count, 4);
    assert_int_equal(thread->instruction_count, 3);
    assert_string_equal(thread->labels[2].name, "end");
    assert_int_equal(thread->labels[0].target, 0);
    assert_int_equal(thread->labels[1].target, 0);
    assert_int_equal(thread->labels[2].target, 3);
    assert_int_equal(thread->labels[3].target, 2);
    assert_int_equal(thread->instructions[1].operands[0].label, 2);
    assert_int_equal(thread->instructions[2].operands[0].label, 0);
    close_reading(&reading);
}

static void test_directives_and_table(void **state) {
    (void)state;
    struct reading reading = read_clean("PTX t\nx = 0;\nP0@cta 0 {\n"
                                        "  .loc 1 2 3\n"
                                        "  .pragma \"nounroll\";\n"
                                        "  st.u32 [x], 1;;\n"
                                        "}\nP1@cta 1 { }\nexists (x == 0)\n");
    assert_int_equal(reading.test->threads[0].instruction_count, 1);
    assert_int_equal(reading.test->threads[1].instruction_count, 0);
    close_reading(&reading);
    reading = read_clean("PTX t\nx = 0;\n P0@cta 0 | P1@cta 1 ;\n"
                         " st.weak.u32 [x], 1 | ld.weak.u32 %r0, [x] ;\n"
                         " fence.gpu | ;\n"
                         "exists (x == 0)\n");
    assert_int_equal(reading.test->threads[0].instruction_count, 2);
    assert_int_equal(reading.test->threads[1].instruction_count, 1);
    close_reading(&reading);
}

static void test_spans(void **state) {
    (void)state;
    struct reading reading = read_statement("@%p0 ld.relaxed.gpu.u32 %u0, [x+4];");
    const struct instruction *instruction = &reading.test->threads[0].instructions[0];
    const struct {
        struct span span;
        unsigned begin, end;
    } expected[] = {{instruction->span, 1, 35},
                    {instruction->opcode_span, 6, 24},
                    {instruction->operands[0].span, 25, 28},
                    {instruction->operands[1].span, 30, 35}};
    for (size_t i = 0; i < COUNT(expected); i++) {
        struct position begin = source_position(reading.source, expected[i].span.begin);
        struct position end = source_position(reading.source, expected[i].span.end);
        assert_int_equal(begin.line, PTX_TEST_LINE);
        assert_int_equal(begin.column, expected[i].begin);
        assert_int_equal(end.column, expected[i].end);
    }
    close_reading(&reading);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_fences),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_comparison_and_conversion),
        cmocka_unit_test(test_vectors_and_special_registers),
        cmocka_unit_test(test_addresses_and_jumps),
        cmocka_unit_test(test_undeclared_registers),
        cmocka_unit_test(test_declared_registers),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_directives_and_table),
        cmocka_unit_test(test_spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
