// A test as a PTX module: what it reads like to NVIDIA's assembler.
#ifndef PTXLITMUS_LITMUS_PTX_EMIT_EMIT_H
#define PTXLITMUS_LITMUS_PTX_EMIT_EMIT_H

#include "litmus/test.h"

struct arena;
struct diagnostics;

// What stands at the head of the module.
struct emit_head {
    unsigned version;   // 78 for 7.8
    const char *target; // "sm_90"
};

// Returns the module, owned by the arena: the test's variables, and for each thread a kernel of its
// name ("P0"), whose statements are those of the test. Registers that the test does not declare are
// declared, initial values of registers are moved into them, and at its end a kernel stores the
// registers that the test asks about to variables ("P0_r0"). What a kernel cannot have by itself it
// gets as parameters: the test's own, and the address of each alias. Threads of the host are left
// out, with a comment. Barriers count warps, since PTX takes no other counts: each thread stands
// for one. Functions that are called stand before the kernels. Kernels store the initial values of
// .local variables; those of .shared ones and of parameters, which whoever launches the kernels has
// to see to, stand in comments, and the former in a warning.
//
// Returns NULL after an error where PTX cannot say it: other dialects, the fences of the surface,
// texture and constant proxies, and functions that use what is the kernels' own.
const char *ptx_emit(struct arena *arena, const struct test *test, const struct emit_head *head,
                     struct diagnostics *diagnostics);

#endif
