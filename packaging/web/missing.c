// See missing.h; and the functions that the C library declares and does not have.
#include "packaging/web/missing.h"

#include <errno.h>
#include <spawn.h>

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
    (void)semaphore;
    (void)clock;
    (void)until;
    errno = ENOSYS;
    return -1;
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const *words, char *const *environment) {
    (void)pid;
    (void)file;
    (void)actions;
    (void)attributes;
    (void)words;
    (void)environment;
    return ENOSYS;
}
