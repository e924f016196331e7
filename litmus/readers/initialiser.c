// Initial values of variables.
#include "litmus/readers/declarations.h"
#include "litmus/readers/frame.h"

#include "litmus/ptx/constant.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static struct variable *variable_at(struct frame *frame, size_t index) {
    return &frame->test->variables[index];
}

// address = "&"? variable (("+" | "-") integer)? | "generic" "(" variable ")" (("+" | "-")
// integer)?
static bool parse_address(struct frame *frame, size_t variable, size_t element) {
    struct initial_element *value = &variable_at(frame, variable)->initial[element];
    frame_accept_punct(frame, '&');
    bool generic =
        token_is(frame_current(frame), "generic") && token_is_punct(frame_peek(frame, 1), '(');
    if (generic) {
        frame_next(frame);
        frame_next(frame);
    }
    const struct token *name = frame_expect_word(frame, "the name of a variable");
    if (!name)
        return false;
    ARENA_APPEND(frame->arena, frame->address_initials, frame->address_initial_count,
                 (struct address_initial){variable, element, *name});
    value->is_generic = generic;
    if (generic && !frame_expect(frame, ')', "')'"))
        return false;
    if (!token_is_punct(frame_current(frame), '+') && !token_is_punct(frame_current(frame), '-'))
        return true;
    struct constant offset;
    if (!frame_parse_constant(frame, "a number of bytes", &offset))
        return false;
    value->value = frame_truncate_bits(offset.value, 64);
    return true;
}

// The bits of a floating-point constant: 0f3F800000, 0d3FF0000000000000 or 1.5.
static bool parse_float(struct frame *frame, const struct variable *variable,
                        struct bits128 *value) {
    bool minus = frame_accept_punct(frame, '-');
    const struct token *token = frame_current(frame);
    unsigned bits = scalar_type_bits(variable->type);
    if (token->kind != TOKEN_FLOAT || (bits != 32 && bits != 64)) {
        diag_error(frame->diagnostics, token->span, "%s is not an initial value for type .%s",
                   frame_describe_token(frame, token), scalar_type_name(variable->type));
        diag_hint(frame->diagnostics, "a .f32 is written 0f3F800000 or 1.0, a .f64 "
                                      "0d3FF0000000000000 or 1.0");
        return false;
    }
    frame_next(frame);
    const char *text = token_text(frame->arena, token);
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

// Whether there is more than a number at the current token: a constant expression.
static bool at_expression(const struct frame *frame) {
    const struct token *token = frame_current(frame);
    size_t ahead = token_is_punct(token, '-') || token_is_punct(token, '+');
    const struct token *number = frame_peek(frame, ahead), *next = frame_peek(frame, ahead + 1);
    if (!ptx_starts_constant(token))
        return false;
    if (number->kind != TOKEN_INTEGER)
        return number->kind != TOKEN_END;
    return (next->kind == TOKEN_PUNCT || token_is(next, "%")) && !token_is_punct(next, ',') &&
           !token_is_punct(next, ';') && !token_is_punct(next, '}') && !next->line_start;
}

static bool parse_expression(struct frame *frame, struct constant *constant) {
    const struct token *at = frame_current(frame);
    struct ptx_constant value;
    if (!ptx_parse_constant(frame->arena, frame->diagnostics, &at, &value))
        return false;
    frame->at = (size_t)(at - frame->tokens);
    *constant = (struct constant){.value = ptx_constant_bits(&value),
                                  .negative = ptx_constant_is_negative(&value),
                                  .span = value.span};
    return true;
}

// value = constant | float | address
static bool parse_value(struct frame *frame, size_t index, size_t element) {
    const struct variable *variable = variable_at(frame, index);
    struct initial_element *slot = &variable->initial[element];
    const struct token *token = frame_current(frame);
    bool is_word = token->kind == TOKEN_WORD && !ptx_starts_constant(token);
    if (is_word || token_is_punct(token, '&'))
        return parse_address(frame, index, element);
    const struct token *number = frame_peek(frame, token_is_punct(token, '-'));
    bool is_bits = variable->type == TYPE_B32 || variable->type == TYPE_B64;
    if (scalar_type_is_float(variable->type) || (is_bits && number->kind == TOKEN_FLOAT))
        return parse_float(frame, variable, &slot->value);
    struct constant constant;
    if (at_expression(frame) ? !parse_expression(frame, &constant)
                             : !frame_parse_constant(frame, "an initial value", &constant))
        return false;
    unsigned bits = scalar_type_bits(variable->type);
    slot->value = frame_truncate_bits(constant.value, bits);
    if (frame_constant_fits(constant.value, constant.negative, bits))
        return true;
    diag_error(frame->diagnostics, constant.span, "'%s' does not fit type .%s of '%s'",
               frame_span_text(frame, constant.span), scalar_type_name(variable->type),
               variable->name);
    return true; // the list can be read on
}

uint64_t frame_count_initial_list(const struct frame *frame) {
    uint64_t count = 1;
    unsigned depth = 0;
    for (size_t ahead = 0;; ahead++) {
        const struct token *token = frame_peek(frame, ahead);
        if (token->kind == TOKEN_END || token_is_punct(token, ';'))
            return count;
        if (token_is_punct(token, '{'))
            depth++;
        else if (token_is_punct(token, '}') && --depth == 0)
            return count - (ahead > 0 && token_is_punct(frame_peek(frame, ahead - 1), ','));
        else if (token_is_punct(token, ',') && depth == 1)
            count++;
    }
}

// list = "{" (value | list) ("," (value | list))* "}": of a dimension of the array, from element
// `base` on. Elements that it leaves out are zero.
static bool parse_list(struct frame *frame, size_t variable, const struct dimensions *dimensions,
                       unsigned level, uint64_t base) {
    uint64_t stride = 1, index = 0;
    for (unsigned i = level + 1; i < dimensions->count; i++)
        stride *= dimensions->sizes[i];
    if (!frame_expect(frame, '{', "'{' and a list of initial values"))
        return false;
    frame->open_lists++;
    while (!frame_accept_punct(frame, '}')) {
        if (index == dimensions->sizes[level])
            return diag_error(frame->diagnostics, frame_current(frame)->span,
                              "more initial values than the %zu elements of '%s'",
                              (size_t)dimensions->sizes[level], variable_at(frame, variable)->name);
        uint64_t at = base + index++ * stride;
        bool inner = level + 1 < dimensions->count;
        if (inner ? !parse_list(frame, variable, dimensions, level + 1, at)
                  : !parse_value(frame, variable, at))
            return false;
        if (!frame_accept_punct(frame, ',') && !token_is_punct(frame_current(frame), '}'))
            return frame_error_expected(frame, "',' or '}' in the list of initial values");
    }
    frame->open_lists--;
    return true;
}

bool frame_parse_initialiser(struct frame *frame, size_t index,
                             const struct dimensions *dimensions) {
    struct variable *variable = variable_at(frame, index);
    variable->has_initial = true;
    variable->initial = ARENA_ARRAY(frame->arena, struct initial_element, variable->element_count);
    for (size_t i = 0; i < variable->element_count; i++)
        variable->initial[i].variable = -1;
    if (variable->is_array)
        return parse_list(frame, index, dimensions, 0, 0);
    return parse_value(frame, index, 0);
}

// The value of a parameter has to be what its .ptr says (PTX ISA 5.1.6.3).
static void check_pointer(struct frame *frame, const struct variable *variable,
                          const struct initial_element *value, struct span span) {
    assert(span.begin <= span.end);
    const struct variable *target = &frame->test->variables[value->variable];
    unsigned alignment = variable->target_alignment;
    if (variable->target_space != SPACE_GENERIC && variable->target_space != target->space) {
        diag_error(frame->diagnostics, span, "'%s' points to %s memory, but '%s' is %s",
                   variable->name, state_space_name(variable->target_space), target->name,
                   state_space_name(target->space));
    } else if (alignment > 0 &&
               (target->alignment % alignment != 0 || value->value.low % alignment != 0)) {
        diag_error(frame->diagnostics, span,
                   "'%s' points to what is aligned to %u bytes, and this is not", variable->name,
                   alignment);
    }
}

void frame_resolve_address_initials(struct frame *frame) {
    for (size_t i = 0; i < frame->address_initial_count; i++) {
        const struct address_initial *initial = &frame->address_initials[i];
        struct variable *variable = variable_at(frame, initial->variable);
        const char *name = token_text(frame->arena, &initial->name);
        const struct function *function = reader_function(&frame->reader, name);
        if (function && frame->reader.opens && scalar_type_bits(variable->type) == 64) {
            struct bits128 *value = &variable->initial[initial->element].value;
            value->low += reader_function_address(&frame->reader, function);
            continue;
        }
        if (function) {
            diag_error(frame->diagnostics, initial->name.span,
                       "'%s' is a function: addresses of functions are not read", name);
            continue;
        }
        int target = reader_require_variable(&frame->reader, &initial->name);
        variable->initial[initial->element].variable = target;
        if (target >= 0 && variable->is_pointer)
            check_pointer(frame, variable, &variable->initial[initial->element],
                          initial->name.span);
        if (target < 0 || scalar_type_bits(variable->type) == 64)
            continue;
        diag_error(frame->diagnostics, initial->name.span,
                   "an address has 64 bits, but '%s' has type .%s", variable->name,
                   scalar_type_name(variable->type));
        if (variable->space == SPACE_PARAM)
            continue;
        diag_hint(frame->diagnostics, "declare it as '.global .u64 %s = %s;'", variable->name,
                  frame_span_text(frame, initial->name.span));
    }
    frame->address_initial_count = 0;
}
