// Linux reports and resets the peak of a process in /proc (proc(5): VmHWM, clear_refs).
#include "cli/jobs/memory.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    if (file >= 0) {
        close(file);
    }
    text[size > 0 ? size : 0] = '\0';
    const char *peak = strstr(text, name);
    return peak ? strtoul(peak + sizeof name - 1, NULL, 10) : 0;
}
