// What precedes the threads: declarations of variables in PTX's form and in herd's, aliases, and
// initial values of registers, and how the list of them ends.
#include "litmus/readers/declarations.h"
#include "litmus/readers/frame.h"
#include "litmus/readers/threads.h"

#include "litmus/source/arena.h"

#include <stddef.h>
#include <string.h>

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
    return frame_parse_declarator(
        frame,
        (struct variable){.space = SPACE_GLOBAL, .type = TYPE_U32, .alignment = 4, .alias_of = -1},
        1);
}

// An mbarrier that is initialised before the threads start: mbarrier = "mbarrier" name "=" count
static bool parse_mbarrier(struct frame *frame) {
    size_t index = frame->test->variable_count;
    const struct token *word = frame_next(frame);
    if (!frame_parse_declarator(frame,
                                (struct variable){.space = SPACE_SHARED,
                                                  .type = TYPE_B64,
                                                  .alignment = 8,
                                                  .alias_of = -1,
                                                  .is_mbarrier = true},
                                1))
        return false;
    const struct variable *variable = &frame->test->variables[index];
    const struct initial_element *count = variable->initial;
    bool plain = variable->has_initial && !variable->is_array && count->variable < 0;
    if (plain && count->value.high == 0 && count->value.low >= 1 && count->value.low <= 65535)
        return true;
    diag_error(frame->diagnostics, span_join(word->span, variable->span),
               "an mbarrier is declared with the count of its arrivals, 1 to 65535");
    diag_hint(frame->diagnostics, "mbarrier %s = 1", variable->name);
    return false;
}

// --- Multimem addresses ------------------------------------------------------------------------

// A variable to which a multimem address points, as the first does; -1 after an error.
static int parse_copy(struct frame *frame, int first) {
    const struct token *name = frame_current(frame);
    if (name->kind != TOKEN_WORD) {
        frame_error_expected(frame, "the name of a variable");
        return -1;
    }
    int target = reader_require_variable(&frame->reader, frame_next(frame));
    if (target < 0)
        return -1;
    const struct variable *variable = &frame->test->variables[target];
    const struct variable *other = &frame->test->variables[first < 0 ? target : first];
    bool fits = variable->space == SPACE_GLOBAL && variable->alias_of < 0;
    if (!fits)
        diag_error(frame->diagnostics, name->span,
                   "a multimem address points to .global variables, and '%s' is not one",
                   variable->name);
    else if (variable->type != other->type || variable->element_count != other->element_count)
        diag_error(frame->diagnostics, name->span,
                   "'%s' and '%s' differ: a multimem address points to variables of one type",
                   other->name, variable->name);
    else
        return target;
    return -1;
}

// Adds the address of one of the variables to which it points: the others' names cannot be written.
static bool add_copy(struct frame *frame, const struct token *name, int target, bool is_first) {
    struct variable variable = frame->test->variables[target];
    const char *text = token_text(frame->arena, name);
    variable.name = is_first ? text : arena_format(frame->arena, "%s(%s)", text, variable.name);
    variable.span = name->span;
    variable.has_initial = false;
    variable.initial = NULL;
    variable.alias_of = target;
    variable.alias_proxy = PROXY_GENERIC;
    variable.is_multimem = true;
    return frame_add_variable(frame, variable) >= 0;
}

// The variables to which a multimem address points. Returns how many, 0 after an error.
static int parse_copies(struct frame *frame, const struct token *name, int *targets, int most) {
    int count = 0;
    do {
        int target = parse_copy(frame, count > 0 ? targets[0] : -1);
        bool twice = false;
        for (int i = 0; i < count; i++)
            twice = twice || targets[i] == target;
        if (target < 0)
            return 0;
        if (twice || count == most) {
            diag_error(frame->diagnostics, name->span,
                       "a multimem address points to at most %d distinct variables", most);
            return 0;
        }
        targets[count++] = target;
    } while (frame_accept_punct(frame, ','));
    return count;
}

// multimem = "multimem" name "=" variable ("," variable)*
static bool parse_multimem(struct frame *frame) {
    enum { COPIES_MAX = 16 };
    int targets[COPIES_MAX];
    frame_next(frame);
    const struct token *name = frame_next(frame);
    if (!frame_expect(frame, '=', "'=' and the variables to which the multimem address points"))
        return false;
    int count = parse_copies(frame, name, targets, COPIES_MAX);
    size_t index = frame->test->variable_count;
    for (int i = 0; i < count; i++)
        if (!add_copy(frame, name, targets[i], i == 0))
            return false;
    if (count > 0)
        frame->test->variables[index].copies = (unsigned)count;
    return count > 0;
}

// --- Tensormaps --------------------------------------------------------------------------------

// list = number | "{" number ("," number)* "}": up to 5 of them
static bool parse_tensor_list(struct frame *frame, const char *what, unsigned *numbers,
                              unsigned *count) {
    bool list = frame_accept_punct(frame, '{');
    *count = 0;
    do {
        struct span span = frame_current(frame)->span;
        if (*count == TENSOR_RANK_MAX)
            return diag_error(frame->diagnostics, span, "a tensor has at most 5 dimensions");
        if (!frame_parse_unsigned(frame, what, &numbers[*count]))
            return false;
        if (numbers[(*count)++] == 0)
            return diag_error(frame->diagnostics, span,
                              "a dimension of a tensor has at least one element");
    } while (list && frame_accept_punct(frame, ','));
    if (!list || frame_accept_punct(frame, '}'))
        return true;
    return frame_error_expected(frame, "',' or '}'");
}

// corner = "{" number ("," number)* "}": W, then H, then D
static bool parse_corner(struct frame *frame, const struct tensor *tensor, int *corner) {
    for (unsigned i = 0; i + 2 < tensor->rank; i++) {
        struct constant constant;
        if (!frame_accept_punct(frame, i == 0 ? '{' : ','))
            return frame_error_expected(frame,
                                        i == 0 ? "'{' and a corner of the bounding box" : "','");
        if (!frame_parse_constant(frame, "a corner of the bounding box", &constant))
            return false;
        if (!frame_constant_fits(constant.value, constant.negative, constant.negative ? 16 : 15))
            return diag_error(frame->diagnostics, constant.span,
                              "a corner of a bounding box is a number of 16 bits");
        corner[i] = (int16_t)(uint16_t)constant.value.low;
    }
    return frame_expect(frame, '}', "'}'");
}

// columns = "im2col" corner "," corner "," channels "," pixels: the arguments of
// cuTensorMapEncodeIm2col
static bool parse_columns(struct frame *frame, struct tensor *tensor) {
    struct span span = frame_next(frame)->span;
    tensor->im2col = true;
    if (tensor->rank < 3)
        return diag_error(
            frame->diagnostics, span,
            "a tensor in im2col mode has at least 3 dimensions: channels, W and images");
    if (!parse_corner(frame, tensor, tensor->lower))
        return false;
    for (unsigned i = 0; i < 3; i++) {
        if (!frame_expect(frame, ',', "','"))
            return false;
        if (i == 0 ? !parse_corner(frame, tensor, tensor->upper)
                   : !frame_parse_unsigned(frame, "a number of channels or pixels",
                                           i == 1 ? &tensor->channels : &tensor->pixels))
            return false;
    }
    return true;
}

// "Upper- / Lower- Corner sizes", and that "the bounding box [...] must have non-zero area" (PTX
// ISA 5.5.4.1, cuTensorMapEncodeIm2col). Returns what is wrong, or NULL.
static const char *check_columns(const struct tensor *tensor) {
    static const int limits[] = {1 << 15, 1 << 7, 1 << 4};
    for (unsigned i = 0; i + 2 < tensor->rank; i++) {
        int limit = limits[tensor->rank - 3], lower = tensor->lower[i], upper = tensor->upper[i];
        if (lower < -limit || lower >= limit || upper < -limit || upper >= limit)
            return "the corners of the bounding box are within 2^15 where the tensor has 3 "
                   "dimensions, 2^7 where it has 4, and 2^4 where it has 5";
        if ((int64_t)tensor->extents[1 + i] - 1 + upper < lower)
            return "the bounding box is empty: its upper corner is counted from the last element";
    }
    if (tensor->channels == 0 || tensor->channels > 256 || tensor->pixels == 0 ||
        tensor->pixels > 1024)
        return "a column has 1 to 1024 pixels, of 1 to 256 channels";
    return tensor->channels * tensor->element_size % 16 == 0
               ? NULL
               : "the channels of a pixel are a multiple of 16 bytes";
}

// What the GPU wants of a tensor (PTX ISA 5.5): dense, with rows and boxes of whole 16 bytes.
static bool check_tensor(struct frame *frame, struct span span, const struct variable *base,
                         const struct tensor *tensor) {
    const char *message = NULL;
    uint64_t elements = 1;
    for (unsigned i = 0; i < tensor->rank; i++) {
        elements *= tensor->extents[i];
        if (elements > base->element_count)
            message = "the tensor is larger than its variable";
        else if (tensor->box[i] > 256 && !tensor->im2col)
            message = "a box has at most 256 elements in each dimension";
    }
    if (tensor->im2col && !message)
        message = check_columns(tensor);
    if (base->space != SPACE_GLOBAL || base->tensor || base->alias_of >= 0)
        message = "a tensor is in a .global variable";
    else if (base->alignment % 16 != 0)
        message = "a tensor is aligned to 16 bytes: '.align 16'";
    else if (!tensor->im2col && tensor->box[0] * tensor->element_size % 16 != 0)
        message = "the first dimension of a box is a multiple of 16 bytes";
    else if (tensor->rank > 1 && tensor->extents[0] * tensor->element_size % 16 != 0)
        message = "the first dimension of a tensor with others is a multiple of 16 bytes";
    if (message)
        diag_error(frame->diagnostics, span, "%s", message);
    return message == NULL;
}

// The elements follow each other.
static void set_strides(struct tensor *tensor) {
    tensor->strides[0] = tensor->element_size;
    for (unsigned i = 1; i < tensor->rank; i++)
        tensor->strides[i] = tensor->strides[i - 1] * tensor->extents[i - 1];
}

static struct variable tensor_variable(struct frame *frame, int base, const struct tensor *tensor) {
    enum { ELEMENTS = TENSOR_MAP_BYTES / 8 };
    struct variable variable = {.space = SPACE_GLOBAL,
                                .type = TYPE_B64,
                                .element_count = ELEMENTS,
                                .is_array = true,
                                .alignment = TENSOR_MAP_BYTES,
                                .has_initial = true,
                                .alias_of = -1,
                                .tensor = tensor};
    variable.initial = ARENA_ARRAY(frame->arena, struct initial_element, ELEMENTS);
    for (unsigned i = 0; i < ELEMENTS; i++)
        variable.initial[i] = (struct initial_element){.variable = -1};
    variable.initial[0] = (struct initial_element){.variable = base, .is_generic = true};
    return variable;
}

// tensor = variable "," extents ("," (box | columns))?
bool frame_parse_tensor(struct frame *frame, struct span span, struct variable *map) {
    struct tensor *tensor = ARENA_NEW(frame->arena, struct tensor);
    int base = frame_require_variable(frame, "the variable of the tensor");
    if (base < 0)
        return false;
    if (!frame_expect(frame, ',', "',' and the extents of the tensor"))
        return false;
    if (!parse_tensor_list(frame, "an extent of the tensor", tensor->extents, &tensor->rank))
        return false;
    unsigned box = tensor->rank;
    memcpy(tensor->box, tensor->extents, sizeof tensor->box);
    if (frame_accept_punct(frame, ',') &&
        !(token_is(frame_current(frame), "im2col")
              ? parse_columns(frame, tensor)
              : parse_tensor_list(frame, "an extent of the box", tensor->box, &box)))
        return false;
    if (box != tensor->rank)
        return diag_error(frame->diagnostics, span, "a box has as many dimensions as its tensor");
    const struct variable *variable = &frame->test->variables[base];
    tensor->element_size = scalar_type_bits(variable->type) / 8;
    set_strides(tensor);
    if (!check_tensor(frame, span, variable, tensor))
        return false;
    *map = tensor_variable(frame, base, tensor);
    map->span = span;
    return true;
}

// tensormap = "tensormap" name "=" tensor
bool frame_parse_tensormap(struct frame *frame, enum state_space space) {
    frame_next(frame);
    const struct token *name = frame_next(frame);
    struct variable map;
    if (!frame_expect(frame, '=', "'='") || !frame_parse_tensor(frame, name->span, &map))
        return false;
    map.name = token_text(frame->arena, name);
    map.space = space;
    return frame_add_variable(frame, map) >= 0;
}

// At `tensormap t`, or `.shared tensormap t`?
static bool at_tensormap(const struct frame *frame, unsigned first) {
    return token_is(frame_peek(frame, first), "tensormap") &&
           frame_peek(frame, first + 1)->kind == TOKEN_WORD;
}

static bool parse_tensormap_in(struct frame *frame) {
    const struct token *space = frame_next(frame);
    bool shared = token_is(space, ".shared");
    if (shared || token_is(space, ".global"))
        return frame_parse_tensormap(frame, shared ? SPACE_SHARED : SPACE_GLOBAL);
    return diag_error(frame->diagnostics, space->span,
                      "a tensormap here is in .global or .shared memory");
}

// --- Aliases -----------------------------------------------------------------------------------

// The proxies that an alias may go through: their names, and in words all of them.
static size_t alias_proxies(struct arena *arena, const char **names, const char **list) {
    size_t count = 0;
    for (enum proxy proxy = 0; proxy < PROXY_COUNT; proxy++)
        if (proxy_has(proxy, PROXY_ALIASES))
            names[count++] = proxy_name(proxy);
    *list = arena_list(arena, names, count, " or ");
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
    if (!diag_suggest(frame->diagnostics, token_nearest(token, names, count)))
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
    if (!token_is(frame_current(frame), "aliases"))
        return frame_error_expected(frame, "'aliases'");
    frame_next(frame);
    int target = frame_require_variable(frame, "the name of a variable");
    if (target < 0)
        return false;
    struct variable variable = frame->test->variables[target];
    if (variable.is_multimem)
        return diag_error(frame->diagnostics, name->span,
                          "'%s' is a multimem address, which only 'multimem' instructions access",
                          variable.name);
    variable.name = token_text(frame->arena, name);
    variable.span = name->span;
    variable.has_initial = false;
    variable.initial = NULL;
    variable.alias_of = target;
    variable.alias_proxy = proxy;
    return frame_add_variable(frame, variable) >= 0;
}

// --- All of them -------------------------------------------------------------------------------

// declaration = C++'s form, in tests in C++ | register initial | alias | mbarrier | multimem |
// tensormap | herd's form | PTX's form
static bool parse_declaration(struct frame *frame) {
    const struct token *token = frame_current(frame), *next = frame_peek(frame, 1);
    if (frame->test->dialect == DIALECT_CPP)
        return frame_parse_cpp_declaration(frame);
    if (frame_at_register(frame))
        return frame_parse_register_initial(frame);
    if (at_tensormap(frame, 0))
        return frame_parse_tensormap(frame, SPACE_GLOBAL);
    if (token->kind == TOKEN_QUALIFIER && at_tensormap(frame, 1))
        return parse_tensormap_in(frame);
    if (token->kind == TOKEN_QUALIFIER)
        return frame_parse_ptx_declaration(frame);
    if (token->kind == TOKEN_WORD && token_is_punct(next, '@'))
        return parse_alias(frame);
    if (token_is(token, "mbarrier") && next->kind == TOKEN_WORD)
        return parse_mbarrier(frame);
    if (token_is(token, "multimem") && next->kind == TOKEN_WORD)
        return parse_multimem(frame);
    if (token->kind == TOKEN_WORD)
        return parse_short_declaration(frame);
    return frame_error_expected(frame, "a declaration or a thread");
}

static bool at_declarations_end(const struct frame *frame) {
    const struct token *token = frame_current(frame);
    return token->kind == TOKEN_END || token_is_punct(token, '}') ||
           frame_at_thread_header(frame) || (token->line_start && (frame_may_be_at_tail(frame)));
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
        bool is_cpp = frame->test->dialect == DIALECT_CPP;
        if (frame_accept_punct(frame, ';') ||
            (is_cpp ? frame_parse_schedule(frame) : frame_parse_directive(frame)))
            continue;
        if (!is_cpp && frame_at_function(frame)) {
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
            diag_error(frame->diagnostics, frame_after_previous(frame),
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
    if (fine && frame->at + 1 < count)
        fine = frame_error_expected(frame, "';' at the end of the declaration");
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
