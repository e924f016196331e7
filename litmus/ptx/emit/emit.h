// A test as a PTX module, for NVIDIA's assembler.
#ifndef PTXLITMUS_LITMUS_PTX_EMIT_EMIT_H
#define PTXLITMUS_LITMUS_PTX_EMIT_EMIT_H

#include "litmus/test.h"

struct arena;
struct diagnostics;

// What the head of the module says.
struct emit_head {
    unsigned version;   // 78 for 7.8
    const char *target; // "sm_90"
};

// Returns the module, owned by the arena: the test's variables, and for each thread a kernel with
// its name ("P0"), whose statements are those of the test. Registers that the test does not declare
// are declared, initial values of registers are moved into them, and at its end a kernel stores the
// registers that the test asks about to variables ("P0_r0"). A kernel has parameters for what it
// cannot define: the test's own parameters, and the address of each alias. Threads of the host are
// left out, with a comment. Barriers count warps, since PTX takes no other counts: each thread
// represents one warp. Functions that are called precede the kernels. Kernels store the initial
// values of .local variables. Those of .shared variables and of parameters, which must be set when
// the kernels are launched, are given in comments, and those of .shared variables in a warning.
// That a test is launched cooperatively is a comment, too, and what it says of progress and of
// time-outs is left out.
//
// Returns NULL after an error about what PTX cannot express: other dialects, the fences of the
// surface, texture and constant proxies, and functions that use what belongs to the kernels.
const char *ptx_emit(struct arena *arena, const struct test *test, const struct emit_head *head,
                     struct diagnostics *diagnostics);

// How a thread's body is written for an asm statement of CUDA, in which many threads of a CTA play
// one of the test, each in an instance of its own.
struct emit_role {
    size_t slots;         // that many threads of a CTA play one of the test
    const size_t *counts; // by thread of the test: those in its CTA, for barriers without a count
    bool is_control;      // without fences, and with all orders of accesses relaxed
};

// Returns the statements of a thread in PTX, one per line, owned by the arena. They use registers
// that what surrounds them declares: `%at_x` and, for shared memory, `%at32_x`, the addresses of
// the test's variables in their state spaces; `%loop_limit` (.u32), the rounds of loops after which
// a thread goes on as if the loop had ended; `%loop_rounds` (.u32) and `%loop_ran_out` (.pred),
// which begin as 0; `%loop_left`, `%loop_again` and `%loop_stuck` (.pred). All other registers are
// declared. What PTX could not say is not looked for here.
const char *ptx_emit_role(struct arena *arena, const struct test *test, size_t thread,
                          const struct emit_role *role);

// Whether a control lacks something that the test has: a fence, or an order other than relaxed.
bool ptx_role_has_control(const struct test *test);

// Returns the opcode of an instruction with its qualifiers as the body of a role has it; owned by
// the arena.
const char *ptx_role_opcode(struct arena *arena, const struct instruction *instruction,
                            bool is_control);

// Whether the body of a role has the instruction: a control lacks those that only order.
bool ptx_role_has(const struct instruction *instruction, bool is_control);

#endif
