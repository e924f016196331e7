// Inside litmus/readers/module: what its parts share. read.c finds what a module declares,
// declare.c reads declarations, statements.c the bodies, flow.c finds which values reach an effect.
#ifndef PTXLITMUS_READERS_MODULE_READING_H
#define PTXLITMUS_READERS_MODULE_READING_H

#include "litmus/readers/module/module.h"
#include "litmus/readers/module/opcodes.h"

struct name_table;

struct module_reading {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct module *module;
    const struct token *at; // the tokens of the module end with a TOKEN_END
    struct module_opcodes *opcodes;
    struct name_table *names;  // of variables and functions
    struct name_table *bodies; // of functions that have one
    struct name_table *files;  // by the number of .file as it is written
};

// A word of a body: a register, a label, a name of the module. Its index is the word's number.
struct body_word {
    const char *name;
    const struct token *first; // its first occurrence
    bool is_declared, is_special;
    bool matters;   // its value reaches an address, a branch, a stored value or another effect
    int definition; // the first of its definitions in struct body_words, or -1
};

// A statement that gives a word a value.
struct word_definition {
    size_t statement;
    int next; // of the same word, or -1
};

struct body_words {
    struct body_word *items;
    size_t count;
    struct name_table *numbers;
    struct name_table *ranges; // "%r": index of `range_counts`
    uint64_t *range_counts;
    size_t range_count;
    int *of_token; // by token of the body: a word's number, or -1
    struct word_definition *definitions;
    size_t definition_count;
};

// --- cursor.c ----------------------------------------------------------------------------------

// Adds the error "expected WHAT, not 'x'" at the current token; returns false.
bool module_error_expected(struct module_reading *reading, const char *what);

// Moves past the mark that closes the one at the current token. Returns false after an error when
// there is none.
bool module_skip_group(struct module_reading *reading);

// Moves past the next ';' or to the end, or to where the next statement or declaration seems to
// start.
void module_skip_statement(struct module_reading *reading);

// Returns the linkage (".extern") that a token gives, which lives for ever; NULL when it gives
// none.
const char *module_linkage(const struct token *token);

// Returns the state space that a token gives, in the same way; ".reg" counts as one.
const char *module_space(const struct token *token);

// Whether a declaration of variables or registers starts at a token.
bool module_at_declaration(const struct token *at);

// --- declare.c ---------------------------------------------------------------------------------

// Reads a declaration, including its ';': variables are added to `*variables`, registers are
// declared among `words` (NULL: there are none outside of bodies). Returns false after an error.
bool module_parse_declaration(struct module_reading *reading, struct module_variable **variables,
                              size_t *count, struct body_words *words);

// Reads the parameters between the parentheses at the current token. Returns false after an error.
bool module_parse_parameters(struct module_reading *reading, struct module_parameter **parameters,
                             size_t *count);

// --- statements.c ------------------------------------------------------------------------------

// Reads the body of a function. `matters`: names of words whose values matter, `count` of them.
// Errors are in the diagnostics; after one in a statement, false is returned, and what reaches what
// is not known. Names that nothing declares are errors, too.
bool module_parse_body(struct module_reading *reading, struct module_function *function,
                       const char *const *matters, size_t count);

// --- words.c -----------------------------------------------------------------------------------

// Returns the number of the word that a token is, adding it when it is new.
int module_word(struct module_reading *reading, struct body_words *words,
                const struct token *token);

// Records that the module declares the word that a token is.
void module_declare_word(struct module_reading *reading, struct body_words *words,
                         const struct token *token);
// Records a declaration name "<" count ">": all registers of this name with a number below the
// count.
void module_declare_range(struct module_reading *reading, struct body_words *words,
                          const struct token *token, uint64_t count);

// --- flow.c ------------------------------------------------------------------------------------

// Sets `reaches` of each statement of the function. What gives one of the words in `matters`, by
// name, reaches something, too.
void module_find_reach(struct arena *arena, struct module_function *function,
                       struct body_words *words, const char *const *matters, size_t count);

#endif
