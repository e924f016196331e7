// Operands, registers and statements that PTX refuses: the exact message, its column, and how
// many carets.
#include "tests/unit/litmus/ptx/messages.h"

#define CHECK(rows) ptx_check_messages((rows), sizeof(rows) / sizeof((rows)[0]))

static void test_number_of_operands(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"ld.u32 %u0;", 1, 6, "'ld' takes 2 operands, d, [a]; got 1", NULL},
        {"ld.u32 %u0, [x], [x];", 18, 3, "'ld' takes 2 operands, d, [a]; got 3",
         "a cache policy needs '.L2::cache_hint'"},
        {"ld.u32;", 1, 6, "'ld' takes 2 operands, d, [a]; got 0", NULL},
        {"fence.gpu 1, 2;", 11, 4, "'fence' takes no operands", NULL},
        {"exit %u0;", 6, 3, "'exit' takes no operands", NULL},
        {"bar.arrive 0;", 1, 10, "'bar.arrive' takes 2 operands, a, b; got 1", NULL},
        {"bar.sync 16;", 10, 2, "there is no barrier '16': barriers are numbered 0 to 15", NULL},
        {"atom.cas.b32 %b0, [x], 1;", 1, 12, "'atom' takes 4 operands, d, [a], b, c; got 3", NULL},
        {"atom.add.u32 %u0, [x], 1, 2;", 27, 1, "'atom' takes 3 operands, d, [a], b; got 4",
         "a cache policy needs '.L2::cache_hint'"},
        {"red.add.u32 %u0, [x], 1;", 23, 1, "'red' takes 2 operands, [a], b; got 3",
         "a cache policy needs '.L2::cache_hint'"},
        {"setp.eq.u32 %p0, %u0, 1, %p1;", 26, 3, "'setp' takes 3 operands, p, a, b; got 4",
         "the fourth, a predicate, is combined with .and, .or or .xor"},
        {"setp.eq.and.u32 %p0, %u0, 1;", 1, 15, "'setp' takes 4 operands, p, a, b, c; got 3",
         "the fourth is the predicate that '.and' combines the result with"},
        {"fence.proxy.tensormap::generic.acquire.gpu;", 1, 42,
         "'fence.proxy' takes 2 operands, [a], 128; got 0", NULL},
        {"fence.proxy.tensormap::generic.acquire.gpu [%d0], 64;", 51, 2,
         "the size of a tensormap is 128 bytes, not '64'", NULL},
    };
    CHECK(rows);
}

static void test_kind_of_operands(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"ld.u32 %u0, x;", 13, 1, "this operand of 'ld' must be an address in brackets, not 'x'",
         "[x]"},
        {"ld.u32 %u0, %d0;", 13, 3,
         "this operand of 'ld' must be an address in brackets, not '%d0'", "[%d0]"},
        {"ld.u32 x, [x];", 8, 1, "this operand of 'ld' must be a register, not 'x'",
         "'x' is a variable: 'st' writes it"},
        {"ld.u32 5, [x];", 8, 1, "this operand of 'ld' must be a register, not '5'", NULL},
        {"ld.u32 _, [x];", 8, 1, "this operand of 'ld' must be a register, not '_'", NULL},
        {"st.u32 x, 1;", 8, 1, "this operand of 'st' must be an address in brackets, not 'x'",
         "[x]"},
        {"st.u32 [x], flag;", 13, 4,
         "this operand of 'st' must be a register or a constant, not 'flag'",
         "'flag' is a variable: 'ld' reads it, 'mov.u64' takes its address"},
        {"st.u32 [x], [flag];", 13, 6,
         "this operand of 'st' must be a register or a constant, not '[flag]'",
         "only 'ld' and 'atom' read memory: load it into a register first"},
        {"mov.u32 %u0, [x];", 14, 3,
         "this operand of 'mov' must be a register, a constant or the name of a variable, not "
         "'[x]'",
         "without brackets it is the address; 'ld' reads memory"},
        {"add.u64 %d0, x, 4;", 14, 1,
         "this operand of 'add' must be a register or a constant, not 'x'",
         "'x' is a variable: 'ld' reads it, 'mov.u64' takes its address"},
        {"mov.u32 %u0, s+;", 16, 1, "a constant is missing here", NULL},
    };
    CHECK(rows);
}

static void test_operands_of_some(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"mov.u64 %d0, {%b0, %b1};", 14, 10, "'mov.u64' has no vector of 2 elements",
         "'.b16' has 2, '.b32' and '.b64' have 2 or 4, '.b128' has 2"},
        {"mov.b64 {%b0, %b1, %b2}, %d0;", 9, 15, "'mov.b64' has no vector of 3 elements",
         "'.b16' has 2, '.b32' and '.b64' have 2 or 4, '.b128' has 2"},
        {"mov.b64 %d0, {%b0, %h1};", 20, 3, "'%h1' is declared .b16, and this operand is .b32",
         "its declaration is on line 7, column 29"},
        {"mov.b64 %d0, {%b0, _};", 20, 1,
         "this operand of 'mov' must be a register or a constant, not '_'", NULL},
        {"mov.b64 {%b0, 1}, %d0;", 15, 1, "this operand of 'mov' must be a register, not '1'",
         NULL},
        {"mov.b32 %b0, {%h0, 0x10000};", 20, 7, "'0x10000' does not fit .b16",
         "16 bits hold -32768 to 65535"},
        {"lop3.b32 %b0, %b1, %b2, %b3, %u0;", 30, 3,
         "this operand of 'lop3' must be a constant, not '%u0'", NULL},
        {"lop3.b32 %b0, %b1, %b2, %b3, 256;", 30, 3, "the table of 'lop3' is 0 to 255, not '256'",
         NULL},
        {"lop3.or.b32 %b0, %b1, %b2, %b3, 3, %p0;", 13, 3,
         "this operand of 'lop3' must be a register and a predicate, as in %r0|%p0, not '%b0'",
         NULL},
        {"lop3.or.b32 %b0|%p1, %b1, %b2, 3, %p0;", 1, 11,
         "'lop3' takes 6 operands, d|p, a, b, c, table, d; got 5", NULL},
        {"bfe.u32 %u0, %u1, 256, 4;", 19, 3,
         "positions and lengths of 'bfe' are 0 to 255, not '256'", NULL},
        {"clz.b64 %d0, %d1;", 9, 3, "'%d0' is declared .b64, and this operand is .u32",
         "its declaration is on line 7, column 63"},
        {"bra 5;", 5, 1, "this operand of 'bra' must be a label, not '5'", NULL},
        {"bra nowhere;", 5, 7, "there is no label 'nowhere'", NULL},
        {"bra don;", 5, 3, "there is no label 'don'", "did you mean 'done'?"},
    };
    CHECK(rows);
}

static void test_predicates_and_special_registers(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"cvta.to.global.u64 %d0, x;", 25, 1,
         "this operand of 'cvta.to' must be a register or a constant, not 'x'",
         "'x' is a variable: 'ld' reads it, 'mov.u64' takes its address"},
        {"selp.b32 %b0, 1, 2, %b1;", 21, 3,
         "'%b1' is declared .b32, and a predicate is needed here",
         "its declaration is on line 7, column 46"},
        {"and.b32 %b0, !%b1, 1;", 14, 4, "'!' goes with a predicate that is read", NULL},
        {"mov.u32 %u0, %tid;", 14, 4, "'%tid' is a vector: this operand is one number", "'%tid.x'"},
        {"mov.u32 %u0, %tid.q;", 14, 6, "'%tid' has .x, .y, .z and .w", NULL},
        {"mov.u32 %u0, %laneid.x;", 14, 9, "'%laneid' is one number: it has no '.x'", NULL},
        {"mov.u16 %h0, %laneid;", 14, 7, "'%laneid' has 32 bits, and this operand is .u16", NULL},
        {"mov.u64 %d0, %tid.x;", 14, 6, "'%tid.x' has 32 bits, and this operand is .u64", NULL},
    };
    CHECK(rows);
}

static void test_special_registers(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"mov.f32 %f0, %laneid;", 14, 7, "'%laneid' has 32 bits, and this operand is .f32", NULL},
        {"mov.u32 %u0, %is_explicit_cluster;", 14, 20,
         "'%is_explicit_cluster' is a predicate, and this operand is .u32", NULL},
        {"add.u32 %u0, %tid.x, 1;", 14, 6, "'add' takes no special register",
         "'mov.u32' copies '%tid.x' into a register first"},
        {"mov.u32 %tid.x, 1;", 9, 6, "this operand of 'mov' must be a register, not '%tid.x'",
         NULL},
        {"ld.global.u32 %u0, [%tid];", 21, 4,
         "'%tid' is a special register, which only 'mov' and 'cvt' read", NULL},
        {"mov.u64 %rd0, %clock;", 15, 6, "'%clock' has 32 bits, and this operand is .u64", NULL},
        {"mov.u32 %u0, %globaltimer;", 14, 12,
         "'%globaltimer' has 64 bits, and this operand is .u32", NULL},
        {"mov.u32 %u0, %pm0_64;", 14, 7, "'%pm0_64' has 64 bits, and this operand is .u32", NULL},
        {"mov.u32 %u0, %envreg0.x;", 14, 10, "'%envreg0' is one number: it has no '.x'", NULL},
        {"add.u32 %u0, %reserved_smem_offset_1, 1;", 14, 23, "'add' takes no special register",
         "'mov.u32' copies '%reserved_smem_offset_1' into a register first"},
    };
    CHECK(rows);
}

static void test_vectors(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"ld.v2.u32 %u0, [buf];", 11, 3, "'.v2' needs a vector of 2 elements here",
         "its elements are written in braces: {%r0, %r1}"},
        {"ld.v2.u32 {%u0, %u1, %u2}, [buf];", 11, 15,
         "'.v2' needs a vector of 2 elements here, not of 3", NULL},
        {"ld.v2.u32 {_, _}, [buf];", 11, 6, "a vector needs at least one register", NULL},
        {"ld.u32 {%u0, %u1}, [buf];", 8, 10,
         "this operand of 'ld' must be a register, not '{%u0, %u1}'", NULL},
        {"st.v2.u32 [buf], {%u0, _};", 24, 1, "'_' cannot be stored here",
         "only a store of 256 bits leaves elements out"},
        {"ld.v2.b128 {%q0, %q1}, [buf];", 3, 3, "'.v2.b128' has 256 bits",
         "a vector has at most 128 bits, or 256 as '.v8' of 32-bit or '.v4' of 64-bit elements in "
         ".global memory"},
        {"ld.v2.u32 {%u0, %d0}, [buf];", 17, 3,
         "the elements of a vector are of one type: '%u0' is .u32, '%d0' .b64", NULL},
        {"ld.v2.b32 {%u0, %f0}, [buf];", 17, 3,
         "the elements of a vector are of one type: '%u0' is .u32, '%f0' .f32", NULL},
        {"ld.v2.u8 {new, %h0}, [x16];", 16, 3,
         "the elements of a vector are of one type: 'new' is of 8 bits, '%h0' .b16", NULL},
        {"ld.shared.v4.u64 {%d0, %d1, %d2, %d3}, [sbuf];", 10, 3, "'.v4.u64' has 256 bits",
         "a vector has at most 128 bits, or 256 as '.v8' of 32-bit or '.v4' of 64-bit elements in "
         ".global memory"},
        {"ld.shared.v8.u32 {%u0, %u0, %u0, %u0, %u0, %u0, %u0, %u0}, [sbuf];", 3, 7,
         "'.v8' takes only .global, not .shared", NULL},
        {"ld.v8.u16 {%h0, %h0, %h0, %h0, %h0, %h0, %h0, %h0}, [buf];", 6, 4,
         "'.v8' takes .b32, .u32, .s32 or .f32, but not .u16", NULL},
        {"ld.v3.u32 {%u0, %u1, %u2}, [buf];", 3, 3, "unknown qualifier '.v3'",
         "did you mean '.v2'?"},
        {"atom.v2.add.u32 {%u0, %u1}, [buf], {1, 2};", 12, 4,
         "'.v2' takes .f32, .f16, .bf16, .f16x2 or .bf16x2, but not .u32", NULL},
    };
    CHECK(rows);
}

static void test_constants(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"st.u32 [x], 4294967296;", 13, 10, "'4294967296' does not fit .u32",
         "32 bits hold -2147483648 to 4294967295"},
        {"st.u32 [x], -2147483649;", 13, 11, "'-2147483649' does not fit .u32",
         "32 bits hold -2147483648 to 4294967295"},
        {"st.u8 [x8], 256;", 13, 3, "'256' does not fit .u8", "8 bits hold -128 to 255"},
        {"st.u16 [x16], -32769;", 15, 6, "'-32769' does not fit .u16",
         "16 bits hold -32768 to 65535"},
        {"st.u64 [x64], 18446744073709551616;", 15, 20,
         "'18446744073709551616' does not fit 64 bits", "PTX's integer constants have 64 bits"},
        {"st.u64 [x64], -9223372036854775809;", 15, 20,
         "'-9223372036854775809' does not fit 64 bits", NULL},
        {"st.u32 [x], 1.5;", 13, 3, "'1.5' is a floating-point number, and this operand is .u32",
         NULL},
        {"st.f32 [x], 1;", 13, 1, "'1' is an integer, and this operand is .f32",
         "'1.0', or its bits as in 0f3f800000"},
        {"st.f64 [x64], 0f3f800000;", 15, 10,
         "'0f3f800000' is a floating-point number, and this operand is .f64", NULL},
        {"mov.pred %p0, 1.0;", 15, 3, "'1.0' is a floating-point number, and this operand is .pred",
         NULL},
        {"st.u32 [x], 1 / 0;", 17, 1, "division by zero", NULL},
        {"st.u32 [x], (1 + 2;", 13, 1, "this '(' is never closed", NULL},
        {"st.u32 [x], 1 +;", 16, 1, "a constant is missing here", NULL},
    };
    CHECK(rows);
}

static void test_registers(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"add.u32 %u0, %d0, 1;", 14, 3, "'%d0' is declared .b64, and this operand is .u32",
         "its declaration is on line 7, column 63"},
        {"add.u64 %d0, %d1, %u0;", 19, 3, "'%u0' is declared .u32, and this operand is .u64",
         "its declaration is on line 8, column 11"},
        {"add.u32 %f0, %u0, 1;", 9, 3, "'%f0' is declared .f32, and this operand is .u32",
         "its declaration is on line 8, column 63"},
        {"mov.u32 %f0, 1;", 9, 3, "'%f0' is declared .f32, and this operand is .u32",
         "its declaration is on line 8, column 63"},
        {"st.u32 [x], %h0;", 13, 3, "'%h0' is declared .b16, and this operand is .u32 or wider",
         "its declaration is on line 7, column 29"},
        {"ld.u64 %u0, [x64];", 8, 3, "'%u0' is declared .u32, and this operand is .u64 or wider",
         "its declaration is on line 8, column 11"},
        {"ld.u32 %fd0, [x];", 8, 4, "'%fd0' is declared .f64, and this operand is .u32 or wider",
         "its declaration is on line 8, column 80"},
        {"mul.wide.u32 %u0, %u1, 4;", 14, 3, "'%u0' is declared .u32, and this operand is .u64",
         "its declaration is on line 8, column 11"},
        {"shl.b64 %d0, %d1, %d2;", 19, 3, "'%d2' is declared .b64, and this operand is .u32",
         "its declaration is on line 7, column 63"},
        {"setp.eq.u32 %u0, %u1, 1;", 13, 3,
         "'%u0' is declared .u32, and a predicate is needed here",
         "its declaration is on line 8, column 11"},
        {"@%u0 exit;", 2, 3, "'%u0' is declared .u32, and a predicate is needed here",
         "its declaration is on line 8, column 11"},
        {"@x exit;", 2, 1, "'x' is a variable, and a guard is a predicate", NULL},
        {"add.u64 new, %d0, 1; add.u32 %u0, new, 1;", 35, 3,
         "'new' has 64 bits, and this operand is .u32",
         "its first use, on line 10, column 9, gave it its width; '.reg .u32 new;' would declare "
         "it"},
        {"setp.eq.u32 new, 1, 1; add.u32 %u0, new, 1;", 37, 3,
         "'new' is a predicate, and this operand is .u32",
         "its first use, on line 10, column 13, made it one"},
        {"add.u32 new, 1, 1; @new exit;", 21, 3,
         "'new' has 32 bits, and a predicate is needed here",
         "its first use, on line 10, column 9, made it an integer"},
        {"add.u64 new, new, 1; add.u32 new, new, new;", 35, 3,
         "'new' has 64 bits, and this operand is .u32",
         "its first use, on line 10, column 14, gave it its width; '.reg .u32 new;' would declare "
         "it"},
    };
    CHECK(rows);
}

static void test_addresses(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"ld.u32 %u0, [x+2];", 13, 5,
         "this address is misaligned: '.u32' is accessed at multiples of 4 bytes", "[x] or [x+4]"},
        {"ld.u32 %u0, [arr+-3];", 13, 8,
         "this address is misaligned: '.u32' is accessed at multiples of 4 bytes",
         "[arr+-4] or [arr]"},
        {"ld.u64 %d0, [arr];", 13, 5,
         "'arr' is aligned to 4 bytes, and '.u64' needs an alignment of 8",
         "declare it with '.align 8'"},
        {"ld.v4.u32 {%u0, %u1, %u2, %u3}, [buf+8];", 33, 7,
         "this address is misaligned: '.v4.u32' is accessed at multiples of 16 bytes",
         "[buf] or [buf+16]"},
        {"ld.u32 %u0, [flga];", 14, 4,
         "'flga' is neither a variable nor a register that this thread writes",
         "did you mean 'flag'?"},
        {"ld.u32 %u0, [x-4];", 15, 1, "PTX has no '-' in an address",
         "a negative offset is added: x+-4"},
        {"ld.u32 %u0, [arr[1]];", 17, 1, "PTX has no elements inside the brackets of an address",
         "offsets are in bytes: [arr+4]"},
        {"ld.u32 %u0, [%d0+%d1];", 18, 3, "only a constant can be added here, not '%d1'",
         "add the two into a register with 'add.u64' first"},
        {"ld.u32 %u0, [%u1];", 14, 3,
         "'%u1' is declared .u32, and an address is an integer of 64 bits here",
         "its declaration is on line 8, column 11"},
        {"ld.u32 %u0, [%fd1];", 14, 4,
         "'%fd1' is declared .f64, and an address is an integer of 64 bits here",
         "its declaration is on line 8, column 80"},
        {"ld.shared.u32 %u0, [%h1];", 21, 3,
         "'%h1' is declared .b16, and an address is an integer of 64 bits here",
         "its declaration is on line 7, column 29"},
        {"ld.u32 %u0, [16];", 13, 4, "only .local memory has addresses that are constants", NULL},
        {"ld.u32 %u0, [x;", 13, 1, "this '[' is never closed", NULL},
        {"ld.u32 %u0, [x y];", 16, 1, "expected ']', not 'y'",
         "an address is a register or a variable, or the sum of one and a constant"},
        {"ld.u32 %u0, [];", 14, 1, "expected an address, not ']'", NULL},
        {"ld.u32 %u0, [cta1:s];", 14, 5, "an instruction cannot name the CTA of a variable",
         "a thread's own .shared variables are those of its CTA"},
        {"ld.u32 %u0, arr[%u1];", 17, 3, "an element with a register as its number is not read",
         "compute the address: 'mov.u64' of the variable, 'mul.wide.u32' of the number by the "
         "element's size, 'add.u64'"},
    };
    CHECK(rows);
}

static void test_declared_places(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"ld.u32 %u0, [x].unified;", 16, 8, "'x' is not declared .unified",
         "'.attribute(.unified(1, 2))' in its declaration says so"},
        {".global .attribute(.unified(1, 2)) .u32 u; ld.u32 %u0, [u];", 56, 3,
         "'u' is declared .unified, which its loads say", "[u].unified"},
        {"ld.const[2].u32 %u0, [c];", 22, 3,
         "'c' is in bank 0 of constant memory, and 'ld.const[2]' accesses bank 2", NULL},
        {"ld.const[11].u32 %u0, [c];", 9, 3, "the banks of constant memory are 0 to 10", NULL},
        {".tex .u32 t; ld.global.u32 %u0, [t];", 1, 4, "the directive '.tex' is not read", NULL},
        {".global .attribute(.unified(1, 2)) .u32 u; ldu.u32 %u0, [u].unified;", 60, 8,
         "'ldu' takes no '.unified'",
         "PTX has it for 'ld' alone (ISA 9.7.9.8 and 9.7.9.10); what 'ldu' loads is the same "
         "without it"},
        {"ld.shared.u32 %u0, [%d0].unified;", 25, 8,
         "'.unified' is for .global memory, not .shared", NULL},
        {".global .attribute(.unified(1)) .u32 u;", 20, 8,
         "'.unified' is followed by two numbers in parentheses", NULL},
        {".global .attribute(.large) .u32 u;", 20, 6,
         "the attributes of a variable are .managed and .unified", NULL},
    };
    CHECK(rows);
}

static void test_addresses_and_sizes_of_some(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%b0}, [sbuf];", 42, 5,
         "'ldmatrix.x2' takes 2 registers here, in braces", NULL},
        {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [sbuf], {%b0, %b1};", 50, 10,
         "'stmatrix.x1' takes 1 register here, in braces", NULL},
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%b0}, [sbuf+8];", 49, 8,
         "this address is misaligned: '.b16' is accessed at multiples of 16 bytes",
         "[sbuf] or [sbuf+16]"},
        {"ldmatrix.sync.aligned.m8n8.x1.b16 {%b0}, [buf];", 42, 5,
         "'buf' is a .global variable, and 'ldmatrix' accesses shared memory only", NULL},
        {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [sbuf];", 43, 3,
         "'%d0' is declared .b64, and this operand is .b32",
         "its declaration is on line 7, column 63"},
        {"setmaxnreg.inc.sync.aligned.u32 260;", 33, 3,
         "a warp has from 24 to 256 registers of each thread, a multiple of 8", NULL},
        {"setmaxnreg.dec.sync.aligned.u32 16;", 33, 2,
         "a warp has from 24 to 256 registers of each thread, a multiple of 8", NULL},
        {"setmaxnreg.dec.sync.aligned.u32 28;", 33, 2,
         "a warp has from 24 to 256 registers of each thread, a multiple of 8", NULL},
        {"applypriority.L2::evict_normal [x], 64;", 37, 2, "the size here is 128 bytes, not '64'",
         NULL},
        {"createpolicy.fractional.L2::evict_last.b64 %d0, 2.0;", 49, 3,
         "this operand of 'createpolicy.fractional' must be a number above 0 and at most 1, or a "
         "register, not '2.0'",
         NULL},
        {"createpolicy.range.L2::evict_last.b64 %d0, [x], 8, 4;", 49, 1,
         "the primary part of a range cannot be larger than the range", NULL},
        {"mov.v4.u64 {%d0, %d1, %d2, %d3}, {%d0, %d1, %d2, %d3};", 4, 3, "'.v4.u64' has 256 bits",
         "a vector has at most 128 bits, or 256 as '.v8' of 32-bit or '.v4' of 64-bit elements in "
         ".global memory"},
        {"st.u32 [x].unified, 1;", 11, 8, "'st' takes no '.unified'", NULL},
        {"mov.u32 %u0, x;", 14, 1, "the address of 'x' has 64 bits, and this operand is .u32",
         "'mov.u64'"},
        {"cvta.global.u32 %u0, x;", 12, 4, "'cvta' takes only .u64, not .u32",
         "addresses have 64 bits"},
    };
    CHECK(rows);
}

static void test_syntax(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"ld.u32 %u0 [x];", 12, 1, "expected ',' or ';', not '['", NULL},
        {"ld.u32 %u0, [x], ;", 17, 0, "an operand is missing here", NULL},
        {"ld.u32 , [x];", 8, 1, "expected an operand, not ','", NULL},
        {"ld.u32 %u0, [x] st.u32 [x], 1;", 17, 2, "expected ',' or ';', not 'st'", NULL},
        {"[x];", 1, 1, "expected an instruction, not '['", NULL},
        {"%u0;", 1, 3, "'%u0' is not a PTX instruction", NULL},
        {"@%p0;", 5, 1, "an instruction is missing here", NULL},
        {"@ st.u32 [x], 1;", 3, 2, "expected the predicate of the guard, not 'st'", NULL},
        {"setp.eq.u32 %p0|, 1, 1;", 17, 1, "expected the second predicate, not ','", NULL},
    };
    CHECK(rows);
}

static void test_directives_and_labels(void **state) {
    (void)state;
    static const struct ptx_bad_statement rows[] = {
        {"done: exit;", 1, 4, "label 'done' is defined twice",
         "the first definition is on line 9, column 1"},
        {".reg .b32 %u;  .reg .b32 %u;", 26, 2, "register '%u' is declared twice",
         "the first declaration is on line 10, column 11"},
        {".reg .b32 %u1;", 11, 3, "register '%u1' is declared twice",
         "the first declaration is on line 8, column 11"},
        {".reg .b32 %n<0>;", 14, 1, "'0' is not a number of registers", NULL},
        {".reg .v2 .u32 %v<3>;", 15, 2, "ranges of vector registers are not read", NULL},
        {".reg .v4 .b64 %v;", 6, 8, "a vector register has 2 or 4 elements and 128 bits at most",
         NULL},
        {".reg .v8 .b16 %v;", 6, 8, "a vector register has 2 or 4 elements and 128 bits at most",
         NULL},
        {".reg .v2 .pred %v;", 6, 9, "predicates do not come in vectors", NULL},
        {".reg .u32 %v<3>, v<4>;", 18, 1, "registers 'v' are declared twice",
         "the first declaration is on line 10"},
        {".reg .bf16 %h;", 6, 5, "no register is declared '.bf16'", "declare it '.b16'"},
        {".reg .bf16x2 %h;", 6, 7, "no register is declared '.bf16x2'", "declare it '.b32'"},
        {".reg .b32 %tid;", 11, 4, "'%tid' is a special register", NULL},
        {".reg .v2 .b32 %v; mov.b32 %b0, %v.z;", 32, 4, "'%v' has .x and .y", NULL},
        {".reg .v2 .b32 %v; ld.v4.u32 %v, [buf];", 29, 2,
         "'.v4' needs a vector of 4 elements here, not of 2", NULL},
        {"mov.b32 %b0, %b1.x;", 14, 5, "'%b1.x' is not an operand: '%b1' is not a vector register",
         "a vector register is declared: '.reg .v4 .b32 %b1;'"},
        {".reg %v;", 6, 2, "expected the type of the registers, not '%v'", NULL},
        {".reg .b32 5;", 11, 1, "expected the name of a register, not '5'", NULL},
        {".reg .b32 %v %w;", 14, 2, "expected ';' or ',', not '%w'", NULL},
        {".shared .u32 t = 1;", 16, 1, "PTX only initialises .global and .const variables",
         "declared before the threads, the variable can have a first value in a test"},
        {".shared .u32 x;", 14, 1, "variable 'x' is declared twice",
         "the first declaration is on line 2"},
        {".shared .u32 t; .local .u64 t;", 29, 1, "variable 't' is declared twice",
         "the first declaration is on line 10"},
        {".shared t;", 1, 7, "this declaration has no type",
         "write a type such as .u32 before the name"},
        {".local .u32 t u;", 15, 1, "expected ';' at the end of the declaration, not 'u'", NULL},
        {".align 4;", 1, 6, "the directive '.align' is not read", NULL},
        {"exit", 5, 0, "a ';' is missing at the end of this statement", NULL},
    };
    CHECK(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_of_operands),
        cmocka_unit_test(test_kind_of_operands),
        cmocka_unit_test(test_operands_of_some),
        cmocka_unit_test(test_predicates_and_special_registers),
        cmocka_unit_test(test_special_registers),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_declared_places),
        cmocka_unit_test(test_addresses_and_sizes_of_some),
        cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_directives_and_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
