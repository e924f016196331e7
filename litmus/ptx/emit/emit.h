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
// That a test is launched cooperatively is a comment, too, and what it says of progress is left
// out.
//
// Returns NULL after an error about what PTX cannot express: other dialects, the fences of the
// surface, texture and constant proxies, and functions that use what belongs to the kernels.
const char *ptx_emit(struct arena *arena, const struct test *test, const struct emit_head *head,
                     struct diagnostics *diagnostics);

#endif
