// Other expressions in the place of those of a program.
#ifndef PTXLITMUS_PROGRAM_SUBSTITUTE_H
#define PTXLITMUS_PROGRAM_SUBSTITUTE_H

#include "program/builder.h"
#include "program/thread/values.h"

// --- visit.c -----------------------------------------------------------------------------------

// Is given each expression, to put another one in its place.
typedef void expr_visitor(void *context, const struct expr **expr);

// Visits an expression that need not be there.
void program_visit_if(expr_visitor *visit, void *context, const struct expr **expr);

// Visits the expressions of an event.
void program_visit_event(expr_visitor *visit, void *context, struct event *event);

// Visits the expressions of a program but those of events, cells and assumed values.
void program_visit_rest(expr_visitor *visit, void *context, struct program *program);

// --- substitute.c ------------------------------------------------------------------------------

// Replaces an expression that need not be there.
void substitute_in(struct expr_replacements *replacements, const struct expr **expr);

// Replaces the expressions of all events, registers and ends of threads; not what events define
// themselves. Where builder->known.substitutes holds, before the addresses are resolved.
void substitute_everywhere(struct builder *builder, struct expr_replacements *replacements,
                           struct value **final_registers);

// Replaces the program's other expressions: which executions count, and which are not described.
void substitute_in_rest(struct builder *builder, struct expr_replacements *replacements);

#endif
