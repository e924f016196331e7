// Linux reports and resets the peak of a process in /proc (proc(5): VmHWM, clear_refs), and gives
// memory in pages of 2 MB where it is asked to (madvise(2): MADV_HUGEPAGE).
#include "cli/jobs/memory.h"

#include "litmus/source/allocate.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void memory_use_large_pages(size_t bytes) {
    enum { LARGE_PAGE = 2 << 20, KEPT_MOST = 64 << 20, IN_HEAP_MOST = 32 << 20 };
    mallopt(M_MMAP_THRESHOLD, IN_HEAP_MOST); // large pieces come from the heap, too
    mallopt(M_TRIM_THRESHOLD, KEPT_MOST);    // and what is freed stays there
    char *room = try_allocate(bytes + 2 * (size_t)LARGE_PAGE);
    if (room) {
        uintptr_t begin = ((uintptr_t)room + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
        madvise(room + (begin - (uintptr_t)room), bytes + LARGE_PAGE, MADV_HUGEPAGE);
        free(room);
    }
}

void memory_forget_peak(void) {
    malloc_trim(0); // what tests before have freed is not this one's
    int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t written = write(file, "5", 1);
        (void)written; // then the peak is that of all tests so far
        close(file);
    }
}

size_t memory_peak_kb(void) {
    static const char name[] = "VmHWM:";
    char text[4096];
    int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t size = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0)
        close(file);
    text[size > 0 ? size : 0] = '\0';
    const char *peak = strstr(text, name);
    return peak ? strtoul(peak + sizeof name - 1, NULL, 10) : 0;
}
