// How much memory this process takes.
#ifndef PTXLITMUS_CLI_JOBS_MEMORY_H
#define PTXLITMUS_CLI_JOBS_MEMORY_H

#include <stddef.h>

// Forgets the peak so far. Without effect where the system cannot (Linux can, since 4.0).
void memory_forget_peak(void);

// The most memory that was resident since then, in KiB, the program's own text and libraries
// included; 0 when the system does not tell.
size_t memory_peak_kb(void);

#endif
