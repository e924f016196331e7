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
    bool is_call;       // of a function: the caller's names are not known in it
    size_t first_label; // of the labels that it may have
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

// --- constants.c -------------------------------------------------------------------------------

// Whether the operands of an instruction that are constants are among those that PTX allows there;
// an error where one is not.
bool ptx_check_constants(const struct statement *statement);

// --- declare.c ---------------------------------------------------------------------------------

// Reads a directive from its '.reg' (or other) qualifier to its ';'. Returns false after errors.
bool ptx_parse_directive(struct body *body);

// Whether a token is the word of a directive that is not also a qualifier.
bool ptx_is_directive(const struct token *token);

// Whether a token is .loc or .file, which end with their line, without a ';'.
bool ptx_is_line_directive(const struct token *token);

// Returns the range that a register's name falls into, in the innermost block that has one, or
// NULL.
const struct register_range *ptx_register_range(const struct body *body, const char *name);

#endif
