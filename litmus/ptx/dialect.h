// The forms of dialects, rows of dialects.def: by name, and by the qualifiers that their slots
// take. Forms, qualifiers and names that are returned are parts of the tables and live for ever.
#ifndef PTXLITMUS_LITMUS_PTX_DIALECT_H
#define PTXLITMUS_LITMUS_PTX_DIALECT_H

#include "litmus/ptx/instructions.h"
#include "litmus/source/lexer.h"
#include "litmus/test.h"

struct arena;
struct diagnostics;

// Returns the first form of the dialect whose name the token is; NULL when there is none.
const struct form *dialect_form(enum dialect dialect, const struct token *name);

// Returns the form with this opcode among those with the name of `form`; NULL when there is none.
const struct form *dialect_form_of(enum dialect dialect, const struct form *form,
                                   enum opcode opcode);

// Returns the name of the dialect's instruction that is nearest to a word, for hints; NULL when
// none is near.
const char *dialect_nearest_name(enum dialect dialect, const char *word);

// Returns the names of the dialect's instructions in the order of the table, "ld, st and fence";
// the arena owns the text.
const char *dialect_names(struct arena *arena, enum dialect dialect);

// Fills in what the form implies: opcode, proxy, type and comparison.
void dialect_start(const struct form *form, struct instruction *instruction);

// Finds the form's slot of a class; returns false when it has none.
bool dialect_slot(const struct form *form, enum qualifier_class class, struct slot *slot);

// Returns the qualifier of the class that the token spells, or NULL.
const struct qualifier *dialect_qualifier(enum qualifier_class class, const struct token *token);

// Whether the token is a qualifier that the form has in a slot of the class; then gives its value.
bool dialect_takes_token(const struct form *form, enum qualifier_class class,
                         const struct token *token, int *value);

// Adds the error that an order is none of those that the slot of a form takes, which the hint lists
// with this separator before the last. Returns false.
bool dialect_error_order(struct diagnostics *diagnostics, const struct form *form,
                         const struct slot *orders, const struct token *order, const char *last);

// Returns the value of a slot's default; `missing` when it has none.
int dialect_default(const struct slot *slot, int missing);

// Returns what a slot takes, ".relaxed, .acquire or .release" for " or " as the last separator. The
// arena owns the text.
const char *dialect_choices(struct arena *arena, const struct slot *slot, const char *last);

// Whether an instruction of the dialect is written like this: its name with qualifiers, each of
// which a slot takes; "ld.acquire.gpu", "fence.proxy.alias". In which order they are is not looked
// at.
bool dialect_takes(enum dialect dialect, const char *text);

// Returns the qualifier nearest to a word among those that the form takes and that are not implied,
// for hints; NULL when none is near, or when it is the word itself. The arena owns it.
const char *dialect_nearest_qualifier(struct arena *arena, const struct form *form,
                                      const char *word);

#endif
