// Bodies in Dat3M's dialect (litmus-format.md section 1), lowered to the instructions of PTX.
//
// Memory instructions have neither brackets nor types: everything has 32 bits, a name is a variable
// or, when it is r and a number, a register that starts with 0. A conditional branch becomes a setp
// into a register that is added for it and a guarded bra. The operands of bar.cta are an instance,
// an id and a count.
#include "litmus/readers/reader.h"

#include "litmus/readers/names.h"
#include "litmus/source/arena.h"

#include <string.h>

struct label_use {
    size_t instruction;
    struct token name;
};

struct dat3m {
    struct reader *reader;
    struct thread *thread;
    const struct token *tokens;
    size_t at;
    struct name_table *labels;
    struct label_use *uses;
    size_t use_count;
};

struct form {
    const char *name;
    bool (*parse)(struct dat3m *parser, const struct form *form, struct instruction *instruction);
    enum opcode opcode;
    enum proxy proxy;
    enum compare_op compare;
};

// --- Tokens ------------------------------------------------------------------------------------

static const struct token *current(const struct dat3m *parser) {
    return &parser->tokens[parser->at];
}

static const struct token *advance(struct dat3m *parser) {
    const struct token *token = current(parser);
    if (token->kind != TOKEN_END)
        parser->at++;
    return token;
}

static bool at_end(const struct dat3m *parser) {
    return current(parser)->kind == TOKEN_END || token_is_punct(current(parser), ';');
}

static struct diagnostics *diagnostics(const struct dat3m *parser) {
    return parser->reader->diagnostics;
}

static const char *text_of(const struct dat3m *parser, const struct token *token) {
    return arena_format(parser->reader->arena, "%.40s", token_text(parser->reader->arena, token));
}

static bool error_expected(struct dat3m *parser, const char *what) {
    const struct token *token = current(parser);
    struct span span = token->span;
    if (!at_end(parser)) {
        diag_error(diagnostics(parser), span, "expected %s, not '%s'", what,
                   text_of(parser, token));
        return false;
    }
    if (parser->at > 0)
        span.begin = span.end = parser->tokens[parser->at - 1].span.end;
    diag_error(diagnostics(parser), span, "expected %s at the end of the instruction", what);
    return false;
}

static bool expect_comma(struct dat3m *parser) {
    if (!token_is_punct(current(parser), ','))
        return error_expected(parser, "','");
    advance(parser);
    return true;
}

// --- Operands ----------------------------------------------------------------------------------

static struct operand *add_operand(struct instruction *instruction, enum operand_kind kind,
                                   struct span span) {
    struct operand *operand = &instruction->operands[instruction->operand_count++];
    *operand = (struct operand){.kind = kind, .span = span, .reg = -1, .variable = -1, .label = -1};
    return operand;
}

// register = "%"? "r" n
static bool is_register(const struct token *token) {
    const char *text = token->span.source->text;
    uint32_t at = token->span.begin;
    if (token->kind != TOKEN_WORD)
        return false;
    at += text[at] == '%';
    if (at + 1 >= token->span.end || text[at] != 'r')
        return false;
    for (at++; at < token->span.end; at++)
        if (text[at] < '0' || text[at] > '9')
            return false;
    return true;
}

static bool parse_register(struct dat3m *parser, struct instruction *instruction) {
    const struct token *token = current(parser);
    if (!is_register(token)) {
        error_expected(parser, "a register");
        if (token->kind == TOKEN_WORD)
            diag_hint(diagnostics(parser), "registers are named r0, r1 and so on");
        return false;
    }
    advance(parser);
    add_operand(instruction, OPERAND_REGISTER, token->span)->reg =
        reader_register(parser->reader, parser->thread, token, 32);
    return true;
}

// Bits of a number that must fit 32 of them, with a sign or without.
static bool parse_immediate(struct dat3m *parser, struct instruction *instruction) {
    const struct token *first = current(parser);
    bool minus = token_is_punct(first, '-');
    if (minus)
        advance(parser);
    const struct token *token = current(parser);
    if (token->kind != TOKEN_INTEGER)
        return error_expected(parser, "a number");
    advance(parser);
    struct span span = span_join(first->span, token->span);
    uint64_t limit = minus ? UINT64_C(1) << 31 : UINT32_MAX;
    if (token->overflow || token->value.high || token->value.low > limit) {
        diag_error(diagnostics(parser), span, "'%s%s' does not fit 32 bits", minus ? "-" : "",
                   text_of(parser, token));
        return false;
    }
    struct bits128 value = token->value;
    if (minus && value.low)
        value = (struct bits128){.low = -value.low, .high = UINT64_MAX};
    add_operand(instruction, OPERAND_IMMEDIATE, span)->immediate = value;
    return true;
}

// value = register | "-"? integer
static bool parse_value(struct dat3m *parser, struct instruction *instruction) {
    const struct token *token = current(parser);
    if (is_register(token))
        return parse_register(parser, instruction);
    if (token->kind == TOKEN_INTEGER || token_is_punct(token, '-'))
        return parse_immediate(parser, instruction);
    error_expected(parser, "a register or a number");
    if (token->kind == TOKEN_WORD &&
        reader_variable(parser->reader, token_text(parser->reader->arena, token)) >= 0)
        diag_hint(diagnostics(parser), "load the value of '%s' into a register first",
                  text_of(parser, token));
    return false;
}

// In the dialect a variable that nothing declares is a .u32 that starts with 0, as in herd.
static int declare(struct dat3m *parser, const struct token *name) {
    const char *text = token_text(parser->reader->arena, name);
    diag_warning(diagnostics(parser), name->span, "variable '%s' is not declared; it starts with 0",
                 text_of(parser, name));
    const char *nearest = reader_nearest_variable(parser->reader, text);
    if (nearest)
        diag_hint(diagnostics(parser), "did you mean '%s'?", nearest);
    return reader_add_variable(parser->reader, &(struct variable){.name = text,
                                                                  .span = name->span,
                                                                  .space = SPACE_GLOBAL,
                                                                  .type = TYPE_U32,
                                                                  .element_count = 1,
                                                                  .alignment = 4,
                                                                  .alias_of = -1});
}

static bool parse_location(struct dat3m *parser, struct instruction *instruction) {
    const struct token *token = current(parser);
    if (token_is_punct(token, '[')) {
        error_expected(parser, "the name of a variable");
        diag_hint(diagnostics(parser),
                  "Dat3M's dialect has no brackets; '--syntax ptx' reads the file as PTX");
        return false;
    }
    int variable = -1;
    if (token->kind == TOKEN_WORD)
        variable = reader_variable(parser->reader, token_text(parser->reader->arena, token));
    if (token->kind != TOKEN_WORD || (variable < 0 && is_register(token)))
        return error_expected(parser, "the name of a variable");
    if (variable < 0)
        variable = declare(parser, token);
    advance(parser);
    add_operand(instruction, OPERAND_MEMORY, token->span)->variable = variable;
    return true;
}

// --- Qualifiers --------------------------------------------------------------------------------

struct qualifier {
    const char *name;
    int value;
};

static const struct qualifier orders[] = {
    {".weak", ORDER_WEAK},         {".relaxed", ORDER_RELAXED},
    {".acquire", ORDER_ACQUIRE},   {".release", ORDER_RELEASE},
    {".acq_rel", ORDER_ACQ_REL},   {".sc", ORDER_SC},
    {".volatile", ORDER_VOLATILE}, {NULL, 0}};
static const struct qualifier scopes[] = {{".cta", SCOPE_CTA},
                                          {".cluster", SCOPE_CLUSTER},
                                          {".gpu", SCOPE_GPU},
                                          {".sys", SCOPE_SYS},
                                          {NULL, 0}};
static const struct qualifier operations[] = {
    {".add", ATOMIC_ADD}, {".sub", ATOMIC_SUB}, {".mul", ATOMIC_MUL},   {".div", ATOMIC_DIV},
    {".and", ATOMIC_AND}, {".or", ATOMIC_OR},   {".xor", ATOMIC_XOR},   {".min", ATOMIC_MIN},
    {".max", ATOMIC_MAX}, {".cas", ATOMIC_CAS}, {".exch", ATOMIC_EXCH}, {NULL, 0}};
static const struct qualifier fence_proxies[] = {{".alias", PROXY_ALIAS},
                                                 {".texture", PROXY_TEXTURE},
                                                 {".surface", PROXY_SURFACE},
                                                 {".constant", PROXY_CONSTANT},
                                                 {NULL, 0}};
static const struct qualifier barriers[] = {
    {".sync", BARRIER_SYNC}, {".arrive", BARRIER_ARRIVE}, {NULL, 0}};

// The value of the current token when it is one of the qualifiers; then goes on.
static bool accept_qualifier(struct dat3m *parser, const struct qualifier *known, int *value) {
    for (; known->name; known++) {
        if (token_is(current(parser), known->name)) {
            *value = known->value;
            advance(parser);
            return true;
        }
    }
    return false;
}

// Errors for a qualifier that cannot stand here, with the nearest of those that `form` has.
static bool no_more_qualifiers(struct dat3m *parser, const struct form *form,
                               const struct qualifier *const *lists, size_t list_count) {
    const struct token *token = current(parser);
    const char *names[40];
    size_t count = 0;
    if (token->kind != TOKEN_QUALIFIER)
        return true;
    for (size_t i = 0; i < list_count; i++)
        for (const struct qualifier *known = lists[i]; known->name; known++)
            names[count++] = known->name;
    const char *word = token_text(parser->reader->arena, token);
    const char *nearest = diag_nearest(word, strlen(word), names, count);
    diag_error(diagnostics(parser), token->span, "'%s' cannot stand here in '%s'",
               text_of(parser, token), form->name);
    if (nearest && strcmp(nearest, word) != 0)
        diag_hint(diagnostics(parser), "did you mean '%s'?", nearest);
    return false;
}

// Which orders an instruction has, by bits of enum memory_order.
static unsigned allowed_orders(enum opcode opcode) {
    enum { RELAXED = 1U << ORDER_RELAXED, VOLATILE = 1U << ORDER_VOLATILE };
    switch (opcode) {
    case OP_LD: return 1U << ORDER_WEAK | RELAXED | 1U << ORDER_ACQUIRE | VOLATILE;
    case OP_ST: return 1U << ORDER_WEAK | RELAXED | 1U << ORDER_RELEASE | VOLATILE;
    case OP_FENCE:
        return 1U << ORDER_SC | 1U << ORDER_ACQ_REL | 1U << ORDER_ACQUIRE | 1U << ORDER_RELEASE;
    default: return RELAXED | 1U << ORDER_ACQUIRE | 1U << ORDER_RELEASE | 1U << ORDER_ACQ_REL;
    }
}

static void name_orders(char *names, size_t size, unsigned allowed) {
    *names = '\0';
    for (const struct qualifier *order = orders; order->name; order++) {
        if (!(allowed & 1U << order->value))
            continue;
        if (*names)
            strncat(names, ", ", size - strlen(names) - 1);
        strncat(names, order->name, size - strlen(names) - 1);
    }
}

static bool check_order(struct dat3m *parser, const struct form *form, struct span span,
                        enum memory_order order) {
    unsigned allowed = allowed_orders(form->opcode);
    char names[80];
    if (allowed & 1U << order)
        return true;
    diag_error(diagnostics(parser), span, "'%s' cannot be '%.*s'", form->name,
               (int)(span.end - span.begin), span.source->text + span.begin);
    name_orders(names, sizeof(names), allowed);
    diag_hint(diagnostics(parser), "it can be %s", names);
    return false;
}

// ordering = order scope?, where every order but .weak and .volatile needs its scope; the default
// of ld and st is weak (PTX ISA 9.7.9), that of atom and red relaxed at .gpu, that of a fence
// acq_rel.
static bool parse_ordering(struct dat3m *parser, const struct form *form,
                           struct instruction *instruction) {
    struct span span = current(parser)->span;
    int order = ORDER_NONE, scope = SCOPE_NONE;
    bool has_order = accept_qualifier(parser, orders, &order);
    if (has_order && !check_order(parser, form, span, (enum memory_order)order))
        return false;
    struct span scope_span = current(parser)->span;
    bool has_scope = accept_qualifier(parser, scopes, &scope);
    bool is_access = form->opcode == OP_LD || form->opcode == OP_ST;
    bool is_fence = form->opcode == OP_FENCE;
    if (!has_order)
        order = is_access ? ORDER_WEAK : is_fence ? ORDER_ACQ_REL : ORDER_RELAXED;
    bool scopeless = order == ORDER_WEAK || order == ORDER_VOLATILE;
    if (has_scope && scopeless) {
        diag_error(diagnostics(parser), scope_span, "a %s access has no scope",
                   order == ORDER_WEAK ? "weak" : "volatile");
        return false;
    }
    if (!has_scope && !scopeless && (has_order || is_fence)) {
        if (!has_order)
            span = instruction->opcode_span;
        diag_error(diagnostics(parser), span, "'%.*s' needs a scope: .cta, .cluster, .gpu or .sys",
                   (int)(span.end - span.begin), span.source->text + span.begin);
        return false;
    }
    if (!has_scope && !scopeless)
        scope = SCOPE_GPU;
    instruction->order = (enum memory_order)order;
    instruction->scope = (enum scope)scope;
    return true;
}

// --- Forms -------------------------------------------------------------------------------------

// load = ("ld" | "tld" | "suld" | "cold") ordering register "," variable | "ld" register "," value
static bool parse_load(struct dat3m *parser, const struct form *form,
                       struct instruction *instruction) {
    static const struct qualifier *const lists[] = {orders, scopes};
    bool plain = current(parser)->kind != TOKEN_QUALIFIER;
    if (!parse_ordering(parser, form, instruction) || !no_more_qualifiers(parser, form, lists, 2) ||
        !parse_register(parser, instruction) || !expect_comma(parser))
        return false;
    const struct token *source = current(parser);
    bool is_value =
        is_register(source) || source->kind == TOKEN_INTEGER || token_is_punct(source, '-');
    if (!is_value || !plain || form->proxy != PROXY_GENERIC)
        return parse_location(parser, instruction);
    instruction->opcode = OP_MOV;
    instruction->order = ORDER_NONE;
    return parse_value(parser, instruction);
}

// store = ("st" | "sust") ordering variable "," value
static bool parse_store(struct dat3m *parser, const struct form *form,
                        struct instruction *instruction) {
    static const struct qualifier *const lists[] = {orders, scopes};
    return parse_ordering(parser, form, instruction) &&
           no_more_qualifiers(parser, form, lists, 2) && parse_location(parser, instruction) &&
           expect_comma(parser) && parse_value(parser, instruction);
}

// atom = ("atom" | "suatom") ordering operation register "," variable "," value ("," value)?
// red = ("red" | "sured") ordering operation variable "," value
static bool parse_atomic(struct dat3m *parser, const struct form *form,
                         struct instruction *instruction) {
    static const struct qualifier *const lists[] = {orders, scopes, operations};
    bool is_red = form->opcode == OP_RED;
    int operation = ATOMIC_NONE;
    if (!parse_ordering(parser, form, instruction))
        return false;
    struct span span = current(parser)->span;
    if (!accept_qualifier(parser, operations, &operation)) {
        if (no_more_qualifiers(parser, form, lists, 3))
            error_expected(parser, "an operation such as '.add'");
        return false;
    }
    if (is_red && (operation == ATOMIC_CAS || operation == ATOMIC_EXCH)) {
        diag_error(diagnostics(parser), span, "'red' returns nothing, so it cannot be '%.*s'",
                   (int)(span.end - span.begin), span.source->text + span.begin);
        return false;
    }
    instruction->atomic = (enum atomic_op)operation;
    if (operation == ATOMIC_DIV || operation == ATOMIC_MIN || operation == ATOMIC_MAX)
        instruction->type = TYPE_S32;
    if (!no_more_qualifiers(parser, form, lists, 3))
        return false;
    if (!is_red && !(parse_register(parser, instruction) && expect_comma(parser)))
        return false;
    if (!parse_location(parser, instruction) || !expect_comma(parser) ||
        !parse_value(parser, instruction))
        return false;
    return operation != ATOMIC_CAS || (expect_comma(parser) && parse_value(parser, instruction));
}

// fence = "fence" ordering | "fence.proxy" proxy
static bool parse_fence(struct dat3m *parser, const struct form *form,
                        struct instruction *instruction) {
    static const struct qualifier *const lists[] = {orders, scopes};
    static const struct qualifier *const proxy_lists[] = {fence_proxies};
    instruction->type = TYPE_NONE;
    if (!token_is(current(parser), ".proxy"))
        return parse_ordering(parser, form, instruction) &&
               no_more_qualifiers(parser, form, lists, 2);
    advance(parser);
    int proxy = PROXY_GENERIC;
    instruction->opcode = OP_FENCE_PROXY;
    if (!accept_qualifier(parser, fence_proxies, &proxy)) {
        if (no_more_qualifiers(parser, form, proxy_lists, 1))
            error_expected(parser, "a proxy such as '.alias'");
        return false;
    }
    instruction->proxy = (enum proxy)proxy;
    return no_more_qualifiers(parser, form, proxy_lists, 1);
}

// barrier = "bar.cta" (".sync" | ".arrive") value ("," value ("," value)?)?
static bool parse_barrier(struct dat3m *parser, const struct form *form,
                          struct instruction *instruction) {
    static const struct qualifier *const lists[] = {barriers};
    int kind = BARRIER_NONE;
    instruction->type = TYPE_NONE;
    if (!token_is(current(parser), ".cta"))
        return error_expected(parser, "'.cta'");
    advance(parser);
    if (!accept_qualifier(parser, barriers, &kind)) {
        if (no_more_qualifiers(parser, form, lists, 1))
            error_expected(parser, "'.sync' or '.arrive'");
        return false;
    }
    instruction->barrier = (enum barrier_kind)kind;
    if (!no_more_qualifiers(parser, form, lists, 1) || !parse_value(parser, instruction))
        return false;
    while (instruction->operand_count < 3 && !at_end(parser))
        if (!expect_comma(parser) || !parse_value(parser, instruction))
            return false;
    return true;
}

// arithmetic = opcode register "," value "," value
static bool parse_arithmetic(struct dat3m *parser, const struct form *form,
                             struct instruction *instruction) {
    if (form->opcode == OP_DIV)
        instruction->type = TYPE_S32;
    return no_more_qualifiers(parser, form, NULL, 0) && parse_register(parser, instruction) &&
           expect_comma(parser) && parse_value(parser, instruction) && expect_comma(parser) &&
           parse_value(parser, instruction);
}

// --- Branches ----------------------------------------------------------------------------------

static void add_instruction(struct dat3m *parser, const struct instruction *instruction) {
    struct thread *thread = parser->thread;
    thread->instructions = arena_grow(parser->reader->arena, thread->instructions,
                                      thread->instruction_count, sizeof(*instruction));
    thread->instructions[thread->instruction_count++] = *instruction;
}

// Reads the label of the branch that becomes the next instruction.
static bool parse_target(struct dat3m *parser, struct instruction *branch) {
    const struct token *name = current(parser);
    if (name->kind != TOKEN_WORD)
        return error_expected(parser, "a label");
    advance(parser);
    add_operand(branch, OPERAND_LABEL, name->span);
    parser->uses =
        arena_grow(parser->reader->arena, parser->uses, parser->use_count, sizeof(*parser->uses));
    parser->uses[parser->use_count++] = (struct label_use){.name = *name};
    return true;
}

// goto = "goto" label
static bool parse_goto(struct dat3m *parser, const struct form *form,
                       struct instruction *instruction) {
    instruction->type = TYPE_NONE;
    return no_more_qualifiers(parser, form, NULL, 0) && parse_target(parser, instruction);
}

// The register that the branches of a thread set and ask. No test can spell its name.
static int branch_register(struct dat3m *parser, struct span span) {
    int index = reader_named_register(parser->reader, parser->thread, ".branch", span, 1);
    parser->thread->registers[index].type = TYPE_PRED;
    return index;
}

// branch = ("beq" | "bne" | ...) value "," value "," label
static bool parse_branch(struct dat3m *parser, const struct form *form,
                         struct instruction *instruction) {
    struct instruction compare = *instruction;
    compare.opcode = OP_SETP;
    compare.compare = form->compare;
    compare.type = TYPE_S32;
    int predicate = branch_register(parser, instruction->opcode_span);
    add_operand(&compare, OPERAND_REGISTER, compare.opcode_span)->reg = predicate;
    if (!no_more_qualifiers(parser, form, NULL, 0) || !parse_value(parser, &compare) ||
        !expect_comma(parser) || !parse_value(parser, &compare) || !expect_comma(parser))
        return false;
    instruction->type = TYPE_NONE;
    instruction->guard = predicate;
    if (!parse_target(parser, instruction))
        return false;
    compare.span.end = parser->tokens[parser->at - 1].span.end;
    if (at_end(parser))
        add_instruction(parser, &compare);
    return true;
}

// --- Statements --------------------------------------------------------------------------------

static const struct form forms[] = {
    {"ld", parse_load, OP_LD, PROXY_GENERIC, COMPARE_NONE},
    {"tld", parse_load, OP_LD, PROXY_TEXTURE, COMPARE_NONE},
    {"suld", parse_load, OP_LD, PROXY_SURFACE, COMPARE_NONE},
    {"cold", parse_load, OP_LD, PROXY_CONSTANT, COMPARE_NONE},
    {"st", parse_store, OP_ST, PROXY_GENERIC, COMPARE_NONE},
    {"sust", parse_store, OP_ST, PROXY_SURFACE, COMPARE_NONE},
    {"atom", parse_atomic, OP_ATOM, PROXY_GENERIC, COMPARE_NONE},
    {"suatom", parse_atomic, OP_ATOM, PROXY_SURFACE, COMPARE_NONE},
    {"red", parse_atomic, OP_RED, PROXY_GENERIC, COMPARE_NONE},
    {"sured", parse_atomic, OP_RED, PROXY_SURFACE, COMPARE_NONE},
    {"fence", parse_fence, OP_FENCE, PROXY_GENERIC, COMPARE_NONE},
    {"bar", parse_barrier, OP_BAR, PROXY_GENERIC, COMPARE_NONE},
    {"add", parse_arithmetic, OP_ADD, PROXY_GENERIC, COMPARE_NONE},
    {"sub", parse_arithmetic, OP_SUB, PROXY_GENERIC, COMPARE_NONE},
    {"mul", parse_arithmetic, OP_MUL, PROXY_GENERIC, COMPARE_NONE},
    {"div", parse_arithmetic, OP_DIV, PROXY_GENERIC, COMPARE_NONE},
    {"goto", parse_goto, OP_BRA, PROXY_GENERIC, COMPARE_NONE},
    {"beq", parse_branch, OP_BRA, PROXY_GENERIC, COMPARE_EQ},
    {"bne", parse_branch, OP_BRA, PROXY_GENERIC, COMPARE_NE},
    {"blt", parse_branch, OP_BRA, PROXY_GENERIC, COMPARE_LT},
    {"ble", parse_branch, OP_BRA, PROXY_GENERIC, COMPARE_LE},
    {"bgt", parse_branch, OP_BRA, PROXY_GENERIC, COMPARE_GT},
    {"bge", parse_branch, OP_BRA, PROXY_GENERIC, COMPARE_GE},
};
enum { FORM_COUNT = sizeof(forms) / sizeof(forms[0]) };

static const struct form *find_form(struct dat3m *parser) {
    const struct token *token = current(parser);
    const char *names[FORM_COUNT];
    for (size_t i = 0; i < FORM_COUNT; i++) {
        if (token_is(token, forms[i].name))
            return &forms[i];
        names[i] = forms[i].name;
    }
    if (token->kind != TOKEN_WORD) {
        error_expected(parser, "an instruction");
        return NULL;
    }
    const char *word = token_text(parser->reader->arena, token);
    const char *nearest = diag_nearest(word, strlen(word), names, FORM_COUNT);
    diag_error(diagnostics(parser), token->span, "there is no instruction '%s' in Dat3M's dialect",
               text_of(parser, token));
    if (nearest)
        diag_hint(diagnostics(parser), "did you mean '%s'?", nearest);
    else
        diag_hint(diagnostics(parser), "the file was taken for Dat3M's dialect because its memory "
                                       "instructions have no types; '--syntax ptx' reads PTX");
    return NULL;
}

// statement = opcode qualifier* operands
static bool parse_statement(struct dat3m *parser) {
    size_t uses = parser->use_count;
    const struct token *first = current(parser);
    const struct form *form = find_form(parser);
    if (!form)
        return false;
    advance(parser);
    struct instruction instruction = {.span = first->span,
                                      .opcode_span = first->span,
                                      .opcode = form->opcode,
                                      .guard = -1,
                                      .proxy = form->proxy,
                                      .type = TYPE_B32,
                                      .vector = 1};
    for (const struct token *token = current(parser); token->kind == TOKEN_QUALIFIER; token++)
        instruction.opcode_span.end = token->span.end;
    bool fine = form->parse(parser, form, &instruction);
    if (fine && !at_end(parser)) {
        diag_error(diagnostics(parser), current(parser)->span,
                   "unexpected '%s' after the instruction", text_of(parser, current(parser)));
        fine = false;
    }
    if (!fine) {
        parser->use_count = uses;
        return false;
    }
    instruction.span.end = parser->tokens[parser->at - 1].span.end;
    if (parser->use_count > uses)
        parser->uses[uses].instruction = parser->thread->instruction_count;
    add_instruction(parser, &instruction);
    return true;
}

// label = name ":"
static void parse_label(struct dat3m *parser) {
    struct thread *thread = parser->thread;
    const struct token *name = advance(parser);
    advance(parser); // the ':'
    const char *text = token_text(parser->reader->arena, name);
    int other = name_table_find(parser->labels, text);
    if (other >= 0) {
        struct span first = thread->labels[other].span;
        diag_error(diagnostics(parser), name->span, "label '%s' stands twice in P%u",
                   text_of(parser, name), thread->number);
        diag_hint(diagnostics(parser), "the first one is on line %u",
                  source_position(first.source, first.begin).line);
        return;
    }
    name_table_add(parser->labels, text, (int)thread->label_count);
    thread->labels = arena_grow(parser->reader->arena, thread->labels, thread->label_count,
                                sizeof(*thread->labels));
    thread->labels[thread->label_count++] =
        (struct label){.name = text, .span = name->span, .target = thread->instruction_count};
}

static void resolve_labels(struct dat3m *parser) {
    struct thread *thread = parser->thread;
    struct arena *arena = parser->reader->arena;
    const char **names = ARENA_ARRAY(arena, const char *, thread->label_count + 1);
    for (size_t i = 0; i < thread->label_count; i++)
        names[i] = thread->labels[i].name;
    for (size_t i = 0; i < parser->use_count; i++) {
        const struct label_use *use = &parser->uses[i];
        const char *text = token_text(arena, &use->name);
        int label = name_table_find(parser->labels, text);
        if (label >= 0) {
            thread->instructions[use->instruction].operands[0].label = label;
            continue;
        }
        diag_error(diagnostics(parser), use->name.span, "there is no label '%s' in P%u",
                   text_of(parser, &use->name), thread->number);
        if (!diag_kept(diagnostics(parser)))
            continue;
        const char *nearest = diag_nearest(text, strlen(text), names, thread->label_count);
        if (nearest)
            diag_hint(diagnostics(parser), "did you mean '%s'?", nearest);
    }
}

// body = (label | statement? ";")*
void dat3m_parse_body(struct reader *reader, struct thread *thread, const struct token *tokens,
                      size_t count) {
    struct dat3m parser = {.reader = reader, .thread = thread, .tokens = tokens};
    parser.labels = name_table_new(reader->arena);
    if (count == 0)
        return;
    while (current(&parser)->kind != TOKEN_END) {
        if (token_is_punct(current(&parser), ';')) {
            advance(&parser);
        } else if (current(&parser)->kind == TOKEN_WORD &&
                   token_is_punct(current(&parser) + 1, ':')) {
            parse_label(&parser);
        } else if (!parse_statement(&parser)) {
            while (!at_end(&parser))
                advance(&parser);
        }
    }
    resolve_labels(&parser);
}
