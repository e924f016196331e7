// The watching thread: sleeps until a deadline or an interrupt, then calls `stop` until the guarded
// region is left.

#include "solver/backend/watchdog.h"

#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { NAG_MILLISECONDS = 5 };

struct watchdog {
    void (*stop)(void *context); // NULL: there is no thread
    void *context;
    pthread_t thread;
    sem_t wake;            // posted when anything below changes
    atomic_bool quit;      // the thread shall end
    atomic_bool running;   // between start and finish
    atomic_bool interrupt; // asked for by watchdog_interrupt
    atomic_int state;      // enum watchdog_state of this run
    pthread_mutex_t lock;  // of the fields below
    double deadline_ms;    // of the run; 0 for none
    double end_ms;         // of all runs; 0 for none
    bool inside;           // the guarded region
};

double watchdog_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void sleep_until(struct watchdog *watchdog, double ms) {
    struct timespec until = {.tv_sec = (time_t)(ms / 1e3)};
    until.tv_nsec = (long)((ms - (double)until.tv_sec * 1e3) * 1e6);
    sem_clockwait(&watchdog->wake, CLOCK_MONOTONIC, &until);
}

static void sleep_for_ever(struct watchdog *watchdog) {
    while (sem_wait(&watchdog->wake) != 0 && errno == EINTR)
        ;
}

enum watchdog_state watchdog_poll(struct watchdog *watchdog) {
    enum watchdog_state state = (enum watchdog_state)atomic_load(&watchdog->state);
    if (state != WATCHDOG_QUIET)
        return state;
    // Only the owner changes the deadline, and only it and the watching thread (which holds the
    // lock) read it.
    if (atomic_load(&watchdog->interrupt))
        state = WATCHDOG_INTERRUPTED;
    else if (watchdog->deadline_ms > 0 && watchdog_now_ms() >= watchdog->deadline_ms)
        state = WATCHDOG_TIMEOUT;
    if (state != WATCHDOG_QUIET)
        atomic_store(&watchdog->state, state);
    return state;
}

static void *watch(void *argument) {
    struct watchdog *watchdog = argument;
    while (!atomic_load(&watchdog->quit)) {
        double next_ms = 0;
        pthread_mutex_lock(&watchdog->lock);
        if (atomic_load(&watchdog->running)) {
            if (watchdog_poll(watchdog) == WATCHDOG_QUIET)
                next_ms = watchdog->deadline_ms;
            else if (watchdog->inside) {
                watchdog->stop(watchdog->context);
                next_ms = watchdog_now_ms() + NAG_MILLISECONDS;
            }
        }
        pthread_mutex_unlock(&watchdog->lock);
        if (next_ms > 0)
            sleep_until(watchdog, next_ms);
        else
            sleep_for_ever(watchdog);
    }
    return NULL;
}

struct watchdog *watchdog_new(void (*stop)(void *context), void *context) {
    struct watchdog *watchdog = allocate(1, sizeof *watchdog);
    watchdog->stop = stop;
    watchdog->context = context;
    sem_init(&watchdog->wake, 0, 0);
    pthread_mutex_init(&watchdog->lock, NULL);
    if (stop == NULL)
        return watchdog;
    sigset_t all, old; // signals are for the caller's threads
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    if (pthread_create(&watchdog->thread, NULL, watch, watchdog) != 0)
        bug("cannot start a thread");
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return watchdog;
}

void watchdog_free(struct watchdog *watchdog) {
    if (watchdog == NULL)
        return;
    atomic_store(&watchdog->quit, true);
    sem_post(&watchdog->wake);
    if (watchdog->stop != NULL)
        pthread_join(watchdog->thread, NULL);
    sem_destroy(&watchdog->wake);
    pthread_mutex_destroy(&watchdog->lock);
    free(watchdog);
}

void watchdog_start(struct watchdog *watchdog, double seconds) {
    pthread_mutex_lock(&watchdog->lock);
    double deadline_ms = seconds > 0 ? watchdog_now_ms() + seconds * 1e3 : 0;
    if (watchdog->end_ms > 0 && (deadline_ms == 0 || watchdog->end_ms < deadline_ms))
        deadline_ms = watchdog->end_ms;
    watchdog->deadline_ms = deadline_ms;
    watchdog->inside = false;
    atomic_store(&watchdog->state, WATCHDOG_QUIET);
    atomic_store(&watchdog->running, true);
    pthread_mutex_unlock(&watchdog->lock);
    if (deadline_ms > 0)
        sem_post(&watchdog->wake);
}

void watchdog_end_at(struct watchdog *watchdog, double end_ms) {
    watchdog->end_ms = end_ms;
}

void watchdog_finish(struct watchdog *watchdog) {
    atomic_store(&watchdog->running, false);
    atomic_store(&watchdog->interrupt, false);
}

void watchdog_interrupt(struct watchdog *watchdog) {
    atomic_store(&watchdog->interrupt, true);
    sem_post(&watchdog->wake);
}

bool watchdog_enter(struct watchdog *watchdog) {
    pthread_mutex_lock(&watchdog->lock);
    bool quiet = watchdog_poll(watchdog) == WATCHDOG_QUIET;
    watchdog->inside = quiet;
    pthread_mutex_unlock(&watchdog->lock);
    return quiet;
}

bool watchdog_leave(struct watchdog *watchdog) {
    pthread_mutex_lock(&watchdog->lock);
    watchdog->inside = false;
    bool quiet = watchdog_poll(watchdog) == WATCHDOG_QUIET;
    pthread_mutex_unlock(&watchdog->lock);
    return quiet;
}
