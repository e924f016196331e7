// Guessing the dialect: Dat3M's when the memory instructions have no brackets and no type.
#include "litmus/readers/frame.h"

#include <string.h>

static bool is_one_of(const struct token *token, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (token_is(token, words[i]))
            return true;
    return false;
}

// Opcodes that only Dat3M's dialect has.
static bool is_dat3m_opcode(const struct token *token) {
    static const char *const words[] = {"tld", "cold", "suatom", "goto", "beq",
                                        "bne", "blt",  "bgt",    "ble",  "bge"};
    return is_one_of(token, words, sizeof(words) / sizeof(words[0]));
}

// Opcodes that both have: with brackets and types in PTX, without in the dialect.
static bool is_memory_opcode(const struct token *token) {
    static const char *const words[] = {"ld", "st", "atom", "red", "sust", "suld", "sured"};
    return is_one_of(token, words, sizeof(words) / sizeof(words[0]));
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

enum dialect frame_guess_dialect(const struct frame *frame) {
    size_t votes[] = {[DIALECT_PTX] = 0, [DIALECT_DAT3M] = 0};
    for (size_t i = 0; i < frame->body_count; i++) {
        const struct token *token = frame->bodies[i].tokens;
        while (token && token->kind != TOKEN_END) {
            while (token->kind == TOKEN_WORD && token_is_punct(token + 1, ':'))
                token += 2; // labels
            bool dat3m = is_dat3m_opcode(token), memory = is_memory_opcode(token), ptx = false;
            for (; token->kind != TOKEN_END && !token_is_punct(token, ';'); token++)
                ptx = ptx || token_is_punct(token, '[') || is_type(token);
            if (memory || dat3m)
                votes[ptx ? DIALECT_PTX : DIALECT_DAT3M]++;
            if (token->kind != TOKEN_END)
                token++;
        }
    }
    return votes[DIALECT_DAT3M] > votes[DIALECT_PTX] ? DIALECT_DAT3M : DIALECT_PTX;
}
