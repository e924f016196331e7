// Statements in C++: the body of a thread, and declarations before the threads.
#include "litmus/readers/cpp/cpp.h"

#include "litmus/readers/declarations.h"
#include "litmus/readers/threads.h"
#include "litmus/source/arena.h"

#include <string.h>

static struct diagnostics *diagnostics(const struct cpp *cpp) {
    return cpp->reader->diagnostics;
}

static bool parse_statement(struct cpp *cpp);

// The instructions from the `begin`-th on are shown as this statement.
static void show_as(struct cpp *cpp, size_t begin, const struct token *first) {
    struct span span = cpp_span_from(cpp, first);
    for (size_t i = begin; i < cpp->thread->instruction_count; i++)
        cpp->thread->instructions[i].span = cpp->thread->instructions[i].opcode_span = span;
}

// --- Declarations -------------------------------------------------------------------------------

// Whether a name may be given to a variable of the thread.
static bool check_new_name(struct cpp *cpp, const struct token *token, const char *name) {
    const char *what = NULL;
    for (size_t i = 0; i < cpp->reference_count; i++)
        if (strcmp(cpp->references[i].name, name) == 0)
            what = "an atomic_ref";
    if (reader_find_register(cpp->thread, name) >= 0)
        what = "a variable of this thread";
    else if (reader_variable(cpp->reader, name) >= 0)
        what = "a variable that the threads share";
    if (strpbrk(name, "%$"))
        return diag_error(diagnostics(cpp), token->span, "'%s' is not a name in C++",
                          cpp_text(cpp, token));
    if (what)
        diag_error(diagnostics(cpp), token->span, "'%s' is %s already", cpp_text(cpp, token), what);
    return what == NULL;
}

// reference = type name ("(" variable ")" | "{" variable "}")
static bool parse_reference(struct cpp *cpp, const struct cpp_type *type) {
    const struct token *token = cpp_peek(cpp, 0);
    if (token->kind != TOKEN_WORD)
        return cpp_error_expected(cpp, "the name of an atomic_ref");
    const char *name = token_text(cpp->reader->arena, cpp_next(cpp));
    if (!check_new_name(cpp, token, name))
        return false;
    bool brace = cpp_accept(cpp, '{');
    if (!brace && !cpp_expect(cpp, '(', "'(' and a variable"))
        return false;
    if (cpp_peek(cpp, 0)->kind != TOKEN_WORD)
        return cpp_error_expected(cpp, "a variable");
    int variable = reader_require_variable(cpp->reader, cpp_next(cpp));
    if (variable < 0 || !cpp_expect(cpp, brace ? '}' : ')', brace ? "'}'" : "')'"))
        return false;
    ARENA_APPEND(cpp->reader->arena, cpp->references, cpp->reference_count,
                 (struct cpp_reference){.name = name, .variable = variable, .scope = type->scope});
    return true;
}

// local = type name "=" expression
static bool parse_local(struct cpp *cpp, const struct cpp_type *type) {
    const struct token *token = cpp_peek(cpp, 0);
    struct cpp_value value;
    if (token->kind != TOKEN_WORD)
        return cpp_error_expected(cpp, "the name of a variable");
    const char *name = token_text(cpp->reader->arena, cpp_next(cpp));
    if (!check_new_name(cpp, token, name) || !cpp_expect(cpp, '=', "'=' and a first value") ||
        !cpp_parse_expression(cpp, &value))
        return false;
    value = cpp_number(cpp, value);
    enum scalar_type scalar = type->is_auto ? value.type : type->scalar;
    scalar = scalar == TYPE_NONE ? TYPE_S32 : scalar;
    int reg = reader_named_register(cpp->reader, cpp->thread, name, token->span,
                                    scalar_type_bits(scalar));
    cpp->thread->registers[reg].type = scalar;
    return cpp_assign(cpp, reg, value);
}

// --- Assignments --------------------------------------------------------------------------------

// assignment = name "=" expression
static bool parse_assignment(struct cpp *cpp) {
    const struct token *token = cpp_next(cpp);
    const char *name = token_text(cpp->reader->arena, token);
    int reg = reader_find_register(cpp->thread, name);
    int variable = reg >= 0 ? -1 : reader_variable(cpp->reader, name);
    struct cpp_value value;
    if (reg < 0 && variable < 0)
        return cpp_error_name(cpp, token);
    cpp_next(cpp); // the '='
    if (!cpp_parse_expression(cpp, &value))
        return false;
    return reg >= 0 ? cpp_assign(cpp, reg, value)
                    : cpp_store(cpp, variable, &value, cpp_span_from(cpp, token));
}

static bool parse_simple(struct cpp *cpp) {
    const struct token *token = cpp_peek(cpp, 0);
    struct cpp_type type;
    struct cpp_value value;
    bool failed = false, has_value;
    if (cpp_at_call(cpp))
        return cpp_parse_call(cpp, &value, &has_value);
    if (token->kind == TOKEN_WORD && token_is_punct(cpp_peek(cpp, 1), '='))
        return parse_assignment(cpp);
    if (cpp_accept_type(cpp, &type, &failed)) {
        if (type.is_atomic && !type.is_reference)
            return diag_error(diagnostics(cpp), token->span,
                              "a cuda::atomic is declared before the threads, which share it");
        return type.is_reference ? parse_reference(cpp, &type) : parse_local(cpp, &type);
    }
    if (failed)
        return false;
    // What is wrong with the expression is said first, then that it does nothing.
    if (!cpp_parse_expression(cpp, &value))
        return false;
    return diag_error(diagnostics(cpp), value.span, "this value is not used");
}

// --- Control ------------------------------------------------------------------------------------

static bool parse_condition(struct cpp *cpp, struct cpp_value *truth) {
    const struct token *first = cpp_peek(cpp, 1);
    size_t begin = cpp->thread->instruction_count;
    struct cpp_value value;
    if (!cpp_expect(cpp, '(', "'(' and a condition") || !cpp_parse_expression(cpp, &value))
        return false;
    *truth = cpp_truth(cpp, value);
    show_as(cpp, begin, first);
    return cpp_expect(cpp, ')', "')'");
}

// if = "if" "(" expression ")" statement ("else" statement)?
static bool parse_if(struct cpp *cpp) {
    struct span span = cpp_next(cpp)->span;
    struct cpp_value truth;
    int otherwise = cpp_label(cpp, span);
    if (!parse_condition(cpp, &truth))
        return false;
    cpp_jump(cpp, otherwise, &truth, false, span);
    if (!parse_statement(cpp))
        return false;
    if (!token_is(cpp_peek(cpp, 0), "else")) {
        cpp_place(cpp, otherwise);
        return true;
    }
    cpp_next(cpp);
    int end = cpp_label(cpp, span);
    cpp_jump(cpp, end, NULL, true, span);
    cpp_place(cpp, otherwise);
    bool fine = parse_statement(cpp);
    cpp_place(cpp, end);
    return fine;
}

static bool accept_nothing(struct cpp *cpp) {
    if (cpp_accept(cpp, ';'))
        return true;
    if (!token_is_punct(cpp_peek(cpp, 0), '{') || !token_is_punct(cpp_peek(cpp, 1), '}'))
        return false;
    cpp->at += 2;
    return true;
}

// while = "while" "(" expression ")" statement. One that does nothing but wait is one jump back.
static bool parse_while(struct cpp *cpp) {
    struct span span = cpp_next(cpp)->span;
    struct cpp_value truth;
    int again = cpp_label(cpp, span), end = cpp_label(cpp, span);
    cpp_place(cpp, again);
    if (!parse_condition(cpp, &truth))
        return false;
    bool fine = true;
    if (accept_nothing(cpp)) {
        cpp_jump(cpp, again, &truth, true, span);
    } else {
        cpp_jump(cpp, end, &truth, false, span);
        fine = parse_statement(cpp);
        cpp_jump(cpp, again, NULL, true, span);
    }
    cpp_place(cpp, end);
    return fine;
}

// do = "do" statement "while" "(" expression ")" ";"
static bool parse_do(struct cpp *cpp) {
    struct span span = cpp_next(cpp)->span;
    struct cpp_value truth;
    int again = cpp_label(cpp, span);
    cpp_place(cpp, again);
    if (!parse_statement(cpp))
        return false;
    if (!token_is(cpp_peek(cpp, 0), "while"))
        return cpp_error_expected(cpp, "'while' after the body of 'do'");
    cpp_next(cpp);
    if (!parse_condition(cpp, &truth))
        return false;
    cpp_jump(cpp, again, &truth, true, span);
    return cpp_expect(cpp, ';', "';' at the end of the statement");
}

static bool parse_block(struct cpp *cpp) {
    cpp_next(cpp);
    while (!cpp_accept(cpp, '}'))
        if (cpp_peek(cpp, 0)->kind == TOKEN_END || !parse_statement(cpp))
            return false;
    return true;
}

static bool parse_any(struct cpp *cpp) {
    static const char *const others[] = {"for",      "switch", "goto", "break",
                                         "continue", "return", "asm"};
    const struct token *token = cpp_peek(cpp, 0);
    size_t begin = cpp->thread->instruction_count;
    if (cpp_accept(cpp, ';'))
        return true;
    if (token_is_punct(token, '{'))
        return parse_block(cpp);
    if (token_is(token, "if"))
        return parse_if(cpp);
    if (token_is(token, "while"))
        return parse_while(cpp);
    if (token_is(token, "do"))
        return parse_do(cpp);
    if (token_is(token, "else"))
        return cpp_error_expected(cpp, "a statement");
    if (token_among(token, others, sizeof others / sizeof others[0]) >= 0) {
        diag_error(diagnostics(cpp), token->span, "'%s' is not read", cpp_text(cpp, token));
        diag_hint(diagnostics(cpp), "'if', 'while' and 'do' are");
        return false;
    }
    if (!parse_simple(cpp))
        return false;
    show_as(cpp, begin, token);
    return cpp_expect(cpp, ';', "';' at the end of the statement");
}

static bool parse_statement(struct cpp *cpp) {
    if (cpp->depth == CPP_DEPTH_MAX)
        return diag_error(diagnostics(cpp), cpp_peek(cpp, 0)->span,
                          "more than %d levels of statements and expressions", (int)CPP_DEPTH_MAX);
    cpp->depth++;
    bool fine = parse_any(cpp);
    cpp->depth--;
    return fine;
}

// Goes past the ';' of a statement with errors, or to what follows its block.
static void skip_statement(struct cpp *cpp) {
    unsigned depth = 0;
    for (; cpp_peek(cpp, 0)->kind != TOKEN_END; cpp_next(cpp)) {
        const struct token *token = cpp_peek(cpp, 0);
        if (token_is_punct(token, '{'))
            depth++;
        if (token_is_punct(token, '}') && depth > 0)
            depth--;
        bool ends = token_is_punct(token, ';') || token_is_punct(token, '}');
        if (depth == 0 && ends && !token_is(cpp_peek(cpp, 1), "else")) {
            cpp_next(cpp);
            return;
        }
    }
}

// body = statement*
void cpp_parse_body(struct reader *reader, struct thread *thread, const struct token *tokens,
                    size_t count) {
    struct cpp cpp = {.reader = reader, .thread = thread, .tokens = tokens};
    if (count == 0)
        return;
    while (cpp_peek(&cpp, 0)->kind != TOKEN_END) {
        if (parse_statement(&cpp))
            continue;
        cpp.depth = 0;
        skip_statement(&cpp);
    }
    for (size_t i = 0; i < thread->label_count; i++) // of statements with errors
        if (thread->labels[i].target > thread->instruction_count)
            thread->labels[i].target = thread->instruction_count;
}

// --- Before the threads -------------------------------------------------------------------------

// declaration = "__shared__"? type name ("=" constant)? ("," name ("=" constant)?)*
bool frame_parse_cpp_declaration(struct frame *frame) {
    struct cpp cpp = {.reader = &frame->reader, .tokens = frame->tokens, .at = frame->at};
    const struct token *first = frame_current(frame);
    bool failed = false, shared = token_is(first, "__shared__");
    bool device = token_is(first, "__device__");
    struct cpp_type type;
    cpp.at += shared || device;
    bool has_type = cpp_accept_type(&cpp, &type, &failed);
    frame->at = cpp.at;
    if (failed)
        return false;
    if (!has_type || type.is_auto || type.is_reference) {
        frame_error_expected(frame, has_type ? "a variable with a type" : "a type such as 'int'");
        diag_hint(frame->diagnostics, "variables that the threads share are declared before them: "
                                      "'int x = 0;', 'cuda::atomic<int, cuda::thread_scope_device> "
                                      "x = 0;'");
        return false;
    }
    do {
        struct variable variable = {.space = shared ? SPACE_SHARED : SPACE_GLOBAL,
                                    .type = type.scalar,
                                    .alignment = scalar_type_bits(type.scalar) / 8,
                                    .alias_of = -1,
                                    .is_atomic = type.is_atomic,
                                    .atomic_scope = type.scope};
        size_t index = frame->test->variable_count;
        if (!frame_parse_declarator(frame, variable, 1))
            return false;
        if (frame->test->variables[index].is_array)
            return diag_error(frame->diagnostics, frame->test->variables[index].span,
                              "arrays are not read in tests in C++");
    } while (frame_accept_punct(frame, ','));
    return true;
}
