// Calls of CaDiCaL, which is written in C++ and throws an exception where there is no memory left.
#ifndef PTXLITMUS_SOLVER_BACKEND_CADICAL_GUARD_H
#define PTXLITMUS_SOLVER_BACKEND_CADICAL_GUARD_H

#ifdef __cplusplus
extern "C" {
#endif

// Calls `call(context)`. Returns whether it has returned: 0 when it has thrown an exception, for
// want of memory.
int cadical_guard(void (*call)(void *context), void *context);

#ifdef __cplusplus
}
#endif

#endif
