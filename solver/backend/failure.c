// How problems fail, whichever engine's they are.

#include "solver/backend/internal.h"

#include <stdio.h>

void backend_fail(struct backend *backend, enum unknown_reason reason, const char *text) {
    if (backend->failure != REASON_NONE)
        return;
    backend->failure = reason;
    snprintf(backend->reason_text, sizeof backend->reason_text, "%s", text);
}

void backend_err(struct backend *backend, enum unknown_reason reason, const char *text) {
    backend->erred = true;
    backend_fail(backend, reason, text);
}

bool backend_stopped(struct backend *backend) {
    switch (watchdog_poll(backend->watchdog)) {
    case WATCHDOG_TIMEOUT:
        backend_fail(backend, REASON_TIMEOUT, "the time limit was reached");
        break;
    case WATCHDOG_INTERRUPTED: backend_fail(backend, REASON_INTERRUPTED, "interrupted"); break;
    case WATCHDOG_QUIET: return false;
    }
    return true;
}

// Building a large problem can take longer than solving it, so it looks at the clock too.
bool backend_failed_or_stopped(struct backend *backend) {
    enum { STEPS = 256 };
    if (!backend_failed(backend) && ++backend->steps % STEPS == 0)
        backend_stopped(backend);
    return backend_failed(backend);
}

bool backend_failed(const struct backend *backend) {
    return backend->failure != REASON_NONE;
}

bool backend_erred(const struct backend *backend) {
    return backend->erred;
}

enum unknown_reason backend_reason(const struct backend *backend, const char **text) {
    enum unknown_reason reason = backend_failed(backend) ? backend->failure : backend->reason;
    if (text != NULL)
        *text = reason == REASON_NONE ? NULL : backend->reason_text;
    return reason;
}
