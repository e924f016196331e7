// States of results as texts, and sets of them.
#include "cli/print/states.h"

#include "litmus/source/arena.h"
#include "litmus/source/containers.h"

#include <string.h>

struct state_item {
    const char *text;
    UT_hash_handle hh;
};

struct state_set {
    struct state_item *items;
};

// A value: a number, hexadecimal digits, or null where it is unknown.
static const char *value_of(struct arena *arena, const json_t *value) {
    if (json_is_integer(value)) {
        return arena_format(arena, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    }
    return json_is_string(value) ? arena_format(arena, "0x%s", json_string_value(value)) : "?";
}

static const char *with(struct arena *arena, const char *text, const char *name,
                        const json_t *value) {
    return arena_format(arena, "%s%s%s=%s", text, *text ? ", " : "", name, value_of(arena, value));
}

const char *state_text(struct arena *arena, const json_t *state,
                       const struct state_columns *columns) {
    const char *text = "", *name;
    const json_t *value;
    if (!columns) {
        json_object_foreach((json_t *)state, name, value) {
            text = with(arena, text, name, value);
        }
        return text;
    }
    for (size_t i = 0; i < columns->count; i++) {
        value = json_object_get(state, columns->names[i]);
        if (!value) {
            return NULL;
        }
        text = with(arena, text, columns->shown ? columns->shown[i] : columns->names[i], value);
    }
    return text;
}

void state_set_add(struct state_set *set, struct arena *arena, const char *text) {
    struct state_item *known;
    HASH_FIND_STR(set->items, text, known);
    if (!known) {
        struct state_item *item = ARENA_NEW(arena, struct state_item);
        item->text = text;
        HASH_ADD_KEYPTR(hh, set->items, item->text, strlen(item->text), item);
    }
}

struct state_set *state_set_new(struct arena *arena, const json_t *states,
                                const struct state_columns *columns) {
    struct state_set *set = ARENA_NEW(arena, struct state_set);
    set->items = NULL;
    for (size_t i = 0; i < json_array_size(states); i++) {
        state_set_add(set, arena, state_text(arena, json_array_get(states, i), columns));
    }
    return set;
}

void state_set_free(struct state_set *set) {
    HASH_CLEAR(hh, set->items);
}

bool state_set_has(const struct state_set *set, const char *text) {
    struct state_item *known;
    HASH_FIND_STR(set->items, text, known);
    return known != NULL;
}
