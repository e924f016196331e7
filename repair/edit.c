// Edits of a file's text. In the table form a statement is a cell: its neighbours keep their
// columns, and a new fence is a row of its own.
#include "repair/edit.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/lexer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// A piece of the file and what takes its place.
struct edit {
    uint32_t begin, end;
    const char *text;
    uint32_t lead; // bytes of `text` before the opcode of the place
    size_t place;  // or the number of places
    size_t number; // of the edit: those of one place at one point stay in order
};

struct edit_list {
    struct arena *arena;
    const struct changes *changes;
    struct edit *items;
    size_t count;
};

static void add_edit(struct edit_list *list, struct edit edit) {
    edit.number = list->count;
    ARENA_APPEND(list->arena, list->items, list->count, edit);
}

// --- Lines -------------------------------------------------------------------------------------

static uint32_t line_begin(const struct source *file, uint32_t at) {
    while (at > 0 && file->text[at - 1] != '\n')
        at--;
    return at;
}

// After the line's last byte, its newline included.
static uint32_t line_end(const struct source *file, uint32_t at) {
    while (at < file->size && file->text[at] != '\n')
        at++;
    return at < file->size ? at + 1 : at;
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// Where the text of the line begins that a place is in: after its spaces, or at the place.
static uint32_t text_begin(const struct source *file, uint32_t at) {
    uint32_t first = line_begin(file, at);
    while (first < at && is_space(file->text[first]))
        first++;
    return first;
}

// The tokens of a line: comments and strings are none.
static const struct token *line_tokens(struct arena *arena, const struct source *file, uint32_t at,
                                       size_t *count) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    return lexer_tokens(arena, file, line_begin(file, at), line_end(file, at), &ignored, count);
}

static bool is_bar(const struct token *token) {
    return token_is_punct(token, '|') || token_is_punct(token, PUNCT_OR_OR);
}

// Whether the file is a test in the table form: a '|' or ';' follows the name of its first thread.
static bool is_table(const struct changes *changes) {
    const struct source *file = changes->file;
    if (file != changes->test->source || file->sidecar != NULL)
        return false;
    uint32_t next = changes->test->threads[0].span.end;
    while (next < file->size && strchr("|;{", file->text[next]) == NULL)
        next++;
    return next < file->size && file->text[next] != '{';
}

// --- New statements ----------------------------------------------------------------------------

// A row that is empty but for one cell, with the columns of the row at `at`.
static const char *new_row(struct arena *arena, const struct source *file, uint32_t at,
                           const char *statement, uint32_t *lead) {
    size_t count;
    const struct token *tokens = line_tokens(arena, file, at, &count);
    uint32_t begin = line_begin(file, at), end = line_end(file, at);
    uint32_t cell = begin;
    char *row = arena_strndup(arena, file->text + begin, end - begin);
    for (uint32_t i = 0; i < end - begin; i++)
        if (!is_space(row[i]) && row[i] != '\n')
            row[i] = ' ';
    for (size_t i = 0; i < count; i++) { // the marks of the row stay
        const struct span *span = &tokens[i].span;
        if (is_bar(&tokens[i]) || token_is_punct(&tokens[i], ';'))
            memcpy(row + (span->begin - begin), file->text + span->begin, span->end - span->begin);
        if (is_bar(&tokens[i]) && span->end <= at)
            cell = span->end;
        if (token_is_punct(&tokens[i], ';') && span->begin >= at) {
            row[span->end - begin] = '\0';
            break;
        }
    }
    uint32_t column = cell - begin;
    while (row[column] == ' ' && begin + column < at)
        column++;
    size_t length = strlen(statement), room = strspn(row + column, " ");
    *lead = column;
    size_t kept = length + 1 <= room ? length
                  : room > 0         ? room - 1
                                     : 0; // one space before the mark
    const char *rest = row + column + kept;
    return arena_format(arena, "%.*s%s%s%s\n", (int)column, row, statement, room == 0 ? " " : "",
                        rest);
}

// Puts a statement in before the one at `at`; `index` is the place that it is of.
static void insert_before(struct edit_list *list, uint32_t at, size_t index,
                          const char *statement) {
    const struct source *file = list->changes->file;
    uint32_t begin = line_begin(file, at), lead = 0;
    struct edit edit = {.begin = begin, .end = begin, .place = index};
    if (is_table(list->changes)) {
        edit.text = new_row(list->arena, file, at, statement, &lead);
        edit.lead = lead;
        add_edit(list, edit);
        return;
    }
    if (text_begin(file, at) == at) { // a line of its own
        edit.text = arena_format(list->arena, "%.*s%s;\n", (int)(at - begin), file->text + begin,
                                 statement);
        edit.lead = at - begin;
    } else {
        edit.begin = edit.end = at;
        edit.text = arena_format(list->arena, "%s; ", statement);
    }
    add_edit(list, edit);
}

// Puts a statement in after another one, which ends at its ';' or, in a table, with its row.
static void insert_after(struct edit_list *list, struct span other, const char *statement) {
    const struct source *file = list->changes->file;
    uint32_t lead, begin = line_begin(file, other.begin), end = other.end;
    struct edit edit = {.place = list->changes->count};
    if (is_table(list->changes)) {
        edit.begin = edit.end = line_end(file, other.begin);
        edit.text = new_row(list->arena, file, other.begin, statement, &lead);
        add_edit(list, edit);
        return;
    }
    while (end < file->size && file->text[end] != ';')
        end++;
    end += end < file->size;
    edit.begin = edit.end = end;
    edit.text = text_begin(file, other.begin) == other.begin
                    ? arena_format(list->arena, "\n%.*s%s;", (int)(other.begin - begin),
                                   file->text + begin, statement)
                    : arena_format(list->arena, " %s;", statement);
    add_edit(list, edit);
}

// --- Statements that go ------------------------------------------------------------------------

static bool row_is_empty_without(struct arena *arena, const struct source *file,
                                 const struct span *statement) {
    size_t count;
    const struct token *tokens = line_tokens(arena, file, statement->begin, &count);
    for (size_t i = 0; i < count; i++) {
        const struct span *span = &tokens[i].span;
        bool mark =
            is_bar(&tokens[i]) || token_is_punct(&tokens[i], ';') || tokens[i].kind == TOKEN_END;
        if (!mark && (span->begin < statement->begin || span->begin >= statement->end))
            return false;
    }
    return true;
}

static void remove_statement(struct edit_list *list, size_t index) {
    const struct change_place *place = &list->changes->places[index];
    const struct source *file = list->changes->file;
    struct edit edit = {
        .begin = place->statement.begin, .end = place->statement.end, .text = "", .place = index};
    if (is_table(list->changes)) {
        if (row_is_empty_without(list->arena, file, &place->statement)) {
            edit.begin = line_begin(file, place->statement.begin);
            edit.end = line_end(file, place->statement.begin);
        } else {
            char *blank =
                arena_strndup(list->arena, file->text + edit.begin, edit.end - edit.begin);
            memset(blank, ' ', strlen(blank));
            edit.text = blank;
        }
        add_edit(list, edit);
        return;
    }
    while (edit.end < file->size &&
           (is_space(file->text[edit.end]) || file->text[edit.end] == '\n'))
        edit.end++;
    if (edit.end < file->size && file->text[edit.end] == ';')
        edit.end++;
    else
        edit.end = place->statement.end;
    uint32_t last = edit.end;
    while (last < file->size && is_space(file->text[last]))
        last++;
    if (text_begin(file, edit.begin) == edit.begin &&
        (last == file->size || file->text[last] == '\n')) {
        edit.begin = line_begin(file, edit.begin);
        edit.end = last == file->size ? last : last + 1;
    }
    add_edit(list, edit);
}

// --- Words that change -------------------------------------------------------------------------

// Replaces an opcode, or more of a statement; in a table, the cell keeps its width where it can.
static void replace_text(struct edit_list *list, struct span span, size_t index, const char *text) {
    const struct source *file = list->changes->file;
    uint32_t begin = span.begin, end = span.end;
    size_t before = end - begin, after = strlen(text);
    add_edit(list, (struct edit){.begin = begin, .end = end, .text = text, .place = index});
    if (!is_table(list->changes))
        return;
    uint32_t mark = end;
    while (mark < file->size && strchr("|;\n", file->text[mark]) == NULL)
        mark++;
    uint32_t spaces = mark;
    while (spaces > end && file->text[spaces - 1] == ' ')
        spaces--;
    if (mark == spaces || mark == file->size)
        return;
    size_t room = mark - spaces - 1, more = after > before ? after - before : 0;
    size_t fewer = before > after ? before - after : 0, taken = more < room ? more : room;
    char *padding = arena_strndup(list->arena, "", 0);
    if (fewer > 0) {
        padding = arena_alloc(list->arena, fewer + 1);
        memset(padding, ' ', fewer);
    }
    add_edit(list, (struct edit){.begin = spaces,
                                 .end = spaces + (uint32_t)taken,
                                 .text = padding,
                                 .place = list->changes->count});
}

// What an expectation becomes; NULL: it stays.
static const char *expectation_becomes(const struct test *test, size_t index,
                                       const struct edit_options *options) {
    enum expectation what = test->expected[index].what;
    bool all = test->quantifier == QUANTIFIER_FORALL;
    bool permits = test->dialect == DIALECT_NVLITMUS; // no word of it says that it is forbidden
    if (options->stale != NULL && options->stale[index] && expectation_has_opposite(what))
        return expectation_text(expectation_opposite(what));
    bool allows = what == EXPECT_ALLOWED || (!all && what == EXPECT_ALWAYS);
    return !options->forbids || !allows ? NULL : permits ? "check" : all ? "always" : "forbidden";
}

// The expectations that are in a file and change.
static void add_expectations(struct edit_list *list, const struct source *file,
                             const struct edit_options *options) {
    const struct test *test = list->changes->test;
    for (size_t i = 0; options != NULL && i < test->expected_count; i++) {
        const struct span span = test->expected[i].span;
        const char *text = expectation_becomes(test, i, options);
        if (text != NULL && span.source == file)
            add_edit(list, (struct edit){.begin = span.begin,
                                         .end = span.end,
                                         .text = text,
                                         .place = list->changes->count});
    }
}

static void add_inserts(struct edit_list *list, const struct change_form *form) {
    size_t none = list->changes->count;
    for (size_t i = 0; i < form->insert_count; i++) {
        const struct change_insert *insert = &form->inserts[i];
        switch (insert->where) {
        case INSERT_BEFORE: insert_before(list, insert->span.begin, none, insert->text); break;
        case INSERT_AFTER: insert_after(list, insert->span, insert->text); break;
        case INSERT_FOR: replace_text(list, insert->span, none, insert->text); break;
        }
    }
}

static void add_change(struct edit_list *list, size_t index, size_t form) {
    const struct change_place *place = &list->changes->places[index];
    assert(form < place->form_count);
    const struct change_form *now = &place->forms[form], *was = &place->forms[place->written];
    if (form == place->written)
        return;
    if (change_is_apart(place))
        add_inserts(list, now);
    else if (!was->is_present)
        insert_before(list, place->span.begin, index, now->text);
    else if (!now->is_present)
        remove_statement(list, index);
    else
        replace_text(list, place->span, index, now->text);
}

// --- The text ----------------------------------------------------------------------------------

// In the order of the file; at one point, what is put in first, in the order of the places.
static int compare_edits(const void *left, const void *right) {
    const struct edit *a = left, *b = right;
    bool replaces = a->begin < a->end, other_replaces = b->begin < b->end;
    if (a->begin != b->begin)
        return (a->begin > b->begin) - (a->begin < b->begin);
    if (replaces != other_replaces)
        return replaces - other_replaces;
    if (a->place != b->place)
        return (a->place > b->place) - (a->place < b->place);
    return (a->number > b->number) - (a->number < b->number);
}

// Where the opcodes are now that edits precede them.
static uint32_t *find_places(const struct edit_list *list) {
    const struct changes *changes = list->changes;
    uint32_t *at = ARENA_ARRAY(list->arena, uint32_t, changes->count + 1);
    for (size_t i = 0; i < changes->count; i++) {
        int64_t shift = 0;
        uint32_t begin = changes->places[i].span.begin;
        bool own = false;
        for (size_t k = 0; k < list->count && !own; k++) {
            const struct edit *edit = &list->items[k];
            own = edit->place == i;
            if (own)
                at[i] = (uint32_t)(edit->begin + shift + edit->lead);
            else if (edit->begin <= begin)
                shift += (int64_t)strlen(edit->text) - (edit->end - edit->begin);
        }
        if (!own)
            at[i] = (uint32_t)(begin + shift);
    }
    return at;
}

// The text of a file with the edits.
static const char *edited(struct edit_list *list, const struct source *file) {
    struct arena_text text;
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, compare_edits);
    FILE *out = arena_text_begin(&text);
    uint32_t done = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct edit *edit = &list->items[i];
        if (edit->begin < done) // two statements of one line that go: the line is gone already
            continue;
        fwrite(file->text + done, 1, edit->begin - done, out);
        fputs(edit->text, out);
        done = edit->end;
    }
    fwrite(file->text + done, 1, file->size - done, out);
    return arena_text_end(list->arena, &text);
}

const char *edit_text(struct arena *arena, const struct changes *changes, const size_t *choice,
                      const struct edit_options *options, uint32_t **at) {
    struct edit_list list = {.arena = arena, .changes = changes};
    for (size_t i = 0; i < changes->count; i++)
        add_change(&list, i, choice[i]);
    add_expectations(&list, changes->file, options);
    const char *text = edited(&list, changes->file);
    if (at != NULL)
        *at = find_places(&list);
    return text;
}

const char *edit_sidecar(struct arena *arena, const struct changes *changes,
                         const struct edit_options *options) {
    const struct test *test = changes->test;
    const struct source *file = test->expected_count > 0 ? test->expected[0].span.source : NULL;
    struct edit_list list = {.arena = arena, .changes = changes};
    if (file == NULL || file == changes->file)
        return NULL;
    add_expectations(&list, file, options);
    return edited(&list, file);
}

struct test *edit_apply(struct arena *arena, const struct changes *changes, const size_t *choice,
                        const struct edit_options *options, size_t index,
                        struct diagnostics *diagnostics, uint32_t **at) {
    static const enum reader_syntax syntaxes[] = {[DIALECT_PTX] = SYNTAX_PTX,
                                                  [DIALECT_DAT3M] = SYNTAX_DAT3M,
                                                  [DIALECT_NVLITMUS] = SYNTAX_NVLITMUS,
                                                  [DIALECT_CPP] = SYNTAX_CPP};
    const char *text = edit_text(arena, changes, choice, options, at);
    struct test_list tests;
    struct source *source = ARENA_NEW(arena, struct source);
    *source = *source_from_text(arena, changes->file->path, text, strlen(text));
    source->sidecar = changes->file->sidecar;
    if (!test_read_all(arena, source, syntaxes[changes->test->dialect], diagnostics, &tests))
        return NULL;
    return index < tests.count ? tests.items[index] : NULL;
}
