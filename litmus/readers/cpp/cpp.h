// Inside the reader of tests in C++ (litmus-format.md section 6): what its parts share.
//
// A test in C++ becomes instructions as one in PTX does, of which loads, stores and atomic
// operations may have every order of C++, ORDER_SC too. Its model is one of C++
// (model/scoped-rc11.cat); lowering/ turns it into PTX.
#ifndef PTXLITMUS_READERS_CPP_H
#define PTXLITMUS_READERS_CPP_H

#include "litmus/readers/frame.h"

// An atomic_ref that a body declares: another name of a variable, with a scope.
struct cpp_reference {
    const char *name;
    int variable;
    enum scope scope;
};

// Tokens being read: of a body, or of the declarations.
struct cpp {
    struct reader *reader;
    struct thread *thread; // NULL in declarations
    const struct token *tokens;
    size_t at;
    struct cpp_reference *references;
    size_t reference_count;
    unsigned depth;       // of statements and expressions in each other
    unsigned temporaries; // registers that no name of the test is
};

// A value in a register or a constant; or the truth of a comparison, in a predicate.
struct cpp_value {
    struct operand operand;
    enum scalar_type type; // TYPE_PRED for a truth; TYPE_NONE for a constant, which fits any type
    struct span span;
};

// --- tokens.c ------------------------------------------------------------------------------------

// Returns the current token, or the one `ahead` of it; the TOKEN_END when there is none.
const struct token *cpp_peek(const struct cpp *cpp, size_t ahead);

// Goes to the next token and returns the one that was current.
const struct token *cpp_next(struct cpp *cpp);

// Goes past the current token if it is this mark; returns whether it is.
bool cpp_accept(struct cpp *cpp, int punct);

// The same, with an error if it is not: "expected `what`, not 'x'".
bool cpp_expect(struct cpp *cpp, int punct, const char *what);

// Adds the error "expected X, not 'y'" at the current token. Returns false.
bool cpp_error_expected(struct cpp *cpp, const char *what);

// Returns what a token is called in messages, owned by the arena.
const char *cpp_text(struct cpp *cpp, const struct token *token);

// Returns the span from a token to the last one that was read.
struct span cpp_span_from(const struct cpp *cpp, const struct token *first);

// --- words.c -------------------------------------------------------------------------------------

// Returns the word for an order, "memory_order_acquire", which lives for ever.
const char *cpp_order_word(enum access_order order);

// Returns how many tokens a qualified name at the current token has,
// `cuda::std::memory_order_acquire`; 0 when there is none. `*name` is its last word, or the last
// two where they are `memory_order::acquire` and its like.
size_t cpp_qualified(struct cpp *cpp, size_t ahead, const char **name);

// Reads an order. False, without an error, when the current tokens are something else;
// with an error for one that there is, but not in these tests (`*failed`).
bool cpp_accept_order(struct cpp *cpp, enum access_order *order, bool *failed);

// Reads a scope. False after an error.
bool cpp_parse_scope(struct cpp *cpp, enum scope *scope);

// Adds the error "expected `what`, not 'x'" at what should be an order or a scope, with the nearest
// word as a hint. Returns false.
bool cpp_error_word(struct cpp *cpp, const char *what);

// What a type says: `int`, or `cuda::atomic<int, cuda::thread_scope_device>`.
struct cpp_type {
    enum scalar_type scalar;
    bool is_atomic, is_reference, is_auto;
    enum scope scope; // of atomic and atomic_ref
};

// Reads a type. False, without an error, when there is none at the current token; with one for
// types that there are, but not in these tests.
bool cpp_accept_type(struct cpp *cpp, struct cpp_type *type, bool *failed);

// --- emit.c --------------------------------------------------------------------------------------

// Adds a value as an operand of an instruction, which is not a truth but for selp.
void cpp_add_value(struct instruction *instruction, const struct cpp_value *value);

// Appends it to the thread.
void cpp_emit(struct cpp *cpp, const struct instruction *instruction);

// Returns a new register of a type (TYPE_PRED: a predicate), which no name of the test is.
int cpp_temporary(struct cpp *cpp, enum scalar_type type, struct span span);

// Returns the value that a register holds.
struct cpp_value cpp_in_register(int reg, enum scalar_type type, struct span span);

// Returns a constant, which fits any type.
struct cpp_value cpp_constant(uint64_t value, struct span span);

// Adds an instruction that computes with one or two values (`right` is NULL) to the thread. Returns
// its result, of a type, in a new register.
struct cpp_value cpp_compute(struct cpp *cpp, struct instruction instruction, enum scalar_type type,
                             const struct cpp_value *left, const struct cpp_value *right);

// Returns a value as one that is not a truth: 1 or 0 for those.
struct cpp_value cpp_number(struct cpp *cpp, struct cpp_value value);

// Returns a value as a truth: whether it is not 0.
struct cpp_value cpp_truth(struct cpp *cpp, struct cpp_value value);

// Puts a value into a register of the test. False after an error: it has another width.
bool cpp_assign(struct cpp *cpp, int reg, struct cpp_value value);

// Whether a value may be used as one of this type; false after an error.
bool cpp_check_width(struct cpp *cpp, enum scalar_type type, const struct cpp_value *value);

// Returns a new label, which cpp_place puts at the place of the next instruction; cpp_jump jumps
// there, always or if the truth `value` (NULL: always) is `when`.
int cpp_label(struct cpp *cpp, struct span span);

// Puts a label before the next instruction.
void cpp_place(struct cpp *cpp, int label);

// Jumps to a label if the truth `value` (NULL: always) is `when`.
void cpp_jump(struct cpp *cpp, int label, const struct cpp_value *value, bool when,
              struct span span);

// --- expression.c, atomic.c ----------------------------------------------------------------------

enum { CPP_DEPTH_MAX = 100 }; // of parentheses and statements

// Reads an expression. False after an error.
bool cpp_parse_expression(struct cpp *cpp, struct cpp_value *value);

// Says what is wrong with a name that is neither a variable of the thread nor a shared one. Returns
// false.
bool cpp_error_name(struct cpp *cpp, const struct token *token);

// Whether a call of an atomic operation, a fence or a barrier begins at the current token.
bool cpp_at_call(struct cpp *cpp);

// Reads such a call. `value` is its result, if it has one (`*has_value`). False after an error.
bool cpp_parse_call(struct cpp *cpp, struct cpp_value *value, bool *has_value);

// Loads a variable as `x` in an expression does, and stores to it as `x = value`: plainly, or if it
// is a cuda::atomic as load() and store() without an order.
struct cpp_value cpp_load(struct cpp *cpp, int variable, struct span span);

// Stores to a variable as `x = value` does, in the same way. False after an error.
bool cpp_store(struct cpp *cpp, int variable, const struct cpp_value *value, struct span span);

#endif
