// Tokens of a body in C++, and messages about them.
#include "litmus/readers/cpp/cpp.h"

#include "litmus/source/arena.h"

const struct token *cpp_peek(const struct cpp *cpp, size_t ahead) {
    const struct token *token = &cpp->tokens[cpp->at];
    while (ahead-- > 0 && token->kind != TOKEN_END)
        token++;
    return token;
}

const struct token *cpp_next(struct cpp *cpp) {
    const struct token *token = cpp_peek(cpp, 0);
    if (token->kind != TOKEN_END)
        cpp->at++;
    return token;
}

bool cpp_accept(struct cpp *cpp, int punct) {
    bool found = token_is_punct(cpp_peek(cpp, 0), punct);
    if (found)
        cpp_next(cpp);
    return found;
}

const char *cpp_text(struct cpp *cpp, const struct token *token) {
    return arena_format(cpp->reader->arena, "%.40s", token_text(cpp->reader->arena, token));
}

bool cpp_error_expected(struct cpp *cpp, const char *what) {
    const struct token *token = cpp_peek(cpp, 0);
    struct span span = token->span;
    if (token->kind != TOKEN_END && (!token->line_start || cpp->at == 0))
        return diag_error(cpp->reader->diagnostics, span, "expected %s, not '%s'", what,
                          cpp_text(cpp, token));
    if (cpp->at > 0) // what is missing belongs to the line before
        span.begin = span.end = cpp->tokens[cpp->at - 1].span.end;
    return diag_error(cpp->reader->diagnostics, span, "expected %s", what);
}

bool cpp_expect(struct cpp *cpp, int punct, const char *what) {
    return cpp_accept(cpp, punct) || cpp_error_expected(cpp, what);
}

struct span cpp_span_from(const struct cpp *cpp, const struct token *first) {
    return cpp->at > 0 ? span_join(first->span, cpp->tokens[cpp->at - 1].span) : first->span;
}
