// Proxies, through which memory is accessed (PTX ISA 8.6): the rows of litmus/proxies.def.
#ifndef PTXLITMUS_LITMUS_PROXY_H
#define PTXLITMUS_LITMUS_PROXY_H

#include <stdbool.h>

enum proxy {
#define PROXY(id, ...) PROXY_##id,
#include "litmus/proxies.def"
    PROXY_COUNT
};

enum proxy_trait {
    PROXY_WRITES = 1,  // memory is written through it, too
    PROXY_ALIASES = 2, // a name of a variable may be declared to go through it
    PROXY_OF_PTX = 4,  // PTX has fences of this kind
    PROXY_APART = 8,   // such a name is a virtual address of its own
};

// Returns the name of a proxy in declarations: "texture".
const char *proxy_name(enum proxy proxy);

// Whether a proxy has a trait.
bool proxy_has(enum proxy proxy, enum proxy_trait trait);

#endif
