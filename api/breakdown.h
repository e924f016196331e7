// Work that may run out of memory, or meet a bug of ours, without an end of the process.
#ifndef PTXLITMUS_API_BREAKDOWN_H
#define PTXLITMUS_API_BREAKDOWN_H

#include <stdbool.h>

// What kept a piece of work from its end.
enum breakdown_kind { BREAKDOWN_NONE, BREAKDOWN_MEMORY, BREAKDOWN_BUG };

struct breakdown {
    enum breakdown_kind kind;
    char text[256]; // with BREAKDOWN_BUG: where, and what
};

// Calls work(context), in the locale "C" whatever the thread's is: a comma in numbers must not
// change what a test says. When it fails, it is left where it was (what it had allocated outside of
// arenas is lost), and what is known stands in `*breakdown`. True when it came to its end. Calls on
// one thread do not nest; those on several do not meet.
bool protect(struct breakdown *breakdown, void (*work)(void *context), void *context);

#endif
