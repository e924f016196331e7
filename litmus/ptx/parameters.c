// The parameters and results of a function, as its head declares them.
#include "litmus/ptx/parameters.h"

#include "litmus/ptx/body.h"
#include "litmus/source/arena.h"

static bool error_parameter(struct body *body, const struct token *token, const char *what) {
    return diag_error(body->diagnostics, token->span, "expected %s, not '%s'", what,
                      token_text(body->arena, token));
}

// alignment = ".align" integer: once, and of memory. `*at` is the directive, then the number.
static bool parse_alignment(struct body *body, const struct token **at,
                            struct parameter *parameter) {
    const struct token *directive = *at, *number = directive + 1;
    if (parameter->is_register)
        return error_parameter(body, directive, "a type, as registers are not aligned");
    if (parameter->alignment != 0)
        return error_parameter(body, directive, "one alignment alone");
    uint64_t value = number->value.low;
    if (number->overflow || number->value.high || value == 0 || value > UINT32_MAX ||
        (value & (value - 1)) != 0)
        return error_parameter(body, number, "a power of two");
    parameter->alignment = (unsigned)value;
    *at = number;
    return true;
}

// parameter = (".reg" | ".param") alignment? type name ("[" integer? "]")?
static bool parse_parameter(struct body *body, const struct token **at, const struct token *end,
                            struct parameter *parameter) {
    const struct qualifier *type = NULL;
    const struct token *first = *at;
    *parameter = (struct parameter){.count = 1, .is_register = token_is(first, ".reg")};
    if (!parameter->is_register && !token_is(first, ".param"))
        return error_parameter(body, first, "'.reg' or '.param'");
    for (++*at; *at < end && (*at)->kind == TOKEN_QUALIFIER; ++*at) {
        if (token_is(*at, ".align") && (*at)[1].kind == TOKEN_INTEGER) {
            if (!parse_alignment(body, at, parameter))
                return false;
        } else if (!type)
            type = ptx_qualifier(CLASS_TYPE, token_text(body->arena, *at));
        else
            return error_parameter(body, *at, "the name of a parameter");
        if (!type && !token_is((*at) - 1, ".align"))
            return error_parameter(body, *at, "a type");
    }
    if (!type)
        return error_parameter(body, *at, "a type");
    if (*at >= end || (*at)->kind != TOKEN_WORD)
        return error_parameter(body, *at, "the name of a parameter");
    parameter->type = (enum scalar_type)type->value;
    parameter->name = (*at)++;
    if (*at < end && token_is_punct(*at, '[') && !parameter->is_register) {
        bool sized = (*at)[1].kind == TOKEN_INTEGER && token_is_punct(&(*at)[2], ']');
        if (!sized || (*at)[1].value.low == 0 || (*at)[1].value.low > 1 << 20)
            return error_parameter(body, &(*at)[1], "the number of elements");
        parameter->count = (*at)[1].value.low;
        *at += 3;
    }
    return true;
}

bool ptx_parse_parameters(struct body *body, const struct token *tokens, size_t count,
                          struct parameters *parameters) {
    parameters->count = 0;
    if (count == 0) // then there may be no tokens to point to
        return true;
    const struct token *at = tokens, *end = tokens + count;
    while (at < end) {
        if (parameters->count == PARAMETERS_MAX)
            return diag_error(body->diagnostics, at->span, "a function has at most %d parameters",
                              PARAMETERS_MAX);
        if (!parse_parameter(body, &at, end, &parameters->items[parameters->count++]))
            return false;
        if (at < end && !token_is_punct(at, ','))
            return error_parameter(body, at, "',' or ')'");
        at += at < end;
    }
    return true;
}

unsigned ptx_alignment_of(const struct parameter *parameter) {
    return parameter->alignment ? parameter->alignment : scalar_type_bits(parameter->type) / 8;
}

bool ptx_same_parameters(const struct parameters *a, const struct parameters *b) {
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        const struct parameter *one = &a->items[i], *other = &b->items[i];
        same = one->type == other->type && one->is_register == other->is_register &&
               one->count == other->count && ptx_alignment_of(one) == ptx_alignment_of(other);
    }
    return same;
}

bool ptx_same_signature(struct body *body, const struct function *a, const struct function *b,
                        bool *same) {
    struct parameters *lists = ARENA_ARRAY(body->arena, struct parameters, 4);
    if (!ptx_parse_parameters(body, a->parameters, a->parameter_count, &lists[0]) ||
        !ptx_parse_parameters(body, a->returns, a->return_count, &lists[1]) ||
        !ptx_parse_parameters(body, b->parameters, b->parameter_count, &lists[2]) ||
        !ptx_parse_parameters(body, b->returns, b->return_count, &lists[3]))
        return false;
    *same = ptx_same_parameters(&lists[0], &lists[2]) && ptx_same_parameters(&lists[1], &lists[3]);
    return true;
}
