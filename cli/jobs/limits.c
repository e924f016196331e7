// A timer ends the worker a while after its time is up, unless the test has ended on its own, and
// as soon as it has more memory than its limit. A single large allocation is refused by
// RLIMIT_DATA, which also ends the worker. No function here needs locks that the test may hold.
#include "cli/jobs/limits.h"

#include "cli/jobs/signals.h"
#include "litmus/source/allocate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_BASE = 100 }; // and an enum limit: how a worker exits

// How long a test may go on after its time is up: to stop the solver, say what was found, print it.
// That is the process' own time, for on a busy machine it may get little of it; but one that waits
// for input, on two ticks in turn, waits in vain.
enum { TICK_MS = 20, GRACE_MS = 300, GRACE_TICKS_MOST = 250, WAITING_TICKS = 5 };
enum { READING_GRACE_MS = 100 }; // which a test then has less
#ifdef NDEBUG
enum { SLOWNESS = 1 };
#else
enum { SLOWNESS = 10 }; // checks and sanitizers: everything takes longer, and more memory
#endif

// Of the process, since a signal handler gets no context.
static struct {
    timer_t timer;
    bool has_timer;
    int statm;                     // proc(5), open
    size_t own_bytes, own_data;    // in use before the first test: resident; and asked for
    rlim_t data_before;            // the bound that the process came with
    volatile sig_atomic_t is_busy; // with a test
    volatile sig_atomic_t over;    // enum limit: its time is up
    double deadline_ms;            // of the test; 0: none
    size_t most_bytes;             // that it may have resident; 0: no limit
    double cpu_ms, last_cpu_ms;    // of the process, when its time was up, and at the last tick
    long last_waits;
    int ticks, waiting_ticks;
} limits;

// Of the program while it reads what tests need.
static struct {
    volatile sig_atomic_t is_on;
    bool has_begun;
    double begun_ms;    // by the clock
    double cpu_ms;      // when it began; at its end, what it took
    double most_ms;     // of that
    int status;         // of the program that a limit ends
    char time_text[96]; // what it says then
    char memory_text[96];
} reading;

static double clock_ms(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static double cpu_ms(void) {
    return clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

static void set_ticking(bool ticks) {
    if (limits.has_timer) {
        struct timespec tick = {.tv_nsec = ticks ? TICK_MS * 1000000L : 0};
        struct itimerspec times = {.it_value = tick, .it_interval = tick};
        timer_settime(limits.timer, 0, &times, NULL);
    }
}

// The n-th number of /proc/self/statm, in bytes; 0 when the system does not tell. (In a signal
// handler: no streams, no locale.)
enum statm { STATM_RESIDENT = 1, STATM_SHARED = 2, STATM_DATA = 5 };
static size_t statm(enum statm number) {
    char text[256];
    ssize_t size = limits.statm < 0 ? 0 : pread(limits.statm, text, sizeof text - 1, 0);
    size_t pages = 0;
    int at = 0;
    for (ssize_t i = 0; i < size && at <= (int)number; i++)
        if (text[i] == ' ')
            at++;
        else if (at == (int)number)
            pages = pages * 10 + (size_t)(text[i] - '0');
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t resident_bytes(void) {
    size_t resident = statm(STATM_RESIDENT), shared = statm(STATM_SHARED);
    return resident > shared ? resident - shared : 0;
}

static void start_grace(enum limit limit) {
    limits.over = (sig_atomic_t)limit;
    limits.cpu_ms = limits.last_cpu_ms = cpu_ms();
    limits.ticks = limits.waiting_ticks = 0;
}

// Whether the process waits for something: it has hardly run since the last tick, because it gave
// the processor up itself. (One that was not given a processor is not waiting.)
static bool is_waiting(void) {
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    double now_ms = cpu_ms();
    bool waits = now_ms - limits.last_cpu_ms < 1 && usage.ru_nvcsw > limits.last_waits;
    limits.last_cpu_ms = now_ms;
    limits.last_waits = usage.ru_nvcsw;
    limits.waiting_ticks = waits ? limits.waiting_ticks + 1 : 0;
    return limits.waiting_ticks >= WAITING_TICKS;
}

static _Noreturn void end_program(const char *text) {
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
    _exit(reading.status);
}

// A busy machine must not end a program of which nothing is slow: only processor time counts, a
// little more than the limit, and waiting for input.
static void check_reading(void) {
    if (limits.most_bytes > 0 && resident_bytes() > limits.most_bytes)
        end_program(reading.memory_text);
    bool waits = is_waiting();
    if (limits.deadline_ms > 0 && (cpu_ms() - reading.cpu_ms >= reading.most_ms ||
                                   (waits && clock_ms(CLOCK_MONOTONIC) >= limits.deadline_ms)))
        end_program(reading.time_text);
}

static void on_tick(int signal_number) {
    (void)signal_number;
    int error = errno;
    if (reading.is_on) {
        check_reading();
        errno = error;
        return;
    }
    if (limits.most_bytes > 0 && resident_bytes() > limits.most_bytes)
        _exit(STATUS_BASE + LIMIT_MEMORY);
    if (limits.over == LIMIT_NONE) {
        if (limits.deadline_ms > 0 && clock_ms(CLOCK_MONOTONIC) >= limits.deadline_ms)
            start_grace(LIMIT_TIME);
    } else if (is_waiting() || cpu_ms() - limits.cpu_ms > GRACE_MS * SLOWNESS ||
               ++limits.ticks > GRACE_TICKS_MOST * SLOWNESS) {
        _exit(STATUS_BASE + limits.over);
    }
    errno = error;
}

static void on_no_memory(void) {
    _exit(STATUS_BASE + LIMIT_MEMORY);
}

// The signal that ticks, and what is in use before the first test.
static void prepare(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGNAL_OF_LIMITS};
    struct sigaction action = {.sa_handler = on_tick, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGNAL_OF_WORKERS);
    sigaction(SIGNAL_OF_LIMITS, &action, NULL);
    limits.has_timer = timer_create(CLOCK_MONOTONIC, &event, &limits.timer) == 0;
    limits.statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    limits.own_bytes = resident_bytes();
    limits.own_data = statm(STATM_DATA);
    struct rlimit bound;
    limits.data_before = getrlimit(RLIMIT_DATA, &bound) == 0 ? bound.rlim_cur : RLIM_INFINITY;
}

void limits_enter(void) {
    prepare();
    out_of_memory_calls(on_no_memory);
}

// Z3 counts what it has allocated itself, and stops cleanly when that is too much. What
// is resident is some more, by what malloc adds to each piece, and what is asked for yet more, by
// stacks and room that is not used.
static void bound_memory(size_t memory_mb) {
    enum { ANY_TEST_MB = 16, UNUSED_MB = 64 }; // in a process that has run no test
    struct rlimit bound;
    limits.most_bytes = 0;
    if (SLOWNESS > 1 || limits.own_data == 0 || getrlimit(RLIMIT_DATA, &bound) != 0)
        return;
    size_t tenth = memory_mb > SIZE_MAX >> 24 ? 0 : (memory_mb << 20) / 10;
    size_t data = limits.own_data + ((size_t)(ANY_TEST_MB + UNUSED_MB) << 20) + 12 * tenth;
    if (tenth > 0)
        limits.most_bytes = limits.own_bytes + ((size_t)ANY_TEST_MB << 20) + 11 * tenth;
    bound.rlim_cur = tenth > 0 && data < limits.data_before ? data : limits.data_before;
    setrlimit(RLIMIT_DATA, &bound);
}

void limits_begin_reading(double seconds, size_t memory_mb, int status) {
    if (!reading.has_begun) {
        prepare();
        reading.begun_ms = clock_ms(CLOCK_MONOTONIC);
        reading.cpu_ms = cpu_ms();
        reading.has_begun = true;
    }
    set_ticking(false);
    reading.status = status;
    snprintf(reading.time_text, sizeof reading.time_text,
             "ptxlitmus: undecided: the time limit of %g s was reached before any test was run\n",
             seconds);
    snprintf(reading.memory_text, sizeof reading.memory_text,
             "ptxlitmus: undecided: the memory limit of %zu MB was reached before any test was "
             "run\n",
             memory_mb);
    limits.deadline_ms = seconds > 0 ? reading.begun_ms + seconds * 1e3 : 0;
    reading.most_ms = seconds * 1e3 + READING_GRACE_MS * SLOWNESS;
    bound_memory(memory_mb);
    reading.is_on = true;
    set_ticking(seconds > 0 || limits.most_bytes > 0);
}

void limits_end_reading(void) {
    if (reading.is_on) {
        set_ticking(false);
        reading.is_on = false;
        reading.cpu_ms = cpu_ms() - reading.cpu_ms;
        bound_memory(0);
    }
}

double limits_reading_seconds(void) {
    return reading.has_begun && !reading.is_on ? reading.cpu_ms / 1e3 : 0;
}

void limits_no_memory(void) {
    if (reading.is_on && limits.most_bytes > 0)
        end_program(reading.memory_text);
}

void limits_begin(double seconds, size_t memory_mb) {
    set_ticking(false);
    limits.over = LIMIT_NONE;
    limits.is_busy = true;
    limits.deadline_ms = seconds > 0 ? clock_ms(CLOCK_MONOTONIC) + seconds * 1e3 : 0;
    bound_memory(memory_mb);
    set_ticking(seconds > 0 || limits.most_bytes > 0);
    if (signals_interrupted())
        limits_interrupt();
}

void limits_end(void) {
    limits.is_busy = false;
    set_ticking(false);
}

void limits_interrupt(void) {
    if (limits.is_busy && limits.over == LIMIT_NONE) {
        start_grace(LIMIT_INTERRUPT);
        set_ticking(true);
    }
}

enum limit limits_of_status(int exit_status) {
    return exit_status > STATUS_BASE && exit_status <= STATUS_BASE + LIMIT_INTERRUPT
               ? (enum limit)(exit_status - STATUS_BASE)
               : LIMIT_NONE;
}
