// Reading tables. Messages say in which row, by its number from 1, and name what is wrong.
#include "lowering/lowering.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "lowering/words.h"

#include <jansson.h>
#include <stdarg.h>
#include <string.h>

struct table_reading {
    struct arena *arena;
    struct diagnostics *diagnostics;
    const char *path;
    struct lowering *lowering;
    size_t row; // from 1; 0: none
};

__attribute__((format(printf, 2, 3))) static bool fail(const struct table_reading *reading,
                                                       const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *what = arena_vformat(reading->arena, format, args);
    va_end(args);
    if (reading->row > 0)
        return diag_error_path(reading->diagnostics, reading->path, "row %zu: %s", reading->row,
                               what);
    return diag_error_path(reading->diagnostics, reading->path, "%s", what);
}

static const char *copy(const struct table_reading *reading, const json_t *text) {
    return arena_strndup(reading->arena, json_string_value(text), json_string_length(text));
}

// Whether an object has only these keys; else an error names the first other one.
static bool check_keys(const struct table_reading *reading, json_t *object, const char *const *keys,
                       size_t count) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        size_t i = 0;
        while (i < count && strcmp(keys[i], key) != 0)
            i++;
        if (i < count)
            continue;
        fail(reading, "\"%.40s\" has no meaning here", key);
        const char *nearest = diag_nearest(key, strlen(key), keys, count);
        if (nearest)
            diag_hint(reading->diagnostics, "did you mean \"%s\"?", nearest);
        return false;
    }
    return true;
}

// A field that has to be a text; NULL after an error.
static const char *text_field(const struct table_reading *reading, const json_t *object,
                              const char *key) {
    const json_t *value = json_object_get(object, key);
    if (json_is_string(value) && json_string_length(value) > 0)
        return copy(reading, value);
    fail(reading, value ? "\"%s\" is not a text" : "\"%s\" is missing", key);
    return NULL;
}

// --- Words in braces ----------------------------------------------------------------------------

static bool read_word(struct table_reading *reading, const char *name, json_t *scopes) {
    struct lowering *lowering = reading->lowering;
    struct lowering_word word = {.name = arena_strndup(reading->arena, name, strlen(name))};
    const char *key;
    json_t *value;
    if (!json_is_object(scopes))
        return fail(reading, "the word \"%.40s\" is not an object", name);
    if (lowering_is_builtin_word(name, strlen(name)))
        return fail(reading, "the word \"%.40s\" has a meaning already", name);
    json_object_foreach(scopes, key, value) {
        enum scope scope;
        if (!lowering_find_scope(key, &scope))
            return fail(reading,
                        "\"%.40s\" of the word \"%.40s\" is not a scope "
                        "(block, cluster, device, system)",
                        key, name);
        if (!json_is_string(value))
            return fail(reading, "\"%s\" of the word \"%.40s\" is not a text", key, name);
        word.texts[scope] = copy(reading, value);
    }
    ARENA_APPEND(reading->arena, lowering->words, lowering->word_count, word);
    return true;
}

// {scope} is that of PTX, unless the table has its own.
static void add_scope_word(struct table_reading *reading) {
    struct lowering *lowering = reading->lowering;
    for (size_t i = 0; i < lowering->word_count; i++)
        if (strcmp(lowering->words[i].name, "scope") == 0)
            return;
    ARENA_APPEND(reading->arena, lowering->words, lowering->word_count,
                 (struct lowering_word){.name = "scope",
                                        .texts = {[SCOPE_CTA] = "cta",
                                                  [SCOPE_CLUSTER] = "cluster",
                                                  [SCOPE_GPU] = "gpu",
                                                  [SCOPE_SYS] = "sys"}});
}

static bool read_words(struct table_reading *reading, json_t *words) {
    const char *name;
    json_t *scopes;
    if (words && !json_is_object(words))
        return fail(reading, "\"words\" is not an object");
    json_object_foreach(words, name, scopes) {
        if (!read_word(reading, name, scopes))
            return false;
    }
    add_scope_word(reading);
    return true;
}

static bool is_word(const struct lowering *lowering, const char *word, size_t length) {
    for (size_t i = 0; i < lowering->word_count; i++)
        if (strlen(lowering->words[i].name) == length &&
            strncmp(lowering->words[i].name, word, length) == 0)
            return true;
    return lowering_is_builtin_word(word, length);
}

// Whether the words in braces of a line of PTX are known. A brace before a space is PTX's own.
static bool check_line(const struct table_reading *reading, const char *line) {
    for (const char *at = line; (at = strchr(at, '{')) != NULL; at++) {
        size_t length = strcspn(at + 1, "} ");
        if (length == 0 || at[1 + length] != '}')
            continue;
        if (!is_word(reading->lowering, at + 1, length))
            return fail(reading, "'{%.*s}' has no meaning", length < 40 ? (int)length : 40, at + 1);
    }
    return true;
}

// --- Rows ---------------------------------------------------------------------------------------

// Reads "order" or "scope": a word, or an array of words, each of which `take` adds to the bits.
static bool read_bits(const struct table_reading *reading, const json_t *value, const char *key,
                      bool (*take)(const char *word, unsigned *bits), unsigned *bits) {
    size_t count = json_is_array(value) ? json_array_size(value) : 1;
    for (size_t i = 0; i < count; i++) {
        const json_t *word = json_is_array(value) ? json_array_get(value, i) : value;
        if (!json_is_string(word))
            return fail(reading, "\"%s\" is not a word or an array of words", key);
        if (!take(json_string_value(word), bits))
            return fail(reading, "\"%.40s\" is not %s", json_string_value(word),
                        strcmp(key, "order") == 0
                            ? "an order (relaxed, acquire, release, acq_rel, seq_cst)"
                            : "a scope (block, cluster, device, system)");
    }
    return count > 0 || fail(reading, "\"%s\" is an empty array", key);
}

static bool take_order(const char *word, unsigned *bits) {
    enum access_order order;
    bool found = lowering_find_order(word, &order);
    *bits |= found ? 1U << order : 0;
    return found;
}

static bool take_scope(const char *word, unsigned *bits) {
    enum scope scope;
    bool found = lowering_find_scope(word, &scope);
    *bits |= found ? 1U << scope : 0;
    return found;
}

static bool is_plain(enum lowered_operation of) {
    return of == LOWERED_PLAIN_LOAD || of == LOWERED_PLAIN_STORE;
}

static bool read_operation(const struct table_reading *reading, const json_t *object,
                           struct lowering_row *row) {
    const char *of = text_field(reading, object, "of");
    if (!of)
        return false;
    if (lowering_find_operation(of, &row->of))
        return true;
    return fail(reading,
                "\"%.40s\" is not an operation (plain load, plain store, load, store, "
                "rmw, compare_exchange, fence)",
                of);
}

static bool read_orders(const struct table_reading *reading, const json_t *object,
                        struct lowering_row *row) {
    static const unsigned all_scopes =
        1U << SCOPE_CTA | 1U << SCOPE_CLUSTER | 1U << SCOPE_GPU | 1U << SCOPE_SYS;
    const json_t *order = json_object_get(object, "order"),
                 *scope = json_object_get(object, "scope");
    if (is_plain(row->of))
        return (!order && !scope) || fail(reading, "a plain access has neither order nor scope");
    if (!order)
        return fail(reading, "\"order\" is missing");
    row->has_scopes = scope != NULL;
    row->scopes = scope ? 0 : all_scopes;
    return read_bits(reading, order, "order", take_order, &row->orders) &&
           (!scope || read_bits(reading, scope, "scope", take_scope, &row->scopes));
}

static bool read_lines(const struct table_reading *reading, const json_t *object,
                       struct lowering_row *row) {
    const json_t *lines = json_object_get(object, "ptx");
    if (!json_is_array(lines) || json_array_size(lines) == 0)
        return fail(reading, lines ? "\"ptx\" is not an array of lines" : "\"ptx\" is missing");
    row->lines = ARENA_ARRAY(reading->arena, const char *, json_array_size(lines));
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const json_t *line = json_array_get(lines, i);
        if (!json_is_string(line) || json_string_length(line) == 0)
            return fail(reading, "\"ptx\" is not an array of lines");
        row->lines[row->line_count++] = copy(reading, line);
        if (!check_line(reading, row->lines[i]))
            return false;
    }
    return true;
}

// Whether another row is about the same operation, order and scope.
static bool check_row(const struct table_reading *reading, const struct lowering_row *row) {
    for (size_t i = 0; i < reading->lowering->row_count; i++) {
        const struct lowering_row *other = &reading->lowering->rows[i];
        bool same = other->of == row->of && other->has_scopes == row->has_scopes &&
                    (is_plain(row->of) ||
                     ((other->orders & row->orders) != 0 && (other->scopes & row->scopes) != 0));
        if (same)
            return fail(reading, "row %zu is about the same %s", i + 1,
                        lowering_operation_word(row->of));
    }
    return true;
}

static bool read_row(struct table_reading *reading, json_t *object) {
    static const char *const keys[] = {"of", "order", "scope", "ptx", "from"};
    struct lowering *lowering = reading->lowering;
    struct lowering_row row = {0};
    if (!json_is_object(object))
        return fail(reading, "it is not an object");
    if (!check_keys(reading, object, keys, sizeof keys / sizeof keys[0]) ||
        !read_operation(reading, object, &row) || !read_orders(reading, object, &row) ||
        !read_lines(reading, object, &row) || !text_field(reading, object, "from") ||
        !check_row(reading, &row))
        return false;
    ARENA_APPEND(reading->arena, lowering->rows, lowering->row_count, row);
    return true;
}

// --- The whole ----------------------------------------------------------------------------------

static bool read_table(struct table_reading *reading, json_t *root) {
    static const char *const keys[] = {"name", "title", "words", "rows"};
    struct lowering *lowering = reading->lowering;
    const json_t *rows = json_object_get(root, "rows");
    if (!json_is_object(root))
        return fail(reading, "a table is an object");
    if (!check_keys(reading, root, keys, sizeof keys / sizeof keys[0]) ||
        !(lowering->name = text_field(reading, root, "name")) ||
        !(lowering->title = text_field(reading, root, "title")) ||
        !read_words(reading, json_object_get(root, "words")))
        return false;
    if (!json_is_array(rows) || json_array_size(rows) == 0)
        return fail(reading, rows ? "\"rows\" is not an array of rows" : "\"rows\" is missing");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        reading->row = i + 1;
        if (!read_row(reading, json_array_get(rows, i)))
            return false;
    }
    return true;
}

static const struct lowering *read_text(struct arena *arena, const char *path, const char *text,
                                        size_t size, struct diagnostics *diagnostics) {
    json_error_t error;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        diag_error_path(diagnostics, path, "line %d, column %d: this is not JSON: %s", error.line,
                        error.column, error.text);
        return NULL;
    }
    struct table_reading reading = {.arena = arena,
                                    .diagnostics = diagnostics,
                                    .path = path,
                                    .lowering = ARENA_NEW(arena, struct lowering)};
    bool fine = read_table(&reading, root);
    json_decref(root);
    return fine ? reading.lowering : NULL;
}

static bool is_path(const char *name) {
    size_t length = strlen(name);
    return strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".json") == 0);
}

static const struct lowering *fail_name(struct arena *arena, const char *name,
                                        struct diagnostics *diagnostics) {
    const char *all = "";
    for (size_t i = 0; builtin_lowerings[i].name; i++)
        all = arena_format(arena, "%s%s%s", all, i > 0 ? ", " : "", builtin_lowerings[i].name);
    diag_error_path(diagnostics, name, "there is no table of this name");
    diag_hint(diagnostics, "the tables are %s; one of your own is a path, './NAME.json'", all);
    return NULL;
}

const struct lowering *lowering_load(struct arena *arena, const char *name,
                                     struct diagnostics *diagnostics) {
    if (is_path(name)) {
        const struct source *source = source_read(arena, name, diagnostics);
        return source ? read_text(arena, name, source->text, source->size, diagnostics) : NULL;
    }
    for (size_t i = 0; builtin_lowerings[i].name; i++)
        if (strcmp(builtin_lowerings[i].name, name) == 0)
            return read_text(arena, arena_format(arena, "<built-in>/%s.json", name),
                             builtin_lowerings[i].text, strlen(builtin_lowerings[i].text),
                             diagnostics);
    return fail_name(arena, name, diagnostics);
}

const char *const *lowering_names(struct arena *arena, const char *const **titles, size_t *count) {
    const char **names = NULL, **all_titles = NULL;
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    *count = 0;
    for (size_t i = 0; builtin_lowerings[i].name; i++) {
        const struct lowering *lowering =
            lowering_load(arena, builtin_lowerings[i].name, &diagnostics);
        names = arena_grow(arena, names, *count, sizeof *names);
        all_titles = arena_grow(arena, all_titles, *count, sizeof *all_titles);
        names[*count] = builtin_lowerings[i].name;
        all_titles[(*count)++] = lowering ? lowering->title : "";
    }
    *titles = all_titles;
    return names;
}
