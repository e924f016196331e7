// Inside litmus/ptx: the parameters and results of functions.
#ifndef PTXLITMUS_LITMUS_PTX_PARAMETERS_H
#define PTXLITMUS_LITMUS_PTX_PARAMETERS_H

#include "litmus/source/lexer.h"
#include "litmus/thread.h"
#include "litmus/vocabulary.h"

struct body;

enum { PARAMETERS_MAX = 64 };

// .reg .b32 N    .param .align 8 .b8 buffer[12]
struct parameter {
    const struct token *name;
    enum scalar_type type; // of a register; of an element of a variable
    bool is_register;
    uint64_t count; // elements
    unsigned alignment;
};

struct parameters {
    struct parameter items[PARAMETERS_MAX];
    size_t count;
};

// Reads the parameters in `count` tokens, which are those between the parentheses. Returns false
// after an error.
bool ptx_parse_parameters(struct body *body, const struct token *tokens, size_t count,
                          struct parameters *parameters);

// Returns the alignment of a parameter in bytes: that of its type, unless it says another one.
unsigned ptx_alignment_of(const struct parameter *parameter);

// Whether two lists, such as of a prototype and its function, are the same but for names.
bool ptx_same_parameters(const struct parameters *a, const struct parameters *b);

// Finds whether two functions have the same parameters and results but for names. Returns false
// after an error.
bool ptx_same_signature(struct body *body, const struct function *a, const struct function *b,
                        bool *same);

#endif
