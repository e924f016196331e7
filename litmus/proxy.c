// The columns of litmus/proxies.def.
#include "litmus/proxy.h"

#include <assert.h>

const char *proxy_name(enum proxy proxy) {
    assert((unsigned)proxy < PROXY_COUNT);
    static const char *const names[] = {
#define PROXY(id, name, traits, about) name,
#include "litmus/proxies.def"
    };
    assert((unsigned)proxy < PROXY_COUNT);
    return names[proxy];
}

bool proxy_has(enum proxy proxy, enum proxy_trait trait) {
    assert((unsigned)proxy < PROXY_COUNT);
    static const unsigned char all[] = {
#define PROXY(id, name, traits, about) (traits),
#include "litmus/proxies.def"
    };
    assert((unsigned)proxy < PROXY_COUNT);
    return (all[proxy] & trait) != 0;
}
