// A litmus test as it was read: what every reader produces and program consumes.
//
// Names are resolved here (registers, variables and labels are indices), qualifiers are enum
// values, and each piece keeps its span. Expressions are not evaluated and loops are not unrolled
// yet.
#ifndef PTXLITMUS_TEST_H
#define PTXLITMUS_TEST_H

#include "litmus/schedule.h"
#include "litmus/source/bits.h"
#include "litmus/source/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// --- Vocabulary of PTX -------------------------------------------------------------------------

enum access_order { // tags of memory-model section 1
    ORDER_NONE,     // not a memory operation or fence
    ORDER_WEAK,
    ORDER_RELAXED,
    ORDER_ACQUIRE,
    ORDER_RELEASE,
    ORDER_ACQ_REL,
    ORDER_SC,
    ORDER_VOLATILE,
    ORDER_MMIO,
};

enum scope { SCOPE_NONE, SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS };

enum state_space {
    SPACE_GENERIC, // no state space given
    SPACE_CONST,
    SPACE_GLOBAL,
    SPACE_LOCAL,
    SPACE_PARAM,
    SPACE_TENSOR, // tensor memory, of which each CTA has its own (PTX ISA 9.7.16.1)
    SPACE_SHARED, // .shared and .shared::cta
    SPACE_SHARED_CLUSTER,
};

enum proxy {
#define PROXY(id, ...) PROXY_##id,
#include "litmus/proxies.def"
    PROXY_COUNT
};

enum proxy_trait {
    PROXY_WRITES = 1,  // memory is written through it, too
    PROXY_ALIASES = 2, // a name of a variable may be declared to go through it
    PROXY_OF_PTX = 4,  // PTX has fences of this kind
    PROXY_APART = 8,   // such a name is a virtual address of its own
};

enum scalar_type {
    TYPE_NONE,
    TYPE_PRED,
    TYPE_B8,
    TYPE_B16,
    TYPE_B32,
    TYPE_B64,
    TYPE_B128,
    TYPE_U8,
    TYPE_U16,
    TYPE_U32,
    TYPE_U64,
    TYPE_S8,
    TYPE_S16,
    TYPE_S32,
    TYPE_S64,
    TYPE_F16,
    TYPE_F16X2,
    TYPE_BF16,
    TYPE_BF16X2,
    TYPE_F32,
    TYPE_F64,
};

enum opcode {
#define OPCODE(id, effects, run) OP_##id,
#include "litmus/opcodes.def"
    OPCODE_COUNT
};

// What an opcode does besides computing, and whether it computes: see opcode_effects.
enum opcode_effect {
    EFFECT_READS = 1,    // memory
    EFFECT_WRITES = 2,   // memory
    EFFECT_ORDERS = 4,   // accesses: fences
    EFFECT_BARRIER = 8,  // arrives or waits at a barrier; bar.red defines operand 0
    EFFECT_JUMPS = 16,   // may go on elsewhere than at the next instruction
    EFFECT_DEFINES = 32, // operand 0: its destination
    EFFECT_FLOATS = 64,  // is computed otherwise for floating-point types
};

enum atomic_op {
    ATOMIC_NONE,
    ATOMIC_ADD,
    ATOMIC_SUB,
    ATOMIC_MUL,
    ATOMIC_DIV, // sub, mul, div: Dat3M's dialect only
    ATOMIC_INC,
    ATOMIC_DEC,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCH,
    ATOMIC_CAS,
};

// lo ls hi hs are the unsigned readings of lt le gt ge. Those from equ on are for floating-point
// numbers: equ to geu hold for unordered ones (NaN) too, num says that neither is NaN, nan that one
// is.
enum compare_op {
    COMPARE_NONE,
    COMPARE_EQ,
    COMPARE_NE,
    COMPARE_LT,
    COMPARE_LE,
    COMPARE_GT,
    COMPARE_GE,
    COMPARE_LO,
    COMPARE_LS,
    COMPARE_HI,
    COMPARE_HS,
    COMPARE_EQU,
    COMPARE_NEU,
    COMPARE_LTU,
    COMPARE_LEU,
    COMPARE_GTU,
    COMPARE_GEU,
    COMPARE_NUM,
    COMPARE_NAN,
};

enum bool_op { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR };

enum mul_part { MUL_LO, MUL_HI, MUL_WIDE };

// prmt without a mode, and its modes
enum permute_mode {
    PERMUTE_SELECT,
    PERMUTE_F4E,
    PERMUTE_B4E,
    PERMUTE_RC8,
    PERMUTE_ECL,
    PERMUTE_ECR,
    PERMUTE_RC16,
};

// Floating-point arithmetic that is computed where its operands are constants; elsewhere its result
// may be anything.
enum float_op {
    FLOAT_NONE,
    FLOAT_ADD,
    FLOAT_SUB,
    FLOAT_MUL,
    FLOAT_FMA,
    FLOAT_DIV,
    FLOAT_RCP,
    FLOAT_SQRT,
    FLOAT_MIN,
    FLOAT_MAX,
    FLOAT_NEG,
    FLOAT_ABS,
    FLOAT_CVT,
};

// How a result is rounded (PTX ISA 6.5.2): to the nearest number, of two to the even one; to zero;
// down; up. ROUND_INTEGER is added where it is rounded to an integer, in whatever format.
enum float_rounding {
    ROUND_NONE, // not said
    ROUND_NEAREST,
    ROUND_ZERO,
    ROUND_DOWN,
    ROUND_UP,
    ROUND_INTEGER = 8, // ORed with one of them: .rni, .rzi, .rmi, .rpi
};

enum barrier_kind {
    BARRIER_NONE,
    BARRIER_SYNC,
    BARRIER_ARRIVE,
    BARRIER_RED,
    BARRIER_CLUSTER_ARRIVE,
    BARRIER_CLUSTER_WAIT,
    BARRIER_WARP_SYNC
};

// What lanes of a warp do with each other's values, or ask of each other (PTX ISA 9.7.9.6, 9.7.13.9
// to 9.7.13.14). redux has an atomic_op besides.
enum warp_op {
    WARP_NONE,
    WARP_SHFL_UP,
    WARP_SHFL_DOWN,
    WARP_SHFL_BFLY,
    WARP_SHFL_IDX,
    WARP_VOTE_ALL,
    WARP_VOTE_ANY,
    WARP_VOTE_UNI,
    WARP_VOTE_BALLOT,
    WARP_MATCH_ANY,
    WARP_MATCH_ALL,
    WARP_REDUX,
    WARP_ELECT,
    WARP_ACTIVEMASK,
    WARP_LDMATRIX, // the registers that come from rows of matrices, and rows from registers
    WARP_LDMATRIX_TRANS,
    WARP_STMATRIX,
    WARP_STMATRIX_TRANS,
    WARP_MOVMATRIX,
};

// Special registers (PTX ISA 10). Their values follow from the placement of the threads, but for
// the last one.
enum special_register {
    SPECIAL_TID,
    SPECIAL_NTID,
    SPECIAL_CTAID,
    SPECIAL_NCTAID,
    SPECIAL_CLUSTERID,
    SPECIAL_NCLUSTERID,
    SPECIAL_CLUSTER_CTAID,
    SPECIAL_CLUSTER_NCTAID,
    SPECIAL_CLUSTER_CTARANK,
    SPECIAL_CLUSTER_NCTARANK,
    SPECIAL_IS_EXPLICIT_CLUSTER,
    SPECIAL_LANEID,
    SPECIAL_WARPID,
    SPECIAL_NWARPID,
    SPECIAL_LANEMASK_EQ,
    SPECIAL_LANEMASK_LE,
    SPECIAL_LANEMASK_LT,
    SPECIAL_LANEMASK_GE,
    SPECIAL_LANEMASK_GT,
    SPECIAL_ENVREG, // %envreg<member>
    SPECIAL_CLOCK,  // the time, in whatever unit
    SPECIAL_OPEN,   // another one whose value nothing says: the number of an SM
};

// Returns the effects of an opcode, ORed, from opcodes.def.
unsigned opcode_effects(enum opcode opcode);

// Returns how many bits a value of the type has: 1 for .pred, 8 to 128 for others, 0 for TYPE_NONE.
unsigned scalar_type_bits(enum scalar_type type);

// Whether values of the type are signed integers.
bool scalar_type_is_signed(enum scalar_type type);

// Whether values of the type are floating-point numbers, or pairs of them.
bool scalar_type_is_float(enum scalar_type type);

// Returns the spelling without the dot, "u32", which lives for ever.
const char *scalar_type_name(enum scalar_type type);

// Returns the name of a proxy in declarations: "texture".
const char *proxy_name(enum proxy proxy);

// Whether a proxy has a trait.
bool proxy_has(enum proxy proxy, enum proxy_trait trait);

// Returns the spelling, ".global" or ".shared::cluster", or "generic" for no space; it lives for
// ever.
const char *state_space_name(enum state_space space);
// The same of memory: what is declared without a state space is in ".global".
const char *state_space_or_global_name(enum state_space space);

// .shared, of the CTA or of the cluster.
bool state_space_is_shared(enum state_space space);

// --- Threads -----------------------------------------------------------------------------------

struct test_register {
    const char *name;      // as the test spells it at its first use ("%r0", "r0"); compare with
                           // test_register_key, which drops one leading '%'
    enum scalar_type type; // TYPE_NONE when it was never declared
    unsigned width;        // bits; for an undeclared register that of its first use
    struct span span;      // declaration or first use
    bool has_initial;
    int initial_variable;   // index of the variable whose address it starts with, or -1
    struct bits128 initial; // else this value
};

enum operand_kind {
    OPERAND_REGISTER,
    OPERAND_IMMEDIATE,
    OPERAND_ADDRESS, // the address of a variable plus offset, as a value: mov.u64 %rd, x
    OPERAND_MEMORY,  // [base + offset]
    OPERAND_VECTOR,  // {a, b}: elements
    OPERAND_SINK,    // _
    OPERAND_LABEL,
    OPERAND_SPECIAL, // a special register as a source: special, member
};

struct operand {
    enum operand_kind kind;
    struct span span;
    int reg;                  // REGISTER; MEMORY with a register base; else -1
    int variable;             // ADDRESS; MEMORY with a variable base; else -1
    int64_t offset;           // ADDRESS, MEMORY (an immediate address is an offset without base)
    struct bits128 immediate; // IMMEDIATE, sign-extended to 128 bits when written negative
    int label;                // LABEL: index into the thread's labels
    bool negated;             // REGISTER: !%p as a source operand
    enum special_register special;
    unsigned member; // SPECIAL: 0 for .x (and for one that is not a vector) to 3 for .w; the number
                     // of an %envreg
    struct operand *elements; // VECTOR
    size_t element_count;
};

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

struct variable;
struct diagnostics;

struct instruction {
    struct span span;        // the whole statement, guard included
    struct span opcode_span; // the opcode with its qualifiers
    enum opcode opcode;
    int guard; // register index of the predicate, or -1
    bool guard_negated;
    enum access_order order;
    enum scope scope;
    enum state_space space;
    enum state_space source_space; // of an asynchronous copy: where it reads; `space`: it writes
    enum proxy proxy;              // of a memory access, or the kind of an OP_FENCE_PROXY
    enum state_space fence_space; // of fence.proxy.async.global and of .sync_restrict, else GENERIC
    bool from_fabric, to_fabric;  // of a fence of the fabric proxy: the proxies that it is between
    enum access_order proxy_order; // one-directional proxy fences: RELEASE or ACQUIRE, else NONE
    enum atomic_op atomic;
    enum compare_op compare;
    enum bool_op bool_op; // setp.eq.and.u32
    enum mul_part mul_part;
    enum permute_mode permute;
    bool saturate;            // .sat
    bool wraps;               // .wrap, where .clamp is the other choice
    bool shift_amount;        // .shiftamt
    bool flushes;             // .ftz
    bool is_init_fence;       // fence.mbarrier_init
    bool to_all;              // .multicast::cluster::all
    bool masked;              // .cp_mask: the last operand says which bytes of each 16 are copied
    bool is_layout_v1;        // .layout::v1
    bool is_mmio;             // .mmio, whatever the order
    bool ignores;             // .ignore_oob: operands 4 and 5 are how many bytes at each end
    enum map_field map_field; // of tensormap.replace
    bool to_copies; // multimem.cp, multimem.st.async: the destination is a multimem address
    bool four_rows; // .tile::gather4 and .tile::scatter4
    bool sparse;    // wgmma.mma_async.sp, tcgen05.mma.sp: A is
    bool im2col;    // .im2col, whose fifth operand are the offsets, and .im2col_no_offs
    bool of_pair;   // .cta_group::2
    enum float_op float_op;
    unsigned rounding; // of enum float_rounding
    enum scalar_type type;
    enum scalar_type source_type;
    unsigned vector;    // 1, 2, 4 or 8
    unsigned dimension; // of get_first_ctaid: 0 is x
    enum barrier_kind barrier;
    enum warp_op warp;
    unsigned columns; // of a wgmma.mma_async: those of B and D; of a tcgen05.cp, .ld or .st: those
                      // of it; of an ldmatrix, stmatrix or movmatrix: how many matrices there are
    enum matrix_kind matrix_kind; // of a tcgen05.mma
    // Of a tcgen05.mma: A is sparse (.sp), B is kept (.ws), both are scaled (.block_scale), A is
    // shifted
    // (.ashift); which buffer of the collector it is about, and what it does there.
    bool keeps_b, scaled, shifts_a;
    unsigned buffer;
    enum collector_op collector;
    bool is_4x256b;                 // of a tcgen05.cp
    bool is_open;                   // of a tcgen05.ld, .st or .cp: it is open which bits are whose
    bool reads_of_a;                // of a tcgen05.commit: of the reading of A alone
    enum matrix_element element[2]; // of its A and its B
    // Destination first, in PTX's order. ld: d, [a]. st: [a], b. atom: d, [a], b{, c}.
    // red: [a], b. setp: p, a, b{, c} (p|q: two registers in a VECTOR). selp: d, a, b, p.
    struct operand operands[INSTRUCTION_OPERANDS];
    unsigned operand_count;
};

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

// Whether an instruction writes to the registers of operand 0.
bool instruction_defines(const struct instruction *instruction);

// Whether an instruction reads memory and writes it: atom, red and their like.
bool instruction_is_atomic(const struct instruction *instruction);

// Whether it accesses tensor memory: tcgen05.ld, .st, .mma, .cp or .shift.
bool instruction_is_tensor(const struct instruction *instruction);

// Returns which operand of a wgmma.mma_async says whether D is added: what a sparse A has in
// addition comes before it.
unsigned instruction_scale(const struct instruction *instruction);

// Whether a tensor copy of so many dimensions can be by a map: of its tensor, in its mode, and with
// a box of one row where it takes four. Reports at `span` why not.
bool tensor_fits_copy(struct diagnostics *diagnostics, struct span span, const struct variable *map,
                      const struct instruction *instruction, unsigned dimensions);

// Returns which operand of a bulk copy that completes on an mbarrier is its mask of CTAs, if it has
// one: the offsets of .im2col come before it.
unsigned instruction_mask(const struct instruction *instruction);

// Whether it is a tcgen05 instruction that says for how many CTAs it is: .cta_group.
bool instruction_has_cta_group(const struct instruction *instruction);

// Whether it writes to several CTAs of the cluster, or arrives there, by itself.
bool instruction_is_multicast(const struct instruction *instruction);

struct label {
    const char *name;
    struct span span;
    size_t target; // index of the instruction that follows it; instruction_count at the end
};

// Placement (litmus-format.md section 1, memory-model D14). Numbers are the user's; use
// the test_same_* functions, which know that CTAs nest in clusters and clusters in GPUs.
struct place {
    bool host;
    unsigned gpu;
    bool has_cluster; // false: a cluster of its CTA alone
    unsigned cluster;
    unsigned cta;
    unsigned grid; // CTAs are numbered in their grid
    struct span span;
};

// That a grid comes after another one in the order of launches (memory-model section 17).
struct grid_order {
    unsigned grid, after;
    bool is_programmatic; // it may start before, and waits with griddepcontrol.wait
    struct span span;
};

// What a launch says of a special register %envreg<n>: the bits of a variable of 4 or 8 bytes.
struct environment_register {
    bool is_known; // else it may hold anything
    bool is_high;  // the upper 32 bits of 64
    int variable;
};
enum { ENVIRONMENT_REGISTERS = 32 };

// How a kernel is launched: what its special registers are (PTX ISA 10), x first.
struct launch {
    const char *kernel; // its name, in C++ without parameters
    unsigned grid[3], block[3];
    unsigned cluster[3]; // in CTAs
    bool has_clusters;
    // The threads of each block that the test has, by their numbers in it, x first, in ascending
    // order; NULL: all. What the others do is taken into account as memory-model section 13
    // says.
    const unsigned *modelled;
    size_t modelled_count;
    struct environment_register environment[ENVIRONMENT_REGISTERS]; // by their numbers
};

struct name_table;
struct token;

struct thread {
    unsigned number; // the n of P<n>
    struct span span;
    struct place place;
    const struct launch *launch; // that it is of; NULL: its place says what its registers are
    unsigned cta[3], tid[3];     // in the launch
    struct test_register *registers;
    size_t register_count;
    struct instruction *instructions;
    size_t instruction_count;
    struct label *labels;
    size_t label_count;
    struct name_table *register_names; // of the readers, which look registers up by name
    const struct token *tokens;        // of its body in PTX; litmus/source/lexer.h
    size_t token_count;
};

// --- Functions ---------------------------------------------------------------------------------

// A register that a function uses, and whether it declares it.
struct function_register {
    const char *name;
    unsigned width;
    bool is_declared;
};

// A device function, as tokens; calls are read as its body.
struct function {
    const char *name;
    struct span span;
    const struct function *prototype; // that precedes it, or NULL
    const struct token *head;         // what precedes its body
    size_t head_count;
    const struct token *returns, *parameters,
        *body; // what is in the parentheses or braces, or NULL
    size_t return_count, parameter_count, body_count;
    bool is_called;                      // by a thread, or by a function that is
    bool is_taken;                       // its address is, in a module
    unsigned entered;                    // of the readers: calls of it around the statement at hand
    struct function_register *registers; // of one that is, each name once
    size_t register_count;
};

// --- Variables ---------------------------------------------------------------------------------

struct initial_element {
    int variable;    // the address of this variable plus `value`, or -1
    bool is_generic; // generic(name): its generic address
    struct bits128 value;
};

enum {
    TENSOR_RANK_MAX = 5,
    IM2COL_RANK_MAX = TENSOR_RANK_MAX - 2,
    TENSOR_MAP_BYTES = 128,
    FOUR_ROWS_COORDINATES = 5
};

// What a tensormap says of its tensor besides where it is in memory (PTX ISA 5.5), the innermost
// dimension first. As it is declared it is dense.
struct tensor {
    unsigned rank;
    unsigned extents[TENSOR_RANK_MAX]; // in elements
    uint64_t strides[TENSOR_RANK_MAX]; // in bytes
    unsigned box[TENSOR_RANK_MAX];     // of what is copied at once: in tiled mode
    unsigned element_size;             // bytes
    bool im2col;                       // in im2col mode (5.5.4): channels, W, maybe H, D, images
    int lower[IM2COL_RANK_MAX];        // the bounding box in W, H and D begins so far from the
    int upper[IM2COL_RANK_MAX];        // first element, and ends so far from the last one
    unsigned channels, pixels;         // per pixel and per column
};

// A tensormap in a struct, at an offset in bytes; `base` is the variable of its tensor.
struct tensor_part {
    uint64_t offset;
    const struct tensor *tensor;
    int base;
    const struct tensor_part *next;
};

struct variable {
    const char *name;
    struct span span;
    enum state_space space;
    enum scalar_type type; // of an element
    size_t element_count;  // 1 for a scalar
    bool is_array;
    unsigned alignment; // bytes; the element's size when the test does not say
    bool has_initial;
    struct initial_element *initial; // element_count of them when has_initial
    int alias_of;           // index of the variable that this one is another address of, or -1
    bool is_same_address;   // it is another name of the same address: a dynamic array of a module
    enum proxy alias_proxy; // the proxy of accesses through it (GENERIC for a plain alias)
    bool is_multimem; // a multimem address, or the place of one of the others to which it points:
    unsigned copies;  // to how many variables it points, as the variables after it do; else 0
    bool is_opaque;   // .tex, .texref and the like: no memory instruction accesses it
    unsigned bank;    // of .const[bank]; 0 without one
    bool is_pointer;  // .ptr: a parameter that points to `target_space` (GENERIC: to any),
    enum state_space target_space;
    unsigned target_alignment; // to memory that is so aligned, in bytes; 0: not said
    bool is_inner;             // of a block inside a body, or of a call: others may have its name
    bool is_parameter;         // of a function: it is in .local memory, and .param reaches it, too
    bool is_unified;           // .attribute(.unified(a, b))
    uint64_t unified[2];       // a, b
    bool is_mbarrier;          // `mbarrier m = n`: its initial value is the count n
    const struct tensor *tensor; // `tensormap t = base, extents`: its first element is the address
                                 // of the tensor, and the others are 0; else NULL
    const struct tensor_part *parts; // of a parameter of the kernel that has tensormaps, or NULL
    bool is_atomic;                  // a cuda::atomic of C++,
    enum scope atomic_scope;         // accesses to which have this scope
    unsigned body; // 1 + the index of the last thread whose body declares it; 0: before the threads
};

// --- Conditions --------------------------------------------------------------------------------

enum term_kind { TERM_CONSTANT, TERM_REGISTER, TERM_LOCATION, TERM_ADDRESS };

struct term {
    enum term_kind kind;
    struct span span;
    struct bits128 constant; // CONSTANT, sign-extended when written negative
    bool negative;           // CONSTANT was written with a minus sign
    int thread;              // REGISTER: index into test->threads
    int reg;
    int variable;      // LOCATION, ADDRESS
    size_t element;    // LOCATION: index of the element
    bool has_instance; // LOCATION: cta1:s
    unsigned instance_cta;
};

enum condition_kind {
    CONDITION_TRUE,
    CONDITION_FALSE,
    CONDITION_AND,
    CONDITION_OR,
    CONDITION_NOT,
    CONDITION_COMPARE
};

struct condition {
    enum condition_kind kind;
    struct span span;
    struct condition *left;  // AND, OR, NOT
    struct condition *right; // AND, OR
    enum compare_op compare; // EQ to GE
    struct term lhs, rhs;
};

enum quantifier { QUANTIFIER_EXISTS, QUANTIFIER_NOT_EXISTS, QUANTIFIER_FORALL };

// What an `expect` may say of a test. Those of one line exclude each other.
enum expectation {
    EXPECT_ALLOWED, // of the verdict
    EXPECT_FORBIDDEN,
    EXPECT_ALWAYS,
    EXPECT_RACE, // some execution has a race; none has
    EXPECT_NO_RACE,
    EXPECT_HANG, // some execution hangs, or none ends; neither is the case
    EXPECT_NO_HANG,
    EXPECT_TRAP, // in some execution a thread traps; in none
    EXPECT_NO_TRAP,
    EXPECT_REACHABLE, // there is some outcome; there is none
    EXPECT_UNREACHABLE,
    EXPECT_TERMINATES, // each execution ends; some may not
    EXPECT_MAY_HANG,
    EXPECTATION_COUNT,
};

struct test_expected {
    enum expectation what;
    struct span span; // of its words
};

// DIALECT_CPP: not PTX, but scoped atomics of C++, for a model of C++.
enum dialect { DIALECT_PTX, DIALECT_DAT3M, DIALECT_NVLITMUS, DIALECT_CPP };

// Added to an architecture: only the target for its features has it, sm_90a for 90. Targets for the
// features of 100 that share its tensor cores have what is of 100, too: sm_103a, sm_107a and
// sm_110a, or the last of these alone.
enum { PTX_SPECIFIC = 0x1000, PTX_FEWER = 0x2000 };

// What the test uses that not every version and target has.
struct need {
    struct span span;
    const char *words; // "'.cluster'"
    unsigned ptx;      // the first version, 78 for 7.8; 0 when all have it
    unsigned sm;       // the first architecture, or PTX_SPECIFIC and one; 0 when all have it
    bool specific;     // only targets with features of their own: sm_90a
};

struct test {
    const char *name;
    const char *description; // the quoted strings joined by newlines; "" when there are none
    const struct source *source;
    enum dialect dialect;
    struct variable *variables;
    size_t variable_count;
    struct thread *threads;
    size_t thread_count;
    struct function *functions; // in the order of the test
    size_t function_count;
    bool is_cooperative; // `launch cooperative`: all CTAs run at once
    bool no_timeouts;    // `assume no timeouts`: no wait gives up by a clock
    // Of its `progress`: the promise of forward progress that it is about; PROGRESS_OFF without
    // one.
    enum promise progress;
    struct schedule schedule; // of PROGRESS_LEVELS
    struct span progress_span;
    struct grid_order *grid_orders; // no grid comes after itself, directly or through others
    size_t grid_order_count;
    struct term *locations; // of the `locations` clause: REGISTER and LOCATION terms
    size_t location_count;
    struct condition *filter; // NULL when there is none
    enum quantifier quantifier;
    struct condition *condition;
    bool is_unconditional; // has none: its condition is true, and it expects something else than a
                           // verdict
    bool is_unasked;       // a launch of a module of which nothing is asked: its condition is true
    struct span unasked;   // where it is
    struct test_expected *expected; // of all its `expect`s, none twice and none against another one
    size_t expected_count;
    // What is taken for granted of what the test has no text of, as sentences, each once.
    const char **assumptions;
    size_t assumption_count;
    struct need *needs; // in the order of reading
    size_t need_count;
    unsigned version; // of its .version directive, 78 for 7.8; 0 without one
    struct span version_span;
    const char *target; // of its .target directive: "sm_90"; NULL without one
    struct span target_span;
};

// Returns the name without one leading '%', as a part of `name`: `r0` and `%r0` are one register.
const char *test_register_key(const char *name);

// Whether an expectation has an opposite, which those about the verdict have not.
bool expectation_has_opposite(enum expectation what);

// Returns the opposite of an expectation that has one: it holds where the expectation fails.
enum expectation expectation_opposite(enum expectation what);

// Whether the test expects this.
bool test_expects(const struct test *test, enum expectation what);

// Returns the words of an expectation, "no race", which live for ever.
const char *expectation_text(enum expectation what);

// Whether the grid of one thread starts only when that of the other is complete (PTX ISA 8.9.4, API
// synchronization), directly or through others. Threads of the host are in no grid.
bool test_grid_follows(const struct test *test, const struct place *later,
                       const struct place *earlier);

// Whether the test says that the grid of a thread comes to its end, since another one comes after
// it.
bool test_grid_completes(const struct test *test, const struct place *place);

// Whether a griddepcontrol.wait of one thread waits until the grid of the other is complete.
bool test_grid_waits_for(const struct test *test, const struct place *later,
                         const struct place *earlier);

// Whether the grid of one thread depends on that of the other: it may start when that lets it
// (griddepcontrol.launch_dependents).
bool test_grid_depends(const struct test *test, const struct place *later,
                       const struct place *earlier);

// Whether two threads are in one CTA (D14, D15). A host thread shares its CTA, cluster and GPU with
// no other thread.
bool test_same_cta(const struct place *a, const struct place *b);

// Whether two threads are in one cluster.
bool test_same_cluster(const struct place *a, const struct place *b);

// Whether two threads are on one GPU.
bool test_same_gpu(const struct place *a, const struct place *b);
// Whether the scope of an instruction at `a` contains a thread at `b`; SCOPE_NONE contains none.
bool test_scope_contains(enum scope scope, const struct place *a, const struct place *b);

// Calls `visit` for every term of the condition, the filter and the locations, in the order in
// which they are shown.
void test_visit_terms(const struct test *test,
                      void (*visit)(void *context, const struct term *term), void *context);

// Returns where a jump of the thread goes: the index of an instruction, or instruction_count for
// the end.
size_t instruction_target(const struct thread *thread, const struct instruction *instruction);

#endif
