// Terms of conditions and of `locations`: registers, locations, addresses, constants.
//
// An unknown name is an error, but reading goes on after it: the functions return false only where
// the text cannot be followed any more. The test is refused in both cases.
#include "litmus/readers/frame.h"
#include "litmus/readers/tail.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

// --- Registers ---------------------------------------------------------------------------------

// The names of a thread's registers, but those that a reader added.
static const char **register_names(struct frame *frame, const struct thread *thread,
                                   size_t *count) {
    const char **names = ARENA_ARRAY(frame->arena, const char *, thread->register_count + 1);
    *count = 0;
    for (size_t i = 0; i < thread->register_count; i++)
        if (thread->registers[i].name[0] != '.')
            names[(*count)++] = thread->registers[i].name;
    return names;
}

static void hint_registers(struct frame *frame, const struct thread *thread, const char *text) {
    enum { LISTED_MAX = 8 };
    size_t count;
    if (!diag_kept(frame->diagnostics))
        return;
    const char **names = register_names(frame, thread, &count);
    const char *nearest = diag_nearest(text, strlen(text), names, count);
    if (count > LISTED_MAX && diag_suggest(frame->diagnostics, nearest))
        return;
    bool all = count <= LISTED_MAX;
    const char *list =
        arena_list(frame->arena, names, all ? count : LISTED_MAX, all ? " and " : ", ");
    diag_hint(frame->diagnostics, "P%u uses %s%s", thread->number, count ? list : "no registers",
              all ? "" : " and others");
}

static void resolve_register(struct frame *frame, const struct token *name, struct term *term) {
    const struct thread *thread = &frame->test->threads[term->thread];
    const char *text = token_text(frame->arena, name);
    term->reg = reader_find_register(thread, text);
    if (term->reg >= 0 || frame->bodies[term->thread].failed)
        return;
    diag_error(frame->diagnostics, name->span, "P%u has no register '%s'", thread->number,
               frame_span_text(frame, name->span));
    hint_registers(frame, thread, text);
}

// register = ("P" n | n) ":" name | "P" n "." name
static bool parse_register_term(struct frame *frame, struct term *term) {
    unsigned number = 0;
    struct span span;
    struct token name;
    if (!frame_parse_register(frame, &number, &span, &name))
        return false;
    term->kind = TERM_REGISTER;
    term->thread = frame_resolve_thread(frame, number, span);
    if (term->thread >= 0)
        resolve_register(frame, &name, term);
    return true;
}

// --- Locations ---------------------------------------------------------------------------------

// Marks the first thread of each CTA, once per test.
static const bool *cta_leaders(struct frame *frame) {
    const struct test *test = frame->test;
    if (frame->cta_leaders)
        return frame->cta_leaders;
    frame->cta_leaders = ARENA_ARRAY(frame->arena, bool, test->thread_count + 1);
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct place *place = &test->threads[i].place;
        bool leads = !place->host;
        for (size_t j = 0; leads && j < i; j++)
            leads = !test_same_cta(place, &test->threads[j].place);
        frame->cta_leaders[i] = leads;
    }
    return frame->cta_leaders;
}

// How many CTAs have threads: all, or those with one number.
static size_t count_ctas(struct frame *frame, bool any_number, unsigned number,
                         const struct place **first) {
    size_t count = 0;
    for (size_t i = 0; i < frame->test->thread_count; i++) {
        const struct place *place = &frame->test->threads[i].place;
        if (cta_leaders(frame)[i] && (any_number || place->cta == number) && count++ == 0)
            *first = place;
    }
    return count;
}

// Shared memory and tensor memory are those of a CTA.
static bool is_per_cta(const struct variable *variable) {
    return variable->space == SPACE_SHARED || variable->space == SPACE_TENSOR;
}

static void check_given_instance(struct frame *frame, const struct term *term,
                                 const struct variable *variable, struct span cta) {
    assert(cta.begin <= cta.end);
    const struct place *place = NULL;
    if (!is_per_cta(variable)) {
        diag_error(frame->diagnostics, cta,
                   "'%s' is not a .shared variable: all CTAs have the same one", variable->name);
        diag_hint(frame->diagnostics, "write '%s'", variable->name);
        return;
    }
    size_t count = count_ctas(frame, false, term->instance_cta, &place);
    if (count == 1 || frame->threads_failed)
        return;
    if (count == 0)
        diag_error(frame->diagnostics, cta, "no thread is in CTA %u", term->instance_cta);
    else
        diag_error(frame->diagnostics, cta, "there are %zu CTAs with the number %u", count,
                   term->instance_cta);
}

// Whether the name alone says which instance of the variable is meant (memory-model: instances of
// state spaces).
static void check_only_instance(struct frame *frame, const struct term *term,
                                const struct variable *variable) {
    const struct place *place = NULL;
    bool per_thread = variable->space == SPACE_LOCAL || variable->space == SPACE_PARAM;
    if (per_thread && frame->test->thread_count > 1) {
        diag_error(frame->diagnostics, term->span, "each thread has its own '%s'", variable->name);
        diag_hint(frame->diagnostics, "load it into a register at the end of the thread");
    }
    if (!is_per_cta(variable) || count_ctas(frame, true, 0, &place) < 2)
        return;
    diag_error(frame->diagnostics, term->span, "each CTA has its own '%s'", variable->name);
    diag_hint(frame->diagnostics, "say which: 'cta%u:%s'", place->cta, variable->name);
}

// element = "[" integer "]"
static bool parse_element(struct frame *frame, const struct variable *variable, struct term *term) {
    struct constant constant;
    frame_next(frame);
    if (!frame_parse_constant(frame, "the number of an element", &constant))
        return false;
    if (!frame_expect(frame, ']', "']'"))
        return false;
    if (!variable)
        return true;
    if (constant.negative || constant.value.high || constant.value.low >= variable->element_count) {
        diag_error(frame->diagnostics, constant.span, "'%s' has no element %s", variable->name,
                   frame_span_text(frame, constant.span));
        if (variable->element_count == 1)
            diag_hint(frame->diagnostics, "it has only one");
        else
            diag_hint(frame->diagnostics, "its elements are %s[0] to %s[%zu]", variable->name,
                      variable->name, variable->element_count - 1);
        return true;
    }
    term->element = (size_t)constant.value.low;
    return true;
}

// A register without its thread is a likely slip.
static bool is_threadless_register(struct frame *frame, const struct token *name) {
    const char *text = token_text(frame->arena, name);
    if (reader_variable(&frame->reader, text) >= 0)
        return false;
    for (size_t i = 0; i < frame->test->thread_count; i++) {
        const struct thread *thread = &frame->test->threads[i];
        if (reader_find_register(thread, text) < 0)
            continue;
        diag_error(frame->diagnostics, name->span, "register '%s' needs the name of its thread",
                   frame_span_text(frame, name->span));
        diag_hint(frame->diagnostics, "write 'P%u:%s'", thread->number, text);
        return true;
    }
    return false;
}

// location = ("cta" n ":")? name element?
static bool parse_location(struct frame *frame, struct term *term, bool *whole_array) {
    const struct token *first = frame_current(frame);
    term->kind = TERM_LOCATION;
    if (token_is_punct(frame_peek(frame, 1), ':') &&
        frame_word_number(first, "cta", &term->instance_cta)) {
        term->has_instance = true;
        frame_next(frame);
        frame_next(frame);
    }
    const struct token *name = frame_expect_word(frame, "the name of a variable");
    if (!name)
        return false;
    term->variable =
        is_threadless_register(frame, name) ? -1 : reader_require_variable(&frame->reader, name);
    const struct variable *variable =
        term->variable < 0 ? NULL : &frame->test->variables[term->variable];
    bool has_element = token_is_punct(frame_current(frame), '[');
    if (has_element && !parse_element(frame, variable, term))
        return false;
    term->span = span_join(first->span, frame_after_previous(frame));
    if (!variable)
        return true;
    if (variable->is_multimem) {
        diag_error(frame->diagnostics, name->span,
                   "'%s' is a multimem address, which points to several locations", variable->name);
        diag_hint(frame->diagnostics, "name one of them, such as '%s'",
                  frame->test->variables[variable->alias_of].name);
        return true;
    }
    if (term->has_instance)
        check_given_instance(frame, term, variable, first->span);
    else
        check_only_instance(frame, term, variable);
    if (variable->is_array && !has_element && whole_array) {
        *whole_array = true;
    } else if (variable->is_array && !has_element) {
        diag_error(frame->diagnostics, name->span, "'%s' is an array", variable->name);
        diag_hint(frame->diagnostics, "name one of its elements, %s[0] to %s[%zu]", variable->name,
                  variable->name, variable->element_count - 1);
    }
    return true;
}

// "[" location "]"
static bool parse_bracketed(struct frame *frame, struct term *term, bool *whole_array) {
    const struct token *opener = frame_next(frame);
    if (!parse_location(frame, term, whole_array) || !frame_expect(frame, ']', "']'"))
        return false;
    term->span = span_join(opener->span, frame_after_previous(frame));
    return true;
}

// --- Terms -------------------------------------------------------------------------------------

static bool parse_address_term(struct frame *frame, struct term *term) {
    frame_accept_punct(frame, '&');
    const struct token *name = frame_expect_word(frame, "the name of a variable");
    if (!name)
        return false;
    term->kind = TERM_ADDRESS;
    term->variable =
        is_threadless_register(frame, name) ? -1 : reader_require_variable(&frame->reader, name);
    return true;
}

static bool parse_constant_term(struct frame *frame, struct term *term) {
    struct constant constant;
    if (!frame_parse_constant(frame, "a number", &constant))
        return false;
    term->kind = TERM_CONSTANT;
    term->constant = constant.value;
    term->negative = constant.negative;
    return true;
}

// nvlitmus: a register, whose name no other thread has, or a number.
static bool parse_nvlitmus_term(struct frame *frame, struct term *term) {
    const struct token *token = frame_current(frame);
    const struct test *test = frame->test;
    bool failed = frame->threads_failed;
    if (token->kind == TOKEN_INTEGER)
        return parse_constant_term(frame, term);
    if (token->kind != TOKEN_WORD)
        return frame_error_expected(frame, "a register or a number");
    const char *text = token_text(frame->arena, token);
    term->kind = TERM_REGISTER;
    for (size_t i = 0; i < test->thread_count && term->reg < 0; i++) {
        term->thread = (int)i;
        term->reg = reader_find_register(&test->threads[i], text);
        failed = failed || frame->bodies[i].failed;
    }
    if (term->reg < 0 && !failed) {
        diag_error(frame->diagnostics, token->span, "no instruction writes a register '%s'",
                   frame_span_text(frame, token->span));
        if (reader_variable(&frame->reader, text) >= 0)
            diag_hint(frame->diagnostics, "conditions of nvlitmus are about registers: load the "
                                          "variable's value into one");
    }
    frame_next(frame);
    return true;
}

// Whether a bare name is an address, as in herd: to the right of a register or a location.
static bool is_address(const struct frame *frame, const struct term *left) {
    const struct token *next = frame_peek(frame, 1);
    return left && (left->kind == TERM_REGISTER || left->kind == TERM_LOCATION) &&
           !token_is_punct(next, '[') && !token_is_punct(next, ':');
}

// term = register | "[" location "]" | location | "&"? name | constant
static bool parse_any_term(struct frame *frame, const struct term *left, struct term *term) {
    const struct token *token = frame_current(frame);
    if (frame->test->dialect == DIALECT_NVLITMUS)
        return parse_nvlitmus_term(frame, term);
    if (frame_at_register(frame))
        return parse_register_term(frame, term);
    if (token_is_punct(token, '['))
        return parse_bracketed(frame, term, NULL);
    if (token_is_punct(token, '&') || (token->kind == TOKEN_WORD && is_address(frame, left)))
        return parse_address_term(frame, term);
    if (token->kind == TOKEN_WORD)
        return parse_location(frame, term, NULL);
    if (token->kind == TOKEN_INTEGER || token_is_punct(token, '-') || token_is_punct(token, '+'))
        return parse_constant_term(frame, term);
    return frame_error_expected(frame, "a register, a variable or a number");
}

bool frame_parse_term(struct frame *frame, const struct term *left, struct term *term) {
    const struct token *first = frame_current(frame);
    *term = (struct term){.thread = -1, .reg = -1, .variable = -1};
    if (!parse_any_term(frame, left, term))
        return false;
    term->span = span_join(first->span, frame_after_previous(frame));
    return true;
}

bool frame_parse_shown_term(struct frame *frame, struct term *term, bool *whole_array) {
    const struct token *first = frame_current(frame);
    *term = (struct term){.thread = -1, .reg = -1, .variable = -1};
    *whole_array = false;
    bool fine = frame_at_register(frame)     ? parse_register_term(frame, term)
                : token_is_punct(first, '[') ? parse_bracketed(frame, term, whole_array)
                                             : parse_location(frame, term, whole_array);
    if (fine)
        term->span = span_join(first->span, frame_after_previous(frame));
    return fine;
}

unsigned frame_term_bits(const struct test *test, const struct term *term) {
    switch (term->kind) {
    case TERM_CONSTANT: return 0;
    case TERM_REGISTER:
        return term->thread < 0 || term->reg < 0
                   ? 0
                   : test->threads[term->thread].registers[term->reg].width;
    case TERM_LOCATION:
        return term->variable < 0 ? 0 : scalar_type_bits(test->variables[term->variable].type);
    case TERM_ADDRESS: return 64;
    }
    return 0;
}

enum scalar_type frame_term_type(const struct test *test, const struct term *term) {
    if (term->kind == TERM_REGISTER && term->thread >= 0 && term->reg >= 0)
        return test->threads[term->thread].registers[term->reg].type;
    if (term->kind == TERM_LOCATION && term->variable >= 0)
        return test->variables[term->variable].type;
    return TYPE_NONE;
}
