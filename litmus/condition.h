// The condition that a test asks about, and its terms.
#ifndef PTXLITMUS_LITMUS_CONDITION_H
#define PTXLITMUS_LITMUS_CONDITION_H

#include "litmus/source/bits.h"
#include "litmus/source/source.h"
#include "litmus/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>

enum term_kind { TERM_CONSTANT, TERM_REGISTER, TERM_LOCATION, TERM_ADDRESS };

struct term {
    enum term_kind kind;
    struct span span;
    struct bits128 constant; // CONSTANT, sign-extended when written negative
    bool negative;           // CONSTANT was written with a minus sign
    int thread;              // REGISTER: index into test->threads
    int reg;
    int variable;      // LOCATION, ADDRESS
    size_t element;    // LOCATION: index of the element
    bool has_instance; // LOCATION: cta1:s
    unsigned instance_cta;
};

enum condition_kind {
    CONDITION_TRUE,
    CONDITION_FALSE,
    CONDITION_AND,
    CONDITION_OR,
    CONDITION_NOT,
    CONDITION_COMPARE
};

struct condition {
    enum condition_kind kind;
    struct span span;
    struct condition *left;  // AND, OR, NOT
    struct condition *right; // AND, OR
    enum compare_op compare; // EQ to GE
    struct term lhs, rhs;
};

enum quantifier { QUANTIFIER_EXISTS, QUANTIFIER_NOT_EXISTS, QUANTIFIER_FORALL };

#endif
