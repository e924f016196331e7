// Runs work that may run out of memory, or find a bug of ours, without ending the process.
#ifndef PTXLITMUS_API_BREAKDOWN_H
#define PTXLITMUS_API_BREAKDOWN_H

#include <stdbool.h>

// What kept a piece of work from its end.
enum breakdown_kind { BREAKDOWN_NONE, BREAKDOWN_MEMORY, BREAKDOWN_BUG };

struct breakdown {
    enum breakdown_kind kind;
    char text[256]; // with BREAKDOWN_BUG: where, and what
};

// Calls work(context) in the locale "C", whatever the thread's is, so that a decimal comma does not
// change what a test says. When it fails, it is abandoned (what it has allocated outside of arenas
// is lost) and `*breakdown` says why. Returns whether it ended normally. Calls on one thread must
// not nest; those on different threads are independent.
bool protect(struct breakdown *breakdown, void (*work)(void *context), void *context);

#endif
