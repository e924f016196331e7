// Inside litmus/ptx: what the parts of the body parser share. Names and texts that are returned
// belong to the arena or the tables; errors go to the body's diagnostics.
//
// body.c cuts a body into statements, scope.c knows what names mean in them, match.c finds the form
// of each instruction, operands.c reads the operands, registers.c keeps the registers' types,
// memory.c checks addresses and assembles what the form says.
#ifndef PTXLITMUS_PTX_BODY_H
#define PTXLITMUS_PTX_BODY_H

#include "litmus/ptx/constant.h"
#include "litmus/ptx/match.h"
#include "litmus/ptx/ptx.h"
#include "litmus/ptx/target.h"
#include "litmus/names/names.h"

// `.reg .b32 %r<10>;` declares %r0 to %r9; they become registers when they first occur.
struct register_range {
    const char *prefix;
    uint64_t count;
    enum scalar_type type;
    struct span span;
    unsigned depth; // of the block that declares it; 0 is the body itself
};

// A register that an open block declares.
struct local_register {
    const char *key; // its name without the '%'
    int reg;
    unsigned depth;
};

// What a word means as the name of a register: one that exists already, one of a range that has not
// occurred yet, or neither.
struct register_name {
    int reg; // or -1
    const struct register_range *range;
};

struct body_block {
    int number; // from 1
    struct span opener;
    bool is_call; // of a function: the caller's names are not known in it
};

// What a .param variable is for the function that is being read.
enum variable_role { ROLE_VARIABLE, ROLE_INPUT, ROLE_RETURN };

// A variable's name in an open block.
struct variable_binding {
    const char *name;
    int variable;
    enum variable_role role;
    unsigned depth;
};

// What the parser knows of a register beyond struct test_register; indices are the same.
struct register_facts {
    bool declared, written;
    bool closed;                    // its block is
    const struct token *first_read; // NULL when it was never read
};

// What it knows of a label beyond struct label.
struct label_facts {
    bool defined;
    struct span first_use;
    int block; // the number of the block that it is looked for in
    int outer; // the label of a block around that it turned out to be, or -1
};

struct body {
    struct reader *reader;
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct thread *thread;
    const struct token *first; // of the statements that are read
    const struct token *at;    // the current token
    const struct token *end;   // of the statement: its ';', or where the next one seems to start
    struct register_range *ranges;
    size_t range_count;
    struct register_facts *register_facts;
    size_t register_fact_count;
    struct label_facts *label_facts; // as many as the thread's labels
    struct name_table *label_names;  // by block and name; NULL while there are none
    struct local_register *locals;
    size_t local_count;
    struct body_block *blocks; // the open ones, `depth` of them
    unsigned depth;
    int block_number; // of the last block
    struct variable_binding *bindings;
    size_t binding_count;
    struct function *function;    // the innermost one around this statement, or NULL
    unsigned calls;               // how many there are
    unsigned call_depth;          // the depth of the innermost one's block; 0 outside of functions
    int return_label;             // where its 'ret' goes
    struct call_list *call_lists; // .branchtargets, .calltargets and .callprototype so far
    size_t call_list_count;
    int misfit; // the register of the statement's last error about a type, or -1
};

// One instruction being read.
struct statement {
    struct body *body;
    const char *name;      // of its form: "mul.wide"
    const char *type_name; // ".u32", or "" for a form without types
    struct match match;
    unsigned bank; // of .const[bank], else 0
    struct instruction *instruction;
};

// --- scope.c -----------------------------------------------------------------------------------

// Returns the index of the variable that a name means here, one declared before the threads or in
// this body, or -1.
int ptx_find_variable(const struct body *body, const char *name);

// Gives a variable a name (borrowed) in the innermost block.
void ptx_bind_variable(struct body *body, const char *name, int variable, enum variable_role role);

// Returns what a name of ptx_bind_variable is for; ROLE_VARIABLE when it was not bound.
enum variable_role ptx_variable_role(const struct body *body, const char *name);

// Returns the register that a name means here.
struct register_name ptx_find_register(const struct body *body, const char *name);

// Adds a declared register to the block of this depth. Returns its index, or -1 after an error.
int ptx_declare_register(struct body *body, const char *name, struct span span,
                         enum scalar_type type, unsigned depth);

// Adds a register of `width` bits that the current function uses and does not declare. Returns its
// index, or -1 after an error.
int ptx_add_function_register(struct body *body, const char *name, struct span span,
                              unsigned width);

// Returns how many elements the vector register with this name has here, 2 or 4; 0 when the name
// means no vector register. Such a register consists of the registers that are its elements.
int ptx_vector_size(const struct body *body, const char *name);

// Returns the name of an element of a vector register: 0 for .x to 3 for .w.
const char *ptx_vector_element(const struct body *body, const char *name, unsigned member);

// Returns the index of the label that a token names, adding it when it is new.
int ptx_label(struct body *body, const struct token *token);

// Adds a label without a name and returns its index. ptx_place_label says where it is.
int ptx_new_label(struct body *body, struct span span);

// Puts a label before the next instruction.
void ptx_place_label(struct body *body, int label);

// Defines the label `token` before the next instruction. An error when it is defined already.
void ptx_define_label(struct body *body, const struct token *token);

// Opens a block at the current token, a '{' between statements.
void ptx_open_block(struct body *body);

// Closes a block at the current token, a '}' between statements. An error when none is open.
void ptx_close_block(struct body *body);

// Opens a block without braces: the body of a function.
void ptx_enter_block(struct body *body, struct span span, bool is_call);

// Closes a block without braces.
void ptx_leave_block(struct body *body);

// Reports labels that are used and not defined, at the body's end.
void ptx_finish_labels(struct body *body);

// Reports blocks that are not closed, at the body's end.
void ptx_finish_blocks(struct body *body);

// --- body.c ------------------------------------------------------------------------------------

// Adds an instruction (copied) to the thread.
void ptx_add_instruction(struct body *body, const struct instruction *instruction);

// Reads `count` tokens as statements, in the middle of another one, which stays the current one.
void ptx_parse_statements(struct body *body, const struct token *tokens, size_t count);

// --- call.c ------------------------------------------------------------------------------------

struct raw_operand;

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

// --- open.c ------------------------------------------------------------------------------------

// What stands for an instruction whose result is open, in the arena: results that may be anything,
// or one that computes where its operands are constants.
struct open_results {
    struct instruction *items;
    size_t count;
};

// Reads the operands of an instruction whose result is open (ptx.h), and fills `results`, one for
// each destination. The opcode's span and the guard are `instruction`'s. Returns false after an
// error.
bool ptx_parse_open(struct body *body, const struct instruction *instruction,
                    struct open_results *results);

// --- concrete.c --------------------------------------------------------------------------------

struct raw_operand;

// Makes an instruction, which has its opcode's span and its guard, one that computes with constants
// of floating-point numbers (OP_FLOAT). Returns false, with or without an error, where it is not of
// a form that is known.
bool ptx_parse_concrete(struct body *body, struct instruction *instruction,
                        const struct raw_operand *operands, size_t count);

// --- declare.c ---------------------------------------------------------------------------------

// Reads a directive from its '.reg' (or other) qualifier to its ';'. Returns false after errors.
bool ptx_parse_directive(struct body *body);

// Whether a token is the word of a directive that is not also a qualifier.
bool ptx_is_directive(const struct token *token);

// Whether a token is .loc or .file, which end with their line, without a ';'.
bool ptx_is_line_directive(const struct token *token);

// Goes past the rest of the line.
void ptx_skip_line(struct body *body);

// Returns the range that a register's name falls into, in the innermost block that has one, or
// NULL.
const struct register_range *ptx_register_range(const struct body *body, const char *name);

// --- registers.c -------------------------------------------------------------------------------

// Returns the facts about a register of the thread, for reading and writing; the body owns them,
// until the next register is added.
struct register_facts *ptx_register_facts(struct body *body, int reg);

// Whether a word names a register here, rather than a variable.
bool ptx_is_register(const struct body *body, const struct token *token);

// What an operand requires of a register.
struct register_need {
    enum scalar_type type;
    bool wider;      // a wider register serves as well
    bool is_address; // the type is that of an address
    bool is_written;
};

// The name of the register that holds the carry of a sum, which no test can write.
#define PTX_CARRY ".cc"

// Returns the register that a word names, checked against the need, or -1 after an error.
int ptx_use_register(struct body *body, const struct token *token,
                     const struct register_need *need);

// Whether a register of the declared type can hold a value of the wanted one, apart from sizes (PTX
// ISA 9.4).
bool ptx_types_agree(enum scalar_type declared, enum scalar_type wanted);

// As ptx_use_register, for a name that is not the token's text: an element of a vector.
int ptx_use_register_named(struct body *body, const char *name, const struct token *token,
                           const struct register_need *need);

// Returns ".u32", or "of 32 bits" for an undeclared register; the arena owns it.
const char *ptx_register_type(const struct body *body, const struct test_register *reg);

// Reports errors about registers that only the whole body shows.
void ptx_check_registers(struct body *body);

// --- operands.c --------------------------------------------------------------------------------

// An operand as it is written, before the form says what it has to be.
enum raw_kind {
    RAW_WORD,    // name, with `negated` !name
    RAW_SUM,     // name + constant
    RAW_ELEMENT, // name[constant]
    RAW_MEMORY,  // [name], [name + constant], [constant]
    RAW_CONSTANT,
    RAW_FLOAT,
    RAW_VECTOR,  // {a, b}
    RAW_PAIR,    // %p|%q
    RAW_SINK,    // _
    RAW_SPECIAL, // %tid.x
};

struct raw_operand {
    enum raw_kind kind;
    struct span span;
    const struct token *word;     // NULL for a MEMORY without a base
    bool negated;                 // a WORD after '!', a FLOAT after '-'
    struct ptx_constant constant; // CONSTANT, SUM, ELEMENT, MEMORY; 0 when there is none
    const struct token *number;   // FLOAT
    const struct token *unified;  // the .unified after a MEMORY, or NULL
    struct raw_operand *elements; // VECTOR, PAIR
    struct raw_operand
        *coordinates;    // MEMORY: the {c} of [t, {c}], which is the next operand; or NULL
    bool is_coordinates; // VECTOR: it is that
    size_t element_count;
    const char *name; // WORD: that of an element of a vector register; else NULL
    enum special_register special;
    unsigned special_bits; // SPECIAL_OPEN: how many bits it has; else 0
    int member;            // SPECIAL: 0 for .x to 3 for .w, or -1
};

// Reads the operands up to the ';', an array of `*count` that the arena owns. Returns false after
// an error.
bool ptx_parse_operands(struct body *body, struct raw_operand **operands, size_t *count);

// --- special.c ---------------------------------------------------------------------------------

// Returns 0 to 3 for .x .y .z .w, and for .r .g .b .a; -1 for anything else.
int ptx_vector_member(const char *spelling);

// Makes a special register an operand; `member` is the '.x' that follows it, or NULL. Returns false
// after an error.
bool ptx_parse_special(struct body *body, const struct token *name, const struct token *member,
                       struct raw_operand *operand);

// Whether a special register has .x .y .z .w.
bool ptx_special_is_vector(enum special_register special);

// Makes a special register a source operand that meets the need. Returns false after an error.
bool ptx_resolve_special(struct statement *statement, const struct raw_operand *raw,
                         const struct register_need *need, struct operand *operand);

// --- roles.c -----------------------------------------------------------------------------------

// Returns the bits of a floating-point number, a RAW_FLOAT, in a type.
struct bits128 ptx_float_bits(struct body *body, const struct raw_operand *raw,
                              enum scalar_type type);

// Makes an argument of a call a source operand of this type. Returns false after an error.
bool ptx_resolve_argument(struct body *body, const struct call *call, const struct raw_operand *raw,
                          enum scalar_type type, struct operand *operand);

// Makes the place for a result of a call a destination of this type. Returns false after an error.
bool ptx_resolve_result(struct body *body, const struct call *call, const struct raw_operand *raw,
                        enum scalar_type type, struct operand *operand);

// Makes what is written the operand of a role: the opcode, types and vector of the statement's
// instruction must be set. Returns false after an error.
bool ptx_resolve_operand(struct statement *statement, const struct raw_operand *written,
                         uint32_t role, struct operand *operand);

// --- written.c ---------------------------------------------------------------------------------

// Checks the operands against the roles of the form and puts them into the instruction. Returns
// false after errors.
bool ptx_resolve_operands(struct statement *statement, const struct raw_operand *operands,
                          size_t count);

// --- matrix.c ----------------------------------------------------------------------------------

// Puts what the qualifiers say of matrices into the instruction.
void ptx_set_matrices(const struct statement *statement);

// Resolves an operand of a product of matrices: a role from ACCUMULATOR to BIT. Returns false after
// an error.
bool ptx_resolve_matrix(struct statement *statement, const struct raw_operand *raw, uint32_t role,
                        struct operand *operand);

// Whether the operands of a product of matrices go together. Returns false after an error.
bool ptx_check_matrices(const struct statement *statement);

// --- warp_matrix.c -----------------------------------------------------------------------------

// Puts what an ldmatrix, stmatrix or movmatrix does into the thread, as accesses to rows and an
// exchange in the warp; what remains of the instruction does nothing.
void ptx_take_matrix_apart(struct body *body, struct instruction *instruction);

// --- memory.c ----------------------------------------------------------------------------------

// Resolves and checks a memory operand: its base, state space and alignment. Returns false after an
// error.
bool ptx_resolve_memory(struct statement *statement, const struct raw_operand *raw,
                        struct operand *operand);

// Resolves the [t of a [t, {c}], a tensormap whose tensor has as many dimensions as the instruction
// says. Returns false after an error.
bool ptx_resolve_tensor_map(struct statement *statement, const struct raw_operand *raw,
                            struct operand *operand);

// Checks that coordinates are in the brackets of a tensormap, and nowhere else. Returns false after
// an error.
bool ptx_check_coordinates(struct statement *statement, const struct raw_operand *operands,
                           size_t count, const uint32_t *roles);

// Checks that '.unified' is used only where it may be, and always where it must be (PTX ISA
// 9.7.9.8). Returns false after an error.
bool ptx_check_unified(struct statement *statement, const struct raw_operand *raw,
                       const struct operand *operand);

// Checks that PTX has vectors as wide as the instruction's. Returns false after an error.
bool ptx_check_vector(const struct statement *statement);

// Makes the address of a variable a source operand, for mov and cvta. Returns false after an error.
bool ptx_resolve_address(struct statement *statement, const struct raw_operand *raw,
                         enum scalar_type type, struct operand *operand);

#endif
