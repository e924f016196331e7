// Worker processes. A worker's stdout and stderr are files in memory that the parent reads:
// whatever ends the worker, its last output is there. A socket carries the numbers of jobs one
// way, and the lengths of what was printed the other way. What a limit leaves of a test is in a
// file from the test's beginning: a worker that is ended by one has no time to report it.
#include "cli/jobs/worker.h"

#include "cli/jobs/signals.h"
#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum message_kind { MESSAGE_PRINTED, MESSAGE_LEFT, MESSAGE_DONE };

struct worker_message {
    enum message_kind kind;
    size_t out_end, err_end, note_size;
    struct worker_will will;
};

struct worker_order {
    size_t job, part;
};

static int own_socket = -1; // of this process, when it is a worker
static int own_last = -1;

// --- In the worker -----------------------------------------------------------------------------

static size_t position(int file) {
    off_t at = lseek(file, 0, SEEK_CUR);
    if (at < 0)
        bug("cannot tell where the output ends: %s", strerror(errno));
    return (size_t)at;
}

static void tell(const struct worker_message *message) {
    if (send(own_socket, message, sizeof *message, MSG_NOSIGNAL) != (ssize_t)sizeof *message)
        _exit(0); // the parent has closed its end
}

void worker_flush(void) {
    if (own_socket >= 0) {
        fflush(stdout);
        struct worker_message message = {.kind = MESSAGE_PRINTED,
                                         .out_end = position(STDOUT_FILENO),
                                         .err_end = position(STDERR_FILENO)};
        tell(&message);
    }
}

static void write_last(const char *text, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t got = write(own_last, text + done, size - done);
        if (got < 0 && errno != EINTR)
            bug("a file in memory cannot be written: %s", strerror(errno));
        done += got > 0 ? (size_t)got : 0;
    }
}

void worker_leave(const struct worker_text texts[LIMIT_COUNT], size_t next) {
    if (own_socket < 0)
        return;
    struct worker_message message = {.kind = MESSAGE_LEFT};
    struct worker_will *will = &message.will;
    *will = (struct worker_will){.is_made = true, .begin = position(own_last), .next = next};
    for (size_t i = 0; i < LIMIT_COUNT; i++) {
        write_last(texts[i].err, texts[i].err_size);
        write_last(texts[i].out, texts[i].out_size);
        write_last(texts[i].note, texts[i].note_size);
        will->sizes[i].err = texts[i].err_size;
        will->sizes[i].out = texts[i].out_size;
        will->sizes[i].note = texts[i].note_size;
    }
    tell(&message);
}

// The parent has emptied the files.
static void work(const struct worker_task *task, const struct worker_order *order, FILE *note) {
    rewind(stdout);
    rewind(stderr);
    rewind(note);
    if (lseek(own_last, 0, SEEK_SET) != 0)
        bug("a file in memory cannot be written: %s", strerror(errno));
    const struct worker_streams streams = {.out = stdout, .err = stderr, .note = note};
    task->work(task->context, order->job, order->part, &streams);
    fflush(stdout);
    if (fflush(note) != 0)
        bug("a file in memory cannot be written: %s", strerror(errno));
    struct worker_message message = {.kind = MESSAGE_DONE,
                                     .out_end = position(STDOUT_FILENO),
                                     .err_end = position(STDERR_FILENO),
                                     .note_size = position(fileno(note))};
    tell(&message);
}

static _Noreturn void serve(const struct worker *worker, const struct worker_task *task) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // however the parent ends, no worker is left behind
    own_socket = worker->socket;
    own_last = worker->last;
    if (dup2(worker->out, STDOUT_FILENO) < 0 || dup2(worker->err, STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
    signals_in_worker(limits_interrupt);
    limits_enter();
    FILE *note = fdopen(worker->note, "w");
    if (!note)
        out_of_memory();
    task->enter(task->context);
    struct worker_order order;
    while (recv(worker->socket, &order, sizeof order, 0) == (ssize_t)sizeof order)
        work(task, &order, note);
    rewind(stderr); // the parent has emptied it
    task->leave(task->context);
    fclose(note);
    exit(0);
}

// --- In the parent -----------------------------------------------------------------------------

void worker_close(const struct worker *worker) {
    const int files[] = {worker->socket, worker->out, worker->err, worker->note, worker->last};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i] >= 0)
            close(files[i]);
}

static bool open_files(struct worker *worker, int *far_socket) {
    int sockets[2] = {-1, -1};
    bool paired = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) == 0;
    worker->socket = sockets[0];
    *far_socket = sockets[1];
    worker->out = worker->err = worker->note = worker->last = -1;
    if (paired) {
        worker->out = memfd_create("stdout", MFD_CLOEXEC);
        worker->err = memfd_create("stderr", MFD_CLOEXEC);
        worker->note = memfd_create("note", MFD_CLOEXEC);
        worker->last = memfd_create("last", MFD_CLOEXEC);
    }
    return paired && worker->out >= 0 && worker->err >= 0 && worker->note >= 0 && worker->last >= 0;
}

// Forks, with the signal of worker_interrupt held back until the child can take it.
static pid_t fork_held(void) {
    sigset_t held, old;
    sigemptyset(&held);
    sigaddset(&held, SIGNAL_OF_WORKERS);
    sigprocmask(SIG_BLOCK, &held, &old);
    pid_t pid = fork();
    if (pid != 0)
        sigprocmask(SIG_SETMASK, &old, NULL);
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
        for (size_t i = 0; i < other_count; i++)
            worker_close(&others[i]);
        serve(worker, task);
    }
    int error = errno;
    if (far_socket >= 0)
        close(far_socket);
    if (worker->pid < 0)
        worker_close(worker);
    errno = error;
    return worker->pid > 0;
}

bool worker_send(const struct worker *worker, size_t job, size_t part) {
    struct worker_order order = {job, part};
    return send(worker->socket, &order, sizeof order, MSG_NOSIGNAL) == (ssize_t)sizeof order;
}

// Reads a part of a file into memory. NULL, with errno, when not all of it can be had.
static char *part_of(int file, size_t begin, size_t size) {
    char *text = allocate(size + 1, 1);
    size_t done = 0;
    while (done < size) {
        ssize_t got = pread(file, text + done, size - done, (off_t)(begin + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got == 0 ? ENODATA : errno;
            free(text);
            return NULL;
        }
        done += (size_t)got;
    }
    return text;
}

// What was printed since the last time, up to `end`. False when it cannot be read.
static bool next_part(int file, size_t *at, size_t end, char **text, size_t *size) {
    *size = end > *at ? end - *at : 0;
    *text = part_of(file, *at, *size);
    *at = end;
    return *text != NULL;
}

// What it had begun to print on stdout is dropped, as it is when a run of one process ends so.
struct worker_text worker_last_words(struct worker *worker) {
    struct worker_text text = {0};
    struct stat status = {0};
    if (fstat(worker->err, &status) != 0 ||
        !next_part(worker->err, &worker->err_at, (size_t)status.st_size, &text.err, &text.err_size))
        text.err_size = 0;
    return text;
}

static void empty_files(struct worker *worker) {
    if (ftruncate(worker->out, 0) != 0 || ftruncate(worker->err, 0) != 0 ||
        ftruncate(worker->note, 0) != 0 || ftruncate(worker->last, 0) != 0)
        bug("a file in memory cannot be emptied: %s", strerror(errno));
    worker->out_at = worker->err_at = 0;
}

// Takes what a message is about. What cannot be read is a job's output, so the worker is given up.
static bool take(struct worker *worker, const struct worker_message *message,
                 struct worker_text *text) {
    if (!next_part(worker->err, &worker->err_at, message->err_end, &text->err, &text->err_size) ||
        !next_part(worker->out, &worker->out_at, message->out_end, &text->out, &text->out_size))
        return false;
    if (message->kind == MESSAGE_DONE) {
        text->note = part_of(worker->note, 0, message->note_size);
        text->note_size = message->note_size;
    }
    return message->kind != MESSAGE_DONE || text->note;
}

static void give_up(struct worker *worker, struct worker_text *text) {
    fprintf(stderr, "ptxlitmus: error: the output of a process cannot be read: %s\n",
            strerror(errno));
    worker_texts_free(text, 1);
    *text = (struct worker_text){0};
    kill(worker->pid, SIGKILL);
}

enum worker_event worker_receive(struct worker *worker, struct worker_text *text) {
    struct worker_message message;
    *text = (struct worker_text){0};
    ssize_t got;
    do {
        got = recv(worker->socket, &message, sizeof message, 0);
    } while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof message) {
        *text = worker_last_words(worker);
        return WORKER_LOST;
    }
    worker->will = message.will;
    if (message.kind == MESSAGE_LEFT)
        return WORKER_PRINTED;
    if (!take(worker, &message, text)) {
        give_up(worker, text);
        return WORKER_LOST;
    }
    if (message.kind == MESSAGE_PRINTED)
        return WORKER_PRINTED;
    empty_files(worker);
    return WORKER_DONE;
}

bool worker_last(const struct worker *worker, enum limit limit, struct worker_text *text,
                 size_t *next) {
    const struct worker_will *will = &worker->will;
    size_t at = will->begin;
    *text = (struct worker_text){0};
    for (size_t i = 0; i < (size_t)limit; i++)
        at += will->sizes[i].err + will->sizes[i].out + will->sizes[i].note;
    text->err_size = will->sizes[limit].err;
    text->out_size = will->sizes[limit].out;
    text->note_size = will->sizes[limit].note;
    if (!will->is_made || text->note_size == 0)
        return false;
    *next = will->next;
    text->err = part_of(worker->last, at, text->err_size);
    text->out = part_of(worker->last, at + text->err_size, text->out_size);
    text->note = part_of(worker->last, at + text->err_size + text->out_size, text->note_size);
    if (text->err && text->out && text->note)
        return true;
    worker_texts_free(text, 1);
    return false;
}

void worker_interrupt(const struct worker *worker) {
    kill(worker->pid, SIGNAL_OF_WORKERS);
}

int worker_wait(struct worker *worker) {
    int status = 0;
    close(worker->socket);
    worker->socket = -1;
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}
