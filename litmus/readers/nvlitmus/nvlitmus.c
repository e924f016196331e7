// nvlitmus's files: what surrounds the instructions, and the tests that a file contains.
//
// Of a command, `permit (C)` is an `exists C` that must be allowed, `assert (C)` a `forall C`, and
// `check (C)` an `exists C` without an expectation; a load's `== v` is a filter. All variables have
// 32 bits and start with 0.
#include "litmus/readers/nvlitmus/nvlitmus.h"

#include "litmus/names/table.h"
#include "litmus/readers/tail.h"
#include "litmus/source/arena.h"

#include <string.h>
#include <strings.h>

enum stage { STAGE_DECLARATIONS, STAGE_THREADS, STAGE_COMMANDS, STAGE_NONE };

struct command {
    const char *name;
    struct span name_span;
    struct span span; // the first word
    enum quantifier quantifier;
    enum expectation expectation;
    struct condition *condition;
};

struct command_list {
    struct command *items;
    size_t count;
    bool failed;
};

// --- Recognition -------------------------------------------------------------------------------

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool starts_word(const char *text, const char *word) {
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && !is_letter(text[length]);
}

// ".global x": a state space and a name, without the type that PTX has between them.
static bool starts_declaration(const char *text) {
    static const char *const words[] = {".global", ".shared", ".texref", ".surfref", ".conref"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!starts_word(text, words[i]))
            continue;
        text += strlen(words[i]);
        return is_letter(text[strspn(text, " \t\r\n")]);
    }
    return false;
}

// "d0.b0.t0"
static bool starts_thread(const char *text) {
    static const char *const parts[] = {"d", ".b", ".t"};
    for (size_t i = 0; i < 3; i++) {
        size_t length = strlen(parts[i]);
        if (strncmp(text, parts[i], length) != 0)
            return false;
        size_t digits = strspn(text + length, "0123456789");
        if (digits == 0)
            return false;
        text += length + digits;
    }
    return true;
}

static bool has_suffix(const char *text, const char *suffix) {
    size_t length = strlen(text), end = strlen(suffix);
    return length > end && strcmp(text + length - end, suffix) == 0;
}

bool nvlitmus_begins(const struct source *source) {
    const char *text = source->text + frame_skip_comments(source);
    return starts_declaration(text) || starts_thread(text);
}

bool nvlitmus_recognise(const struct source *source) {
    const char *text = source->text + frame_skip_comments(source);
    if (nvlitmus_begins(source))
        return true;
    bool is_ptx = strncasecmp(text, "PTX", 3) == 0 && !is_letter(text[3]);
    return has_suffix(source->path, ".test") && !is_ptx;
}

// --- Declarations ------------------------------------------------------------------------------

struct space {
    const char *name;
    const char *relation; // to the variable that it aliases
    enum state_space space;
    enum proxy proxy;
};

static const struct space spaces[] = {
    {".global", "physically", SPACE_GLOBAL, PROXY_GENERIC},
    {".shared", "physically", SPACE_SHARED, PROXY_GENERIC},
    {".texref", "virtually", SPACE_GLOBAL, PROXY_TEXTURE},
    {".surfref", "virtually", SPACE_GLOBAL, PROXY_SURFACE},
    {".conref", "virtually", SPACE_GLOBAL, PROXY_CONSTANT},
};
enum { SPACE_COUNT = sizeof spaces / sizeof spaces[0] };

static const struct space *find_space(struct frame *frame) {
    const struct token *token = frame_current(frame);
    const char *names[SPACE_COUNT];
    for (size_t i = 0; i < SPACE_COUNT; i++) {
        if (token_is(token, spaces[i].name))
            return &spaces[i];
        names[i] = spaces[i].name;
    }
    diag_error(frame->diagnostics, token->span, "a declaration cannot start with '%s'",
               frame_span_text(frame, token->span));
    if (!diag_suggest(frame->diagnostics, token_nearest(token, names, SPACE_COUNT)))
        diag_hint(frame->diagnostics, ".global, .shared, .texref, .surfref or .conref");
    return NULL;
}

static bool expect_word(struct frame *frame, const char *word, const char *quoted) {
    if (token_is(frame_current(frame), word)) {
        frame_next(frame);
        return true;
    }
    return frame_error_expected(frame, quoted);
}

// alias = ("physically" | "virtually") "aliases" name
static bool parse_alias(struct nvlitmus *parser, const struct space *space,
                        struct variable *variable) {
    struct frame *frame = &parser->frame;
    bool physical = space->proxy == PROXY_GENERIC;
    if (!expect_word(frame, space->relation, physical ? "'physically' or ';'" : "'virtually'"))
        return false;
    if (!expect_word(frame, "aliases", "'aliases'"))
        return false;
    const struct token *name = frame_expect_word(frame, "the name of a variable");
    if (!name)
        return false;
    variable->alias_of = reader_require_variable(&parser->frame.reader, name);
    if (variable->alias_of < 0)
        return false;
    enum state_space target = frame->test->variables[variable->alias_of].space;
    if (physical && target != variable->space)
        return diag_error(frame->diagnostics, name->span, "'%s' is not a %s variable",
                          frame_span_text(frame, name->span), space->name);
    variable->space = target;
    variable->alias_proxy = space->proxy;
    variable->has_initial = false;
    variable->initial = NULL;
    return true;
}

static bool check_new_variable(struct frame *frame, const struct variable *variable) {
    int other = reader_variable(&frame->reader, variable->name);
    if (other < 0)
        return true;
    diag_error(frame->diagnostics, variable->span, "variable '%s' is declared twice",
               frame_span_text(frame, variable->span));
    diag_hint(frame->diagnostics, "the first declaration is on line %u",
              span_line(frame->test->variables[other].span));
    return false;
}

static bool parse_variable_name(struct frame *frame, struct variable *variable) {
    const struct token *name = frame_current(frame);
    if (name->kind != TOKEN_WORD) {
        frame_error_expected(frame, "the name of a variable");
        if (name->kind == TOKEN_QUALIFIER)
            diag_hint(frame->diagnostics,
                      "variables of nvlitmus have no type: each has 32 bits and starts with 0");
        return false;
    }
    frame_next(frame);
    variable->name = token_text(frame->arena, name);
    variable->span = name->span;
    return check_new_variable(frame, variable);
}

// declaration = (".global" | ".shared") name alias? ";"
//             | (".texref" | ".surfref" | ".conref") name alias ";"
static bool parse_declaration(struct nvlitmus *parser) {
    struct frame *frame = &parser->frame;
    const struct space *space = find_space(frame);
    if (!space)
        return false;
    frame_next(frame);
    struct variable variable = {.space = space->space,
                                .type = TYPE_U32,
                                .element_count = 1,
                                .alignment = 4,
                                .has_initial = true,
                                .alias_of = -1};
    if (!parse_variable_name(frame, &variable))
        return false;
    const struct token *next = frame_current(frame);
    bool aliases = space->proxy != PROXY_GENERIC || (next->kind == TOKEN_WORD && !next->line_start);
    if (aliases && !parse_alias(parser, space, &variable))
        return false;
    if (variable.has_initial) {
        variable.initial = ARENA_NEW(frame->arena, struct initial_element);
        variable.initial->variable = -1;
    }
    reader_add_variable(&frame->reader, &variable);
    if (token_is_punct(frame_current(frame), '=')) {
        frame_error_expected(frame, "';'");
        diag_hint(frame->diagnostics, "variables of nvlitmus start with 0");
        return false;
    }
    return nvlitmus_end(parser, "declaration");
}

// --- Threads -----------------------------------------------------------------------------------

// The number after a prefix that a token starts with, or an error.
static bool parse_numbered(struct frame *frame, const char *prefix, unsigned *number) {
    const struct token *token = frame_current(frame);
    struct token word = *token; // frame_word_number takes words only
    word.kind = token->kind == TOKEN_QUALIFIER ? TOKEN_WORD : token->kind;
    if (!frame_word_number(&word, prefix, number)) {
        frame_error_expected(frame, arena_format(frame->arena, "'%sN'", prefix));
        diag_hint(frame->diagnostics,
                  "a thread is named after its GPU, its CTA and itself: d0.b0.t0");
        return false;
    }
    if (*number == UINT32_MAX)
        return diag_error(frame->diagnostics, token->span, "this number is too large");
    frame_next(frame);
    return true;
}

struct thread_name {
    unsigned device, block, number;
    struct span span;
};

// name = "d" n ".b" n ".t" n
static bool parse_thread_name(struct frame *frame, struct thread_name *name) {
    const struct token *first = frame_current(frame);
    bool fine = parse_numbered(frame, "d", &name->device) &&
                parse_numbered(frame, ".b", &name->block) &&
                parse_numbered(frame, ".t", &name->number);
    name->span = span_join(first->span, frame_after_previous(frame));
    return fine;
}

// The thread of this name; a second body with the same name continues the thread.
static int find_thread(struct nvlitmus *parser, const struct thread_name *name) {
    struct frame *frame = &parser->frame;
    struct test *test = frame->test;
    const char *key =
        arena_format(frame->arena, "d%u.b%u.t%u", name->device, name->block, name->number);
    int found = name_table_find(parser->thread_names, key);
    if (found >= 0)
        return found;
    struct thread thread = {.number = (unsigned)test->thread_count,
                            .span = name->span,
                            .place = {.gpu = name->device, .cta = name->block, .span = name->span}};
    name_table_add(parser->thread_names, key, (int)test->thread_count);
    ARENA_APPEND(frame->arena, test->threads, test->thread_count, thread);
    ARENA_APPEND(frame->arena, frame->bodies, frame->body_count,
                 (struct frame_body){.failed = false});
    return (int)test->thread_count - 1;
}

// thread = name "{" instruction* "}"
static bool parse_thread(struct nvlitmus *parser) {
    struct frame *frame = &parser->frame;
    struct thread_name name;
    if (!parse_thread_name(frame, &name))
        return false;
    if (frame->test->thread_count == THREADS_MAX)
        return diag_error(frame->diagnostics, name.span, "a test has at most %d threads",
                          THREADS_MAX);
    const struct token *opener = frame_current(frame);
    if (!frame_expect(frame, '{', "'{' before the thread's instructions"))
        return false;
    size_t errors = frame->diagnostics->error_count;
    int thread = find_thread(parser, &name);
    nvlitmus_parse_body(parser, thread);
    if (!frame_accept_punct(frame, '}'))
        diag_error(frame->diagnostics, opener->span, "this '{' is never closed");
    if (frame->diagnostics->error_count > errors)
        frame->bodies[thread].failed = true;
    return true;
}

// Goes past the block that a thread with a bad name seems to have.
static void skip_thread(struct frame *frame) {
    while (frame_current(frame)->kind != TOKEN_END && !frame_accept_punct(frame, '}'))
        frame_next(frame);
}

// --- Commands ----------------------------------------------------------------------------------

struct command_word {
    const char *name;
    enum quantifier quantifier;
    enum expectation expectation;
};

static const struct command_word command_words[] = {
    {"permit", QUANTIFIER_EXISTS, EXPECT_ALLOWED},
    {"assert", QUANTIFIER_FORALL, EXPECT_ALWAYS},
    {"check", QUANTIFIER_EXISTS, EXPECTATION_COUNT}, // no expectation
};
enum { COMMAND_COUNT = sizeof command_words / sizeof command_words[0] };

// The command word that the token is, or NULL; then `*nearest` is the one that was meant, if any.
static const struct command_word *find_command(const struct token *token, const char **nearest) {
    const char *names[COMMAND_COUNT];
    *nearest = NULL;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (token_is(token, command_words[i].name))
            return &command_words[i];
        names[i] = command_words[i].name;
    }
    if (token->kind == TOKEN_WORD)
        *nearest = token_nearest(token, names, COMMAND_COUNT);
    return NULL;
}

// What no part starts with; `stage` is that of the parts before it.
static void error_no_part(struct frame *frame, enum stage stage) {
    const char *nearest;
    frame_error_expected(frame, stage == STAGE_DECLARATIONS ? "a declaration or a thread"
                                : stage == STAGE_THREADS ? "a thread, 'permit', 'assert' or 'check'"
                                                         : "'permit', 'assert' or 'check'");
    find_command(frame_current(frame), &nearest);
    diag_suggest(frame->diagnostics, nearest);
}

static bool check_command_name(struct frame *frame, const struct command_list *list,
                               const struct command *command) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, command->name) != 0)
            continue;
        diag_error(frame->diagnostics, command->name_span, "two commands are named '%s'",
                   frame_span_text(frame, command->name_span));
        diag_hint(frame->diagnostics, "the first one is on line %u",
                  span_line(list->items[i].name_span));
        return false;
    }
    return true;
}

// command = ("permit" | "assert" | "check") "(" condition ")" "as" name ";"
static bool parse_command(struct nvlitmus *parser, struct command_list *list) {
    struct frame *frame = &parser->frame;
    const char *nearest;
    const struct command_word *word = find_command(frame_current(frame), &nearest);
    struct command command = {.span = frame_next(frame)->span,
                              .quantifier = word->quantifier,
                              .expectation = word->expectation};
    if (!token_is_punct(frame_current(frame), '('))
        return frame_error_expected(frame, "'(' and a condition");
    command.condition = frame_parse_condition(frame);
    if (!command.condition || !expect_word(frame, "as", "'as' and a name"))
        return false;
    const struct token *name = frame_expect_word(frame, "a name");
    if (!name)
        return false;
    command.name = token_text(frame->arena, name);
    command.name_span = name->span;
    if (check_command_name(frame, list, &command))
        ARENA_APPEND(frame->arena, list->items, list->count, command);
    return nvlitmus_end(parser, "command");
}

// --- The order of the parts --------------------------------------------------------------------

static enum stage stage_of(const struct frame *frame) {
    const struct token *token = frame_current(frame), *next = frame_peek(frame, 1);
    const char *nearest;
    unsigned number;
    if (token->kind == TOKEN_QUALIFIER)
        return STAGE_DECLARATIONS;
    if (find_command(token, &nearest))
        return STAGE_COMMANDS;
    bool is_thread = token->kind == TOKEN_WORD &&
                     (next->kind == TOKEN_QUALIFIER || token_is_punct(next, '{') ||
                      token_is_punct(next, '@') || frame_word_number(token, "d", &number));
    return is_thread ? STAGE_THREADS : STAGE_NONE;
}

static void check_stage(struct frame *frame, enum stage before, enum stage stage) {
    if (stage >= before)
        return;
    diag_error(frame->diagnostics, frame_current(frame)->span, "%s come before the %s",
               stage == STAGE_DECLARATIONS ? "declarations" : "threads",
               before == STAGE_COMMANDS ? "commands" : "threads");
}

// `before` is the stage of the parts before this one.
static void parse_part(struct nvlitmus *parser, enum stage before, enum stage stage,
                       struct command_list *commands) {
    struct frame *frame = &parser->frame;
    check_stage(frame, before, stage);
    if (stage == STAGE_NONE) {
        error_no_part(frame, before);
        commands->failed = true;
        nvlitmus_skip(parser);
    } else if (stage == STAGE_DECLARATIONS && !parse_declaration(parser)) {
        frame->reader.variables_failed = true;
        nvlitmus_skip(parser);
    } else if (stage == STAGE_THREADS && !parse_thread(parser)) {
        frame->threads_failed = true;
        skip_thread(frame);
    } else if (stage == STAGE_COMMANDS && !parse_command(parser, commands)) {
        commands->failed = true;
        nvlitmus_skip(parser);
    }
}

static void parse_parts(struct nvlitmus *parser, struct command_list *commands) {
    struct frame *frame = &parser->frame;
    enum stage stage = STAGE_DECLARATIONS;
    while (frame_current(frame)->kind != TOKEN_END) {
        enum stage next = stage_of(frame);
        parse_part(parser, stage, next, commands);
        if (next != STAGE_NONE && next > stage)
            stage = next;
    }
    if (frame->test->thread_count == 0 && !frame->threads_failed) {
        diag_error(frame->diagnostics, frame_after_previous(frame), "the test has no threads");
        diag_hint(frame->diagnostics, "a thread is 'd0.b0.t0 { ... }'");
    } else if (commands->count == 0 && !commands->failed) {
        diag_error(frame->diagnostics, frame_after_previous(frame), "the test has no command");
        diag_hint(frame->diagnostics,
                  "write one after the threads: permit (...) as name; or assert (...) as name;");
    }
}

// A parameter that no table replaces.
static bool check_parameters(const struct frame *frame) {
    for (size_t i = 0; i < frame->count; i++) {
        unsigned column;
        if (!frame_word_number(&frame->tokens[i], "$", &column))
            continue;
        diag_error(frame->diagnostics, frame->tokens[i].span,
                   "'$%u' stands for a column, but the file has no table", column);
        diag_hint(frame->diagnostics,
                  "a line '$$' ends the test, and each line after it is a row: a | b | c");
        return false;
    }
    return true;
}

// --- Tests -------------------------------------------------------------------------------------

// A printable copy of a stretch of text, with one space for every stretch of white space.
static char *printable(struct arena *arena, const char *text, size_t length) {
    char *copy = arena_alloc(arena, length + 1), *at = copy;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool space = c == ' ' || (c >= '\t' && c <= '\r');
        if (!space)
            *at++ = c > ' ' && c < 0x7F ? c : '?';
        else if (at > copy && at[-1] != ' ')
            *at++ = ' ';
    }
    return copy;
}

// "MP_cta" of "tests/MP_cta.test".
static const char *name_of_path(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    if (strcmp(path, "-") == 0)
        return "stdin";
    return printable(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

// One test per command, with what the threads share.
static void add_tests(struct nvlitmus *parser, const struct command_list *commands,
                      struct test_list *tests) {
    struct frame *frame = &parser->frame;
    struct test *test = frame->test;
    if (parser->filter_count > 0)
        test->filter =
            frame_join_conditions(frame, CONDITION_AND, parser->filters, parser->filter_count);
    for (size_t i = 0; i < commands->count; i++) {
        const struct command *command = &commands->items[i];
        struct test *one = arena_copy(frame->arena, test, 1, sizeof *test);
        if (commands->count > 1)
            one->name = arena_format(frame->arena, "%s.%s", test->name, command->name);
        one->quantifier = command->quantifier;
        if (command->expectation != EXPECTATION_COUNT) {
            struct test_expected expected = {command->expectation, source_origin(command->span)};
            one->expected = arena_copy(frame->arena, &expected, 1, sizeof expected);
            one->expected_count = 1;
        }
        one->condition = command->condition;
        ARENA_APPEND(frame->arena, tests->items, tests->count, one);
    }
}

static void read_source(struct arena *arena, const struct source *source, const char *name,
                        const char *description, struct diagnostics *diagnostics,
                        struct test_list *tests) {
    struct test *test = ARENA_NEW(arena, struct test);
    *test = (struct test){
        .name = name, .description = description, .source = source, .dialect = DIALECT_NVLITMUS};
    struct nvlitmus parser = {.frame = {.arena = arena, .diagnostics = diagnostics, .test = test},
                              .register_names = name_table_new(arena),
                              .thread_names = name_table_new(arena)};
    struct frame *frame = &parser.frame;
    frame->reader = (struct reader){.arena = arena,
                                    .diagnostics = diagnostics,
                                    .test = test,
                                    .variable_names = name_table_new(arena),
                                    .declaration = ".global"};
    struct command_list commands = {0};
    size_t errors = diagnostics->error_count;
    uint32_t begin = frame_skip_comments(source);
    if (begin == source->size) // perhaps because of an open comment
        begin = 0;
    frame->tokens = lexer_tokens(arena, source, begin, source->size, diagnostics, &frame->count);
    if (frame->tokens[frame->count - 1].overflow || !check_parameters(frame))
        return;
    parse_parts(&parser, &commands);
    if (diagnostics->error_count == errors)
        add_tests(&parser, &commands, tests);
}

// --- Rows --------------------------------------------------------------------------------------

static bool is_known(const struct diagnostics *diagnostics, const struct diagnostic *message) {
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *other = &diagnostics->items[i];
        if (other->span.begin == message->span.begin && other->span.end == message->span.end &&
            other->span.source == message->span.source &&
            strcmp(other->message, message->message) == 0)
            return true;
    }
    return false;
}

// Adds the messages about one row's test. What is wrong with all rows is said once, and what is not
// in the row's own text says which row it is about.
static void take_messages(struct diagnostics *diagnostics, const struct diagnostics *messages,
                          const struct nvlitmus_table *table, const struct nvlitmus_row *row) {
    unsigned line = source_position(table->source, row->begin).line;
    for (size_t i = 0; i < messages->count; i++) {
        const struct diagnostic *message = &messages->items[i];
        if (is_known(diagnostics, message))
            continue;
        if (message->severity == SEVERITY_ERROR)
            diag_error(diagnostics, message->span, "%s", message->message);
        else
            diag_warning(diagnostics, message->span, "%s", message->message);
        bool in_row = message->span.source == table->source && message->span.begin >= row->begin;
        if (in_row && message->hint)
            diag_hint(diagnostics, "%s", message->hint);
        else if (message->hint)
            diag_hint(diagnostics, "%s (row %u of the table, line %u)", message->hint, row->number,
                      line);
        else if (!in_row)
            diag_hint(diagnostics, "in row %u of the table, line %u", row->number, line);
    }
}

static void read_row(struct arena *arena, const struct nvlitmus_table *table,
                     const struct nvlitmus_row *row, struct diagnostics *diagnostics,
                     struct test_list *tests) {
    const struct source *source = table->source;
    struct diagnostics own;
    diagnostics_init(&own, arena);
    const char *name = arena_format(arena, "%s.%u", name_of_path(arena, source->path), row->number);
    const char *cells = printable(arena, source->text + row->begin, row->end - row->begin);
    read_source(arena, nvlitmus_expand(arena, table, row), name, cells, &own, tests);
    take_messages(diagnostics, &own, table, row);
}

void nvlitmus_read(struct arena *arena, const struct source *source,
                   struct diagnostics *diagnostics, struct test_list *tests) {
    struct nvlitmus_table table;
    if (!nvlitmus_find_table(arena, source, diagnostics, &table))
        return;
    if (!table.present)
        read_source(arena, source, name_of_path(arena, source->path), "", diagnostics, tests);
    for (size_t i = 0; i < table.row_count && diagnostics->count < DIAGNOSTICS_KEPT; i++)
        read_row(arena, &table, &table.rows[i], diagnostics, tests);
}
