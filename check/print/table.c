// Cells of the tables of states.
#include "check/print/table.h"

#include "check/text/values.h"
#include "litmus/source/arena.h"

#include <string.h>

const char *table_cell(struct arena *arena, const struct report *report, const struct state *state,
                       size_t column) {
    const struct observed *observed = &report->program->observed[column];
    const struct state_value *value = &state->values[column];
    const char *address = report_address(report, column, value);
    if (value->undef || address)
        return value->undef ? "?" : address;
    char text[VALUE_TEXT_SIZE];
    value_text(text, value->value, observed->width, observed->is_signed,
               report->options->hex ? VALUE_HEX : VALUE_DECIMAL);
    return arena_strndup(arena, text, strlen(text));
}

const char *table_mark(const struct state *state) {
    return !state->satisfies ? " " : state->violates ? "~" : "*";
}
