// Locks that guard the sections of another chain: what is done between taking a lock and giving it
// back. The proof that such sections are a chain then takes a few cases (chains_cases.c), since of
// any two sections of the lock the one comes before the other.

#include "solver/encode/chains.h"

bool chains_is_linked(const struct encoder *encoder, const struct chain *lock, unsigned node,
                      size_t first, size_t second, unsigned a, unsigned b) {
    const struct bound *bound = &encoder->bounds->nodes[node];
    bool linked = false;
    for (size_t i = 0; i < lock->linked_count; i++)
        linked = linked || lock->linked[i] == node;
    return linked && chains_is_before(bound, a, lock->writes[first]) &&
           chains_is_before(bound, lock->reads[second]->id, b);
}

// The section of the lock that a read and a write are in, or one more than there are. Of sections
// of one thread that a write is in or before, it is in the first one.
static size_t section_around(const struct bound *bound, const struct chain *lock, unsigned read,
                             unsigned write) {
    size_t found = lock->count;
    for (size_t i = 0; i < lock->count; i++)
        if (chains_is_before(bound, lock->reads[i]->id, read) &&
            chains_is_before(bound, write, lock->writes[i]) &&
            (found == lock->count ||
             relation_has(&bound->must, lock->writes[i], lock->writes[found])))
            found = i;
    return found;
}

// Finds the lock's sections around those of the chain. False where one is in none.
static bool find_sections(const struct encoder *encoder, const struct chain *chain,
                          const struct chain *lock, size_t *sections) {
    const struct bound *bound = &encoder->bounds->nodes[lock->linked[0]];
    for (size_t i = 0; i < chain->count; i++) {
        sections[i] = section_around(bound, lock, chain->reads[i]->id, chain->writes[i]);
        if (sections[i] == lock->count)
            return false;
    }
    return true;
}

struct chain_guard chains_guard(const struct encoder *encoder, const struct chains *chains,
                                const struct chain *chain) {
    struct chain_guard guard = {NULL, ARENA_ARRAY(encoder->arena, size_t, chain->count)};
    for (size_t i = 0; i < chains->count && guard.lock == NULL; i++) {
        const struct chain *lock = &chains->items[i];
        if (lock != chain && lock->state == CHAIN_PROVEN && lock->linked_count > 0 &&
            find_sections(encoder, chain, lock, guard.sections))
            guard.lock = lock;
    }
    return guard;
}
