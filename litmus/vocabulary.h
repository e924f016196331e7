// The vocabulary of PTX, as enumerations: orders, scopes, state spaces, proxies, types and what
// qualifiers say.
#ifndef PTXLITMUS_LITMUS_VOCABULARY_H
#define PTXLITMUS_LITMUS_VOCABULARY_H

#include "litmus/opcode.h"

#include <stdbool.h>

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

// Returns how many bits a value of the type has: 1 for .pred, 8 to 128 for others, 0 for TYPE_NONE.
unsigned scalar_type_bits(enum scalar_type type);

// Whether values of the type are signed integers.
bool scalar_type_is_signed(enum scalar_type type);

// Whether values of the type are floating-point numbers, or pairs of them.
bool scalar_type_is_float(enum scalar_type type);

// Returns the spelling without the dot, "u32", which lives for ever.
const char *scalar_type_name(enum scalar_type type);

// Returns the type of this name, "u32"; TYPE_NONE where there is none.
enum scalar_type scalar_type_named(const char *name);

// Returns the spelling, ".global" or ".shared::cluster", or "generic" for no space; it lives for
// ever.
const char *state_space_name(enum state_space space);
// The same of memory: what is declared without a state space is in ".global".
const char *state_space_or_global_name(enum state_space space);

// .shared, of the CTA or of the cluster.
bool state_space_is_shared(enum state_space space);

#endif
