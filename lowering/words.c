// The words of tables.
#include "lowering/words.h"

#include <string.h>

static const char *const operations[LOWERED_COUNT] = {
    [LOWERED_PLAIN_LOAD] = "plain load",
    [LOWERED_PLAIN_STORE] = "plain store",
    [LOWERED_LOAD] = "load",
    [LOWERED_STORE] = "store",
    [LOWERED_RMW] = "rmw",
    [LOWERED_CAS] = "compare_exchange",
    [LOWERED_FENCE] = "fence",
};

static const char *const orders[] = {
    [ORDER_RELAXED] = "relaxed", [ORDER_ACQUIRE] = "acquire", [ORDER_RELEASE] = "release",
    [ORDER_ACQ_REL] = "acq_rel", [ORDER_SC] = "seq_cst",
};

static const char *const scopes[] = {
    [SCOPE_CTA] = "block",
    [SCOPE_CLUSTER] = "cluster",
    [SCOPE_GPU] = "device",
    [SCOPE_SYS] = "system",
};

static const char *const builtin_words[] = {"result", "address",   "value", "operands", "type",
                                            "bits",   "operation", "space", "n"};

enum {
    ORDERS = sizeof orders / sizeof orders[0],
    SCOPES = sizeof scopes / sizeof scopes[0],
    BUILTIN_WORDS = sizeof builtin_words / sizeof builtin_words[0],
};

static int find(const char *const *words, int count, const char *word) {
    for (int i = 0; i < count; i++)
        if (words[i] && strcmp(words[i], word) == 0)
            return i;
    return -1;
}

const char *lowering_operation_word(enum lowered_operation of) {
    return operations[of];
}

const char *lowering_order_word(enum access_order order) {
    return (int)order < ORDERS ? orders[order] : NULL;
}

const char *lowering_scope_word(enum scope scope) {
    return (int)scope < SCOPES ? scopes[scope] : NULL;
}

bool lowering_find_operation(const char *word, enum lowered_operation *of) {
    int found = find(operations, LOWERED_COUNT, word);
    *of = found < 0 ? LOWERED_COUNT : (enum lowered_operation)found;
    return found >= 0;
}

bool lowering_find_order(const char *word, enum access_order *order) {
    int found = find(orders, ORDERS, word);
    *order = found < 0 ? ORDER_NONE : (enum access_order)found;
    return found >= 0;
}

bool lowering_find_scope(const char *word, enum scope *scope) {
    int found = find(scopes, SCOPES, word);
    *scope = found < 0 ? SCOPE_NONE : (enum scope)found;
    return found >= 0;
}

bool lowering_is_builtin_word(const char *word, size_t length) {
    for (size_t i = 0; i < BUILTIN_WORDS; i++)
        if (strlen(builtin_words[i]) == length && strncmp(builtin_words[i], word, length) == 0)
            return true;
    return false;
}
