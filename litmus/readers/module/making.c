// Tokens of the module and of its manifest, put together for the parsers of tests.
#include "litmus/readers/module/making.h"

#include "litmus/names/table.h"
#include "litmus/ptx/constant.h"
#include "litmus/source/arena.h"

#include <string.h>

void making_set_tokens(struct frame *frame, const struct token *tokens, size_t count) {
    frame->tokens = tokens;
    frame->count = count;
    frame->at = 0;
}

void making_add_tokens(struct module_test *making, struct token_list *list,
                       const struct token *first, const struct token *end) {
    for (; first < end; first++)
        ARENA_APPEND(making->arena, list->items, list->count, *first);
}

void making_add_text(struct module_test *making, struct token_list *list, const char *text,
                     const char *path) {
    size_t count;
    const struct source *source = source_from_text(making->arena, path, text, strlen(text));
    const struct token *tokens =
        lexer_tokens(making->arena, source, 0, source->size, making->diagnostics, &count);
    making_add_tokens(making, list, tokens, tokens + count - 1);
}

bool making_is_address(const struct token *token) {
    return token_is_punct(token, '&') || (token->kind == TOKEN_WORD && !ptx_starts_constant(token));
}

void making_read_list(struct module_test *making, struct token_list *list) {
    struct token end = {.kind = TOKEN_END,
                        .span = span_after(list->items[list->count - 1].span),
                        .line_start = true};
    making_add_tokens(making, list, &end, &end + 1);
    making_set_tokens(&making->frame, list->items, list->count);
}

// Says that a statement is left out, once for each opcode.
static void note_idle(struct module_test *making, const struct module_statement *statement) {
    const char *text = statement->opcode->text;
    if (!statement->opcode->missing || statement->opcode->is_concrete ||
        name_table_find(making->idle, text) >= 0)
        return;
    name_table_add(making->idle, text, 0);
    struct span span = span_join(statement->first->span, statement->end[-1].span);
    diag_note(making->diagnostics, span,
              "'%s' is not modelled, and ignored: its result reaches no address, branch, stored "
              "value or condition",
              text);
}

// Says that the result of a statement is left open, once for each opcode.
static void note_open(struct module_test *making, const struct module_statement *statement) {
    const char *text = statement->opcode->text;
    bool is_noted = statement->opcode->is_open || statement->opcode->stores_outside;
    if (!statement->opcode->missing || !is_noted || module_is_idle(statement) ||
        name_table_find(making->idle, text) >= 0)
        return;
    name_table_add(making->idle, text, 0);
    diag_note(making->diagnostics, span_join(statement->first->span, statement->end[-1].span),
              statement->opcode->stores_outside
                  ? "'%s' is not modelled: what it stores is not followed"
              : statement->opcode->is_concrete
                  ? "'%s' is computed where its operands are constants; otherwise its result may "
                    "be anything"
                  : "'%s' is not modelled: its result may be anything",
              text);
}

static bool has_unread_idle(const struct module_function *function) {
    for (size_t i = 0; i < function->statement_count; i++)
        if (module_is_idle(&function->statements[i]) && function->statements[i].opcode->missing)
            return true;
    return false;
}

void making_add_body(struct module_test *making, struct token_list *list,
                     struct module_function *function, const struct token *first,
                     const struct token *end) {
    bool is_read =
        module_read_statements(making->module, function, making->matters, making->matters_count);
    for (size_t i = 0; is_read && i < function->statement_count; i++)
        note_open(making, &function->statements[i]);
    if (is_read && has_unread_idle(function))
        for (size_t i = 0; i < function->statement_count; i++) {
            const struct module_statement *statement = &function->statements[i];
            if (!module_is_idle(statement))
                continue;
            note_idle(making, statement);
            bool is_together = statement->opcode->is_together;
            making_add_tokens(making, list, first,
                              is_together ? statement->operands : statement->first);
            first = is_together ? statement->end : statement->end + 1;
        }
    making_add_tokens(making, list, first, end);
}

bool making_expect_end(struct frame *frame) {
    frame_accept_punct(frame, ';');
    return frame_current(frame)->kind == TOKEN_END ||
           frame_error_expected(frame, "the end of the line");
}

bool making_is_of_launches(const struct module_test *making, size_t item) {
    return item >= making->first_item && item < making->items_end;
}
