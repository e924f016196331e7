// Operands as they are written: the syntax, whatever it means for the instruction.
#include "litmus/ptx/body.h"
#include "litmus/ptx/operands.h"
#include "litmus/ptx/registers.h"

#include "litmus/source/arena.h"

#include <string.h>

enum { VECTOR_MAX = 128 }; // D of a product of matrices; no other has more than 8

static bool at_end(const struct body *body) {
    return body->at >= body->end;
}

// "expected X, not 'Y'", or that X is missing where the statement ends.
static bool error_expected(struct body *body, const char *what) {
    if (at_end(body))
        diag_error(body->diagnostics, span_after(body->at[-1].span), "%s is missing here", what);
    else
        diag_error(body->diagnostics, body->at->span, "expected %s, not '%s'", what,
                   token_text(body->arena, body->at));
    return false;
}

static bool parse_constant(struct body *body, struct ptx_constant *constant) {
    return ptx_parse_constant(body->arena, body->diagnostics, &body->at, constant);
}

static const char *constant_text(struct body *body, const struct token *first) {
    return span_text(body->arena, span_join(first->span, body->at[-1].span));
}

// --- Names -------------------------------------------------------------------------------------

// sum = name "+" constant; PTX writes a subtraction as x+-4
static bool parse_sum(struct body *body, struct raw_operand *operand) {
    const struct token *mark = body->at;
    if (token_is_punct(mark, '-')) {
        const struct token *first = ++body->at;
        const char *name = token_text(body->arena, operand->word);
        if (ptx_starts_constant(first) && !parse_constant(body, &operand->constant))
            return false;
        diag_error(body->diagnostics, mark->span, "PTX has no '-' in an address");
        if (body->at > first)
            diag_hint(body->diagnostics, "a negative offset is added: %s+-%s", name,
                      constant_text(body, first));
        return false;
    }
    body->at++;
    if (body->at->kind == TOKEN_WORD && !ptx_starts_constant(body->at)) {
        diag_error(body->diagnostics, body->at->span, "only a constant can be added here, not '%s'",
                   token_text(body->arena, body->at));
        diag_hint(body->diagnostics, "add the two into a register with 'add.u64' first");
        return false;
    }
    operand->kind = RAW_SUM;
    return parse_constant(body, &operand->constant);
}

// element = name "[" constant "]"
static bool parse_element(struct body *body, struct raw_operand *operand) {
    const struct token *opener = body->at;
    if (ptx_is_register(body, operand->word)) // `%r0 [x]`: a comma is missing
        return error_expected(body, "',' or ';'");
    body->at++;
    operand->kind = RAW_ELEMENT;
    if (body->at->kind == TOKEN_WORD && !ptx_starts_constant(body->at)) {
        diag_error(body->diagnostics, body->at->span,
                   "an element with a register as its number is not read");
        diag_hint(body->diagnostics,
                  "compute the address: 'mov.u64' of the variable, 'mul.wide.u32' "
                  "of the number by the element's size, 'add.u64'");
        return false;
    }
    if (!parse_constant(body, &operand->constant))
        return false;
    if (!token_is_punct(body->at, ']'))
        return diag_error(body->diagnostics, opener->span, "this '[' is never closed");
    body->at++;
    return true;
}

// pair = predicate "|" predicate, either of which may be "_"
static bool parse_pair(struct body *body, struct raw_operand *operand) {
    struct raw_operand *elements = ARENA_ARRAY(body->arena, struct raw_operand, 2);
    elements[0] = *operand;
    body->at++;
    if (body->at->kind != TOKEN_WORD)
        return error_expected(body, "the second predicate");
    elements[1] = (struct raw_operand){.kind = token_is(body->at, "_") ? RAW_SINK : RAW_WORD,
                                       .span = body->at->span,
                                       .word = body->at};
    body->at++;
    *operand = (struct raw_operand){
        .kind = RAW_PAIR, .word = elements[0].word, .elements = elements, .element_count = 2};
    return true;
}

// The element of a vector register that a word and the '.x' after it mean.
static bool parse_member(struct body *body, struct raw_operand *operand) {
    const char *name = token_text(body->arena, operand->word);
    const char *spelling = token_text(body->arena, body->at);
    int member = ptx_vector_member(spelling), count = ptx_vector_size(body, name);
    struct span span = span_join(operand->word->span, body->at->span);
    body->at++;
    if (count == 0) {
        diag_error(body->diagnostics, span,
                   "'%s%s' is not an operand: '%s' is not a vector register", name, spelling, name);
        diag_hint(body->diagnostics, "a vector register is declared: '.reg .v4 .b32 %s;'", name);
        return false;
    }
    if (member < 0 || member >= count)
        return diag_error(body->diagnostics, span, "'%s' has %s", name,
                          count == 2 ? ".x and .y" : ".x, .y, .z and .w");
    operand->name = ptx_vector_element(body, name, (unsigned)member);
    return true;
}

// name = word member? ("+" constant | "[" constant "]" | "|" word)? | "_" ("|" word)?
static bool parse_word(struct body *body, struct raw_operand *operand) {
    operand->word = body->at;
    operand->kind = token_is(body->at, "_") ? RAW_SINK : RAW_WORD;
    body->at++;
    bool has_member = body->at->kind == TOKEN_QUALIFIER && !body->at->space_before;
    if (ptx_is_special(token_text(body->arena, operand->word)))
        return ptx_parse_special(body, operand->word, has_member ? body->at++ : NULL, operand);
    if (has_member && !parse_member(body, operand))
        return false;
    if (token_is_punct(body->at, '|'))
        return parse_pair(body, operand);
    if (operand->kind == RAW_SINK)
        return true;
    if (token_is_punct(body->at, '+') || token_is_punct(body->at, '-'))
        return parse_sum(body, operand);
    if (token_is_punct(body->at, '['))
        return parse_element(body, operand);
    return true;
}

// --- Addresses ---------------------------------------------------------------------------------

// [x[1]], which PTX does not have
static bool error_element_in_brackets(struct body *body, struct raw_operand *operand) {
    const struct reader *reader = body->reader;
    int variable = ptx_find_variable(body, token_text(body->arena, operand->word));
    diag_error(body->diagnostics, body->at->span,
               "PTX has no elements inside the brackets of an "
               "address");
    body->at++;
    struct ptx_constant index;
    if (variable >= 0 && body->at->kind == TOKEN_INTEGER && parse_constant(body, &index)) {
        uint64_t size = scalar_type_bits(reader->test->variables[variable].type) / 8;
        diag_hint(body->diagnostics, "offsets are in bytes: [%s+%llu]",
                  reader->test->variables[variable].name, (unsigned long long)(index.value * size));
    }
    return false;
}

static bool parse_address(struct body *body, struct raw_operand *operand) {
    if (body->at->kind != TOKEN_WORD || ptx_starts_constant(body->at)) {
        if (ptx_starts_constant(body->at))
            return parse_constant(body, &operand->constant);
        return error_expected(body, "an address");
    }
    operand->word = body->at++;
    if (token_is_punct(body->at, '['))
        return error_element_in_brackets(body, operand);
    if (token_is_punct(body->at, ':') &&
        strncmp(token_text(body->arena, operand->word), "cta", 3) == 0) {
        diag_error(body->diagnostics, span_join(operand->word->span, body->at->span),
                   "an instruction cannot name the CTA of a variable");
        diag_hint(body->diagnostics, "a thread's own .shared variables are those of its CTA");
        return false;
    }
    if (!token_is_punct(body->at, '+') && !token_is_punct(body->at, '-'))
        return true;
    return parse_sum(body, operand);
}

static bool parse_vector(struct body *body, struct raw_operand *operand);

// The coordinates in an address, from the ',' on.
static bool parse_coordinates(struct body *body, struct raw_operand *operand) {
    struct raw_operand *coordinates = ARENA_NEW(body->arena, struct raw_operand);
    body->at++;
    *coordinates = (struct raw_operand){.span = body->at->span, .is_coordinates = true};
    if (!parse_vector(body, coordinates))
        return false;
    coordinates->span = span_join(coordinates->span, body->at[-1].span);
    operand->coordinates = coordinates;
    return true;
}

// memory = "[" (name ("+" constant)? | constant) ("," vector)? "]" ".unified"?
static bool parse_memory(struct body *body, struct raw_operand *operand) {
    const struct token *opener = body->at++;
    bool fine = parse_address(body, operand);
    operand->kind = RAW_MEMORY;
    if (fine && token_is_punct(body->at, ',') && token_is_punct(body->at + 1, '{'))
        fine = parse_coordinates(body, operand);
    if (!fine)
        return false;
    if (!token_is_punct(body->at, ']')) {
        if (at_end(body) || token_is_punct(body->at, ','))
            return diag_error(body->diagnostics, opener->span, "this '[' is never closed");
        diag_error(body->diagnostics, body->at->span, "expected ']', not '%s'",
                   token_text(body->arena, body->at));
        diag_hint(body->diagnostics,
                  "an address is a register or a variable, or the sum of one and a constant");
        return false;
    }
    body->at++;
    if (token_is(body->at, ".unified"))
        operand->unified = body->at++;
    return true;
}

// --- Vectors -----------------------------------------------------------------------------------

static bool parse_operand(struct body *body, struct raw_operand *operand);

// vector = "{" operand ("," operand)* "}"
static bool parse_vector(struct body *body, struct raw_operand *operand) {
    const struct token *opener = body->at;
    operand->kind = RAW_VECTOR;
    do {
        body->at++;
        if (operand->element_count == VECTOR_MAX)
            return diag_error(body->diagnostics, body->at->span, "a vector has at most %d elements",
                              (int)VECTOR_MAX);
        if (token_is_punct(body->at, '{') || token_is_punct(body->at, '['))
            return error_expected(body, "a register or a constant");
        operand->elements = arena_grow(body->arena, operand->elements, operand->element_count,
                                       sizeof *operand->elements);
        if (!parse_operand(body, &operand->elements[operand->element_count++]))
            return false;
    } while (token_is_punct(body->at, ','));
    if (token_is_punct(body->at, '}')) {
        body->at++;
        return true;
    }
    if (at_end(body))
        diag_error(body->diagnostics, opener->span, "this '{' is never closed");
    else
        error_expected(body, "',' or '}'");
    return false;
}

// --- All operands ------------------------------------------------------------------------------

static bool parse_float(struct body *body, struct raw_operand *operand) {
    operand->negated = token_is_punct(body->at, '-');
    if (operand->negated)
        body->at++;
    operand->kind = RAW_FLOAT;
    operand->number = body->at++;
    return true;
}

// operand = name | "!" word | memory | vector | "-"? float | constant
static bool parse_bare_operand(struct body *body, struct raw_operand *operand) {
    const struct token *token = body->at;
    if (token_is_punct(token, '!') && token[1].kind == TOKEN_WORD &&
        !ptx_starts_constant(token + 1)) {
        body->at++;
        operand->kind = RAW_WORD;
        operand->negated = true;
        operand->word = body->at++;
        return true;
    }
    if (token->kind == TOKEN_WORD && !ptx_starts_constant(token))
        return parse_word(body, operand);
    if (token_is_punct(token, '['))
        return parse_memory(body, operand);
    if (token_is_punct(token, '{'))
        return parse_vector(body, operand);
    if (token->kind == TOKEN_FLOAT || (token_is_punct(token, '-') && token[1].kind == TOKEN_FLOAT))
        return parse_float(body, operand);
    if (!ptx_starts_constant(token))
        return error_expected(body, "an operand");
    operand->kind = RAW_CONSTANT;
    return parse_constant(body, &operand->constant);
}

static bool parse_operand(struct body *body, struct raw_operand *operand) {
    const struct token *first = body->at;
    *operand = (struct raw_operand){.span = first->span};
    if (!parse_bare_operand(body, operand))
        return false;
    operand->span = span_join(first->span, body->at[-1].span);
    return true;
}

bool ptx_names_register(const struct body *body, const struct raw_operand *raw) {
    return raw->kind == RAW_WORD && (raw->name || ptx_is_register(body, raw->word));
}

struct operand ptx_vector_operand(struct body *body, const struct raw_operand *raw) {
    struct operand vector = operand_new(OPERAND_VECTOR, raw->span);
    vector.element_count = raw->element_count;
    vector.elements = ARENA_ARRAY(body->arena, struct operand, raw->element_count);
    for (size_t i = 0; i < raw->element_count; i++)
        vector.elements[i] = operand_new(OPERAND_REGISTER, raw->elements[i].span);
    return vector;
}

// operands = (operand ("," operand)*)?
bool ptx_parse_operands(struct body *body, struct raw_operand **operands, size_t *count) {
    *operands = NULL;
    *count = 0;
    while (!at_end(body)) {
        *operands = arena_grow(body->arena, *operands, *count, sizeof(**operands));
        if (!parse_operand(body, &(*operands)[*count]))
            return false;
        const struct raw_operand *coordinates = (*operands)[*count].coordinates;
        ++*count;
        if (coordinates)
            ARENA_APPEND(body->arena, *operands, *count, *coordinates);
        if (at_end(body))
            break;
        if (!token_is_punct(body->at, ','))
            return error_expected(body, "',' or ';'");
        body->at++;
        if (at_end(body))
            return error_expected(body, "an operand");
    }
    return true;
}
