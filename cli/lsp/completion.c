// Completions: instructions and their qualifiers by the table of instructions, the words of tests
// and manifests, and included tests to begin with.
#include "check/text/json.h"
#include "cli/commands/library.h"
#include "cli/lsp/features.h"
#include "cli/lsp/params.h"
#include "cli/lsp/words.h"
#include "litmus/expectation.h"
#include "litmus/ptx/grammar.h"
#include "litmus/schedule.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/source.h"

#include <string.h>

// Kinds of LSP.
enum item_kind { ITEM_FUNCTION = 3, ITEM_KEYWORD = 14, ITEM_FILE = 17, ITEM_MEMBER = 20 };

enum word_place { WORDS_LINE, WORDS_DIRECTIVE, WORDS_MANIFEST };

static const struct placed_word {
    enum word_place place;
    const char *word, *text, *sentence;
} placed_words[] = {
#define PLACED_WORD(place, word, text, sentence) {WORDS_##place, word, text, sentence},
#include "cli/lsp/words.def"
};

// The list in the making. What the user has typed of a word, `replaced`, is replaced as a whole.
struct completing {
    const struct rpc_request *request;
    const struct document *document;
    struct text_place replaced; // up to the cursor, or a little further
    json_t *items;
    bool is_cut;
};

static bool has_item(const struct completing *completing, const char *label) {
    for (size_t i = 0; i < json_array_size(completing->items); i++) {
        const json_t *item = json_array_get(completing->items, i);
        if (strcmp(json_string_value(json_object_get(item, "label")), label) == 0)
            return true;
    }
    return false;
}

// Adds an item once. Clients leave out those that do not fit what was typed.
static void add(struct completing *completing, const char *label, const char *text,
                enum item_kind kind, const char *detail) {
    if (has_item(completing, label))
        return;
    struct arena *arena = completing->request->arena;
    size_t number = json_array_size(completing->items);
    json_t *range = text_range(&completing->document->text, completing->replaced.begin,
                               completing->replaced.end, completing->request->server->is_utf8);
    json_item(completing->items,
              json_of("{s:s, s:i, s:s, s:s, s:{s:o, s:o}}", "label", label, "kind", (int)kind,
                      "detail", detail, "sortText", arena_format(arena, "%05zu", number),
                      "textEdit", "range", range, "newText", text_json(arena, text)));
}

static void add_words(struct completing *completing, enum word_place place) {
    for (size_t i = 0; i < sizeof placed_words / sizeof placed_words[0]; i++) {
        const struct placed_word *word = &placed_words[i];
        if (word->place == place)
            add(completing, word->word, word->text, ITEM_KEYWORD, word->sentence);
    }
}

static void add_expectations(struct completing *completing) {
    for (int i = 0; i < EXPECTATION_COUNT; i++) {
        const char *word = expectation_text((enum expectation)i);
        add(completing, word, word, ITEM_MEMBER, "what the result has to be");
    }
}

static void add_promises(struct completing *completing) {
    for (int i = PROGRESS_CUDA; i < PROGRESS_LEVELS; i++) {
        const char *name = progress_name((enum promise)i);
        add(completing, name, name, ITEM_MEMBER, "a promise of progress");
    }
}

// --- Instructions ------------------------------------------------------------------------------

static void add_opcodes(struct completing *completing) {
    struct arena *arena = completing->request->arena;
    size_t count;
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++) {
        const char *name = arena_strndup(arena, forms[i].name, strcspn(forms[i].name, "."));
        if (!forms[i].outside)
            add(completing, name, name, ITEM_FUNCTION, "an instruction");
    }
}

static void add_part(void *context, const struct form *form, enum qualifier_class class,
                     struct piece spelling) {
    struct completing *completing = context;
    const char *text = arena_strndup(completing->request->arena, spelling.text, spelling.length);
    if (!form->outside)
        add(completing, text, text, ITEM_MEMBER,
            class == CLASS_COUNT ? "a part of the instruction's name" : ptx_class_noun(class));
}

// The qualifiers that may come where the cursor is: what is before it and after it is written.
static void add_qualifiers(struct completing *completing, struct text_place word) {
    struct arena *arena = completing->request->arena;
    const struct edited_text *text = &completing->document->text;
    const struct text_place before = {word.begin, completing->replaced.begin};
    const struct text_place after = {completing->replaced.end, word.end};
    const struct opcode_begin begin =
        ptx_opcode_begin(arena, words_text(arena, text, before), words_text(arena, text, after));
    size_t count;
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++)
        ptx_form_begins(&forms[i], &begin, add_part, completing);
}

// --- Included tests ----------------------------------------------------------------------------

enum { TESTS_MOST = 50 };

// The text of an included test from its name on; NULL where it does not begin with one.
static const char *test_text(struct arena *arena, const struct library_test *test) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    const struct source *source = source_read(arena, test->path, &ignored);
    return source && strncmp(source->text, "PTX ", 4) == 0 ? source->text + 4 : NULL;
}

// The included tests whose names begin with what was typed, as a whole where nothing follows yet.
static void add_tests(struct completing *completing) {
    struct arena *arena = completing->request->arena;
    const struct edited_text *text = &completing->document->text;
    const char *typed = words_text(arena, text, completing->replaced);
    size_t count, left = text->size - completing->replaced.end;
    const struct library_test *tests = library_tests(arena, &count);
    bool is_alone = strspn(text->bytes + completing->replaced.end, " \t\r\n") == left;
    for (size_t i = 0; i < 2 * count && !completing->is_cut; i++) { // first what is meant exactly
        const struct library_test *test = &tests[i % count];
        bool is_meant = strcmp(test->name, typed) == 0;
        if (strncmp(test->name, typed, strlen(typed)) != 0 || is_meant != (i < count))
            continue;
        const char *whole = is_alone ? test_text(arena, test) : NULL;
        completing->is_cut = json_array_size(completing->items) == TESTS_MOST;
        if (!completing->is_cut)
            add(completing, test->name, whole ? whole : test->name, ITEM_FILE, "an included test");
    }
}

// --- The place ---------------------------------------------------------------------------------

// Whether a statement may begin at a place: after the beginning of a line, a mark that ends what is
// before, or a guard.
static bool begins_statement(const struct edited_text *text, size_t line, size_t at) {
    size_t begin = text->lines[line];
    while (at > begin && (text->bytes[at - 1] == ' ' || text->bytes[at - 1] == '\t'))
        at--;
    if (at == begin || strchr("{};|:", text->bytes[at - 1]))
        return true;
    struct text_place before = words_at(text, at);
    size_t guard = before.begin;
    if (guard > begin && text->bytes[guard - 1] == '!')
        guard--;
    return guard > begin && text->bytes[guard - 1] == '@';
}

// The first word of a line, before the cursor.
static const char *first_word(struct arena *arena, const struct edited_text *text, size_t line,
                              size_t offset) {
    size_t begin = words_line_begin(text, line);
    struct text_place place = {begin, begin};
    while (place.end < offset && !strchr(" \t,;(", text->bytes[place.end]))
        place.end++;
    return words_text(arena, text, place);
}

// Whether a line is of a manifest.
static bool is_of_manifest(const struct document *document, size_t line) {
    size_t begin = words_line_begin(&document->text, line);
    return document->kind == DOCUMENT_LAUNCH ||
           (begin - document->text.lines[line] >= strlen("// PTXLITMUS") &&
            document->kind != DOCUMENT_TEST);
}

// A word with a '~' or '-' in it, such as '~exists' or 'may-hang', is replaced as a whole.
static struct text_place typed_word(const struct edited_text *text, size_t offset,
                                    const char *more) {
    struct text_place place = words_at(text, offset);
    while (place.begin > 0 && text->bytes[place.begin - 1] &&
           strchr(more, text->bytes[place.begin - 1]))
        place = (struct text_place){words_at(text, place.begin - 1).begin, place.end};
    return place;
}

static void complete_statement(struct completing *completing, struct text_place word, size_t line,
                               size_t offset) {
    const struct edited_text *text = &completing->document->text;
    bool is_at_line = words_line_begin(text, line) >= word.begin;
    bool has_dot = memchr(text->bytes + word.begin, '.', offset - word.begin) != NULL;
    if (word.begin < offset && text->bytes[word.begin] == '.') {
        add_words(completing, WORDS_DIRECTIVE);
    } else if (has_dot) {
        completing->replaced = words_typed_part(text, word, offset);
        add_qualifiers(completing, word);
    } else {
        if (is_at_line && completing->document->kind == DOCUMENT_TEST) {
            completing->replaced = typed_word(text, offset, "~");
            add_words(completing, WORDS_LINE);
        }
        completing->replaced = word;
        add_opcodes(completing);
        add_words(completing, WORDS_DIRECTIVE);
    }
}

static void complete(struct completing *completing, size_t offset) {
    struct arena *arena = completing->request->arena;
    const struct document *document = completing->document;
    const struct edited_text *text = &document->text;
    size_t line = text_line_of(text, offset), begin = words_line_begin(text, line);
    const char *first = first_word(arena, text, line, offset);
    struct text_place word = words_at(text, offset);
    completing->replaced = word;
    if (words_in_comment(text, offset))
        return;
    if (strcmp(first, "expect") == 0 && begin + strlen(first) < offset) {
        completing->replaced = typed_word(text, offset, "-");
        add_expectations(completing);
    } else if (strcmp(first, "progress") == 0 && begin + strlen(first) < offset) {
        add_promises(completing);
    } else if (is_of_manifest(document, line)) {
        completing->replaced = typed_word(text, offset, "~");
        if (begin >= completing->replaced.begin)
            add_words(completing, WORDS_MANIFEST);
    } else if (strcmp(first, "PTX") == 0 && begin + strlen(first) < offset) {
        completing->replaced = (struct text_place){begin + strlen("PTX "), offset};
        add_tests(completing);
    } else if (document->kind != DOCUMENT_OTHER && begins_statement(text, line, word.begin)) {
        complete_statement(completing, word, line, offset);
    }
}

void feature_completion(struct rpc_request *request) {
    const struct document *document = params_document(request);
    size_t offset;
    if (!document || !params_offset(request, document, json_object_get(request->params, "position"),
                                    "position", &offset))
        return;
    struct completing completing = {
        .request = request, .document = document, .items = json_array()};
    complete(&completing, offset);
    request->result =
        json_of("{s:b, s:o}", "isIncomplete", completing.is_cut, "items", completing.items);
}
