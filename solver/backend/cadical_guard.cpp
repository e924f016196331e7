// Catches what CaDiCaL throws. This is C++, since C cannot do so.
#include "solver/backend/cadical_guard.h"

#include <exception>

int cadical_guard(void (*call)(void *context), void *context) {
    try {
        call(context);
        return 1;
    } catch (const std::exception &) { // std::bad_alloc, or std::length_error of a container
        return 0;
    }
}
