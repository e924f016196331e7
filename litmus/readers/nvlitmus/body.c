// The instructions of nvlitmus, lowered to those of PTX.
//
// Values have 32 bits. A register is written by one instruction of the whole test, so it is the
// value of one load or atom, and `== v` after one keeps only the executions in which it has
// that value. The proxy of an access is that of its opcode, whatever the variable was declared as.
#include "litmus/readers/nvlitmus/nvlitmus.h"

#include "litmus/names/table.h"
#include "litmus/ptx/dialect.h"
#include "litmus/source/arena.h"

#include <assert.h>

struct nvlitmus_statement {
    struct nvlitmus *parser;
    int thread;
    const struct form *form;
    struct instruction instruction;
};

static struct frame *frame_of(struct nvlitmus_statement *statement) {
    return &statement->parser->frame;
}

// --- Operands ----------------------------------------------------------------------------------

static bool expect_comma(struct frame *frame) {
    return frame_expect(frame, ',', "','");
}

// register = "r" n
static bool is_register(const struct token *token) {
    unsigned number;
    return frame_word_number(token, "r", &number);
}

// The register that an instruction writes: no other one does.
static bool parse_destination(struct nvlitmus_statement *statement) {
    struct nvlitmus *parser = statement->parser;
    struct frame *frame = &parser->frame;
    const struct token *token = frame_current(frame);
    if (!is_register(token)) {
        frame_error_expected(frame, "a register");
        if (token->kind == TOKEN_WORD)
            diag_hint(frame->diagnostics, "registers are named r0, r1 and so on");
        return false;
    }
    const char *name = token_text(frame->arena, token);
    int other = name_table_find(parser->register_names, name);
    frame_next(frame);
    if (other >= 0) {
        diag_error(frame->diagnostics, token->span, "register '%s' is written twice", name);
        diag_hint(frame->diagnostics,
                  "it is written on line %u already; nvlitmus has one register of a name in all "
                  "threads, with one value",
                  span_line(parser->registers[other].span));
        return false;
    }
    struct thread *thread = &frame->test->threads[statement->thread];
    int reg = reader_register(&frame->reader, thread, token, 32);
    instruction_add(&statement->instruction, operand_register(reg, token->span));
    name_table_add(parser->register_names, name, (int)parser->register_count);
    ARENA_APPEND(frame->arena, parser->registers, parser->register_count,
                 (struct nvlitmus_register){.thread = statement->thread, .span = token->span});
    return true;
}

static bool parse_source_register(struct nvlitmus_statement *statement) {
    struct nvlitmus *parser = statement->parser;
    struct frame *frame = &parser->frame;
    const struct token *token = frame_next(frame);
    const char *name = token_text(frame->arena, token);
    int found = name_table_find(parser->register_names, name);
    if (found < 0)
        return diag_error(frame->diagnostics, token->span,
                          "register '%s' is not written before this", name);
    if (parser->registers[found].thread != statement->thread) {
        diag_error(frame->diagnostics, token->span, "register '%s' belongs to thread %s", name,
                   nvlitmus_thread_name(parser, parser->registers[found].thread));
        diag_hint(frame->diagnostics, "a thread can only use the registers that it writes");
        return false;
    }
    int reg = reader_find_register(&frame->test->threads[statement->thread], name);
    instruction_add(&statement->instruction, operand_register(reg, token->span));
    return true;
}

static bool parse_number(struct frame *frame, struct constant *constant) {
    if (!frame_parse_constant(frame, "a number", constant))
        return false;
    if (frame_constant_fits(constant->value, constant->negative, 32))
        return true;
    return diag_error(frame->diagnostics, constant->span, "'%s' does not fit 32 bits",
                      frame_span_text(frame, constant->span));
}

// value = register | integer
static bool parse_value(struct nvlitmus_statement *statement) {
    struct frame *frame = frame_of(statement);
    const struct token *token = frame_current(frame);
    struct constant constant;
    if (is_register(token))
        return parse_source_register(statement);
    if (token->kind == TOKEN_WORD)
        return frame_error_expected(frame, "a register or a number");
    if (!parse_number(frame, &constant))
        return false;
    struct operand number = operand_new(OPERAND_IMMEDIATE, constant.span);
    number.immediate = constant.value;
    instruction_add(&statement->instruction, number);
    return true;
}

// nvlitmus has one memory for a .shared variable, PTX one per CTA: they are the same only as long
// as one CTA uses it.
static bool check_shared(struct nvlitmus_statement *statement, int variable, struct span span) {
    assert(span.begin <= span.end);
    struct nvlitmus *parser = statement->parser;
    struct frame *frame = &parser->frame;
    const struct test *test = frame->test;
    while (test->variables[variable].alias_of >= 0)
        variable = test->variables[variable].alias_of;
    if (test->variables[variable].space != SPACE_SHARED)
        return true;
    const struct place *place = &test->threads[statement->thread].place;
    for (size_t i = 0; i < parser->shared_user_count; i++) {
        const struct nvlitmus_user *user = &parser->shared_users[i];
        if (user->variable != variable)
            continue;
        if (test_same_cta(place, &test->threads[user->thread].place))
            return true;
        diag_error(frame->diagnostics, span,
                   "'%s' is .shared, so each CTA has one of its own, but %s uses it too",
                   test->variables[variable].name, nvlitmus_thread_name(parser, user->thread));
        diag_hint(frame->diagnostics, "declare it as .global %s;", test->variables[variable].name);
        return false;
    }
    ARENA_APPEND(frame->arena, parser->shared_users, parser->shared_user_count,
                 (struct nvlitmus_user){.variable = variable, .thread = statement->thread});
    return true;
}

// address = "[" name "]"
static bool parse_address(struct nvlitmus_statement *statement) {
    struct frame *frame = frame_of(statement);
    const struct token *opener = frame_current(frame);
    if (!frame_expect(frame, '[', "an address such as '[x]'"))
        return false;
    const struct token *name = frame_expect_word(frame, "the name of a variable");
    if (!name || !frame_expect(frame, ']', "']'"))
        return false;
    int variable = reader_require_variable(&statement->parser->frame.reader, name);
    struct span span = span_join(opener->span, frame_after_previous(frame));
    if (variable < 0 || !check_shared(statement, variable, name->span))
        return false;
    instruction_add(&statement->instruction, operand_memory(variable, span));
    return true;
}

// ("==" integer)?: only executions in which the register has this value count.
static bool parse_filter(struct nvlitmus_statement *statement) {
    struct nvlitmus *parser = statement->parser;
    struct frame *frame = &parser->frame;
    const struct operand *destination = &statement->instruction.operands[0];
    struct constant constant;
    if (!frame_accept_punct(frame, PUNCT_EQ))
        return true;
    if (!parse_number(frame, &constant))
        return false;
    struct condition *filter = ARENA_NEW(frame->arena, struct condition);
    *filter = (struct condition){.kind = CONDITION_COMPARE,
                                 .span = span_join(destination->span, constant.span),
                                 .compare = COMPARE_EQ,
                                 .lhs = {.kind = TERM_REGISTER,
                                         .span = destination->span,
                                         .thread = statement->thread,
                                         .reg = destination->reg,
                                         .variable = -1},
                                 .rhs = {.kind = TERM_CONSTANT,
                                         .span = constant.span,
                                         .constant = constant.value,
                                         .negative = constant.negative,
                                         .thread = -1,
                                         .reg = -1,
                                         .variable = -1}};
    ARENA_APPEND(frame->arena, parser->filters, parser->filter_count, filter);
    return true;
}

// --- Qualifiers --------------------------------------------------------------------------------

// Whether the current token is a qualifier that the form has in a slot of the class; then goes on.
static bool accept_qualifier(struct nvlitmus_statement *statement, enum qualifier_class class,
                             int *value) {
    assert((unsigned)class < CLASS_COUNT);
    struct frame *frame = frame_of(statement);
    bool takes = dialect_takes_token(statement->form, class, frame_current(frame), value);
    if (takes)
        frame_next(frame);
    return takes;
}

// order?; where the form has no default, it is refused without one, as by nvlitmus.
static bool parse_order(struct nvlitmus_statement *statement, struct span *span) {
    struct frame *frame = frame_of(statement);
    const struct qualifier *written = dialect_qualifier(CLASS_ORDER, frame_current(frame));
    const char *name = statement->form->name;
    struct slot orders;
    if (!dialect_slot(statement->form, CLASS_ORDER, &orders))
        bug("'%s' of nvlitmus has no order", name);
    int order = dialect_default(&orders, ORDER_NONE);
    *span = frame_current(frame)->span;
    if (written && !ptx_slot_takes(&orders, written->spelling))
        return dialect_error_order(frame->diagnostics, statement->form, &orders,
                                   frame_current(frame), " or ");
    if (!written && order == ORDER_NONE)
        return diag_error(frame->diagnostics, statement->instruction.opcode_span,
                          "'%s' needs an order: %s", name,
                          dialect_choices(frame->arena, &orders, " or "));
    if (!accept_qualifier(statement, CLASS_ORDER, &order))
        *span = statement->instruction.opcode_span;
    statement->instruction.order = (enum access_order)order;
    return true;
}

// The qualifier of the form that the current token seems to misspell, or NULL.
static const char *nearest_qualifier(struct nvlitmus_statement *statement) {
    struct frame *frame = frame_of(statement);
    return dialect_nearest_qualifier(frame->arena, statement->form,
                                     token_text(frame->arena, frame_current(frame)));
}

static bool no_more_qualifiers(struct nvlitmus_statement *statement) {
    struct frame *frame = frame_of(statement);
    const struct token *token = frame_current(frame);
    if (token->kind != TOKEN_QUALIFIER)
        return true;
    diag_error(frame->diagnostics, token->span, "'%s' is not allowed here in '%s'",
               frame_span_text(frame, token->span), statement->form->name);
    if (!diag_suggest(frame->diagnostics, nearest_qualifier(statement)))
        diag_hint(frame->diagnostics, "instructions of nvlitmus have an order and a scope (.cta, "
                                      ".gpu or .sys), but no type");
    return false;
}

// ordering = order? scope?: weak and volatile accesses have no scope, all else needs one.
static bool parse_ordering(struct nvlitmus_statement *statement) {
    struct frame *frame = frame_of(statement);
    struct span span;
    int scope = SCOPE_NONE;
    if (!parse_order(statement, &span))
        return false;
    enum access_order order = statement->instruction.order;
    bool scopeless = order == ORDER_WEAK || order == ORDER_VOLATILE;
    struct span scope_span = frame_current(frame)->span;
    bool given = accept_qualifier(statement, CLASS_SCOPE, &scope);
    if (given && scopeless)
        return diag_error(frame->diagnostics, scope_span, "a %s access has no scope",
                          order == ORDER_WEAK ? "weak" : "volatile");
    if (!no_more_qualifiers(statement))
        return false;
    if (!given && !scopeless)
        return diag_error(frame->diagnostics, span, "'%s' needs a scope: .cta, .gpu or .sys",
                          frame_span_text(frame, span));
    statement->instruction.scope = (enum scope)scope;
    return true;
}

// --- Instructions ------------------------------------------------------------------------------

// load = ("ld" | "suld" | "tld" | "ldc") ordering register "," address ("==" integer)?
static bool parse_load(struct nvlitmus_statement *statement) {
    return parse_ordering(statement) && parse_destination(statement) &&
           expect_comma(frame_of(statement)) && parse_address(statement) && parse_filter(statement);
}

// store = ("st" | "sust") ordering address "," value
static bool parse_store(struct nvlitmus_statement *statement) {
    return parse_ordering(statement) && parse_address(statement) &&
           expect_comma(frame_of(statement)) && parse_value(statement);
}

// operation = ".add"
static bool parse_operation(struct nvlitmus_statement *statement) {
    struct frame *frame = frame_of(statement);
    int operation = ATOMIC_NONE;
    if (accept_qualifier(statement, CLASS_ATOMIC, &operation)) {
        statement->instruction.atomic = (enum atomic_op)operation;
        return true;
    }
    frame_error_expected(frame, "'.add'");
    diag_hint(frame->diagnostics,
              "the operation comes first, and nvlitmus has no other: %s.add.relaxed.gpu",
              statement->form->name);
    return false;
}

// atom = ("atom" | "suatom") operation ordering register "," address "," value ("==" integer)?
static bool parse_atom(struct nvlitmus_statement *statement) {
    return parse_operation(statement) && parse_ordering(statement) &&
           parse_destination(statement) && expect_comma(frame_of(statement)) &&
           parse_address(statement) && expect_comma(frame_of(statement)) &&
           parse_value(statement) && parse_filter(statement);
}

// red = ("red" | "sured") operation ordering address "," value
static bool parse_red(struct nvlitmus_statement *statement) {
    return parse_operation(statement) && parse_store(statement);
}

// "fence.proxy" proxy
static bool parse_proxy_fence(struct nvlitmus_statement *statement) {
    struct frame *frame = frame_of(statement);
    int proxy = PROXY_ALIAS;
    if (!accept_qualifier(statement, CLASS_PROXY, &proxy)) {
        frame_error_expected(frame, "'.alias', '.texture', '.surface' or '.constant'");
        if (frame_current(frame)->kind == TOKEN_QUALIFIER)
            diag_suggest(frame->diagnostics, nearest_qualifier(statement));
        return false;
    }
    statement->instruction.proxy = (enum proxy)proxy;
    if (frame_current(frame)->kind != TOKEN_QUALIFIER)
        return true;
    frame_error_expected(frame, "the end of the instruction");
    diag_hint(frame->diagnostics, "a proxy fence is about one proxy: write one fence for each");
    return false;
}

// fence = "fence" ordering | "fence.proxy" proxy | "fence.alias"
static bool parse_fence(struct nvlitmus_statement *statement) {
    struct frame *frame = frame_of(statement);
    bool is_proxy = token_is(frame_current(frame), ".proxy");
    if (!is_proxy && !token_is(frame_current(frame), ".alias"))
        return parse_ordering(statement);
    statement->form = dialect_form_of(DIALECT_NVLITMUS, statement->form, OP_FENCE_PROXY);
    dialect_start(statement->form, &statement->instruction);
    if (is_proxy)
        frame_next(frame);
    return parse_proxy_fence(statement);
}

static bool parse_form(struct nvlitmus_statement *statement) {
    switch (statement->form->opcode) {
    case OP_LD: return parse_load(statement);
    case OP_ST: return parse_store(statement);
    case OP_ATOM: return parse_atom(statement);
    case OP_RED: return parse_red(statement);
    case OP_FENCE: return parse_fence(statement);
    default: bug("opcode %d is not one of nvlitmus's", (int)statement->form->opcode);
    }
}

static const struct form *find_form(struct frame *frame) {
    const struct token *token = frame_current(frame);
    const struct form *form = dialect_form(DIALECT_NVLITMUS, token);
    if (form)
        return form;
    if (token->kind != TOKEN_WORD) {
        frame_error_expected(frame, "an instruction");
        return NULL;
    }
    const char *word = token_text(frame->arena, token);
    diag_error(frame->diagnostics, token->span, "nvlitmus has no instruction '%.40s'", word);
    if (!diag_suggest(frame->diagnostics, dialect_nearest_name(DIALECT_NVLITMUS, word)))
        diag_hint(frame->diagnostics, "the instructions are %s",
                  dialect_names(frame->arena, DIALECT_NVLITMUS));
    return NULL;
}

// instruction = opcode qualifier* operands ";"
static bool parse_statement(struct nvlitmus *parser, int index) {
    struct frame *frame = &parser->frame;
    struct thread *thread = &frame->test->threads[index];
    const struct token *first = frame_current(frame);
    const struct form *form = find_form(frame);
    if (!form)
        return false;
    frame_next(frame);
    struct nvlitmus_statement statement = {
        .parser = parser,
        .thread = index,
        .form = form,
        .instruction = instruction_new(form->opcode, TYPE_NONE, first->span)};
    dialect_start(form, &statement.instruction);
    for (size_t i = 0; frame_peek(frame, i)->kind == TOKEN_QUALIFIER; i++)
        statement.instruction.opcode_span.end = frame_peek(frame, i)->span.end;
    if (!parse_form(&statement))
        return false;
    statement.instruction.span.end = frame_after_previous(frame).end;
    ARENA_APPEND(frame->arena, thread->instructions, thread->instruction_count,
                 statement.instruction);
    return nvlitmus_end(parser, "instruction");
}

// Whether something that no body holds starts here: then a '}' was forgotten.
static bool body_broken(const struct frame *frame) {
    const struct token *token = frame_current(frame), *next = frame_peek(frame, 1);
    unsigned number;
    if (token->kind == TOKEN_END)
        return true;
    return token->line_start &&
           ((frame_word_number(token, "d", &number) && next->kind == TOKEN_QUALIFIER) ||
            (token->kind == TOKEN_WORD && token_is_punct(next, '(')));
}

void nvlitmus_parse_body(struct nvlitmus *parser, int thread) {
    struct frame *frame = &parser->frame;
    while (!token_is_punct(frame_current(frame), '}') && !body_broken(frame))
        if (!frame_accept_punct(frame, ';') && !parse_statement(parser, thread))
            nvlitmus_skip(parser);
}
