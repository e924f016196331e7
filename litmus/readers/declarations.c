// What stands before the threads: variables in PTX's form and in herd's, aliases, and initial
// values of registers.
#include "litmus/readers/parse.h"

#include "litmus/source/arena.h"

#include <string.h>

static const struct {
    const char *name;
    enum state_space space;
} spaces[] = {{".global", SPACE_GLOBAL}, {".shared", SPACE_SHARED}, {".shared::cta", SPACE_SHARED},
              {".const", SPACE_CONST},   {".local", SPACE_LOCAL},   {".param", SPACE_PARAM}};

// Adds a variable unless its name is taken. Returns its index or -1.
static int add_variable(struct parser *parser, struct variable variable) {
    struct test *test = parser->test;
    int other = reader_variable(&parser->reader, variable.name);
    if (other >= 0) {
        struct span first = test->variables[other].span;
        diag_error(parser->diagnostics, variable.span, "variable '%s' is declared twice",
                   span_text(parser, variable.span));
        diag_hint(parser->diagnostics, "the first declaration is at line %u",
                  source_position(first.source, first.begin).line);
        return -1;
    }
    return reader_add_variable(&parser->reader, &variable);
}

// --- Sizes -------------------------------------------------------------------------------------

static bool error_too_large(struct parser *parser, struct span span) {
    diag_error(parser->diagnostics, span, "the variables of a test have at most %d bytes together",
               VARIABLE_BYTES_MAX);
    return false;
}

// dimensions = ("[" integer? "]")*
static bool parse_dimensions(struct parser *parser, struct dimensions *dimensions) {
    while (accept_punct(parser, '[')) {
        struct span span = current_token(parser)->span;
        if (dimensions->count == sizeof(dimensions->sizes) / sizeof(dimensions->sizes[0])) {
            diag_error(parser->diagnostics, span, "an array has at most %u dimensions",
                       dimensions->count);
            return false;
        }
        unsigned size = 0;
        bool open = dimensions->count == 0 && token_is_punct(current_token(parser), ']');
        if (!open && !parse_unsigned(parser, "number of elements", &size))
            return false;
        if (!open && size == 0) {
            diag_error(parser->diagnostics, span, "an array needs at least one element");
            return false;
        }
        if (size > VARIABLE_BYTES_MAX)
            return error_too_large(parser, span);
        dimensions->sizes[dimensions->count++] = size;
        if (!accept_punct(parser, ']')) {
            error_expected(parser, "']'");
            return false;
        }
    }
    return true;
}

// Counts the elements of a variable and checks that the test does not grow too large.
static bool set_size(struct parser *parser, struct variable *variable,
                     const struct dimensions *dimensions) {
    uint64_t count = 1;
    for (unsigned i = 0; i < dimensions->count; i++) {
        count *= dimensions->sizes[i];
        if (count > VARIABLE_BYTES_MAX)
            return error_too_large(parser, variable->span);
    }
    parser->variable_bytes += count * (scalar_type_bits(variable->type) / 8);
    if (parser->variable_bytes > VARIABLE_BYTES_MAX)
        return error_too_large(parser, variable->span);
    variable->is_array = dimensions->count > 0;
    variable->element_count = (size_t)count;
    return true;
}

// --- Variables ---------------------------------------------------------------------------------

// declarator = name dimensions ("=" initialiser)?
// `variable` holds what stands before the name; `vector` is 1, or the elements of .v2 and .v4.
static bool parse_declarator(struct parser *parser, struct variable variable, unsigned vector) {
    const struct token *name = current_token(parser);
    if (name->kind != TOKEN_WORD) {
        error_expected(parser, "the name of a variable");
        return false;
    }
    next_token(parser);
    variable.name = token_text(parser->arena, name);
    variable.span = name->span;
    struct dimensions dimensions = {0};
    if (!parse_dimensions(parser, &dimensions))
        return false;
    bool has_initial = accept_punct(parser, '=');
    if (dimensions.count > 0 && dimensions.sizes[0] == 0) {
        if (!has_initial || !token_is_punct(current_token(parser), '{')) {
            diag_error(parser->diagnostics, name->span,
                       "array '%s' has neither a size nor a list of initial values",
                       span_text(parser, name->span));
            return false;
        }
        dimensions.sizes[0] = count_initial_list(parser);
    }
    if (vector > 1 && dimensions.count < 8)
        dimensions.sizes[dimensions.count++] = vector;
    if (!set_size(parser, &variable, &dimensions))
        return false;
    int index = add_variable(parser, variable);
    if (index < 0)
        return false;
    return !has_initial || parse_initialiser(parser, (size_t)index, &dimensions);
}

struct declaration {
    struct variable variable;
    unsigned vector;
    struct span space, type; // without a source: not seen
};

static bool parse_alignment(struct parser *parser, struct variable *variable) {
    struct span span = current_token(parser)->span;
    if (!parse_unsigned(parser, "number of bytes", &variable->alignment))
        return false;
    if (variable->alignment && (variable->alignment & (variable->alignment - 1)) == 0)
        return true;
    diag_error(parser->diagnostics, span, "an alignment is a power of two, not '%s'",
               span_text(parser, span));
    return false;
}

static enum scalar_type type_named(const char *name) {
    for (int type = TYPE_PRED; type <= TYPE_F64; type++)
        if (strcmp(scalar_type_name((enum scalar_type)type), name) == 0)
            return (enum scalar_type)type;
    return TYPE_NONE;
}

static bool error_unknown_qualifier(struct parser *parser, const struct token *token) {
    static const char *const known[] = {
        ".global", ".shared", ".const", ".local", ".param", ".align", ".b8",     ".b16", ".b32",
        ".b64",    ".b128",   ".u8",    ".u16",   ".u32",   ".u64",   ".s8",     ".s16", ".s32",
        ".s64",    ".f16",    ".f32",   ".f64",   ".v2",    ".v4",    ".visible"};
    const char *text = token_text(parser->arena, token);
    diag_error(parser->diagnostics, token->span, "'%s' does not belong in a declaration",
               span_text(parser, token->span));
    const char *nearest = diag_nearest(text, strlen(text), known, sizeof(known) / sizeof(known[0]));
    if (strcmp(text, ".reg") == 0)
        diag_hint(parser->diagnostics, "registers are declared in the body of their thread");
    else if (strcmp(text, ".shared::cluster") == 0)
        diag_hint(parser->diagnostics, "variables are declared .shared");
    else if (nearest)
        diag_hint(parser->diagnostics, "did you mean '%s'?", nearest);
    return false;
}

static bool set_once(struct parser *parser, struct span *seen, const struct token *token,
                     const char *what) {
    if (!seen->source) {
        *seen = token->span;
        return true;
    }
    diag_error(parser->diagnostics, token->span, "'%s' after '%s': a variable has one %s",
               span_text(parser, token->span), span_text(parser, *seen), what);
    return false;
}

// qualifier = space | ".align" integer | ".v2" | ".v4" | type | ".visible" | ".weak" | ".common"
static bool parse_qualifier(struct parser *parser, struct declaration *declaration) {
    const struct token *token = next_token(parser);
    const char *text = token_text(parser->arena, token);
    struct variable *variable = &declaration->variable;
    for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
        if (strcmp(text, spaces[i].name) == 0) {
            variable->space = spaces[i].space;
            return set_once(parser, &declaration->space, token, "state space");
        }
    }
    enum scalar_type type = type_named(text + 1);
    if (type == TYPE_PRED) {
        diag_error(parser->diagnostics, token->span, "a variable in memory cannot have type .pred");
        return false;
    }
    if (type != TYPE_NONE) {
        variable->type = type;
        return set_once(parser, &declaration->type, token, "type");
    }
    if (strcmp(text, ".align") == 0)
        return parse_alignment(parser, variable);
    if (strcmp(text, ".v2") == 0 || strcmp(text, ".v4") == 0) {
        declaration->vector = (unsigned)(text[2] - '0');
        return true;
    }
    // linkage: nothing else is there to be linked
    if (strcmp(text, ".visible") == 0 || strcmp(text, ".weak") == 0 || strcmp(text, ".common") == 0)
        return true;
    return error_unknown_qualifier(parser, token);
}

// PTX's form: declaration = qualifier+ declarator ("," declarator)*
static bool parse_ptx_declaration(struct parser *parser) {
    struct declaration declaration = {.variable = {.alias_of = -1}, .vector = 1};
    const struct token *first = current_token(parser);
    while (current_token(parser)->kind == TOKEN_QUALIFIER)
        if (!parse_qualifier(parser, &declaration))
            return false;
    struct span qualifiers = span_join(first->span, behind_previous(parser));
    if (!declaration.space.source) {
        diag_error(parser->diagnostics, qualifiers, "this declaration has no state space");
        diag_hint(parser->diagnostics, "write .global, .shared, .const, .local or .param");
        return false;
    }
    if (!declaration.type.source) {
        diag_error(parser->diagnostics, qualifiers, "this declaration has no type");
        diag_hint(parser->diagnostics, "write a type such as .u32 before the name");
        return false;
    }
    unsigned size = scalar_type_bits(declaration.variable.type) / 8 * declaration.vector;
    if (declaration.variable.alignment == 0)
        declaration.variable.alignment = size;
    do
        if (!parse_declarator(parser, declaration.variable, declaration.vector))
            return false;
    while (accept_punct(parser, ','));
    return true;
}

// herd's form: declaration = declarator, a .global .u32
static bool parse_short_declaration(struct parser *parser) {
    if (peek_token(parser, 1)->kind == TOKEN_WORD) {
        const struct token *type = current_token(parser);
        diag_error(parser->diagnostics, type->span, "'%s' starts no declaration",
                   span_text(parser, type->span));
        diag_hint(parser->diagnostics, "variables have PTX types: .global .u32 %s = 0;",
                  span_text(parser, peek_token(parser, 1)->span));
        return false;
    }
    return parse_declarator(
        parser,
        (struct variable){.space = SPACE_GLOBAL, .type = TYPE_U32, .alignment = 4, .alias_of = -1},
        1);
}

// --- Aliases -----------------------------------------------------------------------------------

static bool parse_proxy(struct parser *parser, enum proxy *proxy) {
    static const char *const names[] = {"generic", "texture", "surface", "constant"};
    static const enum proxy proxies[] = {PROXY_GENERIC, PROXY_TEXTURE, PROXY_SURFACE,
                                         PROXY_CONSTANT};
    const struct token *token = current_token(parser);
    for (size_t i = 0; i < 4; i++) {
        if (token_is(token, names[i])) {
            *proxy = proxies[i];
            next_token(parser);
            return true;
        }
    }
    error_expected(parser, "the proxy of an alias");
    const char *nearest = diag_nearest(token->span.source->text + token->span.begin,
                                       token->span.end - token->span.begin, names, 4);
    if (nearest)
        diag_hint(parser->diagnostics, "did you mean '%s'?", nearest);
    else
        diag_hint(parser->diagnostics, "generic, texture, surface or constant");
    return false;
}

// alias = name "@" proxy "aliases" variable
static bool parse_alias(struct parser *parser) {
    const struct token *name = next_token(parser);
    enum proxy proxy = PROXY_GENERIC;
    next_token(parser); // the '@'
    if (!parse_proxy(parser, &proxy))
        return false;
    if (!token_is(current_token(parser), "aliases")) {
        error_expected(parser, "'aliases'");
        return false;
    }
    next_token(parser);
    if (current_token(parser)->kind != TOKEN_WORD) {
        error_expected(parser, "the name of a variable");
        return false;
    }
    int target = reader_require_variable(&parser->reader, next_token(parser));
    if (target < 0)
        return false;
    struct variable variable = parser->test->variables[target];
    variable.name = token_text(parser->arena, name);
    variable.span = name->span;
    variable.has_initial = false;
    variable.initial = NULL;
    variable.alias_of = target;
    variable.alias_proxy = proxy;
    return add_variable(parser, variable) >= 0;
}

// --- All of them -------------------------------------------------------------------------------

// declaration = register initial | alias | herd's form | PTX's form
static bool parse_declaration(struct parser *parser) {
    const struct token *token = current_token(parser), *next = peek_token(parser, 1);
    if (at_register_initial(parser))
        return parse_register_initial(parser);
    if (token->kind == TOKEN_QUALIFIER)
        return parse_ptx_declaration(parser);
    if (token->kind == TOKEN_WORD && token_is_punct(next, '@'))
        return parse_alias(parser);
    if (token->kind == TOKEN_WORD)
        return parse_short_declaration(parser);
    error_expected(parser, "a declaration or a thread");
    return false;
}

static bool at_declarations_end(const struct parser *parser) {
    const struct token *token = current_token(parser);
    return token->kind == TOKEN_END || token_is_punct(token, '}') || at_thread_header(parser) ||
           (token->line_start && (at_tail(parser) || nearest_tail_word(parser)));
}

// Goes behind the ';' that ends a declaration with errors, or to what cannot be a part of it.
static void skip_declaration(struct parser *parser) {
    unsigned depth = 0;
    for (; current_token(parser)->kind != TOKEN_END; next_token(parser)) {
        const struct token *token = current_token(parser);
        if (depth == 0 && at_declarations_end(parser))
            return;
        if (token_is_punct(token, ';')) {
            next_token(parser);
            return;
        }
        if (token_is_punct(token, '{'))
            depth++;
        else if (token_is_punct(token, '}') && depth > 0)
            depth--;
    }
}

static void parse_declaration_list(struct parser *parser) {
    while (!at_declarations_end(parser)) {
        if (accept_punct(parser, ';'))
            continue;
        if (!parse_declaration(parser)) {
            parser->reader.variables_failed = true;
            skip_declaration(parser);
            continue;
        }
        if (accept_punct(parser, ';') || token_is_punct(current_token(parser), '}'))
            continue;
        if (current_token(parser)->line_start || current_token(parser)->kind == TOKEN_END) {
            diag_error(parser->diagnostics, behind_previous(parser),
                       "a ';' is missing at the end of this declaration");
            continue;
        }
        error_expected(parser, "';' at the end of the declaration");
        skip_declaration(parser);
    }
}

// declarations = "{" (declaration ";")* "}" ";"? | (declaration ";")*
void parse_declarations(struct parser *parser) {
    const struct token *opener = current_token(parser);
    bool braces = accept_punct(parser, '{');
    parse_declaration_list(parser);
    if (braces && !accept_punct(parser, '}')) {
        diag_error(parser->diagnostics, opener->span, "this '{' is never closed");
        diag_hint(parser->diagnostics, "a '}' ends the declarations, before the first thread");
    } else if (braces) {
        accept_punct(parser, ';');
    }
    parse_declaration_list(parser); // behind the braces, too
    while (token_is_punct(current_token(parser), '}')) {
        diag_error(parser->diagnostics, current_token(parser)->span, "this '}' closes nothing");
        next_token(parser);
        parse_declaration_list(parser);
    }
    resolve_address_initials(parser);
}
