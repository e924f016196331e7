// From the qualifiers that a statement wrote to the form of the instruction table that they mean.
#ifndef PTXLITMUS_PTX_MATCH_H
#define PTXLITMUS_PTX_MATCH_H

#include "litmus/ptx/instructions.h"
#include "litmus/source/lexer.h"

struct arena;
struct diagnostics;

// A qualifier as it was written.
struct written {
    const struct token *token;
    const char *spelling;
};

enum { WRITTEN_MAX = 24, FILLED_MAX = 16 };

// A slot of the form with the qualifier that fills it.
struct filled {
    const struct qualifier *qualifier;
    const struct token *token; // NULL for defaults and for what is implied
};

struct match {
    const struct form *form;
    struct filled filled[FILLED_MAX];
    size_t count;
};

// An instruction's opcode and the qualifiers that are not part of its name.
struct opcode_text {
    const char *name; // "mul.wide"
    struct span span; // of the name and all qualifiers
    unsigned bank;    // of .const[bank], else 0
    struct written written[WRITTEN_MAX];
    size_t count;
    bool is_open;             // it is not read, and its result may be anything
    bool is_texture, is_wmma; // such as are open in their own ways
    const char *all;          // the opcode with all qualifiers
};

// Finds the form of the name that takes exactly these qualifiers. Returns false after errors in
// `diagnostics`, which compare the text with the form that is nearest to it.
bool ptx_match(struct arena *arena, struct diagnostics *diagnostics, const struct opcode_text *text,
               struct match *match);

// The longest name of the tables that an opcode begins with: one word and some of its qualifiers.
struct longest_name {
    const char *form;            // of the forms of instructions.def, or NULL; and
    const struct unread *unread; // the row of unread.def where that is longer, or NULL
    size_t parts;                // how many qualifiers the name takes up
};

// Finds it for an opcode's word and its `count` qualifiers. The name of a form is the arena's.
struct longest_name ptx_longest_name(struct arena *arena, const char *word,
                                     const struct written *written, size_t count);

// Whether a form, whose name is that of the text, takes the qualifiers that are written, be there
// others that it has to have.
bool ptx_form_takes(const struct form *form, const struct opcode_text *text);

// Whether some form of the name, read or not, takes exactly these qualifiers.
bool ptx_fits(const struct opcode_text *text);

// Returns the `index`-th filled slot of a class, or NULL; the match owns it.
const struct filled *ptx_filled(const struct match *match, enum qualifier_class class,
                                size_t index);

// Whether a slot of a class is filled.
bool ptx_has(const struct match *match, enum qualifier_class class);

// Returns the value of the `index`-th filled slot of a class; `missing` without one.
int ptx_value(const struct match *match, enum qualifier_class class, size_t index, int missing);

// Returns the token of the written qualifier that `spelling` starts with, up to a '+', or NULL.
const struct token *ptx_token_of(const struct match *match, const char *spelling);

// The first PTX version (78 for 7.8) and target (90 for sm_90) that have a form with its
// qualifiers;
// `..._because` are the qualifiers that need them, or "" when the form itself does.
struct ptx_since {
    unsigned ptx, sm;
    const char *ptx_because, *sm_because;
};

// Returns these for a matched form. The texts live for ever.
struct ptx_since ptx_since(const struct match *match);

// Returns the first target (90 for sm_90) that executes an instruction, by its name in the table
// ("fence.proxy") and its `count` qualifiers. It is a bug if no form takes them.
unsigned ptx_first_target(const char *name, const char *const *qualifiers, size_t count);

#endif
