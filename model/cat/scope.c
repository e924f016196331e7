// Names and what they mean: a hash table into a list that only grows.
#include "model/cat/scope.h"

#include "litmus/source/arena.h"
#include "litmus/source/containers.h"

struct scope_entry {
    size_t latest; // index of its last definition + 1
    UT_hash_handle hh;
};

void scope_init(struct cat_scope *scope, struct arena *arena) {
    *scope = (struct cat_scope){.arena = arena};
}

void scope_free(struct cat_scope *scope) {
    HASH_CLEAR(hh, scope->entries); // the entries are the arena's
}

void scope_define(struct cat_scope *scope, const char *name, struct cat_value value) {
    struct scope_entry *entry = NULL;
    HASH_FIND_STR(scope->entries, name, entry);
    if (!entry) {
        entry = ARENA_NEW(scope->arena, struct scope_entry);
        HASH_ADD_KEYPTR(hh, scope->entries, name, strlen(name), entry);
    }
    ARENA_APPEND(scope->arena, scope->definitions, scope->count,
                 (struct definition){name, value, entry->latest});
    entry->latest = scope->count;
}

const struct cat_value *scope_find(const struct cat_scope *scope, const char *name,
                                   size_t visible) {
    struct scope_entry *entry = NULL;
    HASH_FIND_STR(scope->entries, name, entry);
    size_t found = entry ? entry->latest : 0;
    while (found > visible)
        found = scope->definitions[found - 1].previous;
    return found ? &scope->definitions[found - 1].value : NULL;
}
