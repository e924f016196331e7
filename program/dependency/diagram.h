// Boolean functions as reduced ordered binary decision diagrams (Bryant, 1986): equal functions are
// one number, and a function depends on exactly the variables that occur in its diagram.
#ifndef PTXLITMUS_PROGRAM_DEPENDENCY_DIAGRAM_H
#define PTXLITMUS_PROGRAM_DEPENDENCY_DIAGRAM_H

#include <stdbool.h>

// A function. Once the limit of a problem is reached, results are DIAGRAM_TOO_LARGE, as is every
// function that is made from one.
typedef unsigned diagram;
enum { DIAGRAM_FALSE = 0, DIAGRAM_TRUE = 1, DIAGRAM_TOO_LARGE = ~0u >> 1 };

enum { DIAGRAM_VARIABLES_MAX = 1 << 14 };

struct diagrams;

// Returns a store of functions, which the caller frees with diagrams_free.
struct diagrams *diagrams_new(void);

// Frees a store and all its functions.
void diagrams_free(struct diagrams *diagrams);

// Forgets all functions and starts a problem that may take at most `steps` steps, each of about
// constant time.
void diagrams_begin(struct diagrams *diagrams, unsigned steps);

// Returns how many steps were taken since then.
unsigned diagrams_steps(const struct diagrams *diagrams);

// Returns the variable of this rank, which is below DIAGRAM_VARIABLES_MAX. Diagrams ask for
// variables of lower rank first.
diagram diagram_variable(struct diagrams *diagrams, unsigned rank);

// Returns the function "a and b".
diagram diagram_and(struct diagrams *diagrams, diagram a, diagram b);

// Returns the function "either a or b, not both".
diagram diagram_xor(struct diagrams *diagrams, diagram a, diagram b);

// Returns the function "not a".
diagram diagram_not(struct diagrams *diagrams, diagram a);

// Returns the function "a or b".
diagram diagram_or(struct diagrams *diagrams, diagram a, diagram b);

// Returns the function that is `then_value` where the condition holds, else `else_value`.
diagram diagram_choose(struct diagrams *diagrams, diagram condition, diagram then_value,
                       diagram else_value);

// Sets `occurs[rank]` for each variable that the function, which is not too large, depends on.
void diagram_mark_variables(struct diagrams *diagrams, diagram function, bool *occurs);

#endif
