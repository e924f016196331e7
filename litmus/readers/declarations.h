// Inside litmus/readers: what is declared, before the threads and in bodies: variables, tensormaps,
// functions and directives. Each file has the grammar of what it reads. What is read goes into
// frame->test.
#ifndef PTXLITMUS_READERS_DECLARATIONS_H
#define PTXLITMUS_READERS_DECLARATIONS_H

#include "litmus/readers/frame.h"

// Reads everything up to the first thread (declarations.c).
void frame_parse_declarations(struct frame *frame);

// Reads one declaration in PTX's form, without the ';' after it (qualifiers.c). Returns false after
// an error.
bool frame_parse_ptx_declaration(struct frame *frame);

// Reads what a tensormap describes, `g, {8, 4}, {4, 1}`, as a variable of .global memory that has
// no name yet; `span` is where messages on all of it are. Returns false after an error.
bool frame_parse_tensor(struct frame *frame, struct span span, struct variable *map);

// Reads the declaration of a tensormap, `tensormap t = g, {8, 4}, {4, 1}`, and adds it in a space.
// Returns false after an error.
bool frame_parse_tensormap(struct frame *frame, enum state_space space);

// Reads a name, its dimensions and its first value, and adds the variable (declarators.c).
// `variable` holds what precedes the name; `vector` is 1, or the elements of .v2 and .v4. Returns
// false after an error.
bool frame_parse_declarator(struct frame *frame, struct variable variable, unsigned vector);

// Adds a variable unless its name is taken (declarators.c). Returns its index, or -1 after an
// error. One that repeats that of another body is there under a name that is not a word until
// frame_parse_declarator has compared the two.
int frame_add_variable(struct frame *frame, struct variable variable);

// Reads the directive of a PTX module at the current token, if there is one: .version, .target or
// .address_size (directives.c). Returns whether there was one, even with errors.
bool frame_parse_directive(struct frame *frame);

// Whether a function starts at the current token (functions.c).
bool frame_at_function(const struct frame *frame);

// Reads the function at the current token (functions.c). Returns false after an error.
bool frame_parse_function(struct frame *frame);

// Reports functions that have the name of a variable (functions.c).
void frame_check_function_names(struct frame *frame);

// The dimensions of an array.
struct dimensions {
    // 0: the first one, which the initialiser decides. There is one place more than arrays have
    // dimensions, for .v2 or .v4, the innermost dimension.
    uint64_t sizes[ARRAY_DIMENSIONS_MAX + 1];
    unsigned count;
};

// Reads `= value` or `= {values}` for the test's variable with this index, whose dimensions are
// borrowed (initialiser.c). Returns false after an error.
bool frame_parse_initialiser(struct frame *frame, size_t variable,
                             const struct dimensions *dimensions);

// Returns how many elements the list at the current '{' has at its outer level (initialiser.c).
uint64_t frame_count_initial_list(const struct frame *frame);

// Resolves the addresses in initialisers, once all variables are known (initialiser.c).
void frame_resolve_address_initials(struct frame *frame);

// Declares a variable in a body, for reader_declare_in_body; `context` is the frame
// (declarations.c). Returns false after an error.
bool frame_declare_in_body(void *context, const struct thread *thread, const struct token *tokens,
                           size_t count, const char *suffix);

// Reads one declaration in C++, without the ';' after it (cpp/body.c). Returns false after an
// error.
bool frame_parse_cpp_declaration(struct frame *frame);

#endif
