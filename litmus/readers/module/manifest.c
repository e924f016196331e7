// Finds the manifest of a module and cuts it into items.
#include "litmus/readers/module/manifest.h"

#include "litmus/readers/module/module.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <ctype.h>
#include <string.h>

static const char mark[] = "// PTXLITMUS";

static const struct {
    const char *text;
    enum manifest_word word;
} words[] = {
    {"module", MANIFEST_MODULE},   {"kernel", MANIFEST_KERNEL},     {"with", MANIFEST_WITH},
    {"then", MANIFEST_THEN},       {"global", MANIFEST_GLOBAL},     {"arg", MANIFEST_ARG},
    {"dynamic", MANIFEST_DYNAMIC}, {"envreg", MANIFEST_ENVREG},     {"launch", MANIFEST_SCHEDULE},
    {"assume", MANIFEST_SCHEDULE}, {"progress", MANIFEST_SCHEDULE}, {"test", MANIFEST_TEST},
    {"exists", MANIFEST_TAIL},     {"forall", MANIFEST_TAIL},       {"filter", MANIFEST_TAIL},
    {"locations", MANIFEST_TAIL},  {"expect", MANIFEST_TAIL},       {"not", MANIFEST_TAIL},
};

// What follows the name of a kernel, on the same line or on further ones.
static const char *const extents[] = {"grid", "block", "cluster", "gpu", "threads", "programmatic"};

enum { WORDS = sizeof words / sizeof words[0], EXTENTS = sizeof extents / sizeof extents[0] };

// --- The text ----------------------------------------------------------------------------------

// After the mark `begins`, where a line has it; else NULL.
static const char *after_mark(const char *line, const char *end, const char *begins) {
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    size_t length = strlen(begins);
    if ((size_t)(end - line) < length || memcmp(line, begins, length) != 0)
        return NULL;
    line += length;
    return line == end || *line == ' ' || *line == '\t' || *line == '\r' || *line == '\n' ? line
                                                                                          : NULL;
}

// The marked lines as a source of their own; NULL when there are none.
static const struct source *marked_lines(struct arena *arena, const struct source *source,
                                         const char *begins) {
    struct source_piece *pieces = NULL;
    size_t count = 0;
    uint32_t size = 0;
    for (uint32_t i = 0; i < source->line_count; i++) {
        uint32_t begin = source->line_starts[i];
        uint32_t end =
            i + 1 < source->line_count ? source->line_starts[i + 1] : module_text_size(source);
        const char *text = after_mark(source->text + begin, source->text + end, begins);
        if (!text)
            continue;
        uint32_t from = (uint32_t)(text - source->text);
        ARENA_APPEND(arena, pieces, count, (struct source_piece){.begin = size, .from = from});
        size += end - from;
    }
    if (count == 0)
        return NULL;
    pieces = arena_grow(arena, pieces, count, sizeof *pieces);
    pieces[count] = (struct source_piece){.begin = size};
    return source_from_pieces(arena, source, pieces, count);
}

static const struct source *manifest_text(struct arena *arena, const struct source *source,
                                          struct diagnostics *diagnostics) {
    const struct source *lines = marked_lines(arena, source, mark);
    struct span none = {.source = source};
    if (lines && source->sidecar && !source->shares_sidecar) {
        struct span first = {.source = lines, .begin = 0, .end = 0};
        diag_error(diagnostics, first,
                   "the module says itself how it is launched, and so does '%s'",
                   source->sidecar->path);
        return NULL;
    }
    if (lines || source->sidecar)
        return lines ? lines : source->sidecar;
    diag_error(diagnostics, none,
               "nothing says how a kernel of this module is launched, and what is asked");
    size_t length = strlen(source->path);
    if (length > 4 && strcmp(source->path + length - 4, ".ptx") == 0)
        diag_hint(diagnostics,
                  "lines that begin with '%s' in it, or a file '%s.litmus' or 'all.ptx.litmus' "
                  "beside it, say so; 'ptxlitmus inspect' shows its kernels",
                  mark, source->path);
    else
        diag_hint(diagnostics,
                  "lines that begin with '%s' in it say so; 'ptxlitmus inspect' shows its kernels",
                  mark);
    return NULL;
}

const struct source *module_with_manifest(struct arena *arena, const struct source *module,
                                          const char *path, struct diagnostics *diagnostics) {
    const struct source *text = source_read(arena, path, diagnostics);
    return text ? module_with_manifest_text(arena, module, text) : NULL;
}

const struct source *module_with_manifest_text(struct arena *arena, const struct source *module,
                                               const struct source *text) {
    static const char *const marks[] = {mark, "; PTXLITMUS", "# PTXLITMUS"};
    const struct source *lines = NULL;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0] && !lines; i++)
        lines = marked_lines(arena, text, marks[i]);
    struct source *with = ARENA_NEW(arena, struct source);
    *with = *module;
    with->sidecar = lines ? lines : text;
    return with;
}

// --- Items -------------------------------------------------------------------------------------

// The word that an item begins with, or NULL. `~exists` begins one, too.
static const enum manifest_word *word_of(const struct token *token) {
    static const enum manifest_word tail = MANIFEST_TAIL;
    if (token_is_punct(token, '~'))
        return &tail;
    for (size_t i = 0; i < WORDS; i++)
        if (token_is(token, words[i].text))
            return &words[i].word;
    return NULL;
}

static bool error_word(struct arena *arena, struct diagnostics *diagnostics,
                       const struct token *token) {
    const char *names[WORDS + EXTENTS], *text = token_text(arena, token);
    for (size_t i = 0; i < WORDS; i++)
        names[i] = words[i].text;
    for (size_t i = 0; i < EXTENTS; i++)
        names[WORDS + i] = extents[i];
    diag_error(diagnostics, token->span, "'%.40s' begins no line of a manifest", text);
    if (!diag_suggest(diagnostics, diag_nearest(text, strlen(text), names, WORDS + EXTENTS)))
        diag_hint(
            diagnostics,
            "'kernel', 'with', 'then', 'global', 'arg', 'dynamic', 'envreg', 'launch', 'progress', "
            "'assume', 'test' and what is after the threads of a test do");
    return false;
}

// Whether an item goes on at a token. What begins another one begins a line; only the condition of
// a `test` may follow its name.
static bool goes_on(const struct manifest_item *item, size_t length, const struct token *token) {
    const enum manifest_word *word = word_of(token);
    bool follows = item->word == MANIFEST_TEST && length == 2 && word && *word == MANIFEST_TAIL;
    if (!word || (!token->line_start && !follows))
        return true;
    return item->word == MANIFEST_TAIL && *word == MANIFEST_TAIL;
}

// Whether a line may begin with this word in an item: one with the extents of a launch, or with the
// rest of a condition.
static bool belongs(const struct manifest_item *item, const struct token *token) {
    bool launches =
        item->word == MANIFEST_KERNEL || item->word == MANIFEST_WITH || item->word == MANIFEST_THEN;
    for (size_t i = 0; launches && i < EXTENTS; i++)
        if (token_is(token, extents[i]))
            return true;
    return item->word == MANIFEST_TAIL &&
           (token_is_any_case(token, "and") || token_is_any_case(token, "or"));
}

// Whether an item may end with a token: nothing has to follow it.
static bool may_be_last(const struct token *token) {
    char first = token->span.source->text[token->span.begin];
    return token->kind == TOKEN_INTEGER || token->kind == TOKEN_FLOAT ||
           token->kind == TOKEN_STRING || isalpha(first) || first == ')' || first == ']' ||
           first == '}';
}

static unsigned nesting_after(const struct token *token, unsigned nested) {
    char first = token->span.source->text[token->span.begin];
    if (first == '(' || first == '[' || first == '{')
        return nested + 1;
    return nested > 0 && (first == ')' || first == ']' || first == '}') ? nested - 1 : nested;
}

// Whether a line begins with a word that begins no item, though the item before is complete: a
// misspelt `with`, which must not become a part of what comes before it.
static bool is_stray(const struct manifest_item *item, size_t length, unsigned depth,
                     const struct token *token) {
    return depth == 0 && length > 1 && token->line_start && token->kind == TOKEN_WORD &&
           isalpha(token->span.source->text[token->span.begin]) && !word_of(token) &&
           !belongs(item, token) && may_be_last(token - 1);
}

static void add_item(struct arena *arena, struct manifest *manifest, enum manifest_word word,
                     const struct token *first, size_t count) {
    struct token *tokens = arena_alloc(arena, (count + 1) * sizeof *tokens);
    memcpy(tokens, first, count * sizeof *tokens);
    tokens[count] = (struct token){
        .kind = TOKEN_END, .span = span_after(first[count - 1].span), .line_start = true};
    ARENA_APPEND(arena, manifest->items, manifest->count,
                 (struct manifest_item){.word = word, .tokens = tokens, .count = count + 1});
}

// The name in an item `module NAME`, with quotes or without, which may be of several tokens.
static const char *module_name(struct arena *arena, const struct manifest_item *item) {
    const struct token *first = &item->tokens[1], *last = &item->tokens[item->count - 2];
    if (item->count < 3)
        return "";
    struct span span = span_join(first->span, last->span);
    if (first->kind == TOKEN_STRING) {
        span.begin++;
        span.end--;
    }
    return span_text(arena, span);
}

static bool check_module(struct arena *arena, const struct source *source,
                         struct diagnostics *diagnostics, const struct manifest_item *item) {
    const char *name = module_name(arena, item);
    if (!source->shares_sidecar)
        return diag_error(
            diagnostics, item->tokens->span,
            "this manifest is of one module: a file 'all.ptx.litmus' is of all in its folder");
    if (name[0] != '\0' && source_is_beside(arena, source->path, name))
        return true;
    return diag_error(diagnostics, item->tokens[item->count > 2].span,
                      "there is no module '%s' in this folder", name);
}

// Keeps what is of this module, or of all.
static bool select_items(struct arena *arena, const struct source *source,
                         struct diagnostics *diagnostics, struct manifest *manifest) {
    const char *slash = strrchr(source->path, '/'), *own = slash ? slash + 1 : source->path;
    size_t kept = 0;
    bool selected = true, fine = true;
    for (size_t i = 0; i < manifest->count; i++) {
        const struct manifest_item item = manifest->items[i];
        if (item.word == MANIFEST_MODULE) {
            fine = check_module(arena, source, diagnostics, &item) && fine;
            selected = strcmp(module_name(arena, &item), own) == 0;
        } else if (selected) {
            manifest->items[kept++] = item;
        }
    }
    manifest->count = kept;
    return fine;
}

bool manifest_read(struct arena *arena, const struct source *source,
                   struct diagnostics *diagnostics, struct manifest *manifest) {
    const struct source *text = manifest_text(arena, source, diagnostics);
    size_t errors = diagnostics->error_count;
    *manifest = (struct manifest){0};
    if (!text)
        return false;
    manifest->tokens =
        lexer_tokens(arena, text, 0, text->size, diagnostics, &manifest->token_count);
    for (const struct token *at = manifest->tokens; at->kind != TOKEN_END;) {
        const struct token *first = at++;
        const enum manifest_word *word = word_of(first);
        if (!word)
            return error_word(arena, diagnostics, first);
        struct manifest_item item = {.word = *word};
        unsigned depth = 0, nested = 0; // of the host's braces; of all brackets
        while (at->kind != TOKEN_END && (depth > 0 || goes_on(&item, (size_t)(at - first), at))) {
            if (is_stray(&item, (size_t)(at - first), nested, at))
                return error_word(arena, diagnostics, at);
            nested = nesting_after(at, nested);
            if (*word == MANIFEST_WITH && token_is_punct(at, '{'))
                depth++;
            else if (depth > 0 && token_is_punct(at, '}'))
                depth--;
            at++;
        }
        add_item(arena, manifest, *word, first, (size_t)(at - first));
    }
    return select_items(arena, source, diagnostics, manifest) && diagnostics->error_count == errors;
}
