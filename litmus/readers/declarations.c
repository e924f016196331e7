// What precedes the threads: variables in PTX's form and in herd's, aliases, and initial
// values of registers.
#include "litmus/readers/frame.h"

#include "litmus/ptx/target.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum { CONST_BANK_BYTES = 64 * 1024 };

static const struct {
    const char *name;
    enum state_space space;
} spaces[] = {{".global", SPACE_GLOBAL}, {".shared", SPACE_SHARED}, {".shared::cta", SPACE_SHARED},
              {".const", SPACE_CONST},   {".local", SPACE_LOCAL},   {".param", SPACE_PARAM}};

// Whether the declaration at hand may repeat that of another body.
static bool may_repeat(const struct frame *frame, int other) {
    unsigned body = frame->test->variables[other].body;
    return frame->body != 0 && body != 0 && body != frame->body;
}

// Adds a variable unless its name is taken. Returns its index or -1. One that repeats that of
// another body has a name of its own until end_repeated.
static int add_variable(struct frame *frame, struct variable variable) {
    struct test *test = frame->test;
    variable.body = frame->body;
    if (frame->suffix)
        variable.name = arena_format(frame->arena, "%s%s", variable.name, frame->suffix);
    int other = reader_variable(&frame->reader, variable.name);
    if (other >= 0 && may_repeat(frame, other)) {
        variable.name =
            arena_format(frame->arena, "%s@%u", variable.name, ++frame->repeated); // no word
        return reader_add_variable(&frame->reader, &variable);
    }
    if (other >= 0) {
        struct span first = test->variables[other].span;
        diag_error(frame->diagnostics, variable.span, "variable '%s' is declared twice",
                   frame_span_text(frame, variable.span));
        diag_hint(frame->diagnostics, "the first declaration is on line %u",
                  source_position(first.source, first.begin).line);
        return -1;
    }
    return reader_add_variable(&frame->reader, &variable);
}

static bool same_initial(const struct variable *a, const struct variable *b) {
    if (a->has_initial != b->has_initial)
        return false;
    for (size_t i = 0; a->has_initial && i < a->element_count; i++)
        if (a->initial[i].variable != b->initial[i].variable ||
            a->initial[i].value.low != b->initial[i].value.low ||
            a->initial[i].value.high != b->initial[i].value.high)
            return false;
    return true;
}

// Compares the last variable with the one that it repeats, and drops it.
static bool end_repeated(struct frame *frame, const char *name) {
    struct test *test = frame->test;
    struct variable *other = &test->variables[reader_variable(&frame->reader, name)];
    frame_resolve_address_initials(frame);
    const struct variable *again = &test->variables[--test->variable_count];
    if (other->space != again->space || other->type != again->type ||
        other->is_array != again->is_array || other->element_count != again->element_count ||
        other->alignment != again->alignment || other->bank != again->bank ||
        other->is_opaque != again->is_opaque || !same_initial(other, again)) {
        diag_error(frame->diagnostics, again->span, "another thread declares '%s' differently",
                   name);
        diag_hint(frame->diagnostics, "its declaration is on line %u",
                  source_position(other->span.source, other->span.begin).line);
        return false;
    }
    other->body = frame->body;
    return true;
}

// --- Sizes -------------------------------------------------------------------------------------

static bool error_too_large(struct frame *frame, struct span span) {
    assert(span.begin <= span.end);
    diag_error(frame->diagnostics, span, "the variables of a test have at most %d bytes together",
               VARIABLE_BYTES_MAX);
    return false;
}

// dimensions = ("[" integer? "]")*
static bool parse_dimensions(struct frame *frame, struct dimensions *dimensions) {
    while (frame_accept_punct(frame, '[')) {
        struct span span = frame_current(frame)->span;
        if (dimensions->count == ARRAY_DIMENSIONS_MAX) {
            diag_error(frame->diagnostics, span, "an array has at most %d dimensions",
                       ARRAY_DIMENSIONS_MAX);
            return false;
        }
        unsigned size = 0;
        bool open = dimensions->count == 0 && token_is_punct(frame_current(frame), ']');
        if (!open && !frame_parse_unsigned(frame, "the number of elements", &size))
            return false;
        if (!open && size == 0) {
            diag_error(frame->diagnostics, span, "an array needs at least one element");
            return false;
        }
        if (size > VARIABLE_BYTES_MAX)
            return error_too_large(frame, span);
        dimensions->sizes[dimensions->count++] = size;
        if (!frame_accept_punct(frame, ']')) {
            frame_error_expected(frame, "']'");
            return false;
        }
    }
    return true;
}

// Counts the elements of a variable and checks that the test does not grow too large.
static bool set_size(struct frame *frame, struct variable *variable,
                     const struct dimensions *dimensions) {
    uint64_t count = 1;
    for (unsigned i = 0; i < dimensions->count; i++) {
        count *= dimensions->sizes[i];
        if (count > VARIABLE_BYTES_MAX)
            return error_too_large(frame, variable->span);
    }
    frame->variable_bytes += count * (scalar_type_bits(variable->type) / 8);
    if (frame->variable_bytes > VARIABLE_BYTES_MAX)
        return error_too_large(frame, variable->span);
    variable->is_array = dimensions->count > 0;
    variable->element_count = (size_t)count;
    return true;
}

// --- Variables ---------------------------------------------------------------------------------

// In a body PTX's rule holds; before the threads a test may initialise everything.
static bool check_may_initialise(struct frame *frame, const struct variable *variable,
                                 const struct token *equals) {
    if (!frame->body || variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST)
        return true;
    diag_error(frame->diagnostics, equals->span,
               "PTX only initialises .global and .const variables");
    diag_hint(frame->diagnostics,
              "declared before the threads, the variable can have a first value in a test");
    return false;
}

// The size of an array that is declared without: that of its list of initial values at the current
// token, or of its bank.
static bool find_size(struct frame *frame, const struct variable *variable, bool has_initial,
                      uint64_t *size) {
    if (variable->bank > 0 && !has_initial) {
        *size = CONST_BANK_BYTES / (scalar_type_bits(variable->type) / 8);
        return true;
    }
    if (!has_initial || !token_is_punct(frame_current(frame), '{')) {
        diag_error(frame->diagnostics, variable->span,
                   "array '%s' has neither a size nor a list of initial values",
                   frame_span_text(frame, variable->span));
        if (variable->space == SPACE_SHARED)
            diag_hint(frame->diagnostics,
                      "its size, which a launch gives, has to be written in a test: '%s[64]'",
                      frame_span_text(frame, variable->span));
        return false;
    }
    *size = frame_count_initial_list(frame);
    return true;
}

// declarator = name dimensions ("=" initialiser)?
// `variable` holds what precedes the name; `vector` is 1, or the elements of .v2 and .v4.
static bool parse_declarator(struct frame *frame, struct variable variable, unsigned vector) {
    const struct token *name = frame_current(frame);
    if (name->kind != TOKEN_WORD) {
        frame_error_expected(frame, "the name of a variable");
        return false;
    }
    frame_next(frame);
    variable.name = token_text(frame->arena, name);
    variable.span = name->span;
    struct dimensions dimensions = {0};
    if (!parse_dimensions(frame, &dimensions))
        return false;
    const struct token *equals = frame_current(frame);
    bool has_initial = frame_accept_punct(frame, '=');
    if (has_initial && !check_may_initialise(frame, &variable, equals))
        return false;
    if (dimensions.count > 0 && dimensions.sizes[0] == 0 &&
        !find_size(frame, &variable, has_initial, &dimensions.sizes[0]))
        return false;
    if (vector > 1) // `sizes` has a place for it besides those of an array
        dimensions.sizes[dimensions.count++] = vector;
    if (!set_size(frame, &variable, &dimensions))
        return false;
    int index = add_variable(frame, variable);
    if (index < 0)
        return false;
    if (has_initial && !frame_parse_initialiser(frame, (size_t)index, &dimensions))
        return false;
    bool repeats = !frame->suffix && frame->test->variables[index].name != variable.name;
    return !repeats || end_repeated(frame, variable.name);
}

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
    diag_error(frame->diagnostics, span, "an alignment is a power of two, not '%s'",
               frame_span_text(frame, span));
    return false;
}

static enum scalar_type type_named(const char *name) {
    for (int type = TYPE_PRED; type <= TYPE_F64; type++)
        if (strcmp(scalar_type_name((enum scalar_type)type), name) == 0)
            return (enum scalar_type)type;
    return TYPE_NONE;
}

static bool error_unknown_qualifier(struct frame *frame, const struct token *token) {
    static const char *const known[] = {
        ".global", ".shared", ".const", ".local", ".param", ".align", ".b8",     ".b16", ".b32",
        ".b64",    ".b128",   ".u8",    ".u16",   ".u32",   ".u64",   ".s8",     ".s16", ".s32",
        ".s64",    ".f16",    ".f32",   ".f64",   ".v2",    ".v4",    ".visible"};
    const char *text = token_text(frame->arena, token);
    diag_error(frame->diagnostics, token->span, "'%s' does not belong in a declaration",
               frame_span_text(frame, token->span));
    const char *nearest = diag_nearest(text, strlen(text), known, sizeof(known) / sizeof(known[0]));
    if (strcmp(text, ".reg") == 0)
        diag_hint(frame->diagnostics, "registers are declared in the body of their thread");
    else if (strcmp(text, ".shared::cluster") == 0)
        diag_hint(frame->diagnostics, "variables are declared .shared");
    else if (nearest)
        diag_hint(frame->diagnostics, "did you mean '%s'?", nearest);
    return false;
}

static bool set_once(struct frame *frame, struct span *seen, const struct token *token,
                     const char *what) {
    if (!seen->source) {
        *seen = token->span;
        return true;
    }
    diag_error(frame->diagnostics, token->span, "'%s' after '%s': a variable has one %s",
               frame_span_text(frame, token->span), frame_span_text(frame, *seen), what);
    return false;
}

// bank = "[" integer "]": the banks of constant memory before PTX 2.2 (PTX ISA 5.1.3.1)
static bool parse_bank(struct frame *frame, struct variable *variable) {
    struct span span = frame_current(frame)->span;
    if (!token_is_punct(frame_current(frame), '['))
        return true;
    frame_next(frame);
    if (!frame_parse_unsigned(frame, "the number of a bank", &variable->bank))
        return false;
    if (!frame_accept_punct(frame, ']')) {
        frame_error_expected(frame, "']'");
        return false;
    }
    span = span_join(span, frame_behind_previous(frame));
    if (variable->bank > 10) {
        diag_error(frame->diagnostics, span, "the banks of constant memory are 0 to 10");
        return false;
    }
    diag_warning(frame->diagnostics, span, "PTX has no banks of constant memory since version 2.2");
    return true;
}

// attribute = ".attribute" "(" part ("," part)* ")"
// part = ".managed" | ".unified" "(" integer "," integer ")"
static bool parse_attribute(struct frame *frame, struct variable *variable) {
    if (!frame_accept_punct(frame, '(')) {
        frame_error_expected(frame, "'(' and an attribute");
        return false;
    }
    do {
        const struct token *part = frame_next(frame);
        struct constant id;
        if (token_is(part, ".managed"))
            continue;
        if (!token_is(part, ".unified")) {
            diag_error(frame->diagnostics, part->span,
                       "the attributes of a variable are .managed "
                       "and .unified");
            return false;
        }
        variable->is_unified = true;
        for (unsigned i = 0; i < 3; i++) {
            if (!frame_accept_punct(frame, "(,)"[i])) {
                diag_error(frame->diagnostics, part->span,
                           "'.unified' is followed by two numbers in parentheses");
                return false;
            }
            if (i == 2)
                break;
            if (!frame_parse_constant(frame, "a number", &id))
                return false;
            variable->unified[i] = id.value.low;
        }
        reader_need(&frame->reader,
                    (struct need){.span = part->span, .words = "'.unified'", .ptx = 80, .sm = 90});
    } while (frame_accept_punct(frame, ','));
    if (frame_accept_punct(frame, ')'))
        return true;
    frame_error_expected(frame, "')'");
    return false;
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
    enum scalar_type type = is_opaque_type(text) ? TYPE_B64 : type_named(text + 1);
    if (type == TYPE_NONE)
        return false;
    if (type == TYPE_PRED) {
        diag_error(frame->diagnostics, token->span, "a variable in memory cannot have type .pred");
        *fine = false;
        return true;
    }
    if (type == TYPE_BF16 || type == TYPE_BF16X2) { // PTX ISA 5.2.3: no fundamental types
        diag_error(frame->diagnostics, token->span, "a variable cannot be declared '%s'", text);
        diag_hint(frame->diagnostics, "declare it '.b%u'", scalar_type_bits(type));
        *fine = false;
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
    if (is_opaque_type(text) || type_named(text + 1) != TYPE_NONE)
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
    if (declaration->pointer.source && declaration->variable.space != SPACE_PARAM) {
        diag_error(frame->diagnostics, declaration->pointer,
                   "'.ptr' describes what a parameter points to: this variable is not a .param");
        return false;
    }
    if (declaration->pointer_space.source &&
        token_is_parameter_space(frame, declaration->pointer_space)) {
        diag_error(frame->diagnostics, declaration->pointer_space,
                   "a pointer is to .const, .global, .local or .shared memory");
        return false;
    }
    return true;
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
    struct span qualifiers = span_join(first->span, frame_behind_previous(frame));
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
    if (!check_vector(frame, &declaration) || !check_linkage(frame, &declaration))
        return false;
    unsigned size = scalar_type_bits(declaration.variable.type) / 8 * declaration.vector;
    if (declaration.variable.alignment == 0)
        declaration.variable.alignment = size;
    do {
        size_t known = frame->test->variable_count;
        if (!parse_declarator(frame, declaration.variable, declaration.vector))
            return false;
        if (frame->test->variable_count > known &&
            !check_external(frame, &declaration, &frame->test->variables[known]))
            return false;
    } while (frame_accept_punct(frame, ','));
    return true;
}

// herd's form: declaration = declarator, a .global .u32
static bool parse_short_declaration(struct frame *frame) {
    if (frame_peek(frame, 1)->kind == TOKEN_WORD) {
        const struct token *type = frame_current(frame);
        diag_error(frame->diagnostics, type->span, "a declaration cannot start with '%s'",
                   frame_span_text(frame, type->span));
        diag_hint(frame->diagnostics, "variables have PTX types: .global .u32 %s = 0;",
                  frame_span_text(frame, frame_peek(frame, 1)->span));
        return false;
    }
    return parse_declarator(
        frame,
        (struct variable){.space = SPACE_GLOBAL, .type = TYPE_U32, .alignment = 4, .alias_of = -1},
        1);
}

// --- Aliases -----------------------------------------------------------------------------------

// The proxies that an alias may go through: their names, and in words all of them.
static size_t alias_proxies(struct arena *arena, const char **names, const char **list) {
    size_t count = 0;
    for (enum proxy proxy = 0; proxy < PROXY_COUNT; proxy++)
        if (proxy_has(proxy, PROXY_ALIASES))
            names[count++] = proxy_name(proxy);
    *list = names[0];
    for (size_t i = 1; i < count; i++)
        *list = arena_format(arena, "%s%s%s", *list, i + 1 < count ? ", " : " or ", names[i]);
    return count;
}

static bool parse_proxy(struct frame *frame, enum proxy *proxy) {
    const char *names[PROXY_COUNT], *list;
    const struct token *token = frame_current(frame);
    for (enum proxy one = 0; one < PROXY_COUNT; one++) {
        if (proxy_has(one, PROXY_ALIASES) && token_is(token, proxy_name(one))) {
            *proxy = one;
            frame_next(frame);
            return true;
        }
    }
    size_t count = alias_proxies(frame->arena, names, &list);
    frame_error_expected(frame, "the proxy of an alias");
    const char *nearest = diag_nearest(token->span.source->text + token->span.begin,
                                       token->span.end - token->span.begin, names, count);
    if (nearest)
        diag_hint(frame->diagnostics, "did you mean '%s'?", nearest);
    else
        diag_hint(frame->diagnostics, "%s", list);
    return false;
}

// alias = name "@" proxy "aliases" variable
static bool parse_alias(struct frame *frame) {
    const struct token *name = frame_next(frame);
    enum proxy proxy = PROXY_GENERIC;
    frame_next(frame); // the '@'
    if (!parse_proxy(frame, &proxy))
        return false;
    if (!token_is(frame_current(frame), "aliases")) {
        frame_error_expected(frame, "'aliases'");
        return false;
    }
    frame_next(frame);
    if (frame_current(frame)->kind != TOKEN_WORD) {
        frame_error_expected(frame, "the name of a variable");
        return false;
    }
    int target = reader_require_variable(&frame->reader, frame_next(frame));
    if (target < 0)
        return false;
    struct variable variable = frame->test->variables[target];
    variable.name = token_text(frame->arena, name);
    variable.span = name->span;
    variable.has_initial = false;
    variable.initial = NULL;
    variable.alias_of = target;
    variable.alias_proxy = proxy;
    return add_variable(frame, variable) >= 0;
}

// --- All of them -------------------------------------------------------------------------------

// declaration = register initial | alias | herd's form | PTX's form
static bool parse_declaration(struct frame *frame) {
    const struct token *token = frame_current(frame), *next = frame_peek(frame, 1);
    if (frame_at_register(frame))
        return frame_parse_register_initial(frame);
    if (token->kind == TOKEN_QUALIFIER)
        return frame_parse_ptx_declaration(frame);
    if (token->kind == TOKEN_WORD && token_is_punct(next, '@'))
        return parse_alias(frame);
    if (token->kind == TOKEN_WORD)
        return parse_short_declaration(frame);
    frame_error_expected(frame, "a declaration or a thread");
    return false;
}

static bool at_declarations_end(const struct frame *frame) {
    const struct token *token = frame_current(frame);
    return token->kind == TOKEN_END || token_is_punct(token, '}') ||
           frame_at_thread_header(frame) ||
           (token->line_start &&
            (frame_at_tail(frame) || frame_nearest_tail_word(frame) != TAIL_NONE));
}

// Goes past the ';' that ends a declaration with errors, or to what cannot be a part of it.
static void skip_declaration(struct frame *frame) {
    unsigned depth = frame->open_lists;
    frame->open_lists = 0;
    for (; frame_current(frame)->kind != TOKEN_END; frame_next(frame)) {
        const struct token *token = frame_current(frame);
        if (depth == 0 && at_declarations_end(frame))
            return;
        if (token_is_punct(token, ';')) {
            frame_next(frame);
            return;
        }
        if (token_is_punct(token, '{'))
            depth++;
        else if (token_is_punct(token, '}') && depth > 0)
            depth--;
    }
}

static void parse_declaration_list(struct frame *frame) {
    while (!at_declarations_end(frame)) {
        if (frame_accept_punct(frame, ';') || frame_parse_directive(frame))
            continue;
        if (frame_at_function(frame)) {
            if (!frame_parse_function(frame))
                skip_declaration(frame);
            continue;
        }
        size_t count = frame->test->variable_count;
        bool names_variable = !frame_at_register(frame);
        if (!parse_declaration(frame)) {
            if (names_variable && frame->test->variable_count == count)
                frame->reader.variables_failed = true;
            skip_declaration(frame);
            continue;
        }
        if (frame_accept_punct(frame, ';') || token_is_punct(frame_current(frame), '}'))
            continue;
        if (frame_current(frame)->line_start || frame_current(frame)->kind == TOKEN_END) {
            diag_error(frame->diagnostics, frame_behind_previous(frame),
                       "a ';' is missing at the end of this declaration");
            continue;
        }
        frame_error_expected(frame, "';' at the end of the declaration");
        skip_declaration(frame);
    }
}

// declarations = "{" (declaration ";")* "}" ";"? | (declaration ";")*
void frame_parse_declarations(struct frame *frame) {
    const struct token *opener = frame_current(frame);
    bool braces = frame_accept_punct(frame, '{');
    parse_declaration_list(frame);
    if (braces && !frame_accept_punct(frame, '}')) {
        diag_error(frame->diagnostics, opener->span, "this '{' is never closed");
        diag_hint(frame->diagnostics, "a '}' ends the declarations, before the first thread");
    } else if (braces) {
        frame_accept_punct(frame, ';');
    }
    parse_declaration_list(frame); // after the braces, too
    while (token_is_punct(frame_current(frame), '}')) {
        diag_error(frame->diagnostics, frame_current(frame)->span, "this '}' has no '{' before it");
        frame_next(frame);
        parse_declaration_list(frame);
    }
    frame_resolve_address_initials(frame);
    frame_check_function_names(frame);
}

bool frame_declare_in_body(void *context, const struct thread *thread, const struct token *tokens,
                           size_t count, const char *suffix) {
    struct frame *frame = context;
    const struct token *own_tokens = frame->tokens;
    size_t own_count = frame->count, own_at = frame->at;
    size_t variables = frame->test->variable_count;
    frame->tokens = tokens;
    frame->count = count;
    frame->at = 0;
    frame->open_lists = 0;
    frame->body = (unsigned)(thread - frame->test->threads) + 1;
    frame->suffix = suffix;
    bool fine = frame_parse_ptx_declaration(frame);
    frame->suffix = NULL;
    if (fine && frame->at + 1 < count) {
        frame_error_expected(frame, "';' at the end of the declaration");
        fine = false;
    }
    if (!fine && frame->test->variable_count == variables)
        frame->reader.variables_failed = true;
    frame_resolve_address_initials(frame);
    frame->tokens = own_tokens;
    frame->count = own_count;
    frame->at = own_at;
    frame->open_lists = 0;
    frame->body = 0;
    return fine;
}
