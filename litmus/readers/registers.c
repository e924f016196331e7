// Initial values of registers: P1:r1=3; P1.r1=3; and P1:%r1=x;
//
// They precede the threads, so they are kept until the bodies are parsed: a register takes its
// name, type and width from its declaration or first use.
#include "litmus/readers/frame.h"
#include "litmus/readers/threads.h"

#include "litmus/source/arena.h"

static bool parse_register_value(struct frame *frame, struct register_initial *initial) {
    const struct token *first = frame_current(frame);
    frame_accept_punct(frame, '&');
    if (frame_current(frame)->kind == TOKEN_WORD) {
        initial->is_address = true;
        initial->variable = *frame_next(frame);
        initial->value_span = span_join(first->span, initial->variable.span);
        return true;
    }
    if (frame_parse_number(frame, &initial->number)) {
        initial->value_span = initial->number.span;
        return true;
    }
    struct constant constant;
    if (!frame_parse_constant(frame, "a number or the name of a variable", &constant))
        return false;
    initial->value = constant.value;
    initial->negative = constant.negative;
    initial->value_span = constant.span;
    return true;
}

// initial = register "=" (constant | float | "&"? variable)
bool frame_parse_register_initial(struct frame *frame) {
    struct register_initial initial = {0};
    if (!frame_parse_register(frame, &initial.thread_number, &initial.thread_span, &initial.name))
        return false;
    if (!frame_expect(frame, '=', "'=' and an initial value"))
        return false;
    if (!parse_register_value(frame, &initial))
        return false;
    ARENA_APPEND(frame->arena, frame->register_initials, frame->register_initial_count, initial);
    return true;
}

static unsigned least_width(struct frame *frame, const struct register_initial *initial) {
    if (initial->is_address)
        return 64;
    if (initial->number.token)
        return frame_float_width(frame, &initial->number);
    if (frame_constant_fits(initial->value, initial->negative, 32))
        return 32;
    return frame_constant_fits(initial->value, initial->negative, 64) ? 64 : 128;
}

static void set_address(struct frame *frame, const struct register_initial *initial,
                        struct test_register *reg) {
    reg->initial_variable = reader_require_variable(&frame->reader, &initial->variable);
    if (reg->width == 64 || reg->initial_variable < 0)
        return;
    diag_error(frame->diagnostics, initial->value_span,
               "an address has 64 bits, but register '%s' has %u", reg->name, reg->width);
}

static void set_value(struct frame *frame, const struct register_initial *initial,
                      struct test_register *reg) {
    if (initial->number.token) {
        frame_float_bits(frame, &initial->number, reg->type, reg->width, &reg->initial);
        return;
    }
    reg->initial = frame_truncate_bits(initial->value, reg->width);
    if (frame_constant_fits(initial->value, initial->negative, reg->width))
        return;
    diag_error(frame->diagnostics, initial->value_span,
               "'%s' does not fit the %u bits of register '%s'",
               frame_span_text(frame, initial->value_span), reg->width, reg->name);
}

void frame_apply_register_initials(struct frame *frame) {
    for (size_t i = 0; i < frame->register_initial_count; i++) {
        const struct register_initial *initial = &frame->register_initials[i];
        int thread_index =
            frame_resolve_thread(frame, initial->thread_number, initial->thread_span);
        if (thread_index < 0)
            continue;
        struct thread *thread = &frame->test->threads[thread_index];
        int index =
            reader_register(&frame->reader, thread, &initial->name, least_width(frame, initial));
        struct test_register *reg = &thread->registers[index];
        if (reg->has_initial) {
            diag_error(frame->diagnostics, initial->name.span,
                       "register '%s' of P%u has two initial values",
                       frame_span_text(frame, initial->name.span), thread->number);
            continue;
        }
        reg->has_initial = true;
        if (initial->is_address)
            set_address(frame, initial, reg);
        else
            set_value(frame, initial, reg);
    }
}
