// Writes the statements of a thread as they are in the test, one after the other: registers get
// their '%', aliases become registers, exits go to the end of the kernel, barriers count warps.
#include "litmus/ptx/emit/internal.h"

#include "litmus/names/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WARP = 32 };

struct body_writer {
    struct emitter *emitter;
    const struct thread *thread;     // whose statements they are, or NULL
    const struct function *function; // or whose
    enum emit_part part;
    size_t next;    // the first instruction that is not before the current token
    unsigned depth; // of blocks
    // Of the statement, in a role: whether it is about 32 bits, and whether the token is between
    // brackets, where an address has 64.
    bool is_narrow, in_address;
};

enum written_kind {
    WRITTEN_OTHER,
    WRITTEN_REGISTERS, // a .reg: names are those of registers
    WRITTEN_MODULE,    // a declaration before the kernels, which threads share
    WRITTEN_EXIT,      // of a thread: a branch to its end
    WRITTEN_BRANCH,    // names are those of labels
};

// One statement, with its ';' if it has one.
struct written_statement {
    enum written_kind kind;
    const struct token *begin, *end;
    const struct token *opcode;            // NULL in declarations
    const struct instruction *instruction; // NULL in declarations, and of a call
    const struct token *callee;            // the name of the function in a call, else NULL
    bool moves_address, moves_size;        // of an st.bulk: these operands are put into registers
    uint32_t count_at; // the place of a barrier's count in the source, or UINT32_MAX
};

// Whether what is of this kind belongs to the part that is being written: the body's own .reg
// directives, or all the rest.
static bool is_shown(const struct body_writer *w, enum written_kind kind) {
    bool declares = kind == WRITTEN_REGISTERS && w->depth == 0;
    return kind != WRITTEN_MODULE &&
           (w->part == EMIT_ALL || declares == (w->part == EMIT_REGISTERS));
}

static void put(const struct body_writer *w, const char *text) {
    fputs(text, w->emitter->out);
}

static const char *text_of(const struct body_writer *w, const struct token *token) {
    return token_text(w->emitter->arena, token);
}

// --- Statements --------------------------------------------------------------------------------

// The instruction of a function with this opcode token, in one of the places where the function is
// called, or NULL.
static const struct instruction *function_instruction(const struct test *test,
                                                      const struct token *opcode) {
    for (size_t i = 0; i < test->thread_count; i++)
        for (size_t j = 0; j < test->threads[i].instruction_count; j++) {
            const struct span span = test->threads[i].instructions[j].opcode_span;
            if (span.begin == opcode->span.begin && span.source == opcode->span.source)
                return &test->threads[i].instructions[j];
        }
    return NULL;
}

// The instruction whose opcode is the token, or NULL.
static const struct instruction *instruction_at(struct body_writer *w, const struct token *token) {
    const struct thread *thread = w->thread;
    if (!thread)
        return function_instruction(w->emitter->test, token);
    while (w->next < thread->instruction_count &&
           thread->instructions[w->next].opcode_span.begin < token->span.begin)
        w->next++;
    bool here = w->next < thread->instruction_count &&
                thread->instructions[w->next].opcode_span.begin == token->span.begin;
    return here ? &thread->instructions[w->next] : NULL;
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

// Whether a declaration is of a variable that all threads of the CTA or the grid have.
static bool is_of_module(const struct token *token) {
    return token_is(token, ".global") || token_is(token, ".const") || token_is(token, ".shared") ||
           token_is(token, ".shared::cta");
}

static bool is_function(const struct test *test, const char *name) {
    for (size_t i = 0; i < test->function_count; i++)
        if (strcmp(test->functions[i].name, name) == 0)
            return true;
    return false;
}

static const struct token *find_callee(const struct body_writer *w,
                                       const struct written_statement *written) {
    for (const struct token *token = written->opcode + 1; token < written->end; token++)
        if (token->kind == TOKEN_WORD && is_function(w->emitter->test, text_of(w, token)))
            return token;
    return NULL;
}

// guard = "@" "!"? register
static const struct token *after_guard(const struct token *token) {
    if (!token_is_punct(token, '@'))
        return token;
    while (token->kind != TOKEN_END && token->kind != TOKEN_WORD)
        token++;
    return token->kind == TOKEN_END ? token : token + 1;
}

// Whether an instruction is an st.bulk.
static bool is_fill(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_ACCESS &&
           opcode_has(instruction->opcode, TRAIT_OWN);
}

// ptxas (CUDA 13.0) does not assemble an st.bulk to the name of a variable, and knows sizes of 32
// bits in .u32 registers alone, from PTX ISA 9.0 on.
static void find_moves(const struct body_writer *w, struct written_statement *written) {
    const struct instruction *instruction = written->instruction;
    const struct test *test = w->emitter->test;
    if (!instruction || !is_fill(instruction) || !w->thread)
        return;
    int variable = instruction->operands[0].variable, size = instruction->operands[1].reg;
    written->moves_address =
        !w->emitter->role && variable >= 0 && test->variables[variable].alias_of < 0;
    written->moves_size = size >= 0 && w->thread->registers[size].width == 32;
}

// The statement that begins at a token: what it is, and where it ends.
static struct written_statement find_statement(struct body_writer *w, const struct token *begin) {
    struct written_statement written = {.begin = begin, .end = begin, .count_at = UINT32_MAX};
    while (written.end->kind != TOKEN_END && !token_is_punct(written.end, ';'))
        written.end++;
    if (begin->kind == TOKEN_QUALIFIER) {
        written.kind = token_is(begin, ".reg")             ? WRITTEN_REGISTERS
                       : is_of_module(begin)               ? WRITTEN_MODULE
                       : token_is(begin, ".branchtargets") ? WRITTEN_BRANCH
                                                           : WRITTEN_OTHER;
        return written;
    }
    written.opcode = after_guard(begin);
    const struct instruction *instruction = instruction_at(w, written.opcode);
    written.instruction = instruction;
    if (instruction && instruction->barrier != BARRIER_NONE)
        written.count_at = count_of(instruction);
    if (instruction && (opcode_effects(instruction->opcode) & EFFECT_ENDS) != 0 && w->thread)
        written.kind = WRITTEN_EXIT;
    if (token_is(written.opcode, "bra"))
        written.kind = WRITTEN_BRANCH;
    if (token_is(written.opcode, "call"))
        written.callee = find_callee(w, &written);
    find_moves(w, &written);
    return written;
}

// --- Names -------------------------------------------------------------------------------------

const struct variable *emit_variable(const struct test *test, const char *name) {
    for (size_t i = 0; i < test->variable_count; i++)
        if (!test->variables[i].is_inner && strcmp(test->variables[i].name, name) == 0)
            return &test->variables[i];
    return NULL;
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
static bool is_register(const struct body_writer *w, enum written_kind kind, const char *name) {
    const struct function *function = w->function;
    if (kind == WRITTEN_REGISTERS)
        return true;
    if (kind == WRITTEN_BRANCH || (w->thread && emit_variable(w->emitter->test, name)))
        return false;
    for (size_t i = 0; function && i < function->register_count; i++)
        if (is_name_of(name, function->registers[i].name))
            return true;
    for (size_t i = 0; w->thread && i < w->thread->register_count; i++)
        if (is_name_of(name, w->thread->registers[i].name))
            return true;
    return false;
}

static void emit_name(const struct body_writer *w, enum written_kind kind,
                      const struct token *token) {
    const char *name = text_of(w, token);
    const struct variable *variable =
        kind == WRITTEN_REGISTERS ? NULL : emit_variable(w->emitter->test, name);
    if (w->emitter->role && variable)
        put(w, w->in_address || !w->is_narrow ? "%at_" : "%at32_");
    else if (w->thread && variable && variable->alias_of >= 0)
        put(w, "%alias_");
    else if (is_register(w, kind, name) && name[0] != '%')
        put(w, "%");
    put(w, name);
}

// --- Output ------------------------------------------------------------------------------------

// How many threads play one of the test at a barrier.
static uint64_t threads_each(const struct body_writer *w) {
    return w->emitter->role ? w->emitter->role->slots : WARP;
}

// Whether the token is a qualifier of an opcode that is written as a whole.
static bool is_written(const struct body_writer *w, const struct written_statement *written,
                       const struct token *token) {
    return w->emitter->role && written->instruction && token > written->opcode &&
           token->span.end <= written->instruction->opcode_span.end;
}

static void emit_opcode(const struct body_writer *w, const struct written_statement *written) {
    bool is_control = w->emitter->role && w->emitter->role->is_control;
    if (written->kind == WRITTEN_EXIT)
        put(w, "bra");
    else if (w->emitter->role && written->instruction)
        put(w, ptx_role_opcode(w->emitter->arena, written->instruction, is_control));
    else
        put(w, text_of(w, written->opcode));
}

// Whether a token is part of an operand.
static bool is_in(const struct token *token, const struct operand *operand) {
    return token->span.begin >= operand->span.begin && token->span.end <= operand->span.end;
}

// Writes the register that is in the place of an operand of an st.bulk, at the operand's first
// token. Returns false where the token is of no such operand.
static bool emit_moved(const struct body_writer *w, const struct written_statement *written,
                       const struct token *token) {
    const struct operand *operands = written->instruction ? written->instruction->operands : NULL;
    for (unsigned i = 0; i < 2; i++) {
        if (!(i == 0 ? written->moves_address : written->moves_size) || !is_in(token, &operands[i]))
            continue;
        if (token->span.begin == operands[i].span.begin)
            put(w, i == 0 ? " [%ptxlitmus_at]" : " %ptxlitmus_size");
        return true;
    }
    return false;
}

// Puts these operands into registers, in a block that end_of_moves closes.
static void begin_moves(const struct body_writer *w, const struct written_statement *written) {
    const struct instruction *instruction = written->instruction;
    if (!written->moves_address && !written->moves_size)
        return;
    put(w, "    {\n    .reg .b64 %ptxlitmus_at, %ptxlitmus_size;\n");
    const struct operand *address = &instruction->operands[0];
    if (written->moves_address) {
        fprintf(w->emitter->out, "    mov.u64 %%ptxlitmus_at, %s+%" PRId64 ";\n",
                w->emitter->test->variables[address->variable].name, address->offset);
        if (instruction->space == SPACE_GENERIC)
            put(w, "    cvta.shared.u64 %ptxlitmus_at, %ptxlitmus_at;\n");
    }
    if (written->moves_size) {
        const char *name = w->thread->registers[instruction->operands[1].reg].name;
        fprintf(w->emitter->out, "    cvt.u64.u32 %%ptxlitmus_size, %s%s;\n",
                name[0] == '%' ? "" : "%", name);
    }
}

static void end_moves(const struct body_writer *w, const struct written_statement *written) {
    if (written->moves_address || written->moves_size)
        put(w, "    }\n");
}

// Whether a token is an element of a vector of .f32, which NVIDIA's assembler takes for 0 where it
// is written in decimal (docs/ptxas.md).
static bool is_misread(const struct written_statement *written, const struct token *token) {
    const struct instruction *instruction = written->instruction;
    return token->kind == TOKEN_FLOAT && instruction != NULL && instruction->vector > 1 &&
           instruction->type == TYPE_F32;
}

// Writes a number by its bits.
static void emit_single(const struct body_writer *w, const struct token *token) {
    const char *text = text_of(w, token);
    float number = strtof(text, NULL);
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (text[0] == '0' && (text[1] == 'f' || text[1] == 'F'))
        put(w, text);
    else
        fprintf(w->emitter->out, "0f%08" PRIX32, bits);
}

// A token of a statement, of which the first is set in.
static void emit_token(struct body_writer *w, const struct written_statement *written,
                       const struct token *token) {
    bool in_guard = written->opcode != NULL && token < written->opcode;
    if (is_written(w, written, token) || emit_moved(w, written, token))
        return;
    w->in_address = (w->in_address || token_is_punct(token, '[')) && !token_is_punct(token, ']');
    if (token == written->begin)
        put(w, "    ");
    else if (token->space_before || token->line_start)
        put(w, " ");
    if (token == written->opcode)
        emit_opcode(w, written);
    else if (token->kind == TOKEN_WORD && token != written->callee)
        emit_name(w, in_guard ? WRITTEN_OTHER : written->kind, token);
    else if (is_misread(written, token))
        emit_single(w, token);
    else if (token->kind == TOKEN_INTEGER && token->span.begin == written->count_at)
        fprintf(w->emitter->out, "%" PRIu64, token->value.low * threads_each(w));
    else
        put(w, text_of(w, token));
}

// Before a statement of a role. Returns the first token of the statement that is still to be
// written, or NULL where the role lacks it.
static const struct token *begin_of_role(struct body_writer *w,
                                         const struct written_statement *written) {
    const struct emitter *emitter = w->emitter;
    const struct instruction *instruction = written->instruction;
    if (!emitter->role || !instruction)
        return written->begin;
    if (!ptx_role_has(instruction, emitter->role->is_control))
        return NULL;
    w->is_narrow = scalar_type_bits(instruction->type) == 32;
    bool counted =
        instruction_branches(instruction) && emit_role_counts(emitter, w->thread, instruction);
    return counted ? written->opcode : written->begin;
}

// Barriers of a role say how many threads they count.
static void end_of_role(struct body_writer *w, const struct written_statement *written) {
    const struct instruction *instruction = written->instruction;
    bool counts = w->emitter->role && instruction && instruction->barrier == BARRIER_SYNC &&
                  instruction->operand_count == 1;
    if (counts)
        fprintf(w->emitter->out, ", %zu", emit_role_barrier_count(w->emitter, w->thread));
}

static void emit_statement(struct body_writer *w, const struct written_statement *written) {
    if (!is_shown(w, written->kind))
        return;
    const struct token *begin = begin_of_role(w, written);
    if (!begin)
        return;
    begin_moves(w, written);
    for (const struct token *token = begin; token < written->end; token++)
        emit_token(w, written, token);
    end_of_role(w, written);
    if (written->end->kind == TOKEN_END)
        return;
    if (written->end->space_before || written->end->line_start)
        put(w, " ");
    put(w, written->kind == WRITTEN_EXIT ? " " EMIT_END : "");
    put(w, ";\n"); // rows of a table end with other marks
    end_moves(w, written);
}

// A label, or the beginning or end of a block: `text` and a mark, on a line of its own.
static void emit_line(const struct body_writer *w, const char *text, const struct token *mark) {
    if (!is_shown(w, WRITTEN_OTHER))
        return;
    bool apart = *text != ' ' && (mark->space_before || mark->line_start);
    fprintf(w->emitter->out, "%s%s%s\n", text, apart ? " " : "", text_of(w, mark));
}

// Writes what begins at a token, if it is not empty. Returns what follows.
static const struct token *emit_next(struct body_writer *w, const struct token *token) {
    if (token_is(token, ".loc") || token_is(token, ".loc_intermediate") || token_is(token, ".file"))
        return token_of_next_line(token); // they end with their line
    if (token_is_punct(token, ';'))
        return token + 1;
    if (token_is_punct(token, '{') || token_is_punct(token, '}')) {
        emit_line(w, "    ", token);
        w->depth = token_is_punct(token, '{') ? w->depth + 1 : w->depth - 1;
        return token + 1;
    }
    if (token_is_punct(token + 1, ':')) {
        emit_line(w, text_of(w, token), token + 1);
        return token + 2;
    }
    struct written_statement written = find_statement(w, token);
    emit_statement(w, &written);
    return written.end->kind == TOKEN_END ? written.end : written.end + 1;
}

static void emit_tokens(struct body_writer *w, const struct token *tokens, size_t count) {
    const struct token *end = tokens + count;
    for (const struct token *token = tokens; token < end && token->kind != TOKEN_END;)
        token = emit_next(w, token);
}

void emit_statements(struct emitter *emitter, const struct thread *thread, enum emit_part part) {
    struct body_writer w = {.emitter = emitter, .thread = thread, .part = part};
    emit_tokens(&w, thread->tokens, thread->token_count);
}

void emit_function_statements(struct emitter *emitter, const struct function *function) {
    struct body_writer w = {.emitter = emitter, .function = function, .part = EMIT_ALL};
    emit_tokens(&w, function->body, function->body_count);
}

void emit_function_head(struct emitter *emitter, const struct function *function) {
    struct body_writer w = {.emitter = emitter, .function = function, .part = EMIT_ALL};
    const struct written_statement head = {.count_at = UINT32_MAX};
    put(&w, text_of(&w, function->head));
    for (size_t i = 1; i < function->head_count; i++)
        if (function->head[i].span.begin != function->span.begin)
            emit_token(&w, &head, &function->head[i]);
        else
            fprintf(emitter->out, " %s", function->name); // registers may have that name
}

void emit_declare_register(struct emitter *e, const char *name, unsigned width) {
    if (width == 1)
        fprintf(e->out, "    .reg .pred %%%s;\n", name);
    else
        fprintf(e->out, "    .reg .b%u %%%s;\n", width < 16 ? 16 : width, name);
}
