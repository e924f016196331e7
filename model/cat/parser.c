// The parser of cat texts: recursive descent, with herd's precedences. After an error it goes on
// with the next statement.
#include "model/cat/syntax.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/utf8.h"
#include "model/cat/tokens.h"

#include <assert.h>
#include <string.h>

// Expressions that nest deeper are refused, so that no text can exhaust the stack.
enum { HEIGHT_MAX = 200 };

struct parser {
    struct arena *arena;
    const struct source *source;
    struct diagnostics *diagnostics;
    const struct cat_token *tokens;
    size_t at;
    unsigned depth; // of parentheses, brackets, calls and prefixes
    bool failed;    // in the statement that is being read
};

static struct cat_expr *parse_expr(struct parser *parser);

// --- Tokens and errors -------------------------------------------------------------------------

static const struct cat_token *peek(const struct parser *parser, size_t ahead) {
    const struct cat_token *token = parser->tokens + parser->at;
    while (ahead-- > 0 && token->kind != CAT_END)
        token++;
    return token;
}

static const struct cat_token *advance(struct parser *parser) {
    const struct cat_token *token = peek(parser, 0);
    parser->at += token->kind != CAT_END;
    return token;
}

static bool accept(struct parser *parser, int kind) {
    bool found = peek(parser, 0)->kind == kind;
    if (found)
        advance(parser);
    return found;
}

static const char *text_of(const struct parser *parser, struct span span) {
    return arena_strndup(parser->arena, parser->source->text + span.begin, span.end - span.begin);
}

// How messages call a token: its text in quotes, unless it is long.
static const char *quoted(const struct parser *parser, const struct cat_token *token) {
    if (token->kind == CAT_END)
        return "the end of the text";
    if (token->span.end - token->span.begin > 40)
        return token->kind == CAT_STRING ? "this string" : "this name";
    return arena_format(parser->arena, "'%s'", text_of(parser, token->span));
}

static void fail_unsupported(struct parser *parser, const struct cat_token *token) {
    const char *text = parser->source->text + token->span.begin;
    const struct cat_unsupported *known =
        cat_find_unsupported(text, token->span.end - token->span.begin);
    const char *construct = quoted(parser, token);
    if (text[0] == '\'')
        construct = arena_format(parser->arena, "tags (%s)", construct);
    else if (known && known->construct)
        construct = known->construct;
    diag_error(parser->diagnostics, token->span,
               "the subset of cat that is read here leaves out %s", construct);
    if (known && known->hint)
        diag_hint(parser->diagnostics, "%s", known->hint);
}

// An error at the next token, unless this statement has one already. Returns whether it was added
// as told, so that the caller may give a hint.
static bool fail_expected(struct parser *parser, const char *expected) {
    const struct cat_token *token = peek(parser, 0);
    if (parser->failed)
        return false;
    parser->failed = true;
    if (token->kind == CAT_UNSUPPORTED) {
        fail_unsupported(parser, token);
        return false;
    }
    diag_error(parser->diagnostics, token->span, "expected %s, found %s", expected,
               quoted(parser, token));
    return true;
}

static bool expect(struct parser *parser, int kind, const char *expected) {
    bool found = !parser->failed && accept(parser, kind);
    if (!found)
        fail_expected(parser, expected);
    return found;
}

// As expect, for a bracket that closes `opener`.
static bool expect_closing(struct parser *parser, int kind, struct span opener) {
    assert(opener.begin <= opener.end);
    if (!parser->failed && accept(parser, kind))
        return true;
    const char *expected = kind == ')' ? "an operator or ')'" : "an operator or ']'";
    if (fail_expected(parser, expected)) {
        struct position position = source_position(opener.source, opener.begin);
        diag_hint(parser->diagnostics, "to close the '%c' of line %u, column %u",
                  parser->source->text[opener.begin], position.line, position.column);
    }
    return false;
}

static struct cat_name parse_name(struct parser *parser, const char *expected) {
    const struct cat_token *token = peek(parser, 0);
    if (!expect(parser, CAT_NAME, expected))
        return (struct cat_name){0};
    return (struct cat_name){text_of(parser, token->span), token->span};
}

// --- Expressions -------------------------------------------------------------------------------

static struct span span_since(const struct parser *parser, uint32_t begin) {
    uint32_t end = parser->at > 0 ? parser->tokens[parser->at - 1].span.end : begin;
    return (struct span){parser->source, begin, end};
}

static void fail_deep(struct parser *parser, struct span span) {
    assert(span.begin <= span.end);
    parser->failed = true;
    diag_error(parser->diagnostics, span, "this expression nests deeper than %d levels",
               HEIGHT_MAX);
    diag_hint(parser->diagnostics, "give a part of it a name with 'let'");
}

// Finishes an expression whose other fields are set; refuses a tree that is too high.
static struct cat_expr *finish(struct parser *parser, struct cat_expr expr) {
    for (size_t i = 0; i < expr.count; i++)
        if (expr.operands[i]->height > expr.height)
            expr.height = expr.operands[i]->height;
    if (++expr.height > HEIGHT_MAX && !parser->failed)
        fail_deep(parser, expr.span);
    return parser->failed ? NULL : arena_copy(parser->arena, &expr, 1, sizeof expr);
}

static struct cat_expr *make_operator(struct parser *parser, enum node_op op, struct span span,
                                      struct cat_expr **operands, size_t count) {
    assert(span.begin <= span.end);
    return finish(parser, (struct cat_expr){.kind = CAT_EXPR_OPERATOR,
                                            .op = op,
                                            .span = span,
                                            .operands = operands,
                                            .count = count});
}

static struct cat_expr *make_unary(struct parser *parser, enum node_op op, struct span span,
                                   struct cat_expr *operand) {
    assert(span.begin <= span.end);
    if (!operand)
        return NULL;
    return make_operator(parser, op, span, arena_copy(parser->arena, &operand, 1, sizeof operand),
                         1);
}

// Goes one level down; false, after an error, when that is too deep.
static bool enter(struct parser *parser) {
    if (parser->depth == HEIGHT_MAX && !parser->failed)
        fail_deep(parser, peek(parser, 0)->span);
    if (parser->failed)
        return false;
    parser->depth++;
    return true;
}

// call = name "(" expr ("," expr)* ")"
static struct cat_expr *parse_call(struct parser *parser) {
    struct cat_name name = parse_name(parser, "a function");
    const struct cat_token *opener = advance(parser);
    struct cat_expr expr = {.kind = CAT_EXPR_CALL, .name = name};
    if (!enter(parser))
        return NULL;
    do {
        struct cat_expr *argument = parse_expr(parser);
        if (argument)
            ARENA_APPEND(parser->arena, expr.operands, expr.count, argument);
    } while (!parser->failed && accept(parser, ','));
    parser->depth--;
    expect_closing(parser, ')', opener->span);
    expr.span = span_since(parser, name.span.begin);
    return finish(parser, expr);
}

// "(" expr ")" | "[" expr "]"
static struct cat_expr *parse_bracket(struct parser *parser, int closing) {
    const struct cat_token *opener = advance(parser);
    if (!enter(parser))
        return NULL;
    struct cat_expr *inner = parse_expr(parser);
    parser->depth--;
    if (!expect_closing(parser, closing, opener->span) || !inner)
        return NULL;
    struct span span = span_since(parser, opener->span.begin);
    if (closing == ']')
        return make_unary(parser, NODE_IDENTITY, span, inner);
    inner->span = span;
    return inner;
}

// atom = name | call | "_" | "0" | "{" "}" | "(" expr ")" | "[" expr "]"
static struct cat_expr *parse_atom(struct parser *parser) {
    const struct cat_token *token = peek(parser, 0);
    switch (token->kind) {
    case CAT_NAME:
        if (peek(parser, 1)->kind == '(')
            return parse_call(parser);
        return finish(parser, (struct cat_expr){.kind = CAT_EXPR_NAME,
                                                .span = token->span,
                                                .name = parse_name(parser, "a name")});
    case '_': advance(parser); return make_operator(parser, NODE_UNIVERSE, token->span, NULL, 0);
    case '0': advance(parser); return make_operator(parser, NODE_EMPTY, token->span, NULL, 0);
    case '{':
        advance(parser);
        if (!accept(parser, '}')) {
            if (fail_expected(parser, "'}'"))
                diag_hint(parser->diagnostics, "only the empty set can be written in braces");
            return NULL;
        }
        return make_operator(parser, NODE_EMPTY, span_since(parser, token->span.begin), NULL, 0);
    case '(': return parse_bracket(parser, ')');
    case '[': return parse_bracket(parser, ']');
    default:
        if (fail_expected(parser, "an expression") && token->kind == CAT_IF)
            diag_hint(parser->diagnostics, "a conditional under an operator needs parentheses");
        return NULL;
    }
}

static bool starts_test(int kind) {
    return kind == CAT_ACYCLIC || kind == CAT_IRREFLEXIVE || kind == CAT_IS_EMPTY;
}

// Whether the '*' that comes next is a product's: then an operand follows it.
static bool star_is_product(const struct parser *parser) {
    int next = peek(parser, 1)->kind;
    if (next == '~')
        return !starts_test(peek(parser, 2)->kind);
    return next == CAT_NAME || next == '_' || next == '0' || next == '{' || next == '(' ||
           next == '[';
}

// Reads a postfix operator, if there is one.
// suffix = "+" | "*" | "?" | "^" ("+" | "*" | "?" | "-1")
static bool parse_suffix(struct parser *parser, enum node_op *op) {
    bool hat = accept(parser, '^');
    int kind = peek(parser, 0)->kind;
    if (kind == '*' && !hat && star_is_product(parser))
        return false;
    switch (kind) {
    case '+': *op = NODE_PLUS; break;
    case '*': *op = NODE_STAR; break;
    case '?': *op = NODE_OPTION; break;
    case CAT_MINUS_ONE: *op = NODE_INVERSE; break;
    default:
        if (hat)
            fail_expected(parser, "'-1', '+', '*' or '?' after '^'");
        return false;
    }
    if (kind == CAT_MINUS_ONE && !hat) {
        if (fail_expected(parser, "an operator"))
            diag_hint(parser->diagnostics, "the inverse of r is written r^-1");
        return false;
    }
    advance(parser);
    return true;
}

// postfix = atom suffix*
static struct cat_expr *parse_postfix(struct parser *parser) {
    uint32_t begin = peek(parser, 0)->span.begin;
    struct cat_expr *expr = parse_atom(parser);
    enum node_op op;
    while (expr && parse_suffix(parser, &op))
        expr = make_unary(parser, op, span_since(parser, begin), expr);
    return parser->failed ? NULL : expr;
}

// prefix = "~" prefix | postfix
static struct cat_expr *parse_prefix(struct parser *parser) {
    const struct cat_token *token = peek(parser, 0);
    if (token->kind != '~')
        return parse_postfix(parser);
    if (!enter(parser))
        return NULL;
    advance(parser);
    struct cat_expr *operand = parse_prefix(parser);
    parser->depth--;
    return make_unary(parser, NODE_COMPLEMENT, span_since(parser, token->span.begin), operand);
}

// The binary operators, from loosest to tightest, as in herd.
// union = sequence ("|" sequence)*           sequence = difference (";" difference)*
// difference = inter ("\" inter)*            inter = product ("&" product)*
// product = prefix ("*" prefix)*
static const struct level {
    int mark;
    enum node_op op;
} levels[] = {
    {'|', NODE_UNION},        {';', NODE_SEQUENCE}, {'\\', NODE_DIFFERENCE},
    {'&', NODE_INTERSECTION}, {'*', NODE_PRODUCT},
};
enum { LEVEL_COUNT = sizeof levels / sizeof *levels };

static struct cat_expr *parse_level(struct parser *parser, unsigned level) {
    if (level == LEVEL_COUNT)
        return parse_prefix(parser);
    uint32_t begin = peek(parser, 0)->span.begin;
    struct cat_expr **operands = NULL;
    size_t count = 0;
    do {
        struct cat_expr *operand = parse_level(parser, level + 1);
        if (!operand || (count == 0 && peek(parser, 0)->kind != levels[level].mark))
            return operand;
        ARENA_APPEND(parser->arena, operands, count, operand);
    } while (accept(parser, levels[level].mark));
    return make_operator(parser, levels[level].op, span_since(parser, begin), operands, count);
}

// The string that the next token is, without its quotes.
static struct cat_name parse_string(struct parser *parser, const char *expected) {
    struct span span = peek(parser, 0)->span;
    if (!expect(parser, CAT_STRING, expected))
        return (struct cat_name){0};
    struct span inside = {span.source, span.begin + 1, span.end - 1};
    return (struct cat_name){text_of(parser, inside), span};
}

// conditional = "if" string "then"? expr "else" expr
static struct cat_expr *parse_conditional(struct parser *parser) {
    uint32_t begin = advance(parser)->span.begin;
    struct cat_expr *branches[2] = {NULL, NULL};
    if (peek(parser, 0)->kind != CAT_STRING && fail_expected(parser, "a variant's name in quotes"))
        diag_hint(parser->diagnostics, "only variants are tested: if \"name\" then ... else ...");
    if (!enter(parser))
        return NULL;
    struct cat_name variant = parse_string(parser, "a variant's name in quotes");
    accept(parser, CAT_THEN);
    branches[0] = parse_expr(parser);
    if (branches[0] && expect(parser, CAT_ELSE, "an operator or 'else'"))
        branches[1] = parse_expr(parser);
    parser->depth--;
    if (!branches[1])
        return NULL;
    return finish(parser, (struct cat_expr){
                              .kind = CAT_EXPR_CONDITIONAL,
                              .name = variant,
                              .span = span_since(parser, begin),
                              .operands = arena_copy(parser->arena, branches, 2, sizeof *branches),
                              .count = 2});
}

// expr = conditional | union
static struct cat_expr *parse_expr(struct parser *parser) {
    if (peek(parser, 0)->kind == CAT_IF)
        return parse_conditional(parser);
    return parse_level(parser, 0);
}

// --- Statements --------------------------------------------------------------------------------

// parameters = "(" name ("," name)* ")"
static void parse_parameters(struct parser *parser, struct cat_binding *binding) {
    binding->is_function = true;
    do {
        struct cat_name name = parse_name(parser, "a parameter's name");
        if (name.text)
            ARENA_APPEND(parser->arena, binding->parameters, binding->parameter_count, name);
    } while (!parser->failed && accept(parser, ','));
    expect(parser, ')', "',' or ')'");
}

// binding = name parameters? "=" expr
static struct cat_binding parse_binding(struct parser *parser) {
    struct cat_binding binding = {.name = parse_name(parser, "the name to define")};
    if (!binding.name.text)
        return binding;
    if (accept(parser, '('))
        parse_parameters(parser, &binding);
    if (!expect(parser, '=', "'='")) {
        if (!binding.is_function && peek(parser, 0)->kind == CAT_NAME)
            diag_hint(parser->diagnostics,
                      "parameters are written in parentheses: let %s(%s) = ...", binding.name.text,
                      text_of(parser, peek(parser, 0)->span));
        return binding;
    }
    binding.body = parse_expr(parser);
    return binding;
}

// let = "let" "rec"? binding ("and" binding)*
static void parse_let(struct parser *parser, struct cat_statement *statement) {
    advance(parser);
    statement->kind = accept(parser, CAT_REC) ? CAT_STATEMENT_REC : CAT_STATEMENT_LET;
    do {
        struct cat_binding binding = parse_binding(parser);
        if (binding.name.text)
            ARENA_APPEND(parser->arena, statement->bindings, statement->binding_count, binding);
    } while (!parser->failed && accept(parser, CAT_AND));
}

// Takes a word that is special only here, and elsewhere a name like others.
static bool accept_flag_word(struct parser *parser, const char *word, bool *said) {
    const struct cat_token *token = peek(parser, 0);
    if (token->kind != CAT_NAME || strcmp(text_of(parser, token->span), word) != 0)
        return false;
    if (*said && !parser->failed) {
        parser->failed = true;
        diag_error(parser->diagnostics, token->span, "this flag is said to be '%s' twice", word);
    }
    *said = true;
    advance(parser);
    return true;
}

// flag = "flag" ("race" | "undefined" | "at_once")*
static void parse_flag(struct parser *parser, struct cat_statement *statement) {
    statement->use = AXIOM_FLAG;
    while (accept_flag_word(parser, "race", &statement->race) ||
           accept_flag_word(parser, "undefined", &statement->undefined) ||
           accept_flag_word(parser, "at_once", &statement->at_once))
        ;
}

// axiom = ((flag? "in_any_program"?) | "undefined_unless") "~"? ("acyclic" | "irreflexive" |
// "empty") expr
//         ("as" name)?
static void parse_axiom(struct parser *parser, struct cat_statement *statement) {
    statement->kind = CAT_STATEMENT_AXIOM;
    if (accept(parser, CAT_FLAG))
        parse_flag(parser, statement);
    else if (accept(parser, CAT_UNDEFINED_UNLESS))
        statement->use = AXIOM_DEFINED;
    if (statement->use != AXIOM_DEFINED)
        statement->in_any_program = accept(parser, CAT_IN_ANY_PROGRAM);
    const struct cat_token *tilde = peek(parser, 0);
    statement->negated = accept(parser, '~');
    if (statement->negated && statement->use != AXIOM_FLAG) {
        parser->failed = true;
        diag_error(parser->diagnostics, tilde->span,
                   "only a flag can be negated: an axiom with '~' is not in the subset of cat that "
                   "is read here");
        return;
    }
    const struct cat_token *test = peek(parser, 0);
    if (!starts_test(test->kind)) {
        fail_expected(parser, "'acyclic', 'irreflexive' or 'empty'");
        return;
    }
    advance(parser);
    statement->axiom = test->kind == CAT_ACYCLIC       ? AXIOM_ACYCLIC
                       : test->kind == CAT_IRREFLEXIVE ? AXIOM_IRREFLEXIVE
                                                       : AXIOM_EMPTY;
    struct cat_expr *expr = parse_expr(parser);
    statement->exprs = arena_copy(parser->arena, &expr, 1, sizeof expr);
    statement->expr_count = 1;
    if (!parser->failed && accept(parser, CAT_AS))
        statement->name = parse_name(parser, "the axiom's name");
}

// include = "include" string
static void parse_include(struct parser *parser, struct cat_statement *statement) {
    advance(parser);
    statement->kind = CAT_STATEMENT_INCLUDE;
    statement->name = parse_string(parser, "a file name in quotes");
}

// show = "show" expr ("as" name)? ("," expr ("as" name)?)* | "unshow" name ("," name)*
// Both are herd's drawing instructions: checked, and without effect.
static void parse_show(struct parser *parser, struct cat_statement *statement) {
    bool show = advance(parser)->kind == CAT_SHOW;
    statement->kind = CAT_STATEMENT_SHOW;
    do {
        if (!show) {
            parse_name(parser, "a name");
            continue;
        }
        struct cat_expr *expr = parse_expr(parser);
        if (expr)
            ARENA_APPEND(parser->arena, statement->exprs, statement->expr_count, expr);
        if (!parser->failed && accept(parser, CAT_AS))
            parse_name(parser, "a name");
    } while (!parser->failed && accept(parser, ','));
}

static bool starts_statement(int kind) {
    return starts_test(kind) || kind == CAT_LET || kind == CAT_INCLUDE || kind == CAT_FLAG ||
           kind == CAT_UNDEFINED_UNLESS || kind == CAT_IN_ANY_PROGRAM || kind == CAT_SHOW ||
           kind == CAT_UNSHOW;
}

// statement = let | axiom | include | show
static void parse_statement(struct parser *parser, struct cat_statement *statement) {
    switch (peek(parser, 0)->kind) {
    case CAT_LET: parse_let(parser, statement); break;
    case CAT_INCLUDE: parse_include(parser, statement); break;
    case CAT_SHOW:
    case CAT_UNSHOW: parse_show(parser, statement); break;
    default: parse_axiom(parser, statement); break;
    }
}

// A statement must be followed by another one or the end.
static void check_statement_end(struct parser *parser, bool first) {
    const struct cat_token *token = peek(parser, 0);
    if (token->kind == CAT_END || starts_statement(token->kind) ||
        (token->kind == '~' && starts_test(peek(parser, 1)->kind)))
        return;
    bool operand = token->kind == CAT_NAME || token->kind == '[' || token->kind == '(';
    if (fail_expected(parser, first ? "a statement" : "an operator or the next statement") &&
        operand && !first)
        diag_hint(parser->diagnostics, "';' composes relations, '&' intersects, '|' joins");
}

static void skip_statement(struct parser *parser) {
    while (peek(parser, 0)->kind != CAT_END && !starts_statement(peek(parser, 0)->kind))
        advance(parser);
}

// title = name* string?
static const char *parse_title(struct parser *parser) {
    const struct cat_token *first = peek(parser, 0);
    while (accept(parser, CAT_NAME))
        ;
    const struct cat_token *string = peek(parser, 0);
    if (accept(parser, CAT_STRING))
        return text_of(parser,
                       (struct span){parser->source, string->span.begin + 1, string->span.end - 1});
    return text_of(parser, span_since(parser, first->span.begin));
}

// --- Texts that are none -----------------------------------------------------------------------

// Whether a statement may start here, or there is a word that only cat has, even if misplaced.
static bool at_statement(struct parser *parser) {
    const struct cat_token *token = peek(parser, 0);
    char first = parser->source->text[token->span.begin]; // a NUL past the end
    bool is_keyword = token->kind != CAT_NAME && first >= 'a' && first <= 'z';
    return token->kind == CAT_END || is_keyword ||
           (token->kind == '~' && starts_test(peek(parser, 1)->kind));
}

// The first byte that no text has: a control character, or what is not UTF-8. source->size for
// none.
static uint32_t find_binary(const struct source *source) {
    const char *text = source->text, *end = text + source->size, *at = text;
    while (at < end) {
        uint32_t code;
        if (*at >= ' ' && *at < 0x7F) { // nearly all that there is
            at++;
            continue;
        }
        unsigned length = utf8_decode(at, end, &code);
        bool is_blank = *at == ' ' || (*at >= '\t' && *at <= '\r');
        if (length == 0 || ((code < ' ' || code == 0x7F) && !is_blank))
            break;
        at += length;
    }
    return (uint32_t)(at - text);
}

// Whether a file that was named as a cat text begins like one: a title of words or a string, then a
// statement or the end. What does not may be anything (a password, a key), so the message gives the
// place and what was expected there, and does not show the text. `*tokens` gets the text's tokens
// if these have no error, else NULL.
static bool check_is_cat(struct arena *arena, const struct source *source,
                         struct diagnostics *diagnostics, const struct cat_token **tokens) {
    struct diagnostics ignored; // the parser says them again, of a text that is one
    diagnostics_init(&ignored, arena);
    struct parser parser = {.arena = arena, .source = source, .diagnostics = &ignored};
    uint32_t binary = find_binary(source);
    struct span span = {source_unquoted(arena, source), binary, binary};
    if (binary == source->size) {
        parser.tokens = cat_tokens(arena, source, &ignored);
        *tokens = ignored.count == 0 ? parser.tokens : NULL;
        parse_title(&parser);
        span.begin = span.end = peek(&parser, 0)->span.begin;
        if (ignored.count > 0 && ignored.items[0].span.begin < span.begin)
            span.begin = span.end = ignored.items[0].span.begin;
        else if (at_statement(&parser))
            return true;
    }
    diag_error(diagnostics, span, "this is not a cat text");
    diag_hint(diagnostics, "%s",
              binary < source->size
                  ? "it has a byte here that is not text"
                  : "expected a title, then 'let', 'include', 'show', 'flag' or an axiom; the text "
                    "here is not shown, since the file could be anything");
    return false;
}

// file = title statement*
struct cat_file *cat_parse(struct arena *arena, const struct source *source,
                           struct diagnostics *diagnostics) {
    struct parser parser = {.arena = arena, .source = source, .diagnostics = diagnostics};
    struct cat_file *file = ARENA_NEW(arena, struct cat_file);
    if (!check_is_cat(arena, source, diagnostics, &parser.tokens)) {
        file->title = "";
        return file;
    }
    if (!parser.tokens)
        parser.tokens = cat_tokens(arena, source, diagnostics);
    bool one_word = parser.tokens[0].kind == CAT_NAME;
    file->title = parse_title(&parser);
    file->is_bare_ptx = one_word && parser.at == 1 && strcmp(file->title, "PTX") == 0;
    check_statement_end(&parser, true);
    if (parser.failed)
        skip_statement(&parser);
    while (peek(&parser, 0)->kind != CAT_END) {
        struct cat_statement statement = {.use = AXIOM_REQUIRED};
        uint32_t begin = peek(&parser, 0)->span.begin;
        parser.failed = false;
        parser.depth = 0;
        parse_statement(&parser, &statement);
        statement.span = span_since(&parser, begin);
        if (!parser.failed)
            check_statement_end(&parser, false);
        if (parser.failed)
            skip_statement(&parser);
        // A definition with an error stays, without a body, so that its uses are not unknown names.
        if (!parser.failed || statement.binding_count > 0)
            ARENA_APPEND(arena, file->statements, file->count, statement);
    }
    return file;
}
