// The table of an nvlitmus file. A line "$$" ends the test; each line after it is a row, with '|'
// between its cells, and is the test with its first cell in place of "$0", its second in
// place of "$1" and so on. Lines that are empty or start with '#' are skipped.
#include "litmus/readers/nvlitmus/nvlitmus.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

// Limits. A table multiplies the test's text.
enum {
    ROWS_MAX = 4096,
    COLUMNS_MAX = 256,
    EXPANDED_BYTES_MAX = 4 * 1024 * 1024,
};

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static void trim(const struct source *source, uint32_t *begin, uint32_t *end) {
    while (*begin < *end && is_space(source->text[*begin]))
        ++*begin;
    while (*end > *begin && is_space(source->text[*end - 1]))
        --*end;
}

// --- Rows --------------------------------------------------------------------------------------

// Goes past the cell at `*at` and returns it, trimmed; `*at` is row->end + 1 after the last one.
static struct span next_cell(const struct source *source, const struct nvlitmus_row *row,
                             uint32_t *at) {
    const char *bar = memchr(source->text + *at, '|', row->end - *at);
    uint32_t begin = *at, end = bar ? (uint32_t)(bar - source->text) : row->end;
    *at = end + 1;
    trim(source, &begin, &end);
    return span_of(source, begin, end);
}

static bool take_line(struct arena *arena, struct diagnostics *diagnostics,
                      struct nvlitmus_table *table, struct span line) {
    assert(line.begin <= line.end);
    const struct source *source = table->source;
    bool is_comment = line.begin < line.end && source->text[line.begin] == '#';
    uint32_t start = line.begin;
    trim(source, &line.begin, &line.end);
    bool is_marker = line.end - line.begin == 2 && memcmp(source->text + line.begin, "$$", 2) == 0;
    if (is_marker && table->present) {
        diag_error(diagnostics, line, "the file has two tables");
        diag_hint(diagnostics, "the first one starts on line %u",
                  source_position(source, table->marker.begin).line);
        return false;
    }
    if (is_marker) {
        table->present = true;
        table->marker = line;
        table->text_end = start;
    }
    if (is_marker || !table->present || is_comment || line.begin == line.end)
        return true;
    if (table->row_count == ROWS_MAX)
        return diag_error(diagnostics, line, "a table has at most %d rows", ROWS_MAX);
    struct nvlitmus_row row = {
        .begin = line.begin, .end = line.end, .number = (unsigned)table->row_count + 1};
    ARENA_APPEND(arena, table->rows, table->row_count, row);
    return true;
}

static bool find_rows(struct arena *arena, struct diagnostics *diagnostics,
                      struct nvlitmus_table *table) {
    const struct source *source = table->source;
    for (uint32_t i = 0; i < source->line_count; i++) {
        uint32_t end = i + 1 < source->line_count ? source->line_starts[i + 1] : source->size;
        if (!take_line(arena, diagnostics, table, span_of(source, source->line_starts[i], end)))
            return false;
    }
    if (!table->present || table->row_count > 0)
        return true;
    diag_error(diagnostics, table->marker, "the table has no rows");
    diag_hint(diagnostics, "each line after '$$' is a test, with '|' between its columns");
    return false;
}

// --- Parameters --------------------------------------------------------------------------------

// parameter = "$" digit+
static bool find_parameters(struct arena *arena, struct diagnostics *diagnostics,
                            struct nvlitmus_table *table) {
    const char *text = table->source->text;
    for (uint32_t at = 0; at < table->text_end; at++) {
        struct nvlitmus_parameter parameter = {.begin = at, .end = at + 1};
        if (text[at] != '$')
            continue;
        for (; isdigit((unsigned char)text[parameter.end]); parameter.end++)
            if (parameter.column <= COLUMNS_MAX)
                parameter.column = parameter.column * 10 + (unsigned)(text[parameter.end] - '0');
        if (parameter.end == at + 1)
            continue;
        struct span span = span_of(table->source, at, parameter.end);
        if (parameter.column >= COLUMNS_MAX)
            return diag_error(diagnostics, span, "a table has at most %d columns", COLUMNS_MAX);
        if (parameter.column >= table->columns) {
            table->columns = parameter.column + 1;
            table->last_named = span;
        }
        ARENA_APPEND(arena, table->parameters, table->parameter_count, parameter);
        at = parameter.end - 1;
    }
    if (table->columns > 0)
        return true;
    diag_error(diagnostics, table->marker, "the test names no column of its table");
    diag_hint(diagnostics, "'$0' stands for the first column, '$1' for the second and so on");
    return false;
}

static void check_cell_count(struct diagnostics *diagnostics, const struct nvlitmus_table *table,
                             const struct nvlitmus_row *row, bool *warned) {
    struct span cell = {0};
    unsigned count = 0;
    for (uint32_t at = row->begin; at <= row->end && count <= table->columns; count++)
        cell = next_cell(table->source, row, &at);
    if (count > table->columns && !*warned) {
        *warned = true;
        diag_warning(diagnostics, cell, "this cell is not used: the test does not name column $%u",
                     count - 1);
    }
    if (count >= table->columns)
        return;
    diag_error(diagnostics, span_of(table->source, row->begin, row->end),
               "this row has %u cell%s, but the test names column $%u", count,
               count == 1 ? "" : "s", table->columns - 1);
    diag_hint(diagnostics, "on line %u; a '|' separates two cells, and a cell may be empty",
              source_position(table->source, table->last_named.begin).line);
}

static size_t expanded_size(const struct nvlitmus_table *table) {
    size_t size = 0;
    for (size_t i = 0; i < table->row_count; i++) // a cell is not longer than its row
        size += table->text_end +
                table->parameter_count * (size_t)(table->rows[i].end - table->rows[i].begin);
    return size;
}

bool nvlitmus_find_table(struct arena *arena, const struct source *source,
                         struct diagnostics *diagnostics, struct nvlitmus_table *table) {
    size_t errors = diagnostics->error_count;
    bool warned = false;
    *table = (struct nvlitmus_table){.source = source, .text_end = source->size};
    if (!find_rows(arena, diagnostics, table))
        return false;
    if (!table->present)
        return true;
    if (!find_parameters(arena, diagnostics, table))
        return false;
    if (expanded_size(table) > EXPANDED_BYTES_MAX)
        return diag_error(diagnostics, table->marker,
                          "the tests of this table may have more than %d MiB "
                          "of text together",
                          EXPANDED_BYTES_MAX / (1024 * 1024));
    for (size_t i = 0; i < table->row_count; i++)
        check_cell_count(diagnostics, table, &table->rows[i], &warned);
    return diagnostics->error_count == errors;
}

// --- One row's test ----------------------------------------------------------------------------

struct piece_list {
    struct source_piece *items;
    size_t count;
    uint32_t size; // of the text
};

static void add_piece(struct piece_list *list, uint32_t begin, uint32_t end) {
    assert(begin <= end);
    if (begin == end)
        return;
    list->items[list->count++] = (struct source_piece){.begin = list->size, .from = begin};
    list->size += end - begin;
}

const struct source *nvlitmus_expand(struct arena *arena, const struct nvlitmus_table *table,
                                     const struct nvlitmus_row *row) {
    struct span cells[COLUMNS_MAX];
    unsigned count = 0;
    for (uint32_t at = row->begin; at <= row->end && count < table->columns; count++)
        cells[count] = next_cell(table->source, row, &at);
    struct piece_list list = {
        .items = ARENA_ARRAY(arena, struct source_piece, 2 * table->parameter_count + 2)};
    uint32_t at = 0;
    for (size_t i = 0; i < table->parameter_count; i++) {
        const struct nvlitmus_parameter *parameter = &table->parameters[i];
        if (parameter->column >= count)
            bug("row %u has no cell %u", row->number, parameter->column);
        add_piece(&list, at, parameter->begin);
        add_piece(&list, cells[parameter->column].begin, cells[parameter->column].end);
        at = parameter->end;
    }
    add_piece(&list, at, table->text_end);
    list.items[list.count] = (struct source_piece){.begin = list.size};
    return source_from_pieces(arena, table->source, list.items, list.count);
}
