// Floating-point numbers in initial values and conditions: 0f3F800000, 0d3FF0000000000000, 1.5.
// They mean their bits.
#include "litmus/readers/frame.h"

#include "litmus/source/arena.h"

#include <assert.h>

bool frame_parse_number(struct frame *frame, struct float_number *number) {
    const struct token *first = frame_current(frame);
    bool minus = token_is_punct(first, '-');
    bool sign = minus || token_is_punct(first, '+');
    const struct token *token = frame_peek(frame, sign ? 1 : 0);
    if (token->kind != TOKEN_FLOAT)
        return false;
    frame_next(frame);
    if (sign)
        frame_next(frame);
    *number = (struct float_number){
        .token = token, .negative = minus, .span = span_join(first->span, token->span)};
    return true;
}

// 'f' of 0f3F800000, 'd' of 0d3FF0000000000000, 0 of 1.5
static char mark_of(struct frame *frame, const struct token *token) {
    const char *text = token_text(frame->arena, token);
    char mark = text[0] == '0' ? (char)(text[1] | 0x20) : '\0';
    return mark == 'f' || mark == 'd' ? mark : '\0';
}

unsigned frame_float_width(struct frame *frame, const struct float_number *number) {
    return mark_of(frame, number->token) == 'd' ? 64 : 32;
}

// Numbers of 32 bits are single, those of 64 double; constants that are written as bits have a
// width, and others no place among integers and plain bits.
static bool fits(char mark, enum scalar_type type, unsigned bits) {
    assert((unsigned)type <= TYPE_F64);
    bool is_bits = type == TYPE_B32 || type == TYPE_B64;
    bool is_float = type == TYPE_F32 || type == TYPE_F64 || type == TYPE_NONE;
    if (mark != '\0')
        return (is_float || is_bits) && bits == (mark == 'd' ? 64 : 32);
    return is_float && (bits == 32 || bits == 64);
}

bool frame_float_bits(struct frame *frame, const struct float_number *number, enum scalar_type type,
                      unsigned bits, struct bits128 *value) {
    assert((unsigned)type <= TYPE_F64);
    char mark = mark_of(frame, number->token);
    const char *text = token_text(frame->arena, number->token);
    if (!fits(mark, type, bits)) {
        const char *name = type == TYPE_NONE
                               ? arena_format(frame->arena, "%u bits", bits)
                               : arena_format(frame->arena, "type .%s", scalar_type_name(type));
        diag_error(frame->diagnostics, number->span, "'%s' is not a value of %s",
                   frame_span_text(frame, number->span), name);
        diag_hint(frame->diagnostics, "1.5 is for .f32 and .f64, 0f3F800000 for .f32 and .b32, "
                                      "0d3FF0000000000000 for .f64 and .b64; of other types, "
                                      "write the bits as an integer");
        return false;
    }
    value->low = mark != '\0' ? number->token->value.low : decimal_bits(text, bits);
    value->high = 0;
    if (number->negative)
        value->low ^= UINT64_C(1) << (bits - 1);
    return true;
}
