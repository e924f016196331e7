// How instructions are written, as the table has it: for people, and for what may come next.
#ifndef PTXLITMUS_LITMUS_PTX_GRAMMAR_H
#define PTXLITMUS_LITMUS_PTX_GRAMMAR_H

#include "litmus/ptx/match.h"

struct arena;

// Returns a form as the PTX ISA writes one, "ld.order.scope{.global}.type d, [a];", and below it
// what each name in it may be, a line for each. The arena owns it.
const char *ptx_form_grammar(struct arena *arena, const struct form *form);

// An opcode that is written in part or as a whole, in its parts: "ld", ".acquire", ".gpu".
struct opcode_begin {
    const char *parts[WRITTEN_MAX];
    size_t count;
    size_t at; // another part may come before this one
};

// Returns the parts of such a text, which the arena owns: of `before`, after which another part may
// come, and of what is after that. Of more than WRITTEN_MAX, the first ones count.
struct opcode_begin ptx_opcode_begin(struct arena *arena, const char *before, const char *after);

// What may come in an opcode: a qualifier of a slot, or a part of a name (then `class` is
// CLASS_COUNT).
typedef void ptx_next_part(void *context, const struct form *form, enum qualifier_class class,
                           struct piece spelling);

// Whether an opcode may be of this form, or the begin of one, as it is or with another part at its
// place; tells the parts that may be there to `next` (NULL: they are not wanted).
bool ptx_form_begins(const struct form *form, const struct opcode_begin *begin, ptx_next_part *next,
                     void *context);

#endif
