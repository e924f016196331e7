// Opcodes, and what the rooms ask about each: the columns of litmus/opcodes.def. No room lists
// opcodes to say what kind they are of; a new one says it in its row.
#ifndef PTXLITMUS_LITMUS_OPCODE_H
#define PTXLITMUS_LITMUS_OPCODE_H

#include "litmus/proxy.h"

#include <stdbool.h>

enum opcode {
#define OPCODE(id, ...) OP_##id,
#include "litmus/opcodes.def"
    OPCODE_COUNT
};

// What kind of instructions an opcode is of: see opcode_family.
enum opcode_family {
    FAMILY_ACCESS,   // to memory, by the thread itself
    FAMILY_MULTIMEM, // the same, through multimem addresses
    FAMILY_FENCE,
    FAMILY_COMPUTE,
    FAMILY_FLOW,      // branches and ends
    FAMILY_BARRIER,   // of a CTA, a cluster or a warp
    FAMILY_WARP,      // exchanges between the lanes of a warp
    FAMILY_MBARRIER,  // operations on mbarriers
    FAMILY_COPY,      // asynchronous copies, stores and reductions, and waiting for them
    FAMILY_CANCEL,    // clusterlaunchcontrol
    FAMILY_WGMMA,     // products of matrices by a warpgroup
    FAMILY_TENSOR,    // tcgen05
    FAMILY_TENSORMAP, // changes of tensormaps
    FAMILY_GRID,      // griddepcontrol
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
    EFFECT_ENDS = 128,   // its thread
    EFFECT_FAILS = 256,  // ends the launch, which then has no outcome
};

// What else is asked about an opcode: see opcode_has.
enum opcode_trait {
    // Of work that goes on without its thread:
    TRAIT_STARTS = 0x1,   // an operation
    TRAIT_COMMITS = 0x2,  // what was started, as a group
    TRAIT_WAITS = 0x4,    // for operations, groups or a phase of an mbarrier
    TRAIT_READING = 0x8,  // waits for what operations read, and not for what they write
    TRAIT_SIGNALS = 0x10, // is complete on an mbarrier, if it names one
    TRAIT_PARITY = 0x20,  // is told the parity of the phase, not a state
    // Of how memory is accessed:
    TRAIT_VALUE = 0x40,      // what is written is computed from an operand, in one access
    TRAIT_SIZED = 0x80,      // the type is the size of an access; so it is of what reads and writes
    TRAIT_DIVIDED = 0x100,   // accesses are as small as those of others: only bytes are counted
    TRAIT_MAPPED = 0x200,    // addresses are found in a tensormap
    TRAIT_DESCRIBED = 0x400, // addresses are in descriptors of matrices
    TRAIT_OWN = 0x800,       // generic addresses are of .shared::cta memory, too
    TRAIT_REACHES = 0x1000,  // gives addresses in other CTAs of the cluster
    TRAIT_PROXIES = 0x2000,  // orders what is accessed through several proxies
    // Of matrices and tensor memory:
    TRAIT_PRODUCT = 0x4000,    // multiplies matrices
    TRAIT_ADDS = 0x8000,       // to its destination, which it reads
    TRAIT_ALLOCATES = 0x10000, // tensor memory
    TRAIT_FREES = 0x20000,     // the same
    TRAIT_PAIRS = 0x40000,     // says for how many CTAs it is: .cta_group
    // Of where it can be executed:
    TRAIT_BREAKS = 0x80000,  // touches no memory, and PTX does not define it for all operands
    TRAIT_UNRUN = 0x100000,  // in no harness for GPUs
    TRAIT_PLACED = 0x200000, // what it computes depends on the CTA of its thread, too
};

// Returns the effects of an opcode, ORed, from opcodes.def.
unsigned opcode_effects(enum opcode opcode);

// Returns the family of an opcode, from opcodes.def.
enum opcode_family opcode_family(enum opcode opcode);

// Whether an opcode has a trait, from opcodes.def.
bool opcode_has(enum opcode opcode, enum opcode_trait trait);

// Returns the proxy through which an opcode accesses memory unless its operands name another one.
enum proxy opcode_proxy(enum opcode opcode);

// Whether an opcode is of operations that go on without their thread, or waits for them.
bool opcode_is_asynchronous(enum opcode opcode);

// Whether an opcode is a fence between proxies, and nothing else.
bool opcode_is_proxy_fence(enum opcode opcode);

#endif
