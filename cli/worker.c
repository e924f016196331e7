// Worker processes. A worker's stdout and stderr are files in memory that the parent reads:
// whatever ends the worker, what it said last is there. A socket carries the numbers of jobs one
// way, and the lengths of what was printed the other way.
#include "cli/worker.h"

#include "cli/signals.h"
#include "litmus/source/diagnostics.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct worker_message {
    size_t out_end, err_end, note_size;
    bool is_done;
};

static int own_socket = -1; // of this process, when it is a worker

// --- In the worker -----------------------------------------------------------------------------

static size_t position(int file) {
    off_t at = lseek(file, 0, SEEK_CUR);
    return at < 0 ? 0 : (size_t)at;
}

static void tell(const struct worker_message *message) {
    if (send(own_socket, message, sizeof *message, MSG_NOSIGNAL) != (ssize_t)sizeof *message) {
        _exit(0); // nobody listens any more
    }
}

void worker_flush(void) {
    if (own_socket >= 0) {
        fflush(stdout);
        struct worker_message message = {.out_end = position(STDOUT_FILENO),
                                         .err_end = position(STDERR_FILENO)};
        tell(&message);
    }
}

// The parent has emptied the files.
static void work(const struct worker_task *task, size_t job, FILE *note) {
    rewind(stdout);
    rewind(stderr);
    rewind(note);
    task->work(task->context, job, note);
    fflush(stdout);
    fflush(note);
    struct worker_message message = {.out_end = position(STDOUT_FILENO),
                                     .err_end = position(STDERR_FILENO),
                                     .note_size = position(fileno(note)),
                                     .is_done = true};
    tell(&message);
}

static _Noreturn void serve(const struct worker *worker, const struct worker_task *task) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // however the parent ends, no worker is left behind
    own_socket = worker->socket;
    FILE *note = fdopen(worker->note, "w");
    if (!note || dup2(worker->out, STDOUT_FILENO) < 0 || dup2(worker->err, STDERR_FILENO) < 0) {
        _exit(1);
    }
    signals_in_worker();
    task->enter(task->context);
    size_t job;
    while (recv(worker->socket, &job, sizeof job, 0) == (ssize_t)sizeof job) {
        work(task, job, note);
    }
    task->leave(task->context);
    fclose(note);
    exit(0);
}

// --- In the parent -----------------------------------------------------------------------------

static void close_files(const struct worker *worker) {
    const int files[] = {worker->socket, worker->out, worker->err, worker->note};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i] >= 0) {
            close(files[i]);
        }
    }
}

static bool open_files(struct worker *worker, int *far_socket) {
    int sockets[2] = {-1, -1};
    bool paired = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0;
    worker->socket = sockets[0];
    *far_socket = sockets[1];
    worker->out = worker->err = worker->note = -1;
    if (paired) {
        worker->out = memfd_create("stdout", MFD_CLOEXEC);
        worker->err = memfd_create("stderr", MFD_CLOEXEC);
        worker->note = memfd_create("note", MFD_CLOEXEC);
    }
    return paired && worker->out >= 0 && worker->err >= 0 && worker->note >= 0;
}

// Forks, with the signal of worker_interrupt held back until the child can take it.
static pid_t fork_held(void) {
    sigset_t held, old;
    sigemptyset(&held);
    sigaddset(&held, SIGNAL_OF_WORKERS);
    sigprocmask(SIG_BLOCK, &held, &old);
    pid_t pid = fork();
    if (pid != 0) {
        sigprocmask(SIG_SETMASK, &old, NULL);
    }
    return pid;
}

bool worker_start(struct worker *worker, const struct worker_task *task,
                  const struct worker *others, size_t other_count) {
    int far_socket;
    *worker = (struct worker){0};
    worker->pid = open_files(worker, &far_socket) ? fork_held() : -1;
    if (worker->pid == 0) {
        close(worker->socket);
        worker->socket = far_socket;
        for (size_t i = 0; i < other_count; i++) {
            close_files(&others[i]);
        }
        serve(worker, task);
    }
    int error = errno;
    if (far_socket >= 0) {
        close(far_socket);
    }
    if (worker->pid < 0) {
        close_files(worker);
    }
    errno = error;
    return worker->pid > 0;
}

bool worker_send(const struct worker *worker, size_t job) {
    return send(worker->socket, &job, sizeof job, MSG_NOSIGNAL) == (ssize_t)sizeof job;
}

// Reads a part of a file into memory; what is missing is left out of `*size`.
static char *part_of(int file, size_t begin, size_t *size) {
    char *text = malloc(*size + 1);
    if (!text) {
        bug("no memory for the output of a test");
    }
    size_t done = 0;
    while (done < *size) {
        ssize_t got = pread(file, text + done, *size - done, (off_t)(begin + done));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        done += (size_t)got;
    }
    *size = done;
    text[done] = '\0';
    return text;
}

static char *next_part(int file, size_t *at, size_t end, size_t *size) {
    *size = end > *at ? end - *at : 0;
    char *text = part_of(file, *at, size);
    *at = end;
    return text;
}

// The end of a worker that says no more: its last words are on stderr. What it had begun to print
// on stdout is dropped, as it is when a run of one process ends so.
static void take_last_words(struct worker *worker, struct worker_text *text) {
    struct stat status = {0};
    fstat(worker->err, &status);
    text->err = next_part(worker->err, &worker->err_at, (size_t)status.st_size, &text->err_size);
}

static void empty_files(struct worker *worker) {
    if (ftruncate(worker->out, 0) != 0 || ftruncate(worker->err, 0) != 0 ||
        ftruncate(worker->note, 0) != 0) {
        bug("a file in memory cannot be emptied");
    }
    worker->out_at = worker->err_at = 0;
}

enum worker_event worker_receive(struct worker *worker, struct worker_text *text, char **note,
                                 size_t *note_size) {
    struct worker_message message;
    *text = (struct worker_text){0};
    ssize_t got;
    do {
        got = recv(worker->socket, &message, sizeof message, 0);
    } while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof message) {
        take_last_words(worker, text);
        return WORKER_LOST;
    }
    text->err = next_part(worker->err, &worker->err_at, message.err_end, &text->err_size);
    text->out = next_part(worker->out, &worker->out_at, message.out_end, &text->out_size);
    if (!message.is_done) {
        return WORKER_PRINTED;
    }
    *note_size = message.note_size;
    *note = part_of(worker->note, 0, note_size);
    empty_files(worker);
    return WORKER_DONE;
}

void worker_interrupt(const struct worker *worker) {
    kill(worker->pid, SIGNAL_OF_WORKERS);
}

int worker_end(struct worker *worker) {
    int status = 0;
    close_files(worker);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}
