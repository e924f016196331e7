// Writes the statements of a thread as they are in the test, token by token: registers get their
// '%', aliases become registers, exits go to the end of the kernel, barriers count warps.
#include "litmus/ptx/emit/internal.h"

#include "litmus/names/names.h"
#include "litmus/source/arena.h"

#include <inttypes.h>
#include <string.h>

enum { WARP = 32 };

struct statements {
    struct emitter *emitter;
    const struct thread *thread;     // whose statements they are, or NULL
    const struct function *function; // or whose
    enum emit_part part;
    size_t next;       // the first instruction that is not before the current token
    uint32_t count_at; // the place of a barrier's count in the source, or UINT32_MAX
    unsigned depth;    // of blocks
    bool at_start;     // of a statement, after its guard
    bool is_guarded;   // there is a guard
    bool in_guard;     // the next word is one
    bool is_reg;       // in a .reg: names are those of registers
    bool is_exit;      // in an exit or ret of a thread
    bool is_call;      // in a call, before the name of the function
    bool is_branch;    // after the 'bra' of a statement
    bool is_module;    // in a declaration before the kernels, which threads share
};

// Writes what belongs to the part that is being written: the body's own .reg directives, or all the
// rest.
static void put(const struct statements *s, const char *text) {
    bool declares = s->is_reg && s->depth == 0;
    if (s->is_module)
        return;
    if (s->part == EMIT_ALL || declares == (s->part == EMIT_REGISTERS))
        fputs(text, s->emitter->out);
}

static const char *text_of(const struct statements *s, const struct token *token) {
    return token_text(s->emitter->arena, token);
}

// --- Words -------------------------------------------------------------------------------------

// The instruction whose opcode is the token, or NULL.
static const struct instruction *instruction_at(struct statements *s, const struct token *token) {
    const struct thread *thread = s->thread;
    if (!thread)
        return emit_function_instruction(s->emitter->test, token);
    while (s->next < thread->instruction_count &&
           thread->instructions[s->next].opcode_span.begin < token->span.begin)
        s->next++;
    bool here = s->next < thread->instruction_count &&
                thread->instructions[s->next].opcode_span.begin == token->span.begin;
    return here ? &thread->instructions[s->next] : NULL;
}

// The place of the constant count of threads in a barrier, or UINT32_MAX.
static uint32_t count_of(const struct instruction *instruction) {
    unsigned index = 0;
    if (instruction->barrier == BARRIER_SYNC || instruction->barrier == BARRIER_ARRIVE)
        index = instruction->operand_count > 1 ? 1 : 0;
    if (instruction->barrier == BARRIER_RED)
        index = instruction->operand_count > 3 ? 2 : 0;
    bool constant = index > 0 && instruction->operands[index].kind == OPERAND_IMMEDIATE;
    return constant ? instruction->operands[index].span.begin : UINT32_MAX;
}

static void emit_opcode(struct statements *s, const struct token *token) {
    const struct instruction *instruction = instruction_at(s, token);
    s->at_start = false;
    s->count_at = instruction && instruction->opcode == OP_BAR ? count_of(instruction) : UINT32_MAX;
    s->is_exit = instruction && instruction->opcode == OP_EXIT && s->thread;
    s->is_call = token_is(token, "call");
    s->is_branch = token_is(token, "bra");
    put(s, s->is_exit ? "bra" : text_of(s, token));
}

// Whether a name is that of a register, or of the vector register whose element it is: "v" of
// "v.x".
static bool is_name_of(const char *name, const char *reg) {
    name = test_register_key(name);
    reg = test_register_key(reg);
    size_t length = strlen(name);
    return strncmp(name, reg, length) == 0 && (reg[length] == '\0' || reg[length] == '.');
}

// Registers of blocks and of functions are among those of the thread, too.
static bool is_register(const struct statements *s, const char *name) {
    const struct function *function = s->function;
    if (s->is_reg)
        return true;
    if (s->is_branch || (s->thread && emit_variable(s->emitter->test, name)))
        return false;
    for (size_t i = 0; function && i < function->register_count; i++)
        if (is_name_of(name, function->registers[i].name))
            return true;
    for (size_t i = 0; s->thread && i < s->thread->register_count; i++)
        if (is_name_of(name, s->thread->registers[i].name))
            return true;
    return false;
}

static bool is_function(const struct test *test, const char *name) {
    for (size_t i = 0; i < test->function_count; i++)
        if (strcmp(test->functions[i].name, name) == 0)
            return true;
    return false;
}

static void emit_name(struct statements *s, const struct token *token) {
    const char *name = text_of(s, token);
    const struct variable *variable = s->is_reg ? NULL : emit_variable(s->emitter->test, name);
    if (s->is_call && is_function(s->emitter->test, name)) {
        s->is_call = false;
        put(s, name);
        return;
    }
    if (s->thread && variable && variable->alias_of >= 0)
        put(s, "%alias_");
    else if (is_register(s, name) && name[0] != '%')
        put(s, "%");
    put(s, name);
}

// --- Tokens ------------------------------------------------------------------------------------

static void start_statement(struct statements *s) {
    put(s, "\n");
    s->at_start = true;
    s->is_reg = s->is_exit = s->is_guarded = s->is_module = s->is_call = s->is_branch = false;
}

static void emit_punct(struct statements *s, const struct token *token) {
    bool opens = s->at_start && token->punct == '{', closes = s->at_start && token->punct == '}';
    bool ends = token->punct == ';' || (token->punct == ':' && s->at_start);
    s->depth += opens;
    if (token->punct == ';' && s->is_exit)
        put(s, " " EMIT_END);
    put(s, token->punct == ';' ? ";" : text_of(s, token)); // rows of a table end with other marks
    s->depth -= closes;
    s->in_guard |= token->punct == '@';
    s->is_guarded |= token->punct == '@';
    if (ends || opens || closes)
        start_statement(s);
}

static void emit_integer(struct statements *s, const struct token *token) {
    if (token->span.begin != s->count_at) {
        put(s, text_of(s, token));
        return;
    }
    put(s, arena_format(s->emitter->arena, "%" PRIu64, token->value.low * WARP));
}

// Whether a declaration is of a variable that all threads of the CTA or the grid have.
static bool is_of_module(const struct token *token) {
    return token_is(token, ".global") || token_is(token, ".const") || token_is(token, ".shared") ||
           token_is(token, ".shared::cta");
}

static void emit_token(struct statements *s, const struct token *token) {
    if (s->at_start && token->kind == TOKEN_QUALIFIER) {
        s->is_reg = token_is(token, ".reg");
        s->is_module = is_of_module(token);
    }
    bool begins = s->at_start && !s->is_guarded && !token_is_punct(token, ':');
    bool is_label = s->at_start && token_is_punct(token + 1, ':');
    if (begins)
        put(s, is_label ? "" : "    ");
    else if (token->space_before || token->line_start)
        put(s, " ");
    switch (token->kind) {
    case TOKEN_WORD:
        if (s->at_start && !s->in_guard && !is_label)
            emit_opcode(s, token);
        else if (is_label)
            put(s, text_of(s, token));
        else
            emit_name(s, token);
        s->in_guard = false;
        break;
    case TOKEN_PUNCT: emit_punct(s, token); break;
    case TOKEN_INTEGER: emit_integer(s, token); break;
    default: put(s, text_of(s, token));
    }
    if (token->kind == TOKEN_QUALIFIER)
        s->at_start = false;
}

// A `.loc` or `.file` ends with its line.
static size_t behind_line(const struct token *tokens, size_t count, size_t at) {
    do
        at++;
    while (at < count && tokens[at].kind != TOKEN_END && !tokens[at].line_start);
    return at;
}

static void emit_tokens(struct statements *s, const struct token *tokens, size_t count) {
    for (size_t i = 0; i < count && tokens[i].kind != TOKEN_END;) {
        const struct token *token = &tokens[i];
        bool is_line = token_is(token, ".loc") || token_is(token, ".file");
        if (s->at_start && is_line) {
            i = behind_line(tokens, count, i);
            continue;
        }
        if (!s->at_start || !token_is_punct(token, ';')) // no empty statements
            emit_token(s, token);
        i++;
    }
}

void emit_statements(struct emitter *emitter, const struct thread *thread, enum emit_part part) {
    struct statements s = {.emitter = emitter,
                           .thread = thread,
                           .part = part,
                           .count_at = UINT32_MAX,
                           .at_start = true};
    emit_tokens(&s, thread->tokens, thread->token_count);
}

void emit_function_statements(struct emitter *emitter, const struct function *function) {
    struct statements s = {.emitter = emitter,
                           .function = function,
                           .part = EMIT_ALL,
                           .count_at = UINT32_MAX,
                           .at_start = true};
    emit_tokens(&s, function->body, function->body_count);
}

void emit_function_head(struct emitter *emitter, const struct function *function) {
    struct statements s = {
        .emitter = emitter, .function = function, .part = EMIT_ALL, .count_at = UINT32_MAX};
    fputs(text_of(&s, function->head), emitter->out);
    for (size_t i = 1; i < function->head_count; i++)
        if (function->head[i].span.begin != function->span.begin)
            emit_token(&s, &function->head[i]);
        else
            fprintf(emitter->out, " %s", function->name); // registers may have that name
}
