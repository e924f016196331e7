// What Emscripten's C library lacks and the program only names: it is never called in a browser, where there are no
// threads to wait and no programs to start. Included before each file of C.
#ifndef PTXLITMUS_WEB_MISSING_H
#define PTXLITMUS_WEB_MISSING_H

#include <semaphore.h>
#include <time.h>

// Fails with ENOSYS.
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until);

#endif
