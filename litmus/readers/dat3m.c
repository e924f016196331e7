// Bodies in Dat3M's dialect (litmus-format.md section 1), lowered to the instructions of PTX.
//
// Memory instructions have neither brackets nor types: everything has 32 bits, a name is a variable
// or, when it is r and a number, a register that starts with 0. A conditional branch becomes a setp
// into a register that is added for it and a guarded bra. The operands of bar.cta are an instance,
// an id and a count.
#include "litmus/readers/threads.h"

#include "litmus/names/table.h"
#include "litmus/ptx/dialect.h"
#include "litmus/source/arena.h"

#include <assert.h>
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
    const struct form *form;        // of the statement at hand
    struct instruction instruction; // and what it becomes
    struct name_table *labels;
    struct label_use *uses;
    size_t use_count;
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
    if (!at_end(parser))
        return diag_error(diagnostics(parser), span, "expected %s, not '%s'", what,
                          text_of(parser, token));
    if (parser->at > 0)
        span.begin = span.end = parser->tokens[parser->at - 1].span.end;
    return diag_error(diagnostics(parser), span, "expected %s at the end of the instruction", what);
}

static bool expect_comma(struct dat3m *parser) {
    if (!token_is_punct(current(parser), ','))
        return error_expected(parser, "','");
    advance(parser);
    return true;
}

// --- Operands ----------------------------------------------------------------------------------

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

static bool parse_register(struct dat3m *parser) {
    const struct token *token = current(parser);
    if (!is_register(token)) {
        error_expected(parser, "a register");
        if (token->kind == TOKEN_WORD)
            diag_hint(diagnostics(parser), "registers are named r0, r1 and so on");
        return false;
    }
    advance(parser);
    int reg = reader_register(parser->reader, parser->thread, token, 32);
    instruction_add(&parser->instruction, operand_register(reg, token->span));
    return true;
}

// Bits of a number that must fit 32 of them, with a sign or without.
static bool parse_immediate(struct dat3m *parser) {
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
    if (token->overflow || token->value.high || token->value.low > limit)
        return diag_error(diagnostics(parser), span, "'%s%s' does not fit 32 bits",
                          minus ? "-" : "", text_of(parser, token));
    struct operand number = operand_number(minus ? -token->value.low : token->value.low, span);
    if (minus && token->value.low)
        number.immediate.high = UINT64_MAX;
    instruction_add(&parser->instruction, number);
    return true;
}

// value = register | "-"? integer
static bool parse_value(struct dat3m *parser) {
    const struct token *token = current(parser);
    if (is_register(token))
        return parse_register(parser);
    if (token->kind == TOKEN_INTEGER || token_is_punct(token, '-'))
        return parse_immediate(parser);
    error_expected(parser, "a register or a number");
    if (token->kind == TOKEN_WORD &&
        reader_variable(parser->reader, token_text(parser->reader->arena, token)) >= 0)
        diag_hint(diagnostics(parser), "load the value of '%s' into a register first",
                  text_of(parser, token));
    return false;
}

// In the dialect an undeclared variable is a .u32 that starts with 0, as in herd.
static int declare(struct dat3m *parser, const struct token *name) {
    const char *text = token_text(parser->reader->arena, name);
    diag_warning(diagnostics(parser), name->span, "variable '%s' is not declared; it starts with 0",
                 text_of(parser, name));
    diag_suggest(diagnostics(parser), reader_nearest_variable(parser->reader, text));
    return reader_add_variable(parser->reader, &(struct variable){.name = text,
                                                                  .span = name->span,
                                                                  .space = SPACE_GLOBAL,
                                                                  .type = TYPE_U32,
                                                                  .element_count = 1,
                                                                  .alignment = 4,
                                                                  .alias_of = -1});
}

static bool parse_location(struct dat3m *parser) {
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
    instruction_add(&parser->instruction, operand_memory(variable, token->span));
    return true;
}

// --- Qualifiers --------------------------------------------------------------------------------

// Whether the current token is a qualifier that the form has in a slot of the class; then goes on.
static bool accept_qualifier(struct dat3m *parser, enum qualifier_class class, int *value) {
    assert((unsigned)class < CLASS_COUNT);
    bool takes = dialect_takes_token(parser->form, class, current(parser), value);
    if (takes)
        advance(parser);
    return takes;
}

// Errors for a qualifier that is not allowed here, with the nearest of those that the form has.
static bool no_more_qualifiers(struct dat3m *parser) {
    const struct token *token = current(parser);
    if (token->kind != TOKEN_QUALIFIER)
        return true;
    struct arena *arena = parser->reader->arena;
    diag_error(diagnostics(parser), token->span, "'%s' is not allowed here in '%s'",
               text_of(parser, token), parser->form->name);
    diag_suggest(diagnostics(parser),
                 dialect_nearest_qualifier(arena, parser->form, token_text(arena, token)));
    return false;
}

// A qualifier that has to be there; `what` names it in messages.
static bool expect_qualifier(struct dat3m *parser, enum qualifier_class class, const char *what,
                             int *value) {
    assert((unsigned)class < CLASS_COUNT);
    return accept_qualifier(parser, class, value) ||
           (no_more_qualifiers(parser) && error_expected(parser, what));
}

// Whether the order at this place, if any, is one of the form's.
static bool check_order(struct dat3m *parser, const struct slot *slot) {
    const struct token *token = current(parser);
    const struct qualifier *order = dialect_qualifier(CLASS_ORDER, token);
    return !order || ptx_slot_takes(slot, order->spelling) ||
           dialect_error_order(diagnostics(parser), parser->form, slot, token, ", ");
}

// ordering = order scope?, where every order but .weak and .volatile needs its scope.
static bool parse_ordering(struct dat3m *parser) {
    struct span span = current(parser)->span;
    struct slot orders, scopes;
    if (!dialect_slot(parser->form, CLASS_ORDER, &orders) ||
        !dialect_slot(parser->form, CLASS_SCOPE, &scopes))
        bug("'%s' has no order or no scope", parser->form->name);
    int order = dialect_default(&orders, ORDER_NONE), scope = SCOPE_NONE;
    if (!check_order(parser, &orders))
        return false;
    bool has_order = accept_qualifier(parser, CLASS_ORDER, &order);
    struct span scope_span = current(parser)->span;
    bool has_scope = accept_qualifier(parser, CLASS_SCOPE, &scope);
    bool scopeless = order == ORDER_WEAK || order == ORDER_VOLATILE;
    if (has_scope && scopeless)
        return diag_error(diagnostics(parser), scope_span, "a %s access has no scope",
                          order == ORDER_WEAK ? "weak" : "volatile");
    if (!has_scope && !scopeless)
        scope = has_order ? SCOPE_NONE : dialect_default(&scopes, SCOPE_NONE);
    if (!scopeless && scope == SCOPE_NONE) {
        if (!has_order)
            span = parser->instruction.opcode_span;
        return diag_error(diagnostics(parser), span, "'%.*s' needs a scope: %s",
                          (int)(span.end - span.begin), span.source->text + span.begin,
                          dialect_choices(parser->reader->arena, &scopes, " or "));
    }
    parser->instruction.order = (enum access_order)order;
    parser->instruction.scope = (enum scope)scope;
    return true;
}

// --- Forms -------------------------------------------------------------------------------------

// load = ("ld" | "tld" | "suld" | "cold") ordering register "," variable | "ld" register "," value
static bool parse_load(struct dat3m *parser) {
    bool plain = current(parser)->kind != TOKEN_QUALIFIER;
    if (!parse_ordering(parser) || !no_more_qualifiers(parser) || !parse_register(parser) ||
        !expect_comma(parser))
        return false;
    const struct token *source = current(parser);
    bool is_value =
        is_register(source) || source->kind == TOKEN_INTEGER || token_is_punct(source, '-');
    if (!is_value || !plain || parser->instruction.proxy != PROXY_GENERIC)
        return parse_location(parser);
    parser->instruction.opcode = OP_MOV;
    parser->instruction.order = ORDER_NONE;
    return parse_value(parser);
}

// store = ("st" | "sust") ordering variable "," value
static bool parse_store(struct dat3m *parser) {
    return parse_ordering(parser) && no_more_qualifiers(parser) && parse_location(parser) &&
           expect_comma(parser) && parse_value(parser);
}

// atom = ("atom" | "suatom") ordering operation register "," variable "," value ("," value)?
// red = ("red" | "sured") ordering operation variable "," value
static bool parse_atomic(struct dat3m *parser) {
    bool is_red = parser->form->opcode == OP_RED;
    int operation = ATOMIC_NONE;
    if (!parse_ordering(parser))
        return false;
    struct span span = current(parser)->span;
    if (!expect_qualifier(parser, CLASS_ATOMIC, "an operation such as '.add'", &operation))
        return false;
    if (is_red && (operation == ATOMIC_CAS || operation == ATOMIC_EXCH))
        return diag_error(diagnostics(parser), span,
                          "'red' does not return a value, so it cannot be '%.*s'",
                          (int)(span.end - span.begin), span.source->text + span.begin);
    parser->instruction.atomic = (enum atomic_op)operation;
    if (operation == ATOMIC_DIV || operation == ATOMIC_MIN || operation == ATOMIC_MAX)
        parser->instruction.type = TYPE_S32;
    if (!no_more_qualifiers(parser))
        return false;
    if (!is_red && !(parse_register(parser) && expect_comma(parser)))
        return false;
    if (!parse_location(parser) || !expect_comma(parser) || !parse_value(parser))
        return false;
    return operation != ATOMIC_CAS || (expect_comma(parser) && parse_value(parser));
}

// fence = "fence" ordering | "fence.proxy" proxy
static bool parse_fence(struct dat3m *parser) {
    if (!token_is(current(parser), ".proxy"))
        return parse_ordering(parser) && no_more_qualifiers(parser);
    advance(parser);
    int proxy = PROXY_GENERIC;
    parser->form = dialect_form_of(DIALECT_DAT3M, parser->form, OP_FENCE_PROXY);
    dialect_start(parser->form, &parser->instruction);
    if (!expect_qualifier(parser, CLASS_PROXY, "a proxy such as '.alias'", &proxy))
        return false;
    parser->instruction.proxy = (enum proxy)proxy;
    return no_more_qualifiers(parser);
}

// barrier = "bar.cta" (".sync" | ".arrive") value ("," value ("," value)?)?
static bool parse_barrier(struct dat3m *parser) {
    int kind = BARRIER_NONE;
    if (!token_is(current(parser), ".cta"))
        return error_expected(parser, "'.cta'");
    advance(parser);
    if (!expect_qualifier(parser, CLASS_BARRIER, "'.sync' or '.arrive'", &kind))
        return false;
    parser->instruction.barrier = (enum barrier_kind)kind;
    if (!no_more_qualifiers(parser) || !parse_value(parser))
        return false;
    while (parser->instruction.operand_count < 3 && !at_end(parser))
        if (!expect_comma(parser) || !parse_value(parser))
            return false;
    return true;
}

// arithmetic = opcode register "," value "," value
static bool parse_arithmetic(struct dat3m *parser) {
    return no_more_qualifiers(parser) && parse_register(parser) && expect_comma(parser) &&
           parse_value(parser) && expect_comma(parser) && parse_value(parser);
}

// --- Branches ----------------------------------------------------------------------------------

static void add_instruction(struct dat3m *parser, const struct instruction *instruction) {
    struct thread *thread = parser->thread;
    ARENA_APPEND(parser->reader->arena, thread->instructions, thread->instruction_count,
                 *instruction);
}

// Reads the label of the branch that becomes the next instruction.
static bool parse_target(struct dat3m *parser) {
    const struct token *name = current(parser);
    if (name->kind != TOKEN_WORD)
        return error_expected(parser, "a label");
    advance(parser);
    instruction_add(&parser->instruction, operand_new(OPERAND_LABEL, name->span));
    ARENA_APPEND(parser->reader->arena, parser->uses, parser->use_count,
                 (struct label_use){.name = *name});
    return true;
}

// goto = "goto" label
static bool parse_goto(struct dat3m *parser) {
    return no_more_qualifiers(parser) && parse_target(parser);
}

// The register that the branches of a thread set and ask. No test can spell its name.
static int branch_register(struct dat3m *parser, struct span span) {
    assert(span.begin <= span.end);
    int index = reader_named_register(parser->reader, parser->thread, ".branch", span, 1);
    parser->thread->registers[index].type = TYPE_PRED;
    return index;
}

// branch = ("beq" | "bne" | ...) value "," value "," label
static bool parse_branch(struct dat3m *parser) {
    struct instruction branch = parser->instruction;
    branch.compute.compare = COMPARE_NONE;
    branch.guard = branch_register(parser, branch.opcode_span);
    parser->instruction.opcode = OP_SETP;
    parser->instruction.type = TYPE_S32;
    instruction_add(&parser->instruction, operand_register(branch.guard, branch.opcode_span));
    if (!no_more_qualifiers(parser) || !parse_value(parser) || !expect_comma(parser) ||
        !parse_value(parser) || !expect_comma(parser))
        return false;
    struct instruction compare = parser->instruction;
    parser->instruction = branch;
    if (!parse_target(parser))
        return false;
    compare.span.end = parser->tokens[parser->at - 1].span.end;
    if (at_end(parser))
        add_instruction(parser, &compare);
    return true;
}

// --- Statements --------------------------------------------------------------------------------

static bool parse_form(struct dat3m *parser) {
    switch (parser->form->opcode) {
    case OP_LD: return parse_load(parser);
    case OP_ST: return parse_store(parser);
    case OP_ATOM:
    case OP_RED: return parse_atomic(parser);
    case OP_FENCE: return parse_fence(parser);
    case OP_BAR: return parse_barrier(parser);
    case OP_BRA:
        return parser->instruction.compute.compare == COMPARE_NONE ? parse_goto(parser)
                                                                   : parse_branch(parser);
    default: return parse_arithmetic(parser);
    }
}

static const struct form *find_form(struct dat3m *parser) {
    const struct token *token = current(parser);
    const struct form *form = dialect_form(DIALECT_DAT3M, token);
    if (form)
        return form;
    if (token->kind != TOKEN_WORD) {
        error_expected(parser, "an instruction");
        return NULL;
    }
    struct arena *arena = parser->reader->arena;
    diag_error(diagnostics(parser), token->span, "Dat3M's dialect has no instruction '%s'",
               text_of(parser, token));
    if (!diag_suggest(diagnostics(parser),
                      dialect_nearest_name(DIALECT_DAT3M, token_text(arena, token))))
        diag_hint(diagnostics(parser), "the file was taken for Dat3M's dialect because its memory "
                                       "instructions have no types; '--syntax ptx' reads PTX");
    return NULL;
}

// statement = opcode qualifier* operands
static bool parse_statement(struct dat3m *parser) {
    size_t uses = parser->use_count;
    const struct token *first = current(parser);
    parser->form = find_form(parser);
    if (!parser->form)
        return false;
    advance(parser);
    parser->instruction = instruction_new(parser->form->opcode, TYPE_NONE, first->span);
    dialect_start(parser->form, &parser->instruction);
    for (const struct token *token = current(parser); token->kind == TOKEN_QUALIFIER; token++)
        parser->instruction.opcode_span.end = token->span.end;
    bool fine = parse_form(parser);
    if (fine && !at_end(parser))
        fine =
            diag_error(diagnostics(parser), current(parser)->span,
                       "unexpected '%s' after the instruction", text_of(parser, current(parser)));
    if (!fine) {
        parser->use_count = uses;
        return false;
    }
    parser->instruction.span.end = parser->tokens[parser->at - 1].span.end;
    if (parser->use_count > uses)
        parser->uses[uses].instruction = parser->thread->instruction_count;
    add_instruction(parser, &parser->instruction);
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
        diag_error(diagnostics(parser), name->span, "label '%s' is defined twice in P%u",
                   text_of(parser, name), thread->number);
        diag_hint(diagnostics(parser), "the first one is on line %u",
                  span_line(thread->labels[other].span));
        return;
    }
    name_table_add(parser->labels, text, (int)thread->label_count);
    ARENA_APPEND(
        parser->reader->arena, thread->labels, thread->label_count,
        (struct label){.name = text, .span = name->span, .target = thread->instruction_count});
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
        diag_suggest(diagnostics(parser),
                     diag_nearest(text, strlen(text), names, thread->label_count));
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
        if (token_is_punct(current(&parser), ';'))
            advance(&parser);
        else if (current(&parser)->kind == TOKEN_WORD && token_is_punct(current(&parser) + 1, ':'))
            parse_label(&parser);
        else if (!parse_statement(&parser))
            while (!at_end(&parser))
                advance(&parser);
    }
    resolve_labels(&parser);
}
