// What a declaration gives its variables after their qualifiers: names, dimensions, and the place
// of the first values; and declarations that several bodies share.
#include "litmus/readers/declarations.h"
#include "litmus/readers/frame.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <stddef.h>

enum { CONST_BANK_BYTES = 64 * 1024 };

// --- The test's variables -----------------------------------------------------------------------

// Whether the declaration at hand may repeat that of another body.
static bool may_repeat(const struct frame *frame, int other) {
    unsigned body = frame->test->variables[other].body;
    return frame->body != 0 && body != 0 && body != frame->body;
}

int frame_add_variable(struct frame *frame, struct variable variable) {
    struct test *test = frame->test;
    variable.body = frame->body;
    if (frame->suffix)
        variable.name = arena_format(frame->arena, "%s%s", variable.name, frame->suffix);
    int other = reader_variable(&frame->reader, variable.name);
    if (other >= 0 && may_repeat(frame, other)) {
        // Not a word, and not what a block inside a body calls its own (litmus/ptx/declare.c).
        variable.name = arena_format(frame->arena, "%s@@%u", variable.name, ++frame->repeated);
        return reader_add_variable(&frame->reader, &variable);
    }
    if (other >= 0) {
        diag_error(frame->diagnostics, variable.span, "variable '%s' is declared twice",
                   frame_span_text(frame, variable.span));
        diag_hint(frame->diagnostics, "the first declaration is on line %u",
                  span_line(test->variables[other].span));
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
        diag_hint(frame->diagnostics, "its declaration is on line %u", span_line(other->span));
        return false;
    }
    other->body = frame->body;
    return true;
}

// --- Sizes -------------------------------------------------------------------------------------

static bool error_too_large(struct frame *frame, struct span span, bool are_zeros) {
    assert(span.begin <= span.end);
    return diag_error(frame->diagnostics, span,
                      are_zeros
                          ? "the variables of a test that begin as zeros have at most %d bytes "
                            "together"
                          : "the variables of a test have at most %d bytes together",
                      are_zeros ? ZERO_BYTES_MAX : VARIABLE_BYTES_MAX);
}

// dimensions = ("[" integer? "]")*
static bool parse_dimensions(struct frame *frame, struct dimensions *dimensions) {
    while (frame_accept_punct(frame, '[')) {
        struct span span = frame_current(frame)->span;
        if (dimensions->count == ARRAY_DIMENSIONS_MAX)
            return diag_error(frame->diagnostics, span, "an array has at most %d dimensions",
                              ARRAY_DIMENSIONS_MAX);
        unsigned size = 0;
        bool open = dimensions->count == 0 && token_is_punct(frame_current(frame), ']');
        if (!open && !frame_parse_unsigned(frame, "the number of elements", &size))
            return false;
        if (!open && size == 0)
            return diag_error(frame->diagnostics, span, "an array needs at least one element");
        if (size > ZERO_BYTES_MAX)
            return error_too_large(frame, span, true);
        dimensions->sizes[dimensions->count++] = size;
        if (!frame_expect(frame, ']', "']'"))
            return false;
    }
    return true;
}

// Counts the elements of a variable and checks that the test does not grow too large. Zeros of
// .global memory cost nothing until they are accessed.
static bool set_size(struct frame *frame, struct variable *variable,
                     const struct dimensions *dimensions, bool has_initial) {
    bool are_zeros = variable->space == SPACE_GLOBAL && !has_initial;
    uint64_t most = are_zeros ? ZERO_BYTES_MAX : VARIABLE_BYTES_MAX, count = 1;
    uint64_t *bytes = are_zeros ? &frame->zero_bytes : &frame->variable_bytes;
    for (unsigned i = 0; i < dimensions->count; i++) {
        count *= dimensions->sizes[i];
        if (count > most)
            return error_too_large(frame, variable->span, are_zeros);
    }
    *bytes += count * (scalar_type_bits(variable->type) / 8);
    if (*bytes > most)
        return error_too_large(frame, variable->span, are_zeros);
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
bool frame_parse_declarator(struct frame *frame, struct variable variable, unsigned vector) {
    const struct token *name = frame_expect_word(frame, "the name of a variable");
    if (!name)
        return false;
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
    if (!set_size(frame, &variable, &dimensions, has_initial))
        return false;
    int index = frame_add_variable(frame, variable);
    if (index < 0)
        return false;
    if (has_initial && !frame_parse_initialiser(frame, (size_t)index, &dimensions))
        return false;
    bool repeats = !frame->suffix && frame->test->variables[index].name != variable.name;
    return !repeats || end_repeated(frame, variable.name);
}
