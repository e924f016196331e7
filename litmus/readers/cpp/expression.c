// Expressions in C++: constants, registers, variables, calls of atomic operations, and operators on
// them. Every operand is evaluated; && and ||, which may leave one out, are refused.
#include "litmus/readers/cpp/cpp.h"

struct binary {
    int punct;
    unsigned level; // of precedence; a higher one binds tighter
    enum opcode opcode;
    enum compare_op compare;
};

static const struct binary binaries[] = {
    {'|', 1, OP_OR, COMPARE_NONE},      {'^', 2, OP_XOR, COMPARE_NONE},
    {'&', 3, OP_AND, COMPARE_NONE},     {PUNCT_EQ, 4, OP_SETP, COMPARE_EQ},
    {PUNCT_NE, 4, OP_SETP, COMPARE_NE}, {'<', 5, OP_SETP, COMPARE_LT},
    {PUNCT_LE, 5, OP_SETP, COMPARE_LE}, {'>', 5, OP_SETP, COMPARE_GT},
    {PUNCT_GE, 5, OP_SETP, COMPARE_GE}, {'+', 6, OP_ADD, COMPARE_NONE},
    {'-', 6, OP_SUB, COMPARE_NONE},     {'*', 7, OP_MUL, COMPARE_NONE},
};

enum { UNARY_LEVEL = 8 };

static const struct binary *binary_at(const struct cpp *cpp) {
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
        if (token_is_punct(cpp_peek(cpp, 0), binaries[i].punct))
            return &binaries[i];
    return NULL;
}

static bool parse_level(struct cpp *cpp, unsigned level, struct cpp_value *value);

// --- Operands -----------------------------------------------------------------------------------

static bool parse_constant(struct cpp *cpp, struct cpp_value *value) {
    const struct token *first = cpp_peek(cpp, 0);
    bool minus = cpp_accept(cpp, '-');
    const struct token *number = cpp_next(cpp);
    struct bits128 bits = number->value;
    value->span = cpp_span_from(cpp, first);
    if (number->overflow || bits.high != 0)
        return diag_error(cpp->reader->diagnostics, value->span,
                          "this number does not fit 64 bits");
    if (minus && bits.low != 0)
        bits = (struct bits128){.low = ~bits.low + 1, .high = UINT64_MAX};
    value->type = TYPE_NONE;
    value->operand = operand_new(OPERAND_IMMEDIATE, value->span);
    value->operand.immediate = bits;
    return true;
}

bool cpp_error_name(struct cpp *cpp, const struct token *token) {
    const char *name = cpp_text(cpp, token);
    struct diagnostics *diagnostics = cpp->reader->diagnostics;
    if (cpp->reader->variables_failed)
        return false;
    if (token_is_punct(token + 1, '(')) {
        diag_error(diagnostics, token->span, "there is no function '%s' in these tests", name);
        diag_hint(diagnostics, "they have atomic operations, fences and __syncthreads()");
        return false;
    }
    diag_error(diagnostics, token->span, "there is no variable '%s'", name);
    if (!diag_suggest(diagnostics, reader_nearest_variable(cpp->reader, name)))
        diag_hint(diagnostics,
                  "one that threads share is declared before them, 'int %s = 0;', one of a "
                  "thread where it is used first, 'int %s = ...;'",
                  name, name);
    return false;
}

// A register, or a variable that is loaded.
static bool parse_name(struct cpp *cpp, struct cpp_value *value) {
    const struct token *token = cpp_peek(cpp, 0);
    const char *name = token_text(cpp->reader->arena, token);
    int reg = reader_find_register(cpp->thread, name);
    int variable = reg >= 0 ? -1 : reader_variable(cpp->reader, name);
    if (reg < 0 && variable < 0)
        return cpp_error_name(cpp, token);
    cpp_next(cpp);
    if (reg >= 0)
        *value = cpp_in_register(reg, cpp->thread->registers[reg].type, token->span);
    else
        *value = cpp_load(cpp, variable, token->span);
    return true;
}

static bool parse_parentheses(struct cpp *cpp, struct cpp_value *value) {
    cpp_next(cpp);
    return parse_level(cpp, 1, value) && cpp_expect(cpp, ')', "')'");
}

// primary = call | constant | name | "(" expression ")"
static bool parse_primary(struct cpp *cpp, struct cpp_value *value) {
    const struct token *token = cpp_peek(cpp, 0);
    if (cpp_at_call(cpp)) {
        bool has_value;
        if (!cpp_parse_call(cpp, value, &has_value))
            return false;
        if (!has_value)
            diag_error(cpp->reader->diagnostics, cpp_span_from(cpp, token),
                       "this operation has no result");
        return has_value;
    }
    if (token->kind == TOKEN_INTEGER ||
        (token_is_punct(token, '-') && cpp_peek(cpp, 1)->kind == TOKEN_INTEGER))
        return parse_constant(cpp, value);
    if (token_is_punct(token, '('))
        return parse_parentheses(cpp, value);
    if (token_is_punct(token, '*') || token_is_punct(token, '&')) {
        diag_error(cpp->reader->diagnostics, token->span, "pointers are not read");
        diag_hint(cpp->reader->diagnostics, "name the variable itself");
        return false;
    }
    return token->kind == TOKEN_WORD ? parse_name(cpp, value) : cpp_error_expected(cpp, "a value");
}

// --- Operators ----------------------------------------------------------------------------------

// unary = ("-" | "~" | "!") unary | primary
static bool parse_unary(struct cpp *cpp, struct cpp_value *value) {
    const struct token *token = cpp_peek(cpp, 0);
    int punct = token->kind == TOKEN_PUNCT ? token->punct : 0;
    bool is_constant = punct == '-' && cpp_peek(cpp, 1)->kind == TOKEN_INTEGER;
    if (is_constant || (punct != '-' && punct != '~' && punct != '!'))
        return parse_primary(cpp, value);
    cpp_next(cpp);
    if (!parse_level(cpp, UNARY_LEVEL, value))
        return false;
    struct span span = cpp_span_from(cpp, token);
    struct cpp_value number = cpp_number(cpp, *value);
    enum scalar_type type = number.type == TYPE_NONE ? TYPE_S32 : number.type;
    struct instruction instruction = instruction_new(punct == '-'   ? OP_NEG
                                                     : punct == '~' ? OP_NOT
                                                                    : OP_SETP,
                                                     type, span);
    if (punct == '!') {
        struct cpp_value zero = cpp_constant(0, span);
        instruction.compute.compare = COMPARE_EQ;
        *value = cpp_compute(cpp, instruction, TYPE_PRED, &number, &zero);
    } else {
        *value = cpp_compute(cpp, instruction, type, &number, NULL);
    }
    return true;
}

// The type that two operands have in common: unsigned where one of them is (C++ [expr.arith.conv]).
static bool common_type(struct cpp *cpp, const struct cpp_value *left,
                        const struct cpp_value *right, enum scalar_type *type) {
    if (left->type == TYPE_NONE && right->type == TYPE_NONE) {
        *type = TYPE_S32;
        return cpp_check_width(cpp, *type, left) && cpp_check_width(cpp, *type, right);
    }
    *type = left->type == TYPE_NONE ? right->type : left->type;
    if (!cpp_check_width(cpp, *type, left) || !cpp_check_width(cpp, *type, right))
        return false;
    if (right->type != TYPE_NONE && !scalar_type_is_signed(right->type))
        *type = right->type;
    return true;
}

static bool combine(struct cpp *cpp, const struct binary *binary, const struct token *first,
                    struct cpp_value *left, struct cpp_value right) {
    struct cpp_value a = cpp_number(cpp, *left), b = cpp_number(cpp, right);
    enum scalar_type type;
    if (!common_type(cpp, &a, &b, &type))
        return false;
    struct instruction instruction =
        instruction_new(binary->opcode, type, cpp_span_from(cpp, first));
    instruction.compute.compare = binary->compare;
    *left = cpp_compute(cpp, instruction, binary->opcode == OP_SETP ? TYPE_PRED : type, &a, &b);
    return true;
}

static bool parse_operators(struct cpp *cpp, unsigned level, struct cpp_value *value) {
    const struct token *first = cpp_peek(cpp, 0);
    if (!parse_unary(cpp, value))
        return false;
    for (const struct binary *binary; (binary = binary_at(cpp)) && binary->level >= level;) {
        struct cpp_value right;
        cpp_next(cpp);
        if (!parse_level(cpp, binary->level + 1, &right) ||
            !combine(cpp, binary, first, value, right))
            return false;
    }
    const struct token *token = cpp_peek(cpp, 0);
    if (!token_is_punct(token, PUNCT_AND_AND) && !token_is_punct(token, PUNCT_OR_OR))
        return true;
    diag_error(cpp->reader->diagnostics, token->span, "'%s' is not read", cpp_text(cpp, token));
    diag_hint(cpp->reader->diagnostics, "write one 'if' inside another");
    return false;
}

// level = unary (operator level)*, with operators that bind at least as tightly as `level`
static bool parse_level(struct cpp *cpp, unsigned level, struct cpp_value *value) {
    if (cpp->depth == CPP_DEPTH_MAX)
        return diag_error(cpp->reader->diagnostics, cpp_peek(cpp, 0)->span,
                          "more than %d levels of statements and expressions", (int)CPP_DEPTH_MAX);
    cpp->depth++;
    bool fine = parse_operators(cpp, level, value);
    cpp->depth--;
    return fine;
}

bool cpp_parse_expression(struct cpp *cpp, struct cpp_value *value) {
    return parse_level(cpp, 1, value);
}
