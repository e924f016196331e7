// How much memory this process takes.
#ifndef PTXLITMUS_CLI_JOBS_MEMORY_H
#define PTXLITMUS_CLI_JOBS_MEMORY_H

#include <stddef.h>

// Has so many bytes that are allocated next come in large pages, where the system gives these for
// the asking (Linux does, unless it was told not to): the kernel then has a page to clear for each
// 2 MB, not for each 4 KB.
void memory_use_large_pages(size_t bytes);

// Forgets the peak so far. Has no effect where the system does not offer that (Linux does, since
// 4.0).
void memory_forget_peak(void);

// Returns the most memory that was resident since then, in KiB, including the program's own text
// and libraries; 0 when the system does not tell.
size_t memory_peak_kb(void);

#endif
