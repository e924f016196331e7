// Work at the same time, which a build without processes does not do.
#include "cli/jobs/child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool child_start(struct child *child, void (*work)(void *context), void *context) {
    (void)work, (void)context;
    *child = (struct child){.out = -1};
    errno = ENOSYS;
    return false;
}

void child_end(struct child *child) {
    child->out = -1;
}

// The program goes on where this process ends.
int child_run(char *const *words, bool quiet, bool *succeeded) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    for (int i = STDOUT_FILENO; quiet && i <= STDERR_FILENO; i++)
        posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_WRONLY, 0);
    int error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (error == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    *succeeded = error == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return error;
}
