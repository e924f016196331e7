// An instruction: what its opcode and its qualifiers say, and its operands.
#ifndef PTXLITMUS_LITMUS_INSTRUCTION_H
#define PTXLITMUS_LITMUS_INSTRUCTION_H

#include "litmus/operand.h"

// Types of the elements of matrices that registers do not have, and those that they have.
enum matrix_element {
    ELEMENT_NONE,
    ELEMENT_F16,
    ELEMENT_BF16,
    ELEMENT_TF32,
    ELEMENT_E4M3,
    ELEMENT_E5M2,
    ELEMENT_S8,
    ELEMENT_U8,
    ELEMENT_B1,
};

// The kinds of tcgen05.mma, by what its operands are.
enum matrix_kind {
    MATRIX_KIND_NONE,
    MATRIX_KIND_F16,
    MATRIX_KIND_TF32,
    MATRIX_KIND_F8F6F4,
    MATRIX_KIND_I8,
    MATRIX_KIND_MXF8F6F4,
    MATRIX_KIND_MXF4,
    MATRIX_KIND_MXF4NVF4
};

// What a tcgen05.mma does with a buffer of the collector, "a special cache" (PTX ISA 9.7.16.10).
enum collector_op {
    COLLECTOR_DISCARD,
    COLLECTOR_FILL,
    COLLECTOR_USE,
    COLLECTOR_LASTUSE,
    COLLECTOR_OPS
};
enum { COLLECTOR_BUFFERS = 5 }; // that of A, and four of B

// Returns how many bits an element of a matrix has in memory.
unsigned matrix_element_bits(enum matrix_element element);

enum { INSTRUCTION_OPERANDS = 10, IGNORED_LEFT = 4 };

// Fields of tensormaps, as tensormap.replace names them (PTX ISA 9.7.9.28).
enum map_field {
    MAP_ADDRESS,
    MAP_RANK,
    MAP_BOX_DIM,
    MAP_GLOBAL_DIM,
    MAP_GLOBAL_STRIDE,
    MAP_ELEMENT_STRIDE,
    MAP_ELEMENT_TYPE,
    MAP_INTERLEAVE,
    MAP_SWIZZLE,
    MAP_ATOMICITY,
    MAP_FILL,
};

// What fences have.
struct instruction_fence {
    enum state_space space;      // of fence.proxy.async.global and of .sync_restrict, else GENERIC
    enum access_order order;     // one-directional proxy fences: RELEASE or ACQUIRE, else NONE
    bool from_fabric, to_fabric; // of a fence of the fabric proxy: the proxies that it is between
    bool is_init;                // fence.mbarrier_init
};

// What instructions that compute have.
struct instruction_compute {
    enum compare_op compare;
    enum mul_part mul_part;
    enum permute_mode permute;
    bool saturate;     // .sat
    bool wraps;        // .wrap, where .clamp is the other choice
    bool shift_amount; // .shiftamt
    bool flushes;      // .ftz
    enum float_op float_op;
    unsigned rounding;  // of enum float_rounding
    unsigned dimension; // of get_first_ctaid: 0 is x
};

// What asynchronous copies and stores have.
struct instruction_copy {
    enum state_space source_space; // where it reads; `space` of the instruction: it writes
    bool to_all;                   // .multicast::cluster::all
    bool masked;    // .cp_mask: the last operand says which bytes of each 16 are copied
    bool ignores;   // .ignore_oob: operands 4 and 5 are how many bytes at each end
    bool to_copies; // multimem.cp, multimem.st.async: the destination is a multimem address
    bool four_rows; // .tile::gather4 and .tile::scatter4
    bool im2col;    // .im2col, whose fifth operand are the offsets, and .im2col_no_offs
};

// What instructions on matrices have.
struct instruction_matrix {
    unsigned columns; // of a wgmma.mma_async: those of B and D; of a tcgen05.cp, .ld or .st: those
                      // of it; of an ldmatrix, stmatrix or movmatrix: how many matrices there are
    bool sparse;      // wgmma.mma_async.sp, tcgen05.mma.sp: A is
    enum matrix_element element[2]; // of its A and its B
};

// What tcgen05 instructions have besides.
struct instruction_tensor {
    enum matrix_kind kind; // of a tcgen05.mma
    // Of a tcgen05.mma: B is kept (.ws), A and B are scaled (.block_scale), A is shifted (.ashift);
    // which buffer of the collector it is about, and what it does there.
    bool keeps_b, scaled, shifts_a;
    unsigned buffer;
    enum collector_op collector;
    bool is_4x256b;  // of a tcgen05.cp
    unsigned lanes;  // of a tcgen05.ld or .st: how many a warp accesses at an address; of a
                     // tcgen05.cp: how many rows it copies
    bool is_open;    // of a tcgen05.ld, .st or .cp: it is open which bits are whose
    bool reads_of_a; // of a tcgen05.commit: of the reading of A alone
};

// An instruction has what its opcode and its qualifiers say; the parts of other families are 0.
struct instruction {
    struct span span;        // the whole statement, guard included
    struct span opcode_span; // the opcode with its qualifiers
    enum opcode opcode;
    int guard; // register index of the predicate, or -1
    bool guard_negated;
    enum access_order order;
    enum scope scope;
    enum state_space space;
    enum proxy proxy; // of a memory access, or the kind of a fence.proxy
    bool is_mmio;     // .mmio, whatever the order
    bool of_global;   // a hint that PTX defines for global memory alone
    enum atomic_op atomic;
    enum bool_op bool_op; // setp.eq.and.u32
    enum scalar_type type;
    enum scalar_type source_type;
    unsigned vector; // 1, 2, 4 or 8
    enum barrier_kind barrier;
    bool is_aligned; // .aligned, or a bar
    enum warp_op warp;
    bool is_layout_v1;        // .layout::v1
    enum map_field map_field; // of tensormap.replace
    bool of_pair;             // .cta_group::2
    struct instruction_fence fence;
    struct instruction_compute compute;
    struct instruction_copy copy;
    struct instruction_matrix matrix;
    struct instruction_tensor tensor;
    // Destination first, in PTX's order. ld: d, [a]. st: [a], b. atom: d, [a], b{, c}.
    // red: [a], b. setp: p, a, b{, c} (p|q: two registers in a VECTOR). selp: d, a, b, p.
    struct operand operands[INSTRUCTION_OPERANDS];
    unsigned operand_count;
};

// Returns an instruction without a guard and operands, of a statement at this span.
struct instruction instruction_new(enum opcode opcode, enum scalar_type type, struct span span);

// Adds an operand to an instruction.
void instruction_add(struct instruction *instruction, struct operand operand);

// Where the operands of a tcgen05.mma are after [d], a and b; 0: there is none.
struct product_places {
    unsigned metadata;    // [t], of a sparse A
    unsigned description; // of shapes and types
    unsigned scales;      // [t] of those of A, which that of B follows
    unsigned lanes;       // {r}: which lanes of D are not updated
    unsigned added;       // whether D is added
    unsigned factor;      // by what power of 2 D is divided
    unsigned zeros;       // which columns of B are zero
};

// Returns where they are.
struct product_places product_places(const struct instruction *instruction);

// Whether an instruction accesses multimem addresses (PTX ISA 8.2.3).
bool instruction_is_multimem(const struct instruction *instruction);

// Whether an instruction takes matrices from shared memory by descriptors, which have the lowest 18
// bits of addresses (PTX ISA 9.7.15.5.1.2.2, 9.7.16.4.1).
bool instruction_has_descriptors(const struct instruction *instruction);

// Whether an instruction is a bra: one that goes on at its label, or may.
bool instruction_branches(const struct instruction *instruction);

// Whether an instruction is an exit that every thread takes which comes to it.
bool instruction_exits(const struct instruction *instruction);

// Whether an instruction is an ld or st: its thread reads or writes, and no more.
bool instruction_is_plain(const struct instruction *instruction);

// Whether an instruction is a wgmma.fence.
bool instruction_is_wgmma_fence(const struct instruction *instruction);

// Whether an instruction is complete on an mbarrier that it names, or arrives there later than its
// thread comes to it.
bool instruction_signals(const struct instruction *instruction);

// Whether an instruction writes to the registers of operand 0.
bool instruction_defines(const struct instruction *instruction);

// Whether an ld, st, atom or red may access memory of a space, at generic addresses too: .mmio, 32
// bytes and vectors of atomics are for global memory, and other strong accesses but .volatile for
// global and shared memory (PTX ISA 9.7.9.8, 9.7.9.11, 9.7.13.5, 9.7.13.6).
bool instruction_may_access(const struct instruction *instruction, enum state_space space);

// Whether an instruction reads memory or writes it, or both.
bool instruction_accesses(const struct instruction *instruction);

// Whether an instruction reads memory and writes it: atom, red and their like.
bool instruction_is_atomic(const struct instruction *instruction);

// Whether it accesses tensor memory: tcgen05.ld, .st, .mma, .cp or .shift.
bool instruction_is_tensor(const struct instruction *instruction);

// Returns which operand of a wgmma.mma_async says whether D is added: what a sparse A has in
// addition comes before it.
unsigned instruction_scale(const struct instruction *instruction);

// Returns which operand of a bulk copy that completes on an mbarrier is its mask of CTAs, if it has
// one: the offsets of .im2col come before it.
unsigned instruction_mask(const struct instruction *instruction);

// Whether it is a tcgen05 instruction that says for how many CTAs it is: .cta_group.
bool instruction_has_cta_group(const struct instruction *instruction);

// Whether it writes to several CTAs of the cluster, or arrives there, by itself.
bool instruction_is_multicast(const struct instruction *instruction);

#endif
