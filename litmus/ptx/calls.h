// Inside litmus/ptx: calls of functions, directly and through addresses, and branches by an index.
#ifndef PTXLITMUS_PTX_CALLS_H
#define PTXLITMUS_PTX_CALLS_H

#include "litmus/ptx/body.h"

struct raw_operand;

// --- call.c ------------------------------------------------------------------------------------

// A call being read.
struct call {
    struct span span;
    struct function *function; // NULL: through an address
    int address;               // the register that has it
    const char *list_name;     // the label that says which functions it may be of
    struct raw_operand *arguments, *results;
    size_t argument_count, result_count;
};

// Whether the current statement, after its guard, is a call.
bool ptx_at_call(const struct body *body);

// Reads a call, after its guard (a register, or -1), and the function's body in its place. Returns
// false after errors.
bool ptx_parse_call(struct body *body, int guard, bool guard_negated);

// Makes a 'ret' the branch to the end of the function; returns false outside of functions.
bool ptx_return_from_call(struct body *body, struct instruction *instruction);

// --- indirect.c --------------------------------------------------------------------------------

// Reads a .branchtargets, .calltargets or .callprototype after its label. Returns false after an
// error.
bool ptx_parse_call_list(struct body *body);

// Makes a brx.idx, whose list has the name that is given, branches to the labels of the list; what
// remains of the instruction does nothing. Returns false after an error.
bool ptx_branch_by_index(struct body *body, struct instruction *instruction,
                         const struct token *name);

// The functions that a call through an address may be of.
struct callees {
    struct function **items;
    size_t count;
};

// Finds them, at least one. Returns false after an error.
bool ptx_find_callees(struct body *body, const struct call *call, struct callees *found);

#endif
