// Guessing the dialect: Dat3M's when the memory instructions have no brackets and no type.
#include "litmus/readers/frame.h"
#include "litmus/readers/threads.h"

#include <string.h>

// Opcodes that only Dat3M's dialect has.
static bool is_dat3m_opcode(const struct token *token) {
    static const char *const words[] = {"tld", "cold", "suatom", "goto", "beq",
                                        "bne", "blt",  "bgt",    "ble",  "bge"};
    return token_among(token, words, sizeof(words) / sizeof(words[0])) >= 0;
}

// Opcodes that both have: with brackets and types in PTX, without in the dialect.
static bool is_memory_opcode(const struct token *token) {
    static const char *const words[] = {"ld", "st", "atom", "red", "sust", "suld", "sured"};
    return token_among(token, words, sizeof(words) / sizeof(words[0])) >= 0;
}

// Whether a qualifier is a type: .u32, .b8, .f16x2, .bf16, ...
static bool is_type(const struct token *token) {
    const char *text = token->span.source->text + token->span.begin;
    size_t length = token->span.end - token->span.begin, at = 1;
    if (token->kind != TOKEN_QUALIFIER)
        return false;
    if (length > 2 && text[at] == 'b' && text[at + 1] == 'f')
        at++;
    return at + 1 < length && strchr("busf", text[at]) && text[at + 1] >= '1' &&
           text[at + 1] <= '9';
}

// Goes past one statement with its labels. Returns whether it says anything about the dialect, and
// which one it looks like in `*dialect`.
static bool weigh_statement(const struct token **at, enum dialect *dialect) {
    const struct token *token = *at;
    bool ptx = false;
    while (token->kind == TOKEN_WORD && token_is_punct(token + 1, ':'))
        token += 2;
    bool says = is_dat3m_opcode(token) || is_memory_opcode(token);
    for (; token->kind != TOKEN_END && !token_is_punct(token, ';'); token++)
        ptx = ptx || token_is_punct(token, '[') || is_type(token);
    *dialect = ptx ? DIALECT_PTX : DIALECT_DAT3M;
    *at = token->kind == TOKEN_END ? token : token + 1;
    return says;
}

static void weigh_body(const struct token *token, size_t *votes) {
    enum dialect dialect;
    while (token->kind != TOKEN_END)
        if (weigh_statement(&token, &dialect))
            votes[dialect]++;
}

enum dialect frame_guess_dialect(const struct frame *frame) {
    size_t votes[] = {[DIALECT_PTX] = 0, [DIALECT_DAT3M] = 0};
    for (size_t i = 0; i < frame->body_count; i++)
        if (frame->bodies[i].tokens)
            weigh_body(frame->bodies[i].tokens, votes);
    return votes[DIALECT_DAT3M] > votes[DIALECT_PTX] ? DIALECT_DAT3M : DIALECT_PTX;
}
