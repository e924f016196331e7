// States of results as texts, and sets of texts.
#include "cli/print/states.h"

#include "check/record/record.h"
#include "check/text/values.h"
#include "litmus/source/arena.h"
#include "litmus/source/containers.h"
#include "solver/solver.h"

#include <string.h>

struct text_item {
    const char *text;
    UT_hash_handle hh;
};

struct text_set {
    struct arena *arena;
    struct text_item *items; // by text
    const char **texts;
    size_t count;
};

static const char *with(struct arena *arena, const char *text, const char *name,
                        const char *value) {
    return arena_format(arena, "%s%s%s=%s", text, *text ? ", " : "", name, value);
}

// --- States of records -------------------------------------------------------------------------

static const char *value_of(struct arena *arena, const struct record_column *column,
                            const struct state_value *value) {
    char text[VALUE_TEXT_SIZE];
    long long small;
    unsigned width = (unsigned)column->width;
    if (value->undef)
        return "?";
    if (value_fits_json(value->value, width, column->is_signed, &small))
        return arena_format(arena, "%lld", small);
    value_text(text, value->value, width, column->is_signed, VALUE_HEX);
    return arena_format(arena, "%s", text);
}

// The number of the column of a name; the count of columns where there is none.
static size_t find_column(const struct record_outcomes *outcomes, const char *name) {
    size_t i = 0;
    while (i < outcomes->column_count && strcmp(outcomes->columns[i].name, name) != 0)
        i++;
    return i;
}

const char *state_text(struct arena *arena, const struct record_outcomes *outcomes,
                       const struct state_value *state, const struct state_columns *columns) {
    const char *text = "";
    for (size_t i = 0; i < (columns ? columns->count : outcomes->column_count); i++) {
        size_t at = columns ? find_column(outcomes, columns->names[i]) : i;
        if (at == outcomes->column_count)
            return NULL;
        const struct record_column *column = &outcomes->columns[at];
        const char *name = columns && columns->shown ? columns->shown[i] : column->name;
        text = with(arena, text, name, value_of(arena, column, &state[at]));
    }
    return text;
}

// --- States in JSON ----------------------------------------------------------------------------

// A value: a number, hexadecimal digits, or null where it is unknown.
static const char *json_value_of(struct arena *arena, const json_t *value) {
    if (json_is_integer(value))
        return arena_format(arena, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return json_is_string(value) ? arena_format(arena, "0x%s", json_string_value(value)) : "?";
}

const char *state_text_json(struct arena *arena, const json_t *state) {
    const char *text = "", *name;
    const json_t *value;
    json_object_foreach((json_t *)state, name, value) {
        text = with(arena, text, name, json_value_of(arena, value));
    }
    return text;
}

// --- Sets --------------------------------------------------------------------------------------

struct text_set *text_set_new(struct arena *arena) {
    struct text_set *set = ARENA_NEW(arena, struct text_set);
    set->arena = arena;
    return set;
}

bool text_set_add(struct text_set *set, const char *text) {
    if (text_set_has(set, text))
        return false;
    struct text_item *item = ARENA_NEW(set->arena, struct text_item);
    item->text = text;
    HASH_ADD_KEYPTR(hh, set->items, item->text, strlen(item->text), item);
    set->texts = arena_grow(set->arena, set->texts, set->count, sizeof *set->texts);
    set->texts[set->count++] = text;
    return true;
}

void text_set_free(struct text_set *set) {
    HASH_CLEAR(hh, set->items);
}

bool text_set_has(const struct text_set *set, const char *text) {
    struct text_item *known;
    HASH_FIND_STR(set->items, text, known);
    return known != NULL;
}

const char *const *text_set_texts(const struct text_set *set, size_t *count) {
    *count = set->count;
    return set->texts;
}
