// The limits of builds without processes: those that the solver keeps by looking at the clock and
// at its memory. Nothing ends the program from outside of the code that works on a test, and the
// system does not tell how much memory there is; who runs the program has to see to both.
#include "cli/jobs/limits.h"

#include "cli/jobs/memory.h"

void limits_begin_reading(double seconds, size_t memory_mb, int status) {
    (void)seconds;
    (void)memory_mb;
    (void)status;
}

void limits_end_reading(void) {
}

double limits_reading_seconds(void) {
    return 0;
}

void limits_no_memory(void) {
}

void limits_begin(double seconds, size_t memory_mb) {
    (void)seconds;
    (void)memory_mb;
}

void limits_end(void) {
}

void memory_use_large_pages(size_t bytes) {
    (void)bytes;
}

void memory_forget_peak(void) {
}

size_t memory_peak_kb(void) {
    return 0;
}
