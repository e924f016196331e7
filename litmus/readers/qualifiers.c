// Declarations of variables in PTX's form: their qualifiers, in which order, and which of them go
// together.
#include "litmus/readers/declarations.h"
#include "litmus/readers/frame.h"

#include "litmus/ptx/target.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    enum state_space space;
} spaces[] = {{".global", SPACE_GLOBAL}, {".shared", SPACE_SHARED}, {".shared::cta", SPACE_SHARED},
              {".const", SPACE_CONST},   {".local", SPACE_LOCAL},   {".param", SPACE_PARAM},
              {".tmem", SPACE_TENSOR}};

// The order of qualifiers (PTX ISA 5.4, 5.1.6.3): linkage; state space, alignment and attributes;
// vector; type; of a parameter .ptr, and the state space and the alignment of what it points to.
enum rank {
    RANK_LINKAGE,
    RANK_SPACE,
    RANK_VECTOR,
    RANK_TYPE,
    RANK_POINTER,
    RANK_TARGET,
    RANK_TARGET_ALIGNMENT
};

struct declaration {
    struct variable variable;
    unsigned vector;
    struct span vector_span, alignment, linkage, attribute; // without a source: not seen
    enum rank rank;
    struct span ranked; // the last qualifier of that rank
    struct span space, type;
    struct span pointer; // .ptr: what follows is about the memory that a parameter points to
    struct span pointer_space, pointer_alignment;
};

static bool parse_alignment(struct frame *frame, unsigned *alignment) {
    struct span span = frame_current(frame)->span;
    if (!frame_parse_unsigned(frame, "the number of bytes", alignment))
        return false;
    if (*alignment && (*alignment & (*alignment - 1)) == 0)
        return true;
    return diag_error(frame->diagnostics, span, "an alignment is a power of two, not '%s'",
                      frame_span_text(frame, span));
}

static bool error_unknown_qualifier(struct frame *frame, const struct token *token) {
    static const char *const known[] = {
        ".global", ".shared", ".const", ".local", ".param", ".align", ".b8",     ".b16", ".b32",
        ".b64",    ".b128",   ".u8",    ".u16",   ".u32",   ".u64",   ".s8",     ".s16", ".s32",
        ".s64",    ".f16",    ".f32",   ".f64",   ".v2",    ".v4",    ".visible"};
    const char *text = token_text(frame->arena, token);
    diag_error(frame->diagnostics, token->span, "'%s' does not belong in a declaration",
               frame_span_text(frame, token->span));
    if (strcmp(text, ".reg") == 0)
        diag_hint(frame->diagnostics, "registers are declared in the body of their thread");
    else if (strcmp(text, ".shared::cluster") == 0)
        diag_hint(frame->diagnostics, "variables are declared .shared");
    else
        diag_suggest(frame->diagnostics,
                     token_nearest(token, known, sizeof(known) / sizeof(known[0])));
    return false;
}

static bool set_once(struct frame *frame, struct span *seen, const struct token *token,
                     const char *what) {
    if (!seen->source) {
        *seen = token->span;
        return true;
    }
    return diag_error(frame->diagnostics, token->span, "'%s' after '%s': a variable has one %s",
                      frame_span_text(frame, token->span), frame_span_text(frame, *seen), what);
}

// bank = "[" integer "]": the banks of constant memory before PTX 2.2 (PTX ISA 5.1.3.1)
static bool parse_bank(struct frame *frame, struct variable *variable) {
    struct span span = frame_current(frame)->span;
    if (!token_is_punct(frame_current(frame), '['))
        return true;
    frame_next(frame);
    if (!frame_parse_unsigned(frame, "the number of a bank", &variable->bank))
        return false;
    if (!frame_expect(frame, ']', "']'"))
        return false;
    span = span_join(span, frame_after_previous(frame));
    if (variable->bank > 10)
        return diag_error(frame->diagnostics, span, "the banks of constant memory are 0 to 10");
    diag_warning(frame->diagnostics, span, "PTX has no banks of constant memory since version 2.2");
    return true;
}

// attribute = ".attribute" "(" part ("," part)* ")"
// part = ".managed" | ".unified" "(" integer "," integer ")"
static bool parse_attribute(struct frame *frame, struct variable *variable) {
    if (!frame_expect(frame, '(', "'(' and an attribute"))
        return false;
    do {
        const struct token *part = frame_next(frame);
        struct constant id;
        if (token_is(part, ".managed"))
            continue;
        if (!token_is(part, ".unified"))
            return diag_error(frame->diagnostics, part->span,
                              "the attributes of a variable are .managed "
                              "and .unified");
        variable->is_unified = true;
        for (unsigned i = 0; i < 3; i++) {
            if (!frame_accept_punct(frame, "(,)"[i]))
                return diag_error(frame->diagnostics, part->span,
                                  "'.unified' is followed by two numbers in parentheses");
            if (i == 2)
                break;
            if (!frame_parse_constant(frame, "a number", &id))
                return false;
            variable->unified[i] = id.value.low;
        }
        reader_need(&frame->reader,
                    (struct need){.span = part->span, .words = "'.unified'", .ptx = 80, .sm = 90});
    } while (frame_accept_punct(frame, ','));
    return frame_expect(frame, ')', "')'");
}

static bool is_opaque_type(const char *text) {
    return strcmp(text, ".texref") == 0 || strcmp(text, ".samplerref") == 0 ||
           strcmp(text, ".surfref") == 0;
}

// What textures, samplers and surfaces are declared as (PTX ISA 5.1.8, 5.3).
static bool check_opaque(struct frame *frame, const struct declaration *declaration) {
    const struct variable *variable = &declaration->variable;
    bool is_name = variable->type == TYPE_U32 || variable->type == TYPE_U64;
    bool is_reference = variable->type == TYPE_B64;
    bool is_global = variable->space == SPACE_GLOBAL, is_parameter = variable->space == SPACE_PARAM;
    if (!variable->is_opaque || (is_global && (is_name || is_reference)) ||
        (is_parameter && is_reference))
        return true;
    if (!is_global)
        diag_error(frame->diagnostics, declaration->space,
                   "textures, samplers and surfaces are declared in .global, or are parameters");
    else
        diag_error(frame->diagnostics, declaration->type, "a texture is .u32 or .u64");
    return false;
}

// Takes a state space; returns false when the word is none. `*fine` gets whether it is right.
static bool take_space(struct frame *frame, struct declaration *declaration,
                       const struct token *token, const char *text, bool *fine) {
    struct variable *variable = &declaration->variable;
    if (strcmp(text, ".tex") == 0) { // .tex .u32 t; is .global .texref t; (PTX ISA 5.1.8)
        variable->space = SPACE_GLOBAL;
        variable->is_opaque = true;
        *fine = set_once(frame, &declaration->space, token, "state space");
        return true;
    }
    size_t i = 0, count = sizeof(spaces) / sizeof(spaces[0]);
    while (i < count && strcmp(text, spaces[i].name) != 0)
        i++;
    if (i == count)
        return false;
    if (declaration->pointer.source) {
        *fine = set_once(frame, &declaration->pointer_space, token, "state space of a pointer");
        variable->target_space = spaces[i].space;
        return true;
    }
    variable->space = spaces[i].space;
    *fine = set_once(frame, &declaration->space, token, "state space") &&
            (variable->space != SPACE_CONST || parse_bank(frame, variable));
    return true;
}

// The same for a type.
static bool take_type(struct frame *frame, struct declaration *declaration,
                      const struct token *token, const char *text, bool *fine) {
    enum scalar_type type = is_opaque_type(text) ? TYPE_B64 : scalar_type_named(text + 1);
    if (type == TYPE_NONE)
        return false;
    *fine = false;
    if (type == TYPE_PRED) {
        diag_error(frame->diagnostics, token->span, "a variable in memory cannot have type .pred");
        return true;
    }
    if (type == TYPE_BF16 || type == TYPE_BF16X2) { // PTX ISA 5.2.3: no fundamental types
        diag_error(frame->diagnostics, token->span, "a variable cannot be declared '%s'", text);
        diag_hint(frame->diagnostics, "declare it '.b%u'", scalar_type_bits(type));
        return true;
    }
    if (type == TYPE_B128) // PTX ISA 5.2.1
        reader_need(&frame->reader,
                    (struct need){.span = token->span, .words = "'.b128'", .ptx = 83, .sm = 70});
    declaration->variable.type = type;
    if (is_opaque_type(text))
        declaration->variable.is_opaque = true;
    *fine = set_once(frame, &declaration->type, token, "type");
    return true;
}

// What links modules, although there are no other modules.
static bool is_linkage(const char *text) {
    return strcmp(text, ".extern") == 0 || strcmp(text, ".visible") == 0 ||
           strcmp(text, ".weak") == 0 || strcmp(text, ".common") == 0;
}

static enum rank rank_of(const struct declaration *declaration, const char *text) {
    if (is_linkage(text))
        return RANK_LINKAGE;
    if (strcmp(text, ".v2") == 0 || strcmp(text, ".v4") == 0)
        return RANK_VECTOR;
    if (is_opaque_type(text) || scalar_type_named(text + 1) != TYPE_NONE)
        return RANK_TYPE;
    if (strcmp(text, ".ptr") == 0)
        return RANK_POINTER;
    bool is_alignment = strcmp(text, ".align") == 0;
    bool is_parameter = declaration->variable.space == SPACE_PARAM;
    if (is_alignment && is_parameter && declaration->rank >= RANK_TYPE)
        return RANK_TARGET_ALIGNMENT; // without .ptr the parameter's own, which ptxas takes
    return declaration->pointer.source ? RANK_TARGET : RANK_SPACE;
}

static bool check_rank(struct frame *frame, struct declaration *declaration,
                       const struct token *token, const char *text) {
    enum rank rank = rank_of(declaration, text);
    bool second_linkage = rank == RANK_LINKAGE && declaration->ranked.source;
    if (rank < declaration->rank || second_linkage) {
        diag_error(frame->diagnostics, token->span, "'%s' cannot follow '%s'", text,
                   frame_span_text(frame, declaration->ranked));
        diag_hint(frame->diagnostics, "the order is linkage, state space and alignment, vector, "
                                      "type, and for a parameter .ptr and what it points to");
        return false;
    }
    declaration->rank = rank;
    declaration->ranked = token->span;
    return true;
}

// alignment = ".align" integer: of the variable, or after .ptr of what it points to
static bool take_alignment(struct frame *frame, struct declaration *declaration,
                           const struct token *token) {
    struct variable *variable = &declaration->variable;
    if (declaration->pointer.source)
        return set_once(frame, &declaration->pointer_alignment, token, "alignment") &&
               parse_alignment(frame, &variable->target_alignment);
    return set_once(frame, &declaration->alignment, token, "alignment") &&
           parse_alignment(frame, &variable->alignment);
}

// qualifier = space | type | attribute | ".align" integer | ".ptr" | ".v2" | ".v4" | linkage
static bool parse_qualifier(struct frame *frame, struct declaration *declaration) {
    const struct token *token = frame_next(frame);
    const char *text = token_text(frame->arena, token);
    struct variable *variable = &declaration->variable;
    bool fine;
    if (take_space(frame, declaration, token, text, &fine) ||
        take_type(frame, declaration, token, text, &fine))
        return fine && check_rank(frame, declaration, token, text);
    bool is_vector = strcmp(text, ".v2") == 0 || strcmp(text, ".v4") == 0;
    bool is_known = is_vector || is_linkage(text) || strcmp(text, ".align") == 0 ||
                    strcmp(text, ".ptr") == 0 || strcmp(text, ".attribute") == 0;
    if (!is_known)
        return error_unknown_qualifier(frame, token);
    if (!check_rank(frame, declaration, token, text))
        return false;
    if (strcmp(text, ".align") == 0)
        return take_alignment(frame, declaration, token);
    if (strcmp(text, ".ptr") == 0) {
        variable->is_pointer = true;
        return set_once(frame, &declaration->pointer, token, "'.ptr'");
    }
    if (strcmp(text, ".attribute") == 0)
        return set_once(frame, &declaration->attribute, token, "list of attributes") &&
               parse_attribute(frame, variable);
    if (is_vector) {
        declaration->vector = (unsigned)(text[2] - '0');
        return set_once(frame, &declaration->vector_span, token, "vector size");
    }
    declaration->linkage = token->span; // check_rank has seen that it is the only one
    return true;
}

static bool token_is_parameter_space(struct frame *frame, struct span span) {
    assert(span.begin <= span.end);
    return strncmp(frame_span_text(frame, span), ".param", 6) == 0;
}

// .ptr, and what follows it, is for parameters (PTX ISA 5.1.6.3).
static bool check_pointer(struct frame *frame, const struct declaration *declaration) {
    if (declaration->pointer.source && declaration->variable.space != SPACE_PARAM)
        return diag_error(
            frame->diagnostics, declaration->pointer,
            "'.ptr' describes what a parameter points to: this variable is not a .param");
    if (declaration->pointer_space.source &&
        token_is_parameter_space(frame, declaration->pointer_space))
        return diag_error(frame->diagnostics, declaration->pointer_space,
                          "a pointer is to .const, .global, .local or .shared memory");
    return true;
}

// "Each cell being 32-bits in size" (PTX ISA 9.7.16.1).
static bool check_tensor(struct frame *frame, const struct declaration *declaration) {
    const struct variable *variable = &declaration->variable;
    if (variable->space != SPACE_TENSOR ||
        (scalar_type_bits(variable->type) == 32 && declaration->vector <= 1))
        return true;
    diag_error(frame->diagnostics, declaration->type, "tensor memory has cells of 32 bits");
    diag_hint(frame->diagnostics, "'.tmem .b32 t[4];' has four columns of them");
    return false;
}

// Vectors have 128 bits at most (PTX ISA 5.4.2), and parameters are scalars and arrays.
static bool check_vector(struct frame *frame, const struct declaration *declaration) {
    unsigned bits = scalar_type_bits(declaration->variable.type) * declaration->vector;
    if (declaration->vector > 1 && declaration->variable.space == SPACE_PARAM)
        diag_error(frame->diagnostics, declaration->vector_span, "a parameter cannot be a vector");
    else if (declaration->vector > 1 && bits > 128)
        diag_error(frame->diagnostics, span_join(declaration->vector_span, declaration->type),
                   "this vector has %u bits; at most 128 are allowed", bits);
    else
        return true;
    return false;
}

// What links modules, and attributes, are for some variables alone (PTX ISA 5.4.8, 11.6).
static bool check_linkage(struct frame *frame, const struct declaration *declaration) {
    bool is_global = declaration->variable.space == SPACE_GLOBAL;
    if (declaration->linkage.source && !is_global &&
        strcmp(frame_span_text(frame, declaration->linkage), ".common") == 0)
        diag_error(frame->diagnostics, declaration->linkage,
                   "'.common' is only for .global variables");
    else if (declaration->linkage.source && frame->body)
        diag_error(frame->diagnostics, declaration->linkage,
                   "'%s' is for variables outside of a thread's body",
                   frame_span_text(frame, declaration->linkage));
    else if (declaration->attribute.source && !is_global)
        diag_error(frame->diagnostics, declaration->attribute,
                   "attributes are only for .global variables");
    else
        return true;
    return false;
}

// A variable that is defined elsewhere gets its value there (PTX ISA 11.6.1).
static bool check_external(struct frame *frame, const struct declaration *declaration,
                           const struct variable *variable) {
    if (!variable->has_initial || !declaration->linkage.source ||
        strcmp(frame_span_text(frame, declaration->linkage), ".extern") != 0)
        return true;
    diag_error(frame->diagnostics, declaration->linkage,
               "'.extern' says that '%s' is defined elsewhere, with its value", variable->name);
    diag_hint(frame->diagnostics, "to give it a value here, declare it without '.extern'");
    return false;
}

// PTX's form: declaration = qualifier+ declarator ("," declarator)*
bool frame_parse_ptx_declaration(struct frame *frame) {
    struct declaration declaration = {.variable = {.alias_of = -1}, .vector = 1};
    const struct token *first = frame_current(frame);
    while (frame_current(frame)->kind == TOKEN_QUALIFIER)
        if (!parse_qualifier(frame, &declaration))
            return false;
    struct span qualifiers = span_join(first->span, frame_after_previous(frame));
    if (!declaration.space.source) {
        diag_error(frame->diagnostics, qualifiers, "this declaration has no state space");
        diag_hint(frame->diagnostics, "write .global, .shared, .const, .local or .param");
        return false;
    }
    if (!declaration.type.source) {
        diag_error(frame->diagnostics, qualifiers, "this declaration has no type");
        diag_hint(frame->diagnostics, "write a type such as .u32 before the name");
        return false;
    }
    if (!check_pointer(frame, &declaration) || !check_opaque(frame, &declaration))
        return false;
    if (!check_tensor(frame, &declaration) || !check_vector(frame, &declaration) ||
        !check_linkage(frame, &declaration))
        return false;
    unsigned size = scalar_type_bits(declaration.variable.type) / 8 * declaration.vector;
    if (declaration.variable.alignment == 0)
        declaration.variable.alignment = size;
    do {
        size_t known = frame->test->variable_count;
        if (!frame_parse_declarator(frame, declaration.variable, declaration.vector))
            return false;
        if (frame->test->variable_count > known &&
            !check_external(frame, &declaration, &frame->test->variables[known]))
            return false;
    } while (frame_accept_punct(frame, ','));
    return true;
}
