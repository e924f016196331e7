// Initial values of registers: P1:r1=3; and P1:%r1=x;
//
// They stand before the threads, so they are kept until the bodies are parsed: a register takes its
// name, type and width from its declaration or first use.
#include "litmus/readers/parse.h"

#include "litmus/source/arena.h"

bool at_register_initial(const struct parser *parser) {
    const struct token *token = current_token(parser);
    unsigned number;
    return token_is_punct(peek_token(parser, 1), ':') &&
           (token->kind == TOKEN_INTEGER || word_number(token, "P", &number));
}

static bool parse_register_value(struct parser *parser, struct register_initial *initial) {
    const struct token *first = current_token(parser);
    accept_punct(parser, '&');
    if (current_token(parser)->kind == TOKEN_WORD) {
        initial->is_address = true;
        initial->variable = *next_token(parser);
        initial->value_span = span_join(first->span, initial->variable.span);
        return true;
    }
    struct constant constant;
    if (!parse_constant(parser, "a number or the name of a variable", &constant))
        return false;
    initial->value = constant.value;
    initial->negative = constant.negative;
    initial->value_span = constant.span;
    return true;
}

// initial = ("P" n | n) ":" register "=" (constant | "&"? variable)
bool parse_register_initial(struct parser *parser) {
    struct register_initial initial = {.thread_span = current_token(parser)->span};
    const struct token *thread = current_token(parser);
    if (thread->kind == TOKEN_INTEGER) {
        if (!parse_unsigned(parser, "number of a thread", &initial.thread_number))
            return false;
    } else {
        word_number(thread, "P", &initial.thread_number);
        next_token(parser);
    }
    next_token(parser); // the ':'
    if (current_token(parser)->kind != TOKEN_WORD) {
        error_expected(parser, "the name of a register");
        return false;
    }
    initial.name = *next_token(parser);
    if (!accept_punct(parser, '=')) {
        error_expected(parser, "'=' and an initial value");
        return false;
    }
    if (!parse_register_value(parser, &initial))
        return false;
    parser->register_initials = arena_grow(parser->arena, parser->register_initials,
                                           parser->register_initial_count, sizeof(initial));
    parser->register_initials[parser->register_initial_count++] = initial;
    return true;
}

static unsigned least_width(const struct register_initial *initial) {
    if (initial->is_address)
        return 64;
    if (constant_fits(initial->value, initial->negative, 32))
        return 32;
    return constant_fits(initial->value, initial->negative, 64) ? 64 : 128;
}

static void set_address(struct parser *parser, const struct register_initial *initial,
                        struct test_register *reg) {
    reg->initial_variable = reader_require_variable(&parser->reader, &initial->variable);
    if (reg->width == 64 || reg->initial_variable < 0)
        return;
    diag_error(parser->diagnostics, initial->value_span,
               "an address has 64 bits, but register '%s' has %u", reg->name, reg->width);
}

static void set_value(struct parser *parser, const struct register_initial *initial,
                      struct test_register *reg) {
    reg->initial = truncate_bits(initial->value, reg->width);
    if (constant_fits(initial->value, initial->negative, reg->width))
        return;
    diag_error(parser->diagnostics, initial->value_span,
               "'%s' does not fit the %u bits of register '%s'",
               span_text(parser, initial->value_span), reg->width, reg->name);
}

void apply_register_initials(struct parser *parser) {
    for (size_t i = 0; i < parser->register_initial_count; i++) {
        const struct register_initial *initial = &parser->register_initials[i];
        int thread_index = resolve_thread(parser, initial->thread_number, initial->thread_span);
        if (thread_index < 0)
            continue;
        struct thread *thread = &parser->test->threads[thread_index];
        int index = reader_register(&parser->reader, thread, &initial->name, least_width(initial));
        struct test_register *reg = &thread->registers[index];
        if (reg->has_initial) {
            diag_error(parser->diagnostics, initial->name.span,
                       "register '%s' of P%u has two initial values",
                       span_text(parser, initial->name.span), thread->number);
            continue;
        }
        reg->has_initial = true;
        if (initial->is_address)
            set_address(parser, initial, reg);
        else
            set_value(parser, initial, reg);
    }
}
