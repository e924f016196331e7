// Device functions: `.func (returns) name (parameters) { body }` among the declarations. Their
// tokens are kept; litmus/ptx/call.c reads them where a thread calls them.
#include "litmus/readers/declarations.h"
#include "litmus/readers/frame.h"

#include "litmus/source/arena.h"

#include <string.h>

static bool is_linkage(const struct token *token) {
    return token_is(token, ".visible") || token_is(token, ".extern") || token_is(token, ".weak");
}

bool frame_at_function(const struct frame *frame) {
    size_t ahead = is_linkage(frame_current(frame));
    return token_is(frame_peek(frame, ahead), ".func");
}

// Skips what is between an opening mark at the current token and its closing one. Returns the
// tokens between them; `*count` is how many. Reports a mark that is never closed.
static const struct token *skip_between(struct frame *frame, int open, int close, size_t *count) {
    const struct token *opener = frame_next(frame), *first = frame_current(frame);
    unsigned depth = 1;
    for (*count = 0;; ++*count) {
        const struct token *token = frame_current(frame);
        if (token->kind == TOKEN_END) {
            diag_error(frame->diagnostics, opener->span, "this '%c' is never closed", open);
            return NULL;
        }
        if (token_is_punct(token, open))
            depth++;
        if (token_is_punct(token, close) && --depth == 0)
            break;
        frame_next(frame);
    }
    frame_next(frame);
    return first;
}

static bool parse_list(struct frame *frame, const struct token **tokens, size_t *count) {
    if (!token_is_punct(frame_current(frame), '('))
        return true;
    *tokens = skip_between(frame, '(', ')', count);
    return *tokens != NULL;
}

// A prototype may precede the function; the function itself is defined once.
static void add_function(struct frame *frame, const struct function *function) {
    struct test *test = frame->test;
    for (size_t i = 0; i < test->function_count; i++) {
        struct function *other = &test->functions[i];
        if (strcmp(other->name, function->name) != 0)
            continue;
        if (function->body && other->body) {
            diag_error(frame->diagnostics, function->span, "function '%s' is defined twice",
                       function->name);
        } else if (function->body) {
            struct function *prototype = ARENA_ARRAY(frame->arena, struct function, 1);
            *prototype = *other;
            *other = *function;
            other->prototype = prototype;
        }
        return;
    }
    ARENA_APPEND(frame->arena, test->functions, test->function_count, *function);
}

void frame_check_function_names(struct frame *frame) {
    for (size_t i = 0; i < frame->test->function_count; i++) {
        const struct function *function = &frame->test->functions[i];
        int other = reader_variable(&frame->reader, function->name);
        if (other < 0)
            continue;
        diag_error(frame->diagnostics, function->span, "'%s' is a variable, too", function->name);
        diag_hint(frame->diagnostics, "its declaration is on line %u",
                  span_line(frame->test->variables[other].span));
    }
}

// function = linkage? ".func" list? name list? qualifier* ("{" body "}" | ";")
bool frame_parse_function(struct frame *frame) {
    struct function function = {.head = frame_current(frame)};
    if (is_linkage(frame_current(frame)))
        frame_next(frame);
    frame_next(frame); // .func
    if (!parse_list(frame, &function.returns, &function.return_count))
        return false;
    const struct token *name = frame_expect_word(frame, "the name of a function");
    if (!name)
        return false;
    function.name = token_text(frame->arena, name);
    function.span = name->span;
    if (!parse_list(frame, &function.parameters, &function.parameter_count))
        return false;
    while (token_is(frame_current(frame), ".noreturn")) // what it says about control flow holds
        frame_next(frame);
    function.head_count = (size_t)(frame_current(frame) - function.head);
    if (token_is_punct(frame_current(frame), '{')) {
        function.body = skip_between(frame, '{', '}', &function.body_count);
        if (!function.body)
            return false;
    } else if (!frame_accept_punct(frame, ';')) {
        return frame_error_expected(frame, "'{' or ';'");
    }
    if (function.body && token_is(function.head, ".extern")) {
        diag_error(frame->diagnostics, function.head->span,
                   "'.extern' says that '%s' is defined elsewhere, but it has a body here",
                   function.name);
        return true;
    }
    add_function(frame, &function);
    return true;
}
