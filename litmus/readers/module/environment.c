// Values of the special registers %envreg<n>, as a manifest gives them.
#include "litmus/readers/module/environment.h"

#include "litmus/ptx/constant.h"
#include "litmus/readers/declarations.h"
#include "litmus/source/arena.h"

#include <string.h>

// number = integer, of a register that has no value yet
static bool parse_number(struct frame *frame, const struct launch *launch, unsigned *number) {
    struct span span = frame_current(frame)->span;
    if (!frame_parse_unsigned(frame, "the number of an %envreg", number))
        return false;
    if (*number >= ENVIRONMENT_REGISTERS)
        return diag_error(frame->diagnostics, span, "the registers are %%envreg0 to %%envreg%d",
                          ENVIRONMENT_REGISTERS - 1);
    if (!launch->environment[*number].is_known)
        return true;
    return diag_error(frame->diagnostics, span, "%%envreg%u is given twice", *number);
}

// Declares the variable `name` with the value at `value`, which ends with a TOKEN_END.
static bool declare(struct frame *frame, const char *name, bool is_pair,
                    const struct token *value) {
    size_t count, values = 0;
    const char *text = arena_format(frame->arena, ".param %s %s", is_pair ? ".b64" : ".b32", name);
    const struct source *source =
        source_from_text(frame->arena, value->span.source->path, text, strlen(text));
    const struct token *words =
        lexer_tokens(frame->arena, source, 0, source->size, frame->diagnostics, &count);
    while (value[values++].kind != TOKEN_END) {
    }
    struct token *tokens = ARENA_ARRAY(frame->arena, struct token, count + values);
    for (frame->count = 0; words[frame->count].kind != TOKEN_END; frame->count++)
        tokens[frame->count] = words[frame->count];
    memcpy(tokens + frame->count, value, values * sizeof *value);
    frame->tokens = tokens;
    frame->count += values;
    frame->at = 0;
    return frame_parse_ptx_declaration(frame);
}

static bool is_address(const struct token *token) {
    return token_is_punct(token, '&') || (token->kind == TOKEN_WORD && !ptx_starts_constant(token));
}

bool environment_declare(struct frame *frame, struct launch *launch,
                         const struct manifest_item *item) {
    unsigned high = 0, low;
    frame->tokens = item->tokens + 1;
    frame->count = item->count - 1;
    frame->at = 0;
    if (!parse_number(frame, launch, &low))
        return false;
    bool is_pair = frame_accept_punct(frame, ',');
    if (is_pair) {
        high = low;
        launch->environment[high].is_known = true;
        if (!parse_number(frame, launch, &low))
            return false;
    }
    if (!token_is_punct(frame_current(frame), '='))
        return frame_error_expected(frame, "'='");
    frame_next(frame);
    if (!is_pair && is_address(frame_current(frame))) {
        diag_error(frame->diagnostics, frame_current(frame)->span,
                   "an address has 64 bits, and a register %%envreg has 32");
        diag_hint(frame->diagnostics, "'envreg 1, 2 = &NAME' gives its halves to %%envreg1 and "
                                      "%%envreg2, as to cooperative groups");
        return false;
    }
    if (!declare(frame, arena_format(frame->arena, "%%envreg%u", low), is_pair,
                 frame_current(frame) - 1))
        return false;
    if (frame_current(frame)->kind != TOKEN_END && !frame_accept_punct(frame, ';'))
        return frame_error_expected(frame, "the end of the line");
    int variable = (int)frame->test->variable_count - 1;
    struct variable *declared = &frame->test->variables[variable];
    for (size_t i = 0; i < declared->element_count; i++)
        declared->initial[i].is_generic = true;
    launch->environment[low] =
        (struct environment_register){.is_known = true, .variable = variable};
    if (is_pair)
        launch->environment[high] =
            (struct environment_register){.is_known = true, .is_high = true, .variable = variable};
    return true;
}
