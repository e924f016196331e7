// The body of a function: its statements, and what its words are.
#include "litmus/readers/module/reading.h"

#include "litmus/names/table.h"
#include "litmus/ptx/ptx.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

enum { DEPTH_MAX = 64 }; // of brackets in a statement

struct body_reading {
    struct module_reading *reading;
    struct module_function *function;
    struct body_words words;
    struct module_place place, inlined_at; // of the last .loc
};

// --- Words -------------------------------------------------------------------------------------

// Whether a name is one of a range: a prefix that was declared so, and a number without leading
// zeros.
static bool in_range(struct arena *arena, const struct body_words *words, const char *name) {
    size_t length = strlen(name), first = length;
    while (first > 0 && name[first - 1] >= '0' && name[first - 1] <= '9')
        first--;
    for (; first < length; first++) { // %r1<20> declares %r10 to %r119, too
        int range = name_table_find(words->ranges, arena_strndup(arena, name, first));
        uint64_t number = 0;
        bool leads = name[first] == '0' && first + 1 < length;
        for (size_t i = first; i < length && number <= UINT32_MAX; i++)
            number = number * 10 + (unsigned)(name[i] - '0');
        if (range >= 0 && !leads && number < words->range_counts[range])
            return true;
    }
    return false;
}

static void check_words(struct body_reading *body) {
    struct module_reading *reading = body->reading;
    for (size_t i = 0; i < body->words.count; i++) {
        const struct body_word *word = &body->words.items[i];
        if (word->is_declared || word->is_special || strcmp(word->name, "_") == 0 ||
            strcmp(word->name, "WARP_SZ") == 0 ||
            name_table_find(reading->names, word->name) >= 0 ||
            in_range(reading->arena, &body->words, word->name))
            continue;
        diag_error(reading->diagnostics, word->first->span, "'%s' is not declared", word->name);
    }
}

// --- Operands ----------------------------------------------------------------------------------

struct operand_scan {
    struct body_reading *body;
    const struct token *openers[DEPTH_MAX];
    unsigned depth;
    bool after_operand; // the last token ends an operand
};

static int closer_of(int opener) {
    return opener == '(' ? ')' : opener == '[' ? ']' : opener == '{' ? '}' : 0;
}

static bool error_open(struct operand_scan *scan) {
    const struct token *opener = scan->openers[scan->depth - 1];
    return diag_error(scan->body->reading->diagnostics, opener->span, "this '%c' is never closed",
                      opener->punct);
}

static bool error_after(struct operand_scan *scan, const char *message) {
    struct module_reading *reading = scan->body->reading;
    return diag_error(reading->diagnostics, span_after(reading->at[-1].span), "%s", message);
}

static bool scan_opener(struct operand_scan *scan) {
    const struct token *token = scan->body->reading->at;
    bool is_index = token->punct == '[' && token[-1].kind == TOKEN_WORD && !token->space_before;
    if (scan->after_operand && !is_index)
        return module_error_expected(scan->body->reading, "',' or ';'");
    if (scan->depth == DEPTH_MAX)
        return diag_error(scan->body->reading->diagnostics, token->span,
                          "brackets are nested %d deep", DEPTH_MAX);
    scan->openers[scan->depth++] = token;
    scan->after_operand = false;
    return true;
}

static bool scan_closer(struct operand_scan *scan) {
    struct module_reading *reading = scan->body->reading;
    const struct token *token = reading->at;
    if (scan->depth == 0 && token->punct == '}')
        return error_after(scan, "a ';' is missing at the end of this statement");
    if (scan->depth == 0 || closer_of(scan->openers[scan->depth - 1]->punct) != token->punct)
        return diag_error(reading->diagnostics, token->span, "unmatched '%c'", token->punct);
    bool is_empty = token == scan->openers[scan->depth - 1] + 1;
    if (!scan->after_operand && !is_empty)
        return module_error_expected(reading, "an operand");
    scan->depth--;
    scan->after_operand = true;
    return true;
}

static bool scan_punct(struct operand_scan *scan) {
    struct module_reading *reading = scan->body->reading;
    int punct = reading->at->punct;
    if (closer_of(punct))
        return scan_opener(scan);
    if (punct == ')' || punct == ']' || punct == '}')
        return scan_closer(scan);
    if (punct == ',' && !scan->after_operand)
        return module_error_expected(reading, "an operand");
    if (punct == '@' || punct == '#' || punct == '=' || punct == ':')
        return reading->at->line_start && scan->depth == 0
                   ? error_after(scan, "a ';' is missing at the end of this statement")
                   : module_error_expected(reading, "',' or ';'");
    scan->after_operand = false; // an operator, a ','
    return true;
}

static bool scan_token(struct operand_scan *scan) {
    struct body_reading *body = scan->body;
    struct module_reading *reading = body->reading;
    const struct token *token = reading->at;
    switch (token->kind) {
    case TOKEN_END:
        return scan->depth > 0 ? error_open(scan) : module_error_expected(reading, "';'");
    case TOKEN_PUNCT: return scan_punct(scan);
    case TOKEN_QUALIFIER:
        if (scan->after_operand && !token->line_start)
            return true; // the '.x' of a vector, the '.unified' of an address
        break;
    case TOKEN_WORD:
        if (!scan->after_operand)
            body->words.of_token[token - body->function->body] =
                module_word(reading, &body->words, token);
        break;
    default: break;
    }
    if (scan->after_operand && token->line_start && scan->depth == 0)
        return error_after(scan, "a ';' is missing at the end of this statement");
    if (scan->after_operand || token->kind == TOKEN_QUALIFIER)
        return module_error_expected(reading, scan->after_operand ? "',' or ';'" : "an operand");
    scan->after_operand = true;
    return true;
}

// operands = (operand ("," operand)*)?, up to the ';', which is left.
static bool scan_operands(struct body_reading *body) {
    struct module_reading *reading = body->reading;
    struct operand_scan scan = {.body = body};
    const struct token *first = reading->at;
    for (; !token_is_punct(reading->at, ';'); reading->at++)
        if (!scan_token(&scan))
            return false;
    if (scan.depth > 0)
        return error_open(&scan);
    if (!scan.after_operand && reading->at > first)
        return module_error_expected(reading, "an operand");
    return true;
}

// --- Statements --------------------------------------------------------------------------------

// The name of what is called: after the results in parentheses, if there are any.
static const struct token *callee_of(const struct module_statement *statement) {
    const struct token *at = statement->operands;
    if (!token_is_punct(at, '('))
        return at;
    while (at < statement->end && !token_is_punct(at, ')'))
        at++;
    return at + 1 < statement->end ? at + 2 : at; // after the ','
}

// Whether a function without a body does not return: a call of it ends the thread.
static bool ends_thread(const struct module_reading *reading, const char *name) {
    const struct module *module = reading->module;
    for (size_t i = 0; i < module->function_count; i++)
        if (strcmp(module->functions[i].name, name) == 0 &&
            strstr(module->functions[i].attributes, ".noreturn"))
            return true;
    return ptx_is_failing(name);
}

// Why a call is not modelled, or NULL.
static const char *unknown_callee(const struct body_reading *body,
                                  const struct module_statement *statement) {
    struct module_reading *reading = body->reading;
    const struct token *callee = callee_of(statement);
    const char *name = token_text(reading->arena, callee);
    if (callee->kind != TOKEN_WORD || name_table_find(reading->bodies, name) >= 0 ||
        ends_thread(reading, name) || ptx_is_printing(name))
        return NULL;
    return name_table_find(reading->names, name) >= 0
               ? arena_format(reading->arena,
                              "'%s' has no body here; it may return anything in a test", name)
               : NULL; // through an address: of any function whose address is taken
}

// guard = "@" "!"? word
static bool parse_guard(struct body_reading *body) {
    struct module_reading *reading = body->reading;
    reading->at++;
    if (token_is_punct(reading->at, '!'))
        reading->at++;
    if (reading->at->kind != TOKEN_WORD)
        return module_error_expected(reading, "a predicate");
    body->words.of_token[reading->at - body->function->body] =
        module_word(reading, &body->words, reading->at);
    reading->at++;
    if (reading->at->kind != TOKEN_QUALIFIER) // %p.x: an element of a vector register
        return true;
    reading->at++;
    return true;
}

// instruction = guard? opcode operands ";"
static bool parse_instruction(struct body_reading *body) {
    struct module_reading *reading = body->reading;
    struct module_function *function = body->function;
    struct module_statement statement = {
        .first = reading->at, .place = body->place, .inlined_at = body->inlined_at};
    if (token_is_punct(reading->at, '@') && !parse_guard(body))
        return false;
    if (reading->at->kind != TOKEN_WORD)
        return module_error_expected(reading, "an instruction");
    statement.opcode = module_opcode_at(reading->opcodes, &reading->at);
    statement.operands = reading->at;
    if (!statement.opcode || !scan_operands(body))
        return false;
    statement.end = reading->at++;
    if (statement.opcode->kind == MODULE_CALL)
        statement.unknown = unknown_callee(body, &statement);
    ARENA_APPEND(reading->arena, function->statements, function->statement_count, statement);
    return true;
}

// --- Directives --------------------------------------------------------------------------------

static struct module_place place_at(const struct module_reading *reading, const struct token *at) {
    int file = at[0].kind == TOKEN_INTEGER && at[1].kind == TOKEN_INTEGER
                   ? name_table_find(reading->files, token_text(reading->arena, at))
                   : -1;
    return (struct module_place){.file = file, .line = file < 0 ? 0 : (unsigned)at[1].value.low};
}

// loc = ".loc" file line column ("," "function_name" label ("+" n)? "," "inlined_at" file line
// column)? What was inlined into another inlined function points to that by its line; the outermost
// one is kept.
static void parse_loc(struct body_reading *body) {
    struct module_reading *reading = body->reading;
    const struct token *at = reading->at, *end = token_of_next_line(at);
    struct module_place place = place_at(reading, at + 1), outer = {-1, 0};
    while (at < end && !token_is(at, "inlined_at"))
        at++;
    if (at < end)
        outer = place_at(reading, at + 1);
    // Each .loc of a chain of inlined functions names the one around it, which precedes it.
    if (outer.file >= 0 && body->inlined_at.file >= 0 && outer.file == body->place.file &&
        outer.line == body->place.line)
        outer = body->inlined_at;
    body->place = place;
    body->inlined_at = outer;
    reading->at = end;
}

// Whether it was one of the directives that are skipped up to their ';'.
static bool skip_list_directive(struct module_reading *reading) {
    static const char *const names[] = {".pragma", ".branchtargets", ".calltargets",
                                        ".callprototype"};
    if (token_among(reading->at, names, sizeof names / sizeof names[0]) < 0)
        return false;
    module_skip_statement(reading);
    return true;
}

static bool parse_directive(struct body_reading *body) {
    struct module_reading *reading = body->reading;
    struct module_function *function = body->function;
    if (token_is(reading->at, ".loc")) {
        parse_loc(body);
        return true;
    }
    if (token_is(reading->at, ".file") || token_is(reading->at, ".loc_intermediate")) {
        reading->at = token_of_next_line(reading->at);
        return true;
    }
    if (skip_list_directive(reading))
        return true;
    if (module_at_declaration(reading->at))
        return module_parse_declaration(reading, &function->variables, &function->variable_count,
                                        &body->words);
    return diag_error(reading->diagnostics, reading->at->span,
                      "there is no directive '%s' in a body",
                      token_text(reading->arena, reading->at));
}

// --- The body ----------------------------------------------------------------------------------

// statement = "{" | "}" | label ":" | directive | instruction | ";"
static bool parse_statement(struct body_reading *body) {
    struct module_reading *reading = body->reading;
    const struct token *token = reading->at;
    if (token_is_punct(token, '{') || token_is_punct(token, '}') || token_is_punct(token, ';')) {
        reading->at++;
        return true;
    }
    if (token->kind == TOKEN_WORD && token_is_punct(&token[1], ':')) {
        module_declare_word(reading, &body->words, token);
        reading->at += 2;
        return true;
    }
    return token->kind == TOKEN_QUALIFIER ? parse_directive(body) : parse_instruction(body);
}

static void declare_parameters(struct body_reading *body) {
    struct module_function *function = body->function;
    for (const struct token *at = function->head; at < function->body; at++)
        if (at->kind == TOKEN_WORD) // its own name, too
            module_declare_word(body->reading, &body->words, at);
}

bool module_parse_body(struct module_reading *reading, struct module_function *function,
                       const char *const *matters, size_t count) {
    struct body_reading body = {
        .reading = reading, .function = function, .place = {-1, 0}, .inlined_at = {-1, 0}};
    const struct token *end = function->body + function->body_count;
    size_t errors = reading->diagnostics->error_count;
    body.words.numbers = name_table_new(reading->arena);
    body.words.ranges = name_table_new(reading->arena);
    body.words.of_token = ARENA_ARRAY(reading->arena, int, function->body_count + 1);
    for (size_t i = 0; i <= function->body_count; i++)
        body.words.of_token[i] = -1;
    declare_parameters(&body);
    for (reading->at = function->body; reading->at < end;)
        if (!parse_statement(&body))
            module_skip_statement(reading);
    if (reading->diagnostics->error_count > errors)
        return false; // what a statement with an error declares, or defines, is not known
    check_words(&body);
    module_find_reach(reading->arena, function, &body.words, matters, count);
    return true;
}
