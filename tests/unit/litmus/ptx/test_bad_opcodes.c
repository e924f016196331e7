// Opcodes and qualifiers that PTX refuses: the exact message, its column, and how many carets.
#include "tests/unit/litmus/ptx/messages.h"

#define CHECK(rows) ptx_check_messages((rows), sizeof(rows) / sizeof((rows)[0]))

static void test_order_and_scope(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"ld.acquire.u32 %u0, [x];", 3, 8, "'.acquire' needs a scope: .cta, .cluster, .gpu or .sys",
         NULL},
        {"ld.relaxed.global.u32 %u0, [x];", 3, 8,
         "'.relaxed' needs a scope: .cta, .cluster, .gpu or .sys", NULL},
        {"ld.weak.gpu.u32 %u0, [x];", 8, 4, "'.weak' takes no scope", NULL},
        {"ld.gpu.u32 %u0, [x];", 3, 4, "'.gpu' needs a memory order: .relaxed or .acquire", NULL},
        {"ld.volatile.gpu.u32 %u0, [x];", 12, 4, "'.volatile' takes no scope", NULL},
        {"ld.release.gpu.u32 %u0, [x];", 3, 8,
         "'ld' takes .weak, .relaxed, .acquire or .volatile, but not .release",
         "a load can acquire; releasing is for stores, atomics and fences"},
        {"ld.acq_rel.gpu.u32 %u0, [x];", 3, 8,
         "'ld' takes .weak, .relaxed, .acquire or .volatile, but not .acq_rel",
         "a load can acquire, not release: '.acquire'"},
        {"ld.sc.gpu.u32 %u0, [x];", 3, 3,
         "'ld' takes .weak, .relaxed, .acquire or .volatile, but not .sc",
         "put a 'fence.sc' before an '.acquire' load"},
        {"ld.relaxed.gl.u32 %u0, [x];", 11, 3,
         "'ld' takes .cta, .cluster, .gpu or .sys, but not .gl",
         "the scope of a whole GPU is '.gpu'; '.gl' is for membar"},
        {"ld.relaxed.acquire.gpu.u32 %u0, [x];", 11, 8,
         "'.acquire' is one memory order too many: '.relaxed' is already there", NULL},
        {"ld.relaxed.gpu.relaxed.u32 %u0, [x];", 15, 8, "'.relaxed' is given twice", NULL},
        {"ld.relaxed.gpu.sys.u32 %u0, [x];", 15, 4,
         "'.sys' is one scope too many: '.gpu' is already there", NULL},
        {"ld.mmio.u32 %u0, [x];", 3, 5, "'.mmio' needs a memory order: .relaxed or .acquire", NULL},
        {"ld.mmio.relaxed.u32 %u0, [x];", 3, 5, "'.mmio' needs '.sys'", NULL},
        {"ld.mmio.relaxed.gpu.u32 %u0, [x];", 16, 4, "'.mmio' takes only .sys, not .gpu", NULL},
        {"ld.mmio.relaxed.sys.v2.u32 {%u0, %u1}, [buf];", 20, 3, "'.mmio' takes no vector size",
         NULL},
    };
    CHECK(rows);
}

static void test_order_of_writes(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"st.acquire.gpu.u32 [x], 1;", 3, 8,
         "'st' takes .weak, .relaxed, .release or .volatile, but not .acquire",
         "a store can release; acquiring is for loads, atomics and fences"},
        {"st.acq_rel.gpu.u32 [x], 1;", 3, 8,
         "'st' takes .weak, .relaxed, .release or .volatile, but not .acq_rel",
         "a store can release, not acquire: '.release'"},
        {"st.release.u32 [x], 1;", 3, 8, "'.release' needs a scope: .cta, .cluster, .gpu or .sys",
         NULL},
        {"st.sc.sys.u32 [x], 1;", 3, 3,
         "'st' takes .weak, .relaxed, .release or .volatile, but not .sc",
         "put a 'fence.sc' before or after the store"},
        {"atom.sc.gpu.add.u32 %u0, [x], 1;", 5, 3,
         "'atom' takes .relaxed, .acquire, .release or .acq_rel, but not .sc",
         "put a 'fence.sc' before the atomic"},
        {"atom.weak.add.u32 %u0, [x], 1;", 5, 5,
         "'atom' takes .relaxed, .acquire, .release or .acq_rel, but not .weak",
         "an atomic is strong: without an order it is '.relaxed'"},
        {"atom.mmio.sys.add.u32 %u0, [x], 1;", 5, 5, "'atom' takes no '.mmio'", NULL},
        {"red.acquire.gpu.add.u32 [x], 1;", 4, 8,
         "'red' takes .relaxed or .release, but not .acquire",
         "red does not return a value, so it cannot acquire; 'atom' with '_' as its result can"},
    };
    CHECK(rows);
}

static void test_order_of_fences(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"fence;", 1, 5, "'fence' needs a scope: .cta, .cluster, .gpu or .sys", NULL},
        {"fence.sc;", 1, 8, "'fence' needs a scope: .cta, .cluster, .gpu or .sys", NULL},
        {"fence.relaxed.gpu;", 6, 8,
         "'fence' takes .sc, .acq_rel, .acquire or .release, but not .relaxed",
         "a relaxed fence would order nothing"},
        {"fence.gl;", 6, 3, "'fence' takes .cta, .cluster, .gpu or .sys, but not .gl",
         "the scope of a whole GPU is '.gpu'; '.gl' is for membar"},
        {"fence.sc.acq_rel.gpu;", 9, 8,
         "'.acq_rel' is one memory order too many: '.sc' is already there", NULL},
        {"fence.gpu.cta;", 10, 4, "'.cta' is one scope too many: '.gpu' is already there", NULL},
        {"membar;", 1, 6, "'membar' needs a scope: .cta, .gl or .sys", NULL},
        {"membar.gpu;", 7, 4, "'membar' takes .cta, .gl or .sys, but not .gpu",
         "membar calls the scope of a whole GPU '.gl'"},
        {"membar.sc.cta;", 7, 3, "'membar' takes no '.sc'",
         "membar is always '.sc'; use 'fence' to say which"},
    };
    CHECK(rows);
}

static void test_state_spaces(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"ld.relaxed.gpu.local.u32 %u0, [l];", 15, 6,
         "'.relaxed' takes .global, .shared, .shared::cta or .shared::cluster, but not .local",
         NULL},
        {"ld.acquire.cta.const.u32 %u0, [c];", 15, 6,
         "'.acquire' takes .global, .shared, .shared::cta or .shared::cluster, but not .const",
         NULL},
        {"ld.volatile.param.u64 %d0, [k];", 12, 6,
         "'.volatile' takes .global, .local, .shared, .shared::cta or .shared::cluster, but not "
         ".param",
         NULL},
        {"ld.mmio.relaxed.sys.shared.u32 %u0, [s];", 20, 7,
         "'.mmio' takes only .global, not .shared", NULL},
        {"ld.global.shared.u32 %u0, [x];", 10, 7,
         "'.shared' is one state space too many: '.global' is already there", NULL},
        {"st.const.u32 [c], 1;", 3, 6, "'st' does not take .const", "constant memory is read-only"},
        {"st.u32 [c], 1;", 8, 3,
         "'c' is a .const variable, which 'st' without a state space does not reach",
         "constant memory is read-only"},
        {"st.global.u32 [c], 1;", 15, 3,
         "'c' is a .const variable, and 'st.global' accesses .global memory",
         "constant memory is read-only"},
        {"st.param::entry.u64 [k], 1;", 3, 13, "'st' does not take .param::entry",
         "parameters of a kernel are read-only"},
        {"atom.local.add.u32 %u0, [l], 1;", 5, 6,
         "'atom' takes .global, .shared, .shared::cta or .shared::cluster, but not .local",
         "local memory belongs to one thread, so nothing needs to be atomic"},
        {"atom.add.u32 %u0, [l], 1;", 19, 3,
         "'l' is a .local variable, and 'atom' accesses global and shared memory only", NULL},
        {"ld.shared.u32 %u0, [x];", 20, 3,
         "'x' is a .global variable, and 'ld.shared' accesses .shared memory", "'ld.global' does"},
        {"ld.global.u32 %u0, [s];", 20, 3,
         "'s' is a .shared variable, and 'ld.global' accesses .global memory", "'ld.shared' does"},
        {"ld.u32 %u0, [c];", 13, 3,
         "'c' is a .const variable, which 'ld' without a state space does not reach",
         "'ld.const' does"},
        {"ld.relaxed.gpu.u32 %u0, [l];", 25, 3,
         "'l' is a .local variable, and '.relaxed' accesses global and shared memory only", NULL},
        {"ld.mmio.relaxed.sys.u32 %u0, [s];", 30, 3,
         "'s' is a .shared variable, and '.mmio' accesses global memory only", NULL},
        {"ld.shared::block.u32 %u0, [s];", 3, 14, "unknown qualifier '.shared::block'",
         "did you mean '.shared::cta'?"},
        {"fence.proxy.async.shared;", 18, 7,
         "'fence.proxy' takes .global, .shared::cta or .shared::cluster, but not .shared",
         "say which: '.shared::cta' or '.shared::cluster'"},
        {"cvta.shared.u64 %d0, x;", 22, 1,
         "'x' is a .global variable, and 'cvta.shared' converts addresses of .shared memory",
         "'cvta.global' does"},
        {"cvta.u64 %d0, x;", 1, 8, "'cvta' needs a state space",
         "one of .const, .global, .local, .param, .param::entry, .shared, .shared::cta or "
         ".shared::cluster"},
    };
    CHECK(rows);
}

static void test_types(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"ld.global %u0, [x];", 1, 9, "'ld' needs a type",
         "one of .b8, .b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32 "
         "or .f64"},
        {"ld.pred %p0, [x];", 3, 5, "'ld' does not take .pred",
         "it takes .b8, .b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, "
         ".f32 or .f64"},
        {"ld.f16 %h0, [x16];", 3, 4, "'ld' does not take .f16",
         "it takes .b8, .b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, "
         ".f32 or .f64"},
        {"ld.u23 %u0, [x];", 3, 4, "unknown qualifier '.u23'", "did you mean '.u32'?"},
        {"ld.u32.u32 %u0, [x];", 7, 4, "'.u32' is given twice", NULL},
        {"fence.u32.gpu;", 6, 4, "'fence' takes no '.u32'", NULL},
        {"atom.add %u0, [x], 1;", 1, 8, "'atom' needs a type",
         "one of .u32, .s32, .u64, .f32, .f64, .f16, .f16x2, .bf16 or .bf16x2"},
        {"atom.add.s64 %d0, [x64], 1;", 9, 4, "'.add' does not take .s64",
         "an addition is the same with and without a sign: '.u64'"},
        {"atom.add.b32 %b0, [x], 1;", 9, 4, "'.add' does not take .b32",
         "arithmetic takes '.u32' or '.s32'"},
        {"atom.inc.u64 %d0, [x64], 1;", 9, 4, "'.inc' takes only .u32, not .u64", NULL},
        {"atom.min.b32 %b0, [x], 1;", 9, 4, "'.min' does not take .b32",
         "it takes .u32, .s32, .u64, .s64, .f16, .bf16, .f16x2 or .bf16x2"},
        {"atom.and.u32 %u0, [x], 1;", 9, 4, "'.and' takes .b32 or .b64, but not .u32",
         "bitwise operations take bit types: '.b32'"},
        {"atom.exch.u32 %u0, [x], 1;", 10, 4, "'.exch' takes .b32, .b64 or .b128, but not .u32",
         "bits are exchanged, whatever their type: '.b32'"},
        {"atom.cas.u64 %d0, [x64], 1, 2;", 9, 4,
         "'.cas' takes .b16, .b32, .b64 or .b128, but not .u64",
         "bits are compared and exchanged, whatever their type: '.b64'"},
        {"atom.exch.b16 %h0, [x16], 1;", 10, 4, "'.exch' takes .b32, .b64 or .b128, but not .b16",
         NULL},
        {"and.u32 %u0, %u1, 1;", 4, 4, "'and' takes .pred, .b16, .b32 or .b64, but not .u32",
         "bitwise instructions take bit types: '.b32'"},
        {"add.b64 %d0, %d1, 1;", 4, 4, "'add' does not take .b64",
         "arithmetic takes '.u64' or '.s64'"},
        {"shl.u32 %u0, %u1, 1;", 4, 4, "'shl' takes .b16, .b32 or .b64, but not .u32", NULL},
        {"setp.lt.b32 %p0, %u0, 1;", 8, 4, "'.lt' does not take .b32",
         "it takes .u16, .u32, .u64, .s16, .s32, .s64, .f32 or .f64"},
        {"setp.lo.s32 %p0, %s0, 1;", 8, 4, "'.lo' takes .u16, .u32 or .u64, but not .s32", NULL},
        {"cvt.u64 %d0, %u0;", 1, 7, "'cvt' needs a second type",
         "one of .u8, .u16, .u32, .u64, .s8, .s16, .s32 or .s64"},
        {"cvt.u64.b32 %d0, %u0;", 8, 4, "'cvt' does not take .b32",
         "it takes .u8, .u16, .u32, .u64, .s8, .s16, .s32 or .s64"},
        {"mul.wide.u64 %q0, %d0, %d1;", 9, 4,
         "'mul.wide' takes .u16, .u32, .s16 or .s32, but not .u64", NULL},
    };
    CHECK(rows);
}

static void test_operations(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"atom.u32 %u0, [x], 1;", 1, 8, "'atom' needs an operation: .add, .inc, .dec, .min or .max",
         NULL},
        {"atom.sub.u32 %u0, [x], 1;", 5, 4, "unknown qualifier '.sub'", "add the negated value"},
        {"atom.add.min.u32 %u0, [x], 1;", 9, 4,
         "'.min' is one operation too many: '.add' is already there", NULL},
        {"red.exch.b32 [x], 1;", 4, 5, "'red' does not take .exch",
         "red does not return the old value; use 'atom.exch'"},
        {"red.cas.b32 [x], 1, 2;", 4, 4, "'red' does not take .cas",
         "red does not return the old value; use 'atom.cas'"},
        {"ld.add.u32 %u0, [x];", 3, 4, "'ld' takes no '.add'", NULL},
        {"setp.u32 %p0, %u0, 1;", 1, 8, "'setp' needs a comparison",
         "one of .eq, .ne, .lt, .le, .gt, .ge, .lo, .ls, .hi or .hs"},
        {"mul.u32 %u0, %u1, 2;", 1, 3, "'mul' needs .lo, .hi or .wide right after it", NULL},
        {"mul.u32.lo %u0, %u1, 2;", 1, 3, "'mul' needs .lo, .hi or .wide right after it",
         "'mul.lo' and then the other qualifiers"},
        {"bar 0;", 1, 3, "'bar' needs .sync, .arrive, .red, .cta or .warp right after it", NULL},
        {"barrier.cluster.sync;", 1, 15, "'barrier.cluster' needs .arrive or .wait right after it",
         NULL},
        {"bar.red.and.u32 %u0, 0, %p0;", 12, 4, "'.and' takes only .pred, not .u32", NULL},
        {"fence.proxy;", 1, 11, "'fence.proxy' needs a proxy kind",
         "one of .alias, .async, .tensormap::generic, .async::generic, .surface, .texture or "
         ".constant"},
        {"fence.proxy.alias.gpu;", 18, 4, "'.alias' takes no scope", NULL},
        {"fence.proxy.tensormap.release.gpu;", 12, 10, "'fence.proxy' takes no '.tensormap'",
         "it is written '.tensormap::generic'"},
        {"fence.proxy.tensormap::generic.gpu;", 12, 19,
         "'.tensormap::generic' needs a memory order: .release or .acquire", NULL},
    };
    CHECK(rows);
}

static void test_hints_to_the_caches(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"ld.relaxed.gpu.ca.u32 %u0, [x];", 15, 3, "'.relaxed' takes no cache operator", NULL},
        {"st.ca.u32 [x], 1;", 3, 3, "'st' takes .wb, .cg, .cs or .wt, but not .ca", NULL},
        {"ld.shared.L1::evict_last.u32 %u0, [s];", 10, 15,
         "'.shared' takes no L1 eviction priority", NULL},
        {"ld.L2::evict_last.u32 %u0, [x];", 3, 15, "'.L2::evict_last' needs '.v8'", NULL},
        {"ld.ca.L1::evict_last.u32 %u0, [x];", 6, 15, "'.ca' takes no L1 eviction priority", NULL},
        {"st.L2::64B.u32 [x], 1;", 3, 8, "'st' takes no '.L2::64B'", NULL},
        {"ld.u32 %u0, [x], %d0;", 18, 3, "'ld' takes 2 operands, d, [a]; got 3",
         "a cache policy needs '.L2::cache_hint'"},
        {"ld.L2::cache_hint.u32 %u0, [x];", 1, 21,
         "'ld' takes 3 operands, d, [a], cache-policy; got 2", NULL},
        {"ld.L2::cache_hint.u32 %u0, [x], %u1;", 33, 3,
         "'%u1' is declared .u32, and this operand is .u64",
         "its declaration is on line 8, column 11"},
    };
    CHECK(rows);
}

#define FLOATS_READ                                                                                \
    "of floating-point arithmetic, sums, differences, min, max, abs and neg of .f32 and .f64 are " \
    "modelled, rounded to the nearest even number"

static void test_opcodes(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"lod.u32 %u0, [x];", 1, 3, "'lod' is not a PTX instruction", "did you mean 'ld'?"},
        {"frobnicate.u32 %u0;", 1, 10, "'frobnicate' is not a PTX instruction", NULL},
        {"tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [x, {%f0, %f1}];", 1, 3,
         "'tex' is valid PTX (since PTX ISA 1.0), but is not read",
         "accesses to textures and surfaces are not modelled"},
        {"clmad.lo.u64 %d0, %d1, %d0, %d1;", 1, 5,
         "'clmad' is valid PTX (since PTX ISA 9.3, sm_80), but is not read",
         "this arithmetic is not modelled"},
        {"mad.u32 %u0, %u1, 2, 3;", 1, 3, "'mad' needs .lo, .hi or .wide right after it", NULL},
        {"cvt.sat.u32.u8 %u0, %h1;", 4, 4, "'.sat' has no effect here: .u32 holds every .u8", NULL},
        {"set.eq.u64.u32 %d0, %u1, %u2;", 7, 4,
         "'.u64' cannot be combined with the other qualifiers of this 'set'",
         "the nearest form is set.<comparison>{.<boolean operation>}.<type>.<type>"},
        {"mad.rn.f32 %f0, %f1, %f0, %f1;", 1, 10,
         "'mad.rn.f32' is valid PTX (since PTX ISA 1.0), but is not read", FLOATS_READ},
        {"mul.f32 %f0, %f1, %f0;", 1, 7,
         "'mul.f32' is valid PTX (since PTX ISA 1.0), but is not read", FLOATS_READ},
        {"mul.rn.ftz.f32 %f0, %f1, %f0;", 1, 14,
         "'mul.rn.ftz.f32' is valid PTX (since PTX ISA 1.0), but is not read", FLOATS_READ},
        {"mul.rn.u32 %u0, %u1, %u0;", 1, 3, "'mul' needs .lo, .hi or .wide right after it", NULL},
        {"vadd.u32.u32.u32 %u0, %u1, %u0;", 1, 4,
         "'vadd' is valid PTX (since PTX ISA 2.0, sm_20), but is not read",
         "video instructions are not modelled"},
    };
    CHECK(rows);
}

static void test_asynchronous_and_bulk(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"st.bulk.weak.shared::cta [s], 12, 0;", 31, 2,
         "'st.bulk' fills a multiple of 8 bytes, at most 16777216, not '12'", NULL},
        {"st.bulk.weak.shared::cta [s], 16, 1;", 35, 1,
         "this operand of 'st.bulk' must be the constant 0, not '1'",
         "'st.bulk' fills memory with zeros"},
        {"st.bulk [x], 16, 0;", 9, 3,
         "'x' is a .global variable, and 'st.bulk' accesses shared memory only", NULL},
        {"st.bulk.shared [s], 16, 0;", 8, 7, "'st.bulk' takes only .shared::cta, not .shared",
         "it is written '.shared::cta'"},
        {"red.async.relaxed.cluster.add.u32 [s], %u0, [x];", 10, 8,
         "'.relaxed' needs '.mbarrier::complete_tx::bytes'", NULL},
        {"red.async.mmio.release.gpu.global.add.u32 [x], 1;", 23, 4,
         "'.mmio' takes only .sys, not .gpu", NULL},
        {"cp.async.bulk.prefetch.tensor.3d.L2.global.im2col::w [s];", 43, 10,
         "'.im2col::w' is for forms of 'cp.async.bulk.prefetch.tensor' that are valid PTX (since "
         "PTX ISA 8.6, sm_100), but are not read",
         "copies in im2col::w modes, of which PTX ISA 5.5.5 shows only in figures which pixels "
         "they "
         "take, are not modelled"},
        {"cp.async.wait_group %u0;", 21, 3,
         "'cp.async.wait_group' takes a constant here, not '%u0'", NULL},
        {"cp.async.bulk.shared::cta.global.bulk_group [x], [s], 16;", 14, 12,
         "'.shared::cta' cannot be combined with the other qualifiers of this 'cp.async.bulk'",
         "the nearest form is cp.async.bulk{.weak}.global.shared::cta.bulk_group{.L2::cache_hint}"},
        {"cp.async.ca.global.shared [s], [x], 4;", 12, 7,
         "'.global' cannot be combined with the other qualifiers of this 'cp.async'",
         "the nearest form is cp.async.<cache operator>.<state "
         "space>.global{.L2::cache_hint}{.<prefetch size>}"},
        {"cvt.rn.e4m3x2.f32 %h1, %f0, %f1;", 7, 7,
         "'.e4m3x2' is for forms of 'cvt' that are valid PTX (since PTX ISA 7.8, sm_89), but are "
         "not read",
         "floating-point numbers of fewer than 16 bits are not modelled"},
        {"mbarier.init.b64 [x], 1;", 1, 7, "'mbarier' is not a PTX instruction",
         "did you mean 'mbarrier'?"},
        {"red.async.relaxed.u32 [x], 1;", 1, 21, "'red.async' needs '.cluster'", NULL},
        {"st.weak.async.u32 [x], 1;", 8, 6, "'st' takes no '.async'",
         "write '.async' right after 'st'"},
    };
    CHECK(rows);
}

static void test_types_of_arithmetic(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"ld.relaxed.gpu.global.nc.u32 %u0, [x];", 22, 3, "'.relaxed' takes no '.nc'", NULL},
        {"ld.global.nc.lu.u32 %u0, [x];", 13, 3, "'.nc' takes .ca, .cg or .cs, but not .lu", NULL},
        {"add.rz.f32 %f0, %f1, %f2;", 1, 10,
         "'add.rz.f32' is valid PTX (since PTX ISA 1.0), but is not read", FLOATS_READ},
        {"addc.u16 %h0, %h1, 1;", 5, 4, "'addc' takes .u32, .s32, .u64 or .s64, but not .u16",
         NULL},
        {"add.sat.u64 %d0, %d1, 1;", 4, 4, "'.u64' takes no '.sat'", NULL},
        {"add.sat.u32 %u0, %u1, 1;", 1, 11,
         "'add.sat.u32' is valid PTX (since PTX ISA 9.2, sm_120), but is not read",
         "a bounded sum of this type is not modelled"},
        {"min.u16x2 %u0, %u1, %u2;", 1, 9,
         "'min.u16x2' is valid PTX (since PTX ISA 8.0, sm_90), but is not read",
         "arithmetic on the parts of a register is not modelled"},
        {"cvt.f32.f16 %f0, %h0;", 1, 11,
         "'cvt.f32.f16' is valid PTX (since PTX ISA 1.0), but is not read",
         "floating-point conversion is outside the integers that are modelled"},
        {"add.rn.f16x2 %b0, %b1, %b2;", 1, 12,
         "'add.rn.f16x2' is valid PTX (since PTX ISA 4.2, sm_53), but is not read", FLOATS_READ},
    };
    CHECK(rows);
}

static void test_unknown_qualifiers(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"red.asynch.relaxed.gpu.add.u32 [x], 1;", 4, 7, "unknown qualifier '.asynch'", NULL},
        {"st.bulks.u32 [x], 1;", 3, 6, "unknown qualifier '.bulks'", NULL},
        {"cvt.rn.e4m3y2.f32 %h1, %f0, %f1;", 7, 7, "unknown qualifier '.e4m3y2'",
         "did you mean '.e4m3x2'?"},
        {"ld.foo.u32 %u0, [x];", 3, 4, "unknown qualifier '.foo'", NULL},
        {"ld.relaxd.gpu.u32 %u0, [x];", 3, 7, "unknown qualifier '.relaxd'",
         "did you mean '.relaxed'?"},
    };
    CHECK(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_and_scope),
        cmocka_unit_test(test_order_of_writes),
        cmocka_unit_test(test_order_of_fences),
        cmocka_unit_test(test_state_spaces),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_operations),
        cmocka_unit_test(test_hints_to_the_caches),
        cmocka_unit_test(test_opcodes),
        cmocka_unit_test(test_asynchronous_and_bulk),
        cmocka_unit_test(test_types_of_arithmetic),
        cmocka_unit_test(test_unknown_qualifiers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
