// Declarations of a module: of variables, of registers, of parameters.
#include "litmus/readers/module/reading.h"

#include "litmus/names/table.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

// What precedes the name.
struct declared {
    const struct token *first;
    const char *linkage, *space, *type;
    unsigned alignment, vector;
    bool is_pointer;
};

static enum state_space space_named(const char *name) {
    return !name                          ? SPACE_GENERIC
           : strcmp(name, ".global") == 0 ? SPACE_GLOBAL
           : strcmp(name, ".const") == 0  ? SPACE_CONST
           : strcmp(name, ".local") == 0  ? SPACE_LOCAL
           : strcmp(name, ".param") == 0  ? SPACE_PARAM
           : strcmp(name, ".tex") == 0    ? SPACE_GLOBAL
                                          : SPACE_SHARED;
}

// --- Types -------------------------------------------------------------------------------------

enum scalar_type module_scalar_type(const char *spelling) {
    return scalar_type_named(spelling + 1);
}

// Bytes of a type with its dot; 0 for a predicate. UINT_MAX when there is no such type.
static unsigned type_bytes(const char *name) {
    static const char *const references[] = {".texref", ".samplerref", ".surfref"};
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++)
        if (strcmp(name, references[i]) == 0)
            return 8;
    enum scalar_type type = module_scalar_type(name);
    return type == TYPE_NONE ? (unsigned)-1 : scalar_type_bits(type) / 8;
}

// --- Qualifiers --------------------------------------------------------------------------------

static bool parse_alignment(struct module_reading *reading, unsigned *alignment) {
    const struct token *number = reading->at;
    if (number->kind != TOKEN_INTEGER)
        return module_error_expected(reading, "the number of bytes");
    reading->at++;
    uint64_t value = number->value.low;
    if (value > 0 && value <= 1u << 20 && (value & (value - 1)) == 0) {
        *alignment = (unsigned)value;
        return true;
    }
    return diag_error(reading->diagnostics, number->span,
                      "an alignment is a power of two, not '%s'",
                      token_text(reading->arena, number));
}

static bool parse_qualifier(struct module_reading *reading, struct declared *declared) {
    const struct token *token = reading->at++;
    const char *linkage = module_linkage(token), *space = module_space(token);
    unsigned pointed;
    if (token_is(token, ".align"))
        return parse_alignment(reading, declared->is_pointer ? &pointed : &declared->alignment);
    if (token_is(token, ".attribute"))
        return token_is_punct(reading->at, '(')
                   ? module_skip_group(reading)
                   : module_error_expected(reading, "'(' and an attribute");
    if (token_is(token, ".v2") || token_is(token, ".v4")) {
        declared->vector = token_is(token, ".v2") ? 2 : 4;
        return true;
    }
    if (token_is(token, ".ptr")) {
        declared->is_pointer = true;
        return true;
    }
    if (linkage || space) {
        if (linkage)
            declared->linkage = linkage;
        else if (!declared->is_pointer)
            declared->space = space;
        if (token_is(token, ".const") && token_is_punct(reading->at, '['))
            return module_skip_group(reading);
        return true;
    }
    const char *text = token_text(reading->arena, token);
    if (type_bytes(text) != (unsigned)-1) {
        declared->type = text;
        return true;
    }
    return diag_error(reading->diagnostics, token->span, "'%s' does not belong in a declaration",
                      text);
}

// qualifiers = (linkage | space | ".align" n | ".attribute" group | vector | type | ".ptr")*
static bool parse_qualifiers(struct module_reading *reading, struct declared *declared) {
    *declared = (struct declared){.first = reading->at, .vector = 1};
    while (reading->at->kind == TOKEN_QUALIFIER)
        if (!parse_qualifier(reading, declared))
            return false;
    if (!declared->type) { // `.tex t` alone has a type of its own
        if (!declared->space || strcmp(declared->space, ".tex") != 0)
            return module_error_expected(reading, "a type");
        declared->type = ".u64";
    }
    return true;
}

// --- Names -------------------------------------------------------------------------------------

// dimensions = ("[" integer? "]")*. `*elements` is their product, 0 where one is left out.
static bool parse_dimensions(struct module_reading *reading, uint64_t *elements, bool *is_array) {
    *elements = 1;
    for (*is_array = false; token_is_punct(reading->at, '['); *is_array = true) {
        const struct token *size = reading->at + 1;
        uint64_t number = 0;
        if (size->kind == TOKEN_INTEGER && token_is_punct(&size[1], ']'))
            number = size->value.low;
        else if (!token_is_punct(size, ']') && size->kind != TOKEN_WORD &&
                 size->kind != TOKEN_INTEGER) {
            reading->at = size;
            return module_error_expected(reading, "a number of elements or ']'");
        }
        if (!module_skip_group(reading))
            return false;
        *elements = number > UINT32_MAX || *elements > UINT32_MAX ? 0 : *elements * number;
    }
    return true;
}

// Skips "= value" up to the ',' or ';' after it.
static bool skip_initialiser(struct module_reading *reading) {
    if (!token_is_punct(reading->at, '='))
        return true;
    reading->at++;
    while (!token_is_punct(reading->at, ',') && !token_is_punct(reading->at, ';')) {
        if (reading->at->kind == TOKEN_END || module_at_declaration(reading->at) ||
            token_is_punct(reading->at, '}'))
            return module_error_expected(reading, "an initial value");
        bool opens = token_is_punct(reading->at, '{') || token_is_punct(reading->at, '(');
        if (!opens)
            reading->at++;
        else if (!module_skip_group(reading))
            return false;
    }
    return true;
}

static void add_variable(struct module_reading *reading, const struct declared *declared,
                         const struct token *name, uint64_t elements, bool is_array,
                         struct module_variable **variables, size_t *count) {
    unsigned bytes = type_bytes(declared->type) * declared->vector;
    ARENA_APPEND(
        reading->arena, *variables, *count,
        (struct module_variable){.name = token_text(reading->arena, name),
                                 .span = name->span,
                                 .declaration = declared->first,
                                 .linkage = declared->linkage,
                                 .space = space_named(declared->space),
                                 .type = declared->type,
                                 .alignment = declared->alignment ? declared->alignment : bytes,
                                 .element_size = bytes,
                                 .size = elements * bytes,
                                 .is_array = is_array});
}

// register = name ("<" count ">")?
static bool parse_register(struct module_reading *reading, const struct token *name,
                           struct body_words *words) {
    if (!token_is_punct(reading->at, '<')) {
        module_declare_word(reading, words, name);
        return true;
    }
    const struct token *count = ++reading->at;
    if (count->kind != TOKEN_INTEGER)
        return module_error_expected(reading, "a number of registers");
    reading->at++;
    if (!token_is_punct(reading->at, '>'))
        return module_error_expected(reading, "'>'");
    reading->at++;
    module_declare_range(reading, words, name, count->value.low);
    return true;
}

static bool parse_declarator(struct module_reading *reading, const struct declared *declared,
                             struct module_variable **variables, size_t *count,
                             struct body_words *words) {
    const struct token *name = reading->at;
    uint64_t elements;
    bool is_array;
    if (name->kind != TOKEN_WORD)
        return module_error_expected(reading, "a name");
    reading->at++;
    if (declared->space && strcmp(declared->space, ".reg") == 0) {
        if (words)
            return parse_register(reading, name, words);
        return diag_error(reading->diagnostics, declared->first->span,
                          "registers are declared in a body");
    }
    if (!parse_dimensions(reading, &elements, &is_array))
        return false;
    if (words)
        module_declare_word(reading, words, name);
    add_variable(reading, declared, name, elements, is_array, variables, count);
    return skip_initialiser(reading);
}

// declaration = qualifiers declarator ("," declarator)* ";"
bool module_parse_declaration(struct module_reading *reading, struct module_variable **variables,
                              size_t *count, struct body_words *words) {
    struct declared declared;
    size_t known = *count;
    if (!parse_qualifiers(reading, &declared))
        return false;
    for (;;) {
        if (!parse_declarator(reading, &declared, variables, count, words))
            return false;
        if (!token_is_punct(reading->at, ','))
            break;
        reading->at++;
    }
    if (!token_is_punct(reading->at, ';'))
        return module_error_expected(reading, "';' or ','");
    reading->at++;
    if (*count == known + 1)
        (*variables)[known].is_alone = true;
    return true;
}

// --- Parameters --------------------------------------------------------------------------------

// parameter = qualifiers name dimensions
static bool parse_parameter(struct module_reading *reading, struct module_parameter *parameter) {
    struct declared declared;
    uint64_t elements;
    if (!parse_qualifiers(reading, &declared))
        return false;
    const struct token *name = reading->at;
    if (name->kind != TOKEN_WORD)
        return module_error_expected(reading, "the name of a parameter");
    reading->at++;
    if (!parse_dimensions(reading, &elements, &parameter->is_array))
        return false;
    unsigned bytes = type_bytes(declared.type) * declared.vector;
    *parameter =
        (struct module_parameter){.name = token_text(reading->arena, name),
                                  .span = name->span,
                                  .declaration = declared.first,
                                  .end = reading->at,
                                  .type = declared.type,
                                  .alignment = declared.alignment ? declared.alignment : bytes,
                                  .size = elements * bytes,
                                  .is_array = parameter->is_array,
                                  .is_pointer = declared.is_pointer};
    return true;
}

// parameters = "(" (parameter ("," parameter)*)? ")"
bool module_parse_parameters(struct module_reading *reading, struct module_parameter **parameters,
                             size_t *count) {
    const struct token *opener = reading->at++;
    while (!token_is_punct(reading->at, ')')) {
        struct module_parameter parameter;
        if (!parse_parameter(reading, &parameter))
            return false;
        ARENA_APPEND(reading->arena, *parameters, *count, parameter);
        if (reading->at->kind == TOKEN_END)
            return diag_error(reading->diagnostics, opener->span, "this '(' is never closed");
        if (token_is_punct(reading->at, ')'))
            break;
        if (!token_is_punct(reading->at, ','))
            return module_error_expected(reading, "',' or ')'");
        reading->at++;
        if (token_is_punct(reading->at, ')'))
            return module_error_expected(reading, "a parameter");
    }
    reading->at++;
    return true;
}
