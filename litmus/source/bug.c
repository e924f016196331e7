// The one way in which a broken invariant ends the program.
#include "litmus/source/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local bug_handler on_bug;

bug_handler bug_calls(bug_handler handler) {
    bug_handler before = on_bug;
    on_bug = handler;
    return before;
}

_Noreturn void bug_at(const char *file, int line, const char *format, ...) {
    enum { TEXT_BYTES = 1024 };
    char text[TEXT_BYTES]; // no memory may be left
    int place = snprintf(text, sizeof text, "%s:%d: ", file, line);
    size_t used = place > 0 && (size_t)place < sizeof text ? (size_t)place : 0;
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
    if (on_bug)
        on_bug(text);
    fprintf(stderr, "ptxlitmus: internal error at %s\n", text);
    abort();
}
