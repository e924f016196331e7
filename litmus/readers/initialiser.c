// Initial values of variables.
#include "litmus/readers/parse.h"

#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

static struct variable *variable_at(struct parser *parser, size_t index) {
    return &parser->test->variables[index];
}

static void keep_address(struct parser *parser, size_t variable, size_t element,
                         const struct token *name) {
    parser->address_initials =
        arena_grow(parser->arena, parser->address_initials, parser->address_initial_count,
                   sizeof(*parser->address_initials));
    parser->address_initials[parser->address_initial_count++] =
        (struct address_initial){variable, element, *name};
}

// address = "&"? variable (("+" | "-") integer)? | "generic" "(" variable ")" (("+" | "-")
// integer)?
static bool parse_address(struct parser *parser, size_t variable, size_t element) {
    struct initial_element *value = &variable_at(parser, variable)->initial[element];
    accept_punct(parser, '&');
    bool generic =
        token_is(current_token(parser), "generic") && token_is_punct(peek_token(parser, 1), '(');
    if (generic) {
        next_token(parser);
        next_token(parser);
    }
    if (current_token(parser)->kind != TOKEN_WORD) {
        error_expected(parser, "the name of a variable");
        return false;
    }
    keep_address(parser, variable, element, next_token(parser));
    if (generic && !accept_punct(parser, ')')) {
        error_expected(parser, "')'");
        return false;
    }
    if (!token_is_punct(current_token(parser), '+') && !token_is_punct(current_token(parser), '-'))
        return true;
    struct constant offset;
    if (!parse_constant(parser, "a number of bytes", &offset))
        return false;
    value->value = truncate_bits(offset.value, 64);
    return true;
}

// The bits of a floating-point constant: 0f3F800000, 0d3FF0000000000000 or 1.5.
static bool parse_float(struct parser *parser, const struct variable *variable,
                        struct bits128 *value) {
    bool minus = accept_punct(parser, '-');
    const struct token *token = current_token(parser);
    unsigned bits = scalar_type_bits(variable->type);
    if (token->kind != TOKEN_FLOAT || (bits != 32 && bits != 64)) {
        diag_error(parser->diagnostics, token->span, "%s is no initial value for type .%s",
                   describe_token(parser, token), scalar_type_name(variable->type));
        diag_hint(parser->diagnostics, "a .f32 is written 0f3F800000 or 1.0, a .f64 "
                                       "0d3FF0000000000000 or 1.0");
        return false;
    }
    next_token(parser);
    const char *text = token_text(parser->arena, token);
    bool is_f32_bits = text[1] == 'f' || text[1] == 'F', is_f64_bits = (text[1] | 0x20) == 'd';
    double number = strtod(text, NULL);
    if (is_f64_bits)
        memcpy(&number, &token->value.low, sizeof(number));
    float single = (float)number;
    if (is_f32_bits) {
        uint32_t pattern = (uint32_t)token->value.low;
        memcpy(&single, &pattern, sizeof(single));
        number = (double)single;
    }
    if (bits == 32) {
        uint32_t pattern;
        memcpy(&pattern, &single, sizeof(pattern));
        value->low = pattern ^ (minus ? UINT32_C(1) << 31 : 0);
    } else {
        memcpy(&value->low, &number, sizeof(number));
        value->low ^= minus ? UINT64_C(1) << 63 : 0;
    }
    return true;
}

// value = constant | float | address
static bool parse_value(struct parser *parser, size_t index, size_t element) {
    const struct variable *variable = variable_at(parser, index);
    struct initial_element *slot = &variable->initial[element];
    const struct token *token = current_token(parser);
    if (token->kind == TOKEN_WORD || token_is_punct(token, '&'))
        return parse_address(parser, index, element);
    if (scalar_type_is_float(variable->type))
        return parse_float(parser, variable, &slot->value);
    struct constant constant;
    if (!parse_constant(parser, "an initial value", &constant))
        return false;
    unsigned bits = scalar_type_bits(variable->type);
    slot->value = truncate_bits(constant.value, bits);
    if (constant_fits(constant.value, constant.negative, bits))
        return true;
    diag_error(parser->diagnostics, constant.span, "'%s' does not fit type .%s of '%s'",
               span_text(parser, constant.span), scalar_type_name(variable->type), variable->name);
    return true; // the list can be read on
}

uint64_t count_initial_list(const struct parser *parser) {
    uint64_t count = 1;
    unsigned depth = 0;
    for (size_t ahead = 0;; ahead++) {
        const struct token *token = peek_token(parser, ahead);
        if (token->kind == TOKEN_END || token_is_punct(token, ';'))
            return count;
        if (token_is_punct(token, '{'))
            depth++;
        else if (token_is_punct(token, '}') && --depth == 0)
            return count - (ahead > 0 && token_is_punct(peek_token(parser, ahead - 1), ','));
        else if (token_is_punct(token, ',') && depth == 1)
            count++;
    }
}

// list = "{" (value | list) ("," (value | list))* "}": of a dimension of the array, from element
// `base` on. Elements that it leaves out are zero.
static bool parse_list(struct parser *parser, size_t variable, const struct dimensions *dimensions,
                       unsigned level, uint64_t base) {
    uint64_t stride = 1, index = 0;
    for (unsigned i = level + 1; i < dimensions->count; i++)
        stride *= dimensions->sizes[i];
    if (!accept_punct(parser, '{')) {
        error_expected(parser, "'{' and a list of initial values");
        return false;
    }
    while (!accept_punct(parser, '}')) {
        if (index == dimensions->sizes[level]) {
            diag_error(parser->diagnostics, current_token(parser)->span,
                       "more initial values than the %zu elements of '%s'",
                       (size_t)dimensions->sizes[level], variable_at(parser, variable)->name);
            return false;
        }
        uint64_t at = base + index++ * stride;
        bool inner = level + 1 < dimensions->count;
        if (inner ? !parse_list(parser, variable, dimensions, level + 1, at)
                  : !parse_value(parser, variable, at))
            return false;
        if (!accept_punct(parser, ',') && !token_is_punct(current_token(parser), '}')) {
            error_expected(parser, "',' or '}' in the list of initial values");
            return false;
        }
    }
    return true;
}

bool parse_initialiser(struct parser *parser, size_t index, const struct dimensions *dimensions) {
    struct variable *variable = variable_at(parser, index);
    variable->has_initial = true;
    variable->initial = ARENA_ARRAY(parser->arena, struct initial_element, variable->element_count);
    for (size_t i = 0; i < variable->element_count; i++)
        variable->initial[i].variable = -1;
    if (variable->is_array)
        return parse_list(parser, index, dimensions, 0, 0);
    return parse_value(parser, index, 0);
}

void resolve_address_initials(struct parser *parser) {
    for (size_t i = 0; i < parser->address_initial_count; i++) {
        const struct address_initial *initial = &parser->address_initials[i];
        struct variable *variable = variable_at(parser, initial->variable);
        int target = reader_require_variable(&parser->reader, &initial->name);
        variable->initial[initial->element].variable = target;
        if (target < 0 || scalar_type_bits(variable->type) == 64)
            continue;
        diag_error(parser->diagnostics, initial->name.span,
                   "an address has 64 bits, but '%s' has type .%s", variable->name,
                   scalar_type_name(variable->type));
        diag_hint(parser->diagnostics, "declare it as '.global .u64 %s = %s;'", variable->name,
                  span_text(parser, initial->name.span));
    }
}
