// Cat texts as trees: what the parser makes and the checker reads. Names are not resolved here.
#ifndef PTXLITMUS_CAT_SYNTAX_H
#define PTXLITMUS_CAT_SYNTAX_H

#include "model/cat/model.h"

struct arena;
struct diagnostics;

struct cat_name {
    const char *text; // NUL-terminated; NULL when there is none
    struct span span;
};

enum cat_expr_kind {
    CAT_EXPR_NAME,        // `name`
    CAT_EXPR_CALL,        // `name`(operands)
    CAT_EXPR_OPERATOR,    // `op` of the operands
    CAT_EXPR_CONDITIONAL, // the first operand under the variant `name`, else the second
};

struct cat_expr {
    enum cat_expr_kind kind;
    enum node_op op;            // OPERATOR: EMPTY, UNIVERSE, UNION to IDENTITY
    struct span span;           // parentheses included
    struct cat_name name;       // of a CONDITIONAL: the variant, without its quotes
    struct cat_expr **operands; // UNION, INTERSECTION, SEQUENCE and DIFFERENCE have two or more,
    size_t count;               // to be read from the left
    unsigned height;            // of the tree
};

// name = body, or name(parameters) = body
struct cat_binding {
    struct cat_name name;
    bool is_function;
    struct cat_name *parameters;
    size_t parameter_count;
    struct cat_expr *body; // NULL after an error
};

enum cat_statement_kind {
    CAT_STATEMENT_LET,
    CAT_STATEMENT_REC,
    CAT_STATEMENT_AXIOM,
    CAT_STATEMENT_INCLUDE,
    CAT_STATEMENT_SHOW
};

struct cat_statement {
    enum cat_statement_kind kind;
    struct span span;
    struct cat_binding *bindings; // LET (`let … and …` has several), REC
    size_t binding_count;
    enum axiom_kind axiom; // AXIOM
    enum axiom_use use;
    bool negated, race, undefined, at_once, in_any_program;
    struct cat_expr **exprs; // AXIOM: one; SHOW: what it names
    size_t expr_count;
    struct cat_name name; // AXIOM: of `as name`; INCLUDE: the path, without its quotes
};

struct cat_file {
    const char *title; // the words before the first statement; "" when there are none
    bool is_bare_ptx;  // the title is the word PTX alone, as in Dat3M
    struct cat_statement *statements;
    size_t count;
};

// Parses one text; the grammar is that of model/README.md. After errors in `diagnostics` the rest
// is still returned, so that the checker may go on: statements without errors, and the names of
// definitions with errors. The arena owns the tree. Never NULL.
struct cat_file *cat_parse(struct arena *arena, const struct source *source,
                           struct diagnostics *diagnostics);

#endif
