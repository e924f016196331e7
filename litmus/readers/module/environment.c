// Values of the special registers %envreg<n>, as a manifest gives them.
#include "litmus/readers/module/making.h"

#include "litmus/readers/declarations.h"
#include "litmus/source/arena.h"

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
static bool declare(struct module_test *making, const char *name, bool is_pair,
                    const struct token *value) {
    struct token_list list = {0};
    const struct token *end = value;
    while (end->kind != TOKEN_END)
        end++;
    making_add_text(making, &list,
                    arena_format(making->arena, ".param %s %s", is_pair ? ".b64" : ".b32", name),
                    value->span.source->path);
    making_add_tokens(making, &list, value, end + 1);
    making_set_tokens(&making->frame, list.items, list.count);
    return frame_parse_ptx_declaration(&making->frame);
}

bool making_declare_environment(struct module_test *making, struct launch *launch,
                                const struct manifest_item *item) {
    struct frame *frame = &making->frame;
    unsigned high = 0, low;
    making_set_tokens(frame, item->tokens + 1, item->count - 1);
    if (!parse_number(frame, launch, &low))
        return false;
    bool is_pair = frame_accept_punct(frame, ',');
    if (is_pair) {
        high = low;
        launch->environment[high].is_known = true;
        if (!parse_number(frame, launch, &low))
            return false;
    }
    if (!frame_expect(frame, '=', "'='"))
        return false;
    if (!is_pair && making_is_address(frame_current(frame))) {
        diag_error(frame->diagnostics, frame_current(frame)->span,
                   "an address has 64 bits, and a register %%envreg has 32");
        diag_hint(frame->diagnostics, "'envreg 1, 2 = &NAME' gives its halves to %%envreg1 and "
                                      "%%envreg2, as to cooperative groups");
        return false;
    }
    if (!declare(making, arena_format(frame->arena, "%%envreg%u", low), is_pair,
                 frame_current(frame) - 1))
        return false;
    if (frame_current(frame)->kind != TOKEN_END && !frame_expect(frame, ';', "the end of the line"))
        return false;
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
